// call_plans.h: the plans of the calls that bigint_call_kind names, but products. Internal to
// bigint/.
#ifndef BIGINT_API_CALL_PLANS_H_
#define BIGINT_API_CALL_PLANS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// call_plan: what a call needs on the host and on a device, NULL where the host computes it, and
// its line, on either. operands: of an and bn limbs, which are copied from a group.
typedef struct {
    void (*host)(work_need *n, const bigint_call *c);
    void (*device)(work_need *n, const bigint_call *c);
    int (*line)(bigint_ctx *ctx, const bigint_call *c, char *buf, size_t cap);
    // Nothing; bn > 0; k > 0; k a base of text; that all limbs together are few enough.
    enum { ANY, DIVISOR, RING, BASE, BATCH } needs;
    unsigned operands;
} call_plan;

extern const call_plan call_plans[BIGINT_CALL_KINDS];
// call_on_device: whether the device of the context computes the call.
bool call_on_device(const bigint_ctx *ctx, const bigint_call *c);

#endif  // BIGINT_API_CALL_PLANS_H_
