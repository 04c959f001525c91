// float_digits.c: see float_digits.h.
#include "fft/complex/float_digits.h"

#include <assert.h>

#include "fft/complex/float_ops.h"
#include "primitives/words/word.h"

// field: `bits` < 64 bits of the operand from bit `at` on; zero beyond its end.
static uint64_t field(const fft_float_operand *a, uint64_t at, unsigned bits) {
    const uint64_t word = at / 64, mask = ((uint64_t)1 << bits) - 1;
    if (word + 1 >= a->words_n) {
        return word < a->words_n ? a->words[word] >> at % 64 & mask : 0;
    }
    // two shifts, because high << 64 is undefined for at % 64 = 0
    return ((a->words[word] >> at % 64) | (a->words[word + 1] << 1 << (63 - at % 64))) & mask;
}

// bit_digit: digit i in radix 2^width, its field; balanced: as a signed number, plus the bit below
// it.
static int32_t bit_digit(const fft_float_plan *plan, const fft_float_operand *a, uint64_t i) {
    const unsigned w = plan->width;
    const uint64_t f = field(a, i * w, w);
    if (!plan->balanced) {
        return (int32_t)f;
    }
    const uint64_t below = i > 0 ? field(a, i * w - 1, 1) : 0;
    return (int32_t)(f + below) - (int32_t)((f >> (w - 1)) << w);
}

// bit_digits: digits first .. first + n - 1: the loop where all bytes it reads are the operand's,
// one by one at its ends.
static void bit_digits(int32_t *d, const fft_float_convolution *c, const fft_float_operand *a,
                       uint64_t first, size_t n) {
    const unsigned w = c->plan->width;
    const uint64_t begin = first > 0 ? first : 1, bits = a->words_n * 64;
    const bool inside = (first + n) * w + 32 <= bits;  // mostly, and a division takes long
    const uint64_t end = inside ? first + n : (bits - 32) / w;
    if (begin >= end) {
        for (size_t i = 0; i < n; i++) {
            d[i] = bit_digit(c->plan, a, first + i);
        }
        return;
    }
    if (first == 0) {
        d[0] = bit_digit(c->plan, a, 0);
    }
    c->loops->digits(d + (begin - first), a->words, begin * w, w, c->plan->balanced,
                     (size_t)(end - begin));
    for (uint64_t i = end; i < first + n; i++) {
        d[i - first] = bit_digit(c->plan, a, i);
    }
}

// word_digits: the same where a word is a digit: one of at least radix / 2 passes 1 on.
static void word_digits(int32_t *d, const fft_float_convolution *c, const fft_float_operand *a,
                        uint64_t first, size_t n) {
    const uint64_t radix = c->plan->radix, half = c->plan->balanced ? radix / 2 : UINT64_MAX;
    uint64_t passed = first > 0 && a->words[first - 1] >= half;
    for (size_t i = 0; i < n; i++) {
        const uint64_t word = a->words[first + i], passes = word >= half;
        d[i] = (int32_t)(word + passed) - (int32_t)(passes ? radix : 0);
        passed = passes;
    }
}

// top_digit: digit i, which passes no 1 on: its field or word plus what comes from below.
static int32_t top_digit(const fft_float_plan *plan, const fft_float_operand *a, uint64_t i) {
    const unsigned w = plan->width;
    if (w > 0) {
        return (int32_t)(field(a, i * w, w) + (i > 0 ? field(a, i * w - 1, 1) : 0));
    }
    return (int32_t)(a->words[i] + (i > 0 && a->words[i - 1] >= plan->radix / 2));
}

void fft_float_digits(int32_t *d, const fft_float_convolution *c, const fft_float_operand *a,
                      uint64_t all, uint64_t first, size_t n) {
    if (c->plan->width > 0) {
        bit_digits(d, c, a, first, n);
    } else {
        word_digits(d, c, a, first, n);
    }
    if (c->plan->balanced && first + n == all) {
        d[n - 1] = top_digit(c->plan, a, all - 1);
    }
}

uint64_t fft_float_digits_n(const fft_float_plan *plan, const fft_float_operand *a) {
    const uint64_t digits =
        plan->width > 0 ? word_ceil_div(a->words_n * 64, plan->width) : a->words_n;
    assert(digits >= 1);
    return digits;
}
