// kernels.cuh: what the algorithms of tridiagonal.h share on a device: where systems are in memory,
// how rows are loaded, the status words. Includes launch.cuh, tridiagonal.h and row.cuh.
#ifndef PRIMITIVES_TRIDIAGONAL_KERNELS_CUH_
#define PRIMITIVES_TRIDIAGONAL_KERNELS_CUH_

#include "primitives/cuda/launch.cuh"
#include "primitives/tridiagonal/row.cuh"
#include "primitives/tridiagonal/tridiagonal.h"

// The first words of every workspace count how far blocks are, and are zero between solves; those
// that a plan needs beyond are cleared before.
constexpr size_t kTridiagonalCounters = (64 << 10) / sizeof(uint32_t);

template <class T>
struct TridiagonalData {
    const T *a, *b, *c, *d;
    T *x;
    uint32_t *status;
    uint64_t n, batch, row_stride, system_stride;

    DEVICE uint64_t At(uint64_t system, uint64_t row) const {
        return system * system_stride + row * row_stride;
    }

    // A row whose neighbours outside of the system do not count; 1 x = 0 beyond its end.
    DEVICE Row<T> Load(uint64_t system, uint64_t row) const {
        if (system >= batch || row >= n) {
            return NoRow<T>();
        }
        const uint64_t at = At(system, row);
        return {row > 0 ? a[at] : 0, b[at], row + 1 < n ? c[at] : 0, d[at]};
    }

    // Stores an unknown, and says so if it is none.
    DEVICE void Store(uint64_t system, uint64_t row, T value) const {
        if (system >= batch || row >= n) {
            return;
        }
        x[At(system, row)] = value;
        if (status != nullptr && !(value - value == 0)) {
            status[system] = 1;
        }
    }

    // Before the first Store of a system.
    DEVICE void ClearStatus(uint64_t system) const {
        if (status != nullptr && system < batch) {
            status[system] = 0;
        }
    }
};

// How an algorithm is started; kTridiagonal<name> stands in the .cu file of its algorithm. The plan
// is valid, the job has rows, the workspace is as large as the plan says.
struct TridiagonalAlgorithm {
    cudaError_t (*f32)(const tridiagonal_plan &plan, const TridiagonalData<float> &data,
                       void *workspace, cudaStream_t stream);
    cudaError_t (*f64)(const tridiagonal_plan &plan, const TridiagonalData<double> &data,
                       void *workspace, cudaStream_t stream);
};

extern const TridiagonalAlgorithm kTridiagonalPartition, kTridiagonalPartitionTwofold,
    kTridiagonalKept, kTridiagonalKeptTwofold, kTridiagonalThomas, kTridiagonalCyclic,
    kTridiagonalParallelCyclic, kTridiagonalKoggeStone, kTridiagonalLadner, kTridiagonalWangMou,
    kTridiagonalTree;

#endif  // PRIMITIVES_TRIDIAGONAL_KERNELS_CUH_
