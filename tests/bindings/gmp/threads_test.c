// threads_test.c: many threads, threads that end, and processes that fork in the middle. Run with
// the drop-in preloaded; see preloaded.sh.
#define _GNU_SOURCE  // usleep
#include <gmp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bindings/gmp/plain_gmp.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { THREADS = 8, ROUNDS = 40, MOST = 12000 };

// work: products and quotients of random numbers; returns how many were wrong. The plain GMP is not
// asked: its loader's namespace knows nothing of this program's forks.
static long work(uint64_t seed, int rounds) {
    gen g = gen_seed(seed);
    uint64_t *const a = malloc(8 * MOST), *const b = malloc(8 * MOST), *const p = malloc(16 * MOST),
                    *const q = malloc(8 * MOST + 8), *const r = malloc(8 * MOST);
    long wrong = 0;
    for (int i = 0; i < rounds; i++) {
        const size_t n = gen_size(&g, 2, MOST), m = gen_size(&g, 1, n - 1);
        gen_limbs(&g, GEN_UNIFORM, a, n);
        gen_limbs(&g, GEN_UNIFORM, b, m);
        mpn_mul(p, a, (mp_size_t)n, b, (mp_size_t)m);
        // p = a b: the quotient is a, unless p is one limb shorter.
        mpn_tdiv_qr(q, r, 0, p, (mp_size_t)(n + m), b, (mp_size_t)m);
        wrong += memcmp(q, a, 8 * n) != 0 || q[n] != 0 || !mpn_zero_p(r, (mp_size_t)m);
    }
    free(a), free(b), free(p), free(q), free(r);
    return wrong;
}

static void *thread_work(void *seed) { return (void *)work((uint64_t)(uintptr_t)seed, ROUNDS); }

// Mutations: two threads with one context; a context freed twice, or never (a sanitizer of
// addresses, and the memory below); a child that waits for threads that it does not have.
TEST(Threads, WorkAndFork) {
    pthread_t threads[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++) {
        ASSERT_EQ(pthread_create(&threads[i], NULL, thread_work, (void *)(i + 1)), 0);
    }
    for (int k = 0; k < 10; k++) {
        usleep(5000);
        EXPECT_EQ(work((uint64_t)k, 2), 0);
        const pid_t child = fork();
        if (child == 0) {
            _exit(work((uint64_t)k, 6) != 0);
        }
        int status = -1;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    for (int i = 0; i < THREADS; i++) {
        void *wrong = NULL;
        pthread_join(threads[i], &wrong);
        EXPECT_EQ((intptr_t)wrong, 0);
    }
}

static size_t mapped_pages(void) {
    size_t pages = 0;
    char text[100] = "";
    FILE *f = fopen("/proc/self/statm", "r");
    if (f != NULL) {
        pages = fgets(text, sizeof text, f) == NULL ? 0 : strtoull(text, NULL, 10);
        fclose(f);
    }
    return pages;
}

static void *one_product(void *unused) {
    (void)unused;
    return (void *)work(99, 3);
}

// Mutation: a thread's context outlives it.
TEST(Threads, GiveBackWhatTheyHad) {
    size_t before = 0;
    for (int i = 0; i < 300; i++) {
        pthread_t t;
        void *wrong = NULL;
        ASSERT_EQ(pthread_create(&t, NULL, one_product, NULL), 0);
        pthread_join(t, &wrong);
        EXPECT_EQ((intptr_t)wrong, 0);
        before = i == 50 ? mapped_pages() : before;
    }
    EXPECT_TRUE(mapped_pages() < before + 4096);
}
