// Every pass kernel at the bounds of its input, compiled once per variant: each output is what the
// butterflies of fft/modular/butterflies.h give in integers modulo p, and within the proved bound.
// Random residues stay far below; here all inputs are as large as they may be, with all signs.
#include "fft/modular/butterflies.h"

#include <string.h>

#include "fft/modular/fft.h"
#include "primitives/words/modarith.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/variant.h"
#include "tests/support/gen.h"

enum { RADIX_MAX = 16, M = 256, TABLE = 64 };

static uint64_t residue_of(double x, uint64_t p) {
    const int64_t r = (int64_t)x % (int64_t)p;
    return (uint64_t)(r < 0 ? r + (int64_t)p : r);
}

static size_t mirror(size_t j) {
    size_t top = 1;
    while (2 * top <= j) {
        top *= 2;
    }
    return j ^ (top - 1);
}

// butterfly_forward, butterfly_inverse: one node's column of 2^r residues, level by level.
static void butterflies_forward(uint64_t *x, unsigned r, const double *w, size_t j, uint64_t p) {
    for (unsigned level = 0; level < r; level++) {
        const size_t half = (size_t)1 << (r - 1 - level);
        for (size_t i = 0; i < (size_t)1 << level; i++) {
            const uint64_t t = residue_of(w[(j << level) + i], p);
            for (size_t k = 2 * half * i; k < 2 * half * i + half; k++) {
                const uint64_t u = x[k], v = mod_mul(x[k + half], t, p);
                x[k] = (u + v) % p;
                x[k + half] = (u + p - v) % p;
            }
        }
    }
}

static void butterflies_inverse(uint64_t *x, unsigned r, const double *w, size_t j, uint64_t p) {
    for (unsigned level = r; level-- > 0;) {
        const size_t half = (size_t)1 << (r - 1 - level);
        for (size_t i = 0; i < (size_t)1 << level; i++) {
            const uint64_t t = residue_of(w[mirror((j << level) + i)], p);
            for (size_t k = 2 * half * i; k < 2 * half * i + half; k++) {
                const uint64_t u = x[k], v = x[k + half];
                x[k] = (u + v) % p;
                x[k + half] = mod_mul((v + p - u) % p, t, p);
            }
        }
    }
}

// range: what kernels take and leave, |x| <= most p, or 0 <= x < 2^52 below a bound as words.
typedef struct {
    bool inverse;
    double p;
} range;

#if VEC_WORDS
static double most(const range *r) { return r->inverse ? 2 * r->p - 1 : 3 * 0x1p50 - 1; }
static bool inside(const range *r, double x) { return x >= 0 && x <= most(r); }
// The largest ones, 0 and 1, and next to multiples of p and of 2^50, where quotients step.
static double extreme(gen *g, const range *r) {
    const double little = (double)gen_below(g, 3), k = (double)gen_below(g, 4);
    const double from[] = {most(r), little, k * r->p + 1, k * 0x1p50 + 1};
    const double x = from[gen_below(g, 4)] - little;
    return inside(r, x) ? x : most(r) - little;
}
static double item_of(double x) {
    const uint64_t word = (uint64_t)x | (uint64_t)0xabc << 52;  // the upper bits must not matter
    double item;
    memcpy(&item, &word, sizeof item);
    return item;
}
#else
static double most(const range *r) {
    return (r->inverse ? RESIDUE_INVERSE : RESIDUE_FORWARD) * r->p;
}
static bool inside(const range *r, double x) { return fabs(x) <= most(r); }
// +- (most p - a little), or +- a small multiple of p plus a little less than p / 2.
static double extreme(gen *g, const range *r) {
    const double near = (double)(int64_t)most(r) - (double)gen_below(g, 3);
    const double tie = (r->p - 1) / 2 + r->p * (double)gen_below(g, 4) - (double)gen_below(g, 2);
    const double x = gen_below(g, 3) == 0 && tie <= near ? tie : near;
    return gen_below(g, 2) ? x : -x;
}
static double item_of(double x) { return x; }
#endif

static void run(gen *g, unsigned prime, unsigned r, bool inverse) {
    enum { STEP = M + 8 };  // where the pass writes elsewhere
    static _Alignas(64) double x[M * RADIX_MAX], other[STEP * RADIX_MAX];
    static uint64_t right[M][RADIX_MAX];
    const double p = fft_primes[prime].p, half = (p - 1) / 2;
    const range allowed = {inverse, p};
    double w[TABLE];
    for (size_t i = 0; i < TABLE; i++) {
        w[i] =
            gen_below(g, 2) ? half - (double)gen_below(g, 5) : (double)gen_below(g, (uint64_t)half);
        w[i] = gen_below(g, 2) ? w[i] : -w[i];
    }
    const size_t j = 1 + (size_t)gen_below(g, 3), radix = (size_t)1 << r;
    for (size_t at = 0; at < M; at++) {
        for (size_t k = 0; k < radix; k++) {
            const double input = extreme(g, &allowed);
            x[at + k * M] = item_of(input);
            right[at][k] = residue_of(input, (uint64_t)p);
        }
        (inverse ? butterflies_inverse : butterflies_forward)(right[at], r, w, j, (uint64_t)p);
    }
    double table[TABLE * TWIDDLE_ITEMS];
    for (size_t i = 0; i < TABLE; i++) {
        twiddle_store(table, i, residue_of(w[i], (uint64_t)p), (uint64_t)p);
    }
    const bool in_place = gen_below(g, 2);
    double *const to = in_place ? x : other;
    const size_t step = in_place ? M : STEP;
    pass_table[inverse][r]((pass_lines){x, to, M, step, M}, table, j, ring_make(p));
    for (size_t at = 0; at < M; at++) {
        for (size_t k = 0; k < radix; k++) {
            const double y = residue_item(to[at + k * step]);
            if (!inside(&allowed, y) || residue_of(y, (uint64_t)p) != right[at][k]) {
                FAIL("prime %u, radix %zu, output %zu: %.17g = %.3f p", prime, radix, k, y, y / p);
            }
        }
    }
}

// Mutations: the reduction of any input left out, a butterfly's sign, a twiddle of the wrong
// descendant, a mirror that keeps the top bit out.
TEST(Pass, ForwardKernelsAtTheirBounds) {
    REQUIRE_VARIANT();
    gen g = gen_seed(1);
    for (int round = 0; round < 40; round++) {
        for (unsigned prime = 0; prime < FFT_PRIMES; prime++) {
            for (unsigned r = 1; r <= 4; r++) {
                run(&g, prime, r, false);
            }
        }
    }
}

TEST(Pass, InverseKernelsAtTheirBounds) {
    REQUIRE_VARIANT();
    gen g = gen_seed(2);
    for (int round = 0; round < 40; round++) {
        for (unsigned prime = 0; prime < FFT_PRIMES; prime++) {
            for (unsigned r = 1; r <= 4; r++) {
                run(&g, prime, r, true);
            }
        }
    }
}

// Levels are shared out evenly over the fewest passes, and none is lost; radix 16 only where it is
// meant. Mutations: the limit of the array's length dropped, or asked of the rest of the levels.
TEST(Pass, LevelsOfPasses) {
    for (unsigned levels = 0; levels < 32; levels++) {
        unsigned left = levels, passes = 0;
        while (left > 0) {
            const unsigned r = pass_levels(left, 32);
            ASSERT_TRUE(r >= 1 && r <= left && r <= VEC_LG_RADIX_MAX);
            left -= r;
            passes++;
        }
        EXPECT_EQ(passes, (levels + VEC_LG_RADIX_MAX - 1) / VEC_LG_RADIX_MAX);
    }
    EXPECT_EQ(pass_levels(4, VEC_LG_RADIX16), 4);
    EXPECT_TRUE(pass_levels(4, VEC_LG_RADIX16 + 1) <= VEC_LG_RADIX_MAX);
}
