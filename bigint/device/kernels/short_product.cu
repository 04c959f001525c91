// short_product.cu: short_product.h: one thread for each product, column by column in registers.
// Includes product_rows.cuh, instructions.cuh and launch.cuh.
//
// A warp loads the operands of its 32 products into shared memory, neighbouring lanes taking
// neighbouring limbs, and each lane reads its own operands there. Products are written back the
// same way through the same memory. A row of an odd number of limbs a lane keeps lanes in different
// banks.
#include "bigint/device/kernels/short_product.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kWarps = 4;  // of a block

// The limbs of a product that are computed and stored at a time: fewer for long products, so that
// the compiler mixes fewer columns.
template <unsigned kLimbs>
constexpr unsigned kPart = kLimbs <= 16 ? 2 * kLimbs : 16;

template <unsigned kLimbs>
struct Stage {
    static constexpr unsigned kRow = (kLimbs <= 16 ? 2 * kLimbs : kLimbs) + 1;
    uint64_t room[kWarp * kRow];

    DEVICE uint64_t *Row(unsigned lane) { return room + lane * kRow; }
};

// Teams of kSize lanes load and store limbs, one product each at a time: the calling lane's team
// and its place there. Lanes beyond the last team have a team without products.
template <unsigned kSize>
struct Team {
    static constexpr unsigned kTeams = kWarp / kSize, kTurns = (kWarp + kTeams - 1) / kTeams;
    unsigned number = Lane() / kSize, place = Lane() % kSize;

    // Whether it has a product at that turn, of `count` of the warp.
    DEVICE bool Has(unsigned turn, unsigned count) const {
        return number < kTeams && number + turn * kTeams < count;
    }
};

// Fetch copies a and, except for squares, b of the warp's products, `count` from first on, to the
// rows of their lanes.
template <unsigned kLimbs, ProductForm kForm>
DEVICE void Fetch(const product_rows &all, uint64_t first, unsigned count, Stage<kLimbs> &stage) {
    const Team<kLimbs> team;
    ProductWalk<kForm == kListed> walk(all, first + team.number, team.kTeams);
    uint64_t *row = stage.Row(team.number) + team.place;
#pragma unroll
    for (unsigned turn = 0; turn < team.kTurns; turn++) {
        if (team.Has(turn, count)) {
            const product_item item = walk.Item();
            CopyAsyncOrZero<8>(row, item.a + team.place, team.place < (unsigned)item.an);
            if constexpr (kForm != kSquares) {
                const bool there = team.place < (unsigned)item.bn;
                CopyAsyncOrZero<8>(row + kLimbs, item.b + team.place, there);
            }
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

// Product: the calling lane's, a column after the other.
template <unsigned kLimbs, bool kSquare>
struct Product {
    static constexpr unsigned kWords = 2 * kLimbs;
    uint32_t a[kWords], b[kSquare ? 1 : kWords], sum[3] = {};

    DEVICE Product(const uint64_t *row) {
        Take<kLimbs>(row, a);
        if constexpr (!kSquare) {
            Take<kLimbs>(row + kLimbs, b);
        }
    }

    // Part writes limbs first .. first + kPart - 1 to the row.
    DEVICE void Part(unsigned first, uint64_t *row) {
#pragma unroll
        for (unsigned limb = 0; limb < kPart<kLimbs>; limb++) {
            uint32_t word[2];
#pragma unroll
            for (unsigned k = 0; k < 2; k++) {
                if constexpr (kSquare) {
                    ColumnOfSquare(sum, a, 2 * (first + limb) + k);
                } else {
                    Column(sum, a, b, 2 * (first + limb) + k);
                }
                word[k] = sum[0];
                sum[0] = sum[1], sum[1] = sum[2], sum[2] = 0;
            }
            row[limb] = (uint64_t)word[1] << 32 | word[0];
        }
    }
};

// Store writes limbs first .. first + kPart - 1 of the products from the rows.
template <unsigned kLimbs, bool kListed>
DEVICE void Store(const product_rows &all, uint64_t from, unsigned count, unsigned first,
                  Stage<kLimbs> &stage) {
    const Team<kPart<kLimbs>> team;
    ProductWalk<kListed> walk(all, from + team.number, team.kTeams);
    const uint64_t *row = stage.Row(team.number) + team.place;
#pragma unroll
    for (unsigned turn = 0; turn < team.kTurns; turn++) {
        if (team.Has(turn, count)) {
            const product_item item = walk.Item();
            const unsigned limb = first + team.place;
            if (limb < (unsigned)min(item.rn, (uint64_t)2 * kLimbs)) {
                item.r[limb] = *row;
            }
        }
        walk.Next();
        row += team.kTeams * Stage<kLimbs>::kRow;
    }
}

// Pad: zeros above product i. Few batches have room there, so each lane writes its own.
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

template <unsigned kLimbs, ProductForm kForm>
__global__ void __launch_bounds__(kWarps *kWarp, kLimbs > 16  ? 4
                                                 : kLimbs > 8 ? 5
                                                              : 6)
    ShortProductKernel(const __grid_constant__ product_rows all) {
    DYNAMIC_SHARED(Stage<kLimbs>, stages);
    Stage<kLimbs> &stage = stages[threadIdx.x / kWarp];
    const uint64_t first = ((uint64_t)blockIdx.x * kWarps + threadIdx.x / kWarp) * kWarp;
    WaitForKernelBefore();
    if (first >= all.count) {
        return;
    }
    const unsigned count = (unsigned)min(all.count - first, (uint64_t)kWarp);
    Fetch<kLimbs, kForm>(all, first, count, stage);
    Product<kLimbs, kForm == kSquares> product(stage.Row(Lane()));
#pragma unroll
    for (unsigned limb = 0; limb < 2 * kLimbs; limb += kPart<kLimbs>) {
        product.Part(limb, stage.Row(Lane()));
        __syncwarp();
        Store<kLimbs, kForm == kListed>(all, first, count, limb, stage);
        __syncwarp();
    }
    Pad<kLimbs>(all, first + Lane());
}

template <unsigned kLimbs>
constexpr ProductKernel KernelOf() {
    return {kLimbs,
            kWarps * kWarp,
            kWarps * kWarp,
            kWarps * kWarp,
            sizeof(Stage<kLimbs>) * kWarps,
            {ShortProductKernel<kLimbs, kStrided>, ShortProductKernel<kLimbs, kSquares>,
             ShortProductKernel<kLimbs, kListed>}};
}

// Only for squares.
template <unsigned kLimbs>
constexpr ProductKernel SquaresOf() {
    return {kLimbs,
            kWarps * kWarp,
            kWarps * kWarp,
            kWarps * kWarp,
            sizeof(Stage<kLimbs>) * kWarps,
            {nullptr, ShortProductKernel<kLimbs, kSquares>, nullptr}};
}

constexpr ProductKernel kKernels[] = {KernelOf<1>(),   KernelOf<2>(),  KernelOf<4>(),
                                      KernelOf<8>(),   KernelOf<12>(), KernelOf<16>(),
                                      SquaresOf<24>(), SquaresOf<32>()};

}  // namespace

unsigned short_product_limbs(uint64_t an, uint64_t bn, bool squares) {
    return ProductSize(kKernels, max(an, bn), squares ? kSquares : kStrided);
}

result short_product(const product_rows *all, unsigned limbs, cuda_stream stream) {
    return ProductLaunch(kKernels, limbs, *all, stream);
}
