// schoolbook.c: see schoolbook.h.
#include "bench/decimal/schoolbook.h"

#include <assert.h>

enum { LG_DIGITS_MOST = 24 };

void schoolbook_multiply(char *text, const char *a, const char *b, size_t n, int32_t *work) {
    assert(n >> LG_DIGITS_MOST == 0);
    int32_t *const restrict c = work, *const restrict digit = work + 2 * n;
    for (size_t i = 0; i < n; i++) {
        digit[i] = b[n - 1 - i] - '0';
        c[i] = c[n + i] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const int32_t factor = a[n - 1 - i] - '0';
        for (size_t j = 0; j < n; j++) {
            c[i + j] += factor * digit[j];
        }
    }
    int32_t carry = 0;
    for (size_t i = 0; i < 2 * n; i++) {
        const int32_t sum = c[i] + carry;
        text[2 * n - 1 - i] = (char)('0' + sum % 10);
        carry = sum / 10;
    }
    assert(carry == 0);
}
