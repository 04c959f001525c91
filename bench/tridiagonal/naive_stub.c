// naive_stub.c: naive.h in a build without a CUDA toolkit: nothing runs.
#include "bench/tridiagonal/naive.h"

static size_t bytes(const tridiagonal_job *job) { return (void)job, 0; }
static bool enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }

const naive_tridiagonal naive_tridiagonals[NAIVE_TRIDIAGONALS] = {
    {"naive-cyclic-reduction", bytes, enqueue, {0, 0}, false},
    {"naive-parallel-cyclic-reduction", bytes, enqueue, {0, 0}, false},
    {"naive-redundant-reduction", bytes, enqueue, {0, 0}, true}};
