// product_rows_fold.cu: product_rows_fold.h. A number is cut into pieces of `bits` bits, which
// count positively, or modulo 2^bits + 1 every other one negatively, as its complement. Columns of
// pieces are added, and what leaves the top goes in at the bottom again, so that no number is
// written before its last carry is known. Proof: docs/proofs/division.md, section 9. Includes the
// rooms' device headers.
#include "bigint/device/kernels/product_rows_fold.h"

#include "bigint/device/kernels/product_rows.cuh"
#include "carry/ripple.cuh"
#include "primitives/cuda/launch.cuh"
#include "primitives/words/word.h"

namespace {

constexpr unsigned kLimbs = 4;                              // of a thread
constexpr unsigned kManyWarps = 8, kShortThreads = 128;     // of a block
constexpr unsigned kOfThread = 16;                          // columns that a thread adds alone
constexpr unsigned kOfWarp = kWarp * kLimbs;                // and a warp
constexpr unsigned kStretch = kManyWarps * kWarp * kLimbs;  // and a block

// FoldJob: columns: limbs of a piece, of whose highest one top_bits bits, 1 .. 64, belong to it.
// pieces: modulo 2^bits + 1 an even number, of which the last may be 0.
struct FoldJob {
    product_rows rows;
    product_rows_folding folding;
    uint64_t columns;
    uint32_t *states;  // carry_state of the stretches of the first number, then of the second
    unsigned pieces, top_bits, stretches;
};

// Fold: one number. Its residue is the sum of its columns with a constant at the bottom, `more`,
// modulo 2^bits: as many as leave the top are added, or taken from Bottom().
struct Fold {
    const FoldJob &job;
    const uint64_t *from;

    DEVICE Fold(const FoldJob &all, uint64_t number)
        : job(all), from(all.folding.from + number * all.folding.row) {}

    DEVICE bool Plus() const { return job.folding.plus; }
    DEVICE uint64_t Bottom() const { return Plus() ? job.pieces : 0; }
    DEVICE uint64_t TopMask() const { return ~UINT64_C(0) >> (64 - job.top_bits); }

    // Limb j of piece k.
    DEVICE uint64_t Limb(unsigned k, uint64_t j) const {
        const uint64_t at = k * job.folding.bits + 64 * j, w = at / 64, row = job.folding.row;
        const unsigned shift = at % 64;
        uint64_t limb = w < row ? from[w] >> shift : 0;
        if (shift != 0 && w + 1 < row) {
            limb |= from[w + 1] << (64 - shift);
        }
        return j + 1 == job.columns ? limb & TopMask() : limb;
    }

    struct Sum {
        uint64_t low, high;
    };
    DEVICE Sum Column(uint64_t j, uint64_t more) const {
        const uint64_t ones = j + 1 == job.columns ? TopMask() : ~UINT64_C(0);
        Sum sum = {j == 0 ? more : 0, 0};
        for (unsigned k = 0; k < job.pieces; k++) {
            const uint64_t limb = Limb(k, j) ^ (Plus() && k % 2 != 0 ? ones : 0);
            sum.low += limb;
            sum.high += sum.low < limb ? 1 : 0;
        }
        return sum;
    }

    // Above: what leaves the top, a small number, if the top column is `top` with all that it gets
    // from below.
    DEVICE uint64_t Above(Sum top, uint64_t from_below) const {
        top.low += from_below;
        top.high += top.low < from_below ? 1 : 0;
        return top.high << (64 - job.top_bits) | (job.top_bits < 64 ? top.low >> job.top_bits : 0);
    }

    // Choose: the constant. above(more) is what leaves the top with it. *bit: bit `bits` of the
    // residue.
    template <class Function>
    DEVICE uint64_t Choose(const Function &above, uint64_t *bit) const {
        const uint64_t bottom = Bottom(), leaves = above(bottom);
        *bit = 0;
        if (!Plus()) {  // 1 more, if that leaves too: then the residue is not 2^bits - 1 but 0
            return above(leaves + 1) == leaves + 1 ? leaves + 1 : leaves;
        }
        if (above(bottom - leaves) == leaves) {
            return bottom - leaves;
        }
        *bit = above(bottom - leaves + 1) - (leaves - 1);  // the modulus once more
        return bottom - leaves + 1;
    }

    // WriteTop: limbs from the highest column on, `limb`, with the bit above it, and zeros.
    DEVICE void WriteTop(const product_item &item, uint64_t limb, uint64_t bit) const {
        const uint64_t top = job.columns - 1;
        item.r[top] = (limb & TopMask()) | (job.top_bits < 64 ? bit << job.top_bits : 0);
        if (Plus() && job.top_bits == 64) {
            item.r[top + 1] = bit;
        }
    }
    // Limbs of a residue, above which zeros are.
    DEVICE uint64_t Limbs() const { return job.columns + (Plus() && job.top_bits == 64 ? 1 : 0); }
};

// --- By a thread ---------------------------------------------------------------------------------

struct ShortFold : Fold {
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
        return word;
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

// BlockFold: a number, or a stretch of it. There are three columns or more. Members are called by
// all threads.
template <unsigned kWarps>
struct BlockFold : Fold {
    using Ripple = CarryRipple<kWarps>;
    static constexpr unsigned kThreads = kWarps * kWarp, kOwn = kThreads * kLimbs;
    struct Shared {
        typename Ripple::Shared ripple;
        carry_state all;
    };

    Shared &shared;
    const uint32_t *states;  // the number's; not that of stretch 0, which depends on the constant
    Ripple ripple;
    uint64_t limb[kLimbs];

    DEVICE BlockFold(const FoldJob &all, unsigned number, Shared &s)
        : Fold(all, number),
          shared(s),
          states(all.states + (uint64_t)number * all.stretches),
          ripple() {}

    DEVICE static uint64_t First(unsigned stretch) {
        return (uint64_t)stretch * kOwn + threadIdx.x * kLimbs;
    }

    // Add: the thread's limbs of a stretch as if no carry entered. Returns what the limbs below the
    // highest column do to a carry; no limbs pass it on.
    DEVICE carry_state Add(unsigned stretch, uint64_t more) {
        const uint64_t first = First(stretch);
        uint64_t below = first == 0 || first > job.columns ? 0 : Column(first - 1, 0).high;
        unsigned carry = 0;
        bool ones = true;
        for (unsigned k = 0; k < kLimbs; k++) {
            const uint64_t j = first + k;
            if (j >= job.columns) {
                break;
            }
            const Sum column = Column(j, more);
            const uint64_t sum = column.low + below;
            limb[k] = sum + carry;
            if (j + 1 < job.columns) {
                carry = (sum < below || limb[k] < carry) ? 1 : 0;
                ones = ones && limb[k] == ~UINT64_C(0);
            }
            below = column.high;
        }
        return carry != 0 ? CARRY_GENERATE : ones ? CARRY_PROPAGATE : CARRY_KILL;
    }

    // Stretch: what a stretch does to a carry. Two barriers.
    DEVICE carry_state Stretch(unsigned stretch, uint64_t more) {
        const carry_state all = ripple.Tile(Add(stretch, more), shared.ripple);
        if (threadIdx.x == 0) {
            shared.all = all;
        }
        __syncthreads();
        return shared.all;
    }

    // Into: the carry into a stretch, or, into number job.stretches, into the highest column.
    DEVICE unsigned Into(unsigned stretch, uint64_t more) {
        carry_state below = CARRY_PROPAGATE;
        while (stretch > 1 && below == CARRY_PROPAGATE) {
            below = (carry_state)states[--stretch];
        }
        if (stretch == 1 && below == CARRY_PROPAGATE) {
            below = Stretch(0, more);
        }
        return below == CARRY_GENERATE ? 1 : 0;
    }

    DEVICE void Write(const product_item &item, unsigned mine) {
        const Sum top = Column(job.columns - 1, 0);
        const uint64_t below = Column(job.columns - 2, 0).high;
        uint64_t bit;
        const uint64_t more =
            Choose([&](uint64_t m) { return Above(top, below + Into(job.stretches, m)); }, &bit);
        const unsigned into = Into(mine, more);
        Stretch(mine, more);
        unsigned carry = ripple.Into(into, shared.ripple);
        for (unsigned k = 0; k < kLimbs; k++) {
            const uint64_t j = First(mine) + k, with = limb[k] + carry;
            carry = with < carry ? 1 : 0;
            if (j + 1 < job.columns) {
                item.r[j] = with;
            } else if (j + 1 == job.columns) {
                WriteTop(item, with, bit);
            }
        }
        for (uint64_t j = Limbs() + threadIdx.x; mine + 1 == job.stretches && j < item.rn;
             j += kThreads) {
            item.r[j] = 0;
        }
    }
};

// Of all stretches but the lowest.
template <unsigned kWarps>
__global__ void __launch_bounds__(kWarps *kWarp)
    FoldStatesKernel(const __grid_constant__ FoldJob job) {
    SHARED(typename BlockFold<kWarps>::Shared, shared);
    WaitForKernelBefore();
    const unsigned above = job.stretches - 1, number = blockIdx.x / above;
    const unsigned mine = 1 + blockIdx.x % above;
    BlockFold<kWarps> fold(job, number, shared);
    const carry_state all = fold.Stretch(mine, 0);
    if (threadIdx.x == 0) {
        job.states[(uint64_t)number * job.stretches + mine] = (uint32_t)all;
    }
}

template <unsigned kWarps>
__global__ void __launch_bounds__(kWarps *kWarp) FoldKernel(const __grid_constant__ FoldJob job) {
    SHARED(typename BlockFold<kWarps>::Shared, shared);
    WaitForKernelBefore();
    const unsigned number = blockIdx.x / job.stretches, mine = blockIdx.x % job.stretches;
    BlockFold<kWarps> fold(job, number, shared);
    fold.Write(ProductItem(job.rows, number), mine);
}

// Launches: numbers of more columns than a thread adds.
template <unsigned kWarps>
cudaError_t Launches(const FoldJob &job, cuda_stream stream) {
    const unsigned count = (unsigned)job.rows.count, threads = kWarps * kWarp;
    cudaError_t e = cudaSuccess;
    if (job.stretches > 1) {
        e = LaunchEarly(FoldStatesKernel<kWarps>, count * (job.stretches - 1), threads, 0, stream,
                        job);
    }
    return e == cudaSuccess
               ? LaunchEarly(FoldKernel<kWarps>, count * job.stretches, threads, 0, stream, job)
               : e;
}

uint64_t StretchesOf(uint64_t bits) {
    return word_ceil_div(word_ceil_div(bits, 64), (uint64_t)kStretch);
}

}  // namespace

uint64_t product_rows_fold_bytes(uint64_t count, uint64_t bits) {
    return count * StretchesOf(bits) * sizeof(uint32_t);
}

result product_rows_fold(const product_rows *rows, const product_rows_folding *folding,
                         void *workspace, cuda_stream stream) {
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
                         columns,
                         (uint32_t *)workspace,
                         (unsigned)(pieces + (folding->plus ? pieces % 2 : 0)),
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
