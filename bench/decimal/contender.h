// contender.h: one pipeline of decimal_text_bench: a plan of the library's, and the same with
// cuFFT's transforms. Plain C.
#ifndef BENCH_DECIMAL_CONTENDER_H_
#define BENCH_DECIMAL_CONTENDER_H_

#include "bench/decimal/texts.h"
#include "bench/fft/cufft.h"
#include "bigint/device/decimal/product.h"

typedef struct {
    const texts *t;
    decimal_plan plan;
    decimal_product product;
    cufft_job job[3];  // two forward, one back; without a library: none
    void *workspace;
} contender;

// contender_open makes plan and memory for the products of t. library: cuFFT, for contender_cufft,
// or NULL. What fails ends the program. contender_close releases all.
void contender_open(contender *c, const texts *t, const decimal_way *way, const cufft *library);
void contender_close(contender *c);

// For device_side, self being a contender: the whole product by the library; with cuFFT's
// transforms; the carry alone, of what the last product left.
bool contender_run(void *self, cuda_stream stream);
bool contender_cufft(void *self, cuda_stream stream);
bool contender_carry(void *self, cuda_stream stream);

#endif  // BENCH_DECIMAL_CONTENDER_H_
