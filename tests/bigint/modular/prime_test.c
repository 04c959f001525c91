// prime_test.c: bigint_probable_prime and its batches against a sieve and GMP: pseudoprimes,
// squares, Carmichael numbers, every length. The tests behind it: prime_strong_test.c.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// --- The public calls ----------------------------------------------------------------------------

// expect_batch: answers for all z, by one call, are `want`, or GMP's where that is NULL.
static void expect_batch(bigint_ctx *ctx, mpz_t *z, uint64_t count, const int *want) {
    uint64_t words = 0, *const lengths = calloc(2 * count, sizeof *lengths), most = 0;
    for (uint64_t i = 0; i < count; i++) {
        lengths[i] = mpz_size(z[i]) + i % 3;  // zeros on top
        lengths[count + i] = words;
        words += lengths[i];
        most = lengths[i] > most ? lengths[i] : most;
    }
    uint64_t *const limbs = calloc(words + 1, sizeof *limbs);
    unsigned char *const prime = malloc(count + 1);
    memset(prime, 7, count + 1);
    for (uint64_t i = 0; i < count; i++) {
        EXPECT_TRUE(oracle_store(limbs + lengths[count + i], lengths[i], z[i]));
    }
    const bigint_span n = {.p = limbs,
                           .n = most,
                           .stride = most,
                           .count = count,
                           .lengths = lengths,
                           .offsets = lengths + count};
    EXPECT_EQ((int)bigint_probable_prime_batch(ctx, prime, &n), (int)BIGINT_OK);
    for (uint64_t i = 0; i < count; i++) {
        const int expected = want != NULL ? want[i] : mpz_probab_prime_p(z[i], 30) != 0;
        SCOPED_TRACE("number %d of %d bits", (int)i, (int)mpz_sizeinbase(z[i], 2));
        EXPECT_EQ((int)prime[i], expected);
    }
    EXPECT_EQ((int)prime[count], 7);
    free(prime), free(limbs), free(lengths);
}

// expect_one: the same for one number by bigint_probable_prime.
static void expect_one(bigint_ctx *ctx, const mpz_t z, int want) {
    bigint x = BIGINT_INIT;
    int prime = 7;
    fixture_set(ctx, &x, z);
    EXPECT_EQ((int)bigint_probable_prime(ctx, &prime, &x), (int)BIGINT_OK);
    EXPECT_EQ(prime, want);
    bigint_clear(ctx, &x);
}

// Catches: 0, 1, 2 or 3 wrong, a small prime called divisible by itself, a bound of the divisions
// that is not squared, an even number that is let through.
TEST(Prime, AllBelowALimit) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    enum { LIMIT = 100000 };
    static uint64_t n[LIMIT];
    static unsigned char prime[LIMIT], sieve[LIMIT];
    for (uint64_t i = 0; i < LIMIT; i++) {
        n[i] = i;
    }
    const bigint_span span = {.p = n, .n = 1, .stride = 1, .count = LIMIT};
    ASSERT_EQ((int)bigint_probable_prime_batch(ctx, prime, &span), (int)BIGINT_OK);
    for (uint64_t p = 2; p < LIMIT; p++) {  // what is crossed out already is no prime
        for (uint64_t i = 2 * p; sieve[p] == 0 && i < LIMIT; i += p) {
            sieve[i] = 1;
        }
    }
    int wrong = 0;
    for (uint64_t i = 0; i < LIMIT; i++) {
        wrong += prime[i] != (i > 1 && sieve[i] == 0);
    }
    EXPECT_EQ(wrong, 0);
    mpz_t z;
    mpz_init(z);
    for (long i = -20; i < 300; i++) {
        mpz_set_si(z, i);
        expect_one(ctx, z, i > 1 && sieve[i] == 0);
    }
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
}

// next_prime: z = a random prime of about `bits` bits.
static void next_prime(gen *g, mpz_t z, unsigned bits) {
    do {
        fixture_limbs(g, z, (bits + 63) / 64);
        mpz_fdiv_r_2exp(z, z, bits);
        mpz_setbit(z, bits - 1);
        mpz_nextprime(z, z);
    } while (mpz_sizeinbase(z, 2) > bits);
}

// carmichael: z = (6 k + 1) (12 k + 1) (18 k + 1), three primes.
static void carmichael(gen *g, mpz_t z, unsigned bits) {
    mpz_t k, p[3];
    mpz_inits(k, p[0], p[1], p[2], NULL);
    bool found = false;
    fixture_limbs(g, k, (bits + 63) / 64);
    mpz_fdiv_r_2exp(k, k, bits);
    while (!found) {
        mpz_add_ui(k, k, 1);
        found = true;
        for (unsigned i = 0; i < 3 && found; i++) {
            mpz_mul_ui(p[i], k, 6 * (i + 1)), mpz_add_ui(p[i], p[i], 1);
            found = mpz_probab_prime_p(p[i], 25) != 0;
        }
    }
    mpz_mul(z, p[0], p[1]), mpz_mul(z, z, p[2]);
    mpz_clears(k, p[0], p[1], p[2], NULL);
}

// Squares, of the Wieferich primes 1093 and 3511 too, which pass base 2 and have no D; Carmichael
// numbers; products that pass base 2 beyond 2^64: p (2 p - 1) with p = 1 mod 4. Catches: the search
// for D that does not end at a square, the Lucas test left out, or its answer.
TEST(Prime, PseudoprimesAndSquares) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    gen g = gen_seed(701);
    enum { COUNT = 60 };
    static int want[COUNT];  // zeros
    mpz_t z[COUNT], t;
    mpz_init(t);
    for (unsigned i = 0; i < COUNT; i++) {
        mpz_init(z[i]);
        if (i < 4) {
            mpz_ui_pow_ui(z[i], i % 2 == 0 ? 1093 : 3511, i < 2 ? 2 : 4);
        } else if (i < 20) {
            next_prime(&g, z[i], i * i);
            mpz_mul(z[i], z[i], z[i]);
        } else if (i < 40) {
            carmichael(&g, z[i], 4 * i - 60);
        } else {  // both prime
            do {
                next_prime(&g, t, 60);
                mpz_mul_2exp(z[i], t, 1), mpz_sub_ui(z[i], z[i], 1);
            } while (mpz_probab_prime_p(z[i], 25) == 0 || mpz_fdiv_ui(t, 4) != 1);
            mpz_mul(z[i], z[i], t);
        }
    }
    expect_batch(ctx, z, COUNT, want);
    for (unsigned i = 0; i < COUNT; i++) {
        expect_one(ctx, z[i], 0);
        mpz_clear(z[i]);
    }
    mpz_clear(t);
    bigint_ctx_destroy(ctx);
}

// Primes with n - 1 or n + 1 divisible by a high power of 2, and their neighbours of that form.
// Catches: a loop over doublings that stops early or goes on, exponents of different length.
TEST(Prime, ManyTwos) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    static const unsigned proth[] = {1,  2,  5,  6,   8,   12,  18,  30,
                                     36, 41, 66, 189, 201, 209, 276, 353};
    static const unsigned mersenne[] = {61, 67, 89, 101, 107, 127, 521, 523, 607, 1279, 1283};
    enum { PROTH = sizeof proth / sizeof *proth, MERSENNE = sizeof mersenne / sizeof *mersenne };
    mpz_t z[2 * PROTH + MERSENNE];
    for (unsigned i = 0; i < 2 * PROTH + MERSENNE; i++) {
        mpz_init_set_ui(z[i], i < 2 * PROTH ? 3 : 1);
        mpz_mul_2exp(z[i], z[i], i < 2 * PROTH ? proth[i / 2] : mersenne[i - 2 * PROTH]);
        i < 2 * PROTH &&i % 2 == 0 ? mpz_add_ui(z[i], z[i], 1) : mpz_sub_ui(z[i], z[i], 1);
    }
    expect_batch(ctx, z, 2 * PROTH + MERSENNE, NULL);
    for (unsigned i = 0; i < 2 * PROTH + MERSENNE; i++) {
        expect_one(ctx, z[i], mpz_probab_prime_p(z[i], 30) != 0);
        mpz_clear(z[i]);
    }
    bigint_ctx_destroy(ctx);
}

// random_numbers: of up to `bits` bits: primes, products of two primes, numbers without small
// factors, and any.
static void random_numbers(bigint_ctx *ctx, gen *g, uint64_t count, unsigned least, unsigned bits) {
    mpz_t *const z = malloc(count * sizeof *z), t;
    mpz_init(t);
    for (uint64_t i = 0; i < count; i++) {
        const unsigned its = least + (unsigned)gen_below(g, bits - least + 1);
        mpz_init(z[i]);
        next_prime(g, z[i], its);
        if (i % 4 == 1) {
            next_prime(g, z[i], its / 2), next_prime(g, t, its - its / 2);
            mpz_mul(z[i], z[i], t);
        } else if (i % 4 == 2) {
            fixture_limbs(g, z[i], (its + 63) / 64);
            mpz_setbit(z[i], 0);
        } else if (i % 4 == 3) {
            mpz_add_ui(z[i], z[i], 2);
        }
    }
    expect_batch(ctx, z, count, NULL);
    for (uint64_t i = 0; i < count; i++) {
        mpz_clear(z[i]);
    }
    mpz_clear(t), free(z);
}

// Every variant, every length to 211 bits, then longer ones, alike or not. Catches: digits that are
// too few by the slack, a group of different lengths, a variant's own reduction.
TEST(Prime, RandomNumbers) {
    gen g = gen_seed(702);
    for (const char *const *variant = bigint_variants(); *variant != NULL; variant++) {
        const bigint_ctx_options options = {.variant = *variant};
        bigint_ctx *ctx;
        if (bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK) {
            SCOPED_TRACE("%s", *variant);
            for (unsigned bits = 4; bits < 212; bits++) {
                random_numbers(ctx, &g, 1 + gen_below(&g, 12), bits, bits);
            }
            random_numbers(ctx, &g, 40, 4, 400);
            random_numbers(ctx, &g, 24, 512, 512);
            random_numbers(ctx, &g, 12, 1020, 1030);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Mersenne's primes beside numbers of their length without small factors, in lanes; one that is
// longer than lanes take, and its square. Catches: products instead of rows or digits, a number of
// digits that is not compiled.
TEST(Prime, LongNumbers) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    static const unsigned exponents[] = {2203, 4253};
    enum { COUNT = 12 };
    mpz_t z[COUNT];
    for (unsigned k = 0; k < 2; k++) {
        int want[COUNT];
        for (unsigned i = 0; i < COUNT; i++) {
            mpz_init_set_ui(z[i], 1);
            mpz_mul_2exp(z[i], z[i], exponents[k]), mpz_sub_ui(z[i], z[i], 1);
            want[i] = i % 4 != 3;
            if (!want[i]) {
                do {
                    mpz_sub_ui(z[i], z[i], 2 * i + 2);
                } while (mpz_gcd_ui(NULL, z[i], 3 * 5 * 7 * 11 * 13) != 1);
                want[i] = mpz_probab_prime_p(z[i], 25) != 0;
            }
        }
        expect_batch(ctx, z, COUNT, want);
        for (unsigned i = 0; i < COUNT; i++) {
            mpz_clear(z[i]);
        }
    }
    mpz_init_set_ui(z[0], 1);
    mpz_mul_2exp(z[0], z[0], 9689), mpz_sub_ui(z[0], z[0], 1);
    expect_one(ctx, z[0], 1);
    mpz_mul(z[0], z[0], z[0]);
    expect_one(ctx, z[0], 0);
    mpz_clear(z[0]);
    bigint_ctx_destroy(ctx);
}

// Threads, and a workspace that has no room for theirs. Catches: groups that share memory, an
// answer that is lost where a thread gives an item back.
TEST(Prime, ThreadsAndCaps) {
    gen g = gen_seed(705);
    for (int k = 0; k < 2; k++) {
        const bigint_ctx_options options = {.threads = 3,
                                            .max_workspace_bytes = k == 0 ? 0 : 60000};
        bigint_ctx *ctx;
        ASSERT_EQ((int)bigint_ctx_create(&ctx, NULL, &options), (int)BIGINT_OK);
        random_numbers(ctx, &g, 200, 100, 300);
        bigint_ctx_destroy(ctx);
    }
}

// Catches: a span that is not looked at, an answer written by a call that failed, a count of 0.
TEST(Prime, Refusals) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    uint64_t three = 3;
    unsigned char prime = 7;
    const bigint_span none = {.p = &three, .n = 1, .stride = 1, .count = 0};
    EXPECT_EQ((int)bigint_probable_prime_batch(ctx, NULL, &none), (int)BIGINT_OK);
    const bigint_span nowhere = {.p = NULL, .n = 1, .stride = 1, .count = 1};
    EXPECT_EQ((int)bigint_probable_prime_batch(ctx, &prime, &nowhere), (int)BIGINT_EINVAL);
    EXPECT_TEXT(ctx, "bigint_probable_prime_batch");
    EXPECT_EQ((int)prime, 7);
    bigint_ctx_destroy(ctx);
}
