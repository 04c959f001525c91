// terms.h: one product, or two with a factor in common, on a device, in four launches: the last one
// adds to each product what its term says. Steps of series, where launches take the time. Internal
// to bigint/.
#ifndef BIGINT_DEVICE_DIVIDE_TERMS_H_
#define BIGINT_DEVICE_DIVIDE_TERMS_H_

#include "bigint/core/context.h"
#include "bigint/device/kernels/recombine_rows.h"
#include "bigint/device/product.h"

// device_terms: `count` products, 1 or 2, of an by bn limbs, of which rn limbs are kept.
typedef struct {
    uint64_t an, bn, rn, count;
} device_terms;
// device_terms_serve: whether contexts and options allow such products. device_terms_plan: the plan
// of the transforms. False: batches have none, or they are too long.
bool device_terms_serve(const bigint_ctx *ctx);
bool device_terms_plan(const bigint_ctx *ctx, device_plan *plan, const device_terms *l);
// device_terms_need: what device_terms_enqueue takes; nothing if there is no plan.
void device_terms_need(work_need *w, const device_terms *l);

// device_terms_factors: a of the first product and e of the second, an limbs; by, the factor of
// both, bn limbs. e may be `by`, and is NULL for one product.
typedef struct {
    const uint64_t *a, *e, *by;
} device_terms_factors;
// device_terms_multiply enqueues {to, rn} = a by and {to + row, rn} = e by, each changed by its
// term (recombine_rows.h), between device_begin and device_end for the plan. to: on a line.
// Cost: four launches; the common factor is transformed once where the second product is a square.
result device_terms_multiply(const device_work *run, const device_terms *l,
                             const device_terms_factors *x, const recombine_term *terms,
                             uint64_t *to, uint64_t row);
// device_terms_enqueue: the same between device_begin and device_end of its own. There is a plan.
bigint_status device_terms_enqueue(bigint_ctx *ctx, const char *who, const device_terms *l,
                                   const device_terms_factors *x, const recombine_term *terms,
                                   uint64_t *to, uint64_t row);

#endif  // BIGINT_DEVICE_DIVIDE_TERMS_H_
