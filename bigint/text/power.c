// power.c: the powers of 5, or of another base's odd part, of the conversion tree.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/multiply/mul.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

// word_bits: the bits of 5^19: 2^(word_bits - 1) < 5^19 < 2^word_bits.
static unsigned word_bits(const text_radix *radix) { return 64 - word_clz(radix->odd); }

uint64_t text_power_limbs(const text_radix *radix, uint64_t words) {
    const unsigned most = word_bits(radix);
    return words / 64 * most + words % 64 * most / 64 + 3;
}

static uint64_t power_bits(const text_power *power) {
    return 64 * power->n - word_clz(power->p[power->n - 1]);
}

// possible: whether a power has a length that 5^k may have. Everything that lengths are
// computed of is then within its memory, whatever the limbs are.
static bool possible(const text_power *power) {
    const uint64_t most = word_bits(power->radix) * power->words;
    return power->n > 0 && most - power->words < power_bits(power) && power_bits(power) <= most;
}

bigint_status text_power_square(bigint_ctx *ctx, text_power *square, const text_power *power) {
    const bigint_status status =
        bigint_mul_limbs(ctx, square->p, power->p, power->n, power->p, power->n);
    if (status != BIGINT_OK) {
        return status;
    }
    square->n = limbs_normalize(square->p, 2 * power->n);
    square->radix = power->radix;
    square->words = 2 * power->words;
    return possible(square)
               ? BIGINT_OK
               : context_impossible(ctx, "radix conversion", "the length of a power of 5");
}

bigint_status text_power_of_words(bigint_ctx *ctx, text_power *power, const text_radix *radix,
                                  uint64_t words) {
    assert(words >= 1);
    const arena_mark mark = arena_get_mark(ctx);
    text_power root = {
        .p = arena_take_limbs(ctx, "radix conversion", text_power_limbs(radix, words / 2))};
    if (root.p == NULL) {
        return BIGINT_ENOMEM;
    }
    power->radix = radix;
    power->p[0] = radix->odd;
    power->n = 1;
    power->words = 1;
    bigint_status status = BIGINT_OK;
    for (unsigned bit = 63 - word_clz(words); status == BIGINT_OK && bit > 0; bit--) {
        memcpy(root.p, power->p, power->n * sizeof *power->p);
        root.n = power->n;
        root.radix = radix;
        root.words = power->words;
        status = text_power_square(ctx, power, &root);
        if (status == BIGINT_OK && (words >> (bit - 1) & 1) != 0) {
            const uint64_t top = ctx->limbs->mul_1(power->p, power->p, power->n, radix->odd);
            power->p[power->n] = top;
            power->n += top != 0;
            power->words++;
        }
    }
    arena_release(ctx, mark);
    return status;
}

uint64_t text_power_of_ten_bits(const text_power *power) {
    return power_bits(power) + text_power_twos(power);
}
