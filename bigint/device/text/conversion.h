// conversion.h: the kernels of radix conversion on a device: characters, leaves, and what stands
// between two levels of the tree. Plain C; the kernels are in conversion.cu. Internal to bigint/.
//
// B = 2^64; a word is a digit in radix 10^19, except where digits of other radices are packed.
// Pointers are to device memory, and nothing waits.
// Errors of all: RESULT_DEVICE_ERROR; RESULT_REFUSED: more numbers than a launch has blocks.
#ifndef BIGINT_DEVICE_TEXT_CONVERSION_H_
#define BIGINT_DEVICE_TEXT_CONVERSION_H_

#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// The words of a leaf: an even number of them up to this.
enum { TEXT_LEAF_MOST = 128 };

// --- Reading -------------------------------------------------------------------------------------

// text_pack enqueues {words, words_n} = the digits s[0 .. n), most significant first, in radix
// 10^k, zeros above: 64, 87 and 128 bits for each digit of k = 19, 26 and 38. And *bad = the
// position of the first character that is not a digit, if that is less than *bad.
// Requires: words_n words hold all digits of s. s may lie at any address. RESULT_REFUSED for
// another k.
// Cost: one launch; every character is read once, 16 at a time.
result text_pack(uint64_t *words, uint64_t words_n, unsigned k, const char *s, uint64_t n,
                 uint64_t *bad, cuda_stream stream);

// text_join_leaves enqueues x = `count` leaves of `leaf` words each, turned from words into limbs
// in place.
// Cost: one launch of leaf^2 / 2 products of words for a leaf, each leaf by one thread.
result text_join_leaves(uint64_t *x, uint64_t leaf, uint64_t count, cuda_stream stream);

// text_clear_upper enqueues x = `count` nodes of 2 half limbs with their upper halves cleared.
result text_clear_upper(uint64_t *x, uint64_t half, uint64_t count, cuda_stream stream);

// --- Writing -------------------------------------------------------------------------------------

// text_nodes: `count` fractions of n limbs, `stride` limbs from one to the next.
typedef struct {
    uint64_t *p, n, stride, count;
} text_nodes;

// text_split enqueues the halves of each node of `from`, to.count = 2 from.count, in its order: the
// lower half is limbs [bits / 64, ..) of the product 2^(-bits % 64), the upper one the top limbs of
// the node.
// Requires: product.count = from.count; to.n <= from.n; to.n + bits / 64 <= product.n
// Cost: one launch.
result text_split(text_nodes to, text_nodes from, text_nodes product, uint64_t bits,
                  cuda_stream stream);

// text_recentre enqueues f = f + (1/2 - g / B) / 10^k for each node f and its g, which are g_stride
// limbs apart; 1 / 10^k is inverse 2^-(shift + 63) units of f's last place. It reads and writes
// three limbs, and more as long as a carry goes on.
// Requires: f.n >= 2, shift < 64, inverse < 2^64; 0 < f < 1 before and after, or the top carry is
// lost.
// Cost: one launch.
result text_recentre(text_nodes f, const uint64_t *g, uint64_t g_stride, uint64_t inverse,
                     unsigned shift, cuda_stream stream);

// text_split_leaves enqueues words = the `leaf` words of each leaf, one leaf after another.
// Requires: leaf <= f.n <= leaf + 1.
// Cost: one launch; as text_join_leaves.
result text_split_leaves(uint64_t *words, uint64_t leaf, text_nodes f, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_TEXT_CONVERSION_H_
