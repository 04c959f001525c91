// fft_truth_stub.c: fft_truth.h in a build without a CUDA toolkit: nothing runs.
#include "bench/fft/fft_truth.h"

size_t fft_truth_array_bytes(const fft_truth_array *x) { return (void)x, 0; }
bool fft_truth_random(const fft_truth_array *x, uint32_t seed) {
    return (void)x, (void)seed, false;
}
bool fft_truth_roots(const fft_truth *t) { return (void)t, false; }
bool fft_truth_make(const fft_truth *t, const fft_truth_array *x, bool inverse) {
    return (void)t, (void)x, (void)inverse, false;
}
double fft_truth_error(const fft_truth *t, const fft_truth_array *y) {
    return (void)t, (void)y, -1;
}
