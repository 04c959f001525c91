// options.c: parses cryptobench's command line with argp. May include bigint.h, the
// schemes, program.h and gmp.h (for its version alone).
#include "apps/crypto/options.h"

#include <argp.h>
#include <gmp.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/count.h"
#include "apps/crypto/schemes.h"
#include "apps/machine.h"
#include "apps/program.h"
#include "bigint/bigint.h"

static void check_scheme(const char *name, struct argp_state *state) {
    unsigned k = 0;
    while (k < crypto_schemes_count && strcmp(crypto_schemes[k].name, name) != 0) {
        k++;
    }
    if (k == crypto_schemes_count) {
        argp_error(state, "--scheme: no scheme is called '%s'", name);
    }
}

static double seconds_parse(const char *text, struct argp_state *state) {
    char *end;
    const double seconds = strtod(text, &end);
    if (end == text || *end != '\0' || !(seconds > 0) || !isfinite(seconds)) {
        argp_error(state, "--seconds: '%s' is not a positive number", text);
    }
    return seconds;
}

// Devices are numbered from 0.
static int device_parse(const char *text, struct argp_state *state) {
    const uint64_t number = count_parse(text, "", INT_MAX);
    if (number == 0 && strcmp(text, "0") != 0) {
        argp_error(state, "--device: '%s' is not a number", text);
    }
    return (int)number;
}

static unsigned number(const char *name, const char *text, unsigned max, struct argp_state *state) {
    const uint64_t count = count_parse(text, "", max);
    if (count == 0) {
        argp_error(state, "--%s: '%s' is not a number from 1 to %u", name, text, max);
    }
    return (unsigned)count;
}

static error_t parse_option(int key, char *value, struct argp_state *state) {
    cryptobench_options *o = state->input;
    switch (key) {
        case 's':
            o->seconds = seconds_parse(value, state);
            return 0;
        case 't':
            o->threads = number("threads", value, CRYPTOBENCH_THREADS_MAX, state);
            return 0;
        case 'n':
            check_scheme(value, state);
            o->scheme = value;
            return 0;
        case 'd':
            o->device = device_parse(value, state);
            return 0;
        case 'b':
            o->batch = number("batch", value, INT_MAX, state);
            return 0;
        case 'j':
            o->json = value;
            return 0;
        case 'p':
            o->chip = value;
            return 0;
        case 'm':
            o->commit = value;
            return 0;
        case 'y':
            o->dirty = true;
            return 0;
        case 'c':
            o->check = true;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

// help_with_schemes adds the names of the schemes, and their sizes, at the end of --help.
static char *help_with_schemes(int key, const char *text, void *input) {
    (void)input;
    if (key != ARGP_KEY_HELP_POST_DOC) {
        return (char *)(uintptr_t)text;  // argp's way to say: unchanged
    }
    char *all = NULL;  // argp frees it
    size_t length;
    FILE *const f = open_memstream(&all, &length);
    if (f == NULL) {
        program_no_memory("the help");
    }
    fputs("Schemes (NAME), and their sizes in bits:\n", f);
    for (unsigned k = 0; k < crypto_schemes_count; k++) {
        const crypto_scheme *const scheme = &crypto_schemes[k];
        fprintf(f, "  %-17s", scheme->name);
        for (unsigned i = 0; i < CRYPTO_SIZES_MAX && scheme->bits[i] != 0; i++) {
            fprintf(f, " %u", scheme->bits[i]);
        }
        fputc('\n', f);
    }
    fprintf(f, "\n%s", text);
    if (fclose(f) != 0) {
        program_no_memory("the help");
    }
    return all;
}

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "cryptobench %d.%d.%d (longmul; GMP %s, %s)\n", BIGINT_VERSION_MAJOR,
            BIGINT_VERSION_MINOR, BIGINT_VERSION_PATCH, gmp_version, crypto_openssl_version());
}

cryptobench_options cryptobench_options_parse(int argc, char **argv) {
    static const struct argp_option known[] = {
        {"seconds", 's', "S", 0, "Time each engine for S seconds (default 0.2)", 0},
        {"threads", 't', "N", 0, "Threads of throughput (default: one per processor)", 0},
        {"scheme", 'n', "NAME", 0, "One scheme alone, of those below", 0},
        {"device", 'd', "N", 0, "Batches on GPU number N too", 0},
        {"batch", 'b', "COUNT", 0, "Items of a batch there (default 16384)", 0},
        {"json", 'j', "FILE", 0, "Append a JSON line for each row to FILE", 0},
        {"chip", 'p', "NAME", 0, "Name of the machine in FILE", 0},
        {"commit", 'm', "HASH", 0, "Commit in FILE", 0},
        {"dirty", 'y', 0, 0, "Says in FILE that the tree had changes", 0},
        {"check", 'c', 0, 0, "Published answers, and every scheme once, untimed", 0},
        {0}};
    static const struct argp parser = {
        .options = known,
        .parser = parse_option,
        .doc =
            "Times RSA, Diffie-Hellman, Paillier and primality on this library, GMP and OpenSSL, "
            "and checks every answer.\v" PROGRAM_EXIT_CODES,
        .help_filter = help_with_schemes,
    };
    cryptobench_options o = {.seconds = 0.2,
                             .threads = processors(),
                             .batch = 16384,
                             .device = BIGINT_HOST,
                             .chip = "unknown",
                             .commit = "unknown"};
    if (o.threads > CRYPTOBENCH_THREADS_MAX) {
        o.threads = CRYPTOBENCH_THREADS_MAX;
    }
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version_hook = print_version;
    if (argp_parse(&parser, argc, argv, 0, NULL, &o) != 0) {
        program_no_memory("the command line");
    }
    return o;
}
