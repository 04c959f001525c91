// block_product.cu: block_product.h: products by one block, which goes from one to the next: points
// of pieces (block_digits.cuh), their transforms, products, transforms back
// (fft/complex_piece.cuh), limbs (block_limbs.cuh). Includes the rooms' device headers.
//
// Points stand in shared memory, in a tile for each piece, while the piece's warp does not have
// them.
#include "bigint/block_product.h"

#include "bigint/block_digits.cuh"
#include "bigint/block_limbs.cuh"
#include "bigint/product_rows.cuh"
#include "fft/complex_bound.h"
#include "primitives/launch.cuh"

namespace {

// BlockJob: common: all a are one; bound: as of BlockLimbs.
struct BlockJob {
    product_rows rows;
    bool common;
    double bound;
};

// Products, one after the other, by one block. kSquare: each b is its a.
template <unsigned kLgPieces, bool kSquare>
struct BlockProduct : BlockShape<kLgPieces> {
    using Shape = BlockShape<kLgPieces>;
    using Limbs = BlockLimbs<kLgPieces>;
    using Piece = typename Shape::Piece;
    using Item = typename Shape::Item;
    using Shape::kPieces, Shape::kItems, Shape::kWarps, Shape::kThreads, Shape::kPiecePoints;
    // Blocks of a multiprocessor: 8 warps have 255 registers each.
    static constexpr unsigned kBlocks = 8 / kWarps;
    // Of the spectrum's items of each thread, those in shared memory: as many as there is room for
    // beside tiles of 8 warps; the others are in registers.
    static constexpr unsigned kNear = kSquare ? 0 : 20;

    struct Shared {
        Item tile[kPieces][kPiecePoints];
        Item kept[kNear + kSquare][kThreads];  // of squares, which keep nothing, one
        Item roots[kPieces][Piece::kRoots];
        typename Limbs::Room room;
    };

    const BlockJob &job;
    Shared &shared;

    // Transform: x becomes the calling warp's piece of an operand's spectrum. Tiles must be free.
    DEVICE void Transform(const uint64_t *words, uint64_t n, Piece &x) const {
        const BlockDigits<kLgPieces> digits = {{}, shared.tile};
        digits.Points(words, (unsigned)n, x);
        x.Forward();
    }

    // Keep and Kept: what a transform has left, in part in shared memory.
    DEVICE void Keep(const Piece &x, Item (&far)[kItems]) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            (r < kNear ? shared.kept[r][threadIdx.x] : far[r]) = x.v[r];
        }
    }
    DEVICE Item Kept(unsigned r, const Item (&far)[kItems]) const {
        return r < kNear ? shared.kept[r][threadIdx.x] : far[r];
    }

    // Convolve: the pieces of the product's points in their tiles, from the first of its factors
    // that is not kept already.
    DEVICE void Convolve(const product_item &item, bool kept_already, Item (&far)[kItems]) const {
        const unsigned s = threadIdx.x / kWarp;
        Piece x = {{shared.tile[s], Again(Lane()), {}}, shared.roots[s]};
        if constexpr (kSquare) {
            Transform(item.a, item.an, x);
#pragma unroll
            for (unsigned r = 0; r < kItems; r++) {
                x.v[r] = Swapped(ComplexSquare(x.v[r]));
            }
        } else {
#pragma unroll 1
            for (unsigned k = kept_already ? 1 : 0; k < 2; k++) {
                Transform(k == 0 ? item.a : item.b, k == 0 ? item.an : item.bn, x);
                if (k == 0) {
                    Keep(x, far);
                    Shape::Meet();
                }
            }
#pragma unroll
            for (unsigned up = 1; up <= kItems; up++) {  // registers first
                const unsigned r = kItems - up;
                x.v[r] = Swapped(x.v[r] * Kept(r, far));
            }
        }
        __syncwarp();
        x.Back();
        x.template Put<0>();
        Shape::Meet();
    }

    // Prefetch begins to bring an operand near.
    DEVICE static void Prefetch(const uint64_t *words, uint64_t n) {
        constexpr unsigned kLine = 16;  // limbs
        for (uint64_t i = kLine * threadIdx.x; i < n; i += kLine * kThreads) {
            PrefetchDevice(words + i);
        }
    }

    DEVICE void Run() const {
        const unsigned s = threadIdx.x / kWarp;
        Piece::FillRoots(shared.roots[s], s, kLgPieces);
        const Limbs limbs = {{}, shared.tile, shared.room, job.bound};
        limbs.Begin();
        WaitForKernelBefore();
        Item far[kItems];
        for (uint64_t i = blockIdx.x; i < job.rows.count; i += gridDim.x) {
            const product_item item = ProductItem(job.rows, i);
            if (i + gridDim.x < job.rows.count) {
                const product_item next = ProductItem(job.rows, i + gridDim.x);
                Prefetch(next.a, next.an);
                Prefetch(next.b, next.bn);
            }
            Convolve(item, job.common && i != blockIdx.x, far);
            limbs.Store(item);
        }
    }
};

template <unsigned kLgPieces, bool kSquare>
__global__ void __launch_bounds__((BlockProduct<kLgPieces, kSquare>::kThreads),
                                  (BlockProduct<kLgPieces, kSquare>::kBlocks))
    BlockProductKernel(const __grid_constant__ BlockJob job) {
    using Product = BlockProduct<kLgPieces, kSquare>;
    DYNAMIC_SHARED(typename Product::Shared, shared);
    const Product product = {{}, job, *shared};
    product.Run();
}

struct Kernel {
    size_t bytes;
    void (*run)(BlockJob);
};

struct Entry {
    unsigned lg, threads;
    Kernel product, square;
};

template <unsigned kLgPieces>
constexpr Entry EntryOf() {
    using Product = BlockProduct<kLgPieces, false>;
    using Square = BlockProduct<kLgPieces, true>;
    return {Product::kPieceLg + kLgPieces,
            Product::kThreads,
            {sizeof(typename Product::Shared), BlockProductKernel<kLgPieces, false>},
            {sizeof(typename Square::Shared), BlockProductKernel<kLgPieces, true>}};
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
uint64_t LimbsOf(unsigned lg) { return (UINT64_C(2) << lg) / BlockShape<0>::kDigits; }

constexpr uint64_t kLargest = UINT64_C(1) << (BlockShape<0>::kWidth - 1);  // of balanced digits

// BoundShape: of products of such factors (section 6: a top digit of up to 2^kWidth counts as
// four).
fft_bound_shape BoundShape(unsigned lg, uint64_t an, uint64_t bn) {
    using Shape = BlockShape<0>;
    constexpr unsigned kTop = 3;
    fft_bound_shape shape = {};
    shape.method = FFT_BOUND_RIGHT_ANGLE;
    shape.significand = FFT_BOUND_F64;
    shape.a_digits = Shape::kDigits * an + kTop;
    shape.b_digits = Shape::kDigits * bn + kTop;
    fft_bound_tree(&shape, lg - Shape::kPieceLg, Shape::kNodes);
    return shape;
}

// Proved: coefficients of such factors are rounded to the right integers.
bool Proved(unsigned lg, uint64_t an, uint64_t bn) {
    const fft_bound_shape shape = BoundShape(lg, an, bn);
    return fft_bound_refusal(&shape, kLargest) == nullptr;
}

// BoundOf: the error of any product that a kernel takes, those of factors of one length having the
// largest.
double BoundOf(unsigned lg) {
    const fft_bound_shape shape = BoundShape(lg, LimbsOf(lg) / 2, LimbsOf(lg) / 2);
    return (double)fft_bound_error(&shape, kLargest) * 0x1p-32;
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
    const Kernel &kernel = product_rows_squares(rows) ? entry->square : entry->product;
    BlockJob job = {*rows, false, BoundOf(lg)};
    if (rows->items == nullptr && rows->b_stride == 0) {
        ProductSwap(job.rows);
    }
    job.common = rows->items == nullptr && job.rows.a_stride == 0;
    unsigned blocks = 0;
    cudaError_t e = AllowShared(kernel.run, kernel.bytes);
    if (e == cudaSuccess) {
        e = ResidentBlocks(kernel.run, entry->threads, kernel.bytes, &blocks);
    }
    if (e == cudaSuccess && rows->count > 0) {
        const unsigned grid = rows->count < blocks ? (unsigned)rows->count : blocks;
        e = LaunchEarly(kernel.run, grid, entry->threads, kernel.bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
