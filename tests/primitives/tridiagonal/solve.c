// solve.c: see solve.h.
#include "tests/primitives/tridiagonal/solve.h"

#include <math.h>
#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

static const double gap = -7;  // what stands between systems and in x

static size_t width(const solve *s) { return s->plan.job.type == TRIDIAGONAL_F32 ? 4 : 8; }

static double unit(const solve *s) { return width(s) == 4 ? 0x1p-24 : 0x1p-53; }

void solve_put(solve *s, unsigned array, size_t at, double v) {
    if (width(s) == 4) {
        ((float *)s->host[array])[at] = (float)v;
    } else {
        ((double *)s->host[array])[at] = v;
    }
}

double solve_get(const solve *s, unsigned array, size_t at) {
    return width(s) == 4 ? (double)((const float *)s->host[array])[at]
                         : ((const double *)s->host[array])[at];
}

size_t solve_element(const solve *s, size_t system, size_t row) {
    const tridiagonal_job *job = &s->plan.job;
    return (size_t)(system * job->system_stride + row * job->row_stride);
}

// The arrays as the systems say; what the algorithms must not read is NaN.
static void lay_out(solve *s) {
    const tridiagonal_job *job = &s->plan.job;
    for (size_t i = 0; i < s->elements; i++) {
        for (unsigned k = 0; k < 4; k++) {
            solve_put(s, k, i, (double)NAN);
        }
        solve_put(s, 4, i, gap);
    }
    for (size_t k = 0; k < job->batch; k++) {
        const system_rows *r = &s->systems[k];
        for (size_t i = 0; i < job->n; i++) {
            const size_t at = solve_element(s, k, i);
            solve_put(s, 0, at, i > 0 ? r->a[i] : (double)NAN);
            solve_put(s, 1, at, r->b[i]);
            solve_put(s, 2, at, i + 1 < job->n ? r->c[i] : (double)NAN);
            solve_put(s, 3, at, r->d[i]);
        }
    }
}

// Systems of one kind, or of all kinds that are regular, one after the other. n, batch >= 1.
void solve_open(solve *s, const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed) {
    const tridiagonal_job *job = &plan->job;
    s->plan = *plan;
    s->elements =
        (size_t)((job->batch - 1) * job->system_stride + (job->n - 1) * job->row_stride + 1);
    s->systems = calloc(job->batch, sizeof *s->systems);
    gen g = gen_seed(seed);
    for (size_t k = 0; k < job->batch; k++) {
        matrix_kind own = kind == MATRIX_KINDS ? (matrix_kind)(k % MATRIX_KINDS) : kind;
        own = matrix_singular(own, job->n) ? MATRIX_UNIFORM : own;
        system_alloc(&s->systems[k], job->n);
        system_fill(&s->systems[k], own, job->type, &g);
    }
    for (unsigned k = 0; k < 5; k++) {
        s->host[k] = malloc(s->elements * width(s));
        s->device[k] = device_alloc(s->elements * width(s));
    }
    s->status = malloc(job->batch * sizeof *s->status);
    s->device_status = device_alloc(job->batch * sizeof *s->status);
    s->workspace_bytes = tridiagonal_workspace_bytes(plan);
    s->workspace = device_alloc(s->workspace_bytes);
    device_fill(s->workspace, 0, 64 << 10);  // the rest of it as it is
    lay_out(s);
}

void solve_close(solve *s) {
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        system_free(&s->systems[k]);
    }
    free(s->systems);
    for (unsigned k = 0; k < 5; k++) {
        free(s->host[k]);
        device_free(s->device[k]);
    }
    free(s->status);
    device_free(s->device_status);
    device_free(s->workspace);
}

// x in an array of its own, or in d's.
void solve_run(solve *s, bool in_place) {
    for (unsigned k = 0; k < 5; k++) {
        EXPECT_TRUE(device_upload(s->device[k], s->host[k], s->elements * width(s)));
    }
    EXPECT_TRUE(device_fill(s->device_status, 0xA5, s->plan.job.batch * sizeof *s->status));
    char *const x = in_place ? s->device[3] : s->device[4];
    EXPECT_EQ(tridiagonal_device(&s->plan, s->device[0], s->device[1], s->device[2], s->device[3],
                                 x, s->device_status, s->workspace, s->workspace_bytes, NULL),
              RESULT_OK);
    EXPECT_TRUE(device_download(s->host[4], x, s->elements * width(s)));
    EXPECT_TRUE(
        device_download(s->status, s->device_status, s->plan.job.batch * sizeof *s->status));
}

// The unknowns of a system, to be freed.
static double *unknowns(const solve *s, size_t system) {
    double *x = malloc(s->plan.job.n * sizeof *x);
    for (size_t i = 0; i < s->plan.job.n; i++) {
        x[i] = solve_get(s, 4, solve_element(s, system, i));
    }
    return x;
}

double solve_residual(const solve *s) {
    double worst = 0;
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        double *x = unknowns(s, k);
        worst = fmax(worst, system_residual(&s->systems[k], x));
        free(x);
    }
    return worst;
}

double solve_error(const solve *s) {
    double worst = 0;
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        double *x = unknowns(s, k);
        EXPECT_TRUE(system_solve(&s->systems[k]));
        worst = fmax(worst, system_error(&s->systems[k], x));
        free(x);
    }
    return worst;
}

// A row takes part in as many eliminations as a thread has rows, and twice as many as the tree has
// levels; 16 units in each. By the default it is the rounding of three unknowns, and a hundredth
// for the rest.
double solve_bound(const solve *s) {
    if (s->plan.variant == TRIDIAGONAL_PARTITION_PIVOT) {
        return 3.01 * unit(s);
    }
    return 16 * (s->plan.rows_each + 2 * (log2((double)s->plan.job.n) + 1)) * unit(s);
}

void solve_expect_status(const solve *s, uint32_t want) {
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        if (s->status[k] != want) {
            EXPECT_EQ(s->status[k], want);
            return;
        }
    }
}

// Everything that is not an element of a system is as it was.
void solve_expect_gaps(const solve *s) {
    char *own = calloc(s->elements, 1);
    for (size_t k = 0; k < s->plan.job.batch; k++) {
        for (size_t i = 0; i < s->plan.job.n; i++) {
            own[solve_element(s, k, i)] = 1;
        }
    }
    size_t touched = 0;
    for (size_t i = 0; i < s->elements; i++) {
        touched += !own[i] && solve_get(s, 4, i) != gap ? 1 : 0;
    }
    EXPECT_EQ(touched, 0);
    free(own);
}

void solve_check(const tridiagonal_plan *plan, matrix_kind kind, uint64_t seed) {
    char text[256];
    tridiagonal_plan_text(plan, text, sizeof text);
    SCOPED_TRACE("%s", text);
    solve s;
    solve_open(&s, plan, kind, seed);
    solve_run(&s, false);
    solve_expect_status(&s, 0);
    EXPECT_TRUE(solve_residual(&s) <= solve_bound(&s));
    solve_expect_gaps(&s);
    solve_close(&s);
}

void solve_twice(const tridiagonal_plan *plan, uint64_t seed) {
    solve s;
    solve_open(&s, plan, seed % 2 ? MATRIX_LAPLACE : MATRIX_UNIFORM, seed);
    for (unsigned again = 0; again < 2; again++) {
        solve_run(&s, again == 1);
        solve_expect_status(&s, 0);
        EXPECT_TRUE(solve_residual(&s) <= solve_bound(&s));
        for (size_t k = 0; k < plan->job.batch; k++) {
            for (size_t i = 0; i < plan->job.n; i++) {
                s.systems[k].d[i] *= i % 3 == 0 ? -2 : 1;
                solve_put(&s, 3, solve_element(&s, k, i), s.systems[k].d[i]);
            }
        }
    }
    solve_close(&s);
}

static size_t not_finite(const solve *s, size_t system) {
    size_t count = 0;
    for (size_t i = 0; i < s->plan.job.n; i++) {
        count += isfinite(solve_get(s, 4, solve_element(s, system, i))) ? 0 : 1;
    }
    return count;
}

void solve_spoilt(const tridiagonal_plan *plan, unsigned array, size_t row, double value) {
    solve s;
    solve_open(&s, plan, MATRIX_UNIFORM, 3);
    SCOPED_TRACE("array %u row %zu value %g", array, row, value);
    if (array < 4) {
        solve_put(&s, array, solve_element(&s, 1, row), value);
    } else {  // a column of zeros
        solve_put(&s, 1, solve_element(&s, 1, row), 0);
        if (row > 0) {
            solve_put(&s, 2, solve_element(&s, 1, row - 1), 0);
        }
        if (row + 1 < plan->job.n) {
            solve_put(&s, 0, solve_element(&s, 1, row + 1), 0);
        }
    }
    solve_run(&s, false);
    EXPECT_EQ(s.status[0], 0);
    EXPECT_EQ(s.status[1], 1);
    EXPECT_EQ(s.status[2], 0);
    EXPECT_TRUE(not_finite(&s, 1) > 0);
    EXPECT_EQ(not_finite(&s, 0) + not_finite(&s, 2), 0);
    solve_close(&s);
}

tridiagonal_job solve_job(tridiagonal_type type, size_t n, size_t batch, bool interleaved,
                          size_t extra) {
    return (tridiagonal_job){type, n, batch, interleaved ? batch + extra : 1,
                             interleaved ? 1 : n + extra};
}

tridiagonal_plan solve_plan(tridiagonal_variant v, tridiagonal_job job) {
    tridiagonal_plan plan = {0};
    EXPECT_TRUE(tridiagonal_make_plan(&plan, &job, v));
    return plan;
}
