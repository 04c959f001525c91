// bytes.c: integers as bytes of either endianness. Linear work only.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "primitives/words/word.h"

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
