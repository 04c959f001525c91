// tables.h: the twiddle tables of one prime. May include field.h, leaf.h and primitives/modarith.h.
//
// Scalars: w_j for j < 2^lg / (2 W), all that passes and leaves broadcast. Lanes: for leaf J and
// member (level, i) of its kernel, lane l holds w_k with k = ((W J + l) << level) + i. Angles add
// over the bits of an index, so doubling the number of leaves multiplies each member by one root.
// All entries are balanced, |w| <= 0.5001 p.
#ifndef FFT_TABLES_H_
#define FFT_TABLES_H_

#include "fft/leaf.h"
#include "primitives/modarith.h"

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

static size_t tables_scalars(unsigned lg) {
    const size_t n = ((size_t)1 << lg) / (2 * VEC_WIDTH);
    return n < VEC_WIDTH ? VEC_WIDTH : n;
}

static size_t tables_leaves(unsigned lg) {
    return lg > 2 * VEC_LG ? (size_t)1 << (lg - 2 * VEC_LG) : 1;
}

static size_t tables_bytes(unsigned lg) {
    return 64 + (tables_scalars(lg) + (tables_leaves(lg) + 1) * LEAF_TWIDDLES) * sizeof(double);
}

// tables_double: entries [n, 2n) = entries [0, n) times root; n a multiple of VEC_WIDTH.
static void tables_double(double *t, size_t n, double root, field f) {
    for (size_t i = 0; i < n; i += VEC_WIDTH) {
        vec_store(t + n + i, field_reduce(field_mul(vec_load(t + i), vec_set1(root), f), f));
    }
}

static void tables_fill_leaf(double *leaf, unsigned prime, unsigned level, size_t i,
                             ptrdiff_t block, bool inverse) {
    const size_t n = (size_t)1 << level;
    for (size_t l = 0; l < VEC_WIDTH; l++) {
        // block -1 is read back to front, see leaf_load_twiddles
        const size_t lane = inverse ? VEC_WIDTH - 1 - l : l, member = inverse ? n - 1 - i : i;
        leaf[block * LEAF_TWIDDLES + (ptrdiff_t)((n - 1 + member) * VEC_WIDTH + lane)] =
            tables_w(prime, (l << level) + i, inverse);
    }
}

static void tables_fill(void *memory, unsigned prime, unsigned lg) {
    _Static_assert(sizeof(fft_tables) <= 64, "the head of tables_bytes");
    fft_tables *const t = memory;
    const field f = field_make(fft_primes[prime].p);
    const size_t scalars = tables_scalars(lg), leaves = tables_leaves(lg);
    t->prime = prime;
    t->lg = lg;
    t->w = (double *)((char *)memory + 64);
    t->leaf = t->w + scalars + LEAF_TWIDDLES;
    for (size_t j = 0; j < VEC_WIDTH; j++) {
        t->w[j] = tables_w(prime, j, false);
    }
    for (size_t n = VEC_WIDTH; n < scalars; n *= 2) {
        tables_double(t->w, n, tables_w(prime, n, false), f);
    }
    for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
        for (size_t i = 0; i < (size_t)1 << level; i++) {
            tables_fill_leaf(t->leaf, prime, level, i, -1, true);
            tables_fill_leaf(t->leaf, prime, level, i, 0, false);
        }
    }
    for (size_t n = 1; n < leaves && VEC_LG > 0; n *= 2) {
        vec root[VEC_LG + 1];
        for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
            root[level] = vec_set1(tables_w(prime, (n * VEC_WIDTH) << level, false));
        }
        for (size_t j = 0; j < n; j++) {
            const double *const from = t->leaf + j * LEAF_TWIDDLES;
            double *const to = t->leaf + (n + j) * LEAF_TWIDDLES;
            for (unsigned level = 0; level + 1 <= VEC_LG; level++) {
                for (size_t i = ((size_t)1 << level) - 1; i < ((size_t)2 << level) - 1; i++) {
                    const vec w = field_mul(vec_load(from + i * VEC_WIDTH), root[level], f);
                    vec_store(to + i * VEC_WIDTH, field_reduce(w, f));
                }
            }
        }
    }
}

#endif  // FFT_TABLES_H_
