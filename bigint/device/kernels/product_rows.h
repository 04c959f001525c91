// product_rows.h: batches of products in one launch, as kernels see them. Internal to bigint/;
// plain C.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_H_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// product_item: {r, rn} = {a, an} {b, bn}, zero-padded. The value is below 2^(64 rn). All limbs are
// in device memory. an = 0 or bn = 0: the value is 0.
typedef struct {
    uint64_t *r;
    const uint64_t *a, *b;
    uint64_t rn, an, bn;
} product_item;

// product_rows: `count` products. items: a list in device memory, one item for each product; NULL:
// product i is `first` with its pointers i strides further, in limbs. each: products of a block,
// which the launch chooses.
typedef struct {
    product_item first;
    uint64_t r_stride, a_stride, b_stride;
    const product_item *items;
    uint64_t count;
    unsigned each;
} product_rows;

// product_rows_of: one product.
static inline product_rows product_rows_of(product_item item) {
    const product_rows one = {item, 0, 0, 0, NULL, 1, 0};
    return one;
}

// product_rows_squares: whether each b is its a, as the strides show; false for a list.
static inline bool product_rows_squares(const product_rows *rows) {
    const product_item *const first = &rows->first;
    return rows->items == NULL && first->a == first->b && first->an == first->bn &&
           rows->a_stride == rows->b_stride;
}

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_H_
