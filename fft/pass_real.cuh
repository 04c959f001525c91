// pass_real.cuh: the pass that ends a transform of reals, or begins its inverse: from frequencies
// of pairs of reals to those of the reals, and back, on the way from or to memory. Includes
// pass.cuh.
//
// The formulas are half_spectrum.cuh's. In FP64 a pair's relative error in the 2-norm is below 8 u:
// 0.8 u for each of the two roots whose product w^k is, 2 u for that product, and what the formulas
// have. In the middle line w^k has one factor more: less than 13 u.
//
// Items k and m - k form a pair. A pair is wholly in one tile: in one pass a tile has whole
// problems; in several, m = 2^(q + others), index K of line F is item k = K 2^others + F, and its
// partner is index 2^q - 1 - K of line 2^others - F, which LineAt puts into the same tile. Line 0
// is its own mirror, item K with 2^q - K, and so is the middle line, item K with 2^q - 1 - K. These
// two stand at the same place in both halves of a tile: where other lines have 2^q pairs, line 0
// has those of K < 2^(q - 1), and the middle one those of K >= 2^(q - 1).
//
// Items 0 and m / 2 are their own partners. The thread at line 0, K = 0 takes both for one pair:
// Z[0] and Z[m / 2] in the tile; X[0] and X[m], which are real, as one item, and X[m / 2].
#ifndef FFT_PASS_REAL_CUH_
#define FFT_PASS_REAL_CUH_

#include <type_traits>

#include "fft/half_spectrum.cuh"
#include "fft/pass.cuh"

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
struct RealPass : Pass<Real, kNodes, kS, kMode> {
    using Base = Pass<Real, kNodes, kS, kMode>;
    using Shape = typename Base::Shape;
    using Item = typename Base::Item;
    using Base::job, Base::tile, Base::v;
    static constexpr bool kIn = (kMode & kRealIn) != 0;
    static constexpr bool kColumns = (kMode & (kColumnsIn | kColumnsOut)) != 0;
    static constexpr unsigned kLayout = kIn ? 0 : Shape::kLayouts - 1;
    static constexpr unsigned kQ = Shape::kQ, kX = Shape::kX, kPairs = Shape::kItems / 2;
    using Threads = typename Base::template ThreadSlots<kLayout>;
    using Registers = typename Base::template RegisterSlots<kLayout>;
    using Memory = std::conditional_t<kIn, const Item, Item>;
    template <class Slots>
    using Line = typename Base::template Line<Slots>;

    // From slots to digits of the index K, of the point or the frequency; and back.
    static constexpr BitMap kIndex = kIn ? Shape::MakePoint() : Shape::MakeFrequency();
    template <class Slots>
    struct Index {
        static constexpr BitMap kMap = Slots::kMap.Then(kIndex);
    };
    struct IndexSlots {
        static constexpr BitMap kMap = kIndex.Inverse();
    };
    struct LineSlots {
        static constexpr BitMap kMap = Shape::MakeLine();
    };

    // A thread's lowest digits of K: its number has them in their order, registers have the rest.
    static constexpr unsigned ThreadDigits() {
        unsigned n = 0;
        for (unsigned i = 0; i < Shape::kThreadBits; i++) {
            n += Index<Threads>::kMap.to[i] >= 0 ? 1 : 0;
        }
        return n;
    }
    static constexpr unsigned kThreadMask = (1u << ThreadDigits()) - 1;
    static constexpr unsigned kMask = (1u << kQ) - 1, kHalf = (kMask + 1) / 2;
    static_assert(kQ - ThreadDigits() <= 4, "the register's part of a root is one of order 32");
    static_assert(!kColumns || (kX > 0 && Shape::kP > 1 && kQ - ThreadDigits() == Shape::kP - 1),
                  "registers tell lines of two halves apart, and halves of an index");

    DEVICE static unsigned At(unsigned line, unsigned index) {
        return Base::template Address<LineSlots>(line) ^ Base::template Address<IndexSlots>(index);
    }
    // A pair's index, and its line, by rows: the register's part.
    DEVICE static unsigned IndexOf(unsigned pair) { return MoveBits<Index<Registers>>(2 * pair); }
    DEVICE static unsigned LineOf(unsigned pair) { return MoveBits<Line<Registers>>(2 * pair); }
    // The first pair that belongs to the middle line if the thread has line 0.
    DEVICE static bool AtMiddle(unsigned pair) { return kColumns && IndexOf(pair) == kHalf; }

    // The thread's part: line of the tile, K, whether the line is 0, and whether K is besides.
    DEVICE static unsigned OwnLine() { return MoveBits<Line<Threads>>(threadIdx.x); }
    DEVICE static unsigned OwnIndex() { return MoveBits<Index<Threads>>(threadIdx.x); }
    DEVICE bool IsZero() const { return !kColumns || InProblem(Base::LineAt(OwnLine(), 0)) == 0; }
    DEVICE bool IsAlone() const { return IsZero() && OwnIndex() == 0; }

    // The other passes' digits, the line's number in its problem and the problem.
    DEVICE unsigned Others() const { return job.n - kQ; }
    DEVICE uint64_t InProblem(uint64_t line) const {
        return line & (((uint64_t)1 << Others()) - 1);
    }
    DEVICE uint64_t OwnItem() const {
        return ((uint64_t)OwnIndex() << Others()) + InProblem(Base::LineAt(OwnLine(), 0));
    }
    DEVICE uint64_t Middle() const { return (uint64_t)1 << (Others() - 1); }
    DEVICE Memory *Spectrum(uint64_t line) const {
        const auto memory = (Memory *)(kIn ? job.in : job.out);
        return memory + (line >> Others()) * (((uint64_t)1 << job.n) + 1);
    }
    DEVICE bool Exists(unsigned pair) const {
        return kColumns || Base::LineAt(OwnLine(), LineOf(pair)) < job.lines;
    }

    // The pairs between memory and registers 2 i, 2 i + 1.
    DEVICE void MovePairs() {
        const uint64_t k = OwnItem();
        Memory *up = Spectrum(Base::LineAt(OwnLine(), 0)) + k;
        Memory *down = up + (((uint64_t)1 << job.n) - 2 * k);
        const size_t step = (size_t)IndexOf(1) << Others();
        const bool zero = IsZero(), alone = IsAlone();
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            if (AtMiddle(i) && zero) {
                up += Middle(), down -= Middle();
            }
            const size_t problem = kColumns ? 0 : LineOf(i) * ((size_t)kMask + 2);
            const size_t index = kColumns ? 0 : IndexOf(i);
            const bool lone = alone && IndexOf(i) == 0;
            Memory *const one = up + (problem + index), *const end = down + problem - index;
            Memory *const other = lone ? one + ((size_t)1 << job.n) / 2 : end;
            Item &a = v[2 * i], &b = v[2 * i + 1];
            if constexpr (kIn) {
                a = Exists(i) ? *one : Item{0, 0};
                b = Exists(i) ? *other : Item{0, 0};
                if (lone && Exists(i)) {
                    a.im = end->re;
                }
            } else if (Exists(i)) {
                *other = b;
                if (lone) {
                    *one = {a.re, 0}, *end = {a.im, 0};
                } else {
                    *one = a;
                }
            }
            if constexpr (kColumns) {
                up += step, down -= step;
            }
        }
    }

    // The pairs between shared memory and registers.
    DEVICE void ExchangePairs() {
        const unsigned line = OwnLine(), k = OwnIndex(), upper = kColumns ? 1u << (kX - 1) : 0;
        const unsigned mirror = At(line + upper, k ^ kThreadMask);
        const bool zero = IsZero(), alone = IsAlone();
        unsigned one = At(line, k);
        unsigned other = zero ? At(line, (0 - k) & kThreadMask) : mirror;
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            const unsigned j = LineOf(i), index = IndexOf(i);
            if (AtMiddle(i) && zero) {
                one = At(line + upper, k), other = mirror;
            }
            // Of the thread's K = 0 in line 0.
            const unsigned partner = index == 0 ? kHalf : (0 - index) & kMask;
            const bool lone = alone && !(kColumns && index >= kHalf);
            Item &a = tile[one ^ At(j, index)];
            Item &b = tile[other ^ At(j, lone ? partner : (kMask ^ kThreadMask) ^ index)];
            if constexpr (kIn) {
                a = v[2 * i], b = v[2 * i + 1];
            } else {
                v[2 * i] = a, v[2 * i + 1] = b;
            }
        }
    }

    // -i w^k for the thread's first pair, halved on the way to the frequencies of reals.
    DEVICE Item OwnRoot() const { return HalfSpectrumRoot<kIn>(Root<Real>(OwnItem(), job.n + 1u)); }

    // exp(-2 pi i / 2^(q + 2)), by which the middle line's roots differ from line 0's: each part
    // within 2 ulp, as the angle is at most an eighth of pi and the terms fall fast.
    static constexpr Item MiddleRoot() {
        const double angle = 3.14159265358979323846 / (2u << kQ);
        double re = 0, im = 0, term = 1;
        for (int i = 1; i < 20; i += 2) {
            re += term, term *= angle / i;
            im -= term, term *= -angle / (i + 1);
        }
        return {(Real)re, (Real)im};
    }
    static constexpr Item kMiddleRoot = MiddleRoot();

    DEVICE void CombinePairs(Item own) {
        const bool zero = IsZero(), alone = IsAlone();
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            if (AtMiddle(i) && zero) {
                own = own * kMiddleRoot;
            }
            const Item a = v[2 * i], b = v[2 * i + 1];
            const Item root = TimesRoot32(own, (IndexOf(i) << 4) >> kQ);
            ItemPair<Real> pair = HalfSpectrum<kIn>(a, b, root);
            if (IndexOf(i) == 0 && alone) {
                pair = {HalfSpectrumEnds(a), HalfSpectrumMiddle<kIn>(b)};
            }
            v[2 * i] = kIn ? Swapped(pair.low) : pair.low;
            v[2 * i + 1] = kIn ? Swapped(pair.high) : pair.high;
        }
    }

    DEVICE void Run() {
        if constexpr (kIn) {
            if constexpr (Base::kTwiddles) {
                Base::PrepareTwiddles();
            }
            const Item own = OwnRoot();
            WaitForKernelBefore();
            MovePairs();
            CombinePairs(own);
            ExchangePairs();
            __syncthreads();
            Base::template Take<1>();
            Base::template From<1>();
            if constexpr (Base::kTwiddles) {
                Base::PassTwiddles();
            }
            Base::Store();
        } else {
            WaitForKernelBefore();
            Base::Load();
            Base::template From<0>();
            Base::template Put<kLayout - 1>();
            const Item own = OwnRoot();
            __syncthreads();
            ExchangePairs();
            CombinePairs(own);
            MovePairs();
        }
    }
};

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kMode>::kThreads,
                                  (PassBlocks<Real, PassShape<kNodes, kS, kMode>>()))
    RealPassKernel(const PassJob job) {
    using P = RealPass<Real, kNodes, kS, kMode>;
    DYNAMIC_SHARED(Complex<Real>, shared);
    Complex<Real> *const steps = shared + ((size_t)1 << kS);
    P pass = {{{shared, threadIdx.x, {}},
               job,
               steps,
               steps + (P::Shape::kItems << P::kX),
               (uint64_t)blockIdx.x << P::kX}};
    pass.Run();
}

#endif  // FFT_PASS_REAL_CUH_
