// spills.cuh: adds spills to limbs that lanes hold one at a time, giving full limbs. Includes
// ripple.cuh and instructions.cuh.
#ifndef CARRY_SPILLS_CUH_
#define CARRY_SPILLS_CUH_

#include "carry/ripple.cuh"
#include "primitives/cuda/instructions.cuh"

// CarrySpills: numbers of which the lanes of each aligned group of kLanes hold the next kLanes
// limbs, lowest first, turn after turn; one number for each group. All members are called by all
// lanes of the warp, Add and Resolve for turns 0, 1, ... of a stretch of up to 32 in order.
//
// Carries that adding the spills makes are rare, since spills are short: below 2^-40 for a random
// limb. So lanes do not look for them at each turn: after a stretch they ask once whether there is
// Any, and then Resolve all turns again, in order. Cost: a shuffle a turn and a vote a stretch;
// with carries some 25 instructions a turn more.
//
// A carry is noted by the instruction that takes the flag. Word: uint64_t, or uint32_t, of words of
// half a limb, where carries are below 2^-12 for a random word.
template <unsigned kLanes, class Word = uint64_t>
struct CarrySpills {
    static_assert(kLanes <= kWarp && kWarp % kLanes == 0, "groups of lanes");
    uint32_t beyond = 0;     // in the last lane: what the turns before give to the next
    uint32_t generated = 0;  // bit i: the lane's sum has a carry, i turns before the last one
    unsigned carry = 0;      // into the turn to be resolved

    // Add: a limb and the spill of the one below; spill, below 2^31, is what its own value has
    // above its word.
    DEVICE Word Add(Word limb, uint32_t spill) {
        const unsigned place = Lane() % kLanes, below = (place + kLanes - 1) % kLanes;
        return Add(limb, spill, place == kLanes - 1, (int)(Lane() - place + below));
    }
    // The same where lanes have another order: whether the lane is the last one, and which is
    // below.
    DEVICE Word Add(Word limb, uint32_t spill, bool last, int below) {
        const uint32_t into = __shfl_sync(kAllLanes, last ? beyond : spill, below);
        beyond = spill;
        // The bits before move up by one.
        if constexpr (sizeof(Word) == 8) {
            uint32_t sum[3] = {(uint32_t)limb, (uint32_t)(limb >> 32), generated};
            AddTriple(sum, into, 0, generated);
            generated = sum[2];
            return (Word)sum[1] << 32 | sum[0];
        } else {
            uint32_t sum[3] = {limb, generated, 0};
            AddTriple(sum, into, generated, 0);
            generated = sum[1];
            return sum[0];
        }
    }

    // Reorder: generated goes where Resolve wants it, to the lanes in order; from: which lane has
    // what is the calling lane's.
    DEVICE void Reorder(int from) { generated = __shfl_sync(kAllLanes, generated, from); }

    DEVICE bool Any() const { return __any_sync(kAllLanes, generated != 0); }

    // Resolve: what Add returned in a turn of a stretch of that many, with its carry. A sum that
    // generates a carry is below 2^31, so it propagates none.
    DEVICE Word Resolve(unsigned turn, unsigned turns, Word sum) {
        const unsigned bit = turns - 1 - turn;
        const unsigned place = Lane() % kLanes, group = Lane() - place;
        const uint32_t mine = kAllLanes >> (kWarp - kLanes);
        const uint32_t generate = __ballot_sync(kAllLanes, generated >> bit & 1) >> group & mine;
        const uint32_t full = __ballot_sync(kAllLanes, sum == (Word) ~(Word)0) >> group & mine;
        const uint64_t into = CarriesInto(generate, full, carry);
        carry = (unsigned)(into >> kLanes) & 1;
        return sum + ((uint32_t)into >> place & 1);
    }

    // Next begins another stretch: what leaves the last one adds to the next limb's spill.
    DEVICE void Next() {
        beyond += carry;
        generated = carry = 0;
    }
};

#endif  // CARRY_SPILLS_CUH_
