// mul_wrap_test.c: products modulo B^m + 1 by a kept operand, and what is subtracted from them,
// against GMP.
#include "bigint/multiply/wrap.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/oracle.h"

// expect_residue: {rp, m + 1} is x modulo B^m + 1.
static void expect_residue(const uint64_t *rp, size_t m, const mpz_t x) {
    mpz_t modulus, residue;
    mpz_inits(modulus, residue, NULL);
    mpz_setbit(modulus, 64 * m);
    mpz_add_ui(modulus, modulus, 1);
    mpz_mod(residue, x, modulus);
    EXPECT_VALUE(rp, m + 1, residue);
    mpz_clears(modulus, residue, NULL);
}

// sparse: {p, n} = 2^bit.
static void sparse(uint64_t *p, size_t n, size_t bit) {
    memset(p, 0, n * sizeof *p);
    p[bit / 64] = (uint64_t)1 << bit % 64;
}

// try_wrap: b of bn limbs kept for others of up to an, modulo B^m + 1, m >= n. kind 0: any shape,
// 1: all ones, 2: 2^i times 2^(64 m - i), which is -1, 3: the same and what is subtracted from is
// 0. Returns whether such an operand is kept at all.
static bool try_wrap(bigint_ctx *ctx, gen *g, size_t an, size_t bn, size_t n, int kind) {
    uint64_t *const a = calloc(an, sizeof *a), *const b = calloc(bn, sizeof *b);
    gen_limbs(g, kind == 1 ? GEN_ONES : GEN_UNIFORM, a, an);
    gen_limbs(g, kind == 1 ? GEN_ONES : GEN_RUNS, b, bn);
    const arena_mark mark = arena_get_mark(ctx);
    mul_wrap *kept = NULL;
    if (kind >= 2) {  // B^m needs both: half of it each
        sparse(b, bn, 64 * (n / 2));
    }
    EXPECT_EQ(mul_wrap_prepare(ctx, "test", &kept, b, bn, an, n), BIGINT_OK);
    if (kept != NULL) {
        const size_t m = mul_wrap_limbs(kept), half = m - n / 2;
        EXPECT_TRUE(m >= n);
        if (kind >= 2 && half < an) {
            sparse(a, an, 64 * half);
        }
        uint64_t *const r = calloc(m + 3, sizeof *r), *const c = calloc(2 * m, sizeof *c);
        const size_t cn = kind == 3 ? 0 : gen_below(g, 2 * m + 1);
        if (cn > 0) {
            gen_limbs(g, kind == 1 ? GEN_ONES : GEN_UNIFORM, c, cn);
        }
        mpz_t x, y;
        mpz_inits(x, y, NULL);
        oracle_load(x, a, an);
        oracle_load(y, b, bn);
        mpz_mul(x, x, y);
        r[m + 2] = 0x5a5a;
        SCOPED_TRACE("%zu by %zu limbs, m = %zu, kind %d", an, bn, m, kind);
        EXPECT_EQ(mul_wrap_mul(ctx, "test", r, a, an, kept), BIGINT_OK);
        expect_residue(r, m, x);
        EXPECT_EQ(r[m + 2], 0x5a5au);
        oracle_load(y, c, cn);
        mpz_sub(x, y, x);
        mul_wrap_fold(r, m, c, cn);
        expect_residue(r, m, x);
        mpz_clears(x, y, NULL);
        free(r), free(c);
    }
    arena_release(ctx, mark);
    free(a), free(b);
    return kept != NULL;
}

// Every length of transform, and operands that fill it. Mutations: the column of what the last
// coefficients have above B^m left out; that part added instead of subtracted; the residue B^m,
// which is -1, left as 0 or one too large; the offset off by a column; a borrow that is 1 instead
// of 2; the length rounded down.
TEST(MulWrap, EveryLength) {
    gen g = gen_seed(31);
    const char *const *variants = bigint_variants();
    for (int v = 0; variants[v] != NULL; v++) {
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.variant = variants[v]}) !=
            BIGINT_OK) {
            continue;
        }
        unsigned kept = 0;
        for (size_t n = 100; n < 16000; n += n / 7 + 1) {
            for (int kind = 0; kind < 4; kind++) {
                kept += try_wrap(ctx, &g, n, n, n, kind);
                kept += try_wrap(ctx, &g, n, n / 2 + 1, n, kind);
                kept += try_wrap(ctx, &g, 1 + gen_below(&g, n), n - 1, n, kind);
            }
        }
        EXPECT_EQ(kept > 0, strcmp(variants[v], "portable") != 0);
        bigint_ctx_destroy(ctx);
    }
}

// sum_planes: a, b, c, d of up to an or bn limbs, and what their planes are.
typedef struct {
    size_t n[4];
    uint64_t *p[4];
    const void *plane[4];
} sum_planes;

// expect_sums: r = a b + c d and a b - c d.
static void expect_sums(bigint_ctx *ctx, const mul_wrap_ring *s, const sum_planes *f, uint64_t *r) {
    const size_t m = mul_wrap_ring_limbs(s);
    mpz_t x, y[4];
    mpz_inits(x, y[0], y[1], y[2], y[3], NULL);
    for (int i = 0; i < 4; i++) {
        oracle_load(y[i], f->p[i], f->n[i]);
    }
    for (int minus = 0; minus < 2; minus++) {
        r[m + 2] = 0x5a5a;
        EXPECT_EQ(mul_wrap_ring_sum(ctx, "test", s, r, f->plane, minus), BIGINT_OK);
        mpz_mul(x, y[0], y[1]);
        (minus ? mpz_submul : mpz_addmul)(x, y[2], y[3]);
        expect_residue(r, m, x);
        EXPECT_EQ(r[m + 2], 0x5a5au);
    }
    mpz_clears(x, y[0], y[1], y[2], y[3], NULL);
}

// try_sums: factors of an and bn limbs, modulo B^m + 1, m >= n; all ones if kind is 1, so that
// coefficients are as large as they can be. Returns whether sums pay.
static bool try_sums(bigint_ctx *ctx, gen *g, size_t an, size_t bn, size_t n, int kind) {
    mul_wrap_ring s;
    const arena_mark mark = arena_get_mark(ctx);
    EXPECT_EQ(mul_wrap_ring_begin(ctx, "test", &s, an, bn, n, 4), BIGINT_OK);
    if (s.pays) {
        const size_t m = mul_wrap_ring_limbs(&s);
        SCOPED_TRACE("%zu by %zu limbs, m = %zu, kind %d", an, bn, m, kind);
        EXPECT_TRUE(m >= n);
        sum_planes f;
        for (int i = 0; i < 4; i++) {
            f.n[i] =
                1 + (kind == 0 ? gen_below(g, i % 2 == 0 ? an : bn) : (i % 2 == 0 ? an : bn) - 1);
            f.p[i] = calloc(f.n[i], sizeof *f.p[i]);
            gen_limbs(g, kind == 1 ? GEN_ONES : kind == 0 ? GEN_RUNS : GEN_UNIFORM, f.p[i], f.n[i]);
            EXPECT_EQ(mul_wrap_ring_prepare(ctx, "test", &s, &f.plane[i], f.p[i], f.n[i]),
                      BIGINT_OK);
        }
        uint64_t *const r = calloc(m + 3, sizeof *r);
        expect_sums(ctx, &s, &f, r);
        free(r);
        for (int i = 0; i < 4; i++) {
            free(f.p[i]);
        }
    }
    arena_release(ctx, mark);
    return s.pays;
}

// Mutations: digits proved for one product and not for two; the second product left out, or its
// sign; a factor's plane for another's.
TEST(MulWrap, SumsOfTwoProducts) {
    gen g = gen_seed(33);
    const char *const *variants = bigint_variants();
    for (int v = 0; variants[v] != NULL; v++) {
        bigint_ctx *ctx = NULL;
        if (bigint_ctx_create(&ctx, NULL, &(bigint_ctx_options){.variant = variants[v]}) !=
            BIGINT_OK) {
            continue;
        }
        unsigned pay = 0;
        for (size_t n = 100; n < 16000; n += n / 7 + 1) {
            for (int kind = 0; kind < 3; kind++) {
                pay += try_sums(ctx, &g, n, n, n, kind);
                pay += try_sums(ctx, &g, 2 * n / 3, n / 3, n, kind);
            }
        }
        EXPECT_EQ(pay > 0, strcmp(variants[v], "portable") != 0);
        bigint_ctx_destroy(ctx);
    }
}

// No operand is kept where products are checked, engines are forced, or memory is short.
TEST(MulWrap, LeavesOtherContextsAlone) {
    const bigint_ctx_options all[] = {{.checks = 1},
                                      {.engine = "modular-fft"},
                                      {.mode = "certified"},
                                      {.max_workspace_bytes = 20000}};
    gen g = gen_seed(32);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_ctx *ctx = fixture_ctx(&all[i]);
        EXPECT_FALSE(try_wrap(ctx, &g, 1000, 1000, 1000, 0));
        EXPECT_FALSE(try_sums(ctx, &g, 1000, 1000, 1000, 0));
        bigint_ctx_destroy(ctx);
    }
}
