// text.c: text on the host: signs, characters and lengths; the public calls that need no choice of
// the place. A failure leaves everything as it was.
#include "bigint/text/text.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/text/decimal_digits.h"
#include "primitives/words/word.h"

// Texts of up to this many words keep them on the stack.
enum { FEW_WORDS = 16 };

// --- Reading ---

bigint_status text_bad_character(bigint_ctx *ctx, const char *who, size_t *bad_at, size_t at,
                                 size_t length) {
    if (bad_at != NULL) {
        *bad_at = at;
    }
    const unsigned long long where = at;
    return at == length
               ? bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: the text ends at position %llu without a digit", who, where)
               : bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: the character at position %llu is not a digit", who, where);
}

// read_words: {p, words} = the number of s[first .. length).
static bigint_status read_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                                uint64_t *p, uint64_t words, const char *s, size_t first,
                                size_t length, size_t *bad_at) {
    const size_t read = text_digits_read(radix, p, s + first, length - first);
    return read < length - first ? text_bad_character(ctx, who, bad_at, first + read, length)
                                 : text_from_words(ctx, who, radix, p, words);
}

bigint_status text_read(bigint_ctx *ctx, const char *who, const text_radix *radix, bigint *r,
                        const char *s, size_t first, size_t length, size_t *bad_at) {
    if (first == length) {
        return text_bad_character(ctx, who, bad_at, length, length);
    }
    const int sign = s[0] == '-' ? -1 : 1;
    // A word becomes one limb at most, in place. Limbs that r has already stay as they are until
    // the number is complete; new ones can be filled at once, on the host.
    const uint64_t words = text_words(radix, length - first);
    const bool room = words <= r->cap_ || ctx->away != NULL;
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = BIGINT_ENOMEM;
    uint64_t few[FEW_WORDS], cap = 0, *p;
    if (room && words <= FEW_WORDS) {
        p = few;
    } else if (room) {
        p = arena_take_limbs(ctx, who, words);
    } else {
        p = bigint_limbs_allocate(ctx, who, words, &cap, &status);
    }
    if (p == NULL) {
        return status;
    }
    status = read_words(ctx, who, radix, p, words, s, first, length, bad_at);
    if (status == BIGINT_OK && room) {
        status = bigint_store(ctx, who, r, p, words, sign);
    } else if (status == BIGINT_OK) {
        bigint_limbs_adopt(ctx, r, p, cap);
        bigint_finish(r, words, sign);
    } else if (!room) {
        bigint_limbs_release(ctx, p, cap);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status text_check_size(bigint_ctx *ctx, const char *who, const bigint *r, size_t length,
                              unsigned digits) {
    const bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    return status != BIGINT_OK ? status
                               : bigint_check_size(ctx, who, word_ceil_div(length, digits));
}

size_t text_skip_sign(const char *s, size_t length) {
    return length > 0 && (s[0] == '-' || s[0] == '+');
}

int text_prefix_base(const char *s, size_t length) {
    if (length < 2 || s[0] != '0') {
        return 10;
    }
    const char letter = (char)(s[1] | 0x20);  // upper case to lower case; nothing else becomes b, x
    return letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
}

bigint_status bigint_set_hex(bigint_ctx *ctx, bigint *r, const char *s, size_t length,
                             size_t *bad_at) {
    const char *who = "bigint_set_hex";
    enum { BASE = 16, DIGITS = 16, PREFIX = 2 };
    const bigint_status status = text_check_size(ctx, who, r, length, DIGITS);
    if (status != BIGINT_OK) {
        return status;
    }
    const text_radix radix = text_radix_of(BASE);
    size_t first = text_skip_sign(s, length);
    first += text_prefix_base(s + first, length - first) == BASE ? PREFIX : 0;
    return text_read(ctx, who, &radix, r, s, first, length, bad_at);
}

bigint_status text_check_base(bigint_ctx *ctx, const char *who, int base, int least) {
    const bool folds = base >= least && base <= -TEXT_BASE_LEAST;  // upper case
    return (base >= TEXT_BASE_LEAST && base <= TEXT_BASE_MOST) || folds
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_EINVAL, "%s: no digits for base %d; bases are 2 to 62",
                             who, base);
}

// --- Writing ---

// exact_digits: the digits that {words, count} really has; at least 1.
static uint64_t exact_digits(const text_radix *radix, const uint64_t *words, uint64_t count) {
    count = limbs_normalize(words, count);
    if (count == 0) {
        return 1;
    }
    const uint64_t top = words[count - 1];
    return radix->shift != 0 ? text_digits_bound(radix, 64 * count - word_clz(top))
                             : (count - 1) * radix->digits + text_digits_of(radix, top);
}

bigint_status text_check_room(bigint_ctx *ctx, const char *who, size_t cap, size_t *need,
                              bool negative, uint64_t digits) {
    const uint64_t total = negative + digits + 1;
    if (need != NULL) {
        *need = total;
    }
    return bigint_check_capacity(ctx, who, "characters", cap, total);
}

// write_text: '-' if negative, the digits, NUL; or only *need if that does not fit.
static bigint_status write_text(bigint_ctx *ctx, const char *who, const text_radix *radix,
                                char *buf, size_t cap, size_t *need, bool negative,
                                const uint64_t *words, uint64_t count) {
    const uint64_t digits = exact_digits(radix, words, count);
    const bigint_status status = text_check_room(ctx, who, cap, need, negative, digits);
    if (status == BIGINT_OK) {
        if (negative) {
            *buf++ = '-';
        }
        text_digits_write(radix, buf, digits, words);
        buf[digits] = '\0';
    }
    return status;
}

// text_of: the text of a, of `bits` > 0 bits; `digits` is the bound.
static bigint_status text_of(bigint_ctx *ctx, const char *who, const text_radix *radix, char *buf,
                             size_t cap, size_t *need, const bigint *a, uint64_t bits,
                             bool negative) {
    const uint64_t digits = text_digits_bound(radix, bits), n = word_ceil_div(bits, 64);
    // With room for the bound less one the text may fit: the number itself has to tell.
    if (cap < negative + digits) {
        return text_check_room(ctx, who, cap, need, negative, digits);
    }
    const uint64_t count = text_words(radix, digits);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS];
    uint64_t *const words = count <= FEW_WORDS ? few : arena_take_limbs(ctx, who, count);
    if (words == NULL) {
        return BIGINT_ENOMEM;
    }
    bigint_status status;
    const uint64_t *const p = bigint_view(ctx, who, a, n, &status);
    if (status == BIGINT_OK) {
        status = text_to_words(ctx, who, radix, words, count, p, n);
    }
    if (status == BIGINT_OK) {
        status = write_text(ctx, who, radix, buf, cap, need, negative, words, count);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status text_write(bigint_ctx *ctx, const char *who, const text_radix *radix, char *buf,
                         size_t cap, size_t *need, const bigint *a, uint64_t bits, int sign) {
    const uint64_t zero = 0;
    return bits == 0 ? write_text(ctx, who, radix, buf, cap, need, false, &zero, 1)
                     : text_of(ctx, who, radix, buf, cap, need, a, bits, sign < 0);
}

bigint_status bigint_get_hex(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                             const bigint *a) {
    const char *who = "bigint_get_hex";
    const text_radix radix = text_radix_of(16);
    uint64_t bits;
    int sign;
    const bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    return status == BIGINT_OK ? text_write(ctx, who, &radix, buf, cap, need, a, bits, sign)
                               : status;
}

bigint_status bigint_digits_bound(bigint_ctx *ctx, uint64_t *digits, const bigint *a, int base) {
    const char *who = "bigint_digits_bound";
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status == BIGINT_OK) {
        status = text_check_base(ctx, who, base, -36);
    }
    if (status == BIGINT_OK) {
        const text_radix radix = text_radix_of(base);
        *digits = bits == 0 ? 1 : text_digits_bound(&radix, bits);
    }
    return status;
}

// --- Limbs ---

bigint_status bigint_limbs_set_decimal(bigint_ctx *ctx, uint64_t *rp, uint64_t cap, uint64_t *rn,
                                       const char *s, size_t length, size_t *bad_at) {
    const char *who = "bigint_limbs_set_decimal";
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, word_ceil_div(length, text_decimal.digits));
    }
    if (status != BIGINT_OK || length == 0) {
        return status != BIGINT_OK ? status : text_bad_character(ctx, who, bad_at, 0, 0);
    }
    const uint64_t words = word_ceil_div(length, text_decimal.digits);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS];
    uint64_t *const p = words <= FEW_WORDS ? few : arena_take_limbs(ctx, who, words);
    status = p == NULL ? BIGINT_ENOMEM
                       : read_words(ctx, who, &text_decimal, p, words, s, 0, length, bad_at);
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
    const uint64_t bound =
        an == 0 ? 1 : text_digits_bound(&text_decimal, 64 * an - word_clz(ap[an - 1]));
    *length = bound;
    // With room for the bound less one the number itself has to tell.
    status = bigint_check_capacity(ctx, who, "characters", cap, bound - (bound > 1));
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t count = word_ceil_div(bound, text_decimal.digits);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[FEW_WORDS] = {0};
    uint64_t *const words = count <= FEW_WORDS ? few : arena_take_limbs(ctx, who, count);
    if (words == NULL) {
        return BIGINT_ENOMEM;
    }
    status = an == 0 ? BIGINT_OK : text_to_words(ctx, who, &text_decimal, words, count, ap, an);
    if (status == BIGINT_OK) {
        *length = exact_digits(&text_decimal, words, count);
        status = bigint_check_capacity(ctx, who, "characters", cap, *length);
    }
    if (status == BIGINT_OK) {
        text_digits_write(&text_decimal, buf, *length, words);
    }
    arena_release(ctx, mark);
    return status;
}
