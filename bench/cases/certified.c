// certified.c: products and squares in mode certified, which takes wider digits and checks every
// result, against mode exact without and with the same check.
#include "bench/cases/cases.h"

// The other context, whose results go to s->s.
static bigint_ctx *exact(const bench_state *s) { return s->own; }

static bool open_exact(bench_state *s, bool checks) {
    bigint_ctx_options options = s->options;
    bigint_ctx *ctx = NULL;
    options.mode = "exact";
    options.checks = checks;
    const bigint_status status = bigint_ctx_create(&ctx, NULL, &options);
    s->own = ctx;
    return bench_ok(s, status);
}

static bool set_operands(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1) &&
           bench_set_random(s, &s->b, s->gb, row->bn, 2);
}

static bool prepare_plain(bench_state *s, const bench_row *row) {
    return open_exact(s, false) && set_operands(s, row);
}

static bool prepare_checked(bench_state *s, const bench_row *row) {
    return open_exact(s, true) && set_operands(s, row);
}

static void finish(bench_state *s) {
    bigint_clear(exact(s), &s->s);
    bigint_ctx_destroy(exact(s));
}

static bool multiply(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul(s->ctx, &s->r, &s->a, &s->b));
}

static bool multiply_exact(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul(exact(s), &s->s, &s->a, &s->b));
}

static bool expect_product(bench_state *s) {
    mpz_mul(s->gr, s->ga, s->gb);
    return true;
}

static bool square(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_sqr(s->ctx, &s->r, &s->a));
}

static bool square_exact(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_sqr(exact(s), &s->s, &s->a));
}

static bool expect_square(bench_state *s) {
    mpz_mul(s->gr, s->ga, s->ga);
    return true;
}

static bool check(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr) && bench_same(s, &s->s, s->gr);
}

#define PLAIN "exact"
#define CHECKED "exact-checked"

const bench_case bench_case_certified_mul = {
    .name = "mul",
    .op = "",
    .unit = UNIT_BITS,
    .mode = "certified",
    .rival = PLAIN,
    .prepare = prepare_plain,
    .ours = multiply,
    .theirs = multiply_exact,
    .expect = expect_product,
    .check = check,
    .finish = finish,
    .work = WORK_PRODUCT,
};

const bench_case bench_case_certified_mul_checked = {
    .name = "mul",
    .op = "",
    .unit = UNIT_BITS,
    .mode = "certified",
    .rival = CHECKED,
    .prepare = prepare_checked,
    .ours = multiply,
    .theirs = multiply_exact,
    .expect = expect_product,
    .check = check,
    .finish = finish,
    .work = WORK_PRODUCT,
};

const bench_case bench_case_certified_sqr = {
    .name = "sqr",
    .op = "",
    .unit = UNIT_BITS,
    .mode = "certified",
    .rival = PLAIN,
    .prepare = prepare_plain,
    .ours = square,
    .theirs = square_exact,
    .expect = expect_square,
    .check = check,
    .finish = finish,
    .work = WORK_SQUARE,
};

const bench_case bench_case_certified_sqr_checked = {
    .name = "sqr",
    .op = "",
    .unit = UNIT_BITS,
    .mode = "certified",
    .rival = CHECKED,
    .prepare = prepare_checked,
    .ours = square,
    .theirs = square_exact,
    .expect = expect_square,
    .check = check,
    .finish = finish,
    .work = WORK_SQUARE,
};
