// Decimal and hexadecimal text: what is accepted, where it is refused, what comes back, compared
// with GMP's. May include bigint/bigint.h, GMP and the C library.
//
// Input: one byte that picks the base and how often the rest is repeated; then the text.
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TEXT_BYTES = 1 << 16 };

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

static bool is_digit(char c, int base) {
    bool decimal = '0' <= c && c <= '9';
    return decimal || (base == 16 && (('a' <= c && c <= 'f') || ('A' <= c && c <= 'F')));
}

// first_bad is the position that bigint_set_* must report; SIZE_MAX if the text is a number, and
// then *digits is where its digits start.
static size_t first_bad(const char *text, size_t n, int base, size_t *digits) {
    size_t i = n > 0 && (text[0] == '-' || text[0] == '+');
    if (base == 16 && i + 1 < n && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X')) {
        i += 2;
    }
    *digits = i;
    size_t start = i;
    while (i < n && is_digit(text[i], base)) {
        i++;
    }
    return i < n || i == start ? i : SIZE_MAX;
}

static bigint_status set(bigint_ctx *ctx, bigint *x, int base, const char *text, size_t n,
                         size_t *bad) {
    return base == 16 ? bigint_set_hex(ctx, x, text, n, bad)
                      : bigint_set_decimal(ctx, x, text, n, bad);
}

static bigint_status get(bigint_ctx *ctx, char *buf, size_t cap, size_t *need, int base,
                         const bigint *x) {
    return base == 16 ? bigint_get_hex(ctx, buf, cap, need, x)
                      : bigint_get_decimal(ctx, buf, cap, need, x);
}

// require_text checks that x is written as GMP writes the digits at text + digits.
static void require_text(bigint_ctx *ctx, const bigint *x, int base, char *text, size_t digits) {
    mpz_t z;
    mpz_init(z);
    require(mpz_set_str(z, text + digits, base) == 0);
    if (text[0] == '-') {
        mpz_neg(z, z);
    }
    char *wanted = mpz_get_str(NULL, base, z);
    size_t length = strlen(wanted), need = 0;
    require(get(ctx, NULL, 0, &need, base, x) == BIGINT_ERANGE);
    require(length + 1 <= need && need <= length + 2);
    char *written = malloc(need);
    require(written != NULL);
    require(get(ctx, written, need, &need, base, x) == BIGINT_OK);
    require(need == length + 1 && memcmp(written, wanted, need) == 0);
    free(written);
    free(wanted);
    mpz_clear(z);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) {
        return 0;
    }
    int base = data[0] % 2 == 0 ? 10 : 16;
    size_t piece = size - 1;
    size_t repeats = (size_t)1 << (data[0] / 2 % 16);
    size_t most = TEXT_BYTES / piece + 1;
    size_t n = piece * (repeats < most ? repeats : most);
    char *text = malloc(n + 1);
    require(text != NULL);
    for (size_t i = 0; i < n; i += piece) {
        memcpy(text + i, data + 1, piece);
    }
    text[n] = 0;

    bigint_ctx *ctx = NULL;
    bigint x = BIGINT_INIT;
    require(bigint_ctx_create(&ctx, NULL, NULL) == BIGINT_OK);
    size_t digits = 0, bad = SIZE_MAX, expected = first_bad(text, n, base, &digits);
    bigint_status status = set(ctx, &x, base, text, n, &bad);
    if (expected == SIZE_MAX) {
        require(status == BIGINT_OK);
        require_text(ctx, &x, base, text, digits);
    } else {
        require(status == BIGINT_EINVAL && bad == expected);
    }
    bigint_clear(ctx, &x);
    bigint_ctx_destroy(ctx);
    free(text);
    return 0;
}
