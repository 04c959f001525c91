// block_digits.cuh: what a block makes of an operand's limbs (block_product.cu): digits, and points
// of its pieces in the registers of their warps. Includes block_shape.cuh and primitives/.
#ifndef BIGINT_BLOCK_DIGITS_CUH_
#define BIGINT_BLOCK_DIGITS_CUH_

#include "bigint/block_shape.cuh"
#include "primitives/instructions.cuh"
#include "primitives/warp.cuh"

template <unsigned kLgPieces>
struct BlockDigits : BlockShape<kLgPieces> {
    using Shape = BlockShape<kLgPieces>;
    using Piece = typename Shape::Piece;
    using Item = typename Shape::Item;
    using Shape::kPieces, Shape::kItems, Shape::kWarps, Shape::kPiecePoints, Shape::kSegmentLimbs,
        Shape::kLimbs, Shape::kHalf, Shape::kDigits, Shape::kWidth;

    Item (&tile)[kPieces][kPiecePoints];

    // Digits are balanced, but an operand's top one, above which nothing takes a 1; biased ones are
    // not negative.
    static constexpr uint32_t kBias = 1u << (kWidth - 1);
    struct alignas(16) Biased {
        uint32_t digit[kDigits];
    };
    DEVICE static double Value(uint32_t biased) {
        return FromBits<double>(UINT64_C(0x433) << 52 | biased) - (0x1p52 + kBias);
    }

    // Digits of a limb; the carry into them becomes theirs.
    DEVICE static Biased Digits(uint64_t limb, bool top, uint32_t *carry) {
        Biased biased;
#pragma unroll
        for (unsigned k = 0; k < kDigits; k++) {
            const uint32_t field = (uint32_t)(limb >> (kWidth * k)) & 0xFFFF;
            biased.digit[k] = (field ^ kBias) + *carry;
            *carry = field >> (kWidth - 1);
        }
        biased.digit[kDigits - 1] += top ? *carry << kWidth : 0;
        *carry = top ? 0 : *carry;
        return biased;
    }

    // Points: x becomes the calling warp's piece of an operand's points, those of the lower half of
    // its digits as reals, and those of the upper half times -i. Tiles must be free, and are again.
    DEVICE void Points(const uint64_t *words, unsigned n, Piece &x) const {
        if constexpr (kPieces > 2) {
            Split<false>(words, n);
            if (n > kHalf) {
                Split<true>(words, n);
            }
            Shape::Meet();
            x.template Take<0>();
        } else {
            Stage(words, n, 0);
            Shape::Meet();
            Gather<false>(x);
            Shape::Meet();
            if (n > kHalf) {
                Stage(words, n, kHalf);
                Shape::Meet();
                Gather<true>(x);
                Shape::Meet();
            }
        }
    }

   private:
    // Many pieces: a thread takes the digits of its limbs through the node across pieces.

    // Split: the points of one half, of all pieces, to their tiles. Each thread has the same points
    // of both halves.
    template <bool kUpper>
    DEVICE void Split(const uint64_t *words, unsigned n) const {
        const unsigned mine = kLimbs * Again(threadIdx.x), from = mine + (kUpper ? kHalf : 0);
        const unsigned first = Piece::Place(kDigits * mine);
        uint32_t carry[kPieces];
#pragma unroll
        for (unsigned b = 0; b < kPieces; b++) {
            const unsigned i = from + b * kSegmentLimbs;
            carry[b] = i > 0 && i < n ? (uint32_t)(words[i - 1] >> 63) : 0;
        }
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            Biased biased[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const unsigned i = from + b * kSegmentLimbs + o;
                biased[b] = Digits(i < n ? words[i] : 0, i + 1 == n, &carry[b]);
            }
#pragma unroll
            for (unsigned k = 0; k < kDigits; k++) {
                Item z[kPieces];
#pragma unroll
                for (unsigned b = 0; b < kPieces; b++) {
                    z[b] = {Value(biased[b].digit[k]), 0};
                }
                ComplexForward<kLgPieces, true>(z, Shape::Across());
#pragma unroll
                for (unsigned s = 0; s < kPieces; s++) {
                    Item &p = tile[s][first ^ Piece::Place(kDigits * o + k)];
                    p = kUpper ? Item{p.re + z[s].im, p.im - z[s].re} : z[s];
                }
            }
        }
    }

    // One piece or two: a warp makes its points of all digits, which the warps cut for one another.
    static constexpr unsigned kMine = kSegmentLimbs / kWarps;  // limbs of a segment, of a warp

    // Stage: the digits of the warp's share of kHalf limbs from `from` on, to its tile.
    DEVICE void Stage(const uint64_t *words, unsigned n, unsigned from) const {
        constexpr unsigned kEach = kMine / kWarp, kAll = kPieces * kEach;  // of a lane
        const unsigned s = threadIdx.x / kWarp, first = from + s * kMine + Again(Lane());
        const uint64_t *const mine = words + first;
        const int room = (int)(n - first);
        uint64_t limb[kAll];
        uint32_t carry[kAll];
#pragma unroll
        for (unsigned o = 0; o < kAll; o++) {
            const int i = (int)(o / kEach * kSegmentLimbs + o % kEach * kWarp);
            limb[o] = i < room ? mine[i] : 0;
            carry[o] = i < room && (i > 0 || first > 0) ? (uint32_t)(mine[i - 1] >> 63) : 0;
        }
        Biased *const to = (Biased *)tile[s] + Lane();
#pragma unroll
        for (unsigned o = 0; o < kAll; o++) {
            const int i = (int)(o / kEach * kSegmentLimbs + o % kEach * kWarp);
            to[o * kWarp] = Digits(limb[o], i + 1 == room, &carry[o]);
        }
    }

    // Gather: the piece's points from the digits of one half. Of two pieces, the roots are w and
    // -w.
    template <bool kUpper>
    DEVICE void Gather(Piece &x) const {
        constexpr unsigned kEach = kItems / kWarps;  // registers whose digits one warp has cut
        const Item v = Shape::Across().power[0];
        const Item w = threadIdx.x / kWarp == 0 ? v : Item{-v.re, -v.im};
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const uint32_t *const from =
                (const uint32_t *)tile[r / kEach] + r % kEach * kWarp + Lane();
            Item z = {Value(from[0]), 0};
            if constexpr (kPieces == 2) {
                const double d = Value(from[kDigits * kMine]);
                z = {Fma(w.re, d, z.re), w.im * d};
            }
            x.v[r] = kUpper ? Item{x.v[r].re + z.im, x.v[r].im - z.re} : z;
        }
    }
};

#endif  // BIGINT_BLOCK_DIGITS_CUH_
