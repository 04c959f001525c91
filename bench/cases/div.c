// div.c: quotient and remainder against mpz_tdiv_qr, also by a prepared divisor, greatest common
// divisors without and with cofactors against mpz_gcd and mpz_gcdext, powers modulo an odd number
// against mpz_powm.
#include "bench/cases/turns.h"

static bool prepare_divrem(bench_state *s, const bench_row *row) {
    turns *const t = turns_open(s, row->an);
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < t->count; i++) {
        ok = bench_set_random(s, &t->a[i], t->ga[i], row->an, 2 * i + 1) &&
             bench_set_random(s, &t->b[i], t->gb[i], row->bn, 2 * i + 2);
    }
    return ok;
}

static bool divrem(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    return bench_ok(s, bigint_divrem(s->ctx, &t->q[i], &t->r[i], &t->a[i], &t->b[i]));
}

static bool gmp_divrem(void *state) {
    turns *const t = ((bench_state *)state)->own;
    const size_t i = t->theirs++ % t->count;
    mpz_tdiv_qr(t->gq[i], t->gr[i], t->ga[i], t->gb[i]);
    return true;
}

const bench_case bench_case_divrem = {
    .name = "divrem",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = prepare_divrem,
    .ours = divrem,
    .theirs = gmp_divrem,
    .check = turns_check,
    .finish = turns_close,
    .work_note = "made of products: see mul",
};

// One divisor for all sets, prepared on our side.
static bool prepare_prepared(bench_state *s, const bench_row *row) {
    if (!prepare_divrem(s, row)) {
        return false;
    }
    turns *const t = s->own;
    for (size_t i = 1; i < t->count; i++) {
        mpz_set(t->gb[i], t->gb[0]);
    }
    return bench_ok(s, bigint_div_prep_create(s->ctx, &t->divisor, &t->b[0], 0));
}

static bool prepared(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    return bench_ok(s, bigint_divrem_prep(s->ctx, &t->q[i], &t->r[i], &t->a[i], t->divisor));
}

static void finish_prepared(bench_state *s) {
    bigint_div_prep_destroy(s->ctx, ((turns *)s->own)->divisor);
    turns_close(s);
}

const bench_case bench_case_div_prep = {
    .name = "divrem",
    .op = "prepared",
    .unit = UNIT_BITS,
    .prepare = prepare_prepared,
    .ours = prepared,
    .theirs = gmp_divrem,
    .check = turns_check,
    .finish = finish_prepared,
    .work_note = "made of products: see mul",
};

// Both operands of a gcd are as long as the row says, as divrem's.
static bool gcd(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    return bench_ok(s, bigint_gcd(s->ctx, &t->q[i], &t->a[i], &t->b[i]));
}

static bool gmp_gcd(void *state) {
    turns *const t = ((bench_state *)state)->own;
    const size_t i = t->theirs++ % t->count;
    mpz_gcd(t->gq[i], t->ga[i], t->gb[i]);
    return true;
}

const bench_case bench_case_gcd = {
    .name = "gcd",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = prepare_divrem,
    .ours = gcd,
    .theirs = gmp_gcd,
    .check = turns_check,
    .finish = turns_close,
    .work_note = "made of products: see mul",
};

// Both cofactors: r and m.
static bool gcdext(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    return bench_ok(s, bigint_gcdext(s->ctx, &t->q[i], &t->r[i], &t->m[i], &t->a[i], &t->b[i]));
}

static bool gmp_gcdext(void *state) {
    turns *const t = ((bench_state *)state)->own;
    const size_t i = t->theirs++ % t->count;
    mpz_gcdext(t->gq[i], t->gr[i], t->gm[i], t->ga[i], t->gb[i]);
    return true;
}

const bench_case bench_case_gcdext = {
    .name = "gcdext",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = prepare_divrem,
    .ours = gcdext,
    .theirs = gmp_gcdext,
    .check = turns_check,
    .finish = turns_close,
    .work_note = "made of products: see mul",
};

// Base, exponent and modulus of row->an bits each; the modulus is odd, as in practice.
static bool prepare_powm(bench_state *s, const bench_row *row) {
    turns *const t = turns_open(s, row->an);
    bool ok = t != NULL;
    for (size_t i = 0; ok && i < t->count; i++) {
        ok = bench_set_random(s, &t->a[i], t->ga[i], row->an, 3 * i + 1) &&
             bench_set_random(s, &t->b[i], t->gb[i], row->an, 3 * i + 2) &&
             bench_set_random(s, &t->m[i], t->gm[i], row->an, 3 * i + 3);
        mpz_setbit(t->gm[i], 0);
        ok = ok && bench_ok(s, bigint_set_limbs(s->ctx, &t->m[i], mpz_limbs_read(t->gm[i]),
                                                mpz_size(t->gm[i]), 1));
    }
    return ok;
}

static bool powm(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    const size_t i = t->ours++ % t->count;
    return bench_ok(s, bigint_powm(s->ctx, &t->q[i], &t->a[i], &t->b[i], &t->m[i]));
}

static bool gmp_powm(void *state) {
    turns *const t = ((bench_state *)state)->own;
    const size_t i = t->theirs++ % t->count;
    mpz_powm(t->gq[i], t->ga[i], t->gb[i], t->gm[i]);
    return true;
}

const bench_case bench_case_powm = {
    .name = "powm",
    .op = "",
    .unit = UNIT_BITS,
    .prepare = prepare_powm,
    .ours = powm,
    .theirs = gmp_powm,
    .check = turns_check,
    .finish = turns_close,
    .work_note = "made of products: see mul",
};
