// Tables of short transforms that all contexts of a process share. Under the thread sanitizer the
// test of threads fails on a table that is read before it is made.
#define _GNU_SOURCE  // sigsetjmp, setitimer
#include "bigint/multiply/shared_tables.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/child.h"

static const fft_complex_ops *ops(void) { return fft_complex_variant(CPU_PORTABLE, FFT_F64); }

// expect_table: the table of a length has the bits that a context would compute itself.
static void expect_table(uint64_t length) {
    fft_complex_plan plan;
    ASSERT_TRUE(fft_product_plan(&plan, FFT_F64, length) == NULL);
    ASSERT_TRUE(shared_tables_have(&plan));
    const uint64_t bytes = fft_complex_table_bytes(&plan);
    void *const want = aligned_alloc(64, (bytes + 63) / 64 * 64);
    const void *const got = shared_tables(ops(), &plan);
    fft_complex_tables(ops(), &plan, want);
    EXPECT_TRUE(memcmp(want, got, bytes) == 0);
    EXPECT_TRUE(shared_tables(ops(), &plan) == got);
    EXPECT_EQ((uintptr_t)got % 64, 0u);
    free(want);
}

// Twice, so that a table that another overwrote is found. Mutations: two lengths in one slot,
// tables that overlap, a pool that is too small for all of them.
TEST(SharedTables, EveryLengthHasItsOwn) {
    for (int round = 0; round < 2; round++) {
        for (uint64_t power = 1; power <= SHARED_POINTS; power *= 2) {
            for (uint64_t quarters = 4; quarters < 8; quarters++) {
                const uint64_t length = power / 4 * quarters;
                if (power >= 4 && length <= SHARED_POINTS) {
                    SCOPED_TRACE("length %llu", (unsigned long long)length);
                    expect_table(length);
                }
            }
        }
        expect_table(1);
        expect_table(2);
        expect_table(3);
    }
}

// Mutations: another type, another angle or a length between the slots counts as shared.
TEST(SharedTables, OthersBelongToContexts) {
    fft_complex_plan plan;
    ASSERT_TRUE(fft_product_plan(&plan, FFT_F32, 1024) == NULL);
    EXPECT_TRUE(!shared_tables_have(&plan));
    ASSERT_TRUE(fft_product_plan(&plan, FFT_F64, 1024 * 9 / 8) == NULL);
    EXPECT_TRUE(!shared_tables_have(&plan));
    ASSERT_TRUE(fft_product_plan(&plan, FFT_F64, SHARED_POINTS / 4 * 5) == NULL);
    EXPECT_TRUE(!shared_tables_have(&plan));
    const fft_complex_problem cyclic = {FFT_F64, FFT_REVERSED, false, 1024, 1, 1024};
    ASSERT_TRUE(fft_complex_make(&plan, &cyclic) == NULL);
    EXPECT_TRUE(!shared_tables_have(&plan));
}

// Threads that all ask for tables that are not there yet, in a child, where none is.
enum { THREADS = 4 };
static void *ask(void *arg) {
    const void **const got = arg;
    fft_complex_plan plan;
    unsigned i = 0;
    for (uint64_t length = 512; length <= 8192; length *= 2) {
        if (fft_product_plan(&plan, FFT_F64, length) == NULL) {
            got[i++] = shared_tables(ops(), &plan);
        }
    }
    return NULL;
}

static void ask_at_once(void *arg) {
    (void)arg;
    const void *got[THREADS][8] = {{NULL}};
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) {
        EXPECT_EQ(pthread_create(&threads[i], NULL, ask, got[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        EXPECT_EQ(pthread_join(threads[i], NULL), 0);
        EXPECT_TRUE(memcmp(got[i], got[0], sizeof got[0]) == 0);
    }
    for (uint64_t length = 512; length <= 8192; length *= 2) {
        expect_table(length);
    }
}

// Mutations: a thread takes tables that another is making; each makes its own; one waits for ever.
TEST(SharedTables, ThreadsAskAtOnce) {
    for (int round = 0; round < 10 / fixture_thinning() + 1; round++) {
        EXPECT_CHILD(ask_at_once, NULL);
    }
    ask_at_once(NULL);
}

// A handler that jumps out of the call that makes a table, again and again.
static sigjmp_buf back;
static void jump(int signal) {
    (void)signal;
    siglongjmp(back, 1);
}

static void left_in_the_middle(void *arg) {
    (void)arg;
    signal(SIGALRM, jump);
    for (volatile uint64_t power = 64; power <= SHARED_POINTS; power *= 2) {
        fft_complex_plan plan;
        ASSERT_TRUE(fft_product_plan(&plan, FFT_F64, power) == NULL);
        for (volatile int us = 1; us < 10; us++) {
            if (sigsetjmp(back, 1) == 0) {
                const struct itimerval t = {{0, 0}, {0, us}}, none = {{0, 0}, {0, 0}};
                setitimer(ITIMER_REAL, &t, NULL);
                shared_tables(ops(), &plan);
                setitimer(ITIMER_REAL, &none, NULL);
            }
        }
        expect_table(power);
    }
}

// Mutations: the next call waits for ever, or takes memory beyond the pool's end.
TEST(SharedTables, JumpsOutOfTheCall) {
    for (int round = 0; round < 10 / fixture_thinning() + 1; round++) {
        EXPECT_CHILD(left_in_the_middle, NULL);
    }
}

// held: workspace that a fresh context holds after one product of n limbs.
static uint64_t held(uint64_t n) {
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    bigint_counters counters;
    uint64_t bytes = 0;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 1), BIGINT_OK);
    EXPECT_EQ(bigint_mul_2exp(ctx, &a, &a, 64 * n - 1), BIGINT_OK);
    EXPECT_EQ(bigint_sub_u64(ctx, &a, &a, 1), BIGINT_OK);
    EXPECT_EQ(bigint_workspace_bytes(ctx, &bytes, n, n), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, &a), BIGINT_OK);
    bigint_ctx_counters(ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= bytes);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    return counters.workspace_bytes;
}

// Mutation: the context that makes shared tables pays for them, or its bound leaves room for them.
TEST(SharedTables, NoContextHoldsThem) {
    for (uint64_t n = 400; n <= 4096; n *= 2) {
        EXPECT_EQ(held(n), held(n));
    }
}
