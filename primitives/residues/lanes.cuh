// lanes.cuh: numbers in digits spread over lanes of a warp: groups of lanes, carries, sums.
// Includes digit.cuh only. Valid on: any device, the emulation.
//
// A number is `digits` digits of kBits bits, kEach in each of the lanes of a group, least
// significant first, as doubles; R is 2^(kBits digits). Groups of a warp work on numbers of their
// own, in step.
#ifndef PRIMITIVES_RESIDUES_LANES_CUH_
#define PRIMITIVES_RESIDUES_LANES_CUH_

#include "primitives/residues/digit.cuh"

// LaneGroup: the calling lane's group of `lanes` consecutive lanes. Where 32 is no multiple of
// that, the lanes left over do as the first group does, but own nothing.
struct LaneGroup {
    unsigned lanes, index, rank, base;
    bool owns;

    DEVICE explicit LaneGroup(unsigned group_lanes) : lanes(group_lanes) {
        const unsigned whole = kWarp / lanes, group = Lane() / lanes;
        owns = group < whole;
        index = owns ? group : 0;
        rank = Lane() % lanes;
        base = index * lanes;
    }
    DEVICE bool First() const { return rank == 0; }
    DEVICE bool Last() const { return rank == lanes - 1; }
    // From: the value of the lane of that rank; of any other lane where there is none.
    template <class T>
    DEVICE T From(T v, unsigned of) const {
        return __shfl_sync(kAllLanes, v, (int)(base + of));
    }
    // Ballot: bit i says whether lane i of the group has p.
    DEVICE uint32_t Ballot(bool p) const {
        return __ballot_sync(kAllLanes, p) >> base & kAllLanes >> (kWarp - lanes);
    }
};

// ForEachGroup calls `one` for all i < count, as many at once as the grid of blocks of kThreads has
// groups, and for some twice where they do not come out even, so that whole blocks go together and
// compilers see it. It gets i, whether this is the time to store it, and the lanes' group, its
// `doubles` of shared memory and its place among all groups. Requires: an odd number of doubles,
// so that groups read from banks of their own.
template <unsigned kThreads, class F>
DEVICE void ForEachGroup(unsigned lanes, unsigned doubles, uint64_t count, F one) {
    DYNAMIC_SHARED(double, shared);
    const LaneGroup group(lanes);
    const unsigned groups = kWarp / group.lanes * (kThreads / kWarp);
    const unsigned own = threadIdx.x / kWarp * (kWarp / group.lanes) + group.index;
    const uint64_t all = (uint64_t)gridDim.x * groups;
    for (uint64_t first = (uint64_t)blockIdx.x * groups; first < count; first += all) {
        const uint64_t i = min(first + own, count - 1);
        one(i, i == first + own, group, shared + own * doubles,
            (uint64_t)blockIdx.x * groups + own);
    }
}

// LaneDigits: what numbers in digits of any width have in common. All lanes of the warp call every
// function.
template <unsigned kEach, unsigned kBits>
struct LaneDigits {
    static constexpr uint64_t kMask = ((uint64_t)1 << kBits) - 1;

    LaneGroup group;
    unsigned digits;  // kEach lanes

    DEVICE explicit LaneDigits(LaneGroup of) : group(of), digits(kEach * of.lanes) {}

    DEVICE unsigned Place(unsigned j) const { return group.rank * kEach + j; }

    // --- Carries ---

    // Ripple: t + carry in digits; returns the lane's carry out. Requires: sums below 2^64.
    DEVICE static uint64_t Ripple(uint64_t (&t)[kEach], uint64_t carry) {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] += carry;
            carry = t[j] >> kBits;
            t[j] &= kMask;
        }
        return carry;
    }

    // Normalize: t, each below 2^64 - 2^16, and `one` more make a number in digits. Returns whether
    // it reached R; it is below 2 R. A lane's first carry is below 2^16, its second one 0 or 1, and
    // then either that or all digits ones: those carries ripple by one addition of masks.
    DEVICE bool Normalize(uint64_t (&t)[kEach], unsigned one) const {
        const uint32_t first = (uint32_t)Ripple(t, group.First() ? one : 0);
        const uint32_t below = group.From(first, group.rank - 1);
        const bool second = Ripple(t, group.First() ? 0 : below) != 0;
        uint64_t ones = kMask;
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            ones &= t[j];
        }
        const uint64_t propagate = group.Ballot(ones == kMask);
        const uint64_t generate = group.Ballot(second | (group.Last() & (first != 0)));
        const uint64_t carries = ((generate << 1) + propagate) ^ propagate;
        Ripple(t, carries >> group.rank & 1);
        return (carries >> group.lanes & 1) != 0;
    }

    // Settle: t, each below 2^64 - 2^16, make a number in digits of at most 2^kBits, which products
    // allow, in half of Normalize's time: a lane's first carry goes no farther than to its second
    // digit. Requires: the number is below R; kEach > 1.
    DEVICE void Settle(uint64_t (&t)[kEach]) const {
        const uint32_t first = (uint32_t)Ripple(t, 0);
        const uint32_t below = group.From(first, group.rank - 1);
        t[0] += group.First() ? 0 : below;
        t[1] += t[0] >> kBits;
        t[0] &= kMask;
    }

    // Canonical: r in digits below 2^kBits where they were at most that. Requires: r < R.
    DEVICE void Canonical(double (&r)[kEach]) const {
        uint64_t t[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] = DigitOf(r[j]);
        }
        Normalize(t, 0);
        Doubles(r, t);
    }

    DEVICE static void Doubles(double (&r)[kEach], const uint64_t (&t)[kEach]) {
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = DigitToDouble(t[j]);
        }
    }

    // --- Sums ---

    // Subtract: r = a - b mod R; returns whether a >= b. Requires: b's digits below 2^kBits.
    DEVICE bool Subtract(double (&r)[kEach], const double (&a)[kEach],
                         const double (&b)[kEach]) const {
        uint64_t t[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] = DigitOf(a[j]) + (kMask - DigitOf(Anew(b[j])));
        }
        const bool carry = Normalize(t, 1);
        Doubles(r, t);
        return carry;
    }

    // Add: r = a + b mod R.
    DEVICE void Add(double (&r)[kEach], const double (&a)[kEach], const double (&b)[kEach]) const {
        uint64_t t[kEach];
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            t[j] = DigitOf(a[j]) + DigitOf(b[j]);
        }
        Normalize(t, 0);
        Doubles(r, t);
    }

    // Reduce: r - m where r >= m; returns whether that was so.
    DEVICE bool Reduce(double (&r)[kEach], const double (&m)[kEach]) const {
        double less[kEach];
        const bool large = Subtract(less, r, m);
#pragma unroll
        for (unsigned j = 0; j < kEach; j++) {
            r[j] = DigitEither(large, less[j], r[j]);
        }
        return large;
    }
};

#endif  // PRIMITIVES_RESIDUES_LANES_CUH_
