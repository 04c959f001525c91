// batch_plan.c: which kernel computes a product of a batch on a device, by its lengths and by what
// the products share.
#include "bigint/device/batch/batch_plan.h"

#include "bigint/core/tune.h"
#include "bigint/device/kernels/block_product.h"
#include "bigint/device/kernels/common_matrix.h"
#include "bigint/device/kernels/common_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/short_product.h"
#include "bigint/device/kernels/tiled_product.h"
#include "fft/device/modular/batch.h"

bool device_batch_shape(const bigint_ctx *ctx, unsigned lg, fft_modular_plan *plan) {
    // Where there are many, half of the blocks do for 2^12 points.
    enum { LG_FEWER = 12, FEWER = 6 };
    const uint64_t half = UINT64_C(1) << lg >> 1;
    const unsigned blocks = ctx->queue.cluster;
    return fft_modular_plan_whole(plan, half, half,
                                  lg == LG_FEWER && blocks > FEWER ? FEWER : blocks);
}

// --- Passes --------------------------------------------------------------------------------------

// passes_shape: of class 4 o, 4 o + 1 and 4 o + 2 the pieces are two, five and three, and the
// points 4, 5 and 6 times 2^(10 + o). Two pieces are the fastest, seven slower than eight
// (costs.h). A piece has 2^LG_PIECE points or more, so that the shortest class has one.
enum { LG_PIECE = 12 };
static bool passes_shape(unsigned size, unsigned *pieces, unsigned *lg) {
    static const unsigned char of_kind[4] = {2, 5, 3, 0}, up[4] = {11, 10, 11, 0};
    const unsigned of = size == 0 ? 1 : of_kind[size % 4];
    *pieces = of;
    *lg = size == 0 ? LG_PIECE : up[size % 4] + size / 4;
    return size < BATCH_SIZES && of > 0 && *lg >= LG_PIECE;
}

// set_shape: pieces of 2^lg points. Columns of 2^8 rows and more are slower than longer rows.
static void set_shape(fft_modular_plan *plan, unsigned pieces, unsigned lg) {
    const unsigned lg_columns = lg < FFT_MODULAR_LG_SHORT + 8    ? FFT_MODULAR_LG_SHORT
                                : lg < FFT_MODULAR_LG_MIDDLE + 9 ? FFT_MODULAR_LG_MIDDLE
                                                                 : FFT_MODULAR_LG_LONG;
    plan->pieces = pieces;
    plan->lg_rows = lg - lg_columns;
    plan->lg_columns = lg_columns;
}

// set_ring: a ring of 2^lg points. Two pieces read and reduce every digit twice.
static bool set_ring(fft_modular_plan *plan, unsigned lg) {
    static const struct {
        unsigned char pieces, lg_rows, lg_columns;
    } of[] = {{1, 4, 8},  {1, 5, 8},  {2, 5, 8},  {1, 7, 8}, {1, 8, 8},
              {2, 6, 10}, {1, 8, 10}, {2, 8, 10}, {1, 8, 12}};
    if (lg < LG_PIECE || lg >= LG_PIECE + sizeof of / sizeof *of) {
        return false;
    }
    plan->pieces = of[lg - LG_PIECE].pieces;
    plan->lg_rows = of[lg - LG_PIECE].lg_rows;
    plan->lg_columns = of[lg - LG_PIECE].lg_columns;
    return true;
}

bool device_batch_passes(unsigned size, bool ring, fft_modular_plan *plan) {
    unsigned pieces, lg;
    if (!passes_shape(size, &pieces, &lg)) {
        return false;
    }
    const uint64_t half = ((uint64_t)pieces << lg) / 2;  // a coefficient has no more terms
    fft_modular_plan unused;
    if (!fft_modular_plan_digits(plan, half, half, FFT_PRIMES_USED, 64)) {
        return false;
    }
    set_shape(plan, pieces, lg);
    return (!ring || set_ring(plan, lg + pieces / 2)) && fft_modular_plan_shape(plan, &unused) &&
           fft_modular_items_most(plan) > 1;
}

// passes_fit: whether the planes of two products fit into the workspace of a launch.
static bool passes_fit(uint64_t points) {
    const uint64_t doubles = 2 * FFT_PRIMES_USED * points;
    return 2 * doubles * sizeof(double) <= DEVICE_BATCH_PASSES_BYTES;
}

// passes_way: shared launches of passes; alone if the products are few for that.
static device_batch_way passes_way(const bigint_ctx *ctx, uint64_t count, uint64_t limbs) {
    const device_batch_way alone = {BATCH_ALONE, 0};
    const uint64_t asked = ctx->queue.forced.batch_limbs;
    const uint64_t many = limbs > DEVICE_BATCH_PASSES_FEW_ABOVE ? 2 : DEVICE_BATCH_PASSES_MANY;
    if (ctx->queue.forced.primes > FFT_PRIMES_USED ||
        (asked != 0 ? limbs < asked : limbs <= DEVICE_BATCH_PASSES_ABOVE || count < many)) {
        return alone;
    }
    for (unsigned size = 0; size < BATCH_SIZES; size++) {
        unsigned pieces, lg;
        if (passes_shape(size, &pieces, &lg) && (uint64_t)pieces << lg >= limbs) {
            const bool fits = passes_fit((uint64_t)pieces << lg);
            return fits ? (device_batch_way){BATCH_PASSES, size} : alone;
        }
    }
    return alone;
}

// --- Ways ----------------------------------------------------------------------------------------

// cluster_way: one launch of clusters, the points a power of two.
static device_batch_way cluster_way(const bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    unsigned lg = FFT_MODULAR_LG_WHOLE_LEAST;
    while (lg < BATCH_SIZES && UINT64_C(1) << lg < an + bn) {
        lg++;
    }
    fft_modular_plan plan;
    return lg < BATCH_SIZES && device_batch_shape(ctx, lg, &plan)
               ? (device_batch_way){BATCH_CLUSTER, lg}
               : (device_batch_way){BATCH_ALONE, 0};
}

device_batch_sharing device_batch_shares(const product_rows *rows) {
    const bool common = rows->items == NULL && (rows->a_stride == 0 || rows->b_stride == 0);
    return product_rows_squares(rows)  ? BATCH_OF_SQUARES
           : common && rows->count > 1 ? BATCH_SHARES_FACTOR
                                       : BATCH_SHARES_NOTHING;
}

// by_threads: whether products, or squares, are short and numerous enough for a thread each.
static bool by_threads(bool squares, uint64_t count, uint64_t longer) {
    const uint64_t most = squares ? DEVICE_BATCH_SHORT_SQUARES_MOST : DEVICE_BATCH_SHORT_MOST;
    const uint64_t cubes = squares ? DEVICE_BATCH_SHORT_SQUARES_CUBES : DEVICE_BATCH_SHORT_CUBES;
    return longer <= most &&
           (longer <= DEVICE_BATCH_SHORT_FEW_ABOVE || count >= cubes * longer * longer * longer);
}

// by_rings: whether there are enough products for a block each that makes two rings, and the cap
// leaves room for their points.
static bool by_rings(const bigint_ctx *ctx, device_batch_sharing shares, uint64_t count) {
    const uint64_t many =
        shares == BATCH_SHARES_FACTOR ? DEVICE_BATCH_RINGS_COMMON_MANY : DEVICE_BATCH_RINGS_MANY;
    const uint64_t cap = ctx->options.max_workspace_bytes;
    const uint64_t bytes = block_product_bytes(BLOCK_PRODUCT_LG_RING + 1, count);
    return count >= many && (cap == 0 || bytes <= cap / 2);
}

device_batch_way device_batch_choose(const bigint_ctx *ctx, device_batch_sharing shares,
                                     uint64_t count, uint64_t an, uint64_t bn) {
    const bool all = ctx->engine == ENGINE_AUTO, tiled = ctx->engine == ENGINE_TILED;
    const bool squares = shares == BATCH_OF_SQUARES;
    const bool matrix = shares == BATCH_SHARES_FACTOR && count >= DEVICE_BATCH_COMMON_MANY;
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    unsigned size = 0;
    if (matrix && (tiled || all) && longer >= DEVICE_BATCH_MATRIX_LEAST &&
        (size = common_matrix_tiles(longer, shorter)) > 0) {
        return (device_batch_way){BATCH_MATRIX, size};
    }
    if (matrix && (tiled || (all && longer >= DEVICE_BATCH_COMMON_LEAST)) &&
        (size = common_product_tiles(longer, shorter)) > 0) {
        return (device_batch_way){BATCH_COMMON, size};
    }
    if (all && by_threads(squares, count, longer) &&
        (size = short_product_limbs(an, bn, squares)) > 0) {
        return (device_batch_way){BATCH_SHORT, size};
    }
    if ((tiled || (all && longer <= DEVICE_BATCH_TILED_MOST)) &&
        (size = tiled_product_tiles(longer, shorter)) > 0) {
        return (device_batch_way){BATCH_TILED, size};
    }
    if ((all || ctx->engine == ENGINE_REAL_FFT) && (size = block_product_lg(an, bn)) > 0 &&
        (size <= BLOCK_PRODUCT_LG_RING || by_rings(ctx, shares, count))) {
        return (device_batch_way){BATCH_BLOCK, size};
    }
    if ((!all && ctx->engine != ENGINE_MODULAR_FFT) || shorter == 0) {
        return (device_batch_way){BATCH_ALONE, 0};
    }
    const device_batch_way passes = passes_way(ctx, count, an + bn);
    return passes.kind == BATCH_PASSES ? passes : cluster_way(ctx, an, bn);
}

// ring_class: the class whose 1 or 2 pieces, which are a cyclic convolution, have n points, in
// words as digits: a coefficient has up to n products.
static bool ring_class(uint64_t n, unsigned *size) {
    for (unsigned k = 0; k < BATCH_SIZES; k++) {
        unsigned pieces, lg;
        if (passes_shape(k, &pieces, &lg) && pieces <= 2 && (uint64_t)pieces << lg == n) {
            fft_modular_plan digits, plan;
            *size = k;
            return fft_modular_plan_digits(&digits, n, n, FFT_PRIMES_USED, 64) &&
                   digits.digit_bits == 64 && !digits.balanced &&
                   device_batch_passes(k, true, &plan);
        }
    }
    return false;
}

// wrapped_way: whether blocks compute such products. One whose factors have no more limbs than the
// modulus takes a kernel of half as many points.
static bool wrapped_way(const bigint_ctx *ctx, uint64_t count, uint64_t limbs, uint64_t n,
                        device_batch_way *way) {
    const bool engine = ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_REAL_FFT;
    *way = (device_batch_way){BATCH_WRAPPED, block_wrapped_lg(n)};
    return engine && way->size > 0 && limbs > n &&
           (way->size <= BLOCK_PRODUCT_LG_RING || by_rings(ctx, BATCH_SHARES_NOTHING, count));
}

bool device_batch_ring(const bigint_ctx *ctx, uint64_t count, uint64_t an, uint64_t bn, uint64_t n,
                       device_batch_way *way) {
    if (ctx->check_modulus != 0 || an == 0 || bn == 0 || an > n || bn > n) {
        return false;
    }
    if (wrapped_way(ctx, count, an + bn, n, way)) {
        return true;
    }
    const bool engine = ctx->engine == ENGINE_AUTO || ctx->engine == ENGINE_MODULAR_FFT;
    way->kind = BATCH_PASSES;
    if (!engine || ctx->queue.forced.primes > FFT_PRIMES_USED || !passes_fit(n) ||
        !ring_class(n, &way->size)) {
        return false;
    }
    const device_batch_way whole = device_batch_choose(ctx, BATCH_SHARES_NOTHING, count, an, bn);
    fft_modular_plan plan;
    const bool two_rings = whole.kind == BATCH_BLOCK && whole.size > BLOCK_PRODUCT_LG_RING;
    return whole.kind == BATCH_ALONE || two_rings
               ? 8 * n <= 7 * (an + bn)
               : whole.kind == BATCH_PASSES && device_batch_passes(whole.size, false, &plan) &&
                     8 * n <= 7 * fft_modular_points(&plan);
}
