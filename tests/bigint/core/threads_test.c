// Contexts on different threads share a device, prepared operands and integers that they only read;
// on a device each has a stream of its own. Under the thread sanitizer this test fails on any
// shared mutable state.
#include <pthread.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

enum { THREADS = 3, ROUNDS = 30 };

typedef struct {
    const bigint_device *device;
    const bigint_prep *prep;
    const bigint *a, *b, *ab;
    uint32_t threads;  // of each context
    int failures;
} job;

static void *work(void *arg) {
    job *j = arg;
    bigint_ctx *ctx;
    const bigint_ctx_options options = {.threads = j->threads, .checks = 1};
    if (bigint_ctx_create(&ctx, j->device, &options) != BIGINT_OK) {
        j->failures++;
        bigint_ctx_destroy(ctx);
        return NULL;
    }
    bigint r = BIGINT_INIT;
    const bigint *const twice[] = {j->a, j->b};
    for (int round = 0; round < ROUNDS / fixture_thinning(); round++) {
        int order = 1;
        j->failures += bigint_mul(ctx, &r, j->a, j->b) != BIGINT_OK;
        j->failures += bigint_cmp(ctx, &order, &r, j->ab) != BIGINT_OK || order != 0;
        order = 1;
        j->failures += bigint_mul_prep(ctx, &r, j->prep, j->b) != BIGINT_OK;
        j->failures += bigint_cmp(ctx, &order, &r, j->ab) != BIGINT_OK || order != 0;
        j->failures += bigint_sub(ctx, &r, &r, j->a) != BIGINT_OK;
        order = 1;  // a b + b a
        j->failures += bigint_mul_sum(ctx, &r, twice, (const bigint *const[]){j->b, j->a}, NULL,
                                      2) != BIGINT_OK;
        j->failures += bigint_sub(ctx, &r, &r, j->ab) != BIGINT_OK;
        j->failures += bigint_cmp(ctx, &order, &r, j->ab) != BIGINT_OK || order != 0;
    }
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    return NULL;
}

static void run(size_t limbs, uint32_t threads) {
    bigint_device *device;
    bigint_ctx *ctx;
    if (fixture_open(&device) == BIGINT_ENOBACKEND) {
        bigint_device_close(device);
        SKIP("no device");
    }
    ASSERT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_OK);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, ab = BIGINT_INIT;
    bigint_prep *prep;
    mpz_t az, bz;
    mpz_inits(az, bz, NULL);
    gen g = gen_seed(10);
    gen_limbs(&g, GEN_UNIFORM, mpz_limbs_write(az, (mp_size_t)limbs), limbs);
    mpz_limbs_finish(az, (mp_size_t)limbs);
    gen_limbs(&g, GEN_RUNS, mpz_limbs_write(bz, (mp_size_t)limbs), limbs);
    mpz_limbs_finish(bz, -(mp_size_t)limbs);
    fixture_set(ctx, &a, az);
    fixture_set(ctx, &b, bz);
    mpz_mul(az, az, bz);
    fixture_set(ctx, &ab, az);
    ASSERT_EQ(bigint_prep_create(ctx, &prep, &a, limbs), BIGINT_OK);  // on a device it waits
    job jobs[THREADS];
    pthread_t threads_started[THREADS];
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){device, prep, &a, &b, &ab, threads, 0};
        ASSERT_EQ(pthread_create(&threads_started[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads_started[i], NULL);
        EXPECT_EQ(jobs[i].failures, 0);
    }
    bigint_prep_destroy(ctx, prep);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &ab);
    mpz_clears(az, bz, NULL);
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
}

// Mutation: any table or buffer that two contexts share and one of them writes.
TEST(Threads, SmallProducts) { run(20, 0); }
TEST(Threads, MiddleProducts) { run(600, 0); }
TEST(Threads, LargeProducts) { run(8000, 0); }
// Each context with a team of its own. Mutation: one team for all.
TEST(Threads, Teams) { run(20000, 2); }
