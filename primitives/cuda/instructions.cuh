// instructions.cuh: instructions that C++ lacks and few kernels need, each beside its twin for the
// host. Common ones are in device.cuh, which this includes.
#ifndef PRIMITIVES_CUDA_INSTRUCTIONS_CUH_
#define PRIMITIVES_CUDA_INSTRUCTIONS_CUH_

#include "primitives/cuda/device.cuh"

// CopyAsyncOrZero is CopyAsync8 or CopyAsync4 if `there`; else it makes the bytes zero and reads
// nothing.
template <unsigned kBytes>
DEVICE void CopyAsyncOrZero(void *shared, const void *global, bool there) {
#if defined(__CUDACC__)
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(
                     (unsigned)__cvta_generic_to_shared(shared)),
                 "l"(global), "n"(kBytes), "r"(there ? kBytes : 0)
                 : "memory");
#else
    if (there) {
        emulation::CopyAsync(shared, global, kBytes);
    } else {
        memset(shared, 0, kBytes);
    }
#endif
}

// MultiplyBytes adds to a matrix of 16 x 8 sums modulo 2^32 the product of one of 16 x 32 and one
// of 32 x 8 unsigned bytes, by all lanes of a warp, on tensor cores. With g = Lane() / 4, t =
// Lane() % 4: sum[2 h + e] is at row g + 8 h, column 2 t + e; row[2 k + h] has row g + 8 h, bytes
// 16 k + 4 t on; column[k] has column g, bytes 16 k + 4 t on.
DEVICE void MultiplyBytes(int32_t (&sum)[4], const uint32_t (&row)[4],
                          const uint32_t (&column)[2]) {
#if defined(__CUDACC__)
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7},"
        " {%8, %9}, {%0, %1, %2, %3};"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2]), "+r"(sum[3])
        : "r"(row[0]), "r"(row[1]), "r"(row[2]), "r"(row[3]), "r"(column[0]), "r"(column[1]));
#else
    const unsigned g = Lane() / 4, t = Lane() % 4;
    for (unsigned from = 0; from < 4; from++) {
        for (unsigned k = 0; k < 2; k++) {
            uint32_t columns[2];
            const uint32_t upper = __shfl_sync(kAllLanes, row[2 * k], (int)(4 * g + from));
            const uint32_t lower = __shfl_sync(kAllLanes, row[2 * k + 1], (int)(4 * g + from));
            columns[0] = __shfl_sync(kAllLanes, column[k], (int)(4 * (2 * t) + from));
            columns[1] = __shfl_sync(kAllLanes, column[k], (int)(4 * (2 * t + 1) + from));
            for (unsigned byte = 0; byte < 32; byte += 8) {
                for (unsigned e = 0; e < 2; e++) {
                    const uint32_t c = (uint8_t)(columns[e] >> byte);
                    sum[e] = (int32_t)((uint32_t)sum[e] + (uint8_t)(upper >> byte) * c);
                    sum[2 + e] = (int32_t)((uint32_t)sum[2 + e] + (uint8_t)(lower >> byte) * c);
                }
            }
        }
    }
#endif
}

// MultiplyAdd adds a b to a sum of three words, least significant first, modulo 2^96. Two
// instructions: the product is one that takes and gives a carry.
DEVICE void MultiplyAdd(uint32_t (&sum)[3], uint32_t a, uint32_t b) {
#if defined(__CUDACC__)
    asm("mad.lo.cc.u32 %0, %3, %4, %0; madc.hi.cc.u32 %1, %3, %4, %1; addc.u32 %2, %2, 0;"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2])
        : "r"(a), "r"(b));
#else
    const uint64_t low = (uint64_t)sum[1] << 32 | sum[0], all = low + (uint64_t)a * b;
    sum[0] = (uint32_t)all, sum[1] = (uint32_t)(all >> 32);
    sum[2] += all < low ? 1 : 0;
#endif
}

// WideMultiplyAdd returns sum + a b modulo 2^64, by one instruction: compilers that know something
// of b make several.
DEVICE uint64_t WideMultiplyAdd(uint64_t sum, uint32_t a, uint32_t b) {
#if defined(__CUDACC__)
    asm("mad.wide.u32 %0, %1, %2, %0;" : "+l"(sum) : "r"(a), "r"(b));
    return sum;
#else
    return sum + (uint64_t)a * b;
#endif
}

// AddTriple adds words b0, b1, b2 to a sum of three, least significant first, modulo 2^96.
DEVICE void AddTriple(uint32_t (&sum)[3], uint32_t b0, uint32_t b1, uint32_t b2) {
#if defined(__CUDACC__)
    asm("add.cc.u32 %0, %0, %3; addc.cc.u32 %1, %1, %4; addc.u32 %2, %2, %5;"
        : "+r"(sum[0]), "+r"(sum[1]), "+r"(sum[2])
        : "r"(b0), "r"(b1), "r"(b2));
#else
    const uint64_t low = (uint64_t)sum[1] << 32 | sum[0], all = low + ((uint64_t)b1 << 32 | b0);
    sum[0] = (uint32_t)all, sum[1] = (uint32_t)(all >> 32);
    sum[2] += b2 + (all < low ? 1 : 0);
#endif
}

// DotBytes returns sum + the products of the four unsigned bytes of a by those of b.
DEVICE uint32_t DotBytes(uint32_t sum, uint32_t a, uint32_t b) {
#if defined(__CUDACC__)
    return __dp4a(a, b, sum);
#else
    for (unsigned i = 0; i < 32; i += 8) {
        sum += (a >> i & 0xFF) * (b >> i & 0xFF);
    }
    return sum;
#endif
}

// CarryChain: First, Next, ... and Last, with no other sums of it between them: sums of words of 64
// bits, each with the carry of the one before.
class CarryChain {
   public:
    DEVICE uint64_t First(uint64_t a, uint64_t b) {
#if defined(__CUDACC__)
        uint64_t sum;
        asm volatile("add.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b));
        return sum;
#else
        carry_ = 0;
        return Next(a, b);
#endif
    }
    DEVICE uint64_t Next(uint64_t a, uint64_t b) {
#if defined(__CUDACC__)
        uint64_t sum;
        asm volatile("addc.cc.u64 %0, %1, %2;" : "=l"(sum) : "l"(a), "l"(b));
        return sum;
#else
        const word_pair sum = (word_pair)a + b + carry_;
        carry_ = (uint32_t)(sum >> 64);
        return (uint64_t)sum;
#endif
    }
    // Last: a and the last carry.
    DEVICE uint32_t Last(uint32_t a) {
#if defined(__CUDACC__)
        uint32_t sum;
        asm volatile("addc.u32 %0, %1, 0;" : "=r"(sum) : "r"(a));
        return sum;
#else
        return a + carry_;
#endif
    }

   private:
#if !defined(__CUDACC__)
    uint32_t carry_ = 0;
#endif
};

// MatchBits returns the lanes of the warp, all of which call it, whose kBits low bits of v equal
// the calling lane's. Four instructions a bit, where ?: in place of the predicate takes seven.
// __match_any_sync takes the longer the more values there are: radix passes over random digits 1.5
// times as long as with those seven, over equal ones 0.65 times, on an H200.
template <unsigned kBits>
DEVICE unsigned MatchBits(unsigned v) {
    unsigned same = kAllLanes;
#pragma unroll
    for (unsigned b = 0; b < kBits; b++) {
#if defined(__CUDACC__)
        unsigned with;
        asm("{ .reg .pred p; .reg .b32 t; and.b32 t, %1, %2; setp.ne.u32 p, t, 0;"
            " vote.sync.ballot.b32 %0, p, 0xffffffff; @!p not.b32 %0, %0; }"
            : "=r"(with)
            : "r"(v), "r"(1u << b));
#else
        const bool set = (v >> b & 1) != 0;
        const unsigned ballot = __ballot_sync(kAllLanes, set);
        const unsigned with = set ? ballot : ~ballot;
#endif
        same &= with;
    }
    return same;
}

// ApproximateReciprocal returns 1 / v with a relative error below 2^-22 for float, 2^-19 for
// double; infinity for zero, and for v below the smallest normal number.
DEVICE float ApproximateReciprocal(float v) {
#if defined(__CUDACC__)
    float r;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(v));
    return r;
#else
    return 1 / v;
#endif
}

DEVICE double ApproximateReciprocal(double v) {
#if defined(__CUDACC__)
    double r;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(r) : "d"(v));
    return r;
#else
    return 1 / v;
#endif
}

// Again returns v, hidden from the compiler: values derived from it are computed again where they
// are needed, instead of being kept in registers across a loop.
DEVICE unsigned Again(unsigned v) {
#if defined(__CUDACC__)
    asm volatile("" : "+r"(v));
#endif
    return v;
}

#endif  // PRIMITIVES_CUDA_INSTRUCTIONS_CUH_
