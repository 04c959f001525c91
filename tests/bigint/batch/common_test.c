// common_test.c: products, squares and powers of a batch modulo one number for all, in batches that
// are large enough for eight at once, against GMP.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

enum { COUNT = 300, MOST = 70, EXPONENT = 2 };

typedef enum { MULMOD, SQRMOD, POWM, KINDS } kind;

typedef struct {
    uint64_t a[COUNT * (MOST + 3)], b[COUNT * (MOST + 3)], r[COUNT * (MOST + 3)], m[MOST];
} numbers;

static bigint_status call(bigint_ctx *ctx, kind k, const bigint_span *r, const bigint_span *a,
                          const bigint_span *b, const bigint_span *m) {
    return k == MULMOD   ? bigint_mulmod_batch(ctx, r, a, b, m)
           : k == SQRMOD ? bigint_sqrmod_batch(ctx, r, a, m)
                         : bigint_powm_batch(ctx, r, a, b, m);
}

// expect_batch: count items of an and bn limbs at the stride, modulo {m, n}.
static void expect_batch(bigint_ctx *ctx, numbers *x, kind k, uint64_t count, uint64_t n,
                         uint64_t an, uint64_t bn) {
    const uint64_t stride = MOST + 3;
    const bigint_span a = {.p = x->a, .n = an, .stride = stride, .count = count};
    const bigint_span b = {.p = x->b, .n = bn, .stride = stride, .count = count};
    const bigint_span m = {.p = x->m, .n = n, .stride = 0, .count = count};
    const bigint_span r = {.p = x->r, .n = n + 1, .stride = stride, .count = count};
    SCOPED_TRACE("kind %d: %llu items of %llu, %llu limbs modulo %llu", (int)k,
                 (unsigned long long)count, (unsigned long long)an, (unsigned long long)bn,
                 (unsigned long long)n);
    memset(x->r, 0x77, sizeof x->r);
    ASSERT_EQ(call(ctx, k, &r, &a, &b, &m), BIGINT_OK);
    mpz_t y, z, modulus;
    mpz_inits(y, z, modulus, NULL);
    oracle_load(modulus, x->m, n);
    for (uint64_t i = 0; i < count; i++) {
        oracle_load(y, x->a + i * stride, an);
        oracle_load(z, k == SQRMOD ? x->a + i * stride : x->b + i * stride, k == SQRMOD ? an : bn);
        if (k == POWM) {
            mpz_powm(y, y, z, modulus);
        } else {
            mpz_mul(y, y, z);
            mpz_mod(y, y, modulus);
        }
        EXPECT_VALUE(x->r + i * stride, n + 1, y);
        EXPECT_EQ(x->r[i * stride + n + 1], (uint64_t)0x7777777777777777);
    }
    mpz_clears(y, z, modulus, NULL);
}

// Moduli with a top limb of few bits and of all ones, factors below them, just above, and longer,
// the last group with one to seven items. Mutations: a factor of 4 M and more is not reduced, or
// the product is not; digits at a limb's edge; numbers of a group change places; the last group's
// other lanes are written; the modulus of another number of digits is used.
TEST(BatchCommon, AllLengths) {
    static const bigint_ctx_options options[] = {{0}, {.threads = 2}, {.variant = "avx512"}};
    static numbers x;
    gen g = gen_seed(31);
    for (size_t o = 0; o < sizeof options / sizeof options[0]; o++) {
        bigint_ctx *ctx = fixture_ctx(&options[o]);
        for (uint64_t n = 1; n <= MOST; n += n < 14 ? 1 : 1 + gen_below(&g, 9)) {
            gen_limbs(&g, (gen_shape)(1 + gen_below(&g, GEN_SHAPES - 1)), x.m, n);
            x.m[0] |= 1;
            x.m[n - 1] = gen_below(&g, 2) == 0 ? UINT64_MAX : 1 + gen_below(&g, 3);
            const uint64_t least = 2500 / (n * n) + 8;
            for (int k = 0; k < KINDS; k++) {
                const uint64_t an = n + (gen_below(&g, 3) == 0 ? gen_below(&g, 3) : 0);
                const uint64_t bn = k == POWM ? EXPONENT : n;
                const uint64_t count = k == POWM ? 9 + gen_below(&g, 7) : least + gen_below(&g, 9);
                for (uint64_t i = 0; i < COUNT; i++) {
                    uint64_t *const a = x.a + i * (MOST + 3), *const b = x.b + i * (MOST + 3);
                    gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), a, an);
                    gen_limbs(&g, (gen_shape)gen_below(&g, GEN_SHAPES), b, bn);
                    if (i % 4 == 0) {
                        memcpy(a, x.m, n * sizeof *a);
                        a[0] ^= i / 4 % 4;
                    }
                }
                expect_batch(ctx, &x, (kind)k, count < COUNT ? count : COUNT, n, an, bn);
            }
        }
        bigint_ctx_destroy(ctx);
    }
}
