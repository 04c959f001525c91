// complex_piece.cuh: one piece of a right-angle convolution in doubles by a warp, in registers and
// shared memory, from points to points, and the node that makes pieces: for kernels of any room.
// Includes complex.cuh, root.h and tile.cuh.
//
// A product of polynomials modulo x^(R n) + i is R products modulo x^n - w_s, its pieces, w_s =
// exp(-2 pi i T), T = (1/4 + s) / R. A piece's transform is a tree: a node of radix r takes the
// ring modulo x^(r m) - exp(-2 pi i T) to those modulo x^m - exp(-2 pi i (T + k) / r), k < r. All
// roots of a node are powers of one, exp(-2 pi i T / r), times constants, so tables are short and
// there is no twist. A node is levels of radix 2, each butterfly six fused operations forward,
// eight operations back. The inverse is the transposed flow on items whose parts have changed
// places, which takes the same roots and leaves n times the points.
//
// Errors: docs/proofs/complex_fft.md, section 4.7.
#ifndef FFT_COMPLEX_PIECE_CUH_
#define FFT_COMPLEX_PIECE_CUH_

#include "fft/complex.cuh"
#include "fft/pass_kernels.h"
#include "fft/root.h"
#include "fft/tile.cuh"

// ComplexRoot: exp(-2 pi i e / 2^lg), e < 2^lg.
DEVICE Complex<double> ComplexRoot(unsigned e, unsigned lg) {
    const fft_root_f64 w = fft_root(e, lg);
    return {w.re, -w.im};
}

DEVICE Complex<double> ComplexSquare(Complex<double> a) {
    return {Fma(a.re, a.re, -(a.im * a.im)), 2 * a.re * a.im};
}

// BitsReversed: x < 2^bits with its bits in reversed order, bits <= 5.
HOST_DEVICE constexpr unsigned BitsReversed(unsigned x, unsigned bits) {
    return ((x & 1) << 4 | (x & 2) << 2 | (x & 4) | (x & 8) >> 2 | (x & 16) >> 4) >> (5 - bits);
}

// Roots of a node of radix 2^kDigits. Block m of level l, 2^l blocks, has the node's root v to the
// power 2^(kDigits - 1 - l) times exp(-2 pi i m' / 2^(l + 1)), m' being m's bits reversed; so that
// of an odd block is -i times that of the block below.
template <class Roots>
DEVICE Complex<double> ComplexRootOf(const Roots &roots, unsigned l, unsigned m) {
    const Complex<double> w = roots.Even(l, m / 2);
    return m % 2 == 0 ? w : Complex<double>{w.im, -w.re};
}

// ComplexPowers: from v, and where there are more, every third of its powers by squaring: roundings
// add up.
constexpr unsigned kComplexGiven = 3;
template <unsigned kDigits>
struct ComplexPowers {
    Complex<double> power[kDigits];  // v to the powers 2^i

    DEVICE ComplexPowers(Complex<double> v, Complex<double> given) {
        power[0] = v;
#pragma unroll
        for (unsigned i = 1; i < kDigits; i++) {
            power[i] = i == kComplexGiven ? given : ComplexSquare(power[i - 1]);
        }
    }
    DEVICE Complex<double> Even(unsigned l, unsigned pair) const {
        const Complex<double> v = power[kDigits - 1 - l];
        return l < 2 ? v : TimesRoot32(v, BitsReversed(pair, l - 1) << (4 - l));
    }
};

// ComplexTable: from a table, those of level l >= 1 at 2^(l - 1).
struct ComplexTable {
    const Complex<double> *at;

    DEVICE Complex<double> Even(unsigned l, unsigned pair) const {
        return at[l == 0 ? 0 : (1u << (l - 1)) + pair];
    }
    // Fill writes that of the node of radix 2^digits with v = exp(-2 pi i e / 2^order), by a warp.
    DEVICE static void Fill(Complex<double> *at, unsigned digits, unsigned e, unsigned order) {
        for (unsigned i = Lane(); i < 1u << digits >> 1; i += kWarp) {
            const unsigned l = i == 0 ? 0 : kWarp - (unsigned)__clz((int)i);
            const unsigned pair = i == 0 ? 0 : i - (1u << (l - 1));
            const unsigned turn = pair == 0 ? 0 : BitsReversed(pair, l - 1) << (order - l - 1);
            at[i] = ComplexRoot(((e << (digits - 1 - l)) + turn) % (1u << order), order);
        }
    }
};

// One level of a node, the last one first if kBack. kReal: imaginary parts are zero, and not read.
template <unsigned kDigits, unsigned l, bool kBack, bool kReal, class Roots>
DEVICE void ComplexLevel(Complex<double> *x, const Roots &roots) {
    using Item = Complex<double>;
    constexpr unsigned kHalf = 1u << (kDigits - 1 - l);
#pragma unroll
    for (unsigned m = 0; m < 1u << l; m++) {
        const Item w = ComplexRootOf(roots, l, m);
#pragma unroll
        for (unsigned i = 0; i < kHalf; i++) {
            Item &x0 = x[2 * kHalf * m + i], &x1 = x[2 * kHalf * m + kHalf + i];
            const Item a = x0, b = x1;
            if constexpr (kBack) {
                x0 = a + b;
                x1 = (a - b) * w;
            } else if constexpr (kReal) {
                x0 = {Fma(w.re, b.re, a.re), w.im * b.re};
                x1 = {Fma(2.0, a.re, -x0.re), -x0.im};
            } else {
                x0 = {Fma(-w.im, b.im, Fma(w.re, b.re, a.re)),
                      Fma(w.im, b.re, Fma(w.re, b.im, a.im))};
                x1 = {Fma(2.0, a.re, -x0.re), Fma(2.0, a.im, -x0.im)};
            }
        }
    }
}

template <unsigned kDigits>
DEVICE void ComplexReverse(Complex<double> *x) {
#pragma unroll
    for (unsigned m = 0; m < 1u << kDigits; m++) {
        const unsigned k = BitsReversed(m, kDigits);
        if (m < k) {
            const Complex<double> t = x[m];
            x[m] = x[k];
            x[k] = t;
        }
    }
}

// ComplexForward: x[k] becomes the sum of x[j] v^j exp(-2 pi i j k / r), r = 2^kDigits.
template <unsigned kDigits, bool kReal, unsigned l = 0, class Roots>
DEVICE void ComplexForward(Complex<double> *x, const Roots &roots) {
    ComplexLevel<kDigits, l, false, kReal && l == 0>(x, roots);
    if constexpr (l + 1 < kDigits) {
        ComplexForward<kDigits, kReal, l + 1>(x, roots);
    } else {
        ComplexReverse<kDigits>(x);
    }
}

// ComplexBack: the transposed matrix.
template <unsigned kDigits, unsigned l = kDigits - 1, class Roots>
DEVICE void ComplexBack(Complex<double> *x, const Roots &roots) {
    if constexpr (l + 1 == kDigits) {
        ComplexReverse<kDigits>(x);
    }
    ComplexLevel<kDigits, l, true, false>(x, roots);
    if constexpr (l > 0) {
        ComplexBack<kDigits, l - 1>(x, roots);
    }
}

// ComplexPiece: 2^kS points by a warp, in layout 0 before Forward and after Back, in the last one
// between. Cost: as many exchanges as there are nodes but one, each way.
template <unsigned kNodes, unsigned kS>
struct ComplexPiece : Tile<Complex<double>, kNodes, kS, kRows> {
    using Base = Tile<Complex<double>, kNodes, kS, kRows>;
    using Shape = typename Base::Shape;
    using Item = Complex<double>;
    using Base::kItems, Base::thread, Base::v;
    static constexpr unsigned kLast = Shape::kNodesN - 1;
    static_assert(Shape::kX == 0 && Shape::kThreads == kWarp, "one warp");

    // Of the nodes, in shared memory: the first one's table, and two powers for each other one; of
    // nodes of number i from RootsBefore(i) on.
    const Item *roots;

    HOST_DEVICE static constexpr unsigned RootsBefore(unsigned node) {
        unsigned n = node == 0 ? 0 : 1u << (Shape::Digits(0) - 1);
        for (unsigned i = 1; i < node; i++) {
            n += 2u << Shape::Before(i);
        }
        return n;
    }
    static constexpr unsigned kRoots = RootsBefore(Shape::kNodesN);

    // FillRoots writes those of piece s of 2^lg, by a warp. Its meeting must follow.
    DEVICE static void FillRoots(Item *roots, unsigned s, unsigned lg) {
        ComplexTable::Fill(roots, Shape::Digits(0), 1 + 4 * s, 2 + lg + Shape::Before(1));
        for (unsigned i = 1; i < Shape::kNodesN; i++) {
            const unsigned order = 2 + lg + Shape::Before(i + 1);
            for (unsigned q = Lane(); q < 1u << Shape::Before(i); q += kWarp) {
                const unsigned e = 1 + 4 * s + (q << (2 + lg));
                Item *const at = roots + RootsBefore(i) + 2 * q;
                at[0] = ComplexRoot(e, order);
                at[1] = ComplexRoot((e << kComplexGiven) % (1u << order), order);
            }
        }
    }

    // The frequency digits that a thread's items have from the nodes before this one.
    template <unsigned kNode>
    DEVICE unsigned NodeOf(unsigned registers) const {
        using Threads =
            typename Base::template Frequency<typename Base::template ThreadSlots<kNode>>;
        using Registers =
            typename Base::template Frequency<typename Base::template RegisterSlots<kNode>>;
        return (MoveBits<Threads>(thread) ^ MoveBits<Registers>(registers)) %
               (1u << Shape::Before(kNode));
    }

    template <unsigned kNode, bool kBack, class Roots>
    DEVICE static void OneNode(Item *x, const Roots &of) {
        if constexpr (kBack) {
            ComplexBack<Shape::Digits(kNode)>(x, of);
        } else {
            ComplexForward<Shape::Digits(kNode), false>(x, of);
        }
    }
    template <unsigned kNode, bool kBack>
    DEVICE void Node() {
        constexpr unsigned kDigits = Shape::Digits(kNode);
#pragma unroll
        for (unsigned i = 0; i < kItems; i += 1u << kDigits) {
            const Item *const at = roots + RootsBefore(kNode);
            if constexpr (kNode == 0) {
                OneNode<kNode, kBack>(v + i, ComplexTable{at});
            } else {
                const unsigned q = NodeOf<kNode>(i);
                OneNode<kNode, kBack>(v + i, ComplexPowers<kDigits>(at[2 * q], at[2 * q + 1]));
            }
        }
    }

    // Forward: points to frequencies, in some order; the tile must be free. Back: to points again.
    template <unsigned kNode = 0>
    DEVICE void Forward() {
        Node<kNode, false>();
        if constexpr (kNode < kLast) {
            Base::template Put<kNode>();
            __syncwarp();
            Base::template Take<kNode + 1>();
            Forward<kNode + 1>();
        }
    }
    template <unsigned kNode = kLast>
    DEVICE void Back() {
        Node<kNode, true>();
        if constexpr (kNode > 0) {
            Base::template Put<kNode>();
            __syncwarp();
            Base::template Take<kNode - 1>();
            Back<kNode - 1>();
        }
    }

    // Where point j is in the tile before Take<0> and after Put<0>.
    struct Points {
        static constexpr BitMap MakeMap() {
            BitMap m;
            for (unsigned i = 0; i < kS; i++) {
                m.to[i] = (int)i;
            }
            return m;
        }
        static constexpr BitMap kMap = MakeMap();
    };
    DEVICE static unsigned Place(unsigned j) { return Base::template Address<Points>(j); }
};

#endif  // FFT_COMPLEX_PIECE_CUH_
