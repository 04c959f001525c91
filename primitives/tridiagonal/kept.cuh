// kept.cuh: the data and the two halves of both forms of partition-pivot with joints kept: from
// rows to the ends of systems or to the spans of portions, and back to the unknowns. The kernels
// are in kept.cu; portion.cu lets other members' spans come in between. Includes kernels.cuh and
// tree.cuh.
#ifndef PRIMITIVES_TRIDIAGONAL_KEPT_CUH_
#define PRIMITIVES_TRIDIAGONAL_KEPT_CUH_

#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/tree.cuh"

template <class T>
struct KeptData {
    TridiagonalData<Stored<T>> m;
    uint64_t first;             // row of the first tile: 1 if one of another portion stands before
    bool vectors;               // a thread's rows begin at multiples of 16 bytes
    unsigned tiles, groups;     // of a system
    unsigned log_group;         // tiles of a group
    tridiagonal_levels levels;  // of the groups
    T *values;                  // theirs
    T *spans;                   // 10 times a value of each tile of a group; later its 11 joints
    T *joints;                  // 11 times a value of each lane of a tile
    Border<T> *borders;         // before each tile, and behind the last
    uint32_t *counters;
    T *portions;       // of portions: the 10 values of each system's span; else NULL
    Border<T> *outer;  // of portions: before and behind each system's; else NULL

    DEVICE Ladder<T> LadderOf(uint64_t system) const {
        return {values + system * levels.values, counters + system * levels.counters};
    }
    DEVICE T *SpansOf(uint64_t system, unsigned group) const {
        return spans + ((system * groups + group) * kJointValues << log_group);
    }
    DEVICE T *JointsOf(unsigned block) const {
        return joints + (uint64_t)block * kJointValues * kWarp;
    }
    DEVICE Border<T> *BordersOf(uint64_t system) const { return borders + system * (tiles + 1); }
};

// For T = float, double and Twofold of both.
template <class T>
struct KeptSteps {
    // Of whole systems, in the workspace of a plan that keeps joints.
    static KeptData<T> DataOf(const tridiagonal_plan &plan, const TridiagonalData<Stored<T>> &data,
                              void *workspace);
    // Two launches each.
    static cudaError_t Reduce(const KeptData<T> &d, cudaStream_t stream);
    static cudaError_t Solve(const KeptData<T> &d, cudaStream_t stream);
};

#endif  // PRIMITIVES_TRIDIAGONAL_KEPT_CUH_
