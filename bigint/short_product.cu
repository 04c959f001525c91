// short_product.cu: short_product.h: one thread for each product, column by column in registers.
// Includes product_rows.cuh, instructions.cuh and launch.cuh.
//
// A warp brings the operands of its 32 products to shared memory, neighbouring lanes neighbouring
// limbs, and each lane takes its own from there; products go back the same way through the same
// memory. A row of an odd number of limbs a lane keeps lanes in different banks.
#include "bigint/short_product.h"

#include "bigint/product_rows.cuh"
#include "primitives/instructions.cuh"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kWarps = 4;  // of a block

template <unsigned kLimbs>
struct Stage {
    static constexpr unsigned kRow = 2 * kLimbs + 1;
    uint64_t room[kWarp * kRow];

    DEVICE uint64_t *Row(unsigned lane) { return room + lane * kRow; }
};

// Teams of kSize lanes bring limbs to and fro, one product each at a time: the calling lane's team
// and its place there. Lanes beyond the last team have a team of no products.
template <unsigned kSize>
struct Team {
    static constexpr unsigned kTeams = kWarp / kSize, kTurns = (kWarp + kTeams - 1) / kTeams;
    unsigned number = Lane() / kSize, place = Lane() % kSize;

    // Whether it has a product at that turn, of `count` of the warp.
    DEVICE bool Has(unsigned turn, unsigned count) const {
        return number < kTeams && number + turn * kTeams < count;
    }
};

// Fetch copies a and b of the warp's products, `count` from first on, to the rows of their lanes.
template <unsigned kLimbs, bool kListed>
DEVICE void Fetch(const product_rows &all, uint64_t first, unsigned count, Stage<kLimbs> &stage) {
    const Team<kLimbs> team;
    ProductWalk<kListed> walk(all, first + team.number, team.kTeams);
    uint64_t *row = stage.Row(team.number) + team.place;
#pragma unroll
    for (unsigned turn = 0; turn < team.kTurns; turn++) {
        if (team.Has(turn, count)) {
            const product_item item = walk.Item();
            const unsigned an = (unsigned)item.an, bn = (unsigned)item.bn;
            CopyAsync8OrZero(row, item.a + team.place, team.place < an);
            CopyAsync8OrZero(row + kLimbs, item.b + team.place, team.place < bn);
        }
        walk.Next();
        row += team.kTeams * Stage<kLimbs>::kRow;
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
    AddTriple(sum, half[0], half[1], half[2]);
    AddTriple(sum, half[0], half[1], half[2]);
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

// Store writes the products from the rows.
template <unsigned kLimbs, bool kListed>
DEVICE void Store(const product_rows &all, uint64_t first, unsigned count, Stage<kLimbs> &stage) {
    const Team<2 * kLimbs> team;
    ProductWalk<kListed> walk(all, first + team.number, team.kTeams);
    const uint64_t *row = stage.Row(team.number) + team.place;
#pragma unroll
    for (unsigned turn = 0; turn < team.kTurns; turn++) {
        if (team.Has(turn, count)) {
            const product_item item = walk.Item();
            if (team.place < (unsigned)min(item.rn, (uint64_t)2 * kLimbs)) {
                item.r[team.place] = *row;
            }
        }
        walk.Next();
        row += team.kTeams * Stage<kLimbs>::kRow;
    }
}

// Pad: zeros above product i. Few batches have room there, so a lane writes alone.
template <unsigned kLimbs>
DEVICE void Pad(const product_rows &all, uint64_t i) {
    if (i < all.count && (all.items != nullptr || all.first.rn > 2 * kLimbs)) {
        const product_item item = ProductItem(all, i);
#pragma unroll 1
        for (uint64_t k = 2 * kLimbs; k < item.rn; k++) {
            item.r[k] = 0;
        }
    }
}

enum Form { kStrided, kSquares, kListed };  // kSquares: each b is its a

template <unsigned kLimbs, Form kForm>
__global__ void __launch_bounds__(kWarps *kWarp, kLimbs > 8 ? 5 : 6)
    ShortProductKernel(const __grid_constant__ product_rows all) {
    DYNAMIC_SHARED(Stage<kLimbs>, stages);
    Stage<kLimbs> &stage = stages[threadIdx.x / kWarp];
    const uint64_t first = ((uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp) * kWarp;
    WaitForKernelBefore();
    if (first >= all.count) {
        return;
    }
    const unsigned count = (unsigned)min(all.count - first, (uint64_t)kWarp);
    Fetch<kLimbs, kForm == kListed>(all, first, count, stage);
    Multiply<kLimbs, kForm == kSquares>(stage.Row(Lane()));
    __syncwarp();
    Store<kLimbs, kForm == kListed>(all, first, count, stage);
    Pad<kLimbs>(all, first + Lane());
}

struct Entry {
    unsigned limbs;
    size_t bytes;
    void (*kernel[3])(product_rows);  // by form
};

template <unsigned kLimbs>
constexpr Entry EntryOf() {
    return {kLimbs,
            sizeof(Stage<kLimbs>) * kWarps,
            {ShortProductKernel<kLimbs, kStrided>, ShortProductKernel<kLimbs, kSquares>,
             ShortProductKernel<kLimbs, kListed>}};
}

constexpr Entry kEntries[] = {EntryOf<1>(), EntryOf<2>(),  EntryOf<4>(),
                              EntryOf<8>(), EntryOf<12>(), EntryOf<16>()};

const Entry *EntryFor(unsigned limbs) {
    for (const Entry &entry : kEntries) {
        if (entry.limbs == limbs) {
            return &entry;
        }
    }
    return nullptr;
}

Form FormOf(const product_rows &all) {
    return all.items != nullptr ? kListed : product_rows_squares(&all) ? kSquares : kStrided;
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
    const Entry *const entry = EntryFor(limbs);
    const uint64_t blocks = word_ceil_div(all->count, kWarps * kWarp);
    if (entry == nullptr || blocks > kMaxGridX) {
        return RESULT_REFUSED;
    }
    void (*const kernel)(product_rows) = entry->kernel[FormOf(*all)];
    cudaError_t e = AllowShared(kernel, entry->bytes);
    if (e == cudaSuccess && blocks > 0) {
        e = LaunchEarly(kernel, (unsigned)blocks, kWarps * kWarp, entry->bytes, stream, *all);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
