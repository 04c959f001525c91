// numbers.c: see numbers.h.
#include "tests/bigint/device/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/oracle.h"

uint64_t numbers_length(const numbers *s, uint64_t i) {
    return s->span.lengths != NULL ? s->span.lengths[i] : s->span.n;
}

uint64_t *numbers_at(const numbers *s, uint64_t i) {
    return s->host + (s->span.offsets != NULL ? s->span.offsets[i] : i * s->span.stride);
}

numbers numbers_open(uint64_t n, uint64_t stride, uint64_t count) {
    numbers s = {.words = count * (n + stride) + 1};
    s.host = malloc(s.words * sizeof *s.host);
    s.lengths = malloc((count + 1) * sizeof *s.lengths);
    s.offsets = malloc((count + 1) * sizeof *s.offsets);
    memset(s.host, 0x77, s.words * sizeof *s.host);
    s.span = (bigint_span){
        .p = device_alloc(s.words * sizeof *s.host), .n = n, .stride = stride, .count = count};
    return s;
}

void numbers_close(numbers *s) {
    device_free(s->span.p);
    free(s->host), free(s->lengths), free(s->offsets);
}

bool numbers_upload(const numbers *s) {
    return device_upload(s->span.p, s->host, s->words * sizeof *s->host);
}

bool numbers_download(const numbers *s) {
    return device_download(s->host, s->span.p, s->words * sizeof *s->host);
}

numbers numbers_draw(gen *g, uint64_t min_n, uint64_t max_n, uint64_t count) {
    const uint64_t n = min_n + gen_below(g, max_n + 1 - min_n), form = gen_below(g, 4);
    numbers s = numbers_open(n, form == 0 ? 0 : n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        s.lengths[i] = min_n + gen_below(g, n + 1 - min_n);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    s.span.lengths = form >= 2 ? s.lengths : NULL;
    s.span.offsets = form == 3 ? s.offsets : NULL;
    for (uint64_t i = 0; i < (n == 0 ? 0 : count); i++) {
        gen_limbs(g, (gen_shape)gen_below(g, GEN_SHAPES), s.host + i * s.span.stride, n);
    }
    numbers_upload(&s);
    return s;
}

numbers numbers_ragged(gen *g, const uint64_t *lengths, uint64_t count, bool as_result) {
    uint64_t n = 0;
    for (uint64_t i = 0; i < count; i++) {
        n = lengths[i] > n ? lengths[i] : n;
    }
    numbers s = numbers_open(n, n + 1 - n % 2, count);
    memcpy(s.lengths, lengths, count * sizeof *lengths);
    s.span.lengths = s.lengths;
    for (uint64_t i = 0; i < count && !as_result; i++) {
        if (lengths[i] > 0) {
            gen_limbs(g, i % 2 == 0 ? GEN_ONES : GEN_UNIFORM, numbers_at(&s, i), lengths[i]);
        }
    }
    numbers_upload(&s);
    return s;
}

numbers numbers_draw_moduli(gen *g, uint64_t max_n, uint64_t count) {
    numbers s = numbers_draw(g, 1, max_n, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t *p = numbers_at(&s, i);
        p[0] |= gen_below(g, 4) != 0 || p[0] == 0;
    }
    numbers_upload(&s);
    return s;
}

numbers numbers_draw_results(gen *g, const numbers *least) {
    const uint64_t count = least->span.count, n = least->span.n + gen_below(g, 3);
    numbers s = numbers_open(n, n + gen_below(g, 4), count);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t length = numbers_length(least, i);
        s.lengths[i] = length + gen_below(g, n + 1 - length);
        s.offsets[i] = (count - 1 - i) * s.span.stride;
    }
    s.span.lengths = gen_below(g, 2) == 0 ? s.lengths : NULL;
    s.span.offsets = gen_below(g, 2) == 0 ? s.offsets : NULL;
    numbers_upload(&s);
    return s;
}

// expect_marks: n words of r are as they were before the call.
static void expect_marks(const numbers *r, uint64_t marks) {
    for (uint64_t i = 0; i < r->words; i++) {
        marks -= r->host[i] == NUMBERS_MARK;
    }
    EXPECT_EQ(marks, 0u);
}

// expect_products: r is a b modulo m, or if m is NULL a b, and padded; nothing else was written.
static void expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b,
                            mpz_srcptr m) {
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(r));
    uint64_t marks = r->words;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    for (uint64_t i = 0; i < r->span.count; i++) {
        SCOPED_TRACE("number %llu of %llu by %llu limbs", (unsigned long long)i,
                     (unsigned long long)numbers_length(a, i),
                     (unsigned long long)numbers_length(b, i));
        oracle_load(x, numbers_at(a, i), numbers_length(a, i));
        oracle_load(y, numbers_at(b, i), numbers_length(b, i));
        mpz_mul(x, x, y);
        if (m != NULL) {
            mpz_mod(x, x, m);
        }
        EXPECT_VALUE(numbers_at(r, i), numbers_length(r, i), x);
        marks -= numbers_length(r, i);
    }
    mpz_clears(x, y, NULL);
    expect_marks(r, marks);
}

void numbers_expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b) {
    expect_products(ctx, r, a, b, NULL);
}

void numbers_expect_residues(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b,
                             uint64_t bits, bool plus) {
    mpz_t m;
    mpz_init_set_ui(m, 1);
    mpz_mul_2exp(m, m, bits);
    (plus ? mpz_add_ui : mpz_sub_ui)(m, m, 1);
    expect_products(ctx, r, a, b, m);
    mpz_clear(m);
}

void numbers_expect_powers(bigint_ctx *ctx, numbers *r, const numbers *base,
                           const numbers *exponent, const numbers *modulus) {
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(numbers_download(r));
    uint64_t marks = r->words;
    mpz_t x, e, m;
    mpz_inits(x, e, m, NULL);
    for (uint64_t i = 0; i < r->span.count; i++) {
        SCOPED_TRACE("power %d: %d limbs to %d modulo %d", (int)i, (int)numbers_length(base, i),
                     (int)numbers_length(exponent, i), (int)numbers_length(modulus, i));
        oracle_load(x, numbers_at(base, i), numbers_length(base, i));
        oracle_load(e, numbers_at(exponent, i), numbers_length(exponent, i));
        oracle_load(m, numbers_at(modulus, i), numbers_length(modulus, i));
        mpz_powm(x, x, e, m);
        EXPECT_VALUE(numbers_at(r, i), numbers_length(r, i), x);
        marks -= numbers_length(r, i);
    }
    mpz_clears(x, e, m, NULL);
    expect_marks(r, marks);
}
