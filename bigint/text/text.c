// text.c: the public calls for decimal text: signs, characters and lengths. A failure leaves
// everything as it was.
#include "bigint/text/text.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/text/decimal_digits.h"
#include "primitives/words/word.h"

// Texts of up to this many words keep them on the stack.
enum { FEW_WORDS = 16 };

// --- Reading ---

static bigint_status bad_character(bigint_ctx *ctx, size_t *bad_at, size_t at, size_t length) {
    if (bad_at != NULL) {
        *bad_at = at;
    }
    const unsigned long long where = at;
    return at == length
               ? bigint_fail(ctx, BIGINT_EINVAL,
                             "bigint_set_decimal: the text ends at position %llu without a digit",
                             where)
               : bigint_fail(ctx, BIGINT_EINVAL,
                             "bigint_set_decimal: the character at position %llu is not a digit",
                             where);
}

// read_words: {p, words} = the number of s[first .. length).
static bigint_status read_words(bigint_ctx *ctx, uint64_t *p, uint64_t words, const char *s,
                                size_t first, size_t length, size_t *bad_at) {
    const size_t read = decimal_digits_read(p, s + first, length - first, DECIMAL_WORD_DIGITS);
    return read < length - first ? bad_character(ctx, bad_at, first + read, length)
                                 : text_from_words(ctx, p, words);
}

bigint_status bigint_set_decimal(bigint_ctx *ctx, bigint *r, const char *s, size_t length,
                                 size_t *bad_at) {
    bigint_status status = bigint_check_places(ctx, "bigint_set_decimal", r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, "bigint_set_decimal",
                                   word_ceil_div(length, DECIMAL_WORD_DIGITS));
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const size_t first = length > 0 && (s[0] == '-' || s[0] == '+');
    if (first == length) {
        return bad_character(ctx, bad_at, length, length);
    }
    // A word of 19 digits becomes one limb at most, in place. Limbs that r has already stay as they
    // are until the number is complete; new ones can be filled at once, on the host.
    const uint64_t words = word_ceil_div(length - first, DECIMAL_WORD_DIGITS);
    const int sign = s[0] == '-' ? -1 : 1;
    const bool room = words <= r->cap_ || context_on_device(ctx);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS], cap = 0, *p;
    if (room && words <= FEW_WORDS) {
        p = few;
    } else if (room) {
        p = arena_take_limbs(ctx, "bigint_set_decimal", words);
        status = BIGINT_ENOMEM;
    } else {
        p = bigint_limbs_allocate(ctx, "bigint_set_decimal", words, &cap, &status);
    }
    if (p == NULL) {
        return status;
    }
    status = read_words(ctx, p, words, s, first, length, bad_at);
    if (status == BIGINT_OK && room) {
        status = bigint_store(ctx, "bigint_set_decimal", r, p, words, sign);
    } else if (status == BIGINT_OK) {
        bigint_limbs_adopt(ctx, r, p, cap);
        bigint_finish(r, words, sign);
    } else if (!room) {
        bigint_limbs_release(ctx, p, cap);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Writing ---

// digits_bound: the digits of a number of `bits` >= 1 bits, or one more: floor(bits log10(2)) + 1.
// The factor is 2^64 log10(2) rounded up; below 2^62 bits that adds less than 1/4
// (docs/proofs/text.md).
static uint64_t digits_bound(uint64_t bits) {
    assert(bits >= 1 && bits >> 62 == 0);
    return (uint64_t)((word_pair)bits * UINT64_C(5553023288523357133) >> 64) + 1;
}

// exact_digits: the digits that {words, count} really has; at least 1.
static uint64_t exact_digits(const uint64_t *words, uint64_t count) {
    count = limbs_normalize(words, count);
    if (count == 0) {
        return 1;
    }
    static const uint64_t power[DECIMAL_WORD_DIGITS + 1] = {1,
                                                            10,
                                                            100,
                                                            1000,
                                                            10000,
                                                            100000,
                                                            1000000,
                                                            10000000,
                                                            100000000,
                                                            1000000000,
                                                            10000000000,
                                                            100000000000,
                                                            1000000000000,
                                                            10000000000000,
                                                            100000000000000,
                                                            1000000000000000,
                                                            10000000000000000,
                                                            100000000000000000,
                                                            1000000000000000000,
                                                            DECIMAL_WORD_RADIX};
    // The bound is the number of digits of the longest number with this many bits.
    const uint64_t top = words[count - 1], bound = digits_bound(64 - word_clz(top));
    return (count - 1) * DECIMAL_WORD_DIGITS + bound - (top < power[bound - 1]);
}

// write_text: '-' if negative, the digits, NUL; or only *need if that does not fit.
static bigint_status write_text(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, bool negative,
                                const uint64_t *words, uint64_t count) {
    const uint64_t digits = exact_digits(words, count), total = negative + digits + 1;
    if (need != NULL) {
        *need = total;
    }
    const bigint_status status =
        bigint_check_capacity(ctx, "bigint_get_decimal", "characters", cap, total);
    if (status == BIGINT_OK) {
        if (negative) {
            *buf++ = '-';
        }
        decimal_digits_write(buf, digits, words, DECIMAL_WORD_DIGITS);
        buf[digits] = '\0';
    }
    return status;
}

bigint_status bigint_get_decimal(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                 const bigint *a) {
    const char *who = "bigint_get_decimal";
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool negative = sign < 0;
    const uint64_t zero = 0;
    if (bits == 0) {
        return write_text(ctx, buf, cap, need, negative, &zero, 1);
    }
    const uint64_t digits = digits_bound(bits), n = word_ceil_div(bits, 64);
    // With room for the bound less one the text may fit: the number itself has to tell.
    if (cap < negative + digits) {
        if (need != NULL) {
            *need = negative + digits + 1;
        }
        return bigint_check_capacity(ctx, who, "characters", cap, negative + digits + 1);
    }
    const uint64_t count = word_ceil_div(digits, DECIMAL_WORD_DIGITS);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS];
    uint64_t *const words = count <= FEW_WORDS ? few : arena_take_limbs(ctx, who, count);
    if (words == NULL) {
        return BIGINT_ENOMEM;
    }
    const uint64_t *const p = bigint_view(ctx, who, a, n, &status);
    if (status == BIGINT_OK) {
        status = text_to_words(ctx, words, count, p, n);
    }
    if (status == BIGINT_OK) {
        status = write_text(ctx, buf, cap, need, negative, words, count);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Limbs ---

bigint_status bigint_limbs_set_decimal(bigint_ctx *ctx, uint64_t *rp, uint64_t cap, uint64_t *rn,
                                       const char *s, size_t length, size_t *bad_at) {
    const char *who = "bigint_limbs_set_decimal";
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, word_ceil_div(length, DECIMAL_WORD_DIGITS));
    }
    if (status != BIGINT_OK || length == 0) {
        return status != BIGINT_OK ? status : bad_character(ctx, bad_at, 0, 0);
    }
    const uint64_t words = word_ceil_div(length, DECIMAL_WORD_DIGITS);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS];
    uint64_t *const p = words <= FEW_WORDS ? few : arena_take_limbs(ctx, who, words);
    status = p == NULL ? BIGINT_ENOMEM : read_words(ctx, p, words, s, 0, length, bad_at);
    if (status == BIGINT_OK) {
        *rn = limbs_normalize(p, words);
        status = bigint_check_capacity(ctx, who, "limbs", cap, *rn);
    }
    if (status == BIGINT_OK) {
        memcpy(rp, p, *rn * sizeof *rp);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_limbs_get_decimal(bigint_ctx *ctx, char *buf, size_t cap, size_t *length,
                                       const uint64_t *ap, uint64_t an) {
    const char *who = "bigint_limbs_get_decimal";
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, an);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    an = limbs_normalize(ap, an);
    const uint64_t bound = an == 0 ? 1 : digits_bound(64 * an - word_clz(ap[an - 1]));
    *length = bound;
    // With room for the bound less one the number itself has to tell.
    status = bigint_check_capacity(ctx, who, "characters", cap, bound - (bound > 1));
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t count = word_ceil_div(bound, DECIMAL_WORD_DIGITS);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS] = {0};
    uint64_t *const words = count <= FEW_WORDS ? few : arena_take_limbs(ctx, who, count);
    if (words == NULL) {
        return BIGINT_ENOMEM;
    }
    status = an == 0 ? BIGINT_OK : text_to_words(ctx, words, count, ap, an);
    if (status == BIGINT_OK) {
        *length = exact_digits(words, count);
        status = bigint_check_capacity(ctx, who, "characters", cap, *length);
    }
    if (status == BIGINT_OK) {
        decimal_digits_write(buf, *length, words, DECIMAL_WORD_DIGITS);
    }
    arena_release(ctx, mark);
    return status;
}
