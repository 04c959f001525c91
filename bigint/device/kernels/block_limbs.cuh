// block_limbs.cuh: how a block turns points of its pieces into limbs (block_convolution.cuh): the
// inverse node across pieces, rounding, carries. Includes the rooms' device headers.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_LIMBS_CUH_
#define BIGINT_DEVICE_KERNELS_BLOCK_LIMBS_CUH_

#include <cassert>
#include <cmath>
#include <type_traits>

#include "bigint/device/kernels/block_shape.cuh"
#include "bigint/device/kernels/product_rows.h"
#include "carry/limbs.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/warp.cuh"

template <unsigned kLgPieces, unsigned kRings = 1, bool kCyclic = false>
struct BlockLimbs : BlockShape<kLgPieces, kRings, kCyclic> {
    using Shape = BlockShape<kLgPieces, kRings, kCyclic>;
    using Piece = typename Shape::Piece;
    using Item = typename Shape::Item;
    using Shape::kPieces, Shape::kParts, Shape::kSegments, Shape::kSegmentLimbs, Shape::kLimbs,
        Shape::kDigits, Shape::kWidth, Shape::kWarps, Shape::kThreads, Shape::kPoints,
        Shape::kStretches;
    using Limbs = CarryLimbs<1, kLimbs>;

    static constexpr unsigned kSpills = kStretches + (kCyclic ? 0 : 1);
    struct Room {
        uint64_t spill[kSpills];  // into each stretch, and out of the last
        uint32_t state[kStretches];
    };

    // Of points: kPoints / 2 are added up by levels, and packed ones are twice the product.
    static constexpr double kScale = kCyclic ? kPoints : kPoints / 2;

    const Item (&tile)[kPieces][Piece::kTile];
    Room &room;
    double bound;  // how far a coefficient may be from its integer: proved, below 1/2
    // Of two rings: their nodes' roots, and room for the first one's points of all blocks.
    const Item (&roots)[kRings][Shape::kRingRoots];
    std::conditional_t<kCyclic, double, Item> *saved;

    // Rounded: the integer c nearest to x / kScale and a bias, modulo 2^64. |c| <= (2^14 + 3)
    // 2^30, as factors have up to 2^14 balanced digits, top ones counted as four, or 2^12 unsigned
    // ones (fft_bound_refusal). The bias
    // of an odd coefficient is 0x4338 2^48, 0 once multiplied by 2^kWidth; so a pair of an even and
    // an odd one, p + 2^kWidth q, less than 2^61 in absolute value, has the even one's, which is
    // (2^32 - 1) kCarry, between 2^62 and 2^63 - 2^61: the sum is positive. In radix 2^32 such
    // biases telescope: a stretch spills kCarry more than its own and has kCarry less at its
    // bottom, as if kCarry entered the number from below; around a modulus it does.
    static constexpr uint64_t kCarry = 0x43380001;
    static constexpr uint32_t kMore = 0xFFFFFFFF - 0x43380000;
    static constexpr double kOdd = 0x1.8p52, kEven = kOdd + kMore;
    static_assert((UINT64_C(0x4338) << 48) + kMore == 0xFFFFFFFF * kCarry, "biases telescope");
    DEVICE uint64_t Rounded(double x, bool odd) const {
        assert(fabs(x / kScale - rint(x / kScale)) <= bound);
        return ToBits(Fma(x, 1.0 / kScale, odd ? kOdd : kEven));
    }

    // Begin: by all threads, once, before a meeting.
    DEVICE void Begin() const {
        if (!kCyclic && threadIdx.x == 0) {
            room.spill[0] = kCarry;
        }
    }

    // RingPoints: a ring's points at the thread's place c of each piece, by the inverse node.
    template <class Roots>
    DEVICE void RingPoints(unsigned c, Item *y, const Roots &node) const {
        const unsigned first = kDigits * kLimbs * Again(threadIdx.x);
        const unsigned row = first / kWarp * Piece::kRow, column = Piece::Column(first % kWarp);
#pragma unroll
        for (unsigned s = 0; s < kPieces; s++) {
            y[s] = tile[s][row + (column ^ Piece::Column(c))];
        }
        if constexpr (kLgPieces > 0) {
            ComplexBack<kLgPieces>(y, node);
        }
    }

    // Wanted: what limbs take of points: of a cyclic product real parts.
    using Wanted = std::conditional_t<kCyclic, double, Item>;
    DEVICE static Wanted Want(const Item &y) {
        if constexpr (kCyclic) {
            return y.re;
        } else {
            return y;
        }
    }

    // Saved: the thread's saved points, the next one a block's width apart.
    DEVICE Wanted *Saved() const {
        return saved + (size_t)blockIdx.x * (kPieces << Shape::kPieceLg) + Again(threadIdx.x);
    }

    // Save: the first ring's points. It ends with a barrier, after which tiles are free.
    DEVICE void Save() const {
        Wanted *const to = Saved();
#pragma unroll
        for (unsigned c = 0; c < kDigits * kLimbs; c++) {
            Item y[kPieces];
            RingPoints(c, y, typename Shape::RingRoots{roots[0]});
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                to[(c * kPieces + b) * kThreads] = Want(y[b]);
            }
        }
        Shape::Meet();
    }

    // Points: of all parts at the thread's place c.
    DEVICE void Points(unsigned c, Wanted (&y)[kParts]) const {
        if constexpr (!Shape::kGiven) {
            RingPoints(c, y, Shape::Across());
        } else {
            Item z[kPieces];
            RingPoints(c, z, typename Shape::RingRoots{roots[kRings - 1]});
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                y[b] = Want(z[b]);
                if constexpr (kRings > 1) {
                    const Wanted first = Saved()[(c * kPieces + b) * kThreads], second = y[b];
                    y[b] = first + second;
                    y[b + kPieces] = first - second;
                    if constexpr (!kCyclic) {
                        y[b + kPieces] = y[b + kPieces] * Item{Shape::kHalfRoot, -Shape::kHalfRoot};
                    }
                }
            }
        }
    }

    // Join: pairs of coefficients of the thread's limbs, radix 2^32.
    DEVICE void Join(uint64_t (&pair)[kSegments][2 * kLimbs]) const {
#pragma unroll
        for (unsigned c = 0; c < kDigits * kLimbs; c++) {
            Wanted y[kParts];
            Points(c, y);
#pragma unroll
            for (unsigned b = 0; b < kParts; b++) {
                uint64_t &p = pair[b][c / 2];
                if constexpr (kCyclic) {
                    const uint64_t low = Rounded(y[b], c % 2);
                    p = c % 2 == 0 ? low : p + (low << kWidth);
                } else {  // the parts of points have changed places
                    const uint64_t low = Rounded(y[b].im, c % 2), high = Rounded(-y[b].re, c % 2);
                    uint64_t &q = pair[kParts + b][c / 2];
                    p = c % 2 == 0 ? low : p + (low << kWidth);
                    q = c % 2 == 0 ? high : q + (high << kWidth);
                }
            }
        }
    }

    // AddPairs: limbs and spill of the sum of pairs in radix 2^32, each below 2^63.
    DEVICE static void AddPairs(const uint64_t (&pair)[2 * kLimbs], Limbs &limbs) {
        uint64_t even[kLimbs + 1] = {}, odd[kLimbs + 1] = {};
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            even[o] = pair[2 * o];
            odd[o] |= pair[2 * o + 1] << 32;
            odd[o + 1] = pair[2 * o + 1] >> 32;
        }
        AddWords<kLimbs + 1>(even, odd, 0);
#pragma unroll
        for (unsigned o = 0; o < kLimbs; o++) {
            limbs.limb[o] = even[o];
        }
        limbs.spill[0] = even[kLimbs];
    }

    // The carries into stretch `first` and those behind it, if `carry` enters it: a bit each, and
    // above them the one that leaves the last.
    DEVICE uint64_t CarriesFrom(unsigned first, unsigned carry) const {
        const unsigned i = first + Lane();
        const carry_state state = i < kStretches ? (carry_state)room.state[i] : CARRY_PROPAGATE;
        uint32_t generate, propagate;
        CarryRipple<1>::Ballot(state, &generate, &propagate);
        return CarriesInto(generate, propagate, carry);
    }

    // The carries into the calling warp's stretches: bit s for segment s. What leaves a cyclic
    // product enters it again, and does not leave it twice.
    DEVICE unsigned Carries() const {
        unsigned carry = 0, mine = 0;
        for (unsigned first = 0; kCyclic && first < kStretches; first += kWarp) {
            carry = (unsigned)(CarriesFrom(first, carry) >> kWarp) & 1;
        }
#pragma unroll
        for (unsigned first = 0; first < kStretches; first += kWarp) {
            const uint64_t into = CarriesFrom(first, carry);
            carry = (unsigned)(into >> kWarp) & 1;
#pragma unroll
            for (unsigned s = 0; s < kSegments; s++) {
                const unsigned at = s * kWarps + threadIdx.x / kWarp - first;
                mine |= at < kWarp ? ((unsigned)(into >> at) & 1) << s : 0;
            }
        }
        return mine;
    }

    // Ripple: carries, by all threads, for the few products whose limbs generate any; of a cyclic
    // product that is the modulus, zero. It contains a barrier, or two.
    DEVICE void Ripple(const carry_state (&state)[kSegments], Limbs (&limbs)[kSegments]) const {
        const unsigned warp = Again(threadIdx.x) / kWarp;
        uint32_t generate[kSegments], propagate[kSegments];
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            CarryRipple<1>::Ballot(state[s], &generate[s], &propagate[s]);
            if (Lane() == 0) {
                room.state[s * kWarps + warp] = StateOf(generate[s], propagate[s]);
            }
        }
        Shape::Meet();
        const unsigned carries = Carries();
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            const uint64_t all = CarriesInto(generate[s], propagate[s], carries >> s & 1);
            limbs[s].AddCarry((unsigned)(all >> Lane()) & 1);
        }
        if (kCyclic && !Shape::MeetAny(!AllOnes(limbs))) {
#pragma unroll
            for (unsigned s = 0; s < kSegments; s++) {
                limbs[s] = {};
            }
        }
    }

    // AllOnes: whether all limbs of the thread are.
    DEVICE static bool AllOnes(const Limbs (&limbs)[kSegments]) {
        uint64_t all = ~UINT64_C(0);
#pragma unroll
        for (unsigned i = 0; i < kSegments * kLimbs; i++) {
            all &= limbs[i / kLimbs].limb[i % kLimbs];
        }
        return all == ~UINT64_C(0);
    }

    // There: limbs of the result from the calling thread's first one on, negative if it ends below.
    DEVICE static int There(const product_item &item) {
        constexpr unsigned kMost = kSegments * kSegmentLimbs;
        return (int)(item.rn < kMost ? item.rn : kMost) - (int)(Again(threadIdx.x) * kLimbs);
    }

    // Write: the thread's limbs as far as the result reaches, by pairs where it can be.
    DEVICE static void Write(const product_item &item, const Limbs (&limbs)[kSegments]) {
        constexpr unsigned kMost = kSegments * kSegmentLimbs;
        const unsigned mine = Again(threadIdx.x) * kLimbs;
        uint64_t *const r = item.r + mine;
        if (kLimbs % 2 == 0 && item.rn >= kMost && (uintptr_t)item.r % sizeof(Word128) == 0) {
#pragma unroll
            for (unsigned i = 0; i < kSegments * kLimbs; i += 2) {
                const unsigned s = i / kLimbs, o = i % kLimbs;
                *(Word128 *)(r + s * kSegmentLimbs + o) = {limbs[s].limb[o],
                                                           limbs[s].limb[(o + 1) % kLimbs]};
            }
            return;
        }
        const int there = There(item);
#pragma unroll
        for (unsigned i = 0; i < kSegments * kLimbs; i++) {
            const unsigned s = i / kLimbs, o = i % kLimbs;
            if ((int)(s * kSegmentLimbs + o) < there) {
                r[s * kSegmentLimbs + o] = limbs[s].limb[o];
            }
        }
    }

    // Store: the product's limbs, from points that all warps have put. It contains two barriers;
    // another one must follow before they put new points. request() asks for the next limbs: at
    // once, or where points of two rings take all registers, when these are joined.
    template <class Request>
    DEVICE void Store(const product_item &item, const Request &request) const {
        uint64_t pair[kSegments][2 * kLimbs];
        constexpr bool kLate = kRings > 1 && !kCyclic;
        if constexpr (!kLate) {
            request();
        }
        Join(pair);
        if constexpr (kLate) {
            request();
        }
        Limbs limbs[kSegments];
        const unsigned warp = Again(threadIdx.x) / kWarp;
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            AddPairs(pair[s], limbs[s]);
            if (Lane() == kWarp - 1) {
                const unsigned above = s * kWarps + warp + 1;
                room.spill[kCyclic ? above % kStretches : above] = limbs[s].spill[0];
            }
        }
        Shape::Meet();
        const int there = There(item);
        carry_state state[kSegments];
        bool generates = false;
#pragma unroll
        for (unsigned s = 0; s < kSegments; s++) {
            uint64_t spill[1] = {ShuffleUp(limbs[s].spill[0], 1)};
            if (Lane() == 0) {
                spill[0] = room.spill[s * kWarps + warp];
            }
            state[s] = limbs[s].AddSpill(spill);
            generates =
                generates || (state[s] == CARRY_GENERATE && (int)(s * kSegmentLimbs) < there);
        }
        // Rare: a limb must be below its spill, so below 2^32. Above the result limbs are zero, and
        // the first of them generates a carry, as biases lie above it, too; this carry is not used.
        if (Shape::MeetAny(generates || (kCyclic && AllOnes(limbs)))) {
            Ripple(state, limbs);
        }
        Write(item, limbs);
        for (uint64_t i = kSegments * kSegmentLimbs + threadIdx.x; i < item.rn; i += kThreads) {
            item.r[i] = 0;
        }
    }
};

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_LIMBS_CUH_
