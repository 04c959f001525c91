// naive.h: transforms of 2^lg complex numbers without the steps that make the papers' transforms
// fast: a launch for each step, every item through device memory each time, nothing exchanged in
// shared memory. Plain C. For the benchmark and its test only.
#ifndef BENCH_FFT_NAIVE_H_
#define BENCH_FFT_NAIVE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// naive_fft_job: `batch` forward transforms, one after the other, natural order in and out. No two
// of the arrays overlap.
typedef struct {
    const void *in, *roots;  // roots: by naive_fft_roots
    void *out, *workspace;
    size_t workspace_bytes;
    uint64_t batch;
    unsigned lg;  // 1 .. 30, and batch 2^lg <= 2^38
    bool single;  // floats, not doubles
} naive_fft_job;

// Bytes of the items of a job, and of its roots.
static inline size_t naive_fft_bytes(const naive_fft_job *job) {
    return (size_t)(job->batch * (job->single ? 8 : 16)) << job->lg;
}
static inline size_t naive_fft_root_bytes(const naive_fft_job *job) {
    return (size_t)(job->single ? 8 : 16) << job->lg;
}

// naive_fft_roots enqueues roots[e] = exp(-2 pi i e / 2^lg) for all e < 2^lg; false if a launch
// failed.
bool naive_fft_roots(const naive_fft_job *job, void *roots, cuda_stream stream);

typedef struct {
    const char *name;  // as in records
    // Launches of transforms of 2^lg points, each of which reads and writes every item once.
    unsigned (*launches)(unsigned lg);
    // Enqueues a naive_fft_job; false if its workspace, of naive_fft_bytes, is too small or a
    // launch failed.
    bool (*enqueue)(void *job, cuda_stream stream);
} naive_fft;

// naive_ffts[0..NAIVE_FFTS):
//   naive-digit-reversal   Cooley-Tukey: items to where their digits are reversed, then levels of
//                          radix 2 in place: lg + 1 launches
//   naive-stockham         self-sorting levels of radix 2 between two arrays: lg launches
//   naive-stockham-16      the same with nodes of radix 16 in registers: lg / 4 launches
enum { NAIVE_FFTS = 3 };
extern const naive_fft naive_ffts[NAIVE_FFTS];

#ifdef __cplusplus
}
#endif

#endif  // BENCH_FFT_NAIVE_H_
