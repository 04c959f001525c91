// convolution_ring_test.c: products modulo x^n - 1 and x^n + 1: plans, and coefficients against the
// schoolbook that wraps around, for every variant.
#include <stdlib.h>
#include <string.h>

#include "primitives/limbs/limbs.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/gen.h"

enum { WORDS = FFT_COEFFICIENT_WORDS };

// ring_convolution: c[3 k ..] = sum of a_i b_j over i + j = k, plus, or minus where the product is
// modulo x^n + 1, that over i + j = k + n; modulo 2^192, and there with the bias 2^148 - 2^(148 -
// w).
static void ring_convolution(uint64_t *c, const fft_plan *plan, const uint64_t *a,
                             const uint64_t *b, size_t n) {
    uint64_t *const product = fixture_words(2 * n * WORDS);
    reference_convolution(product, a, n, b, n);
    for (size_t k = 0; k < n * WORDS; k += WORDS) {
        const uint64_t *const wrapped = product + n * WORDS + k;
        (plan->node ? limbs_sub_n : limbs_add_n)(c + k, product + k, wrapped, WORDS);
        if (plan->node) {
            const unsigned e = 148 - plan->digit_bits;
            const uint64_t high[WORDS] = {0, 0, (uint64_t)1 << 20};
            limbs_add_n(c + k, c + k, high, WORDS);
            limbs_sub_1(c + k + e / 64, c + k + e / 64, WORDS - e / 64, (uint64_t)1 << e % 64);
        }
    }
    free(product);
}

// expect_ring: one product by every variant, the second operand prepared too.
static void expect_ring(gen *g, unsigned lg, unsigned width, bool negacyclic, gen_shape shape,
                        const fixture_options *options) {
    const size_t n = (size_t)1 << lg, words = n * width / 64;
    fft_plan plan;
    SCOPED_TRACE("2^%u digits of %u bits, %s", lg, width, negacyclic ? "x^n + 1" : "x^n - 1");
    ASSERT_TRUE(fft_plan_ring(&plan, fft_ops_ifma.shape, (uint64_t)width << lg, negacyclic));
    ASSERT_TRUE(plan.digit_bits == width && plan.rows == (uint64_t)1 << plan.lg_rows);
    uint64_t *const a = fixture_words(words), *const b = fixture_words(words),
                    *const d = fixture_words(2 * n);
    uint64_t *const want = fixture_words(n * WORDS), *const c = fixture_words(n * WORDS);
    gen_limbs(g, shape, a, words);
    gen_limbs(g, shape, b, words - gen_below(g, words / 2));
    const fft_digits ad = fft_plan_digits(&plan, a, words), bd = fft_plan_digits(&plan, b, words);
    reference_digits(d, n, a, words, width), reference_digits(d + n, n, b, words, width);
    ring_convolution(want, &plan, d, d + n, n);
    FOR_EACH_VARIANT(v) {
        SCOPED_TRACE("%s", v->ops->name);
        fixture f;
        fixture_start(&f, v->ops, &plan, options);
        fixture_prepare(&f, &bd);
        for (int prepared = 0; prepared < 2; prepared++) {
            fixture_convolve(&f, &ad, &bd, prepared != 0);
            fixture_coefficients(&f, c, n);
            EXPECT_TRUE(memcmp(c, want, n * WORDS * sizeof *c) == 0);
        }
        fixture_stop(&f);
    }
    free(a), free(b), free(d), free(want), free(c);
}

// Mutations: the root's twiddle for node 1 in columns, rows or leaves; rows that are one leaf each;
// tables as long as the points; a bias of another width.
TEST(ConvolutionRing, EveryShape) {
    gen g = gen_seed(1);
    for (unsigned lg = 6; lg <= 11; lg++) {
        for (int negacyclic = 0; negacyclic < 2; negacyclic++) {
            expect_ring(&g, lg, 64, negacyclic != 0, GEN_ONES, &(fixture_options){0});
            expect_ring(&g, lg, 33, negacyclic != 0, GEN_ONES, &(fixture_options){0});
            expect_ring(&g, lg, 33 + (unsigned)gen_below(&g, 32), negacyclic != 0, GEN_UNIFORM,
                        &(fixture_options){.more_lg = lg % 3, .threads = lg % 4});
        }
    }
}

// Mutation: a width that is not proved, or a number of points whose twiddles do not exist.
TEST(ConvolutionRing, Plans) {
    fft_plan plan;
    for (unsigned lg = 6; lg <= 32; lg++) {
        for (uint64_t width = 1; width <= 200; width++) {
            for (unsigned negacyclic = 0; negacyclic < 2; negacyclic++) {
                const bool planned =
                    fft_plan_ring(&plan, fft_ops_ifma.shape, width << lg, negacyclic != 0);
                uint64_t w = width;
                unsigned n = lg;
                while (n > 6 && 2 * w <= 64 && 4 * w + n - 1 + negacyclic <= 149) {
                    w *= 2, n--;  // fewer points
                }
                while ((w > 64 || 2 * w + n + negacyclic > 149) && w % 2 == 0) {
                    w /= 2, n++;  // more of them
                }
                const bool exists =
                    w <= 64 && 2 * w + n + negacyclic <= 149 && n + negacyclic <= 31;
                SCOPED_TRACE("%d 2^%u, %u", (int)width, lg, negacyclic);
                EXPECT_EQ(planned, exists);
                EXPECT_TRUE(!planned || (plan.digit_bits == w && fft_plan_lg(&plan) == n &&
                                         plan.node == negacyclic));
            }
        }
    }
    EXPECT_FALSE(fft_plan_ring(&plan, fft_ops_ifma.shape, 63, false));
    EXPECT_FALSE(fft_plan_ring(&plan, fft_ops_ifma.shape, 65 * 64 + 1, false));
}
