// warpgroup.cuh: products of matrices of bytes by a warpgroup, four warps from a multiple of four
// on, on tensor cores that read both factors from shared memory; for devices of compute capability
// 9.0 alone. Includes device.cuh.
//
//   SharedForMatrices();                  by each thread that has written shared memory, after its
//                                         writes and before the barrier that all readers pass
//   MatrixBegin();                        before the first product; then any number of
//   MultiplyMatrices(sum, a, b, add);     sum of 64 x 128 = (add ? sum : 0) + a of 64 x 32 times b
//                                         of 32 x 128 unsigned bytes, modulo 2^32
//   MatrixEnd(sum);                       waits; until then no thread may read sum
//
// sum[j][2 h + e] of warp w and lane 4 g + t is at row 16 w + 8 h + g, column 8 j + 2 t + e. Cost:
// 64 cycles of a multiprocessor's tensor cores a product.
#ifndef PRIMITIVES_CUDA_WARPGROUP_CUH_
#define PRIMITIVES_CUDA_WARPGROUP_CUH_

#include "primitives/cuda/device.cuh"

constexpr unsigned kWarpgroup = 4 * kWarp;

// ByteMatrix: rows of 32 bytes (columns, of a right factor) in shared memory, in pieces of 8 rows
// by 16 bytes that are 128 bytes in a row each, on lines of 16 bytes: from a piece to that of the
// next 16 bytes it is `across` bytes, to that of the next 8 rows `down`, multiples of 16 and below
// 2^18. Pieces may overlap, or be the same. Below is the matrix that stands `bytes` below it, a
// multiple of 16.
#if defined(__CUDACC__)
struct ByteMatrix {
    uint64_t descriptor;  // as instructions take it: all in units of 16 bytes, no swizzle

    DEVICE ByteMatrix(const void *at, unsigned across, unsigned down)
        : descriptor((uint64_t)((unsigned)__cvta_generic_to_shared(at) >> 4) |
                     (uint64_t)(across >> 4) << 16 | (uint64_t)(down >> 4) << 32) {}
    DEVICE ByteMatrix Below(unsigned bytes) const {
        ByteMatrix below = *this;
        below.descriptor -= bytes >> 4;  // places are never negative, so nothing is borrowed
        return below;
    }
};
#else
struct ByteMatrix {
    const uint8_t *at;
    unsigned across, down;

    ByteMatrix(const void *from, unsigned to_next, unsigned to_rows)
        : at((const uint8_t *)from), across(to_next), down(to_rows) {}
    ByteMatrix Below(unsigned bytes) const { return {at - bytes, across, down}; }
    // The 16 bytes of a row that begin at byte 16 half.
    const uint8_t *Bytes(unsigned row, unsigned half) const {
        return at + half * across + row / 8 * down + row % 8 * 16;
    }
};
#endif

using MatrixSum = int32_t[16][4];

DEVICE void SharedForMatrices() {
#if defined(__CUDACC__)
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

#if defined(__CUDACC__)

DEVICE void MatrixBegin() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }

DEVICE void MatrixEnd(MatrixSum &sum) {
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" ::: "memory");
#pragma unroll
    for (unsigned i = 0; i < 64; i++) {
        asm volatile("" : "+r"(sum[i / 4][i % 4])::"memory");  // not read above this line
    }
}

DEVICE void MultiplyMatrices(MatrixSum &sum, const ByteMatrix &a, const ByteMatrix &b, bool add) {
    int32_t *const s = sum[0];
    asm volatile(
        "{ .reg .pred p; setp.ne.u32 p, %66, 0;"
        " wgmma.mma_async.sync.aligned.m64n128k32.s32.u8.u8 {%0, %1, %2, %3, %4, %5, %6, %7, %8,"
        " %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26,"
        " %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44,"
        " %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62,"
        " %63}, %64, %65, p; }"
        : "+r"(s[0]), "+r"(s[1]), "+r"(s[2]), "+r"(s[3]), "+r"(s[4]), "+r"(s[5]), "+r"(s[6]),
          "+r"(s[7]), "+r"(s[8]), "+r"(s[9]), "+r"(s[10]), "+r"(s[11]), "+r"(s[12]), "+r"(s[13]),
          "+r"(s[14]), "+r"(s[15]), "+r"(s[16]), "+r"(s[17]), "+r"(s[18]), "+r"(s[19]), "+r"(s[20]),
          "+r"(s[21]), "+r"(s[22]), "+r"(s[23]), "+r"(s[24]), "+r"(s[25]), "+r"(s[26]), "+r"(s[27]),
          "+r"(s[28]), "+r"(s[29]), "+r"(s[30]), "+r"(s[31]), "+r"(s[32]), "+r"(s[33]), "+r"(s[34]),
          "+r"(s[35]), "+r"(s[36]), "+r"(s[37]), "+r"(s[38]), "+r"(s[39]), "+r"(s[40]), "+r"(s[41]),
          "+r"(s[42]), "+r"(s[43]), "+r"(s[44]), "+r"(s[45]), "+r"(s[46]), "+r"(s[47]), "+r"(s[48]),
          "+r"(s[49]), "+r"(s[50]), "+r"(s[51]), "+r"(s[52]), "+r"(s[53]), "+r"(s[54]), "+r"(s[55]),
          "+r"(s[56]), "+r"(s[57]), "+r"(s[58]), "+r"(s[59]), "+r"(s[60]), "+r"(s[61]), "+r"(s[62]),
          "+r"(s[63])
        : "l"(a.descriptor), "l"(b.descriptor), "r"((unsigned)add)
        : "memory");
}

#else

DEVICE void MatrixBegin() {}
DEVICE void MatrixEnd(MatrixSum &) {}

DEVICE void MultiplyMatrices(MatrixSum &sum, const ByteMatrix &a, const ByteMatrix &b, bool add) {
    const unsigned warp = threadIdx.x / kWarp % 4, g = Lane() / 4, t = Lane() % 4;
    for (unsigned j = 0; j < 16; j++) {
        for (unsigned i = 0; i < 4; i++) {
            const unsigned row = 16 * warp + i / 2 * 8 + g, column = 8 * j + 2 * t + i % 2;
            uint32_t c = add ? (uint32_t)sum[j][i] : 0;
            for (unsigned half = 0; half < 2; half++) {
                const uint8_t *const p = a.Bytes(row, half), *const q = b.Bytes(column, half);
                for (unsigned k = 0; k < 16; k++) {
                    c += (uint32_t)p[k] * q[k];
                }
            }
            sum[j][i] = (int32_t)c;
        }
    }
}

#endif

#endif  // PRIMITIVES_CUDA_WARPGROUP_CUH_
