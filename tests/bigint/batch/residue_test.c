// residue_test.c: batches of products modulo 2^bits - 1 and 2^bits + 1 against GMP: strided, ragged
// and repeated, squares, factors that are not reduced, carries across everything, refusals. Built
// for contexts on the host and on a device.
#include <stdio.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/device/numbers.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

// ring: the modulus 2^bits - 1, or 2^bits + 1.
typedef struct {
    uint64_t bits;
    bool plus;
} ring;

static uint64_t most(ring s) { return s.bits / 64 + 1; }  // limbs of a factor
static uint64_t least(ring s) { return s.plus ? most(s) : (s.bits + 63) / 64; }  // of a residue

static bigint_status call(bigint_ctx *ctx, ring s, const bigint_span *r, const bigint_span *a,
                          const bigint_span *b) {
    return (s.plus ? bigint_mul_mod_2exp_plus1_batch : bigint_mul_mod_2exp_minus1_batch)(ctx, r, a,
                                                                                         b, s.bits);
}

static void modulus(mpz_t m, ring s) {
    mpz_set_ui(m, 1);
    mpz_mul_2exp(m, m, s.bits);
    (s.plus ? mpz_add_ui : mpz_sub_ui)(m, m, 1);
}

// results: marks, with room for residues and `more` limbs.
static numbers results(gen *g, ring s, uint64_t count, uint64_t more, bool ragged) {
    uint64_t lengths[64];
    for (uint64_t i = 0; i < count; i++) {
        lengths[i] = least(s) + (i + more) % 3;
    }
    const uint64_t n = least(s) + more;
    numbers r = ragged ? numbers_ragged(g, lengths, count, true) : numbers_open(n, n + 1, count);
    EXPECT_TRUE(numbers_upload(&r));
    return r;
}

static const uint64_t all[] = {1,   2,    5,    63,   64,   65,       128,
                               200, 1000, 1024, 1030, 4000, 64 * 130, 64 * 1025 + 7};
static void label(char *buf, size_t cap, const uint64_t *bits) {
    snprintf(buf, cap, "%llu_bits", (unsigned long long)*bits);
}

// Random batches of all forms, of no items and of odd numbers of them, squares, one thread and
// three. Mutations: another modulus; a product's row read at another length; the residue of another
// item, or at a stride where it is ragged; the padding left; a factor above the modulus refused.
TEST_EACH(BatchResidue, Random, uint64_t, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(61);
    for (unsigned k = 0; k < 8; k++) {
        SCOPED_TRACE("batch %u", k);
        const ring s = {*p, k % 2 != 0};
        const uint64_t count = *p > 60000 ? 2 + k % 2 : k == 0 ? 0 : k == 1 ? 1 : 3 + 2 * (k % 9);
        bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.threads = 1 + 2 * (k % 2)});
        numbers a = numbers_draw(&g, 0, most(s), count), b = numbers_draw(&g, 0, most(s), count);
        const numbers *const other = k % 4 == 3 ? &a : &b;
        numbers r = results(&g, s, count, k % 3, k % 4 == 1);
        EXPECT_EQ(call(ctx, s, &r.span, &a.span, &other->span), BIGINT_OK);
        numbers_expect_residues(ctx, &r, &a, other, s.bits, s.plus);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
}

// set: {number i} = z, zero-padded; z has room there.
static void set(numbers *x, uint64_t i, const mpz_t z) {
    EXPECT_TRUE(oracle_store(numbers_at(x, i), x->span.n, z));
}

// Factors at the ends: 0, 1, 2^k, one and two below the modulus, the modulus, 2^bits, all ones.
// Each by each. Mutations: the modulus left for 0; 2^bits taken for 0, or not reduced; a carry or
// borrow lost on the way through all limbs.
TEST_EACH(BatchResidue, Ends, uint64_t, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { ENDS = 8, COUNT = ENDS * ENDS };
    gen g = gen_seed(62);
    for (unsigned k = 0; k < 2; k++) {
        const ring s = {*p, k != 0};
        SCOPED_TRACE("plus %u", k);
        mpz_t end[ENDS];
        for (int i = 0; i < ENDS; i++) {
            mpz_init(end[i]);
        }
        mpz_set_ui(end[1], 1), mpz_setbit(end[2], s.bits / 2), mpz_setbit(end[6], s.bits);
        modulus(end[5], s);
        mpz_sub_ui(end[3], end[5], 1), mpz_sub_ui(end[4], end[5], s.bits == 1 && k == 0 ? 1 : 2);
        mpz_setbit(end[7], 64 * most(s)), mpz_sub_ui(end[7], end[7], 1);
        numbers a = numbers_open(most(s), most(s), COUNT),
                b = numbers_open(most(s), most(s), COUNT);
        for (uint64_t i = 0; i < COUNT; i++) {
            set(&a, i, end[i / ENDS]), set(&b, i, end[i % ENDS]);
        }
        EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b));
        bigint_ctx *ctx = fixture_ctx(NULL);
        numbers r = results(&g, s, COUNT, 0, false);
        EXPECT_EQ(call(ctx, s, &r.span, &a.span, &b.span), BIGINT_OK);
        numbers_expect_residues(ctx, &r, &a, &b, s.bits, s.plus);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        for (int i = 0; i < ENDS; i++) {
            mpz_clear(end[i]);
        }
        bigint_ctx_destroy(ctx);
    }
}

// Long numbers, which transforms of the modulus's length multiply on the host and modulo 2^bits -
// 1 on a device, by one factor, as squares and as a list. Mutations: a transform that wraps around
// elsewhere; more than one limb of a residue left out; a ring for checked products.
TEST(BatchResidue, Transforms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(63);
    for (unsigned k = 0; k < 8; k++) {
        SCOPED_TRACE("case %u", k);
        const ring s = {64 << 12, k >= 4};
        const uint64_t n = s.bits / 64, count = 2 + k % 2;
        bigint_ctx *ctx = fixture_ctx(
            &(bigint_ctx_options){.engine = "modular-fft", .checks = k == 3, .threads = 1 + k % 2});
        ctx->queue.forced.batch_limbs = 1;
        numbers a = numbers_open(n, k % 4 == 0 ? 0 : n + 1, count), b = numbers_open(n, n, count);
        for (uint64_t i = 0; i < count; i++) {
            gen_limbs(&g, i == 0 ? GEN_ONES : GEN_UNIFORM, numbers_at(&a, i), n);
            gen_limbs(&g, i == 0 ? GEN_RUNS : GEN_UNIFORM, numbers_at(&b, i), n);
            a.lengths[i] = n;
        }
        a.span.lengths = k % 4 == 2 ? a.lengths : NULL;
        const numbers *const other = k % 4 == 1 ? &a : &b;
        EXPECT_TRUE(numbers_upload(&a) && numbers_upload(&b));
        numbers r = results(&g, s, count, k % 3, k % 4 == 2);
        EXPECT_EQ(call(ctx, s, &r.span, &a.span, &other->span), BIGINT_OK);
        numbers_expect_residues(ctx, &r, &a, other, s.bits, s.plus);
        numbers_close(&a), numbers_close(&b), numbers_close(&r);
        bigint_ctx_destroy(ctx);
    }
}

// What is refused leaves the result alone. Mutations: a factor of one limb more passes; a result of
// one less; a result over b; no bits.
TEST(BatchResidue, Refused) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    gen g = gen_seed(64);
    const uint64_t three[] = {3, 3}, four[] = {4, 3};
    numbers a = numbers_ragged(&g, three, 2, false), b = numbers_ragged(&g, four, 2, false);
    numbers r = numbers_open(3, 3, 2);
    EXPECT_TRUE(numbers_upload(&r));
    bigint_span shorter = r.span, over = a.span, fewer = a.span;
    shorter.n = 2;
    over.p = r.span.p;
    fewer.count = 1;
    const struct {
        const bigint_span *r, *b;
        ring ring;
        const char *text;
    } cases[] = {{&shorter, &a.span, {129, false}, "result 0 has 2 limbs, 3 are needed"},
                 {&shorter, &a.span, {128, true}, "result 0 has 2 limbs, 3 are needed"},
                 {&r.span, &b.span, {191, false}, "factors 0 have 3 and 4 limbs; give at most 3"},
                 {&r.span, &a.span, {0, false}, "a modulus of 0 bits"},
                 {&r.span, &over, {128, false}, "bigint_mul_mod_2exp_minus1_batch"},
                 {&r.span, &fewer, {128, true}, "bigint_mul_mod_2exp_plus1_batch"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(call(ctx, cases[i].ring, cases[i].r, &a.span, cases[i].b), BIGINT_EINVAL);
        EXPECT_TEXT(ctx, cases[i].text);
    }
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(&r));
    for (uint64_t i = 0; i < r.words; i++) {
        EXPECT_EQ(r.host[i], NUMBERS_MARK);
    }
    numbers_close(&a), numbers_close(&b), numbers_close(&r);
    bigint_ctx_destroy(ctx);
}
