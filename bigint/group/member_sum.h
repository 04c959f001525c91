// member_sum.h: sums, differences, shifts and comparisons of a group's integers. Internal to
// bigint/.
//
// Each is one program on the members: operands whose blocks are not those of the result are
// exchanged first, then every member works on its own limbs, and carries or borrows between blocks
// are a scan over the members (exchange/member_carry.h). Where all members are devices that reach
// each other, device/sum.h has sums, differences and comparisons, and device/shift.h shifts.
#ifndef BIGINT_GROUP_MEMBER_SUM_H_
#define BIGINT_GROUP_MEMBER_SUM_H_

#include "bigint/core/context.h"

// The calls of place.h of these names.
bigint_status group_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                            const bigint *a);
bigint_status group_cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a,
                        const bigint *b, bool magnitudes);
bigint_status group_add(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                        const bigint *b, bool subtract);
bigint_status group_mul_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                             uint64_t bits);
bigint_status group_tdiv_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                              uint64_t bits);
// group_add_bytes: the most that a member holds for a sum, or a copy, of n limbs.
uint64_t group_add_bytes(const bigint_ctx *ctx, uint64_t n);

#endif  // BIGINT_GROUP_MEMBER_SUM_H_
