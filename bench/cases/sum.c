// sum.c: a sum of products in one call against separate products and additions.
#include "bench/cases/cases.h"

// The terms: a b - m s + a m + b s, the first two or all four.
typedef struct {
    const bigint *a[4], *b[4];
} pairs;

static const int signs[4] = {1, -1, 1, 1};

static pairs pairs_of(const bench_state *s) {
    return (pairs){{&s->a, &s->m, &s->a, &s->b}, {&s->b, &s->s, &s->m, &s->s}};
}

static bool prepare(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1) &&
           bench_set_random(s, &s->b, s->gb, row->bn, 2) &&
           bench_set_random(s, &s->m, s->gm, row->an, 3) &&
           bench_set_random(s, &s->s, s->gs, row->bn, 4);
}

static bool together(bench_state *s, unsigned count) {
    const pairs p = pairs_of(s);
    return bench_ok(s, bigint_mul_sum(s->ctx, &s->r, p.a, p.b, signs, count));
}

static bool one_by_one(bench_state *s, unsigned count) {
    const pairs p = pairs_of(s);
    bool ok = bench_ok(s, bigint_mul(s->ctx, &s->sum, p.a[0], p.b[0]));
    for (unsigned i = 1; i < count && ok; i++) {
        ok = bench_ok(s, bigint_mul(s->ctx, &s->product, p.a[i], p.b[i])) &&
             bench_ok(s, signs[i] < 0 ? bigint_sub(s->ctx, &s->sum, &s->sum, &s->product)
                                      : bigint_add(s->ctx, &s->sum, &s->sum, &s->product));
    }
    return ok;
}

static bool expect_2(bench_state *s) {
    mpz_mul(s->gr, s->ga, s->gb);
    mpz_submul(s->gr, s->gm, s->gs);
    return true;
}

static bool expect_4(bench_state *s) {
    expect_2(s);
    mpz_addmul(s->gr, s->ga, s->gm);
    mpz_addmul(s->gr, s->gb, s->gs);
    return true;
}

static bool check(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr) && bench_same(s, &s->sum, s->gr);
}

static bool ours_2(void *state) { return together(state, 2); }
static bool ours_4(void *state) { return together(state, 4); }
static bool theirs_2(void *state) { return one_by_one(state, 2); }
static bool theirs_4(void *state) { return one_by_one(state, 4); }

#define RIVAL "products one by one"
#define NOTE "made of products"

const bench_case bench_case_sum_2 = {
    .name = "sum",
    .op = "2 products",
    .unit = UNIT_BITS,
    .rival = RIVAL,
    .prepare = prepare,
    .ours = ours_2,
    .theirs = theirs_2,
    .expect = expect_2,
    .check = check,
    .work_note = NOTE,
};

const bench_case bench_case_sum_4 = {
    .name = "sum",
    .op = "4 products",
    .unit = UNIT_BITS,
    .rival = RIVAL,
    .prepare = prepare,
    .ours = ours_4,
    .theirs = theirs_4,
    .expect = expect_4,
    .check = check,
    .work_note = NOTE,
};
