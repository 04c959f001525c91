// scan_host_test.c: scans and reductions in host memory, alone and by teams, against a serial loop.
#include <stdlib.h>
#include <string.h>

#include "primitives/scan/reduce.h"
#include "primitives/scan/scan.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/gen.h"

enum { SIZE_MAX_HERE = 150000, THREADS_MAX = 5 };

static const size_t lengths[] = {0, 1, 2, 3, 7, 100, 1000, 16384, 32768, 40001, 65537, 149999};

// Catches a share whose prefix is its neighbour's, a row that takes what stands before it, and the
// border below which one thread works.
TEST(ScanHost, TeamsAgreeWithALoop) {
    char *x = malloc(8 * SIZE_MAX_HERE), *want = malloc(8 * SIZE_MAX_HERE);
    char *got = malloc(8 * SIZE_MAX_HERE);
    uint64_t workspace[THREADS_MAX];
    for (unsigned threads = 1; threads <= THREADS_MAX; threads += 2) {
        void *memory = aligned_alloc(64, (team_bytes(threads) + 63) / 64 * 64);
        team *t = team_start(memory, threads);
        ASSERT_TRUE(t != NULL);
        for (unsigned op = 0; op < MONOID_KINDS; op++) {
            for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
                const size_t n = lengths[i];
                const size_t rows = i % 2 == 0 || n == 0 ? 1 : SIZE_MAX_HERE / n;
                SCOPED_TRACE("%s n = %zu, rows = %zu, threads %u", monoid_name((monoid)op), n, rows,
                             threads);
                gen g = gen_seed(10 * i + op);
                monoid_random(&g, (monoid)op, x, n * rows);
                const scan_job scan = {.op = (monoid)op,
                                       .exclusive = i % 3 == 0,
                                       .n = n,
                                       .rows = rows,
                                       .simd = cpu_best_simd(cpu_detect())};
                monoid_scan_serial(scan.op, scan.exclusive, want, x, n, rows);
                EXPECT_EQ(scan_host(&scan, got, x, workspace, t), RESULT_OK);
                EXPECT_EQ(monoid_first_difference(scan.op, got, want, n * rows), n * rows);
                const reduce_job reduce = {.op = (monoid)op, .n = n, .rows = rows};
                monoid_reduce_serial(reduce.op, want, x, n, rows);
                EXPECT_EQ(reduce_host(&reduce, got, x, workspace, t), RESULT_OK);
                EXPECT_EQ(monoid_first_difference(reduce.op, got, want, rows), rows);
                // Over its operand.
                monoid_scan_serial(scan.op, scan.exclusive, want, x, n, rows);
                EXPECT_EQ(scan_host(&scan, x, x, workspace, t), RESULT_OK);
                EXPECT_EQ(monoid_first_difference(scan.op, x, want, n * rows), n * rows);
            }
        }
        team_stop(t);
        free(memory);
    }
    free(x);
    free(want);
    free(got);
}

// Any elements, with sums that are rounded: signs, exponents and fractions vary.
static void rounded_elements(gen *g, monoid op, void *x, size_t n) {
    if (op != MONOID_SUM_F32 && op != MONOID_SUM_F64) {
        monoid_random(g, op, x, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const double v =
            ((double)gen_below(g, 1 << 30) - (1 << 29)) / (double)(1 + gen_u64(g) % 999);
        if (op == MONOID_SUM_F32) {
            ((float *)x)[i] = (float)v;
        } else {
            ((double *)x)[i] = v;
        }
    }
}

// Catches a lane that takes its neighbour's neighbour, a group that begins elsewhere with wider
// vectors, a tail off by one, and sums in another order: every instruction set gives the portable
// loops' bits, for floating point too.
TEST(ScanHost, EveryInstructionSetGivesTheSameBits) {
    enum { N = 2000, MOST = 80 };
    const cpu_simd best = cpu_best_simd(cpu_detect());
    char *x = malloc(8 * N), *want = malloc(8 * N), *got = malloc(8 * N);
    uint64_t wanted = 0, sum;
    for (unsigned op = 0; op < MONOID_KINDS; op++) {
        const size_t bytes = monoid_bytes((monoid)op);
        for (size_t n = 1; n <= N; n += n < MOST ? 1 : 137) {
            const size_t rows = N / n > 3 ? 3 : N / n;
            gen g = gen_seed(n);
            rounded_elements(&g, (monoid)op, x, n * rows);
            for (unsigned simd = 0; simd <= (unsigned)best; simd++) {
                SCOPED_TRACE("%s %s n = %zu", cpu_simd_name((cpu_simd)simd),
                             monoid_name((monoid)op), n);
                const scan_job scan = {.op = (monoid)op,
                                       .exclusive = n % 2 == 0,
                                       .n = n,
                                       .rows = rows,
                                       .simd = (cpu_simd)simd};
                EXPECT_EQ(scan_host(&scan, got, x, NULL, NULL), RESULT_OK);
                const reduce_job reduce = {
                    .op = (monoid)op, .n = n, .rows = 1, .simd = (cpu_simd)simd};
                sum = 0;
                EXPECT_EQ(reduce_host(&reduce, &sum, x, NULL, NULL), RESULT_OK);
                if (simd == CPU_PORTABLE) {
                    memcpy(want, got, n * rows * bytes);
                    wanted = sum;
                    continue;
                }
                EXPECT_EQ(memcmp(got, want, n * rows * bytes), 0);
                EXPECT_EQ(sum, wanted);
            }
        }
    }
    free(x);
    free(want);
    free(got);
}

// Catches an unknown operator or instruction set, and a size that overflows.
TEST(ScanHost, RefusesWhatItCannotDo) {
    scan_job scan = {.op = MONOID_KINDS, .n = 1, .rows = 1};
    EXPECT_EQ(scan_host(&scan, NULL, NULL, NULL, NULL), RESULT_REFUSED);
    scan = (scan_job){.op = MONOID_SUM_U32, .n = UINT64_MAX / 2, .rows = 9};
    EXPECT_EQ(scan_host(&scan, NULL, NULL, NULL, NULL), RESULT_REFUSED);
    scan = (scan_job){.op = MONOID_SUM_U32, .n = 1, .rows = 1, .simd = CPU_SIMDS};
    EXPECT_EQ(scan_host(&scan, NULL, NULL, NULL, NULL), RESULT_REFUSED);
    const reduce_job reduce = {.op = MONOID_KINDS, .n = 1, .rows = 1};
    EXPECT_EQ(reduce_host(&reduce, NULL, NULL, NULL, NULL), RESULT_REFUSED);
}
