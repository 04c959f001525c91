// block_division_test.c: short divisions and reciprocals in one launch, on a device or under the
// kernel emulation, against GMP.
#include "bigint/device/kernels/block_division.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { MAX = 2048, GUARD = 4 };
static const uint64_t mark = UINT64_C(0xA5A5A5A5A5A5A5A5);

// buffers: numbers on the device; signs: of a, d, q, r.
typedef struct {
    uint64_t *a, *d, *q, *r, *signs, host[MAX];
    mpz_t x, y, z, w;
} buffers;

static bool setup(buffers *s) {
    s->a = device_alloc(8 * MAX), s->d = device_alloc(8 * MAX), s->q = device_alloc(8 * MAX);
    s->r = device_alloc(8 * MAX), s->signs = device_alloc(8 * 4);
    mpz_inits(s->x, s->y, s->z, s->w, NULL);
    return s->a != NULL && s->d != NULL && s->q != NULL && s->r != NULL && s->signs != NULL;
}

static void teardown(buffers *s) {
    device_free(s->a), device_free(s->d), device_free(s->q), device_free(s->r);
    device_free(s->signs);
    mpz_clears(s->x, s->y, s->z, s->w, NULL);
}

static void put(buffers *s, uint64_t *to, const mpz_t z, size_t n) {
    memset(s->host, 0, 8 * n);
    mpz_export(s->host, NULL, -1, 8, 0, 0, z);
    EXPECT_TRUE(device_upload(to, s->host, 8 * n));
}

// get: z = {p, n}; the marks behind it are still there.
static void get(buffers *s, mpz_t z, const uint64_t *p, size_t n) {
    EXPECT_TRUE(device_download(s->host, p, 8 * (n + GUARD)));
    mpz_import(z, n, -1, 8, 0, 0, s->host);
    for (size_t i = 0; i < GUARD; i++) {
        EXPECT_EQ(s->host[n + i], mark);
    }
}

// reciprocal: |x - B^(2k) / E| <= 2 for the top k limbs of d 2^shift, s->y = d of dn limbs.
static void reciprocal(buffers *s, size_t k, size_t dn) {
    const size_t bits = mpz_sizeinbase(s->y, 2);
    SCOPED_TRACE("%zu limbs of %zu, %zu bits", k, dn, bits);
    put(s, s->d, s->y, dn);
    EXPECT_TRUE(device_fill(s->q, 0xA5, 8 * MAX));
    EXPECT_EQ(block_reciprocal(s->q, k, s->d, dn, (unsigned)(64 * dn - bits), NULL), RESULT_OK);
    get(s, s->x, s->q, k + 1);
    mpz_mul_2exp(s->z, s->y, 64 * k);  // E
    mpz_fdiv_q_2exp(s->z, s->z, bits);
    mpz_set_ui(s->w, 1);
    mpz_mul_2exp(s->w, s->w, 128 * k);
    mpz_submul(s->w, s->x, s->z);  // B^(2k) - x E
    mpz_mul_2exp(s->z, s->z, 1);
    EXPECT_TRUE(mpz_cmpabs(s->w, s->z) <= 0);
}

// Every length of the first steps, then lengths around the limits of lanes, warps and the block;
// divisors longer and shorter than the reciprocal; B^n / 2, B^n - 1, runs, random ones. Mutations:
// a step's sign, a carry of a column lost, one limb fewer below the columns that are kept, the
// second step to two limbs left out, E taken from the bottom or without its shift.
TEST(BlockDivision, Reciprocals) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    static const size_t lengths[] = {
        1,  2,  3,   4,   5,   6,   7,   8,   9,   10,  11,  16,  17,  31,  33,
        63, 65, 100, 127, 129, 255, 256, 257, 258, 289, 511, 512, 513, 514, BLOCK_RECIPROCAL_MOST};
    static const gen_shape shapes[] = {GEN_UNIFORM, GEN_ONES, GEN_RUNS};
    gen g = gen_seed(71);
    static uint64_t limbs[MAX];
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        const size_t k = lengths[i], dns[] = {k, k + 1 + k / 3, (k + 1) / 2};
        for (size_t j = 0; j < 3; j++) {
            const size_t dn = dns[j];
            for (size_t shape = 0; shape < 3; shape++) {
                gen_limbs(&g, shapes[shape], limbs, dn);
                limbs[dn - 1] |= UINT64_C(1) << 63;
                limbs[dn - 1] >>= shape == 0 ? gen_below(&g, 64) : 0;
                mpz_import(s.y, dn, -1, 8, 0, 0, limbs);
                reciprocal(&s, k, dn);
            }
            mpz_set_ui(s.y, 1);
            mpz_mul_2exp(s.y, s.y, 64 * dn - 1), reciprocal(&s, k, dn);
            mpz_add_ui(s.y, s.y, 1), reciprocal(&s, k, dn);
        }
    }
    EXPECT_EQ(block_reciprocal(s.q, 0, s.d, 1, 0, NULL), RESULT_REFUSED);
    EXPECT_EQ(block_reciprocal(s.q, BLOCK_RECIPROCAL_MOST + 1, s.d, 600, 0, NULL), RESULT_REFUSED);
    teardown(&s);
}

// divide: s->x by s->y of dn limbs, with qn limbs of quotient; both results, or one.
static void divide(buffers *s, size_t qn, size_t dn, unsigned wanted) {
    const size_t an = mpz_size(s->x), bits = mpz_sizeinbase(s->y, 2);
    SCOPED_TRACE("%zu by %zu limbs, quotient %zu, wanted %u", an, dn, qn, wanted);
    const uint64_t signs[4] = {wanted & 1, wanted >> 1 & 1, 7, 7};
    uint64_t got[4];
    put(s, s->a, s->x, an + 1), put(s, s->d, s->y, dn);
    EXPECT_TRUE(device_upload(s->signs, signs, sizeof signs) && device_fill(s->q, 0xA5, 8 * MAX) &&
                device_fill(s->r, 0xA5, 8 * MAX));
    const bool q = wanted % 3 != 1, r = wanted % 3 != 2;
    const block_division x = {.q = q ? s->q : NULL,
                              .r = r ? s->r : NULL,
                              .a = s->a,
                              .d = s->d,
                              .qn = qn,
                              .an = an,
                              .dn = dn,
                              .shift = (unsigned)(64 * dn - bits),
                              .q_sign = s->signs + 2,
                              .r_sign = s->signs + 3,
                              .a_sign = s->signs,
                              .d_sign = s->signs + 1};
    EXPECT_EQ(block_divide(&x, NULL), RESULT_OK);
    mpz_tdiv_qr(s->z, s->w, s->x, s->y);
    mpz_t have;
    mpz_init(have);
    get(s, have, s->q, q ? qn : 0);
    EXPECT_TRUE(!q || mpz_cmp(have, s->z) == 0);
    get(s, have, s->r, r ? dn : 0);
    EXPECT_TRUE(!r || mpz_cmp(have, s->w) == 0);
    mpz_clear(have);
    EXPECT_TRUE(device_download(got, s->signs, sizeof got));
    EXPECT_EQ(got[2] != 0, q ? signs[0] != signs[1] : true);
    EXPECT_EQ(got[3], r ? signs[0] : 7);
}

// lengths: of the quotient and the divisor in limbs.
typedef struct {
    size_t qn, dn;
} lengths;

// One block and several, full and not; divisors of one limb, shorter than a block, of the longest.
static const lengths all[] = {{1, 1},     {1, 2},   {2, 1},    {3, 3},     {40, 7},
                              {7, 40},    {287, 1}, {288, 2},  {289, 288}, {600, 3},
                              {512, 512}, {1, 576}, {30, 575}, {700, 576}};
static void label(char *buf, size_t cap, const lengths *p) {
    snprintf(buf, cap, "%zu_limbs_by_%zu", p->qn, p->dn);
}

// Multiples of d and their neighbours, quotients of all ones, d = B^n / 2^j and its neighbours.
// Mutations: an estimate that may be too small; a correction never made, or always; the remainder
// not shifted back; a block joined at a wrong limb; a quotient longer than its block; signs mixed.
TEST_EACH(BlockDivision, AgreesWithGmp, lengths, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    buffers s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(72);
    static uint64_t limbs[MAX];
    for (unsigned shape = 0; shape < 7; shape++) {
        gen_limbs(&g, shape % 2 == 0 ? GEN_UNIFORM : GEN_ONES, limbs, p->dn);
        limbs[p->dn - 1] = limbs[p->dn - 1] >> gen_below(&g, 63) | 1;
        mpz_import(s.y, p->dn, -1, 8, 0, 0, limbs);
        if (shape > 3) {  // a power of two, and its neighbours
            mpz_set_ui(s.y, 1);
            mpz_mul_2exp(s.y, s.y, 64 * p->dn - 60 + 10 * shape);
            mpz_tdiv_q_2exp(s.y, s.y, 64);
            mpz_add_ui(s.y, s.y, shape == 5 ? 1 : 0), mpz_sub_ui(s.y, s.y, shape == 6 ? 1 : 0);
            mpz_setbit(s.y, 64 * (p->dn - 1));
        }
        const size_t dn = mpz_size(s.y);
        gen_limbs(&g, shape % 3 == 0 ? GEN_UNIFORM : GEN_ONES, limbs, p->qn);
        mpz_import(s.w, p->qn, -1, 8, 0, 0, limbs);
        mpz_mul(s.x, s.w, s.y), divide(&s, p->qn, dn, shape);
        mpz_add(s.x, s.x, s.y), mpz_sub_ui(s.x, s.x, 1), divide(&s, p->qn, dn, shape + 1);
        mpz_sub(s.x, s.x, s.y), divide(&s, p->qn, dn, shape + 2);
        mpz_set_ui(s.x, shape), divide(&s, p->qn, dn, shape);
    }
    teardown(&s);
}

// Products that each block of a cluster makes for itself, between two that the blocks share: in the
// steps to 177 limbs, and in a short first block of a quotient behind a reciprocal. Mutation: other
// blocks store columns where a block still reads its own.
TEST(BlockDivision, ProductsAloneBetweenSharedOnes) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { SHORT = 352, LONG = 2 * SHORT, QUOTIENT = 300, DIVISOR = 500, ORDERS = 8 };
    buffers s;
    ASSERT_TRUE(setup(&s));
    gen g = gen_seed(73);
    static uint64_t limbs[MAX];
    for (unsigned order = 1; order <= ORDERS; order++) {
        device_order(order);
        gen_limbs(&g, GEN_UNIFORM, limbs, LONG);
        limbs[LONG - 1] |= UINT64_C(1) << 63;
        mpz_import(s.y, LONG, -1, 8, 0, 0, limbs);
        reciprocal(&s, SHORT, LONG), reciprocal(&s, LONG, LONG);
        mpz_tdiv_q_2exp(s.y, s.y, 64 * (LONG - DIVISOR));
        gen_limbs(&g, GEN_UNIFORM, limbs, QUOTIENT);
        mpz_import(s.w, QUOTIENT, -1, 8, 0, 0, limbs);
        mpz_mul(s.x, s.w, s.y), divide(&s, QUOTIENT, DIVISOR, order % 3);
    }
    device_order(0);
    teardown(&s);
}
