// mpi_device_test.c: the public calls on a group of ranks that each work on an emulated device and
// whose blocks go by way of the host, or by stand-ins for NCCL and NVSHMEM (fake_nccl.c,
// fake_nvshmem.c), against GMP; and devices that fail, at every site of every rank.
#define _DEFAULT_SOURCE  // setenv, usleep
#include <dlfcn.h>
#include <gmp.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bigint/bigint_gmp.h"
#include "bigint/bigint_mpi.h"
#include "bigint/core/context.h"
#include "bigint/group/group.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/mpi/rank.h"
#include "tests/bigint/mpi/stand_in.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Short shapes: up to 2^12 limbs of a product, and up to 2^13 in eight parts.
static const fft_modular_plan one_part = {
    .primes = 3, .digit_bits = 64, .pieces = 1, .lg_rows = 4, .lg_columns = FFT_MODULAR_LG_SHORT};
static const fft_modular_plan eight_parts = {.primes = 3,
                                             .digit_bits = 64,
                                             .pieces = 1,
                                             .lg_outer = 3,
                                             .lg_rows = 4,
                                             .lg_columns = FFT_MODULAR_LG_SHORT};

typedef struct {
    device_member_way way;
    carrier_kind carrier;
} group_case;

static const group_case cases[] = {
    {DEVICE_MEMBER_ALONE, CARRIER_STAGED},   {DEVICE_MEMBER_PRIMES, CARRIER_STAGED},
    {DEVICE_MEMBER_COLUMNS, CARRIER_STAGED}, {DEVICE_MEMBER_PRIMES, CARRIER_NCCL},
    {DEVICE_MEMBER_COLUMNS, CARRIER_NCCL},   {DEVICE_MEMBER_ALONE, CARRIER_NVSHMEM},
    {DEVICE_MEMBER_PRIMES, CARRIER_NVSHMEM}, {DEVICE_MEMBER_COLUMNS, CARRIER_NVSHMEM},
    {DEVICE_MEMBER_GRID, CARRIER_STAGED},    {DEVICE_MEMBER_GRID, CARRIER_NCCL},
    {DEVICE_MEMBER_GRID, CARRIER_NVSHMEM},
};
static void label(char *buf, size_t cap, const group_case *c) {
    snprintf(buf, cap, "way%d_by%d", (int)c->way, (int)c->carrier);
}

// suits: whether so many ranks can take a way.
static bool suits(device_member_way way, unsigned ranks) {
    return way == DEVICE_MEMBER_ALONE    ? true
           : way == DEVICE_MEMBER_PRIMES ? ranks == 2 || ranks == 3
           : way == DEVICE_MEMBER_GRID   ? ranks == 4 || ranks == 8
                                         : ranks >= 2 && (ranks & (ranks - 1)) == 0;
}

static int rank_here(void) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

// load makes a carrier, with the stand-in for its library.
static void load(device_carrier *c, carrier_kind kind) {
    char why[256] = "";
    __typeof__(stand_in_use) *use;
    *c = (device_carrier){.kind = kind, .stage_bytes = 1};
    if (kind == CARRIER_NCCL) {
        ASSERT_TRUE(nccl_load(&c->nccl, "tests/bigint/mpi/libfake_nccl.so", why, sizeof why));
    } else if (kind == CARRIER_NVSHMEM) {
        ASSERT_TRUE(
            nvshmem_load(&c->nvshmem, "tests/bigint/mpi/libfake_nvshmem.so", why, sizeof why));
    } else {
        return;
    }
    void *const found =
        dlsym(kind == CARRIER_NCCL ? c->nccl.library : c->nvshmem.library, "stand_in_use");
    memcpy(&use, &found, sizeof use);
    use(cuda_stream_wait);
}

// counts_of a stand-in.
typedef struct {
    unsigned messages, live;
} counts;
static counts counts_of(void *library) {
    counts c;
    __typeof__(stand_in_counts) *call;
    void *const found = dlsym(library, "stand_in_counts");
    memcpy(&call, &found, sizeof call);
    call(&c.messages, &c.live);
    return c;
}

// open_on: a context on a group of a communicator's ranks; pieces of a page, so that blocks are cut
// everywhere.
static bigint_ctx *open_on(MPI_Comm comm, const group_case *c, double timeout_s) {
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_device_open_mpi(&device, comm, 0, "mpi"), BIGINT_OK);
    load(&device->group->carrier, c->carrier);
    const bigint_ctx_options options = {.timeout_s = timeout_s};
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &options), BIGINT_OK);
    bigint_device_close(device);
    ctx->group->way = c->way;
    ctx->group->shape = c->way >= DEVICE_MEMBER_COLUMNS ? &eight_parts : &one_part;
    return ctx;
}

// expect_value: lengths of what devices compute are those that their operands allow, so only values
// are compared.
static void expect_value(bigint_ctx *ctx, const bigint *x, const mpz_t want) {
    mpz_t got;
    mpz_init(got);
    EXPECT_EQ(bigint_get_mpz(ctx, got, x), BIGINT_OK);
    EXPECT_EQ(mpz_cmp(got, want), 0);
    mpz_clear(got);
}

typedef struct {
    size_t an, bn;
} lengths;
static const lengths all_lengths[] = {{17, 23}, {1700, 1}, {900, 1100}, {1024, 1024}};

// calls: x y, x + y and x - y, of either order, with aliases.
static void calls(bigint_ctx *ctx, const mpz_t x, const mpz_t y) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t want;
    mpz_init(want);
    fixture_set(ctx, &a, x), fixture_set(ctx, &b, y);
    EXPECT_EQ(bigint_mul(ctx, &r, &a, &b), BIGINT_OK);
    mpz_mul(want, x, y);
    expect_value(ctx, &r, want);
    EXPECT_EQ(bigint_sub(ctx, &r, &r, &b), BIGINT_OK);  // of blocks of another length
    mpz_sub(want, want, y);
    expect_value(ctx, &r, want);
    EXPECT_EQ(bigint_sub(ctx, &r, &b, &a), BIGINT_OK);
    mpz_sub(want, y, x);
    expect_value(ctx, &r, want);
    EXPECT_EQ(bigint_add(ctx, &b, &a, &b), BIGINT_OK);
    mpz_add(want, x, y);
    expect_value(ctx, &b, want);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    mpz_mul(want, x, x);
    expect_value(ctx, &a, want);
    mpz_clear(want);
    bigint_clear(ctx, &a), bigint_clear(ctx, &b), bigint_clear(ctx, &r);
}

// Mutations: ranks that multiply on the host; a rank other than the first without the order of two
// numbers; a device counted twice because two ranks give it one number; pieces at the wrong place;
// by NVSHMEM a slot that is written before it was unpacked, and a heap that is not freed.
TEST_EACH(MpiDevice, Calls, group_case, cases, label) {
    static const gen_shape shapes[] = {GEN_ONES, GEN_POWER_MINUS, GEN_POWER_PLUS, GEN_RUNS};
    const unsigned ranks = (unsigned)rank_start();
    if (!suits(p->way, ranks)) {
        return;
    }
    bigint_ctx *const ctx = open_on(MPI_COMM_WORLD, p, 60);
    const device_carrier carrier = ctx->group->carrier;
    gen g = gen_seed(1);
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (size_t i = 0; i < sizeof all_lengths / sizeof *all_lengths; i++) {
        SCOPED_TRACE("%zu and %zu limbs", all_lengths[i].an, all_lengths[i].bn);
        fixture_shape(&g, shapes[i % 4], x, all_lengths[i].an);
        fixture_shape(&g, shapes[i / 2 % 4], y, all_lengths[i].bn);
        if (i % 2 == 1) {
            mpz_neg(y, y);
        }
        calls(ctx, x, y);
    }
    EXPECT_EQ(ctx->group->reach, GROUP_REACH_DIRECT);
    EXPECT_EQ(ctx->group->devices.devices, ranks);
    mpz_clears(x, y, NULL);
    bigint_ctx_destroy(ctx);
    if (p->carrier != CARRIER_STAGED) {
        const counts all = counts_of(carrier.nccl.library != NULL ? carrier.nccl.library
                                                                  : carrier.nvshmem.library);
        EXPECT_EQ(all.live, 0);
        EXPECT_TRUE(ranks == 1 || all.messages > 0);
    }
}

// strike: a product of which an allocation or a runtime call of one rank fails; the statuses of all
// ranks, and whether the fault came.
static bool strike(const group_case *c, unsigned who, uint64_t allocation, uint64_t call,
                   int *statuses) {
    enum { LIMBS = 300 };
    bigint_ctx *const ctx = open_on(MPI_COMM_WORLD, c, 60);
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t x, want;
    mpz_inits(x, want, NULL);
    gen g = gen_seed(2);
    fixture_shape(&g, GEN_ONES, x, LIMBS);
    mpz_mul(want, x, x);
    fixture_set(ctx, &a, x);
    EXPECT_EQ(bigint_set_u64(ctx, &r, 7), BIGINT_OK);
    const bool here = rank_here() == (int)who;
    device_faults(here ? allocation : 0, here ? call : 0);
    const int status = (int)bigint_sqr(ctx, &r, &a);
    int came = here && allocation + call > 0 && device_fault_came();
    device_faults(0, 0);
    MPI_Bcast(&came, 1, MPI_INT, (int)who, MPI_COMM_WORLD);
    MPI_Allgather(&status, 1, MPI_INT, statuses, 1, MPI_INT, MPI_COMM_WORLD);
    if (allocation > 0) {  // nothing is lost
        mpz_t seven;
        mpz_init_set_ui(seven, 7);
        expect_value(ctx, &r, came ? seven : want);
        EXPECT_EQ(bigint_sqr(ctx, &r, &a), BIGINT_OK);
        expect_value(ctx, &r, want);
        mpz_clear(seven);
    }
    mpz_clears(x, want, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    return came != 0;
}

// case_of: the carrier with the way that so many ranks can take.
static group_case case_of(carrier_kind carrier, unsigned ranks) {
    return (group_case){suits(DEVICE_MEMBER_COLUMNS, ranks)  ? DEVICE_MEMBER_COLUMNS
                        : suits(DEVICE_MEMBER_PRIMES, ranks) ? DEVICE_MEMBER_PRIMES
                                                             : DEVICE_MEMBER_ALONE,
                        carrier};
}

// Mutations: a rank without memory that does not come to the agreement; one that takes memory after
// it; a context that is lost because of it.
TEST(MpiDevice, Allocations) {
    const unsigned ranks = (unsigned)rank_start();
    const group_case c = case_of(CARRIER_STAGED, ranks);
    int statuses[8];
    for (unsigned who = 0; who < ranks; who++) {
        bool came = true;
        for (uint64_t site = 1; came && site < 100; site++) {
            SCOPED_TRACE("allocation %u of rank %u", (unsigned)site, who);
            came = strike(&c, who, site, 0, statuses);
            for (unsigned i = 0; i < ranks; i++) {
                EXPECT_EQ(statuses[i], came ? BIGINT_ENOMEM : BIGINT_OK);
            }
        }
        EXPECT_FALSE(came);
    }
}

// A runtime call of one rank fails, early or late: no rank hangs, none believes that all is well,
// and a new context works. Mutations: a rank that gives up and tells nobody; one that waits for a
// piece that never comes.
TEST(MpiDevice, RuntimeCalls) {
    const unsigned ranks = (unsigned)rank_start();
    const group_case c = case_of(CARRIER_STAGED, ranks);
    int statuses[8];
    for (uint64_t call = 3; call < 300; call += 37) {
        const unsigned who = (unsigned)call % ranks;
        SCOPED_TRACE("call %u of rank %u", (unsigned)call, who);
        const bool came = strike(&c, who, 0, call, statuses);
        for (unsigned i = 0; i < ranks; i++) {
            EXPECT_EQ(statuses[i] != BIGINT_OK, came);
            EXPECT_TRUE(!came || i == who || statuses[i] == statuses[(who + 1) % ranks]);
        }
    }
    EXPECT_FALSE(strike(&c, 0, 0, 0, statuses));
    EXPECT_EQ(statuses[0], BIGINT_OK);
}

// A rank hangs in the middle of a product's life: the others' calls end, by each carrier, and they
// know for whom. Mutation: pieces that are waited for without end.
TEST(MpiDevice, Hang) {
    if (rank_start() != 2) {
        return;
    }
    for (carrier_kind carrier = CARRIER_STAGED; carrier < CARRIERS; carrier++) {
        const group_case c = case_of(carrier, 2);
        bigint_ctx *const ctx = open_on(MPI_COMM_WORLD, &c, 2);
        bigint a = BIGINT_INIT;
        EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
        if (rank_here() == 1) {
            usleep(4500 * 1000);
        }
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_EPEER);
        EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "member 1") != NULL);
        bigint_clear(ctx, &a);
        bigint_ctx_destroy(ctx);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void expect_refusal(const char *transport, const char *text) {
    SCOPED_TRACE("%s", text);
    bigint_device *device = NULL;
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, 0, transport), BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(device), text) != NULL);
    bigint_device_close(device);
}

// Mutations: a carrier that does not go between processes; one that is not there, or that nobody
// knows; the environment before what the caller asks for.
TEST(MpiDevice, Carriers) {
    const bool several = rank_start() > 1;
    bigint_device *device = NULL;
    expect_refusal("pigeons", "transports");
    setenv("BIGINT_EXCHANGE", "pigeons", 1);
    expect_refusal(NULL, "no exchange is called 'pigeons'");
    setenv("BIGINT_EXCHANGE", "peer", 1);
    if (several) {
        expect_refusal(NULL, "peer copies do not go from process to process");
    }
    EXPECT_EQ(bigint_device_open_mpi(&device, MPI_COMM_WORLD, 0, "mpi"), BIGINT_OK);
    EXPECT_EQ(device->group->carrier.kind, CARRIER_STAGED);
    bigint_device_close(device);
    unsetenv("BIGINT_EXCHANGE");
}

// A process is one PE: groups of fewer processes are refused, on all of them. Mutation: puts that
// go to the PE of a member's number.
TEST(MpiDevice, OtherPes) {
    const unsigned ranks = (unsigned)rank_start();
    const group_case c = {DEVICE_MEMBER_ALONE, CARRIER_NVSHMEM};
    bigint_ctx *ctx = open_on(MPI_COMM_WORLD, &c, 60);
    bigint a = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
    EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
    bigint_clear(ctx, &a);
    bigint_ctx_destroy(ctx);
    if (ranks > 1) {
        MPI_Comm part;
        MPI_Comm_split(MPI_COMM_WORLD, rank_here() == 0, 0, &part);
        ctx = open_on(part, &c, 60);
        EXPECT_EQ(bigint_set_u64(ctx, &a, 3), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_ENOBACKEND);
        EXPECT_TRUE(strstr(bigint_ctx_error(ctx), "another group") != NULL);
        bigint_clear(ctx, &a);
        bigint_ctx_destroy(ctx);
        MPI_Comm_free(&part);
    }
}
