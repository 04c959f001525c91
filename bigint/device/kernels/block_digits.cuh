// block_digits.cuh: how a block turns an operand's limbs (block_convolution.cuh) into digits, and
// into points of its pieces in the registers of their warps. Includes block_shape.cuh and
// primitives/.
#ifndef BIGINT_DEVICE_KERNELS_BLOCK_DIGITS_CUH_
#define BIGINT_DEVICE_KERNELS_BLOCK_DIGITS_CUH_

#include "bigint/device/kernels/block_shape.cuh"
#include "primitives/cuda/instructions.cuh"
#include "primitives/cuda/warp.cuh"

template <unsigned kLgPieces, unsigned kRings = 1, bool kCyclic = false>
struct BlockDigits : BlockShape<kLgPieces, kRings, kCyclic> {
    using Shape = BlockShape<kLgPieces, kRings, kCyclic>;
    using Piece = typename Shape::Piece;
    using Item = typename Shape::Item;
    using Shape::kPieces, Shape::kParts, Shape::kItems, Shape::kWarps, Shape::kSegmentLimbs,
        Shape::kLimbs, Shape::kHalf, Shape::kDigits, Shape::kWidth, Shape::kGiven;

    Item (&tile)[kPieces][Piece::kTile];

    // Digits are fields of a limb. For products so long that these are not proved exact, digits are
    // balanced: what a limb's top digit gives away, zero or not, the limb above takes. An operand
    // that fills the lower half keeps it in its top digit, so a product of two operands that fill a
    // kernel together does not reach beyond it. Biased digits are not negative.
    static constexpr bool kBalanced = kLgPieces > 2;
    static constexpr uint32_t kBias = kBalanced ? 1u << (kWidth - 1) : 0;
    static constexpr uint64_t kLargest = kBalanced ? kBias : (1u << kWidth) - 1;  // of digits
    static constexpr unsigned kTop = kBalanced ? 3 : 0;  // for how many more the top one counts
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
            biased.digit[k] = kBalanced ? (field ^ kBias) + carry : field;
            carry = field >> (kWidth - 1);
        }
        biased.digit[kDigits - 1] += kBalanced && top ? carry << kWidth : 0;
        return biased;
    }

    // Words: the calling thread's limbs of one half of an operand, or zeros: on their way from
    // memory until they are used; for balanced digits also the words below a warp's limbs of each
    // segment, in its first lane or, to save registers where roots are given, that of segment b in
    // lane b. Many pieces: kEach limbs of each segment, side by side; one or two: a warp has
    // neighbours.
    static constexpr bool kMany = kPieces > 2;
    static constexpr unsigned kAll = kHalf / Shape::kThreads, kEach = kAll / kParts;
    struct Words {
        uint64_t limb[kAll];
        uint32_t edge[kGiven ? 1 : kPieces];
    };
    // The thread's limb o is First() + Step(o) in its half.
    DEVICE static unsigned First() {
        return kMany ? kEach * Again(threadIdx.x)
                     : Again(threadIdx.x) / kWarp * (kSegmentLimbs / kWarps) + Again(Lane());
    }
    DEVICE static constexpr unsigned Step(unsigned o) {
        return o / kEach * kSegmentLimbs + o % kEach * (kMany ? 1 : kWarp);
    }

    // Load begins to read the thread's limbs of a half that begins at limb `from`.
    DEVICE static void Load(const uint64_t *words, unsigned n, unsigned from, Words &own) {
        const unsigned first = from + First();
        const uint64_t *const mine = words + first;
        const int room = (int)(n - first);
#pragma unroll
        for (unsigned o = 0; o < kAll; o++) {
            own.limb[o] = (int)Step(o) < room ? mine[Step(o)] : 0;
        }
        if constexpr (kGiven) {
            const unsigned b = Again(Lane()), edge = first - b + b * kSegmentLimbs;
            own.edge[0] =
                b < kParts && edge > 0 && edge <= n ? ((const uint32_t *)words)[2 * edge - 1] : 0;
        } else {
#pragma unroll
            for (unsigned b = 0; kBalanced && b < kPieces; b++) {
                const int i = (int)(b * kSegmentLimbs);
                own.edge[b] = Lane() == 0 && i <= room && (i > 0 || first > 0)
                                  ? ((const uint32_t *)mine)[2 * i - 1]
                                  : 0;
            }
        }
    }

    // Below: the words below the thread's limbs, one of each segment; zeros where that limb has
    // kept what it had.
    template <bool kUpper>
    DEVICE static void Below(const Words &own, unsigned n, uint32_t (&below)[kAll]) {
        static_assert(kEach == 1, "the limb below is in the lane below");
        const unsigned lane = Again(Lane());
#pragma unroll
        for (unsigned b = 0; b < kParts; b++) {
            const uint32_t word = Broadcast((uint32_t)(own.limb[b] >> 32), (lane - 1) % kWarp);
            const uint32_t edge = kGiven ? Broadcast(own.edge[0], b) : own.edge[b % kPieces];
            below[b] = lane == 0 ? edge : word;
        }
        if constexpr (kUpper) {
#pragma unroll
            for (unsigned o = 0; o < kAll; o++) {
                below[o] = First() + Step(o) == n - kHalf ? 0 : below[o];
            }
        }
    }

    // Keeps: whether limb o of a thread is an operand's last limb, which keeps all its digits.
    template <bool kUpper>
    DEVICE static bool Keeps(unsigned o, unsigned n) {
        return kUpper ? First() + Step(o) == n - 1 - kHalf
                      : o == kAll - 1 && n == kHalf && threadIdx.x == Shape::kThreads - 1;
    }

    // Points: x becomes the calling warp's piece of an operand's points: the lower half of its
    // digits as reals, and the upper half times -i. own: the thread's limbs of the lower half.
    // Tiles must be free, and are free again afterwards. kLong: there may be digits of the upper
    // half. ring: whose points, roots: of its node, where there are two.
    template <bool kLong>
    DEVICE void Points(const uint64_t *words, unsigned n, Words &own, Piece &x, unsigned ring,
                       typename Shape::RingRoots roots) const {
        if constexpr (kRings > 1) {
            if (kLong && n > kHalf) {
                Words upper;
                Load(words, n, kHalf, upper);
                SplitRing<true>(own, upper, n, ring, roots);
            } else {
                SplitRing<false>(own, own, n, ring, roots);
            }
            Shape::Meet();
            x.TakeRows();
        } else if constexpr (kMany) {
            Split<false>(own, n);
            if (kLong && n > kHalf) {
                Load(words, n, kHalf, own);
                Split<true>(own, n);
            }
            Shape::Meet();
            x.TakeRows();
        } else {
            Stage(own);
            Shape::Meet();
            Gather<false>(x);
            if (kLong && n > kHalf) {
                Load(words, n, kHalf, own);
                Shape::Meet();
                Stage(own);
                Shape::Meet();
                Gather<true>(x);
            }
        }
    }

    // CyclicPoints: the same of both factors, a + i b. own: the thread's limbs of a.
    DEVICE void CyclicPoints(unsigned an, const uint64_t *b, unsigned bn, const Words &own,
                             Piece &x, unsigned ring, typename Shape::RingRoots roots) const {
        Words other;
        Load(b, bn, 0, other);
        SplitCyclic(own, an, other, bn, ring, roots);
        Shape::Meet();
        x.TakeRows();
    }

    // Taken: a barrier if warps take points from one another's tiles.
    DEVICE static void Taken() {
        if constexpr (!kMany) {
            Shape::Meet();
        }
    }

   private:
    // Many pieces: a thread takes the digits of its limbs through the node across pieces.

    // Split: the points of one half, of all pieces, to their tiles. Each thread has the same points
    // of both halves.
    template <bool kUpper>
    DEVICE void Split(const Words &own, unsigned n) const {
        const unsigned mine = First();
        const unsigned row = kDigits * mine / kWarp * Piece::kRow;
        const unsigned column = Piece::Column(kDigits * mine % kWarp);
        uint32_t below[kAll] = {};
        if constexpr (kBalanced) {
            Below<kUpper>(own, n, below);
        }
#pragma unroll
        for (unsigned o = 0; o < kEach; o++) {
            Biased biased[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const unsigned i = b * kEach + o;
                biased[b] = Digits(own.limb[i], below[i], Keeps<kUpper>(i, n));
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
                    Item &p = tile[s][row + (column ^ Piece::Column(kDigits * o + k))];
                    p = kUpper ? Item{p.re + z[s].im, p.im - z[s].re} : z[s];
                }
            }
        }
    }

    // Where roots are given, a thread has digits at the same places of all parts.

    // Cut: the digits of the thread's limbs, one of each part.
    template <bool kUpper>
    DEVICE static void Cut(const Words &own, unsigned n, Biased (&cut)[kParts]) {
        uint32_t below[kAll];
        Below<kUpper>(own, n, below);
#pragma unroll
        for (unsigned b = 0; b < kParts; b++) {
            cut[b] = Digits(own.limb[b], below[b], Keeps<kUpper>(b, n));
        }
    }

    // Put: points at place k of the thread's run, of all pieces, to their tiles.
    DEVICE void Put(unsigned k, Item (&z)[kPieces], typename Shape::RingRoots roots) const {
        const unsigned row = kDigits * First() / kWarp * Piece::kRow;
        const unsigned column = Piece::Column(kDigits * First() % kWarp);
        ComplexForward<kLgPieces, false>(z, roots);
#pragma unroll
        for (unsigned s = 0; s < kPieces; s++) {
            tile[s][row + (column ^ Piece::Column(k))] = z[s];
        }
    }

    // SplitRing: the points of all pieces of one of two rings. The first level takes points of both
    // halves at once: d +- w e, w = sqrt(1/2) (1 - i), of digits half of the parts apart.
    template <bool kUpper>
    DEVICE void SplitRing(const Words &own, const Words &upper, unsigned n, unsigned ring,
                          typename Shape::RingRoots roots) const {
        const double w = ring == 0 ? Shape::kHalfRoot : -Shape::kHalfRoot;
        Biased low[kParts], high[kParts];
        Cut<false>(own, n, low);
        if constexpr (kUpper) {
            Cut<true>(upper, n, high);
        }
#pragma unroll
        for (unsigned k = 0; k < kDigits; k++) {
            Item z[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const double d = Value(low[b].digit[k]), e = Value(low[b + kPieces].digit[k]);
                z[b] = {Fma(w, e, d), -w * e};
                if constexpr (kUpper) {
                    const double f = Value(high[b].digit[k]), g = Value(high[b + kPieces].digit[k]);
                    z[b] = {Fma(-w, g, z[b].re), Fma(-w, g, Fma(-w, e, -f))};
                }
            }
            Put(k, z, roots);
        }
    }

    // SplitCyclic: the points of all pieces of a ring of a cyclic product. Of two rings the first
    // level, d +- e, is exact.
    DEVICE void SplitCyclic(const Words &own, unsigned an, const Words &other, unsigned bn,
                            unsigned ring, typename Shape::RingRoots roots) const {
        const double sign = ring == 0 ? 1 : -1;
        Biased a[kParts], b[kParts];
        Cut<false>(own, an, a);
        Cut<false>(other, bn, b);
#pragma unroll
        for (unsigned k = 0; k < kDigits; k++) {
            Item z[kPieces];
#pragma unroll
            for (unsigned s = 0; s < kPieces; s++) {
                z[s] = {Value(a[s].digit[k]), Value(b[s].digit[k])};
                if constexpr (kRings > 1) {
                    z[s].re = Fma(sign, Value(a[s + kPieces].digit[k]), z[s].re);
                    z[s].im = Fma(sign, Value(b[s + kPieces].digit[k]), z[s].im);
                }
            }
            Put(k, z, roots);
        }
    }

    // One piece or two: a warp makes its points of all digits, which the warps cut for one another.
    // Together: digits that make one point, of all pieces. They stand in columns as for runs of
    // kDigits points.
    struct alignas(8 * Shape::kPieces) Together {
        double digit[kPieces];
    };
    using Columns = ComplexPiece<Shape::kNodeLg, 2>;
    static_assert(kDigits == 4 && (kMany || !kBalanced), "points of a limb are a run");

    // Stage: the digits of the warp's share of a half, to its tile.
    DEVICE void Stage(const Words &own) const {
        const unsigned first = kDigits * Again(Lane());
        Together *const to = (Together *)tile[Again(threadIdx.x) / kWarp] + first / kWarp * kWarp;
        const unsigned column = Columns::Column(first % kWarp);
#pragma unroll
        for (unsigned o = 0; o < kEach; o++) {
            Biased biased[kPieces];
#pragma unroll
            for (unsigned b = 0; b < kPieces; b++) {
                const unsigned i = b * kEach + o;
                biased[b] = Digits(own.limb[i], 0, false);
            }
#pragma unroll
            for (unsigned k = 0; k < kDigits; k++) {
                Together all;
#pragma unroll
                for (unsigned b = 0; b < kPieces; b++) {
                    all.digit[b] = Value(biased[b].digit[k]);
                }
                to[o * kDigits * kWarp + (column ^ k)] = all;
            }
        }
    }

    // Gather: the piece's points from the digits of one half, the first level of its node done.
    // Its root v is exp(-2 pi i / 8) of one piece, whose digits are d and e, half a piece apart:
    // d +- v e. Of two, whose roots are 1 and -i times exp(-2 pi i / 16), d +- v e of points d =
    // d0 + v^2 d1, e = e0 + v^2 e1; v^2 = w (1 - i) and v^3 = -Im v - i Re v.
    template <bool kUpper>
    DEVICE void Gather(Piece &x) const {
        constexpr unsigned kCut = kItems / kWarps;  // registers whose digits one warp has cut
        const unsigned column = Columns::Column(Again(Lane()));
        const bool first = Again(threadIdx.x) < kWarp;
        const Item u = Shape::template AcrossOf<kLgPieces + 1>();
        const Item v = first ? u : Item{u.im, -u.re};
        const double w = first ? Shape::kHalfRoot : -Shape::kHalfRoot;
#pragma unroll
        for (unsigned r = 0; r < kItems / 2; r++) {
            const unsigned q = r + kItems / 2;
            const Together d = ((const Together *)tile[r / kCut])[r % kCut * kWarp + column];
            const Together e = ((const Together *)tile[q / kCut])[q % kCut * kWarp + column];
            Item sum = {d.digit[0], 0}, x0 = {Fma(v.re, e.digit[0], sum.re), v.im * e.digit[0]};
            if constexpr (kPieces == 2) {
                const double p = w * d.digit[1];
                sum = {d.digit[0] + p, -p};
                x0 = {Fma(-v.im, e.digit[1], Fma(v.re, e.digit[0], sum.re)),
                      Fma(-v.re, e.digit[1], Fma(v.im, e.digit[0], sum.im))};
            }
            const Item x1 = {Fma(2.0, sum.re, -x0.re), Fma(2.0, sum.im, -x0.im)};
            x.v[r] = kUpper ? Item{x.v[r].re + x0.im, x.v[r].im - x0.re} : x0;
            x.v[q] = kUpper ? Item{x.v[q].re + x1.im, x.v[q].im - x1.re} : x1;
        }
    }
};

#endif  // BIGINT_DEVICE_KERNELS_BLOCK_DIGITS_CUH_
