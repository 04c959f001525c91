// wang_mou_radix.cu: see wang_mou_radix.h.
#include "bench/tridiagonal/wang_mou_radix.h"

#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/wang_mou.cuh"

namespace {

constexpr unsigned kTile = 1024;  // rows of a block, of longer systems
constexpr unsigned kLeastThreads = 128, kMaxThreads = 512;
constexpr uint64_t kLongest = UINT64_C(1) << 19;

// A block of rows to be joined with others: one of its rows, its first and its last.
template <class T>
struct Triad {
    Row<T> own, first, last;
};

// Joins the blocks of t[0], t[h], t[2 h], .. two by two, h >= from, until they are one: of each
// block the first and last row stand at its first triad.
template <unsigned P, class T>
DEVICE void Node(Triad<T> (&t)[P], unsigned from) {
#pragma unroll
    for (unsigned h = 1; h < P; h *= 2) {
        if (h < from) {
            continue;
        }
#pragma unroll
        for (unsigned g = 0; g < P; g += 2 * h) {
            const Row<T> left = AcrossLeft(t[g].last, t[g + h].first);
            const Row<T> right = AcrossRight(t[g].last, t[g + h].first);
#pragma unroll
            for (unsigned i = 0; i < h; i++) {
                t[g + i].own = MergeLeft(t[g + i].own, left);
                t[g + h + i].own = MergeRight(t[g + h + i].own, right);
            }
            t[g].first = MergeLeft(t[g].first, left);
            t[g].last = MergeRight(t[g + h].last, right);
        }
    }
}

// Where the items of thread q are while blocks of `block` items are joined, P or fewer: items
// First(q) + e << low, whose digits from `low` on are e. The last node may have digits below the
// blocks' size: then its first steps are done.
template <unsigned P>
struct Digits {
    unsigned block, low;

    DEVICE Digits(unsigned items, unsigned size) : block(size) {
        low = 0;
        while (1u << low < block && (P << low) < items) {
            low++;
        }
    }
    DEVICE unsigned First(unsigned q) const {
        return (q >> low) * (P << low) + (q & ((1u << low) - 1));
    }
    DEVICE unsigned Item(unsigned q, unsigned e) const { return First(q) + (e << low); }
    DEVICE unsigned From() const { return block >> low; }  // of Node
};

// size / P threads a system or tile; rows: NULL where these are all steps.
template <class T, unsigned P>
__global__ void __launch_bounds__(kMaxThreads)
    RowsKernel(const TridiagonalData<T> d, unsigned size, uint64_t tiles, Row<T> *rows) {
    DYNAMIC_SHARED(Row<T>, memory);
    const unsigned threads = size / P, q = threadIdx.x % threads;
    const unsigned base = threadIdx.x / threads * size;  // of the system's rows in the block
    const uint64_t system = blockIdx.x / tiles * (blockDim.x / threads) + threadIdx.x / threads;
    const uint64_t first = blockIdx.x % tiles * size;
    auto at = [&](unsigned i) -> Row<T> & { return memory[RowPlace(base + i)]; };
    WaitForKernelBefore();
    for (unsigned e = 0; e < P; e++) {
        at(q + e * threads) = d.Load(system, first + q + e * threads);
    }
    __syncthreads();
    for (unsigned block = 1; block < size; block *= P) {
        const Digits<P> digits(size, block);
        Triad<T> t[P];
#pragma unroll
        for (unsigned e = 0; e < P; e++) {
            const unsigned i = digits.Item(q, e), begin = i & ~(block - 1);
            t[e] = {at(i), at(begin), at(begin + block - 1)};
        }
        __syncthreads();
        Node(t, digits.From());
#pragma unroll
        for (unsigned e = 0; e < P; e++) {
            at(digits.Item(q, e)) = t[e].own;
        }
        __syncthreads();
    }
    for (unsigned e = 0; e < P; e++) {
        const unsigned i = q + e * threads;
        if (rows != nullptr) {
            rows[(system * tiles) * size + first + i] = at(i);
        } else {
            d.Store(system, first + i, at(i).d / at(i).b);
        }
    }
}

// Rows at `sets` neighbouring places of all tiles of a system, in memory [tile][set]; behind them
// the tiles' first and last rows. tiles / P threads a set.
template <class T, unsigned P>
__global__ void __launch_bounds__(kMaxThreads)
    TilesKernel(const TridiagonalData<T> d, unsigned tiles, unsigned sets, const Row<T> *rows) {
    DYNAMIC_SHARED(Row<T>, memory);
    const unsigned set = threadIdx.x % sets, q = threadIdx.x / sets, threads = tiles / P;
    const uint64_t system = blockIdx.x / (kTile / sets);
    const unsigned place = blockIdx.x % (kTile / sets) * sets + set;
    auto own = [&](unsigned tile) -> Row<T> & { return memory[RowPlace(tile * sets + set)]; };
    Row<T> *const firsts = memory + RowPlaces(tiles * sets), *const lasts = firsts + tiles;
    WaitForKernelBefore();
    const Row<T> *const of_system = rows + system * tiles * kTile;
    for (unsigned e = 0; e < P; e++) {
        const unsigned tile = q + e * threads;
        const Row<T> *const row = of_system + (uint64_t)tile * kTile;
        own(tile) = row[place];
        if (set == 0) {
            firsts[tile] = row[0];
            lasts[tile] = row[kTile - 1];
        }
    }
    __syncthreads();
    for (unsigned block = 1; block < tiles; block *= P) {
        const Digits<P> digits(tiles, block);
        Triad<T> t[P];
#pragma unroll
        for (unsigned e = 0; e < P; e++) {
            const unsigned tile = digits.Item(q, e), begin = tile & ~(block - 1);
            t[e] = {own(tile), firsts[begin], lasts[begin + block - 1]};
        }
        __syncthreads();
        Node(t, digits.From());
#pragma unroll
        for (unsigned e = 0; e < P; e++) {
            own(digits.Item(q, e)) = t[e].own;
        }
        // The joined block's, by the thread whose first tile is its first.
        const unsigned first = digits.First(q), joined = P << digits.low;
        if (set == 0 && first % joined == 0) {
            firsts[first] = t[0].first;
            lasts[first + joined - 1] = t[0].last;
        }
        __syncthreads();
    }
    for (unsigned e = 0; e < P; e++) {
        const unsigned tile = q + e * threads;
        d.Store(system, (uint64_t)tile * kTile + place, own(tile).d / own(tile).b);
    }
}

unsigned PowerAbove(uint64_t n) {
    unsigned p = 1;
    while (p < n) {
        p *= 2;
    }
    return p;
}

// Tiles of a system: a power of two.
unsigned TilesOf(const tridiagonal_job &job) { return PowerAbove((job.n - 1) / kTile + 1); }

template <class T>
TridiagonalData<T> DataOf(const naive_tridiagonal_job &j) {
    return {(const T *)j.a, (const T *)j.b, (const T *)j.c,
            (const T *)j.d, (T *)j.x,       nullptr,
            j.job.n,        j.job.batch,    1,
            j.job.n};
}

template <class T, unsigned P>
cudaError_t JoinTiles(const naive_tridiagonal_job &j, cuda_stream stream) {
    const unsigned tiles = TilesOf(j.job);
    const unsigned sets = tiles < kLeastThreads * P ? kLeastThreads * P / tiles : 1;
    const size_t bytes = (RowPlaces(tiles * sets) + 2 * tiles) * sizeof(Row<T>);
    const cudaError_t e = AllowShared(TilesKernel<T, P>, bytes);
    return e != cudaSuccess
               ? e
               : LaunchEarly(TilesKernel<T, P>, (unsigned)(j.job.batch * (kTile / sets)),
                             tiles / P * sets, bytes, stream, DataOf<T>(j), tiles, sets,
                             (const Row<T> *)j.workspace);
}

template <class T, unsigned P>
bool Solve(const naive_tridiagonal_job &j, cuda_stream stream) {
    const unsigned tiles = TilesOf(j.job);
    const unsigned rows = tiles > 1 ? kTile : PowerAbove(j.job.n), size = rows < P ? P : rows;
    const unsigned threads = size / P;
    const unsigned systems = tiles == 1 && threads < kLeastThreads ? kLeastThreads / threads : 1;
    const uint64_t blocks = (j.job.batch + systems - 1) / systems * tiles;
    const size_t bytes = RowPlaces(size * systems) * sizeof(Row<T>);
    cudaError_t e = AllowShared(RowsKernel<T, P>, bytes);
    if (e == cudaSuccess) {
        e = LaunchEarly(RowsKernel<T, P>, (unsigned)blocks, threads * systems, bytes, stream,
                        DataOf<T>(j), size, (uint64_t)tiles,
                        tiles > 1 ? (Row<T> *)j.workspace : (Row<T> *)nullptr);
    }
    if (e == cudaSuccess && tiles > 1) {
        // A node has no more tiles than there are.
        e = P == 2 || tiles == 2   ? JoinTiles<T, 2>(j, stream)
            : P == 4 || tiles == 4 ? JoinTiles<T, 4>(j, stream)
                                   : JoinTiles<T, 8>(j, stream);
    }
    return e == cudaSuccess;
}

size_t Bytes(const tridiagonal_job *job) {
    const size_t row = job->type == TRIDIAGONAL_F32 ? sizeof(Row<float>) : sizeof(Row<double>);
    const unsigned tiles = job->n > 0 ? TilesOf(*job) : 1;
    return tiles > 1 ? row * kTile * tiles * job->batch : 0;
}

template <unsigned P>
bool Enqueue(void *self, cuda_stream stream) {
    const naive_tridiagonal_job &j = *(const naive_tridiagonal_job *)self;
    if (j.job.n > kLongest || j.workspace_bytes < Bytes(&j.job)) {
        return false;
    }
    return j.job.n == 0 || j.job.batch == 0 ||
           (j.job.type == TRIDIAGONAL_F32 ? Solve<float, P>(j, stream)
                                          : Solve<double, P>(j, stream));
}

}  // namespace

extern "C" const naive_tridiagonal wang_mou_radices[WANG_MOU_RADICES] = {
    {"ms-id-ts-2", Bytes, Enqueue<2>, {kLongest, kLongest}, false},
    {"ms-id-ts-4", Bytes, Enqueue<4>, {kLongest, kLongest}, false},
    {"ms-id-ts-8", Bytes, Enqueue<8>, {kLongest, kLongest}, false}};
