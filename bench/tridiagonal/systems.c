// systems.c: see tridiagonal_bench.h.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/tridiagonal/tridiagonal_bench.h"
#include "tests/support/device.h"

enum { SOLVED_ROWS = 1 << 14 };
static const uint64_t block_rows = UINT64_C(1) << 24;

void tridiagonal_bench_fail(const char *what, const tridiagonal_job *job) {
    fprintf(stderr, "tridiagonal_bench: %s, %" PRIu64 " x %" PRIu64 "\n", what, job->batch, job->n);
    exit(1);
}

static size_t width(const tridiagonal_job *job) { return job->type == TRIDIAGONAL_F32 ? 4 : 8; }

uint64_t tridiagonal_bench_bytes(const tridiagonal_job *job) {
    return job->n * job->batch * width(job);
}

bool tridiagonal_bench_enqueue(void *self, cuda_stream stream) {
    const tridiagonal_ours *o = self;
    char *const *x = o->b->array;
    return tridiagonal_device(&o->plan, x[0], x[1], x[2], x[3], x[4], o->b->status, o->b->workspace,
                              o->b->workspace_bytes, stream) == RESULT_OK;
}

static void put(const tridiagonal_bench *b, const tridiagonal_job *job, size_t at, double v) {
    if (job->type == TRIDIAGONAL_F32) {
        ((float *)b->host)[at] = (float)v;
    } else {
        ((double *)b->host)[at] = v;
    }
}

static double get(const tridiagonal_bench *b, const tridiagonal_job *job, size_t at) {
    return job->type == TRIDIAGONAL_F32 ? (double)((const float *)b->host)[at]
                                        : ((const double *)b->host)[at];
}

// Systems of a block: what is drawn.
static uint64_t systems_of(const tridiagonal_job *job) {
    const uint64_t most = job->n < block_rows ? block_rows / job->n : 1;
    return job->batch < most ? job->batch : most;
}

static double *field(const system_rows *s, unsigned k) {
    double *const fields[] = {s->a, s->b, s->c, s->d};
    return fields[k];
}

// One array of a block: the last system is b->last, all others are b->first.
static void fill_block(tridiagonal_bench *b, const tridiagonal_job *job, unsigned k) {
    const uint64_t systems = systems_of(job), bytes = job->n * width(job);
    const double *first = field(&b->first, k), *last = field(&b->last, k);
    if (job->row_stride == 1) {
        for (uint64_t i = 0; i < b->first.n; i++) {
            put(b, job, i, first[i]);
        }
        for (uint64_t s = 1; s < systems; s++) {
            memcpy(b->host + s * bytes, b->host, bytes);
        }
    } else {
        for (uint64_t i = 0; i < b->first.n * systems; i++) {
            put(b, job, i, first[i / systems]);
        }
    }
    for (uint64_t i = 0; i < job->n; i++) {
        put(b, job, (systems - 1) * job->system_stride + i * job->row_stride, last[i]);
    }
}

void tridiagonal_bench_upload(tridiagonal_bench *b, const tridiagonal_job *job, bool rivals) {
    const uint64_t elements = systems_of(job) * job->n;
    bool ok = true;
    for (unsigned k = 0; k < 4; k++) {
        fill_block(b, job, k);
        for (uint64_t done = 0; done < job->batch * job->n; done += elements) {
            const size_t at = done * width(job), bytes = elements * width(job);
            ok = ok && device_upload(b->array[k] + at, b->host, bytes) &&
                 (!rivals || device_upload(b->rival[k] + at, b->host, bytes));
        }
    }
    if (!ok) {
        tridiagonal_bench_fail("uploading failed", job);
    }
}

void tridiagonal_bench_fill(tridiagonal_bench *b, const tridiagonal_job *job, matrix_kind kind,
                            uint64_t draw, bool rivals) {
    gen g = gen_seed(job->n + kind + (draw << 32));
    // Of one system there is none but the last.
    if (!system_alloc(&b->first, systems_of(job) > 1 ? job->n : 0) ||
        !system_alloc(&b->last, job->n)) {
        program_no_memory("systems of %" PRIu64 " rows", job->n);
    }
    system_fill(&b->first, kind, job->type, &g);
    system_fill(&b->last, kind, job->type, &g);
    b->solved = false;
    tridiagonal_bench_upload(b, job, rivals);
}

void tridiagonal_bench_fill_ones(tridiagonal_bench *b, const tridiagonal_job *job, matrix_kind kind,
                                 bool rivals) {
    tridiagonal_bench_fill(b, job, kind, 0, false);
    system_rows *const systems[] = {&b->first, &b->last};
    for (unsigned which = 0; which < 2; which++) {
        system_rows *const s = systems[which];
        for (uint64_t i = 0; i < s->n; i++) {
            s->d[i] = s->b[i] + (i > 0 ? s->a[i] : 0) + (i + 1 < s->n ? s->c[i] : 0);
            s->x[i] = 1;
        }
    }
    b->solved = true;
    tridiagonal_bench_upload(b, job, rivals);
}

void tridiagonal_bench_forget(tridiagonal_bench *b) {
    system_free(&b->first);
    system_free(&b->last);
}

// Of the last block of x.
tridiagonal_quality tridiagonal_bench_judge(tridiagonal_bench *b, const tridiagonal_job *job,
                                            const char *x) {
    const uint64_t systems = systems_of(job), elements = systems * job->n;
    tridiagonal_quality q = {0, 0};
    if (!device_download(b->host, x + (job->batch * job->n - elements) * width(job),
                         elements * width(job))) {
        tridiagonal_bench_fail("downloading failed", job);
    }
    double *got = program_memory(job->n, sizeof *got, "a solution");
    for (unsigned which = systems > 1 ? 0 : 1; which < 2; which++) {
        system_rows *const s = which == 0 ? &b->first : &b->last;
        const uint64_t base = which == 0 ? 0 : (systems - 1) * job->system_stride;
        for (uint64_t i = 0; i < job->n; i++) {
            got[i] = get(b, job, base + i * job->row_stride);
        }
        q.residual = fmax(q.residual, system_residual(s, got));
        if (b->solved || (job->n <= SOLVED_ROWS && system_solve(s))) {
            q.error = fmax(q.error, system_error(s, got));
        }
    }
    free(got);
    b->solved = b->solved || job->n <= SOLVED_ROWS;
    return q;
}

cusparse_job tridiagonal_bench_rival(const tridiagonal_bench *b, const tridiagonal_job *job,
                                     int routine) {
    return (cusparse_job){b->library,
                          (cusparse_routine)routine,
                          job->type,
                          job->n,
                          job->batch,
                          b->rival[0],
                          b->rival[1],
                          b->rival[2],
                          b->rival[3],
                          b->rival_workspace,
                          0};
}

bool tridiagonal_bench_plan(const tridiagonal_bench *b, tridiagonal_ours *o,
                            const tridiagonal_job *job, tridiagonal_variant v) {
    o->b = b;
    return tridiagonal_bench_bytes(job) <= b->array_bytes &&
           tridiagonal_make_plan(&o->plan, job, v) &&
           tridiagonal_workspace_bytes(&o->plan) <= b->workspace_bytes;
}

void tridiagonal_bench_number(char text[16], double v) {
    snprintf(text, 16, isfinite(v) ? "%.3e" : "null", v);
}

tridiagonal_job tridiagonal_bench_strided(tridiagonal_type t, uint64_t n, uint64_t batch) {
    return (tridiagonal_job){t, n, batch, 1, n};
}

bool tridiagonal_bench_allocate(tridiagonal_bench *b, uint64_t rows) {
    const uint64_t block = rows < block_rows ? rows : block_rows;
    const size_t bytes = 8 * rows;
    b->array_bytes = bytes;
    b->workspace_bytes = bytes;
    b->rival_workspace_bytes = 6 * bytes;
    bool ok = true;
    for (unsigned k = 0; k < 5; k++) {
        b->array[k] = device_alloc(bytes);
        ok = ok && b->array[k] != NULL;
    }
    for (unsigned k = 0; k < 4; k++) {
        b->rival[k] = device_alloc(bytes);
        ok = ok && b->rival[k] != NULL;
    }
    b->host = malloc(8 * block);
    b->status = device_alloc(4 * block);
    b->workspace = device_alloc(bytes);
    b->rival_workspace = device_alloc(b->rival_workspace_bytes);
    return ok && b->host != NULL && b->status != NULL && b->workspace != NULL &&
           b->rival_workspace != NULL && device_fill(b->workspace, 0, bytes);
}

void tridiagonal_bench_release(tridiagonal_bench *b) {
    for (unsigned k = 0; k < 5; k++) {
        device_free(b->array[k]);
    }
    for (unsigned k = 0; k < 4; k++) {
        device_free(b->rival[k]);
    }
    device_free(b->status);
    device_free(b->workspace);
    device_free(b->rival_workspace);
    free(b->host);
}
