// kept.cu: both forms of partition-pivot for long systems, in four launches: spans
// and all joints of the tiles (span.cuh), the tree over the tiles up and down, and,
// from the unknowns at the ends of each thread's rows, all others. Includes what it is made of.
//
// AGPU counts (N = n batch rows, b words a transfer, p cores, M = 32 rows a thread, or 16 of pairs
// of doubles, S = 32 M rows a tile, W = 1 word a number, or 2 twofold): time O(N / p + log n), I/O
// 9 N / b + 22 W N / (M b) + 46 W N / (S b): rows twice, unknowns once, joints written and read.
// A row takes 9 fused operations, 5 products and a reciprocal in the first launch, 5, 4 and one in
// the last and 2 fused ones on the way back; a joint for each M of them 18, 13 and two.
//
// The last launch knows the two unknowns on either side of a thread's rows, so that a row has two
// coefficients less, and neither spans nor joints are made a second time, nor does each tile go
// down the whole tree by itself. A tile is a warp's: on an H200 tiles of two or four warps, which
// wait for each other, take 2 to 4 % longer, 16 rows a thread of floats in doubles 2 to 10 %, and
// blocks that stay, fetching the next tile's rows while they join spans, 1 to 4 % longer than those
// that come and go.
#include "primitives/tridiagonal/kept.cuh"

#include "primitives/tridiagonal/staged.cuh"

namespace {

// A tile: 32 rows for each thread of a warp, 16 where numbers are pairs of doubles, so that no
// block takes more than 34 KiB of shared memory. To make a span, and to solve.
template <class T>
constexpr unsigned kTileRows = sizeof(T) == 16 ? 16 : 32;
template <class T>
using SpanRows = StagedRows<T, kTileRows<T>, 4>;
template <class T>
using SolveRows = StagedRows<T, kTileRows<T>, kSolveArrays<T>>;

// A group has a thread for each of its tiles; at most this many.
constexpr unsigned kGroup = 256;

constexpr unsigned kLogWarp = 5;
static_assert(1u << kLogWarp == kWarp, "a tile's lanes");

// What a block does in the first and last launch.
struct TilePlace {
    uint64_t system, first;  // row
    unsigned tile;
    bool whole;
};

template <class T>
DEVICE TilePlace PlaceOf(const KeptData<T> &d, unsigned block) {
    constexpr unsigned kRows = kTileRows<T> * kWarp;
    const unsigned tile = block % d.tiles;
    const uint64_t first = d.first + (uint64_t)tile * kRows;
    return {block / d.tiles, first, tile, d.vectors && first + kRows <= d.m.n};
}

// Tiles to spans: the tiles' to d.spans, what their lanes leave to d.joints. One block each, in
// whose memory the tree takes the place of the rows. Reads 4 words a row, writes 11 for each 32.
template <class T>
__global__ void __launch_bounds__(kWarp, 1) KeptSpansKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(char, memory);
    const SpanRows<T> rows = {(typename SpanRows<T>::Vector *)memory};
    const Slots<T> slots = {(T *)memory};
    const unsigned t = threadIdx.x;
    const TilePlace own = PlaceOf(d, blockIdx.x);
    WaitForKernelBefore();
    rows.Load(d.m, own.system, own.first, own.whole);
    rows.Arrive(d.m, own.first);
    const Span<T> span = rows.MakeSpan();
    __syncthreads();
    slots.StoreSpan(t, span);
    JoinTree(slots, 1, kLogWarp, kWarp);
    T *const joints = d.JointsOf(blockIdx.x);
#pragma unroll
    for (unsigned v = 0; v < kJointValues; v++) {
        joints[v * kWarp + t] = slots.At(v, t);
    }
    if (t < kSpanValues) {
        const unsigned group = own.tile >> d.log_group, place = own.tile - (group << d.log_group);
        d.SpansOf(own.system, group)[(t << d.log_group) + place] = slots.At(t, 0);
    }
}

// Of a block's group: its system, its number there, and how many tiles it has.
struct GroupPlace {
    uint64_t system;
    unsigned group, count;
};

template <class T>
DEVICE GroupPlace GroupOf(const KeptData<T> &d) {
    const unsigned group = blockIdx.x % d.groups;
    const unsigned left = d.tiles - (group << d.log_group);
    return {blockIdx.x / d.groups, group, left < blockDim.x ? left : blockDim.x};
}

// The spans of a group's tiles to one, their joints in their place, and those of all groups to the
// system's ends, whose status becomes 0, or to the portion's span. One block a group; 21 words a
// tile.
template <class T>
__global__ void __launch_bounds__(kGroup, 1) KeptJoinKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(T, memory);
    SHARED(uint32_t, is_last);
    const Slots<T> slots = {memory};
    const unsigned t = threadIdx.x, width = blockDim.x;
    const GroupPlace own = GroupOf(d);
    T *const spans = d.SpansOf(own.system, own.group);
    WaitForKernelBefore();
    if (t < own.count) {
        for (unsigned v = 0; v < kSpanValues; v++) {
            slots.At(v, t) = spans[v * width + t];
        }
    }
    JoinTree(slots, 1, d.log_group, own.count);
    for (unsigned v = 0; v < kJointValues; v++) {
        spans[v * width + t] = slots.At(v, t);
    }
    __syncthreads();
    const Ladder<T> ladder = d.LadderOf(own.system);
    if (!Climb(d.levels, ladder, slots, own.group, &is_last)) {
        return;
    }
    if (d.portions != nullptr) {
        if (t < kSpanValues) {
            d.portions[own.system * kSpanValues + t] = slots.At(t, 0);
        }
    } else if (t == 0) {
        Border<T> *const ends = ladder.Ends(d.levels);
        SolveEnds(slots.LoadSpan(0), &ends->below, &ends->above);
        d.m.ClearStatus(own.system);
    }
}

// The joint of the thread's slot.
template <class T>
DEVICE Joint<T> FetchJoint(const T *joints) {
    Joint<T> j;
#pragma unroll
    for (unsigned v = 0; v < kJointValues; v++) {
        j.e[v] = joints[v * blockDim.x + threadIdx.x];
    }
    return j;
}

// Of `count` slots, at most the block's threads, which are a power of two, the borders at 0 and
// count are known; those between are found. Each thread has its slot's joint. Begins and ends with
// a barrier.
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

// The borders of a group's tiles. One block a group; 13 words a tile.
template <class T>
__global__ void __launch_bounds__(kGroup, 1) KeptMeetKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(T, memory);
    Border<T> *const borders = (Border<T> *)memory;
    Joint<T> *const path = (Joint<T> *)(borders + blockDim.x + 1);
    const unsigned t = threadIdx.x;
    const GroupPlace own = GroupOf(d);
    const Ladder<T> ladder = d.LadderOf(own.system);
    WaitForKernelBefore();
    const Joint<T> joint = FetchJoint(d.SpansOf(own.system, own.group));
    const unsigned joints = FetchPath(d.levels, ladder, own.group, path);
    __syncthreads();
    if (t == 0) {
        Border<T> lo, hi;
        if (d.outer != nullptr) {
            lo = d.outer[2 * own.system];
            hi = d.outer[2 * own.system + 1];
        } else {
            const Border<T> ends = *ladder.Ends(d.levels);
            lo = {0, ends.below};
            hi = {ends.above, 0};
        }
        Descend(d.levels, own.group, path, joints, &lo, &hi);
        borders[0] = lo;
        borders[own.count] = hi;
    }
    MeetSlots(joint, borders, own.count);
    Border<T> *const to = d.BordersOf(own.system) + (own.group << d.log_group);
    if (t < own.count) {
        to[t] = borders[t];
    }
    if (t == 0 && own.group + 1 == d.groups) {
        to[own.count] = borders[own.count];
    }
}

// Tiles whose borders are known: their unknowns. One block each. Reads 4 words a row and 11 for
// each 32, writes one; x may be d, since a block has read its rows before it writes them.
template <class T>
__global__ void __launch_bounds__(kWarp, 1) KeptSolveKernel(const KeptData<T> d) {
    DYNAMIC_SHARED(char, memory);
    const SolveRows<T> rows = {(typename SolveRows<T>::Vector *)memory};
    Border<T> *const borders = (Border<T> *)(memory + SolveRows<T>::Bytes(kWarp));
    // Backwards, the second-level cache still has what the first launch read last.
    const unsigned t = threadIdx.x, block = gridDim.x - 1 - blockIdx.x;
    const TilePlace own = PlaceOf(d, block);
    WaitForKernelBefore();
    rows.Load(d.m, own.system, own.first, own.whole);
    const Joint<T> joint = FetchJoint(d.JointsOf(block));
    if (t < 2) {
        borders[t * kWarp] = d.BordersOf(own.system)[own.tile + t];
    }
    MeetSlots(joint, borders, kWarp);
    rows.Arrive(d.m, own.first);
    rows.Solve(borders[t], borders[t + 1]);
    rows.Store(d.m, own.system, own.first, own.whole);
}

template <class T>
cudaError_t LaunchKept(void (*kernel)(KeptData<T>), const KeptData<T> &d, uint64_t blocks,
                       unsigned threads, size_t bytes, cudaStream_t stream) {
    const cudaError_t e = AllowShared(kernel, bytes);
    return e != cudaSuccess ? e : LaunchEarly(kernel, (unsigned)blocks, threads, bytes, stream, d);
}

template <class T>
cudaError_t LongSystems(const tridiagonal_plan &plan, const TridiagonalData<Stored<T>> &data,
                        void *workspace, cudaStream_t stream) {
    using Steps = KeptSteps<T>;
    const KeptData<T> d = Steps::DataOf(plan, data, workspace);
    const cudaError_t e = Steps::Reduce(d, stream);
    return e == cudaSuccess ? Steps::Solve(d, stream) : e;
}

}  // namespace

template <class T>
KeptData<T> KeptSteps<T>::DataOf(const tridiagonal_plan &plan,
                                 const TridiagonalData<Stored<T>> &data, void *workspace) {
    static_assert(Slots<T>::Values(kWarp) * sizeof(T) <= SpanRows<T>::Bytes(kWarp),
                  "slots for rows");
    KeptData<T> d = {};
    d.m = data;
    d.vectors = (data.batch == 1 || data.system_stride * sizeof(Stored<T>) % 16 == 0) &&
                ((uintptr_t)data.a | (uintptr_t)data.b | (uintptr_t)data.c | (uintptr_t)data.d |
                 (uintptr_t)data.x) %
                        16 ==
                    0;
    d.tiles = (unsigned)plan.tiles;
    d.log_group = tridiagonal_log_group(&plan);
    d.groups = ((d.tiles - 1) >> d.log_group) + 1;
    d.levels = tridiagonal_levels_of(&plan);
    d.counters = (uint32_t *)workspace;
    const uint64_t counters = d.levels.counters * data.batch;
    d.values = (T *)(d.counters + (counters > kTridiagonalCounters ? (counters + 1) / 2 * 2
                                                                   : kTridiagonalCounters));
    d.spans = d.values + d.levels.values * data.batch;
    d.joints = d.spans + (d.groups * data.batch * kJointValues << d.log_group);
    d.borders = (Border<T> *)(d.joints + plan.tiles * data.batch * kJointValues * kWarp);
    return d;
}

template <class T>
cudaError_t KeptSteps<T>::Reduce(const KeptData<T> &d, cudaStream_t stream) {
    const uint64_t counters = d.levels.counters * d.m.batch;
    const unsigned group = 1u << d.log_group;
    cudaError_t e = cudaSuccess;
    if (counters > kTridiagonalCounters) {
        e = cudaMemsetAsync(d.counters + kTridiagonalCounters, 0,
                            (counters - kTridiagonalCounters) * sizeof(uint32_t), stream);
    }
    if (e == cudaSuccess) {
        e = LaunchKept(KeptSpansKernel<T>, d, d.tiles * d.m.batch, kWarp, SpanRows<T>::Bytes(kWarp),
                       stream);
    }
    // Its slots serve the levels above too: these are there if groups have kGroup tiles.
    return e == cudaSuccess ? LaunchKept(KeptJoinKernel<T>, d, d.groups * d.m.batch, group,
                                         Slots<T>::Values(group) * sizeof(T), stream)
                            : e;
}

template <class T>
cudaError_t KeptSteps<T>::Solve(const KeptData<T> &d, cudaStream_t stream) {
    const unsigned group = 1u << d.log_group;
    const size_t path = kPathJoints * kJointValues * sizeof(T);
    const cudaError_t e = LaunchKept(KeptMeetKernel<T>, d, d.groups * d.m.batch, group,
                                     (group + 1) * sizeof(Border<T>) + path, stream);
    return e == cudaSuccess
               ? LaunchKept(KeptSolveKernel<T>, d, d.tiles * d.m.batch, kWarp,
                            SolveRows<T>::Bytes(kWarp) + (kWarp + 1) * sizeof(Border<T>), stream)
               : e;
}

template struct KeptSteps<float>;
template struct KeptSteps<double>;
template struct KeptSteps<Twofold<float>>;
template struct KeptSteps<Twofold<double>>;

const TridiagonalAlgorithm kTridiagonalKept = {LongSystems<float>, LongSystems<double>};
const TridiagonalAlgorithm kTridiagonalKeptTwofold = {LongSystems<Twofold<float>>,
                                                      LongSystems<Twofold<double>>};
