// naive_stub.c: naive.h in a build without a CUDA toolkit: nothing runs.
#include "bench/primitives/naive.h"

static size_t bytes(uint64_t n) { return (void)n, 0; }
static bool enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }

const naive_scan naive_scans[NAIVE_SCANS] = {{"naive-hillis-steele", bytes, enqueue},
                                             {"naive-uncoalesced", bytes, enqueue},
                                             {"naive-bank-conflicts", bytes, enqueue}};
