// batch_numbers.c: batch_numbers.h.
#include "tests/bigint/batch_numbers.h"

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

void numbers_expect_products(bigint_ctx *ctx, numbers *r, const numbers *a, const numbers *b) {
    EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
    EXPECT_TRUE(device_download(r->host, r->span.p, r->words * sizeof *r->host));
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
        EXPECT_VALUE(numbers_at(r, i), numbers_length(r, i), x);
        marks -= numbers_length(r, i);
    }
    mpz_clears(x, y, NULL);
    for (uint64_t i = 0; i < r->words; i++) {
        marks -= r->host[i] == NUMBERS_MARK;
    }
    EXPECT_EQ(marks, 0u);
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
