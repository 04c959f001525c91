// decimal.c: bigint_mul_decimal: the context's place multiplies.
#include "bigint/device/decimal.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/text/mul_decimal.h"

bigint_status bigint_mul_decimal(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                 const char *a, size_t a_length, const char *b, size_t b_length,
                                 size_t *bad_at) {
    const bigint_status status = bigint_check_places(ctx, "bigint_mul_decimal", NULL, NULL, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    const decimal_buffer to = {.buf = buf, .cap = cap, .need = need};
    return decimal_multiply(ctx, context_on_device(ctx) ? decimal_on_device : decimal_on_host, to,
                            a, a_length, b, b_length, bad_at);
}
