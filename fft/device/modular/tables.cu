// tables.cu: the constants of the primes and the twiddle tables of a shape. Includes
// tables.cuh and residues.cuh.
#include "fft/device/modular/tables.cuh"

#include <cassert>

#include "fft/device/modular/residues.cuh"
#include "fft/device/modular/second_primes.h"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/modarith.h"

namespace {

// --- Constants -----------------------------------------------------------------------------------

// Field: a prime and its root of order 2^lg. The root's power at a turn, in units of 2^-64, which
// is a multiple of 2^-lg.
struct Field {
    uint64_t p, root;
    unsigned lg;

    uint64_t Power(uint64_t turn) const { return mod_pow(root, turn >> (64 - lg), p); }
};

Field FieldOf(bool second, unsigned i) {
    const fft_prime &prime = second ? fft_second_primes[i] : fft_primes[i];
    return {(uint64_t)prime.p, (uint64_t)prime.root, second ? (unsigned)FFT_SECOND_LG_ROOT : 32u};
}

// The turn of w_s in units of 2^-64: its binary digits are those of s in reverse.
uint64_t TurnOf(unsigned s) {
    uint64_t turn = 0;
    for (unsigned i = 0; i < 3; i++) {
        turn |= (uint64_t)(s >> i & 1) << (63 - i);
    }
    return turn;
}

// Part: what piece s of a plan is: a part of a piece of the whole product, or that piece.
struct Part {
    unsigned piece, number;
};
Part PartOf(const ModularOrigin &origin, unsigned s) {
    const unsigned part = origin.first + s;
    return {part >> origin.lg_outer, part & ((1u << origin.lg_outer) - 1)};
}
uint64_t TurnOf(const ModularOrigin &origin, unsigned s) {
    const Part part = PartOf(origin, s);
    const uint64_t own = origin.lg_outer > 0 ? (uint64_t)part.number << (64 - origin.lg_outer) : 0;
    return (TurnOf(part.piece) >> origin.lg_outer) + own;
}

// The number of a plan's first piece: 1, 2 and 4 pieces from that number on are x^N + 1.
unsigned FirstPieceOf(const fft_modular_plan *plan) { return plan->negacyclic ? plan->pieces : 0; }

double Balanced(uint64_t a, uint64_t p) { return (double)mod_balance(a, p); }

// The inverse of the matrix (w_s)^b, b columns, s rows: coefficients from pieces, by elimination.
// Its leading minors are Vandermonde's, so no pivot is 0.
void MakeJoin(fft_modular_prime *f, const Field &field, unsigned first, unsigned pieces) {
    const uint64_t p = field.p;
    uint64_t a[FFT_MODULAR_PIECES][2 * FFT_MODULAR_PIECES] = {};
    for (unsigned s = 0; s < pieces; s++) {
        for (unsigned b = 0; b < pieces; b++) {
            a[s][b] = field.Power(TurnOf(first + s) * b);
        }
        a[s][pieces + s] = 1;
    }
    for (unsigned k = 0; k < pieces; k++) {
        const uint64_t inverse = mod_inverse(a[k][k], p);
        for (unsigned b = 0; b < 2 * pieces; b++) {
            a[k][b] = mod_mul(a[k][b], inverse, p);
        }
        for (unsigned s = 0; s < pieces; s++) {
            const uint64_t times = s == k ? 0 : p - a[s][k];
            for (unsigned b = 0; b < 2 * pieces; b++) {
                a[s][b] = (a[s][b] + mod_mul(times, a[k][b], p)) % p;
            }
        }
    }
    for (unsigned b = 0; b < pieces; b++) {
        for (unsigned s = 0; s < pieces; s++) {
            f->join[b][s] = Balanced(a[b][pieces + s], p);
        }
    }
}

// What pieces have is made for up to FFT_MODULAR_PIECES: more are never joined.
void MakePrime(fft_modular_prime *f, const Field &field, unsigned first, unsigned pieces) {
    f->field.p = (double)field.p;
    f->field.inverse = 1 / f->field.p;
    for (unsigned j = 0; j < FFT_MODULAR_ROOTS; j++) {
        f->root[j] = Balanced(field.Power((uint64_t)(j + 1) << 60), field.p);
        f->quotient[j] = f->root[j] / f->field.p;
    }
    if (pieces > FFT_MODULAR_PIECES) {
        return;
    }
    for (unsigned s = 0; s < pieces; s++) {
        f->omega[s] = Balanced(field.Power(TurnOf(first + s)), field.p);
        f->omega_quotient[s] = f->omega[s] / f->field.p;
    }
    MakeJoin(f, field, first, pieces);
}

// Factors of 1 / 2 that piece s must have before the join: of two, three and five pieces, whose
// blocks of coefficients are sums and differences (join.cuh).
unsigned JoinHalvings(unsigned pieces, unsigned s) {
    return pieces == 2 ? 1 : pieces == 3 ? (s < 2 ? 2 : 1) : pieces == 5 ? (s < 4 ? 3 : 1) : 0;
}

// --- Tables --------------------------------------------------------------------------------------

constexpr unsigned kFillThreads = 256;

// FillOrder: where entries stand: tile after tile, in each row after row of 2^lg_length places. c
// is the tile's number times 2^lg_tile, and the place's lg_low lowest digits times `low`, the
// others times `high`; k the row's lg_k lowest digits, and the others times 2^shift_k.
struct FillOrder {
    unsigned lg_tile, lg_low;
    uint32_t low, high;
    unsigned lg_k, shift_k;
};

// FillJob: rows of `length` powers: entry (k, c) = scale times the root's power at the turn c (turn
// + k step), in units of 2^-64, of which whole turns are left out.
struct FillJob {
    double *to;
    unsigned tiles, rows, lg_length;
    FillOrder order;
    uint64_t turn, step;
    double scale;
    fft_modular_field field;
    unsigned lg_root;
    double power[FFT_SECOND_LG_ROOT];  // root^(2^i)
};

__global__ void __launch_bounds__(kFillThreads)
    ModularFillKernel(const __grid_constant__ FillJob job) {
    WaitForKernelBefore();
    const unsigned i = blockIdx.x * kFillThreads + threadIdx.x;
    const unsigned row = (i >> job.lg_length) % job.rows, tile = (i >> job.lg_length) / job.rows;
    if (tile >= job.tiles) {
        return;
    }
    const FillOrder &o = job.order;
    const unsigned place = i & ((1u << job.lg_length) - 1), low = place & ((1u << o.lg_low) - 1);
    const uint64_t c = (tile << o.lg_tile) + low * o.low + (place >> o.lg_low) * o.high;
    const uint64_t k = (row & ((1u << o.lg_k) - 1)) + (row >> o.lg_k << o.shift_k);
    const uint64_t e = c * (job.turn + k * job.step) >> (64 - job.lg_root);
    double w = job.scale;
#pragma unroll 1
    for (unsigned b = 0; b < job.lg_root; b++) {
        if ((e >> b & 1) != 0) {
            w = ModularMul(w, job.power[b], job.field);
        }
    }
    job.to[i] = ModularReduce(w, job.field);
}

// Filler: the tables of one prime, one launch each; the first error is kept.
struct Filler {
    FillJob job;
    Field field;
    ModularOrigin origin;
    double *tables;
    cudaStream_t stream;
    cudaError_t error;

    void Rows(size_t at, unsigned rows, unsigned lg_length, uint64_t turn, uint64_t step) {
        const FillOrder plain = {0, lg_length, 1, 0, 0, 0};
        Tiles(at, 1, rows, lg_length, plain, turn, step);
    }

    void Tiles(size_t at, unsigned tiles, unsigned rows, unsigned lg_length, const FillOrder &order,
               uint64_t turn, uint64_t step) {
        if (error != cudaSuccess) {
            return;
        }
        job.to = tables + at;
        job.tiles = tiles;
        job.rows = rows;
        job.lg_length = lg_length;
        job.order = order;
        job.turn = turn;
        job.step = step;
        const unsigned items = tiles * rows << lg_length;
        error = Launch(ModularFillKernel, (items + kFillThreads - 1) / kFillThreads, kFillThreads,
                       0, stream, job);
    }

    void Nodes(unsigned nodes, unsigned lg, const unsigned *places) {
        for (unsigned i = 0, left = lg; i + 1 < NodesOf(nodes); i++) {
            const unsigned digits = NodeDigits(nodes, i);
            Rows(places[i], 1u << digits, left - digits, 0, UINT64_C(1) << (64 - left));
            left -= digits;
        }
    }

    // What pieces that are transformed whole need, modulo the prime of that number.
    void Pieces(const fft_modular_plan *t, const ModularPlaces &places) {
        const unsigned lg = t->lg_rows, nodes = ModularShapeOf(kModularPieces, lg)->nodes;
        const unsigned digits = NodeDigits(nodes, 0);
        const uint64_t p = field.p, scale = p - (p - 1) / ((uint64_t)t->pieces << lg);
        const ModularPieceOwn own = ModularPieceOwnOf(lg);
        for (unsigned s = 0; s < t->pieces; s++) {
            const uint64_t turn = TurnOf(origin, s);
            const unsigned at = places.columns[0] + s * own.total;
            Rows(at, 1u << digits, lg - digits, turn >> lg, UINT64_C(1) << (64 - lg));
            Rows(at + own.steps, 1, digits, turn >> digits, 0);
            job.scale = Balanced(mod_mul(scale, mod_inverse(field.Power(turn), p), p), p);
            Rows(at + own.scales, 1, digits, turn >> digits, 0);
            job.scale = Balanced(scale, p);
            Rows(at + own.zero, 1, 1, 0, 0);
            job.scale = 1;
        }
        Nodes(NodesLeft(nodes), lg - digits, places.columns + 1);
    }

    // The power of g with one more row.
    static uint64_t UnitOf(const fft_modular_plan *t) {
        return UINT64_C(1) << (64 - (t->lg_rows + t->lg_columns));
    }

    // Forward, between columns and rows: what does not depend on the part.
    void Turned(const fft_modular_plan *t, const ModularPlaces &places) {
        const ModularShape &shape = ModularColumnsShapeOf(*t);
        const ModularTurns turns = ModularTurnsOf(shape.nodes);
        const unsigned lines = shape.s - t->lg_rows;
        const uint32_t row = UINT32_C(1) << t->lg_columns;
        const FillOrder order = turns.node == 0 ? FillOrder{lines, lines, 1, row, 0, 0}
                                                : FillOrder{lines, turns.after, row, 1, 0, 0};
        Tiles(places.turned, 1u << (t->lg_columns - lines), 1u << turns.digits, lines + turns.after,
              order, 0, UnitOf(t) << turns.before);
        if (places.split) {
            Factors(t, places.factors, 0);
        }
    }
    // The factors of a part, and their number.
    static size_t FactorsOf(const fft_modular_plan *t) {
        const ModularShape &shape = ModularColumnsShapeOf(*t);
        return (size_t)1 << (t->lg_rows - ModularTurnsOf(shape.nodes).digits + t->lg_columns);
    }
    void Factors(const fft_modular_plan *t, size_t at, uint64_t of_part) {
        const ModularShape &shape = ModularColumnsShapeOf(*t);
        const ModularTurns turns = ModularTurnsOf(shape.nodes);
        const unsigned lines = shape.s - t->lg_rows;
        const FillOrder order = {lines, lines, 1, 0, turns.before, turns.before + turns.digits};
        Tiles(at, 1u << (t->lg_columns - lines), 1u << (t->lg_rows - turns.digits), lines, order,
              of_part, UnitOf(t));
    }

    // Inverse: the same.
    void Back(const fft_modular_plan *t, const ModularPlaces &places) {
        const unsigned rest = places.low_digits + places.high_digits, c = t->lg_columns;
        Rows(places.steps, 1u << (t->lg_rows - rest), c, 0, 0 - (UnitOf(t) << rest));
        Rows(places.low, 1u << places.low_digits, c, 0, 0 - UnitOf(t));
        if (places.split) {
            BackHigh(t, places, places.high, 0);
        }
    }
    void BackHigh(const fft_modular_plan *t, const ModularPlaces &places, size_t at,
                  uint64_t of_part) {
        Rows(at, 1u << places.high_digits, t->lg_columns, of_part,
             0 - (UnitOf(t) << places.low_digits));
    }

    // What parts have for themselves, forward or inverse, and twists: those of a piece have turns
    // that are a step apart, all multiples of 2^lg.
    void Parts(const fft_modular_plan *t, const ModularPlaces &places, bool inverse) {
        const unsigned lg = t->lg_rows + t->lg_columns, c = t->lg_columns;
        const unsigned parts = 1u << t->lg_outer;
        const uint64_t sign = inverse ? ~UINT64_C(0) : 1;  // -1 or 1
        const uint64_t step = t->lg_outer > 0 ? UINT64_C(1) << (64 - t->lg_outer) : 0;
        for (unsigned s = 0; s < t->pieces; s++) {
            const uint64_t turn = TurnOf(origin, s) >> t->lg_outer, of_part = (turn >> lg) * sign;
            const size_t i = (size_t)s << t->lg_outer;
            Rows(places.twist[inverse] + (i << t->lg_rows), parts, t->lg_rows,
                 (turn >> t->lg_rows) * sign, (step >> t->lg_rows) * sign);
            // 1 / length, and what the join leaves out
            const unsigned halvings = lg + t->lg_outer + origin.lg_outer +
                                      JoinHalvings(origin.pieces, PartOf(origin, s).piece);
            assert(halvings <= field.lg);
            job.scale = inverse ? Balanced(field.p - ((field.p - 1) >> halvings), field.p) : 1;
            if (places.split) {
                Rows(places.part[inverse] + (i << c), parts, c, of_part, (step >> lg) * sign);
            } else if (inverse) {
                BackHigh(t, places, places.high + (i << (places.high_digits + c)), of_part);
            } else {
                Factors(t, places.factors + i * FactorsOf(t), of_part);
            }
            job.scale = 1;
            Rows(places.outer[inverse] + i, 1, t->lg_outer, turn * sign, 0);
        }
    }
};

}  // namespace

size_t fft_modular_table_bytes(const fft_modular_plan *plan) {
    return plan->primes * ModularPlacesOf(*plan).total * sizeof(double);
}

result fft_modular_tables_make(fft_modular_tables *tables, const fft_modular_plan *plan,
                               void *memory, cuda_stream stream) {
    const unsigned first = FirstPieceOf(plan);
    return ModularTablesMake(tables, plan, false, {first, 0, plan->pieces}, memory, stream);
}

result ModularTablesMake(fft_modular_tables *tables, const fft_modular_plan *plan, bool second,
                         const ModularOrigin &origin, void *memory, cuda_stream stream) {
    *tables = {};
    tables->plan = *plan;
    tables->memory = (const double *)memory;
    const ModularPlaces places = ModularPlacesOf(*plan);
    Filler filler = {};
    filler.origin = origin;
    filler.stream = stream;
    for (unsigned i = 0; i < plan->primes; i++) {
        const Field field = filler.field = FieldOf(second, i);
        MakePrime(&tables->prime[i], field, FirstPieceOf(plan), plan->pieces);
        filler.tables = (double *)memory + (size_t)i * places.total;
        filler.job.field = tables->prime[i].field;
        filler.job.lg_root = field.lg;
        filler.job.scale = 1;
        for (unsigned b = 0; b < field.lg; b++) {
            filler.job.power[b] =
                Balanced(field.Power(UINT64_C(1) << (64 - field.lg + b)), field.p);
        }
        if (fft_modular_whole(plan)) {
            filler.Pieces(plan, places);
            continue;
        }
        filler.Nodes(ModularShapeOf(kModularRows, plan->lg_columns)->nodes, plan->lg_columns,
                     places.rows);
        filler.Nodes(ModularColumnsShapeOf(*plan).nodes, plan->lg_rows, places.columns);
        if (places.split) {
            filler.Nodes(kModularOuterNodes[plan->lg_outer], plan->lg_outer, places.outer_nodes);
        }
        filler.Turned(plan, places);
        filler.Back(plan, places);
        filler.Parts(plan, places, false);
        filler.Parts(plan, places, true);
    }
    return filler.error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
