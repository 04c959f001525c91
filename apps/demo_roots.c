// demo_roots.c: the product of the decimal digits of two square roots, from text to text. May
// include demo.h.
//
// Part one multiplies the texts in a decimal radix; part two converts to limbs and back, as GMP
// must.
#include <stdlib.h>
#include <string.h>

#include "apps/demo.h"
#include "apps/machine.h"
#include "apps/program.h"

typedef struct {
    char *digits;
    size_t length;
} text;

static text allocate_text(size_t length) {
    return (text){program_memory(length + 1, 1, "digits"), length};
}

// The first n digits of the square root of m < 100, without the point, by GMP's integer square
// root.
static text root_digits(unsigned long m, size_t n) {
    mpz_t z;
    mpz_init(z);
    mpz_ui_pow_ui(z, 10, 2 * (n - 1));
    mpz_mul_ui(z, z, m);
    mpz_sqrt(z, z);
    const text t = allocate_text(n + 1);  // mpz_get_str may want room for one digit more
    mpz_get_str(t.digits, 10, z);
    mpz_clear(z);
    return (text){t.digits, strlen(t.digits)};
}

// GMP's way: the product's text; z keeps its limbs.
static text product_by_gmp(mpz_t z, const text *a, const text *b, double *seconds) {
    mpz_t y;
    mpz_init(y);
    demo_progress("GMP reads, multiplies and writes");
    const text r = allocate_text(a->length + b->length + 1);
    const double began = seconds_now();
    mpz_set_str(z, a->digits, 10);
    mpz_set_str(y, b->digits, 10);
    const double read = seconds_now();
    mpz_mul(z, z, y);
    const double multiplied = seconds_now();
    mpz_get_str(r.digits, 10, z);
    const double written = seconds_now();
    *seconds = written - began;
    demo_line("GMP", "reads in %.3f s, multiplies in %.3f s, writes in %.3f s", read - began,
              multiplied - read, written - multiplied);
    mpz_clear(y);
    return (text){r.digits, strlen(r.digits)};
}

static void must_be_text(const text *r, const text *expected) {
    demo_must_agree(r->length == expected->length &&
                    memcmp(r->digits, expected->digits, r->length) == 0);
}

// The seconds of the product in a decimal radix, whose text must be `expected`.
static double time_decimal_radix(bigint_ctx *ctx, const text *a, const text *b,
                                 const text *expected) {
    text r = allocate_text(a->length + b->length + 1);
    size_t need;
    const double began = seconds_now();
    place_must(ctx, bigint_mul_decimal(ctx, r.digits, r.length + 1, &need, a->digits, a->length,
                                       b->digits, b->length, NULL));
    const double seconds = seconds_now() - began;
    r.length = need - 1;
    must_be_text(&r, expected);
    free(r.digits);
    return seconds;
}

// The seconds of reading to x and y, multiplying and writing. The limbs must equal z's, and the
// text `expected`.
static double time_conversion(const demo *d, bigint_ctx *ctx, bigint *x, bigint *y, const text *a,
                              const text *b, const mpz_t z, const text *expected) {
    bigint r = BIGINT_INIT;
    text t = allocate_text(a->length + b->length + 1);
    size_t need;
    const double began = seconds_now();
    place_must(ctx, bigint_set_decimal(ctx, x, a->digits, a->length, NULL));
    place_must(ctx, bigint_set_decimal(ctx, y, b->digits, b->length, NULL));
    place_must(ctx, bigint_mul(ctx, &r, x, y));
    place_must(ctx, bigint_get_decimal(ctx, t.digits, t.length + 1, &need, &r));
    const double seconds = seconds_now() - began;
    t.length = need - 1;
    must_be_text(&t, expected);
    demo_must_agree(demo_same(d, &r, z));
    free(t.digits);
    bigint_clear(ctx, &r);
    return seconds;
}

void demo_roots(demo *d) {
    const size_t n = d->quick ? 330000 : 10000000;
    char digits[32], limbs[32];
    demo_title("Square roots of 2 and 3 to %s digits, multiplied from text to text",
               demo_count(digits, n));
    demo_progress("GMP extracts the roots");
    const text a = root_digits(2, n);
    const text b = root_digits(3, n);
    mpz_t z;
    mpz_init(z);
    double gmp;
    const text product = product_by_gmp(z, &a, &b, &gmp);
    demo_count(digits, product.length);
    demo_count(limbs, mpz_size(z));

    demo_progress("longmul multiplies in a decimal radix");
    demo_times t = {.gmp = gmp};
    t.one = time_decimal_radix(d->one, &a, &b, &product);
    bigint_ctx_trim(d->one);
    t.many = time_decimal_radix(d->many, &a, &b, &product);
    bigint_ctx_trim(d->many);
    demo_line("", "In a decimal radix, by bigint_mul_decimal:");
    demo_ratio(d, "Roots of 2 and 3, text to text, decimal", &t, "");
    demo_line("checked", "equal to GMP: all %s digits", digits);

    demo_line(
        "", "Converted to binary and back, by bigint_set_decimal, bigint_mul, bigint_get_decimal:");
    demo_plan("engine", d->many, mpz_size(z) / 2, mpz_size(z) / 2);
    demo_progress("longmul reads, multiplies and writes");
    bigint x = BIGINT_INIT, y = BIGINT_INIT;
    t.one = time_conversion(d, d->one, &x, &y, &a, &b, z, &product);
    bigint_clear(d->one, &x);
    bigint_clear(d->one, &y);
    bigint_ctx_trim(d->one);
    t.many = time_conversion(d, d->many, &x, &y, &a, &b, z, &product);
    demo_ratio(d, "Roots of 2 and 3, text to text, binary", &t, "");
    demo_line("checked", "equal to GMP: all %s limbs and all %s digits", limbs, digits);
    demo_device(d, &x, &y, z);
    bigint_clear(d->many, &x);
    bigint_clear(d->many, &y);
    mpz_clear(z);
    free(a.digits);
    free(b.digits);
    free(product.digits);
}
