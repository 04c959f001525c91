// demo_report.c: the lines that the demo prints, and the comparison with GMP. May include demo.h
// and bigint_gmp.h.
#include <err.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/demo.h"
#include "apps/machine.h"
#include "apps/program.h"
#include "bigint/bigint_gmp.h"

void demo_title(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    printf("\n");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    program_flush();
}

void demo_progress(const char *what) {
    if (isatty(STDOUT_FILENO)) {
        printf("\r\033[K  ... %s", what);
        fflush(stdout);
    }
}

// Takes the place of what demo_progress has said.
static void end_progress(void) {
    if (isatty(STDOUT_FILENO)) {
        printf("\r\033[K");
    }
}

void demo_line(const char *label, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    end_progress();
    printf("  %-9s", label);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    program_flush();
}

void demo_plan(const char *label, bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    char plan[512];
    place_must(ctx, bigint_explain(ctx, plan, sizeof plan, NULL, an, bn));
    demo_line(label, "%s", plan);
}

double demo_middle(const double t[ROUNDS]) {
    return fmax(fmin(t[0], t[1]), fmin(fmax(t[0], t[1]), t[2]));
}

const char *demo_threads(const demo *d, char buf[32]) {
    snprintf(buf, 32, "%" PRIu32 " thread%s", d->threads, d->threads == 1 ? "" : "s");
    return buf;
}

void demo_ratio(demo *d, const char *name, const demo_times *t, const char *note) {
    demo_row *row = &d->rows[d->rows_count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    row->times = *t;
    char threads[32];
    demo_threads(d, threads);
    demo_line("longmul", "%.3f s on %s, %.3f s on 1 thread%s", t->many, threads, t->one, note);
    demo_line("GMP", "%.3f s on 1 thread", t->gmp);
    demo_line("ratio", "%.2f with %s, %.2f thread against thread", t->gmp / t->many, threads,
              t->gmp / t->one);
}

void demo_table(const demo *d) {
    char threads[32], left[32], right[32], name[80];
    demo_threads(d, threads);
    printf("\n%-44s %11s %11s %11s %8s\n", "", "GMP", "longmul", "longmul", "");
    printf("%-44s %11s %11s %11s %8s\n", "seconds", "1 thread", "1 thread", threads, "faster");
    for (int i = 0; i < d->rows_count; i++) {
        const demo_times *t = &d->rows[i].times;
        printf("%-44s %11.3f %11.3f %11.3f %7.1fx\n", d->rows[i].name, t->gmp, t->one, t->many,
               t->gmp / t->many);
    }
    if (d->device_rows_count > 0) {
        printf("\n%-44s %11s %11s %11s\n", "one product on the GPU, milliseconds", "alone",
               "with copies", threads);
    }
    for (int i = 0; i < d->device_rows_count; i++) {
        const demo_device_row *row = &d->device_rows[i];
        snprintf(name, sizeof name, "%s x %s limbs", demo_count(left, row->an),
                 demo_count(right, row->bn));
        printf("%-44s %11.3f %11.3f %11.3f\n", name, 1e3 * row->alone, 1e3 * row->end_to_end,
               1e3 * row->many);
    }
}

void demo_must_agree(bool agrees) {
    if (!agrees) {
        errx(EXIT_WRONG, "the result differs from GMP's");
    }
}

bool demo_same(const demo *d, const bigint *a, const mpz_t z) {
    mpz_t copy;
    mpz_init(copy);
    place_must(d->many, bigint_get_mpz(d->many, copy, a));
    const bool same = mpz_cmp(copy, z) == 0;
    mpz_clear(copy);
    return same;
}

const char *demo_count(char buf[32], uint64_t n) {
    char digits[24];
    const size_t length = (size_t)snprintf(digits, sizeof digits, "%" PRIu64, n);
    char *end = buf;
    for (size_t i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) {
            *end++ = ',';
        }
        *end++ = digits[i];
    }
    *end = '\0';
    return buf;
}

char *demo_text(const demo *d, const bigint *a, size_t *length) {
    size_t need = 0;
    const bigint_status asked = bigint_get_decimal(d->many, NULL, 0, &need, a);
    if (asked != BIGINT_ERANGE) {
        place_must(d->many, asked);
    }
    char *text = program_memory(need, 1, "a text");
    demo_progress("writing the decimal digits");
    const double began = seconds_now();
    place_must(d->many, bigint_get_decimal(d->many, text, need, &need, a));
    const double seconds = seconds_now() - began;
    *length = need - 1;
    char count[32];
    demo_line("digits", "%s: %.20s ... %s", demo_count(count, *length), text, text + *length - 20);
    demo_line("", "(read off the decimal text, which bigint_get_decimal wrote in %.3f s)", seconds);
    return text;
}
