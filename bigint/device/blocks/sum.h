// sum.h: sums of products of blocks whose transforms are kept: columns of a long product in
// blocks, each of which is transformed once. Internal to bigint/.
#ifndef BIGINT_DEVICE_BLOCKS_SUM_H_
#define BIGINT_DEVICE_BLOCKS_SUM_H_

#include "bigint/core/context.h"
#include "bigint/device/plan.h"

// device_block_plan: sums of up to `terms` products of blocks of up to `block` limbs, a multiple of
// a line. Pure data.
typedef struct {
    uint64_t block, terms;
    uint64_t limbs;        // of a sum, with what was carried into it
    device_plan products;  // their transform, and memory for one of them
} device_block_plan;

// device_block_plan_make: false, without a text, if there is no exact plan, the plan does not keep
// to the cap, or options or the engine ask for each product by itself.
bool device_block_plan_make(const bigint_ctx *ctx, device_block_plan *plan, uint64_t block,
                            uint64_t terms);
// device_block_bytes: of the transform of a block.
uint64_t device_block_bytes(const device_block_plan *plan);
// device_block_transform enqueues planes = the transform of x, which lives on the device and has up
// to `block` limbs, for its use as a left or as a right factor. Errors: ENOMEM, EDEVICE.
bigint_status device_block_transform(bigint_ctx *ctx, const char *who,
                                     const device_block_plan *plan, double *planes, const bigint *x,
                                     bool right);
// device_block_terms: products left[k] right[k], k < terms, terms >= 1, that are added up in
// `planes`, as long as a transform, and to what is there if `adds`.
typedef struct {
    double *planes;
    bool adds;
    double *const *left, *const *right;
    uint64_t terms;
} device_block_terms;
// device_block_add enqueues them. Cost: for each term a third of a product's rows, which reads both
// transforms and reads and writes the planes. Errors: ENOMEM, EDEVICE.
bigint_status device_block_add(bigint_ctx *ctx, const char *who, const device_block_plan *plan,
                               const device_block_terms *t);
// device_block_sum: r = their sum, of magnitudes, and what the sum `below` has above its lowest
// `block` limbs; below is 0 or an earlier sum, and not r. The planes' contents are lost.
// Errors: ENOMEM, EDEVICE. Cost: that of device_block_add, the way back of one product, and a sum
// of limbs.
bigint_status device_block_sum(bigint_ctx *ctx, const char *who, const device_block_plan *plan,
                               bigint *r, const device_block_terms *t, const bigint *below);

#endif  // BIGINT_DEVICE_BLOCKS_SUM_H_
