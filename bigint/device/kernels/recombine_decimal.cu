// recombine_decimal.cu: see recombine_decimal.h. Includes the rooms' device headers.
//
// A coefficient c_i is d_i + R e_i + R^2 f_i with digits below R. So place i of the product has the
// sum d_i + e_(i-1) + f_(i-2) <= 3 (R - 1), which sends 0, 1 or 2 to the place above it. What is
// left, with what the place below sends, is at most R + 1: it sends a carry on if it is R or more,
// passes one on if it is R - 1, and stops all others. These carries ripple through the block and by
// look-back. Proof: docs/proofs/carry.md, section 7.
//
// A block has a tile of places, neighbouring lanes neighbouring ones, and computes the coefficients
// of three places below it again. Characters are gathered in shared memory, where they lie as far
// behind a line of 16 bytes as in memory, or one byte less where digits are pairs of characters.
#include "bigint/device/kernels/recombine_decimal.h"

#include "bigint/device/kernels/decimal_parts.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kWarps = 4, kThreads = kWarps * kWarp, kBelow = 3;
constexpr unsigned kVector = kCharactersVector;

// Places of a thread. Short texts have too few tiles for all multiprocessors, and fewer places of
// each are done sooner.
constexpr unsigned kRounds = 4, kFewRounds = 2;
constexpr uint64_t kFewCharacters = UINT64_C(1) << 22;  // by trials on an H100

// DecimalTile: a tile's digits in shared memory and in the text.
template <unsigned kDigits, unsigned kRounds>
struct DecimalTile {
    using Radix = DecimalRadix<kDigits>;
    using Text = DecimalText<kDigits>;
    static constexpr unsigned kWords = Radix::kWords;
    static constexpr unsigned kPlaces = kThreads * kRounds, kTile = kPlaces - kBelow;

    struct Shared {
        CarryRipple<kWarps>::Shared ripple;
        Place at;
        uint8_t sends[kPlaces];                                   // to the place above
        alignas(kVector) uint64_t part[2 * kWords + 1][kPlaces];  // then characters
    };
    static_assert(sizeof(Shared::part) >= kPlaces * kDigits + kVector, "room for the characters");

    DEVICE static void PutParts(Shared &s, unsigned j, const word_pair (&part)[3]) {
#pragma unroll
        for (unsigned i = 0; i < kWords; i++) {
            s.part[i][j] = (uint64_t)(part[0] >> 64 * i);
            s.part[kWords + i][j] = (uint64_t)(part[1] >> 64 * i);
        }
        s.part[2 * kWords][j] = (uint64_t)part[2];
    }

    // The sum of place j, 2 <= j, less *sends R.
    DEVICE static word_pair SumOf(const Shared &s, unsigned j, unsigned *sends) {
        word_pair sum = 0;
#pragma unroll
        for (unsigned i = 0; i < kWords; i++) {
            sum += (word_pair)s.part[i][j] << 64 * i;
            sum += (word_pair)s.part[kWords + i][j - 1] << 64 * i;
        }
        *sends = Radix::TakeOff(&sum);
        sum += s.part[2 * kWords][j - 2];
        *sends += Radix::TakeOff(&sum);
        return sum;
    }
};

// Window: a tile's characters by their distance from `line`, a line of memory: the text's are from
// `begin` to `end`. In shared memory they lie `less` bytes lower. The last tile's have `begin`
// within the window, since the text begins there.
template <unsigned kDigits, unsigned kTile>
struct Window {
    char *line;
    unsigned skip, less, begin, end;

    DEVICE Window(char *text, uint64_t n, uint64_t places_below) {
        const int64_t first = (int64_t)n - (int64_t)((places_below + kTile) * kDigits);
        skip = (unsigned)((uintptr_t)text + (uintptr_t)first) % kVector;
        less = DecimalText<kDigits>::kEven ? skip % 2 : 0;
        line = text + (first - (int64_t)skip);
        begin = skip + (first < 0 ? (unsigned)-first : 0);
        end = skip + kTile * kDigits;
    }

    // Stores what the block has gathered; all threads.
    DEVICE void Store(const char *gathered) const {
        for (unsigned v = threadIdx.x * kVector; v < end; v += kThreads * kVector) {
            const char *const from = gathered + v - less;
            if (v >= begin && v + kVector <= end) {
                *(CharactersVector *)(line + v) =
                    less == 0
                        ? *(const CharactersVector *)from
                        : CharactersVector{{EightCharacters(from), EightCharacters(from + 8)}};
                continue;
            }
            for (unsigned i = 0; i < kVector; i++) {
                if (v + i >= begin && v + i < end) {
                    line[v + i] = from[i];
                }
            }
        }
    }
};

template <unsigned kPrimes, unsigned kDigits, unsigned kRounds>
struct DecimalJob {
    using Tile = DecimalTile<kDigits, kRounds>;

    recombine_residues residues;
    DecimalParts<kPrimes, kDigits> parts;
    char *text;
    uint64_t n;
    LookBack<CarryStates> look_back;

    // The residues of coefficient i; zeros beyond the last one.
    DEVICE void Load(uint64_t i, double (&r)[kPrimes]) const {
#pragma unroll
        for (unsigned p = 0; p < kPrimes; p++) {
            r[p] = i < residues.count ? residues.x[i + p * residues.plane] : 0;
        }
    }

    // The parts of a thread's places, `from` the first of them, of the tile that begins with place
    // `first`. The next residues are on their way meanwhile.
    DEVICE void TakeParts(typename Tile::Shared &s, uint64_t first, unsigned from) const {
        double next[kPrimes];
        Load(first + from - kBelow, next);  // below place 0 the number wraps around
#pragma unroll 1
        for (unsigned r = 0; r < kRounds; r++) {
            const unsigned j = from + r * kWarp;
            double own[kPrimes];
            word_pair part[3];
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
                own[p] = next[p];
            }
            if (r + 1 < kRounds) {
                Load(first + j + kWarp - kBelow, next);
            }
            parts.Parts(own, part);
            Tile::PutParts(s, j, part);
        }
    }
};

template <unsigned kPrimes, unsigned kDigits, unsigned kRounds>
__global__ void __launch_bounds__(kThreads, 8)
    RecombineDecimalKernel(const __grid_constant__ DecimalJob<kPrimes, kDigits, kRounds> job) {
    using Tile = DecimalTile<kDigits, kRounds>;
    using Shared = typename Tile::Shared;
    using Ripple = CarryRipple<kWarps>;
    constexpr word_pair kRadix = Tile::Radix::kRadix;
    SHARED(Shared, s);
    WaitForKernelBefore();
    if (threadIdx.x == 0) {
        s.at = job.look_back.counter->Draw(gridDim.x);
    }
    __syncthreads();
    const Place at = s.at;
    const uint64_t first = (uint64_t)at.tile * Tile::kTile;
    const unsigned from = threadIdx.x / kWarp * kRounds * kWarp + Lane();
    job.TakeParts(s, first, from);
    __syncthreads();
    word_pair place[kRounds];
#pragma unroll
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        unsigned sends = 0;
        place[r] = j < kBelow - 1 ? 0 : Tile::SumOf(s, j, &sends);
        s.sends[j] = (uint8_t)sends;
    }
    __syncthreads();
    uint32_t generate[kRounds], propagate[kRounds];
    carry_state whole = CARRY_PROPAGATE;
#pragma unroll
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        place[r] = j < kBelow ? kRadix - 1 : place[r] + s.sends[j - 1];  // those below pass carries
        const word_pair less = place[r] - kRadix;
        Ripple::Ballot((int64_t)(uint64_t)(less >> 64) >= 0 ? CARRY_GENERATE
                       : ~less == 0                         ? CARRY_PROPAGATE
                                                            : CARRY_KILL,
                       &generate[r], &propagate[r]);
        whole = carry_compose(whole, StateOf(generate[r], propagate[r]));
    }
    LetKernelAfterBegin();
    Ripple ripple;
    const carry_state tile = ripple.TileOfWarps(whole, s.ripple);
    const unsigned into_tile = Ripple::Before(job.look_back, at, tile, at.tile == 0);
    unsigned into = ripple.IntoWarp(into_tile, s.ripple);
    const Window<kDigits, Tile::kTile> window(job.text, job.n, first);
    char *const gathered = (char *)s.part;
#pragma unroll
    for (unsigned r = 0; r < kRounds; r++) {
        const unsigned j = from + r * kWarp;
        const uint64_t carries = CarriesInto(generate[r], propagate[r], into);
        word_pair digit = place[r] + (carries >> Lane() & 1);
        Tile::Radix::TakeOff(&digit);
        if (j >= kBelow) {
            Tile::Text::Put(
                gathered + window.skip - window.less + (Tile::kPlaces - 1 - j) * kDigits, digit);
        }
        into = (unsigned)(carries >> kWarp) & 1;
    }
    __syncthreads();
    window.Store(gathered);
}

bool HasFew(uint64_t n) { return n < kFewCharacters; }

uint64_t TilesOf(uint64_t n, unsigned digits) {
    const unsigned tile = kThreads * (HasFew(n) ? kFewRounds : kRounds) - kBelow;
    return word_ceil_div(n, (uint64_t)tile * digits);
}

template <unsigned kPrimes, unsigned kDigits, unsigned kRounds>
cudaError_t Launch(char *text, uint64_t n, const recombine_residues &residues, void *workspace,
                   cuda_stream stream) {
    const DecimalJob<kPrimes, kDigits, kRounds> job = {residues,
                                                       MakeDecimalParts<kPrimes, kDigits>(), text,
                                                       n, LookBack<CarryStates>::In(workspace)};
    return LaunchEarly(RecombineDecimalKernel<kPrimes, kDigits, kRounds>,
                       (unsigned)TilesOf(n, kDigits), kThreads, 0, stream, job);
}

template <unsigned kPrimes, unsigned kDigits>
result Run(char *text, uint64_t n, const recombine_residues &residues, void *workspace,
           cuda_stream stream) {
    if (TilesOf(n, kDigits) >= UINT64_C(1) << DrawCounter::kNumberBits) {
        return RESULT_REFUSED;
    }
    const cudaError_t e =
        HasFew(n) ? Launch<kPrimes, kDigits, kFewRounds>(text, n, residues, workspace, stream)
                  : Launch<kPrimes, kDigits, kRounds>(text, n, residues, workspace, stream);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

size_t recombine_device_decimal_bytes(uint64_t n) {
    return LookBack<CarryStates>::Bytes(TilesOf(n, recombine_decimal_bases[0].digits));
}

result recombine_device_decimal(char *text, uint64_t n, const recombine_residues *residues,
                                void *workspace, size_t bytes, cuda_stream stream) {
    if (n == 0 || bytes < recombine_device_decimal_bytes(n)) {
        return RESULT_REFUSED;
    }
    const auto is = [&](const recombine_decimal_base &base) {
        return residues->primes == base.primes && residues->bits == base.bits;
    };
    static_assert(RECOMBINE_DECIMAL_BASES == 3, "each has a kernel");
    return is(recombine_decimal_bases[0])   ? Run<3, 19>(text, n, *residues, workspace, stream)
           : is(recombine_decimal_bases[1]) ? Run<4, 26>(text, n, *residues, workspace, stream)
           : is(recombine_decimal_bases[2]) ? Run<6, 38>(text, n, *residues, workspace, stream)
                                            : RESULT_REFUSED;
}
