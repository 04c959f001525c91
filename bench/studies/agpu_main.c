// agpu_main.c: the program `agpu`: times that the AGPU model predicts for rows of records.
//
//   agpu BANDWIDTH CACHE_BANDWIDTH CACHE_BYTES LATENCY [FACTOR]
//
// The four numbers are measured: bytes in a nanosecond from memory and from the cache, the cache's
// size, nanoseconds of a launch. Reads lines of fields with a tab between them:
//   GROUP TOPIC OP VARIANT N COUNT SHAPE
// SHAPE: of transforms the plan's spec, of products "primes pieces lg_outer lg_rows lg_columns
// whole", elsewhere anything. Writes a line of JSON for each: the counts, the time and its parts,
// or {} for what it does not know. With a FACTOR also whether agpu_prune keeps the row among those
// of its group, which follow each other. bench/report/agpu_report.py runs it.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/studies/agpu.h"

enum { MULTIPROCESSORS = 132, LINE = 1024, GROUP_MOST = 4096 };

typedef struct {
    char group[128], topic[32], op[64], variant[64], shape[400];
    uint64_t n, count;
} row;

static bool read_row(row *r, const char *line) {
    return sscanf(line,
                  "%127[^\t]\t%31[^\t]\t%63[^\t]\t%63[^\t]\t%" SCNu64 "\t%" SCNu64 "\t%399[^\n]",
                  r->group, r->topic, r->op, r->variant, &r->n, &r->count, r->shape) == 7;
}

static bool count_scan(agpu_counts *c, const row *r) {
    scan_job job = {.op = MONOID_SUM_U32, .n = r->n, .rows = r->count};
    for (unsigned v = 0; v < SCAN_VARIANTS; v++) {
        if (strcmp(scan_variant_name((scan_variant)v), r->variant) == 0) {
            job.variant = (scan_variant)v;
            return agpu_scan(c, &job, 4);
        }
    }
    return false;
}

static bool count_reduce(agpu_counts *c, const row *r) {
    const reduce_job job = {.op = MONOID_SUM_U32, .n = r->n, .rows = r->count};
    return strcmp(r->variant, "chunks") == 0 && agpu_reduce(c, &job, 4);
}

static bool count_sort(agpu_counts *c, const row *r) {
    sort_job job = {.key = strncmp(r->op, "u64", 3) == 0 ? SORT_U64 : SORT_U32,
                    .n = r->n,
                    .rows = r->count,
                    .ragged = strstr(r->op, "ragged") != NULL};
    job.value_bytes = strstr(r->op, "pairs") == NULL ? 0 : job.key == SORT_U64 ? 8 : 4;
    sort_plan plan;
    for (unsigned v = 0; v < SORT_VARIANTS; v++) {
        if (strcmp(sort_variant_name((sort_variant)v), r->variant) == 0) {
            return sort_plan_make(&job, (sort_variant)v, &plan) && agpu_sort(c, &job, &plan);
        }
    }
    return false;
}

static bool count_tridiagonal(agpu_counts *c, const row *r) {
    const bool strided = strncmp(r->op, "strided", 7) == 0;
    const tridiagonal_job job = {
        .type = strstr(r->op, "f64") != NULL ? TRIDIAGONAL_F64 : TRIDIAGONAL_F32,
        .n = r->n,
        .batch = r->count,
        .row_stride = strided ? 1 : r->count,
        .system_stride = strided ? r->n : 1};
    tridiagonal_plan plan;
    for (unsigned v = 0; v < TRIDIAGONAL_VARIANTS; v++) {
        if (strcmp(tridiagonal_variant_name((tridiagonal_variant)v), r->variant) == 0) {
            return tridiagonal_make_plan(&plan, &job, (tridiagonal_variant)v) &&
                   agpu_tridiagonal(c, &plan);
        }
    }
    return false;
}

static bool count_fft(agpu_counts *c, const row *r) {
    fft_id_plan plan;
    return fft_id_parse(&plan, r->shape) == NULL && agpu_fft(c, &plan);
}

static bool count_product(agpu_counts *c, const row *r) {
    agpu_shape s = {.n = r->n, .square = strcmp(r->op, "sqr") == 0};
    unsigned whole = 0;
    s.whole = false;
    const bool ok = sscanf(r->shape, "%u %u %u %u %u %u", &s.primes, &s.pieces, &s.lg_outer,
                           &s.lg_rows, &s.lg_columns, &whole) == 6;
    s.whole = whole != 0;
    return ok && agpu_product(c, &s);
}

// Op: FORM-WORDSxRADIX^W, of one number.
static bool count_carry(agpu_counts *c, const row *r) {
    carry_job job = {
        .form = strncmp(r->op, "f64", 3) == 0 ? CARRY_F64 : CARRY_U64, .n = r->n, .rows = r->count};
    unsigned radix = 0;
    if (sscanf(r->op, "%*[a-z0-9]-%ux%u^%u", &job.words, &radix, &job.w) != 3) {
        return false;
    }
    job.radix = radix == 2 ? CARRY_POW2 : CARRY_POW10;
    job.out = radix == 2 ? (r->n * job.w + 63) / 64 : r->n;
    return agpu_carry(c, &job);
}

static bool count(agpu_counts *c, const row *r) {
    static const struct {
        const char *topic;
        bool (*count)(agpu_counts *c, const row *r);
    } topics[] = {{"scan", count_scan},       {"reduce", count_reduce},
                  {"sort", count_sort},       {"tridiagonal", count_tridiagonal},
                  {"fft", count_fft},         {"fft-ablations", count_fft},
                  {"product", count_product}, {"product-shapes", count_product},
                  {"carry", count_carry}};
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (strcmp(topics[i].topic, r->topic) == 0) {
            return topics[i].count(c, r);
        }
    }
    return false;
}

// The rows of a group, printed once it is complete.
typedef struct {
    char name[128];
    size_t count;
    double times[GROUP_MOST];
    agpu_counts counts[GROUP_MOST];
    agpu_parts parts[GROUP_MOST];
} group;

static void print_group(group *g, double factor) {
    static bool keep[GROUP_MOST];
    agpu_prune(g->times, g->count, factor, keep);
    for (size_t i = 0; i < g->count; i++) {
        const agpu_counts *const c = &g->counts[i];
        const agpu_parts *const p = &g->parts[i];
        if (!isfinite(g->times[i])) {
            puts("{}");
            continue;
        }
        printf(
            "{\"launches\":%g,\"steps\":%.6g,\"io\":%.6g,\"multiplicity\":%.4g,"
            "\"footprint\":%.6g,\"ns\":%.6g,\"launches_ns\":%.6g,\"io_ns\":%.6g,"
            "\"steps_ns\":%.6g,\"kept\":%s}\n",
            c->launches, c->steps, c->io, p->multiplicity, c->footprint, g->times[i], p->launches,
            p->io, p->steps, keep[i] ? "true" : "false");
    }
    g->count = 0;
}

static bool read_chip(agpu_chip *chip, char **argv) {
    double *const to[] = {&chip->bandwidth, &chip->cache_bandwidth, &chip->cache_bytes,
                          &chip->latency};
    for (int i = 0; i < 4; i++) {
        *to[i] = strtod(argv[i + 1], NULL);
        if (!(*to[i] > 0)) {
            return false;
        }
    }
    return true;
}

int main(int argc, char **argv) {
    agpu_chip chip = agpu_hopper(MULTIPROCESSORS);
    if (argc < 5 || !read_chip(&chip, argv)) {
        fprintf(stderr,
                "agpu BANDWIDTH CACHE_BANDWIDTH CACHE_BYTES LATENCY [FACTOR] <ROWS; see the "
                "comment at the top of agpu_main.c\n");
        return 2;
    }
    const double factor = argc > 5 ? strtod(argv[5], NULL) : INFINITY;
    static group g;
    char line[LINE];
    row r;
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (!read_row(&r, line)) {
            fprintf(stderr, "agpu: what is %s", line);
            return 2;
        }
        if (g.count > 0 && (strcmp(g.name, r.group) != 0 || g.count == GROUP_MOST)) {
            print_group(&g, factor);
        }
        memcpy(g.name, r.group, sizeof g.name);
        g.times[g.count] = count(&g.counts[g.count], &r)
                               ? agpu_time(&g.counts[g.count], &chip, &g.parts[g.count])
                               : INFINITY;
        g.count++;
    }
    print_group(&g, factor);
    return 0;
}
