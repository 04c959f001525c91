// prime_strong_test.c: the two strong tests behind bigint_probable_prime against their definitions,
// one number at a time and in lanes.
#include <gmp.h>
#include <stdbool.h>

#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "primitives/words/word.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// --- The definitions, on words -------------------------------------------------------------------

static uint64_t mul_word(uint64_t a, uint64_t b, uint64_t n) {
    return (uint64_t)((word_pair)a * b % n);
}

// half_word: x / 2 mod n, n odd.
static uint64_t half_word(uint64_t x, uint64_t n) { return x % 2 == 0 ? x / 2 : (x + n) / 2; }

static bool strong_base_2_word(uint64_t n) {
    uint64_t d = n - 1, y = 1;
    unsigned s = 0;
    for (; d % 2 == 0; d /= 2) {
        s++;
    }
    for (unsigned bit = 64; bit-- > 0;) {
        y = mul_word(y, y, n);
        y = (d >> bit & 1) != 0 ? 2 * y % n : y;
    }
    bool passes = y == 1 % n;
    for (unsigned r = 0; r < s; r++) {
        passes = passes || y == n - 1;
        y = mul_word(y, y, n);
    }
    return passes;
}

// strong_lucas_word: U, V and Q^k by doubling and by steps of one, not by the ladder.
static bool strong_lucas_word(uint64_t n) {
    mpz_t z;
    mpz_init_set_ui(z, n);
    const bool square = mpz_perfect_square_p(z) != 0;
    long magnitude = 5;
    int symbol = 1;
    for (; !square; magnitude += 2) {
        const long d = magnitude % 4 == 1 ? magnitude : -magnitude;
        symbol = mpz_si_kronecker(d, z);
        if (symbol == -1 || (symbol == 0 && (uint64_t)magnitude % n != 0)) {
            break;
        }
    }
    mpz_clear(z);
    if (square || symbol == 0) {
        return false;
    }
    const long d = magnitude % 4 == 1 ? magnitude : -magnitude, q = (1 - d) / 4;
    const uint64_t dn = d > 0 ? (uint64_t)d % n : n - (uint64_t)-d % n;
    const uint64_t qn = q > 0 ? (uint64_t)q % n : n - (uint64_t)-q % n;
    unsigned s = 0;
    uint64_t e = n + 1, u = 0, v = 2 % n, qk = 1;
    for (; e % 2 == 0; e /= 2) {
        s++;
    }
    for (unsigned bit = 64; bit-- > 0;) {
        u = mul_word(u, v, n);
        v = (mul_word(v, v, n) + 2 * (n - qk)) % n;
        qk = mul_word(qk, qk, n);
        if ((e >> bit & 1) != 0) {
            const uint64_t next = half_word((u + v) % n, n);
            v = half_word((mul_word(dn, u, n) + v) % n, n);
            u = next;
            qk = mul_word(qk, qn, n);
        }
    }
    bool passes = u == 0;
    for (unsigned r = 0; r < s; r++) {
        passes = passes || v == 0;
        v = (mul_word(v, v, n) + 2 * (n - qk)) % n;
        qk = mul_word(qk, qk, n);
    }
    return passes;
}

// --- The two tests -------------------------------------------------------------------------------

typedef struct {
    prime_test test;
    bool (*word)(uint64_t n), (*in_registers)(uint64_t n);
    const uint64_t *pseudoprimes;  // below LIMIT, in order, 0 behind the last
} strong_test;

enum { LIMIT = 100000 };

// OEIS A001262 and A217255.
static const uint64_t base_2[] = {2047,  3277,  4033,  4681,  8321,  15841, 29341, 42799, 49141,
                                  52633, 65281, 74665, 80581, 85489, 88357, 90751, 0};
static const uint64_t lucas[] = {5459,  5777,  10877, 16109, 18971, 22499, 24569,
                                 25199, 40309, 58519, 75077, 97439, 0};
static const strong_test tests[] = {
    {prime_strong_base_2, strong_base_2_word, prime_word_base_2, base_2},
    {prime_strong_lucas, strong_lucas_word, prime_word_lucas, lucas}};

// passes: what the test says of `count` numbers of one limb.
static unsigned passes(bigint_ctx *ctx, prime_test test, const uint64_t *n, unsigned count) {
    odd_number numbers[RESIDUES_MAX];
    unsigned passed = 0;
    for (unsigned k = 0; k < count; k++) {
        numbers[k] = (odd_number){&n[k], 1};
    }
    EXPECT_EQ((int)test(ctx, "test", numbers, count, &passed), (int)BIGINT_OK);
    return passed;
}

static bool is_prime_word(uint64_t n) {
    for (uint64_t p = 2; p * p <= n; p++) {
        if (n % p == 0) {
            return false;
        }
    }
    return n > 1;
}

// All odd numbers below LIMIT: what passes is as defined, and the composite ones among it are those
// published. Catches: a step of the ladder or of the doublings left out or made once too often, 1
// not told from -1, D without its sign, Q's sign, a limit of r off by one, lanes mixed up.
TEST(PrimeStrong, BelowALimit) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    for (unsigned t = 0; t < 2; t++) {
        for (unsigned width = 1; width <= RESIDUES_MAX; width += RESIDUES_MAX - 1) {
            if (width > 1 && !residues_in_lanes(ctx, 64)) {
                continue;
            }
            const uint64_t *next = tests[t].pseudoprimes;
            for (uint64_t from = 3; from < LIMIT; from += 2 * width) {
                uint64_t n[RESIDUES_MAX];
                for (unsigned k = 0; k < width; k++) {
                    n[k] = from + 2 * k;
                }
                const unsigned passed = passes(ctx, tests[t].test, n, width);
                for (unsigned k = 0; k < width && n[k] < LIMIT; k++) {
                    const bool has = (passed >> k & 1) != 0;
                    SCOPED_TRACE("test %d of %llu, %d at once", (int)t, (unsigned long long)n[k],
                                 (int)width);
                    EXPECT_EQ((int)has, (int)tests[t].word(n[k]));
                    EXPECT_EQ((int)has, (int)tests[t].in_registers(n[k]));
                    if (has && !is_prime_word(n[k])) {
                        EXPECT_EQ(n[k], *next);
                        next += *next != 0;
                    }
                }
            }
            EXPECT_EQ(*next, 0u);
        }
    }
    bigint_ctx_destroy(ctx);
}

// Numbers of a whole limb, n + 1 or n - 1 divisible by high powers of 2, with few numbers together.
// Catches: n + 1 = 2^64 overflows, lanes without a number that answer, different s in one group.
TEST(PrimeStrong, OfWholeLimbs) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    gen g = gen_seed(703);
    for (int round = 0; round < 400; round++) {
        uint64_t n[RESIDUES_MAX];
        const unsigned most = residues_in_lanes(ctx, 64) ? RESIDUES_MAX : 1;
        const unsigned count = 1 + (unsigned)gen_below(&g, most);
        for (unsigned k = 0; k < count; k++) {
            const uint64_t odd = gen_u64(&g) >> gen_below(&g, 60) | 1;
            const unsigned twos = (unsigned)gen_below(&g, 62) + 1;
            const uint64_t near = odd << twos | (uint64_t)1 << 62;
            n[k] = round == 0 ? UINT64_MAX : round % 3 == 0 ? odd | 2 : near + 1 - 2 * (k % 2);
        }
        for (unsigned t = 0; t < 2; t++) {
            const unsigned passed = passes(ctx, tests[t].test, n, count);
            EXPECT_EQ(passed >> count, 0u);
            for (unsigned k = 0; k < count; k++) {
                SCOPED_TRACE("test %d of %llu", (int)t, (unsigned long long)n[k]);
                EXPECT_EQ((int)(passed >> k & 1), (int)tests[t].in_registers(n[k]));
                // words above 2^63 are beyond what the definitions here add up
                if (n[k] < (uint64_t)1 << 61) {
                    EXPECT_EQ((int)(passed >> k & 1), (int)tests[t].word(n[k]));
                }
            }
        }
    }
    bigint_ctx_destroy(ctx);
}

// Small numbers, and squares and products of two primes of 32 bits, which no small prime divides.
// Catches: 2 or a small prime called composite, 1 called prime, a square without D, a root off by
// one.
TEST(PrimeStrong, OneWord) {
    static const uint64_t large[] = {4294967291, 4294967279, 4294967231, 67, 71, 65521};
    for (uint64_t n = 0; n < 20000; n++) {
        EXPECT_EQ((int)prime_word(n), (int)is_prime_word(n));
    }
    for (unsigned i = 0; i < 6; i++) {
        EXPECT_TRUE(prime_word(large[i]));
        for (unsigned k = 0; k < 6; k++) {
            EXPECT_FALSE(prime_word(large[i] * large[k]));
            EXPECT_FALSE(prime_word_lucas(large[i] * large[i]));
        }
    }
    EXPECT_TRUE(prime_word(UINT64_MAX - 58));
}
