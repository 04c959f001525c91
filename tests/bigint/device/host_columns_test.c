// The two threads that send and fetch the columns of a product in host memory, for sanitizers,
// which do not run with emulated kernels: columns are numbers in memory of the host. What is tested
// is api/host_columns.c alone.
#include "bigint/api/host_columns.h"

#include <stdlib.h>

#include "bigint/core/device_stream.h"
#include "primitives/cuda/runtime.h"
#include "primitives/words/team.h"
#include "tests/ctest/ctest.h"

enum { BLOCKS = 9, COLUMNS = 2 * BLOCKS - 1 };
enum { NEVER = COLUMNS };  // a column that does not fail

// course: column c is the number c + 1; which one cannot be made, or fetched.
typedef struct {
    host_job s;
    uint64_t made, fails_made, fails_fetched;
} course;

// --- What host_columns.c calls -------------------------------------------------------------------

bigint_status host_fetch(const host_job *s, uint64_t c) {
    const course *const k = (const course *)s;
    if (c == k->fails_fetched) {
        return BIGINT_EDEVICE;
    }
    s->rp[c] = s->sum[c % s->plan.sums].n_;
    return BIGINT_OK;
}
bigint_status host_sum_ended(const host_job *s, uint64_t c) { return (void)s, (void)c, BIGINT_OK; }
bigint_status host_told(const host_job *s, const bigint_ctx *other, bigint_status status) {
    return (void)s, (void)other, status;
}
bigint_status device_status(bigint_ctx *ctx, const char *who, result done) {
    return (void)ctx, (void)who, done == RESULT_OK ? BIGINT_OK : BIGINT_EDEVICE;
}
result cuda_enter(int device, int *previous) { return *previous = device, RESULT_OK; }
void cuda_leave(int previous) { (void)previous; }

// --- Columns -------------------------------------------------------------------------------------

static bigint_status make(void *self, uint64_t c) {
    course *const k = self;
    if (c == k->fails_made) {
        return BIGINT_ENOMEM;
    }
    k->s.sum[c % k->s.plan.sums].n_ = ++k->made;
    return BIGINT_OK;
}

static bigint_status run(unsigned threads, unsigned sums, uint64_t fails_made,
                         uint64_t fails_fetched, uint64_t *rp) {
    course k = {.fails_made = fails_made, .fails_fetched = fails_fetched};
    bigint_ctx *const ctx = calloc(1, sizeof *ctx);
    void *const memory = aligned_alloc(64, (team_bytes(threads) + 63) / 64 * 64);
    EXPECT_TRUE(ctx != NULL && memory != NULL);
    ctx->team = team_start(memory, threads);
    k.s = (host_job){.ctx = ctx, .rp = rp, .plan = {.a_blocks = BLOCKS, .b_blocks = BLOCKS}};
    k.s.plan.sums = sums;
    const bigint_status status = host_columns_run(&k.s, make, &k);
    team_stop(ctx->team);
    free(memory), free(ctx);
    return status;
}

// Mutations: a sum fetched before it is made, or made over one that was not fetched, also where one
// thread does both; the last column left out.
TEST(HostColumns, EachIsFetchedOnce) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        for (unsigned sums = 2; sums <= HOST_SUMS_MOST; sums++) {
            uint64_t rp[COLUMNS] = {0};
            EXPECT_EQ(run(threads, sums, NEVER, NEVER, rp), BIGINT_OK);
            for (uint64_t c = 0; c < COLUMNS; c++) {
                EXPECT_EQ(rp[c], c + 1);
            }
        }
    }
}

// Mutations: a thread waits for one that has failed; the fetching thread's failure is not told.
TEST(HostColumns, AFailureEndsBoth) {
    for (unsigned threads = 1; threads <= 3; threads++) {
        for (uint64_t at = 0; at < COLUMNS; at++) {
            uint64_t rp[COLUMNS];
            EXPECT_EQ(run(threads, 2, at, NEVER, rp), BIGINT_ENOMEM);
            EXPECT_EQ(run(threads, 2, NEVER, at, rp), BIGINT_EDEVICE);
        }
    }
}
