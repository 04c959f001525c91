// root.c: square and cube roots with their remainders against mpz_sqrtrem and mpz_rootrem;
// products modulo 2^n - 1 against mpz_mul and the sum of its product's halves.
#include "bench/cases/cases.h"

static bool sqrt_ours(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_sqrt(s->ctx, &s->r, &s->s, &s->a));
}

static bool sqrt_theirs(void *state) {
    bench_state *s = state;
    mpz_sqrtrem(s->gr, s->gs, s->ga);
    return true;
}

static bool cbrt_ours(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_root(s->ctx, &s->r, &s->s, &s->a, 3));
}

static bool cbrt_theirs(void *state) {
    bench_state *s = state;
    mpz_rootrem(s->gr, s->gs, s->ga, 3);
    return true;
}

static bool check_root(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr) && bench_same(s, &s->s, s->gs);
}

const bench_case bench_case_sqrt = {
    .name = "root",
    .op = "2",
    .unit = UNIT_BITS,
    .prepare = bench_prepare_one,
    .ours = sqrt_ours,
    .theirs = sqrt_theirs,
    .check = check_root,
    .work_note = "made of products: see mul",
};

const bench_case bench_case_cbrt = {
    .name = "root",
    .op = "3",
    .unit = UNIT_BITS,
    .prepare = bench_prepare_one,
    .ours = cbrt_ours,
    .theirs = cbrt_theirs,
    .check = check_root,
    .work_note = "made of products: see mul",
};

static bool prepare_mul_mod(bench_state *s, const bench_row *row) {
    s->n = row->an;
    return bench_set_random(s, &s->a, s->ga, row->an, 1) &&
           bench_set_random(s, &s->b, s->gb, row->an, 2);
}

static bool mul_mod_ours(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul_mod_2exp_minus1(s->ctx, &s->r, &s->a, &s->b, s->n));
}

// A product of random numbers is not a multiple of 2^n - 1, so adding its halves is enough.
static bool mul_mod_theirs(void *state) {
    bench_state *s = state;
    mpz_mul(s->gs, s->ga, s->gb);
    mpz_tdiv_r_2exp(s->gr, s->gs, s->n);
    mpz_tdiv_q_2exp(s->gs, s->gs, s->n);
    mpz_add(s->gr, s->gr, s->gs);
    if (mpz_tstbit(s->gr, s->n) != 0) {
        mpz_clrbit(s->gr, s->n);
        mpz_add_ui(s->gr, s->gr, 1);
    }
    return true;
}

const bench_case bench_case_mul_mod = {
    .name = "mul_mod",
    .op = "minus1",
    .unit = UNIT_BITS,
    .prepare = prepare_mul_mod,
    .ours = mul_mod_ours,
    .theirs = mul_mod_theirs,
    .check = bench_check_result,
    .work_note = "half of a product or all of it: see mul",
};
