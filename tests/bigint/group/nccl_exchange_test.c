// nccl_exchange_test.c: exchanges of device memory by NCCL: a stand-in under the emulation
// (fake_nccl.c), the real library on devices, a member on each of them.
#define _POSIX_C_SOURCE 200809L  // setenv
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"
#include "bigint/core/device_stream.h"
#include "bigint/group/device/exchange.h"
#include "bigint/group/exchange/local.h"
#include "bigint/group/group.h"
#include "tests/bigint/group/stand_in.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 8, SETS = 2, ROWS = 3, ROOM = 1 << 12 };

// load loads the stand-in, whose message number `refused` fails, or the real library.
static bool load(nccl *n, unsigned refused) {
    char why[256];
    const bool fake = device_emulated();
    if (!nccl_load(n, fake ? "tests/bigint/group/libfake_nccl.so" : NULL, why, sizeof why)) {
        fprintf(stderr, "%s\n", why);
        return false;
    }
    if (fake) {
        static const stand_in_runtime runtime = {cuda_enter, cuda_leave, cuda_copy,
                                                 cuda_stream_wait};
        __typeof__(stand_in_use) *use;
        void *const found = dlsym(n->library, "stand_in_use");
        memcpy(&use, &found, sizeof use);
        use(&runtime, refused);
    }
    return true;
}

static stand_in_counted counts_of(const nccl *n) {
    __typeof__(stand_in_counts) *call;
    void *const found = dlsym(n->library, "stand_in_counts");
    stand_in_counted c;
    memcpy(&call, &found, sizeof call);
    call(&c);
    return c;
}

static unsigned devices_here(void) {
    unsigned count = 0;
    while (count < MOST && device_several((int)count + 1)) {
        count++;
    }
    return count;
}

typedef struct {
    pthread_t thread;
    exchange *host;
    bigint_ctx *ctx;
    const nccl *n;
    unsigned members;
    uint8_t *sent, *received;  // on the device
    device_carrier carrier;
    device_exchange x;
    bigint_status status;
    char text[256];
} seat;

// Bytes of a row from one member to another in a set: some are empty.
static size_t row_bytes(unsigned set, unsigned from, unsigned to) {
    return (from + 2 * to + set) % 3 * 8 + (from == to ? 4 : 0);
}

// Where rows of a set begin that a member sends to, or receives from, another; and byte k there.
static size_t place_of(unsigned set, unsigned other) { return ((set * MOST + other) * ROWS) * 64; }
static uint8_t byte_of(unsigned set, unsigned from, unsigned to, unsigned row, size_t k) {
    return (uint8_t)(101 * set + 57 * from + 31 * to + 11 * row + k);
}

// All bytes of the member's memory: what it sends, or receives, and 0xEE elsewhere. Rows are 64
// bytes apart in the one and next to each other in the other.
static void lay_out(const seat *s, uint8_t *bytes, bool sends) {
    memset(bytes, 0xEE, ROOM);
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < s->members; i++) {
            const unsigned from = sends ? s->host->member : i, to = sends ? i : s->host->member;
            const size_t length = row_bytes(set, from, to), stride = sends ? 64 : length;
            for (unsigned r = 0; r < ROWS; r++) {
                for (size_t k = 0; k < length; k++) {
                    bytes[place_of(set, i) + r * stride + k] = byte_of(set, from, to, r, k);
                }
            }
        }
    }
}

static bigint_status exchange_once(seat *s) {
    exchange_block send[SETS * MOST], receive[SETS * MOST];
    const unsigned self = s->host->member;
    for (unsigned set = 0; set < SETS; set++) {
        for (unsigned i = 0; i < s->members; i++) {
            const uint64_t out = row_bytes(set, self, i), in = row_bytes(set, i, self);
            send[set * s->members + i] =
                (exchange_block){s->sent + place_of(set, i), ROWS, out, 64};
            receive[set * s->members + i] =
                (exchange_block){s->received + place_of(set, i), ROWS, in, in};
        }
    }
    const bigint_status status = device_exchange_begin(&s->x, s->ctx, "test", SETS, send, receive);
    return status == BIGINT_OK ? device_exchange_end(&s->x, s->ctx, "test") : status;
}

static void work(seat *s) {
    const cuda_stream stream = s->ctx->queue.stream;
    uint8_t *const want = malloc(ROOM), *const got = malloc(ROOM);
    void *memory[2] = {NULL, NULL};
    device_order(s->host->member + 1);
    ASSERT_EQ(device_enter(s->ctx, "test"), BIGINT_OK);
    EXPECT_EQ(cuda_allocate(&memory[0], ROOM, stream), RESULT_OK);
    EXPECT_EQ(cuda_allocate(&memory[1], ROOM, stream), RESULT_OK);
    s->sent = memory[0];
    s->received = memory[1];
    lay_out(s, want, true);
    EXPECT_EQ(cuda_copy(s->sent, want, ROOM, stream), RESULT_OK);
    EXPECT_EQ(cuda_set(s->received, 0xEE, ROOM, stream), RESULT_OK);
    EXPECT_EQ(device_exchange_open(&s->x, s->host, s->ctx, "test"), BIGINT_OK);
    s->carrier = (device_carrier){.kind = CARRIER_NCCL, .nccl = *s->n};
    s->status = device_exchange_join(&s->x, s->ctx, "test", &s->carrier);
    for (unsigned again = 0; again < 2 && s->status == BIGINT_OK; again++) {
        s->status = exchange_once(s);
    }
    if (s->status == BIGINT_OK) {
        lay_out(s, want, false);
        EXPECT_EQ(cuda_copy(got, s->received, ROOM, stream), RESULT_OK);
        EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
        EXPECT_EQ(memcmp(got, want, ROOM), 0);
    }
    EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
    cuda_release(memory[0], stream), cuda_release(memory[1], stream);
    device_leave(s->ctx);
    device_order(0);
    free(want), free(got);
}

static void *run_seat(void *arg) {
    work(arg);
    return NULL;
}

// A thread for each member, on devices 0 .. devices - 1 in turn. The seats of all; the caller looks
// at their statuses.
static void run(seat *seats, unsigned members, unsigned devices, const nccl *n) {
    void *const memory = aligned_alloc(64, (exchange_hub_bytes(members) + 63) / 64 * 64);
    exchange_hub *const hub = exchange_hub_open(memory, members, 60);
    for (unsigned i = 0; i < members; i++) {
        bigint_device *device;
        seats[i] = (seat){.host = exchange_hub_endpoint(hub, i), .n = n, .members = members};
        EXPECT_EQ(bigint_device_open(&device, (int)(i % devices), NULL), BIGINT_OK);
        EXPECT_EQ(bigint_ctx_create(&seats[i].ctx, device, NULL), BIGINT_OK);
        bigint_device_close(device);
    }
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(pthread_create(&seats[i].thread, NULL, run_seat, &seats[i]), 0);
    }
    for (unsigned i = 0; i < members; i++) {
        EXPECT_EQ(pthread_join(seats[i].thread, NULL), 0);
    }
    for (unsigned i = 0; i < members; i++) {
        snprintf(seats[i].text, sizeof seats[i].text, "%s", bigint_ctx_error(seats[i].ctx));
        device_exchange_close(&seats[i].x);
        bigint_ctx_destroy(seats[i].ctx);
    }
    exchange_hub_close(hub);
    free(memory);
}

// One member to as many as there are devices, blocks in several rows, empty ones, two exchanges at
// once, twice. Catches a row or set that goes elsewhere, rows of the sender's stride at the
// receiver, bytes behind a row, messages of empty blocks, and a communicator that is left behind.
TEST(NcclExchange, AllToAll) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const unsigned most = devices_here();
    nccl n;
    if (!load(&n, 0)) {
        EXPECT_FALSE(device_emulated());
        SKIP("no NCCL");
    }
    for (unsigned members = 1; members <= most; members++) {
        seat seats[MOST];
        SCOPED_TRACE("%u members", members);
        const stand_in_counted before = device_emulated() ? counts_of(&n) : (stand_in_counted){0};
        unsigned messages = 0;
        run(seats, members, most, &n);
        for (unsigned i = 0; i < members; i++) {
            EXPECT_EQ(seats[i].status, BIGINT_OK);
            for (unsigned k = 0; k < SETS * members; k++) {
                const bool some = row_bytes(k / members, i, k % members) > 0;
                messages += some && k % members != i ? 2 * ROWS : 0;
            }
        }
        if (device_emulated()) {
            const stand_in_counted now = counts_of(&n);
            EXPECT_EQ(now.messages - before.messages, messages);
            EXPECT_EQ(now.live, 0);
            EXPECT_EQ(now.aborted, before.aborted);
        }
    }
    device_several(1);
}

// A message that NCCL refuses. Catches members that wait for it, an error that is not told, and a
// communicator that is destroyed while others wait on their streams.
TEST(NcclExchange, RefusedMessage) {
    enum { MEMBERS = 4 };
    if (!device_ready() || !device_emulated() || !device_several(MEMBERS)) {
        SKIP("not under the emulation");
    }
    nccl n;
    seat seats[MOST];
    unsigned failed = 0;
    ASSERT_TRUE(load(&n, 5));
    const unsigned aborted = counts_of(&n).aborted;
    run(seats, MEMBERS, MEMBERS, &n);
    for (unsigned i = 0; i < MEMBERS; i++) {
        failed += seats[i].status == BIGINT_EDEVICE &&
                  strstr(seats[i].text, "NCCL failed with internal error") != NULL;
        EXPECT_TRUE(seats[i].status == BIGINT_EDEVICE || seats[i].status == BIGINT_EPEER);
    }
    EXPECT_EQ(failed, 1);
    EXPECT_EQ(counts_of(&n).aborted - aborted, MEMBERS);
    EXPECT_EQ(counts_of(&n).live, 0);
    device_several(1);
}

// Two members on one device. Catches an error of NCCL that is not told.
TEST(NcclExchange, OneDeviceForTwo) {
    if (!device_ready() || !device_emulated() || !device_several(1)) {
        SKIP("not under the emulation");
    }
    nccl n;
    seat seats[MOST];
    ASSERT_TRUE(load(&n, 0));
    run(seats, 2, 1, &n);
    for (unsigned i = 0; i < 2; i++) {
        EXPECT_EQ(seats[i].status, BIGINT_EDEVICE);
        EXPECT_TRUE(strstr(seats[i].text, "NCCL failed with invalid usage") != NULL);
    }
}

// A product by columns on a group whose blocks go by NCCL, against one device's. Catches a group
// that does not use what it was opened with, and blocks in several rows that are not all sent.
TEST(NcclExchange, Product) {
    enum { MEMBERS = 2, LIMBS = 2000 };
    static const fft_modular_plan shape = {.primes = 3,
                                           .digit_bits = 64,
                                           .pieces = 1,
                                           .lg_outer = 2,
                                           .lg_rows = 4,
                                           .lg_columns = FFT_MODULAR_LG_SHORT};
    if (!device_ready() || !device_several(MEMBERS)) {
        SKIP("no second device");
    }
    static const int places[MEMBERS] = {0, 1};
    static uint64_t limbs[LIMBS], product[2][2 * LIMBS];
    gen g = gen_seed(32);
    for (unsigned i = 0; i < LIMBS; i++) {
        limbs[i] = gen_u64(&g);
    }
    nccl n;
    if (!load(&n, 0)) {
        EXPECT_FALSE(device_emulated());
        SKIP("no NCCL");
    }
    const unsigned before = device_emulated() ? counts_of(&n).messages : 0;
    for (unsigned grouped = 0; grouped < 2; grouped++) {
        bigint_device *device;
        bigint_ctx *ctx = NULL;
        bigint a = BIGINT_INIT;
        uint64_t need = 0;
        int sign = 0;
        ASSERT_EQ(grouped ? bigint_device_open_group(&device, places, MEMBERS, NULL)
                          : bigint_device_open(&device, 0, NULL),
                  BIGINT_OK);
        if (grouped) {
            // as BIGINT_EXCHANGE=nccl does
            device->group->carrier = (device_carrier){.kind = CARRIER_NCCL, .nccl = n};
        }
        ASSERT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_OK);
        bigint_device_close(device);
        if (grouped) {
            ctx->group->way = DEVICE_MEMBER_COLUMNS;
            ctx->group->shape = &shape;
        }
        EXPECT_EQ(bigint_set_limbs(ctx, &a, limbs, LIMBS, 1), BIGINT_OK);
        EXPECT_EQ(bigint_sqr(ctx, &a, &a), BIGINT_OK);
        EXPECT_EQ(bigint_get_limbs(ctx, product[grouped], 2 * LIMBS, &need, &sign, &a), BIGINT_OK);
        EXPECT_EQ(need, 2 * LIMBS);
        bigint_clear(ctx, &a);
        bigint_ctx_destroy(ctx);
    }
    EXPECT_EQ(memcmp(product[0], product[1], sizeof product[0]), 0);
    if (device_emulated()) {
        EXPECT_TRUE(counts_of(&n).messages > before);
        EXPECT_EQ(counts_of(&n).live, 0);
    }
    device_several(1);
}

// Catches a library that is not there, one that lacks functions, and a text that does not say so.
TEST(NcclExchange, NoLibrary) {
    nccl n;
    char why[256] = "";
    EXPECT_FALSE(nccl_load(&n, "libno_such_nccl.so.2", why, sizeof why));
    EXPECT_TRUE(strstr(why, "libno_such_nccl.so.2") != NULL);
    EXPECT_TRUE(n.library == NULL);
    EXPECT_FALSE(nccl_load(&n, "libc.so.6", why, sizeof why));
    EXPECT_TRUE(strstr(why, "ncclGetUniqueId") != NULL);
    EXPECT_TRUE(n.library == NULL);
}

static void expect_refusal(const int *places, unsigned count, const char *text) {
    bigint_device *device;
    EXPECT_EQ(bigint_device_open_group(&device, places, count, NULL), BIGINT_ENOBACKEND);
    EXPECT_TRUE(strstr(bigint_device_error(device), text) != NULL);
    bigint_device_close(device);
}

// BIGINT_EXCHANGE. Catches a name that nothing has, members that share a device, and host members
// that are refused.
TEST(NcclExchange, Environment) {
    if (!device_ready() || !device_several(1)) {
        SKIP("no device");
    }
    const int places[] = {0, 0}, hosts[] = {BIGINT_HOST, BIGINT_HOST};
    bigint_device *device;
    setenv("BIGINT_EXCHANGE", "carrier-pigeon", 1);
    expect_refusal(places, 2, "they are peer, staged, nccl, nvshmem");
    setenv("BIGINT_EXCHANGE", "nccl", 1);
    expect_refusal(places, 2, "several members of the group are on device 0");
    EXPECT_EQ(bigint_device_open_group(&device, hosts, 2, NULL), BIGINT_OK);
    bigint_device_close(device);
    setenv("BIGINT_EXCHANGE", "nvshmem", 1);
    expect_refusal(places, 2, "NVSHMEM");
    setenv("BIGINT_EXCHANGE", "staged", 1);
    EXPECT_EQ(bigint_device_open_group(&device, places, 2, NULL), BIGINT_OK);
    EXPECT_EQ(device->group->carrier.kind, CARRIER_STAGED);
    bigint_device_close(device);
    setenv("BIGINT_EXCHANGE", "peer", 1);
    EXPECT_EQ(bigint_device_open_group(&device, places, 2, NULL), BIGINT_OK);
    bigint_device_close(device);
    unsetenv("BIGINT_EXCHANGE");
}
