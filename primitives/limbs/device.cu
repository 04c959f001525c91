// device.cu: device.h. Includes device.cuh and warp.cuh.
#include "primitives/limbs/device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/cuda/warp.cuh"

namespace {

constexpr unsigned kThreads = 256;
// Limbs that a thread loads before it uses the first.
constexpr unsigned kEach = 4;
constexpr unsigned kTile = kThreads * kEach;

// Limb i of a number, any i.
DEVICE uint64_t LimbAt(const uint64_t *p, uint64_t n, uint64_t i) { return i < n ? p[i] : 0; }

DEVICE uint32_t SignOf(const limbs_device_number &a) {
    return a.sign == nullptr ? 0 : (uint32_t)*a.sign;
}

// --- Shifts --------------------------------------------------------------------------------------

// r[i] begins at bit t of a[i + offset]. An index below 0 wraps around to one beyond every end.
__global__ void __launch_bounds__(kThreads)
    ShiftKernel(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a, uint64_t offset,
                unsigned t, limbs_sign sign) {
    WaitForKernelBefore();
    const uint64_t first = (uint64_t)blockIdx.x * kTile + threadIdx.x;
    uint64_t limb[kEach];
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const uint64_t j = first + k * kThreads + offset;
        limb[k] = LimbAt(a.p, a.n, j);
        if (t != 0) {
            limb[k] = limb[k] >> t | LimbAt(a.p, a.n, j + 1) << (64 - t);
        }
    }
    LetKernelAfterBegin();
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const uint64_t i = first + k * kThreads;
        if (i < rn) {
            rp[i] = limb[k];
        }
    }
    if (first == 0) {
        const uint32_t s = SignOf(a);
        *r_sign = sign == LIMBS_SIGN_KEEP ? s : sign == LIMBS_SIGN_FLIP ? 1 - s : 0;
    }
}

result Shift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a, uint64_t offset,
             unsigned t, limbs_sign sign, cudaStream_t stream) {
    if (rn > LIMBS_DEVICE_MAX || a.n > LIMBS_DEVICE_MAX) {
        return RESULT_REFUSED;
    }
    const uint64_t blocks = rn == 0 ? 1 : (rn + kTile - 1) / kTile;  // at most 2^30
    const cudaError_t error = LaunchEarly(ShiftKernel, (unsigned)blocks, kThreads, 0, stream, rp,
                                          rn, r_sign, a, offset, t, sign);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

__global__ void __launch_bounds__(kThreads)
    ChooseKernel(uint64_t *rp, uint64_t rn, limbs_device_number a, const uint64_t *chosen) {
    WaitForKernelBefore();
    const uint64_t first = (uint64_t)blockIdx.x * kTile + threadIdx.x;
    const uint64_t n = *chosen != 0 ? a.n : 0;
    uint64_t limb[kEach];
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        limb[k] = LimbAt(a.p, n, first + k * kThreads);
    }
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const uint64_t i = first + k * kThreads;
        if (i < rn) {
            rp[i] = limb[k];
        }
    }
}

// --- Comparison ----------------------------------------------------------------------------------

// Enough to fill a device with blocks that are all resident; more would only be started in vain
// where the top limbs tell.
constexpr unsigned kMaxBlocks = 1024;

// What is known of the limbs read so far, as one word: 0: all zero; 1: equal, some not zero;
// 2 i + 2: limb i, the highest that differs, is less in a; 2 i + 3: greater.
struct Key {
    using Value = unsigned long long;
    HOST_DEVICE static Value Combine(Value a, Value b) { return a > b ? a : b; }
    HOST_DEVICE static Value Of(uint64_t i, uint64_t a, uint64_t b) {
        return a == b ? (a != 0 ? 1 : 0) : 2 * i + (a < b ? 2 : 3);
    }
    // The least key of a difference at limb i or above.
    HOST_DEVICE static Value From(uint64_t i) { return 2 * i + 2; }
};

struct CompareWorkspace {
    Key::Value key;
    uint32_t finished;  // blocks
    uint32_t unused;
};
static_assert(sizeof(CompareWorkspace) == LIMBS_COMPARE_WORKSPACE_BYTES, "as device.h says");

DEVICE bool Needed(limbs_compare_purpose purpose, uint32_t a_sign, uint32_t b_sign) {
    return purpose == LIMBS_COMPARE || (purpose == LIMBS_COMPARE_FOR_SUM) == (a_sign != b_sign);
}

// The key of the tile of limbs from `first` on, in all lanes of each warp that has a part of it.
DEVICE Key::Value TileKey(const limbs_device_number &a, const limbs_device_number &b,
                          uint64_t first) {
    uint64_t x[kEach], y[kEach];
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        const uint64_t i = first + k * kThreads + threadIdx.x;
        x[k] = LimbAt(a.p, a.n, i);
        y[k] = LimbAt(b.p, b.n, i);
    }
    Key::Value key = 0;
#pragma unroll
    for (unsigned k = 0; k < kEach; k++) {
        key = Key::Combine(key, Key::Of(first + k * kThreads + threadIdx.x, x[k], y[k]));
    }
    return WarpReduce<Key>(key);
}

DEVICE limbs_device_order OrderOf(const limbs_device_number &a, const limbs_device_number &b,
                                  Key::Value key) {
    limbs_device_order order = {0, 0, key == 0, SignOf(a), SignOf(b)};
    if (key >= Key::From(0)) {
        const uint64_t i = (key - Key::From(0)) / 2;
        const uint64_t differs = LimbAt(a.p, a.n, i) ^ LimbAt(b.p, b.n, i);
        order.difference_bits = 64 * i + 64 - (uint64_t)__clzll((long long)differs);
        order.order = key % 2 == 0 ? -1 : 1;
    }
    return order;
}

// Block k takes tiles k, k + blocks, ... counted from the top.
__global__ void __launch_bounds__(kThreads)
    CompareKernel(limbs_device_order *out, limbs_device_number a, limbs_device_number b,
                  limbs_compare_purpose purpose, CompareWorkspace *ws) {
    WaitForKernelBefore();
    if (!Needed(purpose, SignOf(a), SignOf(b))) {
        if (blockIdx.x == 0 && threadIdx.x == 0) {
            *out = {0, 1, 0, SignOf(a), SignOf(b)};
        }
        return;
    }
    const uint64_t n = a.n > b.n ? a.n : b.n;
    const uint64_t tiles = (n + kTile - 1) / kTile;
    Key::Value key = 0;  // the same in all lanes of a warp
    for (uint64_t t = blockIdx.x; t < tiles && key < Key::From(0); t += gridDim.x) {
        const uint64_t first = (tiles - 1 - t) * kTile;
        // A difference above this tile, found by any block, hides it and all that are below.
        const uint64_t known = LoadRelaxed((const uint64_t *)&ws->key);
        if (Broadcast(known, 0) >= Key::From(first + kTile)) {
            break;
        }
        key = Key::Combine(key, TileKey(a, b, first));
    }
    if (Lane() == 0 && key > 0) {
        atomicMax(&ws->key, key);
    }
    __syncthreads();
    // Releases the block's maxima, which the barrier has brought here; the last one acquires all.
    if (threadIdx.x == 0 && AddAcquireRelease(&ws->finished, 1) == gridDim.x - 1) {
        *out = OrderOf(a, b, LoadRelaxed((const uint64_t *)&ws->key));
        ws->key = 0;
        ws->finished = 0;
    }
}

}  // namespace

result limbs_device_lshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream) {
    const uint64_t limbs = bits / 64 + (bits % 64 != 0);
    return Shift(rp, rn, r_sign, a, 0 - limbs, (unsigned)(0 - bits) % 64, sign, stream);
}

result limbs_device_rshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream) {
    return Shift(rp, rn, r_sign, a, bits / 64, (unsigned)(bits % 64), sign, stream);
}

result limbs_device_choose(uint64_t *rp, uint64_t rn, limbs_device_number a, const uint64_t *chosen,
                           cuda_stream stream) {
    if (rn > LIMBS_DEVICE_MAX || a.n > LIMBS_DEVICE_MAX) {
        return RESULT_REFUSED;
    }
    if (rn == 0) {
        return RESULT_OK;
    }
    const uint64_t blocks = (rn + kTile - 1) / kTile;  // at most 2^30
    const cudaError_t error =
        LaunchEarly(ChooseKernel, (unsigned)blocks, kThreads, 0, stream, rp, rn, a, chosen);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result limbs_device_compare(limbs_device_order *out, limbs_device_number a, limbs_device_number b,
                            limbs_compare_purpose purpose, void *workspace, cuda_stream stream) {
    const uint64_t n = a.n > b.n ? a.n : b.n;
    if (n > LIMBS_DEVICE_MAX) {
        return RESULT_REFUSED;
    }
    const uint64_t tiles = n == 0 ? 1 : (n + kTile - 1) / kTile;
    const unsigned blocks = tiles < kMaxBlocks ? (unsigned)tiles : kMaxBlocks;
    const cudaError_t error = LaunchEarly(CompareKernel, blocks, kThreads, 0, stream, out, a, b,
                                          purpose, (CompareWorkspace *)workspace);
    return error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
