// host_kept.h: products of integers in host memory whose blocks are kept as transforms on a device.
// Internal to bigint/.
#ifndef BIGINT_API_HOST_KEPT_H_
#define BIGINT_API_HOST_KEPT_H_

#include "bigint/api/host_blocks.h"

// host_kept_bytes: what such a product of a and b in blocks of plan->block limbs holds on the
// device, 0 if there is no such way. host_kept_multiply: s->rp = s->a s->b; s->plan.kept. The
// context's work need not be over.
uint64_t host_kept_bytes(const bigint_ctx *ctx, const host_plan *plan);
bigint_status host_kept_multiply(host_job *s);

#endif  // BIGINT_API_HOST_KEPT_H_
