// fft_bench.c: transforms on a device against cuFFT and a copy, alternating in one process.
//
// KIND: z2z c2c d2z z2d r2c c2r (all of these if none is named), z2z-inv c2c-inv, and rev-z2z
// rev-c2c rev-z2z-inv rev-c2c-inv: to reversed order and back, while the rival uses natural order,
// its only one. Single transforms have 2^8 to 2^28 points, and of 2^6 to 2^24 in batches of 2^26
// (--total) points in all. The plan is the library's choice or the plan of a SPEC
// (fft/index_digit/index_digit.h). --candidates measures every plan that has kernels, without the
// rival, and fft_tune.py makes the table of plans from these records. --length measures those
// lengths instead, single and in batches of about 2^26 points. --ablations measures what each step
// of the papers gains for z2z and c2c, at the papers' sizes (2^12 to 2^24 points, in batches of
// 2^24 in all): the forms of naive.h, MS-ID-FFT.V2 and V1, and the library's choice. --interface
// measures the library's choice through longmul/fft.h, in natural order. --once runs a plan a
// single time, without rival, times and record, for a profiler.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-fft.jsonl, forced
// plans to <chip>-fft-plans.jsonl, --ablations to <chip>-fft-ablations.jsonl, and --interface to
// <chip>-fft-interface.jsonl. Each whole result, as the timed calls left it, is compared with a
// transform in pairs of doubles on the device (truth.h) or, if the length is not a power of two,
// with the rival's. A wrong result ends the program with status 1 and without its record. Errors of
// short transforms are root mean squares over several inputs, the same for both sides.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/fft/cufft.h"
#include "bench/fft/naive.h"
#include "bench/fft/row.h"
#include "fft/device/complex/transform.h"
#include "longmul/fft.h"
#include "tests/support/device.h"

enum { PAPERS_FROM = 12, PAPERS_TOTAL = 24 };  // logarithms of lengths, of points in all
enum { CANDIDATES_MAX = 64, CANDIDATE_SAMPLES = 5, LG_TILE_MAX = 16 };
enum { ROOF_GB_S = 4400, LEAST_OF_MEMORY = 1 << 28 };  // bytes moved that no cache holds

// contender: a way to compute a row. `name` is the record's variant, `plan` its spec, or a name if
// it has no spec.
typedef struct {
    device_side side;
    const char *topic, *name, *plan;
    unsigned passes;
    bool chosen;
} contender;

static void record(const fft_bench *b, const fft_row *r, const contender *c,
                   const device_times *times, const double error[2]) {
    const bool real = fft_id_pairs(&r->problem);
    const double ns = times->median_ns;
    const double gflops = (real ? 2.5 : 5.0) * r->levels * (double)r->points / ns;
    char op[32], more[FFT_ID_SPEC_BYTES + 200], note[200], rivals[40] = "";
    snprintf(op, sizeof op, "%s%s", r->k->name, r->problem.batch > 1 ? "-batch" : "");
    if (!b->asked.candidates) {
        snprintf(rivals, sizeof rivals, ",\"rival_error\":%.4g", error[1]);
    }
    snprintf(note, sizeof note, "%u passes, %.0f GFLOPS, error %.2e%s%s", c->passes, gflops,
             error[0], b->asked.candidates ? "" : ", rival's ",
             b->asked.candidates ? "" : strchr(rivals, ':') + 1);
    snprintf(more, sizeof more,
             ",\"plan\":\"%s\",\"passes\":%u,\"gflops\":%.1f,\"gb_s\":%.1f,\"error\":%.4g%s",
             c->plan, c->passes, gflops, r->bytes / ns, error[0], rivals);
    const device_line line = {.topic = c->topic,
                              .op = op,
                              .variant = c->name,
                              .n = r->n,
                              .rows = r->problem.batch,
                              .bytes = r->bytes,
                              .times = times,
                              .rival = b->asked.candidates ? NULL : cufft_name(b->rival),
                              .kase = real ? "rfft" : "fft",
                              .more = more,
                              .note = note,
                              .chosen = c->chosen};
    device_record(&b->asked.run, &line);
}

// Calls in one graph: about a millisecond's worth, 20 for short ones.
static unsigned calls_for(uint64_t points) {
    return points > 1u << 26 ? 1 : points == 1u << 26 ? 2 : points >= 1u << 22 ? 8 : 20;
}

// bench_contender measures a contender against the copy and, unless it is a candidate, the rival.
// Returns its time.
static double bench_contender(fft_bench *b, const fft_row *r, const contender *c) {
    cufft_job job = {
        .library = b->rival, .type = r->k->type, .inverse = r->k->direction == FFT_ID_INVERSE};
    if (!b->asked.candidates) {
        if (!cufft_plan(&job, r->n, r->problem.batch)) {
            fft_row_wrong(r, "the rival has no plan");
        }
        job.in = r->rival_in.items;
        job.out = r->rival_out.items;
        job.workspace = fft_row_grown(&b->rival_workspace, job.workspace_bytes);
        if (job.workspace == NULL || !cufft_give_workspace(&job)) {
            fft_row_wrong(r, "no memory on the device for the rival");
        }
    }
    // Into the rival's input, which is made again before its result is checked.
    device_copying copy = {r->rival_in.items, r->in.items, (size_t)(r->bytes / 2)};
    const device_side three[] = {
        c->side, {cufft_enqueue, &job, false}, {device_copy_enqueue, &copy, false}};
    const device_side two[] = {three[0], three[2]};
    const unsigned samples = b->asked.candidates     ? CANDIDATE_SAMPLES
                             : r->points >= 1u << 22 ? DEVICE_SAMPLES / 2 + 1
                                                     : DEVICE_SAMPLES;
    device_times times[3];
    if (!device_fill(r->out.items, 0xA5, fft_truth_array_bytes(&r->out)) ||
        !device_time(NULL, b->asked.candidates ? two : three, b->asked.candidates ? 2 : 3,
                     calls_for(r->points), samples, times) ||
        !device_energy(NULL, three, 2, calls_for(r->points),
                       b->asked.candidates ? 0 : b->asked.run.energy, times)) {
        fft_row_wrong(r, "a contender failed");
    }
    double error[2];
    fft_row_errors(b, r, &c->side, b->asked.candidates ? NULL : &job, error);
    if (!b->asked.candidates) {
        cufft_forget(&job);
    }
    record(b, r, c, times, error);
    return times[0].median_ns;
}

// bench_plan: a plan by name, by its spec where that is NULL.
static double bench_plan(fft_bench *b, const fft_row *r, const fft_id_plan *plan, const char *topic,
                         const char *name, bool chosen) {
    fft_row_job o = fft_row_job_of(b, r, plan);
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    const contender c = {.side = {fft_row_run, &o, false},
                         .topic = topic,
                         .name = name != NULL ? name : spec,
                         .plan = spec,
                         .passes = fft_id_passes(plan),
                         .chosen = chosen};
    return bench_contender(b, r, &c);
}

// bench_interface: the library's choice as a program in C gets it.
typedef struct {
    longmul_fft plan;
    size_t bytes;  // of the workspace
    const fft_row_job *job;
} interface_job;

static bool run_interface(void *self, cuda_stream stream) {
    const interface_job *i = self;
    const fft_row_job *o = i->job;
    return longmul_fft_run(&i->plan, o->out, o->in, o->tables, o->workspace, i->bytes, stream) ==
           LONGMUL_OK;
}

static void bench_interface(fft_bench *b, const fft_row *r, const fft_id_plan *plan) {
    const longmul_element element = (longmul_element)r->problem.element;
    const bool inverse = r->problem.direction == FFT_ID_INVERSE;
    const fft_row_job job = fft_row_job_of(b, r, plan);
    interface_job own = {.job = &job};
    const char *why = NULL;
    if (longmul_fft_make(&own.plan, element, inverse, r->n, r->problem.batch, &why) != LONGMUL_OK ||
        longmul_fft_tables(&own.plan, b->tables.at, b->tables.bytes, NULL) != LONGMUL_OK) {
        fft_row_wrong(r, why != NULL ? why : "no tables");
    }
    own.bytes = longmul_fft_workspace_bytes(&own.plan);
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    const contender c = {.side = {run_interface, &own, false},
                         .topic = "fft-interface",
                         .name = "longmul-fft",
                         .plan = spec,
                         .passes = fft_id_passes(plan),
                         .chosen = true};
    bench_contender(b, r, &c);
}

// bench_ablations: the slow forms, then the papers' plans of radix 8 and 16, those without kernels
// left out, then the library's choice.
static void bench_ablations(fft_bench *b, const fft_kind *k, unsigned lg) {
    static const char *const topic = "fft-ablations";
    const uint64_t batch = UINT64_C(1) << (PAPERS_TOTAL - lg);
    const fft_id_problem problem = {.element = k->element,
                                    .direction = k->direction,
                                    .order = FFT_ID_NATURAL,
                                    .exponent = {(uint8_t)lg},
                                    .batch = batch};
    const fft_row r = fft_row_of(b, k, &problem);
    for (int i = 0; i < NAIVE_FFTS; i++) {
        naive_fft_job job = fft_row_naive_of(b, &r);
        const contender c = {.side = {naive_ffts[i].enqueue, &job, false},
                             .topic = topic,
                             .name = naive_ffts[i].name,
                             .plan = naive_ffts[i].name,
                             .passes = naive_ffts[i].launches(lg)};
        bench_contender(b, &r, &c);
    }
    fft_id_plan plan;
    for (unsigned version = 2; version >= 1; version--) {
        const char *why =
            fft_id_make(&plan, &problem, fft_id_paper_tuple(version, lg), FFT_ID_AFTER);
        why = why == NULL ? fft_device_refusal(&plan) : why;
        if (why == NULL) {
            bench_plan(b, &r, &plan, topic, version == 1 ? "ms-id-fft-v1" : "ms-id-fft-v2", false);
        } else {
            printf("%s of 2^%u by V%u: %s\n", k->name, lg, version, why);
        }
    }
    if (fft_device_plan(&plan, &problem)) {
        bench_plan(b, &r, &plan, topic, "tuned", true);
    }
}

// once: one call of a plan, checked.
static void once(fft_bench *b, const fft_row *r, const fft_id_plan *plan) {
    fft_row_job o = fft_row_job_of(b, r, plan);
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    if (!fft_row_run(&o, NULL)) {
        fft_row_wrong(r, "failed");
    }
    printf("%s: error %.2e\n", spec, fft_row_check(b, r, &r->out, "our result"));
}

// same_work: of two plans for one problem, whose tuples may differ in x though not in what is done.
static bool same_work(const fft_id_plan *p, const fft_id_plan *q) {
    return p->tuple.s == q->tuple.s && p->stages_n == q->stages_n &&
           memcmp(p->stage, q->stage, p->stages_n * sizeof *p->stage) == 0;
}

// forcible: the plans of all tuples that kernels serve, each work once; how many.
static size_t forcible(const fft_id_problem *problem, fft_id_plan plans[CANDIDATES_MAX]) {
    size_t n = 0;
    for (uint8_t p = 1; p <= FFT_ID_P_MAX; p++) {
        for (uint8_t s = p; s <= LG_TILE_MAX; s++) {
            for (uint8_t x = 0; x < s && n < CANDIDATES_MAX; x++) {
                const char *const why =
                    fft_id_make(&plans[n], problem, (fft_id_tuple){p, s, x}, FFT_ID_AFTER);
                bool fresh = why == NULL && fft_device_refusal(&plans[n]) == NULL;
                for (size_t i = 0; i < n && fresh; i++) {
                    fresh = !same_work(&plans[i], &plans[n]);
                }
                n += fresh;
            }
        }
    }
    return n;
}

// bench_candidates measures candidates, fewest passes first. It skips those whose passes alone, at
// the rate of a copy, take as long as the best one so far. Batches too small for the memory's rate
// have no such bound.
static void bench_candidates(fft_bench *b, const fft_row *r) {
    static fft_id_plan plans[CANDIDATES_MAX];
    const size_t n = forcible(&r->problem, plans);
    const double pass_ns = r->bytes >= LEAST_OF_MEMORY ? r->bytes / ROOF_GB_S : 0;
    const fft_id_plan *best = NULL;
    double least = 0;
    for (unsigned passes = 1; passes <= 4; passes++) {
        for (size_t i = 0; i < n; i++) {
            if (fft_id_passes(&plans[i]) == passes && (best == NULL || passes * pass_ns < least)) {
                const double ns = bench_plan(b, r, &plans[i], "fft-plans", NULL, false);
                best = best == NULL || ns < least ? &plans[i] : best;
                least = best == &plans[i] ? ns : least;
            }
        }
    }
    char spec[FFT_ID_SPEC_BYTES] = "none";
    if (best != NULL) {
        fft_id_print(best, spec, sizeof spec);
    }
    printf("best of %zu tuples, %.2f us: %s\n", n, least / 1e3, spec);
}

static void bench_size(fft_bench *b, const fft_kind *k, uint64_t length, uint64_t batch) {
    fft_id_problem problem = {
        .element = k->element, .direction = k->direction, .order = k->order, .batch = batch};
    fft_id_plan plan;
    const char *why = fft_id_set_length(&problem, length);
    if (why != NULL) {
        printf("%s of %" PRIu64 ": %s\n", k->name, length, why);
    } else if (b->asked.candidates) {
        const fft_row r = fft_row_of(b, k, &problem);
        bench_candidates(b, &r);
    } else if (fft_device_plan(&plan, &problem)) {
        const fft_row r = fft_row_of(b, k, &problem);
        if (b->asked.interface) {
            bench_interface(b, &r, &plan);
        } else {
            bench_plan(b, &r, &plan, "fft", "tuned", true);
        }
    } else {
        printf("%s of %" PRIu64 " x %" PRIu64 ": no kernel\n", k->name, length, batch);
    }
}

static void bench_sizes(fft_bench *b, const fft_kind *k) {
    const unsigned total = b->asked.run.quick ? 20 : b->asked.total,
                   longest = b->asked.run.quick ? 20 : 28;
    const device_range *const range = &b->asked.run.range;
    for (unsigned lg = range->from > 6 ? range->from : 6;
         b->asked.batched && lg + 2 <= total && lg <= range->to; lg++) {
        bench_size(b, k, UINT64_C(1) << lg, UINT64_C(1) << (total - lg));
    }
    for (unsigned lg = range->from > 8 ? range->from : 8;
         b->asked.single && lg <= longest && lg <= range->to; lg++) {
        bench_size(b, k, UINT64_C(1) << lg, 1);
    }
}

static void bench_all_ablations(fft_bench *b, const fft_kind *k) {
    const bool served = k->in == FFT_TRUTH_COMPLEX && k->direction == FFT_ID_FORWARD;
    const device_range *const range = &b->asked.run.range;
    const unsigned to = b->asked.run.quick ? PAPERS_FROM + 2 : PAPERS_TOTAL;
    for (unsigned lg = range->from > PAPERS_FROM ? range->from : PAPERS_FROM;
         served && lg <= to && lg <= range->to; lg++) {
        bench_ablations(b, k, lg);
    }
}

static void bench_lengths(fft_bench *b, const fft_kind *k) {
    const uint64_t total = UINT64_C(1) << (b->asked.run.quick ? 20 : 26);
    for (unsigned i = 0; i < b->asked.lengths; i++) {
        const uint64_t batch = total / b->asked.length[i];
        if (b->asked.batched && batch > 1) {
            bench_size(b, k, b->asked.length[i], batch);
        }
        if (b->asked.single) {
            bench_size(b, k, b->asked.length[i], 1);
        }
    }
}

// bench_spec: a plan forced by its spec, whose kind its element and direction tell.
static bool bench_spec(fft_bench *b, const char *spec) {
    fft_id_plan plan;
    const char *why = fft_id_parse(&plan, spec);
    why = why == NULL ? fft_device_refusal(&plan) : why;
    for (unsigned i = 0; i < FFT_KINDS && why == NULL; i++) {
        if (fft_kinds[i].element == plan.problem.element &&
            fft_kinds[i].direction == plan.problem.direction &&
            fft_kinds[i].order == plan.problem.order) {
            const fft_row r = fft_row_of(b, &fft_kinds[i], &plan.problem);
            if (b->asked.once) {
                once(b, &r, &plan);
            } else {
                bench_plan(b, &r, &plan, "fft-plans", NULL, false);
            }
            return true;
        }
    }
    fprintf(stderr, "fft_bench: %s: %s\n", spec, why != NULL ? why : "no such transform here");
    return false;
}

// ready: whether the rival and the roots of exact transforms are there.
static bool ready(fft_bench *b) {
    char why[256];
    b->rival = cufft_open(b->asked.cufft_path, why, sizeof why);
    b->exact.roots = device_alloc(FFT_TRUTH_ROOTS_BYTES);
    b->exact.sums = device_alloc(FFT_TRUTH_SUMS_BYTES);
    if (b->rival != NULL && b->exact.roots != NULL && b->exact.sums != NULL &&
        fft_truth_roots(&b->exact)) {
        return true;
    }
    fprintf(stderr, "fft_bench: %s\n", b->rival != NULL ? "no memory on the device" : why);
    return false;
}

int main(int argc, char **argv) {
    static fft_bench b;
    bool served = true;
    fft_bench_start(&b.asked,
                    FFT_BENCH_RANGE | FFT_BENCH_LENGTHS | FFT_BENCH_NAMES | FFT_BENCH_PLANS,
                    "Times transforms on a device against cuFFT and a copy, and checks every "
                    "result. KIND: z2z c2c d2z z2d r2c c2r (these by default) z2z-inv c2c-inv, to "
                    "reversed order and back rev-z2z rev-c2c rev-z2z-inv rev-c2c-inv.",
                    argc, argv);
    if (!ready(&b)) {
        return EXIT_IO;
    }
    for (unsigned i = 0; i < b.asked.specs; i++) {
        served = bench_spec(&b, b.asked.spec[i]) && served;
    }
    for (unsigned k = 0; k < FFT_KINDS && b.asked.specs == 0; k++) {
        if (b.asked.wanted[k] && !(b.asked.interface && fft_kinds[k].order != FFT_ID_NATURAL)) {
            (b.asked.ablations     ? bench_all_ablations
             : b.asked.lengths > 0 ? bench_lengths
                                   : bench_sizes)(&b, &fft_kinds[k]);
        }
    }
    cufft_close(b.rival);
    return served ? 0 : EXIT_USAGE;
}
