// partition.cu: partition-pivot of tridiagonal.h, with numbers of twice the digits, and
// its plain form, on spans (span.cuh). A thread makes a span of the 8 or 16 rows that
// it holds in registers, the block one of all its threads' by a tree in shared memory, the blocks
// of a long system one of theirs: each for itself if all run together, or by a tree in device
// memory. Then the unknowns go back down.
//
// AGPU counts (N = n batch rows, b words a transfer, p cores, M rows a thread, S rows a tile):
//   a system is one block's   time O(N / p + log n), I/O 5 N / b, one launch; 14 words of shared
//     or those run together   memory a thread
//   a system is cut in tiles  time O(N / p + log n), I/O 9 N / b + 22 N / (S b), two launches: the
//                             second reads a, b, c, d again and makes its spans a second time,
//                             which is less than storing and loading what they leave
// Each row takes 9 fused operations, 5 products and a reciprocal, a joint for each M of them 18, 13
// and two. A fused operation of pairs of doubles is 15 of doubles, a product 7 (twofold.h).
//
// Trials on an H200 (no records kept): rows staged in shared memory by asynchronous copies of
// single words, so that loads are coalesced, take 2.5 times as many instructions and 40 % longer
// than threads that load their own rows by vectors; tiles of the first launch that go through 32
// rows a thread in pieces of 32 bytes take 6 to 14 % longer.
#include "primitives/cuda/cluster.cuh"
#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/rows.cuh"
#include "primitives/tridiagonal/tree.cuh"

namespace {

// Threads of a block: what T takes of registers.
template <class T>
constexpr unsigned kMaxThreads = sizeof(T) == 16 ? 256 : 512;

template <class T>
struct PartitionData {
    TridiagonalData<Stored<T>> m;
    bool vectors;      // a thread's rows lie together and begin at multiples of 16 bytes
    bool interleaved;  // neighbouring systems' rows are closer than a system's own
    bool ends_known;   // of systems cut in tiles: by the spans' launch
    unsigned lanes, systems, log_lanes, log_systems;
    tridiagonal_together together;
    uint64_t tiles;
    tridiagonal_levels levels;
    T *values;
    uint32_t *counters;
};

// The block's shared memory: a slot for each lane, borders, and the path to a tile, or the spans
// and borders of all blocks of a system that run together.
template <class T>
struct Tile {
    Slots<T> slots;
    Border<T> *borders;
    uint32_t *is_last;
    union {
        Joint<T> *path;
        T *others;
    };

    static size_t Bytes(unsigned threads, const PartitionData<T> &d) {
        const unsigned together = 2 * (unsigned)d.tiles;  // below twice the tiles are slots
        const size_t others = d.tiles == 1 ? 0
                              : d.together == TRIDIAGONAL_APART
                                  ? kPathJoints * kJointValues
                                  : Slots<T>::Values(together) + together + 2;
        return sizeof(T) * (Slots<T>::Values(threads) + 2 * (threads + d.systems) + others) + 16;
    }
    DEVICE Tile(T *memory, unsigned threads, unsigned systems) {
        slots = {memory};
        borders = (Border<T> *)(memory + Slots<T>::Values(threads));
        is_last = (uint32_t *)(borders + threads + systems);
        others = (T *)(is_last + 4);
    }
};

// What a thread holds: kEach rows of a system, from Row() on, for which it stands at `slot` of the
// block's trees.
struct Share {
    unsigned slot, tile;
    uint64_t system;

    template <unsigned kEach, class T>
    DEVICE uint64_t Row(const PartitionData<T> &d) const {
        return (((uint64_t)tile << d.log_lanes) + (slot & (d.lanes - 1))) * kEach;
    }
};

template <class T>
DEVICE Share ShareOf(const PartitionData<T> &d, bool backwards) {
    const unsigned t = threadIdx.x, block = backwards ? gridDim.x - 1 - blockIdx.x : blockIdx.x;
    // Neighbouring systems are neighbouring threads' where their rows interleave.
    const unsigned system = d.interleaved ? t & (d.systems - 1) : t >> d.log_lanes;
    const unsigned lane = d.interleaved ? t >> d.log_systems : t & (d.lanes - 1);
    const unsigned slot = (system << d.log_lanes) + lane;
    if (d.tiles == 1) {
        return {slot, 0, ((uint64_t)block << d.log_systems) + system};
    }
    // Neighbouring systems' tiles together if they interleave, but a cluster is one system's.
    const unsigned batch = (unsigned)d.m.batch, tiles = (unsigned)d.tiles;
    return d.interleaved && d.together != TRIDIAGONAL_CLUSTER
               ? Share{slot, block / batch, block % batch}
               : Share{slot, block % tiles, block / tiles};
}

// Rows first .. first + kEach of a system.
template <unsigned kEach, class T>
DEVICE void Load(const PartitionData<T> &d, uint64_t system, uint64_t first, Rows<T, kEach> &rows) {
    const TridiagonalData<Stored<T>> &m = d.m;
    if (d.vectors && system < m.batch && first + kEach <= m.n) {
        const uint64_t at = system * m.system_stride + first;
        LoadVectors(rows.a, m.a + at);
        LoadVectors(rows.b, m.b + at);
        LoadVectors(rows.c, m.c + at);
        LoadVectors(rows.d, m.d + at);
        rows.a[0] = first > 0 ? rows.a[0] : 0;
        rows.c[kEach - 1] = first + kEach < m.n ? rows.c[kEach - 1] : 0;
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < kEach; i++) {
        const Row<Stored<T>> row = m.Load(system, first + i);
        rows.a[i] = row.a;
        rows.b[i] = row.b;
        rows.c[i] = row.c;
        rows.d[i] = row.d;
    }
}

template <unsigned kEach, class T>
DEVICE void Store(const PartitionData<T> &d, const Share &s, const T (&x)[kEach]) {
    const uint64_t first = s.Row<kEach>(d);
    if (!d.vectors || s.system >= d.m.batch || first + kEach > d.m.n) {
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            d.m.Store(s.system, first + i, Rounded(x[i]));
        }
        return;
    }
    StoreVectors(d.m.x + s.system * d.m.system_stride + first, x);
    Stored<T> none = 0;  // unless one of them is not finite
#pragma unroll
    for (unsigned i = 0; i < kEach; i++) {
        none = fma(Rounded(x[i]), (Stored<T>)0, none);
    }
    if (d.m.status != nullptr && !(none == 0)) {
        d.m.status[s.system] = 1;
    }
}

// The borders at both ends of each of the block's systems, from the spans in their first slots.
template <class T>
DEVICE void SetEnds(const PartitionData<T> &d, const Tile<T> &t) {
    for (unsigned g = threadIdx.x; g < d.systems; g += blockDim.x) {
        Border<T> *const b = t.borders + g * (d.lanes + 1);
        b[0].below = 0;
        b[d.lanes].above = 0;
        SolveEnds(t.slots.LoadSpan(g << d.log_lanes), &b[0].above, &b[d.lanes].below);
        d.m.ClearStatus(((uint64_t)blockIdx.x << d.log_systems) + g);
    }
}

// Puts the block's span into slot `rank` of `all` in every block of its cluster.
template <class T>
DEVICE void ShareInCluster(const PartitionData<T> &d, const Slots<T> &own, const Slots<T> &all) {
    ClusterArrive();
    ClusterWait();  // all have begun
    for (unsigned i = threadIdx.x; i < kSpanValues * (unsigned)d.tiles; i += blockDim.x) {
        const unsigned value = i % kSpanValues;
        *ClusterShared(&all.At(value, ClusterRank()), i / kSpanValues) = own.At(value, 0);
    }
    ClusterArrive();
    ClusterWait();
}

// The same for all blocks of a cooperative launch, through device memory. They wait for each other:
// all run at once. The last one that leaves makes both counters ready for the next solve.
template <class T>
DEVICE void ShareInGrid(const PartitionData<T> &d, const Slots<T> &own, const Slots<T> &all) {
    const unsigned blocks = (unsigned)d.tiles;
    if (threadIdx.x == 0) {
        for (unsigned v = 0; v < kSpanValues; v++) {
            d.values[v * blocks + blockIdx.x] = own.At(v, 0);
        }
        AddAcquireRelease(&d.counters[0], 1);
        Spin spin;
        while (LoadRelaxed(&d.counters[0]) < blocks) {
            spin.Pause();
        }
        AddAcquireRelease(&d.counters[0], 0);  // acquires what all have released
    }
    __syncthreads();
    for (unsigned i = threadIdx.x; i < blocks; i += blockDim.x) {
        for (unsigned v = 0; v < kSpanValues; v++) {
            all.At(v, i) = d.values[v * blocks + i];
        }
    }
    if (threadIdx.x == 0 && AddAcquireRelease(&d.counters[1], 1) == blocks - 1) {
        d.counters[0] = 0;
        d.counters[1] = 0;
    }
}

// The borders of a block among those of its system that run together: each joins the spans of all.
template <class T>
DEVICE void SetEndsTogether(const PartitionData<T> &d, const Tile<T> &t, const Share &s) {
    const unsigned tiles = (unsigned)d.tiles, log_slots = Log2(2 * tiles - 1);
    const Slots<T> all = {t.others};
    Border<T> *const borders = (Border<T> *)(t.others + Slots<T>::Values(1u << log_slots));
    if (s.tile == 0 && threadIdx.x == 0) {
        d.m.ClearStatus(s.system);  // before any block sets it
    }
    if (d.together == TRIDIAGONAL_CLUSTER) {
        ShareInCluster(d, t.slots, all);
    } else {
        ShareInGrid(d, t.slots, all);
    }
    JoinTree(all, 1, log_slots, tiles);
    if (threadIdx.x == 0) {
        Border<T> lo = {0, 0}, hi = {0, 0};
        SolveEnds(all.LoadSpan(0), &lo.above, &hi.below);
        borders[0] = lo;
        borders[tiles] = hi;
    }
    MeetTree(all, borders, 1, log_slots, tiles);
    if (threadIdx.x == 0) {
        t.borders[0] = borders[s.tile];
        t.borders[d.lanes] = borders[s.tile + 1];
    }
    if (d.together == TRIDIAGONAL_CLUSTER) {
        ClusterArrive();  // the status is clear, and no block's memory is written any more
        ClusterWait();
    }
}

// Tiles to spans, and those to the system's ends. One block a tile.
template <class T, unsigned kEach>
__global__ void __launch_bounds__(kMaxThreads<T>, 1) SpansKernel(const PartitionData<T> d) {
    DYNAMIC_SHARED(T, memory);
    const Tile<T> t(memory, blockDim.x, 1);
    const Share s = ShareOf(d, false);
    WaitForKernelBefore();
    Rows<T, kEach> rows;
    Load(d, s.system, s.Row<kEach>(d), rows);
    Span<T> span;
    MakeSpan(rows, span);
    t.slots.StoreSpan(s.slot, span);
    JoinTree(t.slots, 1, d.log_lanes, d.lanes);
    const Ladder<T> ladder = {d.values + s.system * d.levels.values,
                              d.counters + s.system * d.levels.counters};
    if (Climb(d.levels, ladder, t.slots, s.tile, t.is_last) && threadIdx.x == 0) {
        Border<T> *const ends = ladder.Ends(d.levels);
        SolveEnds(t.slots.LoadSpan(0), &ends->below, &ends->above);
        d.m.ClearStatus(s.system);
    }
}

// Systems from beginning to end, one or several a block, or one for blocks that run together; or
// the tiles of systems whose ends are known.
template <class T, unsigned kEach>
__global__ void __launch_bounds__(kMaxThreads<T>, 1) SolveKernel(const PartitionData<T> d) {
    DYNAMIC_SHARED(T, memory);
    const Tile<T> t(memory, blockDim.x, d.systems);
    // Backwards, the second-level cache still has what the launch before read last.
    const Share s = ShareOf(d, d.ends_known);
    const Ladder<T> ladder = {d.values + s.system * d.levels.values, nullptr};
    WaitForKernelBefore();
    Rows<T, kEach> rows;
    Load(d, s.system, s.Row<kEach>(d), rows);
    unsigned joints = 0;
    if (d.ends_known) {
        joints = FetchPath(d.levels, ladder, s.tile, t.path);
    }
    Span<T> span;
    const uint32_t fresh = MakeSpan(rows, span);
    t.slots.StoreSpan(s.slot, span);
    JoinTree(t.slots, d.systems, d.log_lanes, d.lanes);
    if (d.tiles == 1) {
        SetEnds(d, t);
    } else if (d.together != TRIDIAGONAL_APART) {
        SetEndsTogether(d, t, s);
    } else if (threadIdx.x == 0) {
        const Border<T> ends = *ladder.Ends(d.levels);
        Border<T> lo = {0, ends.below}, hi = {ends.above, 0};
        Descend(d.levels, s.tile, t.path, joints, &lo, &hi);
        t.borders[0] = lo;
        t.borders[d.lanes] = hi;
    }
    MeetTree(t.slots, t.borders, d.systems, d.log_lanes, d.lanes);
    const Border<T> *const border = t.borders + s.slot + (s.slot >> d.log_lanes);
    Substitute(rows, fresh, border[0], border[1]);
    Store(d, s, rows.d);
}

template <class T>
cudaError_t LaunchStep(void (*kernel)(PartitionData<T>), const PartitionData<T> &d,
                       cudaStream_t stream) {
    const unsigned threads = d.lanes * d.systems;
    const unsigned blocks =
        (unsigned)(d.tiles > 1 ? d.tiles * d.m.batch : ((d.m.batch - 1) >> d.log_systems) + 1);
    const size_t bytes = Tile<T>::Bytes(threads, d);
    const cudaError_t e = AllowShared(kernel, bytes);
    if (e != cudaSuccess) {
        return e;
    }
    switch (d.together) {
        case TRIDIAGONAL_CLUSTER:
            return LaunchClusterEarly(kernel, blocks, threads, (unsigned)d.tiles, bytes, stream, d);
        case TRIDIAGONAL_GRID:
            return LaunchCooperative(kernel, blocks, threads, bytes, stream, d);
        default:
            return LaunchEarly(kernel, blocks, threads, bytes, stream, d);
    }
}

template <unsigned kEach, class T>
cudaError_t Run(PartitionData<T> &d, cudaStream_t stream) {
    if (d.tiles == 1 || d.together != TRIDIAGONAL_APART) {
        return LaunchStep(SolveKernel<T, kEach>, d, stream);
    }
    const uint64_t counters = d.levels.counters * d.m.batch;
    cudaError_t e = cudaSuccess;
    if (counters > kTridiagonalCounters) {
        e = cudaMemsetAsync(d.counters + kTridiagonalCounters, 0,
                            (counters - kTridiagonalCounters) * sizeof(uint32_t), stream);
    }
    if (e == cudaSuccess) {
        e = LaunchStep(SpansKernel<T, kEach>, d, stream);
    }
    if (e == cudaSuccess) {
        d.ends_known = true;
        e = LaunchStep(SolveKernel<T, kEach>, d, stream);
    }
    return e;
}

template <class T>
cudaError_t Partition(const tridiagonal_plan &plan, const TridiagonalData<Stored<T>> &data,
                      void *workspace, cudaStream_t stream) {
    PartitionData<T> d = {};
    d.m = data;
    d.vectors = data.row_stride == 1 &&
                (data.batch == 1 || data.system_stride * sizeof(Stored<T>) % 16 == 0) &&
                ((uintptr_t)data.a | (uintptr_t)data.b | (uintptr_t)data.c | (uintptr_t)data.d |
                 (uintptr_t)data.x) %
                        16 ==
                    0;
    d.interleaved = data.row_stride > data.system_stride;
    d.lanes = plan.lanes;
    d.systems = plan.systems;
    d.log_lanes = Log2(plan.lanes);
    d.log_systems = Log2(plan.systems);
    d.together = plan.together;
    d.tiles = plan.tiles;
    d.levels = tridiagonal_levels_of(&plan);
    d.counters = (uint32_t *)workspace;
    const uint64_t counters = d.levels.counters * data.batch;
    d.values = (T *)(d.counters + (counters > kTridiagonalCounters ? (counters + 1) / 2 * 2
                                                                   : kTridiagonalCounters));
    if constexpr (sizeof(T) == 4) {
        if (plan.rows_each == 16) {
            return Run<16>(d, stream);
        }
    }
    return Run<8>(d, stream);
}

}  // namespace

const TridiagonalAlgorithm kTridiagonalPartition = {Partition<float>, Partition<double>};
const TridiagonalAlgorithm kTridiagonalPartitionTwofold = {Partition<Twofold<float>>,
                                                           Partition<Twofold<double>>};
