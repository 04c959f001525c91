// decimal_digits_test.c: characters to words of decimal digits and back, against GMP.
#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "bigint/text/decimal_digits.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// Catches: a word taking its digits from the wrong end, a short top word, eight characters parsed
// in the wrong order, a writer that writes more than n characters.
TEST(DecimalDigits, RoundTripForEveryWidth) {
    gen g = gen_seed(301);
    enum { MOST = 90 };
    for (unsigned k = 1; k <= 19; k++) {
        for (size_t n = 1; n <= MOST; n++) {
            char s[MOST], t[MOST + 2];
            uint64_t words[MOST];
            gen_digits(&g, s, n);
            memset(t, '#', sizeof t);
            SCOPED_TRACE("k = %u, %zu digits", k, n);
            ASSERT_EQ(decimal_digits_read(words, s, n, k), n);
            decimal_digits_write(t + 1, n, words, k);
            EXPECT_TRUE(memcmp(t + 1, s, n) == 0 && t[0] == '#' && t[n + 1] == '#');
            mpz_t want, have;
            mpz_inits(want, have, NULL);
            for (size_t i = 0; i < n; i++) {
                mpz_mul_ui(want, want, 10);
                mpz_add_ui(want, want, (unsigned long)(s[i] - '0'));
            }
            for (size_t i = n / k + (n % k != 0); i > 0; i--) {
                for (unsigned j = 0; j < k; j++) {
                    mpz_mul_ui(have, have, 10);
                }
                mpz_add_ui(have, have, words[i - 1]);
            }
            EXPECT_TRUE(mpz_cmp(want, have) == 0);
            mpz_clears(want, have, NULL);
        }
    }
}

// Every value of the groups that characters are made from and combined to.
// Catches: a reciprocal of 10 or 100 that is one unit off for some number.
TEST(DecimalDigits, EveryFourDigits) {
    for (unsigned x = 0; x < 10000; x++) {
        const uint64_t word = x * UINT64_C(10000) + (9999 - x);
        char want[24], have[8];
        uint64_t back = 0;
        snprintf(want, sizeof want, "%04u%04u", x, 9999 - x);
        decimal_digits_write(have, 8, &word, 8);
        EXPECT_TRUE(memcmp(want, have, 8) == 0);
        EXPECT_EQ(decimal_digits_read(&back, want, 8, 8), (size_t)8);
        EXPECT_EQ(back, word);
    }
}

// Catches: a byte next to '0' .. '9', or with the high bit, taken for a digit; the position counted
//          from the end.
TEST(DecimalDigits, FirstBadCharacterIsFound) {
    char s[64];
    uint64_t words[64];
    for (size_t n = 1; n <= 45; n++) {
        for (size_t at = 0; at < n; at++) {
            for (int c = 0; c < 256; c++) {
                memset(s, '0' + (c + (int)at) % 10, n);
                s[n - 1] = 'x';  // the last one is bad too, the first is reported
                s[at] = (char)c;
                const bool digit = c >= '0' && c <= '9';
                const size_t want = digit ? (at == n - 1 ? n : n - 1) : at;
                if (decimal_digits_read(words, s, n, 19) != want) {
                    SCOPED_TRACE("%zu characters, byte %d at %zu", n, c, at);
                    ASSERT_EQ(decimal_digits_read(words, s, n, 19), want);
                }
            }
        }
    }
}
