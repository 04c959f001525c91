// ring.cuh: what the rings of montgomery.cuh and tiled_ring.cuh, whose digits are spread over
// lanes, have in common: powers of 2, inverses modulo R. Includes lanes.cuh only. Valid on: any
// device, the emulation.
//
// A Ring has kEach Digits of kBits bits in each of the lanes of its group, `digits` in all; R is
// 2^(kBits digits). ToDigit and Of are a digit of an integer and back.
#ifndef PRIMITIVES_RESIDUES_RING_CUH_
#define PRIMITIVES_RESIDUES_RING_CUH_

#include "primitives/residues/lanes.cuh"

// RingSetPower: r = 2^bit.
template <class Ring>
DEVICE void RingSetPower(const Ring &ring, typename Ring::Digits &r, unsigned bit) {
#pragma unroll
    for (unsigned j = 0; j < Ring::kEach; j++) {
        const bool here = ring.Place(j) == bit / Ring::kBits;
        r[j] = Ring::ToDigit((uint64_t)here << bit % Ring::kBits);
    }
}

// RingInverse: r = 1 / a mod R, a odd, by Newton's iteration from the lowest 52 bits on. The factor
// is lost.
template <class Ring>
DEVICE void RingInverse(const Ring &ring, typename Ring::Digits &r,
                        const typename Ring::Digits &a) {
    const uint64_t lowest = DigitInverse(ring.group.From(Ring::Of(a[0]), 0));
    typename Ring::Digits two, t;
    RingSetPower(ring, two, 1);
#pragma unroll
    for (unsigned j = 0; j < Ring::kEach; j++) {
        r[j] = Ring::ToDigit(ring.Place(j) == 0 ? lowest : 0);
    }
#pragma unroll 1
    for (unsigned right = 52; right < Ring::kBits * ring.digits; right *= 2) {
        ring.PutFactor(a);
        ring.MultiplyLow(t, r);
        ring.Subtract(t, two, t);
        ring.PutFactor(t);
        ring.MultiplyLow(r, r);
    }
}

#endif  // PRIMITIVES_RESIDUES_RING_CUH_
