// steps.cu: from plans of modular convolutions to launches: the steps, of one product and of
// batches, the join, and the place of what wrapped around. Includes launches.cuh, not the kernels'
// instances.
#include "fft/device/modular/convolution.h"

#include <cassert>

#include "fft/device/modular/launches.cuh"

namespace {

const ModularColumnsEntry *ColumnsOf(const fft_modular_step *step) {
    const fft_modular_plan *plan = step->plan;
    return ModularColumnsOf(plan->lg_rows, plan->lg_columns, plan->lg_outer > 0);
}

bool ValidItems(const fft_modular_step *step, const fft_modular_items &items) {
    return Valid(step) && items.count >= 1 && items.count <= fft_modular_items_most(step->plan);
}

void SetStrides(ModularColumnsJob *job, unsigned operand, uint64_t words, uint64_t doubles) {
    job->words_stride[operand] = words;
    job->planes_stride[operand] = doubles;
}

// The job of the inverse columns, in place.
ModularColumnsJob BackJob(const fft_modular_step *step, const ModularSlice &slice,
                          const fft_modular_items &items, double *x) {
    ModularColumnsJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.operand[0].plane = x;
    job.planes_stride[0] = items.x;
    return job;
}

// How many tiles ahead columns ask for words: as many as 2 blocks of each multiprocessor work on,
// since words that come much earlier are gone again. 0 where the device does not answer: a hint.
unsigned TilesAhead(unsigned blocks_of_tile) {
    int multiprocessors = 0;
    return DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors) == cudaSuccess
               ? 2 * (unsigned)multiprocessors / blocks_of_tile
               : 0;
}

// --- The join of pieces that are apart -----------------------------------------------------------

constexpr unsigned kJoinThreads = 256;

// One element of every piece becomes one of every block of coefficients. Grid: x elements, y
// primes, z items of a batch. Cost a point: 5 operations on doubles for each piece, 16 bytes.
struct JoinJob : ModularStep {
    double *x;
    size_t stride;        // from an item to the next
    unsigned pieces, lg;  // of a piece's points
};

__global__ void __launch_bounds__(kJoinThreads)
    ModularJoinKernel(const __grid_constant__ JoinJob job) {
    WaitForKernelBefore();
    const fft_modular_prime &prime = job.prime[job.first + blockIdx.y];
    double *x = job.x + blockIdx.z * job.stride + job.Plane(blockIdx.y) +
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

result Join(const fft_modular_step *step, const ModularSlice &slice, const fft_modular_items &items,
            double *x) {
    JoinJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.x = x;
    job.stride = items.x;
    job.pieces = step->plan->pieces;
    job.lg = slice.lg + step->plan->lg_outer;
    const dim3 grid((1u << job.lg) / kJoinThreads, step->primes, items.count);
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

// --- Behind an outer pass ------------------------------------------------------------------------

namespace {

ModularOuterJob OuterJob(const fft_modular_step *step, const ModularSlice &slice) {
    ModularOuterJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.lg = slice.lg;
    return job;
}

unsigned OuterTiles(const ModularOuterJob &job, const ModularOuterEntry *entry) {
    assert(job.lg >= entry->lg_lines);
    return 1u << (job.lg - entry->lg_lines);
}

}  // namespace

result ModularSplit(const fft_modular_step *step, const ModularSlice &slice, const ModularDigits &a,
                    const ModularDigits &b) {
    ModularOuterJob job = OuterJob(step, slice);
    job.operand[0] = a;
    job.operand[1] = b;
    const ModularOuterEntry *entry = ModularOuterOf(step->plan->lg_outer);
    const dim3 grid(OuterTiles(job, entry) * job.primes, b.plane == nullptr ? 1 : 2);
    return Run(entry->split[KindOf(step->plan)], grid, kModularOuterThreads, entry->bytes,
               step->stream, job);
}

result ModularColumnsOfParts(const fft_modular_step *step, const ModularSlice &slice, double *x,
                             double *y) {
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.operand[0].plane = x;
    job.operand[1].plane = y;
    const unsigned tiles = 1u << (step->plan->lg_columns - entry->tile.lg_lines);
    const dim3 grid(y == nullptr ? 1 : 2, tiles, step->primes * job.parts);
    return RunTiles(entry->columns[kSplitDigits], grid, entry->tile, step->stream, job);
}

result ModularRowsOfParts(const fft_modular_step *step, const ModularSlice &slice,
                          const fft_modular_items &items, double *x, const double *y,
                          fft_row_mode mode, const fft_modular_sum *sum) {
    const fft_modular_plan *plan = step->plan;
    const ModularRowsEntry *entry = ModularRowsOf(plan->lg_columns);
    ModularRowsJob job = {};
    (ModularStep &)job = StepOf(step, slice);
    job.x = x;
    job.y = y;
    job.x_stride = items.x;
    job.y_stride = items.y;
    job.mode = mode;
    job.sum = *sum;
    job.tiles = job.parts << plan->lg_rows >> entry->lg_lines;
    const size_t bytes = entry->bytes * (mode == FFT_ROW_MULTIPLY ? 2 : 1);
    return Run(entry->kernel, dim3(job.tiles * step->primes, items.count), entry->threads, bytes,
               step->stream, job);
}

namespace {

result BackOfParts(const fft_modular_step *step, const ModularSlice &slice,
                   const fft_modular_items &items, double *x) {
    const ModularColumnsEntry *entry = ColumnsOf(step);
    const ModularColumnsJob job = BackJob(step, slice, items, x);
    const unsigned tiles = items.count << (step->plan->lg_columns - entry->back_tile.lg_lines);
    return RunTiles(entry->back[kJoinLater], dim3(tiles, job.parts, step->primes), entry->back_tile,
                    step->stream, job);
}

}  // namespace

result ModularBackOfParts(const fft_modular_step *step, const ModularSlice &slice, double *x) {
    return BackOfParts(step, slice, kOneItem, x);
}

// Two pieces are gathered and joined together.
result ModularGather(const fft_modular_step *step, const ModularSlice &slice, double *x) {
    ModularOuterJob job = OuterJob(step, slice);
    job.operand[0].plane = x;
    const unsigned pieces = step->plan->pieces;
    const bool together = pieces == 2;
    const ModularOuterEntry *entry = ModularOuterOf(step->plan->lg_outer);
    const dim3 grid(OuterTiles(job, entry), job.primes * (together ? 1 : pieces));
    const result done = Run(together ? entry->join : entry->gather, grid, kModularOuterThreads,
                            entry->bytes, step->stream, job);
    return done == RESULT_OK && pieces > 2 ? Join(step, slice, kOneItem, x) : done;
}

// --- The steps of batch.h ------------------------------------------------------------------------

result fft_modular_items_columns(const fft_modular_step *step, const fft_modular_items *items,
                                 double *x, fft_modular_operand a, double *y,
                                 fft_modular_operand b) {
    if (!ValidItems(step, *items)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularSlice whole = WholeOf(plan);
    const ModularDigits of_a = DigitsOf(plan, a, plan->a_first, plan->a_digits, x),
                        of_b = DigitsOf(plan, b, plan->b_first, plan->b_digits, y);
    if (plan->lg_outer > 0) {
        const result done = ModularSplit(step, whole, of_a, of_b);
        return done == RESULT_OK ? ModularColumnsOfParts(step, whole, x, y) : done;
    }
    const ModularColumnsEntry *entry = ColumnsOf(step);
    ModularColumnsJob job = {};
    (ModularStep &)job = StepOf(step, whole);
    job.operand[0] = of_a;
    job.operand[1] = of_b;
    SetStrides(&job, 0, items->a, items->x);
    SetStrides(&job, 1, items->b, items->y);
    const unsigned tiles = items->count << (plan->lg_columns - entry->tile.lg_lines);
    const unsigned operands = y == nullptr ? 1 : 2, parts = step->primes * job.parts;
    job.ahead = plan->asks_ahead ? TilesAhead(operands * parts * entry->tile.blocks) : 0;
    return RunTiles(entry->columns[KindOf(plan)], dim3(operands, parts, tiles), entry->tile,
                    step->stream, job);
}

result fft_modular_items_rows(const fft_modular_step *step, const fft_modular_items *items,
                              double *x, const double *y, fft_row_mode mode) {
    const fft_modular_sum none = {};
    return ValidItems(step, *items)
               ? ModularRowsOfParts(step, WholeOf(step->plan), *items, x, y, mode, &none)
               : RESULT_REFUSED;
}

result fft_modular_items_inverse(const fft_modular_step *step, const fft_modular_items *items,
                                 double *x) {
    if (!ValidItems(step, *items)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const ModularSlice whole = WholeOf(plan);
    const unsigned pieces = plan->pieces;
    if (fft_modular_apart(plan)) {
        const result done = BackOfParts(step, whole, *items, x);
        return done != RESULT_OK    ? done
               : plan->lg_outer > 0 ? ModularGather(step, whole, x)
               : pieces > 1         ? Join(step, whole, *items, x)
                                    : done;
    }
    const ModularColumnsEntry *entry = ColumnsOf(step);
    const ModularColumnsJob job = BackJob(step, whole, *items, x);
    if (pieces == 2) {
        const ModularTileEntry &pair = entry->pair_tile;
        const dim3 tiles(items->count << (plan->lg_columns + 1 - pair.lg_lines), step->primes);
        return RunTiles(entry->pair, tiles, pair, step->stream, job);
    }
    ModularTileEntry tile = entry->back_tile;
    const unsigned tiles = items->count << (plan->lg_columns - tile.lg_lines);
    // What the plan believes of tiles is what the kernels have.
    assert(pieces * tile.threads <= 1024 && pieces * tile.bytes <= 224 << 10);
    tile.threads *= pieces;
    tile.bytes *= pieces;
    return RunTiles(entry->back[kJoinInBlock], dim3(tiles, 1, step->primes), tile, step->stream,
                    job);
}

// --- The steps of convolution.h ------------------------------------------------------------------

result fft_modular_columns(const fft_modular_step *step, double *x, fft_modular_operand a,
                           double *y, fft_modular_operand b) {
    return fft_modular_items_columns(step, &kOneItem, x, a, y, b);
}

result fft_modular_rows(const fft_modular_step *step, double *x, const double *y,
                        fft_row_mode mode) {
    return fft_modular_items_rows(step, &kOneItem, x, y, mode);
}

result fft_modular_rows_sum(const fft_modular_step *step, double *x, const double *y,
                            fft_row_mode mode, const fft_modular_sum *sum) {
    return Valid(step) ? ModularRowsOfParts(step, WholeOf(step->plan), kOneItem, x, y, mode, sum)
                       : RESULT_REFUSED;
}

result fft_modular_inverse(const fft_modular_step *step, double *x) {
    return fft_modular_items_inverse(step, &kOneItem, x);
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
