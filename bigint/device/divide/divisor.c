// divisor.c: see divisor.h: the reciprocal of a divisor and the transforms of both.
#include "bigint/device/divide/divisor.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/branches.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/kept.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"
#include "primitives/words/word.h"

// ONCE_MOST: the longest quotient, in limbs, that one launch finds. BLOCK_LEAST: the least length
// of a reciprocal that serves several blocks, so that short divisors do not take many blocks;
// neither has been measured. HALVES_LEAST: the least quotient that is found in two blocks, whose
// reciprocal is half as long: below, launches count, while at 2^25 bits the halves are faster
// (h200-arith.jsonl, block).
// AHEAD_MOST: limbs of a divisor up to which its transform is made beside its reciprocal, which
// needs memory for both; for longer ones that gains less than a hundredth.
enum { ONCE_MOST = 2304, BLOCK_LEAST = 1 << 14, HALVES_LEAST = 1 << 19, AHEAD_MOST = 1 << 25 };

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

// make_room: *planes for a transform by a plan with a prepared operand, and its tables.
static bigint_status make_room(bigint_ctx *ctx, const char *who, const device_plan *plan,
                               double **planes) {
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
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        status = device_tables_need(ctx, who, plan);
        device_leave(ctx);
    }
    return status;
}

// begun: what the reciprocal needs, without transforms.
static device_divisor begun(const bigint_ctx *ctx, uint64_t bits, uint64_t qn, bool owns) {
    const uint64_t n = word_ceil_div(bits, 64), m = device_divisor_block(ctx, n, qn);
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
    return s;
}

// keeps: whether transforms may be kept. plan_d, plan_x: whether one is, and its plan.
static bool keeps(const bigint_ctx *ctx, const device_divisor *s, uint64_t qn) {
    return s->m != 0 && (s->owns || qn > s->m) && ctx->options.max_workspace_bytes == 0;
}
static void plan_d(const bigint_ctx *ctx, device_divisor *s) {
    s->keeps_d = device_difference_plan(ctx, &s->ring, s->bits, s->m + 1, s->n, false, true);
}
static void plan_x(const bigint_ctx *ctx, device_divisor *s) {
    const uint64_t xn = s->m + 2;
    device_plan once;  // one launch is faster than a prepared operand
    s->keeps_x = device_plan_whole(ctx, &once, xn, xn, false, false) &&
                 once.engine == ENGINE_MODULAR_FFT && !fft_modular_whole(&once.modular) &&
                 device_plan_whole(ctx, &s->estimates, xn, xn, false, true);
}

device_divisor device_divisor_plan(const bigint_ctx *ctx, uint64_t bits, uint64_t qn, bool owns) {
    device_divisor s = begun(ctx, bits, qn, owns);
    if (keeps(ctx, &s, qn)) {
        plan_d(ctx, &s);
        plan_x(ctx, &s);
    }
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

// invert enqueues the reciprocal on that stream.
static bigint_status invert(bigint_ctx *ctx, const char *who, device_divisor *s,
                            cuda_stream stream) {
    device_queue *const q = &ctx->queue;
    const cuda_stream own = q->stream;
    q->stream = stream;
    const bigint_status status =
        device_reciprocal(ctx, who, &s->x, device_magnitude(&s->d, 0), s->shift, s->k);
    q->stream = own;
    return status;
}

// prepare: the reciprocal, and transforms if they are kept, d's beside it: most of the reciprocal's
// launches have few blocks, and wait for one another. Both branches may read the tables that are
// made before the fork, and memory that either frees is the other's only after the join.
static bigint_status prepare(bigint_ctx *ctx, const char *who, device_divisor *s, bool kept) {
    const device_queue *const q = &ctx->queue;
    bigint_status status = BIGINT_OK;
    if (kept) {
        plan_d(ctx, s);
        status = s->keeps_d ? make_room(ctx, who, &s->ring, &s->d_planes) : BIGINT_OK;
    }
    const bool beside = s->keeps_d && s->n <= AHEAD_MOST;
    if (status == BIGINT_OK && beside) {
        status = device_ahead_fork(ctx, who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    status = invert(ctx, who, s, beside ? q->ahead.stream : q->stream);
    if (status == BIGINT_OK && s->keeps_d) {
        status = device_fill_planes(ctx, who, &s->ring, s->d_planes, device_number(&s->d));
    }
    if (status == BIGINT_OK && kept) {  // a plan takes the host some time
        plan_x(ctx, s);
    }
    const bigint_status joined = beside ? device_ahead_join(ctx, who) : BIGINT_OK;
    status = status == BIGINT_OK ? joined : status;
    if (status == BIGINT_OK && s->keeps_x) {
        status = make_room(ctx, who, &s->estimates, &s->x_planes);
        status = status == BIGINT_OK ? device_fill_planes(ctx, who, &s->estimates, s->x_planes,
                                                          device_number(&s->x))
                                     : status;
    }
    return status;
}

bigint_status device_divisor_open(bigint_ctx *ctx, const char *who, device_divisor *s,
                                  const bigint *d, uint64_t bits, uint64_t qn, bool owns) {
    assert(bits >= 1 && qn >= 1 && bits <= device_bits(d));
    *s = begun(ctx, bits, qn, owns);
    s->d = owns ? s->d : *d;
    bigint_status status = owns ? device_copy(ctx, who, &s->d, d, LIMBS_SIGN_KEEP) : BIGINT_OK;
    if (status == BIGINT_OK) {
        device_announce(&s->d, bits);
    }
    if (status == BIGINT_OK && s->m != 0) {
        status = prepare(ctx, who, s, keeps(ctx, s, qn));
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
