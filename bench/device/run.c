// run.c: see run.h. May include timing.h, bench/folder.h and what all programs share.
#include "bench/device/run.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/gmp_memory.h"
#include "apps/program.h"
#include "bench/device/timing.h"
#include "bench/folder.h"

enum { KEY_COMMIT = 0x1000, KEY_DIRTY, KEY_OUT, KEY_QUICK, KEY_ENERGY };  // beyond a program's own
enum { GROUP = 1 };                                                       // in --help, behind these

static const struct argp_option options[] = {
    {.doc = "Of all benchmarks of devices:", .group = GROUP},
    {"quick", KEY_QUICK, NULL, 0, "Fewer samples, smaller sizes", GROUP},
    {"energy", KEY_ENERGY, "SECONDS", 0, "Measure joules too, over SECONDS of each contender",
     GROUP},
    {"out", KEY_OUT, "FOLDER", 0, "Append records (bench/schema.md) to files in FOLDER", GROUP},
    {"commit", KEY_COMMIT, "HASH", 0, "Commit in the records", GROUP},
    {"dirty", KEY_DIRTY, NULL, 0, "Say there that the tree had changes", GROUP},
    {0}};

static error_t parse(int key, char *value, struct argp_state *state) {
    device_run *const run = state->input;
    switch (key) {
        case KEY_COMMIT:
            run->commit = value;
            return 0;
        case KEY_DIRTY:
            run->dirty = true;
            return 0;
        case KEY_OUT:
            run->out = value;
            return 0;
        case KEY_ENERGY:
            run->energy = (double)device_run_number(state, "energy", value, 1, 600);
            return 0;
        case KEY_QUICK:
            run->quick = true;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

// Gives its two children their inputs: the program's own parser, and `parse`.
static error_t share_out(int key, char *value, struct argp_state *state) {
    void *const *const inputs = state->input;
    (void)value;
    if (key != ARGP_KEY_INIT) {
        return ARGP_ERR_UNKNOWN;
    }
    state->child_inputs[0] = inputs[0], state->child_inputs[1] = inputs[1];
    return 0;
}

// "NVIDIA H200" and "NVIDIA H100 80GB HBM3" become h200 and h100.
static void name_chip(device_run *run) {
    const char *name = strncmp(run->device, "NVIDIA ", 7) == 0 ? run->device + 7 : run->device;
    size_t i = 0;
    for (; isalnum((unsigned char)name[i]) && i + 1 < sizeof run->chip; i++) {
        run->chip[i] = (char)tolower((unsigned char)name[i]);
    }
    run->chip[i] = 0;
}

void device_run_start(device_run *run, const struct argp *own, void *self, int argc, char **argv) {
    program_begin();
    program_prints();
    gmp_memory_checked();
    static const struct argp common = {
        .options = options, .parser = parse, .doc = "\v" PROGRAM_EXIT_CODES};
    const struct argp_child children[] = {{.argp = own}, {.argp = &common}, {0}};
    const struct argp parser = {.parser = share_out, .children = children};
    void *inputs[] = {self, run};
    *run = (device_run){.commit = "unknown"};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&parser, argc, argv, 0, NULL, inputs) != 0) {
        program_no_memory("the command line");
    }
    const char *const why = run->out != NULL ? bench_folder_refusal(run->out) : NULL;
    if (why != NULL) {
        fprintf(stderr, "%s: --out %s: %s\n", argv[0], run->out, why);
        exit(EXIT_USAGE);
    }
    if (!device_name(run->device, sizeof run->device)) {
        fprintf(stderr, "%s: no device\n", argv[0]);
        exit(EXIT_IO);
    }
    name_chip(run);
}

uint64_t device_run_number(const struct argp_state *state, const char *option, const char *value,
                           uint64_t least, uint64_t most) {
    char *end;
    errno = 0;
    const unsigned long long number = strtoull(value, &end, 10);  // would take spaces and a sign
    if (!isdigit((unsigned char)value[0]) || *end != '\0' || errno != 0 || number < least ||
        number > most) {
        argp_error(state, "--%s: '%s' is not a number from %" PRIu64 " to %" PRIu64, option, value,
                   least, most);
    }
    return number;
}

unsigned device_run_another(unsigned *count, unsigned most, const struct argp_state *state) {
    if (*count == most) {
        argp_error(state, "an option is repeated more than %u times", most);
    }
    return (*count)++;
}

error_t device_run_parts_parse(int key, char *value, struct argp_state *state) {
    device_run_parts *const parts = state->input;
    unsigned part = 0;
    switch (key) {
        case ARGP_KEY_ARG:
            while (part < parts->count && strcmp(value, parts->names[part]) != 0) {
                part++;
            }
            if (part == parts->count) {
                argp_error(state, "no part is called '%s'", value);
            }
            parts->asked |= 1u << part;
            return 0;
        case ARGP_KEY_END:
            parts->asked = parts->asked == 0 ? (1u << parts->count) - 1 : parts->asked;
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}
