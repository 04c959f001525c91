// products.c: see products.h.
#include "tests/bigint/group/products.h"

#include <gmp.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

// --- One member ---

// copy_block: a member's block of p, with room for `room` limbs.
static uint64_t *copy_block(const uint64_t *p, uint64_t n, uint64_t room, const exchange *x) {
    const block_range block = block_bounds(n, x->members, x->member);
    const uint64_t limbs = block.count > room ? block.count : room;
    uint64_t *const copy = malloc(limbs > 0 ? limbs * sizeof *copy : 1);
    if (block.count > 0) {
        memcpy(copy, p + block.first, block.count * sizeof *copy);
    }
    return copy;
}

// make_plan: digits of w bits are exact if the plan's wider ones are; there are more of them.
static bool make_plan(const product_case *c, bigint_ctx *ctx, unsigned members, member_plan *plan) {
    const uint64_t an = c->an > c->bn ? c->an : c->bn, bn = c->an + c->bn - an;
    if (member_plan_make(ctx, "test", plan, members, an, bn, c->square, c->way) != BIGINT_OK) {
        return false;
    }
    if (c->digit_bits > 0 && plan->way == MEMBER_COLUMNS) {
        const uint64_t a = (an * 64 + c->digit_bits - 1) / c->digit_bits;
        const uint64_t b = (bn * 64 + c->digit_bits - 1) / c->digit_bits;
        member_plan longer;
        if (member_plan_make(ctx, "test", &longer, members, a, b, false, MEMBER_COLUMNS) !=
            BIGINT_OK) {
            return false;
        }
        plan->fft = longer.fft;
        plan->fft.digit_bits = c->digit_bits;
    }
    return true;
}

static const char *const alias_names[ALIASES] = {"none", "a", "b"};

void products_multiply(member *m, void *product) {
    const product_case *const c = product;
    exchange *const x = m->exchange;
    SCOPED_TRACE("%llu by %llu limbs, member %u of %u, way %s, digits of %u bits, alias %s%s",
                 (unsigned long long)c->an, (unsigned long long)c->bn, x->member, x->members,
                 member_way_name(c->way), c->digit_bits, alias_names[c->alias],
                 c->square ? ", square" : "");
    const block_range r = block_bounds(c->an + c->bn, x->members, x->member);
    uint64_t *const a = copy_block(c->ap, c->an, r.count, x);
    uint64_t *const b = copy_block(c->square ? c->ap : c->bp, c->bn, r.count, x);
    uint64_t *const own = malloc(r.count > 0 ? r.count * sizeof *own : 1);
    uint64_t *const rp = c->alias == ALIAS_A ? a : c->alias == ALIAS_B ? b : own;
    member_plan plan;
    EXPECT_TRUE(make_plan(c, m->ctx, x->members, &plan));
    const member_job job = {.rp = rp,
                            .ap = a,
                            .bp = c->square ? a : b,
                            .an = c->an,
                            .bn = c->bn,
                            .square = c->square,
                            .plan = &plan};
    const uint64_t check_bytes = m->ctx->check_modulus != 0 ? 32 : 0;
    const uint64_t before = x->sent_bytes, votes = (x->members - 1) * (16 + check_bytes);
    EXPECT_EQ(member_multiply(m, &job), BIGINT_OK);
    EXPECT_LIMBS_EQ(rp, c->expected + r.first, r.count);
    EXPECT_EQ(x->sent_bytes - before, member_sent_bytes(&plan, x->member) + votes);
    free(a), free(b), free(own);
}

// --- Lists ---

typedef struct {
    products_run run;
    void *arg;
    unsigned step, number;
} list;

static void add(list *l, product_case c) {
    c.number = l->number++;
    if (c.number % l->step != 0) {
        return;
    }
    mpz_t a, b;
    mpz_inits(a, b, NULL);
    oracle_load(a, c.ap, c.an);
    oracle_load(b, c.square ? c.ap : c.bp, c.bn);
    mpz_mul(a, a, b);
    uint64_t *const expected = malloc((c.an + c.bn + 1) * sizeof *expected);
    EXPECT_TRUE(oracle_store(expected, c.an + c.bn, a) == 1);
    c.expected = expected;
    l->run(&c, l->arg);
    free(expected);
    mpz_clears(a, b, NULL);
}

static const member_way ways[] = {MEMBER_AUTO, MEMBER_WHOLE, MEMBER_SHORT, MEMBER_COLUMNS};
enum { WAYS = sizeof ways / sizeof ways[0] };
static const uint64_t lengths[] = {0, 1, 15, 16, 17, 64, 127, 129, 300, 1025};
enum { LENGTHS = sizeof lengths / sizeof lengths[0], LONGEST = 6000 };

void products_edges(products_run run, void *arg, unsigned step) {
    uint64_t a[1025], b[1025];
    list l = {run, arg, step, 0};
    gen g = gen_seed(1);
    for (unsigned i = 0; i < LENGTHS; i++) {
        for (unsigned j = 0; j < LENGTHS; j++) {
            for (unsigned k = 0; k < WAYS; k++) {
                const gen_shape shape = (gen_shape)gen_below(&g, GEN_SHAPES);
                if (lengths[i] > 0) gen_limbs(&g, GEN_ONES, a, lengths[i]);
                if (lengths[j] > 0) gen_limbs(&g, shape, b, lengths[j]);
                add(&l, (product_case){.ap = a,
                                       .bp = b,
                                       .an = lengths[i],
                                       .bn = lengths[j],
                                       .way = ways[k],
                                       .alias = (aliasing)gen_below(&g, ALIASES)});
            }
        }
    }
}

void products_shapes(products_run run, void *arg, unsigned step) {
    uint64_t *const a = malloc(LONGEST * sizeof *a), *const b = malloc(LONGEST * sizeof *b);
    list l = {run, arg, step, 0};
    gen g = gen_seed(2);
    for (unsigned s = 0; s < GEN_SHAPES; s++) {
        for (unsigned t = 0; t < GEN_SHAPES; t++) {
            const size_t an = gen_size(&g, 200, LONGEST), bn = gen_size(&g, 200, LONGEST);
            gen_limbs(&g, (gen_shape)s, a, an);
            gen_limbs(&g, (gen_shape)t, b, bn);
            add(&l, (product_case){.ap = a, .bp = b, .an = an, .bn = bn, .way = MEMBER_COLUMNS});
        }
    }
    free(a), free(b);
}

void products_digit_widths(products_run run, void *arg, unsigned step) {
    uint64_t *const a = malloc(LONGEST * sizeof *a), *const b = malloc(LONGEST * sizeof *b);
    list l = {run, arg, step, 0};
    gen g = gen_seed(3);
    for (unsigned bits = 32; bits <= 64; bits++) {
        const size_t an = gen_size(&g, 300, 3000), bn = gen_size(&g, 300, 3000);
        gen_limbs(&g, bits % 2 == 0 ? GEN_ONES : GEN_RUNS, a, an);
        gen_limbs(&g, bits % 3 == 0 ? GEN_UNIFORM : GEN_ONES, b, bn);
        add(&l,
            (product_case){
                .ap = a, .bp = b, .an = an, .bn = bn, .way = MEMBER_COLUMNS, .digit_bits = bits});
    }
    free(a), free(b);
}

void products_squares(products_run run, void *arg, unsigned step) {
    uint64_t *const a = malloc(LONGEST * sizeof *a);
    list l = {run, arg, step, 0};
    gen g = gen_seed(4);
    for (unsigned k = 0; k < 6 * WAYS; k++) {
        const size_t n = gen_size(&g, 16, LONGEST);
        gen_limbs(&g, k % 2 == 0 ? GEN_RUNS : GEN_ONES, a, n);
        add(&l, (product_case){.ap = a,
                               .an = n,
                               .bn = n,
                               .square = true,
                               .way = ways[k % WAYS],
                               .alias = k % 3 == 0 ? ALIAS_NONE : ALIAS_A});
    }
    free(a);
}

void products_long(products_run run, void *arg, unsigned count) {
    const size_t an = (1 << 17) + 4321, bn = (1 << 17) - 77;
    uint64_t *const a = malloc(an * sizeof *a), *const b = malloc(bn * sizeof *b);
    list l = {run, arg, 1, 0};
    gen g = gen_seed(6);
    for (unsigned i = 0; i < count; i++) {
        gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, a, an);
        gen_limbs(&g, i % 2 == 0 ? GEN_ONES : GEN_RUNS, b, bn);
        add(&l, (product_case){.ap = a, .bp = b, .an = an, .bn = bn});
    }
    free(a), free(b);
}
