// conversion.cu: see conversion.h. Includes launch.cuh.
//
// Leaves are staged in shared memory, a column for each thread, so that neighbouring threads move
// neighbouring limbs and each thread works alone on its column.
#include "bigint/device/text/conversion.h"

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
// in memory, with zeros before the first one.
constexpr unsigned kVector = 16;
struct alignas(kVector) Vector {
    uint64_t word[2];
};

template <unsigned kBytes>
struct PackRoom {
    Vector characters[kBytes / kVector + 2];  // Eight reads up to three more
};

struct PackJob {
    uint64_t *words;
    uint64_t words_n;
    const char *s;
    uint64_t n;
    unsigned long long *bad;
};

// Eight characters from shared memory, the first one lowest.
DEVICE uint64_t Eight(const char *at) {
    const unsigned apart = (unsigned)((uintptr_t)at % sizeof(uint32_t)), shift = 8 * apart;
    const uint32_t *const from = (const uint32_t *)(at - apart);
    const uint64_t low = from[0] | (uint64_t)from[1] << 32, high = from[2];
    return low >> shift | high << 1 << (63 - shift);
}

// Whether one of eight characters is no digit: a byte of x, the characters xor '0', is above 9. A
// byte that the sum carries out of is above 15 itself.
DEVICE bool AnyBad(uint64_t x) {
    constexpr uint64_t kUpper = UINT64_C(0xf0f0f0f0f0f0f0f0);
    return ((x | (x + UINT64_C(0x0606060606060606))) & kUpper) != 0;
}

// The number of eight digits, the first one lowest: pairs, then fours, then all.
DEVICE uint64_t NumberOfEight(uint64_t x) {
    constexpr uint64_t kPairs = UINT64_C(0x000000ff000000ff);
    x = x * 10 + (x >> 8);
    return ((x & kPairs) * (UINT64_C(1000000) << 32 | 100) +
            (x >> 16 & kPairs) * (UINT64_C(10000) << 32 | 1)) >>
           32;
}

template <unsigned kWidth>
__global__ void __launch_bounds__(kThreads) PackKernel(const PackJob job) {
    constexpr unsigned kBytes = kThreads * kWidth, kZeros = 0x30303030;
    SHARED(PackRoom<kBytes>, shared);
    WaitForKernelBefore();
    char *const room = (char *)shared.characters;
    const int64_t end = (int64_t)job.n - (int64_t)((uint64_t)blockIdx.x * kBytes);
    const int64_t first = end - (int64_t)kBytes;  // of the text, below 0 before it
    const unsigned skip = (unsigned)((uintptr_t)job.s + (uintptr_t)first) % kVector;
    for (unsigned v = threadIdx.x * kVector; v < kBytes + skip; v += kThreads * kVector) {
        const int64_t at = first + v - skip;
        if (at >= 0 && at + kVector <= (int64_t)job.n) {
            *(Vector *)(room + v) = *(const Vector *)(job.s + at);
            continue;
        }
        for (unsigned i = 0; i < kVector; i++) {
            const bool inside = at + i >= 0 && at + i < (int64_t)job.n;
            room[v + i] = inside ? job.s[at + i] : '0';
        }
    }
    __syncthreads();
    const uint64_t i = (uint64_t)blockIdx.x * kThreads + threadIdx.x;
    if (i >= job.words_n) {
        return;
    }
    const unsigned from = (kThreads - 1 - threadIdx.x) * kWidth;
    const char *const at = room + skip + from;
    uint64_t word = 0;
    bool bad = false;
#pragma unroll
    for (unsigned k = 0; k < kWidth % 8; k++) {
        const unsigned digit = (unsigned)(unsigned char)at[k] - '0';
        bad = bad || digit > 9;
        word = word * 10 + digit;
    }
#pragma unroll
    for (unsigned k = kWidth % 8; k < kWidth; k += 8) {
        const uint64_t x = Eight(at + k) ^ ((uint64_t)kZeros << 32 | kZeros);
        bad = bad || AnyBad(x);
        word = word * 100000000 + NumberOfEight(x);
    }
    job.words[i] = word;
    for (unsigned k = 0; bad && k < kWidth; k++) {
        if ((unsigned)(unsigned char)at[k] - '0' > 9) {
            atomicMin(job.bad, (unsigned long long)(first + from + k));
            break;
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
    if (k != kDigits && k != kDigits - 1) {
        return RESULT_REFUSED;
    }
    const PackJob job = {words, words_n, s, n, reinterpret_cast<unsigned long long *>(bad)};
    return Run(k == kDigits ? PackKernel<kDigits> : PackKernel<kDigits - 1>,
               word_ceil_div(words_n, kThreads), kThreads, stream, job);
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
