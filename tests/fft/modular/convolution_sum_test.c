// convolution_sum_test.c: sums of products in the transform domain: coefficients with their bias
// against the schoolbook, for every variant, and the largest of either sign.
#include <stdlib.h>
#include <string.h>

#include "primitives/limbs/limbs.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/gen.h"

enum { WORDS = FFT_COEFFICIENT_WORDS, TERMS_MAX = 5 };

// bias_of: 2^148 - 2^(148 - w).
static void bias_of(uint64_t bias[WORDS], unsigned w) {
    uint64_t low[WORDS] = {0};
    memset(bias, 0, WORDS * sizeof *bias);
    bias[2] = (uint64_t)1 << 20;
    low[(148 - w) / 64] = (uint64_t)1 << (148 - w) % 64;
    limbs_sub_n(bias, bias, low, WORDS);
}

// add_term: c[WORDS k ..] +-= coefficient k of the term, modulo 2^192.
static void add_term(uint64_t *c, const fft_plan *plan, const fft_term *t) {
    const fft_digits *const a = &t->a, *const b = t->square ? &t->a : &t->b;
    uint64_t *const ad = fixture_words(a->count), *const bd = fixture_words(b->count);
    const size_t n = (size_t)(a->count + b->count) - 1;
    uint64_t *const product = fixture_words(n * WORDS);
    reference_digits(ad, (size_t)a->count, a->words, (size_t)a->words_n, plan->digit_bits);
    reference_digits(bd, (size_t)b->count, b->words, (size_t)b->words_n, plan->digit_bits);
    reference_convolution(product, ad, (size_t)a->count, bd, (size_t)b->count);
    for (size_t k = 0; k < n * WORDS; k += WORDS) {
        (t->subtract ? limbs_sub_n : limbs_add_n)(c + k, c + k, product + k, WORDS);
    }
    free(ad);
    free(bd);
    free(product);
}

// expect_sum: all points that the plan computes, in every variant, with these threads.
static void expect_sum(const fft_plan *plan, const fft_term *terms, size_t n,
                       const fixture_options *options) {
    const size_t points = (size_t)(plan->rows << plan->lg_columns);
    uint64_t *const want = fixture_words(points * WORDS), *const c = fixture_words(points * WORDS);
    uint64_t bias[WORDS];
    bias_of(bias, plan->digit_bits);
    for (size_t i = 0; i < n; i++) {
        add_term(want, plan, &terms[i]);
    }
    for (size_t k = 0; k < points * WORDS; k += WORDS) {
        limbs_add_n(want + k, want + k, bias, WORDS);
    }
    FOR_EACH_VARIANT(v) {
        SCOPED_TRACE("%s, %zu terms, %u-bit digits, %zu points", v->ops->name, n, plan->digit_bits,
                     points);
        fixture f;
        fixture_start(&f, v->ops, plan, options);
        fft_convolve(&f.c, terms, n);
        fixture_coefficients(&f, c, points);
        EXPECT_TRUE(memcmp(c, want, points * WORDS * sizeof *c) == 0);
        fixture_stop(&f);
    }
    free(want);
    free(c);
}

// draw_term: up to a_max by b_max limbs, b_max <= a_max; every fifth a square.
static fft_term draw_term(gen *g, const fft_plan *plan, uint64_t *memory, size_t a_max,
                          size_t b_max) {
    const bool square = gen_below(g, 5) == 0;
    const size_t an = gen_size(g, 1, square ? b_max : a_max), bn = gen_size(g, 1, b_max);
    gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), memory, an);
    gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), memory + a_max, bn);
    return (fft_term){.a = fft_plan_digits(plan, memory, an),
                      .b = fft_plan_digits(plan, memory + a_max, bn),
                      .square = square,
                      .subtract = gen_below(g, 2) == 0};
}

static void expect_random(gen *g, size_t a_max, size_t b_max, size_t n, uint64_t planned,
                          const fixture_options *options) {
    fft_plan plan;
    fft_term terms[TERMS_MAX];
    uint64_t *const memory = fixture_words(n * (a_max + b_max));
    EXPECT_TRUE(fft_plan_sum(&plan, fft_ops_avx2.shape, a_max + b_max, b_max, planned));
    for (size_t i = 0; i < n; i++) {
        terms[i] = draw_term(g, &plan, memory + i * (a_max + b_max), a_max, b_max);
    }
    terms[0].subtract = false;
    expect_sum(&plan, terms, n, options);
    free(memory);
}

// Plans for more terms than there are have shorter digits. Mutations: the sum of an odd number of
// terms stays in the other plane, a sign is that of the term before, squares read the other plane,
// the bias is of one prime only.
TEST(ConvolutionSum, RandomTerms) {
    static const uint64_t planned[] = {TERMS_MAX, 1 << 16, 1 << 20, (uint64_t)1 << 30};
    gen g = gen_seed(1);
    for (unsigned round = 0; round < 120; round++) {
        const size_t b_max = gen_size(&g, 1, 150), a_max = b_max + gen_below(&g, 60);
        expect_random(&g, a_max, b_max, 1 + round % TERMS_MAX, planned[round % 4],
                      &(fixture_options){0});
    }
}

// Rows of several leaves, padded, and truncated columns. Mutation: the sum's plane does not step
// from leaf to leaf, or from row to row, as the others do.
TEST(ConvolutionSum, LongTerms) {
    gen g = gen_seed(2);
    expect_random(&g, 1000, 900, 2, 2, &(fixture_options){0});
    expect_random(&g, 3000, 2500, 3, 1 << 16, &(fixture_options){0});
    expect_random(&g, 9000, 700, 4, 4, &(fixture_options){0});
}

// Mutations: workers share the sum's plane, terms of one prime are summed in another's.
TEST(ConvolutionSum, Teams) {
    gen g = gen_seed(3);
    for (unsigned threads = 1; threads <= 4; threads++) {
        for (int own = 0; own < 2; own++) {
            for (size_t n = 1; n <= 3; n++) {
                SCOPED_TRACE("%u threads, own planes %d", threads, own);
                expect_random(&g, 1200, 1000, n, n,
                              &(fixture_options){.threads = threads, .own_planes = own != 0});
            }
        }
    }
}

// Long enough for threads to work at the same time: the planes of one thread, bit for bit.
// Mutation: workers share the sum's plane.
TEST(ConvolutionSum, TeamsGiveTheSamePlanes) {
    enum { LIMBS = 60000 };
    gen g = gen_seed(4);
    fft_plan plan;
    EXPECT_TRUE(fft_plan_sum(&plan, fft_ops_avx2.shape, 2 * LIMBS, LIMBS, 2));
    uint64_t *const memory = fixture_words((size_t)4 * LIMBS);
    gen_limbs(&g, GEN_UNIFORM, memory, (size_t)4 * LIMBS);
    fft_term terms[2];
    for (size_t i = 0; i < 2; i++) {
        terms[i] = (fft_term){.a = fft_plan_digits(&plan, memory + 2 * i * LIMBS, LIMBS),
                              .b = fft_plan_digits(&plan, memory + (2 * i + 1) * LIMBS, LIMBS),
                              .subtract = i == 1};
    }
    fixture one, many;
    fixture_start(&one, &fft_ops_portable, &plan, &(fixture_options){0});
    fft_convolve(&one.c, terms, 2);
    for (unsigned threads = 2; threads <= 4; threads++) {
        SCOPED_TRACE("%u threads", threads);
        fixture_start(&many, &fft_ops_portable, &plan,
                      &(fixture_options){.threads = threads, .own_planes = true});
        fft_convolve(&many.c, terms, 2);
        for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
            for (uint64_t row = 0; row < plan.rows; row++) {
                const uint64_t at = row * plan.row_stride;
                EXPECT_TRUE(memcmp(many.c.planes[i] + at, one.c.planes[i] + at,
                                   sizeof(double) << plan.lg_columns) == 0);
            }
        }
        fixture_stop(&many);
    }
    fixture_stop(&one);
    free(memory);
}

// 2^20 products of digits 2^64 - 1 in a coefficient, as many as have a plan of 64 bits, all added,
// and all but the first term subtracted. Mutations: the plan leaves no bit for the sign, a bias of
// half the size, sums that are not reduced.
TEST(ConvolutionSum, FullestSums) {
    enum { DIGITS = 64, TERMS = 1 << 14 };
    fft_plan plan;
    EXPECT_TRUE(fft_plan_sum(&plan, fft_ops_avx2.shape, 2 * DIGITS, DIGITS, TERMS));
    EXPECT_EQ(plan.digit_bits, 64);
    fft_plan more;
    EXPECT_TRUE(fft_plan_sum(&more, fft_ops_avx2.shape, 2 * DIGITS, DIGITS, TERMS + 1) &&
                more.digit_bits == 63);
    uint64_t *const ones = fixture_words(DIGITS);
    memset(ones, 0xff, DIGITS * sizeof *ones);
    fft_term *const terms = calloc(TERMS, sizeof *terms);
    for (int subtract = 0; subtract < 2; subtract++) {
        for (size_t i = 0; i < TERMS; i++) {
            const fft_digits d = fft_plan_digits(&plan, ones, DIGITS);
            terms[i] =
                (fft_term){.a = d, .b = d, .square = i % 3 == 0, .subtract = subtract && i > 0};
        }
        expect_sum(&plan, terms, TERMS, &(fixture_options){0});
    }
    free(terms);
    free(ones);
}
