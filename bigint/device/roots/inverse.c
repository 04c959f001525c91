// inverse.c: see inverse.h. Bounds: docs/proofs/root.md, section 9.
#include "bigint/device/roots/inverse.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "primitives/words/word.h"

// WORD_BITS: of a degree. HOST_LEAST: limbs that the host computes at least where as many are
// needed: each doubling is two launches.
enum { WORD_BITS = 64, HOST_LEAST = 1024 };

uint64_t device_inverse_limbs(uint64_t bits) {
    return word_ceil_div(bits + WORD_BITS, 64) + 1;  // the dividend's, with a limb below the point
}

// pattern: *count limbs of 1 / odd, from the top down in {p + n - *count, *count}: until they
// repeat, HOST_LEAST or more, or n of them.
static void pattern(uint64_t *p, uint64_t n, uint64_t odd, uint64_t *count) {
    uint64_t rest = 1, i = n;
    do {
        const word_pair next = (word_pair)rest << 64;
        p[--i] = (uint64_t)(next / odd);
        rest = (uint64_t)(next % odd);
    } while (i > 0 && (rest != 1 || n - i < HOST_LEAST));
    *count = n - i;
}

// repeat: x of n limbs or more, from a pattern of fewer.
static bigint_status repeat(device_inverse *s, uint64_t n) {
    bigint_ctx *ctx = s->ctx;
    bigint_status status = BIGINT_OK;
    while (s->n < n && status == BIGINT_OK) {
        bigint high = BIGINT_INIT, both = BIGINT_INIT;
        status = device_step_left(ctx, s->who, &high, 128 * s->n, device_number(&s->x), 64 * s->n);
        if (status == BIGINT_OK) {
            status = device_step_sum(ctx, s->who, &both, 128 * s->n, device_number(&high),
                                     device_number(&s->x), false);
        }
        if (status == BIGINT_OK) {
            bigint_swap(&s->x, &both);
            s->n *= 2;
        }
        bigint_clear(ctx, &high), bigint_clear(ctx, &both);
    }
    return status;
}

uint64_t device_inverse_room(uint64_t k, uint64_t n) {
    const uint64_t odd = k >> word_ctz(k);  // fewer than odd do not repeat
    return odd < n && odd + HOST_LEAST < n ? odd + HOST_LEAST : n;
}

bigint_status device_inverse_start(bigint_ctx *ctx, const char *who, uint64_t *p, uint64_t *count,
                                   uint64_t k, uint64_t n) {
    const uint64_t odd = k >> word_ctz(k), most = device_inverse_room(k, n);
    *count = 0;
    if (odd == 1 || n == 0) {
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const limbs = arena_take_limbs(ctx, who, most);
    bigint_status status = limbs == NULL ? BIGINT_ENOMEM : device_enter(ctx, who);
    if (status == BIGINT_OK) {
        pattern(limbs, most, odd, count);
        status = device_staging_need(ctx, who);
        if (status == BIGINT_OK) {
            status = device_send_bytes(ctx, who, p, limbs + (most - *count), *count * sizeof *p);
        }
        device_leave(ctx);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status device_inverse_open(device_inverse *s, bigint_ctx *ctx, const char *who, uint64_t k,
                                  limbs_device_number first, uint64_t n) {
    assert(k >= 1);
    *s = (device_inverse){.ctx = ctx, .who = who, .n = first.n, .zeros = word_ctz(k)};
    s->odd = k >> s->zeros;
    if (s->odd == 1 || n == 0) {
        return BIGINT_OK;
    }
    const bigint_status status = device_step_left(ctx, who, &s->x, 64 * first.n, first, 0);
    return status == BIGINT_OK ? repeat(s, n) : status;
}

void device_inverse_close(device_inverse *s) { bigint_clear(s->ctx, &s->x); }

bigint_status device_inverse_divide(const device_inverse *s, bigint *r, uint64_t bits,
                                    const bigint *x, uint64_t right) {
    bigint_ctx *ctx = s->ctx;
    if (s->odd == 1) {
        return device_step_right(ctx, s->who, r, bits, device_number(x), right + s->zeros);
    }
    const uint64_t n = device_inverse_limbs(bits);
    assert(right >= 64 && n <= s->n && s->x.n_ == s->n);
    bigint top = BIGINT_INIT, product = BIGINT_INIT, u = BIGINT_INIT;
    bigint_status status =
        device_step_right(ctx, s->who, &top, bits + WORD_BITS + 64, device_number(x), right - 64);
    if (status == BIGINT_OK) {
        status = device_step_right(ctx, s->who, &u, 64 * n, device_number(&s->x), 64 * (s->n - n));
    }
    if (status == BIGINT_OK) {
        status = device_mul(ctx, s->who, &product, &top, &u);
    }
    if (status == BIGINT_OK) {
        status = device_step_right(ctx, s->who, r, bits, device_number(&product),
                                   64 * (n + 1) + s->zeros);
    }
    bigint_clear(ctx, &top), bigint_clear(ctx, &product), bigint_clear(ctx, &u);
    return status;
}
