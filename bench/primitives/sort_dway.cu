// sort_dway.cu: see sort_dway.h.
#include "bench/primitives/sort_dway.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/scan/monoid.cuh"
#include "primitives/sort/sort.h"

namespace {

constexpr unsigned kBuffer = 2 * kWarp;  // keys of a node
constexpr uint32_t kLast = UINT32_MAX;   // stands behind the end of a run

// A pass: d runs become one, in tiles of `tile` keys, a warp each.
struct Pass {
    const uint32_t *in;
    uint32_t *out;
    uint32_t *cuts;  // for each tile and run: where in the run its piece begins
    uint64_t n, run, tile;
    unsigned lg_ways;

    HOST_DEVICE uint64_t Tiles() const { return n / tile; }
    // Where the runs that a place is merged from begin; that of run w, and its length.
    DEVICE uint64_t Group(uint64_t place) const {
        return place / (run << lg_ways) * run << lg_ways;
    }
    DEVICE uint64_t RunBegin(uint64_t group, unsigned w) const {
        return group + w * run < n ? group + w * run : n;
    }
    DEVICE uint32_t RunLength(uint64_t group, unsigned w) const {
        return (uint32_t)(RunBegin(group, w + 1) - RunBegin(group, w));
    }
};

// How many of x[low .. high) are at most key, plus low.
DEVICE uint32_t UpTo(const uint32_t *x, uint32_t low, uint32_t high, uint32_t key) {
    while (low < high) {
        const uint32_t mid = low + (high - low) / 2;
        const bool right = x[mid] <= key;
        low = right ? mid + 1 : low;
        high = right ? high : mid;
    }
    return low;
}

// Cuts the runs of a tile where it begins, a warp a tile; run i 32 + lane is a lane's i-th. The key
// of that rank is found bit by bit; of keys equal to it the lower runs' go first.
template <unsigned kEach>
__global__ void __launch_bounds__(kWarp) CutsKernel(const Pass p) {
    const unsigned ways = 1u << p.lg_ways;
    const uint64_t place = blockIdx.x * p.tile, group = p.Group(place);
    const uint32_t rank = (uint32_t)(place - group);
    uint32_t low[kEach], high[kEach], mine[kEach];
    const uint32_t *run[kEach];
    WaitForKernelBefore();
#pragma unroll
    for (unsigned i = 0; i < kEach; i++) {
        const unsigned w = i * kWarp + Lane();
        run[i] = p.in + (w < ways ? p.RunBegin(group, w) : 0);
        low[i] = 0;
        high[i] = w < ways ? p.RunLength(group, w) : 0;
    }
    // low: keys below `least`; high: keys up to `most`. The key is between the two.
    uint32_t least = 0, most = kLast;
    while (least < most) {
        const uint32_t mid = least + (most - least) / 2;
        uint32_t count = 0;
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            mine[i] = UpTo(run[i], low[i], high[i], mid);
            count += mine[i];
        }
        const bool more = WarpReduce<Sum<uint32_t>>(count) > rank;
        least = more ? least : mid + 1;
        most = more ? mid : most;
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            low[i] = more ? low[i] : mine[i];
            high[i] = more ? mine[i] : high[i];
        }
    }
    uint32_t below = 0;
#pragma unroll
    for (unsigned i = 0; i < kEach; i++) {
        below += low[i];
    }
    uint32_t equal = rank - WarpReduce<Sum<uint32_t>>(below);  // of them, how many go left
#pragma unroll
    for (unsigned i = 0; i < kEach; i++) {
        const unsigned w = i * kWarp + Lane();
        const uint32_t own = high[i] - low[i], up_to = WarpScan<Sum<uint32_t>>(own);
        const uint32_t before = up_to - own;
        const uint32_t taken = equal > before ? equal - before : 0;
        if (w < ways) {
            p.cuts[(uint64_t)blockIdx.x * ways + w] = low[i] + (taken < own ? taken : own);
        }
        const uint32_t all = Broadcast(up_to, kWarp - 1);
        equal = equal > all ? equal - all : 0;
    }
}

// The tree of a warp: nodes 1 .. d - 1 of 64 sorted keys each, leaves d .. 2 d - 1 the runs. Of
// each the last key that it handed upwards.
struct Tree {
    uint32_t *keys, *last, *at, *end;  // at, end: of the runs, places in `in`
    const uint32_t *in;
    unsigned d;

    static size_t Words(unsigned d) { return (size_t)d * (kBuffer + 4); }

    DEVICE Tree(uint32_t *memory, const uint32_t *data, unsigned ways)
        : keys(memory),
          last(keys + ways * kBuffer),
          at(last + 2 * ways),
          end(at + ways),
          in(data),
          d(ways) {}

    // The lane's key of the child's next 32. A node keeps its keys.
    DEVICE uint32_t Take(unsigned child) {
        uint32_t key;
        if (child < d) {
            key = keys[child * kBuffer + Lane()];
        } else {
            const uint32_t from = at[child - d], to = end[child - d];
            key = Lane() < to - from ? in[from + Lane()] : kLast;
            __syncwarp();
            if (Lane() == 0) {
                at[child - d] = to - from < kWarp ? to : from + kWarp;
            }
        }
        const uint32_t highest = Broadcast(key, kWarp - 1);
        if (Lane() == 0) {
            last[child] = highest;
        }
        __syncwarp();
        return key;
    }

    DEVICE static uint32_t Clean(uint32_t key) {
#pragma unroll
        for (unsigned by = kWarp / 2; by > 0; by /= 2) {
            const uint32_t other = ShuffleXor(key, by);
            key = ((Lane() & by) != 0) == (other > key) ? other : key;
        }
        return key;
    }

    // Node v takes the keys of two sorted blocks; a and b are the lane's keys.
    DEVICE void Merge(unsigned v, uint32_t a, uint32_t b) {
        const uint32_t turned = ShuffleXor(b, kWarp - 1);
        const uint32_t low = Clean(a < turned ? a : turned), high = Clean(a < turned ? turned : a);
        __syncwarp();
        keys[v * kBuffer + Lane()] = low;
        keys[v * kBuffer + kWarp + Lane()] = high;
        __syncwarp();
    }

    // Node v handed its lower half on. What comes next can only be missing below the child that
    // handed on the smaller key, and so on down.
    DEVICE void Refill(unsigned v) {
        while (v < d) {
            const uint32_t kept = keys[v * kBuffer + kWarp + Lane()];
            const unsigned child = 2 * v + (last[2 * v + 1] < last[2 * v] ? 1 : 0);
            __syncwarp();
            Merge(v, kept, Take(child));
            v = child;
        }
    }

    DEVICE void Start() {
        for (unsigned v = d - 1; v > 0; v--) {
            const uint32_t a = Take(2 * v);
            Refill(2 * v);
            const uint32_t b = Take(2 * v + 1);
            Refill(2 * v + 1);
            Merge(v, a, b);
        }
    }
};

__global__ void __launch_bounds__(4 * kWarp) MergeKernel(const Pass p, unsigned words) {
    DYNAMIC_SHARED(uint32_t, memory);
    const unsigned ways = 1u << p.lg_ways, warp = threadIdx.x / kWarp;
    const uint64_t index = (uint64_t)blockIdx.x * (blockDim.x / kWarp) + warp;
    WaitForKernelBefore();
    if (index >= p.Tiles()) {
        return;
    }
    Tree tree(memory + warp * words, p.in, ways);
    const uint64_t place = index * p.tile, group = p.Group(place);
    const bool last = index + 1 == p.Tiles() || p.Group(place + p.tile) != group;
    for (unsigned w = Lane(); w < ways; w += kWarp) {
        const uint32_t *cut = p.cuts + index * ways + w;
        const uint32_t begin = (uint32_t)p.RunBegin(group, w);
        tree.at[w] = begin + cut[0];
        tree.end[w] = begin + (last ? p.RunLength(group, w) : cut[ways]);
    }
    __syncwarp();
    tree.Start();
    for (uint64_t done = 0; done < p.tile; done += kWarp) {
        p.out[place + done + Lane()] = tree.keys[kBuffer + Lane()];
        __syncwarp();
        tree.Refill(1);
    }
}

unsigned LogOf(uint64_t n) {
    unsigned log = 0;
    while (UINT64_C(1) << log < n) {
        log++;
    }
    return log;
}

// Long enough that the tree's first keys are an eighth of a tile; no longer than a group.
uint64_t TileOf(const sort_dway_job &j, uint64_t run) {
    const uint64_t most = run << j.lg_ways < j.n ? run << j.lg_ways : j.n;
    const uint64_t tile = UINT64_C(512) << j.lg_ways > 8192 ? UINT64_C(512) << j.lg_ways : 8192;
    return tile < most ? tile : most;
}

// Room for the cuts of any pass. The first has the most: its tiles are the shortest.
uint64_t CutsOf(const sort_dway_job &j) {
    return j.n / TileOf(j, UINT64_C(1) << j.lg_run) << j.lg_ways;
}

cudaError_t Enqueue(const Pass &p, cudaStream_t stream) {
    const unsigned tiles = (unsigned)p.Tiles(), ways = 1u << p.lg_ways;
    auto cuts = ways <= 32    ? CutsKernel<1>
                : ways == 64  ? CutsKernel<2>
                : ways == 128 ? CutsKernel<4>
                              : CutsKernel<8>;
    cudaError_t e = LaunchEarly(cuts, tiles, kWarp, 0, stream, p);
    const unsigned warps = ways <= 32 ? 4 : 1, words = (unsigned)Tree::Words(ways);
    const size_t bytes = (size_t)warps * words * 4;
    if (e == cudaSuccess) {
        e = AllowShared(MergeKernel, bytes);
    }
    return e != cudaSuccess ? e
                            : LaunchEarly(MergeKernel, (tiles + warps - 1) / warps, warps * kWarp,
                                          bytes, stream, p, words);
}

}  // namespace

sort_dway_costs sort_dway_cost(const sort_dway_job *job) {
    sort_dway_costs c = {};
    if (job->lg_ways < 1 || job->lg_ways > 8 || job->lg_run < 5 || job->lg_run > 13 ||
        job->n < UINT64_C(1) << job->lg_run || job->n > UINT64_C(1) << 31 ||
        (job->n & (job->n - 1)) != 0) {
        return c;
    }
    const uint64_t sweep = 8 * job->n;
    c.passes = (LogOf(job->n) - job->lg_run + job->lg_ways - 1) / job->lg_ways;
    c.bytes = sweep;
    for (unsigned pass = 0; pass < c.passes; pass++) {
        const uint64_t run = UINT64_C(1) << (job->lg_run + pass * job->lg_ways);
        const uint64_t nodes = job->n / TileOf(*job, run) << job->lg_ways;
        c.bytes += sweep + nodes * (4 * kBuffer + 8);
    }
    c.workspace_bytes = 4 * (job->n + CutsOf(*job));
    return c;
}

bool sort_dway_enqueue(void *job, cuda_stream stream) {
    const sort_dway_job &j = *(const sort_dway_job *)job;
    const sort_dway_costs c = sort_dway_cost(&j);
    if (c.workspace_bytes == 0 || j.workspace_bytes < c.workspace_bytes) {
        return false;
    }
    uint32_t *const other = (uint32_t *)j.workspace;
    bool to_output = c.passes % 2 == 0;
    const uint64_t run = UINT64_C(1) << j.lg_run;
    const sort_job rows = {SORT_U32, 0, run, j.n / run, false};
    const sort_arrays arrays = {j.in, to_output ? j.out : other, nullptr, nullptr, nullptr};
    sort_plan plan;
    if (!sort_plan_make(&rows, SORT_COMB, &plan) ||
        sort_device(&rows, &plan, &arrays, nullptr, 0, stream) != RESULT_OK) {
        return false;
    }
    Pass p = {nullptr, nullptr, other + j.n, j.n, run, 0, j.lg_ways};
    for (unsigned pass = 0; pass < c.passes; pass++, p.run <<= j.lg_ways) {
        p.in = to_output ? j.out : other;
        to_output = !to_output;
        p.out = to_output ? j.out : other;
        p.tile = TileOf(j, p.run);
        if (Enqueue(p, stream) != cudaSuccess) {
            return false;
        }
    }
    return true;
}
