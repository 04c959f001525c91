// mod.c: products modulo 2^bits - 1 and 2^bits + 1 on a device. The host knows no value: numbers
// are folded as long as they are announced.
#include "bigint/device/divide/mod.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/limbs.h"
#include "bigint/device/divide/ring.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "carry/add.h"
#include "primitives/limbs/ring_device.h"
#include "primitives/words/word.h"

// --- Folding -------------------------------------------------------------------------------------

// halves: x = low + high 2^w, both with x's sign. Their limbs are x's where that is possible.
typedef struct {
    bigint low_copy, shifted, high_copy;
    limbs_device_number low, high;
} halves;

static void halves_close(bigint_ctx *ctx, halves *h) {
    bigint_clear(ctx, &h->low_copy), bigint_clear(ctx, &h->shifted);
    bigint_clear(ctx, &h->high_copy);
}

// halves_open: of x, announced as longer than w bits.
static bigint_status halves_open(bigint_ctx *ctx, const char *who, halves *h, const bigint *x,
                                 uint64_t w) {
    const limbs_device_number all = device_number(x);
    const uint64_t n = word_ceil_div(w, 64), above = 64 * n - w;
    assert(device_bits(x) > w);
    *h = (halves){.low = {all.p, n, all.sign}, .high = {all.p + n, all.n - n, all.sign}};
    bigint_status status = BIGINT_OK;
    if (above != 0) {
        const limbs_device_number low = h->low;
        status = device_step_left(ctx, who, &h->shifted, 64 * n, low, above);
        if (status == BIGINT_OK) {
            status =
                device_step_right(ctx, who, &h->low_copy, w, device_number(&h->shifted), above);
        }
        h->low = device_number(&h->low_copy);
    }
    if (status == BIGINT_OK && w % 128 != 0) {  // parts that are added begin at even limbs
        status = device_step_right(ctx, who, &h->high_copy, device_bits(x) - w, all, w);
        h->high = device_number(&h->high_copy);
    }
    return status;
}

// fold_once: r = low + high, or low - high, for x = low + high 2^w; |r| < 2^bits.
static bigint_status fold_once(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                               const bigint *x, uint64_t w, bool subtract) {
    halves h;
    bigint_status status = halves_open(ctx, who, &h, x, w);
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, r, bits, h.low, h.high, subtract);
    }
    halves_close(ctx, &h);
    return status;
}

// fold: x becomes congruent to it modulo 2^bits - 1, with its sign, |x| < 2^bits. Moduli 2^w - 1, w
// = bits 2^k, halve its length. A number below 2^(bits + 1) becomes 2^bits at most, and that 2^bits
// - 1.
static bigint_status fold(bigint_ctx *ctx, const char *who, bigint *x, uint64_t bits) {
    bigint_status status = BIGINT_OK;
    uint64_t w = bits;
    while (w < device_bits(x) - w) {
        w *= 2;
    }
    for (unsigned last = 0; device_bits(x) > bits && status == BIGINT_OK;) {
        while (w > bits && w + 1 >= device_bits(x)) {  // a sum of w + 1 bits would be as long
            w /= 2;
        }
        const uint64_t high = device_bits(x) - w;
        last += high == 1 && w == bits ? 1 : 0;
        const uint64_t sum = last == 2 ? bits : (high > w ? high : w) + 1;
        bigint next = BIGINT_INIT;
        status = fold_once(ctx, who, &next, sum, x, w, false);
        bigint_swap(x, &next);
        bigint_clear(ctx, &next);
    }
    return status;
}

// residue: x becomes congruent to it modulo the ring's modulus, |x| < 2^bits.
static bigint_status residue(bigint_ctx *ctx, const char *who, bigint *x, mul_ring ring) {
    if (device_bits(x) <= ring.bits) {
        return BIGINT_OK;
    }
    if (!ring.plus) {
        return fold(ctx, who, x, ring.bits);
    }
    bigint_status status = device_bits(x) > 2 * ring.bits
                               ? fold(ctx, who, x, 2 * ring.bits)  // 2^bits + 1 divides that
                               : BIGINT_OK;
    if (status == BIGINT_OK) {
        bigint next = BIGINT_INIT;
        status = fold_once(ctx, who, &next, ring.bits, x, ring.bits, true);
        bigint_swap(x, &next);
        bigint_clear(ctx, &next);
    }
    return status;
}

// --- Products ------------------------------------------------------------------------------------

// by_ring: r = a b modulo 2^bits - 1 by the plan of that length.
static bigint_status by_ring(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             const bigint *b, const device_plan *plan) {
    const uint64_t n = device_ring_limbs(plan);
    device_work run;
    device_target target;
    bigint_status status = device_begin(&run, ctx, who, plan);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, 64 * (n + LIMBS_RING_OVER), &target);
    if (status == BIGINT_OK) {
        const result done =
            device_ring_residue(&run, target.p, target.p - 1, device_number(a), device_number(b));
        target.n = n;
        target.bits = 64 * n;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// modulus: m = 2^bits -+ 1.
static bigint_status modulus(bigint_ctx *ctx, const char *who, bigint *m, mul_ring ring) {
    bigint one = BIGINT_INIT, power = BIGINT_INIT;
    bigint_status status = bigint_set_u64(ctx, &one, 1);
    if (status == BIGINT_OK) {
        status = device_step_left(ctx, who, &power, ring.bits + 1, device_number(&one), ring.bits);
    }
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, m, ring.bits + 1, device_number(&power),
                                 device_number(&one), !ring.plus);
    }
    bigint_clear(ctx, &one), bigint_clear(ctx, &power);
    return status;
}

// settle: r = x in the ring for |x| < 2^bits: x and, where it has a minus, the modulus.
static bigint_status settle(bigint_ctx *ctx, const char *who, bigint *r, const bigint *x,
                            mul_ring ring) {
    const uint64_t bits = ring.bits + (ring.plus ? 1 : 0);
    bigint m = BIGINT_INIT, chosen = BIGINT_INIT, sum = BIGINT_INIT;
    bigint_status status = modulus(ctx, who, &m, ring);
    if (status == BIGINT_OK) {
        status = device_step_choose(ctx, who, &chosen, &m, x->d_ - 1);
    }
    if (status == BIGINT_OK) {
        status =
            device_step_sum(ctx, who, &sum, bits, device_number(&chosen), device_number(x), false);
    }
    if (status == BIGINT_OK) {
        status = device_enter(ctx, who);
    }
    if (status == BIGINT_OK) {
        status = device_status(
            ctx, who, limbs_device_settle(sum.d_, ring.bits, ring.plus, false, ctx->queue.stream));
        device_leave(ctx);
    }
    if (status == BIGINT_OK) {
        bigint_swap(r, &sum);
    }
    bigint_clear(ctx, &m), bigint_clear(ctx, &chosen), bigint_clear(ctx, &sum);
    return status;
}

// by_product: r = a b in the ring, by a whole product of the residues.
static bigint_status by_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                const bigint *b, mul_ring ring) {
    bigint product = BIGINT_INIT;
    bigint_status status = device_mul(ctx, who, &product, a, b);
    if (status == BIGINT_OK) {
        status = residue(ctx, who, &product, ring);
    }
    if (status == BIGINT_OK) {
        status = settle(ctx, who, r, &product, ring);
    }
    bigint_clear(ctx, &product);
    return status;
}

// short_of: *x = a, or a residue of it where that is announced as longer than the ring; in *own.
static bigint_status short_of(bigint_ctx *ctx, const char *who, const bigint **x, bigint *own,
                              const bigint *a, mul_ring ring) {
    *x = a;
    if (device_bits(a) <= ring.bits) {
        return BIGINT_OK;
    }
    *x = own;
    const bigint_status status = device_copy(ctx, who, own, a, LIMBS_SIGN_KEEP);
    return status == BIGINT_OK ? residue(ctx, who, own, ring) : status;
}

// ring_plan: whether by_ring multiplies residues of an by bn limbs, and the plan.
static bool ring_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                      mul_ring ring, bool square) {
    const uint64_t n = ring.bits / 64;
    const bool pays = !ring.plus && ring.bits % 64 == 0 &&
                      device_ring_plan(ctx, plan, an, bn, n, n, square, false) &&
                      device_ring_pays(ctx, plan);
    if (pays) {
        device_ring_spread(ctx, plan);
    }
    return pays;
}

// mul_residues: device_mul_mod for numbers that are announced as not 0.
static bigint_status mul_residues(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                  const bigint *b, mul_ring ring) {
    const bool square = a->d_ == b->d_;
    bigint own_a = BIGINT_INIT, own_b = BIGINT_INIT;
    const bigint *x = a, *y = b;
    bigint_status status = short_of(ctx, who, &x, &own_a, a, ring);
    if (status == BIGINT_OK && !square) {
        status = short_of(ctx, who, &y, &own_b, b, ring);
    }
    y = square ? x : y;
    if (status == BIGINT_OK) {
        device_plan plan;
        const bool rings = ring_plan(ctx, &plan, x->n_, y->n_, ring, square);
        status = rings ? by_ring(ctx, who, r, x, y, &plan) : by_product(ctx, who, r, x, y, ring);
    }
    bigint_clear(ctx, &own_a), bigint_clear(ctx, &own_b);
    return status;
}

// integers_bytes: of products, halves and sums of the ring's length, and operands that are folded.
static uint64_t integers_bytes(uint64_t an, uint64_t bn, mul_ring ring) {
    return 8 * (12 * (mul_ring_limbs(ring) + 20) + 3 * (an + bn));
}

static uint64_t min(uint64_t a, uint64_t b) { return a < b ? a : b; }

void device_mul_mod_need(work_need *w, uint64_t an, uint64_t bn, mul_ring ring) {
    const uint64_t bytes = integers_bytes(an, bn, ring), n = word_ceil_div(ring.bits, 64),
                   x = min(an, n), y = min(bn, n), longest = an > bn ? an : bn;
    if (w->status != BIGINT_OK || x == 0 || y == 0) {
        return;
    }
    need_integers(w, bytes);
    for (unsigned square = 0; square < (x == y ? 2 : 1); square++) {
        device_plan plan;
        if (ring_plan(w->ctx, &plan, x, y, ring, square == 1)) {
            device_plan_need(w, &plan);
        } else {
            device_mul_need(w, x, y, square == 1);
        }
    }
    need_words(w, carry_add_workspace_bytes((longest > 2 * n ? longest : 2 * n) + 2));
    need_integers_end(w, bytes);
}

int device_mul_mod_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                         mul_ring ring) {
    const uint64_t n = word_ceil_div(ring.bits, 64);
    device_plan plan;
    const bool rings =
        an > 0 && bn > 0 && ring_plan(ctx, &plan, min(an, n), min(bn, n), ring, false);
    char how[512] = "";
    if (rings) {
        device_plan_print(ctx, &plan, how, sizeof how);
    }
    return snprintf(buf, cap, "product modulo 2^%llu %s 1, %s%s", (unsigned long long)ring.bits,
                    ring.plus ? "+" : "-",
                    rings ? "by a transform that wraps around there: " : "of a whole product", how);
}

bigint_status device_mul_mod(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             const bigint *b, mul_ring ring) {
    const bigint nothing = BIGINT_INIT;
    bigint_status status = bigint_check_size(ctx, who, mul_ring_limbs(ring));
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->n_ == 0 || b->n_ == 0 || (ring.bits == 1 && !ring.plus)) {
        return device_copy(ctx, who, r, &nothing, LIMBS_SIGN_KEEP);
    }
    const uint64_t bytes = integers_bytes(a->n_, b->n_, ring);
    status = device_count_integers(ctx, who, bytes);
    if (status == BIGINT_OK) {
        status = mul_residues(ctx, who, r, a, b, ring);
        device_uncount_integers(ctx, bytes);
    }
    return status;
}
