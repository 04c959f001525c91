// carry.c: the carry pass alone, coefficients of three words in radix 2^64 to limbs, against
// a plain copy of the coefficients; checked against GMP's sum.
#include <stdio.h>
#include <string.h>

#include "bench/cases/cases.h"
#include "carry/carry.h"
#include "tests/support/gen.h"

enum { WORDS = 3, WIDTH = 64 };

// The value of n coefficients takes n + WORDS limbs.
static size_t result_limbs(uint64_t n) { return (size_t)n + WORDS; }

// state->limbs holds n coefficients of WORDS words, room of WORDS n + WORDS limbs for our result,
// and room of WORDS n for the rival's copy.
static bool prepare(bench_state *s, const bench_row *row) {
    s->n = row->an;
    if (!bench_limbs(s, 3 * WORDS * row->an + WORDS)) {
        return false;
    }
    gen g = gen_seed(1);
    for (size_t i = 0; i < WORDS * row->an; i++) {
        s->limbs[i] = gen_u64(&g);
    }
    return true;
}

static bool ours(void *state) {
    bench_state *s = state;
    uint64_t *result = s->limbs + WORDS * s->n;
    carry_stream stream = CARRY_STREAM_INIT;
    size_t written = carry_pow2(result, &stream, s->limbs, s->n, WORDS, WIDTH);
    if (carry_pow2_flush(result + written, result_limbs(s->n) - written, &stream) != 0) {
        snprintf(s->error, sizeof s->error, "WRONG: the carry out does not fit");
        return false;
    }
    return true;
}

static bool copy(void *state) {
    bench_state *s = state;
    uint64_t *to = s->limbs + 2 * WORDS * s->n + WORDS;
    memcpy(to, s->limbs, WORDS * s->n * sizeof *to);
    return true;
}

// gr = sum over the words j of 2^(64 j) sum over i of c[i][j] 2^(64 i).
static bool expect(bench_state *s) {
    mpz_set_ui(s->gr, 0);
    for (unsigned j = 0; j < WORDS; j++) {
        mp_limb_t *limbs = mpz_limbs_write(s->ga, (mp_size_t)s->n);
        for (size_t i = 0; i < s->n; i++) {
            limbs[i] = s->limbs[i * WORDS + j];
        }
        mpz_limbs_finish(s->ga, (mp_size_t)s->n);
        mpz_mul_2exp(s->ga, s->ga, 64 * j);
        mpz_add(s->gr, s->gr, s->ga);
    }
    return true;
}

static bool check(void *state) {
    bench_state *s = state;
    const uint64_t *result = s->limbs + WORDS * s->n;
    const mp_limb_t *want = mpz_limbs_read(s->gr);
    size_t n = mpz_size(s->gr);
    for (size_t i = 0; i < result_limbs(s->n); i++) {
        if (result[i] != (i < n ? want[i] : 0)) {
            snprintf(s->error, sizeof s->error, "WRONG: limb %zu of %zu differs from GMP's", i, n);
            return false;
        }
    }
    return true;
}

static double bytes(const bench_row *row) {
    return 8.0 * (WORDS * (double)row->an + (double)result_limbs(row->an));
}

const bench_case bench_case_carry = {
    .name = "carry",
    .op = "3 words",
    .unit = UNIT_COEFFICIENTS,
    .rival = "copy",
    .prepare = prepare,
    .ours = ours,
    .theirs = copy,
    .expect = expect,
    .check = check,
    .work = WORK_BYTES,
    .bytes = bytes,
};
