// passes.h: products of a batch that share the launches of the modular transform: each pass of the
// transform is one launch for many products, and so is the recombination. Internal to bigint/.
#ifndef BIGINT_DEVICE_BATCH_PASSES_H_
#define BIGINT_DEVICE_BATCH_PASSES_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/product_rows.h"
#include "fft/device/modular/convolution.h"

// device_passes: how the products of one class (batch_plan.h) are computed. Plain data.
typedef struct {
    fft_modular_plan modular;  // of one product of the longest factors
    product_rows rows;         // b is the common factor if there is one
    uint64_t an, bn, rn;       // the longest
    bool square, common;       // the transform of a common factor is made once
    bool packed;               // factors of a list are copied to rows of one length
    uint64_t ring;             // limbs: modulo B^ring - 1, the points; 0: whole products
    uint64_t items;            // products of a launch
    unsigned branches;         // groups of products whose launches are under way at once
} device_passes;

// device_passes_make plans `rows`, or where that is a list, whose items may still be missing, its
// products of up to an by bn limbs with up to rn limbs. ring: 0, or the points of the class; then
// factors have no more limbs.
void device_passes_make(const bigint_ctx *ctx, device_passes *plan, unsigned size,
                        const product_rows *rows, uint64_t an, uint64_t bn, uint64_t rn,
                        uint64_t ring);
// device_passes_fewer halves the products of a launch. False if that is one already.
bool device_passes_fewer(device_passes *plan);
// Bytes of workspace, and of the words that kernels count in (device_words_need).
uint64_t device_passes_bytes(const device_passes *plan);
uint64_t device_passes_words(const device_passes *plan);
// device_passes_run enqueues the products.
// Cost: four launches for each `items` products, one more for a list and for a join of pieces
// apart, one or two more in a ring; two more in all for a common factor.
result device_passes_run(const bigint_ctx *ctx, const device_passes *plan,
                         const fft_modular_tables *tables, void *workspace);
// device_passes_print: the plan as one line, like snprintf.
int device_passes_print(const bigint_ctx *ctx, const device_passes *plan, char *buf, size_t cap);

#endif  // BIGINT_DEVICE_BATCH_PASSES_H_
