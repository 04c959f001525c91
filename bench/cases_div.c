// cases_div.c: quotient and remainder against mpz_tdiv_qr, powers modulo an odd number against
// mpz_powm.
#include "bench/cases.h"

static bool prepare_divrem(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1) &&
           bench_set_random(s, &s->b, s->gb, row->bn, 2);
}

static bool divrem(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_divrem(s->ctx, &s->r, &s->s, &s->a, &s->b));
}

static bool gmp_divrem(void *state) {
    bench_state *s = state;
    mpz_tdiv_qr(s->gr, s->gs, s->ga, s->gb);
    return true;
}

static bool check_divrem(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr) && bench_same(s, &s->s, s->gs);
}

const bench_case bench_case_divrem = {
    .name = "divrem",
    .op = "",
    .unit = "bits",
    .prepare = prepare_divrem,
    .ours = divrem,
    .theirs = gmp_divrem,
    .check = check_divrem,
    .work_note = "made of products: see mul",
};

// Base, exponent and modulus of row->an bits each; the modulus odd, as in the uses of powm.
static bool prepare_powm(bench_state *s, const bench_row *row) {
    if (!bench_set_random(s, &s->a, s->ga, row->an, 1) ||
        !bench_set_random(s, &s->b, s->gb, row->an, 2) ||
        !bench_set_random(s, &s->m, s->gm, row->an, 3)) {
        return false;
    }
    mpz_setbit(s->gm, 0);
    return bench_ok(s, bigint_set_limbs(s->ctx, &s->m, mpz_limbs_read(s->gm), mpz_size(s->gm), 1));
}

static bool powm(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_powm(s->ctx, &s->r, &s->a, &s->b, &s->m));
}

static bool gmp_powm(void *state) {
    bench_state *s = state;
    mpz_powm(s->gr, s->ga, s->gb, s->gm);
    return true;
}

static bool check_powm(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr);
}

const bench_case bench_case_powm = {
    .name = "powm",
    .op = "",
    .unit = "bits",
    .prepare = prepare_powm,
    .ours = powm,
    .theirs = gmp_powm,
    .check = check_powm,
    .work_note = "made of products: see mul",
};
