// gcd.c: the greatest common divisor of two numbers of SIZE bits, half of which they share.
#include "apps/gallery/ours.h"

static bigint a, b, r;

void prepare(uint64_t size) {
    const uint64_t words = (size + 127) / 128;
    uint64_t *const w = malloc(words * sizeof *w);
    bigint common = BIGINT_INIT;
    open_context(1);
    random_words(w, words, 1);
    must(bigint_set_limbs(ctx, &a, w, words, 1));
    random_words(w, words, 2);
    must(bigint_set_limbs(ctx, &b, w, words, 1));
    random_words(w, words, 3);
    must(bigint_set_limbs(ctx, &common, w, words, 1));
    must(bigint_mul(ctx, &a, &a, &common));
    must(bigint_mul(ctx, &b, &b, &common));
    bigint_clear(ctx, &common);
    free(w);
}

void compute(void) { must(bigint_gcd(ctx, &r, &a, &b)); }

void print(void) { show(&r); }
