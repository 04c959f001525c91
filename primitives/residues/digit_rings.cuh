// digit_rings.cuh: the rings of montgomery.cuh in the form that powers.cuh takes, by the number of
// digits a lane has. Includes square.cuh and powm_device.h. Valid on: any device, the emulation.
#ifndef PRIMITIVES_RESIDUES_DIGIT_RINGS_CUH_
#define PRIMITIVES_RESIDUES_DIGIT_RINGS_CUH_

#include "primitives/residues/powm_device.h"
#include "primitives/residues/square.cuh"

namespace powm {

// WithDigits: calls run(LaneOf<each>()) on the host, to select the kernel for `each` digits a lane.
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

// OddRing: integers modulo M, odd. kOne: groups are one lane, and squares are made by half the
// products.
template <unsigned kDigits, bool kOne = false>
struct OddRing : SquareRing<kDigits, kOne> {
    using Base = SquareRing<kDigits, kOne>;
    using Base::SquareRing;
    using typename Base::Digits;
    static constexpr unsigned kEach = kDigits;
    static constexpr bool kHalves = kOne, kAlone = false;
    // Of products; fewer where most products are squares, to keep the code in the instruction
    // cache.
    static constexpr unsigned kRows = !kOne && kDigits > POWM_DEVICE_EACH_SOME ? 4 : 2;

    DEVICE void Product(Digits &r, const Digits &a) const { this->template Multiply<kRows>(r, a); }

    // Square destroys the factor.
    DEVICE void Square(Digits &r, unsigned times) const {
#pragma unroll 1
        for (; times > 0; times--) {
            if constexpr (kOne) {
                Base::Square(r);
            } else {
                this->PutFactor(r);
                Product(r, r);
            }
        }
    }
};

// LowRing: integers modulo R.
template <unsigned kDigits>
struct LowRing : Montgomery<kDigits> {
    using Base = Montgomery<kDigits>;
    using Base::Base;
    using typename Base::Digits;
    static constexpr unsigned kEach = kDigits;
    static constexpr bool kHalves = false, kAlone = false;

    DEVICE void Product(Digits &r, const Digits &a) const { this->MultiplyLow(r, a); }
    DEVICE void Square(Digits &r, unsigned times) const {
#pragma unroll 1
        for (; times > 0; times--) {
            this->PutFactor(r);
            this->MultiplyLow(r, r);
        }
    }
};

}  // namespace powm

#endif  // PRIMITIVES_RESIDUES_DIGIT_RINGS_CUH_
