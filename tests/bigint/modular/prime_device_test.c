// prime_device_test.c: batches of candidates in device memory, of which powers there and the
// host's tests tell which are prime, against GMP. Built for contexts on a device and under the
// kernel emulation.
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/batch/prime.h"
#include "bigint/core/tune.h"
#include "bigint/device/prime.h"
#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// candidate: z = a prime, a Carmichael number, a square of a Wieferich prime, an odd number without
// the smallest factors, or any number, of about `bits` bits.
static void candidate(gen *g, mpz_t z, uint64_t kind, unsigned bits) {
    fixture_limbs(g, z, (bits + 63) / 64);
    mpz_fdiv_r_2exp(z, z, bits);
    switch (kind % 6) {
        case 0:
        case 1:
            mpz_nextprime(z, z);
            break;
        case 2:
            mpz_set_ui(z, UINT64_C(9585921133193329));
            break;
        case 3:
            mpz_set_ui(z, 3511), mpz_mul(z, z, z);
            break;
        case 4:
            mpz_setbit(z, 0);
            while (mpz_gcd_ui(NULL, z, 3 * 5 * 7 * 11 * 13) != 1) {
                mpz_add_ui(z, z, 2);
            }
            break;
    }
}

// expect_answers: for all numbers of a span, from one call.
static void expect_answers(bigint_ctx *ctx, const numbers *s) {
    unsigned char prime[6 * DEVICE_PRIME_LEAST + 1];
    memset(prime, 7, sizeof prime);
    ASSERT_EQ((int)bigint_probable_prime_batch(ctx, prime, &s->span), (int)BIGINT_OK);
    mpz_t z;
    mpz_init(z);
    for (uint64_t i = 0; i < s->span.count; i++) {
        SCOPED_TRACE("number %d of %d, %d limbs", (int)i, (int)s->span.count,
                     (int)numbers_length(s, i));
        oracle_load(z, numbers_at(s, i), numbers_length(s, i));
        EXPECT_EQ((int)prime[i], mpz_probab_prime_p(z, 30) != 0);
    }
    EXPECT_EQ((int)prime[s->span.count], 7);
    mpz_clear(z);
}

// Batches too small for the device's powers, just as large, and larger; dense, with gaps, ragged
// from the end to the beginning; one to three threads for what is the host's. Catches: an answer
// of the powers turned round or for another number, numbers that pass them called prime, rows of a
// length that is not the longest, a limb behind the rows that is not there.
TEST(DevicePrime, Batches) {
    gen g = gen_seed(711);
    const uint64_t counts[] = {0, 1, DEVICE_PRIME_LEAST + 20, 6 * DEVICE_PRIME_LEAST};
    for (unsigned form = 0; form < 4; form++) {
        const bigint_ctx_options options = {.threads = form};
        bigint_ctx *const ctx = fixture_ctx(&options);
        for (unsigned k = 0; k < sizeof counts / sizeof *counts; k++) {
            numbers s = numbers_open(3, 3 + form, counts[k]);
            mpz_t z;
            mpz_init(z);
            for (uint64_t i = 0; i < counts[k]; i++) {
                candidate(&g, z, i, form < 2 ? 70 : 20 + (unsigned)gen_below(&g, 100));
                s.lengths[i] = form < 2 ? 3 : mpz_size(z) + (mpz_size(z) < 3);
                s.offsets[i] = (counts[k] - 1 - i) * s.span.stride;
                s.span.lengths = form < 2 ? NULL : s.lengths;
                s.span.offsets = form == 3 ? s.offsets : NULL;
                EXPECT_TRUE(oracle_store(numbers_at(&s, i), s.lengths[i], z));
            }
            EXPECT_TRUE(numbers_upload(&s));
            SCOPED_TRACE("form %d", (int)form);
            expect_answers(ctx, &s);
            mpz_clear(z);
            numbers_close(&s);
        }
        bigint_ctx_destroy(ctx);
    }
}

// expect_tests: both tests of all numbers there answer as the host's do for each alone.
static void expect_tests(bigint_ctx *ctx, const odd_number *x, uint64_t count) {
    const prime_test tests[] = {prime_strong_base_2, prime_strong_lucas};
    const batch_prime_test there[] = {device_strong_base_2, device_strong_lucas};
    for (int k = 0; k < 2; k++) {
        unsigned char *const passed = calloc(count, 1);
        ASSERT_EQ((int)there[k](ctx, "test", x, count, passed), (int)BIGINT_OK);
        for (uint64_t i = 0; i < count; i++) {
            unsigned want = 0;
            ASSERT_EQ((int)tests[k](ctx, "test", &x[i], 1, &want), (int)BIGINT_OK);
            SCOPED_TRACE("test %d, number %d: %d limbs, lowest %llu", k, (int)i, (int)x[i].n,
                         (unsigned long long)x[i].p[0]);
            EXPECT_EQ((int)passed[i], (int)want);
        }
        free(passed);
    }
}

// Odd numbers from 3 on, which meet pseudoprimes to base 2 (2047) and of Lucas's
// test (5459, 5777 on a device); numbers of up to N limbs, primes, all ones and 2^k + 1 among
// them. Catches: a bit of the exponent left out, the two terms of another index, V(d 2^r) for r =
// 0 alone, P' of the number before, an exponent 0, a number longer than the first.
TEST(DevicePrime, BothTests) {
    enum { N = 9 };
    const uint64_t count = device_emulated() ? 1500 : 3000;
    bigint_ctx *const ctx = fixture_ctx(NULL);
    gen g = gen_seed(713);
    odd_number *const x = calloc(count, sizeof *x);
    uint64_t *const limbs = calloc(count, N * sizeof *limbs);
    for (uint64_t i = 0; i < count; i++) {
        limbs[i] = 2 * i + 3;
        x[i] = (odd_number){&limbs[i], 1};
    }
    expect_tests(ctx, x, count);
    mpz_t z;
    mpz_init(z);
    for (uint64_t i = 0; i < 90; i++) {
        uint64_t *const p = limbs + i * N;
        fixture_limbs(&g, z, 1 + i % N);
        if (i % 3 == 0) {
            mpz_nextprime(z, z);
        } else if (i % 3 == 1) {
            mpz_set_ui(z, 1), mpz_mul_2exp(z, z, 2 + 7 * i % (64 * N - 2));
            i % 2 == 0 ? mpz_add_ui(z, z, 1) : mpz_sub_ui(z, z, 1);
        }
        mpz_setbit(z, 0);
        x[i] = (odd_number){p, mpz_size(z)};
        EXPECT_TRUE(mpz_size(z) <= N && oracle_store(p, N, z));
    }
    expect_tests(ctx, x, 90);
    mpz_clear(z);
    free(x), free(limbs);
    bigint_ctx_destroy(ctx);
}

// Catches: a sign that is not looked at, a call that reads device memory on the host.
TEST(DevicePrime, OneNumber) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    mpz_t z;
    mpz_init(z);
    for (int k = 0; k < 4; k++) {
        bigint x = BIGINT_INIT;
        int prime = 7;
        mpz_set_ui(z, 1), mpz_mul_2exp(z, z, k == 1 ? 123 : 127), mpz_sub_ui(z, z, 1);
        mpz_mul_si(z, z, k == 2 ? -1 : k == 3 ? 0 : 1);
        fixture_set(ctx, &x, z);
        EXPECT_EQ((int)bigint_probable_prime(ctx, &prime, &x), (int)BIGINT_OK);
        EXPECT_EQ(prime, k == 0);
        bigint_clear(ctx, &x);
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}
