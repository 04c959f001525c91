// block_shape.cuh: a block's share of a product (block_convolution.cuh): rings, pieces, warps,
// segments of coefficients. Includes fft/device/complex/piece.cuh.
//
// A product of n points, modulo x^n + i, is one ring or, too long for a block's shared memory, two
// rings of half the length, modulo x^(n/2) -+ w, w = exp(-2 pi i / 8), one after the other. A ring
// has kPieces pieces, the whole product kParts.
// A cyclic product, modulo x^n - 1, has points a + i b of digits of both factors, in one ring or in
// two, modulo x^(n/2) -+ 1. The imaginary part of their square is twice the product.
// Coefficients form segments, j + b 2^kPieceLg of the lower half and of the upper half for each b;
// a cyclic product has no upper half. A thread has the same number of adjacent limbs in each.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_SHAPE_CUH_
#define BIGINT_DEVICE_KERNELS_BLOCK_SHAPE_CUH_

#include "fft/device/complex/piece.cuh"

// BlockShape: a product of up to 2 kPoints digits, or of kPoints around the modulus if kCyclic, by
// one block, a warp for each piece of a ring.
template <unsigned kLgPieces, unsigned kRings = 1, bool kCyclic = false>
struct BlockShape {
    static constexpr unsigned kWidth = 16, kDigits = 64 / kWidth;  // of digits; of a limb
    static constexpr unsigned kNodeLg = 5, kNodes = 0x55, kPieceLg = 2 * kNodeLg;
    static constexpr unsigned kRunLg = kNodeLg - kLgPieces;  // of a thread's coefficients
    using Piece = ComplexPiece<kNodeLg, kRunLg>;
    using Item = typename Piece::Item;
    static constexpr unsigned kPieces = 1u << kLgPieces, kItems = Piece::kItems;
    static constexpr unsigned kParts = kRings * kPieces;
    static constexpr unsigned kWarps = kPieces, kThreads = kWarps * kWarp;
    static constexpr unsigned kPiecePoints = 1u << kPieceLg, kPoints = kParts << kPieceLg;
    static constexpr unsigned kSegments = (kCyclic ? 1 : 2) * kParts;
    static constexpr unsigned kSegmentLimbs = kPiecePoints / kDigits;
    static constexpr unsigned kLimbs = kSegmentLimbs / kThreads;  // of a thread, of each segment
    static constexpr unsigned kStretches = kSegments * kWarps;    // of limbs: a warp's of a segment
    static constexpr unsigned kHalf = kPoints / kDigits;          // limbs of the lower half
    static constexpr bool kGiven = kRings > 1 || kCyclic;         // the roots across pieces are

    static constexpr double kHalfRoot = 0.70710678118654752440;  // sqrt(1/2)

    // AcrossOf: exp(-2 pi i / 2^(2 + lg)), lg <= 3, the root of a node of 2^lg points whose angle
    // is right. Across: the roots of the node across pieces.
    template <unsigned lg>
    DEVICE static Item AcrossOf() {
        constexpr double kCos[] = {0, kHalfRoot, 0.92387953251128675613, 0.98078528040323044913};
        constexpr double kSin[] = {1, kHalfRoot, 0.38268343236508977173, 0.19509032201612826785};
        return {kCos[lg], -kSin[lg]};
    }
    DEVICE static ComplexPowers<kLgPieces == 0 ? 1 : kLgPieces> Across() {
        return {AcrossOf<kLgPieces>(), AcrossOf<1>()};
    }

    // RingRoots: all roots of the node across a ring's pieces, where they are given: Even(l, pair)
    // at l + pair. RingRoot: number i of them. Ring k is modulo x^n - exp(-2 pi i Turn(k) / 8).
    DEVICE static constexpr unsigned Turn(unsigned ring) { return (kCyclic ? 0 : 1) + 4 * ring; }
    struct RingRoots {
        const Item *root;
        DEVICE Item Even(unsigned l, unsigned pair) const { return root[l + pair]; }
    };
    static constexpr unsigned kRingRoots = 4;
    DEVICE static Item RingRoot(unsigned ring, unsigned i) {
        const unsigned v = Turn(ring);
        return ComplexRoot(i == 0 ? 4 * v : i == 1 ? 2 * v : i == 2 ? v : v + 8, 6);
    }
    static_assert(!kGiven || (kRings <= 2 && kLgPieces == 3), "rings have these roots");

    // PieceAngle: piece s of a ring is modulo x^m - exp(-2 pi i angle / 2^kPieceTurn).
    static constexpr unsigned kPieceTurn = kGiven ? 6 : 2 + kLgPieces;
    DEVICE static unsigned PieceAngle(unsigned ring, unsigned s) {
        return kGiven ? Turn(ring) + 8 * s : 1 + 4 * s;
    }

    static_assert(Piece::BanksDiffer() && 1u << kRunLg == kDigits * kLimbs, "a thread's runs");

    // Meet: a barrier of the block's threads.
    DEVICE static void Meet() {
        if constexpr (kWarps == 1) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
    // MeetAny: the same, and whether any thread passes true.
    DEVICE static bool MeetAny(bool mine) {
        if constexpr (kWarps == 1) {
            return __ballot_sync(kAllLanes, mine) != 0;
        } else {
            return __syncthreads_or(mine) != 0;
        }
    }
};

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_SHAPE_CUH_
