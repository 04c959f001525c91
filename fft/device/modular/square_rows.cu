// square_rows.cu: square_rows.h: the kernel for the shapes of tables.cuh, and its launch.
#include "fft/device/modular/square_rows.h"

#include "fft/device/modular/launches.cuh"

namespace {

// Grid: x is tiles fastest, then primes.
struct SquareRowsJob : ModularStep {
    double *x, *y;
    unsigned tiles;  // of a prime, all parts
};

// Rows of one tile of 2^kX lines, of one prime; y's spectrum stays in the thread's own places.
// Cost a point of a product: two transforms at 3.6 operations a level and a twiddle an exchange, 7
// for the product; reads and writes 8 bytes.
template <unsigned kNodes, unsigned kS>
__global__ void __launch_bounds__(PassShape<kNodes, kS, kRows>::kThreads,
                                  512 / PassShape<kNodes, kS, kRows>::kThreads)
    SquareRowsKernel(const __grid_constant__ SquareRowsJob job) {
    using Rows = ModularRows<kNodes, kS>;
    using Shape = typename Rows::Shape;
    using Registers = typename Rows::template RegisterSlots<Rows::kLast>;
    DYNAMIC_SHARED(double, shared);
    const unsigned plane_i = blockIdx.x / job.tiles, prime = job.first + plane_i;
    const double *tables = job.tables + (size_t)prime * job.places.total;
    Rows c = {{{shared, threadIdx.x, {}}, job.prime[prime], {}, 0}};
    for (unsigned i = 0; i + 1 < Shape::kNodesN; i++) {
        c.node_roots[i] = tables + job.places.rows[i];
    }
    const size_t at = job.Plane(plane_i) + ((size_t)(blockIdx.x % job.tiles) << kS);
    double *const x = job.x + at, *const y = job.y + at;
    double *const spectrum = shared + ((size_t)1 << kS);
    WaitForKernelBefore();
    // x's items are asked for before anything waits, where there are registers for them.
    constexpr bool kAhead = Rows::kItems <= 8;
    double of_x[Rows::kItems];
    if constexpr (kAhead) {
        c.Load(x);
#pragma unroll
        for (unsigned r = 0; r < Rows::kItems; r++) {
            of_x[r] = c.v[r];
        }
    }
    c.Load(y);
    c.Forward();
    const unsigned own = c.template Own<Rows::kLast>();
#pragma unroll
    for (unsigned r = 0; r < Rows::kItems; r++) {
        spectrum[own ^ Rows::template Address<Registers>(r)] = ModularReduce(c.v[r], c.prime.field);
    }
    c.Multiply([&](unsigned r) { return ModularReduce(c.v[r], c.prime.field); });
    c.Back();
    c.Store(y);
    if constexpr (kAhead) {
#pragma unroll
        for (unsigned r = 0; r < Rows::kItems; r++) {
            c.v[r] = of_x[r];
        }
    } else {
        c.Load(x);
    }
    __syncthreads();  // the tile is free again
    c.Forward();
    c.Multiply([&](unsigned r) { return spectrum[own ^ Rows::template Address<Registers>(r)]; });
    c.Back();
    LetKernelAfterBegin();
    c.Store(x);
}

struct Entry {
    unsigned lg, s, threads;
    void (*kernel)(SquareRowsJob);
};
template <unsigned kI>
constexpr Entry EntryOf() {
    constexpr ModularShape kShape = kModularRows[kI];
    return {kShape.lg, kShape.s, PassShape<kShape.nodes, kShape.s, kRows>::kThreads,
            SquareRowsKernel<kShape.nodes, kShape.s>};
}
constexpr Entry kEntries[] = {EntryOf<0>(), EntryOf<1>(), EntryOf<2>()};
static_assert(sizeof kEntries / sizeof *kEntries == sizeof kModularRows / sizeof *kModularRows,
              "an entry for every shape");

}  // namespace

result fft_modular_square_rows(const fft_modular_step *step, double *x, double *y) {
    if (!Valid(step)) {
        return RESULT_REFUSED;
    }
    const fft_modular_plan *plan = step->plan;
    const Entry *entry = kEntries;
    while (entry->lg != plan->lg_columns) {
        entry++;
    }
    SquareRowsJob job = {};
    (ModularStep &)job = StepOf(step, WholeOf(plan));
    job.x = x;
    job.y = y;
    job.tiles = (unsigned)(fft_modular_points(plan) >> entry->s);
    return Run(entry->kernel, job.tiles * step->primes, entry->threads,
               2 * sizeof(double) << entry->s, step->stream, job);
}
