// cusparse.h: NVIDIA's cuSPARSE as a rival in tridiagonal systems, loaded at run time, so that
// building and linking need none of it. Plain C; includes result.h and tridiagonal.h.
#ifndef BENCH_TRIDIAGONAL_CUSPARSE_H_
#define BENCH_TRIDIAGONAL_CUSPARSE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/tridiagonal/tridiagonal.h"

typedef struct cusparse cusparse;

// Its routines: one system with and without interchanges, batches one system after another
// (without), batches interleaved (by LU with interchanges).
typedef enum {
    CUSPARSE_GTSV2,
    CUSPARSE_GTSV2_NOPIVOT,
    CUSPARSE_GTSV2_STRIDED,
    CUSPARSE_GTSV_INTERLEAVED,
    CUSPARSE_ROUTINES,
} cusparse_routine;

const char *cusparse_routine_name(cusparse_routine r);

// cusparse_open loads the library; NULL, and why, if there is none or it lacks a function.
cusparse *cusparse_open(char *why, size_t cap);
void cusparse_close(cusparse *library);  // NULL is allowed
// "cuSPARSE 12.6.3"
const char *cusparse_name(const cusparse *library);

// A job: x holds the right-hand sides before and the solutions after; the interleaved routine
// spoils a, b and c too. n >= 3 and below 2^31, and so is n batch.
typedef struct {
    const cusparse *library;
    cusparse_routine routine;
    tridiagonal_type type;
    uint64_t n, batch;
    void *a, *b, *c, *x;
    void *workspace;  // the caller's, 128-byte aligned
    size_t workspace_bytes;
} cusparse_job;

// cusparse_measure fills in workspace_bytes; false if the library refuses the job.
bool cusparse_measure(cusparse_job *job);
// cusparse_enqueue puts the job on the stream; false if it cannot. self: a cusparse_job.
bool cusparse_enqueue(void *self, cuda_stream stream);

#endif  // BENCH_TRIDIAGONAL_CUSPARSE_H_
