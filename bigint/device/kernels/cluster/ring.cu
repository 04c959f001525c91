// ring.cu: ring.h. As product.cu, but that coefficients are as many as limbs, and what the highest
// ones and the carry leave at the top enters at the bottom. Includes the rooms' device headers.
// Proof: docs/proofs/modular_device.md, section 10.
//
// The limbs W and the carry c that leaves them without one that enters, W + c B^n, are congruent to
// the product modulo B^n - 1. A carry that enters where c = 1, or where all limbs are ones, makes
// them the residue. Modulo B^n + 1 they are the product less 1, which coefficient 0 lacks: a carry
// enters where c = 0, and leaves as limb n.
#include "bigint/device/kernels/cluster/ring.h"

#include "bigint/device/kernels/cluster/limbs.cuh"

namespace {

struct RingJob {
    ClusterShare share;
    cluster_ring_product product;
};

// --- The kernel ----------------------------------------------------------------------------------

DEVICE CarryData DataOf(uint64_t *r, unsigned points) {
    CarryData d = {};
    d.r = r;
    d.is_signed = true;
    d.w = 64;
    d.n = d.out = d.all = points;
    d.vectors = (uintptr_t)r % 16 == 0;
    return d;
}

// A coefficient, negative or not, and 1 less.
DEVICE void Adjust(uint64_t (&c)[kClusterWords], bool negative, bool less) {
    const uint64_t flip = negative ? ~UINT64_C(0) : 0, high = less && !negative ? ~UINT64_C(0) : 0;
    const uint64_t more[kClusterWords] = {negative && !less ? 1 : high, high, high};
#pragma unroll
    for (unsigned j = 0; j < kClusterWords; j++) {
        c[j] ^= flip;
    }
    AddWords<kClusterWords>(c, more, 0);
}

// Threads of a multiprocessor: as of product.cu.
constexpr unsigned kResident = 512;

template <unsigned kNodes, unsigned kLg, bool kSquare>
__global__ void __launch_bounds__(ModularPiece<kNodes, kLg>::kThreads,
                                  kResident / ModularPiece<kNodes, kLg>::kThreads)
    ClusterRingKernel(const __grid_constant__ RingJob job) {
    using Piece = ModularPiece<kNodes, kLg>;
    SHARED(ClusterCarries, carries);
    DYNAMIC_SHARED(double, shared);
    const ClusterShare &share = job.share;
    const cluster_ring_product &product = job.product;
    const unsigned rank = ClusterRank(), points = share.pieces << kLg;
    const unsigned prime = rank / share.pieces, piece = rank % share.pieces;
    const ModularPieceTables tables =
        ModularPieceTablesOf(share.tables, share.places, kLg, prime, piece);
    const Piece transform = {share.prime[prime], tables, piece, shared};
    WaitForKernelBefore();
    const bool negative = *product.a_sign != *product.b_sign;
    transform.template Run<kSquare>(Piece::WordsOf(product.a, product.an),
                                    Piece::WordsOf(product.b, product.bn));
    ClusterArriveShared();
    ClusterWait();
    using Range = ClusterRange<kLg, Piece::kThreads, true>;
    const Range range = {share, rank, transform.Room()};
    range.Gather(transform.Residues());
    __syncthreads();
    const CarryData data = DataOf(product.r, points);
    ClusterLimbs<Range> own(range, carries, data);
    const unsigned place = own.Place();  // that of a lane below the lowest limb is the top's
    own.Make([&](unsigned k, uint64_t(&c)[kClusterWords]) {
        Adjust(c, negative, share.negacyclic && place + k == 0);
    });
    ClusterArrive();
    ClusterWait();
    const ClusterSegments all = carries.Segments(share);
    const unsigned out = all.Out(0), passed = all.Out(1);
    const unsigned carry = share.negacyclic ? 1 - out : passed;
    if (own.Has()) {
        own.limbs.AddCarry(own.Into(all.Into(rank, own.b, carry)));
        own.Store();
    }
    if (rank == 0 && threadIdx.x == 0) {
        *product.sign = 0;
        if (share.negacyclic) {
            product.r[points] = passed - out;
        }
    }
}

// --- Shapes --------------------------------------------------------------------------------------

struct RingEntry {
    unsigned threads;
    size_t bytes;
    void (*kernel[2])(RingJob);  // [square]
};

template <unsigned kI>
constexpr RingEntry Entry() {
    constexpr ModularShape kShape = kModularPieces[kI];
    using Piece = ModularPiece<kShape.nodes, kShape.lg>;
    return {Piece::kThreads,
            Piece::kBytes,
            {ClusterRingKernel<kShape.nodes, kShape.lg, false>,
             ClusterRingKernel<kShape.nodes, kShape.lg, true>}};
}
// By logarithm, from the least on.
constexpr RingEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>()};

}  // namespace

result cluster_ring(const cluster_ring_product *product, bool square, const fft_modular_plan *plan,
                    const fft_modular_tables *tables, cuda_stream stream) {
    if (!fft_modular_whole(plan) || !fft_modular_same_shape(plan, &tables->plan) ||
        product->an == 0 || product->an > plan->a_digits || product->bn == 0 ||
        product->bn > plan->b_digits) {
        return RESULT_REFUSED;
    }
    const RingEntry *entry = kEntries + (plan->lg_rows - FFT_MODULAR_LG_WHOLE_LEAST);
    const RingJob job = {ClusterShareOf(plan, tables), *product};
    const unsigned blocks = job.share.blocks;
    void (*const kernel)(RingJob) = entry->kernel[square];
    cudaError_t e = ClusterMakeReady(kernel, entry->bytes, blocks);
    if (e == cudaSuccess) {
        e = LaunchClusterEarly(kernel, blocks, entry->threads, blocks, entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
