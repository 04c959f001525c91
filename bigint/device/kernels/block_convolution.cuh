// block_convolution.cuh: products by one block, one after the other (block_product.cu): points of
// pieces (block_digits.cuh), their transforms, products, inverse transforms
// (fft/device/complex/piece.cuh), limbs (block_limbs.cuh). Includes the rooms' device headers.
//
// Points lie in shared memory, in a tile for each piece, while the piece's warp does not hold them
// in registers. Of two rings the first one's points wait in device memory, where each thread reads
// back what it wrote.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_CONVOLUTION_CUH_
#define BIGINT_DEVICE_KERNELS_BLOCK_CONVOLUTION_CUH_

#include "bigint/device/kernels/block_digits.cuh"
#include "bigint/device/kernels/block_limbs.cuh"
#include "bigint/device/kernels/product_rows.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

// BlockJob: common: all a are one; bound: as in BlockLimbs. Blocks run at different speeds and
// begin in order. So the last `together` of them have one product each, as many before them two,
// and so on, up to 2^kMostLg; together, the number of blocks that run at once, is positive.
// first_points: of two rings, room for the first one's points of each block. Then there are no more
// blocks than run at once, with nearly the same number of products.
struct BlockJob {
    product_rows rows;
    bool common;
    double bound;
    unsigned together;
    void *first_points;

    static constexpr unsigned kMostLg = 5;

    // Blocks for all products: below 2^31 for fewer than 2^35 of them.
    uint64_t Blocks() const {
        if (first_points != nullptr) {
            return rows.count < together ? rows.count : together;
        }
        uint64_t blocks = 0, left = rows.count;
        unsigned lg = 0;
        for (; lg < kMostLg && left > (uint64_t)together << lg; lg++) {
            left -= (uint64_t)together << lg;
            blocks += together;
        }
        return blocks + word_ceil_div(left, UINT64_C(1) << lg);
    }

    // The calling block's products: `number` of them before number `end`.
    struct Range {
        uint64_t end;
        unsigned number;
    };
    template <bool kApart>
    DEVICE Range Mine() const {
        if constexpr (kApart) {
            const uint64_t each = rows.count / gridDim.x, more = rows.count % gridDim.x;
            const uint64_t number = each + (blockIdx.x < more ? 1 : 0);
            const uint64_t before = each * blockIdx.x + (blockIdx.x < more ? blockIdx.x : more);
            return {before + number, (unsigned)number};
        }
        const unsigned after = gridDim.x - 1 - Again(blockIdx.x);
        const unsigned lg = min(after / together, kMostLg), most = 1u << lg;
        const uint64_t end = rows.count - (uint64_t)together * (most - 1) -
                             ((uint64_t)(after - lg * together) << lg);
        return {end, (unsigned)min(end, (uint64_t)most)};
    }
};

// BlockForm: what is computed: products, squares, where each b is its a, or products that wrap
// around, which are squares of points that take both factors.
enum BlockForm { kPlain, kSquared, kWrapped };

// Products, one after the other, by one block.
template <unsigned kLgPieces, unsigned kRings, BlockForm kForm>
struct BlockProduct : BlockShape<kLgPieces, kRings, kForm == kWrapped> {
    static constexpr bool kCyclic = kForm == kWrapped, kSquare = kForm != kPlain;
    using Shape = BlockShape<kLgPieces, kRings, kCyclic>;
    using Limbs = BlockLimbs<kLgPieces, kRings, kCyclic>;
    using Piece = typename Shape::Piece;
    using Item = typename Shape::Item;
    using Shape::kPieces, Shape::kItems, Shape::kWarps, Shape::kThreads, Shape::kPiecePoints;
    static constexpr bool kApart = kRings > 1;
    // Blocks of a multiprocessor: 8 warps have 255 registers each.
    static constexpr unsigned kBlocks = 8 / kWarps;
    static constexpr unsigned kFactors = kSquare ? 1 : 2;
    // The items of each thread's spectrum that are in shared memory: as many as fit beside the
    // tiles of 8 warps and the rest of a block's memory. The others are in registers.
    static constexpr unsigned kNear = kSquare ? 0 : kApart ? 18 : kWarps == 1 ? 19 : 20;

    struct Shared {
        Item tile[kPieces][Piece::kTile];
        Item kept[kNear + kSquare][kThreads];  // of squares, which keep nothing, one
        Item roots[kRings][kPieces][Piece::kRoots];
        Item across[kRings][Shape::kRingRoots];  // where they are given
        typename Limbs::Room room;
        uint64_t end;           // of the block's products
        product_item found[4];  // of these that has left - 1 after it: number left mod 4
    };

    const BlockJob &job;
    Shared &shared;

    using Digits = BlockDigits<kLgPieces, kRings, kCyclic>;
    using Words = typename Digits::Words;

    // Keep and Kept: the result of a transform, partly in shared memory.
    DEVICE void Keep(const Piece &x, Item (&far)[kItems]) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            (r < kNear ? shared.kept[r][threadIdx.x] : far[r]) = x.v[r];
        }
    }
    DEVICE Item Kept(unsigned r, const Item (&far)[kItems]) const {
        return r < kNear ? shared.kept[r][threadIdx.x] : far[r];
    }

    // Operand k of a product. Its limbs are loaded well before they are used.
    DEVICE static const uint64_t *Factor(const product_item &item, unsigned k) {
        return k == 0 ? item.a : item.b;
    }
    DEVICE static unsigned Length(const product_item &item, unsigned k) {
        return (unsigned)(k == 0 ? item.an : item.bn);
    }
    DEVICE static void Load(const product_item &item, unsigned k, bool there, Words &own) {
        Digits::Load(Factor(item, k), there ? Length(item, k) : 0, 0, own);
    }

    // Convolve: the pieces of a ring's points of the product in their tiles, from factor `first`,
    // the first that is not kept already and whose limbs are `own`.
    DEVICE void Convolve(const product_item &item, unsigned ring, unsigned first, Words &own,
                         Item (&far)[kItems]) const {
        const unsigned s = Again(threadIdx.x) / kWarp;
        const Digits digits = {{}, shared.tile};
        Piece x = {shared.tile[s], Again(Lane()), {}, shared.roots[ring][s]};
        const typename Shape::RingRoots roots = {shared.across[ring]};
#pragma unroll 1
        for (unsigned k = first; k < kFactors; k++) {
            if constexpr (kCyclic) {
                digits.CyclicPoints(Length(item, 0), item.b, Length(item, 1), own, x, ring, roots);
            } else {
                digits.template Points<!kSquare>(Factor(item, k), Length(item, k), own, x, ring,
                                                 roots);
            }
            if constexpr (!kSquare) {
                Load(item, 1, k == 0, own);
            }
            x.template Forward<!Digits::kMany>([] { Digits::Taken(); });
            if constexpr (!kSquare) {
                if (k == 0) {
                    Keep(x, far);
                    Shape::Meet();
                }
            }
        }
        const typename Piece::Residues residues = x.Moduli();
#pragma unroll
        for (unsigned m = Piece::kPairs; m-- > 0;) {  // registers first
            Item &c0 = x.v[2 * m], &c1 = x.v[2 * m + 1];
            const Item w = residues.Modulus(m);
            if constexpr (kSquare) {
                ComplexPairSquare(c0, c1, w);
            } else {
                ComplexPairProduct(Kept(2 * m, far), Kept(2 * m + 1, far), c0, c1, w, c0, c1);
            }
            c0 = Swapped(c0), c1 = Swapped(c1);
        }
        __syncwarp();
        x.Back();
        x.PutRows();
        Shape::Meet();
    }

    // Prefetch starts to load an operand into the cache.
    DEVICE static void Prefetch(const uint64_t *words, uint64_t n) {
        constexpr unsigned kLine = 16;  // limbs
        for (uint64_t i = kLine * Again(threadIdx.x); i < n; i += kLine * kThreads) {
            PrefetchDevice(words + i);
        }
    }

    // Find: the block's product that has left - 1 after it, by one thread; Found by all after a
    // meeting, while three more are found.
    DEVICE void Find(unsigned left) const {
        if (threadIdx.x == 0 && left > 0) {
            shared.found[left % 4] = ProductItem(job.rows, shared.end - left);
        }
    }
    DEVICE const product_item &Found(unsigned left) const { return shared.found[left % 4]; }

    DEVICE void FillRoots() const {
        const unsigned s = threadIdx.x / kWarp;
#pragma unroll 1
        for (unsigned ring = 0; ring < kRings; ring++) {
            Piece::FillRoots(shared.roots[ring][s], Shape::PieceAngle(ring, s), Shape::kPieceTurn);
            if (Shape::kGiven && threadIdx.x < Shape::kRingRoots) {
                shared.across[ring][threadIdx.x] = Shape::RingRoot(ring, threadIdx.x);
            }
        }
    }

    DEVICE void Run() const {
        FillRoots();
        const Limbs limbs = {{},        shared.tile,   shared.room,
                             job.bound, shared.across, (typename Limbs::Wanted *)job.first_points};
        limbs.Begin();
        const BlockJob::Range mine = job.Mine<kApart>();
        const unsigned number = mine.number;
        if (threadIdx.x == 0) {
            shared.end = mine.end;
        }
        WaitForKernelBefore();  // a list is read
        Find(number);
        Find(number - 1);
        Shape::Meet();
        const bool common = !kSquare && !kApart && job.common;
        Words own;
        Load(Found(number), 0, true, own);
        Item far[kItems];
#pragma unroll 1
        for (unsigned left = number; left > 0; left--) {
            if (left > 1) {
                const product_item &next = Found(left - 1);
                Prefetch(next.a, next.an);
                Prefetch(next.b, next.bn);
                Find(left - 2);
            }
#pragma unroll 1
            for (unsigned ring = 0; ring < kRings; ring++) {
                const bool last = ring + 1 == kRings;
                Convolve(Found(left), ring, common && left < number, own, far);
                if (last) {
                    limbs.Store(Found(left), [&] {
                        Load(Found(left > 1 ? left - 1 : left), common, left > 1, own);
                    });
                } else {
                    Load(Found(left), 0, true, own);
                    limbs.Save();
                }
            }
        }
    }
};

}  // namespace

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_CONVOLUTION_CUH_
