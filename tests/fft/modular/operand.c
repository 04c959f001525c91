// operand.c: see operand.h.
#include "tests/fft/modular/operand.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"

enum { WORDS = FFT_COEFFICIENT_WORDS };

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

operand operand_make(size_t count, unsigned bits) {
    operand o = {fixture_words(count), fixture_words(count), {0}};
    o.as = (fft_digits){.words = o.words, .count = count, .bits = bits};
    return o;
}

void operand_pack(operand *o) {
    o->as.words_n = pack(o->words, o->digits, o->as.count, o->as.bits);
}

void operand_free(operand *o) {
    free(o->digits);
    free(o->words);
}

fft_plan operand_plan(size_t an, size_t bn, unsigned bits) {
    fft_plan plan;
    EXPECT_TRUE(
        fft_plan_words(&plan, fft_ops_ifma.shape, an, bn, bits == 64 ? 0 : (uint64_t)1 << bits));
    plan.digit_bits = bits;
    return plan;
}

void operand_expect_coefficients(const fixture *f, const uint64_t *right, size_t n,
                                 const char *what) {
    const uint64_t points = f->c.plan.rows << f->c.plan.lg_columns;
    uint64_t *const c = fixture_words(points * WORDS);
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
