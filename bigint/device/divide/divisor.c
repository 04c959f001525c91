// divisor.c: see divisor.h: the reciprocal of a divisor and the transforms of both.
#include "bigint/device/divide/divisor.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/kept.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/product.h"
#include "primitives/words/word.h"

// ONCE_MOST: the longest quotient, in limbs, that one launch finds. BLOCK_LEAST: the least length
// of a reciprocal that serves several blocks, so that short divisors do not take many blocks;
// neither has been measured. HALVES_LEAST: the least quotient that is found in two blocks, whose
// reciprocal is half as long: below, launches count, while at 2^25 bits the halves are faster
// (h200-arith.jsonl, block).
enum { ONCE_MOST = 2304, BLOCK_LEAST = 1 << 14, HALVES_LEAST = 1 << 19 };

// One reciprocal serves all blocks, and a short one is cheap, but every block costs a product with
// d. Parts of numbers that are added begin at even limbs.
uint64_t device_divisor_block(const bigint_ctx *ctx, uint64_t n, uint64_t qn) {
    const uint64_t most = n + 1 > BLOCK_LEAST ? n + 1 : BLOCK_LEAST;  // 2 n by n limbs: n + 1
    uint64_t m = ctx->queue.forced.quotient_limbs;
    if (m == 0 && n <= BLOCK_DIVISION_MOST && qn <= ONCE_MOST) {
        return 0;
    }
    if (m == 0) {
        m = qn > most                          ? word_ceil_div(qn, word_ceil_div(qn, most))
            : qn >= HALVES_LEAST && 3 * qn > n ? word_ceil_div(qn, 2)
                                               : qn;
    }
    return word_ceil_div(m, 2) * 2;
}

// transform: *planes = the transform of b by a plan for it as a prepared operand.
static bigint_status transform(bigint_ctx *ctx, const char *who, const device_plan *plan,
                               double **planes, const bigint *b) {
    const uint64_t bytes = device_planes_bytes(plan);
    *planes = device_allocate(ctx, bytes);
    if (*planes == NULL) {
        return ctx->failed != BIGINT_OK
                   ? ctx->failed
                   : bigint_fail(ctx, BIGINT_ENOMEM,
                                 "%s: no memory on device %d for the transform of a divisor, %llu "
                                 "bytes; clear others, or move them to the host",
                                 who, ctx->device.place, (unsigned long long)bytes);
    }
    return device_fill_planes(ctx, who, plan, *planes, device_number(b));
}

device_divisor device_divisor_plan(const bigint_ctx *ctx, uint64_t bits, uint64_t qn, bool owns) {
    const uint64_t n = word_ceil_div(bits, 64), m = device_divisor_block(ctx, n, qn), xn = m + 2;
    device_divisor s = {.d = BIGINT_INIT,
                        .n = n,
                        .bits = bits,
                        .m = m,
                        .shift = (unsigned)(64 * n - bits),
                        .owns = owns,
                        .x = BIGINT_INIT,
                        .k = m + 1};
    if (m != 0 && !owns && qn <= m) {
        s.series = device_series_plan(ctx, n, qn);
        s.k = s.series.levels > 0 ? s.series.k : s.k;
    }
    if (m == 0 || !(owns || qn > m) || ctx->options.max_workspace_bytes != 0) {
        return s;
    }
    device_plan once;  // one launch is faster than a prepared operand
    s.keeps_d = device_difference_plan(ctx, &s.ring, bits, m + 1, n, false, true);
    s.keeps_x = device_plan_whole(ctx, &once, xn, xn, false, false) &&
                once.engine == ENGINE_MODULAR_FFT && !fft_modular_whole(&once.modular) &&
                device_plan_whole(ctx, &s.estimates, xn, xn, false, true);
    return s;
}

void device_divisor_need(work_need *w, const device_divisor *s) {
    if (s->m != 0) {
        device_reciprocal_need(w, s->n, s->k);
    }
    if (s->keeps_d) {
        device_plan_need(w, &s->ring);
    }
    if (s->keeps_x) {
        device_plan_need(w, &s->estimates);
    }
}

// keep prepares d and x for several blocks.
static bigint_status keep(bigint_ctx *ctx, const char *who, device_divisor *s) {
    const bigint_status status =
        s->keeps_d ? transform(ctx, who, &s->ring, &s->d_planes, &s->d) : BIGINT_OK;
    return status == BIGINT_OK && s->keeps_x
               ? transform(ctx, who, &s->estimates, &s->x_planes, &s->x)
               : status;
}

bigint_status device_divisor_open(bigint_ctx *ctx, const char *who, device_divisor *s,
                                  const bigint *d, uint64_t bits, uint64_t qn, bool owns) {
    assert(bits >= 1 && qn >= 1 && bits <= device_bits(d));
    *s = device_divisor_plan(ctx, bits, qn, owns);
    s->d = owns ? s->d : *d;
    bigint_status status = owns ? device_copy(ctx, who, &s->d, d, LIMBS_SIGN_KEEP) : BIGINT_OK;
    if (status == BIGINT_OK) {
        device_announce(&s->d, bits);
    }
    if (status == BIGINT_OK && s->m != 0) {
        status = device_reciprocal(ctx, who, &s->x, device_magnitude(&s->d, 0), s->shift, s->k);
    }
    if (status == BIGINT_OK) {
        assert(s->m == 0 || s->x.n_ == s->k + 1);
        status = keep(ctx, who, s);
    }
    if (status != BIGINT_OK) {
        device_divisor_close(ctx, s);
    }
    return status;
}

void device_divisor_close(bigint_ctx *ctx, device_divisor *s) {
    double *const planes[] = {s->d_planes, s->x_planes};
    for (size_t i = 0; i < 2; i++) {
        if (planes[i] != NULL) {
            device_release(ctx, MEMORY_DEVICE, planes[i]);
        }
    }
    if (s->owns) {
        device_clear(ctx, &s->d);
    }
    device_clear(ctx, &s->x);
    *s = (device_divisor){.d = BIGINT_INIT, .x = BIGINT_INIT};
}
