// tables.cuh: the shapes that have kernels, the twiddle tables of one shape and their layout in
// device memory, and the arguments of every launch of a step. For host code and kernels. Includes
// convolution.h.
//
// Every table is rows of powers: entry (k, c) is a power of a root with the exponent c f, f a turn
// in units of 2^-64 that belongs to row k. So one kernel fills them all.
#ifndef FFT_DEVICE_MODULAR_TABLES_CUH_
#define FFT_DEVICE_MODULAR_TABLES_CUH_

#include "fft/device/complex/pass_shape.cuh"
#include "fft/device/modular/convolution.h"
#include "primitives/cuda/device.cuh"

// ModularShape: the kernels for transforms of 2^lg points: nodes as in pass_kernels.h, digits of a
// tile; of columns, of their inverse, whose tiles of all pieces share a block, and of the tile that
// two pieces share there (pair.cuh), 0 behind an outer pass. Tiles of long columns are
// spread over 2^spread blocks of a cluster, so that runs of memory are long and blocks small: those
// of columns, of two pieces' inverse, of other pieces', which share no block then.
struct ModularShape {
    unsigned lg, nodes, s, s_back, s_pair = 0, spread = 0, spread_pair = 0, spread_back = 0;
};

constexpr ModularShape kModularRows[] = {{FFT_MODULAR_LG_SHORT, 0x323, 9, 9},
                                         {FFT_MODULAR_LG_MIDDLE, 0x334, 10, 10},
                                         {FFT_MODULAR_LG_LONG, 0x444, 12, 12}};
// By the rows' length: where rows are short there are few tiles, and more threads for each. Those
// of 2^10 and 2^11 short rows are for tests of spread tiles.
constexpr ModularShape kModularColumnsShort[] = {
    {4, 0x22, 9, 9, 9},
    {5, 0x32, 9, 9, 10},
    {6, 0x33, 9, 9, 10},
    {7, 0x322, 10, 10, 11},
    {8, 0x332, 11, 11, 11},
    {9, 0x333, 12, 11, 12},
    {10, 0x433, 13, 12, 15, 0, 3},
    {11, 0x443, 14, 14, 15, 2, 3, 1},
};
constexpr ModularShape kModularColumnsMiddle[] = {
    {6, 0x33, 9, 9, 10},
    {7, 0x43, 10, 10, 11},
    {8, 0x44, 11, 11, 12},
    {9, 0x432, 12, 11, 13},
};
constexpr ModularShape kModularColumnsLong[] = {
    {6, 0x33, 9, 9, 10},
    {7, 0x43, 10, 10, 11},
    {8, 0x44, 11, 11, 12},
    {9, 0x432, 12, 11, 13},
    {10, 0x433, 13, 12, 15, 0, 3},
    {11, 0x443, 14, 13, 15, 2, 3},
    {12, 0x444, 15, 14, 15, 3, 3, 1},
};

// Behind an outer pass: runs of 16 doubles, so that blocks read and write whole lines of memory.
constexpr ModularShape kModularColumnsParts[] = {{8, 0x44, 12, 12}, {9, 0x432, 13, 13}};

// The outer pass over 2^i parts, a thread has those of the largest node.
constexpr unsigned kModularOuterNodes[FFT_MODULAR_LG_OUTER + 1] = {0,   0x1,  0x2,  0x3,
                                                                   0x4, 0x32, 0x33, 0x43};
constexpr unsigned kModularLgOuterThreads = 8, kModularOuterThreads = 1u << kModularLgOuterThreads;
constexpr unsigned ModularOuterS(unsigned nodes) {
    return RegisterDigits(nodes) + kModularLgOuterThreads;
}

// Pieces that one block transforms whole: the first node has all registers.
constexpr ModularShape kModularPieces[] = {
    {9, 0x3231, 9, 9},
    {10, 0x3322, 10, 10},
    {11, 0x3332, 11, 11},
};

template <size_t kN>
constexpr const ModularShape *ModularShapeOf(const ModularShape (&shapes)[kN], unsigned lg) {
    for (const ModularShape &shape : shapes) {
        if (shape.lg == lg) {
            return &shape;
        }
    }
    return nullptr;
}

// split: behind an outer pass.
constexpr const ModularShape *ModularColumnsShapeOf(unsigned lg_rows, unsigned lg_columns,
                                                    bool split) {
    return lg_columns == FFT_MODULAR_LG_SHORT    ? ModularShapeOf(kModularColumnsShort, lg_rows)
           : lg_columns == FFT_MODULAR_LG_MIDDLE ? ModularShapeOf(kModularColumnsMiddle, lg_rows)
           : split                               ? ModularShapeOf(kModularColumnsParts, lg_rows)
                                                 : ModularShapeOf(kModularColumnsLong, lg_rows);
}
inline const ModularShape &ModularColumnsShapeOf(const fft_modular_plan &plan) {
    return *ModularColumnsShapeOf(plan.lg_rows, plan.lg_columns, plan.lg_outer > 0);
}

// Twiddles between columns and rows. Row k1 of a part takes element c by the power c (k1 + turn of
// its w) of the root g of order 2^(lg_rows + lg_columns).
//
// Forward, the node before the last does a part of it. Let its digits of k1 be k, k1 = before + k
// 2^b + last 2^l, and t the digits of the point that are left after it: its roots are g^(k 2^b t
// 2^lg_columns), and taken at t + c / 2^lg_columns, turned, they have g^(c k 2^b) in them. What
// remains is a factor for each k1 without k. Tiles have these tables one after the other.
//
// In the inverse, whose tiles no blocks share, tables are smaller: k1 = register 2^rest + high
// 2^low + low, rest the digits that threads have: so the power is one of a register's, one of the
// part's, one of the high digits' and, where there are more than kModularLow, one of the low
// digits'.
constexpr unsigned kModularLow = 4;

constexpr unsigned DigitsBefore(unsigned nodes, unsigned node) {
    return node == 0 ? 0 : NodeDigits(nodes, node - 1) + DigitsBefore(nodes, node - 1);
}

// ModularTurns: the node before the last of columns: its number, the digits before it, its own, and
// those after it.
struct ModularTurns {
    unsigned node, before, digits, after;
};
constexpr ModularTurns ModularTurnsOf(unsigned nodes) {
    const unsigned node = NodesOf(nodes) - 2;
    return {node, DigitsBefore(nodes, node), NodeDigits(nodes, node), NodeDigits(nodes, node + 1)};
}
// Whether turned roots go by way of shared memory: 2 to 5 % faster on an H200 with a second node of
// 8 points, as long with one of 16, which has no registers for it.
constexpr bool ModularStages(unsigned nodes) {
    return ModularTurnsOf(nodes).node > 0 && ModularTurnsOf(nodes).digits == 3;
}
// Doubles that each block of a tile of 2^s points keeps in shared memory: factors of its items, and
// roots of the tile that are staged.
constexpr unsigned ModularRoom(unsigned nodes, unsigned s, unsigned spread) {
    const ModularTurns t = ModularTurnsOf(nodes);
    return (1u << (s - spread - t.digits)) + (ModularStages(nodes) ? 1u << (s - t.before) : 0);
}

// ModularPlaces: where tables begin, in doubles from the prime's first; all of one shape.
struct ModularPlaces {
    unsigned rows[kMaxNodes - 1], columns[kMaxNodes - 1];  // node roots: [k][t]
    // Forward. turned: [tile] of roots as in residues.cuh; factors:
    // [part][tile][last][before][line] without an outer pass; with one, which makes many parts, no
    // [part].
    unsigned turned, factors;
    // Inverse. steps: [register][c], low: [k][c], high: [part][k][c] without an outer pass, else
    // [k][c].
    unsigned steps, low, high;
    unsigned low_digits, high_digits;
    // Forward and inverse. part: with an outer pass, [part][c]. twist: of part s and row r, [s][r],
    // its w to the power r / 2^lg_rows, outer: of piece s, [s][k], w_s to the power k / 2^lg_outer,
    // outer_nodes: as rows and columns.
    // Where inverses have the part they have the factor 1 / length too.
    unsigned part[2], twist[2], outer[2];
    unsigned outer_nodes[kMaxNodes - 1];
    bool split;             // there is an outer pass
    unsigned twisted_from;  // pieces from this number on are twisted, without an outer pass
    unsigned total;
};

// Of pieces that are transformed whole, columns[0] has what each piece needs for itself, [s], and
// columns[1] and on the roots of the other nodes, common to all. A piece's own are the roots of the
// first node, [k][t], times w to the power t / 2^lg_rows; w to the powers of eighths; the same
// times 1 / (w length); and 1 / length, twice.
constexpr unsigned kModularPieceItems = 8;  // of a thread
struct ModularPieceOwn {
    unsigned steps, scales, zero, total;
};
HOST_DEVICE constexpr ModularPieceOwn ModularPieceOwnOf(unsigned lg) {
    const unsigned n = 1u << lg, items = kModularPieceItems;
    return {n, n + items, n + 2 * items, n + 2 * items + 2};
}

constexpr unsigned PlaceNodes(unsigned nodes, unsigned lg, unsigned at, unsigned *places) {
    for (unsigned i = 0, left = lg; i + 1 < NodesOf(nodes); i++) {
        places[i] = at;
        at += 1u << left;
        left -= NodeDigits(nodes, i);
    }
    return at;
}

// The nodes but the first.
constexpr unsigned NodesLeft(unsigned nodes) { return nodes % (1u << 4 * (NodesOf(nodes) - 1)); }

inline ModularPlaces ModularPiecePlacesOf(unsigned pieces, unsigned lg) {
    const unsigned nodes = ModularShapeOf(kModularPieces, lg)->nodes;
    ModularPlaces p = {};
    p.total = PlaceNodes(NodesLeft(nodes), lg - NodeDigits(nodes, 0),
                         pieces * ModularPieceOwnOf(lg).total, p.columns + 1);
    return p;
}

inline ModularPlaces ModularPlacesOf(const fft_modular_plan &plan) {
    const unsigned pieces = plan.pieces, lg_outer = plan.lg_outer;
    const unsigned lg_rows = plan.lg_rows, lg_columns = plan.lg_columns;
    if (fft_modular_whole(&plan)) {
        return ModularPiecePlacesOf(pieces, lg_rows);
    }
    const ModularShape &columns = ModularColumnsShapeOf(plan);
    const ModularShape &rows = *ModularShapeOf(kModularRows, lg_columns);
    const unsigned registers = RegisterDigits(columns.nodes), rest = lg_rows - registers;
    const ModularTurns turns = ModularTurnsOf(columns.nodes);
    ModularPlaces p = {};
    p.split = lg_outer > 0;
    p.twisted_from = plan.negacyclic ? 0 : 1;  // w of piece 0 is 1
    p.low_digits = rest > kModularLow ? kModularLow : 0;
    p.high_digits = rest - p.low_digits;
    unsigned at = PlaceNodes(rows.nodes, lg_columns, 0, p.rows);
    at = PlaceNodes(columns.nodes, lg_rows, at, p.columns);
    at = (at + 15) / 16 * 16;  // copied 16 bytes at a time, and in lines
    p.turned = at;
    at += 1u << (turns.digits + turns.after + lg_columns);
    p.factors = at;
    at += (p.split ? 1 : pieces) << (lg_rows - turns.digits + lg_columns);
    p.steps = at;
    at += 1u << (registers + lg_columns);
    p.low = at;
    at += 1u << (p.low_digits + lg_columns);
    p.high = at;
    at += (p.split ? 1 : pieces) << (p.high_digits + lg_columns);
    for (unsigned inverse = 0; inverse < 2; inverse++) {
        p.part[inverse] = at;
        at += p.split ? pieces << (lg_outer + lg_columns) : 0;
        p.twist[inverse] = at;
        at += pieces << (lg_outer + lg_rows);
        p.outer[inverse] = at;
        at += pieces << lg_outer;
    }
    at = p.split ? PlaceNodes(kModularOuterNodes[lg_outer], lg_outer, at, p.outer_nodes) : at;
    p.total = (at + 15) / 16 * 16;
    return p;
}

// ModularOrigin: what the pieces of a plan are: those of the whole product, {0, 0, how many}, or of
// one modulo x^N + 1, {how many, 0, how many}; or the parts from number `first` on of `pieces`
// pieces that an outer pass of 2^lg_outer has split before, and will join again.
struct ModularOrigin {
    unsigned first, lg_outer, pieces;
};

// ModularTablesMake: fft_modular_tables_make (tables.cu), modulo the second primes if `second`. Of
// parts there may be more than FFT_MODULAR_PIECES.
result ModularTablesMake(fft_modular_tables *tables, const fft_modular_plan *plan, bool second,
                         const ModularOrigin &origin, void *memory, cuda_stream stream);

// ModularStep: the arguments of a launch that describe its step. A step's primes are of one group
// of the plan. Planes are `lines` lines of 16 doubles apart.
struct ModularStep {
    unsigned parts;
    unsigned first, primes;  // of the group's primes
    unsigned lines;
    const double *tables;
    ModularPlaces places;
    fft_modular_prime prime[FFT_PRIMES_USED];

    // Where plane i of the step begins: there are fewer than 2^32 lines.
    DEVICE size_t Plane(unsigned i) const { return (size_t)i * ((size_t)lines << 4); }
};

#endif  // FFT_DEVICE_MODULAR_TABLES_CUH_
