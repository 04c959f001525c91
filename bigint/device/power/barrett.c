// barrett.c: see barrett.h. Bounds: docs/proofs/powm.md, section 13.
#include "bigint/device/power/barrett.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/device/divide/difference.h"
#include "bigint/device/divide/reciprocal.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "primitives/words/word.h"

// --- The modulus ---------------------------------------------------------------------------------

// invert: s->x = (X - 3) 2^shift for X within 2 of B^(k + n) / (M 2^shift), k = n + 2.
static bigint_status invert(device_barrett *s) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t n = s->n, k = n + 2;
    const unsigned shift = (unsigned)(64 * n - s->bits);
    bigint near = BIGINT_INIT, three = BIGINT_INIT, less = BIGINT_INIT;
    assert(s->low + s->above == n + k);
    bigint_status status =
        device_reciprocal(ctx, s->who, &near, device_magnitude(&s->m, 0), shift, k);
    if (status == BIGINT_OK) {
        status = bigint_set_u64(ctx, &three, 3);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, s->who, &less, 64 * k + 2, device_magnitude(&near, 0),
                                 device_number(&three), true);
    }
    if (status == BIGINT_OK) {  // below B^(n + k) / M <= 2^(64 (n + k) - bits + 1)
        status =
            device_step_left(ctx, s->who, &s->x, 64 * k + shift + 1, device_number(&less), shift);
    }
    bigint_clear(ctx, &near), bigint_clear(ctx, &three), bigint_clear(ctx, &less);
    return status;
}

// quotient_limbs: limbs of the quotient by M of a number below 2^bits; at least one.
static uint64_t quotient_limbs(const device_barrett *s, uint64_t bits) {
    return bits > s->bits ? word_ceil_div(bits - s->bits + 1, 64) : 1;
}

// remainder_ring: whether remainders are found by a ring, and its plan.
static bool remainder_ring(const bigint_ctx *ctx, device_plan *ring, uint64_t bits, uint64_t qn,
                           uint64_t n) {
    return ctx->options.max_workspace_bytes == 0 &&
           device_difference_plan(ctx, ring, bits + 1, qn, n, false, true);
}

bigint_status device_barrett_open(device_barrett *s, bigint_ctx *ctx, const char *who,
                                  const bigint *modulus, uint64_t bits) {
    const uint64_t n = word_ceil_div(bits, 64);
    *s = (device_barrett){.ctx = ctx,
                          .who = who,
                          .m = *modulus,
                          .n = n,
                          .bits = bits,
                          .low = n > 2 ? (n - 2) / 2 * 2 : 0};
    s->above = 2 * n + 2 - s->low;  // both even: parts of numbers are aligned to 16 bytes
    device_announce(&s->m, bits);
    const uint64_t most = 2 * (bits + 1);  // bits of a product of residues
    bigint_status status = invert(s);
    if (status == BIGINT_OK) {
        status = device_keep(ctx, who, &s->by_x, &s->x, word_ceil_div(most, 64) - s->low);
    }
    if (status == BIGINT_OK) {
        s->wraps = remainder_ring(ctx, &s->ring, bits, quotient_limbs(s, most), n);
        status = s->wraps ? device_keep_planes(ctx, who, &s->ring, &s->m_planes, &s->m) : status;
    }
    return status;
}

void device_barrett_close(device_barrett *s) {
    bigint_clear(s->ctx, &s->x);
    bigint_clear(s->ctx, &s->product), bigint_clear(s->ctx, &s->estimate);
}

uint64_t device_barrett_bytes(uint64_t n) { return 8 * 14 * (n + 20); }

// --- Residues ------------------------------------------------------------------------------------

// remainder_of: r = product - q M for q = {estimate} / B^above, which is floor(product / M) or one
// less: below M (1 + 2^-58) < 2^(bits + 1).
static bigint_status remainder_of(device_barrett *s, bigint *r) {
    const limbs_device_number c = device_magnitude(&s->product, 0);
    const uint64_t all = s->estimate.n_ - s->above,
                   most = quotient_limbs(s, device_bits(&s->product));
    bigint q = s->estimate;  // its upper limbs, not a copy; its sign is not read
    assert(s->estimate.n_ > s->above);
    q.d_ += s->above;
    q.n_ = all < most ? all : most;
    q.sign_ = 0;
    if (!s->wraps) {
        return device_minus_product(s->ctx, s->who, r, s->bits + 1, c, UINT64_MAX, &q, &s->m);
    }
    device_ring_kept kept = {s->m_planes, true, true};
    const device_difference x = {.a = {q.d_, q.n_, NULL},
                                 .b = device_magnitude(&s->m, 0),
                                 .c = c,
                                 .one_at = UINT64_MAX,
                                 .bits = s->bits + 1,
                                 .plan = &s->ring,
                                 .kept = &kept};
    return device_subtract_product(s->ctx, s->who, r, &x);
}

bigint_status device_barrett_mul(device_barrett *s, bigint *r, const bigint *a, const bigint *b) {
    assert(device_bits(a) <= s->bits + 1 && device_bits(b) <= s->bits + 1);
    bigint_status status = device_mul(s->ctx, s->who, &s->product, a, b);
    if (status == BIGINT_OK && device_bits(&s->product) <= s->bits) {
        return device_copy(s->ctx, s->who, r, &s->product, LIMBS_SIGN_CLEAR);
    }
    if (status == BIGINT_OK) {
        status = device_kept_mul(s->ctx, s->who, &s->estimate,
                                 device_magnitude(&s->product, s->low), &s->by_x);
    }
    return status == BIGINT_OK ? remainder_of(s, r) : status;
}

bigint_status device_barrett_settle(device_barrett *s, bigint *r, const bigint *a) {
    bigint_ctx *ctx = s->ctx;
    const limbs_device_number m = device_magnitude(&s->m, 0);
    bigint less = BIGINT_INIT, back = BIGINT_INIT;
    bigint_status status =  // within M; 0 has a plus
        device_step_sum(ctx, s->who, &less, s->bits + 1, device_number(a), m, true);
    if (status == BIGINT_OK) {
        status = device_step_choose(ctx, s->who, &back, &s->m, less.d_ - 1);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, s->who, r, s->bits, device_number(&less),
                                 device_number(&back), false);
    }
    bigint_clear(ctx, &less), bigint_clear(ctx, &back);
    return status;
}

void device_barrett_need(work_need *w, uint64_t n) {
    enum { MORE = 4 };  // limbs of x, and of what it multiplies, beyond n
    device_plan ring;
    device_reciprocal_need(w, n, n + 2);
    device_keep_need(w, n + MORE, n + MORE);
    if (remainder_ring(w->ctx, &ring, 64 * n, n + 1, n)) {
        need_take(&w->device, device_planes_bytes(&ring));
        device_plan_need(w, &ring);
    } else if (device_difference_plan(w->ctx, &ring, 64 * n + 1, n + 1, n, false, false)) {
        device_plan_need(w, &ring);
    } else {
        device_mul_need(w, n + 1, n, false);
    }
    device_mul_need(w, n + 1, n + 1, true);
    device_mul_need(w, n + 1, n + 1, false);
    need_words(w, carry_add_workspace_bytes(2 * n + MORE));
}
