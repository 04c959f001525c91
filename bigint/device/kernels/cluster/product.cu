// product.cu: product.h: a block computes the residues of one piece modulo one
// prime (fft/device/modular/piece.cuh), then the limbs of one range of places in every piece. For
// these it reads all blocks' residues there, each of them once. Includes the rooms' device headers.
//
// The blocks synchronise twice: when all residues are complete, so that all operands have been read
// too, and when every block knows the effect of each block's limbs on a carry, so that residues are
// not read any more.
#include "bigint/device/kernels/cluster/product.h"

#include "bigint/device/kernels/cluster/limbs.cuh"
#include "bigint/device/kernels/product_rows.cuh"

namespace {

constexpr unsigned kPrimes = kClusterPrimes;

// ClusterJob: each cluster computes one of the products.
struct ClusterJob {
    ClusterShare share;
    product_rows rows;
    recombine_signs signs;  // of the one product; r NULL: not wanted
};

// --- The kernel ----------------------------------------------------------------------------------

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
    for (uint64_t k = first; k < item.rn; k += job.share.blocks * blockDim.x) {
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
    const unsigned rank = ClusterRank(), prime = rank / job.share.pieces,
                   piece = rank % job.share.pieces;
    const ModularPieceTables tables =
        ModularPieceTablesOf(job.share.tables, job.share.places, kLg, prime, piece);
    const Piece transform = {job.share.prime[prime], tables, piece, shared};
    WaitForKernelBefore();
    const product_item item = ProductItem(job.rows, blockIdx.x / job.share.blocks);
    const CarryData data = DataOf(item);
    const bool signs = job.signs.r != nullptr && rank == 0 && threadIdx.x == 0;
    const uint64_t sign = signs ? *job.signs.a ^ *job.signs.b : 0;
    transform.template Run<kSquare>(Piece::WordsOf(item.a, item.an),
                                    Piece::WordsOf(item.b, item.bn));
    ClusterArriveShared();
    ClusterWait();
    using Range = ClusterRange<kLg, Piece::kThreads, false>;
    const Range range = {job.share, rank, transform.Room()};
    range.Gather(transform.Residues());
    __syncthreads();
    ClusterLimbs<Range> own(range, carries, data);
    own.Make([](unsigned, uint64_t(&)[kClusterWords]) {});
    ClusterArrive();
    ClusterWait();
    if (own.Has()) {
        own.limbs.AddCarry(own.Into(carries.Segments(job.share).Into(rank, own.b, 0)));
        own.Store();
    }
    Pad(job, item, rank);
    if (signs) {
        *job.signs.r = sign;
    }
}

// --- Shapes --------------------------------------------------------------------------------------

struct ClusterEntry {
    unsigned lg, threads;
    size_t bytes;
    void (*kernel[2])(ClusterJob);  // [square]
};

template <unsigned kI>
constexpr ClusterEntry Entry() {
    constexpr ModularShape kShape = kModularPieces[kI];
    using Piece = ModularPiece<kShape.nodes, kShape.lg>;
    static_assert(ClusterFits<Piece>(kShape.lg, 1) && ClusterFits<Piece>(kShape.lg, 2) &&
                      (kShape.lg == FFT_MODULAR_LG_WHOLE_LEAST || ClusterFits<Piece>(kShape.lg, 4)),
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

}  // namespace

unsigned cluster_product_blocks(void) {
    const ClusterEntry &longest = kEntries[sizeof kEntries / sizeof *kEntries - 1];
    int major = 0;
    const cudaError_t e = DeviceAttribute(cudaDevAttrComputeCapabilityMajor, &major);
    const unsigned most = e == cudaSuccess && major >= 9 ? FFT_MODULAR_WHOLE_PIECES : 0;
    for (unsigned pieces = most; pieces > 0; pieces /= 2) {
        const unsigned blocks = kPrimes * pieces;
        if (ClusterMakeReady(longest.kernel[0], longest.bytes, blocks) == cudaSuccess &&
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
    const ClusterEntry *entry = EntryOf(plan->lg_rows);
    ClusterJob job = {};
    job.share = ClusterShareOf(plan, tables);
    job.rows = *rows;
    job.signs = signs == nullptr ? recombine_signs{} : *signs;
    const unsigned blocks = job.share.blocks;
    void (*const kernel)(ClusterJob) = entry->kernel[square];
    cudaError_t e = ClusterMakeReady(kernel, entry->bytes, blocks);
    if (e == cudaSuccess && rows->count > 0) {
        const unsigned grid = (unsigned)rows->count * blocks;
        e = LaunchClusterEarly(kernel, grid, entry->threads, blocks, entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
