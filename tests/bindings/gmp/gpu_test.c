// gpu_test.c: the drop-in's products on a GPU against the host's, without GMP: emulated here, real
// in the pack of ./dev gpu. Its log has the times of both: from where they cross comes
// DEVICE_PRODUCT_LEAST (thresholds.h).
#define _POSIX_C_SOURCE 200809L  // sigaction, pthread_kill
#include "bindings/gmp/gpu.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tests/ctest/ctest.h"
#include "tests/support/child.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MOST = 1 << 20, LEAST = 512 };

// numbers: two factors and the products of both sides.
typedef struct {
    bigint_ctx *host;
    uint64_t *a, *b, *r, *want;
} numbers;

static numbers numbers_open(uint64_t seed, uint64_t limbs) {
    numbers x = {.a = malloc(8 * limbs), .b = malloc(8 * limbs)};
    x.r = malloc(16 * limbs), x.want = malloc(16 * limbs);
    gen g = gen_seed(seed);
    gen_limbs(&g, GEN_UNIFORM, x.a, limbs);
    gen_limbs(&g, GEN_RUNS, x.b, limbs);
    bigint_device *device;
    EXPECT_EQ(bigint_device_open(&device, BIGINT_HOST, "cpu"), BIGINT_OK);
    EXPECT_EQ(bigint_ctx_create(&x.host, device, NULL), BIGINT_OK);
    bigint_device_close(device);
    return x;
}

static void numbers_close(numbers *x) {
    bigint_ctx_destroy(x->host);
    free(x->a), free(x->b), free(x->r), free(x->want);
}

// start: the drop-in's device, once for all tests, which share its context.
static bool start(void) {
    if (device_ready() && gpu_least == UINT64_MAX) {
        gpu_start(0, LEAST, false);
    }
    return device_ready();
}

// Mutations: limbs of an operand or of the product that are not copied, zeros at the top left out,
// a square of two different numbers of one length.
static void expect_product(numbers *x, uint64_t an, const uint64_t *b, uint64_t bn) {
    SCOPED_TRACE("%llu by %llu limbs", (unsigned long long)an, (unsigned long long)bn);
    memset(x->r, 0x5a, 8 * (an + bn));
    ASSERT_EQ(gpu_mul(x->r, x->a, an, b, bn), BIGINT_OK);
    ASSERT_EQ(bigint_limbs_mul(x->host, x->want, x->a, an, b, bn), BIGINT_OK);
    ASSERT_LIMBS_EQ(x->r, x->want, an + bn);
}

TEST(Gpu, ProductsAndSquares) {
    if (!start()) {
        SKIP("no device");
    }
    const uint64_t all = device_emulated() ? 1 << 14 : MOST;
    numbers x = numbers_open(1, all);
    EXPECT_FALSE(gpu_takes(LEAST - 1));
    EXPECT_TRUE(gpu_takes(LEAST));
    for (uint64_t n = 1; n <= all; n = 2 * n + 1) {
        expect_product(&x, n, x.b, n);
        expect_product(&x, n, x.a, n);
        expect_product(&x, n, x.b, n / 3 + 1);
    }
    memset(x.a + all / 2, 0, 4 * all);  // top limbs of zero
    expect_product(&x, all, x.b, all);
    memset(x.a, 0, 8 * all);
    expect_product(&x, all, x.b, all);
    EXPECT_TRUE(gpu_products() > 20);
    numbers_close(&x);
}

static double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e6 * (double)t.tv_sec + 1e-3 * (double)t.tv_nsec;
}

// Not a test of anything but that both sides go on working: what it prints is for a reader.
TEST(Gpu, Times) {
    if (!start() || device_emulated()) {
        SKIP("no device");
    }
    numbers x = numbers_open(2, MOST);
    for (uint64_t n = 1 << 10; n <= MOST; n *= 2) {
        double least[2] = {1e99, 1e99};
        for (int i = 0; i < 15; i++) {
            const double begin = now_us();
            ASSERT_EQ(gpu_mul(x.r, x.a, n, x.b, n), BIGINT_OK);
            const double middle = now_us();
            ASSERT_EQ(bigint_limbs_mul(x.host, x.want, x.a, n, x.b, n), BIGINT_OK);
            const double end = now_us();
            least[0] = middle - begin < least[0] ? middle - begin : least[0];
            least[1] = end - middle < least[1] ? end - middle : least[1];
        }
        ASSERT_LIMBS_EQ(x.r, x.want, 2 * n);
        printf("%8llu limbs: GPU with transfers %.1f us, one core %.1f us\n", (unsigned long long)n,
               least[0], least[1]);
    }
    numbers_close(&x);
}

static volatile sig_atomic_t handled;
static void handle(int signal) {
    (void)signal;
    handled = 1;
}

static volatile bool stop;
static void *storm(void *thread) {
    while (!stop) {
        pthread_kill(*(pthread_t *)thread, SIGUSR1);
    }
    return NULL;
}

// Mutation: a mask of signals that is not restored, or a handler in the middle of a product.
TEST(Gpu, SignalsWait) {
    if (!start()) {
        SKIP("no device");
    }
    numbers x = numbers_open(3, 2000);
    struct sigaction act = {.sa_handler = handle};
    sigaction(SIGUSR1, &act, NULL);
    pthread_t self = pthread_self(), other;
    stop = false;
    ASSERT_EQ(pthread_create(&other, NULL, storm, &self), 0);
    for (int i = 0; i < 10; i++) {
        expect_product(&x, 2000, x.b, 1000);
    }
    stop = true;
    pthread_join(other, NULL);
    EXPECT_TRUE(handled);
    sigset_t mask;
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    EXPECT_FALSE(sigismember(&mask, SIGUSR1));
    numbers_close(&x);
}

static void *many_products(void *wrong) {
    numbers x = numbers_open(4, 3000);
    for (int i = 0; i < 10; i++) {
        const bigint_status status = gpu_mul(x.r, x.a, 3000, x.b, 2000);
        const bool same = bigint_limbs_mul(x.host, x.want, x.a, 3000, x.b, 2000) == BIGINT_OK &&
                          (status != BIGINT_OK || memcmp(x.r, x.want, 8 * 5000) == 0);
        *(int *)wrong += !same || (status != BIGINT_OK && status != BIGINT_EDEVICE);
    }
    numbers_close(&x);
    return NULL;
}

// Mutation: two threads in one context.
TEST(Gpu, ThreadsThatFindItInUse) {
    if (!start()) {
        SKIP("no device");
    }
    pthread_t threads[3];
    int wrong[3] = {0};
    for (int i = 0; i < 3; i++) {
        ASSERT_EQ(pthread_create(&threads[i], NULL, many_products, &wrong[i]), 0);
    }
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        EXPECT_EQ(wrong[i], 0);
    }
}

static void in_child(void *arg) {
    numbers *const x = arg;
    EXPECT_EQ(gpu_mul(x->r, x->a, 2000, x->b, 1000), BIGINT_EDEVICE);
    EXPECT_FALSE(gpu_takes(LEAST));
}

// Mutation: a child that calls CUDA, or that goes on asking.
TEST(Gpu, ForkedChildrenDoWithout) {
    if (!start()) {
        SKIP("no device");
    }
    numbers x = numbers_open(5, 2000);
    expect_product(&x, 2000, x.b, 1000);
    EXPECT_CHILD(in_child, &x);
    expect_product(&x, 2000, x.b, 1000);
    numbers_close(&x);
}

// The last test: the device has failed. Mutation: it is asked again.
TEST(Gpu, FailsForGood) {
    if (!start() || !device_faults(0, 1)) {
        SKIP("no emulated device");
    }
    numbers x = numbers_open(6, 2000);
    EXPECT_EQ(gpu_mul(x.r, x.a, 2000, x.b, 1000), BIGINT_EDEVICE);
    EXPECT_TRUE(device_fault_came());
    EXPECT_FALSE(gpu_takes(MOST));
    device_faults(0, 0);
    numbers_close(&x);
}
