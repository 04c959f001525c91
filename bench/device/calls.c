// calls.c: see calls.h.
#define _GNU_SOURCE  // program_invocation_short_name
#include "bench/device/calls.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"

void calls_stop(const char *what, const char *why) {
    fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name, what, why);
    exit(EXIT_WRONG);
}

void calls_must(const bigint_ctx *ctx, bigint_status status) {
    if (status != BIGINT_OK) {
        calls_stop("a call failed", bigint_ctx_error(ctx));
    }
}
