// root_plan.h: how a root on the host is computed. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ROOT_PLAN_H_
#define BIGINT_DIVIDE_ROOT_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// root_way: of the k-th root, k >= 2, of an limbs. ONE: 2^k exceeds the number, whose length is
// `bits`. HALVES: root_halves. PAIR: in doubles. THIRDS: root_thirds. NEWTON: root_near.
typedef enum { ROOT_ONE, ROOT_HALVES, ROOT_PAIR, ROOT_THIRDS, ROOT_NEWTON, ROOT_WAYS } root_way;
root_way root_way_of(uint64_t an, uint64_t bits, uint64_t k);

// root_print: how bigint_root of an limbs is computed, rsqrt_print: bigint_rsqrt_fixed, on one
// line, like snprintf. root_need: what root_integers needs, whichever results are wanted.
// rsqrt_need: rsqrt_integers.
int root_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t k);
int rsqrt_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bits);
void root_need(work_need *n, uint64_t an, uint64_t k);
void rsqrt_need(work_need *n, uint64_t an, uint64_t bits);

#endif  // BIGINT_DIVIDE_ROOT_PLAN_H_
