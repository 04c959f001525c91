// pass_complex.cuh: one pass. A block loads a tile of lines, computes the pass's nodes in
// registers, exchanges items through shared memory between nodes, and stores the tile. Includes the
// tile and roots.
#ifndef FFT_DEVICE_COMPLEX_PASS_COMPLEX_CUH_
#define FFT_DEVICE_COMPLEX_PASS_COMPLEX_CUH_

#include <type_traits>

#include "fft/device/complex/pass_kernels.h"
#include "fft/device/complex/pass_root.cuh"
#include "fft/device/complex/tile.cuh"
#include "primitives/cuda/cluster.cuh"

template <class Real, unsigned kNodes, unsigned kS, unsigned kMode>
struct Pass : Tile<Complex<Real>, kNodes, kS, kMode> {
    using Base = Tile<Complex<Real>, kNodes, kS, kMode>;
    using Shape = typename Base::Shape;
    using Item = Complex<Real>;
    using Base::kItems, Base::tile, Base::thread, Base::v;
    template <unsigned kLayout>
    using ThreadSlots = typename Base::template ThreadSlots<kLayout>;
    template <unsigned kLayout>
    using RegisterSlots = typename Base::template RegisterSlots<kLayout>;
    template <class Slots>
    using Point = typename Base::template Point<Slots>;
    template <class Slots>
    using Frequency = typename Base::template Frequency<Slots>;
    template <class Slots>
    using Line = typename Base::template Line<Slots>;
    template <class Slots, unsigned kNode>
    using Left = typename Base::template Left<Slots, kNode>;
    static constexpr bool kReadsColumns = (kMode & kColumnsIn) != 0;
    static constexpr bool kWritesColumns = (kMode & kColumnsOut) != 0;
    static constexpr bool kTwiddles = kReadsColumns && kWritesColumns;  // more passes follow
    static constexpr bool kWhole = !kReadsColumns && !kWritesColumns;
    // From slots' digits to an item's place in its line, and back. In natural order the place is
    // the item's point before the pass and its frequency after it.
    static constexpr bool kToReversed = Shape::kToReversed, kFromReversed = Shape::kFromReversed;
    static constexpr bool kInPlace = kToReversed || kFromReversed;
    template <class Slots>
    using PlaceIn = std::conditional_t<kFromReversed, Frequency<Slots>, Point<Slots>>;
    template <class Slots>
    using PlaceOut = std::conditional_t<kToReversed, Point<Slots>, Frequency<Slots>>;
    // Twiddles between passes: a pass multiplies its results as it stores them, by roots for the
    // points left; from reversed order it multiplies its inputs as it loads them, by roots for the
    // frequency so far. The layout in which it does so, and the item's index in the factor.
    static constexpr unsigned kBetween = kFromReversed ? 0 : Shape::kLayouts - 1;
    template <class Slots>
    using Factor = std::conditional_t<kFromReversed, Point<Slots>, Frequency<Slots>>;
    // Frequencies of reals, of several passes: two blocks that form a cluster have a pair's items.
    static constexpr bool kPaired =
        (kMode & (kRealIn | kRealOut)) != 0 && (kReadsColumns || kWritesColumns);
    // From frequencies of 2^7 or 2^8 reals: one product for each item between nodes, where others
    // take two, and pairs joined with more digits than a number has, by wide roots of a table. So
    // errors stay below those of cuFFT, which does not go by pairs there. Longer problems have so
    // many roundings that this shows no more, and it would take time; up to 2^10 reals eighth turns
    // with one rounding are enough.
    static constexpr bool kFewIn = kMode == kRealIn && sizeof(Real) == 8 && Shape::kQ <= 9;
    static constexpr bool kWide = kFewIn && (Shape::kQ == 6 || Shape::kQ == 7);
    static constexpr unsigned kWideRoots = kWide ? 1u << (Shape::kQ - 1) : 0;
    // Of clusters: digits of the rank, and the bytes of a tile that come from other blocks.
    static constexpr unsigned kRanks = kPaired ? 1 : Shape::kG;
    static constexpr unsigned kComing =
        (sizeof(Item) << Shape::kLocal) - (sizeof(Item) << Shape::kLocal >> kRanks);
    static_assert(kComing < 1u << 20, "ClusterMail counts no more");
    static constexpr size_t kSharedBytes =
        ((size_t)sizeof(Item) << Shape::kLocal) +
        (kTwiddles ? sizeof(Item) * ((kItems << Shape::kX) + Shape::kThreads) : 0);

    const PassJob &job;
    // In shared memory: roots of the twiddles, of registers [register][line] and of threads.
    Item *steps, *own;
    uint64_t first;     // line of the tile, or of both tiles of a cluster
    unsigned rank;      // in the cluster; where kPaired, whether the tile has the upper lines
    ClusterMail *mail;  // of clusters: what comes to the block's tile

    // --- Memory ----------------------------------------------------------------------------------

    // The points left of line l, or the frequency so far, one of 2^after numbers.
    DEVICE uint64_t LeftOf(uint64_t l) const { return l & (((uint64_t)1 << job.after) - 1); }

    // Line j + i of the tile. Frequencies of reals, of several passes: the items of lines F and
    // 2^others - F form pairs, so while one block has line F, the other one of its cluster has that
    // line at the same place. The lower lines of a problem's clusters are 0 .. 2^(others - 1) - 1,
    // each once; so the upper ones are 2^(others - 1) + 1 .. 2^others - 1, each once, and where 0,
    // its own mirror, leaves a place, the middle line 2^(others - 1).
    DEVICE uint64_t LineAt(unsigned j, unsigned i) const {
        if constexpr (!kPaired) {
            return first + j + i;
        } else {
            const uint64_t lines = (uint64_t)1 << (job.n - Shape::kQ);
            const uint64_t in_problem = first & (lines - 1), lower = in_problem / 2 + j + i;
            const uint64_t mirror = lower == 0 ? lines / 2 : lines - lower;
            return first - in_problem + (rank != 0 ? mirror : lower);
        }
    }

    // Where line l's problem begins, and the line's number in it.
    DEVICE uint64_t ProblemAt(const PassSide &side, uint64_t l) const {
        const bool lone = kWhole && Shape::kX == 0;  // a tile is a problem
        const uint64_t problem = lone ? l : l >> (job.n - Shape::kQ);
        // A launch has fewer than 2^32 blocks, and a problem of several passes has some.
        return (kPaired ? (uint32_t)problem : problem) * side.distance;
    }
    DEVICE uint64_t InProblem(uint64_t l) const {
        return l & (((uint64_t)1 << (job.n - Shape::kQ)) - 1);
    }
    // Where place j of line l is before the pass, and where place k is after it.
    DEVICE uint64_t PointAt(uint64_t l, unsigned j) const {
        const uint64_t r = InProblem(l);
        return ProblemAt(job.from, l) +
               (kReadsColumns
                    ? (r >> job.after << (Shape::kQ + job.after)) + LeftOf(l) + j * job.from.step
                    : (r << Shape::kQ) + j);
    }
    DEVICE uint64_t FrequencyAt(uint64_t l, unsigned k) const {
        const uint64_t r = InProblem(l);
        const uint64_t column =
            kInPlace ? (r >> job.after << (Shape::kQ + job.after)) + LeftOf(l) : r;
        return ProblemAt(job.to, l) +
               (kWritesColumns ? column + k * job.to.step : (r << Shape::kQ) + k);
    }

    // By rows: how many lines there are from this one on, or 2^x if more.
    DEVICE unsigned LinesFrom(unsigned j) const {
        if (Shape::kX == 0) {
            return 1;  // a tile for each
        }
        const uint64_t line = LineAt(j, 0), left = job.lines - line;
        return line >= job.lines ? 0 : (unsigned)(left < 1u << Shape::kX ? left : 1u << Shape::kX);
    }

    DEVICE void Load() {
        using Threads = ThreadSlots<0>;
        using Registers = RegisterSlots<0>;
        constexpr unsigned kDigits = Shape::kAll.layout[0].digits;
        const unsigned line = MoveBits<Line<Threads>>(thread);
        const unsigned point = MoveBits<PlaceIn<Threads>>(thread);
        const size_t step = MoveBits<PlaceIn<Registers>>(1) * (kReadsColumns ? job.from.step : 1);
        const Item *from = (const Item *)job.in + PointAt(LineAt(line, 0), point);
        const unsigned lines = kReadsColumns || kPaired ? 1u << Shape::kX : LinesFrom(line);
#pragma unroll
        for (unsigned i = 0; i < kItems; i += 1u << kDigits) {
            const unsigned other = MoveBits<Line<Registers>>(i);
            const Item *at = from + other * job.from.distance + MoveBits<PlaceIn<Registers>>(i);
            if constexpr (!kWhole) {
                at = (const Item *)job.in +
                     PointAt(LineAt(line, other), point + MoveBits<PlaceIn<Registers>>(i));
            }
            const bool exists = other < lines;
#pragma unroll
            for (unsigned k = 0; k < 1u << kDigits; k++, at += step) {
                v[i + k] = exists ? *at : Item{0, 0};
            }
        }
        if (job.swap_in) {
#pragma unroll
            for (unsigned r = 0; r < kItems; r++) {
                v[r] = Swapped(v[r]);
            }
        }
    }

    DEVICE void Store() {
        constexpr unsigned kLast = Shape::kLayouts - 1;
        using Threads = ThreadSlots<kLast>;
        using Registers = RegisterSlots<kLast>;
        constexpr unsigned kDigits = Shape::kAll.layout[kLast].digits;
        // By way of the lane itself, or where items came from would be kept, in registers that
        // there are not.
        static_assert(!kInPlace || Shape::kThreads >= kWarp, "all lanes are there");
        const unsigned number = kInPlace ? __shfl_sync(kAllLanes, thread, Lane()) : thread;
        const unsigned line = MoveBits<Line<Threads>>(number);
        const unsigned frequency = MoveBits<PlaceOut<Threads>>(number);
        const size_t step = MoveBits<PlaceOut<Registers>>(1) * (kWritesColumns ? job.to.step : 1);
        Item *to = (Item *)job.out + FrequencyAt(LineAt(line, 0), frequency);
        const unsigned lines = kWritesColumns ? 1u << Shape::kX : LinesFrom(line);
#pragma unroll
        for (unsigned i = 0; i < kItems; i += 1u << kDigits) {
            const unsigned other = MoveBits<Line<Registers>>(i);
            Item *at = to + other * job.to.distance + MoveBits<PlaceOut<Registers>>(i);
            if constexpr (!kWhole) {
                at = (Item *)job.out +
                     FrequencyAt(LineAt(line, other), frequency + MoveBits<PlaceOut<Registers>>(i));
            }
            const bool exists = other < lines;
#pragma unroll
            for (unsigned k = 0; k < 1u << kDigits; k++, at += step) {
                if (exists) {
                    *at = job.swap_out ? Swapped(v[i + k]) : v[i + k];
                }
            }
        }
    }

    // --- Nodes -----------------------------------------------------------------------------------

    template <unsigned kLayout>
    DEVICE void Node() {
        constexpr unsigned kDigits = Shape::kAll.layout[kLayout].digits;
        if constexpr (kDigits > 0) {
#pragma unroll
            for (unsigned i = 0; i < kItems >> kDigits; i++) {
                Dft<kDigits, kFewIn>(v + (i << kDigits));
            }
        }
    }

    // The node's digits in reverse order: registers get other names.
    template <unsigned kLayout>
    DEVICE void Reverse() {
        constexpr unsigned kDigits = Shape::kAll.layout[kLayout].digits;
#pragma unroll
        for (unsigned i = 0; i < kItems; i++) {
            unsigned to = i >> kDigits << kDigits;
#pragma unroll
            for (unsigned d = kDigits; d > 0; d--) {
                to |= (i >> (d - 1) & 1) << (kDigits - d);
            }
            if (i < to) {
                const Item x = v[i];
                v[i] = v[to], v[to] = x;
            }
        }
    }

    // After a node that is not the last: item k times root (k t), t the digits that were left:
    // times root (l t) and root ((k - l) t), l = k mod 4, so that a node of 16 loads 6 roots and
    // not 15.
    template <unsigned kLayout>
    DEVICE void NodeTwiddles() {
        constexpr unsigned kStep = kWide ? kItems : 4;
        constexpr unsigned kNode = kLayout - Shape::kFirst, kDigits = Shape::Digits(kNode);
        constexpr unsigned kLeft = Shape::kQ - Shape::Before(kNode + 1);
        const Item *roots = (const Item *)job.node_roots[kNode] +
                            MoveBits<Left<ThreadSlots<kLayout>, kNode>>(thread);
#pragma unroll
        for (unsigned i = 0; i < kItems >> kDigits; i++) {
            Item *x = v + (i << kDigits);
            const Item *at = roots + MoveBits<Left<RegisterSlots<kLayout>, kNode>>(i << kDigits);
#pragma unroll
            for (unsigned l = 1; l < kStep && l < 1u << kDigits; l++) {
                const Item root = at[l << kLeft];
#pragma unroll
                for (unsigned k = l; k < 1u << kDigits; k += kStep) {
                    x[k] = kWide ? ExactProduct(x[k], root) : x[k] * root;
                }
            }
#pragma unroll
            for (unsigned k = kStep; k < 1u << kDigits; k += kStep) {
                const Item root = at[k << kLeft];
#pragma unroll
                for (unsigned l = 0; l < kStep; l++) {
                    x[k + l] = x[k + l] * root;
                }
            }
        }
    }

    // Between passes: item K times root K T of order 2^(n - before), T the points left; from
    // reversed order item j times root j K, K the frequency so far. That root is one of the
    // thread's part of the item's index times one of the register's part.
    DEVICE void PrepareTwiddles() const {
        using Registers = RegisterSlots<kBetween>;
        constexpr unsigned kRoots = kItems << Shape::kX;
        const unsigned order = job.n - job.before;
        using Threads = ThreadSlots<kBetween>;
        const uint64_t mine = LeftOf(LineAt(MoveBits<Line<Threads>>(thread), 0));
        own[threadIdx.x] = Root<Real>(mine * MoveBits<Factor<Threads>>(thread), order);
        for (unsigned i = threadIdx.x; i < kRoots; i += Shape::kThreads) {
            const uint64_t left = LeftOf(LineAt(i & ((1u << Shape::kX) - 1), 0));
            steps[i] = Root<Real>(left * MoveBits<Factor<Registers>>(i >> Shape::kX), order);
        }
    }

    DEVICE void PassTwiddles() {
        using Threads = ThreadSlots<kBetween>;
        const unsigned line = MoveBits<Line<Threads>>(thread);
        const Item root = own[threadIdx.x];
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = v[r] * (root * steps[(r << Shape::kX) + line]);
        }
    }

    // Writes to the blocks of the cluster: the first node's top digits are the rank.
    DEVICE void Scatter() {
        static_assert(!kTwiddles || Shape::kLayouts > 2,
                      "roots between passes need a block's barrier");
        constexpr unsigned kEach = 1u << (Shape::Digits(0) - Shape::kG);
        const unsigned from = Base::template Address<ThreadSlots<0>>(thread);
        ClusterWait();  // for the blocks to be there
#pragma unroll
        for (unsigned to = 0; to < 1u << Shape::kG; to++) {
#pragma unroll
            for (unsigned i = 0; i < kItems; i += 1u << Shape::Digits(0)) {
#pragma unroll
                for (unsigned k = 0; k < kEach; k++) {
                    const unsigned r = i + to * kEach + k;
                    const unsigned at =
                        from ^ Base::template Address<RegisterSlots<0>>(r) % (1u << Shape::kLocal);
                    if (to == rank) {
                        tile[at] = v[r];
                    } else {
                        ClusterSend(tile, to, at, v[r], mail);
                    }
                }
            }
        }
        ClusterMailArrive(mail);
        ClusterMailWait(mail);
    }

    // All layouts from this one on; not that of frequencies of reals.
    template <unsigned kLayout>
    DEVICE void From() {
        if constexpr (kFromReversed) {
            Reverse<kLayout>();
        }
        Node<kLayout>();
        constexpr bool kIsNode = kLayout >= Shape::kFirst;
        if constexpr (kIsNode && kLayout + 1 < Shape::kFirst + Shape::kNodesN) {
            NodeTwiddles<kLayout>();
        }
        if constexpr (kToReversed) {
            Reverse<kLayout>();
        }
        if constexpr (kLayout + 1 < Shape::kLayouts - ((kMode & kRealOut) != 0 ? 1 : 0)) {
            if constexpr (kLayout == 0 && Shape::kG > 0) {
                Scatter();
            } else {
                Base::template Put<kLayout>();
                __syncthreads();
            }
            Base::template Take<kLayout + 1>();
            if constexpr (kPaired && (kMode & kRealOut) != 0 && kLayout + 3 == Shape::kLayouts) {
                ClusterArriveShared();  // the other block may write to this one's tile
            }
            From<kLayout + 1>();
        }
    }

    // Roots are computed while items are on their way, unless a thread has no registers for both.
    static constexpr bool kRootsFirst = sizeof(Real) == 8 && Shape::kP <= 3;

    DEVICE void Run() {
        if constexpr (kTwiddles && kRootsFirst) {
            PrepareTwiddles();
        }
        WaitForKernelBefore();
        Load();
        if constexpr (kTwiddles && !kRootsFirst) {
            PrepareTwiddles();
        }
        if constexpr (kTwiddles && (Shape::kLayouts == 1 || kFromReversed)) {
            __syncthreads();
        }
        if constexpr (kTwiddles && kFromReversed) {
            PassTwiddles();
        }
        From<0>();
        if constexpr (kTwiddles && !kFromReversed) {
            PassTwiddles();
        }
        Store();
    }
};

#endif  // FFT_DEVICE_COMPLEX_PASS_COMPLEX_CUH_
