// cases.c: the registry of sweeps, and the operands and comparisons that the cases share.
#include "bench/cases/cases.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/gen.h"

enum { ONE_LIMB = 0 };
#define BATCH(name) &bench_cases_batch[BATCH_##name]
#define MPZ(name) &bench_cases_mpz[MPZ_##name]

// topic, case, base first last last_long step, num/den, shape, engine, variant, two_threads
static const bench_sweep sweeps[] = {
    {"mul", &bench_case_mul, 2, 6, 28, 31, 1, 1, 1, 1, NULL, NULL, false},
    {"between", &bench_case_mul, 2, 13, 25, 25, 2, 5, 4, 1, NULL, NULL, false},
    {"between", &bench_case_mul, 2, 13, 25, 25, 2, 3, 2, 1, NULL, NULL, false},
    {"between", &bench_case_mul, 2, 13, 25, 25, 2, 7, 4, 1, NULL, NULL, false},
    {"unbalanced", &bench_case_mul, 2, 12, 26, 30, 2, 1, 1, 4, NULL, NULL, false},
    {"unbalanced", &bench_case_mul, 2, 12, 24, 28, 4, 1, 1, 3, NULL, NULL, false},
    {"unbalanced", &bench_case_mul, 2, 16, 24, 28, 4, 1, 1, 100, NULL, NULL, false},
    {"unbalanced", &bench_case_mul, 2, 10, 26, 32, 8, 1, 1, ONE_LIMB, NULL, NULL, false},
    {"sqr", &bench_case_sqr, 2, 6, 26, 30, 2, 1, 1, 1, NULL, NULL, false},
    {"sum", &bench_case_sum_2, 2, 12, 26, 28, 2, 1, 1, 1, NULL, NULL, false},
    {"sum", &bench_case_sum_4, 2, 12, 26, 28, 2, 1, 1, 1, NULL, NULL, false},
    {"threads", &bench_case_threads, 2, 16, 28, 31, 2, 1, 1, 1, NULL, NULL, true},
    {"text", &bench_case_read, 10, 3, 7, 8, 1, 1, 1, 1, NULL, NULL, false},
    {"text", &bench_case_write, 10, 3, 7, 8, 1, 1, 1, 1, NULL, NULL, false},
    {"text", &bench_case_mul_text, 10, 3, 6, 7, 1, 1, 1, 1, NULL, NULL, false},
    {"divrem", &bench_case_divrem, 2, 8, 26, 30, 3, 1, 1, 2, NULL, NULL, false},
    {"divrem", &bench_case_divrem, 2, 9, 21, 25, 4, 1, 1, ONE_LIMB, NULL, NULL, false},
    {"divrem", &bench_case_divrem, 2, 9, 21, 29, 4, 1, 1, 8, NULL, NULL, false},
    {"divrem", &bench_case_div_prep, 2, 8, 26, 30, 3, 1, 1, 2, NULL, NULL, false},
    {"divrem", &bench_case_div_prep, 2, 9, 21, 29, 4, 1, 1, 8, NULL, NULL, false},
    {"gcd", &bench_case_gcd, 2, 6, 20, 24, 1, 1, 1, 1, NULL, NULL, false},
    {"gcdext", &bench_case_gcdext, 2, 6, 20, 24, 1, 1, 1, 1, NULL, NULL, false},
    {"powm", &bench_case_powm, 2, 6, 13, 15, 1, 1, 1, 1, NULL, NULL, false},
    {"powm", &bench_case_powm, 2, 11, 11, 11, 1, 3, 2, 1, NULL, NULL, false},
    {"root", &bench_case_sqrt, 2, 6, 26, 30, 2, 1, 1, 1, NULL, NULL, false},
    {"root", &bench_case_cbrt, 2, 8, 24, 28, 4, 1, 1, 1, NULL, NULL, false},
    {"mul_mod", &bench_case_mul_mod, 2, 12, 26, 30, 1, 1, 1, 1, NULL, NULL, false},
    {"mul_mod", &bench_case_mul_mod, 2, 12, 24, 28, 4, 3, 2, 1, NULL, NULL, false},
    {"engines", &bench_case_mul, 2, 6, 14, 14, 2, 1, 1, 1, "schoolbook", NULL, false},
    {"engines", &bench_case_mul, 2, 10, 18, 18, 2, 1, 1, 1, "karatsuba", NULL, false},
    {"engines", &bench_case_mul, 2, 12, 18, 18, 2, 1, 1, 1, "toom3", NULL, false},
    {"engines", &bench_case_mul, 2, 10, 20, 20, 2, 1, 1, 1, "modular-fft", NULL, false},
    {"engines", &bench_case_mul, 2, 10, 20, 20, 1, 1, 1, 1, "real-fft", NULL, false},
    {"engines", &bench_case_mul, 2, 10, 20, 20, 2, 1, 1, 1, "complex-fft", NULL, false},
    {"engines", &bench_case_mul, 2, 10, 14, 14, 2, 1, 1, 1, "real-fft-f32", NULL, false},
    {"engines", &bench_case_mul, 2, 12, 24, 24, 12, 1, 1, 1, NULL, "portable", false},
    {"engines", &bench_case_mul, 2, 12, 24, 24, 12, 1, 1, 1, NULL, "avx2", false},
    {"engines", &bench_case_mul, 2, 12, 24, 24, 12, 1, 1, 1, NULL, "avx512", false},
    {"engines", &bench_case_mul, 2, 12, 24, 24, 12, 1, 1, 1, NULL, "ifma", false},
    {"batch", BATCH(MUL), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MUL), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MUL_MPN), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MUL_MPN), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(RAGGED), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, false},
    {"batch", BATCH(RAGGED), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MIXED), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MIXED), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(SQR), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, false},
    {"batch", BATCH(SQR), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MULMOD), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MULMOD_COMMON), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(SQRMOD_COMMON), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(DIVREM), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(POWM), 2, 6, 12, 13, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(PRIME), 2, 6, 11, 12, 1, 1, 1, 1, NULL, NULL, false},
    {"batch", BATCH(MUL), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, true},
    {"batch", BATCH(MUL), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(RAGGED), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, true},
    {"batch", BATCH(RAGGED), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(MIXED), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, true},
    {"batch", BATCH(MIXED), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(SQR), 1, 1, 64, 64, 1, 64, 1, 1, NULL, NULL, true},
    {"batch", BATCH(SQR), 2, 13, 20, 20, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(MULMOD), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(MULMOD_COMMON), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(SQRMOD_COMMON), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(DIVREM), 2, 6, 14, 16, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(POWM), 2, 6, 12, 13, 1, 1, 1, 1, NULL, NULL, true},
    {"batch", BATCH(PRIME), 2, 6, 11, 12, 1, 1, 1, 1, NULL, NULL, true},
    {"mpz", MPZ(ADD_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(MUL_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(ADDMUL_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(ADDMUL), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(CMP_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(TDIV_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(MOD_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(DIVEXACT_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(DIVISIBLE_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(AND), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(OR), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(XOR), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(AND_NEGATIVE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(COM), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(POPCOUNT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(HAMMING), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(SCAN1), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(TSTBIT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(SETBIT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(MUL_2EXP), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FDIV_2EXP), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FDIV_R_2EXP), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FDIV_2EXP_NEGATIVE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FDIV_R_2EXP_NEGATIVE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(DIVREM), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FDIV_NEGATIVE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(MOD), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(DIVEXACT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(DIVISIBLE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(SQRT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(SQRTREM), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(ROOT_3), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(IS_SQUARE), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(GCD), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(GCD_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(LCM), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(INVERT), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(KRONECKER), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(IS_PRIME), 2, 6, 10, 10, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(NEXT_PRIME), 2, 6, 10, 10, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(FIBONACCI), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(LUCAS), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(BINOMIAL), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"mpz", MPZ(POW_U64), 2, 6, 16, 16, 1, 1, 1, 1, NULL, NULL, false},
    {"carry", &bench_case_carry, 2, 10, 22, 26, 4, 1, 1, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_mul, 2, 13, 23, 23, 1, 1, 1, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_mul_checked, 2, 13, 23, 23, 1, 1, 1, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_sqr, 2, 13, 23, 23, 1, 1, 1, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_sqr_checked, 2, 13, 23, 23, 1, 1, 1, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_mul, 2, 13, 22, 22, 1, 3, 2, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_mul_checked, 2, 13, 22, 22, 1, 3, 2, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_sqr, 2, 13, 22, 22, 1, 3, 2, 1, NULL, NULL, false},
    {"certified", &bench_case_certified_sqr_checked, 2, 13, 22, 22, 1, 3, 2, 1, NULL, NULL, false},
    {"fft", &bench_case_fft, 2, 8, 18, 24, 1, 1, 1, 1, NULL, NULL, false},
    {"fft", &bench_case_rfft, 2, 8, 18, 24, 1, 1, 1, 1, NULL, NULL, false},
};

const bench_sweep *bench_sweeps(size_t *count) {
    *count = sizeof sweeps / sizeof sweeps[0];
    return sweeps;
}

const char *bench_unit_name(bench_unit unit) {
    static const char *const names[] = {[UNIT_BITS] = "bits",
                                        [UNIT_DIGITS] = "digits",
                                        [UNIT_COEFFICIENTS] = "coefficients",
                                        [UNIT_POINTS] = "points"};
    return names[unit];
}

bool bench_failed(bench_state *s, bigint_status status) {
    const char *text = bigint_ctx_error(s->ctx);
    snprintf(s->error, sizeof s->error, "%s", text[0] ? text : bigint_status_text(status));
    return false;
}

bool bench_limbs(bench_state *s, size_t n) {
    if (n > s->limbs_cap) {
        free(s->limbs);
        s->limbs = malloc(n * sizeof *s->limbs);
        s->limbs_cap = s->limbs ? n : 0;
    }
    if (!s->limbs && n > 0) {
        snprintf(s->error, sizeof s->error, "no memory for %zu limbs", n);
        return false;
    }
    return true;
}

bool bench_set_random(bench_state *s, bigint *x, mpz_t gx, uint64_t bits, uint64_t seed) {
    size_t n = (size_t)((bits + 63) / 64);
    mp_limb_t *limbs = mpz_limbs_write(gx, (mp_size_t)n);
    gen g = gen_seed(seed);
    for (size_t i = 0; i < n; i++) {
        limbs[i] = gen_u64(&g);
    }
    unsigned top = (unsigned)((bits - 1) % 64);  // position of the top bit in the top limb
    limbs[n - 1] >>= 63 - top;
    limbs[n - 1] |= (uint64_t)1 << top;
    mpz_limbs_finish(gx, (mp_size_t)n);
    return bench_ok(s, bigint_set_limbs(s->ctx, x, limbs, n, 1));
}

bool bench_same(bench_state *s, const bigint *x, const mpz_t gx) {
    uint64_t need = bigint_limbs_bound(x);
    int sign;
    size_t n = mpz_size(gx);
    if (!bench_limbs(s, need) ||
        !bench_ok(s, bigint_get_limbs(s->ctx, s->limbs, need, &need, &sign, x))) {
        return false;
    }
    const mp_limb_t *want = mpz_limbs_read(gx);
    if (need != n || sign != mpz_sgn(gx)) {
        snprintf(s->error, sizeof s->error, "WRONG: %zu limbs of sign %d, GMP has %zu of sign %d",
                 (size_t)need, sign, n, mpz_sgn(gx));
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        if (s->limbs[i] != want[i]) {
            snprintf(s->error, sizeof s->error, "WRONG: limb %zu of %zu differs from GMP's", i, n);
            return false;
        }
    }
    return true;
}

bool bench_prepare_one(bench_state *s, const bench_row *row) {
    return bench_set_random(s, &s->a, s->ga, row->an, 1);
}

bool bench_check_result(void *state) {
    bench_state *s = state;
    return bench_same(s, &s->r, s->gr);
}

static bool open_ctx(bench_state *s, bigint_ctx **ctx, const bigint_ctx_options *options) {
    bigint_status status = bigint_ctx_create(ctx, NULL, options);
    if (status != BIGINT_OK) {
        const char *text = bigint_ctx_error(*ctx);
        snprintf(s->error, sizeof s->error, "%s", *ctx ? text : bigint_status_text(status));
        bigint_ctx_destroy(*ctx);
        *ctx = NULL;
    }
    return status == BIGINT_OK;
}

bool bench_state_open(bench_state *s, const bigint_ctx_options *options, bool with_single) {
    *s = (bench_state){.options = *options};
    if (!open_ctx(s, &s->ctx, options)) {
        return false;
    }
    bigint_ctx_options one = *options;
    one.threads = 1;
    if (with_single && !open_ctx(s, &s->single, &one)) {
        bigint_ctx_destroy(s->ctx);
        return false;
    }
    mpz_inits(s->ga, s->gb, s->gm, s->gr, s->gs, NULL);
    return true;
}

void bench_state_close(bench_state *s) {
    bigint *integers[] = {&s->a, &s->b, &s->m, &s->r, &s->s, &s->sum, &s->product};
    for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
        bigint_clear(s->ctx, integers[i]);
    }
    mpz_clears(s->ga, s->gb, s->gm, s->gr, s->gs, NULL);
    free(s->text_a);
    free(s->text_b);
    free(s->text_r);
    free(s->text_gr);
    free(s->limbs);
    bigint_ctx_destroy(s->single);
    bigint_ctx_destroy(s->ctx);
    malloc_trim(0);  // the next row starts with the same heap
}
