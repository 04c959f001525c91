// Field arithmetic at its bounds, compiled once per variant: factors up to 4.99 p, products next to
// the ties of the quotient, sums up to 2^53, words. Random operands never come near any of these.
#include "fft/modular/field.h"

#include "fft/modular/fft.h"
#include "primitives/words/modarith.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/variant.h"
#include "tests/support/gen.h"

enum { ROUNDS = 20000 };

typedef vec (*operation)(vec a, vec w, field f);

static vec mul(vec a, vec w, field f) { return field_mul(a, w, f); }
static vec reduce(vec a, vec w, field f) {
    (void)w;
    return field_reduce(a, f);
}
static vec canonical(vec a, vec w, field f) {
    (void)w;
    return field_canonical(a, f);
}
static vec canonical_product(vec a, vec w, field f) {
    return field_canonical(field_mul(a, w, f), f);
}
static vec canonical_sum(vec a, vec w, field f) {
    return field_canonical(field_reduce(vec_add(a, w), f), f);
}

// apply: one operation in every lane; all must agree.
static double apply(operation op, double a, double w, double p) {
    _Alignas(64) double lanes[VEC_WIDTH];
    vec_store(lanes, op(vec_set1(a), vec_set1(w), field_make(p)));
    for (int i = 1; i < VEC_WIDTH; i++) {
        EXPECT_EQ(lanes[i], lanes[0]);
    }
    return lanes[0];
}

static uint64_t residue(double x, uint64_t p) {
    const int64_t r = (int64_t)x % (int64_t)p;
    return (uint64_t)(r < 0 ? r + (int64_t)p : r);
}

// tied: a with a w within 2 of (k + 1/2) p, |a| below `most` p: the quotient is next to a tie.
static double tied(gen *g, double w, uint64_t p, double most) {
    const uint64_t target = p / 2 + gen_below(g, 4) + p - 1;
    const uint64_t a = mod_mul(mod_inverse(residue(w, p), p), target % p, p);
    const double step = (double)p, lifted = (double)a + step * (double)gen_below(g, 8) - 4 * step;
    return lifted < most * step && -lifted < most * step ? lifted : (double)a;
}

// The bounds proved in docs/proofs/modular_fft.md. Mutations: the rounding constant 2^52 instead of
// 1.5 2^52, h - q p and l added in the other order, a w formed without its low part.
TEST(Field, Mul) {
    REQUIRE_VARIANT();
    gen g = gen_seed(1);
    const double slope = VEC_ROUNDED_TWICE ? 0.1358 : 0.0857;
    for (unsigned i = 0; i < FFT_PRIMES; i++) {
        const double p = fft_primes[i].p, half = (p - 1) / 2;
        for (int round = 0; round < ROUNDS; round++) {
            double w = (double)gen_below(&g, (uint64_t)half) + 1;
            w = round % 3 == 0 ? half - (double)gen_below(&g, 9) : w;
            w = gen_below(&g, 2) ? w : -w;
            double a = (double)(int64_t)(4.99 * p) - (double)gen_below(&g, 1000);
            a = gen_below(&g, 2) ? a : -a;
            a = round % 2 == 0 ? tied(&g, w, (uint64_t)p, 4.99) : a;
            const double r = apply(mul, a, w, p), bound = p / 2 + slope * fabs(a);
            if (residue(r, (uint64_t)p) !=
                    mod_mul(residue(a, (uint64_t)p), residue(w, (uint64_t)p), (uint64_t)p) ||
                !(fabs(r) <= bound)) {
                FAIL("%.17g times %.17g modulo %.17g gives %.17g", a, w, p, r);
            }
        }
    }
}

// Sums up to 2^53, and words with 32 zero bits, next to the ties. Mutation: the reciprocal rounded
// twice, a quotient truncated instead of rounded.
TEST(Field, Reduce) {
    REQUIRE_VARIANT();
    gen g = gen_seed(2);
    for (unsigned i = 0; i < FFT_PRIMES; i++) {
        const double p = fft_primes[i].p;
        for (int round = 0; round < ROUNDS; round++) {
            double a =
                (double)(int64_t)((double)gen_below(&g, 20) * p / 2) + (double)gen_below(&g, 7) - 3;
            a = a < 0x1p53 ? a : 0x1p53;
            a = round % 2 == 0 ? a : -a;
            a = round % 5 == 0 ? (double)gen_below(&g, (uint64_t)1 << 32) * 0x1p32 : a;
            const double r = apply(reduce, a, 0, p);
            const uint64_t right = a >= 0 ? (uint64_t)a % (uint64_t)p : residue(a, (uint64_t)p);
            if (residue(r, (uint64_t)p) != right || !(fabs(r) <= 0.5001 * p)) {
                FAIL("%.17g modulo %.17g gives %.17g", a, p, r);
            }
        }
    }
}

// Representatives in [0, p), at zero above all: -0 would become p if the sign bit decided.
// Mutations: a zero that is p, a negative number of which p is not made.
TEST(Field, Canonical) {
    REQUIRE_VARIANT();
    gen g = gen_seed(3);
    for (unsigned i = 0; i < FFT_PRIMES; i++) {
        const double p = fft_primes[i].p;
        const double values[] = {0, -0.0, 1, -1, (p - 1) / 2, -(p - 1) / 2, p - 1, 1 - p, p, -p};
        const size_t n = sizeof values / sizeof *values;
        for (size_t k = 0; k < n * n; k++) {
            const double a = values[k / n], w = values[k % n];
            const uint64_t ra = residue(a, (uint64_t)p), rw = residue(w, (uint64_t)p);
            if (fabs(w) <= p / 2) {
                EXPECT_EQ(apply(canonical_product, a, w, p), (double)mod_mul(ra, rw, (uint64_t)p));
            }
            EXPECT_EQ(apply(canonical_sum, a, w, p), (double)((ra + rw) % (uint64_t)p));
            if (fabs(a) < p) {
                EXPECT_EQ(apply(canonical, a, w, p), (double)ra);
            }
        }
        for (int round = 0; round < 1000; round++) {
            const double w = -(double)gen_below(&g, (uint64_t)p / 2);
            const double a = (double)gen_below(&g, (uint64_t)p);
            const double r = apply(canonical_product, a, w, p);
            EXPECT_TRUE(r >= 0 && r < p);
        }
    }
}

// Mutations: halves exchanged, a signed conversion of unsigned halves, words stored in reverse.
TEST(Vec, HalvesAndWords) {
    REQUIRE_VARIANT();
    gen g = gen_seed(4);
    for (int round = 0; round < 1000; round++) {
        uint64_t words[VEC_WIDTH], back[VEC_WIDTH];
        _Alignas(64) double high[VEC_WIDTH], low[VEC_WIDTH], reversed[VEC_WIDTH];
        gen_limbs(&g, (gen_shape)(round % GEN_SHAPES), words, VEC_WIDTH);
        vec_store(high, vec_high_half(words));
        vec_store(low, vec_low_half(words));
        vec_store(reversed, vec_reverse(vec_high_half(words)));
        vec_store_words(back, vec_high_half(words));
        for (int i = 0; i < VEC_WIDTH; i++) {
            EXPECT_EQ(high[i], (double)(words[i] >> 32));
            EXPECT_EQ(low[i], (double)(words[i] & UINT32_MAX));
            EXPECT_EQ(reversed[i], high[VEC_WIDTH - 1 - i]);
            EXPECT_EQ(back[i], words[i] >> 32);
        }
    }
    _Alignas(64) double largest[VEC_WIDTH];
    uint64_t words[VEC_WIDTH];
    for (int i = 0; i < VEC_WIDTH; i++) {
        largest[i] = 0x1p50 - 1 - i;
    }
    vec_store_words(words, vec_load(largest));
    for (int i = 0; i < VEC_WIDTH; i++) {
        EXPECT_EQ(words[i], ((uint64_t)1 << 50) - 1 - (uint64_t)i);
    }
}

// Mutation: two rows exchanged.
TEST(Vec, Transpose) {
    REQUIRE_VARIANT();
    vec x[VEC_WIDTH];
    _Alignas(64) double row[VEC_WIDTH];
    for (int i = 0; i < VEC_WIDTH; i++) {
        for (int k = 0; k < VEC_WIDTH; k++) {
            row[k] = i * VEC_WIDTH + k;
        }
        x[i] = vec_load(row);
    }
    vec_transpose(x);
    for (int i = 0; i < VEC_WIDTH; i++) {
        vec_store(row, x[i]);
        for (int k = 0; k < VEC_WIDTH; k++) {
            EXPECT_EQ(row[k], (double)(k * VEC_WIDTH + i));
        }
    }
}
