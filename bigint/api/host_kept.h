// host_kept.h: products of integers in host memory whose blocks are kept as transforms on a device.
// Internal to bigint/.
#ifndef BIGINT_API_HOST_KEPT_H_
#define BIGINT_API_HOST_KEPT_H_

#include "bigint/api/host_blocks.h"
#include "bigint/core/need.h"

// host_kept_bytes: what a product in the plan's blocks holds on the device, 0 if there is no exact
// transform. host_kept_need: the same, for a plan with `kept`.
// host_kept_multiply: s->rp = s->a s->b, for a plan with `kept`. Work may be under way on return,
// but what the product needs has been fetched.
uint64_t host_kept_bytes(const bigint_ctx *ctx, const host_plan *plan);
void host_kept_need(work_need *w, const host_plan *plan);
bigint_status host_kept_multiply(host_job *s);

#endif  // BIGINT_API_HOST_KEPT_H_
