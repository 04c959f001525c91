// launches.cuh: from the arguments of a step to the arguments and the launch of a kernel, for
// steps.cu and share.cu. Includes kernels.h and launches.
#ifndef FFT_DEVICE_MODULAR_LAUNCHES_CUH_
#define FFT_DEVICE_MODULAR_LAUNCHES_CUH_

#include <cassert>

#include "fft/device/modular/batch.h"
#include "fft/device/modular/convolution.h"
#include "fft/device/modular/kernels.h"
#include "primitives/cuda/launch.cuh"

// ModularSlice: what planes hold: `parts` parts from number first_part on, 2^lg elements of each;
// doubles from a plane to the next. All of a plan, or what one of several members has of it
// (share.h).
struct ModularSlice {
    unsigned first_part, parts, lg;
    uint64_t plane;
};
inline ModularSlice WholeOf(const fft_modular_plan *plan) {
    return {0, fft_modular_parts(plan), fft_modular_lg_part(plan), fft_modular_plane(plan)};
}

// Of a single product.
constexpr fft_modular_items kOneItem = {1, 0, 0, 0, 0};

// What every job begins with. Tables of parts begin with those of the slice's first.
inline ModularStep StepOf(const fft_modular_step *step, const ModularSlice &slice) {
    const fft_modular_plan *plan = step->plan;
    ModularStep s = {};
    s.parts = slice.parts;
    s.first = step->first % FFT_PRIMES_USED;
    s.primes = step->primes;
    s.lines = (unsigned)(slice.plane / 16);
    s.places = ModularPlacesOf(*plan);
    for (unsigned inverse = 0; inverse < 2; inverse++) {
        s.places.part[inverse] += slice.first_part << plan->lg_columns;
        s.places.twist[inverse] += slice.first_part << plan->lg_rows;
    }
    const unsigned group = step->first - s.first;
    s.tables = step->tables->memory + (size_t)group * s.places.total;
    for (unsigned i = 0; i < fft_modular_group(step->plan, group); i++) {
        s.prime[i] = step->tables->prime[group + i];
    }
    return s;
}

// Bits of a digit's highest chunk: of a word, or as ModularLongDigit has it.
inline unsigned TopBits(unsigned bits) {
    return bits <= 64                       ? bits
           : bits <= FFT_MODULAR_TWO_CHUNKS ? bits - kLowestChunk
                                            : bits - kLowestChunk - kChunk;
}

// Digits from number `first` on, which begins a word.
inline ModularDigits DigitsOf(const fft_modular_plan *plan, fft_modular_operand a, uint64_t first,
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

inline bool Valid(const fft_modular_step *step) {
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

inline result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

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

inline unsigned KindOf(const fft_modular_plan *plan) {
    const unsigned bits = plan->digit_bits;
    return plan->balanced                   ? kBalancedDigits
           : bits < 64                      ? kShortDigits
           : bits == 64                     ? kWholeDigits
           : bits == 128                    ? kTwoWordDigits
           : bits <= FFT_MODULAR_TWO_CHUNKS ? kTwoChunkDigits
                                            : kThreeChunkDigits;
}

// --- Steps behind an outer pass, of a slice (steps.cu) -------------------------------------------
// Elements 2^lg of all parts from those digits, where b.plane may be null; the columns of parts;
// rows and product, of all items of a batch; inverse columns of parts; blocks of coefficients from
// elements of all parts.
result ModularSplit(const fft_modular_step *step, const ModularSlice &slice, const ModularDigits &a,
                    const ModularDigits &b);
result ModularColumnsOfParts(const fft_modular_step *step, const ModularSlice &slice, double *x,
                             double *y);
result ModularRowsOfParts(const fft_modular_step *step, const ModularSlice &slice,
                          const fft_modular_items &items, double *x, const double *y,
                          fft_row_mode mode, const fft_modular_sum *sum);
result ModularBackOfParts(const fft_modular_step *step, const ModularSlice &slice, double *x);
result ModularGather(const fft_modular_step *step, const ModularSlice &slice, double *x);

#endif  // FFT_DEVICE_MODULAR_LAUNCHES_CUH_
