// convolution_extreme_test.c: whole convolutions of digits that drive residues and sums to their
// bounds, against closed forms, for every variant.
//
// Random residues stay far from their bounds. Two alternating digits come near: they are chosen so
// that residues are near p / 2 in absolute value and add up in the first levels. Sums reach 2^149
// when all digits are 2^64 - 1. Coefficients have a closed form.
#include <stdlib.h>
#include <string.h>

#include "primitives/words/word.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/modular/fixture.h"
#include "tests/fft/modular/operand.h"
#include "tests/support/gen.h"

enum { WORDS = FFT_COEFFICIENT_WORDS };

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
    const fft_plan plan = operand_plan(an, bn, bits);
    fixture f;
    fixture_start(&f, v->ops, &plan, &(fixture_options){0});
    fixture_convolve(&f, &a.as, p == q && an == bn ? NULL : &b.as, false);
    uint64_t *const right = fixture_words((an + bn - 1) * WORDS);
    for (size_t k = 0; k < an + bn - 1; k++) {
        closed_form(right + k * WORDS, p, an, q, bn, bits, k);
    }
    operand_expect_coefficients(&f, right, an + bn - 1, "extreme digits");
    free(right);
    fixture_stop(&f);
    operand_free(&a);
    operand_free(&b);
}

// Every pattern with every other at lengths that use every kernel. Mutations: a reduction left out
// of any kernel, a bound or a digit width one step too bold.
TEST(ConvolutionExtreme, EveryKernel) {
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
TEST(ConvolutionExtreme, AtLength) {
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
TEST(ConvolutionExtreme, FullestCoefficients) { expect_fullest((size_t)1 << 21, 64); }
