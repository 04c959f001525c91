// steps.c: steps of longer computations on a device: the memory of a result, and one launch or two.
#include "bigint/device/divide/steps.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "carry/add.h"
#include "primitives/words/word.h"

limbs_device_number device_magnitude(const bigint *x, uint64_t from) {
    return x->n_ <= from ? (limbs_device_number){NULL, 0, NULL}
                         : (limbs_device_number){x->d_ + from, x->n_ - from, NULL};
}

void device_announce(bigint *x, uint64_t bits) {
    assert(1 <= bits && bits <= device_bits(x));
    x->n_ = word_ceil_div(bits, 64);
    x->sign_ = (int32_t)(64 * x->n_ - bits);
}

bigint_status device_count_integers(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    uint64_t *const cap = &ctx->options.max_workspace_bytes;
    if (*cap != 0 && *cap <= bytes) {
        return bigint_fail(ctx, BIGINT_ENOMEM,
                           "%s: %llu bytes of integers on the way, and more for products; the cap "
                           "is %llu",
                           who, (unsigned long long)bytes, (unsigned long long)*cap);
    }
    *cap -= *cap != 0 ? bytes : 0;
    return BIGINT_OK;
}

void device_uncount_integers(bigint_ctx *ctx, uint64_t bytes) {
    uint64_t *const cap = &ctx->options.max_workspace_bytes;
    *cap += *cap != 0 ? bytes : 0;
}

// WAITS_LEAST: below, waiting costs what it saves (h200-arith.jsonl, waits).
enum { WAITS_LEAST = 1 << 17 };

bool device_waits(const bigint_ctx *ctx, uint64_t limbs) {
    const uint64_t least = ctx->queue.forced.quotient_waits;
    return ctx->queue.lent == NULL && limbs >= (least != 0 ? least : WAITS_LEAST);
}

enum { LINE = 16 };  // limbs

uint64_t device_scratch_bytes(uint64_t count, uint64_t limbs) {
    return (limbs + count * LINE) * sizeof(uint64_t);
}

bigint_status device_scratch_open(bigint_ctx *ctx, const char *who, device_scratch *s,
                                  uint64_t count, uint64_t limbs) {
    const uint64_t bytes = device_scratch_bytes(count, limbs);
    *s = (device_scratch){NULL, NULL, bytes};
    const bigint_status status = device_count_integers(ctx, who, bytes);
    if (status != BIGINT_OK) {
        return status;
    }
    s->p = s->at = device_allocate(ctx, bytes);
    if (s->p != NULL) {
        return BIGINT_OK;
    }
    device_uncount_integers(ctx, bytes);
    return ctx->failed != BIGINT_OK
               ? ctx->failed
               : bigint_fail(ctx, BIGINT_ENOMEM,
                             "%s: no memory on device %d for %llu bytes of integers on the way; "
                             "clear others, or move them to the host",
                             who, ctx->device.place, (unsigned long long)bytes);
}

uint64_t *device_scratch_take(device_scratch *s, uint64_t limbs) {
    uint64_t *const p = s->at;
    s->at += word_ceil_div(limbs, LINE) * LINE;
    assert((uint64_t)(s->at - s->p) * sizeof *p <= s->bytes);
    return p;
}

void device_scratch_close(bigint_ctx *ctx, device_scratch *s) {
    if (s->p != NULL) {
        device_release(ctx, MEMORY_DEVICE, s->p);
        device_uncount_integers(ctx, s->bytes);
        s->p = NULL;
    }
}

bigint_status device_step_sum(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                              limbs_device_number a, limbs_device_number b, bool subtract) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_words_need(ctx, who, carry_add_workspace_bytes(word_ceil_div(bits, 64)));
    if (status == BIGINT_OK) {
        status = device_target_open(ctx, who, r, bits, &target);
    }
    if (status == BIGINT_OK) {
        const device_queue *q = &ctx->queue;
        const result done = carry_add(target.p, target.n, target.p - 1, a, b, subtract, q->words,
                                      q->words_bytes, q->stream);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

typedef result (*shift)(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                        uint64_t bits, limbs_sign sign, cuda_stream stream);

static bigint_status step_shift(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                                limbs_device_number a, uint64_t by, shift kernel) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, r, bits, &target);
    if (status == BIGINT_OK) {
        assert(target.p != a.p);
        const result done =
            kernel(target.p, target.n, target.p - 1, a, by, LIMBS_SIGN_KEEP, ctx->queue.stream);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

bigint_status device_step_left(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                               limbs_device_number a, uint64_t by) {
    return step_shift(ctx, who, r, bits, a, by, limbs_device_lshift);
}

bigint_status device_step_right(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                                limbs_device_number a, uint64_t by) {
    return step_shift(ctx, who, r, bits, a, by, limbs_device_rshift);
}

bigint_status device_step_choose(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                 const uint64_t *chosen) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, r, device_bits(a), &target);
    if (status == BIGINT_OK) {
        const cuda_stream stream = ctx->queue.stream;
        result done = cuda_set(target.p - 1, 0, sizeof *target.p, stream);
        if (done == RESULT_OK) {
            done = limbs_device_choose(target.p, target.n, device_magnitude(a, 0), chosen, stream);
        }
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}
