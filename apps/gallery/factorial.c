// factorial.c: SIZE!
#include "apps/gallery/ours.h"

static bigint r = BIGINT_INIT;
static uint64_t n;

void prepare(uint64_t size) {
    open_context(1);
    n = size;
}

void compute(void) { must(bigint_factorial(ctx, &r, n)); }

void print(void) { show(&r); }
