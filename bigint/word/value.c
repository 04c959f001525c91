// value.c: integers as words, and comparisons with words.
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/word/operands.h"

// --- Integers as words ---------------------------------------------------------------------------

static bool fits_u64(const bigint *a) { return a->n_ == 0 || (a->n_ == 1 && a->sign_ > 0); }

static bool fits_i64(const bigint *a) {
    const uint64_t least = (uint64_t)1 << 63;  // |INT64_MIN|
    return a->n_ == 0 || (a->n_ == 1 && (a->d_[0] < least || (a->d_[0] == least && a->sign_ < 0)));
}

static bigint_status too_long(bigint_ctx *ctx, const char *who, const bigint *a) {
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: a %s number of %llu limbs does not fit", who,
                       a->sign_ < 0 ? "negative" : "positive", (unsigned long long)a->n_);
}

bigint_status bigint_get_u64(bigint_ctx *ctx, uint64_t *value, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_get_u64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_get_u64(ctx, value, there.a[0]));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_get_u64", a, a, a);
    if (status != BIGINT_OK || !fits_u64(a)) {
        return status != BIGINT_OK ? status : too_long(ctx, "bigint_get_u64", a);
    }
    *value = a->n_ == 0 ? 0 : a->d_[0];
    return BIGINT_OK;
}

bigint_status bigint_get_i64(bigint_ctx *ctx, int64_t *value, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_get_i64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_get_i64(ctx, value, there.a[0]));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_get_i64", a, a, a);
    if (status != BIGINT_OK || !fits_i64(a)) {
        return status != BIGINT_OK ? status : too_long(ctx, "bigint_get_i64", a);
    }
    // The magnitude less 1 fits even for INT64_MIN.
    *value = a->n_ == 0 ? 0 : a->sign_ > 0 ? (int64_t)a->d_[0] : -(int64_t)(a->d_[0] - 1) - 1;
    return BIGINT_OK;
}

bigint_status bigint_fits_u64(bigint_ctx *ctx, int *fits, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_fits_u64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_fits_u64(ctx, fits, there.a[0]));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_fits_u64", a, a, a);
    if (status == BIGINT_OK) {
        *fits = fits_u64(a);
    }
    return status;
}

bigint_status bigint_fits_i64(bigint_ctx *ctx, int *fits, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_fits_i64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_fits_i64(ctx, fits, there.a[0]));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_fits_i64", a, a, a);
    if (status == BIGINT_OK) {
        *fits = fits_i64(a);
    }
    return status;
}

// --- Comparisons ---------------------------------------------------------------------------------

static int cmp_magnitude(const bigint *a, uint64_t b) {
    const uint64_t low = a->n_ == 0 ? 0 : a->d_[0];
    return a->n_ > 1 ? 1 : (low > b) - (low < b);
}

bigint_status bigint_cmp_u64(bigint_ctx *ctx, int *order, const bigint *a, uint64_t b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_cmp_u64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_cmp_u64(ctx, order, there.a[0], b));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_cmp_u64", a, a, a);
    if (status == BIGINT_OK) {
        *order = a->sign_ < 0 ? -1 : cmp_magnitude(a, b);
    }
    return status;
}

bigint_status bigint_cmp_i64(bigint_ctx *ctx, int *order, const bigint *a, int64_t b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_cmp_i64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_cmp_i64(ctx, order, there.a[0], b));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_cmp_i64", a, a, a);
    if (status == BIGINT_OK) {
        const bool a_negative = a->sign_ < 0;
        const int magnitudes = cmp_magnitude(a, word_magnitude(b));
        *order = a_negative != (b < 0) ? (a_negative ? -1 : 1)
                 : a_negative          ? -magnitudes
                                       : magnitudes;
    }
    return status;
}

bigint_status bigint_cmp_abs_u64(bigint_ctx *ctx, int *order, const bigint *a, uint64_t b) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_cmp_abs_u64", (host_operands){.a = {a}, .low = 1});
        return host_call_end(&there, bigint_cmp_abs_u64(ctx, order, there.a[0], b));
    }
    const bigint_status status = bigint_check_host(ctx, "bigint_cmp_abs_u64", a, a, a);
    if (status == BIGINT_OK) {
        *order = cmp_magnitude(a, b);
    }
    return status;
}
