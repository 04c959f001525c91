// tables.h: the twiddle tables of one prime. May include field.h, leaf.h and
// primitives/words/modarith.h.
//
// w: w_j for j < 2^lg / (2 W), all that passes and leaves broadcast. lanes: for each direction W -
// 1 vectors, lane l of member (level, i) being w_((l << level) + i) or its inverse. leaves: for
// each direction and level an array, entry J being w_((W J) << level) or minus its inverse. Angles
// add over the bits of an index, so twice the length of an array is the array and the array times
// one root. residue.h defines how entries lie and how many items each takes.
#ifndef FFT_MODULAR_TABLES_H_
#define FFT_MODULAR_TABLES_H_

#include "fft/modular/leaf.h"
#include "primitives/words/modarith.h"

// tables_root: a root of order 2^k modulo the prime, k <= 32.
static uint64_t tables_root(unsigned prime, unsigned k) {
    return mod_pow((uint64_t)fft_primes[prime].root, (uint64_t)1 << (32 - k),
                   (uint64_t)fft_primes[prime].p);
}

// tables_w: w_j, or -1 / w_j, by the definition of its angle. Requires: j < 2^31.
static double tables_w(unsigned prime, uint64_t j, bool inverse) {
    const uint64_t p = (uint64_t)fft_primes[prime].p;
    uint64_t w = 1;
    for (unsigned k = 0; j >> k != 0; k++) {
        if (j >> k & 1) {
            w = mod_mul(w, tables_root(prime, k + 2), p);
        }
    }
    return (double)mod_balance(inverse ? p - mod_inverse(w, p) : w, p);
}

static size_t tables_at_least(size_t n) { return n < VEC_WIDTH ? VEC_WIDTH : n; }

static size_t tables_w_n(unsigned lg) {
    return tables_at_least(((size_t)1 << lg) / (2 * VEC_WIDTH));
}

static size_t tables_leaves_n(unsigned lg) {
    return tables_at_least(((size_t)1 << lg) / LEAF_SIZE);
}

enum { TABLES_HEAD = 64, TABLES_LANES = 2 * LEAF_LANES };

static size_t tables_bytes(unsigned lg) {
    return TABLES_HEAD +
           (TABLES_LANES + TWIDDLE_ITEMS * tables_w_n(lg) + 2 * VEC_LG * tables_leaves_n(lg)) *
               sizeof(double);
}

// tables_array: t[j] = w_(j step), or minus its inverse, for j < n. step is a power of two.
static void tables_array(double *t, size_t n, size_t step, unsigned prime, bool inverse, field f) {
    for (size_t j = 0; j < VEC_WIDTH; j++) {
        t[j] = tables_w(prime, j * step, inverse);
    }
    for (size_t have = VEC_WIDTH; have < n; have *= 2) {
        const double root = tables_w(prime, have * step, inverse);
        const vec factor =
            vec_set1(inverse ? -root : root);  // -1/w_j times 1/w_k, or w_j times w_k
        for (size_t i = 0; i < have; i += VEC_WIDTH) {
            vec_store(t + have + i, field_reduce(field_mul(vec_load(t + i), factor, f), f));
        }
    }
}

// tables_canonical: a balanced number in [0, p).
static uint64_t tables_canonical(double w, uint64_t p) {
    return (uint64_t)(w < 0 ? w + (double)p : w);
}

static void tables_lanes(double *lanes, unsigned prime, bool inverse) {
    const uint64_t p = (uint64_t)fft_primes[prime].p;
    for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
        const size_t n = (size_t)1 << level;
        for (size_t i = 0; i < n; i++) {
            for (size_t l = 0; l < VEC_WIDTH; l++) {
                const double w = tables_w(prime, (l << level) + i, inverse);
                twiddle_lane_store(lanes + (n - 1 + i) * TWIDDLE_LANE_VECTORS * VEC_WIDTH, l,
                                   tables_canonical(inverse ? -w : w, p), p);
            }
        }
    }
}

static void tables_fill(void *memory, unsigned prime, unsigned lg) {
    _Static_assert(sizeof(fft_tables) <= TABLES_HEAD, "the arrays stay aligned");
    fft_tables *const t = memory;
    const field f = field_make(fft_primes[prime].p);
    const uint64_t p = (uint64_t)fft_primes[prime].p;
    const size_t n = tables_leaves_n(lg);
    *t = (fft_tables){.prime = prime, .lg = lg, .leaves_n = n};
    t->lanes = (double *)((char *)memory + TABLES_HEAD);
    t->w = t->lanes + TABLES_LANES;
    t->leaves = t->w + TWIDDLE_ITEMS * tables_w_n(lg);
    // Roots as doubles fill the last part of the array, and entries follow them from its beginning.
    double *const roots = t->w + (TWIDDLE_ITEMS - 1) * tables_w_n(lg);
    tables_array(roots, tables_w_n(lg), 1, prime, false, f);
    for (size_t j = 0; j < tables_w_n(lg); j++) {
        twiddle_store(t->w, j, tables_canonical(roots[j], p), p);
    }
    for (unsigned inverse = 0; inverse < 2; inverse++) {
        tables_lanes(t->lanes + inverse * (TABLES_LANES / 2), prime, inverse);
        for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
            double *const leaves = t->leaves + (inverse * VEC_LG + level) * n;
            tables_array(leaves, n, (size_t)VEC_WIDTH << level, prime, inverse, f);
            for (size_t j = 0; j < n; j++) {
                twiddle_scalar_store(leaves + j, tables_canonical(leaves[j], p), p);
            }
        }
    }
}

#endif  // FFT_MODULAR_TABLES_H_
