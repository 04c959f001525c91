// limbs.cuh: from residues that the blocks of a cluster hold, of one piece modulo one prime
// each (fft/device/modular/piece.cuh), to limbs and what they do to carries, for product.cu and
// newton.cu. Includes the rooms' device headers.
#ifndef BIGINT_DEVICE_KERNELS_CLUSTER_LIMBS_CUH_
#define BIGINT_DEVICE_KERNELS_CLUSTER_LIMBS_CUH_

#include "carry/limbs_warp.cuh"
#include "fft/device/modular/crt.cuh"
#include "fft/device/modular/piece.cuh"
#include "primitives/cuda/cluster.cuh"
#include "primitives/cuda/launch.cuh"

constexpr unsigned kClusterWords = 3, kClusterPrimes = FFT_PRIMES_USED;
constexpr unsigned kClusterBlocks = kClusterPrimes * FFT_MODULAR_WHOLE_PIECES;  // at most

using ClusterWarp = LimbsWarp<kClusterWords>;

// Places that are made again below a segment.
constexpr unsigned kClusterBelow = ClusterWarp::kLimbs;

// ClusterShare: each of the `blocks` blocks has a range of `range` places of each piece's residues,
// and so, for each of the `pieces` blocks of coefficients, a segment of limbs, which `warps` warps
// compute.
struct ClusterShare {
    unsigned pieces, blocks, range, warps;
    bool negacyclic;
    const double *tables;
    ModularPlaces places;
    fft_modular_prime prime[kClusterPrimes];
    ModularCrt crt;
};

// --- Coefficients --------------------------------------------------------------------------------

// ClusterRange: the residues of a block's range, joined, in its shared memory: [prime][segment]
// [place], kClusterBelow places below the range first, for the lanes that repeat what is below a
// segment. kRing: the coefficients belong to a product modulo B^n - 1, n all places, so that below
// place 0 lies the top; or modulo B^n + 1, where what the top spills there counts negatively.
template <unsigned kLg, unsigned kThreads, bool kRing>
struct ClusterRange {
    using Warp = ClusterWarp;
    static constexpr unsigned kLgPlaces = kLg;

    const ClusterShare &share;
    unsigned rank;
    double *room;

    DEVICE unsigned First() const { return rank * share.range; }
    // Places from the lowest one below the range on: the last block has fewer.
    DEVICE unsigned Count() const {
        const unsigned left = (1u << kLg) - First();
        return kClusterBelow + (left < share.range ? left : share.range);
    }
    DEVICE double *Segment(unsigned prime, unsigned segment) const {
        return room + (prime * share.pieces + segment) * (kClusterBelow + share.range);
    }

    // Gather fills it with the residues of all blocks; prime p's piece s is in block p pieces + s,
    // and each residue is read by one block. A barrier must follow.
    DEVICE void Gather(const double *residues) const {
        constexpr unsigned kMost = FFT_MODULAR_WHOLE_PIECES;
        for (unsigned i = threadIdx.x; i < Count(); i += kThreads) {
            const unsigned place = (First() + i - kClusterBelow) % (1u << kLg);
            const unsigned up = First() + i < kClusterBelow ? 1 : 0;
            double y[kClusterPrimes][kMost] = {};
#pragma unroll
            for (unsigned p = 0; p < kClusterPrimes; p++) {
#pragma unroll
                for (unsigned s = 0; s < kMost; s++) {
                    if (s < share.pieces) {
                        y[p][s] = ClusterShared(residues, p * share.pieces + s)[place];
                    }
                }
            }
#pragma unroll
            for (unsigned p = 0; p < kClusterPrimes; p++) {
                double c[kMost];
                ModularJoin(y[p], c, share.prime[p]);
                if (kRing && share.negacyclic) {
                    ModularUnturn(c, share.pieces, share.prime[p]);
                }
#pragma unroll
                for (unsigned b = 0; b < kMost; b++) {
                    if (b + up < share.pieces) {
                        Segment(p, b + up)[i] = c[b];
                    } else if (kRing && b + 1 == share.pieces) {
                        Segment(p, 0)[i] = c[b];
                    }
                }
            }
        }
    }

    // Coefficients at places i .. i + 3 of a segment, in a lane's limbs; adjust(k, c) may change
    // that of place i + k.
    template <class Adjust>
    DEVICE void TakePlaces(unsigned segment, unsigned i, Warp::Limbs &b, Adjust adjust) const {
        double r[kClusterPrimes][Warp::kLimbs] = {};
        if (i < Count()) {
#pragma unroll
            for (unsigned p = 0; p < kClusterPrimes; p++) {
#pragma unroll
                for (unsigned k = 0; k < Warp::kLimbs; k += 2) {
                    const Pair two = *(const Pair *)(Segment(p, segment) + i + k);
                    r[p][k] = two.low, r[p][k + 1] = two.high;
                }
            }
        }
        b.TakeAligned(0, true, [&](unsigned k, uint64_t(&c)[kClusterWords]) {
            share.crt.Coefficient(r[0][k], r[1][k], r[2][k], c);
            adjust(k, c);
        });
    }

    // Does the same as Warp::Take. All lanes must call it; lanes beyond the segment propagate.
    template <class Adjust>
    DEVICE carry_state Take(const Warp &warp, unsigned segment, unsigned i, Warp::Limbs &b,
                            Adjust adjust) const {
        if (!kRing && warp.BelowRow()) {
            b.TakeNothing(true);
        } else {
            TakePlaces(segment, i, b, adjust);
        }
        if (kRing && share.negacyclic && warp.BelowRow()) {
            b.NegateSpill();
        }
        const carry_state state = warp.TakeSpill(b);
        return i < Count() ? state : CARRY_PROPAGATE;
    }

    struct alignas(16) Pair {
        double low, high;
    };
};

// --- Carries -------------------------------------------------------------------------------------

// ClusterStates: the effect of up to 32 stretches in a row on a carry, the rest propagating; the
// same in all lanes.
struct ClusterStates {
    uint32_t generate, propagate;

    DEVICE static ClusterStates Of(const uint32_t *state, unsigned count) {
        const carry_state mine = Lane() < count ? (carry_state)state[Lane()] : CARRY_PROPAGATE;
        ClusterStates s;
        CarryRipple<1>::Ballot(mine, &s.generate, &s.propagate);
        return s;
    }
    // The carry into the stretch of that number; for 32, out of all.
    DEVICE unsigned Into(unsigned number, unsigned carry_in) const {
        return (unsigned)(CarriesInto(generate, propagate, carry_in) >> number) & 1;
    }
};

// ClusterSegments: the same of all segments' stretches, each of one block.
struct ClusterSegments {
    ClusterStates of[FFT_MODULAR_WHOLE_PIECES];

    // The carry into segment b of the block of that rank, where this one enters the lowest.
    DEVICE unsigned Into(unsigned rank, unsigned b, unsigned carry) const {
#pragma unroll
        for (unsigned c = 0; c < FFT_MODULAR_WHOLE_PIECES; c++) {
            carry = c > b ? carry : of[c].Into(c == b ? rank : kWarp, carry);
        }
        return carry;
    }
    // The carry out of the highest.
    DEVICE unsigned Out(unsigned carry) const {
        return Into(kWarp, FFT_MODULAR_WHOLE_PIECES - 1, carry);
    }
};

// ClusterCarries: the effect of stretches of limbs on a carry: the calling block's warps, and all
// segments, by rank.
struct ClusterCarries {
    uint32_t warp[kWarp];
    uint32_t segment[FFT_MODULAR_WHOLE_PIECES][kClusterBlocks];

    // Tell sends the states of the calling block's segments to all blocks. The warps' states must
    // be there.
    DEVICE void Tell(const ClusterShare &share, unsigned rank) {
        const unsigned to = threadIdx.x % share.blocks, b = threadIdx.x / share.blocks;
        if (b < share.pieces) {
            carry_state state = CARRY_PROPAGATE;
            for (unsigned w = 0; w < share.warps; w++) {
                state = carry_compose(state, (carry_state)warp[b * share.warps + w]);
            }
            *ClusterShared(&segment[b][rank], to) = state;
        }
    }

    // The carry into warp w of a segment that this carry enters.
    DEVICE unsigned InSegment(const ClusterShare &share, unsigned b, unsigned w,
                              unsigned carry) const {
        return ClusterStates::Of(warp + b * share.warps, w).Into(kWarp, carry);
    }

    // What all segments do, after all blocks have sent theirs. Ballots do not depend on anything,
    // so only additions follow each other.
    DEVICE ClusterSegments Segments(const ClusterShare &share) const {
        ClusterSegments all;
#pragma unroll
        for (unsigned c = 0; c < FFT_MODULAR_WHOLE_PIECES; c++) {
            all.of[c] = ClusterStates::Of(segment[c], c < share.pieces ? share.blocks : 0);
        }
        return all;
    }

    // Whether a carry leaves any segment, after all blocks have sent theirs.
    DEVICE bool Any(const ClusterShare &share) const {
        bool any = false;
        for (unsigned c = 0; c < share.pieces && Lane() < share.blocks; c++) {
            any = any || segment[c][Lane()] == CARRY_GENERATE;
        }
        return __ballot_sync(kAllLanes, any) != 0;
    }
};

// --- Limbs ---------------------------------------------------------------------------------------

// ClusterLimbs: a lane's limbs, before a carry enters its segment: of warp `w` of segment `b`, from
// place `i` of the block's range on. Lanes without any, b = pieces and more or i >= Count(), have
// part in all steps.
template <class Range>
struct ClusterLimbs {
    const Range &range;
    ClusterCarries &carries;
    unsigned b, w, i;
    ClusterWarp warp;
    ClusterWarp::Limbs limbs;
    ClusterStates lanes;

    DEVICE ClusterLimbs(const Range &of, ClusterCarries &with, const CarryData &data)
        : range(of),
          carries(with),
          b(threadIdx.x / kWarp / of.share.warps),
          w(threadIdx.x / kWarp % of.share.warps),
          i(w * ClusterWarp::kItems + Lane() * ClusterWarp::kLimbs),
          warp(data, 0, (b << Range::kLgPlaces) + of.First() + w * ClusterWarp::kItems),
          lanes{} {}

    DEVICE bool Has() const { return b < range.share.pieces; }
    // The place of the lane's first limb, kClusterBelow below its number in the range.
    DEVICE unsigned Place() const {
        return (b << Range::kLgPlaces) + range.First() + i - kClusterBelow;
    }

    // Make: from the range, by all threads of the block, and tells all blocks what the segments do
    // to a carry. adjust: as of TakePlaces.
    template <class Adjust>
    DEVICE void Make(Adjust adjust) {
        if (Has()) {
            const carry_state state = range.Take(warp, b, i, limbs, adjust);
            CarryRipple<1>::Ballot(state, &lanes.generate, &lanes.propagate);
            if (Lane() == 0) {
                carries.warp[threadIdx.x / kWarp] = StateOf(lanes.generate, lanes.propagate);
            }
        }
        __syncthreads();
        carries.Tell(range.share, range.rank);
    }

    // The carry into the lane, where this one enters its segment.
    DEVICE unsigned Into(unsigned carry) const {
        return lanes.Into(Lane(), carries.InSegment(range.share, b, w, carry));
    }
    DEVICE void Store() {
        if (Has() && i < range.Count()) {
            warp.Store(limbs);
        }
    }
};

// --- Shapes --------------------------------------------------------------------------------------

// Places of a block: whole lanes.
constexpr unsigned ClusterRangeOf(unsigned lg, unsigned pieces) {
    return ((1u << lg) - 1) / (kClusterPrimes * pieces * ClusterWarp::kLimbs) *
               ClusterWarp::kLimbs +
           ClusterWarp::kLimbs;
}
constexpr unsigned ClusterWarpsOf(unsigned range) {
    return (range + ClusterWarp::kItems - 1) / ClusterWarp::kItems;
}

// Whether ranges of a cluster with this many pieces have room, and a block has warps for them.
template <class Piece>
constexpr bool ClusterFits(unsigned lg, unsigned pieces) {
    const unsigned range = ClusterRangeOf(lg, pieces);
    return kClusterPrimes * pieces * (kClusterBelow + range) <= Piece::kTables &&
           pieces * ClusterWarpsOf(range) <= Piece::kThreads / kWarp;
}

inline ClusterShare ClusterShareOf(const fft_modular_plan *plan, const fft_modular_tables *tables) {
    ClusterShare share = {};
    share.pieces = plan->pieces;
    share.blocks = kClusterPrimes * plan->pieces;
    share.range = ClusterRangeOf(plan->lg_rows, plan->pieces);
    share.warps = ClusterWarpsOf(share.range);
    share.negacyclic = plan->negacyclic;
    share.tables = tables->memory;
    share.places = ModularPlacesOf(*plan);
    for (unsigned i = 0; i < kClusterPrimes; i++) {
        share.prime[i] = tables->prime[i];
    }
    share.crt = MakeModularCrt();
    return share;
}

// ClusterMakeReady lets the current device run a kernel in clusters of `blocks` blocks.
template <class K>
cudaError_t ClusterMakeReady(K kernel, size_t bytes, unsigned blocks) {
    const cudaError_t e = AllowShared(kernel, bytes);
    return e == cudaSuccess ? AllowCluster(kernel, blocks) : e;
}

#endif  // BIGINT_DEVICE_KERNELS_CLUSTER_LIMBS_CUH_
