// device.cu: device.h: which kernel does a job, and the memory it needs. The only file
// that instantiates the carry kernels.
#include "carry/device.h"

#include <algorithm>
#include <type_traits>

#include "carry/digits_kernel.cuh"
#include "carry/limbs_kernel.cuh"
#include "carry/wave_kernel.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr uint64_t kMaxOut = UINT64_C(1) << 40;
constexpr uint64_t kMaxTiles = UINT64_C(1) << DrawCounter::kNumberBits;

// The least power of the radix that is at least 2^bits: its exponent, and its words.
unsigned PowerAbove(uint64_t radix, unsigned bits, uint64_t (&power)[CARRY_DEVICE_WORDS_MAX + 1]) {
    for (uint64_t &word : power) {
        word = 0;
    }
    power[0] = 1;
    unsigned exponent = 0;
    for (;; exponent++) {
        for (unsigned j = bits / 64; j <= CARRY_DEVICE_WORDS_MAX; j++) {
            if (power[j] >> (j == bits / 64 ? bits % 64 : 0) != 0) {
                return exponent;
            }
        }
        uint64_t carry = 0;
        for (uint64_t &word : power) {
            uint64_t high;
            const uint64_t low = word_mul(&high, word, radix);
            word = low + carry;
            carry = high + (word < low);
        }
    }
}

uint64_t Radix(unsigned w) {
    uint64_t radix = 1;
    for (unsigned i = 0; i < w; i++) {
        radix *= 10;
    }
    return radix;
}

// Digits of a thread: an odd number, so that threads that go side by side through shared memory
// meet in no bank; at least some, so that not too much work is done twice.
unsigned DigitsEach(const carry_job *job) {
    uint64_t power[CARRY_DEVICE_WORDS_MAX + 1];
    const unsigned bias_at = PowerAbove(Radix(job->w), 64 * job->words - 1, power);
    return (bias_at + 2 > 8 ? bias_at + 2 : 8) | 1;
}

// WithWords calls f with kWords as a constant.
template <class F>
void WithWords(unsigned words, F f) {
    switch (words) {
        case 1:
            return f(std::integral_constant<unsigned, 1>());
        case 2:
            return f(std::integral_constant<unsigned, 2>());
        case 3:
            return f(std::integral_constant<unsigned, 3>());
        case 4:
            return f(std::integral_constant<unsigned, 4>());
        case 5:
            return f(std::integral_constant<unsigned, 5>());
        case 6:
            return f(std::integral_constant<unsigned, 6>());
        default:
            return f(std::integral_constant<unsigned, 7>());
    }
}

constexpr unsigned kMaxSharedBytes = 227 << 10;
// More words of a warp's coefficients than these are read from global memory where they are used.
constexpr uint64_t kMaxStage = 2048;
// Waves pay where each block has at least this many.
constexpr uint64_t kMinWaves = 4;

// Tiles of a row, in blocks that hold that many limbs or digits.
uint64_t TilesOf(const carry_job *job, uint64_t items) {
    return word_ceil_div(job->out + carry_device_extra(job), items);
}

// The tiles of a row where blocks have one tile each, the smaller ones of the two schedules.
uint64_t Tiles(const carry_job *job) {
    if (job->radix == CARRY_POW10) {
        return TilesOf(job, (uint64_t)(kDigitThreads - 1) * DigitsEach(job));
    }
    uint64_t tiles = 0;
    WithWords(job->words, [&](auto words) {
        tiles = TilesOf(job, kLimbsWarps * LimbsWarp<decltype(words)::value>::kItems);
    });
    return tiles;
}

// In waves, if that pays and the device takes the launch; otherwise cudaErrorNotSupported.
template <unsigned kWords>
cudaError_t RunWaves(const carry_job *job, const CarryData &d, void *workspace,
                     cudaStream_t stream) {
    using Wave = CarryWave<kWords>;
    int multiprocessors = 0;
    const cudaError_t e = DeviceAttribute(cudaDevAttrMultiProcessorCount, &multiprocessors);
    if (e != cudaSuccess) {
        return e;
    }
    uint32_t blocks = std::min<uint32_t>((uint32_t)multiprocessors, Wave::Exchange::kMaxBlocks);
    CarryWaveJob w;
    w.data = d;
    w.data.tiles = (uint32_t)TilesOf(job, Wave::kWarps * LimbsWarp<kWords>::kItems);
    const size_t stage_bytes = Wave::kWarps * d.stage * sizeof(uint64_t);
    const size_t room = kMaxSharedBytes - sizeof(typename Wave::Shared);
    w.tiles = (uint32_t)(job->rows * w.data.tiles);
    if (w.tiles < kMinWaves * blocks || d.stage == 0 || room / stage_bytes < 2) {
        return cudaErrorNotSupported;
    }
    w.exchange = WaveExchange<CarryStates>::In(workspace);
    w.stages = (unsigned)std::min<size_t>(room / stage_bytes, Wave::kMaxStages);
    const size_t bytes = sizeof(typename Wave::Shared) + w.stages * stage_bytes;
    auto kernel = CarryWaveKernel<kWords>;
    unsigned resident = 0;
    if (AllowShared(kernel, bytes) != cudaSuccess ||
        ResidentBlocks(kernel, Wave::kThreads, bytes, &resident) != cudaSuccess) {
        cudaGetLastError();  // a device with less: blocks for each tile do without
        return cudaErrorNotSupported;
    }
    blocks = std::min(blocks, resident);
    w.waves = (w.tiles + blocks - 1) / blocks;
    if (w.waves > Wave::Exchange::kMaxWaves) {
        return cudaErrorNotSupported;
    }
    w.step_rows = blocks / w.data.tiles;
    w.step_number = blocks % w.data.tiles;
    return LaunchCooperative(kernel, blocks, Wave::kThreads, bytes, stream, w);
}

template <unsigned kWords>
cudaError_t RunLimbs(const carry_job *job, CarryData &d, void *workspace, cudaStream_t stream) {
    d.by_w = word_divisor_of(d.w);
    d.reciprocal = word_ceil_div(UINT64_C(1) << 32, d.w);
    const uint64_t stage = LimbsWarp<kWords>::StageWords(d.w);
    d.stage = stage <= kMaxStage ? (unsigned)stage : 0;
    cudaError_t e = RunWaves<kWords>(job, d, workspace, stream);
    if (e != cudaErrorNotSupported) {
        return e;
    }
    const size_t bytes = kLimbsWarps * d.stage * sizeof(uint64_t);
    auto kernel = CarryLimbsKernel<kWords>;
    e = AllowShared(kernel, bytes);
    if (e != cudaSuccess) {
        return e;
    }
    return LaunchEarly(kernel, (unsigned)(job->rows * d.tiles), kLimbsWarps * kWarp, bytes, stream,
                       d, LookBack<CarryStates>::In(workspace));
}

template <unsigned kWords>
cudaError_t RunDigits(const carry_job *job, CarryData &d, void *workspace, cudaStream_t stream) {
    d.each = DigitsEach(job);
    d.radix = Radix(job->w);
    d.divisor = word_divisor_of(d.radix);
    d.bias_at = PowerAbove(d.radix, 64 * job->words - 1, d.bias);
    const size_t bytes = kDigitThreads * d.each * sizeof(uint64_t);
    auto kernel = CarryDigitsKernel<kWords>;
    const cudaError_t e = AllowShared(kernel, bytes);
    if (e != cudaSuccess) {
        return e;
    }
    return LaunchEarly(kernel, (unsigned)(job->rows * d.tiles), kDigitThreads, bytes, stream, d,
                       LookBack<CarryStates>::In(workspace));
}

}  // namespace

bool carry_device_valid(const carry_job *job) {
    const bool one_word = job->form == CARRY_S32 || job->form == CARRY_F64;
    if ((unsigned)job->form >= CARRY_FORMS || (unsigned)job->radix >= CARRY_RADICES ||
        job->words < 1 || job->words > (one_word ? 1 : CARRY_DEVICE_WORDS_MAX) || job->w < 1 ||
        job->w > (job->radix == CARRY_POW2 ? 64 * job->words : 19) || job->out > kMaxOut ||
        job->n > 64 * kMaxOut) {
        return false;
    }
    const bool reaches = job->radix == CARRY_POW2 ? job->n <= 64 * job->out / job->w  //
                                                  : job->n <= job->out;
    return reaches && (job->rows == 0 || Tiles(job) <= kMaxTiles / job->rows);
}

uint64_t carry_device_extra(const carry_job *job) {
    if (job->radix == CARRY_POW2) {
        return job->words + 1;
    }
    uint64_t power[CARRY_DEVICE_WORDS_MAX + 1];
    return PowerAbove(Radix(job->w), 64 * job->words, power) + 1;
}

size_t carry_device_workspace_bytes(const carry_job *job) {
    return carry_device_valid(job)
               ? std::max(LookBack<CarryStates>::Bytes(job->rows * Tiles(job)),
                          job->radix == CARRY_POW2 ? WaveExchange<CarryStates>::Bytes() : 0)
               : 0;
}

result carry_device(const carry_job *job, uint64_t *r, uint64_t *carry_out, const void *c,
                    void *workspace, size_t bytes, cuda_stream stream) {
    const size_t needed = carry_device_workspace_bytes(job);
    if (needed == 0 || bytes < needed) {
        return RESULT_REFUSED;
    }
    if (job->rows == 0) {
        return RESULT_OK;
    }
    CarryData d = {};
    d.c = c;
    d.r = r;
    d.carry_out = carry_out;
    d.form = job->form;
    d.is_signed = job->form != CARRY_U64;
    d.w = job->w;
    d.n = job->n;
    d.out = job->out;
    d.all = job->out + carry_device_extra(job);
    d.vectors = (uintptr_t)r % 16 == 0 && (job->rows == 1 || job->out % 2 == 0);
    d.tiles = (uint32_t)Tiles(job);
    cudaError_t e = cudaSuccess;
    WithWords(job->words, [&](auto words) {
        constexpr unsigned kWords = decltype(words)::value;
        e = job->radix == CARRY_POW2 ? RunLimbs<kWords>(job, d, workspace, stream)
                                     : RunDigits<kWords>(job, d, workspace, stream);
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
