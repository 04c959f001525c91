// spots.cu: spots.h. The stretch is cut before each addend. A block adds one addend to its piece
// and finds what the piece does to a carry, as a tile of carry_add; one warp goes through all
// pieces; then pieces that a carry enters are counted up.
//
// A piece of m limbs that carries out is at most 2^(64 m) - 2 afterwards, since it is the sum of
// two numbers below 2^(64 m). So it takes another carry without one more that goes out.
#include "carry/spots.h"

#include <algorithm>

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"

namespace {

constexpr unsigned kThreads = 512;

// What a piece does to a carry that enters it, a bit each.
constexpr uint32_t kGenerates = 1, kPropagates = 2, kEntered = 4;

struct SpotsData {
    uint64_t *rp;
    uint64_t n, first;
    carry_spots spots;
    uint64_t piece0;  // piece i of the stretch begins at limb (piece0 + i) each of the number
    uint32_t *pieces, count;
};

struct Shared {
    uint32_t carry, stop;
};

// The piece's limbs in the stretch.
struct Piece {
    uint64_t begin, end;
};

DEVICE Piece PieceOf(const SpotsData &d, uint32_t i) {
    const uint64_t each = d.spots.each, at = (d.piece0 + i) * each;
    const uint64_t begin = at > d.first ? at - d.first : 0, end = at + each - d.first;
    return {begin, end < d.n ? end : d.n};
}

// CountUp adds 1 to the piece's limbs from `at` on, by all threads of a block; returns whether it
// is carried out.
DEVICE bool CountUp(const SpotsData &d, uint64_t at, uint64_t end, uint32_t *stop) {
    for (; at < end; at += kThreads) {
        if (threadIdx.x == 0) {
            *stop = kThreads;
        }
        __syncthreads();
        const uint64_t own = at + threadIdx.x;
        const bool here = own < end;
        const uint64_t x = here ? d.rp[own] : ~UINT64_C(0);
        if (x != ~UINT64_C(0)) {
            atomicMin(stop, threadIdx.x);
        }
        __syncthreads();
        const uint32_t last = *stop;
        if (here && threadIdx.x <= last) {
            d.rp[own] = x + 1;
        }
        __syncthreads();
        if (last < kThreads) {
            return false;
        }
    }
    return true;
}

// AllOnes: whether all limbs of a piece are.
DEVICE bool AllOnes(const SpotsData &d, const Piece &piece, uint32_t *stop) {
    for (uint64_t at = piece.begin; at < piece.end; at += kThreads) {
        if (threadIdx.x == 0) {
            *stop = kThreads;
        }
        __syncthreads();
        const uint64_t own = at + threadIdx.x;
        if (own < piece.end && d.rp[own] != ~UINT64_C(0)) {
            *stop = 0;
        }
        __syncthreads();
        const uint32_t last = *stop;
        __syncthreads();
        if (last < kThreads) {
            return false;
        }
    }
    return true;
}

// AddSpot adds the piece's addend, by one thread; returns the carry behind its last limb here.
DEVICE uint32_t AddSpot(const SpotsData &d, uint32_t i, const Piece &piece) {
    const uint64_t spot = d.piece0 + i;  // addend `spot - 1`
    uint64_t carry = 0;
    if (spot == 0 || spot > d.spots.rows * d.spots.lanes) {
        return 0;
    }
    const uint64_t k = spot - 1, at = spot * d.spots.each,
                   place = k % d.spots.lanes * d.spots.rows + k / d.spots.lanes;
    for (unsigned j = 0; j < CARRY_SPOT; j++) {
        if (at + j < d.first || at + j - d.first >= piece.end) {
            continue;
        }
        uint64_t *const r = d.rp + (at + j - d.first);
        const uint64_t sum = *r + d.spots.p[place * CARRY_SPOT + j], all = sum + carry;
        carry = (sum < *r ? 1u : 0u) + (all < sum ? 1u : 0u);
        *r = all;
    }
    return (uint32_t)carry;
}

__global__ void __launch_bounds__(kThreads) AddSpotsKernel(const SpotsData d) {
    SHARED(Shared, s);
    for (uint32_t i = blockIdx.x; i < d.count; i += gridDim.x) {
        const Piece piece = PieceOf(d, i);
        if (threadIdx.x == 0) {
            s.carry = AddSpot(d, i, piece);
        }
        __syncthreads();
        bool out = s.carry != 0;
        if (out) {
            const uint64_t at = (d.piece0 + i) * d.spots.each + CARRY_SPOT;
            out = CountUp(d, at < d.first ? piece.begin : at - d.first, piece.end, &s.stop);
        }
        const bool ones = !out && AllOnes(d, piece, &s.stop);
        if (threadIdx.x == 0) {
            d.pieces[i] = out ? kGenerates : ones ? kPropagates : 0;
        }
        __syncthreads();
    }
}

// Carries into 32 pieces at a time, by an addition: a piece that generates is a place where both
// numbers have a 1, one that propagates has a 1 in one of them.
__global__ void __launch_bounds__(kWarp) CarrySpotsKernel(const SpotsData d) {
    uint64_t carry = 0;
    for (uint32_t first = 0; first < d.count; first += kWarp) {
        const uint32_t i = first + Lane();
        const uint32_t own = i < d.count ? d.pieces[i] : 0;
        const uint64_t out = __ballot_sync(kAllLanes, (own & kGenerates) != 0);
        const uint64_t either = out | __ballot_sync(kAllLanes, (own & kPropagates) != 0);
        const uint64_t sum = out + either + carry, in = sum ^ out ^ either;
        if (i < d.count) {
            d.pieces[i] = (in >> Lane() & 1) != 0 ? kEntered : 0;
        }
        const uint32_t left = d.count - first;
        carry = in >> (left < kWarp ? left : kWarp) & 1;
    }
    if (Lane() == 0) {
        d.rp[d.n] = carry;
    }
}

__global__ void __launch_bounds__(kThreads) EnterSpotsKernel(const SpotsData d) {
    SHARED(Shared, s);
    for (uint32_t i = blockIdx.x; i < d.count; i += gridDim.x) {
        if ((d.pieces[i] & kEntered) != 0) {
            const Piece piece = PieceOf(d, i);
            CountUp(d, piece.begin, piece.end, &s.stop);
        }
    }
}

uint64_t PiecesMost(uint64_t n, uint64_t each) { return n / each + 2; }

}  // namespace

size_t carry_spots_bytes(uint64_t n, uint64_t each) {
    return PiecesMost(n, each) * sizeof(uint32_t);
}

result carry_add_spots(uint64_t *rp, uint64_t n, uint64_t first, const carry_spots *spots,
                       void *workspace, size_t bytes, cuda_stream stream) {
    constexpr uint64_t kBlocks = 1 << 16;
    if (n == 0 || spots->each < CARRY_SPOT || bytes < carry_spots_bytes(n, spots->each)) {
        return RESULT_REFUSED;
    }
    const uint64_t piece0 = first / spots->each, last = (first + n - 1) / spots->each;
    const SpotsData d = {rp,
                         n,
                         first,
                         *spots,
                         piece0,
                         static_cast<uint32_t *>(workspace),
                         (uint32_t)(last - piece0 + 1)};
    const unsigned blocks = (unsigned)std::min<uint64_t>(d.count, kBlocks);
    cudaError_t e = Launch(AddSpotsKernel, dim3(blocks), dim3(kThreads), 0, stream, d);
    e = e == cudaSuccess ? Launch(CarrySpotsKernel, dim3(1), dim3(kWarp), 0, stream, d) : e;
    e = e == cudaSuccess ? Launch(EnterSpotsKernel, dim3(blocks), dim3(kThreads), 0, stream, d) : e;
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
