// numbers.h: spans of numbers in device memory with their twins on the host, for tests of
// batches. Includes bigint.h and the generators.
#ifndef TESTS_BIGINT_DEVICE_NUMBERS_H_
#define TESTS_BIGINT_DEVICE_NUMBERS_H_

#include <stdbool.h>
#include <stdint.h>

#include "bigint/bigint.h"
#include "tests/support/gen.h"

#define NUMBERS_MARK UINT64_C(0x7777777777777777)

// numbers: a span in device memory of `words` limbs and what the host knows of it; lengths and
// offsets are there for the span to point to.
typedef struct {
    bigint_span span;
    uint64_t words, *host, *lengths, *offsets;
} numbers;

uint64_t numbers_length(const numbers *s, uint64_t i);
uint64_t *numbers_at(const numbers *s, uint64_t i);

// numbers_open: memory for count numbers of up to n limbs at the stride, full of marks.
numbers numbers_open(uint64_t n, uint64_t stride, uint64_t count);
void numbers_close(numbers *s);
bool numbers_upload(const numbers *s);
bool numbers_download(const numbers *s);

// numbers_draw: operands of min_n to max_n limbs: one repeated, strided, ragged, or ragged from the
// end to the beginning.
numbers numbers_draw(gen *g, uint64_t min_n, uint64_t max_n, uint64_t count);
// numbers_draw_moduli: numbers that are not 0, three in four of them odd; numbers_draw_results:
// results that hold those, or more, full of marks.
numbers numbers_draw_moduli(gen *g, uint64_t max_n, uint64_t count);
numbers numbers_draw_results(gen *g, const numbers *least);
// numbers_ragged: operands of the given lengths, at odd places; or, as_result, marks.
numbers numbers_ragged(gen *g, const uint64_t *lengths, uint64_t count, bool as_result);
// numbers_expect_products: r is a b and padded, and nothing else was written.
void numbers_expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b);
// numbers_expect_residues: the same of a b modulo 2^bits - 1, or 2^bits + 1 if `plus`.
void numbers_expect_residues(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b,
                             uint64_t bits, bool plus);
// numbers_expect_powers: the same of base^exponent mod modulus.
void numbers_expect_powers(bigint_ctx *ctx, numbers *r, const numbers *base,
                           const numbers *exponent, const numbers *modulus);

#endif  // TESTS_BIGINT_DEVICE_NUMBERS_H_
