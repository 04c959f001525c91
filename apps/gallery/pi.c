// pi.c: SIZE decimal digits of pi, by Chudnovsky's series and binary splitting.
#include "apps/gallery/ours.h"

static char *text;
static uint64_t digits;

// split: of the terms from a to b - 1. p is the product of the numerators, q that of the
// denominators, t / q the sum.
static void split(bigint *p, bigint *q, bigint *t, uint64_t a, uint64_t b) {
    if (b == a + 1) {
        must(bigint_set_u64(ctx, p, a == 0 ? 1 : 6 * a - 5));
        must(bigint_mul_u64(ctx, p, p, a == 0 ? 1 : 2 * a - 1));
        must(bigint_mul_u64(ctx, p, p, a == 0 ? 1 : 6 * a - 1));
        must(bigint_set_u64(ctx, q, a == 0 ? 1 : 10939058860032000));  // 640320^3 / 24
        for (int i = 0; i < 3 && a > 0; i++) {
            must(bigint_mul_u64(ctx, q, q, a));
        }
        must(bigint_mul_u64(ctx, t, p, 13591409 + 545140134 * a));
        must(a % 2 == 1 ? bigint_neg(ctx, t, t) : BIGINT_OK);
        return;
    }
    bigint p2 = BIGINT_INIT, q2 = BIGINT_INIT, t2 = BIGINT_INIT;
    const uint64_t middle = a + (b - a) / 2;
    split(p, q, t, a, middle);
    split(&p2, &q2, &t2, middle, b);
    must(bigint_mul(ctx, t, t, &q2));
    must(bigint_addmul(ctx, t, p, &t2));
    must(bigint_mul(ctx, p, p, &p2));
    must(bigint_mul(ctx, q, q, &q2));
    bigint_clear(ctx, &p2);
    bigint_clear(ctx, &q2);
    bigint_clear(ctx, &t2);
}

void prepare(uint64_t size) {
    open_context(1);
    digits = size;
    text = malloc(size + 20);
}

void compute(void) {
    bigint p = BIGINT_INIT, q = BIGINT_INIT, t = BIGINT_INIT, root = BIGINT_INIT;
    split(&p, &q, &t, 0, digits / 14 + 2);
    must(bigint_u64_pow_u64(ctx, &root, 10, 2 * (digits + 10)));  // ten digits to spare
    must(bigint_mul_u64(ctx, &root, &root, 10005));
    must(bigint_sqrt(ctx, &root, NULL, &root));
    must(bigint_mul(ctx, &q, &q, &root));
    must(bigint_mul_u64(ctx, &q, &q, 426880));
    must(bigint_divrem(ctx, &q, NULL, &q, &t));
    must(bigint_get_decimal(ctx, text, digits + 20, NULL, &q));
    bigint_clear(ctx, &p);
    bigint_clear(ctx, &q);
    bigint_clear(ctx, &t);
    bigint_clear(ctx, &root);
}

void print(void) { printf("3.%.*s\n", (int)digits, text + 1); }
