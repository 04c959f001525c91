// powers.cuh: powers by fixed windows in the rings of montgomery.cuh, for the kernels of
// powm_device.cu, and how a number is loaded, brought into form and stored. Includes
// square.cuh, number.cuh and powm_device.h. Valid on: any device, the emulation.
#ifndef PRIMITIVES_POWERS_CUH_
#define PRIMITIVES_POWERS_CUH_

#include "primitives/number.cuh"
#include "primitives/powm_device.h"
#include "primitives/square.cuh"

namespace powm {

struct Job {
    powm_device_plan plan;
    powm_device_batch batch;
    double *tables;  // powers 0 .. 2^window - 1 for each group of the grid
};

// WithDigits: run(LaneOf<each>()), on the host: which kernel serves so many digits a lane.
template <unsigned kDigits>
struct LaneOf {
    static constexpr unsigned kEach = kDigits;
};

template <class F>
result WithDigits(unsigned each, F run) {
    switch (each) {
        case POWM_DEVICE_EACH_FEW:
            return run(LaneOf<POWM_DEVICE_EACH_FEW>());
        case POWM_DEVICE_EACH_SOME:
            return run(LaneOf<POWM_DEVICE_EACH_SOME>());
        case POWM_DEVICE_EACH_MORE:
            return run(LaneOf<POWM_DEVICE_EACH_MORE>());
        default:
            return run(LaneOf<POWM_DEVICE_EACH>());
    }
}

// The powers of one group of lanes, of a ring that is Montgomery<kEach>'s: integers modulo M, or,
// kLow, modulo R. kHalves: the group is one lane, squares are made by half the products.
template <unsigned kEach, bool kLow, bool kHalves>
struct Powers {
    using Ring = SquareRing<kEach>;
    using Digits = double[kEach];
    // Of products; fewer where squares are the most, so that instructions stay at hand.
    static constexpr unsigned kRows = !kHalves && kEach > POWM_DEVICE_EACH_SOME ? 4 : 2;
    const Job &job;
    Ring ring;
    double *table;

    DEVICE Powers(const Job &of, LaneGroup group, double *factor, uint64_t slot)
        : job(of),
          ring(group, factor),
          table(of.tables + (slot << of.plan.window) * (kEach * group.lanes)) {}

    DEVICE void Product(Digits &r, const Digits &a) const {
        if constexpr (kLow) {
            ring.MultiplyLow(r, a);
        } else {
            ring.template Multiply<kRows>(r, a);
        }
    }

    // Square: r = r^2. The factor is lost.
    DEVICE void Square(Digits &r) const {
        if constexpr (kHalves) {
            ring.Square(r);
        } else {
            ring.PutFactor(r);
            Product(r, r);
        }
    }

    // Load: r = the digits of x from that bit on.
    DEVICE void Load(Digits &r, const Number &x, uint64_t bit) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = DigitToDouble(x.Digit<kDigitBits>(bit + (uint64_t)kDigitBits * ring.Place(j)));
        }
    }

    // Store: {x} = r in all its limbs, where `real`. The table's begin is where digits meet.
    DEVICE void Store(const Number &x, const Digits &r, bool real) const {
        PutEntry(0, r);
        __syncwarp();
        if (real && ring.group.owns) {
            PutLimbs<kDigitBits>(x, ring.group.rank, ring.group.lanes, ring.digits, 0,
                                 [&](uint64_t i) { return DigitOf(table[i]); });
        }
        __syncwarp();
    }

    // PutEntry: power `entry` of the table.
    DEVICE void PutEntry(unsigned entry, const Digits &r) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (ring.group.owns) {
                table[entry * ring.digits + ring.Place(j)] = r[j];
            }
        }
    }

    // SecretDigit: a digit of one of the table's powers, by reading all.
    DEVICE double SecretDigit(unsigned entry, unsigned place) const {
        uint64_t digit = 0;
        for (unsigned i = 0; i < 1u << job.plan.window; i++) {
            const uint64_t mask = 0 - (uint64_t)(i == entry);
            digit |= DigitOf(table[i * ring.digits + place]) & mask;
        }
        return DigitToDouble(digit);
    }

    // ReadEntry: of one of the table's powers the digits at `first`, first + step and so on. Where
    // nothing is secret all loads are under way before one is waited for.
    DEVICE void ReadEntry(Digits &r, unsigned entry, unsigned first, unsigned step) const {
        if (job.batch.secret) {
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                r[j] = SecretDigit(entry, first + j * step);
            }
            return;
        }
        const double *const from = table + first;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = from[entry * ring.digits + j * step];
        }
    }

    DEVICE void GetEntry(Digits &r, unsigned entry) const { ReadEntry(r, entry, ring.Place(0), 1); }

    // FactorFromTable: PutFactor of a power of the table, neighbouring lanes at neighbouring
    // places.
    DEVICE void FactorFromTable(unsigned entry) const {
        Digits r;
        __syncwarp();
        ReadEntry(r, entry, ring.group.rank, ring.group.lanes);
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            if (ring.group.owns) {
                ring.factor[ring.group.rank + j * ring.group.lanes] = r[j];
            }
        }
        __syncwarp();
    }

    // ExponentBits: of the longest exponent among the warp's groups; of secret ones the length that
    // is announced.
    DEVICE unsigned ExponentBits(const Number &e) const {
        uint64_t bits = job.batch.secret ? 64 * e.n : 0;
        for (uint64_t i = ring.group.rank; i < e.n && !job.batch.secret; i += ring.group.lanes) {
            if (e.p[i] != 0) {
                bits = 64 * i + BitLength(e.p[i]);
            }
        }
        return __reduce_max_sync(kAllLanes, (unsigned)bits);
    }

    // Window: bits [begin, begin + window) of the exponent.
    DEVICE unsigned Window(const Number &e, unsigned begin) const {
        return (unsigned)e.Digit<kDigitBits>(begin) & ((1u << job.plan.window) - 1);
    }

    // Power: r = r^e; the table begins with the ring's one.
    DEVICE void Power(Digits &r, const Number &e) const {
        const unsigned window = job.plan.window, bits = ExponentBits(e);
        PutEntry(1, r);
        for (unsigned i = 2; i < 1u << window; i++) {
            FactorFromTable(1);
            Product(r, r);
            PutEntry(i, r);
        }
        unsigned left = bits == 0 ? 0 : (bits - 1) / window * window;
        __syncwarp();  // lanes that no group has read what the first group wrote
        GetEntry(r, Window(e, left));
        while (left > 0) {
#pragma unroll 1
            for (unsigned step = 0; step < window; step++) {
                Square(r);
            }
            left -= window;
            const unsigned entry = Window(e, left);
            // If any group has a product.
            if (job.batch.secret || __any_sync(kAllLanes, entry != 0)) {
                FactorFromTable(entry);
                Product(r, r);
            }
        }
    }
};

// m = odd 2^twos, odd < 2^bits; all 0 for m = 0.
struct Parts {
    uint64_t twos, bits;
};

template <unsigned kEach>
DEVICE Parts PartsOf(const Montgomery<kEach> &ring, const Number &m) {
    uint64_t lowest = 0, above = 0;
#pragma unroll 1
    for (unsigned j = 0; j < kEach; j++) {
        const uint64_t bit = (uint64_t)kDigitBits * ring.Place(j), digit = m.Digit<kDigitBits>(bit);
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

// SetPower: r = 2^bit.
template <unsigned kEach>
DEVICE void SetPower(const Montgomery<kEach> &ring, double (&r)[kEach], unsigned bit) {
#pragma unroll
    for (unsigned j = 0; j < kEach; j++) {
        const bool here = ring.Place(j) == bit / kDigitBits;
        r[j] = DigitToDouble((uint64_t)here << bit % kDigitBits);
    }
}

// --- Odd moduli ----------------------------------------------------------------------------------

template <unsigned kEach, bool kHalves>
struct OddPowers : Powers<kEach, false, kHalves> {
    using Base = Powers<kEach, false, kHalves>;
    using Base::Base;
    using Base::ring;
    using typename Base::Digits;

    // SetModulus: M = {m} / 2^twos; 0 of m = 0, whose powers are 0: sums stay below 2 R, and the
    // last product, by 1, is 1 / R of something.
    DEVICE void SetModulus(const Number &m, const Parts &parts) {
        this->Load(ring.m, m, parts.twos);
        const uint64_t lowest = ring.group.From(DigitOf(ring.m[0]), 0);
        ring.inverse = (0 - DigitInverse(lowest)) & kDigitMask;
    }

    // SquareOfR: R^2 mod M, below M. From 2^(bits - 1), which is at most M, or what is that for the
    // least M of the warp, doublings make R and the form of 2^(E >> s), E = 52 digits; s squarings,
    // and a doubling for each bit of E, R's.
    DEVICE void SquareOfR(Digits &r, uint64_t bits) const {
        const unsigned exponent = kDigitBits * ring.digits;
        const unsigned from = __reduce_min_sync(kAllLanes, bits > 0 ? (unsigned)bits - 1 : 0);
        unsigned s = 0;
        while (exponent >> s >= 64) {
            s++;
        }
        SetPower(ring, r, from);
        for (unsigned i = exponent - from + (exponent >> s); i > 0; i--) {
            ring.Double(r);
        }
        while (s-- > 0) {
            ring.PutFactor(r);
            ring.Multiply(r, r);
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
        const uint64_t piece_bits = kDigitBits * (uint64_t)ring.digits;
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
            ring.Add(r, r, above);
            ring.Reduce(r);
        }
    }

    // Raise: r = x^e mod M, below M; x negated where `negative`.
    DEVICE void Raise(Digits &r, const Number &x, bool negative, const Number &e,
                      uint64_t bits) const {
        SquareOfR(r, bits);
        ring.PutFactor(r);
        SetPower(ring, r, 0);
        ring.Multiply(r, r);
        this->PutEntry(0, r);
        ToForm(r, x);
        if (this->job.batch.negative != nullptr) {
            Digits negated;
            ring.Subtract(negated, ring.m, r);
#pragma unroll
            for (unsigned j = 0; j < kEach; j++) {
                r[j] = negative ? negated[j] : r[j];
            }
        }
        this->Power(r, e);
        Digits one;
        SetPower(ring, one, 0);
        ring.PutFactor(one);
        ring.Multiply(r, r);
        ring.Reduce(r);
    }
};

// --- Even moduli ---------------------------------------------------------------------------------

template <unsigned kEach>
struct LowPowers : Powers<kEach, true, false> {
    using Base = Powers<kEach, true, false>;
    using Base::Base;
    using Base::ring;
    using typename Base::Digits;

    // Times: r = a b mod R.
    DEVICE void Times(Digits &r, const Digits &a, const Digits &b) const {
        ring.PutFactor(b);
        ring.MultiplyLow(r, a);
    }

    // Inverse: r = 1 / o mod R, o odd, by Newton's iteration from the lowest digit on.
    DEVICE void Inverse(Digits &r, const Digits &o) const {
        const uint64_t lowest = DigitInverse(ring.group.From(DigitOf(o[0]), 0));
        Digits two, t;
        SetPower(ring, two, 1);
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = DigitToDouble(ring.Place(j) == 0 ? lowest : 0);
        }
        for (unsigned right = 1; right < ring.digits; right *= 2) {
            Times(t, r, o);
            ring.Subtract(t, two, t);
            Times(r, r, t);
        }
    }

    // Cut: r mod 2^bits.
    DEVICE void Cut(Digits &r, uint64_t bits) const {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            const uint64_t from = (uint64_t)kDigitBits * ring.Place(j);
            const uint64_t keep = bits <= from ? 0 : min(bits - from, (uint64_t)kDigitBits);
            r[j] = DigitToDouble(DigitOf(r[j]) & (((uint64_t)1 << keep) - 1));
        }
    }

    // Raise: r = x^e mod R; x negated where `negative`.
    DEVICE void Raise(Digits &r, const Number &x, bool negative, const Number &e) const {
        SetPower(ring, r, 0);
        this->PutEntry(0, r);
        this->Load(r, x, 0);
        Digits negated;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            negated[j] = 0;
        }
        ring.Subtract(negated, negated, r);
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
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
        Inverse(r, t);
        ring.PutFactor(r);
        this->GetEntry(r, 0);
        ring.MultiplyLow(r, r);
        Cut(r, twos);
        this->Load(t, m, twos);
        Times(r, r, t);
        this->Load(t, known, 0);
        ring.Add(r, r, t);
    }
};

}  // namespace powm

#endif  // PRIMITIVES_POWERS_CUH_
