// rows_stub.c: rows.h in a build without a CUDA toolkit: nothing runs.
#include "bench/tridiagonal/rows.h"

static size_t bytes(const tridiagonal_job *job) { return (void)job, 0; }
static bool enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }

const naive_tridiagonal tridiagonal_rows[TRIDIAGONAL_ROWS] = {
    {"bplg-cr-ts-gm", bytes, enqueue, {0, 0}, false},
    {"bplg-cr-ts-sh", bytes, enqueue, {0, 0}, false},
    {"bplg-pcr-ts", bytes, enqueue, {0, 0}, false},
    {"bplg-pcr-ts-naive", bytes, enqueue, {0, 0}, false},
    {"bplg-lf-ts", bytes, enqueue, {0, 0}, true}};
