// product.h: the plan of a product on any place, as a line and in bytes. Internal to bigint/.
#ifndef BIGINT_PLAN_PRODUCT_H_
#define BIGINT_PLAN_PRODUCT_H_

#include "bigint/core/context.h"

// explain_line writes the line that `print` makes, like snprintf, into the caller's buffer, as
// bigint_explain does.
bigint_status explain_line(bigint_ctx *ctx, const char *who, char *buf, size_t cap, size_t *need,
                           int (*print)(bigint_ctx *ctx, const void *plan, char *buf, size_t cap),
                           const void *plan);
// explain_product, explain_product_bytes: bigint_explain and bigint_workspace_bytes, also of a
// square.
bigint_status explain_product(bigint_ctx *ctx, const char *who, char *buf, size_t cap, size_t *need,
                              uint64_t an, uint64_t bn, bool square);
bigint_status explain_product_bytes(bigint_ctx *ctx, const char *who, uint64_t *bytes, uint64_t an,
                                    uint64_t bn, bool square);
// explain_host_product: of numbers in host memory, by a context on a device.
bigint_status explain_host_product(bigint_ctx *ctx, const char *who, char *buf, size_t cap,
                                   size_t *need, uint64_t an, uint64_t bn);

#endif  // BIGINT_PLAN_PRODUCT_H_
