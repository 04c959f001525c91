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
enum { RANGE = 1, GROUP, THREADS_MOST = 256 };  // groups in --help, behind these

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

// range_help: the options of a range, which state its limits.
enum { RANGE_OPTIONS = 4 };
typedef struct {
    char from[64], to[64], threads[64];
    struct argp_option options[RANGE_OPTIONS + 1];
} range_help;

static void describe_range(range_help *h, const device_range *r) {
    static const char limits[] = "%s, %u to %u (default %u)";
    unsigned count = 0;
    snprintf(h->from, sizeof h->from, limits, "The shortest", r->least, r->most, r->from);
    snprintf(h->to, sizeof h->to, limits, "The longest", r->least, r->most, r->to);
    snprintf(h->threads, sizeof h->threads, limits, "Threads of a context", 1, THREADS_MOST,
             r->threads);
    if (r->sizes != NULL) {
        h->options[count++] = (struct argp_option){.doc = r->sizes, .group = RANGE};
        h->options[count++] = (struct argp_option){"from", 'f', "N", 0, h->from, RANGE};
        h->options[count++] = (struct argp_option){"to", 't', "N", 0, h->to, RANGE};
    }
    if (r->threads > 0) {
        h->options[count++] = (struct argp_option){"threads", 'j', "N", 0, h->threads, RANGE};
    }
    h->options[count] = (struct argp_option){0};
}

static error_t parse_range(int key, char *value, struct argp_state *state) {
    device_range *const r = state->input;
    switch (key) {
        case 'f':
            r->from = (unsigned)device_run_number(state, "from", value, r->least, r->most);
            return 0;
        case 't':
            r->to = (unsigned)device_run_number(state, "to", value, r->least, r->most);
            return 0;
        case 'j':
            r->threads = (unsigned)device_run_number(state, "threads", value, 1, THREADS_MOST);
            return 0;
        case ARGP_KEY_END:
            if (r->from > r->to) {
                argp_error(state, "--from is above --to");
            }
            return 0;
        default:
            return ARGP_ERR_UNKNOWN;
    }
}

static void shorten(device_range *r) {
    r->from = r->from < r->quick ? r->from : r->quick;
    r->to = r->to < r->quick ? r->to : r->quick;
}

// Gives its children their inputs.
enum { CHILDREN = 3 };
static error_t share_out(int key, char *value, struct argp_state *state) {
    (void)value;
    if (key != ARGP_KEY_INIT) {
        return ARGP_ERR_UNKNOWN;
    }
    memcpy(state->child_inputs, state->input, CHILDREN * sizeof(void *));
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
    *run = (device_run){.commit = "unknown", .range = run->range};
    range_help help;
    describe_range(&help, &run->range);
    const struct argp range = {.options = help.options, .parser = parse_range};
    const struct argp_child children[CHILDREN + 1] = {
        {.argp = own}, {.argp = &range}, {.argp = &common}};
    const struct argp parser = {.parser = share_out, .children = children};
    void *inputs[CHILDREN] = {self, &run->range, run};
    argp_err_exit_status = EXIT_USAGE;
    if (argp_parse(&parser, argc, argv, 0, NULL, inputs) != 0) {
        program_no_memory("the command line");
    }
    if (run->quick) {
        shorten(&run->range);
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
