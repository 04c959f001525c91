// div.c: quotient and remainder against mpz_tdiv_qr, greatest common divisors without and with
// cofactors against mpz_gcd and mpz_gcdext, powers modulo an odd number against mpz_powm.
#include <stdio.h>
#include <stdlib.h>

#include "bench/cases/cases.h"

// turns: the sets of operands of one row; successive calls cycle through them. With few limbs,
// quotients and exponents decide branches, and a processor would learn the branches of a single
// set. So there are 64 sets, or as many as fit into its caches.
enum { TURNS_MOST = 64, TURNS_LIMBS = 2048 };
typedef struct {
    size_t count;
    uint64_t ours, theirs;  // calls so far: call i takes set i mod count
    bigint a[TURNS_MOST], b[TURNS_MOST], m[TURNS_MOST], q[TURNS_MOST], r[TURNS_MOST];
    mpz_t ga[TURNS_MOST], gb[TURNS_MOST], gm[TURNS_MOST], gq[TURNS_MOST], gr[TURNS_MOST];
} turns;

// turns_open makes sets for operands of `bits` bits, all 0. NULL without memory.
static turns *turns_open(bench_state *s, uint64_t bits) {
    turns *const t = calloc(1, sizeof *t);  // a bigint of zero bytes is 0
    if (t == NULL) {
        snprintf(s->error, sizeof s->error, "no memory for operands");
        return NULL;
    }
    const uint64_t fit = TURNS_LIMBS / (bits / 64 + 1) + 1;
    t->count = fit < TURNS_MOST ? fit : TURNS_MOST;
    for (size_t i = 0; i < TURNS_MOST; i++) {
        mpz_inits(t->ga[i], t->gb[i], t->gm[i], t->gq[i], t->gr[i], NULL);
    }
    s->own = t;
    return t;
}

static void turns_close(bench_state *s) {
    turns *const t = s->own;
    for (size_t i = 0; i < TURNS_MOST; i++) {
        bigint *const integers[] = {&t->a[i], &t->b[i], &t->m[i], &t->q[i], &t->r[i]};
        for (size_t k = 0; k < sizeof integers / sizeof integers[0]; k++) {
            bigint_clear(s->ctx, integers[k]);
        }
        mpz_clears(t->ga[i], t->gb[i], t->gm[i], t->gq[i], t->gr[i], NULL);
    }
    free(t);
    s->own = NULL;
}

// turns_check compares all results that both sides have so far.
static bool turns_check(void *state) {
    bench_state *s = state;
    turns *const t = s->own;
    bool ok = true;
    for (size_t i = 0; ok && i < t->count && i < t->ours && i < t->theirs; i++) {
        ok = bench_same(s, &t->q[i], t->gq[i]) && bench_same(s, &t->r[i], t->gr[i]) &&
             bench_same(s, &t->m[i], t->gm[i]);
    }
    return ok;
}

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
