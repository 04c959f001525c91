// tridiagonal_kept.cu: partition-pivot of tridiagonal.h for systems of many tiles, in four launches:
// spans and all joints of the tiles (tridiagonal_span.cuh), the tree over the tiles up and down,
// and, from the unknowns at the ends of each thread's rows, all others.
//
// AGPU counts (N = n batch rows, b words a transfer, p cores, M rows a thread, S rows a tile):
//   time O(N / p + log n), I/O 9 N / b + 22 N / (M b) + O(N / (S b)): rows twice, unknowns once,
//   joints written and read.
// A row takes 9 fused operations, 5 products and a reciprocal in the first launch, 5, 4 and one in
// the last, and 2 fused ones on the way back; a joint for each M of them 18, 13 and two.
//
// The last launch knows the two unknowns on either side of a thread's rows, so that a row has two
// coefficients less, and neither spans nor joints are made a second time.
#include "primitives/tridiagonal_kernels.cuh"
#include "primitives/tridiagonal_staged.cuh"
#include "primitives/tridiagonal_tree.cuh"

namespace {

// So many tiles are a group, the work of one block.
constexpr unsigned kLogGroup = 8, kGroup = 1u << kLogGroup;
// Threads that a tile has at most.
constexpr unsigned kTileThreads = 128;

template <class T>
struct KeptData {
    TridiagonalData<T> m;
    bool vectors;  // a thread's rows begin at multiples of 16 bytes
    unsigned log_lanes;
    unsigned tiles, groups;     // of a system
    tridiagonal_levels levels;  // of the groups
    T *values;                  // theirs
    T *spans;                   // 10 times a value of each tile of a group; later its 11 joints
    T *joints;                  // 11 times a value of each lane of a tile
    Border<T> *borders;         // before each tile, and behind the last
    uint32_t *counters;

    DEVICE Ladder<T> LadderOf(uint64_t system) const {
        return {values + system * levels.values, counters + system * levels.counters};
    }
    DEVICE T *SpansOf(uint64_t system, unsigned group) const {
        return spans + (system * groups + group) * kGroup * kJointValues;
    }
    DEVICE Border<T> *BordersOf(uint64_t system) const { return borders + system * (tiles + 1); }
};

// The rows of a block.
struct TilePlace {
    uint64_t system, first;
    unsigned tile;
    bool whole;
};

template <class T>
DEVICE TilePlace PlaceOf(const KeptData<T> &d, unsigned block, unsigned rows) {
    const unsigned tile = block % d.tiles;
    const uint64_t first = (uint64_t)tile * rows;
    return {block / d.tiles, first, tile, d.vectors && first + rows <= d.m.n};
}

// Tiles to spans. A block takes one tile after another: while it joins the spans of one, the rows
// of the next are on their way.
template <class T, unsigned kRows>
__global__ void __launch_bounds__(kTileThreads, 1) KeptSpansKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(char, memory);
    using Staged = StagedRows<T, kRows>;
    const Staged rows = {(typename Staged::Vector *)memory};
    const Slots<T> slots = {(T *)(memory + Staged::Bytes(blockDim.x))};
    const unsigned t = threadIdx.x, blocks = d.tiles * (unsigned)d.m.batch;
    TilePlace own = PlaceOf(d, blockIdx.x, kRows * blockDim.x);
    WaitForKernelBefore();
    rows.Load(d.m, own.system, own.first, own.whole);
    for (unsigned block = blockIdx.x; block < blocks; block += gridDim.x) {
        const TilePlace done = own;
        rows.Arrive(d.m, done.first);
        const Span<T> span = rows.MakeSpan();
        __syncthreads();
        if (block + gridDim.x < blocks) {
            own = PlaceOf(d, block + gridDim.x, kRows * blockDim.x);
            rows.Load(d.m, own.system, own.first, own.whole);
        }
        slots.StoreSpan(t, span);
        JoinTree(slots, 1, d.log_lanes, blockDim.x);
        T *const joints = d.joints + ((uint64_t)block * kJointValues << d.log_lanes);
#pragma unroll
        for (unsigned v = 0; v < kJointValues; v++) {
            joints[v * blockDim.x + t] = slots.At(v, t);
        }
        if (t < kSpanValues) {
            d.SpansOf(done.system, done.tile / kGroup)[t * kGroup + done.tile % kGroup] =
                slots.At(t, 0);
        }
    }
}

// The spans of a group's tiles to one, and those of all groups to the system's ends.
template <class T>
__global__ void __launch_bounds__(kGroup, 1) KeptJoinKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(T, memory);
    SHARED(uint32_t, is_last);
    const Slots<T> slots = {memory};
    const unsigned t = threadIdx.x, group = blockIdx.x % d.groups;
    const uint64_t system = blockIdx.x / d.groups;
    const unsigned left = d.tiles - group * kGroup, count = left < kGroup ? left : kGroup;
    T *const spans = d.SpansOf(system, group);
    WaitForKernelBefore();
    if (t < count) {
        for (unsigned v = 0; v < kSpanValues; v++) {
            slots.At(v, t) = spans[v * kGroup + t];
        }
    }
    JoinTree(slots, 1, kLogGroup, count);
    for (unsigned v = 0; v < kJointValues; v++) {
        spans[v * kGroup + t] = slots.At(v, t);
    }
    __syncthreads();
    const Ladder<T> ladder = d.LadderOf(system);
    if (Climb(d.levels, ladder, slots, group, &is_last) && t == 0) {
        Border<T> *const ends = ladder.Ends(d.levels);
        SolveEnds(slots.LoadSpan(0), &ends->below, &ends->above);
        d.m.ClearStatus(system);
    }
}

// The joint of the thread's slot.
template <class T>
DEVICE Joint<T> FetchJoint(const T *joints, unsigned slots) {
    Joint<T> j;
#pragma unroll
    for (unsigned v = 0; v < kJointValues; v++) {
        j.e[v] = joints[v * slots + threadIdx.x];
    }
    return j;
}

// Of count <= blockDim.x slots, a power of two, the borders at 0 and count are known; those between
// are found. Each thread has its slot's joint. Begins and ends with a barrier.
template <class T>
DEVICE void MeetSlots(const Joint<T> &joint, Border<T> *borders, unsigned count) {
    const unsigned t = threadIdx.x;
    __syncthreads();
    for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
        if ((t & (2 * width - 1)) == width && t < count) {
            const unsigned to = t + width < count ? t + width : count;
            borders[t] = Meet(joint, borders[t - width], borders[to]);
        }
        __syncthreads();
    }
}

// The borders of a group's tiles.
template <class T>
__global__ void __launch_bounds__(kGroup, 1) KeptMeetKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(T, memory);
    Border<T> *const borders = (Border<T> *)memory;
    Joint<T> *const path = (Joint<T> *)(borders + kGroup + 1);
    const unsigned t = threadIdx.x, group = blockIdx.x % d.groups;
    const uint64_t system = blockIdx.x / d.groups;
    const unsigned left = d.tiles - group * kGroup, count = left < kGroup ? left : kGroup;
    const Ladder<T> ladder = d.LadderOf(system);
    WaitForKernelBefore();
    const Joint<T> joint = FetchJoint(d.SpansOf(system, group), kGroup);
    const unsigned joints = FetchPath(d.levels, ladder, group, path);
    __syncthreads();
    if (t == 0) {
        const Border<T> ends = *ladder.Ends(d.levels);
        Border<T> lo = {0, ends.below}, hi = {ends.above, 0};
        Descend(d.levels, group, path, joints, &lo, &hi);
        borders[0] = lo;
        borders[count] = hi;
    }
    MeetSlots(joint, borders, count);
    Border<T> *const to = d.BordersOf(system) + group * kGroup;
    if (t < count) {
        to[t] = borders[t];
    }
    if (t == 0 && group + 1 == d.groups) {
        to[count] = borders[count];
    }
}

// Tiles whose borders are known. One block each.
template <class T, unsigned kRows>
__global__ void __launch_bounds__(kTileThreads, 1) KeptSolveKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(char, memory);
    using Staged = StagedRows<T, kRows>;
    const Staged rows = {(typename Staged::Vector *)memory};
    Border<T> *const borders = (Border<T> *)(memory + Staged::Bytes(blockDim.x));
    // Backwards, the second-level cache still has what the first launch read last.
    const unsigned t = threadIdx.x, block = gridDim.x - 1 - blockIdx.x;
    const TilePlace own = PlaceOf(d, block, kRows * blockDim.x);
    WaitForKernelBefore();
    rows.Load(d.m, own.system, own.first, own.whole);
    const Joint<T> joint =
        FetchJoint(d.joints + ((uint64_t)block * kJointValues << d.log_lanes), blockDim.x);
    if (t < 2) {
        borders[t * blockDim.x] = d.BordersOf(own.system)[own.tile + t];
    }
    MeetSlots(joint, borders, blockDim.x);
    rows.Arrive(d.m, own.first);
    rows.Solve(borders[t], borders[t + 1]);
    rows.Store(d.m, own.system, own.first, own.whole);
}

// Starts a kernel on `blocks` blocks, or on as many as run at once.
template <class T>
cudaError_t LaunchKept(void (*kernel)(KeptData<T>), const KeptData<T> &d, uint64_t blocks,
                       unsigned threads, size_t bytes, bool at_once, cudaStream_t stream) {
    cudaError_t e = AllowShared(kernel, bytes);
    unsigned most = (unsigned)blocks;
    if (e == cudaSuccess && at_once) {
        e = ResidentBlocks(kernel, threads, bytes, &most);
    }
    return e != cudaSuccess ? e
                            : LaunchEarly(kernel, most < blocks ? most : (unsigned)blocks, threads,
                                          bytes, stream, d);
}

template <unsigned kRows, class T>
cudaError_t RunKept(const KeptData<T> &d, cudaStream_t stream) {
    const unsigned lanes = 1u << d.log_lanes;
    const uint64_t tiles = d.tiles * d.m.batch, groups = d.groups * d.m.batch;
    const size_t rows = StagedRows<T, kRows>::Bytes(lanes), joint = kJointValues * sizeof(T);
    const uint64_t counters = d.levels.counters * d.m.batch;
    cudaError_t e = cudaSuccess;
    if (counters > kTridiagonalCounters) {
        e = cudaMemsetAsync(d.counters + kTridiagonalCounters, 0,
                            (counters - kTridiagonalCounters) * sizeof(uint32_t), stream);
    }
    if (e == cudaSuccess) {
        e = LaunchKept(KeptSpansKernel<T, kRows>, d, tiles, lanes, rows + lanes * joint, true,
                       stream);
    }
    if (e == cudaSuccess) {
        e = LaunchKept(KeptJoinKernel<T>, d, groups, kGroup, kGroup * joint, false, stream);
    }
    if (e == cudaSuccess) {
        e = LaunchKept(KeptMeetKernel<T>, d, groups, kGroup,
                       (kGroup + 1) * sizeof(Border<T>) + kPathJoints * joint, false, stream);
    }
    if (e == cudaSuccess) {
        e = LaunchKept(KeptSolveKernel<T, kRows>, d, tiles, lanes,
                       rows + (lanes + 1) * sizeof(Border<T>), false, stream);
    }
    return e;
}

template <class T>
cudaError_t LongSystems(const tridiagonal_plan &plan, const TridiagonalData<T> &data,
                        void *workspace, cudaStream_t stream) {
    KeptData<T> d = {};
    d.m = data;
    d.vectors = (data.batch == 1 || data.system_stride * sizeof(T) % 16 == 0) &&
                ((uintptr_t)data.a | (uintptr_t)data.b | (uintptr_t)data.c | (uintptr_t)data.d |
                 (uintptr_t)data.x) %
                        16 ==
                    0;
    d.log_lanes = Log2(plan.lanes);
    d.tiles = (unsigned)plan.tiles;
    d.groups = (d.tiles - 1) / kGroup + 1;
    d.levels = tridiagonal_levels_of(&plan);
    d.counters = (uint32_t *)workspace;
    const uint64_t counters = d.levels.counters * data.batch;
    d.values = (T *)(d.counters + (counters > kTridiagonalCounters ? (counters + 1) / 2 * 2
                                                                   : kTridiagonalCounters));
    d.spans = d.values + d.levels.values * data.batch;
    d.joints = d.spans + d.groups * data.batch * kGroup * kJointValues;
    d.borders = (Border<T> *)(d.joints + (plan.tiles * data.batch * kJointValues << d.log_lanes));
    if constexpr (sizeof(T) == 8) {
        if (plan.rows_each == 16) {
            return RunKept<16>(d, stream);
        }
    }
    return RunKept<32>(d, stream);
}

}  // namespace

const TridiagonalAlgorithm kTridiagonalKept = {LongSystems<float>, LongSystems<double>};
