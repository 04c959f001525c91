// cg_test.c: conjugate gradients in every form and format make the iterations of the textbook.
#include "bench/studies/cg.h"

#include <math.h>
#include <stdlib.h>

#include "bench/studies/cg_matrix.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// That many textbook iterations of the host in long double; returns the residual's norm.
static double iterate(const cg_host *m, const double *b, double *x, unsigned steps) {
    const uint32_t n = m->n;
    long double *r = malloc(4 * n * sizeof *r), *p = r + n, *v = p + n, *y = v + n, sigma = 0;
    for (uint32_t i = 0; i < n; i++) {
        y[i] = 0;
        r[i] = p[i] = (long double)b[i];
        sigma += r[i] * r[i];
    }
    for (unsigned k = 0; k < steps; k++) {
        long double pv = 0, zeta = 0;
        for (uint32_t i = 0; i < n; i++) {
            v[i] = 0;
            for (uint32_t at = m->begins[i]; at < m->begins[i + 1]; at++) {
                v[i] += (long double)m->values[at] * p[m->columns[at]];
            }
            pv += p[i] * v[i];
        }
        for (uint32_t i = 0; i < n; i++) {
            y[i] += sigma / pv * p[i];
            r[i] -= sigma / pv * v[i];
            zeta += r[i] * r[i];
        }
        for (uint32_t i = 0; i < n; i++) {
            p[i] = r[i] + zeta / sigma * p[i];
        }
        sigma = zeta;
    }
    for (uint32_t i = 0; i < n; i++) {
        x[i] = (double)y[i];
    }
    free(r);
    return sqrt((double)sigma);
}

// Relative distance of the device's vector after `steps` iterations, and what it says of its
// residual.
static double distance(const cg_job *job, const double *want, unsigned steps, double *tau) {
    const uint32_t n = job->matrix.n;
    double *x = malloc(n * sizeof *x), worst = 0, size = 1;
    EXPECT_EQ(cg_start(job, NULL), RESULT_OK);
    for (unsigned k = 0; k < steps; k++) {
        EXPECT_EQ(cg_step(job, NULL), RESULT_OK);
    }
    EXPECT_TRUE(device_download(x, job->x, n * sizeof *x));
    EXPECT_TRUE(device_download(tau, cg_residual(job), sizeof *tau));
    for (uint32_t i = 0; i < n; i++) {
        worst = fmax(worst, fabs(x[i] - want[i]));
        size = fmax(size, fabs(want[i]));
    }
    free(x);
    return worst / size;
}

static void check(unsigned side, unsigned steps) {
    cg_host m = cg_host_grid(side);
    const uint32_t n = m.n;
    double *b = malloc(n * sizeof *b), *want = malloc(n * sizeof *want);
    gen g = gen_seed(side);
    for (uint32_t i = 0; i < n; i++) {
        b[i] = (double)(gen_u64(&g) % 1000) / 100 - 5;
    }
    const double norm = iterate(&m, b, want, steps);
    double *db = device_alloc(n * sizeof *b), *dx = device_alloc(n * sizeof *b);
    device_upload(db, b, n * sizeof *b);
    for (unsigned format = 0; format < CG_FORMATS; format++) {
        cg_matrix matrix;
        ASSERT_TRUE(cg_matrix_upload(&matrix, &m, (cg_format)format));
        for (unsigned form = 0; form < CG_FORMS; form++) {
            SCOPED_TRACE("%u rows, %s, %s", n, cg_format_name(matrix.format), cg_form_name(form));
            cg_job job = {matrix, (cg_form)form, db, dx, NULL};
            job.workspace = device_alloc(cg_workspace_bytes(&job));
            device_order(form);
            device_fill(dx, 0xA5, n * sizeof *b);
            double tau = 1;
            EXPECT_TRUE(distance(&job, want, steps, &tau) < 1e-10);
            EXPECT_TRUE(fabs(tau - norm) < 1e-10 * (1 + 3 * sqrt(n)));  // |b| is about 3 sqrt(n)
            device_free(job.workspace);
        }
        cg_matrix_free(&matrix);
    }
    device_order(0);
    device_free(db), device_free(dx);
    cg_host_free(&m);
    free(b), free(want);
}

// One row; rows that end among second elements of threads; two blocks of sums. Catches: a scalar
// that is used before it is made, elements beyond the end in sums or updates, the second element of
// a thread, a row of padding, a warp's row that a thread takes, parts of another number of blocks.
TEST(Cg, EveryFormIterates) {
    if (!device_ready()) {
        SKIP("no device");
    }
    check(1, 1);
    check(14, 2);
    check(19, 1);
}

// 260 x 260 points are more than 256 blocks of 256, whose sums take three launches.
TEST(Cg, MoreBlocks) {
    if (!device_ready() || device_emulated()) {
        SKIP("long");
    }
    check(260, 20);
}
