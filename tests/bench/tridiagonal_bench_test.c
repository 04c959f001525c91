// tridiagonal_bench_test.c: the memory of tridiagonal_bench, and the jobs that fit into it.
#include "bench/tridiagonal/tridiagonal_bench.h"

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { ROWS = 1 << 15 };  // in FP64, twice as many in FP32

static bool takes(const tridiagonal_bench *b, tridiagonal_type t, uint64_t n, uint64_t batch) {
    const tridiagonal_job job = tridiagonal_bench_strided(t, n, batch);
    tridiagonal_ours o;
    return tridiagonal_bench_plan(b, &o, &job, TRIDIAGONAL_PARTITION_PIVOT);
}

// Catches: a job that is uploaded past the end of its array ("64 x 262144" of --quick); a job that
// just fits, left out; a limit in rows where it is one of bytes.
TEST(TridiagonalBench, JobsThatFit) {
    tridiagonal_bench b = {0};
    ASSERT_TRUE(tridiagonal_bench_allocate(&b, ROWS));
    EXPECT_TRUE(takes(&b, TRIDIAGONAL_F64, ROWS, 1));
    EXPECT_FALSE(takes(&b, TRIDIAGONAL_F64, ROWS + 1, 1));
    EXPECT_TRUE(takes(&b, TRIDIAGONAL_F64, ROWS / 64, 64));
    EXPECT_FALSE(takes(&b, TRIDIAGONAL_F64, ROWS / 64, 65));
    EXPECT_TRUE(takes(&b, TRIDIAGONAL_F32, 2 * ROWS, 1));
    EXPECT_FALSE(takes(&b, TRIDIAGONAL_F32, 2 * ROWS + 1, 1));
    EXPECT_TRUE(takes(&b, TRIDIAGONAL_F32, ROWS / 32, 64));
    EXPECT_FALSE(takes(&b, TRIDIAGONAL_F32, ROWS / 16, 64));
    tridiagonal_bench_release(&b);
}

// solve_all: the largest job, filled, solved and judged, for us and in the rival's memory.
static void solve_all(tridiagonal_bench *b, tridiagonal_type t, uint64_t n, uint64_t batch) {
    const tridiagonal_job job = tridiagonal_bench_strided(t, n, batch);
    tridiagonal_ours o;
    ASSERT_TRUE(tridiagonal_bench_plan(b, &o, &job, TRIDIAGONAL_PARTITION_PIVOT));
    tridiagonal_bench_fill(b, &job, MATRIX_STRONG, 0, true);
    ASSERT_TRUE(tridiagonal_bench_enqueue(&o, NULL));
    const tridiagonal_quality q = tridiagonal_bench_judge(b, &job, b->array[4]);
    EXPECT_TRUE(q.residual < (t == TRIDIAGONAL_F32 ? 1e-5 : 1e-14));
    tridiagonal_bench_forget(b);
}

// Catches: arrays, states of systems or room on the host that are too small for a job that is
// taken.
TEST(TridiagonalBench, LargestJobs) {
    tridiagonal_bench b = {0};
    ASSERT_TRUE(tridiagonal_bench_allocate(&b, ROWS));
    solve_all(&b, TRIDIAGONAL_F64, ROWS, 1);
    solve_all(&b, TRIDIAGONAL_F64, 16, ROWS / 16);
    solve_all(&b, TRIDIAGONAL_F32, 2 * ROWS, 1);
    solve_all(&b, TRIDIAGONAL_F32, 16, ROWS / 8);
    tridiagonal_bench_release(&b);
}

// Catches: right-hand sides of other unknowns than 1, no error where the solution is known and the
// system too long to be solved on the host, and an error of a solution that is not known.
TEST(TridiagonalBench, UnknownsThatAreOne) {
    tridiagonal_bench b = {0};
    ASSERT_TRUE(tridiagonal_bench_allocate(&b, ROWS));
    const tridiagonal_job job = tridiagonal_bench_strided(TRIDIAGONAL_F64, ROWS, 1);
    tridiagonal_ours o;
    ASSERT_TRUE(tridiagonal_bench_plan(&b, &o, &job, TRIDIAGONAL_PARTITION_PIVOT));
    tridiagonal_bench_fill_ones(&b, &job, MATRIX_LAPLACE, true);
    ASSERT_TRUE(tridiagonal_bench_enqueue(&o, NULL));
    EXPECT_TRUE(tridiagonal_bench_judge(&b, &job, b.array[4]).error < 1e-15);
    ASSERT_TRUE(device_fill(b.array[4], 0, 8 * ROWS));
    EXPECT_TRUE(tridiagonal_bench_judge(&b, &job, b.array[4]).error == 1);
    tridiagonal_bench_forget(&b);
    tridiagonal_bench_fill(&b, &job, MATRIX_STRONG, 0, false);
    EXPECT_TRUE(tridiagonal_bench_judge(&b, &job, b.array[4]).error == 0);
    EXPECT_TRUE(tridiagonal_bench_judge(&b, &job, b.array[4]).error == 0);
    tridiagonal_bench_forget(&b);
    tridiagonal_bench_release(&b);
}
