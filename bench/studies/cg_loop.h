// cg_loop.h: a whole solution by conjugate gradients as one graph with a loop on the device, which
// stands where the paper used dynamic parallelism: CUDA no longer lets a kernel wait for kernels
// that it has launched. For devices only: needs CUDA 12.4. Plain C; includes cg.h.
#ifndef BENCH_STUDIES_CG_LOOP_H_
#define BENCH_STUDIES_CG_LOOP_H_

#include "bench/studies/cg.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cg_loop cg_loop;

// cg_loop_make builds the graph of up to `most` >= 1 iterations, until cg_residual is at most
// `tolerance`. The job and count, a word in device memory, must live as long as it.
result cg_loop_make(cg_loop **loop, const cg_job *job, unsigned most, double tolerance,
                    uint32_t *count, cuda_stream stream);
// cg_loop_run enqueues cg_start and the loop; *count becomes the number of iterations. It cannot be
// captured into another graph.
result cg_loop_run(const cg_loop *loop, cuda_stream stream);
void cg_loop_free(cg_loop *loop);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_CG_LOOP_H_
