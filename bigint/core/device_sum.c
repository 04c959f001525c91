// device_sum.c: sums and shifts of integers on a device. They are enqueued and never wait.
#include "bigint/core/device_sum.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "carry/add.h"
#include "primitives/words/word.h"

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

bigint_status device_add(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b, bool subtract) {
    if (b->n_ == 0) {
        return device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP);
    }
    if (a->n_ == 0) {
        return device_copy(ctx, who, r, b, subtract ? LIMBS_SIGN_FLIP : LIMBS_SIGN_KEEP);
    }
    const uint64_t bits = max(device_bits(a), device_bits(b)) + 1;
    const uint64_t n = word_ceil_div(bits, 64), bytes = carry_add_workspace_bytes(n);
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_words_need(ctx, who, bytes);
    if (status == BIGINT_OK) {
        status = device_target_open(ctx, who, r, bits, &target);
    }
    if (status == BIGINT_OK) {
        const device_queue *q = &ctx->queue;
        const result done = carry_add(target.p, n, target.p - 1, device_number(a), device_number(b),
                                      subtract, q->words, q->words_bytes, q->stream);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

// shift_source: the limbs of a from limb `from` on, in a form that can be shifted into the target.
// Blocks move limbs in any order, so a shift in place works on a copy, or writes new limbs if there
// is no workspace for a copy.
static bigint_status shift_source(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t from,
                                  device_target *target, limbs_device_number *source) {
    device_queue *q = &ctx->queue;
    const uint64_t n = a->n_ - from;
    *source = (limbs_device_number){a->d_ + from, n, a->d_ - 1};
    if (target->p != a->d_) {
        return BIGINT_OK;
    }
    uint64_t *copy = arena_make_room(ctx, &q->memory, n * sizeof *copy)
                         ? arena_take_in(ctx, &q->memory, who, n * sizeof *copy)
                         : NULL;
    if (copy == NULL) {
        const bigint none = BIGINT_INIT;
        return ctx->failed != BIGINT_OK ? ctx->failed
                                        : device_target_open(ctx, who, &none, target->bits, target);
    }
    source->p = copy;
    return device_status(ctx, who, cuda_copy(copy, a->d_ + from, n * sizeof *copy, q->stream));
}

typedef result (*shift)(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                        uint64_t bits, limbs_sign sign, cuda_stream stream);

// shift_into: r, below 2^r_bits, r_bits >= 1, = |a| without its lowest `from` limbs, shifted by
// bits.
static bigint_status shift_into(bigint_ctx *ctx, const char *who, bigint *r, uint64_t r_bits,
                                const bigint *a, uint64_t from, uint64_t bits, shift kernel) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    device_target target;
    limbs_device_number source;
    status = device_target_open(ctx, who, r, r_bits, &target);
    if (status == BIGINT_OK) {
        status = shift_source(ctx, who, a, from, &target, &source);
        if (status == BIGINT_OK) {
            status = device_status(ctx, who,
                                   kernel(target.p, target.n, target.p - 1, source, bits,
                                          LIMBS_SIGN_KEEP, ctx->queue.stream));
        }
        status = device_target_close(ctx, r, &target, status);
    }
    arena_release_in(ctx, &ctx->queue.memory, mark);
    device_leave(ctx);
    return status;
}

bigint_status device_mul_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits) {
    if (bits == 0 || a->n_ == 0) {
        return device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP);
    }
    // Both below 2^63; larger values are refused in any case.
    const uint64_t by = bits < UINT64_C(1) << 62 ? bits : UINT64_C(1) << 62;
    return shift_into(ctx, who, r, device_bits(a) + by, a, 0, bits, limbs_device_lshift);
}

bigint_status device_tdiv_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                               uint64_t bits) {
    const uint64_t limbs = bits / 64;
    if (bits == 0) {
        return device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP);
    }
    if (device_bits(a) <= bits) {
        const bigint nothing = BIGINT_INIT;
        return device_copy(ctx, who, r, &nothing, LIMBS_SIGN_KEEP);
    }
    return shift_into(ctx, who, r, device_bits(a) - bits, a, limbs, bits % 64, limbs_device_rshift);
}
