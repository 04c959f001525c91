// calls.c: bigint_call_explain and bigint_call_workspace_bytes: the plans of all calls, on each
// place. Where the host computes a call, its operands are copied to host memory first.
#include <stdio.h>

#include "bigint/core/host_call.h"
#include "bigint/core/limbs.h"
#include "bigint/core/need.h"
#include "bigint/device/plan.h"
#include "bigint/plan/call_plans.h"
#include "bigint/plan/group_calls.h"
#include "bigint/plan/product.h"
#include "bigint/text/text.h"

// check_fields: EINVAL for what no call takes.
static bigint_status check_fields(bigint_ctx *ctx, const char *who, const bigint_call *c) {
    const unsigned needs = call_plans[c->kind]->needs;
    if ((needs & NEEDS_DIVISOR) != 0 && c->bn == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: a divisor of 0 limbs", who);
    }
    if ((needs & NEEDS_BITS) != 0 && c->k == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: a modulus of 0 bits", who);
    }
    if ((needs & NEEDS_STEP) != 0 && c->k == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: a step of 0", who);
    }
    if ((needs & NEEDS_PREPARED) != 0 && c->bn > c->k) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: an operand of %llu limbs; the other one is prepared for %llu", who,
                           (unsigned long long)c->bn, (unsigned long long)c->k);
    }
    return (needs & NEEDS_BASE) == 0
               ? BIGINT_OK
               : text_check_base(ctx, who, c->k > TEXT_BASE_MOST ? 0 : (int)c->k, 0);
}

// third_limbs: room for the number whose length is k; 0 if there is none.
static uint64_t third_limbs(unsigned needs, uint64_t k) {
    return (needs & (NEEDS_BITS | NEEDS_EXPONENT)) != 0 ? k / 64 + 1
           : (needs & NEEDS_LIMBS) != 0                 ? k
                                                        : 0;
}

// check_sizes: ERANGE for lengths that no integer or batch has.
static bigint_status check_sizes(bigint_ctx *ctx, const char *who, const bigint_call *c) {
    const unsigned needs = call_plans[c->kind]->needs;
    const uint64_t lengths[] = {c->an, c->bn, third_limbs(needs, c->k)};
    uint64_t item = 1, all = 0;
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < 3 && status == BIGINT_OK; i++) {
        status = bigint_check_size(ctx, who, lengths[i]);
        item += lengths[i];
    }
    if (status == BIGINT_OK && (needs & NEEDS_BATCH) != 0 &&
        (__builtin_mul_overflow(c->count, item, &all) || all > BIGINT_MAX_LIMBS)) {
        status = bigint_check_size(ctx, who, UINT64_MAX);
    }
    return status;
}

static bigint_status check(bigint_ctx *ctx, const char *who, const bigint_call *c) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    if (status == BIGINT_OK && (unsigned)c->kind >= BIGINT_CALL_KINDS) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: kind %d of a call; the last one is %d", who,
                           (int)c->kind, BIGINT_CALL_KINDS - 1);
    }
    status = status == BIGINT_OK ? check_fields(ctx, who, c) : status;
    return status == BIGINT_OK ? check_sizes(ctx, who, c) : status;
}

// from_host: whether a device multiplies numbers in host memory.
static bool from_host(const bigint_ctx *ctx, const bigint_call *c) {
    return c->kind == BIGINT_CALL_MUL_HOST && context_on_device(ctx);
}

static bool is_product(const bigint_ctx *ctx, const bigint_call *c) {
    return c->kind == BIGINT_CALL_MUL || c->kind == BIGINT_CALL_SQR ||
           (c->kind == BIGINT_CALL_MUL_HOST && !from_host(ctx, c));
}

// by_host: of a call whose operands are copied to host memory, as host_call_begin does.
static bigint_status by_host(work_need *n, const bigint_call *c) {
    const call_plan *const plan = call_plans[c->kind];
    host_call there;
    if (context_on_device(n->ctx)) {
        // Results of calls with k or count may be far longer than their operands.
        const bool longer = c->k != 0 || c->count != 0;
        device_transfer_need(n, longer ? UINT64_MAX : 8 * (c->an + c->bn));
    }
    host_call_begin(&there, n->ctx, n->who, (host_operands){0});
    if (plan->operands > 0) {
        need_take_limbs(&n->host, c->an);
    }
    if (plan->operands > 1) {
        need_take_limbs(&n->host, c->bn);
    }
    plan->host(n, c);
    return host_call_end(&there, n->status);
}

// workspace: bigint_call_workspace_bytes of a call that `check` lets pass.
static bigint_status workspace(bigint_ctx *ctx, const char *who, uint64_t *bytes,
                               const bigint_call *call) {
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(ctx, call)) {
        return explain_product_bytes(ctx, who, bytes, call->an, square ? call->an : call->bn,
                                     square);
    }
    const call_plan *const plan = call_plans[call->kind];
    work_need n = context_on_device(ctx) ? device_need_begin(ctx, who) : need_begin(ctx, who);
    bigint_status status = BIGINT_OK;
    if (ctx->away == NULL) {
        plan->host(&n, call);
    } else if (call_on_device(ctx, call)) {
        plan->device(&n, call);
    } else if (group_call_by_members(ctx, call)) {
        return group_call_members_bytes(&n, call, bytes);
    } else if ((plan->needs & NEEDS_BATCH) != 0) {
        return group_call_dealt_bytes(&n, call, bytes);
    } else {
        status = by_host(&n, call);
        if (status == BIGINT_OK && context_on_group(ctx)) {
            return group_call_host_bytes(&n, call, bytes);
        }
    }
    return status == BIGINT_OK ? need_bytes(&n, bytes) : status;
}

bigint_status bigint_call_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                          const bigint_call *call) {
    const char *who = "bigint_call_workspace_bytes";
    const bigint_status status = check(ctx, who, call);
    return status == BIGINT_OK ? workspace(ctx, who, bytes, call) : status;
}

static int print(bigint_ctx *ctx, const void *call, char *buf, size_t cap) {
    const bigint_call *const c = call;
    return call_plans[c->kind]->line(ctx, c, buf, cap);
}

// print_by_host: the same, where the host computes for another place.
static int print_by_host(bigint_ctx *ctx, const void *call, char *buf, size_t cap) {
    const int before = snprintf(buf, cap, "by the host: ");
    const backend_kind backend = ctx->device.backend;
    const size_t at = cap < (size_t)before ? cap : (size_t)before;
    host_call there;
    host_call_begin(&there, ctx, "bigint_call_explain", (host_operands){0});
    ctx->device.backend = backend == BACKEND_REF ? BACKEND_REF : BACKEND_CPU;
    const int length = print(ctx, call, cap == 0 ? NULL : buf + at, cap - at);
    ctx->device.backend = backend;
    return host_call_end(&there, BIGINT_OK) == BIGINT_OK ? before + length : before;
}

bigint_status bigint_call_explain(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                  const bigint_call *call) {
    const char *who = "bigint_call_explain";
    bigint_status status = check(ctx, who, call);
    if (status != BIGINT_OK) {
        return status;
    }
    if (from_host(ctx, call)) {
        return explain_host_product(ctx, who, buf, cap, need, call->an, call->bn);
    }
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(ctx, call)) {
        return explain_product(ctx, who, buf, cap, need, call->an, square ? call->an : call->bn,
                               square);
    }
    if (group_call_by_members(ctx, call)) {
        return explain_product(ctx, who, buf, cap, need, call->an,
                               call->kind == BIGINT_CALL_PREP_CREATE ? call->k : call->bn, false);
    }
    uint64_t bytes;
    status = workspace(ctx, who, &bytes, call);  // a line needs no plan: this refuses what has none
    if (status != BIGINT_OK) {
        return status;
    }
    const bool here = ctx->away == NULL || call_on_device(ctx, call);
    return explain_line(ctx, who, buf, cap, need, here ? print : print_by_host, call);
}
