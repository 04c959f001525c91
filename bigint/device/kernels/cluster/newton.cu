// newton.cu: newton.h. Both products of a step are made modulo B^N - 1, N the
// cluster's points (limbs.cuh), and X is transformed once: its spectrum stays in registers.
// Includes the rooms' device headers. Proof: docs/proofs/division.md, section 6.
//
// A product leaves its residue W, 0 <= W < B^N, in device memory. What is wanted is V = W + K (1 -
// B^N), of which the lowest limbs are known, and so K. Only V's upper half matters, where K's limbs
// are V's limbs from N on, negated, and the lower K is left out. Blocks synchronise twice for each
// product: when all residues are complete, and when all limbs are. A carry that leaves a segment of
// limbs, which is rare, is added after that, and takes a third time.
#include "bigint/device/kernels/cluster/newton.h"

#include "bigint/device/kernels/cluster/limbs.cuh"
#include "primitives/limbs/warp_limbs.cuh"

namespace {

constexpr unsigned kOver = CLUSTER_NEWTON_OVER;

struct NewtonJob {
    ClusterShare share;
    uint64_t *to, *room;
    const uint64_t *x, *e;
    unsigned k, h, n;
};

// Ends: what tells the limbs of V from N on. low: of the factors; product: of their product; above:
// those limbs.
struct Ends {
    uint64_t low[2][kOver], product[kOver], above[kOver];
};

// Operand: n words, limbs from `from` on of a number of `limbs` limbs, flipped where the mask is
// set; zeros below limb 0, where `from` is negative, and beyond the number. Limbs from `points` on
// are in the block's memory, kOver at most. Memory is read before the mask is known.
struct Operand {
    const uint64_t *p, *above;
    unsigned from, points, limbs, n;
    uint64_t mask;

    DEVICE uint64_t Read(unsigned i) const { return i < n && i + from < points ? p[i + from] : 0; }
    DEVICE uint64_t Finish(unsigned i, uint64_t read) const {
        const unsigned j = i + from;
        const uint64_t high = above[(j - points) % kOver], v = j >= points ? high : read;
        return i < n && j < limbs ? v ^ mask : 0;
    }
};

// Newton: a block's view of a step.
template <unsigned kNodes, unsigned kLg>
struct Newton {
    using Piece = ModularPiece<kNodes, kLg>;
    using Tile = typename Piece::Tile;
    using Range = ClusterRange<kLg, Piece::kThreads, true>;

    const NewtonJob &job;
    const Piece &transform;
    unsigned rank;
    ClusterCarries &carries;
    Ends &ends;

    DEVICE unsigned Points() const { return job.share.pieces << kLg; }
    // Limbs of a number that stand above the ring.
    DEVICE unsigned Over(unsigned limbs) const { return limbs > Points() ? limbs - Points() : 0; }

    // Above: ends.above = V's limbs from N on: W's lowest `count` limbs less V's. By the block.
    DEVICE void Above(unsigned count) const {
        if (threadIdx.x < kWarp) {
            const unsigned lane = Lane();
            const uint64_t low = lane < count ? job.room[lane] : 0;
            const uint64_t above = WarpSum<true>(low, lane < count ? ends.product[lane] : 0);
            if (lane < count) {
                ends.above[lane] = above;
            }
        }
        __syncthreads();
    }

    // Store: room = W, from residues that the cluster's blocks have; 1 is taken off coefficient
    // `less`. over: limbs of V from N on. tables: of the next transform, wanted at once.
    DEVICE void Store(unsigned less, unsigned over, bool tables) const {
        const ClusterShare &share = job.share;
        CarryData data = {};
        data.r = job.room;
        data.is_signed = data.vectors = true;
        data.w = 64;
        data.n = data.out = data.all = Points();
        ClusterArriveShared();
        if (threadIdx.x < kWarp) {
            const uint64_t product = WarpLowProduct(ends.low[0], ends.low[1], over);
            if (Lane() < over) {
                ends.product[Lane()] = product;
            }
        }
        ClusterWait();
        const Range range = {share, rank, transform.Room()};
        range.Gather(transform.Residues());
        __syncthreads();
        ClusterLimbs<Range> own(range, carries, data);
        const unsigned place = own.Place();
        own.Make([&](unsigned k, uint64_t(&c)[kClusterWords]) {
            const uint64_t ones = (place + k) % Points() == less ? ~UINT64_C(0) : 0;
            const uint64_t minus[kClusterWords] = {ones, ones, ones};
            AddWords<kClusterWords>(c, minus, 0);
        });
        if (tables) {
            transform.FetchTables();
        }
        const unsigned before = own.Has() ? own.Into(0) : 0;
        own.limbs.AddCarry(before);
        own.Store();
        ClusterArrive();
        ClusterWait();
        if (carries.Any(share)) {
            const ClusterSegments all = carries.Segments(share);
            if (own.Has()) {
                const unsigned now = own.Into(all.Into(rank, own.b, all.Out(0)));
                own.limbs.AddCarry(now - before);
            }
            own.Store();
            ClusterArrive();
            ClusterWait();
        }
    }

    // The number {p, n}, and the upper n limbs of V, `limbs` limbs.
    DEVICE Operand Whole(const uint64_t *p, unsigned n) const {
        return {p, ends.above, 0, n, n, n, 0};
    }
    DEVICE Operand UpperOf(unsigned limbs, unsigned n) const {
        return {job.room, ends.above, limbs - n, Points(), limbs, n, 0};
    }

    // Block: an operand's words in one block of a piece's points. Block -1 begins at 2^32 less
    // these, where there are none.
    struct Block {
        uint64_t word[Piece::kItems];

        DEVICE static unsigned Index(unsigned block, unsigned r) {
            return (block << kLg) + Piece::Point(r) + threadIdx.x;
        }
        DEVICE void Read(const Operand &a, unsigned block) {
#pragma unroll
            for (unsigned r = 0; r < Piece::kItems; r++) {
                word[r] = a.Read(Index(block, r));
            }
        }
    };

    // Fold: the operand modulo x^n - w, as ModularPiece::Fold, of the words that Top reads.
    struct Top {
        Block now, next;
    };
    DEVICE static unsigned TopOf(const Operand &a) { return (a.n - 1) >> kLg; }
    DEVICE static void ReadTop(const Operand &a, Top &top) {
        top.now.Read(a, TopOf(a));
        top.next.Read(a, TopOf(a) - 1);
    }
    DEVICE void Fold(const Operand &a, Top &top, Tile &t) const {
        const fft_modular_prime &prime = transform.prime;
        const double omega = prime.omega[transform.piece],
                     quotient = prime.omega_quotient[transform.piece];
#pragma unroll
        for (unsigned r = 0; r < Piece::kItems; r++) {
            t.v[r] = 0;
        }
#pragma unroll 1
        for (unsigned b = TopOf(a) + 1; b-- > 0;) {
#pragma unroll
            for (unsigned r = 0; r < Piece::kItems; r++) {
                const uint64_t word = a.Finish(Block::Index(b, r), top.now.word[r]);
                t.v[r] = ModularMulKnown(t.v[r], omega, quotient, prime.field) +
                         ModularResidue(word, prime.field);
            }
            top.now = top.next;
            top.next.Read(a, b - 2);
        }
    }

    // Refine: {to, k + 1} = X B^l + f, or - f - 1 if the mask is set, f = {upper, l + 1}, whose top
    // limb is 0 or small. By all threads of the cluster, of which there are 3 N / 8; k < N + kOver.
    DEVICE void Refine(const Operand &f, uint64_t mask) const {
        constexpr unsigned kEach = 3;
        const unsigned l = job.k - job.h, first = rank * Piece::kThreads + threadIdx.x;
        const unsigned step = job.share.blocks * Piece::kThreads;
        const uint64_t high = job.x[0], at_l = f.Read(l);
        uint64_t v[kEach];
#pragma unroll
        for (unsigned q = 0; q < kEach; q++) {
            const unsigned i = first + q * step;
            v[q] = i < l ? f.Read(i) : i <= job.k ? job.x[i - l] : 0;
        }
        Above(Over(f.limbs));
        const uint64_t top = f.Finish(l, at_l) ^ mask, sum = high + top;
        const int carry = top >> 63 == 0 ? (sum < high ? 1 : 0) : (sum > high ? -1 : 0);
        const unsigned stop = carry == 0 ? 0 : Stop(carry > 0 ? ~UINT64_C(0) : 0);
#pragma unroll
        for (unsigned q = 0; q < kEach; q++) {
            const unsigned i = first + q * step, c = i - l;
            if (i <= job.k) {
                job.to[i] = i < l                    ? f.Finish(i, v[q]) ^ mask
                            : c == 0                 ? sum
                            : carry == 0 || c > stop ? v[q]
                                                     : v[q] + (uint64_t)(int64_t)carry;
            }
        }
    }

    // The first of X's limbs from 1 on that is not `passes`; rare.
    DEVICE unsigned Stop(uint64_t passes) const {
        for (unsigned base = 1; base <= job.h; base += Piece::kThreads) {
            const unsigned c = base + threadIdx.x;
            const bool stops = c <= job.h && job.x[c] != passes;
            if (__syncthreads_or(stops ? 1 : 0) != 0) {
                const unsigned lanes = __ballot_sync(kAllLanes, stops);
                if (Lane() == 0) {
                    carries.warp[threadIdx.x / kWarp] =
                        lanes == 0 ? ~0u : c + (unsigned)__ffs((int)lanes) - 1;
                }
                __syncthreads();
                unsigned first = ~0u;
                for (unsigned warp = 0; warp < Piece::kThreads / kWarp; warp++) {
                    first = min(first, carries.warp[warp]);
                }
                return first;
            }
        }
        return job.h;
    }

    // The code is run through about once, and the multiprocessor waits for it: so the transforms of
    // X, E and t share it.
    DEVICE void Run() const {
        const unsigned n = job.n, h = job.h, l = job.k - h;
        WaitForKernelBefore();
        LetKernelAfterBegin();
        transform.FetchTables();
        Operand operand = Whole(job.x, h + 1);
        Top top;
        ReadTop(operand, top);
        if (threadIdx.x < kOver) {
            ends.low[0][threadIdx.x] = Whole(job.x, h + 1).Read(threadIdx.x);
            ends.low[1][threadIdx.x] = Whole(job.e, n).Read(threadIdx.x);
        }
        Tile a = transform.MakeTile(0), x = transform.MakeTile(1);
#pragma unroll 1
        for (unsigned product = 0;; product++) {
            Fold(operand, top, a);
            if (product == 0) {
                operand = Whole(job.e, n);
                ReadTop(operand, top);
            }
            Piece::FetchedTables();
            transform.Twist(a);
            a.Forward();
            if (product == 0) {
#pragma unroll
                for (unsigned r = 0; r < Piece::kItems; r++) {
                    x.v[r] = a.v[r];
                }
                continue;
            }
            transform.Multiply(a, x);
            const unsigned limbs = product == 1 ? n + 1 : 2 * h + 1;
            Store(product == 1 ? (n + h) % Points() : ~0u, Over(limbs), product == 1);
            if (product == 2) {
                break;
            }
            operand = UpperOf(limbs, h + 1);
            ReadTop(operand, top);
            Residual(operand);
        }
        Refine(UpperOf(2 * h + 1, l + 1), ~operand.mask);
    }

    // Residual: t, the upper limbs of |T|, V = -T; its complement where V is negative, which the
    // mask tells then.
    DEVICE void Residual(Operand &t) const {
        const uint64_t sign = t.limbs > Points() ? 0 : job.room[t.limbs - 1];
        const uint64_t own = threadIdx.x < kOver ? t.Read(threadIdx.x) : 0;
        Above(Over(t.limbs));
        const uint64_t highest = t.limbs > Points() ? ends.above[t.limbs - 1 - Points()] : sign;
        t.mask = highest >> 63 != 0 ? ~UINT64_C(0) : 0;
        if (threadIdx.x < kOver) {
            ends.low[1][threadIdx.x] = t.Finish(threadIdx.x, own);
        }
    }
};

template <unsigned kNodes, unsigned kLg>
__global__ void __launch_bounds__(ModularPiece<kNodes, kLg>::kThreads, 1)
    ClusterNewtonKernel(const __grid_constant__ NewtonJob job) {
    using Piece = ModularPiece<kNodes, kLg>;
    SHARED(ClusterCarries, carries);
    SHARED(Ends, ends);
    DYNAMIC_SHARED(double, shared);
    const unsigned rank = ClusterRank(), prime = rank / job.share.pieces,
                   piece = rank % job.share.pieces;
    const ModularPieceTables tables =
        ModularPieceTablesOf(job.share.tables, job.share.places, kLg, prime, piece);
    const Piece transform = {job.share.prime[prime], tables, piece, shared};
    const Newton<kNodes, kLg> newton = {job, transform, rank, carries, ends};
    newton.Run();
}

// --- Shapes --------------------------------------------------------------------------------------

struct NewtonEntry {
    unsigned threads;
    size_t bytes;
    void (*kernel)(NewtonJob);
};

template <unsigned kI>
constexpr NewtonEntry Entry() {
    constexpr ModularShape kShape = kModularPieces[kI];
    using Piece = ModularPiece<kShape.nodes, kShape.lg>;
    return {Piece::kThreads, Piece::kBytes, ClusterNewtonKernel<kShape.nodes, kShape.lg>};
}
// By logarithm, from the least on.
constexpr NewtonEntry kEntries[] = {Entry<0>(), Entry<1>(), Entry<2>()};
static_assert(kModularPieces[0].lg == FFT_MODULAR_LG_WHOLE_LEAST &&
                  kModularPieces[2].lg == FFT_MODULAR_LG_WHOLE_LEAST + 2,
              "an entry for every shape");

// Whether a ring of N points serves the step.
bool Serves(uint64_t points, uint64_t h, uint64_t n) {
    return n + 1 <= points + kOver && 2 * h + 1 <= points + kOver;
}

}  // namespace

bool cluster_newton_plan(fft_modular_plan *plan, uint64_t k, uint64_t h, uint64_t n,
                         unsigned blocks) {
    static const struct {
        unsigned pieces, lg;
    } shapes[] = {{1, 9}, {1, 10}, {2, 10}, {4, 10}, {4, 11}};
    for (const auto &shape : shapes) {
        const uint64_t points = (uint64_t)shape.pieces << shape.lg;
        fft_modular_plan high;
        if (Serves(points, h, n)) {
            if (n > k || kClusterPrimes * shape.pieces > blocks ||
                !fft_modular_plan_digits(plan, points / 2, points / 2, kClusterPrimes, 64)) {
                return false;
            }
            plan->pieces = shape.pieces;
            plan->lg_outer = plan->lg_columns = 0;
            plan->lg_rows = shape.lg;
            return fft_modular_plan_shape(plan, &high);
        }
    }
    return false;
}

result cluster_newton(const cluster_newton_step *step, const fft_modular_plan *plan,
                      const fft_modular_tables *tables, cuda_stream stream) {
    const uint64_t k = step->k, h = step->h, n = step->n;
    if (!fft_modular_whole(plan) || !fft_modular_same_shape(plan, &tables->plan) || n == 0 ||
        n > k || h >= k || k - h >= h || !Serves(fft_modular_points(plan), h, n)) {
        return RESULT_REFUSED;
    }
    const NewtonEntry *entry = kEntries + (plan->lg_rows - FFT_MODULAR_LG_WHOLE_LEAST);
    const NewtonJob job = {ClusterShareOf(plan, tables),
                           step->to,
                           step->room,
                           step->x,
                           step->e,
                           (unsigned)k,
                           (unsigned)h,
                           (unsigned)n};
    cudaError_t e = ClusterMakeReady(entry->kernel, entry->bytes, job.share.blocks);
    if (e == cudaSuccess) {
        e = LaunchClusterEarly(entry->kernel, job.share.blocks, entry->threads, job.share.blocks,
                               entry->bytes, stream, job);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
