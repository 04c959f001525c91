// mul_decimal.h: bigint_mul_decimal as both kinds of place share it: reading texts, and the
// caller's buffer; the product itself is the place's. Internal to bigint/.
#ifndef BIGINT_TEXT_MUL_DECIMAL_H_
#define BIGINT_TEXT_MUL_DECIMAL_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// decimal_text: a factor as it was given, and the digits of it that count.
typedef struct {
    const char *digits;  // without sign and leading zeros; not yet checked
    size_t count;        // 0 for the number 0
    size_t at;           // position of digits in the two texts one after the other
    bool negative;
} decimal_text;

// decimal_buffer: where the product's text goes.
typedef struct {
    char *buf;
    size_t cap, *need;  // need may be NULL
    bool negative;      // the product is
} decimal_buffer;

// decimal_text_check: EINVAL, with the position, unless all characters are digits.
bigint_status decimal_text_check(bigint_ctx *ctx, const decimal_text *t, size_t *bad_at);
// decimal_buffer_open: *at = the place of that many digits; sign and NUL are written. Errors:
// ERANGE, which writes *need alone.
bigint_status decimal_buffer_open(bigint_ctx *ctx, const decimal_buffer *to, size_t digits,
                                  char **at);

// decimal_multiplier writes the product of two numbers that are not 0, a == b for a square. It
// checks both texts. Errors: EINVAL, ERANGE and what a product reports.
typedef bigint_status decimal_multiplier(bigint_ctx *ctx, const decimal_buffer *to,
                                         const decimal_text *a, const decimal_text *b,
                                         size_t *bad_at);
decimal_multiplier decimal_on_host;
// decimal_host_need: what decimal_on_host needs for factors of an by bn digits. decimal_host_print:
// how it multiplies, on one line, like snprintf.
void decimal_host_need(work_need *w, uint64_t an, uint64_t bn);
int decimal_host_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t bn);

// decimal_multiply: bigint_mul_decimal by that multiplier; to.negative is not read.
bigint_status decimal_multiply(bigint_ctx *ctx, decimal_multiplier *by, decimal_buffer to,
                               const char *a, size_t a_length, const char *b, size_t b_length,
                               size_t *bad_at);

#endif  // BIGINT_TEXT_MUL_DECIMAL_H_
