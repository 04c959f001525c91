// product_rows_fold.cu: product_rows_fold.h. A number is cut into pieces of `bits` bits, which
// count positively, or modulo 2^bits + 1 every other one negatively, as its complement. Columns of
// pieces are added, and what leaves the top goes in at the bottom again, so that no number is
// written before its last carry is known. Proof: docs/proofs/division.md, section 9. Includes the
// rooms' device headers.
#include "bigint/device/kernels/product_rows_fold.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "bigint/device/kernels/product_rows_fold.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kManyWarps = 8, kShortThreads = 128;      // of a block
constexpr unsigned kRounds = 4;                              // of 32 limbs, by a warp
constexpr unsigned kOfThread = 16;                           // columns that a thread adds alone
constexpr unsigned kOfWarp = kWarp * kRounds;                // and a warp
constexpr unsigned kStretch = kManyWarps * kWarp * kRounds;  // and a block
constexpr unsigned kFoldBlocks = 3;  // of a multiprocessor: with four, registers do not suffice
constexpr unsigned kUnsteady = 2;    // limbs that depend on the constant at the bottom

// --- By a thread ---------------------------------------------------------------------------------

struct ShortFold : Fold<false> {
    using Fold::Fold;

    // A residue of less than a limb.
    DEVICE uint64_t Word() const {
        const uint64_t power = UINT64_C(1) << job.folding.bits;
        const uint64_t modulus = Plus() ? power + 1 : power - 1;
        uint64_t word = 0;
        for (unsigned k = 0; k < job.pieces; k++) {
            const uint64_t piece = Limb(k, 0);
            if (Plus() && k % 2 != 0) {
                word += word < piece ? modulus - piece : 0 - piece;
            } else {
                word += piece;
                word -= word >= modulus ? modulus : 0;
            }
        }
        return this->negative && word != 0 ? modulus - word : word;
    }

    // Walk: what leaves the top; r: NULL or where limbs below the highest column go. *top: the
    // highest column's.
    DEVICE uint64_t Walk(uint64_t more, uint64_t *r, uint64_t *top) const {
        uint64_t below = 0;
        for (uint64_t j = 0; j + 1 < job.columns; j++) {
            const Sum sum = Column(j, more);
            const uint64_t limb = sum.low + below;
            below = sum.high + (limb < below ? 1 : 0);
            if (r != nullptr) {
                r[j] = limb;
            }
        }
        const Sum sum = Column(job.columns - 1, more);
        *top = sum.low + below;
        return Above(sum, below);
    }
};

__global__ void __launch_bounds__(kShortThreads)
    ShortFoldKernel(const __grid_constant__ FoldJob job) {
    WaitForKernelBefore();
    const uint64_t i = (uint64_t)blockIdx.x * kShortThreads + threadIdx.x;
    if (i >= job.rows.count) {
        return;
    }
    const product_item item = ProductItem(job.rows, i);
    const ShortFold fold(job, i);
    fold.ClearSign(i == 0);
    if (job.folding.bits < 64) {
        item.r[0] = fold.Word();
    } else {
        uint64_t bit, top;
        const uint64_t more =
            fold.Choose([&](uint64_t m) { return fold.Walk(m, nullptr, &top); }, &bit);
        fold.Walk(more, item.r, &top);
        fold.WriteTop(item, top, bit);
    }
    for (uint64_t j = fold.Limbs(); j < item.rn; j++) {
        item.r[j] = 0;
    }
}

// --- By a block ----------------------------------------------------------------------------------

// BlockFold: a number, or a stretch of it, 32 limbs of a warp at a time, one in each lane. There
// are three columns or more. Members are called by all threads.
template <unsigned kWarps, bool kWhole>
struct BlockFold : Fold<kWhole> {
    using Base = Fold<kWhole>;
    using Sum = typename Base::Sum;
    using Pair = typename Base::Pair;
    using Ripple = CarryRipple<kWarps>;
    using Base::job, Base::Column;
    static constexpr unsigned kThreads = kWarps * kWarp, kOwn = kThreads * kRounds;
    struct Shared {
        typename Ripple::Shared ripple;
        carry_state all;
    };

    Shared &shared;
    const uint32_t *states;  // the number's
    Ripple ripple;
    // Of stretch `loaded`: the columns of each round, and that below lane 0's first.
    unsigned loaded;
    Pair pair[kRounds], lower;
    uint64_t limb[kRounds];
    uint32_t generate[kRounds], propagate[kRounds];

    DEVICE BlockFold(const FoldJob &all, unsigned number, Shared &s)
        : Base(all, number),
          shared(s),
          states(all.states + (uint64_t)number * all.stretches),
          ripple(),
          loaded(all.stretches) {}

    DEVICE static uint64_t At(unsigned stretch, unsigned round) {
        return (uint64_t)stretch * kOwn + threadIdx.x / kWarp * (kWarp * kRounds) + round * kWarp +
               Lane();
    }

    // StateAt: what limb j does to a carry, to which the column below left `below`: limbs from
    // number `from` on and below the highest column; other limbs pass a carry on.
    DEVICE carry_state StateAt(uint64_t j, uint64_t own, uint64_t below, uint64_t from) const {
        return j < from || j + 1 >= job.columns ? CARRY_PROPAGATE
               : own < below                    ? CARRY_GENERATE
               : own == ~UINT64_C(0)            ? CARRY_PROPAGATE
                                                : CARRY_KILL;
    }

    // Highest: what a stretch's highest limbs do to a carry, as many as a warp has lanes. Most
    // often that is what the stretch does. Every warp finds the same.
    DEVICE carry_state Highest(unsigned stretch, uint64_t from) const {
        const uint64_t end = min((uint64_t)(stretch + 1) * kOwn, job.columns - 1);
        const uint64_t j = end - kWarp + Lane();  // there are more columns than a warp has lanes
        const Sum sum = Column(j, 0);
        const uint64_t up = ShuffleUp((uint32_t)sum.high, 1);
        const uint64_t below = Lane() == 0 && j > 0 ? Column(j - 1, 0).high : up;
        uint32_t own_generate, own_propagate;
        Ripple::Ballot(StateAt(j, sum.low + below, below, max(from, (uint64_t)stretch * kOwn)),
                       &own_generate, &own_propagate);
        return StateOf(own_generate, own_propagate);
    }

    // Add: the thread's limbs of a stretch as if no carry entered, and what those from number
    // `from` on do to a carry.
    DEVICE carry_state Add(unsigned stretch, uint64_t more, uint64_t from) {
        uint32_t last = 0;  // what the column below lane 0's leaves
        if (Lane() == 0 && At(stretch, 0) > 0 && At(stretch, 0) < job.columns) {
            last = (uint32_t)Column(At(stretch, 0) - 1, lower, 0).high;
        }
        carry_state all = CARRY_PROPAGATE;
#pragma unroll
        for (unsigned r = 0; r < kRounds; r++) {
            const uint64_t j = At(stretch, r);
            const Sum sum = j < job.columns ? Column(j, pair[r], more) : Sum{0, 0};
            const uint32_t leaves = (uint32_t)sum.high, up = ShuffleUp(leaves, 1);
            const uint64_t below = Lane() == 0 ? last : up;
            limb[r] = sum.low + below;
            Ripple::Ballot(StateAt(j, limb[r], below, from), &generate[r], &propagate[r]);
            all = carry_compose(all, StateOf(generate[r], propagate[r]));
            last = Broadcast(leaves, kWarp - 1);
        }
        return all;
    }

    // Fetch loads a stretch, all of it at once.
    DEVICE void Fetch(unsigned stretch) {
        const uint64_t first = At(stretch, 0);
        loaded = stretch;
#pragma unroll
        for (unsigned r = 0; r < kRounds; r++) {
            pair[r] = this->Load(At(stretch, r));
        }
        lower = Lane() == 0 && first > 0 ? this->Load(first - 1) : Pair{0, 0};
    }

    // Stretch: what a stretch does to a carry, from limb `from` on. Two barriers.
    DEVICE carry_state Stretch(unsigned stretch, uint64_t more, uint64_t from) {
        if (stretch != loaded) {
            Fetch(stretch);
        }
        const carry_state all = ripple.TileOfWarps(Add(stretch, more, from), shared.ripple);
        if (threadIdx.x == 0) {
            shared.all = all;
        }
        __syncthreads();
        return shared.all;
    }

    // Steady: what the limbs below a stretch do to a carry, but those that depend on the constant:
    // the lowest two. For number job.stretches, those below the highest column.
    DEVICE carry_state Steady(unsigned stretch) {
        if (job.stretches == 1) {
            return stretch == 0 ? CARRY_PROPAGATE : Stretch(0, 0, kUnsteady);
        }
        carry_state below = CARRY_PROPAGATE;
        while (stretch > 0 && below == CARRY_PROPAGATE) {
            below = (carry_state)states[--stretch];
        }
        return below;
    }

    // Into: the carry into a stretch, of which Steady is `steady`, with a constant.
    DEVICE unsigned Into(carry_state steady, unsigned stretch, uint64_t more) {
        if (steady == CARRY_PROPAGATE && stretch > 0) {
            steady = Stretch(0, more, 0);
        }
        return steady == CARRY_GENERATE ? 1 : 0;
    }

    DEVICE void Write(const product_item &item, unsigned mine) {
        Fetch(mine);
        const Sum top = Column(job.columns - 1, 0);
        const uint64_t below = Column(job.columns - 2, 0).high;
        const carry_state steady = Steady(job.stretches);
        uint64_t bit;
        const uint64_t more = this->Choose(
            [&](uint64_t m) { return this->Above(top, below + Into(steady, job.stretches, m)); },
            &bit);
        const unsigned into = Into(Steady(mine), mine, more);
        Stretch(mine, more, 0);
        unsigned carry = ripple.IntoWarp(into, shared.ripple);
#pragma unroll
        for (unsigned r = 0; r < kRounds; r++) {
            const uint64_t j = At(mine, r), carries = CarriesInto(generate[r], propagate[r], carry);
            const uint64_t with = limb[r] + (carries >> Lane() & 1);
            carry = (unsigned)(carries >> kWarp) & 1;
            if (j + 1 < job.columns) {
                item.r[j] = with;
            } else if (j + 1 == job.columns) {
                this->WriteTop(item, with, bit);
            }
        }
        for (uint64_t j = this->Limbs() + threadIdx.x; mine + 1 == job.stretches && j < item.rn;
             j += kThreads) {
            item.r[j] = 0;
        }
    }
};

template <unsigned kWarps, bool kWhole>
__global__ void __launch_bounds__(kWarps *kWarp)
    FoldStatesKernel(const __grid_constant__ FoldJob job) {
    using Block = BlockFold<kWarps, kWhole>;
    SHARED(typename Block::Shared, shared);
    WaitForKernelBefore();
    Block fold(job, blockIdx.x / job.stretches, shared);
    const unsigned mine = blockIdx.x % job.stretches;
    const uint64_t from = mine == 0 ? kUnsteady : 0;
    const carry_state highest = fold.Highest(mine, from);
    const carry_state all = highest != CARRY_PROPAGATE ? highest : fold.Stretch(mine, 0, from);
    if (threadIdx.x == 0) {
        job.states[blockIdx.x] = (uint32_t)all;
    }
}

template <unsigned kWarps, bool kWhole>
__global__ void __launch_bounds__(kWarps *kWarp, kWarps == kManyWarps ? kFoldBlocks : 1)
    FoldKernel(const __grid_constant__ FoldJob job) {
    using Block = BlockFold<kWarps, kWhole>;
    SHARED(typename Block::Shared, shared);
    WaitForKernelBefore();
    const unsigned number = blockIdx.x / job.stretches, mine = blockIdx.x % job.stretches;
    Block fold(job, number, shared);
    fold.ClearSign(blockIdx.x == 0 && threadIdx.x == 0);
    fold.Write(ProductItem(job.rows, number), mine);
}

// Launches: numbers of more columns than a thread adds.
template <unsigned kWarps, bool kWhole>
cudaError_t Launches(const FoldJob &job, cuda_stream stream) {
    const unsigned blocks = (unsigned)job.rows.count * job.stretches, threads = kWarps * kWarp;
    cudaError_t e = cudaSuccess;
    if (job.stretches > 1) {
        e = LaunchEarly(FoldStatesKernel<kWarps, kWhole>, blocks, threads, 0, stream, job);
    }
    return e == cudaSuccess
               ? LaunchEarly(FoldKernel<kWarps, kWhole>, blocks, threads, 0, stream, job)
               : e;
}

template <unsigned kWarps>
cudaError_t Launches(const FoldJob &job, cuda_stream stream) {
    return job.top_bits == 64 ? Launches<kWarps, true>(job, stream)
                              : Launches<kWarps, false>(job, stream);
}

uint64_t StretchesOf(uint64_t bits) {
    return word_ceil_div(word_ceil_div(bits, 64), (uint64_t)kStretch);
}

// Enqueue: product_rows_fold, of a number with signs if there are any.
result Enqueue(const product_rows *rows, const product_rows_folding *folding, const uint64_t *sign,
               uint64_t *r_sign, void *workspace, cuda_stream stream) {
    const uint64_t bits = folding->bits, columns = word_ceil_div(bits, 64);
    const uint64_t stretches = StretchesOf(bits), limbs = folding->row;
    if (rows->count == 0) {
        return RESULT_OK;
    }
    if (bits == 0 || limbs == 0 || limbs > 2 * (bits / 64 + 1) ||
        stretches > kMaxGridX / rows->count) {
        return RESULT_REFUSED;
    }
    const uint64_t pieces = word_ceil_div(64 * limbs, bits);  // 128 or fewer
    const FoldJob job = {*rows,
                         *folding,
                         sign,
                         r_sign,
                         columns,
                         (uint32_t *)workspace,
                         (unsigned)(pieces < 2 ? 2 : pieces + (folding->plus ? pieces % 2 : 0)),
                         (unsigned)(bits - 64 * (columns - 1)),
                         (unsigned)stretches};
    cudaError_t e;
    if (columns <= kOfThread) {
        const unsigned blocks = (unsigned)word_ceil_div(rows->count, (uint64_t)kShortThreads);
        e = LaunchEarly(ShortFoldKernel, blocks, kShortThreads, 0, stream, job);
    } else {
        e = columns <= kOfWarp ? Launches<1>(job, stream) : Launches<kManyWarps>(job, stream);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

}  // namespace

uint64_t product_rows_fold_bytes(uint64_t count, uint64_t bits) {
    return count * StretchesOf(bits) * sizeof(uint32_t);
}

result product_rows_fold(const product_rows *rows, const product_rows_folding *folding,
                         void *workspace, cuda_stream stream) {
    return Enqueue(rows, folding, nullptr, nullptr, workspace, stream);
}

result product_rows_fold_one(uint64_t *r, uint64_t rn, uint64_t *r_sign, const uint64_t *sign,
                             const product_rows_folding *folding, void *workspace,
                             cuda_stream stream) {
    const product_rows one = product_rows_of({r, nullptr, nullptr, rn, 0, 0});
    return Enqueue(&one, folding, sign, r_sign, workspace, stream);
}
