// plan.h: how the host converts text, and the workspace that it needs for that. Internal to
// bigint/.
#ifndef BIGINT_TEXT_PLAN_H_
#define BIGINT_TEXT_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/text/radix.h"

// text_leaf: the words of a leaf, as short as `most` or shorter, of n words halved *levels times.
static inline uint64_t text_leaf(uint64_t n, uint64_t most, unsigned *levels) {
    for (*levels = 0; n > most; n -= n / 2) {
        ++*levels;
    }
    return n;
}

// text_way: of words to be written. TEXT_BITS: words are limbs. FEW: repeated division. HALVING and
// TREE: to_words.c, tree.c.
typedef enum { TEXT_BITS, TEXT_FEW, TEXT_HALVING, TEXT_TREE, TEXT_WAYS } text_way;
text_way text_way_of(const text_radix *radix, uint64_t count);

// text_read_need: what text_read of n digits needs. text_write_need: text_write of an limbs, in
// host memory. text_read_print, text_write_print: how, on one line, like snprintf.
void text_read_need(work_need *w, const text_radix *radix, uint64_t n);
void text_write_need(work_need *w, const text_radix *radix, uint64_t an);
int text_read_print(const bigint_ctx *ctx, char *buf, size_t cap, const text_radix *radix,
                    uint64_t n);
int text_write_print(const bigint_ctx *ctx, char *buf, size_t cap, const text_radix *radix,
                     uint64_t an);

#endif  // BIGINT_TEXT_PLAN_H_
