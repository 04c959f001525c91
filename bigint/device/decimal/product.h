// product.h: decimal products on a device by a plan, from text to text, all launches in one stream:
//
//   text --split--> digits --transforms, product, transform back--> coefficients --carry--> text
//                          --tiles of digits by each other-------->
//
// Its steps can be called one by one, so that a benchmark can put another library's transforms in
// between. Plain C. Internal to bigint/.
#ifndef BIGINT_DEVICE_DECIMAL_PRODUCT_H_
#define BIGINT_DEVICE_DECIMAL_PRODUCT_H_

#include "bigint/device/decimal/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

// decimal_product: a plan and its memory on the device, both aligned to 256 bytes: `memory` of
// decimal_product_bytes, and `words` of decimal_product_words_bytes or more, as carry_device's
// workspace.
typedef struct {
    const decimal_plan *plan;
    void *memory, *words;
    size_t words_bytes;
    cuda_stream stream;
} decimal_product;

uint64_t decimal_product_bytes(const decimal_plan *plan);
size_t decimal_product_words_bytes(const decimal_plan *plan);

// decimal_product_tables enqueues the transforms' tables: before the first product of a plan in
// this memory. Cost: as fft_device_tables, twice.
result decimal_product_tables(const decimal_product *p);

// decimal_product_run enqueues text = a b for each row: rows of an, bn and an + bn characters,
// digits with leading zeros, most significant first. For a square b is not read. text overlaps
// neither operand. The product is exact if the plan is proved.
// Cost, with P passes in a transform: 5 + 3 P launches, of a square 4 + 2 P; one more where
// coefficients are rounded by themselves, complex or single; one fewer with two phases. Tiled: 4 to
// 6.
result decimal_product_run(const decimal_product *p, const char *a, const char *b, char *text);

// The steps of products by transforms: digits of operand 0 or 1 to its points; points to its
// frequencies; the products of both, in place of operand 0; these back to the points of
// operand 0; and, of tiled ones too, carries and text.
void *decimal_product_points(const decimal_product *p, int operand);
void *decimal_product_frequencies(const decimal_product *p, int operand);
result decimal_product_split(const decimal_product *p, const char *a, const char *b);
result decimal_product_forward(const decimal_product *p);
result decimal_product_multiply(const decimal_product *p);
result decimal_product_inverse(const decimal_product *p);
result decimal_product_carry(const decimal_product *p, char *text);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_DEVICE_DECIMAL_PRODUCT_H_
