// block_product.cu: block_product.h: digits, a node across pieces, transforms of pieces
// (fft/complex_piece.cuh) and back, rounding and carries, by one block, which goes from product to
// product. Includes the rooms' device headers.
//
// Points stand in shared memory, in a tile for each piece, while the piece's warp does not have
// them. What is across pieces is done for points of equal numbers in all of them: a thread makes
// those of its limbs, as many side by side from each segment of the number, and its limbs of those.
#include "bigint/block_product.h"

#include "bigint/product_rows.cuh"
#include "carry/carry_limbs.cuh"
#include "carry/carry_ripple.cuh"
#include "fft/complex_bound.h"
#include "fft/complex_piece.cuh"
#include "primitives/instructions.cuh"
#include "primitives/launch.cuh"
#include "primitives/warp.cuh"

namespace {

constexpr unsigned kWidth = 16, kDigits = 64 / kWidth;  // of digits; of a limb
constexpr unsigned kPieceNodes = 0x55, kPieceLg = 10;

// BlockJob: square: each b is its a. common: all a are one.
struct BlockJob {
    product_rows rows;
    bool square, common;
};

// A product of up to 2 kPoints digits by one block, a warp for each piece.
template <unsigned kLgPieces>
struct BlockProduct {
    using Piece = ComplexPiece<kPieceNodes, kPieceLg>;
    using Item = typename Piece::Item;
    static constexpr unsigned kPieces = 1u << kLgPieces, kItems = Piece::kItems;
    static constexpr unsigned kWarps = kPieces, kThreads = kWarps * kWarp;
    static constexpr unsigned kPiecePoints = 1u << kPieceLg, kPoints = kPieces << kPieceLg;
    // Coefficients j + b 2^kPieceLg, of the lower half and of the upper one are a segment each.
    static constexpr unsigned kSegments = 2 * kPieces, kSegmentLimbs = kPiecePoints / kDigits;
    static constexpr unsigned kLimbs = kSegmentLimbs / kThreads;  // of a thread, of each segment
    static constexpr unsigned kStretches = kSegments * kWarps;    // of limbs: a warp's of a segment
    using Limbs = CarryLimbs<1, kLimbs>;
    // Blocks of a multiprocessor: 8 warps have 255 registers each.
    static constexpr unsigned kBlocks = 8 / kWarps;
    // Items of a spectrum that is kept, of each thread, in shared memory: as many as there is room
    // for beside tiles of 8 warps; the others in registers.
    static constexpr unsigned kShared = 20;

    struct Shared {
        Item tile[kPieces][kPiecePoints];
        Item kept[kShared][kThreads];
        Item roots[kPieces][Piece::kRoots];
        uint64_t spill[kStretches + 1];  // into each stretch, and out of the last
        uint32_t state[kStretches];
    };

    const BlockJob &job;
    Shared &shared;
    Item kept[kItems - kShared];

    // The node across pieces: its root is exp(-2 pi i / (4 kPieces)).
    DEVICE static ComplexPowers<kLgPieces == 0 ? 1 : kLgPieces> Across() {
        constexpr double kCos[] = {0, 0.70710678118654752440, 0.92387953251128675613,
                                   0.98078528040323044913};
        constexpr double kSin[] = {1, 0.70710678118654752440, 0.38268343236508977173,
                                   0.19509032201612826785};
        const Item v = {kCos[kLgPieces], -kSin[kLgPieces]};
        return {v, v};
    }

    // --- Digits ----------------------------------------------------------------------------------

    // Digits of limb i of an operand, in z[.][b]: balanced, but the top one, above which nothing
    // takes a 1.
    DEVICE static void Digits(const uint64_t *words, unsigned n, unsigned i, unsigned b,
                              Item (&z)[kDigits][kPieces]) {
        constexpr uint32_t kBias = 1u << (kWidth - 1);
        const uint64_t limb = i < n ? words[i] : 0;
        uint32_t carry = i > 0 && i < n ? (uint32_t)(words[i - 1] >> 63) : 0;
#pragma unroll
        for (unsigned k = 0; k < kDigits; k++) {
            const uint32_t field = (uint32_t)(limb >> (kWidth * k)) & 0xFFFF;
            uint32_t biased = (field ^ kBias) + carry;
            carry = field >> (kWidth - 1);
            if (k + 1 == kDigits && i + 1 == n) {
                biased += carry << kWidth;
            }
            z[k][b] = {FromBits<double>(UINT64_C(0x433) << 52 | biased) - (0x1p52 + kBias), 0};
        }
    }

    // Split: the points of all pieces, to their tiles: those of digits of the lower half, as reals,
    // and, where there are digits in the upper half, their points times -i added to these. Barriers
    // before and after.
    DEVICE void Split(const uint64_t *words, unsigned n) const {
        constexpr unsigned kHalf = kPoints / kDigits;
        const unsigned mine = kLimbs * Again(threadIdx.x);
#pragma unroll 1
        for (unsigned first = 0; first < n; first += kHalf) {
#pragma unroll
            for (unsigned o = 0; o < kLimbs; o++) {
                const unsigned limb = mine + o;
                Item z[kDigits][kPieces];
#pragma unroll
                for (unsigned b = 0; b < kPieces; b++) {
                    Digits(words, n, first + b * kSegmentLimbs + limb, b, z);
                }
#pragma unroll
                for (unsigned k = 0; k < kDigits; k++) {
                    if constexpr (kLgPieces > 0) {
                        ComplexForward<kLgPieces, true>(z[k], Across());
                    }
                    const unsigned place = Piece::Place(kDigits * limb + k);
#pragma unroll
                    for (unsigned s = 0; s < kPieces; s++) {
                        Item &p = shared.tile[s][place];
                        p = first == 0 ? z[k][s] : Item{p.re + z[k][s].im, p.im - z[k][s].re};
                    }
                }
            }
        }
    }

    // Keep and Kept: what a transform has left in the thread's registers, in part to shared memory.
    DEVICE void Keep(const Piece &x) {
#pragma unroll
        for (unsigned r = 0; r < kShared; r++) {
            shared.kept[r][threadIdx.x] = x.v[r];
        }
#pragma unroll
        for (unsigned r = kShared; r < kItems; r++) {
            kept[r - kShared] = x.v[r];
        }
    }
    DEVICE Item Kept(unsigned r) const {
        return r < kShared ? shared.kept[r][threadIdx.x] : kept[r - kShared];
    }

    // Convolve: the pieces of the product's points in their tiles, from the first of its factors
    // that is not kept already.
    DEVICE void Convolve(const product_item &item, bool kept_already) {
        const unsigned s = threadIdx.x / kWarp;
        Piece x = {{shared.tile[s], Again(Lane()), {}}, shared.roots[s]};
#pragma unroll 1
        for (unsigned k = kept_already || job.square ? 1 : 0; k < 2; k++) {
            const uint64_t *const words = k == 0 ? item.a : item.b;
            const unsigned n = (unsigned)(k == 0 ? item.an : item.bn);
            Split(words, n);
            __syncthreads();
            x.template Take<0>();
            x.Forward();
            if (k == 0) {
                Keep(x);
                __syncthreads();
            }
        }
#pragma unroll
        for (unsigned up = 1; up <= kItems; up++) {  // registers first
            const unsigned r = kItems - up;
            x.v[r] = Swapped(x.v[r] * (job.square ? x.v[r] : Kept(r)));
        }
        __syncwarp();
        x.Back();
        x.template Put<0>();
        __syncthreads();
    }

    // --- Limbs -----------------------------------------------------------------------------------

    // The integer nearest to x / kPoints, |that| < 2^51.
    DEVICE static int64_t Rounded(double x) {
        const double magic = 0x1.8p52, y = Fma(x, 1.0 / kPoints, magic);
        return (int64_t)(ToBits(y) - ToBits(magic));
    }

    // Join: pairs of coefficients of the thread's limbs, radix 2^32.
    DEVICE void Join(uint64_t (&pair)[kSegments][2 * kLimbs]) const {
        const unsigned mine = kDigits * kLimbs * Again(threadIdx.x);
#pragma unroll
        for (unsigned c = 0; c < kDigits * kLimbs; c++) {
            const unsigned place = Piece::Place(mine + c);
            Item y[kPieces];
#pragma unroll
            for (unsigned s = 0; s < kPieces; s++) {
                y[s] = shared.tile[s][place];
            }
            if constexpr (kLgPieces > 0) {
                ComplexBack<kLgPieces>(y, Across());
            }
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const uint64_t low = (uint64_t)Rounded(y[b].im), high = (uint64_t)Rounded(-y[b].re);
                uint64_t &p = pair[b][c / 2], &q = pair[kPieces + b][c / 2];
                p = c % 2 == 0 ? low : p + (low << kWidth);
                q = c % 2 == 0 ? high : q + (high << kWidth);
            }
        }
    }

    // The carries into the calling warp's stretches: bit s for segment s.
    DEVICE unsigned Carries() const {
        unsigned carry = 0, mine = 0;
#pragma unroll
        for (unsigned first = 0; first < kStretches; first += kWarp) {
            const unsigned i = first + Lane();
            const carry_state state =
                i < kStretches ? (carry_state)shared.state[i] : CARRY_PROPAGATE;
            uint32_t generate, propagate;
            CarryRipple<1>::Ballot(state, &generate, &propagate);
            const uint64_t into = CarriesInto(generate, propagate, carry);
            carry = (unsigned)(into >> kWarp) & 1;
#pragma unroll
            for (unsigned s = 0; s < kSegments; s++) {
                const unsigned at = s * kWarps + threadIdx.x / kWarp - first;
                mine |= at < kWarp ? ((unsigned)(into >> at) & 1) << s : 0;
            }
        }
        return mine;
    }

    DEVICE void Store(const product_item &item) {
        uint64_t pair[kSegments][2 * kLimbs];
        Join(pair);
        Limbs limbs[kSegments];
        const unsigned warp = threadIdx.x / kWarp;
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            limbs[s].Take(0, 0, 2 * kWidth, true,
                          [&](unsigned i, uint64_t(&c)[1]) { c[0] = pair[s][i]; });
            if (Lane() == kWarp - 1) {
                shared.spill[s * kWarps + warp + 1] = limbs[s].spill[0];
            }
        }
        __syncthreads();
        uint32_t generate[kSegments], propagate[kSegments];
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            uint64_t spill[1] = {ShuffleUp(limbs[s].spill[0], 1)};
            if (Lane() == 0) {
                spill[0] = shared.spill[s * kWarps + warp];
            }
            CarryRipple<1>::Ballot(limbs[s].AddSpill(spill), &generate[s], &propagate[s]);
            if (Lane() == 0) {
                shared.state[s * kWarps + warp] = StateOf(generate[s], propagate[s]);
            }
        }
        __syncthreads();
        const unsigned carries = Carries();
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            const uint64_t into = CarriesInto(generate[s], propagate[s], carries >> s & 1);
            limbs[s].AddCarry((unsigned)(into >> Lane()) & 1);
            const uint64_t at = s * kSegmentLimbs + threadIdx.x * kLimbs;
#pragma unroll
            for (unsigned o = 0; o < kLimbs; o++) {
                if (at + o < item.rn) {
                    item.r[at + o] = limbs[s].limb[o];
                }
            }
        }
        for (uint64_t i = kSegments * kSegmentLimbs + threadIdx.x; i < item.rn; i += kThreads) {
            item.r[i] = 0;
        }
    }

    // Prefetch begins to bring an operand near.
    DEVICE static void Prefetch(const uint64_t *words, uint64_t n) {
        constexpr unsigned kLine = 16;  // limbs
        for (uint64_t i = kLine * threadIdx.x; i < n; i += kLine * kThreads) {
            PrefetchDevice(words + i);
        }
    }

    DEVICE void Run() {
        const unsigned s = threadIdx.x / kWarp;
        Piece::FillRoots(shared.roots[s], s, kLgPieces);
        if (threadIdx.x == 0) {
            shared.spill[0] = Limbs::BottomSpill(0, true);
        }
        WaitForKernelBefore();
        for (uint64_t i = blockIdx.x; i < job.rows.count; i += gridDim.x) {
            const product_item item = ProductItem(job.rows, i);
            if (i + gridDim.x < job.rows.count) {
                const product_item next = ProductItem(job.rows, i + gridDim.x);
                Prefetch(next.a, next.an);
                Prefetch(next.b, next.bn);
            }
            Convolve(item, job.common && i != blockIdx.x);
            Store(item);
        }
    }
};

template <unsigned kLgPieces>
__global__ void __launch_bounds__(BlockProduct<kLgPieces>::kThreads,
                                  BlockProduct<kLgPieces>::kBlocks)
    BlockProductKernel(const __grid_constant__ BlockJob job) {
    using Product = BlockProduct<kLgPieces>;
    DYNAMIC_SHARED(typename Product::Shared, shared);
    Product product = {job, *shared, {}};
    product.Run();
}

struct Entry {
    unsigned lg, threads;
    size_t bytes;
    void (*kernel)(BlockJob);
};

template <unsigned kLgPieces>
constexpr Entry EntryOf() {
    using Product = BlockProduct<kLgPieces>;
    return {kPieceLg + kLgPieces, Product::kThreads, sizeof(typename Product::Shared),
            BlockProductKernel<kLgPieces>};
}

constexpr Entry kEntries[] = {EntryOf<0>(), EntryOf<1>(), EntryOf<2>(), EntryOf<3>()};

const Entry *EntryFor(unsigned lg) {
    for (const Entry &entry : kEntries) {
        if (entry.lg == lg) {
            return &entry;
        }
    }
    return nullptr;
}

// Limbs of both factors of a product that a kernel holds: two digits a point.
uint64_t LimbsOf(unsigned lg) { return (UINT64_C(2) << lg) / kDigits; }

// Proved: coefficients of such factors are rounded to the right integers (section 6: a top digit of
// up to 2^kWidth counts as four).
bool Proved(unsigned lg, uint64_t an, uint64_t bn) {
    constexpr unsigned kTop = 3;
    fft_bound_shape shape = {};
    shape.method = FFT_BOUND_RIGHT_ANGLE;
    shape.significand = FFT_BOUND_F64;
    shape.a_digits = kDigits * an + kTop;
    shape.b_digits = kDigits * bn + kTop;
    fft_bound_tree(&shape, lg - kPieceLg, kPieceNodes);
    return fft_bound_refusal(&shape, UINT64_C(1) << (kWidth - 1)) == nullptr;
}

}  // namespace

unsigned block_product_lg(uint64_t an, uint64_t bn) {
    for (const Entry &entry : kEntries) {
        const uint64_t limbs = LimbsOf(entry.lg);
        if (an > 0 && bn > 0 && an < limbs && bn <= limbs - an) {
            return Proved(entry.lg, an, bn) ? entry.lg : 0;
        }
    }
    return 0;
}

result block_product(const product_rows *rows, unsigned lg, device_stream stream) {
    const Entry *const entry = EntryFor(lg);
    const product_item *const first = &rows->first;
    if (entry == nullptr || (rows->items == nullptr && first->an + first->bn > LimbsOf(lg))) {
        return RESULT_REFUSED;
    }
    BlockJob job = {*rows, product_rows_squares(rows), false};
    if (rows->items == nullptr && rows->b_stride == 0) {
        ProductSwap(job.rows);
    }
    job.common = rows->items == nullptr && job.rows.a_stride == 0;
    unsigned blocks = 0;
    cudaError_t e = AllowShared(entry->kernel, entry->bytes);
    if (e == cudaSuccess) {
        e = ResidentBlocks(entry->kernel, entry->threads, entry->bytes, &blocks);
    }
    if (e == cudaSuccess && rows->count > 0) {
        const unsigned grid = rows->count < blocks ? (unsigned)rows->count : blocks;
        e = LaunchEarly(entry->kernel, grid, entry->threads, entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
