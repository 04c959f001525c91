// Products of integers in host memory by a context on a device, in blocks that are forced to be
// short, against GMP.
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

typedef struct {
    bigint_ctx *ctx, *host;
    bigint a, b, r;
    mpz_t x, y, z;
} fixture;

// kept: blocks are kept as transforms.
static fixture open_contexts(const bigint_ctx_options *options, uint64_t block, bool kept) {
    fixture f = {.ctx = fixture_ctx(options)};
    bigint_ctx_options host = {0};
    if (options != NULL) {
        host.allocator = options->allocator;
    }
    EXPECT_EQ(bigint_ctx_create(&f.host, NULL, &host), BIGINT_OK);
    f.ctx->queue.forced.host_block = block;
    f.ctx->queue.forced.host_kept = kept;
    mpz_inits(f.x, f.y, f.z, NULL);
    return f;
}

static void close_contexts(fixture *f) {
    bigint *const all[] = {&f->a, &f->b, &f->r};
    for (int i = 0; i < 3; i++) {
        bigint_clear(f->host, all[i]);
    }
    bigint_ctx_destroy(f->ctx), bigint_ctx_destroy(f->host);
    mpz_clears(f->x, f->y, f->z, NULL);
}

static void draw(fixture *f, gen *g, size_t an, size_t bn) {
    fixture_limbs(g, f->x, an), fixture_limbs(g, f->y, bn);
    if (gen_below(g, 2) == 0) {
        mpz_neg(f->x, f->x);
    }
    fixture_set(f->host, &f->a, f->x), fixture_set(f->host, &f->b, f->y);
    mpz_mul(f->z, f->x, f->y);
}

// in_place: r is an operand.
static void expect_products(fixture *f) {
    EXPECT_EQ(bigint_mul(f->ctx, &f->r, &f->a, &f->b), BIGINT_OK);
    EXPECT_BIGINT(f->host, &f->r, f->z);
    EXPECT_EQ(bigint_mul(f->ctx, &f->b, &f->a, &f->b), BIGINT_OK);
    EXPECT_BIGINT(f->host, &f->b, f->z);
    mpz_mul(f->z, f->x, f->x);
    EXPECT_EQ(bigint_sqr(f->ctx, &f->a, &f->a), BIGINT_OK);
    EXPECT_BIGINT(f->host, &f->a, f->z);
}

// Operands of one block and of several, the last ones full and not; the shorter one below a block.
static void expect_shapes(const bigint_ctx_options *options, uint64_t block, bool kept) {
    static const size_t shapes[][2] = {{1, 1},     {16, 16}, {17, 16},   {32, 1},
                                       {33, 32},   {48, 47}, {64, 64},   {100, 20},
                                       {160, 150}, {96, 96}, {160, 160}, {90, 57}};
    gen g = gen_seed(41);
    for (; block <= 64; block *= 2) {
        fixture f = open_contexts(options, block, kept);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            draw(&f, &g, shapes[i][0], shapes[i][1]);
            expect_products(&f);
            draw(&f, &g, shapes[i][1], shapes[i][0]);
            expect_products(&f);
        }
        close_contexts(&f);
    }
}

// With blocks of 16 limbs there are more of them than slots. The last shapes have last blocks of
// half a block and more, so that products are added in the transform domain, all of a column or
// three at a time. Mutations: a sum that loses what is above its block; a block read before it has
// come, or replaced before its last product, or by another one of the same sum; the order of a
// column wrong by one; the top of the product not cleared; a sum written before it was fetched.
TEST(HostProduct, InBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    expect_shapes(NULL, 16, false);
    expect_shapes(&(bigint_ctx_options){.threads = 3}, 64, false);
}

// Blocks are kept as transforms, up to 16 of an operand, by one thread and by several, of which one
// fetches. Mutations: a transform of a block that has not come, or is not the left or right one; a
// column without its last term, or with the terms of its neighbour; what is above a sum's block
// lost; a sum fetched before it is enqueued; a 17th block. Of Edges: a block of zeros has no words.
TEST(HostProduct, InKeptBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    expect_shapes(NULL, 16, true);
    expect_shapes(&(bigint_ctx_options){.threads = 3}, 32, true);
    gen g = gen_seed(44);
    fixture f = open_contexts(NULL, 16, true);
    for (size_t n = 256; n <= 257; n++) {
        draw(&f, &g, n, n - 16);
        EXPECT_EQ(bigint_mul(f.ctx, &f.r, &f.a, &f.b), BIGINT_OK);
        EXPECT_BIGINT(f.host, &f.r, f.z);
    }
    close_contexts(&f);
}

// Carries through all blocks, blocks of zeros, a factor 0, and blocks as the library chooses them.
TEST(HostProduct, Edges) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (int way = 0; way < 3; way++) {
        fixture f = open_contexts(NULL, way == 0 ? 0 : 32, way == 2);
        for (int shape = 0; shape < 3; shape++) {
            mpz_set_ui(f.x, 1), mpz_mul_2exp(f.x, f.x, 64 * 130);
            mpz_sub_ui(f.x, f.x, shape == 0 ? 1 : 0);
            mpz_set(f.y, f.x);
            mpz_mul_ui(f.y, f.y, shape == 2 ? 0 : 1);
            fixture_set(f.host, &f.a, f.x), fixture_set(f.host, &f.b, f.y);
            mpz_mul(f.z, f.x, f.y);
            expect_products(&f);
        }
        close_contexts(&f);
    }
}

// Ways: allocations and calls of the runtime fail, with blocks and with kept blocks. Mutations: r
// changes, memory leaks, or the device's failure is not told.
TEST(HostProduct, FailuresLeaveTheResult) {
    if (!device_ready() || !device_emulated()) {
        SKIP("faults are injected by the emulation");
    }
    gen g = gen_seed(42);
    bool more = true;
    int untold = 0;
    for (uint64_t at = 1; more; at++) {
        more = false;
        for (int way = 0; way < 4; way++) {
            const int kind = way % 2;
            const int64_t live = device_live();
            fixture f = open_contexts(NULL, 32, way >= 2);
            draw(&f, &g, 80, 50);
            fixture_set(f.host, &f.r, f.x);
            device_faults(kind == 0 ? at : 0, kind == 0 ? 0 : 3 * at);
            const bigint_status status = bigint_mul(f.ctx, &f.r, &f.a, &f.b);
            const bool came = device_fault_came();
            more = more || came;
            device_faults(0, 0);
            // Where memory is short, a smaller block may do. Calls that only free, behind the
            // product, tell nothing.
            EXPECT_TRUE(status == BIGINT_OK ||
                        (came && status == (kind == 0 ? BIGINT_ENOMEM : BIGINT_EDEVICE)));
            untold += kind == 1 && came && status == BIGINT_OK;
            EXPECT_BIGINT(f.host, &f.r, status == BIGINT_OK ? f.z : f.x);  // r has no room
            device_faults(kind == 0 ? 2 * at : 0, kind == 0 ? 0 : 7 * at);
            if (bigint_mul(f.ctx, &f.a, &f.b, &f.a) != BIGINT_OK) {  // an operand
                EXPECT_BIGINT(f.host, &f.a, f.x);
            }
            device_faults(0, 0);
            EXPECT_TRUE(status == BIGINT_OK || bigint_ctx_error(f.ctx)[0] != '\0');
            close_contexts(&f);
            EXPECT_EQ(device_live(), live);
        }
    }
    EXPECT_TRUE(untold <= 2);
}

// No smaller block helps where the host has no memory. Room for all workspace at once is only asked
// for. Mutation: the call tries again and succeeds.
TEST(HostProduct, HostFailuresAreTold) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(45);
    bool more = true;
    int untold = 0;
    for (uint64_t at = 1; more; at++) {
        for (int kept = 0; kept < 2; kept++) {
            allocator_log log = {.fail_at = 0};
            fixture f = open_contexts(&(bigint_ctx_options){.allocator = fixture_allocator(&log)},
                                      32, kept != 0);
            draw(&f, &g, 80, 50);
            log.fail_at = log.calls + at;
            const bigint_status status = bigint_mul(f.ctx, &f.r, &f.a, &f.b);
            more = log.calls >= log.fail_at;
            EXPECT_TRUE(status == BIGINT_OK || (more && status == BIGINT_ENOMEM));
            untold += more && status == BIGINT_OK;
            close_contexts(&f);
        }
    }
    EXPECT_TRUE(untold <= 2);
}

// Mutation: a wrong product on the way is not reported.
TEST(HostProduct, ChecksItsProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(43);
    bigint_counters counters;
    fixture f = open_contexts(&(bigint_ctx_options){.checks = 1}, 32, true);
    draw(&f, &g, 64, 64);
    expect_products(&f);
    bigint_ctx_counters(f.ctx, &counters);
    EXPECT_EQ(counters.checks, counters.products);
    EXPECT_TRUE(counters.checks >= 12);
    close_contexts(&f);
}
