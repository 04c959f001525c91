// demo_primes.c: the product of the two largest known primes. May include demo.h.
#include <stdlib.h>
#include <string.h>

#include "apps/demo.h"
#include "apps/machine.h"

// r = 2^p - 1.
static void set_mersenne(const demo *d, bigint *r, unsigned long p) {
    bigint one = BIGINT_INIT;
    place_must(d->many, bigint_set_u64(d->many, &one, 1));
    place_must(d->many, bigint_mul_2exp(d->many, r, &one, p));
    place_must(d->many, bigint_sub(d->many, r, r, &one));
    bigint_clear(d->many, &one);
}

static void set_mersenne_mpz(mpz_t r, unsigned long p) {
    mpz_set_ui(r, 1);
    mpz_mul_2exp(r, r, p);
    mpz_sub_ui(r, r, 1);
}

static double time_product(bigint_ctx *ctx, bigint *r, bigint *a, bigint *b) {
    const place host = {BIGINT_HOST, ctx};
    place_times t;
    place_must(ctx, place_mul(&host, r, a, b, &t));
    return t.product;
}

static double time_product_mpz(mpz_t r, const mpz_t a, const mpz_t b) {
    const double began = seconds_now();
    mpz_mul(r, a, b);
    return seconds_now() - began;
}

// The same two facts by arithmetic that never sees the product: its length from a logarithm, its
// last twenty digits modulo 10^20.
static bool text_agrees(const char *text, size_t length, unsigned long p, unsigned long q) {
    mpz_t two, modulus, x, y;
    mpz_inits(two, modulus, x, y, NULL);
    mpz_set_ui(two, 2);
    mpz_ui_pow_ui(modulus, 10, 20);
    mpz_powm_ui(x, two, p, modulus);
    mpz_powm_ui(y, two, q, modulus);
    mpz_sub_ui(x, x, 1);
    mpz_sub_ui(y, y, 1);
    mpz_mul(x, x, y);
    mpz_mod(x, x, modulus);
    char expected[24];
    gmp_snprintf(expected, sizeof expected, "%020Zd", x);
    mpz_clears(two, modulus, x, y, NULL);
    // (2^p - 1)(2^q - 1) is below 2^(p+q) by a factor that no digit count of this size can notice.
    return length == (size_t)((double)(p + q) * 0.30102999566398119521) + 1 &&
           strcmp(text + length - 20, expected) == 0;
}

void demo_primes(demo *d) {
    const unsigned long p = d->quick ? 1257787 : 136279841;
    const unsigned long q = d->quick ? 859433 : 82589933;
    demo_title("Two Mersenne primes: (2^%lu - 1) (2^%lu - 1)", p, q);
    bigint a = BIGINT_INIT, b = BIGINT_INIT, r = BIGINT_INIT;
    mpz_t x, y, z;
    mpz_inits(x, y, z, NULL);
    set_mersenne(d, &a, p);
    set_mersenne(d, &b, q);
    set_mersenne_mpz(x, p);
    set_mersenne_mpz(y, q);
    demo_plan("engine", d->many, bigint_limbs_bound(&a), bigint_limbs_bound(&b));

    double many[ROUNDS], one[ROUNDS], gmp[ROUNDS];
    demo_progress("multiplying three times by each of GMP, one thread, all threads");
    for (int i = 0; i < ROUNDS; i++) {
        gmp[i] = time_product_mpz(z, x, y);
        one[i] = time_product(d->one, &r, &a, &b);
        demo_must_agree(demo_same(d, &r, z));
        many[i] = time_product(d->many, &r, &a, &b);
        demo_must_agree(demo_same(d, &r, z));
    }
    const demo_times t = {demo_middle(many), demo_middle(one), demo_middle(gmp)};
    demo_ratio(d, "Product of two Mersenne primes", &t, " (median of three)");
    char count[32];
    demo_line("checked", "equal to GMP: all %s limbs", demo_count(count, mpz_size(z)));
    bigint_ctx_trim(d->one);
    demo_device(d, &a, &b, z);

    size_t length;
    char *text = demo_text(d, &r, &length);
    demo_must_agree(text_agrees(text, length, p, q));
    demo_line("checked", "length and last 20 digits also by a logarithm and modulo 10^20");
    free(text);
    bigint_clear(d->many, &a);
    bigint_clear(d->many, &b);
    bigint_clear(d->many, &r);
    mpz_clears(x, y, z, NULL);
}
