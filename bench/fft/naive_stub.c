// naive_stub.c: naive.h in a build without a CUDA toolkit: nothing runs.
#include "bench/fft/naive.h"

bool naive_fft_roots(const naive_fft_job *job, void *roots, cuda_stream stream) {
    return (void)job, (void)roots, (void)stream, false;
}

static unsigned launches(unsigned lg) { return (void)lg, 0; }
static bool enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }

const naive_fft naive_ffts[NAIVE_FFTS] = {{"naive-digit-reversal", launches, enqueue},
                                          {"naive-stockham", launches, enqueue},
                                          {"naive-stockham-16", launches, enqueue}};
