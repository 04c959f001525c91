// plan_print.c: a plan of a product as one line of text.
#include <stdio.h>

#include "bigint/core/context.h"
#include "bigint/core/names.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"

// print_float: the rest of a plan's line.
static int print_float(const mul_plan *plan, unsigned threads, const char *head, char *buf,
                       size_t cap) {
    const fft_float_plan *const f = &plan->floats.fft;
    char pieces[40] = "";
    if (plan->floats.pieces > 1) {
        snprintf(pieces, sizeof pieces, ", %llu pieces", (unsigned long long)plan->floats.pieces);
    }
    return snprintf(buf, cap,
                    "%s%s, %u-bit %sdigits in %s, %llu complex points, error below %.4f %s, "
                    "%u thread%s",
                    head, pieces, f->width, f->balanced ? "balanced " : "",
                    f->transform.problem.type == FFT_F64 ? "double" : "float",
                    (unsigned long long)f->transform.problem.length, (double)f->error * 0x1p-32,
                    f->certified ? "expected, checked" : "proved", threads,
                    threads == 1 ? "" : "s");
}

int mul_plan_print(const bigint_ctx *ctx, const mul_plan *plan, char *buf, size_t cap) {
    const char *const backend = names_backend(ctx->device.backend), *const engine =
                                                                        names_engine(plan->engine);
    const bool transforms = plan->engine >= ENGINE_MODULAR_FFT;
    const unsigned threads = plan->uses_team ? team_size(ctx->team) : 1;
    char head[128];
    const int length = snprintf(head, sizeof head, "%s %s %s, %llu x %llu limbs", backend, engine,
                                transforms ? names_variant(ctx->variant) : ctx->limbs->name,
                                (unsigned long long)plan->an, (unsigned long long)plan->bn);
    if (mul_float_engine(plan->engine)) {
        return print_float(plan, threads, head, buf, cap);
    }
    if (!transforms) {
        return snprintf(buf, cap, "%.*s", length, head);
    }
    const fft_plan *const f = &plan->fft.fft;
    const char *const rings = plan->ring_limbs > 0 ? ", two rings in turn" : "";
    return snprintf(buf, cap,
                    "%s%s, %d primes, %u-bit digits, %llu points = %llu of 2^%u rows x 2^%u, "
                    "%llu x %llu pieces, %u thread%s",
                    head, rings, FFT_PRIMES_USED, f->digit_bits,
                    (unsigned long long)(f->rows << f->lg_columns), (unsigned long long)f->rows,
                    f->lg_rows, f->lg_columns,
                    (unsigned long long)word_ceil_div(plan->an, plan->fft.a_piece),
                    (unsigned long long)word_ceil_div(plan->bn, plan->fft.b_piece), threads,
                    threads == 1 ? "" : "s");
}
