// block_columns.cuh: sums and products of numbers in the shared memory of a block, or of all blocks
// of a cluster, for block_division.cu. Columns of products are shared out among the threads. Where
// a cluster divides, each of its blocks does everything but columns: of these it computes its
// share, and stores it in all blocks. Includes the rooms' device headers.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_COLUMNS_CUH_
#define BIGINT_DEVICE_KERNELS_BLOCK_COLUMNS_CUH_

#include "bigint/device/kernels/block_division.h"
#include "carry/ripple.cuh"
#include "primitives/cuda/cluster.cuh"
#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/warp.cuh"
#include "primitives/words/word.h"

constexpr unsigned kWarps = 20, kThreads = kWarps * kWarp;
constexpr unsigned kReciprocal = BLOCK_RECIPROCAL_MOST, kDivisor = BLOCK_DIVISION_MOST;
constexpr unsigned kBlock = 288;  // limbs of a quotient that are found at a time
constexpr unsigned kColumns = kDivisor + 1;
constexpr unsigned kFactor = kReciprocal / 2 + 2;
constexpr unsigned kAlone = 8192;  // products of limbs that each block makes for itself
static_assert(kBlock + 1 <= kFactor && kReciprocal / 2 + 6 <= kColumns, "room for products");
static_assert(kDivisor <= kReciprocal, "room for divisors");

using Ripple = CarryRipple<kWarps>;

struct Shared {
    Ripple::Shared ripple;
    unsigned carry;
    unsigned rank, blocks;  // of the cluster; 1: the block is alone
    uint64_t d[kReciprocal], x[2][kReciprocal + 1], window[kDivisor + kBlock];
    uint64_t product[kColumns + 1], factor[kFactor];
    uint64_t words[3][kColumns], over[kColumns];
};
static_assert(sizeof(Shared) <= 64 << 10, "every device since 7.5 has that much");

// CarryInto: the carry into the calling thread's limb, where `carry` enters the block's lowest, and
// becomes what leaves the highest. last: no carry is wanted after this.
DEVICE unsigned CarryInto(Shared &s, carry_state mine, bool last, unsigned &carry) {
    Ripple ripple;
    const carry_state tile = ripple.Tile(mine, s.ripple);
    const unsigned into = ripple.Into(carry, s.ripple);
    if (!last) {
        if (threadIdx.x == 0) {
            s.carry = carry_apply(tile, carry);
        }
        __syncthreads();
        carry = s.carry;
        __syncthreads();  // before the next tile's
    }
    return into;
}

// --- Clusters ------------------------------------------------------------------------------------
// Between two products each thread of a cluster arrives at a barrier, once its block has read the
// columns of the first one, and waits at it before it stores columns of the second one. It arrives
// before the first product, too, and waits after the last one. A product that each block makes for
// itself is no exception: other blocks may already store columns of the next one.

DEVICE void ClusterBegin(Shared &s, unsigned blocks) {
    if (threadIdx.x == 0) {
        s.blocks = blocks;
        s.rank = blocks > 1 ? ClusterRank() : 0;
    }
    __syncthreads();
    if (blocks > 1) {
        ClusterArrive();
    }
}

DEVICE void ClusterEnd(const Shared &s) {
    if (s.blocks > 1) {
        ClusterWait();
    }
}

// ShareColumns: what all blocks have stored is there.
DEVICE void ShareColumns() {
    ClusterArrive();
    ClusterWait();
}

// --- Sums and products ---------------------------------------------------------------------------

// AddUp: out[c] = a(c) + b(c) and carries, c < count. `carry` enters at c = 0. out may be what a
// and b read at the same c.
template <class A, class B>
DEVICE void AddUp(Shared &s, uint64_t *out, unsigned count, unsigned carry, A a, B b) {
    for (unsigned base = 0; base < count; base += kThreads) {
        const unsigned c = base + threadIdx.x;
        const uint64_t x = c < count ? a(c) : 0, sum = x + (c < count ? b(c) : 0);
        const carry_state mine = sum < x               ? CARRY_GENERATE
                                 : sum == ~UINT64_C(0) ? CARRY_PROPAGATE
                                                       : CARRY_KILL;
        const unsigned into = CarryInto(s, mine, base + kThreads >= count, carry);
        if (c < count) {
            out[c] = sum + into;
        }
    }
    __syncthreads();
}

// Column: a sum of up to 2^20 products of limbs, in products of half limbs of equal weight.
struct Column {
    uint32_t even[3] = {}, odd[3] = {}, next[3] = {};

    DEVICE void Add(uint64_t a, uint64_t b) {
        const uint32_t a0 = (uint32_t)a, a1 = (uint32_t)(a >> 32);
        const uint32_t b0 = (uint32_t)b, b1 = (uint32_t)(b >> 32);
        MultiplyAdd(even, a0, b0);
        MultiplyAdd(odd, a0, b1);
        MultiplyAdd(odd, a1, b0);
        MultiplyAdd(next, a1, b1);
    }

    DEVICE void Words(uint64_t (&w)[3]) const {
        uint64_t carry = 0;
        w[0] = word_add(even[0] | (uint64_t)even[1] << 32, (uint64_t)odd[0] << 32, &carry);
        w[1] = word_add(even[2], odd[1] | (uint64_t)odd[2] << 32, &carry);
        w[2] = next[2] + carry;
        carry = 0;
        w[1] = word_add(w[1], next[0] | (uint64_t)next[1] << 32, &carry);
        w[2] += carry;
    }
};

// StoreColumn: words[.][c] = w in every block, by the lanes of the column.
DEVICE void StoreColumn(Shared &s, unsigned c, const uint64_t (&w)[3], unsigned lane,
                        unsigned lanes, unsigned blocks) {
    for (unsigned to = lane; to < blocks; to += lanes) {
        for (unsigned i = 0; i < 3; i++) {
            uint64_t *const own = &s.words[i][c];
            *(blocks > 1 ? ClusterShared(own, to) : own) = w[i];
        }
    }
}

// Columns: words[.][c] = the sum of a[i] b[j - i] for j = from + c, c < count. Several lanes share
// a column where there are few. `blocks` blocks of a cluster take turns, since columns differ in
// length.
DEVICE void Columns(Shared &s, unsigned blocks, unsigned from, unsigned count, const uint64_t *a,
                    unsigned an, const uint64_t *b, unsigned bn) {
    const unsigned rank = blocks > 1 ? s.rank : 0;
    const unsigned own = blocks == 1 ? count : (count + blocks - 1) / blocks;
    unsigned lg = 0;
#pragma unroll
    for (unsigned more = 1; 1u << more <= kWarp; more++) {
        lg += own << more <= kThreads ? 1 : 0;
    }
    const unsigned lanes = 1u << lg;
    for (unsigned base = 0; base < own; base += kThreads >> lg) {
        const unsigned c = (base + (threadIdx.x >> lg)) * blocks + rank, j = from + c;
        const unsigned end = j < an ? j + 1 : an;
        unsigned i = (j < bn ? 0 : j - bn + 1) + threadIdx.x % lanes;
        Column column;
        // Counted down, so that the loop can be unrolled.
        const unsigned pairs = c < count && i < end ? ((end - 1 - i) >> lg) + 1 : 0;
#pragma unroll 4
        for (unsigned left = pairs; left > 0; left--, i += lanes) {
            column.Add(a[i], b[j - i]);
        }
        uint64_t w[3];
        column.Words(w);
        for (unsigned by = 1; by < lanes; by *= 2) {
            const uint64_t v[3] = {ShuffleXor(w[0], by), ShuffleXor(w[1], by),
                                   ShuffleXor(w[2], by)};
            AddWords<3>(w, v, 0);
        }
        if (c < count) {
            StoreColumn(s, c, w, threadIdx.x % lanes, lanes, blocks);
        }
    }
    if (blocks > 1) {
        ShareColumns();
    }
    __syncthreads();
}

// Multiply: product = limbs [from, from + count) of the sum of the columns from `from` on.
DEVICE void Multiply(Shared &s, unsigned from, unsigned count, const uint64_t *a, unsigned an,
                     const uint64_t *b, unsigned bn) {
    const unsigned blocks = count * (an < bn ? an : bn) <= kAlone ? 1 : s.blocks;
    if (s.blocks > 1) {
        ClusterWait();
    }
    Columns(s, blocks, from, count, a, an, b, bn);
    for (unsigned c = threadIdx.x; c < count; c += kThreads) {
        uint64_t carry = 0, more = 0;
        const uint64_t two = word_add(s.words[0][c], c < 1 ? 0 : s.words[1][c - 1], &carry);
        s.product[c] = word_add(two, c < 2 ? 0 : s.words[2][c - 2], &more);
        s.over[c] = carry + more;
    }
    __syncthreads();
    if (s.blocks > 1) {
        ClusterArrive();  // the block has read the columns
    }
    AddUp(
        s, s.product, count, 0, [&](unsigned c) { return s.product[c]; },
        [&](unsigned c) { return c < 1 ? 0 : s.over[c - 1]; });
}

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_COLUMNS_CUH_
