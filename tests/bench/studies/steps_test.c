// steps_test.c: the ways of steps.h give the same, right results, in any order of blocks.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/studies/jacobi.h"
#include "bench/studies/passes.h"
#include "tests/bench/studies/lagging.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Runs a job twice with one workspace, whose bytes beyond those asked for must stay.
typedef struct {
    char *at;
    size_t bytes;
} room;

static room room_of(size_t bytes) {
    room r = {device_alloc(bytes + 256), bytes};
    device_fill(r.at, 0, bytes);
    return r;
}

static void check_passes(passes_job *job, size_t n) {
    uint64_t *host = malloc(8 * n);
    const room r = room_of(passes_workspace_bytes(job));
    job->workspace = r.at;
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < n; i++) {
            host[i] = i;
        }
        EXPECT_TRUE(device_upload(job->x, host, 8 * n) && device_fill(job->y, 0xA5, 8 * n));
        EXPECT_EQ(passes_run(job, NULL), RESULT_OK);
        EXPECT_TRUE(device_download(host, job->steps % 2 == 0 ? job->x : job->y, 8 * n));
        size_t wrong = 0;
        for (size_t i = 0; i < n; i++) {
            wrong += host[i] != passes_word(job, i);
        }
        EXPECT_EQ(wrong, 0);
    }
    device_free(r.at);
    free(host);
}

// Catches: a tile at the wrong place, words of a barrier that are not cleared, a group of tiles
// that never fills.
TEST(Steps, Passes) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const unsigned lgs[] = {10, 11, 14, 15};
    for (unsigned i = 0; i < 4; i++) {
        const size_t n = (size_t)1 << lgs[i];
        uint64_t *x = device_alloc(8 * n), *y = device_alloc(8 * n);
        for (unsigned way = 0; way < STEPS_NO_WAIT; way++) {
            for (unsigned k = 0; k < 4; k++) {
                passes_job job = {.x = x,
                                  .y = y,
                                  .lg = lgs[i],
                                  .steps = k == 3 ? 1 : 2 + k,
                                  .way = (steps_way)way,
                                  .by_tiles = k == 1};
                device_order(k);
                SCOPED_TRACE("2^%u, %u steps, %s", lgs[i], job.steps, steps_way_name(job.way));
                check_passes(&job, n);
            }
        }
        device_order(0);
        device_free(x), device_free(y);
    }
}

// One tile of each step lags behind. Catches: a wait, a post or a barrier that is missing or that
// stands at the wrong place, a goal of the wrong step, a second run that takes the first one's
// posts for its own. Without waits the same steps go wrong, so the test can fail.
TEST(Steps, NobodyOvertakes) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static uint32_t values[(LAGGING_STEPS + 1) * LAGGING_TILES];
    uint32_t *there = device_alloc(sizeof values);
    for (unsigned k = 0; k < 2 * STEPS_WAYS; k++) {
        const steps_way way = (steps_way)(k / 2);
        const unsigned groups = k % 2 == 0 ? 1 : LAGGING_TILES / 2;
        const room r = room_of(lagging_workspace_bytes(groups));
        for (unsigned seed = 0; seed < 4; seed++) {
            SCOPED_TRACE("%s, %u groups, order %u", steps_way_name(way), groups, seed);
            memset(values, 0, sizeof values);
            for (unsigned t = 0; t < LAGGING_TILES; t++) {
                values[t] = 1000 * t + seed;
            }
            device_order(seed);
            EXPECT_TRUE(device_upload(there, values, sizeof values));
            EXPECT_EQ(lagging_run(there, groups, way, r.at, NULL), RESULT_OK);
            EXPECT_TRUE(device_download(values, there, sizeof values));
            EXPECT_EQ(lagging_wrong(values, groups) > 0, way == STEPS_NO_WAIT);
        }
        device_order(0);
        device_free(r.at);
    }
    device_free(there);
}

TEST(Steps, RefusesWhatIsNotThere) {
    passes_job job = {.lg = 12, .steps = 3, .way = STEPS_WAYS};
    EXPECT_TRUE(passes_run(&job, NULL) != RESULT_OK);
    job.way = STEPS_LAUNCHES;
    job.lg = PASSES_LG_LEAST - 1;
    EXPECT_EQ(passes_workspace_bytes(&job), 0);
    EXPECT_TRUE(passes_run(&job, NULL) != RESULT_OK);
}

// --- Jacobi --------------------------------------------------------------------------------------

typedef struct {
    unsigned n, sides;
    float *a, *b, *x;          // of the host
    float *da, *db, *dx, *dy;  // of the device
} systems;

// Diagonally dominant matrices of small multiples of 1/8.
static systems systems_make(unsigned n, unsigned sides) {
    systems s = {n,
                 sides,
                 malloc(4 * (size_t)n * n),
                 malloc(4 * (size_t)n * sides),
                 malloc(4 * (size_t)n * sides),
                 NULL,
                 NULL,
                 NULL,
                 NULL};
    gen g = gen_seed(n);
    for (size_t i = 0; i < (size_t)n * n; i++) {
        s.a[i] = (float)(gen_u64(&g) % 17) / 8 - 1;
    }
    for (unsigned i = 0; i < n; i++) {
        s.a[(size_t)i * n + i] = 2 * (float)n;
    }
    for (size_t i = 0; i < (size_t)n * sides; i++) {
        s.b[i] = (float)(gen_u64(&g) % 1000);
    }
    s.da = device_alloc(4 * (size_t)n * n);
    s.db = device_alloc(4 * (size_t)n * sides);
    s.dx = device_alloc(4 * (size_t)n * sides);
    s.dy = device_alloc(4 * (size_t)n * sides);
    device_upload(s.da, s.a, 4 * (size_t)n * n);
    device_upload(s.db, s.b, 4 * (size_t)n * sides);
    return s;
}

static void systems_free(systems *s) {
    free(s->a), free(s->b), free(s->x);
    device_free(s->da), device_free(s->db), device_free(s->dx), device_free(s->dy);
}

// One step of one side in doubles.
static void step(const systems *s, unsigned side, const double *from, double *to) {
    for (unsigned i = 0; i < s->n; i++) {
        double sum = 0;
        for (unsigned j = 0; j < s->n; j++) {
            sum += (double)s->a[(size_t)j * s->n + i] * from[j];
        }
        to[i] = from[i] +
                ((double)s->b[(size_t)side * s->n + i] - sum) / (double)s->a[(size_t)i * s->n + i];
    }
}

static void expect_steps(const systems *s, unsigned steps) {
    double *x = calloc(2 * s->n, sizeof *x);
    double worst = 0, size = 0;
    for (unsigned side = 0; side < s->sides; side++) {
        memset(x, 0, 2 * s->n * sizeof *x);
        for (unsigned k = 0; k < steps; k++) {
            step(s, side, x + k % 2 * s->n, x + (k + 1) % 2 * s->n);
        }
        for (unsigned i = 0; i < s->n; i++) {
            const double want = x[steps % 2 * s->n + i];
            worst = fmax(worst, fabs((double)s->x[(size_t)side * s->n + i] - want));
            size = fmax(size, fabs(want));
        }
    }
    free(x);
    // Sums of n products of numbers below size (2 n on the diagonal) in floats, over 2 n.
    EXPECT_TRUE(worst <= steps * 2 * 6e-8 * s->n * size);
}

// Catches: a right-hand side that waits for another's posts or reads another's vector, rows that
// are left out, the diagonal's term, a kept row at the wrong place.
TEST(Steps, Jacobi) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        unsigned n, rows_each, sides, steps;
    } cases[] = {{512, 1, 1, 3}, {512, 1, 3, 4}, {512, 2, 2, 3}, {2048, 8, 1, 2}};
    for (unsigned k = 0; k < 4; k++) {
        const unsigned rows_each = cases[k].rows_each, sides = cases[k].sides;
        const unsigned steps = cases[k].steps;
        systems s = systems_make(cases[k].n, sides);
        const size_t bytes = 4 * (size_t)s.n * sides;
        const unsigned ways = STEPS_NO_WAIT + (sides == 1 && rows_each == 1 ? 1u : 0u);
        for (unsigned way = 0; way < ways; way++) {
            const bool kept = way == STEPS_NO_WAIT;
            jacobi_job job = {s.da, s.db, s.dx, s.dy, s.n, sides, steps, rows_each, way, NULL};
            SCOPED_TRACE("n %u, %u sides, %s", s.n, sides, kept ? "kept" : steps_way_name(way));
            const room r = room_of(jacobi_workspace_bytes(&job));
            job.workspace = r.at;
            device_order(k);
            for (int again = 0; again < 2; again++) {
                device_fill(s.dx, 0, bytes);
                // The emulated device's two multiprocessors hold less than that.
                const result done = kept ? jacobi_kept(&job, NULL) : jacobi_run(&job, NULL);
                if (kept && device_emulated()) {
                    EXPECT_EQ(done, RESULT_REFUSED);
                    continue;
                }
                EXPECT_EQ(done, RESULT_OK);
                EXPECT_TRUE(device_download(s.x, steps % 2 == 0 ? s.dx : s.dy, bytes));
                expect_steps(&s, steps);
            }
            device_free(r.at);
        }
        device_order(0);
        systems_free(&s);
    }
}

// The same, small enough for the emulated device.
TEST(Steps, JacobiKept) {
    if (!device_ready()) {
        SKIP("no device");
    }
    systems s = systems_make(256, 1);
    for (unsigned steps = 1; steps <= 4; steps++) {
        jacobi_job job = {s.da, s.db, s.dx, s.dy, s.n, 1, steps, 1, STEPS_BARRIER, NULL};
        const room r = room_of(jacobi_workspace_bytes(&job));
        job.workspace = r.at;
        device_order(steps);
        device_fill(s.dx, 0, 4 * (size_t)s.n);
        EXPECT_EQ(jacobi_kept(&job, NULL), RESULT_OK);
        EXPECT_TRUE(device_download(s.x, steps % 2 == 0 ? s.dx : s.dy, 4 * (size_t)s.n));
        expect_steps(&s, steps);
        device_free(r.at);
    }
    device_order(0);
    systems_free(&s);
}

// --- Powers --------------------------------------------------------------------------------------

// Catches: a tile that waits for another row of tiles, or reads a itself where the power belongs.
TEST(Steps, Power) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 96, STEPS = 3 };
    static uint32_t a[N * N], want[2][N * N], got[N * N];
    gen g = gen_seed(7);
    for (size_t i = 0; i < N * N; i++) {
        a[i] = (uint32_t)gen_u64(&g);
        want[0][i] = (uint32_t)gen_u64(&g);
    }
    uint32_t *da = device_alloc(sizeof a), *x = device_alloc(sizeof a), *y = device_alloc(sizeof a);
    device_upload(da, a, sizeof a);
    for (unsigned way = 0; way < STEPS_NO_WAIT; way++) {
        SCOPED_TRACE("%s", steps_way_name((steps_way)way));
        power_job job = {da, x, y, N, STEPS, (steps_way)way, NULL};
        const room r = room_of(power_workspace_bytes(&job));
        job.workspace = r.at;
        device_order(way);
        device_upload(x, want[0], sizeof a);
        EXPECT_EQ(power_run(&job, NULL), RESULT_OK);
        EXPECT_TRUE(device_download(got, y, sizeof a));
        static uint32_t from[N * N], to[N * N];
        memcpy(from, want[0], sizeof a);
        for (unsigned k = 0; k < STEPS; k++) {
            memset(to, 0, sizeof to);
            for (size_t i = 0; i < N; i++) {
                for (size_t j = 0; j < N * N; j++) {
                    to[i * N + j % N] += from[i * N + j / N] * a[j];
                }
            }
            memcpy(from, to, sizeof a);
        }
        EXPECT_EQ(memcmp(got, from, sizeof a), 0);
        device_free(r.at);
    }
    device_order(0);
    device_free(da), device_free(x), device_free(y);
}
