// mod_test.c: products modulo 2^bits - 1 and 2^bits + 1 on a device, or under the kernel emulation,
// by transforms of that length, against GMP.
#include <gmp.h>
#include <stdio.h>

#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"
#include "bigint/device/divide/ring.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// ring: operands, the modulus and what is expected.
typedef struct {
    bigint_ctx *ctx;
    mpz_t a, b, m, r;
    uint64_t bits;
    bool plus;
    unsigned cluster;  // the most blocks that the device grants
} ring;

static void ring_open(ring *s, uint64_t bits, bool plus, unsigned primes) {
    *s = (ring){.ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"}),
                .bits = bits,
                .plus = plus};
    s->cluster = s->ctx->queue.cluster;
    s->ctx->queue.cluster = 0;  // whole products take several launches, so rings pay
    s->ctx->queue.forced.primes = primes;
    mpz_inits(s->a, s->b, s->m, s->r, NULL);
    mpz_set_ui(s->m, 1);
    mpz_mul_2exp(s->m, s->m, bits);
    plus ? mpz_add_ui(s->m, s->m, 1) : mpz_sub_ui(s->m, s->m, 1);
}

static bigint_status multiply(const ring *s, bigint *r, const bigint *a, const bigint *b) {
    return s->plus ? bigint_mul_mod_2exp_plus1(s->ctx, r, a, b, s->bits)
                   : bigint_mul_mod_2exp_minus1(s->ctx, r, a, b, s->bits);
}

static void ring_close(ring *s) {
    mpz_clears(s->a, s->b, s->m, s->r, NULL);
    bigint_ctx_destroy(s->ctx);
}

// check: a b and, in place, a a.
static void check(ring *s) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    SCOPED_TRACE("%zu by %zu limbs modulo 2^%llu %c 1", mpz_size(s->a), mpz_size(s->b),
                 (unsigned long long)s->bits, s->plus ? '+' : '-');
    mpz_mul(s->r, s->a, s->b);
    mpz_mod(s->r, s->r, s->m);
    fixture_set(s->ctx, &a, s->a), fixture_set(s->ctx, &b, s->b);
    bigint_counters before, after;
    bigint_ctx_counters(s->ctx, &before);
    EXPECT_EQ(multiply(s, &r, &a, &b), BIGINT_OK);
    bigint_ctx_counters(s->ctx, &after);
    EXPECT_EQ(after.products - before.products, 1u);
    EXPECT_BIGINT(s->ctx, &r, s->r);
    mpz_mul(s->r, s->a, s->a);
    mpz_mod(s->r, s->r, s->m);
    EXPECT_EQ(multiply(s, &a, &a, &a), BIGINT_OK);
    EXPECT_BIGINT(s->ctx, &a, s->r);
    // Residues as they are announced, one bit longer than the ring modulo 2^bits + 1.
    EXPECT_EQ(multiply(s, &r, &a, &a), BIGINT_OK);
    mpz_mul(s->r, s->r, s->r);
    mpz_mod(s->r, s->r, s->m);
    EXPECT_BIGINT(s->ctx, &r, s->r);
    bigint_clear(s->ctx, &a), bigint_clear(s->ctx, &b), bigint_clear(s->ctx, &r);
}

// lengths: of a ring, whose digits have bits / 2^12 or 2^13 bits; primes asked for.
typedef struct {
    uint64_t bits;
    unsigned primes;
} lengths;

// One piece and two; digits of words, of fewer bits, of more modulo more primes.
static const lengths all[] = {{UINT64_C(64) << 12, 3}, {UINT64_C(52) << 12, 3},
                              {UINT64_C(57) << 13, 3}, {UINT64_C(64) << 13, 3},
                              {UINT64_C(88) << 16, 4}, {UINT64_C(113) << 16, 5},
                              {UINT64_C(128) << 16, 6}};
static void label(char *buf, size_t cap, const lengths *p) {
    snprintf(buf, cap, "%llu_bits_%u_primes", (unsigned long long)p->bits, p->primes);
}

// Residues at the ends of the range, random ones of either sign, and operands longer than the ring.
// Mutations: the sign of one operand alone; the modulus for 0; a product that is not a multiple of
// the modulus made 0; coefficients beyond the points left out, or counted twice; digits past the
// ring's.
static void rings(const lengths *p, bool plus) {
    ring s;
    ring_open(&s, p->bits, plus, p->primes);
    device_plan plan;
    const uint64_t n = p->bits / 64;
    EXPECT_TRUE(device_ring_plan(s.ctx, &plan, n, n, n, n, plus, false, false));
    EXPECT_EQ(device_ring_limbs(&plan), n);
    EXPECT_EQ(plan.modular.primes, p->primes);
    gen g = gen_seed(71);
    fixture_shape(&g, GEN_ONES, s.a, n), fixture_shape(&g, GEN_ONES, s.b, n);
    check(&s);  // 0, or -2 squared
    mpz_sub_ui(s.a, s.a, 1);
    mpz_neg(s.b, s.b), mpz_add_ui(s.b, s.b, 1);
    check(&s);
    mpz_sub_ui(s.a, s.m, 1), mpz_set_ui(s.b, 1);  // -1, which is 2^bits modulo 2^bits + 1
    check(&s);
    fixture_shape(&g, GEN_UNIFORM, s.a, n), fixture_shape(&g, GEN_RUNS, s.b, n);
    check(&s);
    mpz_neg(s.a, s.a);
    check(&s);
    fixture_shape(&g, GEN_UNIFORM, s.a, 2 * n + 3), fixture_shape(&g, GEN_POWER_MINUS, s.b, n + 1);
    check(&s);
    ring_close(&s);
}

TEST_EACH(DeviceMod, Rings, lengths, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    rings(p, false);
}

// Mutations, beside those: what wraps around added; a piece that is not twisted; tables or a graph
// of the other ring; 2^bits taken for 0.
TEST_EACH(DeviceMod, NegacyclicRings, lengths, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    rings(p, true);
}

// graphs: recorded products that stand in a graph.
static unsigned graphs(const bigint_ctx *ctx) {
    unsigned count = 0;
    for (unsigned i = 0; i < REPLAYS; i++) {
        count += ctx->queue.replays[i].graph != NULL;
    }
    return count;
}

// repeat: a b with new values of either sign in the same limbs, a square of a in place, and the
// whole product of the same operands: enqueued one by one, recorded, and replayed.
static void repeat(ring *s, gen *g) {
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT, whole = BIGINT_INIT;
    const uint64_t n = s->bits / 64;
    for (unsigned i = 0; i < 4; i++) {
        SCOPED_TRACE("round %u", i);
        fixture_shape(g, i == 2 ? GEN_ONES : GEN_UNIFORM, s->a, n);
        fixture_shape(g, GEN_UNIFORM, s->b, n);
        if (i % 2 == 0) {
            mpz_neg(s->a, s->a);
        }
        fixture_set(s->ctx, &a, s->a), fixture_set(s->ctx, &b, s->b);
        EXPECT_EQ(multiply(s, &r, &a, &b), BIGINT_OK);
        EXPECT_EQ(bigint_mul(s->ctx, &whole, &a, &b), BIGINT_OK);
        EXPECT_EQ(multiply(s, &a, &a, &a), BIGINT_OK);
        mpz_mul(s->r, s->a, s->b);
        EXPECT_BIGINT(s->ctx, &whole, s->r);
        mpz_mod(s->r, s->r, s->m);
        EXPECT_BIGINT(s->ctx, &r, s->r);
        mpz_mul(s->r, s->a, s->a);
        mpz_mod(s->r, s->r, s->m);
        EXPECT_BIGINT(s->ctx, &a, s->r);
    }
    bigint_clear(s->ctx, &a), bigint_clear(s->ctx, &b), bigint_clear(s->ctx, &r);
    bigint_clear(s->ctx, &whole);
}

// Mutations: a graph of other operands, or of the whole product; branches that do not wait for the
// operands, a recombination that does not wait for all of them; a result that keeps its sign.
TEST(DeviceMod, Repeated) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned branches = 1; branches <= 4; branches++) {
        SCOPED_TRACE("%u branches", branches);
        device_order(branches);
        ring s;
        ring_open(&s, UINT64_C(64) << 12, branches == 4, 3);
        s.ctx->queue.forced.branches = branches % 4;
        gen g = gen_seed(73);
        repeat(&s, &g);
        EXPECT_TRUE(graphs(s.ctx) >= 3);
        ring_close(&s);
    }
    device_order(0);
}

// With a cap below the ring's workspace, with checks, or at other lengths a product is folded.
// Mutation: the ring's failure is the call's.
TEST(DeviceMod, OtherWays) {
    if (!device_ready()) {
        SKIP("no device");
    }
    ring s;
    ring_open(&s, UINT64_C(64) << 12, false, 3);
    gen g = gen_seed(72);
    fixture_shape(&g, GEN_UNIFORM, s.a, 1 << 12), fixture_shape(&g, GEN_ONES, s.b, 1 << 12);
    s.ctx->options.max_workspace_bytes = 190000;
    device_plan plan;
    EXPECT_FALSE(device_ring_plan(s.ctx, &plan, 4096, 4096, 4096, 4096, false, false, false));
    s.ctx->options.max_workspace_bytes = 0;
    EXPECT_FALSE(device_ring_plan(s.ctx, &plan, 4096, 4096, 4097, 4097, false, false, false));
    s.ctx->engine = ENGINE_TILED;
    EXPECT_FALSE(device_ring_plan(s.ctx, &plan, 4096, 4096, 4096, 4096, false, false, false));
    s.ctx->engine = ENGINE_MODULAR_FFT;
    s.bits += 1;
    mpz_mul_2exp(s.m, s.m, 1), mpz_add_ui(s.m, s.m, 1);
    check(&s);
    ring_close(&s);
}

// Short rings are one launch of a cluster, and no product of the call is whole. Mutation: another
// way, or a plan of the other ring.
TEST(DeviceMod, ShortRings) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (int plus = 0; plus < 2; plus++) {
        ring s;
        ring_open(&s, 64 * 1024, plus != 0, 0);
        s.ctx->queue.cluster = s.cluster;
        device_plan plan;
        EXPECT_EQ(device_ring_whole(s.ctx, &plan, 1024, 1024, 1024, plus != 0, false),
                  s.cluster > 0);
        gen g = gen_seed(74);
        fixture_shape(&g, GEN_UNIFORM, s.a, 1024), fixture_shape(&g, GEN_RUNS, s.b, 1000);
        check(&s);
        fixture_shape(&g, GEN_ONES, s.a, 1024), mpz_neg(s.a, s.a), mpz_set_ui(s.b, 1);
        check(&s);
        ring_close(&s);
    }
}
