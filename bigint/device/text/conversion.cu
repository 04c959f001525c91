// conversion.cu: see conversion.h. Includes launch.cuh.
//
// Leaves are staged in shared memory, a column for each thread, so that neighbouring threads move
// neighbouring limbs and each thread works alone on its column.
#include "bigint/device/text/conversion.h"

#include "bigint/device/kernels/characters.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kDigits = 19;
constexpr uint64_t kRadix = UINT64_C(10000000000000000000);
constexpr unsigned kThreads = 256, kSplitThreads = 128;

// A word's carry into a row is below 10^19, so a product and a carry fit two words:
// (B - 1) 10^19 + 10^19 - 1 < B 10^19.
DEVICE uint64_t TimesRadix(uint64_t limb, uint64_t *carry) {
    uint64_t high, out = 0;
    const uint64_t low = word_add(word_mul(&high, limb, kRadix), *carry, &out);
    *carry = high + out;
    return low;
}

// --- Characters ----------------------------------------------------------------------------------

// A block's characters go through shared memory, where they lie as far behind a line of 16 bytes as
// in memory, with zeros before the first one; so do digits that are no words. kThreads digits have
// kBits kThreads / 64 whole words.
template <unsigned kWidth, unsigned kBits>
struct PackRoom {
    static constexpr unsigned kBytes = kThreads * kWidth, kVector = kCharactersVector;
    static constexpr unsigned kWords = kThreads * kBits / 64;
    static_assert(kBits == 64 || (kBits > 64 && kBits <= 128), "a word has bits of two digits");

    CharactersVector characters[kBytes / kVector + 2];  // EightCharacters reads up to three more
    uint64_t low[kBits == 64 ? 1 : kThreads], high[kBits == 64 ? 1 : kThreads];  // of digits

    // The characters behind a line of memory that are the text's, from `begin` to `end`, and zeros
    // beyond it, as far as the block's vectors reach; all threads. All loads are on their way
    // before the first one is waited for.
    DEVICE void Load(const char *line, unsigned begin, unsigned end) {
        constexpr unsigned kVectors = kBytes / kVector + 1;
        constexpr unsigned kEach = (kVectors + kThreads - 1) / kThreads;
        CharactersVector own[kEach];
        const auto inside = [&](unsigned v) {
            return v < kVectors && v * kVector >= begin && (v + 1) * kVector <= end;
        };
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            const unsigned v = i * kThreads + threadIdx.x;
            if (inside(v)) {
                own[i] = ((const CharactersVector *)line)[v];
            }
        }
#pragma unroll
        for (unsigned i = 0; i < kEach; i++) {
            const unsigned v = i * kThreads + threadIdx.x;
            if (inside(v)) {
                characters[v] = own[i];
            } else if (v < kVectors) {
                LoadPart(line, v * kVector, begin, end);
            }
        }
    }
    DEVICE void LoadPart(const char *line, unsigned from, unsigned begin, unsigned end) {
        for (unsigned i = from; i < from + kVector; i++) {
            ((char *)characters)[i] = i >= begin && i < end ? line[i] : '0';
        }
    }

    // Word w of the digits.
    DEVICE uint64_t Word(unsigned w) const {
        const unsigned i = 64 * w / kBits, shift = 64 * w % kBits, left = kBits - shift;
        const word_pair digit = (word_pair)high[i] << 64 | low[i];
        return (uint64_t)(digit >> shift) | (left < 64 ? low[i + 1] << left : 0);
    }
};

struct PackJob {
    uint64_t *words;
    uint64_t words_n;
    const char *s;
    uint64_t n;
    unsigned long long *bad;
};

// The number of kWidth digits: two words' digits, or one's. kLow: of the lower word.
template <unsigned kWidth>
DEVICE word_pair NumberOfWidth(const char *at, bool *bad) {
    constexpr unsigned kLow = kWidth <= 19 ? kWidth : kWidth <= 32 ? 16 : 19;
    constexpr uint64_t kScale = kLow == 16 ? UINT64_C(10000000000000000) : kRadix;
    static_assert(kLow == kWidth || kLow == 16 || kLow == kDigits, "10^kLow");
    const uint64_t low = NumberOf<kLow>(at + kWidth - kLow, bad);
    if constexpr (kLow == kWidth) {
        return low;
    } else {
        return (word_pair)NumberOf<kWidth - kLow>(at, bad) * kScale + low;
    }
}

template <unsigned kWidth, unsigned kBits>
__global__ void __launch_bounds__(kThreads) PackKernel(const PackJob job) {
    using Room = PackRoom<kWidth, kBits>;
    SHARED(Room, shared);
    WaitForKernelBefore();
    char *const room = (char *)shared.characters;
    const int64_t end = (int64_t)job.n - (int64_t)((uint64_t)blockIdx.x * Room::kBytes);
    const int64_t first = end - (int64_t)Room::kBytes;  // of the text, below 0 before it
    const unsigned skip = (unsigned)((uintptr_t)job.s + (uintptr_t)first) % Room::kVector;
    const int64_t line = first - (int64_t)skip, above = (int64_t)job.n - line;
    shared.Load(job.s + line, line < 0 ? (unsigned)-line : 0,
                above < INT32_MAX ? (unsigned)above : INT32_MAX);
    __syncthreads();
    const unsigned from = (kThreads - 1 - threadIdx.x) * kWidth;
    const char *const at = room + skip + from;
    bool bad = false;
    const word_pair number = NumberOfWidth<kWidth>(at, &bad);
    for (unsigned k = 0; bad && k < kWidth; k++) {
        if ((unsigned)(unsigned char)at[k] - '0' > 9) {
            atomicMin(job.bad, (unsigned long long)(first + from + k));
            break;
        }
    }
    const uint64_t word = (uint64_t)blockIdx.x * Room::kWords;
    if constexpr (kBits == 64) {
        if (word + threadIdx.x < job.words_n) {
            job.words[word + threadIdx.x] = (uint64_t)number;
        }
    } else {
        shared.low[threadIdx.x] = (uint64_t)number;
        shared.high[threadIdx.x] = (uint64_t)(number >> 64);
        __syncthreads();
        for (unsigned w = threadIdx.x; w < Room::kWords && word + w < job.words_n; w += kThreads) {
            job.words[word + w] = shared.Word(w);
        }
    }
}

// --- Leaves --------------------------------------------------------------------------------------

// A block's leaves: the columns of a matrix whose rows lie an odd number of words apart, so that
// neither a row nor a column is in few banks.
constexpr unsigned kLeaves = 32, kPitch = kLeaves + 1, kRows = TEXT_LEAF_MOST + 2;
struct Leaves {
    uint64_t room[kRows * kPitch];
    DEVICE uint64_t &At(uint64_t row, unsigned column) { return room[row * kPitch + column]; }
};

// Load, Store: rows of `n` words each, `stride` apart in memory, `count` of them, to and from
// columns; word i is in row place(i).
template <class Place>
DEVICE void Load(Leaves &x, const uint64_t *p, unsigned n, uint64_t stride, unsigned count,
                 Place place) {
    for (unsigned i = threadIdx.x; i < n * count; i += kLeaves) {
        x.At(place(i % n), i / n) = p[i / n * stride + i % n];
    }
    __syncthreads();
}
template <class Place>
DEVICE void Store(uint64_t *p, Leaves &x, unsigned n, uint64_t stride, unsigned count,
                  Place place) {
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n * count; i += kLeaves) {
        p[i / n * stride + i % n] = x.At(place(i % n), i / n);
    }
}

DEVICE unsigned LeavesOfBlock(uint64_t count) {
    const uint64_t left = count - (uint64_t)blockIdx.x * kLeaves;
    return left < kLeaves ? (unsigned)left : kLeaves;
}

// Horner's rule from the top word down: before each step the number of the upper words stands above
// the next word, which is the carry into its row.
__global__ void __launch_bounds__(kLeaves)
    JoinLeavesKernel(uint64_t *p, unsigned leaf, uint64_t count) {
    SHARED(Leaves, x);
    WaitForKernelBefore();
    const unsigned mine = LeavesOfBlock(count), column = threadIdx.x;
    uint64_t *const at = p + (uint64_t)blockIdx.x * kLeaves * leaf;
    const auto same = [](unsigned i) { return i; };
    Load(x, at, leaf, leaf, mine, same);
    if (column < mine) {
        for (unsigned low = leaf - 1; low-- > 0;) {
            uint64_t carry = x.At(low, column);
            for (unsigned i = low; i + 1 < leaf; i++) {
                x.At(i, column) = TimesRadix(x.At(i + 1, column), &carry);
            }
            x.At(leaf - 1, column) = carry;
        }
    }
    Store(at, x, leaf, leaf, mine, same);
}

// The integer part of a fraction times 10^19 is the next word, and with r words still to come r + 1
// limbs of the fraction are enough. Limb i is in row i + 1, so that there is a row below those for
// each word.
__global__ void __launch_bounds__(kLeaves)
    SplitLeavesKernel(uint64_t *words, unsigned leaf, const __grid_constant__ text_nodes f) {
    SHARED(Leaves, x);
    WaitForKernelBefore();
    const unsigned mine = LeavesOfBlock(f.count), column = threadIdx.x, m = (unsigned)f.n;
    const uint64_t first = (uint64_t)blockIdx.x * kLeaves;
    Load(x, f.p + first * f.stride, m, f.stride, mine, [](unsigned i) { return i + 1; });
    const auto word_row = [m](unsigned i) { return m - 1 - i; };
    if (column < mine) {
        for (unsigned word = leaf; word-- > 0;) {
            uint64_t carry = 0;
            for (unsigned row = m > word + 2 ? m - word - 1 : 1; row <= m; row++) {
                x.At(row, column) = TimesRadix(x.At(row, column), &carry);
            }
            x.At(word_row(word), column) = carry;
        }
    }
    Store(words + first * leaf, x, leaf, leaf, mine, word_row);
}

// --- Levels --------------------------------------------------------------------------------------

__global__ void __launch_bounds__(kThreads)
    ClearUpperKernel(uint64_t *x, uint64_t half, uint64_t count) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i < half * count) {
        x[(2 * (i / half) + 1) * half + i % half] = 0;
    }
}

// Split: a job of text_split. A block has some limbs of a node's halves.
struct Split {
    text_nodes to, from, product;
    uint64_t bits, blocks;  // of a node

    DEVICE uint64_t Lower(uint64_t node, uint64_t i) const {
        const uint64_t *const p = product.p + node * product.stride;
        const uint64_t at = i + bits / 64;
        const unsigned shift = (unsigned)(bits % 64);
        const uint64_t above = shift != 0 && at + 1 < product.n ? p[at + 1] << (64 - shift) : 0;
        return p[at] >> shift | above;
    }
};

__global__ void __launch_bounds__(kSplitThreads) SplitKernel(const __grid_constant__ Split job) {
    WaitForKernelBefore();
    const uint64_t node = blockIdx.x / job.blocks;
    const uint64_t i = blockIdx.x % job.blocks * kSplitThreads + threadIdx.x;
    if (i < job.to.n) {
        uint64_t *const to = job.to.p + 2 * node * job.to.stride;
        to[i] = job.Lower(node, i);
        to[job.to.stride + i] = job.from.p[node * job.from.stride + job.from.n - job.to.n + i];
    }
}

// Centre: what a block of RecentreKernel shares: whether a carry goes on, and the first limb of a
// stretch that stops it.
struct Centre {
    unsigned carry, stop;
};

// AddUnits: the two lowest limbs, and whether there is a carry out of them.
DEVICE bool AddUnits(uint64_t *f, bool up, uint64_t low, uint64_t high) {
    uint64_t carry = 0;
    f[0] = up ? word_add(f[0], low, &carry) : word_sub(f[0], low, &carry);
    f[1] = up ? word_add(f[1], high, &carry) : word_sub(f[1], high, &carry);
    return carry != 0;
}

// A block has a node. The carry beyond two limbs passes limbs of all ones, or zeros, which the
// threads look at together.
__global__ void __launch_bounds__(kThreads)
    RecentreKernel(const __grid_constant__ text_nodes nodes, const uint64_t *g, uint64_t g_stride,
                   uint64_t inverse, unsigned shift) {
    SHARED(Centre, s);
    WaitForKernelBefore();
    uint64_t *const f = nodes.p + blockIdx.x * nodes.stride;
    const uint64_t top = g[blockIdx.x * g_stride], middle = (uint64_t)1 << 63;
    const bool up = top < middle;
    if (threadIdx.x == 0) {
        uint64_t high, low = word_mul(&high, up ? middle - top : top - middle, inverse);
        low = shift == 0 ? low : low >> shift | high << (64 - shift);
        s.carry = AddUnits(f, up, low, high >> shift) ? 1 : 0;
    }
    __syncthreads();
    const uint64_t passes = up ? ~(uint64_t)0 : 0;
    for (uint64_t at = 2; at < nodes.n && s.carry != 0; at += kThreads) {
        if (threadIdx.x == 0) {
            s.stop = kThreads;
        }
        __syncthreads();
        const uint64_t i = at + threadIdx.x, limb = i < nodes.n ? f[i] : passes;
        if (limb != passes) {
            atomicMin(&s.stop, threadIdx.x);
        }
        __syncthreads();
        if (i < nodes.n && threadIdx.x <= s.stop) {
            f[i] = up ? limb + 1 : limb - 1;
        }
        if (threadIdx.x == 0) {
            s.carry = s.stop == kThreads ? 1 : 0;
        }
        __syncthreads();
    }
}

template <class K, class... A>
result Run(K kernel, uint64_t blocks, unsigned threads, cudaStream_t stream, A... arguments) {
    if (blocks > kMaxGridX) {
        return RESULT_REFUSED;
    }
    const cudaError_t e = LaunchEarly(kernel, (unsigned)blocks, threads, 0, stream, arguments...);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result text_pack(uint64_t *words, uint64_t words_n, unsigned k, const char *s, uint64_t n,
                 uint64_t *bad, cuda_stream stream) {
    const PackJob job = {words, words_n, s, n, reinterpret_cast<unsigned long long *>(bad)};
    const auto run = [&](const auto &kernel, unsigned bits) {
        const uint64_t blocks = word_ceil_div(words_n, kThreads * bits / 64);
        return Run(kernel, blocks, kThreads, stream, job);
    };
    return k == 19   ? run(PackKernel<19, 64>, 64)
           : k == 26 ? run(PackKernel<26, 87>, 87)
           : k == 38 ? run(PackKernel<38, 128>, 128)
                     : RESULT_REFUSED;
}

result text_join_leaves(uint64_t *x, uint64_t leaf, uint64_t count, cuda_stream stream) {
    return Run(JoinLeavesKernel, word_ceil_div(count, kLeaves), kLeaves, stream, x, (unsigned)leaf,
               count);
}

result text_clear_upper(uint64_t *x, uint64_t half, uint64_t count, cuda_stream stream) {
    return Run(ClearUpperKernel, word_ceil_div(half * count, kThreads), kThreads, stream, x, half,
               count);
}

result text_split(text_nodes to, text_nodes from, text_nodes product, uint64_t bits,
                  cuda_stream stream) {
    const Split job = {to, from, product, bits, word_ceil_div(to.n, kSplitThreads)};
    return Run(SplitKernel, job.blocks * from.count, kSplitThreads, stream, job);
}

result text_recentre(text_nodes f, const uint64_t *g, uint64_t g_stride, uint64_t inverse,
                     unsigned shift, cuda_stream stream) {
    return Run(RecentreKernel, f.count, kThreads, stream, f, g, g_stride, inverse, shift);
}

result text_split_leaves(uint64_t *words, uint64_t leaf, text_nodes f, cuda_stream stream) {
    return Run(SplitLeavesKernel, word_ceil_div(f.count, kLeaves), kLeaves, stream, words,
               (unsigned)leaf, f);
}
