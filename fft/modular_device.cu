// modular_device.cu: from plans of modular convolutions to launches: constants, tables, the three
// steps. Includes modular_kernels.h, not the kernels' instances.
#include "fft/modular.h"

#include "fft/modular_kernels.h"
#include "primitives/launch.cuh"
#include "primitives/modarith.h"

namespace {

// --- Constants -----------------------------------------------------------------------------------

uint64_t PrimeOf(unsigned i) { return (uint64_t)fft_primes[i].p; }

// The root of order 2^32 to the power e.
uint64_t PowerOf(unsigned i, uint64_t e) {
    return mod_pow((uint64_t)fft_primes[i].root, e % (UINT64_C(1) << 32), PrimeOf(i));
}

// The turn of w_s in units of 2^-32: its binary digits are those of s in reverse.
uint32_t TurnOf(unsigned s) {
    uint32_t turn = 0;
    for (unsigned i = 0; i < 3; i++) {
        turn |= (s >> i & 1) << (31 - i);
    }
    return turn;
}

// The turn of part i's root.
uint32_t TurnOfPart(const fft_modular_tables *t, unsigned i) {
    const unsigned k = i & ((1u << t->lg_outer) - 1);
    const uint64_t whole = (uint64_t)TurnOf(i >> t->lg_outer) + ((uint64_t)k << 32);
    return (uint32_t)(whole >> t->lg_outer);
}

double Balanced(uint64_t a, uint64_t p) { return (double)mod_balance(a, p); }

// The inverse of the matrix (w_s)^b, b columns, s rows: coefficients from pieces, by elimination.
// Its leading minors are Vandermonde's, so no pivot is 0.
void MakeJoin(fft_modular_prime *f, unsigned i, unsigned pieces) {
    const uint64_t p = PrimeOf(i);
    uint64_t a[FFT_MODULAR_PIECES][2 * FFT_MODULAR_PIECES] = {};
    for (unsigned s = 0; s < pieces; s++) {
        for (unsigned b = 0; b < pieces; b++) {
            a[s][b] = PowerOf(i, (uint64_t)TurnOf(s) * b);
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

void MakePrime(fft_modular_prime *f, unsigned i, unsigned pieces) {
    const uint64_t p = PrimeOf(i);
    f->field.p = (double)p;
    f->field.inverse = 1 / f->field.p;
    for (unsigned j = 0; j < FFT_MODULAR_ROOTS; j++) {
        f->root[j] = Balanced(PowerOf(i, (uint64_t)(j + 1) << 28), p);
        f->quotient[j] = f->root[j] / f->field.p;
    }
    for (unsigned s = 0; s < pieces; s++) {
        f->omega[s] = Balanced(PowerOf(i, TurnOf(s)), p);
        f->omega_quotient[s] = f->omega[s] / f->field.p;
    }
    MakeJoin(f, i, pieces);
}

// --- Tables --------------------------------------------------------------------------------------

constexpr unsigned kFillThreads = 256;

// FillJob: rows of `length` powers: entry (k, c) = scale times root^(c (turn + k step)), the root
// of order 2^32; exponents are modulo that.
struct FillJob {
    double *to;
    unsigned rows, lg_length;
    uint32_t turn, step;
    double scale;
    fft_modular_prime prime;
    double power[32];  // root^(2^i)
};

__global__ void __launch_bounds__(kFillThreads)
    ModularFillKernel(const __grid_constant__ FillJob job) {
    WaitForKernelBefore();
    const unsigned i = blockIdx.x * kFillThreads + threadIdx.x;
    if (i >> job.lg_length >= job.rows) {
        return;
    }
    const uint32_t c = i & ((1u << job.lg_length) - 1), k = i >> job.lg_length;
    const uint32_t e = c * (job.turn + k * job.step);
    double w = job.scale;
#pragma unroll 1
    for (unsigned b = 0; b < 32; b++) {
        if ((e >> b & 1) != 0) {
            w = ModularMul(w, job.power[b], job.prime.field);
        }
    }
    job.to[i] = ModularReduce(w, job.prime.field);
}

// Filler: the tables of one prime, one launch each; the first error is kept.
struct Filler {
    FillJob job;
    double *tables;
    cudaStream_t stream;
    cudaError_t error;

    void Rows(size_t at, unsigned rows, unsigned lg_length, uint32_t turn, uint32_t step) {
        if (error != cudaSuccess) {
            return;
        }
        job.to = tables + at;
        job.rows = rows;
        job.lg_length = lg_length;
        job.turn = turn;
        job.step = step;
        const unsigned items = rows << lg_length;
        error = Launch(ModularFillKernel, (items + kFillThreads - 1) / kFillThreads, kFillThreads,
                       0, stream, job);
    }

    void Nodes(unsigned nodes, unsigned lg, const unsigned *places) {
        for (unsigned i = 0, left = lg; i + 1 < NodesOf(nodes); i++) {
            const unsigned digits = NodeDigits(nodes, i);
            Rows(places[i], 1u << digits, left - digits, 0, 1u << (32 - left));
            left -= digits;
        }
    }

    // Twists and what stands between columns and rows, forward or inverse.
    void Between(const fft_modular_tables *t, const ModularPlaces &places, bool inverse) {
        const unsigned lg = t->lg_rows + t->lg_columns, sign = inverse ? ~0u : 1u;  // -1 or 1
        const unsigned rest = places.low_digits + places.high_digits, c = t->lg_columns;
        const uint32_t unit = (uint32_t)((UINT64_C(1) << 32) >> lg);
        Rows(places.steps[inverse], 1u << (t->lg_rows - rest), c, 0, (unit << rest) * sign);
        Rows(places.low[inverse], 1u << places.low_digits, c, 0, unit * sign);
        const uint32_t high_step = (unit << places.low_digits) * sign;
        const unsigned highs = 1u << places.high_digits;
        if (places.split) {
            Rows(places.high[inverse], highs, c, 0, high_step);
        }
        for (unsigned i = 0; i < t->pieces << t->lg_outer; i++) {
            const uint32_t turn = TurnOfPart(t, i), of_part = (turn >> lg) * sign;
            Rows(places.twist[inverse] + ((size_t)i << t->lg_rows), 1, t->lg_rows,
                 (turn >> t->lg_rows) * sign, 0);
            // 1 / length, of two pieces half of that
            const uint64_t p = (uint64_t)job.prime.field.p;
            const unsigned halvings = lg + t->lg_outer + (t->pieces == 2 ? 1 : 0);
            job.scale = inverse ? Balanced(p - ((p - 1) >> halvings), p) : 1;
            if (places.split) {
                Rows(places.part[inverse] + ((size_t)i << c), 1, c, of_part, 0);
            } else {
                Rows(places.high[inverse] + ((size_t)i << (places.high_digits + c)), highs, c,
                     of_part, high_step);
            }
            job.scale = 1;
        }
        for (unsigned s = 0; s < t->pieces; s++) {
            Rows(places.outer[inverse] + ((size_t)s << t->lg_outer), 1, t->lg_outer,
                 (TurnOf(s) >> t->lg_outer) * sign, 0);
        }
    }
};

// --- Launches ------------------------------------------------------------------------------------

const ModularColumnsEntry *ColumnsOf(const fft_modular_step *step) {
    return ModularColumnsOf(step->plan->lg_rows, step->plan->lg_columns);
}

void SetPrimes(fft_modular_prime (&to)[FFT_PRIMES_USED], const fft_modular_tables *tables) {
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        to[i] = tables->prime[i];
    }
}

ModularPlaces PlacesOf(const fft_modular_plan *plan) {
    return ModularPlacesOf(plan->pieces, plan->lg_outer, plan->lg_rows, plan->lg_columns);
}

ModularColumnsJob ColumnsJob(const fft_modular_step *step) {
    ModularColumnsJob job = {};
    job.parts = fft_modular_parts(step->plan);
    job.first = step->first;
    job.primes = step->primes;
    job.tables = step->tables->memory;
    job.places = PlacesOf(step->plan);
    SetPrimes(job.prime, step->tables);
    return job;
}

ModularDigits DigitsOf(const fft_modular_plan *plan, fft_modular_operand a, uint64_t count,
                       double *plane) {
    uint64_t words = a.words_n, pairs = words - 1;
    if (plan->digit_bits == 64) {  // digits count, words beyond them are not read
        words = words < count ? words : count;
        pairs = words < count - 1 ? words : count - 1;
    }
    return {a.words,
            (const uint32_t *)a.words,
            (unsigned)words,
            plan->digit_bits,
            ~UINT64_C(0) >> (64 - plan->digit_bits),
            (unsigned)pairs,
            (unsigned)count,
            plane};
}

bool Valid(const fft_modular_step *step) {
    return fft_modular_same_shape(step->plan, step->tables) &&
           step->first + step->primes <= FFT_PRIMES_USED;
}

template <class Job>
result Run(void (*kernel)(Job), dim3 grid, unsigned threads, size_t bytes, cudaStream_t stream,
           const Job &job) {
    // Up to 48 KiB, all of it dynamic, needs no leave.
    cudaError_t e = bytes <= 48 << 10 ? cudaSuccess : AllowShared(kernel, bytes);
    if (e == cudaSuccess) {
        e = LaunchEarly(kernel, grid, threads, bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

// --- The outer pass ------------------------------------------------------------------------------

ModularOuterJob OuterJob(const fft_modular_step *step) {
    ModularOuterJob job = {};
    job.pieces = step->plan->pieces;
    job.lg = fft_modular_lg_part(step->plan);
    job.first = step->first;
    job.primes = step->primes;
    job.tables = step->tables->memory;
    job.places = PlacesOf(step->plan);
    SetPrimes(job.prime, step->tables);
    return job;
}

dim3 OuterGrid(const ModularOuterJob &job, unsigned operands) {
    return dim3((1u << job.lg) / kModularOuterThreads, job.primes * job.pieces, operands);
}

unsigned KindOf(const fft_modular_plan *plan) {
    return plan->balanced ? kBalancedDigits : plan->digit_bits == 64 ? kWholeDigits : kShortDigits;
}

result Split(const fft_modular_step *step, const ModularDigits &a, const ModularDigits &b) {
    ModularOuterJob job = OuterJob(step);
    job.operand[0] = a;
    job.operand[1] = b;
    return Run(ModularOuterOf(step->plan->lg_outer)->split[KindOf(step->plan)],
               OuterGrid(job, b.plane == nullptr ? 1 : 2), kModularOuterThreads, 0, step->stream,
               job);
}

result Gather(const fft_modular_step *step, double *x) {
    ModularOuterJob job = OuterJob(step);
    job.operand[0].plane = x;
    return Run(ModularOuterOf(step->plan->lg_outer)->gather, OuterGrid(job, 1),
               kModularOuterThreads, 0, step->stream, job);
}

// --- The join of pieces that are apart -----------------------------------------------------------

constexpr unsigned kJoinThreads = 256;

// One element of every piece becomes one of every block of coefficients. Grid: x elements, y
// primes. Cost a point: 5 operations on doubles for each piece, 16 bytes.
struct JoinJob {
    double *x;
    unsigned pieces, lg, first;
    fft_modular_prime prime[FFT_PRIMES_USED];
};

__global__ void __launch_bounds__(kJoinThreads)
    ModularJoinKernel(const __grid_constant__ JoinJob job) {
    WaitForKernelBefore();
    const fft_modular_prime &prime = job.prime[job.first + blockIdx.y];
    double *x = job.x + ((size_t)blockIdx.y * job.pieces << job.lg) +
                (size_t)blockIdx.x * kJoinThreads + threadIdx.x;
    double piece[FFT_MODULAR_PIECES];
#pragma unroll
    for (unsigned s = 0; s < FFT_MODULAR_PIECES; s++) {
        piece[s] = s < job.pieces ? x[(size_t)s << job.lg] : 0;
    }
    if (job.pieces == 2) {  // halves of these are in the tables
        x[0] = piece[0] + piece[1];
        x[(size_t)1 << job.lg] = piece[0] - piece[1];
        return;
    }
    for (unsigned b = 0; b < job.pieces; b++) {
        double sum = 0;
#pragma unroll
        for (unsigned s = 0; s < FFT_MODULAR_PIECES; s++) {
            if (s < job.pieces) {
                sum += ModularMul(piece[s], prime.join[b][s], prime.field);
            }
        }
        x[(size_t)b << job.lg] = sum;
    }
}

result Join(const fft_modular_step *step, double *x) {
    const unsigned lg = fft_modular_lg_part(step->plan) + step->plan->lg_outer;
    JoinJob job = {x, step->plan->pieces, lg, step->first, {}};
    SetPrimes(job.prime, step->tables);
    const dim3 grid((1u << job.lg) / kJoinThreads, step->primes);
    return Run(ModularJoinKernel, grid, kJoinThreads, 0, step->stream, job);
}

}  // namespace

size_t fft_modular_table_bytes(const fft_modular_plan *plan) {
    return FFT_PRIMES_USED * PlacesOf(plan).total * sizeof(double);
}

result fft_modular_tables_make(fft_modular_tables *tables, const fft_modular_plan *plan,
                               void *memory, device_stream stream) {
    *tables = {};
    tables->pieces = plan->pieces;
    tables->lg_outer = plan->lg_outer;
    tables->lg_rows = plan->lg_rows;
    tables->lg_columns = plan->lg_columns;
    tables->memory = (const double *)memory;
    const ModularPlaces places = PlacesOf(plan);
    Filler filler = {};
    filler.stream = stream;
    for (unsigned i = 0; i < FFT_PRIMES_USED; i++) {
        MakePrime(&tables->prime[i], i, plan->pieces);
        filler.tables = (double *)memory + (size_t)i * places.total;
        filler.job.prime = tables->prime[i];
        filler.job.scale = 1;
        for (unsigned b = 0; b < 32; b++) {
            filler.job.power[b] = Balanced(PowerOf(i, UINT64_C(1) << b), PrimeOf(i));
        }
        filler.Nodes(ModularShapeOf(kModularRows, plan->lg_columns)->nodes, plan->lg_columns,
                     places.rows);
        filler.Nodes(ModularColumnsShapeOf(plan->lg_rows, plan->lg_columns)->nodes, plan->lg_rows,
                     places.columns);
        filler.Between(tables, places, false);
        filler.Between(tables, places, true);
    }
    return filler.error == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result fft_modular_columns(const fft_modular_step *step, double *x, fft_modular_operand a,
                           double *y, fft_modular_operand b) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = ColumnsJob(step);
    job.operand[0] = DigitsOf(plan, a, plan->a_digits, x);
    job.operand[1] = DigitsOf(plan, b, plan->b_digits, y);
    const unsigned tiles = 1u << (plan->lg_columns - entry->lg_lines);
    const dim3 grid(tiles * step->primes * job.parts, y == nullptr ? 1 : 2);
    const bool split = plan->lg_outer > 0;
    const result done = split ? Split(step, job.operand[0], job.operand[1]) : RESULT_OK;
    return done == RESULT_OK ? Run(entry->columns[split ? kSplitDigits : KindOf(plan)], grid,
                                   entry->threads, entry->bytes, step->stream, job)
                             : done;
}

result fft_modular_rows(const fft_modular_step *step, double *x, const double *y,
                        fft_row_mode mode) {
    const fft_modular_sum none = {};
    return fft_modular_rows_sum(step, x, y, mode, &none);
}

result fft_modular_rows_sum(const fft_modular_step *step, double *x, const double *y,
                            fft_row_mode mode, const fft_modular_sum *sum) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularRowsEntry *entry = ModularRowsOf(plan->lg_columns);
    ModularRowsJob job = {};
    job.x = x;
    job.y = y;
    job.mode = mode;
    job.sum = *sum;
    job.rows = (uint64_t)fft_modular_parts(plan) << plan->lg_rows;
    job.first = step->first;
    job.primes = step->primes;
    job.tables = step->tables->memory;
    job.places = PlacesOf(plan);
    SetPrimes(job.prime, step->tables);
    const size_t bytes = entry->bytes * (mode == FFT_ROW_MULTIPLY ? 2 : 1);
    return Run(entry->kernel, dim3((unsigned)(job.rows >> entry->lg_lines) * step->primes),
               entry->threads, bytes, step->stream, job);
}

result fft_modular_inverse(const fft_modular_step *step, double *x) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = ColumnsJob(step);
    job.operand[0].plane = x;
    const unsigned tiles = 1u << (plan->lg_columns - entry->back_lg_lines);
    const bool apart = fft_modular_apart(plan);
    const unsigned together = apart ? 1 : plan->pieces, blocks = job.parts / together;
    result done =
        Run(entry->back[apart], dim3(tiles * step->primes * blocks), entry->back_threads * together,
            entry->back_bytes * together, step->stream, job);
    if (done == RESULT_OK && plan->lg_outer > 0) {
        done = Gather(step, x);
    }
    return done == RESULT_OK && apart && plan->pieces > 1 ? Join(step, x) : done;
}
