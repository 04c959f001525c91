// power.c: the powers of 5 of the conversion tree.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/multiply/mul.h"
#include "bigint/text/decimal_digits.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

#define FIVE_19 UINT64_C(19073486328125)

// 2^44 < 5^19 < 2^45.
enum { WORD_BITS_LEAST = 44, WORD_BITS_MOST = 45 };

uint64_t text_power_limbs(uint64_t words) {
    return words / 64 * WORD_BITS_MOST + words % 64 * WORD_BITS_MOST / 64 + 3;
}

static uint64_t power_bits(const text_power *power) {
    return 64 * power->n - word_clz(power->p[power->n - 1]);
}

// possible: whether a power has a length that 5^digits may have. Everything that lengths are
// computed of is then within its memory, whatever the limbs are.
static bool possible(const text_power *power) {
    const uint64_t words = power->digits / DECIMAL_WORD_DIGITS;
    return power->n > 0 && WORD_BITS_LEAST * words < power_bits(power) &&
           power_bits(power) <= WORD_BITS_MOST * words;
}

bigint_status text_power_square(bigint_ctx *ctx, text_power *square, const text_power *power) {
    const bigint_status status =
        bigint_mul_limbs(ctx, square->p, power->p, power->n, power->p, power->n);
    if (status != BIGINT_OK) {
        return status;
    }
    square->n = limbs_normalize(square->p, 2 * power->n);
    square->digits = 2 * power->digits;
    return possible(square)
               ? BIGINT_OK
               : context_impossible(ctx, "radix conversion", "the length of a power of 5");
}

bigint_status text_power_of_words(bigint_ctx *ctx, text_power *power, uint64_t words) {
    assert(words >= 1);
    const arena_mark mark = arena_get_mark(ctx);
    text_power root = {
        .p = arena_take_limbs(ctx, "bigint_set_decimal", text_power_limbs(words / 2))};
    if (root.p == NULL) {
        return BIGINT_ENOMEM;
    }
    power->p[0] = FIVE_19;
    power->n = 1;
    power->digits = DECIMAL_WORD_DIGITS;
    bigint_status status = BIGINT_OK;
    for (unsigned bit = 63 - word_clz(words); status == BIGINT_OK && bit > 0; bit--) {
        memcpy(root.p, power->p, power->n * sizeof *power->p);
        root.n = power->n;
        root.digits = power->digits;
        status = text_power_square(ctx, power, &root);
        if (status == BIGINT_OK && (words >> (bit - 1) & 1) != 0) {
            const uint64_t top = ctx->limbs->mul_1(power->p, power->p, power->n, FIVE_19);
            power->p[power->n] = top;
            power->n += top != 0;
            power->digits += DECIMAL_WORD_DIGITS;
        }
    }
    arena_release(ctx, mark);
    return status;
}

uint64_t text_power_of_ten_bits(const text_power *power) {
    return power_bits(power) + power->digits;
}
