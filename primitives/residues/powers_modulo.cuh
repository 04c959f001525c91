// powers_modulo.cuh: powers modulo odd and even numbers in any ring, for the kernels of
// powm_digits.cu, powm_tiled.cu and lucas_device.cu: bringing numbers into Montgomery form, and
// joining the results for both parts of a modulus. Includes powers.cuh. Valid on: any device, the
// emulation.
#ifndef PRIMITIVES_RESIDUES_POWERS_MODULO_CUH_
#define PRIMITIVES_RESIDUES_POWERS_MODULO_CUH_

#include "primitives/residues/powers.cuh"

namespace powm {

// m = odd 2^twos, odd < 2^bits; all 0 for m = 0.
struct Parts {
    uint64_t twos, bits;
};

template <class Ring>
DEVICE Parts PartsOf(const Ring &ring, const Number &m) {
    uint64_t lowest = 0, above = 0;
#pragma unroll 1
    for (unsigned j = 0; j < Ring::kEach; j++) {
        const uint64_t bit = (uint64_t)Ring::kBits * ring.Place(j);
        const uint64_t digit = m.Digit<Ring::kBits>(bit);
        if (digit != 0) {
            lowest = above == 0 ? bit + BitLength(digit & (0 - digit)) - 1 : lowest;
            above = bit + BitLength(digit);
        }
    }
    const uint32_t lanes = ring.group.Ballot(above != 0);
    lowest = ring.group.From(lowest, (unsigned)__ffs(lanes) - 1);
    above = ring.group.From(above, 31 - (unsigned)__clz(lanes));
    return lanes == 0 ? Parts{} : Parts{lowest, above - lowest};
}

// --- Odd moduli ----------------------------------------------------------------------------------

template <class AnyRing>
struct OddPowers : Powers<AnyRing> {
    using Base = Powers<AnyRing>;
    using Base::Powers;
    using Base::ring;
    using typename Base::Digits;
    using typename Base::Ring;

    // SetModulus: M = {m} / 2^twos; 0 of m = 0.
    DEVICE void SetModulus(const Number &m, const Parts &parts) {
        Digits odd;
        this->Load(odd, m, parts.twos);
        ring.SetModulus(odd);
    }

    // SquareOfR: R^2 mod M, below M. From 2^(bits - 1), which is at most M, or what is that for the
    // least M of the warp, doublings make R and the form of 2^(E >> s), R = 2^E; s squarings,
    // and a doubling for each bit of E, R's.
    DEVICE void SquareOfR(Digits &r, uint64_t bits) const {
        const unsigned exponent = Ring::kBits * ring.digits;
        const unsigned from = __reduce_min_sync(kAllLanes, bits > 0 ? (unsigned)bits - 1 : 0);
        unsigned s = 0;
        while (exponent >> s >= 32) {
            s++;
        }
        RingSetPower(ring, r, from);
        for (unsigned i = exponent - from + (exponent >> s); i > 0; i--) {
            ring.Double(r);
        }
        while (s-- > 0) {
            ring.PutFactor(r);
            ring.Multiply(r, r);
            if constexpr (Ring::kFull) {
                ring.Reduce(r);
            }
            if ((exponent >> s & 1) != 0) {
                ring.Double(r);
            }
        }
        ring.Reduce(r);
    }

    // ToForm: r = the form of x, below M; the factor is R^2 mod M, below M. Horner's rule over
    // pieces below R from the top: a piece and the value so far, times R^2 / R, are each reduced
    // below M.
    DEVICE void ToForm(Digits &r, const Number &x) const {
        const uint64_t piece_bits = Ring::kBits * (uint64_t)ring.digits;
        const unsigned pieces =
            __reduce_max_sync(kAllLanes, max((unsigned)word_ceil_div(64 * x.n, piece_bits), 1u));
        this->Load(r, x, (pieces - 1) * piece_bits);
        ring.Multiply(r, r);
        ring.Reduce(r);
        for (unsigned c = pieces - 1; c-- > 0;) {
            ring.Multiply(r, r);
            ring.Reduce(r);
            this->PutEntry(1, r);
            this->Load(r, x, c * piece_bits);
            ring.Multiply(r, r);
            ring.Reduce(r);
            Digits above;
            this->GetEntry(above, 1);
            ring.AddModulo(r, r, above);
        }
    }

    // FromForm: r = the number whose form is r, below M.
    DEVICE void FromForm(Digits &r) const {
        Digits one;
        RingSetPower(ring, one, 0);
        ring.PutFactor(one);
        ring.Multiply(r, r);
        ring.Reduce(r);
        ring.Canonical(r);
    }

    // Raise: r = x^e mod M, below M; x negated where `negative`.
    DEVICE void Raise(Digits &r, const Number &x, bool negative, const Number &e,
                      uint64_t bits) const {
        SquareOfR(r, bits);
        ring.PutFactor(r);
        RingSetPower(ring, r, 0);
        ring.Multiply(r, r);
        this->PutEntry(0, r);
        ToForm(r, x);
        if (this->job.batch.negative != nullptr) {
            Digits negated;
            ring.Canonical(r);
            ring.Negate(negated, r);
#pragma unroll
            for (unsigned j = 0; j < Base::kEach; j++) {
                r[j] = negative ? negated[j] : r[j];
            }
        }
        this->Power(r, e);
        FromForm(r);
    }
};

// --- Even moduli ---------------------------------------------------------------------------------

template <class AnyRing>
struct LowPowers : Powers<AnyRing> {
    using Base = Powers<AnyRing>;
    using Base::Powers;
    using Base::ring;
    using typename Base::Digits;
    using typename Base::Ring;

    // Times: r = a b mod R.
    DEVICE void Times(Digits &r, const Digits &a, const Digits &b) const {
        ring.PutFactor(b);
        ring.MultiplyLow(r, a);
    }

    // Cut: r mod 2^bits.
    DEVICE void Cut(Digits &r, uint64_t bits) const {
#pragma unroll
        for (unsigned j = 0; j < Base::kEach; j++) {
            const uint64_t from = (uint64_t)Ring::kBits * ring.Place(j);
            const uint64_t keep = bits <= from ? 0 : min(bits - from, (uint64_t)Ring::kBits);
            const uint64_t mask = keep == 0 ? 0 : ~UINT64_C(0) >> (64 - keep);
            r[j] = Ring::ToDigit(Ring::Of(r[j]) & mask);
        }
    }

    // Raise: r = x^e mod R; x negated where `negative`.
    DEVICE void Raise(Digits &r, const Number &x, bool negative, const Number &e) const {
        RingSetPower(ring, r, 0);
        this->PutEntry(0, r);
        this->Load(r, x, 0);
        Digits negated;
#pragma unroll
        for (unsigned j = 0; j < Base::kEach; j++) {
            negated[j] = Ring::ToDigit(0);
        }
        ring.Subtract(negated, negated, r);
#pragma unroll
        for (unsigned j = 0; j < Base::kEach; j++) {
            r[j] = negative ? negated[j] : r[j];
        }
        this->Power(r, e);
    }

    // Join: r = x + o ((r - x) / o mod 2^twos), where {m} = o 2^twos and {known} = x < o. Numbers
    // are loaded each time, which costs less than the registers to keep them.
    DEVICE void Join(Digits &r, const Number &known, const Number &m, uint64_t twos) const {
        Digits t;
        this->Load(t, known, 0);
        ring.Subtract(r, r, t);
        this->PutEntry(0, r);
        this->Load(t, m, twos);
        Digits inverse;
        RingInverse(ring, inverse, t);
        ring.PutFactor(inverse);
        this->GetEntry(r, 0);
        ring.MultiplyLow(r, r);
        Cut(r, twos);
        this->Load(t, m, twos);
        Times(r, r, t);
        this->Load(t, known, 0);
        ring.Add(r, r, t);
    }
};

// --- One power -----------------------------------------------------------------------------------

DEVICE bool Negative(const powm_device_batch &b, uint64_t i) {
    return b.negative != nullptr && b.negative[i] != 0;
}

// OddPower: power i modulo the odd part of its modulus; stored if `real`.
template <class Kind>
DEVICE void OddPower(Kind powers, uint64_t i, bool real) {
    const powm_device_batch &b = powers.job.batch;
    const Number m(b.modulus, i);
    const Parts parts = PartsOf(powers.ring, m);
    powers.SetModulus(m, parts);
    typename Kind::Digits r;
    powers.Raise(r, Number(b.base, i), Negative(b, i), Number(b.exponent, i), parts.bits);
    powers.Store(Number(b.r, i), r, real);
}

// EvenPower: power i, after OddPower, where its modulus is even.
template <class Kind>
DEVICE void EvenPower(Kind powers, uint64_t i, bool real) {
    const powm_device_batch &b = powers.job.batch;
    const Number m(b.modulus, i), result(b.r, i);
    const Parts parts = PartsOf(powers.ring, m);
    if (!__any_sync(kAllLanes, parts.twos > 0)) {
        return;
    }
    typename Kind::Digits r;
    powers.Raise(r, Number(b.base, i), Negative(b, i), Number(b.exponent, i));
    powers.Join(r, result, m, parts.twos);
    powers.Store(result, r, real && parts.twos > 0);
}

// TiledPowers enqueues a batch by a plan in tiles: powm_tiled.cu.
result TiledPowers(const Job &job, cuda_stream stream);

}  // namespace powm

#endif  // PRIMITIVES_RESIDUES_POWERS_MODULO_CUH_
