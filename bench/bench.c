// bench.c: the main program: walks the registry, measures each row, prints the table, writes
// records. Exit status: 0 all rows right, 1 a wrong result, 2 usage, 3 output that could not be
// written, 4 no memory for what all rows share.
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "apps/gmp_memory.h"
#include "apps/program.h"
#include "bench/cases/cases.h"
#include "bench/harness.h"
#include "bench/host.h"
#include "bench/model.h"
#include "bench/options.h"
#include "bench/record.h"
#include "bench/rival.h"
#include "bench/roof/roof.h"
#include "bench/sample.h"
#include "primitives/words/cpu.h"

// State common to all rows.
typedef struct {
    bench_options options;
    bench_effort effort;
    bench_host host;
    bench_roof roof;
    bench_rival rival;  // running if options.rival
    char gmp[32];
    size_t row_number, row_count;
    const char *topic;    // of the table's current heading
    bench_losses losses;  // of the current sweep
    bool failed;
} run;

// Bits of the longer operand, for --sizes and --quick.
static double log2_bits(const bench_case *c, const bench_row *row) {
    const double bits_of[] = {
        [UNIT_BITS] = 1, [UNIT_DIGITS] = log2(10), [UNIT_COEFFICIENTS] = 64, [UNIT_POINTS] = 64};
    return log2(bits_of[c->unit] * (double)row->an);
}

static bench_row row_for(const bench_sweep *sweep, uint64_t an) {
    const uint64_t bn = sweep->shape == 0 ? 64 : an / sweep->shape;
    return (bench_row){an, bn > 0 ? bn : 1};
}

static bench_row row_of(const bench_sweep *sweep, unsigned exponent) {
    uint64_t an = sweep->base == 1 ? exponent : 1;
    for (unsigned i = 0; i < exponent; i++) {
        an *= sweep->base;
    }
    return row_for(sweep, an / sweep->den * sweep->num);
}

// Whether the command line selects this sweep.
static bool sweep_wanted(const run *r, const bench_sweep *sweep) {
    const bench_options *o = &r->options;
    bool names = (!o->engine || !sweep->engine || strcmp(o->engine, sweep->engine) == 0) &&
                 (!o->variant || !sweep->variant || strcmp(o->variant, sweep->variant) == 0);
    bool threads = !sweep->two_threads || (o->threads ? o->threads > 1 : r->host.cores > 1);
    // Outside rivals compute products and squares only. --sample draws lengths in bits.
    const bench_case *c = sweep->operation;
    bool drawn = o->sample == 0 || (c->unit == UNIT_BITS && sweep->num == sweep->den);
    bool spoken = !o->rival || (!c->rival && (c->work == WORK_PRODUCT || c->work == WORK_SQUARE));
    return names && threads && spoken && drawn && bench_options_want(o, sweep->topic) &&
           (!c->available || c->available());
}

// One line on stderr for the current row, rewritten in place on a terminal.
static void progress(const run *r, const char *what) {
    fprintf(stderr, isatty(STDERR_FILENO) ? "\r\033[K[%zu/%zu] %s" : "[%zu/%zu] %s\n",
            r->row_number, r->row_count, what);
}

static void progress_clear(void) {
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
    }
}

static void stop_rival(run *r) {
    if (r->options.rival) {
        bench_rival_stop(&r->rival);
    }
}

// A record that cannot be written ends the program: the other records would be lost too.
static void append_record(run *r, const char *name, const bench_record *record) {
    FILE *f = fopen(name, "a");
    bool ok = f && bench_record_json(f, record);
    ok = f && fclose(f) == 0 && ok;
    if (!ok) {
        fprintf(stderr, "bench: cannot write %s: %s\n", name, strerror(errno));
        stop_rival(r);
        exit(EXIT_IO);
    }
}

static void write_records(run *r, const bench_record *record) {
    if (r->options.json) {
        append_record(r, r->options.json, record);
    }
    if (r->options.records) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s-%s.jsonl", r->options.records, r->host.chip,
                 record->sweep->topic);
        append_record(r, name, record);
    }
}

// A row with an outside rival is checked on both sides.
typedef struct {
    const bench_case *operation;
    bench_state *state;
    bench_rival *rival;
} outside_check;

static bool check_outside(void *self) {
    outside_check *c = self;
    bench_state *s = c->state;
    if (!c->operation->check(s)) {
        return false;
    }
    if (!bench_rival_result(c->rival, s->gs)) {
        snprintf(s->error, sizeof s->error, "%s", c->rival->error);
        return false;
    }
    if (mpz_cmp(s->gs, s->gr) != 0) {
        snprintf(s->error, sizeof s->error, "WRONG: the rival's result differs from GMP's");
        return false;
    }
    return true;
}

static bool measure_outside(run *r, bench_state *s, bench_record *record) {
    const bench_case *c = record->sweep->operation;
    bench_side ours = {bench_sample_calls, c->ours, s}, theirs = bench_rival_side(&r->rival);
    outside_check check = {c, s, &r->rival};
    const bool square = c->work == WORK_SQUARE;
    r->rival.error[0] = '\0';
    bool ok = c->theirs(s) &&
              bench_rival_load(&r->rival, c->name, s->ga, square ? NULL : s->gb, record->threads) &&
              bench_measure(&ours, &theirs, check_outside, &check, &r->effort, &record->result);
    if (!ok && !s->error[0]) {
        snprintf(s->error, sizeof s->error, "%s", r->rival.error);
    }
    return ok;
}

static bool measure(run *r, bench_state *s, bench_record *record) {
    const bench_case *c = record->sweep->operation;
    bench_side ours = {bench_sample_calls, c->ours, s}, theirs = {bench_sample_calls, c->theirs, s};
    if (r->options.rival) {
        return measure_outside(r, s, record);
    }
    return (!c->expect || c->expect(s)) &&
           bench_measure(&ours, &theirs, c->check, s, &r->effort, &record->result);
}

// Fills in what the library reports about itself and the plan.
static void describe(const run *r, bench_state *s, bench_record *record, const char *engine) {
    const bench_case *c = record->sweep->operation;
    record->backend = bigint_backend_name(s->ctx);
    record->variant = bigint_variant_name(s->ctx);
    record->engine = engine ? engine : "auto";
    if (s->engine) {
        record->engine = s->engine;
        record->variant = s->variant;
        memcpy(record->plan.line, s->plan, sizeof s->plan);
    }
    record->count = s->count > 0 ? s->count : 1;
    record->error_l2 = s->error_l2;
    record->rival_error_l2 = s->rival_error_l2;
    if (c->work == WORK_PRODUCT || c->work == WORK_SQUARE) {
        record->plan = bench_plan_get(s->ctx, record->row.an, record->row.bn);
        record->engine = record->plan.engine;
    }
    record->share = bench_share_of(c, &record->row, &record->plan, &r->roof, record->threads,
                                   record->result.ours.median);
}

static void publish(run *r, const bench_record *record) {
    progress_clear();
    if (r->topic != record->sweep->topic) {
        r->topic = record->sweep->topic;
        bench_record_head(stdout, r->topic, record->rival);
    }
    bench_record_print(stdout, record);
    program_flush();
    write_records(r, record);
    bench_losses_add(&r->losses, record->row.an, &record->result);
}

static void skip(run *r, const char *what, const char *error) {
    progress_clear();
    fprintf(stderr, "bench: %s: %s\n", what, error);
    r->failed |= strncmp(error, "WRONG", 5) == 0;
}

static void run_row(run *r, const bench_sweep *sweep, bench_row row) {
    const bench_options *o = &r->options;
    const bench_case *c = sweep->operation;
    bigint_ctx_options options = {
        .threads = o->threads           ? o->threads
                   : sweep->two_threads ? 2
                                        : 1,
        .engine = sweep->engine ? sweep->engine : o->engine,
        .variant = sweep->variant ? sweep->variant : o->variant,
        .mode = c->mode,
    };
    bench_record record = {
        .host = &r->host,
        .roof = &r->roof,
        .sweep = sweep,
        .row = row,
        .rival = o->rival   ? r->rival.name
                 : c->rival ? c->rival
                            : r->gmp,
        .forced = options.engine || options.variant || getenv("BIGINT_ENGINE") ||
                  getenv("BIGINT_VARIANT"),
        .threads = options.threads,
    };
    char an[32], bn[32], what[128];
    bench_size_text(an, sizeof an, row.an);
    bench_size_text(bn, sizeof bn, row.bn);
    snprintf(what, sizeof what, "%s: %s %s x %s %s", sweep->topic, c->name, an, bn,
             bench_unit_name(c->unit));
    r->row_number++;
    progress(r, what);
    bench_state state;
    if (!bench_state_open(&state, &options, sweep->two_threads)) {
        skip(r, what, state.error);
        return;
    }
    state.form = c->form;
    if (c->prepare(&state, &row) && measure(r, &state, &record) && record.result.checked) {
        describe(r, &state, &record, options.engine);
        publish(r, &record);
    } else {
        skip(r, what, state.error);
    }
    if (c->finish && state.own) {
        c->finish(&state);
    }
    bench_state_close(&state);
}

// The rows of a sweep: its own sizes, or as many drawn from its range as --sample says.
static unsigned rows_of(const run *r, const bench_sweep *s) {
    const unsigned last = r->options.longer ? s->last_long : s->last;
    return r->options.sample > 0 ? r->options.sample : (last - s->first) / s->step + 1;
}

static bench_row row_at(const run *r, const bench_sweep *s, unsigned i) {
    const bench_options *o = &r->options;
    if (o->sample == 0) {
        return row_of(s, s->first + i * s->step);
    }
    const double lo = fmax(s->first, o->size_lo);
    const double hi = fmin(o->longer ? s->last_long : s->last, o->size_hi);
    return row_for(s, bench_sample_size(fmin(lo, hi), hi, i, o->sample));
}

// Counts the rows of a sweep (measure_them false) or measures them.
static void walk_sweep(run *r, const bench_sweep *s, bool measure_them) {
    for (unsigned i = r->options.share; i < rows_of(r, s); i += r->options.shares) {
        const bench_row row = row_at(r, s, i);
        const double size = log2_bits(s->operation, &row);
        if (size < r->options.size_lo || size > r->options.size_hi) {
            continue;
        }
        if (measure_them) {
            run_row(r, s, row);
        } else {
            r->row_count++;
        }
    }
}

static void walk(run *r, bool measure_them) {
    size_t count;
    const bench_sweep *sweeps = bench_sweeps(&count);
    for (const bench_sweep *s = sweeps; s < sweeps + count; s++) {
        if (!sweep_wanted(r, s)) {
            continue;
        }
        bench_sweep sampled = *s;
        sampled.topic = "sample";
        r->losses = (bench_losses){0};
        walk_sweep(r, r->options.sample > 0 ? &sampled : s, measure_them);
        if (r->options.sample > 0) {
            bench_losses_print(stdout, &r->losses, s->topic,
                               r->options.rival ? r->rival.name : r->gmp);
        }
    }
}

static void list_topics(void) {
    size_t count;
    const bench_sweep *sweeps = bench_sweeps(&count);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || strcmp(sweeps[i].topic, sweeps[i - 1].topic) != 0) {
            puts(sweeps[i].topic);
        }
    }
}

// GMP's temporaries keep their pages from call to call, as the library's workspace does.
static void keep_pages(void) {
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, -1);
}

// The peak rates of one thread of this machine. With --roofs also in cycles, and loads.
static void print_roofs(const run *r) {
    const bench_roof *roof = &r->roof;
    printf("%s (%s), %s, commit %.12s%s\n", r->host.chip, r->host.cpu, r->host.compiler,
           r->host.commit, r->host.dirty ? " with changes" : "");
    printf(
        "one thread: %.1f G FMA/s (%s), %.2f G limb products/s, %.1f G 52-bit multiply-adds/s,\n"
        "copy %.1f GB/s from memory, %.0f from L2\n",
        roof->fma * 1e-9, roof->simd, roof->mul * 1e-9, roof->ifma * 1e-9, roof->copy * 1e-9,
        roof->copy_l2 * 1e-9);
    if (!r->options.roofs) {
        return;
    }
    printf("%.2f GHz; a cycle: %.1f FMA, %.2f limb products, %.1f 52-bit multiply-adds\n",
           roof->clock * 1e-9, roof->fma / roof->clock, roof->mul / roof->clock,
           roof->ifma / roof->clock);
    bench_read reads[ROOF_READS];
    bench_roof_reads(cpu_detect(), reads);
    for (unsigned i = 0; i < ROOF_READS; i++) {
        printf("loads from %zu KiB: %.1f GB/s, %.1f bytes a cycle\n", reads[i].bytes >> 10,
               reads[i].rate * 1e-9, reads[i].rate / roof->clock);
    }
}

int main(int argc, char **argv) {
    program_begin();
    program_prints();
    gmp_memory_checked();
    run r = {.options = bench_options_read(argc, argv)};
    if (r.options.list) {
        list_topics();
        return 0;
    }
    if (r.options.rival && !bench_rival_start(&r.rival, r.options.rival)) {
        fprintf(stderr, "bench: --rival %s: %s\n", r.options.rival, r.rival.error);
        bench_rival_stop(&r.rival);
        return EXIT_USAGE;
    }
    r.effort = r.options.quick ? (bench_effort){5e5, 8e7, 5, 25, 0.02}
                               : (bench_effort){2e6, 4e8, 3, BENCH_SAMPLES_MAX, 0.005};
    if (r.options.pairs > 0) {
        r.effort.min_samples = r.options.pairs;
    }
    r.host = bench_host_get();
    snprintf(r.gmp, sizeof r.gmp, "GMP %s", gmp_version);
    walk(&r, false);
    if (r.row_count == 0 && !r.options.roofs) {
        fputs("bench: these options leave no row\n", stderr);
        stop_rival(&r);
        return r.options.shares > 1 ? 0 : EXIT_USAGE;  // one of many programs may have none
    }
    progress(&r, "the machine's roofs");
    r.roof = bench_roof_measure(cpu_detect());
    progress_clear();
    print_roofs(&r);
    if (r.options.roofs) {
        return 0;
    }
    keep_pages();
    walk(&r, true);
    stop_rival(&r);
    return r.failed ? EXIT_WRONG : 0;
}
