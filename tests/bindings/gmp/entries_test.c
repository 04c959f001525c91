// entries_test.c: every function of the drop-in against a GMP that knows nothing of it: between
// guard pages, operands aligned to 8 bytes that cannot be written, every overlap
// that GMP allows. Run with the drop-in preloaded, as shipped, with all thresholds at 1 and with
// little memory; see preloaded.sh.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bindings/gmp/plain_gmp.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/guard.h"

// Both sides get the same operands and results of their own.
typedef struct {
    guard a, b, e, q[2], r[2], t[2];
} operands;

static void operands_open(operands *o, gen *g, gen_shape shape, size_t an, size_t bn, size_t qn,
                          size_t rn, size_t tn, bool at_end) {
    *o = (operands){.a = guard_open(an, at_end), .b = guard_open(bn, at_end)};
    for (int i = 0; i < 2; i++) {
        o->q[i] = guard_open(qn, at_end);
        o->r[i] = guard_open(rn, at_end);
        o->t[i] = guard_open(tn, at_end);
    }
    gen_limbs(g, shape, o->a.p, an);
    if (bn > 0) {
        gen_limbs(g, shape == GEN_ONES ? GEN_RUNS : GEN_UNIFORM, o->b.p, bn);
        guard_lock(&o->b);
    }
    guard_lock(&o->a);
}

static void operands_close(operands *o) {
    guard_close(&o->a), guard_close(&o->b);
    for (int i = 0; i < 2; i++) {
        guard_close(&o->q[i]), guard_close(&o->r[i]), guard_close(&o->t[i]);
    }
}

// side: 0 is the GMP that this program calls, 1 the plain one.
static const mpn_table *side(int i) { return i == 0 ? loaded_gmp() : plain_gmp(); }

static gen_shape any_shape(unsigned round) {
    return (gen_shape)(1 + round % (GEN_SHAPES - 1));  // with a top limb
}

TEST(Entries, DropInIsLoaded) { ASSERT_TRUE(drop_in_loaded()); }

// Mutations: a limb too far, the returned limb, a square that is not noticed or wrongly so, a
// threshold between the ways of short products.
static void try_product(gen *g, size_t n, size_t m, unsigned round) {
    SCOPED_TRACE("product of %zu by %zu limbs, round %u", n, m, round);
    operands o;
    operands_open(&o, g, any_shape(round), n, m, 0, n + m, 0, round % 2 == 0);
    uint64_t top[2];
    for (int i = 0; i < 2; i++) {
        top[i] = side(i)->mul(o.r[i].p, o.a.p, (mpn_size)n, o.b.p, (mpn_size)m);
    }
    ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n + m);
    EXPECT_EQ(top[0], top[1]);
    if (n == m) {
        loaded_gmp()->mul_n(o.r[0].p, o.a.p, o.b.p, (mpn_size)n);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n + m);
        plain_gmp()->sqr(o.r[1].p, o.a.p, (mpn_size)n);
        loaded_gmp()->sqr(o.r[0].p, o.a.p, (mpn_size)n);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n + m);
        memset(o.r[0].p, 1, 16 * n);
        loaded_gmp()->mul_n(o.r[0].p, o.a.p, o.a.p, (mpn_size)n);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n + m);
        memset(o.r[0].p, 1, 16 * n);
        EXPECT_EQ(loaded_gmp()->mul(o.r[0].p, o.a.p, (mpn_size)n, o.a.p, (mpn_size)n),
                  o.r[1].p[2 * n - 1]);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n + m);
    }
    operands_close(&o);
}

TEST(Entries, Products) {
    gen g = gen_seed(1);
    const size_t step = getenv("LONGMUL_EVERY_SIZE") != NULL ? 1 : 37;  // of the longer ones
    for (size_t n = 1; n <= 3000; n += n < 300 ? 1 : step) {
        try_product(&g, n, n, (unsigned)n);
        try_product(&g, n, 1 + gen_below(&g, n), (unsigned)n + 1);
    }
    for (size_t n = 1; n <= 20; n++) {  // every short shape
        for (size_t m = 1; m <= n; m++) {
            try_product(&g, n, m, (unsigned)(n + m));
        }
    }
    for (unsigned round = 0; round < 40; round++) {  // long, and of any shape
        const size_t n = gen_size(&g, 1, 40000);
        try_product(&g, n, gen_size(&g, 1, n), round);
    }
}

// Mutations: 0 where B^n - 1 is meant, or the reverse; a product that is shorter than the modulus
// folded; too many limbs written.
TEST(Entries, ProductsModuloBnm1) {
    gen g = gen_seed(2);
    mpn_size (*next_size)(mpn_size);
    *(void **)&next_size = plain_symbol("__gmpn_mulmod_bnm1_next_size");
    for (unsigned round = 0; round < 400; round++) {
        const mpn_size rn = next_size((mpn_size)gen_size(&g, 4, round % 20 == 0 ? 20000 : 3000));
        const size_t n = (size_t)rn, an = n - gen_below(&g, n / 4 + 1),
                     least = n / 2 + 1 > an ? n / 2 + 1 - an : 1,
                     bn = round % 3 == 0 ? an : least + gen_below(&g, an - least + 1);
        SCOPED_TRACE("%zu by %zu limbs modulo B^%zu - 1, round %u", an, bn, n, round);
        operands o;
        const size_t written = an + bn < n ? an + bn : n;
        operands_open(&o, &g, any_shape(round), an, bn, n, written, 2 * n + 64, round % 2 == 0);
        guard_unlock(&o.a), guard_unlock(&o.b);
        if (round % 7 == 0) {  // (B^n - 1) b, and 0 b, are in the class of 0
            memset(o.a.p, round % 2 == 0 ? 0 : 0xFF, 8 * an);
        }
        guard_lock(&o.a), guard_lock(&o.b);
        for (int i = 0; i < 2; i++) {
            side(i)->mulmod_bnm1(o.r[i].p, rn, o.a.p, (mpn_size)an, o.b.p, (mpn_size)bn, o.t[i].p);
        }
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, written);
        if (2 * an >= n) {
            for (int i = 0; i < 2; i++) {
                side(i)->sqrmod_bnm1(o.q[i].p, rn, o.a.p, (mpn_size)an, o.t[i].p);
            }
            ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, n);
        }
        operands_close(&o);
    }
}

// Mutations: a remainder over its dividend, a quotient limb too few, a divisor that is shifted in
// place.
TEST(Entries, Quotients) {
    gen g = gen_seed(3);
    for (unsigned round = 0; round < 700; round++) {
        const size_t dn = gen_size(&g, 1, round % 20 == 0 ? 8000 : 900),
                     qn = 1 + gen_size(&g, 1, round % 20 == 0 ? 8000 : 900), nn = dn + qn - 1;
        SCOPED_TRACE("%zu by %zu limbs, round %u", nn, dn, round);
        operands o;
        operands_open(&o, &g, any_shape(round), nn, dn, qn, dn, nn + 1, round % 2 == 0);
        for (int i = 0; i < 2; i++) {
            side(i)->tdiv_qr(o.q[i].p, o.r[i].p, 0, o.a.p, (mpn_size)nn, o.b.p, (mpn_size)dn);
        }
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, qn);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, dn);
        memcpy(o.t[0].p, o.a.p, 8 * nn);  // the remainder in the dividend's place
        memset(o.q[0].p, 1, 8 * qn);
        loaded_gmp()->tdiv_qr(o.q[0].p, o.t[0].p, 0, o.t[0].p, (mpn_size)nn, o.b.p, (mpn_size)dn);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, qn);
        ASSERT_LIMBS_EQ(o.t[0].p, o.r[1].p, dn);
        memset(o.q[0].p, 1, 8 * qn);
        loaded_gmp()->div_q(o.q[0].p, o.a.p, (mpn_size)nn, o.b.p, (mpn_size)dn, o.t[0].p);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, qn);
        memcpy(o.t[0].p, o.a.p, 8 * nn);  // the dividend in the workspace
        memset(o.q[0].p, 1, 8 * qn);
        loaded_gmp()->div_q(o.q[0].p, o.t[0].p, (mpn_size)nn, o.b.p, (mpn_size)dn, o.t[0].p);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, qn);
        operands_close(&o);
    }
}

// Mutations: the length of the remainder, 0 for a number that is no square, a remainder over its
// operand.
TEST(Entries, Roots) {
    gen g = gen_seed(4);
    for (unsigned round = 0; round < 500; round++) {
        const size_t n = gen_size(&g, 1, round % 20 == 0 ? 9000 : 1500), sn = (n + 1) / 2;
        SCOPED_TRACE("%zu limbs, round %u", n, round);
        operands o;
        operands_open(&o, &g, any_shape(round), n, 0, sn, n, n, round % 2 == 0);
        if (round % 3 == 0 && n % 2 == 0) {  // a square
            guard_unlock(&o.a);
            gen_limbs(&g, GEN_RUNS, o.q[0].p, sn);
            plain_gmp()->sqr(o.a.p, o.q[0].p, (mpn_size)sn);
            o.a.p[n - 1] |= o.a.p[n - 1] == 0;
            guard_lock(&o.a);
        }
        mpn_size rn[2];
        for (int i = 0; i < 2; i++) {
            rn[i] = side(i)->sqrtrem(o.q[i].p, o.r[i].p, o.a.p, (mpn_size)n);
        }
        ASSERT_EQ(rn[0], rn[1]);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, sn);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, (size_t)rn[1]);
        memset(o.q[0].p, 1, 8 * sn);
        EXPECT_EQ(loaded_gmp()->sqrtrem(o.q[0].p, NULL, o.a.p, (mpn_size)n) != 0, rn[1] != 0);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, sn);
        memcpy(o.t[0].p, o.a.p, 8 * n);
        EXPECT_EQ(loaded_gmp()->sqrtrem(o.q[0].p, o.t[0].p, o.t[0].p, (mpn_size)n), rn[1]);
        ASSERT_LIMBS_EQ(o.t[0].p, o.r[1].p, (size_t)rn[1]);
        operands_close(&o);
    }
}

// Mutations: a base longer than the modulus, exponents with zero limbs at the top.
TEST(Entries, Powers) {
    gen g = gen_seed(5);
    for (unsigned round = 0; round < 150; round++) {
        const size_t n = gen_size(&g, 1, round % 25 == 0 ? 700 : 150), bn = gen_size(&g, 1, n),
                     en = n > 100 ? 1 : gen_size(&g, 1, 4);
        SCOPED_TRACE("%zu^%zu modulo %zu limbs, round %u", bn, en, n, round);
        operands o;
        operands_open(&o, &g, any_shape(round), n, bn, en, n, 4 * n + 64, round % 2 == 0);
        guard_unlock(&o.a);
        o.a.p[0] |= 1;
        guard_lock(&o.a);
        gen_limbs(&g, GEN_UNIFORM, o.q[0].p, en);
        o.q[0].p[0] |= 2;  // above 1
        guard_lock(&o.q[0]);
        for (int i = 0; i < 2; i++) {
            side(i)->powm(o.r[i].p, o.b.p, (mpn_size)bn, o.q[0].p, (mpn_size)en, o.a.p, (mpn_size)n,
                          o.t[i].p);
        }
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, n);
        operands_close(&o);
    }
}

// Mutations: characters in place of digits, another base taken for 10, a zero at the front.
TEST(Entries, Text) {
    gen g = gen_seed(6);
    for (unsigned round = 0; round < 200; round++) {
        const size_t n = gen_size(&g, 1, round % 20 == 0 ? 20000 : 1000);
        const int base = round % 5 == 0 ? 3 + (int)gen_below(&g, 200) : 10;
        SCOPED_TRACE("%zu limbs in base %d, round %u", n, base, round);
        operands o;
        // Digits fill limbs: in base 3 there are 41 in each.
        operands_open(&o, &g, any_shape(round), n, 0, 0, 6 * n + 2, n + 1, false);
        size_t length[2];
        for (int i = 0; i < 2; i++) {
            memcpy(o.t[i].p, o.a.p, 8 * n);  // it may be destroyed
            length[i] = side(i)->get_str((unsigned char *)o.r[i].p, base, o.t[i].p, (mpn_size)n);
        }
        // GMP may begin with a zero.
        const unsigned char *text[2] = {(unsigned char *)o.r[0].p, (unsigned char *)o.r[1].p};
        for (int i = 0; i < 2; i++) {
            while (length[i] > 1 && text[i][0] == 0) {
                text[i]++, length[i]--;
            }
        }
        ASSERT_EQ(length[0], length[1]);
        ASSERT_TRUE(memcmp(text[0], text[1], length[0]) == 0);
        operands_close(&o);
    }
}

// Mutations: limbs beyond the shorter operand written, a length with zeros at the top, the sign of
// the cofactor, an operand destroyed before GMP's own code takes the call over.
TEST(Entries, Gcds) {
    gen g = gen_seed(7);
    for (unsigned round = 0; round < 300; round++) {
        const size_t vn = gen_size(&g, 1, round % 20 == 0 ? 3000 : 300),
                     un = vn + (round % 3 == 0 ? gen_size(&g, 1, vn + 1) : 0);
        SCOPED_TRACE("%zu and %zu limbs, round %u", un, vn, round);
        operands o;
        // q, r: gcd and cofactor; t: both operands, each with a limb more than it needs.
        operands_open(&o, &g, any_shape(round), un, vn, vn, vn + 1, un + vn + 2, round % 2 == 0);
        guard_unlock(&o.a);
        o.a.p[0] |= 1;  // GMP wants one odd operand
        if (round % 5 == 0) {
            memcpy(o.a.p, o.b.p, 8 * vn);
            o.a.p[0] |= 1;
        }
        mpn_size gn[2], sn[2];
        for (int i = 0; i < 2; i++) {
            mpn_limb *const up = o.t[i].p, *const vp = o.t[i].p + un + 1;
            memcpy(up, o.a.p, 8 * un), memcpy(vp, o.b.p, 8 * vn);
            gn[i] = side(i)->gcdext(o.q[i].p, o.r[i].p, &sn[i], up, (mpn_size)un, vp, (mpn_size)vn);
        }
        ASSERT_EQ(gn[0], gn[1]);
        ASSERT_EQ(sn[0], sn[1]);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, (size_t)gn[1]);
        ASSERT_LIMBS_EQ(o.r[0].p, o.r[1].p, (size_t)(sn[1] < 0 ? -sn[1] : sn[1]));
        mpn_limb *const up = o.t[0].p, *const vp = o.t[0].p + un + 1;
        memcpy(up, o.a.p, 8 * un), memcpy(vp, o.b.p, 8 * vn);
        memset(o.q[0].p, 1, 8 * vn);
        ASSERT_EQ(loaded_gmp()->gcd(o.q[0].p, up, (mpn_size)un, vp, (mpn_size)vn), gn[1]);
        ASSERT_LIMBS_EQ(o.q[0].p, o.q[1].p, (size_t)gn[1]);
        memcpy(up, o.a.p, 8 * un), memcpy(vp, o.b.p, 8 * vn);  // the gcd in an operand's place
        ASSERT_EQ(loaded_gmp()->gcd(vp, up, (mpn_size)un, vp, (mpn_size)vn), gn[1]);
        ASSERT_LIMBS_EQ(vp, o.q[1].p, (size_t)gn[1]);
        operands_close(&o);
    }
}
