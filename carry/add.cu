// add.cu: add.h: one comparison where signs count, then one pass over the limbs with look-back.
// Includes ripple.cuh and primitives/limbs/device.h.
//
// A difference is computed as a sum: x - y - c = ~(~x + y + c), and the carry out of ~x + y + c is
// the borrow. So one kernel adds, with a mask before and after.
#include "carry/add.h"

#include <algorithm>

#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kWarps = 8;
constexpr unsigned kThreads = kWarps * kWarp;
constexpr unsigned kLimbs = 4;   // of a thread: two accesses of 16 bytes
constexpr unsigned kBlocks = 4;  // resident on a multiprocessor, at least
constexpr unsigned kTile = kThreads * kLimbs;
// Tiles of one launch: as many as can be drawn. Longer sums hand their carry from launch to launch;
// under emulation sums of a few tiles do.
#if defined(__CUDACC__)
constexpr uint64_t kTilesAtOnce = UINT64_C(1) << DrawCounter::kNumberBits;
#else
constexpr uint64_t kTilesAtOnce = 4;
#endif

using Ripple = CarryRipple<kWarps>;
using TileLookBack = Ripple::TileLookBack;

// The front of the workspace; what look-back needs follows.
struct alignas(128) Front {
    uint64_t compare[LIMBS_COMPARE_WORKSPACE_BYTES / 8];
    limbs_device_order order;
    uint64_t carry[2];  // out of the launches, alternating
};
static_assert(sizeof(Front) == CARRY_ADD_FRONT_BYTES, "what others leave alone");

struct AddData {
    uint64_t *rp;
    uint64_t rn;
    uint64_t *r_sign;  // NULL: magnitudes are added, or subtracted
    limbs_device_number a, b;
    bool subtract;
    // Signs are read from here: the first tile may replace an operand's while others begin.
    const limbs_device_order *order;
    const uint64_t *chosen;    // NULL, or b counts where this word is not 0
    uint64_t first_tile;       // of this launch
    const uint64_t *carry_in;  // NULL: 0
    uint64_t *carry_out;
};

DEVICE void LoadLimbs(uint64_t (&x)[kLimbs], const uint64_t *p, uint64_t n, uint64_t at) {
    if (at + kLimbs <= n) {
#pragma unroll
        for (unsigned k = 0; k < kLimbs; k += 2) {
            const Word128 w = *(const Word128 *)(p + at + k);
            x[k] = w.lo;
            x[k + 1] = w.hi;
        }
    } else {
#pragma unroll
        for (unsigned k = 0; k < kLimbs; k++) {
            x[k] = at + k < n ? p[at + k] : 0;
        }
    }
}

DEVICE void StoreLimbs(uint64_t *p, uint64_t n, uint64_t at, const uint64_t (&x)[kLimbs]) {
    if (at + kLimbs <= n) {
#pragma unroll
        for (unsigned k = 0; k < kLimbs; k += 2) {
            *(Word128 *)(p + at + k) = {x[k], x[k + 1]};
        }
    } else {
#pragma unroll
        for (unsigned k = 0; k < kLimbs; k++) {
            if (at + k < n) {
                p[at + k] = x[k];
            }
        }
    }
}

// x = x + y + carry; returns what this stretch does to one more carry that enters it. x + y + carry
// is at most 2^257 - 1, so one is carried out at most. Only the lowest stretch of a launch has a
// carry here, and then none enters; without one, all ones and a carry out exclude each other,
// because x + y is at most 2^257 - 2.
DEVICE carry_state AddLimbs(uint64_t (&x)[kLimbs], const uint64_t (&y)[kLimbs], uint64_t carry) {
    carry = AddWords<kLimbs>(x, y, carry);
    uint64_t all = x[0];
#pragma unroll
    for (unsigned k = 1; k < kLimbs; k++) {
        all &= x[k];
    }
    return carry != 0 ? CARRY_GENERATE : all == ~UINT64_C(0) ? CARRY_PROPAGATE : CARRY_KILL;
}

// What a + b or a - b asks for, uniform in the grid.
struct Roles {
    bool differ;  // signs differ, so that magnitudes are subtracted
    bool swap;    // |a| from |b|
    uint32_t sign;
};

DEVICE Roles RolesOf(const AddData &d) {
    if (d.r_sign == nullptr) {
        return {d.subtract, false, 0};
    }
    const limbs_device_order o = *d.order;
    const uint32_t b_sign = o.b_sign ^ (d.subtract ? 1u : 0u);
    const bool differ = o.a_sign != b_sign;
    const bool swap = differ && o.order < 0;
    return {differ, swap, swap ? b_sign : o.a_sign};
}

__global__ void __launch_bounds__(kThreads, kBlocks)
    AddKernel(const AddData d, const TileLookBack look_back) {
    struct Shared {
        Ripple::Shared ripple;
        Place at;
    };
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (d.chosen != nullptr && *d.chosen == 0) {  // a alone, without carries
        const uint64_t first = (d.first_tile + blockIdx.x) * kTile + threadIdx.x * kLimbs;
        uint64_t x[kLimbs];
        LoadLimbs(x, d.a.p, d.a.n, first);
        StoreLimbs(d.rp, d.rn, first, x);
        return;
    }
    if (threadIdx.x == 0) {
        s.at = look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const Roles roles = RolesOf(d);
    const uint64_t mask = roles.differ ? ~UINT64_C(0) : 0;
    const uint64_t first = (d.first_tile + at.tile) * kTile + threadIdx.x * kLimbs;
    uint64_t x[kLimbs], y[kLimbs];
    LoadLimbs(x, roles.swap ? d.b.p : d.a.p, roles.swap ? d.b.n : d.a.n, first);
    LoadLimbs(y, roles.swap ? d.a.p : d.b.p, roles.swap ? d.a.n : d.b.n, first);
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k++) {
        x[k] ^= mask;
    }
    const bool lowest = at.tile == 0 && threadIdx.x == 0;
    const uint64_t carried = lowest && d.carry_in != nullptr ? *d.carry_in : 0;
    Ripple ripple;
    const carry_state tile = ripple.Tile(AddLimbs(x, y, carried), s.ripple);
    const unsigned into_tile = Ripple::Before(look_back, at, tile, at.tile == 0);
    if (ripple.Into(into_tile, s.ripple) != 0) {
        const uint64_t zero[kLimbs] = {};
        AddWords<kLimbs>(x, zero, 1);
    }
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k++) {
        x[k] ^= mask;
    }
    StoreLimbs(d.rp, d.rn, first, x);
    if (lowest && d.r_sign != nullptr) {
        *d.r_sign = roles.sign;
    }
    if (threadIdx.x == 0 && at.tile == gridDim.x - 1) {
        *d.carry_out = carry_apply(tile, into_tile);
    }
}

uint64_t Tiles(uint64_t rn) { return rn == 0 ? 1 : (rn + kTile - 1) / kTile; }

bool Aligned(const void *p) { return (uintptr_t)p % 16 == 0; }

// Whether add.h's requirements are met.
bool Admits(const AddData &d, uint64_t bytes) {
    const uint64_t most = std::max(d.rn, std::max(d.a.n, d.b.n));
    return most <= LIMBS_DEVICE_MAX && bytes >= carry_add_workspace_bytes(d.rn) && Aligned(d.rp) &&
           Aligned(d.a.p) && Aligned(d.b.p);
}

result Add(AddData d, Front *front, cudaStream_t stream) {
    d.order = &front->order, d.carry_out = front->carry;
    cudaError_t error = cudaSuccess;
    for (const uint64_t tiles = Tiles(d.rn); d.first_tile < tiles && error == cudaSuccess;) {
        const uint64_t blocks = std::min(tiles - d.first_tile, kTilesAtOnce);
        error = LaunchEarly(AddKernel, (unsigned)blocks, kThreads, 0, stream, d,
                            TileLookBack::In(front + 1));
        d.first_tile += blocks;
        d.carry_in = d.carry_out;
        d.carry_out = front->carry + (d.carry_in == front->carry ? 1 : 0);
    }
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

uint64_t carry_add_workspace_bytes(uint64_t rn) {
    return sizeof(Front) + TileLookBack::Bytes(std::min(Tiles(rn), kTilesAtOnce));
}

result carry_add(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                 limbs_device_number b, bool subtract, void *workspace, uint64_t bytes,
                 cuda_stream stream) {
    Front *const front = (Front *)workspace;
    const AddData d = {rp, rn, r_sign, a, b, subtract, nullptr, nullptr, 0, nullptr, nullptr};
    if (!Admits(d, bytes)) {
        return RESULT_REFUSED;
    }
    const result compared = limbs_device_compare(
        &front->order, a, b, subtract ? LIMBS_COMPARE_FOR_DIFFERENCE : LIMBS_COMPARE_FOR_SUM,
        front->compare, stream);
    return compared == RESULT_OK ? Add(d, front, stream) : compared;
}

result carry_add_words(uint64_t *rp, uint64_t rn, limbs_device_number a, limbs_device_number b,
                       bool subtract, const uint64_t *chosen, void *workspace, uint64_t bytes,
                       cuda_stream stream) {
    const AddData d = {rp, rn, nullptr, a, b, subtract, nullptr, chosen, 0, nullptr, nullptr};
    return Admits(d, bytes) ? Add(d, (Front *)workspace, stream) : RESULT_REFUSED;
}
