// residues.cuh: arithmetic modulo one prime on doubles, lazily reduced, for kernels; DFTs of 2 to
// 16 residues in registers; the tile of a modular pass. Includes device/complex/tile.cuh,
// cluster.cuh and convolution.h.
//
// A residue is an integer-valued double, any representative of its class, |x| counted in units of
// p < 2^49.7, so that integers up to 9.8 p are exact. Proofs and the table of ranges:
// docs/proofs/modular_device.md. The host's field.h differs in the quotient alone: rounding is an
// instruction of its own pipe here, where adding 1.5 2^52 would be one more of doubles.
#ifndef FFT_DEVICE_MODULAR_RESIDUES_CUH_
#define FFT_DEVICE_MODULAR_RESIDUES_CUH_

#include <cmath>

#include "fft/device/complex/tile.cuh"
#include "fft/device/modular/convolution.h"
#include "primitives/cuda/cluster.cuh"

// a w mod p, |w| <= p / 2: |result| <= (1/2 + 0.136 |a| / p) p for |a| <= 9.8 p. A longer w counts
// as a longer a. Five operations and a rounding.
DEVICE double ModularMul(double a, double w, const fft_modular_field &f) {
    const double h = a * w, q = rint(h * f.inverse), l = fma(a, w, -h);
    return fma(-q, f.p, h) + l;
}

// The same for a constant whose quotient w / p is known: 1/2 + 0.0751 |a| / p, and a shorter way.
DEVICE double ModularMulKnown(double a, double w, double quotient, const fft_modular_field &f) {
    const double h = a * w, q = rint(a * quotient), l = fma(a, w, -h);
    return fma(-q, f.p, h) + l;
}

// a mod p: two operations and a rounding. Within p / 2 + 1 for |a| <= 9.8 p, within p / 2 + 2^12
// for a multiple of 2^32 up to 2^64.
DEVICE double ModularReduce(double a, const fft_modular_field &f) {
    return fma(-rint(a * f.inverse), f.p, a);
}

// The double with these two words.
DEVICE double DoubleOf(uint32_t high, uint32_t low) {
    const uint64_t word = (uint64_t)high << 32 | low;
    double x;
    memcpy(&x, &word, sizeof x);
    return x;
}

// A word modulo p, within p / 2 + 2^32 + 2^12: its halves stand in the digits of 2^84 + high 2^32
// and of 2^52 + low, which takes no conversion: those share the pipe of roundings. Five operations
// and a rounding.
DEVICE double ModularResidue(uint64_t word, const fft_modular_field &f) {
    const double high = DoubleOf(0x45300000, (uint32_t)(word >> 32)) - 0x1p84;
    const double low = DoubleOf(0x43300000, (uint32_t)word) - 0x1p52;
    return ModularReduce(high, f) + low;
}

// The same for a word in two's complement if is_signed, and 1 more if the highest bit of the word
// below is set: what is taken off, 2^52 or 2^52 - 1, is made of that bit by integers.
DEVICE double ModularBalanced(uint64_t word, bool is_signed, uint64_t below,
                              const fft_modular_field &f) {
    const uint32_t flip = is_signed ? 0x80000000 : 0;
    const uint32_t carries = (uint32_t)((int32_t)(below >> 32) >> 31);  // 0 or -1
    const double high = DoubleOf(0x45300000, (uint32_t)(word >> 32) ^ flip) -
                        (is_signed ? 0x1p84 + 0x1p63 : 0x1p84);
    const double low =
        DoubleOf(0x43300000, (uint32_t)word) - DoubleOf(0x43300000 + carries, 2 * carries);
    return ModularReduce(high, f) + low;
}

HOST_DEVICE constexpr unsigned ReversedBits(unsigned i, unsigned digits) {
    return ((i & 1) << 3 | (i & 2) << 1 | (i & 4) >> 1 | (i & 8) >> 3) >> (4 - digits);
}

// Dft: x[k] becomes the sum of x[j] w^(j k), w the root of order 2^kDigits: natural order in and
// out. |x| <= 1.33 p in, <= 7.11 p out: two levels double at most, the others add a product each,
// within 0.91 p, or what was reduced.
template <unsigned kDigits>
DEVICE void Dft(double *x, const fft_modular_prime &f) {
    static_assert(kDigits >= 1 && kDigits <= 4, "no larger node");
    constexpr unsigned kN = 1u << kDigits;
#pragma unroll
    for (unsigned level = 0; level < kDigits; level++) {
        const unsigned half = 1u << level;
#pragma unroll
        for (unsigned i = 0; i < kN / 2; i++) {
            const unsigned j = i % half, at = i / half * 2 * half + j;
            double &a = x[ReversedBits(at, kDigits)], &b = x[ReversedBits(at + half, kDigits)];
            double v = b;
            if (j > 0) {
                const unsigned k = (j << (3 - level)) - 1;
                v = ModularMulKnown(b, f.root[k], f.quotient[k], f.field);
            } else if (level >= 2) {
                v = ModularReduce(b, f.field);
            }
            const double u = a;
            a = u + v;
            b = u - v;
        }
    }
    double y[kN];
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        y[k] = x[ReversedBits(k, kDigits)];
    }
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        x[k] = y[k];
    }
}

// ModularTile: a tile whose items are residues. Forward runs its nodes from the first layout to the
// last: from points to frequencies. Back runs the transposed flow: the DFT's matrix is symmetric,
// so it takes frequencies to points by the same roots, and gives what a transform of the
// frequencies as points would: the inverse, times the length, at negated indices. So inverses need
// no tables of their own.
//
// One barrier an exchange is enough: where a thread reads is where it writes next, in either
// direction; the warp's own where all that the exchange moves stays in it. Several tiles of one
// shape and prime may go forward together, so that they share barriers and each has work while the
// other waits.
//
// A tile may be spread over the blocks of a cluster (pass_shape.cuh), `thread` counting the threads
// of all of them. It goes forward or back once.
//
// kTwisted: the first node's roots have a factor for each thread in them, so that item 0 is
// multiplied too. kTurned: a node whose roots are each line's own: of the first node [k][t][line],
// as its threads are numbered, of a later one [k][line][t]. kStaged: they are in shared memory.
template <unsigned kNodes, unsigned kS, unsigned kMode, bool kTwisted = false,
          unsigned kTurned = kMaxNodes, bool kStaged = false>
struct ModularTile : Tile<double, kNodes, kS, kMode> {
    using Base = Tile<double, kNodes, kS, kMode>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::thread, Base::tile, Base::v;
    template <unsigned kLayout>
    using ThreadSlots = typename Base::template ThreadSlots<kLayout>;
    template <unsigned kLayout>
    using RegisterSlots = typename Base::template RegisterSlots<kLayout>;
    static constexpr unsigned kLast = Shape::kNodesN - 1;
    static_assert(Shape::kLayouts == Shape::kNodesN, "nodes and nothing else");

    const fft_modular_prime &prime;
    const double *node_roots[kMaxNodes - 1];  // of this prime: rows or columns of ModularPlaces
    unsigned barrier;                         // number of the tile's own, 0 for the block's
    ClusterMail *mail = nullptr;              // of spread tiles that go forward

    // The exchange between a layout and the next one.
    template <unsigned kLayout>
    struct Exchange {
        static constexpr bool kInWarp = Shape::StaysInWarp(kLayout);
    };

    template <unsigned kLayout>
    DEVICE void Meet() const {
        if constexpr (Exchange<kLayout>::kInWarp) {
            __syncwarp();
        } else if (barrier == 0) {
            __syncthreads();
        } else {
            NamedBarrierWait(barrier, Shape::kThreads);
        }
    }

    template <unsigned kLayout>
    DEVICE void Node() {
        constexpr unsigned kDigits = Shape::Digits(kLayout);
#pragma unroll
        for (unsigned i = 0; i < kItems; i += 1u << kDigits) {
            Dft<kDigits>(v + i, prime);
        }
    }

    // Where a node's roots of power 1 are: by the digits that are left after it, and by the line.
    static constexpr BitMap MakeRootPlaces(unsigned node) {
        BitMap m = Shape::MakeLeft(node);
        const unsigned left = Shape::kQ - Shape::Before(node + 1);
        for (unsigned i = 0; node == kTurned && i < Shape::kX + left; i++) {
            m.to[i] = (int)(node == 0 ? i : (i + left) % (Shape::kX + left));
        }
        return m;
    }
    template <class Slots, unsigned kNode>
    struct RootPlace {
        static constexpr BitMap kMap = Slots::kMap.Then(MakeRootPlaces(kNode));
    };

    // Roots are in tables, whose filling lets no kernel begin early; those of pieces, which are
    // twisted, and those that are staged in shared memory.
    template <unsigned kLayout>
    DEVICE static double Root(const double *at) {
        return kTwisted || (kStaged && kLayout == kTurned) ? *at : LoadReadOnly(at);
    }

    // Item k of node kLayout times root k t, t the digits that are left after it.
    template <unsigned kLayout>
    DEVICE void NodeTwiddles() {
        constexpr unsigned kDigits = Shape::Digits(kLayout);
        constexpr unsigned kLeft = Shape::kQ - Shape::Before(kLayout + 1);
        constexpr unsigned kRow = kLeft + (kLayout == kTurned ? Shape::kX : 0);
        using Threads = RootPlace<ThreadSlots<kLayout>, kLayout>;
        using Registers = RootPlace<RegisterSlots<kLayout>, kLayout>;
        const double *roots = node_roots[kLayout] + MoveBits<Threads>(thread);
#pragma unroll
        for (unsigned i = 0; i < kItems; i += 1u << kDigits) {
            const double *at = roots + MoveBits<Registers>(i);
            constexpr bool kAll = kTwisted && kLayout == 0;
            if constexpr (!kAll) {
                v[i] = ModularReduce(v[i], prime.field);
            }
#pragma unroll
            for (unsigned k = kAll ? 0 : 1; k < 1u << kDigits; k++) {
                v[i + k] = ModularMul(v[i + k], Root<kLayout>(at + (k << kRow)), prime.field);
            }
        }
    }

    // --- Spread tiles ----------------------------------------------------------------------------
    // The first exchange, and the last one back, is between the blocks of a cluster: from there on
    // a block has the items whose top digits of the first node's slots are its rank.

    DEVICE unsigned Rank() const { return Shape::kG == 0 ? 0 : thread / Shape::kThreads; }

    // The number in the tile of a thread that has this number in its block.
    DEVICE static unsigned ThreadOf(unsigned of_block) {
        return Shape::kG == 0 ? of_block : of_block + ClusterRank() * Shape::kThreads;
    }

    // Before any tile of the block goes forward: what other blocks will send. None if not spread.
    DEVICE static ClusterMail *OpenMail() {
        if constexpr (Shape::kG == 0) {
            return nullptr;
        } else {
            constexpr unsigned kAll = sizeof(double) << Shape::kLocal;
            SHARED(ClusterMail, mail_of_block);
            ClusterMailOpen(&mail_of_block, Shape::kThreads, kAll - (kAll >> Shape::kG));
            ClusterArriveShared();
            return &mail_of_block;
        }
    }

    // Registers of the first layout that a block has behind that exchange, and register r's place
    // in its shared memory.
    static constexpr unsigned kOfRank = kItems >> Shape::kG;
    DEVICE unsigned Place(unsigned r) const {
        static_assert(Shape::kG == 0 || Shape::Digits(0) == Shape::kP, "registers are one node's");
        const unsigned at = Base::template Address<RegisterSlots<0>>(r);
        return Base::template Own<0>() ^ at % (1u << Shape::kLocal);
    }
    // Forward. A place is written once, and mail tells when all are.
    DEVICE void Scatter() {
        const unsigned rank = Rank();
        ClusterWait();  // for the blocks to be there
#pragma unroll
        for (unsigned to = 0; to < 1u << Shape::kG; to++) {
            if (to == rank) {
#pragma unroll
                for (unsigned r = to * kOfRank; r < (to + 1) * kOfRank; r++) {
                    tile[Place(r)] = v[r];
                }
            } else {
#pragma unroll
                for (unsigned r = to * kOfRank; r < (to + 1) * kOfRank; r++) {
                    ClusterSend(tile, to, Place(r), v[r], mail);
                }
            }
        }
        ClusterMailArrive(mail);
        ClusterMailWait(mail);
    }
    // Back. No block writes to the tile any more, and other blocks may read it until Leave.
    DEVICE void Gather() {
        const unsigned rank = Rank();
        Base::template Put<1>();
        ClusterArriveShared();
        ClusterWait();
#pragma unroll
        for (unsigned of = 0; of < 1u << Shape::kG; of++) {
            const double *const there = of == rank ? tile : ClusterShared(tile, of);
#pragma unroll
            for (unsigned r = of * kOfRank; r < (of + 1) * kOfRank; r++) {
                v[r] = there[Place(r)];
            }
        }
    }
    // By all threads that have gone back, once they have stored what they made of their items: the
    // first node's results need all of them, so that no load from another block is on its way any
    // more, which an arrival alone does not wait for. Then blocks may end.
    DEVICE void Leave() const {
        if constexpr (Shape::kG > 0) {
            ClusterArriveShared();
            ClusterWait();
        }
    }

    template <unsigned kLayout = 0, class... Others>
    DEVICE void Forward(Others &...others) {
        Node<kLayout>();
        (others.template Node<kLayout>(), ...);
        if constexpr (kLayout < kLast) {
            NodeTwiddles<kLayout>();
            (others.template NodeTwiddles<kLayout>(), ...);
            if constexpr (kLayout == 0 && Shape::kG > 0) {
                Scatter();
            } else {
                Base::template Put<kLayout>();
                (others.template Put<kLayout>(), ...);
                Meet<kLayout>();
            }
            Base::template Take<kLayout + 1>();
            (others.template Take<kLayout + 1>(), ...);
            Forward<kLayout + 1>(others...);
        }
    }

    template <unsigned kLayout = kLast>
    DEVICE void Back() {
        Node<kLayout>();
        if constexpr (kLayout > 0) {
            if constexpr (kLayout == 1 && Shape::kG > 0) {
                Gather();
            } else {
                Base::template Put<kLayout>();
                Meet<kLayout - 1>();
                Base::template Take<kLayout - 1>();
            }
            NodeTwiddles<kLayout - 1>();
            Back<kLayout - 1>();
        }
    }
};

#endif  // FFT_DEVICE_MODULAR_RESIDUES_CUH_
