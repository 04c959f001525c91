// calls.c: bigint_call_explain and bigint_call_workspace_bytes: the plans of all calls, on each
// place. Where the host computes a call, its operands are copied to host memory first.
#include <stdio.h>

#include "bigint/core/host_call.h"
#include "bigint/core/limbs.h"
#include "bigint/core/need.h"
#include "bigint/device/plan.h"
#include "bigint/group/group.h"
#include "bigint/group/member_sum.h"
#include "bigint/plan/call_plans.h"
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

// check_sizes: ERANGE for lengths that no integer or batch has.
static bigint_status check_sizes(bigint_ctx *ctx, const char *who, const bigint_call *c) {
    const call_plan *const plan = call_plans[c->kind];
    const bool bits = (plan->needs & NEEDS_BITS) != 0;
    const uint64_t lengths[] = {c->an, c->bn, bits ? c->k / 64 + 1 : plan->members ? c->k : 0};
    uint64_t all = 0;
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < 3 && status == BIGINT_OK; i++) {
        status = bigint_check_size(ctx, who, lengths[i]);
    }
    if (status == BIGINT_OK && (plan->needs & NEEDS_BATCH) != 0 &&
        (__builtin_mul_overflow(c->count, c->an + c->bn + 1, &all) || all > BIGINT_MAX_LIMBS)) {
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

static bool is_product(const bigint_call *c) {
    return c->kind == BIGINT_CALL_MUL || c->kind == BIGINT_CALL_SQR;
}

// by_host: of a call whose operands are copied to host memory, as host_call_begin does.
static bigint_status by_host(work_need *n, const bigint_call *c) {
    const call_plan *const plan = call_plans[c->kind];
    host_call there;
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

// item_limbs: of the numbers of an item, which members on devices send and fetch.
static uint64_t item_limbs(const bigint_call *c) {
    return 2 * (c->an + c->bn) + (c->kind == BIGINT_CALL_MULMOD_BATCH ? c->k : c->k / 64 + 1);
}

// dealt_need: what a group needs whose members share the items, no one more than all of them: the
// members' contexts, on devices with copies of a span at a time, and for sums the group's own.
static bigint_status dealt_need(work_need *n, const bigint_call *c, uint64_t *bytes) {
    bigint_call its_call = *c;
    uint64_t own = 0, most = 0;
    if (c->kind == BIGINT_CALL_MUL_SUM_BATCH) {
        its_call.kind = BIGINT_CALL_MUL_BATCH;
        need_take_limbs(&n->host, 2 * c->count * (c->an + c->bn));
    }
    bigint_status status = need_bytes(n, &own);
    for (unsigned i = 0; i < n->ctx->group->local && status == BIGINT_OK; i++) {
        bigint_ctx *const its_ctx = n->ctx->group->seats[i].self.ctx;
        uint64_t its = 0;
        if (context_on_device(its_ctx)) {
            work_need m = device_need_begin(its_ctx, n->who);
            need_take_limbs(&m.host, c->count * item_limbs(c) + 1);
            call_plans[its_call.kind]->device(&m, &its_call);
            status = need_bytes(&m, &its);
        } else {
            work_need m = need_begin(its_ctx, n->who);
            call_plans[its_call.kind]->host(&m, &its_call);
            status = need_bytes(&m, &its);
        }
        most = its > most ? its : most;
        status = status == BIGINT_OK ? status
                                     : bigint_fail(n->ctx, status, "%s", bigint_ctx_error(its_ctx));
    }
    *bytes = own + most;
    return status;
}

static bool by_members(const bigint_ctx *ctx, const bigint_call *c) {
    return context_on_group(ctx) && call_plans[c->kind]->members;
}

// members_need: what a group needs whose members compute products and their sums.
static bigint_status members_need(work_need *n, const bigint_call *c, uint64_t *bytes) {
    const uint64_t cap = n->ctx->options.max_workspace_bytes;
    const uint64_t sum = group_add_bytes(n->ctx, c->an + c->bn + c->count + c->k + 1);
    uint64_t own = 0;
    const bigint_status status =
        explain_product_bytes(n->ctx, n->who, &own, c->an, c->bn, c->an == c->bn);
    *bytes = cap != 0 && own + sum > cap ? cap : own + sum;
    return status;
}

bigint_status bigint_call_workspace_bytes(bigint_ctx *ctx, uint64_t *bytes,
                                          const bigint_call *call) {
    const char *who = "bigint_call_workspace_bytes";
    bigint_status status = check(ctx, who, call);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(call)) {
        return explain_product_bytes(ctx, who, bytes, call->an, square ? call->an : call->bn,
                                     square);
    }
    const call_plan *const plan = call_plans[call->kind];
    work_need n = context_on_device(ctx) ? device_need_begin(ctx, who) : need_begin(ctx, who);
    if (ctx->away == NULL) {
        plan->host(&n, call);
    } else if (call_on_device(ctx, call)) {
        plan->device(&n, call);
    } else if (by_members(ctx, call)) {
        return members_need(&n, call, bytes);
    } else if ((plan->needs & NEEDS_BATCH) != 0) {
        return dealt_need(&n, call, bytes);
    } else {
        status = by_host(&n, call);
    }
    return status == BIGINT_OK ? need_bytes(&n, bytes) : status;
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
    const bigint_status status = check(ctx, who, call);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool square = call->kind == BIGINT_CALL_SQR;
    if (is_product(call)) {
        return explain_product(ctx, who, buf, cap, need, call->an, square ? call->an : call->bn,
                               square);
    }
    if (by_members(ctx, call)) {
        return explain_product(ctx, who, buf, cap, need, call->an,
                               call->kind == BIGINT_CALL_PREP_CREATE ? call->k : call->bn, false);
    }
    const bool here = ctx->away == NULL || call_on_device(ctx, call);
    return explain_line(ctx, who, buf, cap, need, here ? print : print_by_host, call);
}
