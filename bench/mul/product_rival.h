// product_rival.h: the rival of products on a device, a pipeline of cuFFT's transforms: two
// transforms of reals on digits of 16 bits, a pointwise product and the transform back. It neither
// splits into digits nor carries, and is not proved exact at any length. Plain C; includes cufft.h.
#ifndef BENCH_MUL_PRODUCT_RIVAL_H_
#define BENCH_MUL_PRODUCT_RIVAL_H_

#include "bench/fft/cufft.h"

typedef struct {
    cufft_job forward[2], inverse;
    uint64_t points;
    void *x, *y, *workspace;
} product_rival;

// product_rival_open makes plans and memory for factors of `bits` bits, all digits 0, or ends the
// program. product_rival_enqueue, whose self is a product_rival, puts one product on the stream.
void product_rival_open(product_rival *c, const cufft *library, uint64_t bits);
bool product_rival_enqueue(void *self, cuda_stream stream);
void product_rival_close(product_rival *c);

#endif  // BENCH_MUL_PRODUCT_RIVAL_H_
