// row.cuh: a row of a tridiagonal system in registers or shared memory, and what the
// algorithms without interchanges do to it. Includes device.cuh only.
#ifndef PRIMITIVES_TRIDIAGONAL_ROW_CUH_
#define PRIMITIVES_TRIDIAGONAL_ROW_CUH_

#include <math.h>

#include "primitives/cuda/device.cuh"

// a x(lower) + b x(own) + c x(higher) = d: at first the neighbours i - 1 and i + 1, others later.
template <class T>
struct alignas(16) Row {
    T a, b, c, d;
};

// 1 x = 0: stands for rows outside of a system and changes no other row.
template <class T>
DEVICE Row<T> NoRow() {
    return {0, 1, 0, 0};
}

// Between eliminates both neighbours of a row by their own rows: what is left knows the lower's
// lower and the higher's higher one. The node of cyclic reduction: 2 divisions, 4 fused operations.
template <class T>
DEVICE Row<T> Between(const Row<T> &lower, const Row<T> &row, const Row<T> &higher) {
    const T s = row.a / lower.b, t = row.c / higher.b;
    return {-s * lower.a, fma(-s, lower.c, fma(-t, higher.a, row.b)), -t * higher.c,
            fma(-s, lower.d, fma(-t, higher.d, row.d))};
}

template <class T>
DEVICE T Unknown(const Row<T> &row, T lower, T higher) {
    return fma(-row.a, lower, fma(-row.c, higher, row.d)) / row.b;
}

// Rows in shared memory with a gap behind every eighth: quarter-warps reach rows 1, 2, 4 or 8 apart
// without meeting in a bank (16 bytes each).
DEVICE unsigned RowPlace(unsigned i) { return i + i / 8; }
HOST_DEVICE constexpr size_t RowPlaces(size_t rows) { return rows + rows / 8; }

#endif  // PRIMITIVES_TRIDIAGONAL_ROW_CUH_
