// sort_dway_stub.c: sort_dway.h in a build without a CUDA toolkit: nothing runs.
#include "bench/primitives/sort_dway.h"

sort_dway_costs sort_dway_cost(const sort_dway_job *job) { return (void)job, (sort_dway_costs){0}; }

bool sort_dway_enqueue(void *job, cuda_stream stream) { return (void)job, (void)stream, false; }
