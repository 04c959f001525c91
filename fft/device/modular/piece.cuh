// piece.cuh: one piece of a product modulo one prime, by one block, in registers and shared
// memory from digits to residues: for kernels of any room. Includes residues.cuh and
// tables.cuh.
//
// Item r of thread t is point r n / 8 + t, n = 2^kS. The twist of point j, w to the power j / n, is
// one of the register's, taken before the first node, times one of the thread's, which stands in
// that node's roots. So the transform is the matrix z_k^j, z_k the roots of x^n = w, and its
// transpose leaves n w c_(n - j) at the place of point j, n c_0 at that of point 0: the inverse
// needs the same tables apart from a factor (docs/proofs/modular_device.md, section 10).
#ifndef FFT_DEVICE_MODULAR_PIECE_CUH_
#define FFT_DEVICE_MODULAR_PIECE_CUH_

#include "fft/device/modular/residues.cuh"
#include "fft/device/modular/tables.cuh"

// ModularPieceTables: what one piece modulo one prime needs, in device memory.
struct ModularPieceTables {
    const double *own, *common;
};

DEVICE ModularPieceTables ModularPieceTablesOf(const double *tables, const ModularPlaces &places,
                                               unsigned lg, unsigned prime, unsigned piece) {
    const double *of_prime = tables + (size_t)prime * places.total;
    return {of_prime + places.columns[0] + piece * ModularPieceOwnOf(lg).total,
            of_prime + places.columns[1]};
}

// ModularWords: an operand, fewer than 2^31 words, in `blocks` blocks of a piece's points, >= 1.
struct ModularWords {
    const uint64_t *words;
    unsigned words_n, blocks;
};

template <unsigned kNodes, unsigned kS>
struct ModularPiece {
    using Tile = ModularTile<kNodes, kS, kRows, true>;
    using Shape = typename Tile::Shape;
    static constexpr unsigned kItems = Tile::kItems, kThreads = Shape::kThreads;
    static constexpr unsigned kPoints = 1u << kS;
    static_assert(Shape::kX == 0 && kItems == kModularPieceItems && Shape::Digits(0) == Shape::kP,
                  "the first node has all registers");

    // Doubles of the tables that are common to all pieces.
    static constexpr unsigned Common() {
        unsigned places[kMaxNodes] = {};
        return PlaceNodes(NodesLeft(kNodes), kS - Shape::Digits(0), 0, places);
    }
    // Of shared memory: two tiles, the second one for the residues in the end, and the tables.
    static constexpr ModularPieceOwn kOwn = ModularPieceOwnOf(kS);
    static constexpr unsigned kTables = kOwn.total + Common();
    static constexpr size_t kBytes = sizeof(double) * (2 * kPoints + kTables);

    const fft_modular_prime &prime;
    const ModularPieceTables &tables;
    unsigned piece;
    double *shared;

    // The point of item r, that of item 0 being the thread's number.
    DEVICE static constexpr unsigned Point(unsigned r) { return r << (kS - Shape::kP); }

    DEVICE Tile MakeTile(unsigned which) const {
        Tile t = {{shared + which * kPoints, threadIdx.x, {}}, prime, {}, 0};
        t.node_roots[0] = Room();
        const double *at = Room() + kOwn.total;
        for (unsigned i = 1, left = kS - Shape::Digits(0); i + 1 < Shape::kNodesN; i++) {
            t.node_roots[i] = at;
            at += 1u << left;
            left -= Shape::Digits(i);
        }
        return t;
    }

    // FetchTables begins to copy the tables; FetchedTables waits for all that the block has copied.
    DEVICE void FetchTables() const {
        double *const room = Room();
        for (unsigned i = 2 * threadIdx.x; i < kTables; i += 2 * kThreads) {
            CopyAsync16(room + i,
                        i < kOwn.total ? tables.own + i : tables.common + (i - kOwn.total));
        }
        CopyCommit();
    }
    DEVICE static void FetchedTables() {
        CopyWait<0>();
        __syncthreads();
    }

    // An operand of n >= 1 words.
    DEVICE static ModularWords WordsOf(const uint64_t *p, uint64_t n) {
        return {p, (unsigned)n, (((unsigned)n - 1) >> kS) + 1};
    }

    // Words of a block, 0 where there are none: block -1 begins at 2^32 - n.
    DEVICE static void ReadWords(const ModularWords &a, unsigned block, uint64_t (&words)[kItems]) {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const unsigned i = (block << kS) + Point(r) + threadIdx.x;
            words[r] = i < a.words_n ? a.words[i] : 0;
        }
    }

    // Top: words of the two highest blocks, all asked for before anything waits.
    struct Top {
        uint64_t first[kItems], second[kItems];
    };
    DEVICE static void ReadTop(const ModularWords &a, Top &top) {
        ReadWords(a, a.blocks - 1, top.first);
        ReadWords(a, a.blocks - 2, top.second);
    }

    // Fold: the operand modulo x^n - w, its blocks of n digits weighed by powers of w (Horner's
    // rule).
    DEVICE void Fold(const ModularWords &a, Top &top, Tile &t) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            t.v[r] = ModularResidue(top.first[r], prime.field);
        }
#pragma unroll 1
        for (unsigned left = a.blocks - 1; left > 0; left--) {
#pragma unroll
            for (unsigned r = 0; r < kItems; r++) {
                t.v[r] = ModularMulKnown(t.v[r], prime.omega[piece], prime.omega_quotient[piece],
                                         prime.field) +
                         ModularResidue(top.second[r], prime.field);
            }
            ReadWords(a, left - 2, top.second);
        }
    }

    // The registers' twist.
    DEVICE void Twist(Tile &t) const {
        if (prime.omega[piece] != 1) {
#pragma unroll
            for (unsigned r = 1; r < kItems; r++) {
                t.v[r] = ModularMul(t.v[r], Room()[kOwn.steps + r], prime.field);
            }
        }
    }

    // Multiply: the product with another spectrum, within p / 2 + 1, and back to residues of the
    // piece's coefficients, c_i at Residues()[i], within 0.95 p. A barrier must follow.
    DEVICE void Multiply(Tile &x, const Tile &y) const {
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            x.v[r] = ModularMul(x.v[r], ModularReduce(y.v[r], prime.field), prime.field);
        }
        x.Back();
#pragma unroll
        for (unsigned r = 0; r < kItems; r++) {
            const unsigned point = Point(r) + threadIdx.x;
            Residues()[(0u - point) % kPoints] =
                ModularMul(x.v[r], Room()[point == 0 ? kOwn.zero : kOwn.scales + r], prime.field);
        }
    }

    // Where the tables are, which the transform leaves free.
    DEVICE double *Room() const { return shared + 2 * kPoints; }
    // Where the coefficients are: in the second tile, whose last exchange is some barriers ago.
    DEVICE double *Residues() const { return shared + kPoints; }

    // Run: all of it. A square reads a alone.
    template <bool kSquare>
    DEVICE void Run(const ModularWords &a, const ModularWords &b) const {
        Top a_top, b_top;
        ReadTop(a, a_top);
        if constexpr (!kSquare) {
            ReadTop(b, b_top);
        }
        FetchTables();
        Tile x = MakeTile(0), y = MakeTile(1);
        Fold(a, a_top, x);
        if constexpr (kSquare) {
            FetchedTables();
            Twist(x);
            x.Forward();
            Multiply(x, x);
        } else {
            Fold(b, b_top, y);
            FetchedTables();
            Twist(x);
            Twist(y);
            x.Forward(y);
            Multiply(x, y);
        }
    }
};

// ModularJoin: coefficient blocks c[b] of up to four pieces from what the pieces have at one place,
// y[s], |y| within 0.95 p, 0 of pieces that there are not: c_b is the sum of w_s^-b y_s over the
// pieces, w = 1, -1, i, -i, whose divisor is in the tables. Within 2.50 p.
DEVICE void ModularJoin(const double (&y)[4], double (&c)[4], const fft_modular_prime &f) {
    constexpr unsigned kI = 3;  // i is the root of order 16 to the power 4
    const double sum = y[0] + y[1], difference = y[0] - y[1];
    const double even = ModularReduce(y[2] + y[3], f.field);
    const double odd = ModularMulKnown(y[2] - y[3], f.root[kI], f.quotient[kI], f.field);
    c[0] = sum + even;
    c[1] = difference - odd;
    c[2] = sum - even;
    c[3] = difference + odd;
}

// ModularUnturn: the same of up to four pieces whose product is x^N + 1, w_s = v, -v, v i, -v i, v
// the root of order 2 pieces: blocks of coefficients from what ModularJoin makes of these, times
// v^-b = -v^(pieces - b). Within 0.63 p, block 0 as before.
DEVICE void ModularUnturn(double (&c)[4], unsigned pieces, const fft_modular_prime &f) {
#pragma unroll
    for (unsigned b = 1; b < 4; b++) {
        if (b < pieces) {
            const unsigned power = (pieces - b) * (8 / pieces);  // of the root of order 16
            c[b] = -ModularMulKnown(c[b], f.root[power - 1], f.quotient[power - 1], f.field);
        }
    }
}

#endif  // FFT_DEVICE_MODULAR_PIECE_CUH_
