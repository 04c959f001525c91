// batch.c: 4096 products of numbers of SIZE bits, and their sum.
#include "apps/gallery/ours.h"

enum { COUNT = 4096 };
static bigint_span a, b, r;
static bigint sum = BIGINT_INIT;

static bigint_span span(uint64_t words, uint64_t seed) {
    bigint_limb *const p = malloc(COUNT * words * sizeof *p);
    random_words(p, COUNT * words, seed);
    return (bigint_span){.p = p, .n = words, .stride = words, .count = COUNT};
}

void prepare(uint64_t size) {
    open_context(1);
    a = span((size + 63) / 64, 1);
    b = span(a.n, 2);
    r = span(2 * a.n, 3);
}

void compute(void) { must(bigint_mul_batch(ctx, &r, &a, &b)); }

void print(void) {
    bigint x = BIGINT_INIT;
    for (uint64_t i = 0; i < COUNT; i++) {
        must(bigint_set_limbs(ctx, &x, r.p + i * r.stride, r.n, 1));
        must(bigint_add(ctx, &sum, &sum, &x));
    }
    show(&sum);
    bigint_clear(ctx, &x);
}
