// demo.c: three products of real numbers with tens of millions of digits, by the library and by
// GMP. Parses the command line and runs the parts. May include demo.h.
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/demo.h"
#include "apps/gmp_memory.h"
#include "apps/machine.h"
#include "apps/program.h"

enum { KEY_QUICK = 'q', KEY_THREADS = 'j', KEY_DEVICE = 'd' };

static error_t parse_option(int key, char *value, struct argp_state *state) {
    demo *d = state->input;
    if (key == KEY_QUICK) {
        d->quick = true;
        return 0;
    }
    if (key == KEY_THREADS) {
        d->threads = place_threads(value);
        return 0;
    }
    if (key == KEY_DEVICE) {
        d->device.at = place_value(value);
        return 0;
    }
    return ARGP_ERR_UNKNOWN;
}

static void print_version(FILE *stream, struct argp_state *state) {
    (void)state;
    fprintf(stream, "demo %d.%d.%d (longmul; GMP %s)\n", BIGINT_VERSION_MAJOR, BIGINT_VERSION_MINOR,
            BIGINT_VERSION_PATCH, gmp_version);
}

static bigint_ctx *open_host(uint32_t threads) {
    place host;
    const bigint_ctx_options options = {.threads = threads};
    const bigint_status status = place_open(&host, BIGINT_HOST, NULL, &options);
    place_must(host.ctx, status);
    return host.ctx;
}

// Opens the device that was asked for, or device 0 if it will.
static void open_device(place *device) {
    const int asked = device->at;
    if (asked == BIGINT_HOST) {
        return;
    }
    const bigint_status status = place_open(device, asked == PLACE_AUTO ? 0 : asked, NULL, NULL);
    if (asked == PLACE_AUTO && status != BIGINT_OK) {
        place_close(device);
        return;
    }
    place_must(device->ctx, status);
}

int main(int argc, char **argv) {
    static const struct argp_option options[] = {
        {"quick", KEY_QUICK, 0, 0, "Numbers of some hundred thousand digits", 0},
        {"threads", KEY_THREADS, "N", 0,
         "Threads besides the times on one (default: one per processor)", 0},
        {"device", KEY_DEVICE, "PLACE", 0,
         "Multiply on GPU number PLACE (0, 1, ...) too, on the host alone, or auto (default): on "
         "GPU 0 too if there is one",
         0},
        {0},
    };
    static const struct argp parser = {
        options,
        parse_option,
        NULL,
        "Multiplies numbers of tens of millions of digits and compares time and result with GMP."
        "\v" PROGRAM_EXIT_CODES,
        0,
        0,
        0};
    program_begin();
    program_prints();
    gmp_memory_checked();
    argp_err_exit_status = EXIT_USAGE;
    argp_program_version_hook = print_version;
    demo d = {.threads = processors(), .device = {PLACE_AUTO, NULL}};
    if (argp_parse(&parser, argc, argv, 0, NULL, &d) != 0) {
        program_no_memory("the command line");
    }
    const double began = seconds_now();
    d.many = open_host(d.threads);
    d.one = open_host(1);
    open_device(&d.device);
    printf("longmul %d.%d.%d (%s, %s%s%s) and GMP %s\n", BIGINT_VERSION_MAJOR, BIGINT_VERSION_MINOR,
           BIGINT_VERSION_PATCH, bigint_backend_name(d.many), bigint_variant_name(d.many),
           d.device.ctx == NULL ? "" : "; ",
           d.device.ctx == NULL ? "" : bigint_backend_name(d.device.ctx), gmp_version);
    program_flush();
    demo_primes(&d);
    demo_factorial(&d);
    demo_roots(&d);
    demo_table(&d);
    printf("\nEverything equal to GMP, to the last digit; %.0f s in all.\n", seconds_now() - began);
    place_close(&d.device);
    bigint_ctx_destroy(d.one);
    bigint_ctx_destroy(d.many);
    return 0;
}
