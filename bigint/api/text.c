// text.c: text in bases that may be 10: long decimal texts are converted by the device of the
// context, all others by the host.
#include "bigint/text/text.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/text/decimal.h"

// --- Reading ---

// read: text_read, whose sign and prefix have been looked at.
static bigint_status read(bigint_ctx *ctx, const char *who, const text_radix *radix, bigint *r,
                          const char *s, size_t first, size_t length, size_t *bad_at) {
    if (!context_on_device(ctx) || radix->base != text_decimal.base) {
        return text_read(ctx, who, radix, r, s, first, length, bad_at);
    }
    size_t at = first;
    while (at < length && s[at] == '0') {
        at++;
    }
    if (!device_decimal_takes(ctx, length - at)) {
        return text_read(ctx, who, radix, r, s, first, length, bad_at);
    }
    uint64_t good = 0;
    const bigint_status status =
        device_decimal_read(ctx, who, r, s + at, length - at, s[0] == '-', &good);
    return status == BIGINT_OK && good < length - at
               ? text_bad_character(ctx, who, bad_at, at + good, length)
               : status;
}

bigint_status bigint_set_decimal(bigint_ctx *ctx, bigint *r, const char *s, size_t length,
                                 size_t *bad_at) {
    const char *who = "bigint_set_decimal";
    const bigint_status status = text_check_size(ctx, who, r, length, text_decimal.digits);
    return status != BIGINT_OK
               ? status
               : read(ctx, who, &text_decimal, r, s, text_skip_sign(s, length), length, bad_at);
}

bigint_status bigint_set_text(bigint_ctx *ctx, bigint *r, const char *s, size_t length, int base,
                              size_t *bad_at) {
    const char *who = "bigint_set_text";
    enum { DIGITS = 64, PREFIX = 2 };  // of base 2
    bigint_status status = text_check_size(ctx, who, r, length, DIGITS);
    if (status != BIGINT_OK) {
        return status;
    }
    size_t first = text_skip_sign(s, length);
    if (base == 0) {
        base = text_prefix_base(s + first, length - first);
        first += base == 16 || base == 2 ? PREFIX : 0;
    }
    status = text_check_base(ctx, who, base, 0);
    if (status != BIGINT_OK) {
        return status;
    }
    const text_radix radix = text_radix_of(base);
    return read(ctx, who, &radix, r, s, first, length, bad_at);
}

// --- Writing ---

static bigint_status write(bigint_ctx *ctx, const char *who, const text_radix *radix, char *buf,
                           size_t cap, size_t *need, const bigint *a) {
    uint64_t bits;
    int sign;
    const bigint_status status = bigint_measure(ctx, who, &bits, &sign, a);
    if (status != BIGINT_OK) {
        return status;
    }
    if (context_on_device(ctx) && bits > 0 && radix->base == text_decimal.base &&
        device_decimal_takes(ctx, text_digits_bound(radix, bits))) {
        return device_decimal_write(ctx, who, buf, cap, need, a, bits, sign < 0);
    }
    return text_write(ctx, who, radix, buf, cap, need, a, bits, sign);
}

bigint_status bigint_get_decimal(bigint_ctx *ctx, char *buf, size_t cap, size_t *need,
                                 const bigint *a) {
    return write(ctx, "bigint_get_decimal", &text_decimal, buf, cap, need, a);
}

bigint_status bigint_get_text(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, const bigint *a,
                              int base) {
    const char *who = "bigint_get_text";
    const bigint_status status = text_check_base(ctx, who, base, -36);
    if (status != BIGINT_OK) {
        return status;
    }
    const text_radix radix = text_radix_of(base);
    return write(ctx, who, &radix, buf, cap, need, a);
}
