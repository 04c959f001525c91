// batch_numbers.h: the numbers of a batch in device memory and on the host, for tests of batches.
#ifndef TESTS_BIGINT_BATCH_NUMBERS_H_
#define TESTS_BIGINT_BATCH_NUMBERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "tests/support/gen.h"

// What memory is full of at first.
#define NUMBERS_MARK UINT64_C(0x7777777777777777)

// numbers: a span in device memory of `words` limbs and what the host knows of it.
typedef struct {
    bigint_span span;
    uint64_t words, *host, *lengths, *offsets;
} numbers;

// The length and the limbs of number i.
uint64_t numbers_length(const numbers *s, uint64_t i);
uint64_t *numbers_at(const numbers *s, uint64_t i);
// numbers_open: memory for count numbers of up to n limbs at the stride, full of marks.
numbers numbers_open(uint64_t n, uint64_t stride, uint64_t count);
void numbers_close(numbers *s);
bool numbers_upload(const numbers *s);
// numbers_ragged: operands of the given lengths, at odd places; or, as_result, marks.
numbers numbers_ragged(gen *g, const uint64_t *lengths, uint64_t count, bool as_result);
// numbers_expect_products: r is a b and padded, and nothing else was written.
void numbers_expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b);

#endif  // TESTS_BIGINT_BATCH_NUMBERS_H_
