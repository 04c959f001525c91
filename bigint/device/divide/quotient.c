// quotient.c: quotients and remainders of integers on a device: short ones in one launch, long ones
// block by block with a reciprocal.
#include "bigint/device/divide/quotient.h"

#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/names.h"
#include "bigint/device/divide/blocks.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/recorded.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/divide/divrem.h"
#include "primitives/words/word.h"

static const char divrem_name[] = "bigint_divrem";

// divide_once: by one launch.
static bigint_status divide_once(bigint_ctx *ctx, const char *who, const device_blocks *s) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const block_division x = {.q = s->q.p,
                              .r = s->r.p,
                              .a = s->a->d_,
                              .d = s->by->d.d_,
                              .qn = s->qn,
                              .an = s->a->n_,
                              .dn = s->by->n,
                              .shift = s->by->shift,
                              .q_sign = s->q.p != NULL ? s->q.p - 1 : NULL,
                              .r_sign = s->r.p != NULL ? s->r.p - 1 : NULL,
                              .a_sign = s->a->d_ - 1,
                              .d_sign = s->d->d_ - 1};
    status = device_status(ctx, who, block_divide(&x, ctx->queue.stream));
    device_leave(ctx);
    return status;
}

// open_targets: new limbs for the results that are wanted.
static bigint_status open_targets(bigint_ctx *ctx, const char *who, device_blocks *s, bool q,
                                  bool r) {
    const bigint nothing = BIGINT_INIT;
    bigint_status status = BIGINT_OK;
    s->q = s->r = (device_target){0};
    if (q) {
        status = device_target_open(ctx, who, &nothing, 64 * (s->qn + 1), &s->q);
    }
    if (status == BIGINT_OK && r) {
        status = device_target_open(ctx, who, &nothing, s->by->bits, &s->r);
    }
    return status;
}

// close_target: x gets the result, in place of its own limbs.
static void close_target(bigint_ctx *ctx, bigint *x, device_target *target, uint64_t bits,
                         bigint_status status) {
    if (x == NULL || target->p == NULL) {
        return;
    }
    bigint fresh = BIGINT_INIT;
    target->n = word_ceil_div(bits, 64), target->bits = bits;
    if (device_target_close(ctx, &fresh, target, status) == BIGINT_OK) {
        bigint_swap(x, &fresh);
    }
    bigint_clear(ctx, &fresh);
}

// divide_shorter: q = 0, r = a. r before q, which may be a.
static bigint_status divide_shorter(bigint_ctx *ctx, const char *who, bigint *q, bigint *r,
                                    const bigint *a) {
    const bigint nothing = BIGINT_INIT;
    bigint_status status = r != NULL ? device_copy(ctx, who, r, a, LIMBS_SIGN_KEEP) : BIGINT_OK;
    return status == BIGINT_OK && q != NULL ? device_copy(ctx, who, q, &nothing, LIMBS_SIGN_KEEP)
                                            : status;
}

bigint_status device_divide(bigint_ctx *ctx, const char *who, bigint *q, bigint *r, const bigint *a,
                            const device_divisor *by) {
    const uint64_t a_bits = device_bits(a), q_bits = a_bits - by->bits + 1;
    if (q == NULL && r == NULL) {
        return BIGINT_OK;
    }
    if (a_bits < by->bits) {
        return divide_shorter(ctx, who, q, r, a);
    }
    if (by->owns) {
        const device_division x = {q, r, a, &by->d, by->bits, by};
        bool done = false;
        const bigint_status status = device_divide_recorded(ctx, who, &x, &done);
        if (status != BIGINT_OK || done) {
            return status;
        }
    }
    device_blocks s = {.by = by, .a = a, .d = &by->d, .qn = word_ceil_div(q_bits, 64)};
    bigint_status status = open_targets(ctx, who, &s, q != NULL, r != NULL);
    if (status == BIGINT_OK) {
        status = by->m == 0 ? divide_once(ctx, who, &s) : device_divide_blocks(ctx, who, &s);
    }
    close_target(ctx, q, &s.q, q_bits, status);
    close_target(ctx, r, &s.r, by->bits, status);
    return status;
}

bigint_status device_divexact(bigint_ctx *ctx, const char *name, bigint *q, const bigint *a,
                              const bigint *d) {
    uint64_t bits = 0;
    int sign;
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = device_divrem(ctx, &quotient, &rest, a, d);
    if (status == BIGINT_OK) {
        status = device_measure(ctx, name, &bits, &sign, &rest);
    }
    if (status == BIGINT_OK && bits > 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the division leaves a remainder", name);
    }
    if (status == BIGINT_OK) {
        bigint_swap(q, &quotient);
    }
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &rest);
    return status;
}

// divide_by: for d of exactly `bits` bits.
static bigint_status divide_by(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                               const bigint *d, uint64_t bits) {
    const uint64_t a_bits = device_bits(a);
    if (a_bits < bits) {
        return divide_shorter(ctx, divrem_name, q, r, a);
    }
    const device_division x = {q, r, a, d, bits, NULL};
    bool done = false;
    bigint_status status = device_divide_recorded(ctx, divrem_name, &x, &done);
    if (status != BIGINT_OK || done) {
        return status;
    }
    device_divisor by;
    status = device_divisor_open(ctx, divrem_name, &by, d, bits,
                                 word_ceil_div(a_bits - bits + 1, 64), false);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t bytes = by.x.n_ * sizeof(uint64_t);
    status = device_count_integers(ctx, divrem_name, bytes);
    if (status == BIGINT_OK) {
        status = device_divide(ctx, divrem_name, q, r, a, &by);
        device_uncount_integers(ctx, bytes);
    }
    device_divisor_close(ctx, &by);
    return status;
}

// divide_at_once divides before it is known that d is as long as announced, so that the device
// works while the host waits to know. *done = whether it is; if not, q and r have not changed: a
// divisor whose top bit is not set gives limbs without meaning, in the same time and memory.
static bigint_status divide_at_once(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                                    const bigint *d, bool *done) {
    const uint64_t announced = device_bits(d);
    uint64_t bits = 0;
    int sign;
    bigint quotient = BIGINT_INIT, rest = BIGINT_INIT;
    bigint_status status = device_measure_begin(ctx, divrem_name, d);
    if (status != BIGINT_OK) {
        return status;
    }
    const bigint_status divided =
        divide_by(ctx, q != NULL ? &quotient : NULL, r != NULL ? &rest : NULL, a, d, announced);
    status = device_measure_end(ctx, divrem_name, &bits, &sign);
    *done = status == BIGINT_OK && bits == announced;
    if (*done && divided == BIGINT_OK && q != NULL) {
        bigint_swap(q, &quotient);
    }
    if (*done && divided == BIGINT_OK && r != NULL) {
        bigint_swap(r, &rest);
    }
    bigint_clear(ctx, &quotient), bigint_clear(ctx, &rest);
    return *done ? divided : status;
}

bigint_status device_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    uint64_t bits;
    int sign;
    bigint_status status = BIGINT_OK;
    const bool wanted = q != NULL || r != NULL;
    if (wanted && d->n_ > 0 && !ctx->queue.doubts && ctx->check_modulus == 0) {
        bool done = false;
        status = divide_at_once(ctx, q, r, a, d, &done);
        if (status != BIGINT_OK || done) {
            return status;
        }
    }
    status = device_measure(ctx, divrem_name, &bits, &sign, d);
    if (status != BIGINT_OK) {
        return status;
    }
    if (bits == 0) {
        return divrem_by_zero(ctx);
    }
    ctx->queue.doubts = bits != device_bits(d);
    return wanted ? divide_by(ctx, q, r, a, d, bits) : BIGINT_OK;
}

// --- Plans ---------------------------------------------------------------------------------------

void device_divide_need(work_need *w, const device_divisor *s, uint64_t an) {
    if (s->m != 0 && an >= s->n) {
        device_divide_blocks_need(w, s, an - s->n + 1);
    }
}

void device_divrem_need(work_need *w, uint64_t an, uint64_t dn) {
    if (dn == 0 || an < dn) {
        return;
    }
    const device_divisor by = device_divisor_plan(w->ctx, 64 * dn, an - dn + 1, false);
    const uint64_t x = by.m == 0 ? 0 : (by.k + 1) * sizeof(uint64_t);
    device_divisor_need(w, &by);
    need_integers(w, x);
    device_divide_need(w, &by, an);
    need_integers_end(w, x);
}

int device_divrem_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn) {
    const char *const backend = names_backend(ctx->device.backend);
    const unsigned long long a = an, d = dn, qn = an < dn ? 0 : an - dn + 1;
    if (dn == 0 || an < dn) {
        return snprintf(buf, cap, "%s division, %llu by %llu limbs, quotient 0", backend, a, d);
    }
    const device_divisor by = device_divisor_plan(ctx, 64 * dn, qn, false);
    if (by.m == 0) {
        return snprintf(buf, cap, "%s division, %llu by %llu limbs, one launch", backend, a, d);
    }
    if (by.series.levels > 0) {
        return snprintf(buf, cap,
                        "%s division, %llu by %llu limbs, by a reciprocal of %llu limbs and a "
                        "series of %u levels",
                        backend, a, d, (unsigned long long)by.k, by.series.levels);
    }
    return snprintf(
        buf, cap, "%s division, %llu by %llu limbs, blocks: %llu of %llu limbs by a reciprocal%s%s",
        backend, a, d, (unsigned long long)word_ceil_div(qn, by.m), (unsigned long long)by.m,
        by.keeps_d ? ", transform of the divisor kept" : "",
        by.keeps_x ? ", of the reciprocal kept" : "");
}

int device_divisor_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t dn, uint64_t qn) {
    const device_divisor by = device_divisor_plan(ctx, 64 * dn, qn, true);
    const char *const backend = names_backend(ctx->device.backend);
    const unsigned long long d = dn, m = by.m;
    if (by.m == 0) {
        return snprintf(buf, cap, "%s division by %llu limbs, of which a copy is kept", backend, d);
    }
    return snprintf(buf, cap,
                    "%s division by %llu limbs, of which a reciprocal of %llu is kept%s%s", backend,
                    d, m, by.keeps_d ? ", transform of the divisor kept" : "",
                    by.keeps_x ? ", of the reciprocal kept" : "");
}
