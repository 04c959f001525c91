// cluster_product.cu: cluster_product.h: a block makes the residues of one piece modulo one prime
// (fft/modular_piece.cuh), then the limbs of one range of the product, for which it reads all
// blocks' residues. Includes the rooms' device headers.
//
// Blocks meet twice: when all residues are there, so that all operands have been read too, and when
// all know what each block's limbs do to a carry, so that none is read any more.
#include "bigint/cluster_product.h"

#include "carry/carry_limbs_warp.cuh"
#include "fft/modular_crt.cuh"
#include "fft/modular_piece.cuh"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kWords = 3, kPrimes = FFT_PRIMES_USED;
constexpr unsigned kBlocks = kPrimes * FFT_MODULAR_WHOLE_PIECES;  // of a cluster, at most

using Warp = LimbsWarp<kWords>;

struct ClusterJob {
    ModularWords operand[2];
    unsigned pieces;
    unsigned warps;  // of a block that make limbs
    const double *tables;
    ModularPlaces places;
    fft_modular_prime prime[kPrimes];
    ModularCrt crt;
    CarryData d;
    recombine_signs signs;
};

// ClusterResidues: residues of coefficients in the blocks of a cluster, prime p's piece s in block
// p pieces + s, each at the same place of its block's shared memory.
template <unsigned kLg>
struct ClusterResidues {
    const ClusterJob &job;
    const double *own;

    struct alignas(16) Pair {
        double low, high;
    };

    // Residues modulo one prime of coefficients `at` .. `at` + 3, at a multiple of 4, joined.
    DEVICE void Join(unsigned p, unsigned at, double (&r)[Warp::kLimbs]) const {
        constexpr unsigned kMost = FFT_MODULAR_WHOLE_PIECES;
        double y[Warp::kLimbs][kMost] = {};
        const double *from = own + at % (1u << kLg);
#pragma unroll
        for (unsigned s = 0; s < kMost; s++) {
            if (s < job.pieces) {
                const double *there = ClusterShared(from, p * job.pieces + s);
#pragma unroll
                for (unsigned i = 0; i < Warp::kLimbs; i += 2) {
                    const Pair two = *(const Pair *)(there + i);
                    y[i][s] = two.low, y[i + 1][s] = two.high;
                }
            }
        }
#pragma unroll
        for (unsigned i = 0; i < Warp::kLimbs; i++) {
            r[i] = ModularJoin(y[i], job.pieces, at >> kLg, job.prime[p]);
        }
    }

    // What Warp::Take does, of coefficients that weigh 2^(64 i).
    DEVICE carry_state Take(const Warp &warp, Warp::Limbs &b) const {
        if (warp.BelowRow()) {
            b.TakeNothing(true);
            return warp.TakeSpill(b);
        }
        const unsigned first = warp.FirstBit() / 64, at = (unsigned)warp.begin + first;
        double r[kPrimes][Warp::kLimbs] = {};
        if (at < job.d.n) {
#pragma unroll
            for (unsigned p = 0; p < kPrimes; p++) {
                Join(p, at, r[p]);
            }
        }
        b.TakeAligned(first, true, [&](unsigned i, uint64_t(&c)[kWords]) {
            job.crt.Coefficient(r[0][i - first], r[1][i - first], r[2][i - first], c);
        });
        return warp.TakeSpill(b);
    }
};

// The carry into a block of the cluster, once all states are in `states`, by rank. All lanes.
DEVICE unsigned CarryIntoBlock(const uint32_t *states, unsigned blocks, unsigned rank) {
    const carry_state mine =
        Lane() < blocks ? (carry_state)states[Lane() % kBlocks] : CARRY_PROPAGATE;
    const uint32_t generate = __ballot_sync(kAllLanes, mine == CARRY_GENERATE);
    const uint32_t propagate = __ballot_sync(kAllLanes, mine == CARRY_PROPAGATE);
    return (unsigned)(CarriesInto(generate, propagate, 0) >> rank) & 1;
}

template <unsigned kNodes, unsigned kLg, bool kSquare>
__global__ void __launch_bounds__(ModularPiece<kNodes, kLg>::kThreads)
    ClusterProductKernel(const __grid_constant__ ClusterJob job) {
    using Piece = ModularPiece<kNodes, kLg>;
    constexpr unsigned kWarps = Piece::kThreads / kWarp;
    using Ripple = CarryRipple<kWarps>;
    static_assert(Piece::kPoints <= kWarps * kPrimes * Warp::kItems, "warps for all limbs");
    struct Shared {
        typename Ripple::Shared ripple;
        uint32_t state[kBlocks];
    };
    SHARED(Shared, s);
    DYNAMIC_SHARED(double, shared);
    const unsigned rank = ClusterRank(), prime = rank / job.pieces, piece = rank % job.pieces;
    const ModularPieceTables tables =
        ModularPieceTablesOf(job.tables, job.places, kLg, prime, piece);
    const Piece transform = {job.prime[prime], tables, piece, shared};
    WaitForKernelBefore();
    transform.template Run<kSquare>(job.operand[0], job.operand[1]);
    ClusterArrive();
    ClusterWait();
    if (rank == 0 && threadIdx.x == 0) {
        *job.signs.r = *job.signs.a ^ *job.signs.b;
    }
    const unsigned warp_of_block = threadIdx.x / kWarp;
    const bool makes_limbs = warp_of_block < job.warps;
    const Warp warp(job.d, 0, (uint64_t)rank * job.warps + warp_of_block);
    Warp::Limbs limbs;
    const ClusterResidues<kLg> residues = {job, transform.Residues()};
    Ripple ripple = {};
    carry_state mine = CARRY_PROPAGATE;
    if (makes_limbs) {
        mine = residues.Take(warp, limbs);
    }
    const carry_state block = ripple.Tile(mine, s.ripple);
    if (threadIdx.x < gridDim.x) {  // of warp 0, whose lanes know the block's state
        *ClusterShared(s.state + rank, threadIdx.x) = block;
    }
    ClusterArrive();
    ClusterWait();
    const unsigned into_block = CarryIntoBlock(s.state, gridDim.x, rank);
    const unsigned into = ripple.Into(into_block, s.ripple);
    if (makes_limbs) {
        limbs.AddCarry(into);
        warp.Store(limbs);
    }
}

// --- Launches ------------------------------------------------------------------------------------

struct ClusterEntry {
    unsigned lg, threads;
    size_t bytes;
    void (*kernel[2])(ClusterJob);  // [square]
};

template <unsigned kI>
constexpr ClusterEntry Entry() {
    constexpr ModularShape kShape = kModularPieces[kI];
    using Piece = ModularPiece<kShape.nodes, kShape.lg>;
    return {kShape.lg,
            Piece::kThreads,
            Piece::kBytes,
            {ClusterProductKernel<kShape.nodes, kShape.lg, false>,
             ClusterProductKernel<kShape.nodes, kShape.lg, true>}};
}

constexpr ClusterEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>(), Entry<3>()};
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

// Lets the present device run a kernel in clusters of so many blocks.
cudaError_t MakeReady(void (*kernel)(ClusterJob), size_t bytes, unsigned blocks) {
    const cudaError_t e = AllowShared(kernel, bytes);
    return e == cudaSuccess ? AllowCluster(kernel, blocks) : e;
}

ModularWords WordsOf(fft_modular_operand a, unsigned lg) {
    return {a.words, (unsigned)a.words_n, (unsigned)((a.words_n - 1) >> lg) + 1};
}

CarryData DataOf(uint64_t *rp, uint64_t rn, uint64_t count) {
    CarryData d = {};
    d.r = rp;
    d.is_signed = true;
    d.w = 64;
    d.n = count;
    d.out = d.all = rn;
    d.vectors = (uintptr_t)rp % 16 == 0;
    return d;
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

result cluster_product(uint64_t *rp, uint64_t rn, const recombine_signs *signs,
                       fft_modular_operand a, fft_modular_operand b, bool square,
                       const fft_modular_plan *plan, const fft_modular_tables *tables,
                       device_stream stream) {
    const uint64_t count = a.words_n + b.words_n - 1;
    if (!fft_modular_whole(plan) || !fft_modular_same_shape(plan, tables) ||
        count > fft_modular_points(plan) || rn == 0 || rn > count + 1) {
        return RESULT_REFUSED;
    }
    const unsigned lg = plan->lg_rows, blocks = kPrimes * plan->pieces;
    const ClusterEntry *entry = EntryOf(lg);
    ClusterJob job = {};
    job.operand[0] = WordsOf(a, lg);
    job.operand[1] = WordsOf(b, lg);
    job.pieces = plan->pieces;
    job.warps = (unsigned)word_ceil_div(rn, (uint64_t)Warp::kItems * blocks);
    job.tables = tables->memory;
    job.places = ModularPlacesOf(plan->pieces, 0, lg, 0);
    for (unsigned i = 0; i < kPrimes; i++) {
        job.prime[i] = tables->prime[i];
    }
    job.crt = MakeModularCrt();
    job.d = DataOf(rp, rn, count);
    job.signs = *signs;
    void (*const kernel)(ClusterJob) = entry->kernel[square];
    cudaError_t e = MakeReady(kernel, entry->bytes, blocks);
    if (e == cudaSuccess) {
        e = LaunchClusterEarly(kernel, blocks, entry->threads, blocks, entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
