// lucas_device.cu: lucas_device.h. Includes digit_rings.cuh, launch.cuh and powers_modulo.cuh.
//
// Each group of lanes climbs one ladder after the other in Montgomery form: from V(k), V(k + 1) to
// V(2 k), V(2 k + 1) or V(2 k + 1), V(2 k + 2), a squaring and a product with the same factor.
#include "primitives/residues/lucas_device.h"

#include <assert.h>

#include "primitives/cuda/launch.cuh"
#include "primitives/residues/digit_rings.cuh"
#include "primitives/residues/powers_modulo.cuh"

namespace {

constexpr unsigned kThreads = POWM_DEVICE_THREADS;

using namespace powm;

struct LucasJob {
    Job powers;  // r: low, base: P
    numbers_device high;
};

template <unsigned kEach>
struct Ladder : OddPowers<OddRing<kEach>> {
    using Base = OddPowers<OddRing<kEach>>;
    using Base::Base;
    using Base::ring;
    using typename Base::Digits;
    // Places of the table: 0 is Store's, 1 ToForm's.
    enum : unsigned { kMinus2 = 2, kMinusP = 3 };

    // PutNegated: the table's place `entry` = M - r; r <= M.
    DEVICE void PutNegated(unsigned entry, Digits &r) const {
        Digits negated;
        ring.Canonical(r);
        ring.Negate(negated, r);
        this->PutEntry(entry, negated);
    }

    // Begin: v, w = the forms of 2 and P, below M; their negatives in the table.
    DEVICE void Begin(Digits &v, Digits &w, const Number &p, uint64_t bits) const {
        this->SquareOfR(w, bits);
        ring.PutFactor(w);
        RingSetPower(ring, v, 0);
        ring.Multiply(v, v);
        ring.Double(v);
        ring.Reduce(v);
        PutNegated(kMinus2, v);
        this->ToForm(w, p);
        PutNegated(kMinusP, w);
    }

    // Plus: r + the table's place, below M and at most M, below 2 M: r below 2 M before.
    DEVICE void Plus(Digits &r, unsigned entry) const {
        Digits t;
        ring.Reduce(r);
        this->GetEntry(t, entry);
        ring.Add(r, r, t);
    }

    // Climb: v, w = V(e), V(e + 1), either way round; the one that is doubled stands in v. An
    // exponent's zeros on top leave 2 and P where they are.
    DEVICE void Climb(Digits &v, Digits &w, const Number &e) const {
        bool swapped = false;
        for (unsigned i = this->ExponentBits(e); i-- > 0;) {
            const bool bit = (e.Digit<kDigitBits>(i) & 1) != 0;
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                const double x = v[j];
                v[j] = DigitEither(bit != swapped, w[j], x);
                w[j] = DigitEither(bit != swapped, x, w[j]);
            }
            swapped = bit;
            ring.PutFactor(v);
            ring.Multiply(w, w);
            Plus(w, kMinusP);
            ring.Multiply(v, v);
            Plus(v, kMinus2);
        }
    }

    // Finish: {x} = the number whose form is r, below M, where `real`.
    DEVICE void Finish(const Number &x, Digits &r, bool real) const {
        this->FromForm(r);
        this->Store(x, r, real);
    }
};

template <unsigned kEach>
__global__ void __launch_bounds__(kThreads, POWM_DEVICE_BLOCKS)
    LucasKernel(const __grid_constant__ LucasJob job) {
    const powm_device_plan &plan = job.powers.plan;
    const powm_device_batch &b = job.powers.batch;
    ForEachGroup<kThreads>(
        plan.lanes, plan.each * plan.lanes | 1, b.count,
        [&](uint64_t i, bool real, LaneGroup group, double *factor, uint64_t slot) {
            Ladder<kEach> ladder(job.powers, group, factor, slot);
            const Number m(b.modulus, i);
            const Parts parts = PartsOf(ladder.ring, m);
            ladder.SetModulus(m, parts);
            double v[kEach], w[kEach];
            ladder.Begin(v, w, Number(b.base, i), parts.bits);
            ladder.Climb(v, w, Number(b.exponent, i));
            ladder.Finish(Number(b.r, i), v, real);
            ladder.Finish(Number(job.high, i), w, real);
        });
}

template <unsigned kEach>
result Run(const LucasJob &job, cudaStream_t stream) {
    const powm_device_plan &plan = job.powers.plan;
    const uint64_t groups = numbers_device_groups(plan.lanes, kThreads);
    const size_t bytes = groups * (kEach * plan.lanes | 1) * sizeof(double);
    const cudaError_t e = Launch(LucasKernel<kEach>, plan.blocks, kThreads, bytes, stream, job);
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

result lucas_device(const powm_device_plan *plan, const lucas_device_batch *batch, void *workspace,
                    cuda_stream stream) {
    assert(plan->window >= 2);  // places for kMinus2 and kMinusP
    powm_device_batch powers = {};
    powers.count = batch->count;
    powers.r = batch->low, powers.base = batch->p;
    powers.exponent = batch->exponent, powers.modulus = batch->modulus;
    const LucasJob job = {{*plan, powers, workspace}, batch->high};
    return WithDigits(plan->each,
                      [&](auto each) { return Run<decltype(each)::kEach>(job, stream); });
}
