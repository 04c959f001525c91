// modular_outer.cu: the kernels of the outer pass: a piece's parts from its digits, and its blocks
// of coefficients from its parts, one column of 2^lg_outer elements of a piece a thread.
#include "fft/modular_kernels.h"

namespace {

// Grid: x pieces fastest, which share their words, then primes, then columns; y operands.
// Cost a point: 2.5 operations on doubles for the digit, 12 or so for a transform of 16 points, 5
// for the twist; reads its word once for each prime and piece, writes 8 bytes a prime.
template <unsigned kLg, unsigned kDigits>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularSplitKernel(const __grid_constant__ ModularOuterJob job) {
    constexpr unsigned kN = 1u << kLg;
    WaitForKernelBefore();
    const unsigned pieces = job.parts >> kLg, each = pieces * job.primes;
    const unsigned of_column = blockIdx.x % each, piece = of_column % pieces;
    const unsigned plane_i = of_column / pieces;
    const fft_modular_prime &prime = job.prime[job.first + plane_i];
    const ModularDigits &a = job.operand[blockIdx.y];
    const unsigned first = blockIdx.x / each * kModularOuterThreads, column = first + threadIdx.x;
    const unsigned lg = job.lg, last = first + kModularOuterThreads - 1 + ((kN - 1) << lg);
    double v[kN];
    ModularFold<kDigits, kN, false>(v, a, 1u << (lg + kLg), prime, piece, first, last, column,
                                    [lg](unsigned r) { return r << lg; });
    const double *outer = job.tables + (size_t)(job.first + plane_i) * job.places.total +
                          job.places.outer[0] + (piece << kLg);
    if (piece > 0) {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            v[r] = ModularMul(v[r], outer[r], prime.field);
        }
    }
    Dft<kLg>(v, prime);
    double *to = a.plane + job.Plane(plane_i) + ((size_t)piece << (job.lg + kLg)) + column;
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        to[(size_t)k << job.lg] = ModularReduce(v[k], prime.field);
    }
}

// A column of a piece from its parts: the same transform, whose results stand at negated indices,
// and the twist's inverse. v[r]: element r, within p / 2 + 1.
template <unsigned kLg>
DEVICE void Gather(double (&v)[1u << kLg], const double *x, unsigned lg, const double *outer,
                   bool twisted, const fft_modular_prime &prime) {
    constexpr unsigned kN = 1u << kLg;
    double parts[kN];
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        parts[k] = x[(size_t)k << lg];
    }
    Dft<kLg>(parts, prime);
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        const unsigned r = (kN - k) % kN;
        v[r] = twisted ? ModularMul(parts[k], outer[r], prime.field)
                       : ModularReduce(parts[k], prime.field);
    }
}

// Blocks of coefficients of one piece, in place. Grid: x columns, y primes x pieces, pieces
// fastest. Cost a point: 12 or so operations on doubles for a transform of 16 points, 5 for the
// twist, 16 bytes.
template <unsigned kLg>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularGatherKernel(const __grid_constant__ ModularOuterJob job) {
    WaitForKernelBefore();
    const unsigned pieces = job.parts >> kLg, piece = blockIdx.y % pieces;
    const unsigned plane_i = blockIdx.y / pieces, prime = job.first + plane_i;
    double *x = job.operand[0].plane + job.Plane(plane_i) + ((size_t)piece << (job.lg + kLg)) +
                (size_t)blockIdx.x * kModularOuterThreads + threadIdx.x;
    const double *outer = job.tables + (size_t)prime * job.places.total + job.places.outer[1];
    double v[1u << kLg];
    Gather<kLg>(v, x, job.lg, outer + (piece << kLg), piece > 0, job.prime[prime]);
#pragma unroll
    for (unsigned r = 0; r < 1u << kLg; r++) {
        x[(size_t)r << job.lg] = v[r];
    }
}

// The same of two pieces and their join: sum and difference, whose halves are in the tables. Grid:
// x columns, y primes.
template <unsigned kLg>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularGatherJoinKernel(const __grid_constant__ ModularOuterJob job) {
    WaitForKernelBefore();
    const unsigned prime = job.first + blockIdx.y;
    const size_t piece = (size_t)1 << (job.lg + kLg);
    double *x = job.operand[0].plane + job.Plane(blockIdx.y) +
                (size_t)blockIdx.x * kModularOuterThreads + threadIdx.x;
    const double *outer = job.tables + (size_t)prime * job.places.total + job.places.outer[1];
    double v[1u << kLg], u[1u << kLg];
    Gather<kLg>(v, x, job.lg, outer, false, job.prime[prime]);
    Gather<kLg>(u, x + piece, job.lg, outer + (1u << kLg), true, job.prime[prime]);
#pragma unroll
    for (unsigned r = 0; r < 1u << kLg; r++) {
        x[(size_t)r << job.lg] = v[r] + u[r];
        x[piece + ((size_t)r << job.lg)] = v[r] - u[r];
    }
}

template <unsigned kLg>
constexpr ModularOuterEntry Entry() {
    return {kLg,
            {ModularSplitKernel<kLg, kWholeDigits>, ModularSplitKernel<kLg, kBalancedDigits>,
             ModularSplitKernel<kLg, kShortDigits>, ModularSplitKernel<kLg, kTwoChunkDigits>,
             ModularSplitKernel<kLg, kThreeChunkDigits>, ModularSplitKernel<kLg, kTwoWordDigits>},
            ModularGatherKernel<kLg>,
            ModularGatherJoinKernel<kLg>};
}

constexpr ModularOuterEntry kEntries[] = {Entry<1>(), Entry<2>(), Entry<3>(), Entry<4>()};
static_assert(sizeof kEntries / sizeof *kEntries == FFT_MODULAR_LG_OUTER, "an entry for each");

}  // namespace

const ModularOuterEntry *ModularOuterOf(unsigned lg) { return &kEntries[lg - 1]; }
