// tile.cuh: one tile of a scan in registers: how a block loads it, scans it, adds the prefix and
// stores it. Shared by the variants that stream through tiles, and independent of how a prefix
// reaches a tile. Includes block.cuh.
//
// Layout. A warp owns kRows consecutive vector rows; in a vector row lane i owns the i-th group of
// 16 bytes. So accesses are coalesced with 16 bytes a lane, and the order of elements is: warp,
// vector row, lane, place in the group. A vector row of 32 groups is scanned by 5 shuffles.
//
// Rows of the batch. Where a row begins is computed from positions, never read. An element that
// begins a row (a head) takes nothing from its left.
#ifndef PRIMITIVES_SCAN_TILE_CUH_
#define PRIMITIVES_SCAN_TILE_CUH_

#include "primitives/cuda/block.cuh"

template <class T>
struct alignas(16) Vector {
    static constexpr unsigned kSize = 16 / sizeof(T);
    T x[kSize];
};

// The data that all tiles of a launch share. Positions count elements from the first row's start.
template <class M>
struct ScanData {
    const typename M::Value *in;
    typename M::Value *out;
    uint64_t size;  // n rows
    uint64_t n;     // of a row
    bool exclusive;
    bool vectors;  // in and out are 16-byte aligned
};

// kSegmented: there may be more than one row. Otherwise only position 0 is a head, which needs no
// special case, because nothing comes before it.
template <class M, unsigned kWarps, unsigned kRows, bool kSegmented>
struct ScanTile {
    using Value = typename M::Value;
    static constexpr unsigned kVector = Vector<Value>::kSize;
    static constexpr unsigned kVectorRow = kWarp * kVector;
    static constexpr unsigned kItems = kWarps * kRows * kVectorRow;
    static constexpr unsigned kThreads = kWarps * kWarp;

    struct Shared {
        // each warp's total since its last head; after ScanTotalsOfWarps, what stands before it in
        // the tile
        Value before[kWarps];
        // whether the warp has a head; after ScanTotalsOfWarps, whether one stands before
        uint32_t head[kWarps];
        Value before_tile;  // the product of the open row's elements in earlier tiles

        // What stands before the calling thread's warp.
        DEVICE Value BeforeWarp() const {
            const unsigned warp = threadIdx.x / kWarp;
            return head[warp] != 0 ? before[warp] : M::Combine(before_tile, before[warp]);
        }

        // Called by one lane of each warp, before ScanTotalsOfWarps.
        DEVICE void SetTotal(Value total, bool any_head) {
            before[threadIdx.x / kWarp] = total;
            head[threadIdx.x / kWarp] = any_head;
        }
    };

    Value x[kRows][kVector];  // inclusive within the group
    Value before[kRows];      // the product of what stands before the group in the warp
    unsigned head[kRows];     // the group's first head; kVector or more if it has none
    bool open[kRows];         // no head before the group in the warp
    uint64_t tile_first;      // position of the tile's first element
    uint64_t phase;           // its place within its row
    unsigned row_step;        // the distance of two heads in a group: n, or a number above kVector
    unsigned only_head;       // n > kItems: the offset of the tile's head, kItems if it has none

    DEVICE ScanTile(const ScanData<M> &d, uint64_t tile, uint64_t tile_phase)
        : tile_first(tile * kItems),
          phase(tile_phase),
          row_step(d.n < 2 * kVector ? (unsigned)d.n : 2 * kVector) {
        const uint64_t distance = phase == 0 ? 0 : d.n - phase;
        only_head = distance < kItems ? (unsigned)distance : kItems;
    }

    // The offset within the tile of the lane's group in vector row r.
    DEVICE static unsigned Offset(unsigned r) {
        return (threadIdx.x / kWarp * kRows + r) * kVectorRow + Lane() * kVector;
    }

    // n <= kItems: the place within its row of the element at that offset of the tile.
    DEVICE unsigned PlaceInRow(const ScanData<M> &d, unsigned offset) const {
        return ((uint32_t)phase + offset) % (uint32_t)d.n;
    }

    // The distance from the group at that offset to the next head, kVector or more meaning none in
    // it.
    DEVICE unsigned FirstHead(const ScanData<M> &d, unsigned offset) const {
        if (d.n > kItems) {
            return min(only_head - offset, kVector);  // a head to the left is far beyond
        }
        const unsigned place = PlaceInRow(d, offset);
        return min(place == 0 ? 0 : (unsigned)d.n - place, kVector);
    }

    // Fetch begins to copy a tile to shared memory. Every thread copies what it will take itself,
    // so that no barrier is needed between Fetch and Take, and commits one group. Only full tiles
    // of aligned data are fetched; others are read by Take.
    DEVICE static bool Whole(const ScanData<M> &d, uint64_t tile) {
        return d.vectors && (tile + 1) * kItems <= d.size;
    }

    DEVICE static void Fetch(const ScanData<M> &d, uint64_t tile, Vector<Value> *buffer) {
        if (Whole(d, tile)) {
#pragma unroll
            for (unsigned r = 0; r < kRows; r++) {
                CopyAsync16(buffer + r * kThreads + threadIdx.x, d.in + tile * kItems + Offset(r));
            }
        }
        CopyCommit();
    }

    // ReadPart reads a group element by element; beyond the end of the data stand identities.
    DEVICE static Vector<Value> ReadPart(const ScanData<M> &d, uint64_t at) {
        Vector<Value> v;
#pragma unroll
        for (unsigned e = 0; e < kVector; e++) {
            v.x[e] = at + e < d.size ? d.in[at + e] : M::Identity();
        }
        return v;
    }

    // The lane's groups, once CopyWait has covered the tile's Fetch.
    DEVICE static void Groups(const ScanData<M> &d, uint64_t tile, const Vector<Value> *buffer,
                              Vector<Value> (&v)[kRows]) {
        if (Whole(d, tile)) {
#pragma unroll
            for (unsigned r = 0; r < kRows; r++) {
                v[r] = buffer[r * kThreads + threadIdx.x];
            }
        } else {
#pragma unroll
            for (unsigned r = 0; r < kRows; r++) {
                v[r] = ReadPart(d, tile * kItems + Offset(r));
            }
        }
    }

    DEVICE void Set(const Vector<Value> (&v)[kRows]) {
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                x[r][e] = v[r].x[e];
            }
        }
    }

    // Take brings a fetched tile into registers, Read one that was not fetched.
    DEVICE void Take(const ScanData<M> &d, uint64_t tile, const Vector<Value> *buffer) {
        Vector<Value> v[kRows];
        Groups(d, tile, buffer, v);
        Set(v);
    }

    DEVICE void Read(const ScanData<M> &d, uint64_t tile) {
        Vector<Value> v[kRows];
        if (Whole(d, tile)) {
#pragma unroll
            for (unsigned r = 0; r < kRows; r++) {
                v[r] = *(const Vector<Value> *)(d.in + tile * kItems + Offset(r));
            }
        } else {
#pragma unroll
            for (unsigned r = 0; r < kRows; r++) {
                v[r] = ReadPart(d, tile * kItems + Offset(r));
            }
        }
        Set(v);
    }

    // LastHead returns the offset in the tile of the warp's last head, or of its first element if
    // it has none.
    DEVICE unsigned LastHead(const ScanData<M> &d, bool *any) const {
        constexpr unsigned kEach = kRows * kVectorRow;
        const unsigned first = threadIdx.x / kWarp * kEach, last = first + kEach - 1;
        const unsigned back = d.n > kItems ? last - only_head : PlaceInRow(d, last);
        *any = kSegmented && back < kEach;
        return *any ? last - back : first;
    }

    // WarpTotal returns the product of the warp's elements from offset `from` of the tile on.
    DEVICE static Value WarpTotal(const ScanData<M> &d, uint64_t tile, const Vector<Value> *buffer,
                                  unsigned from) {
        Value total = M::Identity();
        Vector<Value> v[kRows];
        Groups(d, tile, buffer, v);
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            Value folded = M::Identity();
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                if (!kSegmented || Offset(r) + e >= from) {
                    folded = M::Combine(folded, v[r].x[e]);
                }
            }
            total = M::Combine(total, M::kCommutative ? folded : WarpReduce<M>(folded));
        }
        return M::kCommutative ? WarpReduce<M>(total) : total;
    }

    // ScanGroup makes x[r] inclusive within the group, starting again at each head.
    DEVICE void ScanGroup(const ScanData<M> &d, unsigned r) {
        head[r] = kSegmented ? FirstHead(d, Offset(r)) : kVector;
        unsigned next_head = head[r];
#pragma unroll
        for (unsigned e = 0; e < kVector; e++) {
            const bool begins = kSegmented && e == next_head;
            if (begins) {
                next_head += row_step;
            } else if (e > 0) {
                x[r][e] = M::Combine(x[r][e - 1], x[r][e]);
            }
        }
    }

    // ScanWarp scans within the warp; *any_head and the result are what SetTotal takes.
    DEVICE Value ScanWarp(const ScanData<M> &d, bool *any_head) {
        Value total = M::Identity();
        *any_head = false;
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            ScanGroup(d, r);
            const Totals<M> t =
                ScanTotals<M, kWarp, kSegmented>(x[r][kVector - 1], head[r] < kVector);
            before[r] = t.open ? M::Combine(total, t.before) : t.before;
            open[r] = t.open && !*any_head;
            total = t.any_head ? t.all : M::Combine(total, t.all);
            *any_head = *any_head || t.any_head;
        }
        return total;
    }

    // ScanTotalsOfWarps turns the warps' totals in s into what stands before them, and returns the
    // tile's. Called by one full warp.
    DEVICE static Totals<M> ScanTotalsOfWarps(Shared &s) {
        const bool mine = Lane() < kWarps;
        const Totals<M> t = ScanTotals<M, kWarps, kSegmented>(
            mine ? s.before[Lane() % kWarps] : M::Identity(), mine && s.head[Lane() % kWarps] != 0);
        __syncwarp();
        if (mine) {
            s.before[Lane()] = t.before;
            s.head[Lane()] = !t.open;
        }
        return t;
    }

    // Store adds the prefixes of the warp and of each group, and writes the tile.
    DEVICE void Store(const ScanData<M> &d, Value before_warp) const {
        const bool whole = Whole(d, tile_first / kItems);
#pragma unroll
        for (unsigned r = 0; r < kRows; r++) {
            const Value left = open[r] ? M::Combine(before_warp, before[r]) : before[r];
            Vector<Value> y;
            unsigned next_head = head[r];
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                // Elements before the group's first head belong to the row that is open on the
                // left.
                const Value inclusive = e < head[r] ? M::Combine(left, x[r][e]) : x[r][e];
                if (!d.exclusive) {
                    y.x[e] = inclusive;
                    continue;
                }
                if (e == 0) {
                    y.x[0] = left;
                }
                if (e + 1 < kVector) {
                    y.x[(e + 1) % kVector] = inclusive;
                }
                if (kSegmented && e == next_head) {
                    y.x[e] = M::Identity();
                    next_head += row_step;
                }
            }
            if (whole) {
                *(Vector<Value> *)(d.out + tile_first + Offset(r)) = y;
            } else {
                StorePart(d, tile_first + Offset(r), y);
            }
        }
    }

    DEVICE static void StorePart(const ScanData<M> &d, uint64_t at, const Vector<Value> &y) {
#pragma unroll
        for (unsigned e = 0; e < kVector; e++) {
            if (at + e < d.size) {
                d.out[at + e] = y.x[e];
            }
        }
    }
};

#endif  // PRIMITIVES_SCAN_TILE_CUH_
