// truth.h: transforms on a device in pairs of doubles, radix 2, level by level, to compare a
// benchmark's results with. Plain C; includes C's headers only.
//
// The error is at most 2^-57 of the norm: roots within 2^-62 in each of 30 levels, sums and
// products of 100 bits.
#ifndef BENCH_FFT_TRUTH_H_
#define BENCH_FFT_TRUTH_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FFT_TRUTH_LG_MAX = 30 };

typedef enum {
    FFT_TRUTH_COMPLEX,  // 2^lg complex numbers
    FFT_TRUTH_REAL,     // 2^lg real numbers
    FFT_TRUTH_HALF      // the first 2^lg / 2 + 1 frequencies of such; they stand for the others
} fft_truth_form;

// fft_truth_array: `batch` times a transform of length 2^lg, one after the other, in device memory.
typedef struct {
    void *items;
    fft_truth_form form;
    bool single;    // floats, not doubles
    bool reversed;  // complex: number k at the address whose digits are k's in reverse order
    unsigned lg;    // 0 .. FFT_TRUTH_LG_MAX; of 0 each number is its own transform
    uint64_t batch;
} fft_truth_array;

size_t fft_truth_array_bytes(const fft_truth_array *x);

// fft_truth_random fills x with numbers in [-1, 1], all bits of their type random. Parts that must
// be 0 for a real result are.
bool fft_truth_random(const fft_truth_array *x, uint32_t seed);

// A truth: device memory for the exact transform, for roots, and for sums.
typedef struct {
    void *items;  // fft_truth_bytes
    void *roots;  // FFT_TRUTH_ROOTS_BYTES, by fft_truth_roots
    void *sums;   // FFT_TRUTH_SUMS_BYTES
} fft_truth;

enum { FFT_TRUTH_ROOTS_BYTES = 1 << 21, FFT_TRUTH_SUMS_BYTES = 1 << 20 };

static inline size_t fft_truth_bytes(unsigned lg, uint64_t batch) {
    return (size_t)(batch * 32) << lg;
}
bool fft_truth_roots(const fft_truth *t);

// fft_truth_make: t->items = the transform of x, with exp(-2 pi i / 2^lg), or + for an inverse.
bool fft_truth_make(const fft_truth *t, const fft_truth_array *x, bool inverse);

// fft_truth_error: |y - truth| / |truth| in the 2-norm, over the numbers that y has; negative if
// the device failed, not a number if y has such.
double fft_truth_error(const fft_truth *t, const fft_truth_array *y);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_FFT_TRUTH_H_
