// bytes.c: integers as bytes of either endianness and as hexadecimal text. Linear work only.
// Decimal text is in text/text.c.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "primitives/words/word.h"

// --- Bytes ---------------------------------------------------------------------------------------

// byte_index: the index in a buffer of n bytes of the byte that weighs 256^i.
static size_t byte_index(size_t i, size_t n, bigint_byte_order order) {
    return order == BIGINT_LITTLE_ENDIAN ? i : n - 1 - i;
}

static bigint_status check_order(bigint_ctx *ctx, const char *who, bigint_byte_order order) {
    if (order == BIGINT_LITTLE_ENDIAN || order == BIGINT_BIG_ENDIAN) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "%s: byte order %d is neither BIGINT_LITTLE_ENDIAN nor BIGINT_BIG_ENDIAN",
                       who, (int)order);
}

bigint_status bigint_set_bytes(bigint_ctx *ctx, bigint *r, const uint8_t *p, size_t n,
                               bigint_byte_order order, int sign) {
    const char *who = "bigint_set_bytes";
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = check_order(ctx, who, order);
    }
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, word_ceil_div(n, 8));
    }
    size_t significant = n;
    while (status == BIGINT_OK && significant > 0 &&
           p[byte_index(significant - 1, n, order)] == 0) {
        significant--;
    }
    const size_t limbs = word_ceil_div(significant, 8);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *words = NULL;
    if (status == BIGINT_OK) {
        words = bigint_draft(ctx, who, r, limbs, &status);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    for (size_t i = 0; i < limbs; i++) {
        const size_t bytes = significant - 8 * i < 8 ? significant - 8 * i : 8;
        uint64_t limb = 0;
        for (size_t k = bytes; k-- > 0;) {
            limb = limb << 8 | p[byte_index(8 * i + k, n, order)];
        }
        words[i] = limb;
    }
    status = bigint_store(ctx, who, r, words, limbs, sign);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_get_bytes(bigint_ctx *ctx, uint8_t *p, size_t cap, size_t *need,
                               bigint_byte_order order, const bigint *a) {
    const char *who = "bigint_get_bytes";
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status == BIGINT_OK) {
        status = check_order(ctx, who, order);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const size_t n = word_ceil_div(bits, 8);
    if (need != NULL) {
        *need = n;
    }
    status = bigint_check_capacity(ctx, who, "bytes", cap, n);
    if (status != BIGINT_OK || n == 0) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t *limbs = bigint_view(ctx, who, a, word_ceil_div(bits, 64), &status);
    for (size_t i = 0; status == BIGINT_OK && i < n; i++) {
        p[byte_index(i, n, order)] = (uint8_t)(limbs[i / 8] >> (8 * (i % 8)));
    }
    arena_release(ctx, mark);
    return status;
}

// --- Hexadecimal ---------------------------------------------------------------------------------

// hex_digit: the value of a digit of either case, or 16.
static unsigned hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return (unsigned)(c - '0');
    }
    const char lower =
        (char)(c | 0x20);  // letters: to lower case; nothing else becomes a letter a..f
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 16;
}

bigint_status bigint_set_hex(bigint_ctx *ctx, bigint *r, const char *s, size_t length,
                             size_t *bad_at) {
    bigint_status status = bigint_check_places(ctx, "bigint_set_hex", r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, "bigint_set_hex", word_ceil_div(length, 16));
    }
    if (status != BIGINT_OK) {
        return status;
    }
    size_t first = 0;
    const int sign = length > 0 && s[0] == '-' ? -1 : 1;
    if (length > 0 && (s[0] == '-' || s[0] == '+')) {
        first = 1;
    }
    if (length - first >= 2 && s[first] == '0' && (s[first + 1] | 0x20) == 'x') {
        first += 2;
    }
    size_t end = first;
    while (end < length && hex_digit(s[end]) < 16) {
        end++;
    }
    if (end < length || end == first) {
        if (bad_at != NULL) {
            *bad_at = end;
        }
        return bigint_fail(ctx, BIGINT_EINVAL, "bigint_set_hex: %s at position %zu of %zu",
                           end < length ? "not a hexadecimal digit" : "a digit is missing", end,
                           length);
    }
    while (first < end && s[first] == '0') {
        first++;
    }
    const size_t limbs = word_ceil_div(end - first, 16);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *p = bigint_draft(ctx, "bigint_set_hex", r, limbs, &status);
    if (status != BIGINT_OK) {
        return status;
    }
    for (size_t i = 0; i < limbs; i++) {
        const size_t top = end - 16 * i, digits = top - first < 16 ? top - first : 16;
        uint64_t limb = 0;
        for (size_t k = top - digits; k < top; k++) {
            limb = limb << 4 | hex_digit(s[k]);
        }
        p[i] = limb;
    }
    status = bigint_store(ctx, "bigint_set_hex", r, p, limbs, sign);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_get_hex(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                             const bigint *a) {
    const char *who = "bigint_get_hex";
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const size_t digits = bits == 0 ? 1 : word_ceil_div(bits, 4), minus = sign < 0;
    const size_t characters = minus + digits + 1;
    if (need != NULL) {
        *need = characters;
    }
    status = bigint_check_capacity(ctx, who, "characters", cap, characters);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t zero = 0;
    const uint64_t *p =
        bits == 0 ? &zero : bigint_view(ctx, who, a, word_ceil_div(bits, 64), &status);
    if (status == BIGINT_OK) {
        buf[0] = '-';  // a digit overwrites it if there is no minus
        for (size_t i = 0; i < digits; i++) {
            buf[minus + digits - 1 - i] = "0123456789abcdef"[p[i / 16] >> (4 * (i % 16)) & 15];
        }
        buf[characters - 1] = 0;
    }
    arena_release(ctx, mark);
    return status;
}
