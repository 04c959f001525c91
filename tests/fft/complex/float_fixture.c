// float_fixture.c: see float_fixture.h.
#include "tests/fft/complex/float_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static uint64_t slow_field(const float_digits *digits, const uint64_t *words, uint64_t n,
                           uint64_t i) {
    if (digits->width == 0) {
        return words[i];
    }
    uint64_t f = 0;
    for (unsigned bit = 0; bit < digits->width; bit++) {
        const uint64_t at = i * digits->width + bit;
        f |= at < 64 * n ? (words[at / 64] >> at % 64 & 1) << bit : 0;
    }
    return f;
}

// slow_digit: digit i of `count`.
static int64_t slow_digit(const float_digits *digits, const uint64_t *words, uint64_t n, uint64_t i,
                          uint64_t count) {
    int64_t d = (int64_t)slow_field(digits, words, n, i);
    if (digits->balanced) {
        const uint64_t half = digits->radix / 2;
        d -= i + 1 < count && (uint64_t)d >= half ? (int64_t)digits->radix : 0;
        d += i > 0 && slow_field(digits, words, n, i - 1) >= half;
    }
    return d;
}

int64_t *float_slow_digits(const float_digits *digits, const uint64_t *words, uint64_t n,
                           uint64_t count) {
    int64_t *d = malloc(count * sizeof *d);
    for (uint64_t i = 0; i < count; i++) {
        d[i] = slow_digit(digits, words, n, i, count);
    }
    return d;
}

static void put_field(uint64_t *words, uint64_t n, unsigned width, uint64_t i, uint64_t f) {
    for (unsigned bit = 0; bit < width; bit++) {
        const uint64_t at = i * width + bit;
        if (at < 64 * n) {
            words[at / 64] |= (f >> bit & 1) << at % 64;
        }
    }
}

void float_fill(gen *g, const float_digits *digits, uint64_t *words, uint64_t n, float_shape s) {
    const uint64_t half = digits->radix / 2, count = digits->width ? 64 * n / digits->width + 1 : n;
    const uint64_t step = (uint64_t)1 << gen_below(g, 7), turns = gen_below(g, count);
    memset(words, 0, n * sizeof *words);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t coin = half - (gen_u64(g) & 1);
        const bool plus = cos(6.283185307179586 * (double)(turns * i % count) / (double)count) > 0;
        const uint64_t fields[FLOAT_SHAPES] = {digits->radix - 1,
                                               half,
                                               half - 1,
                                               half - (i & 1),
                                               coin,
                                               i % step ? 0 : coin,
                                               plus ? half - 1 : half,
                                               gen_below(g, digits->radix)};
        if (digits->width) {
            put_field(words, n, digits->width, i, fields[s]);
        } else {
            words[i] = fields[s];
        }
    }
}
