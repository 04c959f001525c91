// Products of arbitrary operands by every engine, compared with GMP's. May include bigint/bigint.h,
// GMP and the C library.
//
// Input: one byte of flags, one that picks the engine, one that says where the first operand ends,
// one that says how often each operand is repeated; then the operands' bytes, least significant
// first. The repetition lets a short input reach the sizes of the transforms.
#include <gmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { HEADER = 4, REPEATS = 512, OPERAND_BYTES = 1 << 16 };
enum {
    FLAG_NEGATE_A = 1,
    FLAG_NEGATE_B = 2,
    FLAG_INTO_A = 4,
    FLAG_INTO_B = 8,
    FLAG_SQUARE = 16,  // the second factor is the first, as the same object
};

static void require(int holds) {
    if (!holds) {
        abort();
    }
}

// load sets x and z to the same integer: bytes[0..n) repeated, cut at OPERAND_BYTES.
static void load(bigint_ctx *ctx, bigint *x, mpz_t z, const uint8_t *bytes, size_t n,
                 size_t repeats, int negate) {
    size_t most = n == 0 ? 0 : OPERAND_BYTES / n;
    size_t total = n * (repeats < most ? repeats : most);
    uint8_t *all = malloc(total + 1);
    require(all != NULL);
    for (size_t i = 0; i < total; i += n) {
        memcpy(all + i, bytes, n);
    }
    mpz_import(z, total, -1, 1, 0, 0, all);
    if (negate) {
        mpz_neg(z, z);
    }
    require(bigint_set_bytes(ctx, x, all, total, BIGINT_LITTLE_ENDIAN, negate ? -1 : 1) ==
            BIGINT_OK);
    free(all);
}

static void require_equal(bigint_ctx *ctx, const bigint *x, const mpz_t z) {
    uint64_t n = mpz_size(z), need = 0;
    int sign = 0;
    bigint_limb *limbs = malloc((n + 1) * sizeof *limbs);
    require(limbs != NULL);
    require(bigint_get_limbs(ctx, limbs, n, &need, &sign, x) == BIGINT_OK);
    require(need == n && sign == mpz_sgn(z));
    require(n == 0 || mpn_cmp(limbs, mpz_limbs_read(z), (mp_size_t)n) == 0);
    free(limbs);
}

// engine_for returns a name of the library's list, or NULL for its own choice.
static const char *engine_for(uint8_t pick) {
    const char *const *names = bigint_engines();
    size_t count = 0;
    while (names[count] != NULL) {
        count++;
    }
    size_t i = pick % (count + 1);
    return i < count ? names[i] : NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < HEADER) {
        return 0;
    }
    uint8_t flags = data[0];
    bigint_ctx_options options = {.engine = engine_for(data[1])};
    bigint_ctx *ctx = NULL;
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t za, zb;
    mpz_inits(za, zb, NULL);
    if (bigint_ctx_create(&ctx, NULL, &options) != BIGINT_OK) {
        goto done;  // an engine that is not built
    }
    size_t bytes = size - HEADER;
    size_t an = bytes * data[2] / UINT8_MAX;
    size_t repeats = 1 + REPEATS * (size_t)data[3] / UINT8_MAX;
    load(ctx, &a, za, data + HEADER, an, repeats, flags & FLAG_NEGATE_A);
    load(ctx, &b, zb, data + HEADER + an, bytes - an, repeats, flags & FLAG_NEGATE_B);

    const bigint *second = flags & FLAG_SQUARE ? &a : &b;
    bigint *into = flags & FLAG_INTO_A ? &a : flags & FLAG_INTO_B ? &b : &r;
    bigint_status status = bigint_mul(ctx, into, &a, second);
    require(status == BIGINT_OK || status == BIGINT_ERANGE || status == BIGINT_ENOBACKEND);
    if (status == BIGINT_OK) {
        mpz_mul(za, za, flags & FLAG_SQUARE ? za : zb);
        require_equal(ctx, into, za);
    }
done:
    mpz_clears(za, zb, NULL);
    bigint_clear(ctx, &a);
    bigint_clear(ctx, &b);
    bigint_clear(ctx, &r);
    bigint_ctx_destroy(ctx);
    return 0;
}
