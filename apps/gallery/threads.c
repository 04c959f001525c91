// threads.c: the product of two numbers of SIZE bits, on all processors.
#include "apps/gallery/ours.h"
#include "apps/machine.h"

static bigint a, b, r;

void prepare(uint64_t size) {
    const uint64_t words = (size + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    open_context(processors());
    random_words(w, words, 1);
    must(bigint_set_limbs(ctx, &a, w, words, 1));
    random_words(w, words, 2);
    must(bigint_set_limbs(ctx, &b, w, words, 1));
    free(w);
}

void compute(void) { must(bigint_mul(ctx, &r, &a, &b)); }

void print(void) { show(&r); }
