// mod.c: products modulo 2^bits - 1 and 2^bits + 1 on a device. The host knows no value: numbers
// are folded as long as they are announced.
#include "bigint/device/divide/mod.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/limbs.h"
#include "bigint/device/divide/ring.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/kernels/product_rows_fold.h"
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

// fold_once: r = low + high for x = low + high 2^w; |r| < 2^bits.
static bigint_status fold_once(bigint_ctx *ctx, const char *who, bigint *r, uint64_t bits,
                               const bigint *x, uint64_t w) {
    halves h;
    bigint_status status = halves_open(ctx, who, &h, x, w);
    if (status == BIGINT_OK) {
        status = device_step_sum(ctx, who, r, bits, h.low, h.high, false);
    }
    halves_close(ctx, &h);
    return status;
}

// row_of: the most limbs of a number that one fold makes a residue.
static uint64_t row_of(mul_ring ring) { return 2 * mul_ring_limbs(ring); }

// shorten: x becomes congruent to it in the ring, with its sign, of row_of limbs at most. Moduli
// 2^w - 1, w = bits 2^k, which the ring's divides, halve its length.
static bigint_status shorten(bigint_ctx *ctx, const char *who, bigint *x, mul_ring ring) {
    const uint64_t least = ring.plus ? 2 * ring.bits : ring.bits;
    bigint_status status = BIGINT_OK;
    uint64_t w = least;
    while (w < device_bits(x) - w) {
        w *= 2;
    }
    while (x->n_ > row_of(ring) && status == BIGINT_OK) {
        while (w > least && w + 1 >= device_bits(x)) {  // a sum of w + 1 bits would be as long
            w /= 2;
        }
        const uint64_t high = device_bits(x) - w;
        bigint next = BIGINT_INIT;
        status = fold_once(ctx, who, &next, (high > w ? high : w) + 1, x, w);
        bigint_swap(x, &next);
        bigint_clear(ctx, &next);
    }
    return status;
}

// residue_bits: of a residue, as it is announced.
static uint64_t residue_bits(mul_ring ring) { return ring.bits + (ring.plus ? 1 : 0); }

// residue: r = the residue of x, of row_of limbs at most, by one launch or two. r is not x.
static bigint_status residue(bigint_ctx *ctx, const char *who, bigint *r, const bigint *x,
                             mul_ring ring) {
    const uint64_t bytes = product_rows_fold_bytes(1, ring.bits);
    arena *const memory = &ctx->queue.memory;
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_mark_in(memory);
    device_target target;
    void *const states = arena_take_in(ctx, memory, who, bytes);
    status = states != NULL ? device_target_open(ctx, who, r, residue_bits(ring), &target)
             : ctx->failed != BIGINT_OK ? ctx->failed
                                        : BIGINT_ENOMEM;
    if (status == BIGINT_OK) {
        const product_rows_folding folding = {x->d_, x->n_, ring.bits, ring.plus};
        const result done = product_rows_fold_one(target.p, target.n, target.p - 1, x->d_ - 1,
                                                  &folding, states, ctx->queue.stream);
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    arena_release_in(ctx, memory, mark);
    device_leave(ctx);
    return status;
}

// --- Products ------------------------------------------------------------------------------------

// by_ring: r = a b in the ring by the plan of its length.
static bigint_status by_ring(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             const bigint *b, const device_plan *plan) {
    const uint64_t n = device_ring_limbs(plan), above = plan->modular.negacyclic ? 1 : 0;
    const uint64_t room = fft_modular_whole(&plan->modular) ? above : LIMBS_RING_OVER;
    device_work run;
    device_target target;
    bigint_status status = device_begin(&run, ctx, who, plan);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_target_open(ctx, who, r, 64 * (n + room), &target);
    if (status == BIGINT_OK) {
        const result done =
            device_ring_residue(&run, target.p, target.p - 1, device_number(a), device_number(b));
        target.n = n + above;
        target.bits = 64 * n + above;
        status = device_target_close(ctx, r, &target, device_status(ctx, who, done));
    }
    device_end(&run);
    return status;
}

// by_product: r = a b in the ring, by a whole product of numbers of residue_bits.
static bigint_status by_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                const bigint *b, mul_ring ring) {
    bigint product = BIGINT_INIT;
    bigint_status status = device_mul(ctx, who, &product, a, b);
    if (status == BIGINT_OK) {
        status = residue(ctx, who, r, &product, ring);
    }
    bigint_clear(ctx, &product);
    return status;
}

// short_of: *x = a, or a residue of it where that is announced as longer than one; in *own.
static bigint_status short_of(bigint_ctx *ctx, const char *who, const bigint **x, bigint *own,
                              const bigint *a, mul_ring ring) {
    *x = a;
    if (device_bits(a) <= residue_bits(ring)) {
        return BIGINT_OK;
    }
    *x = own;
    if (a->n_ <= row_of(ring)) {
        return residue(ctx, who, own, a, ring);
    }
    bigint shorter = BIGINT_INIT;
    bigint_status status = device_copy(ctx, who, &shorter, a, LIMBS_SIGN_KEEP);
    if (status == BIGINT_OK) {
        status = shorten(ctx, who, &shorter, ring);
    }
    if (status == BIGINT_OK) {
        status = residue(ctx, who, own, &shorter, ring);
    }
    bigint_clear(ctx, &shorter);
    return status;
}

// ring_plan: whether by_ring multiplies residues of an by bn limbs, and the plan.
static bool ring_plan(const bigint_ctx *ctx, device_plan *plan, uint64_t an, uint64_t bn,
                      mul_ring ring, bool square) {
    const uint64_t n = ring.bits / 64;
    if (ring.bits % 64 != 0) {
        return false;
    }
    if (device_ring_whole(ctx, plan, an, bn, n, ring.plus, square)) {
        return true;
    }
    const bool pays = device_ring_plan(ctx, plan, an, bn, n, n, ring.plus, square, false) &&
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

// longest_residue: limbs of an operand that short_of leaves.
static uint64_t longest_residue(mul_ring ring) { return word_ceil_div(residue_bits(ring), 64); }

void device_mul_mod_need(work_need *w, uint64_t an, uint64_t bn, mul_ring ring) {
    const uint64_t bytes = integers_bytes(an, bn, ring), n = word_ceil_div(ring.bits, 64),
                   most = longest_residue(ring), x = min(an, most), y = min(bn, most),
                   longest = an > bn ? an : bn;
    const uint64_t in_use = w->device.in_use;
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
    need_take(&w->device, product_rows_fold_bytes(1, ring.bits));
    need_release(&w->device, in_use);
    need_words(w, carry_add_workspace_bytes((longest > 2 * n ? longest : 2 * n) + 2));
    need_integers_end(w, bytes);
}

int device_mul_mod_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn,
                         mul_ring ring) {
    const uint64_t most = longest_residue(ring);
    device_plan plan;
    const bool rings =
        an > 0 && bn > 0 && ring_plan(ctx, &plan, min(an, most), min(bn, most), ring, false);
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
