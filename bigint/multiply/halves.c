// halves.c: see halves.h.
#include "bigint/multiply/halves.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// ring_limbs_of: the least m >= n whose rings have a transform of digits of whole bits.
static uint64_t ring_limbs_of(uint64_t n) {
    uint64_t points = 64;
    while (points < n) {
        points *= 2;
    }
    return points / 64 * word_ceil_div(64 * n, points);
}

bool mul_halves_plan_make(const bigint_ctx *ctx, mul_plan *plan, bool square) {
    const uint64_t both = plan->an + plan->bn, half = word_ceil_div(both, 2);
    const uint64_t m = ring_limbs_of(plan->an > half ? plan->an : half);
    plan->engine = ENGINE_MODULAR_FFT;
    if (!mul_fft_ring_plan_make(ctx, &plan->fft, 64 * m, true, square) ||
        !mul_fft_ring_plan_make(ctx, &plan->minus, 64 * m, false, square) ||
        both < mul_fft_ring_limbs(&plan->fft)) {
        return false;
    }
    plan->ring_limbs = m;
    plan->fft.a_piece = plan->minus.a_piece = plan->an;
    plan->fft.b_piece = plan->minus.b_piece = plan->bn;
    plan->uses_team = ctx->team != NULL && plan->bn >= MUL_FFT_TEAM_THRESHOLD;
    const uint64_t plus_bytes = mul_fft_workspace_bytes(ctx, &plan->fft, false);
    const uint64_t minus_bytes = mul_fft_workspace_bytes(ctx, &plan->minus, false);
    plan->workspace_bytes = arena_limbs_bytes(mul_fft_ring_limbs(&plan->minus)) +
                            (plus_bytes > minus_bytes ? plus_bytes : minus_bytes);
    plan->tables_bytes = mul_fft_tables_bytes(ctx, &plan->fft);  // of the longer ones
    return true;
}

// reduce_minus: {up, m} = {up, un} modulo B^m - 1, from 1 to B^m - 1, or 0 if {up, un} is 0.
static void reduce_minus(uint64_t *up, uint64_t un, uint64_t m) {
    const uint64_t carry = limbs_add(up, up, m, up + m, un - m);
    const uint64_t again = limbs_add_1(up, up, m, carry);  // low + high - B^m + 1 <= high
    assert(again == 0);
    (void)again;
}

// reduce_plus: {vp, m + 1} = {vp, vn} modulo B^m + 1, at most B^m.
static void reduce_plus(uint64_t *vp, uint64_t vn, uint64_t m) {
    const uint64_t borrow = limbs_sub(vp, vp, m, vp + m, vn - m);
    vp[m] = limbs_add_1(vp, vp, m, borrow);
}

// join: {rp, n} = P, a product below B^n, n <= 2 m, that is U = {up, m} modulo B^m - 1 and V = {rp,
// m + 1} modulo B^m + 1. With W = (U - V) / 2 modulo B^m - 1, P is V + W (B^m + 1): that is U and V
// modulo these, and below B^(2 m) for W < B^m - 1, as P is. U is 0 only for P = 0: a ring's result
// is a sum of products of digits. So U - V is B^m - 1, which would be 0, for no P; and V = B^m
// takes from a U that is not 0. {up} is destroyed.
static void join(uint64_t *rp, uint64_t n, uint64_t *up, uint64_t m) {
    const uint64_t v_top = rp[m], borrow = limbs_sub_n(up, up, rp, m);
    uint64_t lost = limbs_sub_1(up, up, m, borrow + v_top);  // B^m is 1
    up[m - 1] |= limbs_rshift(up, up, m, 1);                 // 1 / 2 is B^m / 2
    const uint64_t carry = limbs_add_n(rp, rp, up, m) + v_top;
    lost |= limbs_add_1(rp + m, up, n - m, carry);
    assert(lost == 0 && limbs_normalize(up, m) <= n - m);
    (void)lost;
}

bool mul_halves_run(const bigint_ctx *ctx, const mul_plan *plan, uint64_t *rp, const uint64_t *ap,
                    uint64_t an, const uint64_t *bp, uint64_t bn, void *ws, team *workers) {
    const uint64_t m = plan->ring_limbs, un = mul_fft_ring_limbs(&plan->minus);
    uint64_t *const up = ws;
    void *const rest = (unsigned char *)ws + arena_limbs_bytes(un);
    if (!mul_fft_ring_run(ctx, &plan->minus, up, ap, an, bp, bn, 0, 2, rest, workers) ||
        !mul_fft_ring_run(ctx, &plan->fft, rp, ap, an, bp, bn, 1, 2, rest, workers)) {
        return false;
    }
    reduce_minus(up, un, m);
    reduce_plus(rp, mul_fft_ring_limbs(&plan->fft), m);
    join(rp, an + bn, up, m);
    return true;
}
