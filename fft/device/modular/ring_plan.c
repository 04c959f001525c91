// ring_plan.c: from the length of a ring to a cyclic convolution; pure functions, integers only.
// Digits and shapes are those that plan.c proves and finds for products of as many points.
#include "fft/device/modular/ring_plan.h"

#include "primitives/words/word.h"

enum {
    // Points of rings, as logarithms.
    LG_LEAST = 12,
    LG_MOST = 31,
    // Limbs of a ring from which plans look at more than three primes (plan.c: LIMBS_LONG of both
    // operands).
    LIMBS_LONG = 1 << 20,
    // Picoseconds a point, modulo three primes, of another digit: 9 to 16 by trials of rings of
    // 2^25 to 2^28 bits on an H200.
    FOLD_COST = 12,
    // Lengths of columns: FFT_MODULAR_LG_SHORT, MIDDLE and LONG.
    LENGTHS = (FFT_MODULAR_LG_LONG - FFT_MODULAR_LG_SHORT) / 2 + 1,
};

// widths: the digits that kernels have, by the number of primes.
static const struct {
    unsigned primes, least, most;
} widths[] = {
    {3, 52, 64}, {4, 65, FFT_MODULAR_TWO_CHUNKS}, {5, 65, FFT_MODULAR_THREE_CHUNKS}, {6, 128, 128}};
enum { KINDS = sizeof widths / sizeof *widths };

// set_digits gives the plan digits of this many bits if `pairs` products of two of them are exact.
static bool set_digits(fft_modular_plan *plan, unsigned primes, unsigned bits, uint64_t pairs) {
    const uint64_t limbs = word_ceil_div(pairs * bits, 64);  // below 2^33 2^7
    return fft_modular_plan_digits(plan, limbs, limbs, primes, bits) && plan->digit_bits == bits;
}

// cost: what a product around a plan's points takes, as fft_modular_plan_cost counts. The table is
// of products that fill the points with half as many digits of each operand; around the points
// each piece after the first reads and reduces another digit for a point.
static uint64_t cost(const fft_modular_plan *plan) {
    const uint64_t own = fft_modular_plan_cost(plan);
    const uint64_t fold = (plan->pieces - 1) * (uint64_t)FOLD_COST * 100 * plan->primes;
    return own == UINT64_MAX ? own : own + fold * fft_modular_points(plan);
}

// set_shape gives a plan that has digits the fastest shape of exactly 2^lg points. Modulo x^N + 1
// that is one piece: the inverse columns and the outer pass join those of x^N - 1 alone.
static bool set_shape(fft_modular_plan *plan, unsigned lg, bool clusters) {
    fft_modular_plan p = *plan, unused;
    uint64_t best = UINT64_MAX;
    p.clusters = clusters;
    p.a_digits = p.b_digits = (uint64_t)1 << (lg - 1);  // nothing wraps, while shapes are judged
    for (unsigned i = 0; i < 3 * LENGTHS * (FFT_MODULAR_LG_OUTER + 1); i++) {
        const unsigned lg_pieces = i % 3, outer = i / 3 / LENGTHS;
        const unsigned lg_columns = FFT_MODULAR_LG_SHORT + 2 * (i / 3 % LENGTHS);
        const unsigned others = lg_pieces + outer + lg_columns;
        if (p.negacyclic && lg_pieces + outer > 0) {
            continue;
        }
        p.pieces = 1U << lg_pieces;
        p.lg_outer = outer;
        p.lg_columns = lg_columns;
        p.lg_rows = lg < others ? 0 : lg - others;
        if (fft_modular_plan_shape(&p, &unused) && cost(&p) < best) {
            best = cost(&p);
            *plan = p;
        }
    }
    return best != UINT64_MAX;
}

// make: a plan of 2^lg points with the narrowest digits that are enough for `least` limbs.
static bool make(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t least, uint64_t most,
                 bool plus, unsigned lg, unsigned kind, bool clusters) {
    const uint64_t points = (uint64_t)1 << lg, enough = word_ceil_div(least, points / 64);
    const uint64_t bits = enough > widths[kind].least ? enough : widths[kind].least;
    if (bits > widths[kind].most || points / 64 * bits > most) {
        return false;
    }
    const uint64_t a = word_ceil_div(64 * an, bits), b = word_ceil_div(64 * bn, bits);
    // A digit meets every one of the other operand, and those that lie a whole ring apart together.
    // A digit that is 0 or 1 needs no room (docs/proofs/modular_device.md, section 7).
    const uint64_t one = plus ? points / 64 * bits + 1 : 0;
    const uint64_t a_room = an == one ? points : a, b_room = bn == one ? points : b;
    const uint64_t pairs = (a_room < b_room ? a_room : b_room) +
                           (a_room > points ? a_room - points : 0) +
                           (b_room > points ? b_room - points : 0);
    if (a > points + points / 4 || b > points + points / 4 ||
        !set_digits(plan, widths[kind].primes, (unsigned)bits, pairs)) {
        return false;
    }
    plan->negacyclic = plus;
    if (!set_shape(plan, lg, clusters)) {
        return false;
    }
    plan->a_digits = a;
    plan->b_digits = b;
    return true;
}

bool fft_modular_plan_ring(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t least,
                           uint64_t most, bool plus, unsigned primes, bool clusters) {
    uint64_t best = UINT64_MAX;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        const bool asked =
            primes != 0 ? widths[kind].primes == primes : kind == 0 || least >= LIMBS_LONG;
        for (unsigned lg = LG_LEAST; asked && lg <= LG_MOST; lg++) {
            const uint64_t cost = (uint64_t)widths[kind].primes << lg;
            fft_modular_plan p;
            if (cost < best && make(&p, an, bn, least, most, plus, lg, kind, clusters)) {
                best = cost;
                *plan = p;
            }
        }
    }
    return best != UINT64_MAX;
}

bool fft_modular_plan_ring_whole(fft_modular_plan *plan, uint64_t an, uint64_t bn, uint64_t n,
                                 bool plus, unsigned blocks) {
    // A product whose limbs are n has as many points. Its digits are words up to 2^20 pairs.
    if (n < 2 || an > 2 * n || bn > 2 * n || !fft_modular_plan_whole(plan, n / 2, n / 2, blocks) ||
        fft_modular_points(plan) != n) {
        return false;
    }
    plan->negacyclic = plus;
    plan->a_digits = an;
    plan->b_digits = bn;
    return true;
}
