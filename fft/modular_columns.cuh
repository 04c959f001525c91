// modular_columns.cuh: the kernels of the columns: from digits through residues to the columns of
// all pieces; and back, joining the pieces to residues of coefficients. Includes
// modular_digits.cuh, modular_tables.cuh and cluster.cuh.
#ifndef FFT_MODULAR_COLUMNS_CUH_
#define FFT_MODULAR_COLUMNS_CUH_

#include "fft/modular_digits.cuh"
#include "fft/modular_tables.cuh"
#include "primitives/cluster.cuh"

// ModularColumnsJob: what a launch works on. Grid: x is parts fastest, then primes, then tiles; y
// operands. Of the inverse x is primes, then tiles.
struct ModularColumnsJob : ModularStep {
    ModularDigits operand[2];
    unsigned ahead;  // tiles between one that is read and one whose words are asked for, 0: none
};

// Exchanges of the largest tiles but one stay within warps: 2 to 5 % faster on an H200. Of tiles of
// 2^12 points inverse columns are 10 % slower so, but where pieces are joined later, which takes as
// long and fewer registers.
HOST_DEVICE constexpr unsigned ModularColumnsMode(unsigned s, bool joined_later) {
    const bool apart = s == 13 || (s == 12 && joined_later);
    return kColumnsIn | kColumnsOut | (apart ? kWarpsApart : kRows);
}

// An element of a piece times w_s.
DEVICE double ModularTurn(double x, unsigned s, const fft_modular_prime &prime) {
    return ModularMulKnown(x, prime.omega[s], prime.omega_quotient[s], prime.field);
}

// ModularJoinThree: block b of coefficients from pieces modulo x^n - 1, x^n + 1 and x^n - i, the
// first two times 1/4 and the last one times 1/2. Their difference is half of block 1, their sum
// half of that of blocks 0 and 2, and what the third piece has beyond i times block 1 half of the
// difference of those.
DEVICE double ModularJoinThree(const double *y, unsigned b, const fft_modular_prime &prime) {
    const double sum = y[0] + y[1], difference = y[0] - y[1];
    if (b == 1) {
        return 2 * difference;
    }
    const double rest = y[2] - ModularTurn(difference, 2, prime);
    return b == 0 ? sum + rest : sum - rest;
}

// ModularJoinFive: the same from pieces modulo x^n - w, w = 1, -1, i, -i, times 1/8, and w of order
// 8 with w^2 = i, times 1/2; reduced. The first four are a cyclic product, halves of blocks 1, 2, 3
// and of the sum of blocks 0 and 4; what the last one has beyond the former three is half of the
// difference of blocks 0 and 4.
DEVICE double ModularJoinFive(const double *y, unsigned b, const fft_modular_prime &prime) {
    const double even = y[0] + y[1], odd = y[0] - y[1];
    const double sum = y[2] + y[3], turned = ModularTurn(y[2] - y[3], 2, prime);
    const double one = odd - turned, two = even - sum, three = odd + turned;
    double v = 2 * (b == 1 ? one : b == 2 ? two : three);
    if (b % 4 == 0) {
        const double above = two + ModularTurn(three, 4, prime);
        const double rest = y[4] - ModularTurn(one + ModularTurn(above, 4, prime), 4, prime);
        v = b == 0 ? (even + sum) + rest : (even + sum) - rest;
    }
    return ModularReduce(v, prime.field);
}

template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kMode>
struct ModularColumns : ModularTile<kNodes, kS, kMode> {
    using Base = ModularTile<kNodes, kS, kMode>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kLast, Base::prime, Base::thread, Base::v;
    static constexpr unsigned kQ = Shape::kQ;
    static constexpr unsigned kRest = kQ - Shape::kP;  // digits of k1 that threads have
    template <unsigned kLayout>
    using ThreadLine =
        typename Base::Base::template Line<typename Base::template ThreadSlots<kLayout>>;

    const ModularColumnsJob &job;
    const double *tables;  // of this prime
    unsigned part;
    unsigned column;  // first of the tile

    // Registers have the highest digits of the frequency in the last layout, and all columns are
    // threads'.
    struct LastRegisters {
        static constexpr BitMap kMap = Base::Base::template Frequency<
            typename Base::template RegisterSlots<Base::kLast>>::kMap;
    };
    struct LastThreads {
        static constexpr BitMap kMap =
            Base::Base::template Frequency<typename Base::template ThreadSlots<Base::kLast>>::kMap;
    };
    struct FirstRegisters {
        static constexpr BitMap kMap =
            Base::Base::template Point<typename Base::template RegisterSlots<0>>::kMap;
    };
    struct FirstThreads {
        static constexpr BitMap kMap =
            Base::Base::template Point<typename Base::template ThreadSlots<0>>::kMap;
    };
    DEVICE static constexpr bool RegistersAreHighest() {
        for (unsigned i = 0; i < Shape::kP; i++) {
            if (LastRegisters::kMap.to[i] < (int)kRest) {
                return false;
            }
        }
        return true;
    }
    static_assert(RegistersAreHighest(), "threads have the lowest digits of the frequency");
    DEVICE static constexpr bool RowsAscend() {
        for (unsigned i = 1; 1u << i < kItems; i++) {
            if (FirstRegisters::kMap.to[i - 1] >= FirstRegisters::kMap.to[i]) {
                return false;
            }
        }
        return true;
    }
    static_assert(RowsAscend(), "registers have rows as ModularFold takes them");

    DEVICE unsigned FirstColumn() const { return column + MoveBits<ThreadLine<0>>(thread); }
    DEVICE unsigned LastColumn() const {
        return column + MoveBits<ThreadLine<Base::kLast>>(thread);
    }

    // --- Digits ----------------------------------------------------------------------------------

    // Whether tiles inside an operand are read without questions. Longer columns are 4 % slower so,
    // as all loads at once keep each other waiting, unless digits are two words, which one load
    // takes; other digits have no registers for it.
    template <unsigned kDigits>
    static constexpr bool kInsideTiles =
        (kQ <= 10 && kModularWordDigits<kDigits>) || kDigits == kTwoWordDigits;

    DEVICE static constexpr unsigned RowOf(unsigned r) { return MoveBits<FirstRegisters>(r); }

    // Item r of the first layout: the operand modulo x^n - w at row r. Without an outer pass, so
    // that parts are pieces.
    template <unsigned kDigits>
    DEVICE void LoadDigits(const ModularDigits &a) {
        const unsigned from = FirstColumn() + (MoveBits<FirstThreads>(thread) << kLgColumns);
        const unsigned last = column + (1u << Shape::kX) - 1 + (((1u << kQ) - 1) << kLgColumns);
        ModularFold<kDigits, kItems, kInsideTiles<kDigits>>(
            v, a, 1u << (kLgColumns + kQ), prime, part, column, last, from,
            [](unsigned r) { return RowOf(r) << kLgColumns; });
    }

    // Asks for the words of a later tile's first block of digits, one for each of its rows, so that
    // they come from memory while other tiles are computed. Rows are a number of words apart.
    DEVICE void AskForWords(const ModularDigits &a, unsigned tile) const {
        const unsigned from = tile << Shape::kX, row = (a.bits << kLgColumns) / 64;
        if (from >= 1u << kLgColumns) {
            return;
        }
        const uint64_t first = (uint64_t)from * a.bits / 64;
#pragma unroll 1
        for (unsigned i = threadIdx.x; i < 1u << kQ; i += Shape::kThreads) {
            const uint64_t at = first + (uint64_t)i * row;
            if (at < a.words_n) {
                PrefetchDevice(a.words + at);
            }
        }
    }

    // Times w to the power r / rows, or its inverse.
    template <bool kInverse>
    DEVICE void Twist() {
        const double *at = tables + job.places.twist[kInverse] + (part << kQ);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularMul(v[r], at[Row<kInverse>(r)], prime.field);
        }
    }

    // The row of item r in the first layout: its point, or the negative of that where the
    // transposed flow has left it.
    template <bool kInverse>
    DEVICE unsigned Row(unsigned r) const {
        const unsigned point = MoveBits<FirstThreads>(thread) + MoveBits<FirstRegisters>(r);
        return kInverse ? (0u - point) % (1u << kQ) : point;
    }

    // --- Twiddles --------------------------------------------------------------------------------
    // Item of frequency k1 is multiplied by the power c (k1 + turn of w): one of the register's,
    // the step, times one of the thread's own.

    // The factors of the thread's own: of its high digits; of its low ones, where it has so many.
    // Which is known here, so that both are on their way at once.
    static constexpr bool kHasLow = kRest > kModularLow;
    struct OwnFactors {
        double high, low;
    };
    template <bool kInverse>
    DEVICE OwnFactors LoadOwn() const {
        const ModularPlaces &places = job.places;
        const unsigned c = LastColumn(), k = MoveBits<LastThreads>(thread);
        const unsigned low = kHasLow ? k % (1u << kModularLow) : 0;
        const unsigned high =
            (places.split ? 0 : part << places.high_digits) + (kHasLow ? k >> kModularLow : k);
        return {tables[places.high[kInverse] + (high << kLgColumns) + c],
                kHasLow ? tables[places.low[kInverse] + (low << kLgColumns) + c] : 1};
    }
    template <bool kInverse>
    DEVICE double Own(const OwnFactors &factors) const {
        double own = factors.high;
        if (job.places.split) {
            const double *of_part = tables + job.places.part[kInverse] + (part << kLgColumns);
            own = ModularMul(own, of_part[LastColumn()], prime.field);
        }
        if (kHasLow) {
            own = ModularMul(own, factors.low, prime.field);
        }
        return ModularReduce(own, prime.field);
    }

    DEVICE static constexpr unsigned StepOf(unsigned r) {
        return MoveBits<LastRegisters>(r) >> kRest;
    }

    // at[StepOf(r) kDistance] is the step of register r.
    template <unsigned kDistance>
    DEVICE void Twiddle(const double *at, double own) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double w = ModularMul(at[StepOf(r) * kDistance], own, prime.field);
            v[r] = ModularMul(v[r], w, prime.field);
        }
    }

    // Straight from the tables.
    template <bool kInverse>
    DEVICE void TwiddleFromTables(const OwnFactors &factors) {
        Twiddle<1u << kLgColumns>(tables + job.places.steps[kInverse] + LastColumn(),
                                  Own<kInverse>(factors));
    }

    // By way of shared memory, [step][line], then the threads' own: fetched before a barrier, used
    // after it, in no registers meanwhile.
    static constexpr unsigned kSteps = kItems << Shape::kX;

    DEVICE void FetchTwiddles(double *room) const {
        const double *table = tables + job.places.steps[0] + column;
        for (unsigned i = threadIdx.x; i < kSteps; i += Shape::kThreads) {
            room[i] = table[(i >> Shape::kX << kLgColumns) + i % (1u << Shape::kX)];
        }
        room[kSteps + threadIdx.x] = Own<false>(LoadOwn<false>());
    }

    DEVICE void TwiddleFrom(const double *room) {
        Twiddle<1u << Shape::kX>(room + MoveBits<ThreadLine<Base::kLast>>(thread),
                                 room[kSteps + threadIdx.x]);
    }

    // --- Planes ----------------------------------------------------------------------------------

    // The place of the thread's frequencies of register 0; the registers' distance.
    DEVICE size_t Frequencies() const {
        const size_t k = ((size_t)part << kQ) + MoveBits<LastThreads>(thread);
        return (k << kLgColumns) + LastColumn();
    }
    DEVICE size_t Distance(unsigned r) const {
        return (size_t)MoveBits<LastRegisters>(r) << kLgColumns;
    }

    DEVICE void ReadPoints(const double *plane) {
        const double *at = plane + ((size_t)part << (kQ + kLgColumns)) + FirstColumn() +
                           ((size_t)MoveBits<FirstThreads>(thread) << kLgColumns);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = at[(size_t)RowOf(r) << kLgColumns];
        }
    }

    DEVICE void Read(const double *plane) {
        const double *at = plane + Frequencies();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = at[Distance(r)];
        }
    }

    DEVICE void Write(double *plane) const {
        double *at = plane + Frequencies();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            at[Distance(r)] = v[r];
        }
    }

    DEVICE void WriteCoefficients(double *block) const {
        double *at = block + FirstColumn();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            at[(size_t)Row<true>(r) << kLgColumns] = v[r];
        }
    }

    DEVICE void Reduce() {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularReduce(v[r], prime.field);
        }
    }

    // Items become those of block `part` of the coefficients, all pieces' having been put into
    // their tiles. Two pieces are sum and difference, whose halves are in the tables; of three they
    // have quarters and a half.
    DEVICE void JoinTwo(const double *other) {
        const unsigned from = Base::template Own<0>();
        const double sign = part == 0 ? 1 : -1;
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = fma(sign, v[r], other[from ^ FirstAddress(r)]);
        }
    }
    DEVICE void JoinThree(const double *tiles) {
        const unsigned from = Base::template Own<0>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double *at = tiles + (from ^ FirstAddress(r));
            const double y[] = {at[0], at[1u << kS], at[2u << kS]};
            v[r] = ModularJoinThree(y, part, prime);
        }
    }
    DEVICE void JoinFive(const double *tiles) {
        const unsigned from = Base::template Own<0>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double *at = tiles + (from ^ FirstAddress(r));
            const double y[] = {at[0], at[1u << kS], at[2u << kS], at[3u << kS], at[4u << kS]};
            v[r] = ModularJoinFive(y, part, prime);
        }
    }
    DEVICE void JoinAll(const double *tiles) {
        const unsigned from = Base::template Own<0>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = 0;
        }
        for (unsigned s = 0; s < job.parts; s++) {
            const double *piece = tiles + ((size_t)s << kS);
#pragma unroll
            for (unsigned r = 0; r < kItems; r++) {
                v[r] += ModularMul(piece[from ^ FirstAddress(r)], prime.join[part][s], prime.field);
            }
        }
    }
    DEVICE static constexpr unsigned FirstAddress(unsigned r) {
        return Base::template Address<typename Base::template RegisterSlots<0>>(r);
    }
};

// Columns of one tile, prime, part and operand.
// Cost a point: 2.5 operations on doubles for the digit, 3.6 a level, 10 for both twiddles; reads
// its word from memory once, from cache primes x pieces times, writes 8 bytes a prime.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kDigits>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kColumnsIn | kColumnsOut>::kThreads,
                                  1024 / PassShape<kNodes, kS, kColumnsIn | kColumnsOut>::kThreads)
    ModularColumnsKernel(const __grid_constant__ ModularColumnsJob job) {
    using Columns = ModularColumns<kNodes, kS, kLgColumns, ModularColumnsMode(kS, false)>;
    DYNAMIC_SHARED(double, shared);
    const unsigned each = job.primes * job.parts, of_tile = blockIdx.x % each;
    const unsigned part = of_tile % job.parts, prime = job.first + of_tile / job.parts;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Columns c = {{{shared, threadIdx.x, {}}, job.prime[prime], {}, 0},
                 job,
                 tables,
                 part,
                 blockIdx.x / each << Columns::Shape::kX};
    for (unsigned i = 0; i + 1 < Columns::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    const ModularDigits &a = job.operand[blockIdx.y];
    WaitForKernelBefore();
    if constexpr (kDigits == kSplitDigits) {
        c.ReadPoints(a.plane + job.Plane(prime - job.first));
    } else {
        c.template LoadDigits<kDigits>(a);
    }
    double *const room = shared + ((size_t)1 << kS);
    c.FetchTwiddles(room);
    if (kModularAsksAhead<kDigits> && job.ahead > 0 && of_tile == 0) {
        c.AskForWords(a, blockIdx.x / each + job.ahead);
    }
    if (part > 0) {
        c.template Twist<false>();
    }
    static_assert(Columns::kLast > 0 && !Columns::template Exchange<0>::kInWarp,
                  "a barrier stands between Fetch and From");
    c.Forward();
    c.TwiddleFrom(room);
    LetKernelAfterBegin();
    c.Write(a.plane + job.Plane(prime - job.first));
}

// How the inverse joins pieces: all are in one thread block, two have one each in a cluster, or
// they are joined later, which is faster for more than two: a block would read all others' shared
// memory.
enum ModularJoin : unsigned { kJoinInBlock, kJoinInCluster, kJoinLater };

// Inverse columns of one tile and prime, of all pieces, and the join, in place. Shape::kThreads
// threads do a piece, and a block of coefficients in the end; shared memory holds a tile for each.
// Unless pieces are in one thread block each part has one, x being parts fastest.
// Cost a point: 3.6 operations on doubles a level, 10 for both twiddles, 1 for two pieces, 6 for
// three, 16 for five, 5 for each of other numbers; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kJoin>
__global__ void __launch_bounds__(1024, 1)
    ModularInverseKernel(const __grid_constant__ ModularColumnsJob job) {
    constexpr unsigned kMode = ModularColumnsMode(kS, kJoin == kJoinLater);
    using Columns = ModularColumns<kNodes, kS, kLgColumns, kMode>;
    using Shape = typename Columns::Shape;
    DYNAMIC_SHARED(double, shared);
    const unsigned each = kJoin == kJoinInBlock ? 1 : job.parts, block = blockIdx.x / each;
    const unsigned plane_i = block % job.primes, prime = job.first + plane_i;
    const unsigned group = kJoin == kJoinInBlock ? threadIdx.x / Shape::kThreads : 0;
    const unsigned lg = Columns::kQ + kLgColumns;
    const unsigned part = kJoin == kJoinInBlock ? group : blockIdx.x % each;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Columns c = {{{shared + ((size_t)group << kS), threadIdx.x % Shape::kThreads, {}},
                  job.prime[prime],
                  {},
                  1 + group},
                 job,
                 tables,
                 part,
                 block / job.primes << Shape::kX};
    for (unsigned i = 0; i + 1 < Columns::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    WaitForKernelBefore();
    double *const plane = job.operand[0].plane + job.Plane(plane_i);
    // Before the plane: loads are answered in their order, and these are in a cache.
    const typename Columns::OwnFactors own = c.template LoadOwn<true>();
    c.Read(plane);
    c.template TwiddleFromTables<true>(own);
    c.Back();
    if (part > 0) {
        c.template Twist<true>();
    } else {
        c.Reduce();
    }
    if constexpr (kJoin == kJoinInBlock) {
        if (job.parts > 1) {
            c.template Put<0>();
            __syncthreads();
            if (job.parts == 2) {
                c.JoinTwo(shared + ((1 - part) << kS));
            } else if (job.parts == 3) {
                c.JoinThree(shared);
            } else if (job.parts == 5) {
                c.JoinFive(shared);
            } else {
                c.JoinAll(shared);
            }
        }
    } else if constexpr (kJoin == kJoinInCluster) {
        c.template Put<0>();
        ClusterArrive();
        ClusterWait();
        c.JoinTwo(ClusterShared(shared, 1 - part));
        ClusterArrive();
    }
    LetKernelAfterBegin();
    c.WriteCoefficients(plane + ((size_t)part << lg));
    if constexpr (kJoin == kJoinInCluster) {
        ClusterWait();  // nobody reads this block's tile any more
    }
}

#endif  // FFT_MODULAR_COLUMNS_CUH_
