// portion.cu: portion.h for all types: the launches of kept.cu, with a join of the members' spans
// between the two halves, which every member makes for itself.
#include "primitives/tridiagonal/portion.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/tridiagonal/kept.cuh"

namespace {

constexpr unsigned kLargestThreads = 256;

// Of all systems' portions: their spans, and what this member wants to know.
template <class T>
struct Portions {
    const T *spans;
    unsigned count, own, log_slots;
    uint64_t batch;
    Border<T> *outer;       // before and behind this member's
    Stored<T> *neighbours;  // the unknowns there, or NULL
    uint32_t *status;       // or NULL
};

// The borders of the member's portions, from the spans of all; their status becomes 0. A block for
// each system: all members take the same steps, so that they find the same bits.
template <class T>
__global__ void __launch_bounds__(kWarp) PortionsKernel(const Portions<T> p) {
    DYNAMIC_SHARED(T, memory);
    const Slots<T> slots = {memory};
    Border<T> *const borders = (Border<T> *)(memory + Slots<T>::Values(1u << p.log_slots));
    const uint64_t system = blockIdx.x;
    for (unsigned i = threadIdx.x; i < p.count * kSpanValues; i += kWarp) {
        const unsigned portion = i / kSpanValues, value = i % kSpanValues;
        slots.At(value, portion) = p.spans[(portion * p.batch + system) * kSpanValues + value];
    }
    JoinTree(slots, 1, p.log_slots, p.count);
    if (threadIdx.x == 0) {
        Border<T> lo = {0, 0}, hi = {0, 0};
        SolveEnds(slots.LoadSpan(0), &lo.above, &hi.below);
        borders[0] = lo;
        borders[p.count] = hi;
    }
    MeetTree(slots, borders, 1, p.log_slots, p.count);
    if (threadIdx.x == 0) {
        const Border<T> lo = borders[p.own], hi = borders[p.own + 1];
        p.outer[2 * system] = lo;
        p.outer[2 * system + 1] = hi;
        if (p.neighbours != nullptr) {
            p.neighbours[2 * system] = Rounded(lo.below);
            p.neighbours[2 * system + 1] = Rounded(hi.above);
        }
        if (p.status != nullptr) {
            p.status[system] = 0;
        }
    }
}

// The largest of `portions` words, which are ordered like the numbers that they stand for.
template <class Word>
__global__ void __launch_bounds__(kLargestThreads)
    LargestKernel(Word *to, const Word *from, unsigned portions, uint64_t count) {
    const uint64_t i = (uint64_t)blockIdx.x * kLargestThreads + threadIdx.x;
    if (i >= count) {
        return;
    }
    Word largest = 0;
    for (unsigned k = 0; k < portions; k++) {
        const Word other = from[k * count + i];
        largest = other > largest ? other : largest;
    }
    to[i] = largest;
}

template <class Word>
cudaError_t Largest(void *to, const void *from, unsigned portions, uint64_t count,
                    cudaStream_t stream) {
    const uint64_t blocks = (count + kLargestThreads - 1) / kLargestThreads;
    return Launch(LargestKernel<Word>, (unsigned)blocks, kLargestThreads, 0, stream, (Word *)to,
                  (const Word *)from, portions, count);
}

// The steps' data. Where a row of another portion stands before, rows count from it: the first of
// the member's is row 1, and the last one is not the system's. Rows of others are never touched.
template <class T>
KeptData<T> DataOf(const tridiagonal_portion &p, const tridiagonal_plan &plan,
                   const tridiagonal_arrays &rows, void *x, uint32_t *status, void *workspace) {
    using Element = Stored<T>;
    const TridiagonalData<Element> own = {(const Element *)rows.a,
                                          (const Element *)rows.b,
                                          (const Element *)rows.c,
                                          (const Element *)rows.d,
                                          (Element *)x,
                                          status,
                                          p.n,
                                          p.batch,
                                          1,
                                          p.n};
    KeptData<T> d = KeptSteps<T>::DataOf(plan, own, workspace);
    d.first = p.before ? 1 : 0;
    d.m.a -= d.first;
    d.m.b -= d.first;
    d.m.c -= d.first;
    d.m.d -= d.first;
    d.m.x = x != nullptr ? d.m.x - d.first : nullptr;
    d.m.n += d.first + (p.behind ? 1 : 0);
    d.outer = (Border<T> *)((char *)workspace + tridiagonal_workspace_bytes(&plan));
    return d;
}

template <class T>
struct Number {
    using Type = T;
};

// f(Number<T>) for the numbers that a portion computes with.
template <class F>
cudaError_t WithNumber(const tridiagonal_portion &p, F f) {
    const bool wide = p.variant == TRIDIAGONAL_PARTITION_PIVOT;
    if (p.type == TRIDIAGONAL_F32) {
        return wide ? f(Number<Twofold<float>>()) : f(Number<float>());
    }
    return wide ? f(Number<Twofold<double>>()) : f(Number<double>());
}

unsigned LogAbove(unsigned count) {
    unsigned log = 0;
    while (1u << log < count) {
        log++;
    }
    return log;
}

template <class T>
cudaError_t Solve(const KeptData<T> &d, Portions<T> p, cudaStream_t stream) {
    p.log_slots = LogAbove(p.count);
    const size_t bytes =
        Slots<T>::Values(1u << p.log_slots) * sizeof(T) + (p.count + 1) * sizeof(Border<T>);
    const cudaError_t e = Launch(PortionsKernel<T>, (unsigned)p.batch, kWarp, bytes, stream, p);
    return e == cudaSuccess ? KeptSteps<T>::Solve(d, stream) : e;
}

result Answer(cudaError_t e) { return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR; }

}  // namespace

result tridiagonal_portion_reduce(const tridiagonal_portion *p, const tridiagonal_arrays *rows,
                                  void *spans, void *workspace, size_t bytes, cuda_stream stream) {
    tridiagonal_plan plan;
    if (!tridiagonal_portion_plan(p, &plan) || bytes < tridiagonal_portion_bytes(p)) {
        return RESULT_REFUSED;
    }
    return Answer(WithNumber(*p, [&](auto number) {
        using T = typename decltype(number)::Type;
        KeptData<T> d = DataOf<T>(*p, plan, *rows, nullptr, nullptr, workspace);
        d.portions = (T *)spans;
        return KeptSteps<T>::Reduce(d, stream);
    }));
}

result tridiagonal_portion_solve(const tridiagonal_portion *p, const tridiagonal_arrays *rows,
                                 const void *spans, unsigned portions, unsigned own,
                                 uint32_t *status, void *neighbours, void *workspace, size_t bytes,
                                 cuda_stream stream) {
    tridiagonal_plan plan;
    if (!tridiagonal_portion_plan(p, &plan) || bytes < tridiagonal_portion_bytes(p) ||
        portions > TRIDIAGONAL_PORTIONS_MOST || own >= portions) {
        return RESULT_REFUSED;
    }
    return Answer(WithNumber(*p, [&](auto number) {
        using T = typename decltype(number)::Type;
        const KeptData<T> d = DataOf<T>(*p, plan, *rows, rows->x, status, workspace);
        const Portions<T> all = {(const T *)spans,        portions, own, 0, p->batch, d.outer,
                                 (Stored<T> *)neighbours, status};
        return Solve(d, all, stream);
    }));
}

result tridiagonal_portions_largest(void *to, const void *from, unsigned portions, uint64_t count,
                                    size_t element_bytes, cuda_stream stream) {
    if (count == 0) {
        return RESULT_OK;
    }
    return Answer(element_bytes == sizeof(uint32_t)
                      ? Largest<uint32_t>(to, from, portions, count, stream)
                      : Largest<uint64_t>(to, from, portions, count, stream));
}
