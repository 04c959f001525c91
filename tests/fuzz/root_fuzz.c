// Roots and products modulo 2^bits - 1 and 2^bits + 1 of arbitrary numbers, compared with GMP's.
// May include bigint/bigint.h, GMP and the C library.
//
// Input: one byte of flags, two for the degree and the count of bits, one that says how often the
// rest is repeated; then the number's bytes, least significant first. Its power is tried too.
#include <gmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 4, NUMBER_BYTES = 1 << 12 };
enum { FLAG_NEGATE = 1, FLAG_POWER = 2, FLAG_LESS = 4, FLAG_TRANSFORM = 8 };

static void require(bool holds) {
    if (!holds) {
        abort();
    }
}

// load: x = z.
static void load(bigint_ctx *ctx, bigint *x, const mpz_t z) {
    require(bigint_set_limbs(ctx, x, mpz_limbs_read(z), mpz_size(z), mpz_sgn(z)) == BIGINT_OK);
}

static void require_equal(bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    bigint right = BIGINT_INIT;
    int order = 1;
    load(ctx, &right, z);
    require(bigint_cmp(ctx, &order, x, &right) == BIGINT_OK && order == 0);
    bigint_clear(ctx, &right);
}

static void try_root(bigint_ctx *ctx, const mpz_t z, unsigned long k) {
    bigint a = BIGINT_INIT, s = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t root, rem;
    mpz_inits(root, rem, NULL);
    load(ctx, &a, z);
    const bigint_status status = bigint_root(ctx, &s, &r, &a, k);
    require(status == (k == 0 || (k % 2 == 0 && mpz_sgn(z) < 0) ? BIGINT_EINVAL : BIGINT_OK));
    if (status == BIGINT_OK) {
        mpz_rootrem(root, rem, z, k);
        require_equal(ctx, &s, root);
        require_equal(ctx, &r, rem);
        require(bigint_root(ctx, &a, NULL, &a, k) == BIGINT_OK);
        require_equal(ctx, &a, root);
    }
    mpz_clears(root, rem, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &s), bigint_clear(ctx, &r);
}

static void try_square_modulo(bigint_ctx *ctx, const mpz_t z, uint64_t bits) {
    bigint a = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t m, square;
    mpz_inits(m, square, NULL);
    load(ctx, &a, z);
    mpz_setbit(m, bits);
    mpz_sub_ui(m, m, 1);
    mpz_mul(square, z, z), mpz_fdiv_r(square, square, m);
    require(bigint_mul_mod_2exp_minus1(ctx, &r, &a, &a, bits) == BIGINT_OK);
    require_equal(ctx, &r, square);
    mpz_add_ui(m, m, 2);
    mpz_mul(square, z, z), mpz_fdiv_r(square, square, m);
    require(bigint_mul_mod_2exp_plus1(ctx, &a, &a, &a, bits) == BIGINT_OK);
    require_equal(ctx, &a, square);
    mpz_clears(m, square, NULL);
    bigint_clear(ctx, &a), bigint_clear(ctx, &r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER) {
        return 0;
    }
    const uint8_t flags = data[0];
    const unsigned k = data[1], bits = data[2] + 1;
    const bigint_ctx_options options = {.engine = flags & FLAG_TRANSFORM ? "modular-fft" : NULL};
    bigint_ctx *ctx = NULL;
    mpz_t z;
    mpz_init(z);
    require(bigint_ctx_create(&ctx, NULL, &options) == BIGINT_OK);
    const size_t n = size - HEADER;
    for (size_t i = 0, total = 0; i <= data[3] && n > 0 && total + n <= NUMBER_BYTES; i++) {
        mpz_t part;
        mpz_init(part);
        mpz_import(part, n, -1, 1, 0, 0, data + HEADER);
        mpz_mul_2exp(z, z, 8 * n), mpz_add(z, z, part);
        mpz_clear(part);
        total += n;
    }
    if (flags & FLAG_POWER && k < 40) {
        mpz_pow_ui(z, z, k);
    }
    if (flags & FLAG_LESS) {
        mpz_sub_ui(z, z, 1);
    }
    if (flags & FLAG_NEGATE) {
        mpz_neg(z, z);
    }
    try_root(ctx, z, k);
    try_square_modulo(ctx, z, bits);
    try_square_modulo(ctx, z, 64 * (uint64_t)bits);
    mpz_clear(z);
    bigint_ctx_destroy(ctx);
    return 0;
}
