// modular_outer.cu: the kernels of the outer pass: a piece's parts from its digits, and its blocks
// of coefficients from its parts, one column of 2^lg_outer elements a thread.
#include "fft/modular_kernels.h"

namespace {

// Grid: x columns, y primes x pieces, pieces fastest, z operands.
// Cost a point: 2.5 operations on doubles for the digit, 12 or so for a transform of 16 points, 5
// for the twist; reads its word once for each prime and piece, writes 8 bytes a prime.
template <unsigned kLg, unsigned kDigits>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularSplitKernel(const __grid_constant__ ModularOuterJob job) {
    constexpr unsigned kN = 1u << kLg;
    WaitForKernelBefore();
    const unsigned piece = blockIdx.y % job.pieces, part = blockIdx.y / job.pieces;
    const fft_modular_prime &prime = job.prime[job.first + part];
    const ModularDigits &a = job.operand[blockIdx.z];
    const unsigned column = blockIdx.x * kModularOuterThreads + threadIdx.x;
    const unsigned last = (a.count - 1) >> job.lg >> kLg;  // block of the piece's length
    double v[kN];
#pragma unroll
    for (unsigned r = 0; r < kN; r++) {
        v[r] = ModularDigit<kDigits>(a, (((last << kLg) + r) << job.lg) + column, prime.field);
    }
    for (unsigned block = last; block-- > 0;) {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            const unsigned at = (((block << kLg) + r) << job.lg) + column;
            v[r] = ModularMulKnown(v[r], prime.omega[piece], prime.omega_quotient[piece],
                                   prime.field) +
                   ModularDigit<kDigits>(a, at, prime.field);
        }
    }
    const double *outer = job.tables + (size_t)(job.first + part) * job.places.total +
                          job.places.outer[0] + (piece << kLg);
    if (piece > 0) {
#pragma unroll
        for (unsigned r = 0; r < kN; r++) {
            v[r] = ModularMul(v[r], outer[r], prime.field);
        }
    }
    Dft<kLg>(v, prime);
    double *to = a.plane + ((size_t)blockIdx.y << (job.lg + kLg)) + column;
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        to[(size_t)k << job.lg] = ModularReduce(v[k], prime.field);
    }
}

// The inverse, in place: the same transform, whose results stand at negated indices, and the
// twist's inverse.
template <unsigned kLg>
__global__ void __launch_bounds__(kModularOuterThreads)
    ModularGatherKernel(const __grid_constant__ ModularOuterJob job) {
    constexpr unsigned kN = 1u << kLg;
    WaitForKernelBefore();
    const unsigned piece = blockIdx.y % job.pieces, part = blockIdx.y / job.pieces;
    const fft_modular_prime &prime = job.prime[job.first + part];
    double *x = job.operand[0].plane + ((size_t)blockIdx.y << (job.lg + kLg)) +
                (size_t)blockIdx.x * kModularOuterThreads + threadIdx.x;
    double v[kN];
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        v[k] = x[(size_t)k << job.lg];
    }
    Dft<kLg>(v, prime);
    const double *outer = job.tables + (size_t)(job.first + part) * job.places.total +
                          job.places.outer[1] + (piece << kLg);
#pragma unroll
    for (unsigned k = 0; k < kN; k++) {
        const unsigned r = (kN - k) % kN;
        x[(size_t)r << job.lg] =
            piece > 0 ? ModularMul(v[k], outer[r], prime.field) : ModularReduce(v[k], prime.field);
    }
}

template <unsigned kLg>
constexpr ModularOuterEntry Entry() {
    return {kLg,
            {ModularSplitKernel<kLg, kWholeDigits>, ModularSplitKernel<kLg, kBalancedDigits>,
             ModularSplitKernel<kLg, kShortDigits>},
            ModularGatherKernel<kLg>};
}

constexpr ModularOuterEntry kEntries[] = {Entry<1>(), Entry<2>(), Entry<3>(), Entry<4>()};
static_assert(sizeof kEntries / sizeof *kEntries == FFT_MODULAR_LG_OUTER, "an entry for each");

}  // namespace

const ModularOuterEntry *ModularOuterOf(unsigned lg) { return &kEntries[lg - 1]; }
