// bytes.c: integers as words of any size and order, of which bytes are the shortest. Linear work
// only.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "primitives/words/word.h"

// --- Pieces of words -----------------------------------------------------------------------------

enum { PIECE = 8 };  // bytes at a time

static const bool own_big = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__;

static inline uint64_t load_limb(const uint8_t *p, bool big) {
    uint64_t value;
    memcpy(&value, p, sizeof value);
    return big == own_big ? value : __builtin_bswap64(value);
}

static inline void store_limb(uint8_t *p, bool big, uint64_t value) {
    value = big == own_big ? value : __builtin_bswap64(value);
    memcpy(p, &value, sizeof value);
}

// load, store: k bytes, 1 <= k <= 8.
static inline uint64_t load(const uint8_t *p, size_t k, bool big) {
    uint64_t value = 0;
    uint32_t half;
    switch (k) {
        case PIECE:
            return load_limb(p, big);
        case sizeof half:
            memcpy(&half, p, sizeof half);
            return big == own_big ? half : __builtin_bswap32(half);
        default:
#pragma GCC unroll 8
            for (size_t i = 0; i < k; i++) {
                value |= (uint64_t)p[big ? k - 1 - i : i] << (8 * i);
            }
            return value;
    }
}

static inline void store(uint8_t *p, size_t k, bool big, uint64_t value) {
    uint32_t half = (uint32_t)value;
    switch (k) {
        case PIECE:
            store_limb(p, big, value);
            break;
        case sizeof half:
            half = big == own_big ? half : __builtin_bswap32(half);
            memcpy(p, &half, sizeof half);
            break;
        default:
#pragma GCC unroll 8
            for (size_t i = 0; i < k; i++) {
                p[big ? k - 1 - i : i] = (uint8_t)(value >> (8 * i));
            }
    }
}

// --- Layouts -------------------------------------------------------------------------------------

// layout: bigint_words for an array of `count` words: `bits` of each count, the lowest ones.
typedef struct {
    size_t count, bytes, bits;
    bool big_order, big_endian;
} layout;

// bytes_of: n bytes in one order are a single word.
static layout bytes_of(size_t n, bigint_byte_order order) {
    const bool big = order == BIGINT_BIG_ENDIAN;
    return (layout){.count = n > 0, .bytes = n, .bits = 8 * n, .big_order = big, .big_endian = big};
}

// lowest: where the least significant word begins. step: from there to the next.
static size_t lowest(const layout *w) { return w->big_order ? (w->count - 1) * w->bytes : 0; }
static ptrdiff_t step(const layout *w) {
    return w->big_order ? -(ptrdiff_t)w->bytes : (ptrdiff_t)w->bytes;
}

// piece: the k bytes of a word from byte `at` on, counted from its lowest.
static inline size_t piece(const layout *w, size_t at, size_t k) {
    return w->big_endian ? w->bytes - at - k : at;
}

static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

// all_limbs: whether pieces are limbs.
static bool all_limbs(const layout *w) {
    return w->bits == 8 * w->bytes && (w->bytes % PIECE == 0 || w->count == 1);
}

// read_limbs, write_limbs: a word at p.
static uint64_t *read_limbs(uint64_t *limbs, const uint8_t *p, const layout *w) {
    const size_t whole = w->bytes / PIECE, rest = w->bytes % PIECE;
    const bool big = w->big_endian;
    for (size_t i = 0; i < whole; i++) {
        limbs[i] = load_limb(p + piece(w, i * PIECE, PIECE), big);
    }
    if (rest > 0) {
        limbs[whole] = load(p + piece(w, whole * PIECE, rest), rest, big);
    }
    return limbs + whole + (rest > 0);
}

static void write_limbs(uint8_t *p, const layout *w, const uint64_t *limbs, uint64_t n) {
    const size_t whole = w->bytes / PIECE, rest = w->bytes % PIECE;
    const bool big = w->big_endian;
    for (size_t i = 0; i < whole; i++) {
        store_limb(p + piece(w, i * PIECE, PIECE), big, i < n ? limbs[i] : 0);
    }
    if (rest > 0) {
        store(p + piece(w, whole * PIECE, rest), rest, big, whole < n ? limbs[whole] : 0);
    }
}

static uint64_t mask(size_t bits) { return UINT64_MAX >> (64 - bits); }

// read_words: the limbs of all words: as many as their bits fill.
static void read_words(uint64_t *limbs, const uint8_t *p, const layout *w) {
    uint64_t limb = 0;
    size_t have = 0;  // bits in limb
    p += lowest(w);
    if (all_limbs(w)) {
        for (size_t i = 0; i < w->count; i++, p += step(w)) {
            limbs = read_limbs(limbs, p, w);
        }
        return;
    }
    for (size_t i = 0; i < w->count; i++, p += step(w)) {
        for (size_t at = 0; 8 * at < w->bits; at += PIECE) {
            const size_t k = least(w->bytes - at, PIECE), take = least(w->bits - 8 * at, 64);
            const uint64_t value = load(p + piece(w, at, k), k, w->big_endian) & mask(take);
            limb |= value << have;
            have += take;
            if (have >= 64) {
                *limbs++ = limb;
                have -= 64;
                limb = have == 0 ? 0 : value >> (take - have);
            }
        }
    }
    if (have > 0) {
        *limbs = limb;
    }
}

// write_words: all words, from {limbs, n}, which their bits can hold.
static void write_words(uint8_t *p, const layout *w, const uint64_t *limbs, uint64_t n) {
    uint64_t limb = 0;
    size_t have = 0;  // bits in limb not written yet
    p += lowest(w);
    if (all_limbs(w)) {
        const uint64_t each = w->bytes / PIECE;
        for (uint64_t i = 0; i < w->count; i++, p += step(w)) {
            write_limbs(p, w, limbs + i * each, n - i * each);  // fewer limbs in the last one alone
        }
        return;
    }
    for (size_t i = 0; i < w->count; i++, p += step(w)) {
        for (size_t at = 0; at < w->bytes; at += PIECE) {
            const size_t k = least(w->bytes - at, PIECE);
            const size_t take = 8 * at < w->bits ? least(w->bits - 8 * at, 64) : 0;
            uint64_t value = limb;
            if (have >= take) {  // below 64, as have is
                limb >>= take;
                have -= take;
            } else {
                const uint64_t next = n > 0 ? *limbs++ : 0;
                n -= n > 0;
                value |= next << have;
                have += 64 - take;
                limb = have == 0 ? 0 : next >> (64 - have);
            }
            store(p + piece(w, at, k), k, w->big_endian, take == 0 ? 0 : value & mask(take));
        }
    }
}

// --- Integers ------------------------------------------------------------------------------------

// set_words: r = sign times the number of the words, whose size is checked.
static bigint_status set_words(bigint_ctx *ctx, const char *who, bigint *r, const uint8_t *p,
                               const layout *w, int sign) {
    const uint64_t limbs = word_ceil_div((uint64_t)w->count * w->bits, 64);
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status;
    uint64_t *const words = bigint_draft(ctx, who, r, limbs, &status);
    if (status == BIGINT_OK) {
        read_words(words, p, w);
        status = bigint_store(ctx, who, r, words, limbs, sign);
    }
    arena_release(ctx, mark);
    return status;
}

// get_words: the words of |a|, of `bits` bits.
static bigint_status get_words(bigint_ctx *ctx, const char *who, uint8_t *p, const layout *w,
                               const bigint *a, uint64_t bits) {
    if (w->count == 0) {
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t n = word_ceil_div(bits, 64);
    bigint_status status;
    const uint64_t *const limbs = bigint_view(ctx, who, a, n, &status);
    if (status == BIGINT_OK) {
        write_words(p, w, limbs, n);
    }
    arena_release(ctx, mark);
    return status;
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
    if (status != BIGINT_OK) {
        return status;
    }
    const layout w = bytes_of(n, order);
    return set_words(ctx, who, r, p, &w, sign);
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
    const layout w = bytes_of(word_ceil_div(bits, 8), order);
    if (need != NULL) {
        *need = w.bytes;
    }
    status = bigint_check_capacity(ctx, who, "bytes", cap, w.bytes);
    return status != BIGINT_OK ? status : get_words(ctx, who, p, &w, a, bits);
}

// layout_of: *w from the caller's description, for any number of words.
static bigint_status layout_of(bigint_ctx *ctx, const char *who, layout *w,
                               const bigint_words *words) {
    const bool native = words->endian == BIGINT_NATIVE_ENDIAN;
    bigint_status status = check_order(ctx, who, words->order);
    if (status == BIGINT_OK && !native) {
        status = check_order(ctx, who, words->endian);
    }
    if (status == BIGINT_OK &&
        (words->bytes == 0 || words->bytes > SIZE_MAX / 8 || words->nails >= 8 * words->bytes)) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL, "%s: words of %zu bytes have no bits beside %zu nails",
                        who, words->bytes, words->nails);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    *w = (layout){.bytes = words->bytes,
                  .bits = 8 * words->bytes - words->nails,
                  .big_order = words->order == BIGINT_BIG_ENDIAN,
                  .big_endian = native ? own_big : words->endian == BIGINT_BIG_ENDIAN};
    return BIGINT_OK;
}

// join: words that follow one another without a gap are one long word.
static void join(layout *w) {
    const bool in_order = w->big_order == w->big_endian || w->bytes == 1;
    if (w->count > 0 && w->bits == 8 * w->bytes && in_order) {
        w->big_endian = w->big_order;
        w->bytes *= w->count;
        w->bits = 8 * w->bytes;
        w->count = 1;
    }
}

bigint_status bigint_set_words(bigint_ctx *ctx, bigint *r, const void *p, size_t count,
                               const bigint_words *words, int sign) {
    const char *who = "bigint_set_words";
    layout w;
    bigint_status status = bigint_check_places(ctx, who, r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = layout_of(ctx, who, &w, words);
    }
    if (status == BIGINT_OK) {
        uint64_t bits;
        const bool huge = __builtin_mul_overflow((uint64_t)count, (uint64_t)w.bits, &bits);
        status = bigint_check_size(ctx, who, huge ? UINT64_MAX : word_ceil_div(bits, 64));
    }
    if (status != BIGINT_OK) {
        return status;
    }
    w.count = count;
    join(&w);
    return set_words(ctx, who, r, p, &w, sign);
}

bigint_status bigint_get_words(bigint_ctx *ctx, void *p, size_t cap, size_t *need,
                               const bigint_words *words, const bigint *a) {
    const char *who = "bigint_get_words";
    uint64_t bits;
    int sign;
    layout w;
    bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status == BIGINT_OK) {
        status = layout_of(ctx, who, &w, words);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    w.count = word_ceil_div(bits, w.bits);
    if (need != NULL) {
        *need = w.count;
    }
    status = bigint_check_capacity(ctx, who, "words", cap, w.count);
    if (status != BIGINT_OK) {
        return status;
    }
    join(&w);
    return get_words(ctx, who, p, &w, a, bits);
}
