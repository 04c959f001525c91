// ripple.cuh: finds the carry (0 or 1) that enters each thread of a block. Each thread holds a
// stretch of digits, thread 0 the lowest, that kills, propagates or generates a carry. Independent
// of digits and radices. Includes monoid.h and primitives/cuda/lookback.cuh.
//
// A warp resolves its lanes by two ballots and one addition: where generate and (generate or
// propagate) are added as numbers, position i of the adder generates, propagates or kills just as
// lane i does, so the adder's own carries are the answer. The same for a block's warps; tiles hear
// of each other by look-back. Where a tile's state is not "propagate", which takes a tile full of
// R - 1, what leaves it is known at once, so almost every look-back finds an answer in the nearest
// tile.
#ifndef CARRY_RIPPLE_CUH_
#define CARRY_RIPPLE_CUH_

#include "carry/monoid.h"
#include "primitives/cuda/lookback.cuh"

// carry_state as the operator that look-back takes.
struct CarryStates {
    using Value = uint32_t;
    static constexpr bool kCommutative = false;
    HOST_DEVICE static Value Identity() { return CARRY_PROPAGATE; }
    HOST_DEVICE static Value Combine(Value first, Value then) {
        return (Value)carry_compose((carry_state)first, (carry_state)then);
    }
};

// CarriesInto returns in bit i, i < 32, the carry into position i, and in bit 32 the carry out of
// all, where carry_in enters position 0. generate and propagate have no bit in common.
HOST_DEVICE uint64_t CarriesInto(uint32_t generate, uint32_t propagate, unsigned carry_in) {
    const uint64_t a = generate | propagate, b = generate;
    return (a + b + carry_in) ^ a ^ b;
}

// StateOf returns what all positions together do.
HOST_DEVICE carry_state StateOf(uint32_t generate, uint32_t propagate) {
    const unsigned with_0 = (unsigned)(CarriesInto(generate, propagate, 0) >> 32) & 1;
    const unsigned with_1 = (unsigned)(CarriesInto(generate, propagate, 1) >> 32) & 1;
    return with_0 != 0 ? CARRY_GENERATE : with_1 != 0 ? CARRY_PROPAGATE : CARRY_KILL;
}

// One tile's states, in a block of kWarps <= 32 full warps. Every member is called by all threads.
template <unsigned kWarps>
struct CarryRipple {
    using TileLookBack = LookBack<CarryStates>;

    struct Shared {
        uint32_t state[kWarps];
        uint32_t into_warps;  // bit i: the carry into warp i
    };

    uint32_t generate, propagate;              // the lanes of this warp
    uint32_t warps_generate, warps_propagate;  // warp 0: the warps of the block

    DEVICE static void Ballot(carry_state mine, uint32_t *generate, uint32_t *propagate) {
        *generate = __ballot_sync(kAllLanes, mine == CARRY_GENERATE);
        *propagate = __ballot_sync(kAllLanes, mine == CARRY_PROPAGATE);
    }

    // TileOfWarps takes the state of the calling warp, from lane 0, and returns the tile's, in warp
    // 0. One barrier.
    DEVICE carry_state TileOfWarps(carry_state warp_state, Shared &s) {
        if (Lane() == 0) {
            s.state[threadIdx.x / kWarp] = warp_state;
        }
        __syncthreads();
        if (threadIdx.x >= kWarp) {
            return CARRY_PROPAGATE;
        }
        // Lanes beyond the last warp propagate, so that the last warp's carry out is the tile's.
        const carry_state warp =
            Lane() < kWarps ? (carry_state)s.state[Lane() % kWarps] : CARRY_PROPAGATE;
        Ballot(warp, &warps_generate, &warps_propagate);
        return StateOf(warps_generate, warps_propagate);
    }

    // IntoWarp returns the carry that enters the calling warp, given in warp 0 the one that enters
    // the tile. One barrier.
    DEVICE unsigned IntoWarp(unsigned into_tile, Shared &s) const {
        if (threadIdx.x == 0) {
            s.into_warps = (uint32_t)CarriesInto(warps_generate, warps_propagate, into_tile);
        }
        __syncthreads();
        return s.into_warps >> threadIdx.x / kWarp & 1;
    }

    // The same from the calling thread's state, and for the calling thread.
    DEVICE carry_state Tile(carry_state mine, Shared &s) {
        Ballot(mine, &generate, &propagate);
        return TileOfWarps(Lane() == 0 ? StateOf(generate, propagate) : CARRY_PROPAGATE, s);
    }
    DEVICE unsigned Into(unsigned into_tile, Shared &s) const {
        return (unsigned)(CarriesInto(generate, propagate, IntoWarp(into_tile, s)) >> Lane()) & 1;
    }

    // Before returns, in warp 0, the carry that enters the tile, after publishing what it does to
    // it. begins: nothing enters, as for the first tile of a number.
    DEVICE static unsigned Before(const TileLookBack &look_back, Place at, carry_state tile,
                                  bool begins) {
        unsigned into = 0;
        if (threadIdx.x < kWarp) {
            // The first tile's word must never send a reader to the tiles before it.
            const bool known = begins || tile != CARRY_PROPAGATE;
            if (threadIdx.x == 0) {
                look_back.Publish(at, known ? kPrefix : kAggregate,
                                  begins && tile == CARRY_PROPAGATE ? CARRY_KILL : tile);
            }
            into = begins ? 0 : look_back.Before(at) == CARRY_GENERATE;
            if (threadIdx.x == 0 && !known) {  // a tile that propagates: what enters leaves
                look_back.Publish(at, kPrefix, into != 0 ? CARRY_GENERATE : CARRY_KILL);
            }
        }
        return into;
    }
};

#endif  // CARRY_RIPPLE_CUH_
