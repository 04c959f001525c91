// mul.c: products and squares against mpz_mul, and products on several threads against one.
#include "bench/cases/cases.h"

static bool prepare(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1) &&
           bench_set_random(s, &s->b, s->gb, row->bn, 2);
}

static bool ours(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul(s->ctx, &s->r, &s->a, &s->b));
}

static bool theirs(void *state) {
    bench_state *s = state;
    mpz_mul(s->gr, s->ga, s->gb);
    return true;
}

const bench_case bench_case_mul = {
    .name = "mul",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = prepare,
    .ours = ours,
    .theirs = theirs,
    .check = bench_check_result,
    .work = WORK_PRODUCT,
};

static bool square(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_sqr(s->ctx, &s->r, &s->a));
}

static bool gmp_square(void *state) {
    bench_state *s = state;
    mpz_mul(s->gr, s->ga, s->ga);
    return true;
}

const bench_case bench_case_sqr = {
    .name = "sqr",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = bench_prepare_one,
    .ours = square,
    .theirs = gmp_square,
    .check = bench_check_result,
    .work = WORK_SQUARE,
};

static bool one_thread(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul(s->single, &s->s, &s->a, &s->b));
}

static bool expect(bench_state *s) { return theirs(s); }

static bool check_both(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr) && bench_same(s, &s->s, s->gr);
}

const bench_case bench_case_threads = {
    .name = "mul",
    .op = "",
    .unit = UNIT_BITS,
    .rival = "one thread",
    .prepare = prepare,
    .ours = ours,
    .theirs = one_thread,
    .expect = expect,
    .check = check_both,
    .work = WORK_PRODUCT,
};
