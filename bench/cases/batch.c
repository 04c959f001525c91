// batch.c: batches on the host against a loop of single calls on the same numbers, and products
// also against a loop of mpn_mul_n. Numbers stand side by side (strided), or anywhere, with offsets
// and lengths of their own: all of the row's length (ragged), or of any length up to it (mixed).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases/cases.h"
#include "tests/support/gen.h"

typedef enum { MUL, SQR, MULMOD, SQRMOD, DIVREM, POWM, PRIME } operation;
typedef enum { STRIDED, RAGGED, MIXED } layout;

// form: what a case measures.
typedef struct {
    operation op;
    layout how;
    bool common;  // one modulus for all
} form;

// Numbers of a batch fill about half of a second-level cache, on either side.
enum { COUNT_MOST = 512, COUNT_LEAST = 8, COUNT_SLOW = 16, LIMBS = 4096 };

// The spans of a call: operands, modulus or divisor, result, quotient.
enum { A, B, M, R, Q, SPANS };

typedef struct {
    operation op;
    uint64_t count;
    bigint_span span[SPANS];  // n = 0: not used
    bigint *integers[SPANS];  // the same numbers, for the loop
    bigint product;
    uint64_t *expected[SPANS], *theirs;   // results, each with the longest one's length
    unsigned char primes[3][COUNT_SLOW];  // of the batch, the loop, GMP
} batch;

static uint64_t *number(const bigint_span *s, uint64_t i) {
    return s->p + (s->offsets != NULL ? s->offsets[i] : i * s->stride);
}

static uint64_t length(const bigint_span *s, uint64_t i) {
    return s->lengths != NULL ? s->lengths[i] : s->n;
}

// --- Operands ------------------------------------------------------------------------------------

// lay_out: a span of `count` numbers of n limbs.
static bool lay_out(bigint_span *s, uint64_t count, uint64_t n, layout how, gen *g) {
    uint64_t *const lengths = malloc(count * sizeof *lengths);
    uint64_t *const offsets = malloc(count * sizeof *offsets);
    *s = (bigint_span){.p = calloc(count * n, sizeof *s->p), .n = n, .stride = n, .count = count};
    if (lengths == NULL || offsets == NULL || s->p == NULL) {
        free(lengths), free(offsets), free(s->p);
        s->p = NULL;
        return false;
    }
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t j = gen_below(g, i + 1);  // a random order of the places
        lengths[i] = how == MIXED ? 1 + gen_below(g, n) : n;
        offsets[i] = offsets[j];
        offsets[j] = i * n;
    }
    s->lengths = lengths;
    s->offsets = offsets;
    if (how == STRIDED) {
        free(lengths), free(offsets);
        s->lengths = s->offsets = NULL;
    }
    return true;
}

// fill: random numbers with the top bit set, odd ones where asked, in both forms.
static bool fill(bench_state *s, batch *t, unsigned which, bool odd, gen *g) {
    const bigint_span *const x = &t->span[which];
    bool ok = true;
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t *const p = number(x, i), n = length(x, i);
        for (uint64_t k = 0; k < n; k++) {
            p[k] = gen_u64(g);
        }
        p[n - 1] |= (uint64_t)1 << 63;
        p[0] |= odd;
    }
    for (uint64_t i = 0; i < t->count && ok; i++) {  // with stride 0 the last one counts
        ok = bench_ok(
            s, bigint_set_limbs(s->ctx, &t->integers[which][i], number(x, i), length(x, i), 1));
    }
    return ok;
}

static void finish(bench_state *s) {
    batch *const t = s->own;
    for (unsigned k = 0; k < SPANS; k++) {
        for (uint64_t i = 0; t->integers[k] != NULL && i < t->count; i++) {
            bigint_clear(s->ctx, &t->integers[k][i]);
        }
        free(t->integers[k]);
        free(t->expected[k]);
        free(t->span[k].p);
        free((void *)t->span[k].lengths);
        free((void *)t->span[k].offsets);
    }
    bigint_clear(s->ctx, &t->product);
    free(t->theirs);
    free(t);
    s->own = NULL;
}

// limbs_of: the limbs of a span of this operation on numbers of n limbs; 0: not used.
static uint64_t limbs_of(operation op, unsigned which, uint64_t n) {
    static const unsigned used[][SPANS] = {[MUL] = {1, 1, 0, 2},
                                           [SQR] = {1, 0, 0, 2},
                                           [MULMOD] = {1, 1, 1, 1},
                                           [SQRMOD] = {1, 0, 1, 1},
                                           [DIVREM] = {2, 0, 1, 1, 2},
                                           [POWM] = {1, 1, 1, 1},
                                           [PRIME] = {1}};
    return n * used[op][which];
}

// open_span makes span k and its integers; false without memory.
static bool open_span(batch *t, unsigned k, uint64_t n, layout how, gen *g) {
    t->integers[k] = calloc(t->count, sizeof *t->integers[k]);
    t->expected[k] = calloc(t->count * n + 1, sizeof *t->expected[k]);
    if (t->integers[k] == NULL || t->expected[k] == NULL ||
        (n > 0 && !lay_out(&t->span[k], t->count, n, how, g))) {
        return false;
    }
    if (k == R && t->span[R].lengths != NULL) {  // of products
        uint64_t *const lengths = (uint64_t *)t->span[R].lengths;
        for (uint64_t i = 0; i < t->count; i++) {
            lengths[i] = length(&t->span[A], i) + length(&t->span[B], i);
        }
    }
    return true;
}

static uint64_t count_of(operation op, uint64_t n) {
    const uint64_t fit = LIMBS / n;
    if (op == POWM || op == PRIME) {
        return COUNT_SLOW;
    }
    return fit > COUNT_MOST ? COUNT_MOST : fit < COUNT_LEAST ? COUNT_LEAST : fit;
}

static bool prepare(bench_state *s, const bench_row *row) {
    const form *const f = s->form;
    const uint64_t n = (row->an + 63) / 64;
    batch *const t = calloc(1, sizeof *t);  // a bigint of zero bytes is 0
    bool ok = t != NULL;
    s->own = t;
    if (ok) {
        t->op = f->op;
        t->count = s->count = count_of(f->op, n);
    }
    gen g = gen_seed(1);
    for (unsigned k = 0; k < SPANS && ok; k++) {
        ok = open_span(t, k, limbs_of(f->op, k, n), k == M ? STRIDED : f->how, &g);
    }
    t->theirs = ok ? calloc(t->count * t->span[R].n + 1, sizeof *t->theirs) : NULL;
    if (!ok || t->theirs == NULL) {
        snprintf(s->error, sizeof s->error, "no memory for the batch");
        return false;
    }
    t->span[M].stride = f->common ? 0 : t->span[M].stride;
    for (unsigned k = 0; k < R && ok; k++) {
        ok = t->span[k].n == 0 || fill(s, t, k, k == M || f->op == PRIME, &g);
    }
    return ok;
}

// --- Calls ---------------------------------------------------------------------------------------

static bool at_once(void *state) {
    bench_state *const s = state;
    batch *const t = s->own;
    const bigint_span *const x = t->span;
    switch (t->op) {
        case MUL:
            return bench_ok(s, bigint_mul_batch(s->ctx, &x[R], &x[A], &x[B]));
        case SQR:
            return bench_ok(s, bigint_mul_batch(s->ctx, &x[R], &x[A], &x[A]));
        case MULMOD:
            return bench_ok(s, bigint_mulmod_batch(s->ctx, &x[R], &x[A], &x[B], &x[M]));
        case SQRMOD:
            return bench_ok(s, bigint_sqrmod_batch(s->ctx, &x[R], &x[A], &x[M]));
        case DIVREM:
            return bench_ok(s, bigint_divrem_batch(s->ctx, &x[Q], &x[R], &x[A], &x[M]));
        case POWM:
            return bench_ok(s, bigint_powm_batch(s->ctx, &x[R], &x[A], &x[B], &x[M]));
        default:
            return bench_ok(s, bigint_probable_prime_batch(s->ctx, t->primes[0], &x[A]));
    }
}

// single: the same for item i by calls on integers.
static inline bigint_status single(bench_state *s, batch *t, uint64_t i) {
    const bigint *const a = &t->integers[A][i], *const b = &t->integers[B][i];
    const bigint *const m = &t->integers[M][i];
    bigint *const r = &t->integers[R][i], *const q = &t->integers[Q][i];
    bigint_status status;
    int prime;
    switch (t->op) {
        case MUL:
            return bigint_mul(s->ctx, r, a, b);
        case SQR:
            return bigint_sqr(s->ctx, r, a);
        case MULMOD:
            status = bigint_mul(s->ctx, &t->product, a, b);
            return status == BIGINT_OK ? bigint_divrem(s->ctx, NULL, r, &t->product, m) : status;
        case SQRMOD:
            status = bigint_sqr(s->ctx, &t->product, a);
            return status == BIGINT_OK ? bigint_divrem(s->ctx, NULL, r, &t->product, m) : status;
        case DIVREM:
            return bigint_divrem(s->ctx, q, r, a, m);
        case POWM:
            return bigint_powm(s->ctx, r, a, b, m);
        default:
            status = bigint_probable_prime(s->ctx, &prime, a);
            t->primes[1][i] = prime == 1;
            return status;
    }
}

static bool one_by_one(void *state) {
    bench_state *const s = state;
    batch *const t = s->own;
    bool ok = true;
    for (uint64_t i = 0; i < t->count && ok; i++) {
        ok = bench_ok(s, single(s, t, i));
    }
    return ok;
}

static bool mpn_loop(void *state) {
    bench_state *const s = state;
    batch *const t = s->own;
    const uint64_t rn = t->span[R].n;
    for (uint64_t i = 0; i < t->count; i++) {
        mpn_mul_n(t->theirs + i * rn, number(&t->span[A], i), number(&t->span[B], i),
                  (mp_size_t)rn / 2);
    }
    return true;
}

// --- Results -------------------------------------------------------------------------------------

static void load(mpz_t z, const batch *t, unsigned which, uint64_t i) {
    mpz_import(z, length(&t->span[which], i), -1, sizeof(uint64_t), 0, 0,
               number(&t->span[which], i));
}

// expect: all results by GMP.
static bool expect(bench_state *s) {
    batch *const t = s->own;
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t *const r = t->expected[R] + i * t->span[R].n;
        load(s->ga, t, A, i);
        load(s->gb, t, t->span[B].n > 0 ? B : A, i);
        if (t->span[M].n > 0) {
            load(s->gm, t, M, i);
        }
        if (t->op == POWM) {
            mpz_powm(s->gr, s->ga, s->gb, s->gm);
        } else if (t->op == DIVREM) {
            mpz_tdiv_qr(s->gs, s->gr, s->ga, s->gm);
            mpz_export(t->expected[Q] + i * t->span[Q].n, NULL, -1, sizeof *r, 0, 0, s->gs);
        } else if (t->op == PRIME) {
            t->primes[2][i] = mpz_probab_prime_p(s->ga, 25) > 0;
            continue;
        } else {
            mpz_mul(s->gr, s->ga, s->gb);
            if (t->span[M].n > 0) {
                mpz_mod(s->gr, s->gr, s->gm);
            }
        }
        mpz_export(r, NULL, -1, sizeof *r, 0, 0, s->gr);
    }
    return true;
}

// same: whether limbs {p, n} are number i of the expected ones.
static bool same(bench_state *s, const batch *t, unsigned which, uint64_t i, const uint64_t *p) {
    const uint64_t n = t->span[which].n;
    if (memcmp(p, t->expected[which] + i * n, n * sizeof *p) != 0) {
        snprintf(s->error, sizeof s->error, "WRONG: number %llu differs from GMP's",
                 (unsigned long long)i);
        return false;
    }
    return true;
}

static bool check_batch(bench_state *s, const batch *t, unsigned which) {
    bool ok = true;
    for (uint64_t i = 0; i < t->count && t->span[which].n > 0 && ok; i++) {
        ok = same(s, t, which, i, number(&t->span[which], i));
    }
    return ok;
}

static bool check_integers(bench_state *s, const batch *t, unsigned which) {
    const uint64_t n = t->span[which].n;
    bool ok = bench_limbs(s, n);
    for (uint64_t i = 0; i < t->count && n > 0 && ok; i++) {
        memset(s->limbs, 0, n * sizeof *s->limbs);
        ok = bench_ok(s,
                      bigint_get_limbs(s->ctx, s->limbs, n, NULL, NULL, &t->integers[which][i])) &&
             same(s, t, which, i, s->limbs);
    }
    return ok;
}

static bool check(void *state) {
    bench_state *const s = state;
    batch *const t = s->own;
    if (memcmp(t->primes[0], t->primes[2], COUNT_SLOW) != 0 ||
        memcmp(t->primes[1], t->primes[2], COUNT_SLOW) != 0) {
        snprintf(s->error, sizeof s->error, "WRONG: GMP finds other primes");
        return false;
    }
    return check_batch(s, t, R) && check_batch(s, t, Q) && check_integers(s, t, R) &&
           check_integers(s, t, Q);
}

static bool check_mpn(void *state) {
    bench_state *const s = state;
    const batch *const t = s->own;
    bool ok = check_batch(s, t, R);
    for (uint64_t i = 0; i < t->count && ok; i++) {
        ok = same(s, t, R, i, t->theirs + i * t->span[R].n);
    }
    return ok;
}

// --- Cases ---------------------------------------------------------------------------------------

static const form mul = {MUL, STRIDED, false}, ragged = {MUL, RAGGED, false},
                  mixed = {MUL, MIXED, false}, sqr = {SQR, STRIDED, false},
                  mulmod = {MULMOD, STRIDED, false}, mulmod_common = {MULMOD, STRIDED, true},
                  sqrmod_common = {SQRMOD, STRIDED, true}, divrem = {DIVREM, STRIDED, false},
                  powm = {POWM, STRIDED, false}, prime = {PRIME, STRIDED, false};

#define SIDES(form_, rival_, theirs_, check_)                                                \
    .name = "batch", .unit = UNIT_BITS, .form = form_, .rival = rival_, .prepare = prepare,  \
    .ours = at_once, .theirs = theirs_, .expect = expect, .check = check_, .finish = finish, \
    .work_note = "many operations in one call"
#define LOOP(form_) SIDES(form_, "a loop", one_by_one, check)

const bench_case bench_cases_batch[] = {
    [BATCH_MUL] = {.op = "mul", LOOP(&mul)},
    [BATCH_MUL_MPN] = {.op = "mul", SIDES(&mul, "mpn_mul_n in a loop", mpn_loop, check_mpn)},
    [BATCH_RAGGED] = {.op = "mul, ragged", LOOP(&ragged)},
    [BATCH_MIXED] = {.op = "mul, mixed", LOOP(&mixed)},
    [BATCH_SQR] = {.op = "sqr", LOOP(&sqr)},
    [BATCH_MULMOD] = {.op = "mulmod", LOOP(&mulmod)},
    [BATCH_MULMOD_COMMON] = {.op = "mulmod, common", LOOP(&mulmod_common)},
    [BATCH_SQRMOD_COMMON] = {.op = "sqrmod, common", LOOP(&sqrmod_common)},
    [BATCH_DIVREM] = {.op = "divrem", LOOP(&divrem)},
    [BATCH_POWM] = {.op = "powm", LOOP(&powm)},
    [BATCH_PRIME] = {.op = "prime", LOOP(&prime)},
};
