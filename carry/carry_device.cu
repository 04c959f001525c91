// carry_device.cu: carry_device.h: which kernel does a job, and the memory it needs. The only file
// that instantiates the carry kernels.
#include "carry/carry_device.h"

#include <type_traits>

#include "carry/carry_digits_kernel.cuh"
#include "carry/carry_limbs_kernel.cuh"

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

// The tiles of a row.
uint64_t Tiles(const carry_job *job) {
    const uint64_t all = job->out + carry_device_extra(job);
    if (job->radix == CARRY_POW10) {
        return word_ceil_div(all, (uint64_t)(kDigitThreads - 1) * DigitsEach(job));
    }
    uint64_t tiles = 0;
    WithWords(job->words, [&](auto words) {
        tiles = word_ceil_div(all, LimbsTile<decltype(words)::value>::kItems);
    });
    return tiles;
}

template <unsigned kWords>
cudaError_t RunLimbs(CarryData &d, unsigned tiles, const LookBack<CarryStates> &look_back,
                     cudaStream_t stream) {
    using Tile = LimbsTile<kWords>;
    d.stage = Tile::Stage(d.w);
    const size_t bytes = Tile::kWarps * d.stage * sizeof(uint64_t);
    auto kernel = CarryLimbsKernel<kWords>;
    const cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) {
        return e;
    }
    LAUNCH(kernel, tiles, Tile::kWarps * kWarp, bytes, stream, d, look_back);
    return cudaGetLastError();
}

template <unsigned kWords>
cudaError_t RunDigits(CarryData &d, unsigned tiles, const LookBack<CarryStates> &look_back,
                      cudaStream_t stream) {
    const size_t bytes = kDigitThreads * d.each * sizeof(uint64_t);
    auto kernel = CarryDigitsKernel<kWords>;
    const cudaError_t e =
        cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    if (e != cudaSuccess) {
        return e;
    }
    LAUNCH(kernel, tiles, kDigitThreads, bytes, stream, d, look_back);
    return cudaGetLastError();
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
    return carry_device_valid(job) ? LookBack<CarryStates>::Bytes(job->rows * Tiles(job)) : 0;
}

result carry_device_workspace_clear(void *workspace, size_t bytes, device_stream stream) {
    return cudaMemsetAsync(workspace, 0, bytes, stream) == cudaSuccess ? RESULT_OK
                                                                       : RESULT_DEVICE_ERROR;
}

result carry_device(const carry_job *job, uint64_t *r, uint64_t *carry_out, const void *c,
                    void *workspace, size_t bytes, device_stream stream) {
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
    if (job->radix == CARRY_POW10) {
        d.each = DigitsEach(job);
        d.radix = Radix(job->w);
        d.divisor = word_divisor_of(d.radix);
        d.bias_at = PowerAbove(d.radix, 64 * job->words - 1, d.bias);
    }
    const unsigned tiles = (unsigned)(job->rows * d.tiles);
    const LookBack<CarryStates> look_back = LookBack<CarryStates>::In(workspace);
    cudaError_t e = cudaSuccess;
    WithWords(job->words, [&](auto words) {
        constexpr unsigned kWords = decltype(words)::value;
        e = job->radix == CARRY_POW2 ? RunLimbs<kWords>(d, tiles, look_back, stream)
                                     : RunDigits<kWords>(d, tiles, look_back, stream);
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
