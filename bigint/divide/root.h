// root.h: square roots and roots of any degree. Internal to bigint/.
#ifndef BIGINT_DIVIDE_ROOT_H_
#define BIGINT_DIVIDE_ROOT_H_

#include "bigint/core/context.h"

// root_integers: bigint_root on the host. root_check: what any place refuses before it looks at
// values. root_negative: the refusal of a root of even degree of a negative number.
bigint_status root_integers(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a,
                            uint64_t k);
bigint_status root_check(bigint_ctx *ctx, const char *who, const bigint *s, const bigint *r,
                         const bigint *a, uint64_t k);
bigint_status root_negative(bigint_ctx *ctx, const char *who);

#endif  // BIGINT_DIVIDE_ROOT_H_
