// steps.cu: from plans of modular convolutions to launches: the steps, the join, and the
// place of what wrapped around. Includes kernels.h, not the kernels' instances.
#include "fft/device/modular/convolution.h"

#include <cassert>

#include "fft/device/modular/kernels.h"
#include "primitives/cuda/launch.cuh"

namespace {

// --- Launches ------------------------------------------------------------------------------------

const ModularColumnsEntry *ColumnsOf(const fft_modular_step *step) {
    const fft_modular_plan *plan = step->plan;
    return ModularColumnsOf(plan->lg_rows, plan->lg_columns, plan->lg_outer > 0);
}

// What every job begins with.
ModularStep StepOf(const fft_modular_step *step) {
    ModularStep s = {};
    s.parts = fft_modular_parts(step->plan);
    s.first = step->first % FFT_PRIMES_USED;
    s.primes = step->primes;
    s.lines = (unsigned)(fft_modular_plane(step->plan) / 16);
    s.places = ModularPlacesOf(*step->plan);
    const unsigned group = step->first - s.first;
    s.tables = step->tables->memory + (size_t)group * s.places.total;
    for (unsigned i = 0; i < fft_modular_group(step->plan, group); i++) {
        s.prime[i] = step->tables->prime[group + i];
    }
    return s;
}

// Bits of a digit's highest chunk: of a word, or as ModularLongDigit has it.
unsigned TopBits(unsigned bits) {
    return bits <= 64                       ? bits
           : bits <= FFT_MODULAR_TWO_CHUNKS ? bits - kLowestChunk
                                            : bits - kLowestChunk - kChunk;
}

// Digits from number `first` on, which begins a word.
ModularDigits DigitsOf(const fft_modular_plan *plan, fft_modular_operand a, uint64_t first,
                       uint64_t count, double *plane) {
    assert(first * plan->digit_bits % 64 == 0);
    const uint64_t skipped = first / 64 * plan->digit_bits + first % 64 * plan->digit_bits / 64;
    uint64_t words = a.words_n > skipped ? a.words_n - skipped : 0;
    uint64_t pairs = words > 0 ? words - 1 : 0;
    if (plan->digit_bits == 64) {  // digits count, words beyond them are not read
        words = words < count ? words : count;
        pairs = words < count - 1 ? words : count - 1;
    }
    const uint64_t *at = words > 0 ? a.words + skipped : a.words;
    return {at,
            (const uint32_t *)at,
            (unsigned)words,
            plan->digit_bits,
            ~UINT64_C(0) >> (64 - TopBits(plan->digit_bits)),
            (unsigned)pairs,
            (unsigned)count,
            plane,
            (uintptr_t)at % 16 == 0};
}

bool Valid(const fft_modular_step *step) {
    return fft_modular_same_shape(step->plan, &step->tables->plan) &&
           !fft_modular_whole(step->plan) &&
           step->first % FFT_PRIMES_USED + step->primes <= FFT_PRIMES_USED &&
           step->first + step->primes <= step->plan->primes;
}

// cluster: blocks of each, 0 for none.
template <class Job>
cudaError_t Enqueue(void (*kernel)(Job), dim3 grid, unsigned threads, unsigned cluster,
                    size_t bytes, cudaStream_t stream, const Job &job) {
    // Up to 48 KiB, all of it dynamic, needs no leave.
    const cudaError_t e = bytes <= 48 << 10 ? cudaSuccess : AllowShared(kernel, bytes);
    return e != cudaSuccess ? e
           : cluster == 0   ? LaunchEarly(kernel, grid, threads, bytes, stream, job)
                          : LaunchClusterEarly(kernel, grid, threads, cluster, bytes, stream, job);
}

result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

template <class Job>
result Run(void (*kernel)(Job), dim3 grid, unsigned threads, size_t bytes, cudaStream_t stream,
           const Job &job) {
    return Answer(Enqueue(kernel, grid, threads, 0, bytes, stream, job));
}

// tiles: grid.x counts them.
template <class Job>
result RunTiles(void (*kernel)(Job), dim3 tiles, const ModularTileEntry &tile, cudaStream_t stream,
                const Job &job) {
    const dim3 grid(tiles.x * tile.blocks, tiles.y, tiles.z);
    return Answer(Enqueue(kernel, grid, tile.threads, tile.blocks > 1 ? tile.blocks : 0, tile.bytes,
                          stream, job));
}

unsigned KindOf(const fft_modular_plan *plan) {
    const unsigned bits = plan->digit_bits;
    return plan->balanced                   ? kBalancedDigits
           : bits < 64                      ? kShortDigits
           : bits == 64                     ? kWholeDigits
           : bits == 128                    ? kTwoWordDigits
           : bits <= FFT_MODULAR_TWO_CHUNKS ? kTwoChunkDigits
                                            : kThreeChunkDigits;
}

// How many tiles ahead columns ask for words: as many as 2 blocks of each multiprocessor work on,
// since words that come much earlier are gone again. 0 where the device does not answer: a hint.
unsigned TilesAhead(unsigned blocks_of_tile) {
    int multiprocessors = 0;
    return DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) == cudaSuccess
               ? 2 * (unsigned)multiprocessors / blocks_of_tile
               : 0;
}

// --- The outer pass ------------------------------------------------------------------------------

ModularOuterJob OuterJob(const fft_modular_step *step) {
    ModularOuterJob job = {};
    (ModularStep &)job = StepOf(step);
    job.lg = fft_modular_lg_part(step->plan);
    return job;
}

result Split(const fft_modular_step *step, const ModularDigits &a, const ModularDigits &b) {
    ModularOuterJob job = OuterJob(step);
    job.operand[0] = a;
    job.operand[1] = b;
    const ModularOuterEntry *entry = ModularOuterOf(step->plan->lg_outer);
    const unsigned tiles = 1u << (job.lg - entry->lg_lines);
    const dim3 grid(tiles * job.primes, b.plane == nullptr ? 1 : 2);
    return Run(entry->split[KindOf(step->plan)], grid, kModularOuterThreads, entry->bytes,
               step->stream, job);
}

// together: two pieces and their join.
result Gather(const fft_modular_step *step, double *x, bool together) {
    ModularOuterJob job = OuterJob(step);
    job.operand[0].plane = x;
    const ModularOuterEntry *entry = ModularOuterOf(step->plan->lg_outer);
    const unsigned tiles = 1u << (job.lg - entry->lg_lines);
    const dim3 grid(tiles, job.primes * (together ? 1 : step->plan->pieces));
    return Run(together ? entry->join : entry->gather, grid, kModularOuterThreads, entry->bytes,
               step->stream, job);
}

// --- The join of pieces that are apart -----------------------------------------------------------

constexpr unsigned kJoinThreads = 256;

// One element of every piece becomes one of every block of coefficients. Grid: x elements, y
// primes. Cost a point: 5 operations on doubles for each piece, 16 bytes.
struct JoinJob : ModularStep {
    double *x;
    unsigned pieces, lg;  // of a piece's points
};

__global__ void __launch_bounds__(kJoinThreads)
    ModularJoinKernel(const __grid_constant__ JoinJob job) {
    WaitForKernelBefore();
    const fft_modular_prime &prime = job.prime[job.first + blockIdx.y];
    double *x = job.x + job.Plane(blockIdx.y) + (size_t)blockIdx.x * kJoinThreads + threadIdx.x;
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
        if (job.pieces == 3) {
            sum = ModularJoinThree(piece, b, prime);
        } else if (job.pieces == 5) {
            sum = ModularJoinFive(piece, b, prime);
        } else {
#pragma unroll
            for (unsigned s = 0; s < FFT_MODULAR_PIECES; s++) {
                if (s < job.pieces) {
                    sum += ModularMul(piece[s], prime.join[b][s], prime.field);
                }
            }
        }
        x[(size_t)b << job.lg] = sum;
    }
}

result Join(const fft_modular_step *step, double *x) {
    JoinJob job = {};
    (ModularStep &)job = StepOf(step);
    job.x = x;
    job.pieces = step->plan->pieces;
    job.lg = fft_modular_lg_part(step->plan) + step->plan->lg_outer;
    const dim3 grid((1u << job.lg) / kJoinThreads, step->primes);
    return Run(ModularJoinKernel, grid, kJoinThreads, 0, step->stream, job);
}

// --- What wrapped around -------------------------------------------------------------------------

// Coefficient `points` + j has been added to coefficient j, j < wrapped. Grid: x elements, those
// that a plane has beyond the points, y primes. Cost: 3 operations on doubles and 32 bytes each.
struct UnwrapJob {
    double *x;           // planes
    const double *high;  // coefficients `points` and above
    size_t plane, high_plane;
    uint64_t points, wrapped;
    fft_modular_field field[FFT_PRIMES_USED];
};

constexpr unsigned kUnwrapThreads = 256;

__global__ void __launch_bounds__(kUnwrapThreads)
    ModularUnwrapKernel(const __grid_constant__ UnwrapJob job) {
    WaitForKernelBefore();
    const uint64_t j = (uint64_t)blockIdx.x * kUnwrapThreads + threadIdx.x;
    double *x = job.x + blockIdx.y * job.plane + j;
    if (j < job.wrapped) {
        const double high = job.high[blockIdx.y * job.high_plane + j];
        *x = ModularReduce(*x - high, job.field[blockIdx.y]);  // of 2 x 4.22 p
        x[job.points] = high;
    } else if (job.points + j < job.plane) {
        x[job.points] = 0;
    }
}

}  // namespace

result fft_modular_columns(const fft_modular_step *step, double *x, fft_modular_operand a,
                           double *y, fft_modular_operand b) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = {};
    (ModularStep &)job = StepOf(step);
    job.operand[0] = DigitsOf(plan, a, plan->a_first, plan->a_digits, x);
    job.operand[1] = DigitsOf(plan, b, plan->b_first, plan->b_digits, y);
    const unsigned tiles = 1u << (plan->lg_columns - entry->tile.lg_lines);
    const unsigned operands = y == nullptr ? 1 : 2, parts = step->primes * job.parts;
    const bool split = plan->lg_outer > 0;
    const dim3 grid = split ? dim3(operands, tiles, parts) : dim3(operands, parts, tiles);
    job.ahead = plan->asks_ahead ? TilesAhead(operands * parts * entry->tile.blocks) : 0;
    const result done = split ? Split(step, job.operand[0], job.operand[1]) : RESULT_OK;
    return done == RESULT_OK ? RunTiles(entry->columns[split ? kSplitDigits : KindOf(plan)], grid,
                                        entry->tile, step->stream, job)
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
    (ModularStep &)job = StepOf(step);
    job.x = x;
    job.y = y;
    job.mode = mode;
    job.sum = *sum;
    job.tiles = job.parts << plan->lg_rows >> entry->lg_lines;
    const size_t bytes = entry->bytes * (mode == FFT_ROW_MULTIPLY ? 2 : 1);
    return Run(entry->kernel, dim3(job.tiles * step->primes), entry->threads, bytes, step->stream,
               job);
}

result fft_modular_inverse(const fft_modular_step *step, double *x) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = {};
    (ModularStep &)job = StepOf(step);
    job.operand[0].plane = x;
    const unsigned pieces = plan->pieces;
    if (plan->lg_outer == 0 && pieces == 2) {
        const ModularTileEntry &pair = entry->pair_tile;
        const dim3 tiles(1u << (plan->lg_columns + 1 - pair.lg_lines), step->primes);
        return RunTiles(entry->pair, tiles, pair, step->stream, job);
    }
    ModularTileEntry tile = entry->back_tile;
    const unsigned tiles = 1u << (plan->lg_columns - tile.lg_lines);
    if (!fft_modular_apart(plan)) {
        // What the plan believes of tiles is what the kernels have.
        assert(pieces * tile.threads <= 1024 && pieces * tile.bytes <= 224 << 10);
        tile.threads *= pieces;
        tile.bytes *= pieces;
        return RunTiles(entry->back[kJoinInBlock], dim3(tiles, 1, step->primes), tile, step->stream,
                        job);
    }
    result done = RunTiles(entry->back[kJoinLater], dim3(tiles, job.parts, step->primes), tile,
                           step->stream, job);
    const bool joins = plan->lg_outer > 0 && pieces == 2;
    if (done == RESULT_OK && plan->lg_outer > 0) {
        done = Gather(step, x, joins);
    }
    return done == RESULT_OK && !joins && pieces > 1 ? Join(step, x) : done;
}

result fft_modular_unwrap(const fft_modular_step *step, double *x, const fft_modular_plan *high,
                          const double *high_x) {
    const fft_modular_plan *plan = step->plan;
    const uint64_t points = fft_modular_points(plan);
    if (plan->wrapped == 0 || points + plan->wrapped != high->a_first + high->a_digits +
                                                            high->b_first + high->b_digits - 1) {
        return RESULT_REFUSED;
    }
    UnwrapJob job = {x,
                     high_x + (points - high->a_first - high->b_first),
                     fft_modular_plane(plan),
                     fft_modular_plane(high),
                     points,
                     plan->wrapped,
                     {}};
    for (unsigned i = 0; i < step->primes; i++) {
        job.field[i] = step->tables->prime[step->first + i].field;
    }
    const dim3 grid((unsigned)((job.plane - points + kUnwrapThreads - 1) / kUnwrapThreads),
                    step->primes);
    return Run(ModularUnwrapKernel, grid, kUnwrapThreads, 0, step->stream, job);
}
