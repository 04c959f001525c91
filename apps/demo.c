// demo.c: three products of real numbers with tens of millions of digits, by the library and by
// GMP. Parses the command line and runs the parts. May include demo.h.
#include <argp.h>
#include <err.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/demo.h"
#include "apps/machine.h"

enum { KEY_QUICK = 'q', KEY_THREADS = 'j' };

static error_t parse_option(int key, char *value, struct argp_state *state) {
    demo *d = state->input;
    if (key == KEY_QUICK) {
        d->quick = true;
        return 0;
    }
    if (key == KEY_THREADS) {
        d->threads = (uint32_t)strtoul(value, NULL, 10);
        if (d->threads == 0 || d->threads > 4096) {
            argp_error(state, "--threads: '%s' is not a number from 1 to 4096", value);
        }
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static bigint_ctx *create_context(uint32_t threads) {
    bigint_ctx *ctx;
    const bigint_ctx_options options = {.threads = threads};
    demo_must(ctx, bigint_ctx_create(&ctx, NULL, &options));
    return ctx;
}

int main(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"quick", KEY_QUICK, 0, 0, "Numbers of a hundredth of the length", 0},
        {"threads", KEY_THREADS, "N", 0,
         "Threads besides the times on one (default: one per processor)", 0},
        {0},
    };
    static const struct argp parser = {
        options,
        parse_option,
        NULL,
        "Multiplies numbers of tens of millions of digits and compares time and result with GMP.",
        0,
        0,
        0};
    argp_err_exit_status = 2;
    demo d = {.threads = processors()};
    if (argp_parse(&parser, argc, argv, 0, NULL, &d) != 0) {
        errx(1, "reading the command line failed");
    }
    const double began = seconds_now();
    d.many = create_context(d.threads);
    d.one = create_context(1);
    printf("longmul %d.%d.%d (%s, %s) and GMP %s\n", BIGINT_VERSION_MAJOR, BIGINT_VERSION_MINOR,
           BIGINT_VERSION_PATCH, bigint_backend_name(d.many), bigint_variant_name(d.many),
           gmp_version);
    demo_primes(&d);
    demo_factorial(&d);
    demo_roots(&d);
    printf("\nEverything equal to GMP; %.0f s in all.\n", seconds_now() - began);
    bigint_ctx_destroy(d.one);
    bigint_ctx_destroy(d.many);
    return 0;
}
