// steps.cuh: the ways of steps.h for any work that comes in steps of tiles. Includes barrier.cuh,
// project.cuh and launch.cuh.
//
// A Work is plain data with
//   unsigned steps, tiles         each step has as many tiles
//   unsigned groups               tiles of a step that are waited for together are one group
//   GroupOf(step, tile)           the group to which a tile belongs
//   Needs(step, tile)             the group of step - 1 that it reads
//   Run(step, tile)               does it, by kStepThreads threads; also what others of its step
//                                 write is left alone
// Steps write to other memory than they read, so that Needs also covers what a tile overwrites.
#ifndef BENCH_STUDIES_STEPS_CUH_
#define BENCH_STUDIES_STEPS_CUH_

#include "bench/studies/barrier.cuh"
#include "bench/studies/project.cuh"
#include "bench/studies/steps.h"
#include "primitives/cuda/launch.cuh"

constexpr unsigned kStepThreads = 256;

template <class W>
__global__ void __launch_bounds__(kStepThreads) StepKernel(W work, unsigned step) {
    WaitForKernelBefore();
    work.Run(step, blockIdx.x);
}

template <class W>
__global__ void __launch_bounds__(kStepThreads) BarrierKernel(W work, GridBarrier barrier) {
    for (unsigned step = 0; step < work.steps; step++) {
        if (step > 0) {
            barrier.Wait(step, 0);
        }
        for (unsigned tile = blockIdx.x; tile < work.tiles; tile += gridDim.x) {
            work.Run(step, tile);
            __syncthreads();
        }
    }
    if (work.steps > 1) {
        barrier.Leave();
    }
}

template <class W, bool kWaits>
__global__ void __launch_bounds__(kStepThreads) ProjectedKernel(W work, Projection projection) {
    SHARED(Place, place);
    for (;;) {
        if (threadIdx.x == 0) {
            place = projection.Draw();
        }
        __syncthreads();
        const Place at = place;
        const unsigned step = at.tile / work.tiles, tile = at.tile % work.tiles;
        if (step >= work.steps) {
            return;
        }
        if (kWaits && step > 0) {
            if (threadIdx.x == 0) {
                projection.Wait(at.epoch, step - 1, work.Needs(step, tile));
            }
            __syncthreads();
            __threadfence();
        }
        work.Run(step, tile);
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            projection.Post(step, work.GroupOf(step, tile));
        }
    }
}

// StepsBytes: the workspace of RunSteps. It is zero before its first use and after use by another
// work or way.
template <class W>
size_t StepsBytes(const W &work) {
    // A barrier has at most as many blocks as there are tiles.
    const size_t barrier = GridBarrier::Bytes(work.tiles);
    const size_t projected = Projection::Bytes(work.steps, work.groups);
    return barrier > projected ? barrier : projected;
}

template <class W>
cudaError_t RunInOneLaunch(const W &work, steps_way way, void *workspace, cudaStream_t stream) {
    if (way == STEPS_BARRIER) {
        unsigned blocks = 0;
        const cudaError_t e = ResidentBlocks(BarrierKernel<W>, kStepThreads, 0, &blocks);
        blocks = blocks < work.tiles ? blocks : work.tiles;
        return e != cudaSuccess
                   ? e
                   : LaunchCooperative(BarrierKernel<W>, blocks, kStepThreads, 0, stream, work,
                                       GridBarrier::In(workspace, blocks));
    }
    const auto kernel = way == STEPS_NO_WAIT ? ProjectedKernel<W, false> : ProjectedKernel<W, true>;
    unsigned blocks = 0;
    const cudaError_t e = ResidentBlocks(kernel, kStepThreads, 0, &blocks);
    blocks = blocks < work.tiles ? blocks : work.tiles;
    return e != cudaSuccess
               ? e
               : Launch(kernel, blocks, kStepThreads, 0, stream, work,
                        Projection::In(workspace, work.steps, work.tiles, work.groups));
}

// RunSteps enqueues all steps. RESULT_REFUSED: no such way, or more tiles than tickets.
template <class W>
result RunSteps(const W &work, steps_way way, void *workspace, cudaStream_t stream) {
    if ((unsigned)way >= STEPS_WAYS ||
        (uint64_t)work.steps * work.tiles + work.tiles > Projection::kMostTickets) {
        return RESULT_REFUSED;
    }
    cudaError_t e = cudaSuccess;
    if (way != STEPS_LAUNCHES && way != STEPS_EARLY) {
        e = RunInOneLaunch(work, way, workspace, stream);
    } else {
        for (unsigned step = 0; e == cudaSuccess && step < work.steps; step++) {
            // The first launch has other work before it, which may still write its operands.
            e = way == STEPS_EARLY
                    ? LaunchEarly(StepKernel<W>, work.tiles, kStepThreads, 0, stream, work, step)
                    : Launch(StepKernel<W>, work.tiles, kStepThreads, 0, stream, work, step);
        }
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

#endif  // BENCH_STUDIES_STEPS_CUH_
