// cufft.h: the rival of transforms, NVIDIA's cuFFT, loaded at run time. Building does not need it.
// Plain C; includes result.h only.
#ifndef BENCH_FFT_CUFFT_H_
#define BENCH_FFT_CUFFT_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

// The transforms, numbered as by cuFFT: doubles (Z, D) or floats (C, R), complex (Z, C) or real.
typedef enum {
    CUFFT_C2C = 0x29,
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_Z2Z = 0x69,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c
} cufft_type;

// cufft: the loaded library. name: "cuFFT 12.0.1".
typedef struct cufft cufft;

// cufft_open loads it from path or, if path is NULL, from the usual places. Returns NULL, having
// written why, if it finds none.
cufft *cufft_open(const char *path, char *why, size_t cap);
const char *cufft_name(const cufft *library);
void cufft_close(cufft *library);

// From element to element and from transform to transform, in elements; 0: one after the other.
typedef struct {
    uint64_t stride, distance;
} cufft_layout;

// A plan for `batch` transforms of n points in natural order.
typedef struct {
    const cufft *library;
    cufft_type type;
    bool inverse;
    cufft_layout from, to;
    int handle;
    size_t workspace_bytes;
    void *in, *out, *workspace;  // for cufft_enqueue; from complex to real may write over in
} cufft_job;

// cufft_plan makes job->handle for the job's library, type and direction, and sets workspace_bytes;
// cufft_give_workspace tells cuFFT of the job's. False if cuFFT refuses; cufft_plan then leaves
// nothing to forget.
bool cufft_plan(cufft_job *job, uint64_t n, uint64_t batch);
bool cufft_give_workspace(const cufft_job *job);
void cufft_forget(const cufft_job *job);

// cufft_enqueue puts one call of a cufft_job on the stream.
bool cufft_enqueue(void *job, cuda_stream stream);

#endif  // BENCH_FFT_CUFFT_H_
