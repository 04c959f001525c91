// matrix.cuh: the variant "tile", Koike's matrix-based scan: k warps, each with one share of the
// data, which do not communicate. Reduce the shares; one warp scans the k products; scan the
// shares, each beginning with its prefix. A warp goes through its share in tiles of alpha x 32
// elements, in shared memory as a matrix of 32 columns, a column each lane's: the lane folds its
// column, the columns' products are scanned, and the lane goes down its column once more. So
// operands are combined in order with 2 operations an element and 5 shuffles a tile.
//
// Where it differs from the source [Koike15, chapter 5], which needs operators that commute in its
// first step and, as printed, does not hand the carry from tile to tile: the first step combines
// columns in order too; a lane begins with what the lane before it ends with; rows; and instead of
// a pitch of 33 columns lie one behind the other and alpha is odd, in words of the banks, which
// avoids conflicts for both ways of access.
//
// AGPU counts (n elements, b words a transfer, p cores, k shares): time O(n / p + k / b), the
// second term for the products' scan by one warp; I/O 3 n / b + 4 k; three launches, one if a share
// holds all; shared words: 32 alpha a warp, so multiplicity is O(M / (alpha b)). The same job on
// the same device gives the same bits: k depends on n, rows and the device.
#ifndef PRIMITIVES_SCAN_MATRIX_CUH_
#define PRIMITIVES_SCAN_MATRIX_CUH_

#include <algorithm>

#include "primitives/cuda/launch.cuh"
#include "primitives/scan/tile.cuh"

// Near the source's best, 18, and odd in words of 4 bytes; in pairs of those for 8 bytes, which
// half a warp reads at a time.
template <class T>
constexpr unsigned kMatrixAlpha = sizeof(T) == 1 ? 68 : 17;

constexpr unsigned kMatrixWarps = 8;  // of a block; they share nothing
constexpr unsigned kMatrixShares = 8192;
constexpr unsigned kMatrixBlocksPerMultiprocessor = 4;

// --- Where rows begin ----------------------------------------------------------------------------
// Next says of one element after the other whether it begins a row; Skip passes over some.

struct OneRow {
    static constexpr bool kSegmented = false;
    DEVICE bool Next() { return false; }
    DEVICE void Skip(unsigned) {}
};

struct RowsOf {
    static constexpr bool kSegmented = true;
    uint64_t n, place;  // of the next element, below n

    DEVICE bool Next() {
        const bool head = place == 0;
        place = place + 1 == n ? 0 : place + 1;
        return head;
    }
    DEVICE void Skip(unsigned by) {
        place += by;
        if (place >= n) {
            place = place - n < n ? place - n : place % n;
        }
    }
};

// The products of shares: a share that has a head starts again there.
struct RowsOfShares {
    static constexpr bool kSegmented = true;
    uint64_t n, size, share, next;

    // Position of the last head up to the end of share i.
    DEVICE uint64_t LastHead(uint64_t i) const {
        const uint64_t last = (i + 1) * share < size ? (i + 1) * share - 1 : size - 1;
        return last - last % n;
    }
    DEVICE bool Next() {
        const bool head = LastHead(next) >= next * share;
        next++;
        return head;
    }
    DEVICE void Skip(unsigned by) { next += by; }
};

// --- A warp's tile -------------------------------------------------------------------------------
template <class M, unsigned kAlpha>
struct MatrixTile {
    using Value = typename M::Value;
    static constexpr unsigned kVector = Vector<Value>::kSize;
    static constexpr unsigned kItems = kAlpha * kWarp;
    static_assert(kItems % kVector == 0, "a tile is whole groups of 16 bytes");

    struct alignas(16) Shared {
        Value x[kItems];
    };

    // Load brings the elements at positions at .. at + kItems, identities for those outside
    // [from, end). Coalesced; without bank conflicts, because the layout is the data's own.
    DEVICE static void Load(const ScanData<M> &d, uint64_t at, uint64_t from, uint64_t end,
                            Shared &s) {
        __syncwarp();  // the tile before has been read
        if (d.vectors && from <= at && at + kItems <= end) {
#pragma unroll
            for (unsigned i = 0; i < (kItems / kVector + kWarp - 1) / kWarp; i++) {
                const unsigned group = i * kWarp + Lane();
                if (group < kItems / kVector) {
                    ((Vector<Value> *)s.x)[group] = ((const Vector<Value> *)(d.in + at))[group];
                }
            }
        } else {
            for (unsigned i = Lane(); i < kItems; i += kWarp) {
                const bool inside = from <= at + i && at + i < end;
                s.x[i] = inside ? d.in[at + i] : M::Identity();
            }
        }
        __syncwarp();
    }

    DEVICE static void Store(const ScanData<M> &d, uint64_t at, uint64_t end, const Shared &s) {
        __syncwarp();
        if (d.vectors && at + kItems <= end) {
            for (unsigned i = Lane(); i < kItems / kVector; i += kWarp) {
                ((Vector<Value> *)(d.out + at))[i] = ((const Vector<Value> *)s.x)[i];
            }
        } else {
            for (unsigned i = Lane(); i < kItems && at + i < end; i += kWarp) {
                d.out[at + i] = s.x[i];
            }
        }
    }

    // Total returns the product of [from, end), reading from tile to tile of a share that begins at
    // first <= from.
    DEVICE static Value Total(const ScanData<M> &d, uint64_t first, uint64_t from, uint64_t end,
                              Shared &s) {
        Value total = M::Identity();
        for (uint64_t at = from - (from - first) % kItems; at < end; at += kItems) {
            Load(d, at, from, end, s);
            const Value *const mine = s.x + Lane() * kAlpha;
            Value v = mine[0];
            for (unsigned r = 1; r < kAlpha; r++) {
                v = M::Combine(v, mine[r]);
            }
            total = M::Combine(total, M::kCommutative ? v : WarpReduce<M>(v));
        }
        return M::kCommutative ? WarpReduce<M>(total) : total;
    }

    // Scan scans [first, end), `carry` standing before it. heads: of the lane's first element.
    template <class Heads>
    DEVICE static void Scan(const ScanData<M> &d, uint64_t first, uint64_t end, Value carry,
                            Heads heads, Shared &s) {
        Value *const mine = s.x + Lane() * kAlpha;
        for (uint64_t at = first; at < end; at += kItems) {
            Load(d, at, first, end, s);
            Value v = M::Identity();
            bool any_head = false;
            Heads ahead = heads;
            for (unsigned r = 0; r < kAlpha; r++) {
                const bool head = ahead.Next();
                v = M::Combine(head ? M::Identity() : v, mine[r]);
                any_head = any_head || head;
            }
            const Totals<M> t = ScanTotals<M, kWarp, Heads::kSegmented>(v, any_head);
            v = t.open ? M::Combine(carry, t.before) : t.before;
            carry = t.any_head ? t.all : M::Combine(carry, t.all);
            for (unsigned r = 0; r < kAlpha; r++) {
                const Value before = heads.Next() ? M::Identity() : v;
                v = M::Combine(before, mine[r]);
                mine[r] = d.exclusive ? before : v;
            }
            heads.Skip(kItems - kAlpha);
            Store(d, at, end, s);
        }
    }
};

// --- The three kernels ---------------------------------------------------------------------------
template <class M>
struct Shares {
    ScanData<M> d;
    uint64_t share;  // elements of each, a multiple of the tile; the last may be shorter
    uint32_t count;
    typename M::Value *totals;  // the second kernel makes them inclusive; NULL if count == 1
};

template <class M, unsigned kAlpha>
struct MatrixShare {
    using Tile = MatrixTile<M, kAlpha>;
    using BlockShared = typename Tile::Shared[kMatrixWarps];

    DEVICE static uint32_t Index() { return blockIdx.x * kMatrixWarps + threadIdx.x / kWarp; }
    DEVICE static uint64_t End(const Shares<M> &c, uint32_t i) {
        return (i + 1) * c.share < c.d.size ? (i + 1) * c.share : c.d.size;
    }
};

template <class M, unsigned kAlpha>
__global__ void __launch_bounds__(kMatrixWarps *kWarp) ShareTotalsKernel(const Shares<M> c) {
    using Share = MatrixShare<M, kAlpha>;
    SHARED(typename Share::BlockShared, s);
    const uint32_t i = Share::Index();
    if (i >= c.count) {
        return;
    }
    const uint64_t first = i * c.share;
    const uint64_t head = RowsOfShares{c.d.n, c.d.size, c.share, i}.LastHead(i);
    const typename M::Value total = Share::Tile::Total(c.d, first, head > first ? head : first,
                                                       Share::End(c, i), s[threadIdx.x / kWarp]);
    if (Lane() == 0) {
        c.totals[i] = total;
    }
}

// One warp.
template <class M, unsigned kAlpha>
__global__ void __launch_bounds__(kWarp) ScanTotalsKernel(const Shares<M> c) {
    using Tile = MatrixTile<M, kAlpha>;
    SHARED(typename Tile::Shared, s);
    const ScanData<M> totals = {c.totals, c.totals, c.count, c.count, false, true};
    Tile::Scan(totals, 0, c.count, M::Identity(),
               RowsOfShares{c.d.n, c.d.size, c.share, Lane() * kAlpha}, s);
}

template <class M, unsigned kAlpha, bool kSegmented>
__global__ void __launch_bounds__(kMatrixWarps *kWarp, kMatrixBlocksPerMultiprocessor)
    ScanSharesKernel(const Shares<M> c) {
    using Share = MatrixShare<M, kAlpha>;
    SHARED(typename Share::BlockShared, s);
    const uint32_t i = Share::Index();
    if (i >= c.count) {
        return;
    }
    const uint64_t first = i * c.share;
    const uint64_t end = Share::End(c, i);
    const typename M::Value before = i > 0 ? c.totals[i - 1] : M::Identity();
    if constexpr (kSegmented) {
        const RowsOf heads = {c.d.n, (first + Lane() * kAlpha) % c.d.n};
        Share::Tile::Scan(c.d, first, end, before, heads, s[threadIdx.x / kWarp]);
    } else {
        Share::Tile::Scan(c.d, first, end, before, OneRow(), s[threadIdx.x / kWarp]);
    }
}

template <class M, unsigned kAlpha>
struct ScanMatrixOf {
    using Operator = M;
    using Value = typename M::Value;
    static constexpr uint64_t kTile = MatrixTile<M, kAlpha>::kItems;

    static size_t WorkspaceBytes(uint64_t, uint64_t) { return kMatrixShares * sizeof(Value); }

    static cudaError_t Run(const ScanData<M> &d, void *workspace, cudaStream_t stream) {
        int multiprocessors = 0;
        cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
        if (e != cudaSuccess) {
            return e;
        }
        const uint64_t most =
            std::min<uint64_t>(kMatrixShares, (uint64_t)multiprocessors *
                                                  kMatrixBlocksPerMultiprocessor * kMatrixWarps);
        const uint64_t tiles = (d.size + kTile - 1) / kTile;
        // At least four tiles each, so that few elements need one launch.
        const uint64_t tiles_each = std::max<uint64_t>(4, (tiles + most - 1) / most);
        const uint32_t count = (uint32_t)((tiles + tiles_each - 1) / tiles_each);
        const Shares<M> c = {d, tiles_each * kTile, count, (Value *)workspace};
        const unsigned blocks = (count + kMatrixWarps - 1) / kMatrixWarps;
        if (count > 1) {
            auto reduce = ShareTotalsKernel<M, kAlpha>;
            auto scan = ScanTotalsKernel<M, kAlpha>;
            e = Launch(reduce, blocks, kMatrixWarps * kWarp, 0, stream, c);
            if (e == cudaSuccess) {
                e = Launch(scan, 1, kWarp, 0, stream, c);
            }
            if (e != cudaSuccess) {
                return e;
            }
        }
        auto kernel =
            d.n < d.size ? ScanSharesKernel<M, kAlpha, true> : ScanSharesKernel<M, kAlpha, false>;
        return Launch(kernel, blocks, kMatrixWarps * kWarp, 0, stream, c);
    }
};

template <class M>
using ScanMatrix = ScanMatrixOf<M, kMatrixAlpha<typename M::Value>>;

#endif  // PRIMITIVES_SCAN_MATRIX_CUH_
