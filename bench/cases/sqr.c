// sqr.c: squares against mpz_mul of a number by itself.
#include "bench/cases/cases.h"

static bool prepare(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1);
}

static bool ours(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_sqr(s->ctx, &s->r, &s->a));
}

static bool theirs(void *state) {
    bench_state *s = state;
    mpz_mul(s->gr, s->ga, s->ga);
    return true;
}

static bool check(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr);
}

const bench_case bench_case_sqr = {
    .name = "sqr",
    .op = "",
    .unit = "bits",
    .prepare = prepare,
    .ours = ours,
    .theirs = theirs,
    .check = check,
    .work = WORK_SQUARE,
};
