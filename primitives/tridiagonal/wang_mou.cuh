// wang_mou.cuh: the node of Wang and Mou's algorithm. Includes row.cuh.
#ifndef PRIMITIVES_TRIDIAGONAL_WANG_MOU_CUH_
#define PRIMITIVES_TRIDIAGONAL_WANG_MOU_CUH_

#include "primitives/tridiagonal/row.cuh"

// After some steps rows stand in blocks lo .. hi and row i knows x(lo-1), x(i), x(hi+1). Two
// neighbouring blocks meet in the left one's last row and the right one's first. `across` is
// what they tell the left block's rows of x(m), and the right block's: the right's first row
// without x(m), the left's last without x(m+1).
template <class T>
DEVICE Row<T> AcrossLeft(const Row<T> &last, const Row<T> &first) {
    const T s = first.a / last.b;
    return {-s * last.a, fma(-s, last.c, first.b), first.c, fma(-s, last.d, first.d)};
}

template <class T>
DEVICE Row<T> AcrossRight(const Row<T> &last, const Row<T> &first) {
    const T t = last.c / first.b;
    return {last.a, fma(-t, first.a, last.b), -t * first.c, fma(-t, first.d, last.d)};
}

template <class T>
DEVICE Row<T> MergeLeft(const Row<T> &row, const Row<T> &across) {
    const T q = row.c / across.b;
    return {fma(-q, across.a, row.a), row.b, -q * across.c, fma(-q, across.d, row.d)};
}

template <class T>
DEVICE Row<T> MergeRight(const Row<T> &row, const Row<T> &across) {
    const T q = row.a / across.b;
    return {-q * across.a, row.b, fma(-q, across.c, row.c), fma(-q, across.d, row.d)};
}

#endif  // PRIMITIVES_TRIDIAGONAL_WANG_MOU_CUH_
