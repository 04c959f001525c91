// decimal_schoolbook_test.c: the papers' vector convolution on the host against GMP.
#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bench/decimal/schoolbook.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

// Mutations: digits taken from the wrong end, a coefficient or a carry lost, work that is not
// cleared.
TEST(DecimalSchoolbook, EqualsGmp) {
    enum { MOST = 700 };
    char a[MOST + 1], b[MOST + 1], text[2 * MOST], want[2 * MOST];
    int32_t *const work = malloc(3 * MOST * sizeof *work);
    gen g = gen_seed(7);
    for (size_t n = 1; n <= MOST; n += 1 + n / 3) {
        for (int nines = 0; nines < 2; nines++) {
            for (size_t i = 0; i < n; i++) {
                a[i] = nines ? '9' : (char)('0' + gen_below(&g, 10));
                b[i] = nines ? '9' : (char)('0' + gen_below(&g, 10));
            }
            a[n] = b[n] = '\0';
            mpz_t x, y;
            mpz_init_set_str(x, a, 10), mpz_init_set_str(y, b, 10);
            mpz_mul(x, x, y);
            char *const digits = mpz_get_str(NULL, 10, x);
            const size_t length = strlen(digits);
            memset(want, '0', 2 * n - length);
            memcpy(want + 2 * n - length, digits, length);
            free(digits);
            mpz_clears(x, y, NULL);
            memset(work, 0x5a, 3 * MOST * sizeof *work);
            schoolbook_multiply(text, a, b, n, work);
            EXPECT_TRUE(memcmp(text, want, 2 * n) == 0);
        }
    }
    free(work);
}
