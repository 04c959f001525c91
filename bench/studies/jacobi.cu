// jacobi.cu: see jacobi.h. A thread has a row, or several that stand a block apart; the matrix lies
// column by column, so a warp reads it in lines.
#include "bench/studies/jacobi.h"

#include <algorithm>

#include "bench/studies/steps.cuh"
#include "primitives/cuda/warp.cuh"

namespace {

// The part of x that a block reads at once.
struct Part {
    float x[kStepThreads];
};

template <unsigned kRows>
struct Jacobi {
    const float *a, *b;
    float *x, *y;
    unsigned n, steps, tiles, groups;  // a group: the tiles of one right-hand side

    DEVICE unsigned GroupOf(unsigned, unsigned tile) const { return tile / (tiles / groups); }
    DEVICE unsigned Needs(unsigned step, unsigned tile) const { return GroupOf(step, tile); }

    DEVICE void Run(unsigned step, unsigned tile) const {
        SHARED(Part, part);
        const unsigned in_side = tiles / groups;
        const size_t side = (size_t)(tile / in_side) * n;
        const unsigned first = tile % in_side * (kRows * kStepThreads) + threadIdx.x;
        const float *const from = (step % 2 == 0 ? x : y) + side;
        float *const to = (step % 2 == 0 ? y : x) + side;
        float sum[kRows] = {};
        for (unsigned begin = 0; begin < n; begin += kStepThreads) {
            part.x[threadIdx.x] = from[begin + threadIdx.x];
            __syncthreads();
            for (unsigned j = 0; j < kStepThreads; j++) {
                const float *const column = a + (size_t)(begin + j) * n + first;
#pragma unroll
                for (unsigned r = 0; r < kRows; r++) {
                    sum[r] += column[r * kStepThreads] * part.x[j];
                }
            }
            __syncthreads();
        }
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            const unsigned i = first + r * kStepThreads;
            to[i] = from[i] + (b[side + i] - sum[r]) / a[(size_t)i * n + i];
        }
    }
};

bool Valid(const jacobi_job &job) {
    return (job.rows_each == 1 || job.rows_each == 2 || job.rows_each == 4 ||
            job.rows_each == JACOBI_ROWS_EACH_MOST) &&
           job.n > 0 && job.n % (kStepThreads * job.rows_each) == 0 && job.sides >= 1 &&
           job.sides <= JACOBI_SIDES_MOST && job.steps >= 1 && job.steps <= JACOBI_STEPS_MOST;
}

template <unsigned kRows>
Jacobi<kRows> Work(const jacobi_job &job) {
    return {
        job.a,    job.b, job.x, job.y, job.n, job.steps, job.n / (kRows * kStepThreads) * job.sides,
        job.sides};
}

// Calls f with the work of the job.
template <class F>
auto WithWork(const jacobi_job &job, F f) {
    return job.rows_each == 1   ? f(Work<1>(job))
           : job.rows_each == 2 ? f(Work<2>(job))
           : job.rows_each == 4 ? f(Work<4>(job))
                                : f(Work<JACOBI_ROWS_EACH_MOST>(job));
}

// --- With the matrix in shared memory ------------------------------------------------------------

constexpr unsigned kKeptSpare = 2 << 10;  // bytes that a block leaves to the system
constexpr unsigned kKeptBlocks = 1024;    // at most, one for each multiprocessor

// Row by row: a warp takes the block's rows one after the other, its lanes the columns.
__global__ void __launch_bounds__(kStepThreads)
    KeptKernel(const float *a, const float *b, float *x, float *y, unsigned n, unsigned steps,
               unsigned rows, GridBarrier barrier) {
    DYNAMIC_SHARED(float, own);  // rows of a, one after the other
    const unsigned first = blockIdx.x * rows, last = first + rows < n ? first + rows : n;
    const unsigned count = first < last ? last - first : 0;
    for (unsigned j = threadIdx.x / kWarp; j < n; j += kStepThreads / kWarp) {
        for (unsigned r = Lane(); r < count; r += kWarp) {
            own[(size_t)r * n + j] = a[(size_t)j * n + first + r];
        }
    }
    __syncthreads();
    for (unsigned step = 0; step < steps; step++) {
        if (step > 0) {
            barrier.Wait(step, 0);
        }
        const float *const from = step % 2 == 0 ? x : y;
        float *const to = step % 2 == 0 ? y : x;
        for (unsigned r = threadIdx.x / kWarp; r < count; r += kStepThreads / kWarp) {
            float sum = 0;
            for (unsigned j = Lane(); j < n; j += kWarp) {
                sum += own[(size_t)r * n + j] * from[j];
            }
            for (unsigned by = kWarp / 2; by > 0; by /= 2) {
                sum += ShuffleXor(sum, by);
            }
            if (Lane() == 0) {
                const unsigned i = first + r;
                to[i] = from[i] + (b[i] - sum) / own[(size_t)r * n + i];
            }
        }
    }
    if (steps > 1) {
        barrier.Leave();
    }
}

// --- Powers of a matrix --------------------------------------------------------------------------

constexpr unsigned kSide = 32;
struct Tiles {
    uint32_t x[kSide][kSide + 1], a[kSide][kSide + 1];
};

struct Power {
    const uint32_t *a;
    uint32_t *x, *y;
    unsigned n, steps, tiles, groups;  // a group: a row of tiles

    DEVICE unsigned GroupOf(unsigned, unsigned tile) const { return tile / groups; }
    DEVICE unsigned Needs(unsigned, unsigned tile) const { return tile / groups; }

    DEVICE void Run(unsigned step, unsigned tile) const {
        SHARED(Tiles, t);
        const unsigned row = tile / groups * kSide, column = tile % groups * kSide;
        const uint32_t *const from = step % 2 == 0 ? x : y;
        uint32_t *const to = step % 2 == 0 ? y : x;
        constexpr unsigned kDown = kStepThreads / kSide;
        const unsigned lane = threadIdx.x % kSide, top = threadIdx.x / kSide;
        uint32_t sum[kSide / kDown] = {};
        for (unsigned k = 0; k < n; k += kSide) {
            for (unsigned r = top; r < kSide; r += kDown) {
                t.x[r][lane] = from[(size_t)(row + r) * n + k + lane];
                t.a[r][lane] = a[(size_t)(k + r) * n + column + lane];
            }
            __syncthreads();
            for (unsigned j = 0; j < kSide; j++) {
#pragma unroll
                for (unsigned i = 0; i < kSide / kDown; i++) {
                    sum[i] += t.x[top + i * kDown][j] * t.a[j][lane];
                }
            }
            __syncthreads();
        }
        for (unsigned i = 0; i < kSide / kDown; i++) {
            to[(size_t)(row + top + i * kDown) * n + column + lane] = sum[i];
        }
    }
};

bool Valid(const power_job &job) {
    return job.n > 0 && job.n % kSide == 0 && job.n <= 1 << 14 && job.steps >= 1 &&
           job.steps <= JACOBI_STEPS_MOST;
}

Power Work(const power_job &job) {
    const unsigned across = job.n / kSide;
    return {job.a, job.x, job.y, job.n, job.steps, across * across, across};
}

}  // namespace

size_t jacobi_workspace_bytes(const jacobi_job *job) {
    if (!Valid(*job)) {
        return 0;
    }
    const size_t kept = GridBarrier::Bytes(kKeptBlocks);
    return std::max(kept, WithWork(*job, [](auto work) { return StepsBytes(work); }));
}

result jacobi_run(const jacobi_job *job, cuda_stream stream) {
    return Valid(*job) ? WithWork(*job,
                                  [&](auto work) {
                                      return RunSteps(work, job->way, job->workspace, stream);
                                  })
                       : RESULT_REFUSED;
}

result jacobi_kept(const jacobi_job *job, cuda_stream stream) {
    int multiprocessors = 0, most = 0;
    if (DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) != cudaSuccess ||
        DeviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most) != cudaSuccess) {
        return RESULT_DEVICE_ERROR;
    }
    const unsigned rows = (job->n + (unsigned)multiprocessors - 1) / (unsigned)multiprocessors;
    const size_t bytes = sizeof(float) * rows * job->n;
    if (!Valid(*job) || job->sides != 1 || job->rows_each != 1 ||
        bytes > (size_t)most - kKeptSpare || (unsigned)multiprocessors > kKeptBlocks) {
        return RESULT_REFUSED;
    }
    const unsigned blocks = (job->n + rows - 1) / rows;
    cudaError_t e = AllowShared(KeptKernel, bytes);
    if (e == cudaSuccess) {
        e = LaunchCooperative(KeptKernel, blocks, kStepThreads, bytes, stream, job->a, job->b,
                              job->x, job->y, job->n, job->steps, rows,
                              GridBarrier::In(job->workspace, blocks));
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

size_t power_workspace_bytes(const power_job *job) {
    return Valid(*job) ? StepsBytes(Work(*job)) : 0;
}

result power_run(const power_job *job, cuda_stream stream) {
    return Valid(*job) ? RunSteps(Work(*job), job->way, job->workspace, stream) : RESULT_REFUSED;
}
