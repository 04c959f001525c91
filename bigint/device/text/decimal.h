// decimal.h: decimal texts to integers on a device and back, converted there. Internal to bigint/.
// The texts are in host memory, and go through the staging.
#ifndef BIGINT_DEVICE_TEXT_DECIMAL_H_
#define BIGINT_DEVICE_TEXT_DECIMAL_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_decimal_takes: whether the device converts a number of that many digits, for a context on
// a device; else the host does.
bool device_decimal_takes(const bigint_ctx *ctx, uint64_t digits);

// device_decimal_read: r = the number of s[0 .. n), n >= 1, with that sign, if *good = n; else
// *good is the position of the first character that is not a digit, and r keeps its value. It waits
// until the characters have been looked at, and enqueues the rest.
// Cost: O(M(n) log n): for each level of the tree a square, a batch of products and some six
// launches. Memory on the device: 2 bytes a digit, and what products take.
// Errors: as bigint_mul; r then keeps its value.
bigint_status device_decimal_read(bigint_ctx *ctx, const char *who, bigint *r, const char *s,
                                  uint64_t n, bool negative, uint64_t *good);

// device_decimal_write: the text of a, of `bits` >= 1 bits and that sign, as bigint_get_decimal
// writes it. It waits.
// Cost: the powers' squares, a division of 1.7 n by 0.7 n bits, then, for each level of the tree, a
// batch of products and two launches. Memory on the device: some 4 bytes a digit, and what products
// and the division take.
// Errors: as bigint_get_decimal and bigint_divrem.
bigint_status device_decimal_write(bigint_ctx *ctx, const char *who, char *buf, size_t cap,
                                   size_t *need, const bigint *a, uint64_t bits, bool negative);
// device_decimal_read_need, device_decimal_write_need: what these need for n digits, and for a of
// an limbs. device_decimal_print: how a text of n digits is converted, on one line, like
// snprintf.
void device_decimal_read_need(work_need *w, uint64_t n);
void device_decimal_write_need(work_need *w, uint64_t an);
int device_decimal_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t digits);

#endif  // BIGINT_DEVICE_TEXT_DECIMAL_H_
