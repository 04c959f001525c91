// modular_columns.cuh: the kernels of the columns: from digits through residues to the columns of
// all pieces; and back, joining the pieces to residues of coefficients. Includes modular.cuh and
// modular_tables.cuh.
#ifndef FFT_MODULAR_COLUMNS_CUH_
#define FFT_MODULAR_COLUMNS_CUH_

#include "fft/modular.cuh"
#include "fft/modular_tables.cuh"

// ModularDigits: an operand and where its residues go.
struct ModularDigits {
    const uint64_t *words;
    uint64_t words_n, count;  // count: digits, >= 1
    double *plane;
};

// ModularColumnsJob: what a launch works on. Grid: x is pieces fastest, then primes, then tiles; y
// operands. Of the inverse x is primes, then tiles.
struct ModularColumnsJob {
    ModularDigits operand[2];
    unsigned digit_bits;
    bool balanced;
    unsigned pieces, lg_columns;
    unsigned first, primes;  // of primes
    const double *tables;
    ModularPlaces places;
    fft_modular_prime prime[FFT_PRIMES_USED];
};

template <unsigned kNodes, unsigned kS>
struct ModularColumns : ModularTile<kNodes, kS, kColumnsIn | kColumnsOut> {
    using Base = ModularTile<kNodes, kS, kColumnsIn | kColumnsOut>;
    using Shape = typename Base::Shape;
    using Base::kItems, Base::kLast, Base::prime, Base::thread, Base::v;
    static constexpr unsigned kQ = Shape::kQ;
    static constexpr unsigned kRest = kQ - Shape::kP;  // digits of k1 that threads have
    template <unsigned kLayout>
    using ThreadLine = typename Base::Base::template Line<typename Base::template ThreadSlots<kLayout>>;

    const ModularColumnsJob &job;
    const double *tables;  // of this prime
    unsigned piece;
    uint64_t column;  // first of the tile

    // Registers have the highest digits of the frequency in the last layout, and all columns are
    // threads'.
    struct LastRegisters {
        static constexpr BitMap kMap = Base::Base::template Frequency<
            typename Base::template RegisterSlots<Base::kLast>>::kMap;
    };
    struct LastThreads {
        static constexpr BitMap kMap = Base::Base::template Frequency<
            typename Base::template ThreadSlots<Base::kLast>>::kMap;
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

    DEVICE uint64_t FirstColumn() const { return column + MoveBits<ThreadLine<0>>(thread); }
    DEVICE uint64_t LastColumn() const { return column + MoveBits<ThreadLine<Base::kLast>>(thread); }

    // --- Digits ----------------------------------------------------------------------------------

    // Digit i as a residue within p / 2 + 2^32 + 1.
    template <bool kWhole>
    DEVICE double Digit(const ModularDigits &a, uint64_t i) const {
        if (i >= a.count) {
            return 0;
        }
        uint64_t d;
        bool is_signed = false;
        double below = 0;
        if constexpr (kWhole) {
            d = i < a.words_n ? a.words[i] : 0;
            if (job.balanced) {
                is_signed = i + 1 < a.count;
                below = i > 0 && (int64_t)a.words[i - 1] < 0 ? 1 : 0;
            }
        } else {
            const uint64_t bit = i * job.digit_bits, word = bit / 64;
            const unsigned shift = bit % 64;
            const uint64_t low = word < a.words_n ? a.words[word] : 0;
            const uint64_t high = word + 1 < a.words_n ? a.words[word + 1] : 0;
            // two shifts, because high << 64 is undefined
            d = (low >> shift | high << 1 << (63 - shift)) & ~(uint64_t)0 >> (64 - job.digit_bits);
        }
        // Halves of a word are exact doubles, signed or not.
        const double upper =
            is_signed ? (double)(int32_t)(d >> 32) : (double)(uint32_t)(d >> 32);
        return ModularReduce(upper * 0x1p32, prime.field) + ((double)(uint32_t)d + below);
    }

    // Item r of the first layout: the operand modulo x^n - w at row r: its blocks of n digits,
    // weighed by powers of w (Horner's rule).
    template <bool kWhole>
    DEVICE void LoadDigits(const ModularDigits &a) {
        const unsigned lg = job.lg_columns + kQ;
        const uint64_t row = MoveBits<FirstThreads>(thread);
        uint64_t from = FirstColumn() + (row << job.lg_columns);
        const uint64_t last = (a.count - 1) >> lg << lg;  // the highest block's first digit
        LoadBlock<kWhole>(a, from + last);
        for (uint64_t block = last; block > 0;) {
            block -= (uint64_t)1 << lg;
#pragma unroll
            for (unsigned r = 0; r < kItems; r++) {
                const uint64_t i = from + block + ((uint64_t)MoveBits<FirstRegisters>(r) << job.lg_columns);
                v[r] = ModularMulKnown(v[r], prime.omega[piece], prime.omega_quotient[piece], prime.field) + Digit<kWhole>(a, i);
            }
        }
    }

    template <bool kWhole>
    DEVICE void LoadBlock(const ModularDigits &a, uint64_t from) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = Digit<kWhole>(a, from + ((uint64_t)MoveBits<FirstRegisters>(r) << job.lg_columns));
        }
    }

    // Times w to the power r / rows, or its inverse.
    template <bool kInverse>
    DEVICE void Twist() {
        const double *at = tables + job.places.twist[kInverse] + (piece << kQ);
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularMul(v[r], at[Row<kInverse>(r)], prime.field);
        }
    }

    // The row of item r in the first layout: its point, or the negative of that where the transposed
    // flow has left it.
    template <bool kInverse>
    DEVICE unsigned Row(unsigned r) const {
        const unsigned point = MoveBits<FirstThreads>(thread) + MoveBits<FirstRegisters>(r);
        return kInverse ? (0u - point) % (1u << kQ) : point;
    }

    // Item of frequency k1 times the power c (k1 + turn of w).
    template <bool kInverse>
    DEVICE void Twiddle() {
        const ModularPlaces &places = job.places;
        const uint64_t c = LastColumn();
        const unsigned k = MoveBits<LastThreads>(thread);
        const unsigned high = (piece << places.high_digits) + (k >> places.low_digits);
        double own = tables[places.high[kInverse] + ((uint64_t)high << job.lg_columns) + c];
        if (places.low_digits > 0) {
            const unsigned low = k & ((1u << places.low_digits) - 1);
            own = ModularReduce(
                ModularMul(own,
                           tables[places.low[kInverse] + ((uint64_t)low << job.lg_columns) + c],
                           prime.field),
                prime.field);
        }
        const double *steps = tables + places.steps[kInverse] + c;
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const uint64_t step = MoveBits<LastRegisters>(r) >> kRest;
            const double w = ModularMul(steps[step << job.lg_columns], own, prime.field);
            v[r] = ModularMul(v[r], w, prime.field);
        }
    }

    // --- Planes ----------------------------------------------------------------------------------

    // The place of the thread's frequencies of register 0; the registers' distance.
    DEVICE size_t Frequencies() const {
        const size_t k = ((size_t)piece << kQ) + MoveBits<LastThreads>(thread);
        return (k << job.lg_columns) + LastColumn();
    }
    DEVICE size_t Distance(unsigned r) const {
        return (size_t)MoveBits<LastRegisters>(r) << job.lg_columns;
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
            at[(size_t)Row<true>(r) << job.lg_columns] = v[r];
        }
    }

    DEVICE void Reduce() {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            v[r] = ModularReduce(v[r], prime.field);
        }
    }

    // Items, all pieces' having been put into their tiles, become those of block `piece` of the
    // coefficients: two pieces are sum and difference, whose halves are in the tables.
    DEVICE void Join(const double *tiles) {
        const unsigned from = Base::template Own<0>();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const double *at =
                tiles + (from ^ Base::template Address<typename Base::template RegisterSlots<0>>(r));
            if (job.pieces == 2) {
                v[r] = piece == 0 ? v[r] + at[(size_t)1 << kS] : at[0] - v[r];
            } else {
                v[r] = 0;
                for (unsigned s = 0; s < job.pieces; s++) {
                    v[r] += ModularMul(at[(size_t)s << kS], prime.join[piece][s], prime.field);
                }
            }
        }
    }
};

// Columns of one tile, prime, piece and operand.
// Cost a point: 2.5 operations on doubles for the digit, 3.6 a level, 10 for both twiddles; reads
// its word from memory once, from cache primes x pieces times, writes 8 bytes a prime.
template <unsigned kNodes, unsigned kS, bool kWhole>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kColumnsIn | kColumnsOut>::kThreads,
                                  1024 / PassShape<kNodes, kS, kColumnsIn | kColumnsOut>::kThreads)
    ModularColumnsKernel(const __grid_constant__ ModularColumnsJob job) {
    using Columns = ModularColumns<kNodes, kS>;
    DYNAMIC_SHARED(double, shared);
    const unsigned each = job.primes * job.pieces, part = blockIdx.x % each;
    const unsigned prime = job.first + part / job.pieces, piece = part % job.pieces;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Columns c = {{{shared, threadIdx.x, {}}, job.prime[prime], {}, 0},
                 job,
                 tables,
                 piece,
                 (uint64_t)(blockIdx.x / each) << Columns::Shape::kX};
    for (unsigned i = 0; i + 1 < Columns::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    const ModularDigits &a = job.operand[blockIdx.y];
    WaitForKernelBefore();
    c.template LoadDigits<kWhole>(a);
    if (piece > 0) {
        c.template Twist<false>();
    }
    c.Forward();
    c.template Twiddle<false>();
    c.Write(a.plane +
            (size_t)(prime - job.first) * ((size_t)job.pieces << (Columns::kQ + job.lg_columns)));
}

// Inverse columns of one tile and prime, of all pieces, and the join, in place. Shape::kThreads
// threads do a piece, and a block of coefficients in the end; shared memory holds a tile for each.
// Cost a point: 3.6 operations on doubles a level, 10 for both twiddles, 1 for two pieces or 5 for
// each of more; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS>
__global__ void __launch_bounds__(1024, 1)
    ModularInverseKernel(const __grid_constant__ ModularColumnsJob job) {
    using Columns = ModularColumns<kNodes, kS>;
    using Shape = typename Columns::Shape;
    DYNAMIC_SHARED(double, shared);
    const unsigned part = blockIdx.x % job.primes, prime = job.first + part;
    const unsigned piece = threadIdx.x / Shape::kThreads, lg = Columns::kQ + job.lg_columns;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    double *plane = job.operand[0].plane + (size_t)part * ((size_t)job.pieces << lg);
    Columns c = {{{shared + ((size_t)piece << kS), threadIdx.x % Shape::kThreads, {}},
                  job.prime[prime],
                  {},
                  1 + piece},
                 job,
                 tables,
                 piece,
                 (uint64_t)(blockIdx.x / job.primes) << Shape::kX};
    for (unsigned i = 0; i + 1 < Columns::Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.columns[i];
    }
    WaitForKernelBefore();
    c.Read(plane);
    c.template Twiddle<true>();
    c.Back();
    if (piece > 0) {
        c.template Twist<true>();
    } else {
        c.Reduce();
    }
    if (job.pieces > 1) {
        c.template Put<0>();
        __syncthreads();
        c.Join(shared);
    }
    c.WriteCoefficients(plane + ((size_t)piece << lg));
}

#endif  // FFT_MODULAR_COLUMNS_CUH_
