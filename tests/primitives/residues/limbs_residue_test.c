// limbs_residue_test.c: residues of long numbers and the check of products by them, on a device or
// under the kernel emulation, against GMP.
#include "primitives/residues/residue.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Several rounds of all threads under emulation, where few blocks are resident, and a rest.
enum { MAX = 100000 };

typedef struct {
    uint64_t *a, *b, *r, *factors;
    limbs_residue_report *report;
    void *workspace;
} buffers;

static bool setup(buffers *s) {
    s->a = device_alloc(8 * MAX);
    s->b = device_alloc(8 * MAX);
    s->r = device_alloc(8 * 2 * MAX);
    s->factors = device_alloc(8 * 2);
    s->report = device_alloc(sizeof *s->report);
    s->workspace = device_alloc(LIMBS_RESIDUE_WORKSPACE_BYTES);
    return s->a != NULL && s->b != NULL && s->r != NULL && s->factors != NULL &&
           s->report != NULL && s->workspace != NULL &&
           device_fill(s->report, 0, sizeof *s->report) &&
           device_fill(s->workspace, 0, LIMBS_RESIDUE_WORKSPACE_BYTES);
}

static void teardown(buffers *s) {
    device_free(s->a);
    device_free(s->b);
    device_free(s->r);
    device_free(s->factors);
    device_free(s->report);
    device_free(s->workspace);
}

// gmp_residue: {p, n} mod m.
static uint64_t gmp_residue(const uint64_t *p, size_t n, uint64_t m) {
    mpz_t z;
    mpz_init(z);
    mpz_import(z, n, -1, 8, 0, 0, p);
    const uint64_t r = mpz_fdiv_ui(z, m);
    mpz_clear(z);
    return r;
}

static const uint64_t moduli[] = {3, 5, (UINT64_C(1) << 31) - 1, (UINT64_C(1) << 60) + 33,
                                  (UINT64_C(1) << 61) - 1};
enum { MODULI = sizeof moduli / sizeof *moduli };

// Mutations: a form of the wrong power, a B too many in one or half.
TEST(LimbsResidue, Modulus) {
    for (size_t i = 0; i < MODULI; i++) {
        const uint64_t m = moduli[i];
        const limbs_modulus f = limbs_modulus_of(m);
        mpz_t z, modulus;
        mpz_init(z);
        mpz_init_set_ui(modulus, m);
        EXPECT_TRUE(f.m == m && f.m * f.inverse == 1);
        mpz_ui_pow_ui(z, 2, 64);
        EXPECT_EQ(f.one, mpz_fdiv_ui(z, m));
        mpz_ui_pow_ui(z, 2, 96);
        EXPECT_EQ(f.half, mpz_fdiv_ui(z, m));
        for (unsigned k = 0; k < LIMBS_RESIDUE_POWERS; k++) {
            mpz_set_ui(z, 2);
            mpz_powm_ui(z, z, 64 * ((1ul << k) + 1), modulus);
            EXPECT_EQ(f.power[k], mpz_get_ui(z));
        }
        mpz_clears(z, modulus, NULL);
    }
}

static limbs_residue_number limbs(const uint64_t *p, uint64_t n) {
    return (limbs_residue_number){p, n, NULL, false};
}

// Lengths around a warp, a block, a tile, all threads of the emulation; all orders of its blocks.
// Mutations: a limb left out or read past the end, a weight of the wrong power, a level of the join
// with its halves swapped, a sum that is not reduced, workspace that is not left zero.
TEST(LimbsResidue, ResiduesAgreeWithGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t lengths[] = {0,    1,    2,    7,    31,    32,    33,    255,   256,  257,
                                     1791, 1792, 1793, 4096, 21503, 21504, 21505, 43009, 99999};
    static uint64_t p[MAX], q[MAX];
    buffers s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(91);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t n = lengths[i], k = lengths[(3 * i + 5) % (sizeof lengths / sizeof *lengths)];
        const uint64_t m = i % 2 == 0 ? moduli[MODULI - 1 - i / 2 % 2] : moduli[i / 2 % MODULI];
        SCOPED_TRACE("%zu and %zu limbs modulo %llu", n, k, (unsigned long long)m);
        device_order(i);
        if (n > 0) {
            gen_limbs(&g, i % 3 == 0 ? GEN_ONES : (gen_shape)gen_below(&g, GEN_SHAPES), p, n);
        }
        if (k > 0) {
            gen_limbs(&g, GEN_UNIFORM, q, k);
        }
        const limbs_modulus f = limbs_modulus_of(m);
        uint64_t got[2];
        EXPECT_TRUE(device_upload(s.a, p, 8 * n) && device_upload(s.b, q, 8 * k));
        EXPECT_EQ(
            limbs_residue_factors(s.factors, limbs(s.a, n), limbs(s.b, k), &f, s.workspace, NULL),
            RESULT_OK);
        EXPECT_TRUE(device_download(got, s.factors, sizeof got));
        EXPECT_EQ(got[0], gmp_residue(p, n, m));
        EXPECT_EQ(got[1], gmp_residue(q, k, m));
        EXPECT_EQ(limbs_residue_reference(p, n, m), got[0]);
        EXPECT_TRUE(device_fill(s.factors, 0, sizeof got));
        EXPECT_EQ(
            limbs_residue_factors(s.factors, limbs(s.b, k), limbs(s.b, k), &f, s.workspace, NULL),
            RESULT_OK);
        EXPECT_TRUE(device_download(got, s.factors, sizeof got));
        EXPECT_TRUE(got[0] == limbs_residue_reference(q, k, m) && got[1] == got[0]);
    }
    device_order(0);
    teardown(&s);
}

// judge enqueues the check of {r, an + bn} = {a, an} {b, bn} and returns the wrong ones so far.
static uint64_t judge(const buffers *s, const uint64_t *r, size_t an, size_t bn,
                      const limbs_modulus *f, limbs_residue_report *report) {
    EXPECT_TRUE(device_upload(s->r, r, 8 * (an + bn)));
    EXPECT_EQ(
        limbs_residue_factors(s->factors, limbs(s->a, an), limbs(s->b, bn), f, s->workspace, NULL),
        RESULT_OK);
    EXPECT_EQ(limbs_residue_product(s->report, limbs(s->r, an + bn), s->factors, 1, an, bn, f,
                                    s->workspace, NULL),
              RESULT_OK);
    EXPECT_TRUE(device_download(report, s->report, sizeof *report));
    return report->wrong;
}

// Right products pass; every bit of a short one that is flipped, and some of a long one, is seen.
// Mutations: a verdict that is always yes or always no, a product compared with one factor, the
// sizes of the last wrong product reported in place of the first's.
TEST(LimbsResidue, WrongProductsAreSeen) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        size_t an, bn, flips;
    } cases[] = {{1, 1, 128}, {3, 2, 320}, {700, 1100, 100}, {40000, 9000, 20}};
    static uint64_t a[MAX], b[MAX], r[2 * MAX];
    buffers s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(92);
    uint64_t wrong = 0;
    limbs_residue_report report;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const size_t an = cases[i].an, bn = cases[i].bn, n = an + bn;
        SCOPED_TRACE("%zu x %zu limbs", an, bn);
        const limbs_modulus f = limbs_modulus_of(moduli[3 + i % 2]);
        gen_limbs(&g, GEN_UNIFORM, a, an);
        gen_limbs(&g, GEN_RUNS, b, bn);
        mpz_t x, y;
        mpz_inits(x, y, NULL);
        mpz_import(x, an, -1, 8, 0, 0, a);
        mpz_import(y, bn, -1, 8, 0, 0, b);
        mpz_mul(x, x, y);
        memset(r, 0, 8 * n);
        mpz_export(r, NULL, -1, 8, 0, 0, x);
        mpz_clears(x, y, NULL);
        EXPECT_TRUE(device_upload(s.a, a, 8 * an) && device_upload(s.b, b, 8 * bn));
        EXPECT_EQ(judge(&s, r, an, bn, &f, &report), wrong);
        for (size_t k = 0; k < cases[i].flips; k++) {
            const size_t bit = cases[i].flips == 64 * n ? k : gen_below(&g, 64 * n);
            r[bit / 64] ^= UINT64_C(1) << bit % 64;
            EXPECT_EQ(judge(&s, r, an, bn, &f, &report), ++wrong);
            r[bit / 64] ^= UINT64_C(1) << bit % 64;
        }
        EXPECT_EQ(judge(&s, r, an, bn, &f, &report), wrong);
        EXPECT_TRUE(report.an == cases[0].an && report.bn == cases[0].bn);
    }
    teardown(&s);
}

// a b - a c + (-d) (-d) against the sum that GMP makes, with a sign of its own; then each word of
// that is wrong in turn, and its sign. Mutations: a sign or a `minus` that is not read, or counts
// twice where both factors are the same limbs; a term left out; a sum that is not reduced.
TEST(LimbsResidue, SumsOfProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 40, TERMS = 3 };
    uint64_t p[4][N], r[2 * N + 2] = {0};
    const uint64_t signs[] = {0, 1};
    buffers s;
    ASSERT_TRUE(setup(&s));
    mpz_t z[4], sum;
    mpz_init(sum);
    gen g = gen_seed(93);
    for (int i = 0; i < 4; i++) {
        gen_limbs(&g, GEN_UNIFORM, p[i], N);
        mpz_init(z[i]);
        mpz_import(z[i], N, -1, 8, 0, 0, p[i]);
    }
    mpz_mul(sum, z[0], z[1]);
    mpz_submul(sum, z[0], z[2]);
    mpz_addmul(sum, z[3], z[3]);
    const bool negative = mpz_sgn(sum) < 0;
    mpz_export(r, NULL, -1, 8, 0, 0, sum);
    uint64_t *const at = s.a, *const sign = s.b, *const factors = s.b + 2;
    EXPECT_TRUE(device_upload(at, p, sizeof p) && device_upload(sign, signs, sizeof signs));
    const limbs_modulus f = limbs_modulus_of(moduli[MODULI - 1]);
    const limbs_residue_number a = {at, N, NULL, false}, minus_a = {at, N, NULL, true},
                               b = {at + N, N, sign, false}, c = {at + 2 * N, N, sign, false},
                               minus_d = {at + 3 * N, N, sign + 1, false};
    EXPECT_EQ(limbs_residue_factors(factors, a, b, &f, s.workspace, NULL), RESULT_OK);
    EXPECT_EQ(limbs_residue_factors(factors + 2, minus_a, c, &f, s.workspace, NULL), RESULT_OK);
    EXPECT_EQ(limbs_residue_factors(factors + 4, minus_d, minus_d, &f, s.workspace, NULL),
              RESULT_OK);
    uint64_t wrong = 0;
    for (size_t i = 0; i < 2 * N + 4; i++) {
        SCOPED_TRACE("word %zu", i);
        const bool is_sign = i == 2 * N + 2, is_right = i == 2 * N + 3;
        r[is_sign || is_right ? 0 : i] ^= is_sign || is_right ? 0 : UINT64_C(1) << i % 64;
        EXPECT_TRUE(device_upload(s.r, r, sizeof r));
        const limbs_residue_number got = {s.r, 2 * N + 2, sign + (negative != is_sign), false};
        EXPECT_EQ(limbs_residue_product(s.report, got, factors, TERMS, N, N, &f, s.workspace, NULL),
                  RESULT_OK);
        limbs_residue_report report;
        EXPECT_TRUE(device_download(&report, s.report, sizeof report));
        wrong += !is_right;
        EXPECT_EQ(report.wrong, wrong);
        r[is_sign || is_right ? 0 : i] ^= is_sign || is_right ? 0 : UINT64_C(1) << i % 64;
    }
    for (int i = 0; i < 4; i++) {
        mpz_clear(z[i]);
    }
    mpz_clear(sum);
    teardown(&s);
}
