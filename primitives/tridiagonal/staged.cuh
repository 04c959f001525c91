// staged.cuh: consecutive rows of a system in shared memory, where asynchronous copies
// bring them: to a span, and, once the unknowns at both ends are known, to all unknowns. For
// kept.cu. Includes kernels.cuh and span.cuh. T computes,
// Stored<T> stands in memory.
#ifndef PRIMITIVES_TRIDIAGONAL_STAGED_CUH_
#define PRIMITIVES_TRIDIAGONAL_STAGED_CUH_

#include <string.h>

#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/span.cuh"

// A span's row whose x(p-1) and x(p) are known: u x(i) + v x(i+1) = d.
template <class T>
struct Line {
    T u, v, d;
};

// What an eliminated unknown depends on then: x(i) = d - u x(i+1) - w x(i+2).
template <class T>
struct Known {
    T u, w, d;
};

// Eliminate is Append for rows whose x(p-1) and x(p) are known: it has the same pivots. 5 fused
// operations, 4 products and a reciprocal.
template <class T>
DEVICE Known<T> Eliminate(Line<T> (&line)[2], const Row<T> &next) {
    const bool swap = fabs(line[1].u) > fabs(line[0].u);
    const Line<T> p = swap ? line[1] : line[0], q = swap ? line[0] : line[1];
    const bool fresh = fabs(next.a) > fabs(p.u);
    const T inverse = Reciprocal(fresh ? next.a : p.u);
    const T u = (fresh ? next.b : p.v) * inverse;
    const T w = (fresh ? next.c : 0) * inverse;
    const T d = (fresh ? next.d : p.d) * inverse;
    const T other = fresh ? p.u : next.a;
    line[0] = {fma(-other, u, fresh ? p.v : next.b), fresh ? -other * w : next.c,
               fma(-other, d, fresh ? p.d : next.d)};
    line[1] = {fma(-q.u, u, q.v), -q.u * w, fma(-q.u, d, q.d)};
    return {u, w, d};
}

// How many numbers in memory take the place of one that is computed with: 1, or 2 twofold.
template <class T>
constexpr unsigned kWide = sizeof(T) / sizeof(Stored<T>);

// A tile: kEach consecutive rows for each thread of a block. Of each thread the stage has kVectors
// vectors of a, as many of b, of c and of d, and of further arrays: Solve needs kSolveArrays, three
// for each of kWide. Vector v stands at v ^ thread % 8, so that neither one
// vector of eight threads nor eight vectors of one share a bank.
template <class T>
constexpr unsigned kSolveArrays = kWide<T> == 1 ? 4 : 3 * kWide<T>;

template <class T, unsigned kRows, unsigned kArrays>
struct StagedRows {
    static constexpr unsigned kEach = kRows, kVector = 16 / sizeof(Stored<T>);
    static constexpr unsigned kVectors = kRows / kVector;
    static_assert(kVectors % 8 == 0, "banks");
    struct alignas(16) Vector {
        Stored<T> x[kVector];
    };
    Vector *stage;

    HOST_DEVICE static constexpr size_t Bytes(unsigned threads) {
        return kArrays * sizeof(Vector) * kVectors * threads;
    }

    DEVICE Vector &At(unsigned array, unsigned thread, unsigned v) const {
        return stage[(thread * kArrays + array) * kVectors + (v ^ thread % 8)];
    }
    DEVICE Stored<T> &Element(unsigned array, unsigned row) const {
        return At(array, threadIdx.x, row / kVector).x[row % kVector];
    }

    // Load begins to bring the rows from `first` on, for the whole block; whole: they are there to
    // the last one, and at multiples of 16 bytes.
    DEVICE void Load(const TridiagonalData<Stored<T>> &m, uint64_t system, uint64_t first,
                     bool whole) const {
        if (whole) {
            const uint64_t at = system * m.system_stride + first;
#pragma unroll 4
            for (unsigned k = 0; k < kVectors; k++) {
                const unsigned i = threadIdx.x + k * blockDim.x;
                const unsigned thread = i / kVectors, v = i % kVectors;
                CopyAsync16(&At(0, thread, v), m.a + at + i * kVector);
                CopyAsync16(&At(1, thread, v), m.b + at + i * kVector);
                CopyAsync16(&At(2, thread, v), m.c + at + i * kVector);
                CopyAsync16(&At(3, thread, v), m.d + at + i * kVector);
            }
        } else {
#pragma unroll 1
            for (unsigned i = 0; i < kEach; i++) {
                const Row<Stored<T>> row = m.Load(system, first + threadIdx.x * kEach + i);
                Element(0, i) = row.a;
                Element(1, i) = row.b;
                Element(2, i) = row.c;
                Element(3, i) = row.d;
            }
        }
        CopyCommit();
    }

    // Arrive waits until they are there.
    DEVICE void Arrive(const TridiagonalData<Stored<T>> &m, uint64_t first) const {
        CopyWait<0>();
        __syncthreads();
        const uint64_t own = first + threadIdx.x * kEach;
        if (own == 0) {
            Element(0, 0) = 0;
        }
        if (own + kEach == m.n) {
            Element(2, kEach - 1) = 0;
        }
    }

    // Vectors of one number.
    struct RowVectors {
        Vector a, b, c, d;
        DEVICE Row<T> ScaledRow(unsigned e) const {
            return Scaled(Row<T>{a.x[e], b.x[e], c.x[e], d.x[e]});
        }
    };
    DEVICE RowVectors Fetch(unsigned v) const {
        const unsigned t = threadIdx.x;
        return {At(0, t, v), At(1, t, v), At(2, t, v), At(3, t, v)};
    }

    template <unsigned kFrom>
    DEVICE void AppendRows(Span<T> &span, const RowVectors &g) const {
#pragma unroll
        for (unsigned e = kFrom; e < kVector; e++) {
            Append(span, g.ScaledRow(e));
        }
    }

    // The thread's rows as a span. Vectors are fetched before those before are done with.
    DEVICE Span<T> MakeSpan() const {
        RowVectors g = Fetch(0), next = Fetch(1);
        Span<T> span = SpanOf(g.ScaledRow(0), g.ScaledRow(1));
        AppendRows<2>(span, g);
#pragma unroll 1
        for (unsigned v = 1; v < kVectors; v++) {
            g = next;
            next = Fetch(v + 1 < kVectors ? v + 1 : v);
            AppendRows<0>(span, g);
        }
        return span;
    }

    // What is known takes the place of the rows of vector v: its number k (u, w, d) that of arrays
    // kWide k and, twofold, the next one.
    DEVICE void Keep(unsigned k, unsigned v, const T (&numbers)[kVector]) const {
#pragma unroll
        for (unsigned h = 0; h < kWide<T>; h++) {
            memcpy(&At(kWide<T> * k + h, threadIdx.x, v), &numbers[h * kVector / kWide<T>],
                   sizeof(Vector));
        }
    }
    DEVICE void Recall(unsigned k, unsigned v, T (&numbers)[kVector]) const {
#pragma unroll
        for (unsigned h = 0; h < kWide<T>; h++) {
            memcpy(&numbers[h * kVector / kWide<T>], &At(kWide<T> * k + h, threadIdx.x, v),
                   sizeof(Vector));
        }
    }

    template <unsigned kFrom>
    DEVICE void EliminateRows(Line<T> (&line)[2], const RowVectors &g, unsigned v) const {
        T u[kVector] = {}, w[kVector] = {}, d[kVector] = {};
#pragma unroll
        for (unsigned e = kFrom; e < kVector; e++) {
            const Known<T> known = Eliminate(line, g.ScaledRow(e));
            u[e] = known.u;
            w[e] = known.w;
            d[e] = known.d;
        }
        Keep(0, v, u);
        Keep(1, v, w);
        Keep(2, v, d);
    }

    // Solve puts the thread's unknowns in d's place. What is known of unknown i takes the place of
    // row i + 1 meanwhile.
    DEVICE void Solve(const Border<T> &lo, const Border<T> &hi) const {
        static_assert(kArrays >= kSolveArrays<T>, "room for what is known");
        RowVectors g = Fetch(0), next = Fetch(1);
        const Row<T> p = g.ScaledRow(0), q = g.ScaledRow(1);
        Line<T> line[2] = {{p.c, 0, fma(-p.b, lo.above, fma(-p.a, lo.below, p.d))},
                           {q.b, q.c, fma(-q.a, lo.above, q.d)}};
        EliminateRows<2>(line, g, 0);
#pragma unroll 1
        for (unsigned v = 1; v < kVectors; v++) {
            g = next;
            next = Fetch(v + 1 < kVectors ? v + 1 : v);
            EliminateRows<0>(line, g, v);
        }
        Substitute(lo, hi);
    }

    DEVICE void Substitute(const Border<T> &lo, const Border<T> &hi) const {
        const unsigned t = threadIdx.x;
        T next = hi.below, after = hi.above;
#pragma unroll 1
        for (unsigned v = kVectors; v-- > 0;) {
            T u[kVector], w[kVector], d[kVector];
            Recall(0, v, u);
            Recall(1, v, w);
            Recall(2, v, d);
            Vector x;
#pragma unroll
            for (unsigned e = kVector; e-- > 0;) {
                // Row i's place knows x(i-1), rows 0 and 1 nothing.
                const T before =
                    v == 0 && e == 1 ? lo.above : fma(-u[e], next, fma(-w[e], after, d[e]));
                x.x[e] = Rounded(next);
                after = next;
                next = before;
            }
            At(3, t, v) = x;
        }
    }

    // Store writes the unknowns of the whole block.
    DEVICE void Store(const TridiagonalData<Stored<T>> &m, uint64_t system, uint64_t first,
                      bool whole) const {
        __syncthreads();
        if (!whole) {
#pragma unroll 1
            for (unsigned i = 0; i < kEach; i++) {
                m.Store(system, first + threadIdx.x * kEach + i, Element(3, i));
            }
            return;
        }
        Stored<T> *const to = m.x + system * m.system_stride + first;
        Stored<T> none = 0;  // unless one of them is not finite
#pragma unroll 4
        for (unsigned k = 0; k < kVectors; k++) {
            const unsigned i = threadIdx.x + k * blockDim.x;
            const Vector x = At(3, i / kVectors, i % kVectors);
            *(Vector *)(to + i * kVector) = x;
#pragma unroll
            for (unsigned e = 0; e < kVector; e++) {
                none = fma(x.x[e], (Stored<T>)0, none);
            }
        }
        if (m.status != nullptr && !(none == 0)) {
            m.status[system] = 1;
        }
    }
};

#endif  // PRIMITIVES_TRIDIAGONAL_STAGED_CUH_
