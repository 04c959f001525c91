// barrier_iterations.c: Jacobi and powers of a matrix, for barrier_bench.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/studies/barrier_bench.h"
#include "bench/studies/jacobi.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// A contender and what its result must be. kept: jacobi_kept, whose sums have another order.
typedef struct {
    jacobi_job job;
    bool kept;
    const float *start;          // in host memory
    float *got;                  // there too
    const jacobi_job *standard;  // the same steps by launches
} jacobi_side;

static bool enqueue_jacobi(void *self, cuda_stream stream) {
    const jacobi_side *s = self;
    return (s->kept ? jacobi_kept(&s->job, stream) : jacobi_run(&s->job, stream)) == RESULT_OK;
}

static bool result_of(const jacobi_side *s, float *to) {
    const size_t bytes = 4 * (size_t)s->job.n * s->job.sides;
    return device_upload(s->job.x, s->start, bytes) && enqueue_jacobi((void *)s, NULL) &&
           device_download(to, s->job.steps % 2 == 0 ? s->job.x : s->job.y, bytes);
}

static uint64_t wrong_jacobi(void *self) {
    const jacobi_side *s = self;
    const size_t all = (size_t)s->job.n * s->job.sides;
    const jacobi_side standard = {.job = *s->standard, .start = s->start};
    float *want = s->got + all;
    if (!result_of(s, s->got) || !result_of(&standard, want)) {
        return UINT64_MAX;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < all; i++) {
        const float apart = fabsf(s->got[i] - want[i]);
        wrong += s->kept ? !(apart <= 1e-4F * fmaxf(1, fabsf(want[i]))) : !(apart == 0);
    }
    return wrong;
}

static void bench_jacobi_side(const device_run *run, jacobi_side *s, const jacobi_side *base,
                              const char *variant) {
    const jacobi_job *job = &s->job;
    char op[24];
    snprintf(op, sizeof op, "jacobi-%u", job->sides);
    // As many bytes as a step reads of the matrix, for all right-hand sides; half read, half
    // written.
    const size_t bytes = 2 * (size_t)job->n * job->n;
    const study_row row = {.op = op,
                           .variant = variant,
                           .n = job->n,
                           .count = job->sides,
                           .side = {enqueue_jacobi, s, false},
                           .base = {enqueue_jacobi, (void *)base, false},
                           .copy = {(char *)job->a + 2 * bytes, job->a, bytes},
                           .steps = job->steps,
                           .calls = job->n >= 4096 ? 1 : 4,
                           .wrong = wrong_jacobi,
                           .self = s,
                           .may_be_wrong = job->way == STEPS_NO_WAIT && !s->kept};
    study_measure(run, &row);
}

// All ways with a row a thread, launches with several, and the matrix kept where it fits.
static void bench_jacobi(const device_run *run, jacobi_job job, const float *start) {
    const size_t all = (size_t)job.n * job.sides;
    float *got = program_memory(2 * all, 4, "vectors");
    jacobi_job standard = job;
    standard.way = STEPS_LAUNCHES;
    standard.rows_each = 1;
    jacobi_side base = {standard, false, start, got, &standard};
    const unsigned forms = STEPS_WAYS + 3 + 1;
    for (unsigned k = 0; k < forms; k++) {
        jacobi_side own = {standard, k == forms - 1, start, got, &standard};
        char variant[32];
        if (k < STEPS_WAYS) {
            own.job.way = (steps_way)k;
            snprintf(variant, sizeof variant, "%s", steps_way_name(own.job.way));
        } else if (!own.kept) {
            own.job.rows_each = 2u << (k - STEPS_WAYS);
            snprintf(variant, sizeof variant, "launches-rows-%u", own.job.rows_each);
        } else {
            snprintf(variant, sizeof variant, "barrier-kept");
        }
        const size_t bytes = jacobi_workspace_bytes(&own.job);
        if (bytes == 0) {
            continue;  // fewer rows than one thread takes
        }
        own.job.workspace = study_cleared(bytes);
        if (!own.kept || jacobi_kept(&own.job, NULL) == RESULT_OK) {
            bench_jacobi_side(run, &own, &base, variant);
        }
        device_free(own.job.workspace);
    }
    free(got);
}

// Diagonally dominant, so values stay finite however often steps are repeated. The copy writes
// behind the matrix.
void study_jacobi(const device_run *run) {
    enum { SIDES = 4 };
    for (unsigned n = 1024; n <= (run->quick ? 1024 : 8192); n *= 2) {
        const size_t entries = (size_t)n * n;
        float *a = program_memory(entries, 4, "a matrix");
        float *b = program_memory(2 * (size_t)n * SIDES, 4, "vectors");
        gen g = gen_seed(n);
        for (size_t i = 0; i < entries; i++) {
            a[i] = (float)(gen_u64(&g) % 17) / 8 - 1;
        }
        for (unsigned i = 0; i < n; i++) {
            a[(size_t)i * n + i] = 2 * (float)n;
        }
        for (size_t i = 0; i < 2 * (size_t)n * SIDES; i++) {
            b[i] = (float)(gen_u64(&g) % 1000);
        }
        float *da = study_alloc(6 * entries), *db = study_alloc(4 * (size_t)n * SIDES);
        float *x = study_alloc(4 * (size_t)n * SIDES), *y = study_alloc(4 * (size_t)n * SIDES);
        if (!device_upload(da, a, 4 * entries) || !device_upload(db, b, 4 * (size_t)n * SIDES)) {
            study_stop("a copy failed", n);
        }
        for (unsigned sides = 1; sides <= SIDES; sides += SIDES - 1) {
            const jacobi_job job = {da, db, x, y, n, sides, 10, 1, STEPS_LAUNCHES, NULL};
            bench_jacobi(run, job, b + (size_t)n * SIDES);
        }
        device_free(da), device_free(db), device_free(x), device_free(y);
        free(a), free(b);
    }
}

// --- Powers --------------------------------------------------------------------------------------

typedef struct {
    power_job job;
    const uint32_t *start;
    uint32_t *got;
} power_side;

static bool enqueue_power(void *self, cuda_stream stream) {
    const power_side *s = self;
    return power_run(&s->job, stream) == RESULT_OK;
}

static bool power_of(const power_side *s, uint32_t *to) {
    const size_t bytes = 4 * (size_t)s->job.n * s->job.n;
    return device_upload(s->job.x, s->start, bytes) && enqueue_power((void *)s, NULL) &&
           device_download(to, s->job.steps % 2 == 0 ? s->job.x : s->job.y, bytes);
}

static uint64_t wrong_power(void *self) {
    const power_side *s = self;
    const size_t all = (size_t)s->job.n * s->job.n;
    power_side standard = *s;
    standard.job.way = STEPS_LAUNCHES;
    if (!power_of(s, s->got) || !power_of(&standard, s->got + all)) {
        return UINT64_MAX;
    }
    uint64_t wrong = 0;
    for (size_t i = 0; i < all; i++) {
        wrong += s->got[i] != s->got[all + i];
    }
    return wrong;
}

void study_power(const device_run *run) {
    enum { STEPS = 8 };
    for (unsigned n = 256; n <= (run->quick ? 256 : 1024); n *= 2) {
        const size_t all = (size_t)n * n;
        uint32_t *host = program_memory(3 * all, 4, "matrices");
        gen g = gen_seed(n);
        for (size_t i = 0; i < all; i++) {
            host[i] = (uint32_t)gen_u64(&g);
        }
        uint32_t *a = study_alloc(4 * all), *x = study_alloc(4 * all), *y = study_alloc(4 * all);
        if (!device_upload(a, host, 4 * all)) {
            study_stop("a copy failed", n);
        }
        power_side base = {{a, x, y, n, STEPS, STEPS_LAUNCHES, NULL}, host, host + all};
        for (unsigned way = 0; way < STEPS_WAYS; way++) {
            power_side own = base;
            own.job.way = (steps_way)way;
            own.job.workspace = study_cleared(power_workspace_bytes(&own.job));
            const study_row row = {.op = "power",
                                   .variant = steps_way_name(own.job.way),
                                   .n = n,
                                   .count = 1,
                                   .side = {enqueue_power, &own, false},
                                   .base = {enqueue_power, &base, false},
                                   .copy = {y, x, 4 * all},
                                   .steps = STEPS,
                                   .calls = 2,
                                   .wrong = wrong_power,
                                   .self = &own,
                                   .may_be_wrong = way == STEPS_NO_WAIT};
            study_measure(run, &row);
            device_free(own.job.workspace);
        }
        device_free(a), device_free(x), device_free(y);
        free(host);
    }
}
