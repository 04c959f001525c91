// options.c: parses the command line with getopt_long.
#define _POSIX_C_SOURCE 200809L
#include "bench/options.h"

#include <ctype.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/cases/cases.h"
#include "bench/folder.h"
#include "bigint/bigint.h"

static const char help[] =
    "usage: bench [OPTIONS] [TOPIC ...]\n"
    "Times the library and its rival (GMP) alternately on the same operands, checks every result\n"
    "limb by limb, and prints a table. Ratio > 1: the library is faster. Runs all topics unless\n"
    "some are named; --list names them.\n"
    "\n"
    "  --sizes LO..HI   only sizes of 2^LO to 2^HI bits (the longer operand)\n"
    "  --quick          short rows, sizes up to 2^20 bits: seconds in all\n"
    "  --long           larger sizes too: up to 2^31 bits\n"
    "  --sample N       draw N sizes from each topic's range, evenly on the logarithmic scale, "
    "and\n"
    "                   count the sizes at which we are slower (mul unless topics are named)\n"
    "  --pairs N        at least N pairs of samples in each row (default 3)\n"
    "  --share I/N      of each topic's rows only number I, I + N, I + 2 N, ... from 0 on;\n"
    "                   N programs measure all of them, each on a core of its own\n"
    "  --threads N      threads of the library; \"threads\" compares N (default 2) with 1\n"
    "  --engine NAME    force an engine of the library\n"
    "  --variant NAME   force a SIMD variant\n"
    "  --rival CMD      measure against the program CMD instead of GMP (bench/schema.md)\n"
    "  --json FILE      append one JSON line for each row to FILE\n"
    "  --records DIR    append them to DIR/<chip>-<topic>.jsonl\n"
    "  --roofs          measure the peak rates of this machine, and stop\n"
    "  --list           name the topics and stop\n"
    "  --help           this text\n";

enum {
    SIZES = 1,
    QUICK,
    LONG,
    SAMPLE,
    PAIRS,
    SHARE,
    THREADS,
    ENGINE,
    VARIANT,
    RIVAL,
    JSON,
    RECORDS,
    ROOFS,
    LIST,
    HELP
};

static const struct option known[] = {
    {"sizes", required_argument, NULL, SIZES},
    {"quick", no_argument, NULL, QUICK},
    {"long", no_argument, NULL, LONG},
    {"sample", required_argument, NULL, SAMPLE},
    {"pairs", required_argument, NULL, PAIRS},
    {"share", required_argument, NULL, SHARE},
    {"threads", required_argument, NULL, THREADS},
    {"engine", required_argument, NULL, ENGINE},
    {"variant", required_argument, NULL, VARIANT},
    {"rival", required_argument, NULL, RIVAL},
    {"json", required_argument, NULL, JSON},
    {"records", required_argument, NULL, RECORDS},
    {"roofs", no_argument, NULL, ROOFS},
    {"list", no_argument, NULL, LIST},
    {"help", no_argument, NULL, HELP},
    {NULL, 0, NULL, 0},
};

static void refuse(const char *what, const char *value) {
    fprintf(stderr, "bench: %s: %s (see --help)\n", what, value);
    exit(EXIT_USAGE);
}

// refuse_records ends the program if `why` says why records cannot be written.
static void refuse_records(const char *option, const char *path, const char *why) {
    if (why != NULL) {
        fprintf(stderr, "bench: %s %s: %s\n", option, path, why);
        exit(EXIT_USAGE);
    }
}

// Digits alone: strtoul would take spaces and a sign.
static bool read_number(unsigned long *n, const char *text, char **end) {
    *n = strtoul(text, end, 10);
    return isdigit((unsigned char)*text);
}

// LO..HI or one number; exponents of 2.
static void read_sizes(bench_options *o, const char *text) {
    char *end;
    unsigned long lo, hi;
    bool ok = read_number(&lo, text, &end);
    hi = lo;
    if (ok && strncmp(end, "..", 2) == 0) {
        ok = read_number(&hi, end + 2, &end);
    }
    if (!ok || *end != '\0' || lo > hi || hi > 64) {
        refuse("--sizes wants LO..HI, not", optarg);
    }
    o->size_lo = (unsigned)lo;
    o->size_hi = (unsigned)hi;
}

// I/N with I < N.
static void read_share(bench_options *o, const char *text) {
    char rest;
    if (sscanf(text, "%u/%u%c", &o->share, &o->shares, &rest) != 2 || o->share >= o->shares) {
        refuse("--share wants I/N with I below N, not", text);
    }
}

static unsigned read_count(const char *text, const char *wants) {
    char *end;
    unsigned long n;
    if (!read_number(&n, text, &end) || *end != '\0' || n < 1 || n > 4096) {
        refuse(wants, text);
    }
    return (unsigned)n;
}

// names: all that the library knows, even if this machine cannot run it.
static void check_name(const char *name, const char *const *names, const char *otherwise) {
    for (; name != NULL && *names != NULL; names++) {
        if (strcmp(name, *names) == 0) {
            return;
        }
    }
    if (name != NULL) {
        refuse(otherwise, name);
    }
}

static void check_topics(const bench_options *o) {
    size_t count;
    const bench_sweep *sweeps = bench_sweeps(&count);
    for (int i = 0; i < o->topic_count; i++) {
        size_t at = 0;
        while (at < count && strcmp(sweeps[at].topic, o->topics[i]) != 0) {
            at++;
        }
        if (at == count) {
            refuse("no such topic", o->topics[i]);
        }
    }
}

bool bench_options_want(const bench_options *o, const char *topic) {
    for (int i = 0; i < o->topic_count; i++) {
        if (strcmp(o->topics[i], topic) == 0) {
            return true;
        }
    }
    return o->topic_count == 0;
}

static void read_option(bench_options *o, int opt) {
    switch (opt) {
        case SIZES:
            read_sizes(o, optarg);
            break;
        case QUICK:
            o->quick = true;
            break;
        case LONG:
            o->longer = true;
            break;
        case SAMPLE:
            o->sample = read_count(optarg, "--sample wants a number from 1 to 4096, not");
            break;
        case PAIRS:
            o->pairs = read_count(optarg, "--pairs wants a number from 1 to 4096, not");
            break;
        case SHARE:
            read_share(o, optarg);
            break;
        case THREADS:
            o->threads = read_count(optarg, "--threads wants a number from 1 to 4096, not");
            break;
        case ENGINE:
            o->engine = optarg;
            break;
        case VARIANT:
            o->variant = optarg;
            break;
        case RIVAL:
            o->rival = optarg;
            break;
        case JSON:
            o->json = optarg;
            break;
        case RECORDS:
            o->records = optarg;
            break;
        case ROOFS:
            o->roofs = true;
            break;
        case LIST:
            o->list = true;
            break;
        case HELP:
            fputs(help, stdout);
            exit(0);
        default:
            exit(EXIT_USAGE);
    }
}

bench_options bench_options_read(int argc, char **argv) {
    bench_options o = {.size_lo = 0, .size_hi = 64, .shares = 1};
    for (int opt; (opt = getopt_long(argc, argv, "", known, NULL)) != -1;) {
        read_option(&o, opt);
    }
    o.topics = argv + optind;
    o.topic_count = argc - optind;
    static char *sampled[] = {"mul"};
    if (o.sample > 0 && o.topic_count == 0) {
        o.topics = sampled;
        o.topic_count = 1;
    }
    if (o.quick && o.size_hi > 20) {
        o.size_hi = 20;
    }
    check_topics(&o);
    check_name(o.engine, bigint_engines(), "no such engine");
    check_name(o.variant, bigint_variants(), "no such variant");
    if (o.json != NULL) {
        refuse_records("--json", o.json, bench_file_refusal(o.json));
    }
    if (o.records != NULL) {
        refuse_records("--records", o.records, bench_folder_refusal(o.records));
    }
    return o;
}
