// rows.cu: see rows.h.
#include "bench/tridiagonal/rows.h"

#include "primitives/cuda/warp.cuh"
#include "primitives/tridiagonal/kernels.cuh"
#include "primitives/tridiagonal/redundant.cuh"

namespace {

constexpr unsigned kMaxThreads = 1024, kLeastThreads = 128;

// Which of a block's systems, and which of its threads, a thread is.
struct Place {
    unsigned lane, in_block;
    uint64_t system;

    DEVICE explicit Place(unsigned lanes)
        : lane(threadIdx.x % lanes),
          in_block(threadIdx.x / lanes),
          system((uint64_t)blockIdx.x * (blockDim.x / lanes) + threadIdx.x / lanes) {}
};

template <class T>
DEVICE Row<T> ShuffleRow(const Row<T> &row, unsigned lane) {
    return {Broadcast(row.a, lane % kWarp), Broadcast(row.b, lane % kWarp),
            Broadcast(row.c, lane % kWarp), Broadcast(row.d, lane % kWarp)};
}

// The unknowns of two rows that know only each other.
template <class T>
DEVICE void SolveTwo(const Row<T> &low, const Row<T> &high, T *x_low, T *x_high) {
    const T s = high.a / low.b;
    *x_high = fma(-s, low.d, high.d) / fma(-s, low.c, high.b);
    *x_low = fma(-low.c, *x_high, low.d) / low.b;
}

// --- Cyclic reduction ----------------------------------------------------------------------------

// Two rows of each of `width` lanes side by side, which know no others: their unknowns. Called by
// full warps, in which groups of `width` <= 32 lanes hold a system each.
template <class T>
DEVICE void ReduceLanes(Row<T> odd, Row<T> even, unsigned width, T *x_odd, T *x_even) {
    constexpr unsigned kLevels = 5;
    const unsigned base = Lane() & ~(width - 1), l = Lane() - base;
    Row<T> saved[kLevels];
#pragma unroll
    for (unsigned k = 0; k < kLevels; k++) {
        const unsigned live = width >> k;
        if (live > 1) {
            const Row<T> next = ShuffleRow(odd, Lane() + 1);
            const Row<T> left = Between(odd, even, l + 1 < live ? next : NoRow<T>());
            saved[k] = odd;
            odd = ShuffleRow(left, base + 2 * l);
            even = ShuffleRow(left, base + 2 * l + 1);
        }
    }
    SolveTwo(odd, even, x_odd, x_even);
#pragma unroll
    for (unsigned k = kLevels; k-- > 0;) {
        if (width >> k > 1) {
            const T first = Broadcast(*x_odd, base + l / 2),
                    second = Broadcast(*x_even, base + l / 2);
            *x_even = l % 2 == 0 ? first : second;
            const T before = ShuffleUp(*x_even, 1);
            *x_odd = Unknown(saved[k], l > 0 ? before : (T)0, *x_even);
        }
    }
}

// lanes = size / 2. Rows are counted from 1: of every two one is left.
template <class T, bool kGlobal>
__global__ void __launch_bounds__(kMaxThreads)
    CyclicKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place p(lanes);
    const unsigned size = 2 * lanes;
    Row<T> *const rows = memory + p.in_block * RowPlaces(size);
    auto at = [&](unsigned i) -> Row<T> & { return rows[RowPlace(i - 1)]; };
    auto unknown = [&](unsigned i) -> T {
        return i == 0 || i > d.n || p.system >= d.batch ? 0
               : kGlobal                                ? d.x[d.At(p.system, i - 1)]
                                                        : at(i).d;
    };
    auto found = [&](unsigned i, T x) {
        if (kGlobal) {
            d.Store(p.system, i - 1, x);
        } else {
            at(i).d = x;
        }
    };
    WaitForKernelBefore();
    for (unsigned i = p.lane; i < size; i += lanes) {
        at(i + 1) = d.Load(p.system, i);
    }
    __syncthreads();
    unsigned u = 1;
    for (; size / u > 2 * kWarp; u *= 2) {
        const unsigned i = 2 * u * (p.lane + 1);
        if (i <= size) {
            at(i) = Between(at(i - u), at(i), i + u <= size ? at(i + u) : NoRow<T>());
        }
        __syncthreads();
    }
    const unsigned width = lanes < kWarp ? lanes : kWarp;
    if (p.lane < kWarp) {
        const unsigned odd = u * (2 * p.lane + 1), even = odd + u;
        T x_odd, x_even;
        ReduceLanes(at(odd), at(even), width, &x_odd, &x_even);
        found(odd, x_odd);
        found(even, x_even);
    }
    __syncthreads();
    for (u /= 2; u > 0; u /= 2) {
        const unsigned i = u * (2 * p.lane + 1);
        if (i <= size) {
            found(i, Unknown(at(i), unknown(i - u), i + u <= size ? unknown(i + u) : (T)0));
        }
        __syncthreads();
    }
    for (unsigned i = p.lane; !kGlobal && i < size; i += lanes) {
        d.Store(p.system, i, at(i + 1).d);
    }
}

// --- Parallel cyclic reduction -------------------------------------------------------------------

// lanes = size / 2. At distance u a thread has rows i and i + u, which are each other's neighbours:
// i - u and i + 2 u are all that is missing.
template <class T>
__global__ void __launch_bounds__(kMaxThreads)
    NestedKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place p(lanes);
    const unsigned size = 2 * lanes;
    Row<T> *const rows = memory + p.in_block * RowPlaces(size);
    auto at = [&](unsigned i) -> Row<T> & { return rows[RowPlace(i)]; };
    WaitForKernelBefore();
    for (unsigned i = p.lane; i < size; i += lanes) {
        at(i) = d.Load(p.system, i);
    }
    __syncthreads();
    unsigned u = 1;
    for (; lanes / u > kWarp; u *= 2) {
        const unsigned i = p.lane / u * 2 * u + p.lane % u;
        const Row<T> first = at(i), second = at(i + u);
        const Row<T> lower = i >= u ? at(i - u) : NoRow<T>();
        const Row<T> upper = i + 2 * u < size ? at(i + 2 * u) : NoRow<T>();
        const Row<T> left = Between(lower, first, second), right = Between(first, second, upper);
        __syncthreads();
        at(i) = left;
        at(i + u) = right;
        __syncthreads();
    }
    // Rows that are equal modulo u are `width` lanes' from here on.
    const unsigned width = lanes / u, q = p.lane % width, of_class = p.lane / width;
    Row<T> first = at(2 * u * q + of_class), second = at(2 * u * q + of_class + u);
    for (unsigned by = 1; by < width; by *= 2) {
        const Row<T> lower = ShuffleRow(second, Lane() - by),
                     upper = ShuffleRow(first, Lane() + by);
        const Row<T> left = Between(q >= by ? lower : NoRow<T>(), first, second);
        const Row<T> right = Between(first, second, q + by < width ? upper : NoRow<T>());
        // The next pair is one row of this thread and one of the thread `by` from it.
        const bool high = (q & by) != 0;
        const Row<T> got = ShuffleRow(high ? left : right, Lane() ^ by);
        first = high ? got : left;
        second = high ? right : got;
    }
    T x[2];
    SolveTwo(first, second, &x[0], &x[1]);
    const unsigned i = q * u + of_class;
    d.Store(p.system, i, x[0]);
    d.Store(p.system, i + lanes, x[1]);
}

// lanes = size.
template <class T>
__global__ void __launch_bounds__(kMaxThreads)
    ParallelNaiveKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(Row<T>, memory);
    const Place p(lanes);
    Row<T> *const rows = memory + p.in_block * RowPlaces(lanes);
    auto at = [&](unsigned i) -> Row<T> & { return rows[RowPlace(i)]; };
    WaitForKernelBefore();
    at(p.lane) = d.Load(p.system, p.lane);
    __syncthreads();
    for (unsigned u = 1; u < lanes; u *= 2) {
        const Row<T> lower = p.lane >= u ? at(p.lane - u) : NoRow<T>();
        const Row<T> upper = p.lane + u < lanes ? at(p.lane + u) : NoRow<T>();
        const Row<T> own = Between(lower, at(p.lane), upper);
        __syncthreads();
        at(p.lane) = own;
        __syncthreads();
    }
    d.Store(p.system, p.lane, at(p.lane).d / at(p.lane).b);
}

// --- Redundant reduction -------------------------------------------------------------------------

template <class T>
constexpr unsigned kItemThreads = 4096 / sizeof(T);

// lanes = size, an item each: only the last item of each left half is asked for, so above a warp
// those alone go through shared memory, alternately to two places.
template <class T>
__global__ void __launch_bounds__(kItemThreads<T>)
    RedundantKernel(const TridiagonalData<T> d, unsigned lanes) {
    DYNAMIC_SHARED(RedundantItem<T>, memory);
    const Place p(lanes);
    const unsigned slots = lanes / kWarp + 1;
    RedundantItem<T> *place = memory + 2 * slots * p.in_block;
    WaitForKernelBefore();
    RedundantItem<T> item;
    item.inner = item.outer = d.Load(p.system, p.lane);
    for (unsigned half = 1; half < lanes; half *= 2) {
        const unsigned last = (p.lane & ~(2 * half - 1)) + half - 1;
        RedundantItem<T> left;
        if (half < kWarp) {
            const unsigned from = Lane() - (p.lane - last);
            left = {ShuffleRow(item.inner, from), ShuffleRow(item.outer, from)};
        } else {
            const unsigned group = p.lane / (2 * half);
            if (p.lane == last) {
                place[group] = item;
            }
            __syncthreads();
            left = place[group];
            place = place == memory + 2 * slots * p.in_block ? place + slots : place - slots;
        }
        if ((p.lane & half) != 0) {
            item = Combine(left, item);
        }
    }
    // The last item knows x(0), and with it every other knows the unknown behind it.
    if (p.lane == lanes - 1) {
        place[slots - 1].outer = item.outer;
    }
    __syncthreads();
    const Row<T> all = place[slots - 1].outer;
    const T first = all.d / all.b;
    if (p.lane == 0) {
        d.Store(p.system, 0, first);
    }
    d.Store(p.system, (uint64_t)p.lane + 1, fma(-item.outer.b, first, item.outer.d) / item.outer.c);
}

// --- Launches ------------------------------------------------------------------------------------

// A kernel of `each` rows a thread; bytes(lanes) of shared memory a system.
template <class T, class K, class F>
bool Enqueue(const naive_tridiagonal_job &j, K kernel, unsigned each, F bytes, cuda_stream stream) {
    const TridiagonalData<T> d = {(const T *)j.a, (const T *)j.b, (const T *)j.c,
                                  (const T *)j.d, (T *)j.x,       nullptr,
                                  j.job.n,        j.job.batch,    1,
                                  j.job.n};
    unsigned lanes = 1;
    while (lanes * each < j.job.n) {
        lanes *= 2;
    }
    const unsigned systems = lanes < kLeastThreads ? kLeastThreads / lanes : 1;
    const uint64_t blocks = (j.job.batch + systems - 1) / systems;
    const size_t shared = bytes(lanes) * systems;
    return blocks == 0 || (AllowShared(kernel, shared) == cudaSuccess &&
                           LaunchEarly(kernel, (unsigned)blocks, lanes * systems, shared, stream, d,
                                       lanes) == cudaSuccess);
}

template <class T>
size_t RowBytes(unsigned rows) {
    return RowPlaces(rows) * sizeof(Row<T>);
}

template <bool kGlobal>
struct Cyclic {
    static constexpr uint64_t kLongest[] = {2048, 1024};
    template <class T>
    static bool Run(const naive_tridiagonal_job &j, cuda_stream stream) {
        return Enqueue<T>(
            j, CyclicKernel<T, kGlobal>, 2, [](unsigned lanes) { return RowBytes<T>(2 * lanes); },
            stream);
    }
};

struct Nested {
    static constexpr uint64_t kLongest[] = {2048, 1024};
    template <class T>
    static bool Run(const naive_tridiagonal_job &j, cuda_stream stream) {
        return Enqueue<T>(
            j, NestedKernel<T>, 2, [](unsigned lanes) { return RowBytes<T>(2 * lanes); }, stream);
    }
};

struct ParallelNaive {
    static constexpr uint64_t kLongest[] = {1024, 1024};
    template <class T>
    static bool Run(const naive_tridiagonal_job &j, cuda_stream stream) {
        return Enqueue<T>(j, ParallelNaiveKernel<T>, 1, RowBytes<T>, stream);
    }
};

struct Redundant {
    static constexpr uint64_t kLongest[] = {kItemThreads<float>, kItemThreads<double>};
    template <class T>
    static bool Run(const naive_tridiagonal_job &j, cuda_stream stream) {
        return Enqueue<T>(
            j, RedundantKernel<T>, 1,
            [](unsigned lanes) { return 2 * (lanes / kWarp + 1) * sizeof(RedundantItem<T>); },
            stream);
    }
};

size_t NoBytes(const tridiagonal_job *) { return 0; }

template <class Form>
bool EnqueueForm(void *self, cuda_stream stream) {
    const naive_tridiagonal_job &j = *(const naive_tridiagonal_job *)self;
    return j.job.n <= Form::kLongest[j.job.type] &&
           (j.job.type == TRIDIAGONAL_F32 ? Form::template Run<float>(j, stream)
                                          : Form::template Run<double>(j, stream));
}

template <class Form>
constexpr naive_tridiagonal Entry(const char *name, bool redundant) {
    return {name, NoBytes, EnqueueForm<Form>, {Form::kLongest[0], Form::kLongest[1]}, redundant};
}

}  // namespace

extern "C" const naive_tridiagonal tridiagonal_rows[TRIDIAGONAL_ROWS] = {
    Entry<Cyclic<true>>("bplg-cr-ts-gm", false), Entry<Cyclic<false>>("bplg-cr-ts-sh", false),
    Entry<Nested>("bplg-pcr-ts", false), Entry<ParallelNaive>("bplg-pcr-ts-naive", false),
    Entry<Redundant>("bplg-lf-ts", true)};
