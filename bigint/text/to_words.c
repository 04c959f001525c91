// to_words.c: limbs to words of digits: repeated division for short numbers, halving by divisions
// for medium ones, the tree of tree.c for long ones.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

// few_words: by repeated division by one word.
static void few_words(const text_radix *radix, uint64_t *words, uint64_t count, const uint64_t *ap,
                      uint64_t an) {
    uint64_t a[TEXT_WRITE_FEW];
    assert(an <= count && count <= TEXT_WRITE_FEW);
    if (count == 1) {
        words[0] = ap[0];
        return;
    }
    const word_divisor d = word_divisor_of(radix->word);
    words[0] = limbs_divrem_by(a, ap, an, &d);
    for (uint64_t i = 1; i < count; i++) {
        an -= an > 0 && a[an - 1] == 0;  // the quotient has one limb less at most
        words[i] = limbs_divrem_by(a, a, an, &d);
    }
}

// --- Halving ---

enum { HALVINGS_MAX = 16 };

typedef struct {
    const char *who;                 // the call, for texts of errors
    uint64_t leaf;                   // words
    text_power power[HALVINGS_MAX];  // of leaf 2^j words
} halving;

static bigint_status to_words(bigint_ctx *ctx, const halving *s, unsigned j, uint64_t *words,
                              uint64_t room, const uint64_t *ap, uint64_t an);

// leaf_words: through a fraction: one division and as many rows as there are words.
static bigint_status leaf_words(bigint_ctx *ctx, const halving *s, uint64_t *words, uint64_t room,
                                const uint64_t *ap, uint64_t an) {
    const uint64_t m = text_fraction_limbs(&s->power[0]);
    uint64_t *const f = arena_take_limbs(ctx, s->who, m);
    if (f == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status = text_fraction(ctx, s->who, f, &s->power[0], ap, an);
    if (status == BIGINT_OK) {
        text_fraction_words(ctx->limbs, s->power[0].radix, words, room, s->leaf, f, m);
    }
    return status;
}

// halve: {low, ln} = A mod 10^k, {high, hn} = floor(A / 10^k), for A = {ap, an} >= 2^k 5^k: the
// upper limbs are divided by 5^k; what k bits shift out goes below the remainder.
static bigint_status halve(bigint_ctx *ctx, uint64_t *low, uint64_t *high, uint64_t *upper,
                           const text_power *power, const uint64_t *ap, uint64_t an) {
    const uint64_t twos = text_power_twos(power), skip = twos / 64, un = an - skip, pn = power->n;
    const unsigned shift = (unsigned)(twos % 64);
    text_cut(upper, un, ap, an, twos);
    const bigint_status status = bigint_divrem_limbs(ctx, high, upper, upper, un, power->p, pn);
    if (status != BIGINT_OK) {
        return status;
    }
    memcpy(low, ap, skip * sizeof *low);
    low[skip + pn] = limbs_lshift(low + skip, upper, pn, shift);
    low[skip] |= ap[skip] & (((uint64_t)1 << shift) - 1);
    return BIGINT_OK;
}

// node_words: two halves, or just the lower one if the number has no more digits.
static bigint_status node_words(bigint_ctx *ctx, const halving *s, unsigned j, uint64_t *words,
                                uint64_t room, const uint64_t *ap, uint64_t an) {
    const text_power *const power = &s->power[j - 1];
    const uint64_t half = s->leaf << (j - 1), ln = text_power_twos(power) / 64 + power->n + 1;
    if (an < ln - 1) {  // below 2^k 5^k
        if (room > half) {
            memset(words + half, 0, (room - half) * sizeof *words);
        }
        return to_words(ctx, s, j - 1, words, room, ap, an);
    }
    uint64_t *const low = arena_take_limbs(ctx, s->who, ln + 2 * an);
    if (low == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t *const upper = low + ln, *const high = upper + an;
    bigint_status status = halve(ctx, low, high, upper, power, ap, an);
    if (status == BIGINT_OK) {
        status = to_words(ctx, s, j - 1, words, room, low, ln);
    }
    if (status == BIGINT_OK && room > half) {
        status = to_words(ctx, s, j - 1, words + half, room - half, high, an + 2 - ln);
    }
    return status;
}

// to_words: {words, min(room, leaf 2^j)} = A < 10^(19 leaf 2^j), A < 10^(19 room).
static bigint_status to_words(bigint_ctx *ctx, const halving *s, unsigned j, uint64_t *words,
                              uint64_t room, const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    an = limbs_normalize(ap, an);
    bigint_status status = BIGINT_OK;
    if (an == 0) {
        memset(words, 0, (room < s->leaf << j ? room : s->leaf << j) * sizeof *words);
    } else if (j == 0) {
        status = leaf_words(ctx, s, words, room, ap, an);
    } else {
        status = node_words(ctx, s, j, words, room, ap, an);
    }
    arena_release(ctx, mark);
    return status;
}

static bigint_status halving_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                                   uint64_t *words, uint64_t count, const uint64_t *ap,
                                   uint64_t an) {
    unsigned levels;
    halving s = {.who = who, .leaf = text_leaf(count, TEXT_WRITE_LEAF, &levels)};
    assert(levels < HALVINGS_MAX);
    for (unsigned j = 0; j == 0 || j < levels; j++) {
        s.power[j].p = arena_take_limbs(ctx, who, text_power_limbs(radix, s.leaf << j));
        if (s.power[j].p == NULL) {
            return BIGINT_ENOMEM;
        }
        const bigint_status status = j == 0 ? text_power_of_words(ctx, &s.power[0], radix, s.leaf)
                                            : text_power_square(ctx, &s.power[j], &s.power[j - 1]);
        if (status != BIGINT_OK) {
            return status;
        }
    }
    return to_words(ctx, &s, levels, words, count, ap, an);
}

// --- All ---

bigint_status text_to_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                            uint64_t *words, uint64_t count, const uint64_t *ap, uint64_t an) {
    const text_way way = text_way_of(radix, count);
    if (way == TEXT_BITS) {
        memcpy(words, ap, an * sizeof *words);
        memset(words + an, 0, (count - an) * sizeof *words);
        return BIGINT_OK;
    }
    if (way == TEXT_FEW) {
        few_words(radix, words, count, ap, an);
        return BIGINT_OK;
    }
    if (way == TEXT_TREE) {
        return text_tree_words(ctx, who, radix, words, count, ap, an);
    }
    const arena_mark mark = arena_get_mark(ctx);
    const bigint_status status = halving_words(ctx, who, radix, words, count, ap, an);
    arena_release(ctx, mark);
    return status;
}
