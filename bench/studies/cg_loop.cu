// cg_loop.cu: see cg_loop.h.
#include "bench/studies/cg_loop.h"

#include <cuda_runtime.h>

#include <cstdlib>

struct cg_loop {
    const cg_job *job;
    uint32_t *count;
    cudaGraphExec_t exec;
};

namespace {

__global__ void GoOnKernel(cudaGraphConditionalHandle handle, const double *tau, double tolerance,
                           uint32_t *count, unsigned most) {
    *count += 1;
    cudaGraphSetConditional(handle, *tau > tolerance && *count < most ? 1 : 0);
}

// Captures an iteration and the question after it.
bool Body(cudaGraph_t body, cudaGraphConditionalHandle handle, const cg_job *job, unsigned most,
          double tolerance, uint32_t *count, cudaStream_t stream) {
    if (cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0,
                                      cudaStreamCaptureModeThreadLocal) != cudaSuccess) {
        return false;
    }
    const bool stepped = cg_step(job, stream) == RESULT_OK;
    GoOnKernel<<<1, 1, 0, stream>>>(handle, cg_residual(job), tolerance, count, most);
    const bool launched = cudaGetLastError() == cudaSuccess;
    cudaGraph_t same = nullptr;
    return cudaStreamEndCapture(stream, &same) == cudaSuccess && stepped && launched;
}

cudaGraphExec_t Loop(cudaGraph_t graph, const cg_job *job, unsigned most, double tolerance,
                     uint32_t *count, cudaStream_t stream) {
    cudaGraphConditionalHandle handle;
    if (cudaGraphConditionalHandleCreate(&handle, graph, 1, cudaGraphCondAssignDefault) !=
        cudaSuccess) {
        return nullptr;
    }
    cudaGraphNodeParams loop = {};
    loop.type = cudaGraphNodeTypeConditional;
    loop.conditional.handle = handle;
    loop.conditional.type = cudaGraphCondTypeWhile;
    loop.conditional.size = 1;
    cudaGraphNode_t node;
    cudaGraphExec_t exec = nullptr;
    if (cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &loop) != cudaSuccess ||
        !Body(loop.conditional.phGraph_out[0], handle, job, most, tolerance, count, stream) ||
        cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) {
        return nullptr;
    }
    return exec;
}

}  // namespace

result cg_loop_make(cg_loop **loop, const cg_job *job, unsigned most, double tolerance,
                    uint32_t *count, cuda_stream stream) {
    cudaGraph_t graph = nullptr;
    if (cudaGraphCreate(&graph, 0) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    const cudaGraphExec_t exec = Loop(graph, job, most, tolerance, count, stream);
    cudaGraphDestroy(graph);
    if (exec == nullptr) {
        return RESULT_DEVICE_ERROR;
    }
    *loop = (cg_loop *)malloc(sizeof **loop);
    if (*loop == nullptr) {
        cudaGraphExecDestroy(exec);
        return RESULT_NO_MEMORY;
    }
    **loop = {job, count, exec};
    return RESULT_OK;
}

result cg_loop_run(const cg_loop *loop, cuda_stream stream) {
    const result started = cg_start(loop->job, stream);
    if (started != RESULT_OK) {
        return started;
    }
    const bool ok = cudaMemsetAsync(loop->count, 0, sizeof *loop->count, stream) == cudaSuccess &&
                    cudaGraphLaunch(loop->exec, stream) == cudaSuccess;
    return ok ? RESULT_OK : RESULT_DEVICE_ERROR;
}

void cg_loop_free(cg_loop *loop) {
    if (loop != nullptr) {
        cudaGraphExecDestroy(loop->exec);
        free(loop);
    }
}
