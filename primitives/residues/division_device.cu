// division_device.cu: division_device.h. Includes launch.cuh, division.cuh and inversion.cuh. Each
// group of lanes takes one item after the other.
#include "primitives/residues/division_device.h"

#include "primitives/cuda/launch.cuh"
#include "primitives/residues/division.cuh"
#include "primitives/residues/inversion.cuh"

namespace {

constexpr unsigned kEach = DIVISION_DEVICE_EACH, kThreads = DIVISION_DEVICE_THREADS;

struct Job {
    division_device_plan plan;
    division_device_batch batch;
    uint64_t *quotients;  // digits for each group of the grid
};

// Doubles of shared memory of a group: odd, so that groups read from banks of their own.
HOST_DEVICE unsigned DoublesOf(const division_device_plan &plan) {
    const unsigned digits = kEach * plan.lanes;
    return (plan.work == DIVISION_DEVICE_INVERSE ? 2 * digits : digits) | 1;
}

template <class F>
DEVICE void ForEach(const Job &job, F one) {
    ForEachGroup<kThreads>(job.plan.lanes, DoublesOf(job.plan), job.batch.count, one);
}

// --- Products and quotients ----------------------------------------------------------------------

__global__ void __launch_bounds__(kThreads, DIVISION_DEVICE_BLOCKS)
    ProductModuloKernel(const __grid_constant__ Job job) {
    ForEach(job, [&](uint64_t i, bool real, LaneGroup group, double *shared, uint64_t) {
        const division_device_batch &all = job.batch;
        Division<kEach> division(group, shared);
        const bool some = division.SetModulus(Number(all.modulus, i));
        double r[kEach];
        const Number b(all.b, i);
        division.Divide(r, b, division.RowsOf(b), [](double, uint64_t) {});
        division.Multiply(r, r, Number(all.a, i));
        division.PutRemainder(Number(all.r, i), r, !some, real);
    });
}

// PutQuotient: the quotient is {digits, rows} + more, digits below 2^50; one more gets the carry.
DEVICE void PutQuotient(const Number &q, const LaneGroup &group, uint64_t *digits, uint64_t rows,
                        uint64_t more, bool zero, bool real) {
    __syncwarp();
    for (uint64_t i = 0; i <= rows && group.First() && group.owns; i++) {
        more += i < rows ? digits[i] : 0;
        digits[i] = zero ? 0 : more & kShortMask;
        more >>= kShortBits;
    }
    __syncwarp();
    if (real && group.owns) {
        PutLimbs<kShortBits>(q, group.rank, group.lanes, rows + 1, 0,
                             [&](uint64_t i) { return digits[i]; });
    }
    __syncwarp();
}

__global__ void __launch_bounds__(kThreads, DIVISION_DEVICE_BLOCKS)
    QuotientKernel(const __grid_constant__ Job job) {
    ForEach(job, [&](uint64_t i, bool real, LaneGroup group, double *shared, uint64_t slot) {
        const division_device_batch &all = job.batch;
        uint64_t *const digits = job.quotients + slot * job.plan.quotient_digits;
        const bool wanted = all.q.p != nullptr, puts = wanted && group.First() && group.owns;
        Division<kEach> division(group, shared);
        const bool some = division.SetModulus(Number(all.modulus, i));
        const Number a(all.a, i);
        const uint64_t rows = division.RowsOf(a);
        double r[kEach];
        const bool more = division.Divide(r, a, rows, [&](double q, uint64_t at) {
            if (puts) {
                digits[at] = DigitOf(q);
            }
        });
        if (all.r.p != nullptr) {
            division.PutRemainder(Number(all.r, i), r, !some, real);
        }
        if (wanted) {
            PutQuotient(Number(all.q, i), group, digits, rows, more, !some, real);
        }
    });
}

// --- Inverses ------------------------------------------------------------------------------------

DEVICE bool IsOdd(const Number &x) { return x.n > 0 && (x.p[0] & 1) != 0; }

// Either: x or y, without addresses of them.
DEVICE Number Either(bool first, const Number &x, const Number &y) {
    Number z = x;
    z.p = first ? x.p : y.p, z.n = first ? x.n : y.n;
    return z;
}

__global__ void __launch_bounds__(kThreads, DIVISION_DEVICE_INVERSE_BLOCKS)
    InverseKernel(const __grid_constant__ Job job) {
    ForEach(job, [&](uint64_t i, bool real, LaneGroup group, double *shared, uint64_t) {
        const Number a(job.batch.a, i), n(job.batch.modulus, i), out(job.batch.r, i);
        Inversion<kEach> inversion(group, shared);
        // An even n changes places with a; no inverse where both are even, nor modulo 0.
        const bool odd = IsOdd(n), null = inversion.IsNull(n);
        const bool none = !odd && (!IsOdd(a) || null);
        inversion.Begin(Either(odd, n, a), Either(odd, a, n), none);
        int32_t delta = 1;
#pragma unroll 1
        while (!inversion.AllZero(inversion.g)) {
            inversion.Round(&delta);
        }
        const int found = inversion.Unit(), unit = none ? 0 : found;
        double r[kEach];
        inversion.Residue(r, odd ? unit < 0 : unit > 0);
        __syncwarp();
        inversion.Put(inversion.digits, r);
        __syncwarp();
        if (__any_sync(kAllLanes, !odd)) {
            inversion.ExactQuotient(n, !odd);
        }
        if (real && group.owns) {
            PutLimbs<kShortBits>(out, group.rank, group.lanes, inversion.digits, 0,
                                 [&](uint64_t at) {
                                     const uint64_t d = DigitOf(shared[inversion.digits + at]);
                                     return unit == 0 ? 0 : d;
                                 });
        }
        __syncwarp();
    });
}

template <class K>
result Run(K kernel, const Job &job, cudaStream_t stream) {
    const uint64_t groups = numbers_device_groups(job.plan.lanes, kThreads);
    const size_t bytes = groups * DoublesOf(job.plan) * sizeof(double);
    const cudaError_t e = Launch(kernel, job.plan.blocks, kThreads, bytes, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result division_device(const division_device_plan *plan, const division_device_batch *batch,
                       void *workspace, cuda_stream stream) {
    const Job job = {*plan, *batch, (uint64_t *)workspace};
    switch (plan->work) {
        case DIVISION_DEVICE_PRODUCT:
            return Run(ProductModuloKernel, job, stream);
        case DIVISION_DEVICE_QUOTIENT:
            return Run(QuotientKernel, job, stream);
        default:
            return Run(InverseKernel, job, stream);
    }
}
