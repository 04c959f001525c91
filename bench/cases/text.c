// text.c: decimal text to number (mpz_set_str), number to text (mpz_get_str), and the product
// of two texts as text.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/cases/cases.h"
#include "tests/support/gen.h"

// n decimal digits, the first one not zero, and a NUL; NULL without memory.
static char *random_digits(bench_state *s, size_t n, uint64_t seed) {
    char *text = malloc(n + 1);
    if (!text) {
        snprintf(s->error, sizeof s->error, "no memory for %zu digits", n);
        return NULL;
    }
    gen g = gen_seed(seed);
    gen_digits(&g, text, n);
    text[0] = (char)('1' + gen_below(&g, 9));
    text[n] = '\0';
    return text;
}

// Buffers for results of up to `digits` digits: a sign, one digit that the bound may be too many,
// NUL.
static bool result_buffers(bench_state *s, size_t digits) {
    s->cap_r = digits + 3;
    s->text_r = malloc(s->cap_r);
    s->text_gr = malloc(s->cap_r);
    if (!s->text_r || !s->text_gr) {
        snprintf(s->error, sizeof s->error, "no memory for %zu digits", digits);
        return false;
    }
    s->text_r[0] = s->text_gr[0] = '\0';
    return true;
}

static bool prepare_read(bench_state *s, const bench_row *row) {
    s->length_a = row->an;
    s->text_a = random_digits(s, s->length_a, 1);
    return s->text_a != NULL;
}

static bool read_text(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_set_decimal(s->ctx, &s->r, s->text_a, s->length_a, NULL));
}

static bool gmp_read(void *state) {
    bench_state *s = state;
    return mpz_set_str(s->gr, s->text_a, 10) == 0;
}

const bench_case bench_case_read = {
    .name = "text",
    .op = "read",
    .unit = UNIT_DIGITS,
    .prepare = prepare_read,
    .ours = read_text,
    .theirs = gmp_read,
    .check = bench_check_result,
    .work_note = "made of products: see mul",
};

static bool prepare_write(bench_state *s, const bench_row *row) {
    if (!prepare_read(s, row) || !result_buffers(s, row->an) || !gmp_read(s)) {
        return false;
    }
    return bench_ok(s, bigint_set_limbs(s->ctx, &s->a, mpz_limbs_read(s->gr), mpz_size(s->gr), 1));
}

static bool write_text(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_get_decimal(s->ctx, s->text_r, s->cap_r, NULL, &s->a));
}

static bool gmp_write(void *state) {
    bench_state *s = state;
    mpz_get_str(s->text_gr, 10, s->gr);
    return true;
}

static bool check_text(void *state) {
    bench_state *s = state;
    size_t i = 0;
    while (s->text_r[i] == s->text_gr[i] && s->text_r[i]) {
        i++;
    }
    if (s->text_r[i] != s->text_gr[i]) {
        snprintf(s->error, sizeof s->error, "WRONG: character %zu differs from GMP's", i);
        return false;
    }
    return true;
}

const bench_case bench_case_write = {
    .name = "text",
    .op = "write",
    .unit = UNIT_DIGITS,
    .prepare = prepare_write,
    .ours = write_text,
    .theirs = gmp_write,
    .check = check_text,
    .work_note = "made of products: see mul",
};

static bool prepare_mul_text(bench_state *s, const bench_row *row) {
    s->length_b = row->bn;
    s->text_b = random_digits(s, s->length_b, 2);
    return s->text_b && prepare_read(s, row) && result_buffers(s, row->an + row->bn);
}

static bool mul_text(void *state) {
    bench_state *s = state;
    return bench_ok(s, bigint_mul_decimal(s->ctx, s->text_r, s->cap_r, NULL, s->text_a, s->length_a,
                                          s->text_b, s->length_b, NULL));
}

static bool gmp_mul_text(void *state) {
    bench_state *s = state;
    if (mpz_set_str(s->ga, s->text_a, 10) != 0 || mpz_set_str(s->gb, s->text_b, 10) != 0) {
        return false;
    }
    mpz_mul(s->gr, s->ga, s->gb);
    mpz_get_str(s->text_gr, 10, s->gr);
    return true;
}

const bench_case bench_case_mul_text = {
    .name = "text",
    .op = "mul",
    .unit = UNIT_DIGITS,
    .prepare = prepare_mul_text,
    .ours = mul_text,
    .theirs = gmp_mul_text,
    .check = check_text,
    .work_note = "in radix 10^k: no count of operations is stated",
};
