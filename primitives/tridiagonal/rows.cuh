// rows.cuh: consecutive rows of a system in a thread's registers: to and from memory,
// to a span, and back. For partition.cu. Includes span.cuh.
#ifndef PRIMITIVES_TRIDIAGONAL_ROWS_CUH_
#define PRIMITIVES_TRIDIAGONAL_ROWS_CUH_

#include "primitives/tridiagonal/span.cuh"

// to[0..kEach) = from[0..kEach), 16 bytes at a time.
template <unsigned kEach, class T>
DEVICE void LoadVectors(T (&to)[kEach], const Stored<T> *from) {
    constexpr unsigned kVector = 16 / sizeof(Stored<T>);
    struct alignas(16) Vector {
        Stored<T> x[kVector];
    };
#pragma unroll
    for (unsigned i = 0; i < kEach; i += kVector) {
        const Vector v = *(const Vector *)(from + i);
#pragma unroll
        for (unsigned e = 0; e < kVector; e++) {
            to[i + e] = v.x[e];
        }
    }
}

template <unsigned kEach, class T>
DEVICE void StoreVectors(Stored<T> *to, const T (&from)[kEach]) {
    constexpr unsigned kVector = 16 / sizeof(Stored<T>);
    struct alignas(16) Vector {
        Stored<T> x[kVector];
    };
#pragma unroll
    for (unsigned i = 0; i < kEach; i += kVector) {
        Vector v;
#pragma unroll
        for (unsigned e = 0; e < kVector; e++) {
            v.x[e] = Rounded(from[i + e]);
        }
        *(Vector *)(to + i) = v;
    }
}

// A thread's rows; later what is kept of them: u in a, end in b, near in c, d in d.
template <class T, unsigned kEach>
struct Rows {
    T a[kEach], b[kEach], c[kEach], d[kEach];

    DEVICE Row<T> Scaled(unsigned i) const { return ::Scaled(Row<T>{a[i], b[i], c[i], d[i]}); }
};

// The rows become a span, and what is kept of those between takes their place. Returns the bits of
// those whose pivot was the later row.
template <unsigned kEach, class T>
DEVICE uint32_t MakeSpan(Rows<T, kEach> &rows, Span<T> &span) {
    span = SpanOf(rows.Scaled(0), rows.Scaled(1));
    uint32_t fresh = 0;
#pragma unroll
    for (unsigned i = 1; i + 1 < kEach; i++) {
        const Kept<T> kept = Append(span, rows.Scaled(i + 1));
        rows.a[i] = kept.u;
        rows.b[i] = kept.end;
        rows.c[i] = kept.near;
        rows.d[i] = kept.d;
        fresh |= (uint32_t)kept.fresh << i;
    }
    return fresh;
}

// The unknowns, in d.
template <unsigned kEach, class T>
DEVICE void Substitute(Rows<T, kEach> &rows, uint32_t fresh, const Border<T> &lo,
                       const Border<T> &hi) {
    T next = hi.below, after = hi.above;
    rows.d[0] = lo.above;
    rows.d[kEach - 1] = next;
#pragma unroll
    for (unsigned i = kEach - 2; i > 0; i--) {
        const T x = fma(-rows.a[i], next, rows.d[i]);
        rows.d[i] = (fresh >> i & 1) != 0 ? fma(-rows.b[i], after, x)
                                          : fma(-rows.c[i], lo.above, fma(-rows.b[i], lo.below, x));
        after = next;
        next = rows.d[i];
    }
}

#endif  // PRIMITIVES_TRIDIAGONAL_ROWS_CUH_
