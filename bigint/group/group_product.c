// group_product.c: see group_product.h.
#include "bigint/group/group_product.h"

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/group/group.h"
#include "bigint/group/group_devices.h"
#include "bigint/group/group_integer.h"
#include "bigint/group/member_operand.h"
#include "bigint/group/member_product.h"
#include "bigint/multiply/mul.h"

// gathered: the product on the host, of operands of an and bn limbs.
static bigint_status gathered(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t an, const bigint *b, uint64_t bn) {
    const int sign = a->sign_ * b->sign_;
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status;
    uint64_t *p = NULL;
    const uint64_t *const ap = bigint_view(ctx, who, a, an, &status);
    const uint64_t *const bp =
        status != BIGINT_OK || a == b ? ap : bigint_view(ctx, who, b, bn, &status);
    if (status == BIGINT_OK) {
        p = arena_take_limbs(ctx, who, an + bn);
        status = p == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, p, ap, an, bp, bn);
    }
    if (status == BIGINT_OK) {
        status = bigint_store(ctx, who, r, p, an + bn, sign);
    }
    arena_release(ctx, mark);
    return status;
}

// product_job: r = |a| |b|, of an and bn limbs.
typedef struct {
    const char *who;
    const bigint *r, *a, *b;
    uint64_t an, bn;
    unsigned first;
    uint64_t bits;  // of r, from the first member of this process
} product_job;

// operands_moved: whether the operands of a product have other blocks than numbers of their lengths
// in use, so that they are exchanged first. All members know.
static bool operands_moved(const member *m, const product_job *job) {
    const unsigned members = m->exchange->members;
    return block_length(job->a->n_, members) != block_length(job->an, members) ||
           block_length(job->b->n_, members) != block_length(job->bn, members);
}

static bigint_status multiply(member *m, void *arg) {
    product_job *const job = arg;
    const uint64_t n = job->an + job->bn;
    const arena_mark mark = arena_get_mark(m->ctx);
    member_operand a = {0}, b = {0};
    uint64_t bits = 0;
    bigint_status status;
    uint64_t *const to = group_room(m, job->who, job->r, n, &status);
    status = status == BIGINT_OK ? member_operand_take(m, job->who, &a, job->a, job->an) : status;
    status = status == BIGINT_OK ? member_operand_take(m, job->who, &b, job->b, job->bn) : status;
    if (operands_moved(m, job)) {
        status = member_agree(m, status, member_key(job->who, job->an, job->bn, job->a->n_));
        status = status == BIGINT_OK ? member_operand_fetch(m, &a) : status;
        status = status == BIGINT_OK ? member_operand_fetch(m, &b) : status;
        if (status != BIGINT_OK) {
            arena_release(m->ctx, mark);
            return status;
        }
    }
    status = member_multiply(m, &(member_job){.rp = to,
                                              .ap = a.p,
                                              .bp = b.p,
                                              .an = job->an,
                                              .bn = job->bn,
                                              .square = job->a == job->b,
                                              .so_far = status});
    status = status == BIGINT_OK ? group_top_bits(m, &bits, to, n) : status;
    status = status == BIGINT_OK ? group_keep(m, job->who, job->r, n, to) : status;
    if (status == BIGINT_OK && m->exchange->member == job->first) {
        job->bits = bits;
    }
    arena_release(m->ctx, mark);
    return status;
}

// in_blocks: the product on the members.
static bigint_status in_blocks(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               uint64_t an, const bigint *b, uint64_t bn) {
    const int sign = a->sign_ * b->sign_;
    product_job job = {
        .who = who, .r = r, .a = a, .b = b, .an = an, .bn = bn, .first = ctx->group->first};
    bigint_status status = group_table(ctx, who, r);
    status = status == BIGINT_OK ? group_run(ctx, who, multiply, &job) : status;
    if (status == BIGINT_OK) {
        group_settle(r, an + bn, job.bits, sign);
    }
    return status;
}

// on_devices: the product on the members' devices, a the longer operand. r's length is not read
// back.
static bigint_status on_devices(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                uint64_t an, const bigint *b, uint64_t bn) {
    const int sign = a->sign_ * b->sign_;
    const uint64_t bits = group_bits(a) + group_bits(b);
    bigint_status status = group_table(ctx, who, r);
    status = status == BIGINT_OK ? group_devices_mul(ctx, who, r, a, an, b, bn) : status;
    if (status == BIGINT_OK) {
        group_settle(r, an + bn, bits, sign);
    }
    return status;
}

bigint_status group_mul(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                        const bigint *b) {
    const uint64_t an = group_limbs_used(a), bn = group_limbs_used(b);
    if (an == 0 || bn == 0) {
        group_settle(r, 0, 0, 0);
        return BIGINT_OK;
    }
    bigint_status status = bigint_check_product_size(ctx, who, an, bn);
    if (status != BIGINT_OK || ctx->device.backend == BACKEND_REF) {
        return status != BIGINT_OK ? status : gathered(ctx, who, r, a, an, b, bn);
    }
    bool ready;
    status = group_devices_ready(ctx, who, &ready);
    return status != BIGINT_OK ? status
           : !ready            ? in_blocks(ctx, who, r, a, an, b, bn)
           : an >= bn          ? on_devices(ctx, who, r, a, an, b, bn)
                               : on_devices(ctx, who, r, b, bn, a, an);
}

bigint_status group_mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *const *a,
                            const bigint *const *b, const int *signs, uint64_t count) {
    bigint sum = BIGINT_INIT, term = BIGINT_INIT;
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < count && status == BIGINT_OK; i++) {
        status = group_mul(ctx, who, &term, a[i], b[i]);
        if (status == BIGINT_OK) {
            status = group_calls.add(ctx, who, &sum, &sum, &term, signs != NULL && signs[i] < 0);
        }
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &sum);
    }
    bigint_clear(ctx, &sum);
    bigint_clear(ctx, &term);
    return status;
}
