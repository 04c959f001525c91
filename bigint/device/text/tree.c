// tree.c: see tree.h.
#include "bigint/device/text/tree.h"

#include <assert.h>
#include <stdio.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/product.h"
#include "bigint/device/text/conversion.h"
#include "bigint/device/text/decimal.h"
#include "bigint/text/radix.h"

// Limbs of 5^(19 words) of a leaf: 45 bits a word.
enum { FIVE_LIMBS = (45 * TEXT_LEAF_MOST + 63) / 64 };

// leaf_power: {p, n} = 5^(19 words); returns n.
static uint64_t leaf_power(const bigint_ctx *ctx, uint64_t *p, uint64_t words) {
    uint64_t n = 1;
    p[0] = 1;
    for (uint64_t i = 0; i < words; i++) {
        const uint64_t top = ctx->limbs->mul_1(p, p, n, text_decimal.odd);
        if (top != 0) {
            p[n++] = top;
        }
    }
    assert(n <= FIVE_LIMBS);
    return n;
}

// top_of: the 128 bits from the top bit on of {p, n}, whose top limb is not zero.
static word_pair top_of(const uint64_t *p, uint64_t n) {
    const unsigned shift = word_clz(p[n - 1]);
    const uint64_t high = p[n - 1], middle = n > 1 ? p[n - 2] : 0, low = n > 2 ? p[n - 3] : 0;
    const word_pair top = (word_pair)high << 64 | middle;
    return shift == 0 ? top : top << shift | low >> (64 - shift);
}

// square_of: 5^2k from 5^k. The upper 128 bits of the square of `top`, which begins with its first
// or second bit.
static device_text_five square_of(const device_text_five *x) {
    const uint64_t h = (uint64_t)(x->top >> 64), l = (uint64_t)x->top;
    const word_pair hl = (word_pair)h * l, ll = (word_pair)l * l;
    // h^2 2^128 + 2 h l 2^64 + l^2: below 2^66 from 2^64 on, and what is above
    const word_pair below = 2 * (word_pair)(uint64_t)hl + (ll >> 64);
    const word_pair upper = (word_pair)h * h + 2 * (hl >> 64) + (below >> 64);
    const bool second = upper >> 127 == 0;
    const device_text_five square = {
        .words = 2 * x->words,
        .bits = 2 * x->bits - (second ? 1 : 0),
        .top = second ? upper << 1 | (uint64_t)below >> 63 : upper,
    };
    // The length is certain where the error, below 2^50 units, cannot reach the next power of 2.
    assert(square.top <= ~((word_pair)1 << 50));
    return square;
}

bool device_decimal_takes(const bigint_ctx *ctx, uint64_t digits) {
    const uint64_t least = ctx->queue.forced.text_digits;
    return digits >= (least != 0 ? least : TEXT_DEVICE_LEAST);
}

int device_decimal_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t digits) {
    device_text_tree tree;
    device_text_tree_make(ctx, &tree, text_words(&text_decimal, digits > 0 ? digits : 1));
    return snprintf(buf, cap, "%s, %llu digits, %u levels above leaves of %llu words of 19 digits",
                    names_backend(ctx->device.backend), (unsigned long long)digits, tree.levels,
                    (unsigned long long)tree.leaf);
}

void device_text_tree_make(const bigint_ctx *ctx, device_text_tree *tree, uint64_t count) {
    uint64_t p[FIVE_LIMBS];
    assert(count >= 1);
    *tree = (device_text_tree){.leaf = count};
    while (tree->leaf > TEXT_LEAF_MOST) {
        tree->leaf -= tree->leaf / 2;
        tree->levels++;
    }
    tree->leaf += tree->leaf % 2;
    assert(tree->levels <= DEVICE_TEXT_LEVELS_MOST && tree->leaf <= TEXT_LEAF_MOST);
    const uint64_t n = leaf_power(ctx, p, tree->leaf);
    tree->five[0] = (device_text_five){
        .words = tree->leaf, .bits = 64 * n - word_clz(p[n - 1]), .top = top_of(p, n)};
    for (unsigned j = 0; j < tree->levels; j++) {
        tree->five[j + 1] = square_of(&tree->five[j]);
    }
}

bigint_status device_text_leaf_power(bigint_ctx *ctx, const char *who, bigint *five,
                                     const device_text_tree *tree) {
    uint64_t p[FIVE_LIMBS];
    const uint64_t n = leaf_power(ctx, p, tree->leaf);
    return device_store(ctx, who, five, p, n, 1);
}

bigint_status device_text_square(bigint_ctx *ctx, const char *who, bigint *to,
                                 const device_text_five *level, const bigint *from) {
    const bigint_status status = device_mul(ctx, who, to, from, from);
    if (status == BIGINT_OK) {
        device_announce(to, level->bits);
    }
    return status;
}
