// Contexts on a device: opening, places, moves, streams, threads. What they hold is tested in
// values_test.c; what the calls compute by the host's tests, which are built for devices
// too.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint_limbs.h"
#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// --- Lifetime ------------------------------------------------------------------------------------

// Mutations: a place that is not there is opened, the host by backend cuda, a device by cpu; a text
// without cause or next step.
TEST(Device, Open) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_device *device = NULL;
    bigint_ctx *ctx = NULL;
    EXPECT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_device_error(device), "");
    EXPECT_TRUE(device->about.multiprocessors > 0 && device->about.name[0] != '\0');
    EXPECT_EQ(bigint_ctx_create(&ctx, device, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_backend_name(ctx), "cuda");
    bigint_device_close(device);
    bigint x = BIGINT_INIT;
    EXPECT_EQ(bigint_set_u64(ctx, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
    const struct {
        int place;
        const char *backend, *text;
    } refused[] = {{1000, "cuda", "there are"},
                   {BIGINT_HOST, "cuda", "places 0 and above"},
                   {-2, "cuda", "-2"},
                   {0, "ref", "host alone"}};
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        EXPECT_EQ(bigint_device_open(&device, refused[i].place, refused[i].backend),
                  BIGINT_ENOBACKEND);
        EXPECT_TRUE(strstr(bigint_device_error(device), refused[i].text) != NULL);
        bigint_device_close(device);
    }
    EXPECT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&ctx, device, &(bigint_ctx_options){.engine = "schoolbook"}),
              BIGINT_ENOBACKEND);
    EXPECT_TEXT(ctx, "backend cuda");
    bigint_ctx_destroy(ctx);
    bigint_device_close(device);
}

// --- Places --------------------------------------------------------------------------------------

// Every call that takes integers, with x in each position in turn and y elsewhere.
static void every_call(bigint_ctx *ctx, bigint *x, bigint *y, bigint_status want) {
    int order, sign;
    uint64_t bits;
    size_t need;
    bigint_prep *prep;
    EXPECT_EQ(bigint_set(ctx, x, y), want);
    EXPECT_EQ(bigint_set(ctx, y, x), want);
    EXPECT_EQ(bigint_set_u64(ctx, x, 1), want);
    EXPECT_EQ(bigint_set_i64(ctx, x, 1), want);
    EXPECT_EQ(bigint_set_decimal(ctx, x, "1", 1, NULL), want);
    EXPECT_EQ(bigint_set_hex(ctx, x, "1", 1, NULL), want);
    EXPECT_EQ(bigint_set_bytes(ctx, x, (const uint8_t *)"1", 1, BIGINT_BIG_ENDIAN, 1), want);
    EXPECT_EQ(bigint_get_limbs(ctx, NULL, 0, NULL, NULL, x), want);
    EXPECT_EQ(bigint_get_decimal(ctx, NULL, 0, &need, x), want);
    EXPECT_EQ(bigint_get_hex(ctx, NULL, 0, &need, x), want);
    EXPECT_EQ(bigint_get_bytes(ctx, NULL, 0, &need, BIGINT_BIG_ENDIAN, x), want);
    EXPECT_EQ(bigint_bits(ctx, &bits, x), want);
    EXPECT_EQ(bigint_sign(ctx, &sign, x), want);
    EXPECT_EQ(bigint_cmp(ctx, &order, x, y), want);
    EXPECT_EQ(bigint_cmp(ctx, &order, y, x), want);
    EXPECT_EQ(bigint_cmp_abs(ctx, &order, y, x), want);
    EXPECT_EQ(bigint_neg(ctx, y, x), want);
    EXPECT_EQ(bigint_abs(ctx, y, x), want);
    EXPECT_EQ(bigint_add(ctx, x, y, y), want);
    EXPECT_EQ(bigint_add(ctx, y, x, y), want);
    EXPECT_EQ(bigint_sub(ctx, y, y, x), want);
    EXPECT_EQ(bigint_mul_2exp(ctx, x, y, 1), want);
    EXPECT_EQ(bigint_tdiv_2exp(ctx, y, x, 1), want);
    EXPECT_EQ(bigint_mul(ctx, x, y, y), want);
    EXPECT_EQ(bigint_mul(ctx, y, x, y), want);
    EXPECT_EQ(bigint_sqr(ctx, y, x), want);
    EXPECT_EQ(bigint_prep_create(ctx, &prep, x, 1), want);
    EXPECT_EQ(bigint_divrem(ctx, x, NULL, y, y), want);
    EXPECT_EQ(bigint_divrem(ctx, NULL, x, y, y), want);
    EXPECT_EQ(bigint_divrem(ctx, y, NULL, x, y), want);
    EXPECT_EQ(bigint_divrem(ctx, NULL, y, y, x), want);
    EXPECT_EQ(bigint_powm(ctx, x, y, y, y), want);
    EXPECT_EQ(bigint_powm(ctx, y, x, y, y), want);
    EXPECT_EQ(bigint_powm(ctx, y, y, x, y), want);
    EXPECT_EQ(bigint_powm(ctx, y, y, y, x), want);
}

// Mutation: an operand or a result of another place passes.
TEST(Device, OtherPlacesAreRefused) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *host, *ctx = fixture_ctx(NULL);
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    bigint there = BIGINT_INIT, here = BIGINT_INIT;
    mpz_t z;
    mpz_init_set_si(z, -12345);
    fixture_set(ctx, &there, z);
    fixture_set(host, &here, z);
    every_call(ctx, &here, &there, BIGINT_EPLACE);
    every_call(host, &there, &here, BIGINT_EPLACE);
    bigint_clear(host, &there);  // neither of them is freed
    EXPECT_TEXT(host, "bigint_clear");
    bigint_clear(ctx, &here);
    EXPECT_TEXT(ctx, "place -1");
    EXPECT_BIGINT(ctx, &there, z);
    EXPECT_BIGINT(ctx, &there, z);
    bigint_clear(ctx, &there);
    bigint_clear(host, &here);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
    bigint_ctx_destroy(host);
}

// What is not built for devices says so, and what to do, which then works. Mutation: host code runs
// on pointers to device memory.
TEST(Device, CallsOfTheHostAlone) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL), *host;
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    bigint r = BIGINT_INIT;
    mpz_t five;
    mpz_init_set_ui(five, 5);
    fixture_set(ctx, &r, five);
    bigint_limb *p = NULL;
    EXPECT_EQ(bigint_limbs_write(ctx, &p, &r, 2), BIGINT_ENOBACKEND);
    EXPECT_TEXT(ctx,
                "bigint_limbs_write: not built for devices (place 0); call it with a context on "
                "BIGINT_HOST, where bigint_move brings operands and results");
    EXPECT_BIGINT(ctx, &r, five);
    EXPECT_EQ(bigint_move(ctx, &r, BIGINT_HOST), BIGINT_OK);
    EXPECT_EQ(bigint_limbs_write(host, &p, &r, 2), BIGINT_OK);
    EXPECT_TRUE(p != NULL && p[0] == 5);
    EXPECT_EQ(bigint_limbs_finish(host, &r, 1, 1), BIGINT_OK);
    EXPECT_BIGINT(host, &r, five);
    bigint_clear(host, &r);
    mpz_clear(five);
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(host);
}

// --- Moves ---------------------------------------------------------------------------------------

// There and back by contexts of either place. Mutations: the sign stays behind, a limb too few, the
// source is freed by the wrong owner or not at all.
TEST(Device, Move) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const int64_t before = device_live();
    bigint_ctx *host, *ctx = fixture_ctx(NULL);
    ASSERT_EQ(bigint_ctx_create(&host, NULL, NULL), BIGINT_OK);
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    EXPECT_EQ(bigint_move(ctx, &x, 7), BIGINT_OK);  // 0 without limbs is at home everywhere
    gen g = gen_seed(20);
    for (int round = 0; round < 20; round++) {
        SCOPED_TRACE("round %d", round);
        bigint_ctx *to = round % 2 ? host : ctx, *back = round % 4 < 2 ? host : ctx;
        fixture_draw(&g, host, &x, z, 5000);
        EXPECT_EQ(bigint_move(to, &x, 0), BIGINT_OK);
        EXPECT_BIGINT(ctx, &x, z);
        EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
        EXPECT_EQ(bigint_add(ctx, &x, &x, &x), BIGINT_OK);  // a zero limb at the top
        EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        mpz_mul_2exp(z, z, 1);
        EXPECT_EQ(bigint_move(back, &x, BIGINT_HOST), BIGINT_OK);
        EXPECT_BIGINT(host, &x, z);
        EXPECT_EQ(bigint_limbs_bound(&x), mpz_size(z));
    }
    EXPECT_EQ(bigint_set_u64(host, &x, 3), BIGINT_OK);
    EXPECT_EQ(bigint_move(ctx, &x, 0), BIGINT_OK);
    EXPECT_EQ(bigint_set_u64(ctx, &x, 0), BIGINT_OK);  // 0 with limbs
    EXPECT_EQ(bigint_move(ctx, &x, BIGINT_HOST), BIGINT_OK);
    mpz_set_ui(z, 0);
    EXPECT_BIGINT(host, &x, z);
    bigint_clear(host, &x);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
    bigint_ctx_destroy(host);
    EXPECT_EQ(device_live(), before);
}

// From device to device, and the caller's device stays current throughout.
TEST(Device, MoveBetweenDevices) {
    cuda_description about;
    if (!device_ready() || cuda_describe(1, &about) != CUDA_USABLE) {
        SKIP("no second device");
    }
    bigint_device *device;
    bigint_ctx *first = fixture_ctx(NULL), *second;
    ASSERT_EQ(bigint_device_open(&device, 1, NULL), BIGINT_OK);
    ASSERT_EQ(bigint_ctx_create(&second, device, NULL), BIGINT_OK);
    bigint_device_close(device);
    bigint x = BIGINT_INIT;
    mpz_t z;
    mpz_init(z);
    gen g = gen_seed(21);
    int current;
    for (int round = 0; round < 10; round++) {
        fixture_draw(&g, first, &x, z, 100000);
        EXPECT_EQ(bigint_sync(first), BIGINT_OK);  // the second one knows nothing of its stream
        EXPECT_EQ(bigint_move(round % 2 ? first : second, &x, 1), BIGINT_OK);
        EXPECT_BIGINT(second, &x, z);
        // Without limbs 0 is at home everywhere.
        EXPECT_EQ(bigint_add(first, &x, &x, &x), mpz_sgn(z) == 0 ? BIGINT_OK : BIGINT_EPLACE);
        EXPECT_EQ(bigint_add(second, &x, &x, &x), BIGINT_OK);
        mpz_mul_2exp(z, z, 1);
        EXPECT_EQ(bigint_sync(second), BIGINT_OK);
        EXPECT_EQ(bigint_move(round % 3 ? first : second, &x, 0), BIGINT_OK);
        EXPECT_BIGINT(first, &x, z);
        EXPECT_EQ(cuda_enter(0, &current), RESULT_OK);
        EXPECT_EQ(current, 0);
    }
    bigint_clear(first, &x);
    mpz_clear(z);
    // A stream belongs to its device.
    bigint_ctx *mixed;
    const bigint_ctx_options options = {.stream = second->queue.stream};
    ASSERT_EQ(bigint_device_open(&device, 0, NULL), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&mixed, device, &options), BIGINT_EINVAL);
    EXPECT_TEXT(mixed, "options.stream: the stream is device 1's");
    bigint_device_close(device);
    bigint_ctx_destroy(mixed);
    bigint_ctx_destroy(first);
    bigint_ctx_destroy(second);
}

// --- Streams and threads -------------------------------------------------------------------------

// The stream is the caller's, and arithmetic leaves its work there. The emulation keeps it until it
// is waited for. Mutations: a call that waits, a context that works on another stream or ends it.
TEST(Device, CallsAreEnqueued) {
    if (!device_ready()) {
        SKIP("no device");
    }
    int previous;
    cuda_stream stream;
    bool idle = true;
    ASSERT_EQ(cuda_enter(0, &previous), RESULT_OK);
    ASSERT_EQ(cuda_stream_create(&stream), RESULT_OK);
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.stream = stream});
    bigint x = BIGINT_INIT, r = BIGINT_INIT;
    EXPECT_EQ(bigint_set_i64(ctx, &x, -7), BIGINT_OK);
    for (int step = 0; step < 8; step++) {
        SCOPED_TRACE("step %d", step);
        const bigint_status status[] = {
            step == 0 ? bigint_add(ctx, &r, &x, &x) : BIGINT_OK,
            step == 1 ? bigint_sub(ctx, &r, &r, &x) : BIGINT_OK,
            step == 2 ? bigint_mul_2exp(ctx, &r, &r, 100) : BIGINT_OK,
            step == 3 ? bigint_tdiv_2exp(ctx, &r, &r, 99) : BIGINT_OK,
            step == 4 ? bigint_neg(ctx, &r, &r) : BIGINT_OK,
            step == 5 ? bigint_set(ctx, &r, &r) : BIGINT_OK,
            step == 6 ? bigint_set_u64(ctx, &x, 14) : BIGINT_OK,
            step == 7 ? bigint_add(ctx, &r, &r, &x) : BIGINT_OK,
        };
        EXPECT_EQ(status[step], BIGINT_OK);
        EXPECT_EQ(cuda_stream_idle(stream, &idle), RESULT_OK);
        EXPECT_FALSE(device_emulated() && idle);
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_EQ(cuda_stream_idle(stream, &idle), RESULT_OK);
    EXPECT_TRUE(idle);
    uint64_t limb = 0;
    EXPECT_EQ(bigint_get_limbs(ctx, &limb, 1, NULL, NULL, &r), BIGINT_OK);
    EXPECT_EQ(limb, 28u);
    bigint_clear(ctx, &x);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    EXPECT_EQ(cuda_stream_wait(stream), RESULT_OK);
    cuda_stream_destroy(stream);
    cuda_leave(previous);
}

typedef struct {
    uint64_t seed;
    int failures;
} job;

static void *work(void *arg) {
    job *j = arg;
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint a = BIGINT_INIT, b = BIGINT_INIT;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    gen g = gen_seed(j->seed);
    for (int round = 0; round < 30; round++) {
        fixture_draw(&g, ctx, &a, x, 2000);
        fixture_draw(&g, ctx, &b, y, 2000);
        for (int k = 0; k < 4; k++) {
            j->failures += bigint_sub(ctx, &a, &b, &a) != BIGINT_OK;
            j->failures += bigint_add(ctx, &b, &b, &a) != BIGINT_OK;
            mpz_sub(x, y, x);
            mpz_add(y, y, x);
        }
        mpz_t got;
        mpz_init(got);
        mpz_set_ui(got, 0);
        uint64_t bits = 0;
        int sign = 0;
        j->failures += bigint_bits(ctx, &bits, &b) != BIGINT_OK ||
                       bits != (mpz_sgn(y) == 0 ? 0 : mpz_sizeinbase(y, 2));
        j->failures += bigint_sign(ctx, &sign, &b) != BIGINT_OK || sign != mpz_sgn(y);
        static const size_t max = 2100;
        uint64_t *limbs = malloc(max * sizeof *limbs), need = 0;
        j->failures += bigint_get_limbs(ctx, limbs, max, &need, &sign, &b) != BIGINT_OK;
        mpz_import(got, need, -1, 8, 0, 0, limbs);
        j->failures += mpz_cmpabs(got, y) != 0;
        free(limbs);
        mpz_clear(got);
    }
    mpz_clears(x, y, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_ctx_destroy(ctx);
    return NULL;
}

// Mutation: anything that two contexts share and one of them writes.
TEST(Device, TwoContextsOnTwoThreads) {
    if (!device_ready()) {
        SKIP("no device");
    }
    job jobs[2] = {{31, 0}, {32, 0}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        ASSERT_EQ(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        EXPECT_EQ(jobs[i].failures, 0);
    }
}
