// complex_piece.cuh: one piece of a right-angle convolution in doubles by a warp, in registers and
// shared memory, from points to points, and the node that makes pieces: for kernels of any room.
// Includes complex.cuh, root.h, tile.cuh and primitives/instructions.cuh.
//
// A product of polynomials modulo x^(R n) + i is R products modulo x^n - w_s, its pieces, w_s =
// exp(-2 pi i T), T = (1/4 + s) / R. A piece's transform is a tree: a node of radix r takes the
// ring modulo x^(r m) - exp(-2 pi i T) to those modulo x^m - exp(-2 pi i (T + k) / r), k < r. All
// roots of a node are powers of one, exp(-2 pi i T / r), times constants, so tables are short and
// there is no twist. Forward a node is levels of radix 2, each butterfly six fused operations; back
// two levels at a time, four items in 28 operations. The inverse is the transposed flow on items
// whose parts have changed places, which takes the same roots and leaves n times the points.
//
// Errors: docs/proofs/complex_fft.md, section 4.7.
#ifndef FFT_COMPLEX_PIECE_CUH_
#define FFT_COMPLEX_PIECE_CUH_

#include "fft/complex.cuh"
#include "fft/pass_kernels.h"
#include "fft/root.h"
#include "fft/tile.cuh"
#include "primitives/instructions.cuh"

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

// ComplexRoot32: exp(-2 pi i k / 32), k = 1 .. 7 and constant after unrolling.
DEVICE Complex<double> ComplexRoot32(unsigned k) {
    constexpr double kCos[] = {1,
                               0.98078528040323044913,
                               0.92387953251128675613,
                               0.83146961230254523708,
                               0.70710678118654752440,
                               0.55557023301960222474,
                               0.38268343236508977173,
                               0.19509032201612826785,
                               0};
    return {kCos[k], -kCos[8 - k]};
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
        return pair == 0 ? v : v * ComplexRoot32(BitsReversed(pair, l - 1) << (4 - l));
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

// Levels l and l - 1 back at once: what has the roots of both has one product by theirs.
template <unsigned kDigits, unsigned l, class Roots>
DEVICE void ComplexLevelsBack(Complex<double> *x, const Roots &roots) {
    using Item = Complex<double>;
    constexpr unsigned kQuarter = 1u << (kDigits - 1 - l);
#pragma unroll
    for (unsigned m = 0; m < 1u << (l - 1); m++) {
        const Item w = roots.Even(l, m), v = ComplexRootOf(roots, l - 1, m), both = w * v;
#pragma unroll
        for (unsigned i = 0; i < kQuarter; i++) {
            Item *const at = x + 4 * kQuarter * m + i;
            const Item b = at[0] - at[kQuarter], d = at[2 * kQuarter] - at[3 * kQuarter];
            const Item a = at[0] + at[kQuarter], c = at[2 * kQuarter] + at[3 * kQuarter];
            at[kQuarter] = Item{b.re + d.im, b.im - d.re} * w;  // d has the root -i w
            at[3 * kQuarter] = Item{b.re - d.im, b.im + d.re} * both;
            at[0] = a + c;
            at[2 * kQuarter] = (a - c) * v;
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

// ComplexBack: the transposed matrix, its last kLevels levels.
template <unsigned kDigits, unsigned kLevels = kDigits, class Roots>
DEVICE void ComplexBack(Complex<double> *x, const Roots &roots) {
    if constexpr (kLevels == kDigits) {
        ComplexReverse<kDigits>(x);
    }
    if constexpr (kLevels % 2 == 1) {
        ComplexLevel<kDigits, kLevels - 1, true, false>(x, roots);
    } else {
        ComplexLevelsBack<kDigits, kLevels - 1>(x, roots);
    }
    if constexpr (kLevels > 2 - kLevels % 2) {
        ComplexBack<kDigits, kLevels - 2 + kLevels % 2>(x, roots);
    }
}

// ComplexPiece: 2^(2 kDigits) points by a warp in two nodes, point j in register j / 2^kDigits of
// lane j mod 2^kDigits before Forward and after Back. Both nodes run the same instructions, since
// instruction caches are small. Cost: one exchange each way.
template <unsigned kDigits>
struct ComplexPiece : Tile<Complex<double>, 0x11 * kDigits, 2 * kDigits, kRows> {
    using Base = Tile<Complex<double>, 0x11 * kDigits, 2 * kDigits, kRows>;
    using Shape = typename Base::Shape;
    using Item = Complex<double>;
    using Base::kItems, Base::thread, Base::v;
    static_assert(Shape::kX == 0 && Shape::kThreads == kWarp, "one warp");

    // In shared memory, two powers for each node: the first one's, and the last one's for each
    // lane.
    const Item *roots;
    static constexpr unsigned kRoots = 2 + 2 * kWarp;

    // FillRoots writes those of piece s of 2^lg, by a warp. Its meeting must follow.
    DEVICE static void FillRoots(Item *roots, unsigned s, unsigned lg) {
        for (unsigned i = Lane(); i < kRoots / 2; i += kWarp) {
            const unsigned order = 2 + lg + (i == 0 ? 1 : 2) * kDigits;
            const unsigned e = 1 + 4 * s + (i == 0 ? 0 : (i - 1) << (2 + lg));
            roots[2 * i] = ComplexRoot(e, order);
            roots[2 * i + 1] = ComplexRoot((e << kComplexGiven) % (1u << order), order);
        }
    }
    // Given: what ComplexPowers takes.
    struct Given {
        Item v, more;
    };
    DEVICE Given Roots(unsigned node) const {
        const Item *const at = roots + (node > 0 ? 2 + 2 * FirstFrequency() : 0);
        return {at[0], at[1]};
    }
    // The frequency digits that a lane's items have from the first node.
    DEVICE unsigned FirstFrequency() const {
        using Digits = typename Base::template Frequency<typename Base::template ThreadSlots<1>>;
        return MoveBits<Digits>(Again(thread)) % kWarp;
    }

    // Visit calls each(r, place) for all registers in a layout: one base for each bank, the rest of
    // an address is constant.
    template <unsigned kLayout, class Each>
    DEVICE void Visit(Each each) const {
        constexpr unsigned kBanks = 1u << Base::kBankBits;
        using Threads = typename Base::template ThreadSlots<kLayout>;
        const unsigned own = Base::template Address<Threads>(Again(thread));
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            using Registers = typename Base::template RegisterSlots<kLayout>;
            const unsigned at = Base::template Address<Registers>(r);
            each(r, this->tile[(own ^ at % kBanks) + at / kBanks * kBanks]);
        }
    }
    template <unsigned kLayout>
    DEVICE void Put() const {
        Visit<kLayout>([&](unsigned r, Item &place) { place = v[r]; });
    }
    template <unsigned kLayout>
    DEVICE void Take() {
        Visit<kLayout>([&](unsigned r, const Item &place) { v[r] = place; });
    }
    template <unsigned kFrom, unsigned kTo>
    DEVICE void Exchange() {
        Put<kFrom>();
        __syncwarp();
        Take<kTo>();
    }

    // Forward: points to frequencies, in some order; the tile must be free. Back: to points again.
    // The roots of the second node are asked for before the exchange, which would be in their way.
    DEVICE void Forward() {
        Given w = Roots(0);
#pragma unroll 1
        for (unsigned node = 0; node < 2; node++) {
            ComplexForward<kDigits, false>(v, ComplexPowers<kDigits>(w.v, w.more));
            if (node == 0) {
                w = Roots(1);
                Exchange<0, 1>();
            }
        }
    }
    DEVICE void Back() {
        Given w = Roots(1);
#pragma unroll 1
        for (unsigned node = 2; node-- > 0;) {
            ComplexBack<kDigits>(v, ComplexPowers<kDigits>(w.v, w.more));
            if (node > 0) {
                w = Roots(0);
                Exchange<1, 0>();
            }
        }
    }

    // Where point j is in the tile before Take<0> and after Put<0>. Place(i + j) is Place(i) ^
    // Place(j) if i and j have no bit in common.
    struct Points {
        static constexpr BitMap MakeMap() {
            BitMap m;
            for (unsigned i = 0; i < 2 * kDigits; i++) {
                m.to[i] = (int)i;
            }
            return m;
        }
        static constexpr BitMap kMap = MakeMap();
    };
    DEVICE static unsigned Place(unsigned j) { return Base::template Address<Points>(j); }
};

#endif  // FFT_COMPLEX_PIECE_CUH_
