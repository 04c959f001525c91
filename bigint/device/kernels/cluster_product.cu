// cluster_product.cu: cluster_product.h: a block computes the residues of one piece modulo one
// prime (fft/device/modular/piece.cuh), then the limbs of one range of places in every piece. For
// these it reads all blocks' residues there, each of them once. Includes the rooms' device headers.
//
// The blocks synchronise twice: when all residues are complete, so that all operands have been read
// too, and when every block knows the effect of each block's limbs on a carry, so that residues are
// not read any more.
#include "bigint/device/kernels/cluster_product.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/limbs_warp.cuh"
#include "fft/device/modular/crt.cuh"
#include "fft/device/modular/piece.cuh"
#include "primitives/cuda/cluster.cuh"
#include "primitives/cuda/launch.cuh"

namespace {

constexpr unsigned kWords = 3, kPrimes = FFT_PRIMES_USED;
constexpr unsigned kBlocks = kPrimes * FFT_MODULAR_WHOLE_PIECES;  // of a cluster, at most

using Warp = LimbsWarp<kWords>;

constexpr unsigned kBelow = Warp::kLimbs;  // places that are made again below a segment

// Each cluster of `blocks` blocks computes one of the products. Each block has a range of `range`
// places of each piece's residues, and so, for each of the `pieces` blocks of coefficients, a
// segment of limbs, which `warps` warps compute.
struct ClusterJob {
    product_rows rows;
    unsigned pieces, blocks, range, warps;
    const double *tables;
    ModularPlaces places;
    fft_modular_prime prime[kPrimes];
    ModularCrt crt;
    recombine_signs signs;  // of the one product; r NULL: not wanted
};

// --- Coefficients --------------------------------------------------------------------------------

// ClusterRange: the residues of a block's range, joined, in its shared memory: [prime][segment]
// [place], kBelow places below the range first, for the lanes that repeat what is below a segment.
template <unsigned kLg, unsigned kThreads>
struct ClusterRange {
    const ClusterJob &job;
    unsigned rank;
    double *room;

    DEVICE unsigned First() const { return rank * job.range; }
    // Places from the lowest one below the range on: the last block has fewer.
    DEVICE unsigned Count() const {
        const unsigned left = (1u << kLg) - First();
        return kBelow + (left < job.range ? left : job.range);
    }
    DEVICE double *Segment(unsigned prime, unsigned segment) const {
        return room + (prime * job.pieces + segment) * (kBelow + job.range);
    }

    // Gather fills it with the residues of all blocks; prime p's piece s is in block p pieces + s,
    // and each residue is read by one block. Below place 0 lies the top of the coefficients below.
    // A barrier must follow.
    DEVICE void Gather(const double *residues) const {
        constexpr unsigned kMost = FFT_MODULAR_WHOLE_PIECES;
        for (unsigned i = threadIdx.x; i < Count(); i += kThreads) {
            const unsigned place = (First() + i - kBelow) % (1u << kLg);
            const unsigned up = First() + i < kBelow ? 1 : 0;
            double y[kPrimes][kMost] = {};
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
#pragma unroll
                for (unsigned s = 0; s < kMost; s++) {
                    if (s < job.pieces) {
                        y[p][s] = ClusterShared(residues, p * job.pieces + s)[place];
                    }
                }
            }
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
                double c[kMost];
                ModularJoin(y[p], c, job.prime[p]);
#pragma unroll
                for (unsigned b = 0; b < kMost; b++) {
                    if (b + up < job.pieces) {
                        Segment(p, b + up)[i] = c[b];
                    }
                }
            }
        }
    }

    // Coefficients at places i .. i + 3 of a segment, in a lane's limbs.
    DEVICE void TakePlaces(unsigned segment, unsigned i, Warp::Limbs &b) const {
        double r[kPrimes][Warp::kLimbs] = {};
        if (i < Count()) {
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
#pragma unroll
                for (unsigned k = 0; k < Warp::kLimbs; k += 2) {
                    const Pair two = *(const Pair *)(Segment(p, segment) + i + k);
                    r[p][k] = two.low, r[p][k + 1] = two.high;
                }
            }
        }
        b.TakeAligned(0, true, [&](unsigned k, uint64_t(&c)[kWords]) {
            job.crt.Coefficient(r[0][k], r[1][k], r[2][k], c);
        });
    }

    // Does the same as Warp::Take. All lanes must call it; lanes beyond the segment propagate.
    DEVICE carry_state Take(const Warp &warp, unsigned segment, unsigned i, Warp::Limbs &b) const {
        if (warp.BelowRow()) {
            b.TakeNothing(true);
        } else {
            TakePlaces(segment, i, b);
        }
        const carry_state state = warp.TakeSpill(b);
        return i < Count() ? state : CARRY_PROPAGATE;
    }

    struct alignas(16) Pair {
        double low, high;
    };
};

// --- Carries -------------------------------------------------------------------------------------

// States: the effect of up to 32 stretches in a row on a carry, the rest propagating; the same in
// all lanes.
struct States {
    uint32_t generate, propagate;

    DEVICE static States Of(const uint32_t *state, unsigned count) {
        const carry_state mine = Lane() < count ? (carry_state)state[Lane()] : CARRY_PROPAGATE;
        States s;
        CarryRipple<1>::Ballot(mine, &s.generate, &s.propagate);
        return s;
    }
    // The carry into the stretch of that number; for 32, out of all.
    DEVICE unsigned Into(unsigned number, unsigned carry_in) const {
        return (unsigned)(CarriesInto(generate, propagate, carry_in) >> number) & 1;
    }
};

// The effect of stretches of limbs on a carry: the calling block's warps, and all segments, by
// rank.
struct ClusterCarries {
    uint32_t warp[kWarp];
    uint32_t segment[FFT_MODULAR_WHOLE_PIECES][kBlocks];

    // Tell sends the states of the calling block's segments to all blocks. The warps' states must
    // be there.
    DEVICE void Tell(const ClusterJob &job, unsigned rank) {
        const unsigned to = threadIdx.x % job.blocks, b = threadIdx.x / job.blocks;
        if (b < job.pieces) {
            carry_state state = CARRY_PROPAGATE;
            for (unsigned w = 0; w < job.warps; w++) {
                state = carry_compose(state, (carry_state)warp[b * job.warps + w]);
            }
            *ClusterShared(&segment[b][rank], to) = state;
        }
    }

    // The carry into warp w of segment b, after all blocks have sent theirs. Ballots do not depend
    // on anything, so only additions follow each other.
    DEVICE unsigned IntoWarp(const ClusterJob &job, unsigned rank, unsigned b, unsigned w) const {
        constexpr unsigned kMost = FFT_MODULAR_WHOLE_PIECES;
        States segments[kMost];
#pragma unroll
        for (unsigned c = 0; c < kMost; c++) {
            segments[c] = States::Of(segment[c], c < job.pieces ? job.blocks : 0);
        }
        const States warps = States::Of(warp + b * job.warps, w);
        unsigned carry = 0;
#pragma unroll
        for (unsigned c = 0; c < kMost; c++) {
            carry = c > b ? carry : segments[c].Into(c == b ? rank : kWarp, carry);
        }
        return warps.Into(kWarp, carry);
    }
};

// --- The kernel ----------------------------------------------------------------------------------

DEVICE ModularWords WordsOf(const uint64_t *p, uint64_t n, unsigned lg) {
    return {p, (unsigned)n, (((unsigned)n - 1) >> lg) + 1};
}

// What the warps need to know of the limbs of a product.
DEVICE CarryData DataOf(const product_item &item) {
    CarryData d = {};
    d.r = item.r;
    d.is_signed = true;
    d.w = 64;
    d.n = item.an + item.bn - 1;
    d.out = d.all = min(item.rn, item.an + item.bn);
    d.vectors = (uintptr_t)item.r % 16 == 0;
    return d;
}

// Pad: zeros above the product, by all threads of the cluster.
DEVICE void Pad(const ClusterJob &job, const product_item &item, unsigned rank) {
    const uint64_t first = item.an + item.bn + rank * blockDim.x + threadIdx.x;
    for (uint64_t k = first; k < item.rn; k += job.blocks * blockDim.x) {
        item.r[k] = 0;
    }
}

// Threads of a multiprocessor: with more each would have too few registers.
constexpr unsigned kResident = 512;

template <unsigned kNodes, unsigned kLg, bool kSquare>
__global__ void __launch_bounds__(ModularPiece<kNodes, kLg>::kThreads,
                                  kResident / ModularPiece<kNodes, kLg>::kThreads)
    ClusterProductKernel(const __grid_constant__ ClusterJob job) {
    using Piece = ModularPiece<kNodes, kLg>;
    SHARED(ClusterCarries, carries);
    DYNAMIC_SHARED(double, shared);
    const unsigned rank = ClusterRank(), prime = rank / job.pieces, piece = rank % job.pieces;
    const ModularPieceTables tables =
        ModularPieceTablesOf(job.tables, job.places, kLg, prime, piece);
    const Piece transform = {job.prime[prime], tables, piece, shared};
    WaitForKernelBefore();
    const product_item item = ProductItem(job.rows, blockIdx.x / job.blocks);
    const CarryData data = DataOf(item);
    const bool signs = job.signs.r != nullptr && rank == 0 && threadIdx.x == 0;
    const uint64_t sign = signs ? *job.signs.a ^ *job.signs.b : 0;
    transform.template Run<kSquare>(WordsOf(item.a, item.an, kLg), WordsOf(item.b, item.bn, kLg));
    ClusterArriveShared();
    ClusterWait();
    const ClusterRange<kLg, Piece::kThreads> range = {job, rank, transform.Room()};
    range.Gather(transform.Residues());
    __syncthreads();
    const unsigned number = threadIdx.x / kWarp, b = number / job.warps, w = number % job.warps;
    const unsigned i = w * Warp::kItems + Lane() * Warp::kLimbs;  // of the segment's places
    const Warp warp(data, 0, (b << kLg) + range.First() + w * Warp::kItems);
    Warp::Limbs limbs;
    States lanes = {};
    if (b < job.pieces) {
        CarryRipple<1>::Ballot(range.Take(warp, b, i, limbs), &lanes.generate, &lanes.propagate);
        if (Lane() == 0) {
            carries.warp[number] = StateOf(lanes.generate, lanes.propagate);
        }
    }
    __syncthreads();
    carries.Tell(job, rank);
    ClusterArrive();
    ClusterWait();
    if (b < job.pieces) {
        limbs.AddCarry(lanes.Into(Lane(), carries.IntoWarp(job, rank, b, w)));
        if (i < range.Count()) {
            warp.Store(limbs);
        }
    }
    Pad(job, item, rank);
    if (signs) {
        *job.signs.r = sign;
    }
}

// --- Shapes --------------------------------------------------------------------------------------

// Places of a block: whole lanes.
constexpr unsigned RangeOf(unsigned lg, unsigned pieces) {
    return ((1u << lg) - 1) / (kPrimes * pieces * Warp::kLimbs) * Warp::kLimbs + Warp::kLimbs;
}
constexpr unsigned WarpsOf(unsigned range) { return (range + Warp::kItems - 1) / Warp::kItems; }

// Whether ranges of a cluster with this many pieces have room, and a block has warps for them.
template <class Piece>
constexpr bool Fits(unsigned lg, unsigned pieces) {
    const unsigned range = RangeOf(lg, pieces);
    return kPrimes * pieces * (kBelow + range) <= Piece::kTables &&
           pieces * WarpsOf(range) <= Piece::kThreads / kWarp;
}

struct ClusterEntry {
    unsigned lg, threads;
    size_t bytes;
    void (*kernel[2])(ClusterJob);  // [square]
};

template <unsigned kI>
constexpr ClusterEntry Entry() {
    constexpr ModularShape kShape = kModularPieces[kI];
    using Piece = ModularPiece<kShape.nodes, kShape.lg>;
    static_assert(Fits<Piece>(kShape.lg, 1) && Fits<Piece>(kShape.lg, 2) &&
                      (kShape.lg == FFT_MODULAR_LG_WHOLE_LEAST || Fits<Piece>(kShape.lg, 4)),
                  "every cluster that is planned");
    return {kShape.lg,
            Piece::kThreads,
            Piece::kBytes,
            {ClusterProductKernel<kShape.nodes, kShape.lg, false>,
             ClusterProductKernel<kShape.nodes, kShape.lg, true>}};
}

constexpr ClusterEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>()};
static_assert(sizeof kEntries / sizeof *kEntries == sizeof kModularPieces / sizeof *kModularPieces,
              "an entry for every shape");

const ClusterEntry *EntryOf(unsigned lg) {
    for (const ClusterEntry &entry : kEntries) {
        if (entry.lg == lg) {
            return &entry;
        }
    }
    return nullptr;
}

// --- Launches ------------------------------------------------------------------------------------

// Lets the current device run a kernel in clusters of `blocks` blocks.
cudaError_t MakeReady(void (*kernel)(ClusterJob), size_t bytes, unsigned blocks) {
    const cudaError_t e = AllowShared(kernel, bytes);
    return e == cudaSuccess ? AllowCluster(kernel, blocks) : e;
}

}  // namespace

unsigned cluster_product_blocks(void) {
    const ClusterEntry &longest = kEntries[sizeof kEntries / sizeof *kEntries - 1];
    int major = 0;
    const cudaError_t e = DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major);
    const unsigned most = e == cudaSuccess && major >= 9 ? FFT_MODULAR_WHOLE_PIECES : 0;
    for (unsigned pieces = most; pieces > 0; pieces /= 2) {
        const unsigned blocks = kPrimes * pieces;
        if (MakeReady(longest.kernel[0], longest.bytes, blocks) == cudaSuccess &&
            ResidentClusters(longest.kernel[0], longest.threads, blocks, longest.bytes) > 0) {
            return blocks;
        }
    }
    return 0;
}

result cluster_product(const product_rows *rows, const recombine_signs *signs, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       cuda_stream stream) {
    const product_item *const first = &rows->first;
    if (!fft_modular_whole(plan) || !fft_modular_same_shape(plan, &tables->plan) ||
        (rows->items == nullptr &&
         (first->an + first->bn > fft_modular_points(plan) || first->rn == 0)) ||
        rows->count > kMaxGridX / (kPrimes * plan->pieces)) {
        return RESULT_REFUSED;
    }
    const unsigned lg = plan->lg_rows, blocks = kPrimes * plan->pieces;
    const ClusterEntry *entry = EntryOf(lg);
    ClusterJob job = {};
    job.rows = *rows;
    job.pieces = plan->pieces;
    job.blocks = blocks;
    job.range = RangeOf(lg, plan->pieces);
    job.warps = WarpsOf(job.range);
    job.tables = tables->memory;
    job.places = ModularPlacesOf(*plan);
    for (unsigned i = 0; i < kPrimes; i++) {
        job.prime[i] = tables->prime[i];
    }
    job.crt = MakeModularCrt();
    job.signs = signs == nullptr ? recombine_signs{} : *signs;
    void (*const kernel)(ClusterJob) = entry->kernel[square];
    cudaError_t e = MakeReady(kernel, entry->bytes, blocks);
    if (e == cudaSuccess && rows->count > 0) {
        const unsigned grid = (unsigned)rows->count * blocks;
        e = LaunchClusterEarly(kernel, grid, entry->threads, blocks, entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
