// short_product.cu: short_product.h: one thread for each product, column by column in registers.
// Includes product_rows.cuh and launch.cuh.
//
// A warp brings the operands of its 32 products to shared memory, neighbouring lanes neighbouring
// limbs, and each lane takes its own from there; products go back the same way through the same
// memory. A row of an odd number of limbs a lane keeps lanes in different banks.
#include "bigint/short_product.h"

#include "bigint/product_rows.cuh"
#include "primitives/launch.cuh"

#ifndef SB16
#define SB16 5
#endif
namespace {

constexpr unsigned kWarps = 4;  // of a block

template <unsigned kLimbs>
struct Stage {
    static constexpr unsigned kRow = 2 * kLimbs + 1;
    uint64_t room[kWarp * kRow];

    DEVICE uint64_t *Row(unsigned lane) { return room + lane * kRow; }
};

// Fetch copies a and b of the warp's products, first .. first + 31, to the rows of their lanes.
template <unsigned kLimbs>
DEVICE void Fetch(const product_rows &all, uint64_t first, Stage<kLimbs> &stage) {
#pragma unroll 4
    for (unsigned j = Lane(); j < kWarp * kLimbs; j += kWarp) {
        const unsigned lane = j / kLimbs, k = j % kLimbs;
        if (first + lane < all.count) {
            const product_item item = ProductItem(all, first + lane);
            uint64_t *const row = stage.Row(lane);
            CopyAsync8OrZero(row + k, item.a + k, k < item.an);
            CopyAsync8OrZero(row + kLimbs + k, item.b + k, k < item.bn);
        }
    }
    CopyCommit();
    CopyWait<0>();
    __syncwarp();
}

template <unsigned kLimbs>
DEVICE void Take(const uint64_t *limbs, uint32_t (&words)[2 * kLimbs]) {
#pragma unroll
    for (unsigned k = 0; k < kLimbs; k++) {
        words[2 * k] = (uint32_t)limbs[k];
        words[2 * k + 1] = (uint32_t)(limbs[k] >> 32);
    }
}

// Column adds column k of a b to the sum: below kWords 2^64 in all, since kWords < 2^32.
template <unsigned kWords>
DEVICE void Column(uint32_t (&sum)[3], const uint32_t (&a)[kWords], const uint32_t (&b)[kWords],
                   unsigned k) {
#pragma unroll
    for (unsigned i = 0; i < kWords; i++) {
        if (i <= k && k - i < kWords) {
            MultiplyAdd(sum, a[i], b[k - i]);
        }
    }
}

// The same of a square: each product of two different words once, doubled, and that of equal ones.
template <unsigned kWords>
DEVICE void ColumnOfSquare(uint32_t (&sum)[3], const uint32_t (&a)[kWords], unsigned k) {
    uint32_t half[3] = {};
#pragma unroll
    for (unsigned i = 0; i < kWords; i++) {
        if (2 * i < k && k - i < kWords) {
            MultiplyAdd(half, a[i], a[k - i]);
        }
    }
    AddTwice(sum, half);
    if (k % 2 == 0 && k / 2 < kWords) {
        MultiplyAdd(sum, a[k / 2], a[k / 2]);
    }
}

template <unsigned kLimbs, bool kSquare>
DEVICE void Multiply(uint64_t *row) {
    constexpr unsigned kWords = 2 * kLimbs;
    uint32_t a[kWords], b[kWords], sum[3] = {};
    Take<kLimbs>(row, a);
    if constexpr (!kSquare) {
        Take<kLimbs>(row + kLimbs, b);
    }
#pragma unroll
    for (unsigned limb = 0; limb < kWords; limb++) {
        uint32_t low = 0;
#pragma unroll
        for (unsigned k = 2 * limb; k < 2 * limb + 2; k++) {
            if constexpr (kSquare) {
                ColumnOfSquare(sum, a, k);
            } else {
                Column(sum, a, b, k);
            }
            row[limb] = (uint64_t)sum[0] << 32 | low;
            low = sum[0];
            sum[0] = sum[1], sum[1] = sum[2], sum[2] = 0;
        }
    }
}

template <unsigned kLimbs>
DEVICE void Store(const product_rows &all, uint64_t first, Stage<kLimbs> &stage) {
#pragma unroll 4
    for (unsigned j = Lane(); j < kWarp * 2 * kLimbs; j += kWarp) {
        const unsigned lane = j / (2 * kLimbs), k = j % (2 * kLimbs);
        if (first + lane < all.count) {
            const product_item item = ProductItem(all, first + lane);
            if (k < item.rn) {
                item.r[k] = stage.Row(lane)[k];
            }
        }
    }
}

// Pad: zeros above the calling lane's product. Few batches have room there, so lanes write alone.
template <unsigned kLimbs>
DEVICE void Pad(const product_rows &all, uint64_t i) {
    if (i < all.count) {
        const product_item item = ProductItem(all, i);
        for (uint64_t k = 2 * kLimbs; k < item.rn; k++) {
            item.r[k] = 0;
        }
    }
}

template <unsigned kLimbs, bool kSquare>
__global__ void __launch_bounds__(kWarps *kWarp, kLimbs > 8 ? SB16 : 6)
    ShortProductKernel(const __grid_constant__ product_rows all) {
    DYNAMIC_SHARED(Stage<kLimbs>, stages);
    Stage<kLimbs> &stage = stages[threadIdx.x / kWarp];
    WaitForKernelBefore();
    const uint64_t warp = (uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp;
    for (uint64_t first = warp * kWarp; first < all.count;
         first += (uint64_t)gridDim.x * kWarps * kWarp) {
        Fetch(all, first, stage);
        Multiply<kLimbs, kSquare>(stage.Row(Lane()));
        __syncwarp();
        Store(all, first, stage);
        Pad<kLimbs>(all, first + Lane());
        __syncwarp();
    }
}

struct Entry {
    unsigned limbs;
    size_t bytes;
    void (*kernel[2])(product_rows);  // [square]
};

template <unsigned kLimbs>
constexpr Entry EntryOf() {
    return {kLimbs,
            sizeof(Stage<kLimbs>) * kWarps,
            {ShortProductKernel<kLimbs, false>, ShortProductKernel<kLimbs, true>}};
}

constexpr Entry kEntries[] = {EntryOf<1>(), EntryOf<2>(), EntryOf<4>(),
                              EntryOf<8>(), EntryOf<12>(), EntryOf<16>()};

// Each a its b.
bool Squares(const product_rows &all) {
    const product_item &first = all.first;
    return all.items == nullptr && first.a == first.b && first.an == first.bn &&
           all.a_stride == all.b_stride;
}

}  // namespace

unsigned short_product_limbs(uint64_t an, uint64_t bn) {
    for (const Entry &entry : kEntries) {
        if (max(an, bn) <= entry.limbs) {
            return entry.limbs;
        }
    }
    return 0;
}

result short_product(const product_rows *all, unsigned limbs, device_stream stream) {
    for (const Entry &entry : kEntries) {
        if (limbs != entry.limbs) {
            continue;
        }
        const unsigned threads = kWarps * kWarp;
        void (*const kernel)(product_rows) = entry.kernel[Squares(*all)];
        unsigned blocks = 0;
        cudaError_t e = AllowShared(kernel, entry.bytes);
        if (e == cudaSuccess) {
            e = ResidentBlocks(kernel, threads, entry.bytes, &blocks);
        }
        if (e == cudaSuccess && all->count > 0) {
            const unsigned grid =
                (unsigned)min((uint64_t)blocks, word_ceil_div(all->count, threads));
            e = LaunchEarly(kernel, grid, threads, entry.bytes, stream, *all);
        }
        return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
    }
    return RESULT_REFUSED;
}
