// float.c: integers and floating-point numbers.
#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/word/operands.h"
#include "primitives/words/word.h"

// real: sign (top / 2^64 + next / 2^128) 2^length; top is at least 2^63 unless the number is below
// 1 in magnitude.
typedef struct {
    uint64_t top, next;
    int64_t length;
    int sign;
    bool infinite, nan;
} real;

// format: IEEE's numbers of 1 + exponent_bits + fraction bits, of which the first 64 are looked at.
typedef struct {
    unsigned fraction_bits;  // in these 64
    uint64_t special;        // the biased exponent of infinities
} format;

static const format binary64 = {52, 0x7ff};
#if defined(__SIZEOF_FLOAT128__)
static const format binary128 = {48, 0x7fff};
#endif

// decode: from the first 64 bits and the next ones.
static real decode(const format *f, uint64_t upper, uint64_t lower) {
    const unsigned fraction = f->fraction_bits;
    const uint64_t biased = upper >> fraction & f->special, rest = upper << (64 - fraction);
    const bool zero = biased == 0 && (rest | lower) == 0, special = biased == f->special;
    return (real){.top = zero ? 0 : (uint64_t)1 << 63 | rest >> 1 | lower >> (fraction + 1),
                  .next = lower << (63 - fraction),
                  .length = (int64_t)biased - (int64_t)(f->special / 2 - 1),
                  .sign = zero                 ? 0
                          : (upper >> 63) != 0 ? -1
                                               : 1,
                  .infinite = special && (rest | lower) == 0,
                  .nan = special && (rest | lower) != 0};
}

// real_of: the upper bits of a.
static real real_of(const bigint *a) {
    const uint64_t n = a->n_;
    if (n == 0) {
        return (real){0};
    }
    const unsigned shift = word_clz(a->d_[n - 1]);
    const uint64_t low[] = {n > 1 ? a->d_[n - 2] : 0, n > 2 ? a->d_[n - 3] : 0};
    return (real){.top = word_shift_in(a->d_[n - 1], low[0], shift),
                  .next = word_shift_in(low[0], low[1], shift),
                  .length = (int64_t)(64 * n - shift),
                  .sign = a->sign_};
}

// encode: the first 64 bits of x, and the next ones in *lower.
static uint64_t encode(const format *f, const real *x, uint64_t *lower) {
    const unsigned fraction = f->fraction_bits;
    const uint64_t sign = (uint64_t)(x->sign < 0) << 63;
    if (x->top == 0) {
        *lower = 0;
        return 0;
    }
    const uint64_t biased = (uint64_t)(x->length + (int64_t)(f->special / 2 - 1));
    assert(biased > 0 && biased < f->special);
    *lower = x->top << (fraction + 1) | x->next >> (63 - fraction);
    return sign | biased << fraction | x->top << 1 >> (64 - fraction);
}

// --- To integers ---------------------------------------------------------------------------------

static bigint_status set_real(bigint_ctx *ctx, const char *who, bigint *r, const real *x) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}});
        return host_call_end(&there, set_real(ctx, who, there.r[0], x));
    }
    bigint_status status = bigint_check_host(ctx, who, r, r, r);
    if (status == BIGINT_OK && (x->infinite || x->nan)) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the number is not finite", who);
    }
    const uint64_t n = x->sign == 0 || x->length <= 0 ? 0 : word_ceil_div((uint64_t)x->length, 64);
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, r, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    // What does not fit the lowest limb is the fraction.
    const unsigned shift = (unsigned)(64 * n - (uint64_t)x->length) % 64;
    const uint64_t upper[] = {x->top >> shift, x->top << 1 << (63 - shift) | x->next >> shift,
                              x->next << 1 << (63 - shift)};
    for (uint64_t i = 0; i < n; i++) {
        r->d_[n - 1 - i] = i < 3 ? upper[i] : 0;
    }
    bigint_finish(r, n, x->sign);
    return BIGINT_OK;
}

bigint_status bigint_set_double(bigint_ctx *ctx, bigint *r, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    const real x = decode(&binary64, bits, 0);
    return set_real(ctx, "bigint_set_double", r, &x);
}

bigint_status bigint_set_long_double(bigint_ctx *ctx, bigint *r, long double value) {
    real x = {.nan = isnan(value) != 0, .infinite = isinf(value) != 0};
    if (!x.nan && !x.infinite && value != 0) {
        int exponent;
        const long double upper = ldexpl(frexpl(fabsl(value), &exponent), 64);
        x.top = (uint64_t)upper;
        x.next = (uint64_t)ldexpl(upper - (long double)x.top, 64);
        x.length = exponent;
        x.sign = value < 0 ? -1 : 1;
    }
    return set_real(ctx, "bigint_set_long_double", r, &x);
}

// --- From integers -------------------------------------------------------------------------------

// get_real: *x = a's upper bits, if a has at most `most` bits.
static bigint_status get_real(bigint_ctx *ctx, const char *who, real *x, const bigint *a,
                              int64_t most) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a}});
        return host_call_end(&there, get_real(ctx, who, x, there.a[0], most));
    }
    const bigint_status status = bigint_check_host(ctx, who, a, a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    *x = real_of(a);
    return x->length <= most
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ERANGE, "%s: a number of %llu bits exceeds %lld", who,
                             (unsigned long long)x->length, (long long)most);
}

static double double_of(const real *x) {
    uint64_t lower;
    const uint64_t bits = encode(&binary64, x, &lower);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bigint_status bigint_get_double(bigint_ctx *ctx, double *value, const bigint *a) {
    real x;
    const bigint_status status = get_real(ctx, "bigint_get_double", &x, a, DBL_MAX_EXP);
    if (status == BIGINT_OK) {
        *value = double_of(&x);
    }
    return status;
}

bigint_status bigint_get_double_2exp(bigint_ctx *ctx, double *fraction, uint64_t *exponent,
                                     const bigint *a) {
    real x;
    const bigint_status status = get_real(ctx, "bigint_get_double_2exp", &x, a, INT64_MAX);
    if (status == BIGINT_OK) {
        *exponent = (uint64_t)x.length;
        x.length = 0;
        *fraction = double_of(&x);
    }
    return status;
}

bigint_status bigint_get_long_double(bigint_ctx *ctx, long double *value, const bigint *a) {
    enum { DIGITS = LDBL_MANT_DIG };
    real x;
    const bigint_status status = get_real(ctx, "bigint_get_long_double", &x, a, LDBL_MAX_EXP);
    if (status == BIGINT_OK) {
        // Bits that the type does not hold are cut, so that nothing is rounded.
        const uint64_t top = x.top & UINT64_MAX << (DIGITS < 64 ? 64 - DIGITS : 0);
        const uint64_t next = DIGITS <= 64 ? 0 : x.next & UINT64_MAX << (128 - DIGITS) % 64;
        const long double magnitude = ldexpl((long double)top, (int)x.length - 64) +
                                      ldexpl((long double)next, (int)x.length - 128);
        *value = x.sign < 0 ? -magnitude : magnitude;
    }
    return status;
}

// --- Comparisons ---------------------------------------------------------------------------------

// cmp_magnitude: |a| and |x|, which is no NaN.
static int cmp_magnitude(const bigint *a, const real *x) {
    const real y = real_of(a);
    const int64_t length = x->infinite ? INT64_MAX : x->length;
    if (x->sign == 0 || y.sign == 0) {
        return (y.sign != 0) - (x->sign != 0);
    }
    if (y.length != length) {
        return y.length < length ? -1 : 1;
    }
    if (y.top != x->top) {
        return y.top < x->top ? -1 : 1;
    }
    // A double has no more bits.
    uint64_t low = y.next;
    for (uint64_t i = 0; i + 2 < a->n_; i++) {
        low |= a->d_[i];
    }
    return low != 0;
}

static bigint_status cmp(bigint_ctx *ctx, const char *who, int *order, const bigint *a, double b,
                         bool signs) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.a = {a}});
        return host_call_end(&there, cmp(ctx, who, order, there.a[0], b, signs));
    }
    uint64_t bits;
    memcpy(&bits, &b, sizeof bits);
    const real x = decode(&binary64, bits, 0);
    bigint_status status = bigint_check_host(ctx, who, a, a, a);
    if (status == BIGINT_OK && x.nan) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: not a number", who);
    }
    if (status == BIGINT_OK) {
        const int magnitudes = cmp_magnitude(a, &x);
        *order = !signs || a->sign_ + x.sign > 0 ? magnitudes
                 : a->sign_ * x.sign < 0         ? a->sign_
                                                 : -magnitudes;
    }
    return status;
}

bigint_status bigint_cmp_double(bigint_ctx *ctx, int *order, const bigint *a, double b) {
    return cmp(ctx, "bigint_cmp_double", order, a, b, true);
}

bigint_status bigint_cmp_abs_double(bigint_ctx *ctx, int *order, const bigint *a, double b) {
    return cmp(ctx, "bigint_cmp_abs_double", order, a, b, false);
}

// --- binary128 -----------------------------------------------------------------------------------

#if defined(__SIZEOF_FLOAT128__)
bigint_status bigint_set_float128(bigint_ctx *ctx, bigint *r, bigint_float128 value) {
    word_pair bits;  // in the processor's own order, as the number
    memcpy(&bits, &value, sizeof bits);
    const real x = decode(&binary128, (uint64_t)(bits >> 64), (uint64_t)bits);
    return set_real(ctx, "bigint_set_float128", r, &x);
}

bigint_status bigint_get_float128(bigint_ctx *ctx, bigint_float128 *value, const bigint *a) {
    enum { MOST_BITS = 16384 };
    real x;
    const bigint_status status = get_real(ctx, "bigint_get_float128", &x, a, MOST_BITS);
    if (status == BIGINT_OK) {
        uint64_t lower;
        const uint64_t upper = encode(&binary128, &x, &lower);
        const word_pair bits = (word_pair)upper << 64 | lower;
        memcpy(value, &bits, sizeof bits);
    }
    return status;
}
#endif
