// tree.h: the tree of a decimal conversion on a device, as numbers that the host knows. Internal to
// bigint/.
//
// A leaf is `leaf` words of 19 digits, and a node of level j is leaf 2^j words: all nodes of a
// level are alike, so that a level is one batch. The root holds the number, with zeros above it.
#ifndef BIGINT_DEVICE_TEXT_TREE_H_
#define BIGINT_DEVICE_TEXT_TREE_H_

#include "bigint/core/context.h"
#include "primitives/words/word.h"

// device_text_five: 5^k of a level, k = 19 words: its length in bits, and its top 128 bits, rounded
// down or less by some units (docs/proofs/text.md): the lengths of all numbers of a conversion
// follow from them, so the host needs no values from the device.
typedef struct {
    uint64_t words, bits;
    word_pair top;
} device_text_five;

// No tree is deeper: 2^51 words of 128 times as many limbs do not fit in memory.
enum { DEVICE_TEXT_LEVELS_MOST = 44 };
typedef struct {
    uint64_t leaf;  // an even number
    unsigned levels;
    device_text_five five[DEVICE_TEXT_LEVELS_MOST + 1];
} device_text_tree;

// device_text_tree_make: the tree for `count` >= 1 words. Fewer than leaf / 32 leaves' words are
// zeros above the number, where there are several leaves.
void device_text_tree_make(const bigint_ctx *ctx, device_text_tree *tree, uint64_t count);
// device_text_words: the words of all leaves.
static inline uint64_t device_text_words(const device_text_tree *tree) {
    return tree->leaf << tree->levels;
}
// The bits of 10^k.
static inline uint64_t device_text_ten_bits(const device_text_five *five) {
    return five->bits + 19 * five->words;
}

// device_text_leaf_power: five = 5^k of a leaf, in device memory, between no device_enter and
// device_leave. device_text_square: to = 5^2k, of that level, from 5^k.
bigint_status device_text_leaf_power(bigint_ctx *ctx, const char *who, bigint *five,
                                     const device_text_tree *tree);
bigint_status device_text_square(bigint_ctx *ctx, const char *who, bigint *to,
                                 const device_text_five *level, const bigint *from);

#endif  // BIGINT_DEVICE_TEXT_TREE_H_
