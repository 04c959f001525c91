// context.c: what every call needs from its context: progress, the error text, the counters, names.
#include "bigint/core/context.h"

#include <stdarg.h>
#include <stdio.h>

#include "bigint/core/names.h"
#include "bigint/core/place.h"

// --- Progress, and ending a call early -----------------------------------------------------------

bool context_report(const bigint_ctx *ctx, double done, double total) {
    const bigint_ctx_options *const o = &ctx->options;
    const bool wanted = o->progress == NULL || o->progress(o->progress_user, done, total) == 0;
    return (total > 0 && done == total) || (wanted && context_goes_on(ctx));
}

bool context_step(const bigint_ctx *ctx, double done, double total) {
    return ctx->reports == REPORT_STEPS ? context_report(ctx, done, total) : context_goes_on(ctx);
}

bigint_status context_canceled(bigint_ctx *ctx, const char *who) {
    const char *const why = context_goes_on(ctx)
                                ? "options.progress did not return 0"
                                : "bigint_ctx_stop was called; bigint_ctx_resume ends that";
    return bigint_fail(ctx, BIGINT_ECANCELED, "%s: canceled: %s", who, why);
}

bigint_status context_pause(bigint_ctx *ctx, const char *who) {
    const bool goes_on = ctx->reports == REPORT_COUNTS
                             ? context_report(ctx, (double)ctx->counters.products, 0)
                             : context_goes_on(ctx);
    return goes_on ? BIGINT_OK : context_canceled(ctx, who);
}

bigint_status context_division_progress(bigint_ctx *ctx, double fraction) {
    const context_part *const d = &ctx->division;
    const bool goes_on = d->share > 0 ? context_report(ctx, d->done + d->share * fraction, d->total)
                                      : context_goes_on(ctx);
    return goes_on ? BIGINT_OK : context_canceled(ctx, "bigint_divrem");
}

void bigint_ctx_stop(bigint_ctx *ctx) {
    atomic_store_explicit(ctx->stopped, true, memory_order_relaxed);
}

void bigint_ctx_resume(bigint_ctx *ctx) {
    atomic_store_explicit(ctx->stopped, false, memory_order_relaxed);
}

// --- Errors --------------------------------------------------------------------------------------

bigint_status bigint_fail(bigint_ctx *ctx, bigint_status status, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(ctx->error, sizeof ctx->error, format, args);
    va_end(args);
    return status;
}

const char *bigint_ctx_error(const bigint_ctx *ctx) {
    return ctx == NULL ? "no context: bigint_ctx_create found no memory for one" : ctx->error;
}

const char *bigint_status_text(bigint_status status) {
    switch (status) {
        case BIGINT_OK:
            return "BIGINT_OK: success";
        case BIGINT_EINVAL:
            return "BIGINT_EINVAL: an argument breaks a stated requirement";
        case BIGINT_ENOMEM:
            return "BIGINT_ENOMEM: not enough memory";
        case BIGINT_ERANGE:
            return "BIGINT_ERANGE: too large, or the buffer is too small";
        case BIGINT_EPLACE:
            return "BIGINT_EPLACE: an operand is not where the context works";
        case BIGINT_ENOBACKEND:
            return "BIGINT_ENOBACKEND: backend, engine or variant unknown, not built, or not "
                   "supported here";
        case BIGINT_EDEVICE:
            return "BIGINT_EDEVICE: the device failed";
        case BIGINT_ECHECK:
            return "BIGINT_ECHECK: a product was found to be wrong";
        case BIGINT_ECANCELED:
            return "BIGINT_ECANCELED: the caller ended the call";
        case BIGINT_EPEER:
            return "BIGINT_EPEER: another member of the group failed or is gone";
    }
    return "not a bigint_status";
}

bigint_status context_wrong_product(bigint_ctx *ctx, const char *who, uint64_t an, uint64_t bn) {
    return bigint_fail(
        ctx, BIGINT_ECHECK,
        "%s: the product of %llu by %llu words is wrong modulo %llu: faulty memory or "
        "processor, or an error of the library; do not use the result",
        who, (unsigned long long)an, (unsigned long long)bn,
        (unsigned long long)ctx->check_modulus);
}

bigint_status context_impossible(bigint_ctx *ctx, const char *who, const char *what) {
    return bigint_fail(ctx, BIGINT_ECHECK,
                       "%s: %s is impossible, so a product is wrong: faulty memory or processor, "
                       "or an error of the library; do not use the result",
                       who, what);
}

// --- Questions -----------------------------------------------------------------------------------

void bigint_ctx_counters(const bigint_ctx *ctx, bigint_counters *out) {
    *out = ctx->counters;
    if (ctx->away != NULL && ctx->away->counters != NULL) {
        ctx->away->counters(ctx, out);
    }
}

const char *bigint_backend_name(const bigint_ctx *ctx) {
    return ctx->device.failed != BIGINT_OK ? "" : names_backend(ctx->device.backend);
}

const char *bigint_variant_name(const bigint_ctx *ctx) {
    return ctx->limbs == NULL ? "" : names_variant(ctx->variant);
}
