// value.c: integers as words, and comparisons with words.
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/word/operands.h"

// question: the calls of this file, for off_host.
typedef enum { GET_U64, GET_I64, FITS_U64, FITS_I64, CMP_U64, CMP_I64, CMP_ABS_U64 } question;

// off_host: the answer where bigint_all_on_host is false. It is a function of its own, so that the
// others save no registers.
static __attribute__((noinline)) bigint_status off_host(bigint_ctx *ctx, const char *who,
                                                        question which, void *answer,
                                                        const bigint *a, uint64_t b) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, who, a, a, a);
    }
    host_call there;
    host_call_begin(&there, ctx, who, (host_operands){.a = {a}, .low = 1});
    const bigint *const x = there.a[0];
    bigint_status status = BIGINT_OK;
    switch (which) {
        case GET_U64:
            status = bigint_get_u64(ctx, answer, x);
            break;
        case GET_I64:
            status = bigint_get_i64(ctx, answer, x);
            break;
        case FITS_U64:
            status = bigint_fits_u64(ctx, answer, x);
            break;
        case FITS_I64:
            status = bigint_fits_i64(ctx, answer, x);
            break;
        case CMP_U64:
            status = bigint_cmp_u64(ctx, answer, x, b);
            break;
        case CMP_I64:
            status = bigint_cmp_i64(ctx, answer, x, (int64_t)b);
            break;
        case CMP_ABS_U64:
            status = bigint_cmp_abs_u64(ctx, answer, x, b);
            break;
    }
    return host_call_end(&there, status);
}

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
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_get_u64", GET_U64, value, a, 0);
    }
    if (!fits_u64(a)) {
        return too_long(ctx, "bigint_get_u64", a);
    }
    *value = a->n_ == 0 ? 0 : a->d_[0];
    return BIGINT_OK;
}

bigint_status bigint_get_i64(bigint_ctx *ctx, int64_t *value, const bigint *a) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_get_i64", GET_I64, value, a, 0);
    }
    if (!fits_i64(a)) {
        return too_long(ctx, "bigint_get_i64", a);
    }
    // The magnitude less 1 fits even for INT64_MIN.
    *value = a->n_ == 0 ? 0 : a->sign_ > 0 ? (int64_t)a->d_[0] : -(int64_t)(a->d_[0] - 1) - 1;
    return BIGINT_OK;
}

bigint_status bigint_fits_u64(bigint_ctx *ctx, int *fits, const bigint *a) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_fits_u64", FITS_U64, fits, a, 0);
    }
    *fits = fits_u64(a);
    return BIGINT_OK;
}

bigint_status bigint_fits_i64(bigint_ctx *ctx, int *fits, const bigint *a) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_fits_i64", FITS_I64, fits, a, 0);
    }
    *fits = fits_i64(a);
    return BIGINT_OK;
}

// --- Comparisons ---------------------------------------------------------------------------------

static int cmp_magnitude(const bigint *a, uint64_t b) {
    const uint64_t low = a->n_ == 0 ? 0 : a->d_[0];
    return a->n_ > 1 ? 1 : (low > b) - (low < b);
}

bigint_status bigint_cmp_u64(bigint_ctx *ctx, int *order, const bigint *a, uint64_t b) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_cmp_u64", CMP_U64, order, a, b);
    }
    *order = a->sign_ < 0 ? -1 : cmp_magnitude(a, b);
    return BIGINT_OK;
}

bigint_status bigint_cmp_i64(bigint_ctx *ctx, int *order, const bigint *a, int64_t b) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_cmp_i64", CMP_I64, order, a, (uint64_t)b);
    }
    const bool a_negative = a->sign_ < 0;
    const int magnitudes = cmp_magnitude(a, word_magnitude(b));
    *order = a_negative != (b < 0) ? (a_negative ? -1 : 1) : a_negative ? -magnitudes : magnitudes;
    return BIGINT_OK;
}

bigint_status bigint_cmp_abs_u64(bigint_ctx *ctx, int *order, const bigint *a, uint64_t b) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return off_host(ctx, "bigint_cmp_abs_u64", CMP_ABS_U64, order, a, b);
    }
    *order = cmp_magnitude(a, b);
    return BIGINT_OK;
}
