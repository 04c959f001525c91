// mpi_group_test.c: the public calls on a group of the ranks of an MPI job: values, products,
// blocks, and failures that leave every rank alive.
#define _DEFAULT_SOURCE  // usleep
#include <gmp.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "bigint/bigint_mpi.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/mpi/rank.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

static bigint_ctx *open_ctx(double timeout_s) {
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    rank_start();
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, BIGINT_HOST, NULL), BIGINT_OK);
    const bigint_ctx_options options = {.timeout_s = timeout_s};
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &options), BIGINT_OK);
    bigint_device_close(device);
    return ctx;
}

// check: every rank has the whole value and its own block of it.
static void check(bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    static uint64_t all[4000], expected[4000];
    uint64_t need = 0;
    size_t count = 0;
    EXPECT_EQ(bigint_get_limbs(ctx, all, 4000, &need, NULL, x), BIGINT_OK);
    mpz_export(expected, &count, -1, 8, 0, 0, z);
    EXPECT_EQ(need, count);
    EXPECT_LIMBS_EQ(all, expected, count);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    uint64_t first, limbs, got;
    EXPECT_EQ(bigint_block(ctx, bigint_limbs_bound(x), (unsigned)rank, &first, &limbs), BIGINT_OK);
    EXPECT_EQ(bigint_get_block(ctx, (unsigned)rank, all, 4000, &got, x), BIGINT_OK);
    EXPECT_EQ(got, limbs);
    for (uint64_t i = 0; i < limbs; i++) {
        EXPECT_EQ(all[i], first + i < count ? expected[first + i] : 0);
    }
}

// Mutation: members of other processes taken for this one's.
TEST(MpiGroup, Arithmetic) {
    bigint_ctx *const ctx = open_ctx(60);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    gen g = gen_seed(1);
    for (int round = 0; round < 6; round++) {
        fixture_limbs(&g, x, gen_size(&g, 1, 1500));
        fixture_limbs(&g, y, gen_size(&g, 1, 1500));
        fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
        EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
        mpz_mul(z, x, y);
        check(ctx, &r, z);
        EXPECT_EQ(bigint_add(ctx, &r, &r, &a), BIGINT_OK);
        mpz_add(z, z, x);
        check(ctx, &r, z);
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
        mpz_mul(x, x, x);
        check(ctx, &a, x);
    }
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
    mpz_clears(x, y, z, NULL);
    bigint_ctx_destroy(ctx);
}

// create: a context whose allocation number `site` fails on one rank, and the status there.
// Returns whether it came to that.
static bool create(int who, uint64_t site) {
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    int rank;
    char text[64];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    allocator_log log = {.fail_at = rank == who ? site : 0};
    const bigint_ctx_options options = {.timeout_s = 20, .allocator = fixture_allocator(&log)};
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, BIGINT_HOST, NULL), BIGINT_OK);
    const bigint_status status = bigint_ctx_create(&ctx, device, &options);
    int came = log.calls >= site;
    MPI_Bcast(&came, 1, MPI_INT, who, MPI_COMM_WORLD);
    EXPECT_EQ(status, came ? BIGINT_ENOMEM : BIGINT_OK);
    snprintf(text, sizeof text, "member %d of the group: ", who);
    EXPECT_TRUE(!came || rank == who || strstr(bigint_ctx_error(ctx), text) != NULL);
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
    EXPECT_EQ(log.live_blocks, 0);
    return came != 0;
}

// Mutations: a rank that finds no memory, or options that are wrong, and returns before it has met
// the others, which wait for it; ranks that do not know whose fault it is.
TEST(MpiGroup, ContextsFailTogether) {
    const int ranks = rank_start();
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    int rank;
    for (int who = 0; who < ranks; who++) {
        uint64_t site = 1;
        while (site < 20 && create(who, site)) {
            site++;
        }
        EXPECT_TRUE(site > 2 && site < 20);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bigint_ctx_options options = {.timeout_s = 20, .checks = rank == ranks - 1 ? 7 : 0};
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, BIGINT_HOST, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &options), BIGINT_EINVAL);
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
}

// Mutations: a transport that is not there taken for MPI; a rank that is refused alone.
TEST(MpiGroup, Refusals) {
    bigint_device *device = NULL;
    rank_start();
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, BIGINT_HOST, "pigeons"),
              BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(device), "transport") != NULL);
    bigint_device_close(device);
    // One rank names a device that is not there: all are refused.
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, rank == 0 ? 99 : BIGINT_HOST, NULL),
              BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(device), "99") != NULL);
    bigint_device_close(device);
    EXPECT_EQ(
        bigint_device_open_mpi(&device, MPI_COMM_WORLD, BIGINT_HOST, rank == 0 ? "pigeons" : NULL),
        BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(device), "transports") != NULL);
    bigint_device_close(device);
}

// Mutations: a rank that hangs holds up the others for ever; a new context meets messages of the
// old one.
TEST(MpiGroup, Hang) {
    int rank, ranks;
    bigint_ctx *ctx = open_ctx(2);
    bigint a = BIGINT_INIT;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    if (ranks > 1) {
        if (rank == 1) {
            usleep(4500 * 1000);
        }
        EXPECT_EQ(bigint_mul(ctx, &a, &a, &a), BIGINT_EPEER);
        EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "member 1") != NULL);
    }
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
    MPI_Barrier(MPI_COMM_WORLD);
    ctx = open_ctx(60);
    EXPECT_EQ(bigint_set_u64(ctx, &a, 5), BIGINT_OK);
    EXPECT_EQ(bigint_mul(ctx, &a, &a, &a), BIGINT_OK);
    uint64_t value = 0, need;
    EXPECT_EQ(bigint_get_limbs(ctx, &value, 1, &need, NULL, &a), BIGINT_OK);
    EXPECT_EQ(value, 25);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
}
