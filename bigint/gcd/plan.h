// plan.h: what gcds need of the workspace. Internal to bigint/.
#ifndef BIGINT_GCD_PLAN_H_
#define BIGINT_GCD_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// gcd_limbs_need, gcd_cofactor_need: what these need for an by bn limbs.
void gcd_limbs_need(work_need *w, uint64_t an, uint64_t bn);
void gcd_cofactor_need(work_need *w, uint64_t an, uint64_t bn);
// gcd_need, lcm_need, gcdext_need, invert_need: what bigint_gcd, _lcm, _gcdext and _invert need on
// the host. gcd_print: how they compute the gcd of an and bn limbs, on one line, like snprintf.
void gcd_need(work_need *w, uint64_t an, uint64_t bn);
void lcm_need(work_need *w, uint64_t an, uint64_t bn);
void gcdext_need(work_need *w, uint64_t an, uint64_t bn);
void invert_need(work_need *w, uint64_t an, uint64_t mn);
int gcd_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn);

#endif  // BIGINT_GCD_PLAN_H_
