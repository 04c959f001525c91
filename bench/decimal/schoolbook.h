// schoolbook.h: the papers' reference on a CPU, vector convolution [DieguezThesis18] 7.4.1, from
// text to text on one thread.
#ifndef BENCH_DECIMAL_SCHOOLBOOK_H_
#define BENCH_DECIMAL_SCHOOLBOOK_H_

#include <stddef.h>
#include <stdint.h>

// schoolbook_multiply: text[0 .. 2 n) = a[0 .. n) b[0 .. n), decimal characters, most significant
// first. work: 3 n numbers. Requires: n < 2^24, so that coefficients fit 31 bits. Cost: n^2
// multiply-adds, which the compiler's vectors share.
void schoolbook_multiply(char *text, const char *a, const char *b, size_t n, int32_t *work);

#endif  // BENCH_DECIMAL_SCHOOLBOOK_H_
