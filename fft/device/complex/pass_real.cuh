// pass_real.cuh: the pass that ends a transform of reals, or begins its inverse: it turns the
// frequencies of pairs of reals into the frequencies of the reals, or back, on the way to or from
// memory. Includes pass_kernel.cuh.
//
// The formulas are half_spectrum.cuh's. In FP64 a pair's relative error in the 2-norm is below 8 u:
// 0.8 u for each of the two roots whose product w^k is, 2 u for that product, and what the formulas
// have. After nodes of 32 points w^k has one factor more: less than 13 u.
//
// Items k and m - k form a pair. In one pass a tile has whole problems, hence both. In several,
// m = 2^(q + others), index K of line F is item k = K 2^others + F, and its partner is index
// 2^q - 1 - K of line 2^others - F: the blocks of a cluster of two have these lines at the same
// place (LineAt), so that what each moves from or to memory is as many lines wide as in any other
// pass. Block 0 takes the pairs of K < 2^(q - 1), block 1 the others: so each sends one half of its
// items to the other block, K >= 2^(q - 1) of its own lines, and the half that comes is just of
// the places that it leaves. Line 0 is its own mirror, item K with 2^q - K, and so is the middle
// line, which block 1 has in its stead, item K with 2^q - 1 - K: of these two nothing is sent, line
// 0 having the pairs of K < 2^(q - 1), the middle line those of K >= 2^(q - 1).
//
// Items 0 and m / 2 are their own partners. The thread at line 0, K = 0 takes both for one pair:
// Z[0] and Z[m / 2] in the tile; X[0] and X[m], which are real, as one item, and X[m / 2].
#ifndef FFT_DEVICE_COMPLEX_PASS_REAL_CUH_
#define FFT_DEVICE_COMPLEX_PASS_REAL_CUH_

#include <type_traits>

#include "fft/device/complex/half_spectrum.cuh"
#include "fft/device/complex/pass_kernel.cuh"

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
struct RealPass : Pass<Real, kNodes, kS, kMode> {
    using Base = Pass<Real, kNodes, kS, kMode>;
    using Shape = typename Base::Shape;
    using Item = typename Base::Item;
    using Base::job, Base::mail, Base::rank, Base::tile, Base::v;
    static constexpr bool kIn = (kMode & kRealIn) != 0;
    static constexpr bool kPaired = Base::kPaired;
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
    static_assert(kQ - ThreadDigits() <= 5, "the register's part of a root is one of order 64");

    DEVICE static unsigned At(unsigned line, unsigned index) {
        return Base::template Address<LineSlots>(line) ^ Base::template Address<IndexSlots>(index);
    }
    // A pair's index, and its line, by rows: the register's part.
    DEVICE static unsigned IndexOf(unsigned pair) { return MoveBits<Index<Registers>>(2 * pair); }
    DEVICE static unsigned LineOf(unsigned pair) { return MoveBits<Line<Registers>>(2 * pair); }

    // The thread's part: its place among lines, K, whether the place is that of line 0 and of the
    // middle line, and whether K is 0 besides, in line 0.
    DEVICE static unsigned OwnLine() { return MoveBits<Line<Threads>>(threadIdx.x); }
    DEVICE unsigned OwnIndex() const {
        return MoveBits<Index<Threads>>(threadIdx.x) ^ (kPaired && rank != 0 ? kHalf : 0);
    }
    DEVICE bool OfMirrors(unsigned line) const {
        return kPaired && line == 0 && Base::InProblem(Base::first) == 0;
    }
    DEVICE bool IsZero() const { return !kPaired || (rank == 0 && OfMirrors(OwnLine())); }
    DEVICE bool IsAlone() const { return IsZero() && OwnIndex() == 0; }

    // The other passes' digits, and the problem.
    DEVICE unsigned Others() const { return job.n - kQ; }
    // The first one of the thread's pairs: its index, and the line of block 0, or the middle one.
    DEVICE uint64_t OwnItem() const {
        const uint64_t line = Base::InProblem(Base::LineAt(OwnLine(), 0));
        const bool mirrored = kPaired && rank != 0 && !OfMirrors(OwnLine());
        return ((uint64_t)OwnIndex() << Others()) +
               (mirrored ? ((uint64_t)1 << Others()) - line : line);
    }
    DEVICE const PassSide &Side() const { return kIn ? job.from : job.to; }
    DEVICE Memory *Spectrum(uint64_t line) const {
        return (Memory *)(kIn ? job.in : job.out) + Base::ProblemAt(Side(), line);
    }
    // By rows, how many of the thread's lines exist, the first one, and where pair i's problem
    // begins after that one's. A thread without a line loads the tile's first one, a pair without a
    // line the thread's first one, so that no load is conditional; nothing of these is stored.
    DEVICE unsigned OwnLines() const { return kPaired ? 1 : Base::LinesFrom(OwnLine()); }
    DEVICE uint64_t FirstLine() const {
        return Base::LineAt(kIn && OwnLines() == 0 ? 0 : OwnLine(), 0);
    }
    DEVICE size_t ProblemOf(unsigned i) const {
        return kPaired || (kIn && LineOf(i) >= OwnLines()) ? 0 : LineOf(i) * Side().distance;
    }

    // Items m of the pairs that are alone, in place of the parts of items 0 that count for nothing:
    // to where that item will be in the tile, since a load to a register that is already waited for
    // would keep all threads waiting.
    DEVICE Item *LastOf(unsigned i) const { return tile + (At(OwnLine(), 0) ^ At(LineOf(i), 0)); }
    DEVICE void FetchLast() const {
        const Item *const from = Spectrum(FirstLine()) + ((uint64_t)1 << job.n);
        if (IsAlone()) {
#pragma unroll
            for (unsigned i = 0; i < kPairs; i++) {
                if (IndexOf(i) == 0) {
                    CopyAsyncSmall<sizeof(Real)>(LastOf(i), from + ProblemOf(i));
                }
            }
            CopyCommit();
        }
    }
    // From both to the pairs' items 0, when the thread's other ones are in the tile.
    DEVICE void PutEnds() const {
        if (IsAlone()) {
            CopyWait<0>();
#pragma unroll
            for (unsigned i = 0; i < kPairs; i++) {
                if (IndexOf(i) == 0) {
                    const Item ends = Swapped(*LastOf(i));
                    *LastOf(i) = Swapped(HalfSpectrumEnds(ends));
                }
            }
        }
    }

    // The pairs between memory and registers 2 i, 2 i + 1; items m are not loaded.
    DEVICE void MovePairs() {
        const uint64_t k = OwnItem();
        Memory *up = Spectrum(FirstLine()) + k;
        Memory *down = up + (((uint64_t)1 << job.n) - 2 * k);
        const size_t step = (size_t)IndexOf(1) << Others();
        const unsigned lines = OwnLines();
        const bool alone = IsAlone();
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            const size_t problem = ProblemOf(i), index = kPaired ? 0 : IndexOf(i);
            const bool lone = alone && IndexOf(i) == 0;
            Memory *const one = up + (problem + index), *const end = down + problem - index;
            Memory *const other = lone ? one + ((size_t)1 << job.n) / 2 : end;
            Item &a = v[2 * i], &b = v[2 * i + 1];
            if constexpr (kIn) {
                a = *one, b = *other;
            } else if (LineOf(i) < lines) {
                *other = b;
                if (lone) {
                    *one = {a.re, 0}, *end = {a.im, 0};
                } else {
                    *one = a;
                }
            }
            if constexpr (kPaired) {
                up += step, down -= step;
            }
        }
    }

    // Stores to the other block; of lines that are their own mirrors to this one, so that as many
    // bytes come to every block.
    DEVICE void SendAway(unsigned line, unsigned at, const Item &item) {
        ClusterSend(tile, OfMirrors(line) ? rank : 1 - rank, at, item, mail);
    }

    // The pairs between shared memory and registers.
    DEVICE void ExchangePairs() {
        const unsigned line = OwnLine(), k = OwnIndex();
        const bool zero = IsZero(), alone = IsAlone();
        const unsigned one = At(line, k),
                       other = At(line, (zero ? 0 - k : ~k) & kThreadMask) ^ At(0, k & kHalf);
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            const unsigned j = LineOf(i), index = IndexOf(i);
            // Of the thread's K = 0 in line 0.
            const unsigned partner = index == 0 ? kHalf : (0 - index) & kMask;
            const unsigned a = one ^ At(j, index);
            const unsigned b = other ^ At(j, alone ? partner : (kMask ^ kThreadMask) ^ index);
            if constexpr (kIn) {
                // Of a pair block 0 has the one item, block 1 the other. By parts, or registers
                // would be addressed and so be in memory.
                const bool swap = kPaired && rank != 0;
                const Item x = v[2 * i], y = v[2 * i + 1];
                const Item stays = {swap ? y.re : x.re, swap ? y.im : x.im};
                const Item goes = {swap ? x.re : y.re, swap ? x.im : y.im};
                if (alone && index == 0) {
                    tile[a].im = stays.im;  // beside item m: see PutEnds
                } else {
                    tile[swap ? b : a] = stays;
                }
                if constexpr (kPaired) {
                    SendAway(line, swap ? a : b, goes);
                } else {
                    tile[b] = goes;
                }
            } else {
                v[2 * i] = tile[a], v[2 * i + 1] = tile[b];
            }
        }
    }

    template <class Slots>
    HOST_DEVICE static constexpr bool HasLines() {
        bool has = false;
        for (unsigned i = 0; i < kMapBits; i++) {
            has = has || Line<Slots>::kMap.to[i] >= 0;
        }
        return has;
    }

    // After the last node: items to the blocks that take their pairs, each to its own place.
    DEVICE void SendHalf() {
        constexpr unsigned kLast = kLayout - 1;
        using Last = typename Base::template ThreadSlots<kLast>;
        using Each = typename Base::template RegisterSlots<kLast>;
        static_assert(!HasLines<Each>(), "a thread's items are of one line");
        ClusterWait();
        // By way of the lane itself, or the addresses that were read from would be kept, in
        // registers that there are not.
        const unsigned from = __shfl_sync(kAllLanes, Base::template Own<kLast>(), Lane());
        const unsigned line = MoveBits<Line<Last>>(threadIdx.x);
#pragma unroll
        for (unsigned r = 0; r < Shape::kItems; r++) {
            const unsigned at = from ^ Base::template Address<Each>(r);
            const bool high = (MoveBits<Index<Each>>(r) & kHalf) != 0;
            if (high) {
                SendAway(line, at, v[r]);
            } else {
                tile[at] = v[r];
            }
        }
        ClusterMailArrive(mail);
    }

    // -i w^k for the thread's first pair, halved on the way to the frequencies of reals.
    DEVICE Item OwnRoot() const { return HalfSpectrumRoot<kIn>(Root<Real>(OwnItem(), job.n + 1u)); }

    DEVICE void CombinePairs(Item own) {
        // exp(-2 pi i / 64)
        constexpr Item kRoot64 = {(Real)0.99518472667219688624, (Real)-0.09801714032956060199};
        const Item odd = own * kRoot64;
        const bool alone = IsAlone();
        const unsigned lines = Base::kWide ? OwnLines() : 1u << kX;
        const WideRoot<Real> *const roots = (const WideRoot<Real> *)job.wide_roots;
#pragma unroll
        for (unsigned i = 0; i < kPairs; i++) {
            if (LineOf(i) >= lines) {
                continue;  // few problems: what has none takes no time
            }
            const Item a = v[2 * i], b = v[2 * i + 1];
            const unsigned turn = (IndexOf(i) << 5) >> kQ;  // in parts of 64
            ItemPair<Real> pair;
            if constexpr (Base::kWide) {
                pair = HalfSpectrumWide(a, b, roots[OwnIndex() ^ IndexOf(i)]);
            } else {
                pair = HalfSpectrum<kIn>(a, b, TimesRoot32(turn % 2 != 0 ? odd : own, turn / 2));
            }
            if (IndexOf(i) == 0 && alone) {
                pair = {kIn ? a : HalfSpectrumEnds(a), HalfSpectrumMiddle<kIn>(b)};
            }
            v[2 * i] = kIn ? Swapped(pair.low) : pair.low;
            v[2 * i + 1] = kIn ? Swapped(pair.high) : pair.high;
        }
    }

    DEVICE void RunIn() {
        // Roots are computed while items are on their way where a thread has registers for both.
        constexpr bool kOwnFirst = Base::kRootsFirst && !kPaired;
        constexpr bool kTwiddlesFirst = sizeof(Real) == 8;
        Item own = {};
        if constexpr (Base::kTwiddles && kTwiddlesFirst) {
            Base::PrepareTwiddles();
        }
        if constexpr (!Base::kWide && kOwnFirst) {
            own = OwnRoot();
        }
        WaitForKernelBefore();
        FetchLast();
        MovePairs();
        if constexpr (Base::kTwiddles && !kTwiddlesFirst) {
            Base::PrepareTwiddles();
        }
        if constexpr (!Base::kWide && !kOwnFirst) {
            own = OwnRoot();
        }
        CombinePairs(own);
        if constexpr (kPaired) {
            ClusterWait();  // for the other block to be there
        }
        ExchangePairs();
        PutEnds();
        if constexpr (kPaired) {
            ClusterMailArrive(mail);
            ClusterMailWait(mail);
        } else {
            __syncthreads();
        }
        Base::template Take<1>();
        Base::template From<1>();
        if constexpr (Base::kTwiddles) {
            Base::PassTwiddles();
        }
        Base::Store();
    }

    DEVICE void RunOut() {
        WaitForKernelBefore();
        Base::Load();
        Base::template From<0>();
        Item own = {};
        if constexpr (kPaired) {
            SendHalf();
            own = OwnRoot();
            ClusterMailWait(mail);
        } else {
            Base::template Put<kLayout - 1>();
            own = OwnRoot();
            __syncthreads();
        }
        ExchangePairs();
        CombinePairs(own);
        MovePairs();
    }
};

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kMode>::kThreads,
                                  (PassBlocks<Real, PassShape<kNodes, kS, kMode>>()))
    RealPassKernel(const PassJob job) {
    using P = RealPass<Real, kNodes, kS, kMode>;
    DYNAMIC_SHARED(Complex<Real>, shared);
    Complex<Real> *const steps = shared + ((size_t)1 << kS);
    const unsigned rank = P::kPaired ? blockIdx.x % 2 : 0;
    ClusterMail *const mail = PassMail<P>();
    if constexpr (P::kPaired && P::kIn) {
        ClusterArriveShared();
    }
    P pass = {{{shared, threadIdx.x, {}},
               job,
               steps,
               steps + (P::Shape::kItems << P::kX),
               (uint64_t)(blockIdx.x - rank) << P::kX,
               rank,
               mail}};
    if constexpr (P::kIn) {
        pass.RunIn();
    } else {
        pass.RunOut();
    }
}

#endif  // FFT_DEVICE_COMPLEX_PASS_REAL_CUH_
