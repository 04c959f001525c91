// Whole convolutions: coefficients against the schoolbook and against closed forms, for every
// variant, with random digits and with those that drive residues and sums to their bounds.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/word.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/fixture.h"
#include "tests/fft/reference.h"
#include "tests/support/gen.h"

enum { WORDS = FFT_COEFFICIENT_WORDS };

static uint64_t *limbs(size_t n) { return calloc(n + 1, sizeof(uint64_t)); }

// The plan for a by b digits of the given width, of the shape that plan.c chooses.
static fft_plan plan_for(size_t an, size_t bn, unsigned bits) {
    fft_plan plan;
    EXPECT_TRUE(
        fft_plan_words(&plan, fft_ops_ifma.shape, an, bn, bits == 64 ? 0 : (uint64_t)1 << bits));
    plan.digit_bits = bits;
    return plan;
}

// pack: digits of `bits` bits, one after the other, as words; returns how many words.
static size_t pack(uint64_t *words, const uint64_t *digits, size_t count, unsigned bits) {
    const size_t n = (count * bits + 63) / 64;
    memset(words, 0, n * sizeof *words);
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * bits / 64;
        const unsigned shift = (unsigned)(i * bits % 64);
        words[at] |= digits[i] << shift;
        if (shift + bits > 64) {
            words[at + 1] |= digits[i] >> (64 - shift);
        }
    }
    return n;
}

// operand: digits, and the same as packed words.
typedef struct {
    uint64_t *digits, *words;
    fft_digits as;
} operand;

static operand operand_make(size_t count, unsigned bits) {
    operand o = {limbs(count), limbs(count), {0}};
    o.as = (fft_digits){.words = o.words, .count = count, .bits = bits};
    return o;
}
static void operand_pack(operand *o) {
    o->as.words_n = pack(o->words, o->digits, o->as.count, o->as.bits);
}
static void operand_free(operand *o) {
    free(o->digits);
    free(o->words);
}

static uint64_t below(gen *g, unsigned bits) { return gen_u64(g) >> (64 - bits); }

// expect_coefficients: all points that the plan computes, those past the product's end included.
static void expect_coefficients(const fixture *f, const uint64_t *right, size_t n,
                                const char *what) {
    const uint64_t points = f->c.plan.rows << f->c.plan.lg_columns;
    uint64_t *const c = limbs(points * WORDS);
    fixture_coefficients(f, c, points);
    for (size_t i = 0; i < points * WORDS; i++) {
        if (c[i] != (i < n * WORDS ? right[i] : 0)) {
            ct_fail(__FILE__, __LINE__, 0,
                    "%s %s: coefficient %zu, word %zu is %016llx, right is %016llx", f->c.ops->name,
                    what, i / WORDS, i % WORDS, (unsigned long long)c[i],
                    i < n * WORDS ? (unsigned long long)right[i] : 0);
            break;
        }
    }
    free(c);
}

// expect_products: a b both ways round, by a prepared b, and b b, in every variant.
static void expect_products(const operand *a, const operand *b) {
    const size_t an = a->as.count, bn = b->as.count, n = an + bn - 1;
    uint64_t *const ab = limbs(n * WORDS), *const bb = limbs((2 * bn - 1) * WORDS);
    SCOPED_TRACE("%zu by %zu digits of %u bits", an, bn, a->as.bits);
    reference_convolution(ab, a->digits, an, b->digits, bn);
    reference_convolution(bb, b->digits, bn, b->digits, bn);
    const fft_plan plan = plan_for(an, bn, a->as.bits), square = plan_for(bn, bn, a->as.bits);
    FOR_EACH_VARIANT(v) {
        fixture f;
        fixture_start(&f, v->ops, &plan, &(fixture_options){0});
        fixture_convolve(&f, &a->as, &b->as, false);
        expect_coefficients(&f, ab, n, "a b");
        fixture_convolve(&f, &b->as, &a->as, false);
        expect_coefficients(&f, ab, n, "b a");
        fixture_prepare(&f, &b->as);
        fixture_convolve(&f, &a->as, NULL, true);
        expect_coefficients(&f, ab, n, "a prepared b");
        fixture_stop(&f);
        fixture_start(&f, v->ops, &square, &(fixture_options){.more_lg = 1});
        fixture_convolve(&f, &b->as, NULL, false);
        expect_coefficients(&f, bb, 2 * bn - 1, "b b");
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

// --- Extreme digits ------------------------------------------------------------------------------
// Random residues stay far from their bounds. Two digits by turns, chosen so that residues are near
// p / 2 in absolute value and add up in the first levels, come near; sums come to 2^149 with all
// digits 2^64 - 1. Coefficients have a closed form.

typedef struct {
    const char *name;
    uint64_t even, odd;
} pattern;

static const pattern patterns[] = {
    {"all ones", UINT64_MAX, UINT64_MAX},
    {"0x7ff..", INT64_MAX, INT64_MAX},
    {"0x800..", (uint64_t)1 << 63, (uint64_t)1 << 63},
    {"0x7ff.., 0x800..", INT64_MAX, (uint64_t)1 << 63},
    {"all ones, zero", UINT64_MAX, 0},
    {"all ones, one", UINT64_MAX, 1},
    {"p0 / 2", 450810504806400, 450810504806400},
    {"p0 / 2, p0 / 2 + 1", 450810504806400, 450810504806401},
    {"p1 / 2 + 1", 448491222466561, 448491222466561},
    {"p1 / 2, p1 / 2 + 1", 448491222466560, 448491222466561},
    {"20000 p2 - p2 / 2", 17823239189128628239u, 17823239189128628239u},
    {"20000 p2 -+ p2 / 2", 17823239189128628239u, 17824130373367711761u},
    {"2^32 - 1", UINT32_MAX, UINT32_MAX},
    {"(2^32 - 1) 2^32, 2^32 - 1", (uint64_t)UINT32_MAX << 32, UINT32_MAX},
};
enum { PATTERNS = sizeof patterns / sizeof *patterns };

// digit_of: digit i of a pattern, its low `bits` bits.
static uint64_t digit_of(const pattern *p, size_t i, unsigned bits) {
    return (i % 2 == 0 ? p->even : p->odd) & (~(uint64_t)0 >> (64 - bits));
}

static void add_product(uint64_t c[WORDS], uint64_t x, uint64_t y, uint64_t times) {
    const word_pair low = (word_pair)(uint64_t)((word_pair)x * y) * times,
                    high = (word_pair)(uint64_t)((word_pair)x * y >> 64) * times;
    uint64_t carry = 0;
    c[0] = word_add(c[0], (uint64_t)low, &carry);
    c[1] = word_add(c[1], (uint64_t)(low >> 64), &carry);
    c[2] += carry;
    carry = 0;
    c[1] = word_add(c[1], (uint64_t)high, &carry);
    c[2] += (uint64_t)(high >> 64) + carry;
}

// closed_form: coefficient k of the product of an digits of pattern p and bn of pattern q.
static void closed_form(uint64_t c[WORDS], const pattern *p, size_t an, const pattern *q, size_t bn,
                        unsigned bits, size_t k) {
    const size_t lo = k < bn ? 0 : k - bn + 1, hi = k < an ? k : an - 1;  // of i
    memset(c, 0, WORDS * sizeof *c);
    for (size_t parity = 0; parity < 2; parity++) {
        const size_t first = lo + (lo % 2 != parity);
        if (first <= hi) {
            add_product(c, digit_of(p, parity, bits), digit_of(q, k - first, bits),
                        (hi - first) / 2 + 1);
        }
    }
}

static void fill(operand *o, const pattern *p) {
    for (size_t i = 0; i < o->as.count; i++) {
        o->digits[i] = digit_of(p, i, o->as.bits);
    }
    operand_pack(o);
}

static void expect_pattern_product(const fixture_variant *v, const pattern *p, size_t an,
                                   const pattern *q, size_t bn, unsigned bits) {
    SCOPED_TRACE("%zu digits %s by %zu digits %s, %u bits", an, p->name, bn, q->name, bits);
    operand a = operand_make(an, bits), b = operand_make(bn, bits);
    fill(&a, p);
    fill(&b, q);
    const fft_plan plan = plan_for(an, bn, bits);
    fixture f;
    fixture_start(&f, v->ops, &plan, &(fixture_options){0});
    fixture_convolve(&f, &a.as, p == q && an == bn ? NULL : &b.as, false);
    uint64_t *const right = limbs((an + bn - 1) * WORDS);
    for (size_t k = 0; k < an + bn - 1; k++) {
        closed_form(right + k * WORDS, p, an, q, bn, bits, k);
    }
    expect_coefficients(&f, right, an + bn - 1, "extreme digits");
    free(right);
    fixture_stop(&f);
    operand_free(&a);
    operand_free(&b);
}

// Every pattern with every other at lengths that use every kernel. Mutations: a reduction left out
// of any kernel, a bound or a digit width one step too bold.
TEST(Convolution, ExtremeDigits) {
    gen g = gen_seed(4);
    for (size_t i = 0; i < PATTERNS; i++) {
        for (size_t k = 0; k < PATTERNS; k++) {
            FOR_EACH_VARIANT(v) {
                const size_t an = gen_size(&g, 1, 5000), bn = gen_size(&g, 1, 5000);
                const unsigned bits = gen_below(&g, 3) == 0 ? 63 : 64;
                expect_pattern_product(v, &patterns[i], an, &patterns[k], bn, bits);
                expect_pattern_product(v, &patterns[i], 1000, &patterns[i], 1000, bits);
            }
        }
    }
}

// More of them at the lengths of long rows and columns.
TEST(Convolution, ExtremeDigitsAtLength) {
    FOR_EACH_VARIANT(v) {
        for (size_t i = 0; i < PATTERNS; i++) {
            expect_pattern_product(v, &patterns[i], 40000, &patterns[(i + 1) % PATTERNS], 50000,
                                   64);
        }
    }
}

// The longest plans of 64-bit and of 63-bit digits with the largest coefficients there are, just
// below 2^149. Mutation: a prime product or a plan condition that is one bit off.
static void expect_fullest(size_t count, unsigned bits) {
    const fixture_variant *fastest = fixture_variants;
    FOR_EACH_VARIANT(v) { fastest = v; }
    expect_pattern_product(fastest, &patterns[0], count, &patterns[0], count, bits);
}
TEST(Convolution, FullestCoefficients) { expect_fullest((size_t)1 << 21, 64); }

// --- Threads -------------------------------------------------------------------------------------

// The planes of any team are those of one thread, bit for bit. Mutations: workers share a buffer, a
// step begins before the one before has ended, a block of rows is left out, half of the last
// prime's rows are those of the other child.
TEST(Convolution, TeamsGiveTheSamePlanes) {
    gen g = gen_seed(5);
    for (int round = 0; round < 24; round++) {
        const size_t an = gen_size(&g, 50, 20000), bn = gen_size(&g, 50, 20000);
        operand a = operand_make(an, 64), b = operand_make(bn, 64);
        gen_limbs(&g, GEN_UNIFORM, a.digits, an);
        gen_limbs(&g, GEN_RUNS, b.digits, bn);
        operand_pack(&a);
        operand_pack(&b);
        const fft_plan plan = plan_for(an, bn, 64);
        const size_t n = an + bn - 1;
        const operand *const square = an < bn ? &a : &b;
        uint64_t *const one = limbs(n * WORDS), *const c = limbs(n * WORDS);
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

static void count_step(void *arg) { ++*(unsigned *)arg; }

// Mutation: a step that nobody hears of.
TEST(Convolution, StepsAreCounted) {
    operand a = operand_make(300, 64);
    fill(&a, &patterns[0]);
    const fft_plan plan = plan_for(300, 300, 64);
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
    const fft_plan plan = plan_for(an, bn, 64);
    uint64_t *const all = limbs(n * WORDS), *const block = limbs((FFT_BLOCK + 8) * WORDS);
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
