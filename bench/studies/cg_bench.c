// cg_bench.c: conjugate gradients on a device: what joining operations, a graph with a loop, and
// the way in which the host waits are worth in time and energy.
//
// steps: an iteration in every form and format of cg.h. solve: whole solutions, the host asking for
// the residual after each iteration, by polling and by blocking, against one graph with a loop on
// the device.
//
// Prints a table; with --out appends records (bench/schema.md) to FOLDER/<chip>-cg.jsonl. Solutions
// are checked by their residual, computed on the host; a wrong one ends the program with status 1.
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/program.h"
#include "bench/device/record.h"
#include "bench/device/timing.h"
#include "bench/studies/cg.h"
#include "bench/studies/cg_loop.h"
#include "bench/studies/cg_matrix.h"
#include "bench/studies/host_wait.h"
#include "tests/support/device.h"

static void stop(const char *what, const cg_job *job) {
    fprintf(stderr, "cg_bench: %s: %u rows, %s, %s\n", what, job->matrix.n,
            cg_format_name(job->matrix.format), cg_form_name(job->form));
    exit(EXIT_WRONG);
}

static void *take(size_t bytes, const cg_job *job) {
    void *p = device_alloc(bytes);
    if (p == NULL) {
        program_no_memory("%zu bytes on the device for %u rows", bytes, job->matrix.n);
    }
    return p;
}

// A system with b = 1 everywhere, and what its records call the matrix.
typedef struct {
    const char *name;
    cg_host host;
    double *b, *x;  // of the device
} problem;

static double largest_residual(const problem *p) {
    const cg_host *m = &p->host;
    double *x = program_memory(m->n, sizeof *x, "a solution"), worst = 0;
    if (!device_download(x, p->x, sizeof *x * m->n)) {
        worst = INFINITY;
    }
    for (uint32_t i = 0; i < m->n && isfinite(worst); i++) {
        double sum = -1;
        for (uint32_t at = m->begins[i]; at < m->begins[i + 1]; at++) {
            sum += m->values[at] * x[m->columns[at]];
        }
        worst = isfinite(sum) ? fmax(worst, fabs(sum)) : INFINITY;
    }
    free(x);
    return worst;
}

// --- Iterations ----------------------------------------------------------------------------------

static bool enqueue_step(void *self, cuda_stream stream) {
    return cg_step(self, stream) == RESULT_OK;
}

// Bytes that an iteration moves in the joined form: the matrix once, and x, r, p, v.
static double bytes_of(const cg_host *m) { return 12.0 * m->begins[m->n] + 8.0 * 12 * m->n; }

static void bench_steps(const device_run *run, const problem *p, cg_matrix matrix) {
    cg_job base = {matrix, CG_NINE, p->b, p->x, NULL};
    base.workspace = take(cg_workspace_bytes(&base), &base);
    for (unsigned form = 0; form < CG_FORMS; form++) {
        cg_job job = {matrix, (cg_form)form, p->b, p->x, NULL};
        job.workspace = take(cg_workspace_bytes(&job), &job);
        const size_t bytes = (size_t)bytes_of(&p->host) / 32 * 16;
        device_copying copy = {take(bytes, &job), take(bytes, &job), bytes};
        const device_side sides[] = {{enqueue_step, &job, false},
                                     {enqueue_step, &base, false},
                                     {device_copy_enqueue, &copy, false}};
        device_times times[3];
        double first = 0, tau[2];
        const unsigned calls = p->host.n > 1u << 20 ? 4 : 20;
        // Both forms begin again and must have nearly the same residual behind as many iterations.
        // Rounding is relative to the first one: a system solved by then has nothing but rounding.
        bool ok = cg_start(&base, NULL) == RESULT_OK && cg_start(&job, NULL) == RESULT_OK &&
                  device_time(NULL, sides, 3, calls, run->quick ? 5 : DEVICE_SAMPLES, times) &&
                  device_energy(NULL, sides, 2, calls, run->energy, times);
        for (unsigned s = 0; s < 2; s++) {
            const cg_job *const one = s == 0 ? &job : &base;
            ok = ok && cg_start(one, NULL) == RESULT_OK &&
                 device_download(&first, cg_residual(one), sizeof first);
            for (unsigned k = 0; k < 20; k++) {
                ok = ok && cg_step(one, NULL) == RESULT_OK;
            }
            ok = ok && device_download(&tau[s], cg_residual(one), sizeof tau[s]);
        }
        if (!ok || !(fabs(tau[0] - tau[1]) <= 1e-6 * tau[1] + 1e-12 * first)) {
            stop(ok ? "wrong residual" : "failed", &job);
        }
        char op[48];
        snprintf(op, sizeof op, "step-%s-%s", p->name, cg_format_name(matrix.format));
        const device_line line = {.topic = "cg",
                                  .op = op,
                                  .variant = cg_form_name(job.form),
                                  .n = matrix.n,
                                  .rows = 1,
                                  .bytes = bytes_of(&p->host),
                                  .times = times,
                                  .rival = "nine"};
        device_record(run, &line);
        device_free(copy.to), device_free((void *)copy.from), device_free(job.workspace);
    }
    device_free(base.workspace);
}

// --- Solutions -----------------------------------------------------------------------------------

enum { ITERATIONS = 300 };
static const double tolerance = 1e-6;

// Iterations until the residual is small, the host asking after each.
typedef struct {
    const cg_job *job;
    const cg_loop *loop;  // NULL: the host asks
    host_wait_kind kind;
    host_waiter *waiter;
    uint32_t *count;  // of the loop, in device memory
    unsigned ran;
} solution;

static bool solve(void *self) {
    solution *s = self;
    double tau = INFINITY;
    if (s->loop != NULL) {
        return cg_loop_run(s->loop, host_wait_stream(s->waiter)) == RESULT_OK &&
               host_wait_for(s->waiter, s->kind, &tau, cg_residual(s->job), sizeof tau) &&
               device_download(&s->ran, s->count, sizeof s->ran);
    }
    bool ok = cg_start(s->job, host_wait_stream(s->waiter)) == RESULT_OK;
    for (s->ran = 0; ok && s->ran < ITERATIONS && tau > tolerance;) {
        ok = cg_step(s->job, host_wait_stream(s->waiter)) == RESULT_OK &&
             host_wait_for(s->waiter, s->kind, &tau, cg_residual(s->job), sizeof tau);
        s->ran++;
    }
    return ok;
}

static void record_solution(const device_run *run, const problem *p, const solution *s,
                            const char *variant, const host_work *ours, const host_work *base) {
    char op[48], more[200], note[160], energy[64] = "";
    snprintf(op, sizeof op, "solve-%s-%s", p->name, cg_format_name(s->job->matrix.format));
    if (ours->host_joules > 0) {
        snprintf(energy, sizeof energy, ",\"host_joules\":%.6g,\"rival_host_joules\":%.6g",
                 ours->host_joules, base->host_joules);
    }
    snprintf(more, sizeof more,
             ",\"iterations\":%u,\"host_cpu_ns\":%.0f,\"rival_host_cpu_ns\":%.0f%s", s->ran,
             ours->cpu_ns, base->cpu_ns, energy);
    snprintf(note, sizeof note, "%u iterations, host busy %.0f %%, residual %.1e", s->ran,
             100 * ours->cpu_ns / ours->ns, largest_residual(p));
    const device_times times[] = {
        {ours->ns, ours->ns, 0, ours->ns, ours->ns, ours->samples, ours->joules},
        {base->ns, base->ns, 0, base->ns, base->ns, base->samples, base->joules},
        {base->ns, base->ns, 0, base->ns, base->ns, base->samples, 0}};
    const device_line line = {.topic = "cg",
                              .op = op,
                              .variant = variant,
                              .n = p->host.n,
                              .rows = 1,
                              .bytes = bytes_of(&p->host) * s->ran,
                              .times = times,
                              .rival = "nine-polling",
                              .more = more,
                              .note = note};
    device_record(run, &line);
}

static void bench_solve(const device_run *run, const problem *p, cg_matrix matrix) {
    cg_job nine = {matrix, CG_NINE, p->b, p->x, NULL}, merged = nine;
    merged.form = CG_MERGED;
    nine.workspace = take(cg_workspace_bytes(&nine), &nine);
    merged.workspace = take(cg_workspace_bytes(&merged), &merged);
    uint32_t *const count = take(sizeof *count, &merged);
    cg_loop *loop = NULL;
    host_waiter *const waiter = host_wait_open();
    if (waiter == NULL || cg_loop_make(&loop, &merged, ITERATIONS, tolerance, count,
                                       host_wait_stream(waiter)) != RESULT_OK) {
        stop("no loop", &merged);
    }
    const solution all[] = {{&nine, NULL, HOST_POLLS, waiter, count, 0},
                            {&nine, NULL, HOST_BLOCKS, waiter, count, 0},
                            {&merged, NULL, HOST_POLLS, waiter, count, 0},
                            {&merged, NULL, HOST_BLOCKS, waiter, count, 0},
                            {&merged, loop, HOST_POLLS, waiter, count, 0},
                            {&merged, loop, HOST_BLOCKS, waiter, count, 0}};
    static const char *const names[] = {"nine-polling",    "nine-blocking", "merged-polling",
                                        "merged-blocking", "loop-polling",  "loop-blocking"};
    host_work base = {0};
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
        solution s = all[i];
        host_work work;
        if (!host_wait_measure(solve, &s, run->quick ? 0.1 : 1, run->energy > 0, &work) ||
            !(largest_residual(p) < 1e-4)) {
            stop(names[i], s.job);
        }
        base = i == 0 ? work : base;
        record_solution(run, p, &s, names[i], &work, &base);
    }
    cg_loop_free(loop);
    host_wait_close(waiter);
    device_free(nine.workspace), device_free(merged.workspace), device_free(count);
}

static void bench_problem(const device_run *run, problem *p, unsigned asked) {
    const size_t bytes = sizeof(double) * p->host.n;
    double *b = program_memory(p->host.n, sizeof *b, "a right-hand side");
    cg_job none = {{CG_ELL, p->host.n, 0, NULL, NULL, NULL}, CG_NINE, NULL, NULL, NULL};
    p->b = take(bytes, &none);
    p->x = take(bytes, &none);
    for (uint32_t i = 0; i < p->host.n; i++) {
        b[i] = 1;
    }
    if (!device_upload(p->b, b, bytes)) {
        stop("no right-hand side", &none);
    }
    free(b);
    for (unsigned format = 0; format < CG_FORMATS; format++) {
        cg_matrix matrix;
        if (!cg_matrix_upload(&matrix, &p->host, (cg_format)format)) {
            stop("no memory for the matrix", &none);
        }
        if ((asked & 1) != 0) {
            bench_steps(run, p, matrix);
        }
        // The grid takes more iterations than are allowed, so its solutions are not asked for.
        if ((asked & 2) != 0 && strcmp(p->name, "band") == 0) {
            bench_solve(run, p, matrix);
        }
        cg_matrix_free(&matrix);
    }
    device_free(p->b), device_free(p->x);
    cg_host_free(&p->host);
}

int main(int argc, char **argv) {
    static const char *const names[] = {"steps", "solve"};
    static const struct argp own = {
        .parser = device_run_parts_parse,
        .args_doc = "[steps] [solve]",
        .doc =
            "Times conjugate gradients on a device in several forms, and checks every solution. "
            "Measures the parts that are named, or both."};
    device_run run = {0};
    device_run_parts parts = {names, 2, 0};
    device_run_start(&run, &own, &parts, argc, argv);
    const unsigned asked = parts.asked;
    for (unsigned lg = 12; lg <= (run.quick ? 12 : 22); lg += 5) {
        problem grid = {"grid", cg_host_grid(1u << lg / 2), NULL, NULL};
        bench_problem(&run, &grid, asked);
        problem band = {"band", cg_host_band(1u << lg, 33), NULL, NULL};
        bench_problem(&run, &band, asked);
    }
    return 0;
}
