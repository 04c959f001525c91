// Long copies between limbs of the user and of a device, in pieces and by several threads.
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/core/device_staging.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { NUMBERS = 3 };

typedef struct {
    bigint_ctx *ctx;
    bigint x[NUMBERS];
    uint64_t *limbs, *got;  // NUMBERS different numbers of n limbs; n + 1 limbs
    uint64_t n;
} fixture;

static fixture transfer_open(bigint_device *device, unsigned threads, uint64_t cap, uint64_t most) {
    fixture f = {.limbs = malloc(NUMBERS * most * 8), .got = malloc((most + 1) * 8)};
    const bigint_ctx_options options = {.threads = threads, .max_workspace_bytes = cap};
    EXPECT_TRUE(f.limbs != NULL && f.got != NULL);
    EXPECT_EQ(bigint_ctx_create(&f.ctx, device, &options), BIGINT_OK);
    return f;
}

static void transfer_close(fixture *f) {
    for (int i = 0; i < NUMBERS; i++) {
        bigint_clear(f->ctx, &f->x[i]);
    }
    bigint_ctx_destroy(f->ctx);
    free(f->limbs), free(f->got);
}

static uint64_t *number(const fixture *f, int i) { return f->limbs + (uint64_t)i * f->n; }

// round_trip: numbers are set one after the other without a wait between, negative and positive,
// and come back as they were; nothing is written beyond them.
static void round_trip(fixture *f, gen *g, uint64_t n) {
    f->n = n;
    for (int i = 0; i < NUMBERS; i++) {
        gen_limbs(g, (gen_shape)(1 + i), number(f, i), n);
        number(f, i)[n - 1] |= 1;
        EXPECT_EQ(bigint_set_limbs(f->ctx, &f->x[i], number(f, i), n, i % 2 == 0 ? -1 : 1),
                  BIGINT_OK);
    }
    for (int i = 0; i < NUMBERS; i++) {
        uint64_t need = 0;
        int sign = 0;
        f->got[n] = 7;
        EXPECT_EQ(bigint_get_limbs(f->ctx, f->got, n, &need, &sign, &f->x[i]), BIGINT_OK);
        EXPECT_EQ(need, n);
        EXPECT_EQ(sign, i % 2 == 0 ? -1 : 1);
        EXPECT_EQ(memcmp(f->got, number(f, i), n * 8), 0);
        EXPECT_EQ(f->got[n], 7);
    }
}

// Around the lengths where threads take part, a chunk fills a slot, all slots are used, and longer
// slots are made. Mutations: chunks that begin a word late or end early; a slot filled again before
// its copy is over; copies enqueued before the slot is filled; a chunk beyond the last slot.
TEST(DeviceTransfer, ComesBack) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[] = {1,       7,       8,       9,       32767,   32768,
                                       32769,   32777,   131072,  131081,  524287,  524288,
                                       1048584, 1048585, 2097151, 2097152, 2097160, 2359297,
                                       4194304, 4194305, 4456448, 5000001};
    const uint64_t most = device_emulated() ? 2097152 : 5000001;
    gen g = gen_seed(31);
    bigint_device *device = NULL;
    EXPECT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    for (unsigned threads = 1; threads <= 16; threads = 2 * threads + 1) {
        fixture f = transfer_open(device, threads, 0, most);
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0] && lengths[i] <= most; i++) {
            round_trip(&f, &g, lengths[i]);
        }
        transfer_close(&f);
    }
    bigint_device_close(device);
}

// With a cap slots are short and stay few. Mutation: more slots are made all the same, so the cap
// is exceeded.
TEST(DeviceTransfer, ShortSlots) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { CAP = 1 << 16, N = 40000 };
    gen g = gen_seed(32);
    bigint_device *device = NULL;
    bigint_counters counters;
    EXPECT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    fixture f = transfer_open(device, 7, CAP, N);
    round_trip(&f, &g, N);
    bigint_ctx_counters(f.ctx, &counters);
    EXPECT_TRUE(counters.workspace_peak <= CAP);
    transfer_close(&f);
    bigint_device_close(device);
}

// Bytes of any number, from and to any address. Mutations: parts counted in words; a line too many
// at the end; a copy past the caches to where no line begins; a slot's parts counted from the
// transfer's beginning alone; a last chunk waits for parts that it has not.
TEST(DeviceTransfer, Bytes) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[] = {1,     63,     64,      65,       65535,
                                       65537, 262145, 1000003, 16777217, 33554433};
    const uint64_t most = 33554433;  // longer ones bypass the caches on their way down
    unsigned char *const from = malloc(most + 8), *const got = malloc(most + 8);
    void *const there = device_alloc(most);
    gen g = gen_seed(32);
    for (uint64_t i = 0; i < most + 8; i++) {
        from[i] = (unsigned char)gen_below(&g, 256);
    }
    for (unsigned threads = 1; threads <= 5; threads += 4) {
        bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.threads = threads});
        EXPECT_EQ(device_staging_need(ctx, "test"), BIGINT_OK);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            const uint64_t n = lengths[i], a = 1 + i % 7, b = 7 - i % 7;
            memset(got, '#', n + 8);
            EXPECT_EQ(device_send_bytes(ctx, "test", there, from + a, n), BIGINT_OK);
            EXPECT_EQ(device_fetch_bytes(ctx, "test", got + b, there, n), BIGINT_OK);
            EXPECT_TRUE(memcmp(got + b, from + a, n) == 0);
            EXPECT_TRUE(got[b - 1] == '#' && got[b + n] == '#');
        }
        bigint_ctx_destroy(ctx);
    }
    device_free(there);
    free(from), free(got);
}
