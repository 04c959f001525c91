// carry_scan_test.c: the carry by rounds and a scan against the serial one, which carry_test.c
// holds against GMP.
#include "carry/scan.h"

#include <string.h>

#include "carry/monoid.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { N = 24, LIMBS = N * CARRY_WORDS_MAX + 2 };

static void check_pow2(gen *g, const uint64_t *c, unsigned words, unsigned w) {
    SCOPED_TRACE("words = %u, w = %u", words, w);
    uint64_t serial[LIMBS], scanned[LIMBS], ws[N * (CARRY_WORDS_MAX + 1)];
    ASSERT_TRUE(carry_scan_workspace_words(N) <= sizeof ws / sizeof *ws);
    carry_stream a = CARRY_STREAM_INIT, b = CARRY_STREAM_INIT;
    for (size_t i = 0; i < N;) {
        const size_t n = 1 + (size_t)gen_below(g, N - i);
        const size_t limbs = carry_pow2(serial, &a, c + i * words, n, words, w);
        ASSERT_EQ(carry_scan_pow2(scanned, &b, c + i * words, n, words, w, ws), limbs);
        ASSERT_LIMBS_EQ(scanned, serial, limbs);
        ASSERT_LIMBS_EQ(b.carry, a.carry, CARRY_WORDS_MAX + 1);
        ASSERT_EQ(b.partial, a.partial);
        ASSERT_EQ(b.filled, a.filled);
        i += n;
    }
}

static void check_pow10(gen *g, const uint64_t *c, unsigned words, unsigned k) {
    SCOPED_TRACE("words = %u, k = %u", words, k);
    uint64_t serial[N], scanned[N], ws[N * (CARRY_WORDS_MAX + 1)];
    carry_stream a = CARRY_STREAM_INIT, b = CARRY_STREAM_INIT;
    for (size_t i = 0; i < N;) {
        const size_t n = 1 + (size_t)gen_below(g, N - i);
        carry_pow10(serial, &a, c + i * words, n, words, k);
        carry_scan_pow10(scanned, &b, c + i * words, n, words, k, ws);
        ASSERT_LIMBS_EQ(scanned, serial, n);
        ASSERT_LIMBS_EQ(b.carry, a.carry, CARRY_WORDS_MAX + 1);
        i += n;
    }
}

// Catches: a round that drops a quotient, rounds that end too early (a carry of 2), a scan that
// includes its own position, a carry-out not added to what the rounds carried out.
TEST(CarryScan, EqualsTheSerialCarry) {
    gen g = gen_seed(1);
    uint64_t c[N * CARRY_WORDS_MAX];
    for (unsigned words = 1; words <= CARRY_WORDS_MAX; words++) {
        for (int how = 0; how < 3; how++) {
            for (size_t i = 0; i < N * words; i++) {
                const uint64_t u = gen_u64(&g);
                c[i] = how == 0 ? UINT64_MAX : how == 1 ? u : -(u & 1);
            }
            for (unsigned w = 1; w <= 64 * words; w += 1 + w / 8) check_pow2(&g, c, words, w);
            check_pow2(&g, c, words, 64 * words);
            for (unsigned k = 1; k <= 19; k++) check_pow10(&g, c, words, k);
        }
    }
}

// Every string of kill, propagate and generate of length 7, in radix 10 and radix 2^3.
// Catches: a propagating position that swallows or invents the carry.
TEST(CarryScan, EveryStringOfStates) {
    enum { LENGTH = 7, STRINGS = 2187 };
    gen g = gen_seed(2);
    for (int string = 0; string < STRINGS; string++) {
        uint64_t ten[N] = {0}, eight[N] = {0};
        for (int i = 0, rest = string; i < LENGTH; i++, rest /= 3) {
            ten[i] = 8 + (uint64_t)(rest % 3);  // 8 kills, 9 propagates, 10 generates
            eight[i] = 6 + (uint64_t)(rest % 3);
        }
        check_pow10(&g, ten, 1, 1);
        check_pow2(&g, eight, 1, 3);
    }
}

// The states of a random string composed by a random tree of adjacent pairs.
// Catches: a monoid that is right only from left to right.
TEST(CarryScan, AnyGroupingGivesTheSameCarry) {
    gen g = gen_seed(3);
    for (int round = 0; round < 1000; round++) {
        carry_state f[20];
        size_t n = 20;
        unsigned carry = 0;
        for (size_t i = 0; i < n; i++) {
            f[i] = (carry_state)gen_below(&g, 3);
            carry = carry_apply(f[i], carry);
        }
        while (n > 1) {
            const size_t at = (size_t)gen_below(&g, n - 1);
            f[at] = carry_compose(f[at], f[at + 1]);
            memmove(f + at + 1, f + at + 2, (n - at - 2) * sizeof *f);
            n--;
        }
        EXPECT_EQ(carry_apply(f[0], 0), carry);
    }
}
