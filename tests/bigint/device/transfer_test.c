// Long copies between limbs of the user and of a device, in pieces and by several threads.
#define _GNU_SOURCE  // mincore, MAP_ANONYMOUS
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bigint/core/context.h"
#include "bigint/core/device_staging.h"
#include "primitives/cuda/runtime.h"
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

// Around the ends of parts and slots of the long ring, which threads share, and where it has come
// round; into memory that is new each time and begins anywhere; by few threads and by many. The
// longest are copied behind the threads. Mutations: a part, a slot or a round of the ring counted
// one too many or too few; the last chunks are never sent, because no thread comes so far; a slot
// that is filled before its copy of the round before is over; pages asked for beyond the end.
TEST(DeviceTransfer, SlotsAndNewMemory) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { SLOT = 2 << 20, RING = 16 * SLOT, PART = 256 << 10, BESIDE = 4096 };
    static const uint64_t lengths[] = {RING / 2,
                                       RING / 2 + PART - 1,
                                       RING / 2 + SLOT + 1,
                                       RING - 1,
                                       RING + 1,
                                       RING + PART + 1,
                                       RING + SLOT - 1,
                                       RING + SLOT + 1,
                                       2 * RING + 1,
                                       2 * RING + 5 * SLOT + PART,
                                       4 * RING + 1};
    enum { COUNT = sizeof lengths / sizeof *lengths };
    const uint64_t most = 4 * RING + 1, page = (uint64_t)sysconf(_SC_PAGESIZE);
    unsigned char *const from = malloc(most + 8);
    void *const there = device_alloc(most);
    gen g = gen_seed(33);
    for (uint64_t i = 0; i + 8 <= most + 8; i += 8) {
        const uint64_t word = gen_u64(&g);
        memcpy(from + i, &word, sizeof word);
    }
    bigint_ctx *ctx = NULL;
    for (size_t i = 0; i < 2 * COUNT; i++) {
        if (i % COUNT == 0) {  // 5 threads, then 12
            bigint_ctx_destroy(ctx);
            ctx = fixture_ctx(&(bigint_ctx_options){.threads = i == 0 ? 5 : 12});
            EXPECT_EQ(device_staging_need(ctx, "test"), BIGINT_OK);
        }
        const uint64_t n = lengths[i % COUNT], a = 1 + i % 7, b = i % 3 * 13;
        const uint64_t pages = (b + n + page - 1) / page, all = (pages + 2 * BESIDE) * page;
        unsigned char *const got =
            mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        ASSERT_TRUE(got != MAP_FAILED);
        EXPECT_EQ(device_send_bytes(ctx, "test", there, from + a, n), BIGINT_OK);
        EXPECT_EQ(device_fetch_bytes(ctx, "test", got + b, there, n), BIGINT_OK);
        unsigned char beyond = 1;
        EXPECT_EQ(mincore(got + pages * page, page, &beyond), 0);
        EXPECT_EQ(beyond & 1, 0);
        EXPECT_TRUE(memcmp(got + b, from + a, n) == 0);
        EXPECT_TRUE((b == 0 || got[b - 1] == 0) && got[b + n] == 0);
        munmap(got, all);
    }
    bigint_ctx_destroy(ctx);
    device_free(there);
    free(from);
}

// pinned: n limbs that the program pinned, a limb behind the beginning of a block.
static uint64_t *pinned(uint64_t n) {
    void *block = NULL;
    EXPECT_EQ(cuda_pin(&block, (n + 1) * 8), RESULT_OK);
    return (uint64_t *)block + 1;
}

// Memory that the user pinned is copied by the link itself: a context takes no slots for it; the
// user may write to it once it is set. Mutations: it is staged all the same; a set returns before
// its limbs are read, a get before they have come; memory is judged by its first byte
// alone.
TEST(DeviceTransfer, PinnedMemoryOfTheUser) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 2097160 };  // more than 16 MiB
    static const uint64_t lengths[] = {32768, 32769, N};
    gen g = gen_seed(35);
    bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.threads = 4});
    uint64_t *const sent = pinned(N), *const got = pinned(N), *const limbs = malloc(N * 8);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const uint64_t n = lengths[i];
        bigint x = BIGINT_INIT;
        int sign = 0;
        gen_limbs(&g, GEN_UNIFORM, limbs, n);
        limbs[n - 1] |= 1;
        memcpy(sent, limbs, n * 8);
        EXPECT_EQ(bigint_set_limbs(ctx, &x, sent, n, -1), BIGINT_OK);
        memset(sent, 0, n * 8);
        EXPECT_EQ(bigint_get_limbs(ctx, got, n, NULL, &sign, &x), BIGINT_OK);
        EXPECT_EQ(sign, -1);
        EXPECT_TRUE(memcmp(got, limbs, n * 8) == 0);
        bigint_clear(ctx, &x);
    }
    EXPECT_TRUE(ctx->queue.long_ring.memory == NULL);
    if (device_emulated()) {  // a device's blocks may have neighbours
        void *const there = device_alloc(2 * 8);
        bool copied = true;
        EXPECT_EQ(cuda_copy_pinned(there, sent + N - 1, 2 * 8, true, ctx->queue.stream, &copied),
                  RESULT_OK);
        EXPECT_FALSE(copied);
        device_free(there);
    }
    free(limbs);
    cuda_unpin(sent - 1), cuda_unpin(got - 1);
    bigint_ctx_destroy(ctx);
}

typedef struct {
    bigint_ctx *ctx;
    const bigint *x;
    uint64_t *got, n;
} reader;

static void *read_beside(void *arg) {
    const reader *const r = arg;
    for (int i = 0; i < 3; i++) {
        memset(r->got, 0, r->n * 8);
        EXPECT_EQ(bigint_get_limbs(r->ctx, r->got, r->n, NULL, NULL, r->x), BIGINT_OK);
    }
    return NULL;
}

// Two contexts copy at once, one up and one down; the numbers that are set are cleared while the
// other context still reads. Mutation: anything that transfers of two contexts share.
TEST(DeviceTransfer, BothDirections) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = (3 << 20) + 5 };  // long slots, all of them
    gen g = gen_seed(34);
    bigint_device *device = NULL;
    EXPECT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    fixture up = transfer_open(device, 4, 0, N), down = transfer_open(device, 4, 0, N);
    for (int i = 0; i < NUMBERS; i++) {
        up.n = down.n = N;
        gen_limbs(&g, (gen_shape)(1 + i), number(&up, i), N);
        number(&up, i)[N - 1] |= 1;
    }
    EXPECT_EQ(bigint_set_limbs(down.ctx, &down.x[0], number(&up, 0), N, 1), BIGINT_OK);
    reader r = {down.ctx, &down.x[0], down.got, N};
    pthread_t other;
    ASSERT_EQ(pthread_create(&other, NULL, read_beside, &r), 0);
    for (int i = 1; i < NUMBERS; i++) {
        EXPECT_EQ(bigint_set_limbs(up.ctx, &up.x[i], number(&up, i), N, 1), BIGINT_OK);
        EXPECT_EQ(bigint_get_limbs(up.ctx, up.got, N, NULL, NULL, &up.x[i]), BIGINT_OK);
        EXPECT_TRUE(memcmp(up.got, number(&up, i), N * 8) == 0);
        bigint_clear(up.ctx, &up.x[i]);
    }
    pthread_join(other, NULL);
    EXPECT_TRUE(memcmp(down.got, number(&up, 0), N * 8) == 0);
    transfer_close(&up), transfer_close(&down);
    bigint_device_close(device);
}

// Each call of the runtime by the calling thread fails once, while others copy. Mutations: a thread
// that waits for a copy that is never enqueued, a status that is lost, a ring that leaks.
TEST(DeviceTransfer, FailuresEndAllThreads) {
    if (!device_ready() || !device_emulated()) {
        SKIP("faults are injected by the emulation");
    }
    enum { N = (5 << 20) / 2 };  // 20 MiB: more than half of the slots
    uint64_t *const limbs = malloc(N * 8);
    memset(limbs, 1, N * 8);
    for (int kind = 0; kind < 2; kind++) {
        bool came = true;
        for (uint64_t at = 1; came; at++) {
            SCOPED_TRACE("%s %llu fails", kind == 0 ? "allocation" : "call",
                         (unsigned long long)at);
            const int64_t live = device_live();
            bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.threads = 4});
            bigint x = BIGINT_INIT;
            device_faults(kind == 0 ? at : 0, kind == 0 ? 0 : at);
            bigint_status status = bigint_set_limbs(ctx, &x, limbs, N, 1);
            if (status == BIGINT_OK) {
                status = bigint_get_limbs(ctx, limbs, N, NULL, NULL, &x);
            }
            came = device_fault_came();
            if (came && status == BIGINT_OK) {  // where no call can report it
                status = bigint_sync(ctx);
            }
            device_faults(0, 0);
            // Where there is no memory for the long ring, the short one does.
            if (kind == 0) {
                EXPECT_TRUE(status == BIGINT_OK || status == BIGINT_ENOMEM);
            } else {
                EXPECT_EQ(status, came ? BIGINT_EDEVICE : BIGINT_OK);
            }
            bigint_clear(ctx, &x);
            bigint_ctx_destroy(ctx);
            EXPECT_EQ(device_live(), live);
        }
    }
    free(limbs);
}
