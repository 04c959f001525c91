// decimal_operands.h: the digits that decimal_bench multiplies, and the exact coefficients of their
// products.
#ifndef BENCH_FFT_DECIMAL_OPERANDS_H_
#define BENCH_FFT_DECIMAL_OPERANDS_H_

#include <stddef.h>
#include <stdint.h>

// decimal_operands: digit[0] and digit[1] are the operands of a batch's first product, digit[2] and
// digit[3] the operands of its last one, n digits each. Products in between repeat the first one.
typedef struct {
    uint64_t n;
    uint8_t *digit[4];
    double *exact[2];  // coefficients of both products, 2 n each; NULL until they are known
} decimal_operands;

// decimal_operands_open draws operands of 2^lg digits; decimal_operands_close releases them.
void decimal_operands_open(decimal_operands *o, unsigned lg);
void decimal_operands_close(decimal_operands *o);

// decimal_learn sets exact[which] by rounding the FP64 result `found`, and ends the program unless
// the rounded coefficients pass the product's identity.
void decimal_learn(decimal_operands *o, const double *found, int which);

// decimal_stop prints the size and the reason, and ends the program with status 1.
void decimal_stop(const char *what, uint64_t n);
// decimal_room allocates device memory, or ends the program.
void *decimal_room(size_t bytes);

#endif  // BENCH_FFT_DECIMAL_OPERANDS_H_
