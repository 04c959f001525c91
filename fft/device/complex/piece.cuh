// piece.cuh: one piece of a right-angle convolution in doubles by a warp, in registers and
// shared memory, from points to points, and the node that makes pieces: for kernels of any room.
// Includes complex.cuh, root.h and primitives/cuda/instructions.cuh.
//
// A product of polynomials modulo x^(R n) + i is R products modulo x^n - w_s, its pieces, w_s =
// exp(-2 pi i T), T = (1/4 + s) / R. A piece's transform is a tree: a node of radix r takes the
// ring modulo x^(r m) - exp(-2 pi i T) to those modulo x^m - exp(-2 pi i (T + k) / r), k < r. All
// roots of a node are powers of one, exp(-2 pi i T / r), times constants, so tables are short and
// there is no twist. Modulo x^(R n) - 1 it is the same with T = s / R. Forward a node is levels of
// radix 2, each butterfly six fused operations; back two levels at a time, four items in 28
// operations. The inverse is the transposed flow on items whose parts have changed places, which
// takes the same roots. The last level is left out both ways, which leaves n / 2 times the points:
// for what its operations cost, products of residues of two terms cost less, 20 operations in place
// of 8 for two points.
//
// Errors: docs/proofs/complex_fft.md, section 4.7.
#ifndef FFT_DEVICE_COMPLEX_PIECE_CUH_
#define FFT_DEVICE_COMPLEX_PIECE_CUH_

#include "fft/complex/root.h"
#include "fft/device/complex/complex.cuh"
#include "primitives/cuda/instructions.cuh"

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

// ComplexEvenRoot: the root of block 2 pair of level l, v being that of block 0; constant l, pair.
DEVICE Complex<double> ComplexEvenRoot(Complex<double> v, unsigned l, unsigned pair) {
    return pair == 0 ? v : v * ComplexRoot32(BitsReversed(pair, l - 1) << (4 - l));
}

// ComplexPowers: of the root v of a node of up to 8 points, whose v^4 is given.
template <unsigned kDigits>
struct ComplexPowers {
    Complex<double> power[3];  // v to the powers 2^i

    DEVICE ComplexPowers(Complex<double> v, Complex<double> given)
        : power{v, ComplexSquare(v), given} {}
    DEVICE Complex<double> Even(unsigned l, unsigned pair) const {
        return ComplexEvenRoot(power[kDigits - 1 - l], l, pair);
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

// ComplexLevels: a node's first kLevels levels. Their roots are those of a node of radix 2^kLevels.
template <unsigned kDigits, unsigned kLevels, bool kReal, unsigned l = 0, class Roots>
DEVICE void ComplexLevels(Complex<double> *x, const Roots &roots) {
    ComplexLevel<kDigits, l, false, kReal && l == 0>(x, roots);
    if constexpr (l + 1 < kLevels) {
        ComplexLevels<kDigits, kLevels, kReal, l + 1>(x, roots);
    }
}

// ComplexForward: x[k] becomes the sum of x[j] v^j exp(-2 pi i j k / r), r = 2^kDigits.
template <unsigned kDigits, bool kReal, class Roots>
DEVICE void ComplexForward(Complex<double> *x, const Roots &roots) {
    ComplexLevels<kDigits, kDigits, kReal>(x, roots);
    ComplexReverse<kDigits>(x);
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

// ComplexPairProduct: (a0 + a1 y) (b0 + b1 y) modulo y^2 - w, in c0, c1, which may be a0, a1. 20
// operations; each part within 6 u and w's error of |a0 b0| + |a1 b1| and |a0 b1| + |a1 b0|.
DEVICE void ComplexPairProduct(Complex<double> a0, Complex<double> a1, Complex<double> b0,
                               Complex<double> b1, Complex<double> w, Complex<double> &c0,
                               Complex<double> &c1) {
    const Complex<double> wrapped = (a1 * b1) * w, p = a1 * b0;
    c0 = {Fma(a0.re, b0.re, Fma(-a0.im, b0.im, wrapped.re)),
          Fma(a0.re, b0.im, Fma(a0.im, b0.re, wrapped.im))};
    c1 = {Fma(a0.re, b1.re, Fma(-a0.im, b1.im, p.re)), Fma(a0.re, b1.im, Fma(a0.im, b1.re, p.im))};
}
// The same of a number with itself, 17 operations.
DEVICE void ComplexPairSquare(Complex<double> &a0, Complex<double> &a1, Complex<double> w) {
    const Complex<double> wrapped = ComplexSquare(a1) * w, twice = a0 + a0;
    a1 = a1 * twice;
    a0 = {Fma(a0.re, a0.re, Fma(-a0.im, a0.im, wrapped.re)), Fma(twice.re, a0.im, wrapped.im)};
}

// ComplexPiece: 2^(2 kDigits) points by a warp in two nodes, point j in register j / 2^kDigits of
// lane j mod 2^kDigits before Forward and after Back. The last level is left out, forward and back:
// products are those of polynomials of two terms. Both nodes run the same instructions for the
// levels that both have, since instruction caches are small. Cost: one exchange each way.
// kRunLg: other threads read and write 2^kRunLg points side by side.
template <unsigned kDigits, unsigned kRunLg>
struct ComplexPiece {
    using Item = Complex<double>;
    static constexpr unsigned kItems = 1u << kDigits, kPairs = kItems / 2, kLevels = kDigits - 1;
    static_assert(kItems == kWarp, "one warp");

    Item *tile;  // in shared memory, of kTile items
    unsigned lane;
    Item v[kItems];

    // In shared memory: u and u^4 of the first node, u being v^2, and the roots of its last level;
    // then u and u^4 of the second node for each lane.
    const Item *roots;
    static constexpr unsigned kLast = kPairs / 2, kFirst = 2 + kLast, kRoots = kFirst + 2 * kWarp;

    // FillRoots: a warp writes the roots of a piece modulo x^n - exp(-2 pi i angle / 2^turn). The
    // caller synchronises before reads.
    DEVICE static void FillRoots(Item *roots, unsigned angle, unsigned turn) {
        for (unsigned i = Lane(); i < kRoots; i += kWarp) {
            const unsigned k = i < kFirst ? 0 : (i - kFirst) / 2;
            const unsigned order = turn + (i < kFirst ? 1 : 2) * kDigits;
            const bool last = i >= 2 && i < kFirst;
            const unsigned of = last ? BitsReversed(i - 2, kDigits - 2) : k;
            const unsigned e = angle + (of << turn), power = last ? 0 : i % 2 == 0 ? 1 : 3;
            roots[i] = ComplexRoot((e << power) % (1u << order), order);
        }
    }
    // Given: u and u^4 of a node. LevelRoots: of its levels but the last.
    struct Given {
        Item u, u4;
    };
    DEVICE Given Roots(unsigned node) const {
        const Item *const at = roots + (node > 0 ? kFirst + 2 * Again(lane) : 0);
        return {at[0], at[1]};
    }
    struct LevelRoots {
        Item power[kLevels];
        DEVICE explicit LevelRoots(Given w)
            : power{w.u, ComplexSquare(w.u), w.u4, ComplexSquare(w.u4)} {}
        DEVICE Item Even(unsigned l, unsigned pair) const {
            return ComplexEvenRoot(power[kLevels - 1 - l], l, pair);
        }
    };
    struct LastRoots {
        const Item *root;
        DEVICE Item Even(unsigned, unsigned pair) const { return root[pair]; }
    };
    DEVICE LastRoots Last() const { return {roots + 2}; }

    // Between both nodes items stand in rows, one for each register of the first, an item of each
    // lane in it; columns are numbered so that lanes meet in no bank, neither of those that read a
    // row nor a column nor 2^kRunLg points side by side: rows are an item longer than columns are
    // many.
    static constexpr unsigned kRow = kWarp + 1, kTile = kItems * kRow;
    HOST_DEVICE static constexpr unsigned Column(unsigned lane) {
        return lane ^ lane / 8 << (kRunLg == 2 ? 0 : 1);
    }
    // Point j is in row j / kWarp; of a run all are, from Column(j % kWarp) on by exclusive or with
    // columns. Eight lanes at a time have 16 bytes each of 128.
    static constexpr bool BanksDiffer() {
        for (unsigned first = 0; first < kWarp; first += 8) {
            unsigned rows = 0, columns = 0, runs = 0;
            for (unsigned i = first; i < first + 8; i++) {
                rows |= 1u << Column(i) % 8;
                columns |= 1u << i * kRow % 8;
                const unsigned j = i << kRunLg;
                runs |= 1u << (j / kWarp * kRow + Column(j % kWarp)) % 8;
            }
            if ((rows & columns & runs) != 0xFF) {
                return false;
            }
        }
        return true;
    }

    DEVICE void PutRows() const {
        Item *const at = tile + Column(Again(lane));
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            at[r * kRow] = v[r];
        }
    }
    DEVICE void TakeRows() {
        const Item *const at = tile + Column(Again(lane));
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = at[r * kRow];
        }
    }
    DEVICE void PutColumns() const {
        Item *const at = tile + kRow * Again(lane);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            at[Column(r)] = v[r];
        }
    }
    DEVICE void TakeColumns() {
        const Item *const at = tile + kRow * Again(lane);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = at[Column(r)];
        }
    }

    // Forward: points to residues of two terms, in some order; free() returns once the tile is
    // free; kBegun: of the first node the first level is done. Back: to points again.
    template <bool kBegun, class Free>
    DEVICE void Forward(Free free) {
        if constexpr (!kBegun) {
            ComplexLevel<kDigits, 0, false, false>(v, LevelRoots(Roots(0)));
        }
#pragma unroll 1
        for (unsigned node = 0; node < 2; node++) {
            ComplexLevels<kDigits, kLevels, false, 1>(v, LevelRoots(Roots(node)));
            if (node == 0) {
                free();
                ComplexLevel<kDigits, kLevels, false, false>(v, Last());
                ComplexReverse<kDigits>(v);
                PutRows();
                __syncwarp();
                TakeColumns();
                ComplexLevel<kDigits, 0, false, false>(v, LevelRoots(Roots(1)));
            }
        }
    }
    DEVICE void Back() {
        Given w = Roots(1);
#pragma unroll 1
        for (unsigned node = 2; node-- > 0;) {
            ComplexBack<kDigits, kLevels>(v, LevelRoots(w));
            if (node > 0) {
                w = Roots(0);
                PutColumns();
                __syncwarp();
                TakeRows();
                ComplexReverse<kDigits>(v);
                ComplexLevel<kDigits, kLevels, true, false>(v, Last());
            }
        }
    }

    // Residues: after Forward, 2 m and 2 m + 1 are the terms of a residue modulo y^2 - Modulus(m).
    struct Residues {
        LevelRoots roots;
        DEVICE Item Modulus(unsigned m) const {
            const Item w = ComplexRootOf(roots, kLevels - 1, m / 2);
            return m % 2 == 0 ? w : Item{-w.re, -w.im};
        }
    };
    DEVICE Residues Moduli() const { return {LevelRoots(Roots(1))}; }
};

#endif  // FFT_DEVICE_COMPLEX_PIECE_CUH_
