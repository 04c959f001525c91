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

    // Digits of a limb above the word `below`.
    DEVICE static Biased Digits(uint64_t limb, uint32_t below, bool top) {
        Biased biased;
        uint32_t carry = below >> 31;
#pragma unroll
        for (unsigned k = 0; k < kDigits; k++) {
            const uint32_t field = (uint32_t)(limb >> (kWidth * k)) & 0xFFFF;
            biased.digit[k] = (field ^ kBias) + carry;
            carry = field >> (kWidth - 1);
        }
        biased.digit[kDigits - 1] += top ? carry << kWidth : 0;
        return biased;
    }

    // Words: the calling thread's limbs of one half of an operand, and the words below them, or
    // zeros: on their way from memory until they are used. Many pieces: kEach of each segment, side
    // by side; one or two: a warp has neighbours.
    static constexpr bool kMany = kPieces > 2;
    static constexpr unsigned kAll = kHalf / Shape::kThreads, kEach = kAll / kPieces;
    struct Words {
        uint64_t limb[kAll];
        uint32_t below[kAll];
    };
    // The thread's limb o is First() + Step(o) in its half.
    DEVICE static unsigned First() {
        return kMany ? kEach * Again(threadIdx.x)
                     : Again(threadIdx.x) / kWarp * (kSegmentLimbs / kWarps) + Again(Lane());
    }
    DEVICE static constexpr unsigned Step(unsigned o) {
        return o / kEach * kSegmentLimbs + o % kEach * (kMany ? 1 : kWarp);
    }

    // Load begins to read those of a half that begins at limb `from`.
    DEVICE static void Load(const uint64_t *words, unsigned n, unsigned from, Words &own) {
        const unsigned first = from + First();
        const uint64_t *const mine = words + first;
        const int room = (int)(n - first);
#pragma unroll
        for (unsigned o = 0; o < kAll; o++) {
            const int i = (int)Step(o);
            own.limb[o] = i < room ? mine[i] : 0;
            own.below[o] =
                i < room && (i > 0 || first > 0) ? ((const uint32_t *)mine)[2 * i - 1] : 0;
        }
    }

    // Points: x becomes the calling warp's piece of an operand's points, those of the lower half of
    // its digits as reals, and those of the upper half times -i. own: the thread's limbs of the
    // lower half. Tiles must be free, and are again. kLong: there may be digits of the upper half.
    template <bool kLong>
    DEVICE void Points(const uint64_t *words, unsigned n, Words &own, Piece &x) const {
        if constexpr (kMany) {
            Split<false>(own, n);
            if (kLong && n > kHalf) {
                Load(words, n, kHalf, own);
                Split<true>(own, n);
            }
            Shape::Meet();
            x.template Take<0>();
        } else {
            Stage(own, n, 0);
            Shape::Meet();
            Gather<false>(x);
            Shape::Meet();
            if (kLong && n > kHalf) {
                Load(words, n, kHalf, own);
                Stage(own, n, kHalf);
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
    DEVICE void Split(const Words &own, unsigned n) const {
        const unsigned mine = First(), top = n - 1 - mine - (kUpper ? kHalf : 0);
        const unsigned first = Piece::Place(kDigits * mine);
#pragma unroll
        for (unsigned o = 0; o < kEach; o++) {
            Biased biased[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const unsigned i = b * kEach + o;
                biased[b] = Digits(own.limb[i], own.below[i], Step(i) == top);
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
    // Together: digits that make one point, of all pieces.
    struct alignas(4 * Shape::kPieces) Together {
        uint32_t digit[kPieces];
    };
    static constexpr unsigned kBoth = kDigits / Shape::kPieces;  // points of one Biased

    // Stage: the digits of the warp's share of a half that begins at limb `from`, to its tile.
    DEVICE void Stage(const Words &own, unsigned n, unsigned from) const {
        const unsigned top = n - 1 - First() - from;
#pragma unroll
        for (unsigned o = 0; o < kEach; o++) {
            Biased biased[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const unsigned i = b * kEach + o;
                biased[b] = Digits(own.limb[i], own.below[i], Step(i) == top);
            }
            Together *const to = (Together *)tile[Again(threadIdx.x) / kWarp] +
                                 kDigits * (o * kWarp + Again(Lane()));
#pragma unroll
            for (unsigned k = 0; k < kDigits; k += kBoth) {
                Biased all;
#pragma unroll
                for (unsigned i = 0; i < kDigits; i++) {
                    all.digit[i] = biased[i % kPieces].digit[k + i / kPieces];
                }
                *(Biased *)(to + k) = all;
            }
        }
    }

    // Gather: the piece's points from the digits of one half. Of two pieces, the roots are w and
    // -w.
    template <bool kUpper>
    DEVICE void Gather(Piece &x) const {
        constexpr unsigned kCut = kItems / kWarps;  // registers whose digits one warp has cut
        const unsigned lane = Again(Lane());
        const Item v = Shape::Across().power[0];
        const Item w = Again(threadIdx.x) / kWarp == 0 ? v : Item{-v.re, -v.im};
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const Together from = ((const Together *)tile[r / kCut])[r % kCut * kWarp + lane];
            Item z = {Value(from.digit[0]), 0};
            if constexpr (kPieces == 2) {
                const double d = Value(from.digit[1]);
                z = {Fma(w.re, d, z.re), w.im * d};
            }
            x.v[r] = kUpper ? Item{x.v[r].re + z.im, x.v[r].im - z.re} : z;
        }
    }
};

#endif  // BIGINT_BLOCK_DIGITS_CUH_
