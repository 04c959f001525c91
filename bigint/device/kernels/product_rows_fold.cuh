// product_rows_fold.cuh: a number that product_rows_fold.cu folds: pieces of it, the sums of their
// columns, and the constant at the bottom. Includes the rooms' device headers.
#ifndef BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_CUH_
#define BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_CUH_

#include "bigint/device/kernels/product_rows.cuh"
#include "bigint/device/kernels/product_rows_fold.h"

namespace {

// FoldJob: columns: limbs of a piece, of whose highest one top_bits bits, 1 .. 64, belong to it.
// pieces: two or more, modulo 2^bits + 1 an even number, of which the last may be 0.
struct FoldJob {
    product_rows rows;
    product_rows_folding folding;
    const uint64_t *sign;  // of one number, and of its residue; NULL: there are none
    uint64_t *r_sign;
    uint64_t columns;
    uint32_t *states;  // carry_state of the stretches of the first number, then of the second
    unsigned pieces, top_bits, stretches;
};

// Fold: one number. kWhole: pieces begin with limbs. Its residue is the sum of its columns with a
// constant at the bottom, `more`, modulo 2^bits: as many as leave the top are added, or taken from
// Bottom().
template <bool kWhole>
struct Fold {
    const FoldJob &job;
    const uint64_t *from;
    bool negative;

    DEVICE Fold(const FoldJob &all, uint64_t number)
        : job(all),
          from(all.folding.from + number * all.folding.row),
          negative(all.sign != nullptr && *all.sign != 0) {}

    DEVICE bool Plus() const { return job.folding.plus; }
    DEVICE uint64_t Bottom() const { return Plus() ? job.pieces : 0; }
    DEVICE uint64_t TopMask() const { return ~UINT64_C(0) >> (64 - job.top_bits); }

    // Limb j of piece k.
    DEVICE uint64_t Limb(unsigned k, uint64_t j) const {
        if constexpr (kWhole) {
            const uint64_t w = k * job.columns + j;
            return w < job.folding.row ? from[w] : 0;
        }
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
    DEVICE static void AddTo(Sum &sum, uint64_t limb) {
        sum.low += limb;
        sum.high += sum.low < limb ? 1 : 0;
    }
    // Pair: the limbs of the first two pieces, most often all, in column j; 0 above the columns.
    struct Pair {
        uint64_t first, second;
    };
    DEVICE Pair Load(uint64_t j) const {
        return j < job.columns ? Pair{Limb(0, j), Limb(1, j)} : Pair{0, 0};
    }
    // Column: the sum of column j, of which `pair` is loaded. Of a negative number the other pieces
    // are complements.
    DEVICE Sum Column(uint64_t j, Pair pair, uint64_t more) const {
        const uint64_t ones = j + 1 == job.columns ? TopMask() : ~UINT64_C(0);
        const uint64_t even = negative ? ones : 0, odd = Plus() != negative ? ones : 0;
        Sum sum = {pair.first ^ even, 0};
        AddTo(sum, pair.second ^ odd);
        for (unsigned k = 2; k < job.pieces; k++) {
            AddTo(sum, Limb(k, j) ^ (k % 2 != 0 ? odd : even));
        }
        AddTo(sum, j == 0 ? more : 0);
        return sum;
    }
    DEVICE Sum Column(uint64_t j, uint64_t more) const { return Column(j, Load(j), more); }

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
    DEVICE void ClearSign(bool mine) const {
        if (mine && job.r_sign != nullptr) {
            *job.r_sign = 0;
        }
    }
    // Limbs of a residue, above which zeros are.
    DEVICE uint64_t Limbs() const { return job.columns + (Plus() && job.top_bits == 64 ? 1 : 0); }
};

}  // namespace

#endif  // BIGINT_DEVICE_KERNELS_PRODUCT_ROWS_FOLD_CUH_
