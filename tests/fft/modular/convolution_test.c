// convolution_test.c: whole convolutions: coefficients against the schoolbook, for every variant,
// with any team, in any blocks. Digits that drive residues and sums to their bounds are in
// convolution_extreme_test.c.
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/operand.h"
#include "tests/fft/modular/reference.h"
#include "tests/support/gen.h"

enum { WORDS = FFT_COEFFICIENT_WORDS };

static uint64_t below(gen *g, unsigned bits) { return gen_u64(g) >> (64 - bits); }

// expect_products: a b both ways round, by a prepared b, and b b, in every variant.
static void expect_products(const operand *a, const operand *b) {
    const size_t an = a->as.count, bn = b->as.count, n = an + bn - 1;
    uint64_t *const ab = fixture_words(n * WORDS), *const bb = fixture_words((2 * bn - 1) * WORDS);
    SCOPED_TRACE("%zu by %zu digits of %u bits", an, bn, a->as.bits);
    reference_convolution(ab, a->digits, an, b->digits, bn);
    reference_convolution(bb, b->digits, bn, b->digits, bn);
    const fft_plan plan = operand_plan(an, bn, a->as.bits),
                   square = operand_plan(bn, bn, a->as.bits);
    FOR_EACH_VARIANT(v) {
        fixture f;
        fixture_start(&f, v->ops, &plan, &(fixture_options){0});
        fixture_convolve(&f, &a->as, &b->as, false);
        operand_expect_coefficients(&f, ab, n, "a b");
        fixture_convolve(&f, &b->as, &a->as, false);
        operand_expect_coefficients(&f, ab, n, "b a");
        fixture_prepare(&f, &b->as);
        fixture_convolve(&f, &a->as, NULL, true);
        operand_expect_coefficients(&f, ab, n, "a prepared b");
        fixture_stop(&f);
        fixture_start(&f, v->ops, &square, &(fixture_options){.more_lg = 1});
        fixture_convolve(&f, &b->as, NULL, false);
        operand_expect_coefficients(&f, bb, 2 * bn - 1, "b b");
        fixture_stop(&f);
    }
    free(ab);
    free(bb);
}

// Mutations: a residue of the wrong prime in Garner's formula, a CRT constant without its sign or
// scale, a carry lost between the three words, operands that change places.
TEST(Convolution, RandomDigits) {
    static const unsigned widths[] = {64, 63, 61, 40, 7};
    gen g = gen_seed(1);
    for (int round = 0; round < 150; round++) {
        const unsigned bits = widths[round % 5];
        operand a = operand_make(1 + (size_t)gen_below(&g, 200), bits);
        operand b = operand_make(1 + (size_t)gen_below(&g, 200), bits);
        for (size_t i = 0; i < a.as.count; i++) {
            a.digits[i] = below(&g, bits);
        }
        for (size_t i = 0; i < b.as.count; i++) {
            b.digits[i] = below(&g, bits);
        }
        operand_pack(&a);
        operand_pack(&b);
        expect_products(&a, &b);
        operand_free(&a);
        operand_free(&b);
    }
}

// The edges of short lengths. Mutations: one digit less or more than a row, one operand of a single
// digit.
TEST(Convolution, ShortLengths) {
    static const size_t lengths[] = {1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 200};
    gen g = gen_seed(2);
    for (size_t i = 0; i < 12; i++) {
        for (size_t k = 0; k < 12; k++) {
            operand a = operand_make(lengths[i], 64), b = operand_make(lengths[k], 64);
            gen_limbs(&g, GEN_RUNS, a.digits, lengths[i]);
            gen_limbs(&g, GEN_UNIFORM, b.digits, lengths[k]);
            operand_pack(&a);
            operand_pack(&b);
            expect_products(&a, &b);
            operand_free(&a);
            operand_free(&b);
        }
    }
}

// Lengths whose plans have rows of several leaves, padded, and truncated columns.
TEST(Convolution, LongLengths) {
    static const struct {
        size_t an, bn;
        unsigned bits;
    } cases[] = {{1000, 900, 64},  {8200, 40, 63},   {3000, 3000, 61},
                 {16500, 700, 64}, {7000, 6100, 64}, {40000, 17, 40}};
    gen g = gen_seed(3);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        operand a = operand_make(cases[k].an, cases[k].bits);
        operand b = operand_make(cases[k].bn, cases[k].bits);
        for (size_t i = 0; i < a.as.count; i++) {
            a.digits[i] = below(&g, cases[k].bits);
        }
        for (size_t i = 0; i < b.as.count; i++) {
            b.digits[i] = below(&g, cases[k].bits);
        }
        operand_pack(&a);
        operand_pack(&b);
        expect_products(&a, &b);
        operand_free(&a);
        operand_free(&b);
    }
}

// --- Threads -------------------------------------------------------------------------------------

// Every team computes the same planes as one thread, bit for bit. Mutations: workers share a
// buffer, a step begins before the one before has ended, a block of rows is left out, half of the
// last prime's rows come from the other child.
TEST(Convolution, TeamsGiveTheSamePlanes) {
    gen g = gen_seed(5);
    for (int round = 0; round < 24; round++) {
        const size_t an = gen_size(&g, 50, 20000), bn = gen_size(&g, 50, 20000);
        operand a = operand_make(an, 64), b = operand_make(bn, 64);
        gen_limbs(&g, GEN_UNIFORM, a.digits, an);
        gen_limbs(&g, GEN_RUNS, b.digits, bn);
        operand_pack(&a);
        operand_pack(&b);
        const fft_plan plan = operand_plan(an, bn, 64);
        const size_t n = an + bn - 1;
        const operand *const square = an < bn ? &a : &b;
        uint64_t *const one = fixture_words(n * WORDS), *const c = fixture_words(n * WORDS);
        FOR_EACH_VARIANT(v) {
            for (unsigned threads = 1; threads <= 4; threads++) {
                fixture f;
                fixture_start(
                    &f, v->ops, &plan,
                    &(fixture_options){.threads = threads, .own_planes = round / 4 % 2 == 0});
                fixture_prepare(&f, &b.as);
                switch (round % 4) {
                    case 0:
                    case 1:
                        fixture_convolve(&f, &a.as, &b.as, false);
                        break;
                    case 2:
                        fixture_convolve(&f, &a.as, NULL, true);
                        break;
                    default:
                        fixture_convolve(&f, &square->as, NULL, false);
                }
                fixture_coefficients(&f, threads == 1 ? one : c, n);
                fixture_stop(&f);
                SCOPED_TRACE("%s, %u threads, %zu by %zu digits", v->ops->name, threads, an, bn);
                if (threads > 1) {
                    EXPECT_LIMBS_EQ(c, one, n * WORDS);
                }
            }
        }
        free(one);
        free(c);
        operand_free(&a);
        operand_free(&b);
    }
}

// count_step ends the convolution at step 100.
static bool count_step(void *arg) { return ++*(unsigned *)arg != 100; }

// Mutations: a step that is not reported; a step after the last one.
TEST(Convolution, StepsAreCounted) {
    operand a = operand_make(300, 64);
    memset(a.digits, 0xFF, 300 * sizeof *a.digits);
    operand_pack(&a);
    const fft_plan plan = operand_plan(300, 300, 64);
    for (unsigned threads = 0; threads <= 4; threads++) {
        SCOPED_TRACE("%u threads", threads);
        fixture f;
        unsigned steps = 0;
        fixture_start(&f, &fft_ops_portable, &plan,
                      &(fixture_options){.threads = threads, .own_planes = threads % 2 == 0});
        f.c.after_step = count_step;
        f.c.after_step_arg = &steps;
        fixture_convolve(&f, &a.as, NULL, false);
        EXPECT_EQ(steps, (unsigned)fft_steps(1));
        fixture_convolve(&f, &a.as, &a.as, false);
        EXPECT_EQ(steps, 2 * (unsigned)fft_steps(1));
        for (unsigned last = 1; last < fft_steps(1); last++) {
            steps = 100 - last;
            fixture_convolve(&f, &a.as, &a.as, false);
            EXPECT_EQ(steps, 100u);
        }
        fixture_stop(&f);
    }
    operand_free(&a);
}

// Coefficients may be asked for in any blocks that begin at whole vectors. Mutation: the row's
// padding is read as coefficients.
TEST(Convolution, CoefficientsInBlocks) {
    const size_t an = 3000, bn = 2000, n = an + bn - 1;
    operand a = operand_make(an, 64), b = operand_make(bn, 64);
    gen g = gen_seed(6);
    gen_limbs(&g, GEN_UNIFORM, a.digits, an);
    gen_limbs(&g, GEN_UNIFORM, b.digits, bn);
    operand_pack(&a);
    operand_pack(&b);
    const fft_plan plan = operand_plan(an, bn, 64);
    uint64_t *const all = fixture_words(n * WORDS), *const block =
                                                        fixture_words((FFT_BLOCK + 8) * WORDS);
    FOR_EACH_VARIANT(v) {
        SCOPED_TRACE("%s", v->ops->name);
        fixture f;
        fixture_start(&f, v->ops, &plan, &(fixture_options){0});
        fixture_convolve(&f, &a.as, &b.as, false);
        fixture_coefficients(&f, all, n);
        for (int i = 0; i < 200; i++) {
            const size_t first = (size_t)gen_below(&g, n / 8) * 8;
            size_t count = 1 + (size_t)gen_below(&g, FFT_BLOCK);
            count = count < n - first ? count : n - first;
            fft_coefficients(block, &f.c, first, count);
            EXPECT_LIMBS_EQ(block, all + first * WORDS, count * WORDS);
        }
        fixture_stop(&f);
    }
    free(all);
    free(block);
    operand_free(&a);
    operand_free(&b);
}

// Mutation: a faster variant is chosen than the processor has.
TEST(Convolution, OpsForFeatures) {
    const cpu_features all = {
        .adx = true, .avx2 = true, .avx512 = true, .ifma = true, .rounds = true};
    EXPECT_TRUE(fft_ops_for((cpu_features){0}) == &fft_ops_portable);
    EXPECT_TRUE(fft_ops_for((cpu_features){.adx = true}) == &fft_ops_portable);
#if defined(__x86_64__)
    EXPECT_TRUE(fft_ops_for((cpu_features){.avx2 = true}) == &fft_ops_avx2);
    EXPECT_TRUE(fft_ops_for((cpu_features){.avx2 = true, .rounds = true}) == &fft_ops_avx2_round);
    EXPECT_TRUE(fft_ops_for((cpu_features){.avx2 = true, .avx512 = true}) == &fft_ops_avx512);
    EXPECT_TRUE(fft_ops_for(all) == &fft_ops_ifma);
#else
    EXPECT_TRUE(fft_ops_for(all) == &fft_ops_portable);
#endif
}
