// recombine_decimal.cu: see recombine_decimal.h. Includes the rooms' device headers.
//
// A coefficient c_i <= 2^148 is d_i + R e_i + R^2 f_i with digits below R = 10^18, f_i < 2^29. So
// place i of the product has the sum d_i + e_(i-1) + f_(i-2) <= 3 (R - 1), which sends 0, 1 or 2 to
// the place above it. What is left, with what the place below sends, is at most R + 1: it sends a
// carry on if it is R or more, passes one on if it is R - 1, and stops all others. These carries
// ripple through the block and by look-back. Proof: docs/proofs/carry.md, section 7.
//
// A block has a tile of places, neighbouring lanes neighbouring ones, and computes the coefficients
// of three places below it again. Characters are gathered in shared memory, where they lie as far
// behind a line of 16 bytes as in memory.
#include "bigint/device/kernels/recombine_decimal.h"

#include "carry/ripple.cuh"
#include "fft/device/modular/crt.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word_div.h"

namespace {

constexpr unsigned kWarps = 8, kRounds = 4, kThreads = kWarps * kWarp;
constexpr unsigned kPlaces = kThreads * kRounds, kBelow = 3, kTile = kPlaces - kBelow;
constexpr unsigned kDigits = RECOMBINE_DECIMAL_DIGITS, kVector = 16;
constexpr uint64_t kRadix = RECOMBINE_DECIMAL_RADIX;

struct DecimalJob {
    recombine_residues residues;
    ModularCrt crt;
    word_divisor radix;
    char *text;
    uint64_t n;
    LookBack<CarryStates> look_back;

    // part = the digits d, e, f of coefficient i; zeros beyond the last one.
    DEVICE void Parts(uint64_t i, uint64_t (&part)[3]) const {
        part[0] = part[1] = part[2] = 0;
        if (i >= residues.count) {
            return;
        }
        const double *const x = residues.x + i;
        uint64_t c[3], rest, high, low;
        crt.Coefficient(x[0], x[residues.plane], x[2 * residues.plane], c);
        // c[2] <= 2^20 and, below, high < 2^25 are less than R, so quotients are words.
        const unsigned shift = radix.shift;
        high = word_div_step(&rest, word_shift_in(c[2], c[1], shift),
                             word_shift_in(c[1], c[0], shift), &radix);
        low = word_div_step(&rest, rest, c[0] << shift, &radix);
        part[0] = rest >> shift;
        part[2] = word_div_step(&rest, word_shift_in(high, low, shift), low << shift, &radix);
        part[1] = rest >> shift;
    }
};

struct Shared {
    CarryRipple<kWarps>::Shared ripple;
    Place at;
    alignas(kVector) uint64_t part[3][kPlaces];  // then characters
};
static_assert(sizeof(Shared::part) >= kTile * kDigits + kVector, "room for a tile's characters");

// How often the radix goes into a sum of up to three digits.
DEVICE uint64_t Times(uint64_t sum) { return (sum >= kRadix) + (sum >= 2 * kRadix); }

// Place j of the tile without the carry into it.
DEVICE uint64_t PlaceOf(const uint64_t (&part)[3][kPlaces], unsigned j) {
    const uint64_t sum = part[0][j] + part[1][j - 1] + part[2][j - 2];
    const uint64_t below = part[0][j - 1] + part[1][j - 2] + part[2][j - 3];
    return sum - Times(sum) * kRadix + Times(below);
}

// Puts the two digits of `pair` < 100 to `at`.
DEVICE void PutPair(char *at, unsigned pair) {
    const unsigned tens = pair * 103 >> 10;
    at[0] = (char)('0' + tens);
    at[1] = (char)('0' + pair - 10 * tens);
}

// Puts the 18 digits of a word, six at a time: x < 10^6 is x / 10^4 in units of 2^-32, too large by
// less than 0.28 x units < 0.66 / 10^4. So the integer part is the first
// pair, and the integer parts of two products by 100 are the others: before each of them the
// fraction is a multiple of 1 / 10^4, 1 / 100 or 1, and too large by less than that.
DEVICE void PutWord(char *at, uint64_t word) {
    constexpr uint64_t kSix = 1000000;
    constexpr uint64_t kFraction = 429497;  // 2^32 / 10^4, rounded up
    const uint64_t upper = word / kSix;
    const uint32_t six[3] = {(uint32_t)(upper / kSix), (uint32_t)(upper % kSix),
                             (uint32_t)(word % kSix)};
#pragma unroll
    for (unsigned i = 0; i < 3; i++) {
        uint64_t fraction = six[i] * kFraction;
#pragma unroll
        for (unsigned k = 0; k < 3; k++) {
            PutPair(at + 6 * i + 2 * k, (unsigned)(fraction >> 32));
            fraction = (fraction & UINT32_MAX) * 100;
        }
    }
}

struct alignas(kVector) Vector {
    uint64_t word[2];
};

// Window: a tile's characters in memory, [first, end) of the text, and in shared memory, where they
// begin `skip` bytes behind a line. first < 0: characters before the text are left out.
struct Window {
    char *text;
    int64_t first, end;
    unsigned skip;

    DEVICE Window(char *to, uint64_t n, uint64_t places_below)
        : text(to),
          first((int64_t)n - (int64_t)((places_below + kTile) * kDigits)),
          end((int64_t)n - (int64_t)(places_below * kDigits)),
          skip((unsigned)((uintptr_t)to + (uintptr_t)first) % kVector) {}

    // Stores what the block has gathered; all threads.
    DEVICE void Store(const char *gathered) const {
        for (unsigned v = threadIdx.x * kVector; v < kTile * kDigits + skip;
             v += kThreads * kVector) {
            const int64_t at = first + v - skip;  // of the text
            if (at >= (first > 0 ? first : 0) && at + kVector <= end) {
                *(Vector *)(text + at) = *(const Vector *)(gathered + v);
                continue;
            }
            for (unsigned i = 0; i < kVector; i++) {
                if (at + i >= first && at + i >= 0 && at + i < end) {
                    text[at + i] = gathered[v + i];
                }
            }
        }
    }
};

// Four blocks of a multiprocessor would leave too few registers.
__global__ void __launch_bounds__(kThreads, 3)
    RecombineDecimalKernel(const __grid_constant__ DecimalJob job) {
    using Ripple = CarryRipple<kWarps>;
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = job.look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const uint64_t first = (uint64_t)at.tile * kTile;
    const unsigned from = threadIdx.x / kWarp * kRounds * kWarp + Lane();
#pragma unroll 1
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        uint64_t part[3];
        job.Parts(first + j - kBelow, part);  // below place 0 the number wraps around
        s.part[0][j] = part[0], s.part[1][j] = part[1], s.part[2][j] = part[2];
    }
    __syncthreads();
    uint64_t place[kRounds];
    uint32_t generate[kRounds], propagate[kRounds];
    carry_state whole = CARRY_PROPAGATE;
#pragma unroll
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        place[r] = j < kBelow ? kRadix - 1 : PlaceOf(s.part, j);  // those below pass carries on
        Ripple::Ballot(place[r] >= kRadix       ? CARRY_GENERATE
                       : place[r] == kRadix - 1 ? CARRY_PROPAGATE
                                                : CARRY_KILL,
                       &generate[r], &propagate[r]);
        whole = carry_compose(whole, StateOf(generate[r], propagate[r]));
    }
    LetKernelAfterBegin();
    Ripple ripple;
    const carry_state tile = ripple.TileOfWarps(whole, s.ripple);
    const unsigned into_tile = Ripple::Before(job.look_back, at, tile, at.tile == 0);
    unsigned into = ripple.IntoWarp(into_tile, s.ripple);
    const Window window(job.text, job.n, first);
    char *const gathered = (char *)s.part;
#pragma unroll
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        const uint64_t carries = CarriesInto(generate[r], propagate[r], into);
        const uint64_t digit = place[r] + (carries >> Lane() & 1);
        if (j >= kBelow) {
            PutWord(gathered + window.skip + (kPlaces - 1 - j) * kDigits,
                    digit >= kRadix ? digit - kRadix : digit);
        }
        into = (unsigned)(carries >> kWarp) & 1;
    }
    __syncthreads();
    window.Store(gathered);
}

uint64_t Tiles(uint64_t n) { return word_ceil_div(n, (uint64_t)kTile * kDigits); }

}  // namespace

size_t recombine_device_decimal_bytes(uint64_t n) { return LookBack<CarryStates>::Bytes(Tiles(n)); }

result recombine_device_decimal(char *text, uint64_t n, const recombine_residues *residues,
                                void *workspace, size_t bytes, cuda_stream stream) {
    const uint64_t tiles = Tiles(n);
    if (n == 0 || residues->primes != FFT_PRIMES_USED ||
        tiles >= UINT64_C(1) << DrawCounter::kNumberBits ||
        bytes < recombine_device_decimal_bytes(n)) {
        return RESULT_REFUSED;
    }
    const DecimalJob job = {*residues,
                            MakeModularCrt(),
                            word_divisor_of(kRadix),
                            text,
                            n,
                            LookBack<CarryStates>::In(workspace)};
    return LaunchEarly(RecombineDecimalKernel, (unsigned)tiles, kThreads, 0, stream, job) ==
                   cudaSuccess
               ? RESULT_OK
               : RESULT_DEVICE_ERROR;
}
