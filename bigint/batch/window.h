// window.h: what neighbouring items of a batch of products have in common, for products.c. Compiled
// for several processors. Includes nothing of the project.
#ifndef BIGINT_BATCH_WINDOW_H_
#define BIGINT_BATCH_WINDOW_H_

#include <stddef.h>
#include <stdint.h>

// The spans of a product.
enum { WINDOW_R, WINDOW_A, WINDOW_B, WINDOW_SPANS };

// window_lists: offsets and lengths of the items.
typedef struct {
    const uint64_t *at[WINDOW_SPANS], *n[WINDOW_SPANS];
} window_lists;

// window_rules: the lengths of the spans, of the first item, and the limbs from the result's span
// to the others.
typedef struct {
    uint64_t most[WINDOW_SPANS], first[WINDOW_SPANS], before[WINDOW_SPANS];
} window_rules;

// window_survey: all offsets' and lengths' bits; numbers whose top bit is set if a length is above
// its span's or a result does not hold its product, and if a result overlaps a factor; 0 if all
// lengths are the first item's. With offsets and lengths of at most 57 bits no difference
// reaches 2^63, so the top bit tells whether one is negative. A factor or result of 0 limbs inside
// the other counts as an overlap.
typedef struct {
    uint64_t bits, too_long, overlap, differ;
} window_survey;

// window_look adds `count` items to a survey.
typedef void window_look(window_survey *all, const window_lists *w, const window_rules *rules,
                         size_t count);
window_look window_look_portable, window_look_avx512;

#endif  // BIGINT_BATCH_WINDOW_H_
