// segments.c: part segments of device_bench: the maximum segment sum by ordered reductions against
// a CPU's loop and CUB with the same operator (cub_segment.h), in one process.
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "bench/harness.h"
#include "bench/primitives/cub_segment.h"
#include "bench/primitives/device_bench.h"
#include "tests/primitives/scan/reduce_study.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// A contender: form STUDY_FORMS is a map and a reduction, as users write them.
typedef struct {
    study_form form;
    const int32_t *x;
    uint64_t n;
    example_segment *out;
    void *workspace;
} contender;

static bool enqueue(void *self, cuda_stream stream) {
    const contender *c = self;
    return (c->form == STUDY_FORMS ? example_best_segment(c->out, c->x, c->n, c->workspace, stream)
                                   : study_best_segment(c->out, c->x, c->n, c->form, c->workspace,
                                                        stream)) == RESULT_OK;
}

static int32_t larger(int32_t a, int32_t b) { return a > b ? a : b; }

// The linear scan of a CPU: the best segment that ends here, and the best one of all.
static int32_t best_by_loop(const int32_t *x, uint64_t n) {
    int32_t best = 0, ending = 0;
    for (uint64_t i = 0; i < n; i++) {
        ending = larger(ending + x[i], 0);
        best = larger(best, ending);
    }
    return best;
}

// The loop's result, and the least time of three.
static int32_t time_loop(const int32_t *x, uint64_t n, double *ns) {
    int32_t best = 0;
    for (unsigned i = 0; i < 3; i++) {
        const double start = bench_now();
        best = best_by_loop(x, n);
        const double took = bench_now() - start;
        *ns = i == 0 || took < *ns ? took : *ns;
    }
    return best;
}

// -1, 0 and 1, so that no sum of 2^30 of them leaves the words.
static void fill(int32_t *x, uint64_t n) {
    gen g = gen_seed(SEED);
    uint64_t bits = 0;
    for (uint64_t i = 0; i < n; i++) {
        bits = i % 32 == 0 ? gen_u64(&g) : bits >> 2;
        x[i] = (int32_t)(bits & 1) - (int32_t)(bits >> 1 & 1);
    }
}

static void measure(const device_run *run, const buffers *b, contender *c, const char *variant,
                    int32_t want, double loop_ns) {
    // Ours, CUB's and the copy's results one behind another.
    device_copying copy = {b->rival_out + 64, b->in, c->n * 2};
    cub_segment_job cub = {c->x, (example_segment *)(b->rival_out + 32), c->n, NULL, 0};
    if (!cub_segment(&cub, NULL) || cub.workspace_bytes > WORKSPACE_BYTES) {
        device_bench_wrong("CUB's scan", c->n, 1);
    }
    cub.workspace = b->rival_workspace;
    const device_side sides[] = {
        {enqueue, c, false}, {cub_segment, &cub, false}, {device_copy_enqueue, &copy, false}};
    device_times of[3];
    example_segment got, theirs;
    device_fill(b->rival_out, 0xA5, 256);
    if (!device_time(NULL, sides, 3, device_bench_calls(c->n), DEVICE_SAMPLES, of) ||
        !device_download(&got, c->out, sizeof got) ||
        !device_download(&theirs, cub.out, sizeof theirs) || got.best != want ||
        theirs.best != want) {
        device_bench_wrong(variant, c->n, 1);
    }
    char more[64], note[64];
    snprintf(more, sizeof more, ",\"cub_ns\":%.1f", of[1].median_ns);
    snprintf(note, sizeof note, "CUB's scan %.2f us, %.2f x", of[1].median_ns / 1e3,
             of[1].median_ns / of[0].median_ns);
    const device_times loop = {loop_ns, loop_ns, 0, loop_ns, loop_ns, 3, 0};
    const device_times times[] = {of[0], loop, of[2]};
    const device_line line = {.topic = "segments",
                              .op = "best-segment",
                              .variant = variant,
                              .n = c->n,
                              .rows = 1,
                              .bytes = 4.0 * (double)c->n,
                              .times = times,
                              .rival = "a CPU's loop",
                              .more = more,
                              .note = note};
    device_record(run, &line);
}

void device_bench_segments(const device_run *run, const buffers *b) {
    const unsigned top = run->quick ? 20 : 30;
    int32_t *x = program_memory((size_t)1 << top, sizeof *x, "numbers");
    fill(x, UINT64_C(1) << top);
    if (!device_upload(b->out, x, sizeof *x << top)) {
        device_bench_wrong("copying", UINT64_C(1) << top, 1);
    }
    for (unsigned lg = 10; lg <= top; lg += 2) {
        const uint64_t n = UINT64_C(1) << lg;
        double loop_ns = 0;
        const int32_t want = time_loop(x, n, &loop_ns);
        for (unsigned form = 0; form <= STUDY_FORMS; form++) {
            if (form >= STUDY_CASCADING && form < STUDY_FORMS) {
                continue;  // these do not keep the order
            }
            contender c = {(study_form)form, (const int32_t *)b->out, n,
                           (example_segment *)b->rival_out, b->workspace};
            measure(run, b, &c, form == STUDY_FORMS ? "map-and-reduce" : study_names[form], want,
                    loop_ns);
        }
    }
    free(x);
}
