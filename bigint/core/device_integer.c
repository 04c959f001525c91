// device_integer.c: integers on a device: their limbs, setting and getting values through the
// staging, questions, and moves to and from the device.
#include "bigint/core/device_integer.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_memory.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/device_sum.h"
#include "bigint/core/limbs.h"
#include "primitives/words/word.h"

// --- Limbs ---------------------------------------------------------------------------------------

// The words in front of limb 0, the last of which is the sign: one line, so that limbs begin on a
// line.
enum { FRONT = 16 };

limbs_device_number device_number(const bigint *x) {
    return x->n_ == 0 ? (limbs_device_number){NULL, 0, NULL}
                      : (limbs_device_number){x->d_, x->n_, x->d_ - 1};
}

uint64_t device_bits(const bigint *x) { return x->n_ == 0 ? 0 : 64 * x->n_ - (uint64_t)x->sign_; }

bigint_limb *bigint_device_limbs(const bigint *x) {
    return x->place_ > 0 && x->n_ > 0 ? x->d_ : NULL;  // 1 and more: devices
}

static void limbs_free(bigint_ctx *ctx, uint64_t *p) {
    if (p != NULL) {
        device_release(ctx, MEMORY_DEVICE, p - FRONT);
    }
}

void device_clear(bigint_ctx *ctx, bigint *x) {
    limbs_free(ctx, x->d_);
    *x = (bigint)BIGINT_INIT;
}

// Whole lines, and always some spare room, because announced lengths grow with every sum.
static uint64_t cap_of(uint64_t limbs) { return limbs / FRONT * FRONT + FRONT; }

uint64_t device_integer_bytes(uint64_t limbs) { return (FRONT + cap_of(limbs)) * sizeof(uint64_t); }

// zero: r = 0, its limbs kept.
static bigint_status zero(bigint *r) {
    r->n_ = 0;
    r->sign_ = 0;
    return BIGINT_OK;
}

bigint_status device_target_open(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t bits,
                                 device_target *target) {
    const uint64_t n = word_ceil_div(bits, 64);
    *target = (device_target){r->d_, r->cap_, n, bits};
    if (n <= r->cap_) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_check_size(ctx, who, n);
    if (status != BIGINT_OK) {
        return status;
    }
    target->cap = cap_of(n);
    const uint64_t bytes = device_integer_bytes(n);
    uint64_t *block = device_allocate(ctx, bytes);
    if (block == NULL) {
        return ctx->failed != BIGINT_OK
                   ? ctx->failed
                   : bigint_fail(ctx, BIGINT_ENOMEM,
                                 "%s: no memory on device %d for a number of %llu limbs (%llu "
                                 "bytes); clear others, or move them to the host",
                                 who, ctx->device.place, (unsigned long long)n,
                                 (unsigned long long)bytes);
    }
    target->p = block + FRONT;
    return BIGINT_OK;
}

bigint_status device_target_close(bigint_ctx *ctx, bigint *r, const device_target *target,
                                  bigint_status status) {
    const bool fresh = target->p != r->d_;
    if (status == BIGINT_OK) {
        if (fresh) {
            limbs_free(ctx, r->d_);
        }
        *r = (bigint){target->p, target->n, target->cap, (int32_t)(64 * target->n - target->bits),
                      ctx->device.place + 1};
    } else if (fresh) {
        limbs_free(ctx, target->p);
    }
    return status;
}

bigint_status device_reserve(bigint_ctx *ctx, const char *who, bigint *x, uint64_t limbs) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_staging_need(ctx, who);
    if (status == BIGINT_OK && limbs > x->cap_) {
        device_target target;
        status = device_target_open(ctx, who, x, 64 * limbs, &target);
        if (status == BIGINT_OK) {
            const result done =
                x->n_ == 0 ? RESULT_OK
                           : limbs_device_lshift(target.p, x->n_, target.p - 1, device_number(x), 0,
                                                 LIMBS_SIGN_KEEP, ctx->queue.stream);
            target.n = x->n_;
            target.bits = device_bits(x);
            status = device_target_close(ctx, x, &target, device_status(ctx, who, done));
        }
    }
    device_leave(ctx);
    return status;
}

bigint_status device_blank(bigint_ctx *ctx, const char *who, bigint *x, uint64_t limbs) {
    const uint64_t one = 1;  // for its sign
    assert(limbs >= 1);
    bigint_status status = device_reserve(ctx, who, x, limbs);
    if (status == BIGINT_OK) {
        status = device_store(ctx, who, x, &one, 1, 1);
    }
    if (status == BIGINT_OK) {
        x->n_ = limbs;
        x->sign_ = 0;
    }
    return status;
}

// --- Set and get ---------------------------------------------------------------------------------

bigint_status device_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign) {
    n = limbs_normalize(p, n);
    if (n == 0) {
        return zero(r);
    }
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_staging_need(ctx, who);
    if (status == BIGINT_OK) {
        status = device_target_open(ctx, who, r, 64 * n - word_clz(p[n - 1]), &target);
    }
    if (status == BIGINT_OK) {
        status =
            device_target_close(ctx, r, &target, device_send(ctx, who, target.p, p, n, sign < 0));
    }
    device_leave(ctx);
    return status;
}

bigint_status device_load(bigint_ctx *ctx, const char *who, uint64_t *p, const bigint *a,
                          uint64_t n) {
    assert(1 <= n && n <= a->n_);
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_staging_need(ctx, who);
    if (status == BIGINT_OK) {
        status = device_fetch(ctx, who, p, a->d_, n);
    }
    device_leave(ctx);
    return status;
}

bigint_status device_copy(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          limbs_sign sign) {
    const uint64_t n = a->n_;
    if (n == 0) {
        return zero(r);
    }
    if (r == a && sign == LIMBS_SIGN_KEEP) {
        return BIGINT_OK;
    }
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, who, r, device_bits(a), &target);
    if (status == BIGINT_OK) {
        const uint64_t limbs = target.p == a->d_ ? 0 : n;  // in place: only the sign
        const result done = limbs_device_lshift(target.p, limbs, target.p - 1, device_number(a), 0,
                                                sign, ctx->queue.stream);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_leave(ctx);
    return status;
}

// --- Questions -----------------------------------------------------------------------------------

// ask enqueues the device's comparison of a and b, between device_enter and device_leave.
static bigint_status ask(bigint_ctx *ctx, const char *who, limbs_device_number a,
                         limbs_device_number b) {
    bigint_status status = device_staging_need(ctx, who);
    if (status == BIGINT_OK) {
        status = device_words_need(ctx, who, LIMBS_COMPARE_WORKSPACE_BYTES);
    }
    return status == BIGINT_OK
               ? device_status(ctx, who,
                               limbs_device_compare(device_answer(ctx), a, b, LIMBS_COMPARE,
                                                    ctx->queue.words, ctx->queue.stream))
               : status;
}

// compare: the device's comparison of a and b. Waits.
static bigint_status compare(bigint_ctx *ctx, const char *who, limbs_device_order *order,
                             limbs_device_number a, limbs_device_number b) {
    if (a.n == 0 && b.n == 0) {
        *order = (limbs_device_order){.zero = 1};
        return BIGINT_OK;
    }
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = ask(ctx, who, a, b);
    if (status == BIGINT_OK) {
        status = device_wait(ctx, who);
    }
    if (status == BIGINT_OK) {
        memcpy(order, device_answer(ctx), sizeof *order);
    }
    device_leave(ctx);
    return status;
}

static void measured(const limbs_device_order *order, uint64_t *bits, int *sign) {
    *bits = order->difference_bits;
    *sign = order->zero != 0 ? 0 : order->a_sign != 0 ? -1 : 1;
}

bigint_status device_measure_begin(bigint_ctx *ctx, const char *who, const bigint *a) {
    device_queue *const q = &ctx->queue;
    const limbs_device_number nothing = {NULL, 0, NULL};
    assert(a->n_ > 0);
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    if (q->answered == NULL) {
        status = device_status(ctx, who, cuda_event_create(&q->answered));
    }
    if (status == BIGINT_OK) {
        status = ask(ctx, who, device_number(a), nothing);
    }
    if (status == BIGINT_OK) {
        status = device_status(ctx, who, cuda_event_record(q->answered, q->stream));
    }
    device_leave(ctx);
    return status;
}

bigint_status device_measure_end(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_status(ctx, who, cuda_event_wait(ctx->queue.answered));
    if (status == BIGINT_OK) {
        measured(device_answer(ctx), bits, sign);
    }
    device_leave(ctx);
    return status;
}

bigint_status device_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a) {
    limbs_device_order order;
    const limbs_device_number nothing = {NULL, 0, NULL};
    const bigint_status status = compare(ctx, who, &order, device_number(a), nothing);
    if (status == BIGINT_OK) {
        measured(&order, bits, sign);
    }
    return status;
}

// A zero may have a minus. So different signs decide only if one of the numbers is not 0: then the
// number with a plus is at least 0, and the one with a minus at most 0.
bigint_status device_cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                         const bigint *b, bool magnitudes) {
    limbs_device_order o;
    const bigint_status status = compare(ctx, who, &o, device_number(a), device_number(b));
    if (status == BIGINT_OK) {
        *order = magnitudes || o.zero != 0 ? o.order
                 : o.a_sign == o.b_sign    ? (o.a_sign != 0 ? -o.order : o.order)
                                           : (o.a_sign != 0 ? -1 : 1);
    }
    return status;
}

// --- Moves ---------------------------------------------------------------------------------------

bigint_status device_from_device(bigint_ctx *ctx, const char *who, bigint *x) {
    const int from = x->place_ - 1, to = ctx->device.place;
    bigint y = BIGINT_INIT;
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    if (x->n_ > 0) {
        device_target target;
        status = device_target_open(ctx, who, &y, device_bits(x), &target);
        if (status == BIGINT_OK) {  // the sign and the limbs, one row
            status =
                device_status(ctx, who,
                              cuda_copy_between(target.p - 1, to, x->d_ - 1, from,
                                                (x->n_ + 1) * sizeof *x->d_, ctx->queue.stream));
            status = status == BIGINT_OK ? device_wait(ctx, who) : status;
            status = device_target_close(ctx, &y, &target, status);
        }
    }
    if (status == BIGINT_OK) {
        int here;
        status = device_status(ctx, who, cuda_enter(from, &here));
        if (status == BIGINT_OK) {
            status = device_status(ctx, who, cuda_release_idle(x->d_ - FRONT));
            cuda_leave(here);
            *x = y;
            y = (bigint)BIGINT_INIT;
        }
    }
    device_leave(ctx);
    device_clear(ctx, &y);
    return status;
}
