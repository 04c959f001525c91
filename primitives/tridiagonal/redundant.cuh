// redundant.cuh: the operator of redundant reduction [DieguezThesis18, 3.1]. Includes row.cuh.
#ifndef PRIMITIVES_TRIDIAGONAL_REDUNDANT_CUH_
#define PRIMITIVES_TRIDIAGONAL_REDUNDANT_CUH_

#include "primitives/tridiagonal/row.cuh"

// Redundant reduction: item j stands for rows p .. j by two rows, `inner` in x(p-1), x(j), x(j+1)
// and `outer` in x(p-1), x(p), x(j+1). Two neighbouring items make one, associatively, so that any
// scan circuit finds the items from row 0 to every j.
template <class T>
struct RedundantItem {
    Row<T> inner, outer;
};

template <class T>
DEVICE RedundantItem<T> Combine(const RedundantItem<T> &left, const RedundantItem<T> &right) {
    const Row<T> &l = left.inner, &r = right.outer;
    const T s = r.a / l.b;  // x: without the left's x(j); y: without x(j+1)
    const Row<T> x = {-s * l.a, fma(-s, l.c, r.b), r.c, fma(-s, l.d, r.d)};
    const T q = l.c / r.b;
    const Row<T> y = {l.a, fma(-q, r.a, l.b), -q * r.c, fma(-q, r.d, l.d)};
    const Row<T> &in = right.inner, &out = left.outer;
    const T e = in.a / y.b, f = out.c / x.b;
    return {{-e * y.a, in.b, fma(-e, y.c, in.c), fma(-e, y.d, in.d)},
            {fma(-f, x.a, out.a), out.b, -f * x.c, fma(-f, x.d, out.d)}};
}

#endif  // PRIMITIVES_TRIDIAGONAL_REDUNDANT_CUH_
