// div_prep.c: prepared divisors: created, divided by, destroyed.
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/device/divide/divisor.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/kernels/block_division.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/kept.h"
#include "primitives/words/word.h"

// One allocation of `bytes`: this header and the kept divisor's memory. On a device only the
// header, and `there`. A group has the host's.
struct bigint_div_prep {
    uint64_t bytes;
    int place, sign;
    kept_divisor here;
    device_divisor there;
};

static const char create_name[] = "bigint_div_prep_create", divide_name[] = "bigint_divrem_prep";

static uint64_t header_bytes(void) { return (sizeof(bigint_div_prep) + 63) / 64 * 64; }

// prep_memory: a header with `more` bytes behind it; NULL with the error recorded.
static bigint_div_prep *prep_memory(bigint_ctx *ctx, uint64_t more, uint64_t n) {
    const uint64_t bytes = header_bytes() + more;
    bigint_div_prep *const prep = context_allocate(ctx, bytes);
    if (prep == NULL) {
        bigint_fail(ctx, BIGINT_ENOMEM,
                    "%s: no memory for %llu bytes: a divisor of %llu limbs with its reciprocal",
                    create_name, (unsigned long long)bytes, (unsigned long long)n);
        return NULL;
    }
    *prep = (bigint_div_prep){.bytes = bytes, .place = ctx->device.place};
    return prep;
}

static bigint_status by_zero(bigint_ctx *ctx) {
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: the divisor is 0; test it before", create_name);
}

// on_device: waits for the length of d, and at the end.
static bigint_status on_device(bigint_ctx *ctx, bigint_div_prep **out, const bigint *d,
                               uint64_t qn) {
    uint64_t bits;
    int sign;
    bigint_status status = bigint_measure(ctx, create_name, &bits, &sign, d);
    if (status != BIGINT_OK || bits == 0) {
        return status != BIGINT_OK ? status : by_zero(ctx);
    }
    const uint64_t n = word_ceil_div(bits, 64);
    bigint_div_prep *const prep = prep_memory(ctx, 0, n);
    if (prep == NULL) {
        return BIGINT_ENOMEM;
    }
    status = device_divisor_open(ctx, create_name, &prep->there, d, bits, qn == 0 ? n : qn, true);
    if (status == BIGINT_OK) {
        status = bigint_sync(ctx);
        if (status != BIGINT_OK) {
            device_divisor_close(ctx, &prep->there);
        }
    }
    if (status != BIGINT_OK) {
        context_release(ctx, prep, prep->bytes);
        return status;
    }
    *out = prep;
    return BIGINT_OK;
}

static bigint_status on_host(bigint_ctx *ctx, bigint_div_prep **out, const bigint *d, uint64_t qn) {
    const bigint_status status = bigint_check_places(ctx, create_name, d, NULL, NULL);
    if (status != BIGINT_OK || d->n_ == 0) {
        return status != BIGINT_OK ? status : by_zero(ctx);
    }
    qn = qn == 0 ? d->n_ : qn;
    bigint_div_prep *const prep = prep_memory(ctx, kept_divisor_bytes(ctx, d->n_, qn), d->n_);
    if (prep == NULL) {
        return BIGINT_ENOMEM;
    }
    prep->sign = d->sign_;
    const bigint_status made = kept_divisor_make(
        ctx, &prep->here, (unsigned char *)prep + header_bytes(), d->d_, d->n_, qn);
    if (made != BIGINT_OK) {
        context_release(ctx, prep, prep->bytes);
        return made;
    }
    *out = prep;
    return BIGINT_OK;
}

bigint_status bigint_div_prep_create(bigint_ctx *ctx, bigint_div_prep **out, const bigint *d,
                                     uint64_t quotient_limbs) {
    *out = NULL;
    if (context_on_device(ctx)) {
        return on_device(ctx, out, d, quotient_limbs);
    }
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, create_name, (host_operands){.a = {d}});
        return host_call_end(&there, on_host(ctx, out, there.a[0], quotient_limbs));
    }
    return on_host(ctx, out, d, quotient_limbs);
}

// check_prep: EPLACE unless the divisor was prepared where the context works.
static bigint_status check_prep(bigint_ctx *ctx, const char *who, const bigint_div_prep *prep) {
    return prep->place == ctx->device.place || (prep->place == BIGINT_HOST && context_on_group(ctx))
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_EPLACE,
                             "%s: prepared on place %d, the context works on place %d; use a "
                             "context of that place",
                             who, prep->place, ctx->device.place);
}

// divide_there: on a device. A short divisor has no reciprocal, which long quotients take.
static bigint_status divide_there(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                                  const bigint_div_prep *d) {
    enum { ONE_LAUNCH = 4 * BLOCK_DIVISION_MOST };
    const device_divisor *const by = &d->there;
    const bigint_status status = divrem_check(ctx, q, r, a, &by->d);
    return status != BIGINT_OK ? status
           : by->m == 0 && a->n_ > by->n + ONE_LAUNCH
               ? device_divrem(ctx, q, r, a, &by->d)
               : device_divide(ctx, divide_name, q, r, a, by);
}

bigint_status bigint_divrem_prep(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                                 const bigint_div_prep *d) {
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, divide_name, (host_operands){.r = {q, r}, .a = {a}});
        return host_call_end(&there,
                             bigint_divrem_prep(ctx, there.r[0], there.r[1], there.a[0], d));
    }
    bigint_status status = bigint_check_places(ctx, divide_name, a, NULL, NULL);
    if (status == BIGINT_OK) {
        status = check_prep(ctx, divide_name, d);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    if (context_on_device(ctx)) {
        return divide_there(ctx, q, r, a, d);
    }
    const bigint divisor = bigint_limbs_view(d->here.dp, d->here.dn, d->sign);
    return divrem_kept(ctx, q, r, a, &divisor, &d->here);
}

void bigint_div_prep_destroy(bigint_ctx *ctx, bigint_div_prep *prep) {
    if (prep == NULL || check_prep(ctx, "bigint_div_prep_destroy", prep) != BIGINT_OK) {
        return;
    }
    if (prep->place != BIGINT_HOST) {
        device_divisor_close(ctx, &prep->there);
    }
    context_release(ctx, prep, prep->bytes);
}
