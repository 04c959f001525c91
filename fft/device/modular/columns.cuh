// columns.cuh: column transforms of one tile, forward and inverse, and the kernel that turns digits
// into residues and transforms the columns of all pieces. Includes batch.h, digits.cuh,
// join.cuh and lines.cuh.
#ifndef FFT_DEVICE_MODULAR_COLUMNS_CUH_
#define FFT_DEVICE_MODULAR_COLUMNS_CUH_

#include "fft/device/modular/batch.h"
#include "fft/device/modular/digits.cuh"
#include "fft/device/modular/join.cuh"
#include "fft/device/modular/lines.cuh"

// ModularColumnsJob: what a launch works on. Grid: x blocks of a tile, then operands, which share
// twiddles; y parts fastest, which share words, then primes; z tiles, then items of a batch. Behind
// an outer pass, where parts share none, y and z change places: blocks that run at once are in few
// parts, so in few pages of memory. inverse.cuh has the grid of the inverse.
struct ModularColumnsJob : ModularStep {
    ModularDigits operand[2];
    size_t words_stride[2], planes_stride[2];  // from an item to the next
    unsigned ahead;                            // how many tiles ahead words are prefetched, 0: none

    // An item's operand, with its own words.
    template <bool kItems>
    DEVICE decltype(auto) DigitsOf(unsigned which, unsigned item) const {
        if constexpr (kItems) {
            ModularDigits a = operand[which];
            a.words += item * words_stride[which];
            return a;
        } else {
            return (operand[which]);
        }
    }

    DEVICE double *PlaneOf(unsigned which, unsigned item, unsigned plane_i) const {
        return operand[which].plane + item * planes_stride[which] + Plane(plane_i);
    }
};

// Exchanges of the largest tiles stay within warps: 2 to 5 % faster on an H200, of spread ones,
// whose second exchange may still meet the block, 2 to 3 %. Of tiles of 2^12 points inverse columns
// are 10 % slower so, but where pieces are joined later, which takes as long and fewer registers.
HOST_DEVICE constexpr unsigned ModularColumnsMode(unsigned s, bool joined_later, unsigned spread) {
    const bool apart = spread > 0 || s == 13 || (s == 12 && joined_later);
    return kColumnsIn | kColumnsOut | (apart ? kWarpsApart : kRows) | spread << kSpreadShift;
}
template <unsigned kNodes, unsigned kS, unsigned kSpread>
using ModularForwardShape = PassShape<kNodes, kS, ModularColumnsMode(kS, false, kSpread)>;

// Whether columns of 2^lg_rows know items of a batch. Others have no registers for them.
template <unsigned kLgRows, unsigned kDigits>
constexpr bool kModularItems = kDigits == kWholeDigits &&kLgRows <= FFT_MODULAR_ITEMS_LG_ROWS;

// Parts of the outer pass leave no registers for roots in shared memory.
template <unsigned kNodes, unsigned kDigits>
constexpr bool kModularStages = ModularStages(kNodes) && kDigits != kSplitDigits;

template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kMode, unsigned kWay>
struct ModularColumns : ModularLines<kNodes, kS, kMode, kWay> {
    using Base = ModularColumnsTile<kNodes, kS, kMode, kWay>;
    using Lines = ModularLines<kNodes, kS, kMode, kWay>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kLast, Base::prime, Base::thread, Base::v;
    using Lines::kQ, Lines::RowOf, typename Lines::LastRegisters, typename Lines::LastThreads;
    static constexpr unsigned kRest = kQ - Shape::kP;  // digits of k1 that threads have

    const ModularColumnsJob &job;
    const double *tables;  // of this prime
    unsigned part;
    unsigned column;  // first of the tile

    // Registers have the highest digits of the frequency in the last layout, and all columns are
    // threads'.
    DEVICE static constexpr bool RegistersAreHighest() {
        for (unsigned i = 0; i < Shape::kP; i++) {
            if (LastRegisters::kMap.to[i] < (int)kRest) {
                return false;
            }
        }
        return true;
    }
    static_assert(RegistersAreHighest(), "threads have the lowest digits of the frequency");

    DEVICE unsigned FirstColumn() const { return column + Lines::FirstLine(); }
    DEVICE unsigned LastColumn() const { return column + Lines::LastLine(); }

    // --- Digits ----------------------------------------------------------------------------------

    // Whether tiles inside an operand are read without questions. Longer columns are 4 % slower so,
    // as all loads at once keep each other waiting, unless digits are two words, which one load
    // takes; other digits have no registers for it.
    template <unsigned kDigits>
    static constexpr bool kInsideTiles =
        (kQ <= 10 && kModularWordDigits<kDigits>) || kDigits == kTwoWordDigits;

    // Item r of the first layout: the operand modulo x^n - w at row r. Without an outer pass, so
    // that parts are pieces.
    template <unsigned kDigits>
    DEVICE void LoadDigits(const ModularDigits &a) {
        const unsigned from = FirstColumn() + (Lines::RowOfThread() << kLgColumns);
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
        Lines::template Twist<kInverse>(tables + job.places.twist[kInverse] + (part << kQ));
    }

    // --- Twiddles forward ------------------------------------------------------------------------
    // Of item k1 what is left beside the turned node's roots: one factor.

    static constexpr ModularTurns kTurn = ModularTurnsOf(kNodes);
    // Of a tile's factors a block has the ones of its own items: its rank stands in the top digits
    // before the turned node.
    static_assert(kTurn.before >= Shape::kG, "ranks are digits of the first node");
    static constexpr unsigned kBefore = kTurn.before - Shape::kG;
    static constexpr unsigned kFactors = 1u << (Shape::kLocal - kTurn.digits);
    // Where an item's factor is, not counting the line: k1 without the turned node's digits.
    static constexpr BitMap MakeFactorPlaces() {
        BitMap m = Shape::MakeFrequency();
        const int from = (int)kBefore, to = (int)(kTurn.before + kTurn.digits);
        for (int &digit : m.to) {
            digit = digit < from ? digit : digit < to ? -1 : digit - (to - from);
        }
        return m;
    }
    struct FactorThreads {
        static constexpr BitMap kMap =
            Base::template ThreadSlots<Base::kLast>::kMap.Then(MakeFactorPlaces());
    };

    // The tile's turned roots, and its factors.
    DEVICE const double *TurnedRoots() const {
        return tables + job.places.turned + ((size_t)column << (kTurn.digits + kTurn.after));
    }
    DEVICE const double *FactorsOfTile() const {
        const size_t at = (job.places.split ? 0 : part << kLgColumns) + column;
        return tables + job.places.factors + (at << (kQ - kTurn.digits));
    }

    // Begins to copy what of that goes by way of shared memory to `room`: so it is on its way
    // before a barrier, in no registers meanwhile.
    DEVICE void FetchTwiddles(double *room) const {
        constexpr unsigned kLgOwn = kBefore + Shape::kX;  // of one last digit
        const double *const from = FactorsOfTile() + (Base::Rank() << kLgOwn);
        for (unsigned i = 2 * threadIdx.x; i < kFactors; i += 2 * Shape::kThreads) {
            const unsigned others = (i >> kLgOwn << Shape::kG) - (i >> kLgOwn);
            CopyAsync16(room + i, from + i + (others << kLgOwn));
        }
        if constexpr (kWay == kForwardStaged) {
            constexpr unsigned kRoots = 1u << (kS - kTurn.before);
            for (unsigned i = 2 * threadIdx.x; i < kRoots; i += 2 * Shape::kThreads) {
                CopyAsync16(room + kFactors + i, TurnedRoots() + i);
            }
        }
        CopyCommit();
    }

    // kSplit: the part's factor is in a table of its own. Registers have the last digits lowest.
    template <bool kSplit>
    DEVICE void TwiddleFrom(const double *room) {
        const double *at =
            room + LastColumn() - column + (MoveBits<FactorThreads>(thread) << Shape::kX);
        const double of_part =
            kSplit ? tables[job.places.part[0] + (part << kLgColumns) + LastColumn()] : 1;
        constexpr unsigned kEach = 1u << kTurn.after;
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            const double factor = at[i << (kBefore + Shape::kX)];
            const double w = kSplit ? ModularMul(factor, of_part, prime.field) : factor;
#pragma unroll
            for (unsigned r = i; r < kItems; r += kEach) {
                v[r] = ModularMul(v[r], w, prime.field);
            }
        }
    }

    // --- Twiddles back ---------------------------------------------------------------------------
    // Item of frequency k1 is multiplied by the power c (k1 + turn of w): one of the register's,
    // the step, times one of the thread's own.

    // The factors of the thread's own: of its high digits; of its low ones, where it has that many.
    // Which is known here, so that both are on their way at once.
    static constexpr bool kHasLow = kRest > kModularLow;
    struct OwnFactors {
        double high, low;
    };
    DEVICE OwnFactors LoadOwn() const {
        const ModularPlaces &places = job.places;
        const unsigned c = LastColumn(), k = MoveBits<LastThreads>(thread);
        const unsigned low = kHasLow ? k % (1u << kModularLow) : 0;
        const unsigned high =
            (places.split ? 0 : part << places.high_digits) + (kHasLow ? k >> kModularLow : k);
        return {tables[places.high + (high << kLgColumns) + c],
                kHasLow ? tables[places.low + (low << kLgColumns) + c] : 1};
    }
    DEVICE double Own(const OwnFactors &factors) const {
        double own = factors.high;
        if (job.places.split) {
            const double *of_part = tables + job.places.part[1] + (part << kLgColumns);
            own = ModularMul(own, of_part[LastColumn()], prime.field);
        }
        if (kHasLow) {
            own = ModularMul(own, factors.low, prime.field);
        }
        return ModularReduce(own, prime.field);
    }

    DEVICE void TwiddleBack(const OwnFactors &factors) {
        const double *at = tables + job.places.steps + LastColumn();
        const double own = Own(factors);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const unsigned step = MoveBits<LastRegisters>(r) >> kRest;
            const double w = ModularMul(at[step << kLgColumns], own, prime.field);
            v[r] = ModularMul(v[r], w, prime.field);
        }
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
                           ((size_t)Lines::RowOfThread() << kLgColumns);
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
            at[(size_t)Lines::template Row<true>(r) << kLgColumns] = v[r];
        }
    }

    // Items become those of block `part` of the coefficients, all pieces' having been put into
    // their tiles: of three and five see join.cuh.
    template <unsigned kPieces>
    DEVICE void JoinFew(const double *tiles) {
        const unsigned from = Base::template Own<0>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double *at = tiles + (from ^ FirstAddress(r));
            double y[kPieces];
#pragma unroll
            for (unsigned s = 0; s < kPieces; s++) {
                y[s] = at[s << kS];
            }
            v[r] = ModularJoinFew<kPieces>(y, part, prime);
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
// Cost a point: 2.5 operations on doubles for the digit, 3.6 a level, 5 for the twiddle; reads
// its word from memory once, from cache primes x pieces times, writes 8 bytes a prime.
template <unsigned kNodes, unsigned kS, unsigned kLgColumns, unsigned kDigits, unsigned kSpread>
__global__ void __launch_bounds__(ModularForwardShape<kNodes, kS, kSpread>::kThreads,
                                  1024 / ModularForwardShape<kNodes, kS, kSpread>::kThreads)
    ModularColumnsKernel(const __grid_constant__ ModularColumnsJob job) {
    constexpr bool kStages = kModularStages<kNodes, kDigits>;
    using Columns = ModularColumns<kNodes, kS, kLgColumns, ModularColumnsMode(kS, false, kSpread),
                                   kStages ? kForwardStaged : kForward>;
    DYNAMIC_SHARED(double, shared);
    constexpr bool kSplit = kDigits == kSplitDigits;
    constexpr unsigned kTiles = 1u << (kLgColumns - Columns::Shape::kX);
    const unsigned of_items = kSplit ? blockIdx.y : blockIdx.z;
    constexpr bool kItems = kModularItems<Columns::kQ, kDigits>;
    const unsigned tile = kItems ? of_items % kTiles : of_items;
    const unsigned item = kItems ? of_items / kTiles : 0;
    const unsigned of_primes = kSplit ? blockIdx.z : blockIdx.y;
    const unsigned part = of_primes % job.parts, prime = job.first + of_primes / job.parts;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    const unsigned thread = Columns::ThreadOf(threadIdx.x);
    ClusterMail *const mail = Columns::OpenMail();
    Columns c = {{{{shared, thread, {}}, job.prime[prime], {}, 0, mail}},
                 job,
                 tables,
                 part,
                 tile << Columns::Shape::kX};
    double *const room = shared + ((size_t)1 << Columns::Shape::kLocal);
    for (unsigned i = Columns::kTurn.node; i-- > 0;) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    c.node_roots[Columns::kTurn.node] = kStages ? room + Columns::kFactors : c.TurnedRoots();
    const unsigned operand = blockIdx.x >> kSpread;
    const ModularDigits &a = job.DigitsOf<kItems>(operand, item);
    WaitForKernelBefore();
    c.FetchTwiddles(room);
    if constexpr (kSplit) {
        c.ReadPoints(job.PlaneOf(operand, item, prime - job.first));
    } else {
        c.template LoadDigits<kDigits>(a);
    }
    if (kModularAsksAhead<kDigits> && job.ahead > 0 && of_primes == 0 && c.Rank() == 0) {
        c.AskForWords(a, tile + job.ahead);
    }
    if (kSplit || part >= job.places.twisted_from) {  // behind an outer pass it may be any part
        c.template Twist<false>();
    }
    static_assert(Columns::kLast > 0 && !Columns::template Exchange<0>::kInWarp,
                  "a barrier stands between Fetch and From");
    CopyWait<0>();
    c.Forward();
    c.template TwiddleFrom<kSplit>(room);
    LetKernelAfterBegin();
    c.Write(job.PlaneOf(operand, item, prime - job.first));
}

#endif  // FFT_DEVICE_MODULAR_COLUMNS_CUH_
