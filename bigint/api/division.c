// division.c: bigint_divrem, bigint_divexact, bigint_sqrt and bigint_root. The context's place
// decides. The host computes them for groups.
#include "bigint/core/context.h"
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/root.h"
#include "bigint/device/roots/root.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/root.h"
#include "bigint/divide/rsqrt.h"

bigint_status bigint_divrem(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a,
                            const bigint *d) {
    if (ctx->away == NULL) {
        return divrem_integers(ctx, q, r, a, d);
    }
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_divrem", (host_operands){.r = {q, r}, .a = {a, d}});
        return host_call_end(&there,
                             bigint_divrem(ctx, there.r[0], there.r[1], there.a[0], there.a[1]));
    }
    const bigint_status status = divrem_check(ctx, q, r, a, d);
    return status == BIGINT_OK ? device_divrem(ctx, q, r, a, d) : status;
}

bigint_status bigint_divexact(bigint_ctx *ctx, bigint *q, const bigint *a, const bigint *d) {
    const char *who = "bigint_divexact";
    if (ctx->away == NULL) {
        return divexact_integers(ctx, who, q, a, d);
    }
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {q}, .a = {a, d}});
        return host_call_end(&there, bigint_divexact(ctx, there.r[0], there.a[0], there.a[1]));
    }
    const bigint_status status = divrem_check(ctx, q, NULL, a, d);
    return status == BIGINT_OK ? device_divexact(ctx, who, q, a, d) : status;
}

// root_away: on devices and groups.
static bigint_status root_away(bigint_ctx *ctx, const char *who, bigint *s, bigint *r,
                               const bigint *a, uint64_t k) {
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {s, r}, .a = {a}});
        return host_call_end(&there,
                             root_integers(ctx, who, there.r[0], there.r[1], there.a[0], k));
    }
    const bigint_status status = root_check(ctx, who, s, r, a, k);
    return status == BIGINT_OK ? device_root(ctx, who, s, r, a, k) : status;
}

bigint_status bigint_sqrt(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a) {
    const char *who = "bigint_sqrt";
    return ctx->away != NULL ? root_away(ctx, who, s, r, a, 2)
                             : root_integers(ctx, who, s, r, a, 2);
}

bigint_status bigint_root(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a, uint64_t k) {
    const char *who = "bigint_root";
    return ctx->away != NULL ? root_away(ctx, who, s, r, a, k)
                             : root_integers(ctx, who, s, r, a, k);
}

bigint_status bigint_rsqrt_fixed(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_rsqrt_fixed";
    if (ctx->away == NULL) {
        return rsqrt_integers(ctx, who, r, a, bits);
    }
    if (context_on_group(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who, (host_operands){.r = {r}, .a = {a}});
        return host_call_end(&there, bigint_rsqrt_fixed(ctx, there.r[0], there.a[0], bits));
    }
    const bigint_status status = rsqrt_check(ctx, who, r, a);
    return status == BIGINT_OK ? device_rsqrt(ctx, who, r, a, bits) : status;
}
