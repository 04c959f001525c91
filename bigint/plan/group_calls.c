// group_calls.c: see group_calls.h.
#include "bigint/plan/group_calls.h"

#include "bigint/device/plan.h"
#include "bigint/group/group.h"
#include "bigint/group/member_sum.h"
#include "bigint/plan/call_plans.h"
#include "bigint/plan/product.h"

static uint64_t capped(const bigint_ctx *ctx, uint64_t bytes) {
    const uint64_t cap = ctx->options.max_workspace_bytes;
    return cap != 0 && bytes > cap ? cap : bytes;
}

// --- Batches that are dealt out ------------------------------------------------------------------

// item_limbs: of the numbers of an item, which members on devices send and fetch.
static uint64_t item_limbs(const bigint_call *c) {
    return 2 * (c->an + c->bn) + (c->kind == BIGINT_CALL_MULMOD_BATCH ? c->k : c->k / 64 + 1);
}

bigint_status group_call_dealt_bytes(work_need *n, const bigint_call *c, uint64_t *bytes) {
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
    *bytes = capped(n->ctx, own + most);
    return status;
}

// --- Numbers in blocks ---------------------------------------------------------------------------

// blocks_bytes: the most that a member holds to add, send and fetch numbers of n limbs.
static bigint_status blocks_bytes(work_need *n, uint64_t limbs, uint64_t *bytes) {
    const uint64_t blocks = group_add_bytes(n->ctx, limbs);
    bigint_status status = BIGINT_OK;
    *bytes = blocks;
    for (unsigned i = 0; i < n->ctx->group->local && status == BIGINT_OK; i++) {
        bigint_ctx *const its_ctx = n->ctx->group->seats[i].self.ctx;
        uint64_t its = 0;
        if (context_on_device(its_ctx)) {
            const work_need m = device_need_begin(its_ctx, n->who);
            status = need_bytes(&m, &its);
        }
        *bytes = blocks + its > *bytes ? blocks + its : *bytes;
    }
    return status;
}

bool group_call_by_members(const bigint_ctx *ctx, const bigint_call *c) {
    return context_on_group(ctx) && call_plans[c->kind]->members;
}

// product_bytes: the most that a member holds for a product; of equal lengths, for a square too.
static bigint_status product_bytes(work_need *n, const bigint_call *c, uint64_t *bytes) {
    uint64_t square = 0;
    bigint_status status = explain_product_bytes(n->ctx, n->who, bytes, c->an, c->bn, false);
    if (status == BIGINT_OK && c->an == c->bn) {
        status = explain_product_bytes(n->ctx, n->who, &square, c->an, c->bn, true);
    }
    *bytes = square > *bytes ? square : *bytes;
    return status;
}

bigint_status group_call_members_bytes(work_need *n, const bigint_call *c, uint64_t *bytes) {
    uint64_t own = 0, blocks = 0;
    bigint_status status = blocks_bytes(n, c->an + c->bn + c->count + c->k + 1, &blocks);
    if (status == BIGINT_OK && c->an > 0 && c->bn > 0) {
        status = product_bytes(n, c, &own);
    }
    if (status == BIGINT_OK) {
        *bytes = capped(n->ctx, own + blocks);
    }
    return status;
}

// The result is no longer than the operands together, or lies in the workspace before it is stored.
bigint_status group_call_host_bytes(work_need *n, const bigint_call *c, uint64_t *bytes) {
    const uint64_t operands = c->an + c->bn + 2, stored = n->host.peak / sizeof(uint64_t);
    uint64_t own = 0, blocks = 0;
    bigint_status status = blocks_bytes(n, operands > stored ? operands : stored, &blocks);
    status = status == BIGINT_OK ? need_bytes(n, &own) : status;
    if (status == BIGINT_OK) {
        *bytes = capped(n->ctx, own + blocks);
    }
    return status;
}
