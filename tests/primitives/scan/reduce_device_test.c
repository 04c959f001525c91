// reduce_device_test.c: reductions on a device, or under the kernel emulation, against a serial
// loop and against GMP.
#include <gmp.h>
#include <stdlib.h>

#include "primitives/scan/reduce.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/scan/monoid_fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef struct {
    char *in, *out, *workspace;
    size_t workspace_bytes;
} buffers;

enum { SIZE_MAX_HERE = 300000 };

static bool setup(buffers *b) {
    const reduce_job job = {.op = MONOID_SUM_U64, .n = SIZE_MAX_HERE, .rows = 1};
    b->workspace_bytes = reduce_workspace_bytes(&job);
    b->in = device_alloc(8 * SIZE_MAX_HERE + 256);
    b->out = device_alloc(8 * SIZE_MAX_HERE + 8);
    b->workspace = device_alloc(b->workspace_bytes);
    return b->in != NULL && b->out != NULL && b->workspace != NULL &&
           device_fill(b->workspace, 0, b->workspace_bytes);
}

static void buffers_free(buffers *b) {
    device_free(b->in);
    device_free(b->out);
    device_free(b->workspace);
}

static void check(const buffers *b, const reduce_job *job, size_t shift, uint64_t seed) {
    const size_t n = (size_t)job->n, rows = (size_t)job->rows, bytes = monoid_bytes(job->op);
    SCOPED_TRACE("%s n = %zu, rows = %zu, shift %zu", monoid_name(job->op), n, rows, shift);
    char *x = malloc((n * rows + 1) * bytes), *want = malloc((rows + 1) * bytes);
    char *got = malloc((rows + 1) * bytes);
    gen g = gen_seed(seed);
    monoid_random(&g, job->op, x, n * rows + 1);
    monoid_reduce_serial(job->op, want, x, n, rows);
    char *in = b->in + shift * bytes;
    EXPECT_TRUE(device_upload(in, x, (n * rows + 1) * bytes));
    EXPECT_EQ(reduce_device(job, b->out, in, b->workspace, b->workspace_bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, b->out, rows * bytes));
    EXPECT_EQ(monoid_first_difference(job->op, got, want, rows), rows);
    free(x);
    free(want);
    free(got);
}

// Catches a wrong order of lanes, warps or chunks, a guard off by one at a chunk's end, and
// elements counted twice where chunks meet.
TEST(ReduceDevice, EverySizeEveryOperator) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t sizes[] = {0,     1,     2,      3,      5,     31,    32,    33,
                                   127,   128,   129,    511,    512,   513,   4095,  4096,
                                   4097,  8191,  8192,   8193,   9000,  16384, 20001, 65536,
                                   65537, 99999, 131072, 200001, 300000};
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned op = 0; op < MONOID_KINDS; op++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            const reduce_job job = {.op = (monoid)op, .n = sizes[i], .rows = 1};
            check(&b, &job, i % 4 == 3 ? 1 : 0, 7 * i + op);
        }
    }
    buffers_free(&b);
}

// Catches a lane that reads its neighbour's row, a last warp whose lanes have no row and leave the
// others waiting, and the border between rows done by lanes and rows done by blocks.
TEST(ReduceDevice, RowsOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t lengths[] = {0,   1,   2,   3,    4,    7,    8,    9,    16,    31,   32,
                                     33,  63,  64,  65,   127,  128,  129,  255,  256,   257,  511,
                                     512, 513, 600, 2047, 2048, 2049, 5000, 9000, 20000, 70000};
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (unsigned op = 0; op < MONOID_KINDS; op++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            const size_t rows = lengths[i] == 0 ? 7 : 30000 / lengths[i] + 2;
            const reduce_job job = {.op = (monoid)op, .n = lengths[i], .rows = rows};
            check(&b, &job, i % 5 == 4 ? 1 : 0, 100 + i);
        }
    }
    buffers_free(&b);
}

// Catches a missing barrier, and a block that takes itself for the last: both depend on who runs
// first. Catches a counter that is not reset: the workspace serves all of them.
TEST(ReduceDevice, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    for (uint64_t seed = 1; seed <= 16; seed++) {
        device_order(seed);
        const reduce_job job = {.op = seed % 2 ? MONOID_AFFINE_U32 : MONOID_SUM_U64,
                                .n = 100000 / (1 + seed % 3),
                                .rows = 1 + seed % 3};
        check(&b, &job, 0, seed);
    }
    device_order(0);
    buffers_free(&b);
}

// The sum of limbs modulo 2^64 and of residues modulo 2^61 - 1, GMP's sums reduced.
TEST(ReduceDevice, SumsAgreeWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers b;
    ASSERT_TRUE(setup(&b));
    gen g = gen_seed(61);
    uint64_t *x = malloc(8 * SIZE_MAX_HERE);
    mpz_t sum, limb, modulus;
    mpz_inits(sum, limb, modulus, NULL);
    for (unsigned residues = 0; residues < 2; residues++) {
        const reduce_job job = {
            .op = residues ? MONOID_SUM_MOD61 : MONOID_SUM_U64, .n = SIZE_MAX_HERE, .rows = 1};
        monoid_random(&g, job.op, x, SIZE_MAX_HERE);
        mpz_set_ui(sum, 0);
        for (size_t i = 0; i < SIZE_MAX_HERE; i++) {
            mpz_import(limb, 1, -1, sizeof x[i], 0, 0, &x[i]);
            mpz_add(sum, sum, limb);
        }
        mpz_set_ui(modulus, 1);
        mpz_mul_2exp(modulus, modulus, residues ? 61 : 64);
        mpz_sub_ui(modulus, modulus, residues);
        mpz_fdiv_r(sum, sum, modulus);
        uint64_t got = 0, want = 0;
        mpz_export(&want, NULL, -1, sizeof want, 0, 0, sum);
        EXPECT_TRUE(device_upload(b.in, x, 8 * SIZE_MAX_HERE));
        EXPECT_EQ(reduce_device(&job, b.out, b.in, b.workspace, b.workspace_bytes, NULL),
                  RESULT_OK);
        EXPECT_TRUE(device_download(&got, b.out, sizeof got));
        EXPECT_EQ(got, want);
    }
    mpz_clears(sum, limb, modulus, NULL);
    free(x);
    buffers_free(&b);
}

// Catches a job taken on with too little memory, an unknown operator, and a size that overflows.
TEST(ReduceDevice, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    reduce_job job = {.op = MONOID_SUM_U32, .n = 100, .rows = 1};
    EXPECT_EQ(reduce_device(&job, NULL, NULL, NULL, 0, NULL), RESULT_REFUSED);
    job.n = UINT64_C(1) << 33;
    job.rows = UINT64_C(1) << 40;
    EXPECT_EQ(reduce_workspace_bytes(&job), 0);
    job = (reduce_job){.op = MONOID_KINDS, .n = 1, .rows = 1};
    EXPECT_EQ(reduce_workspace_bytes(&job), 0);
    job = (reduce_job){.op = MONOID_SUM_U32, .n = 5, .rows = 0};
    EXPECT_EQ(reduce_device(&job, NULL, NULL, NULL, reduce_workspace_bytes(&job), NULL), RESULT_OK);
}
