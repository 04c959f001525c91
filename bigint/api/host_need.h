// host_need.h: what a product of integers in host memory holds on the device and in pinned memory,
// and its plan as a line. Internal to bigint/.
#ifndef BIGINT_API_HOST_NEED_H_
#define BIGINT_API_HOST_NEED_H_

#include "bigint/api/host_plan.h"
#include "bigint/core/need.h"

// host_need: what the context holds for host_product of an by bn limbs, in either order, and for
// squares of one length, the contexts that it makes included. Begin with device_need_begin.
void host_need(work_need *w, uint64_t an, uint64_t bn);
// host_explained: the plan of that product, and its bytes on the device and in pinned memory.
typedef struct {
    host_plan plan;
    uint64_t device, pinned;
} host_explained;
// Errors: ERANGE, ENOMEM.
bigint_status host_explain(bigint_ctx *ctx, const char *who, host_explained *out, uint64_t an,
                           uint64_t bn);
// host_print: as one line, like snprintf.
int host_print(bigint_ctx *ctx, const host_explained *x, char *buf, size_t cap);

#endif  // BIGINT_API_HOST_NEED_H_
