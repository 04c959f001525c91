// pi_gmp.c: SIZE decimal digits of pi, by Chudnovsky's series and binary splitting, by GMP.
#include "apps/gallery/theirs.h"

static char *text;
static uint64_t digits;

static void split(mpz_t p, mpz_t q, mpz_t t, uint64_t a, uint64_t b) {
    if (b == a + 1) {
        mpz_set_ui(p, a == 0 ? 1 : 6 * a - 5);
        mpz_mul_ui(p, p, a == 0 ? 1 : 2 * a - 1);
        mpz_mul_ui(p, p, a == 0 ? 1 : 6 * a - 1);
        mpz_set_ui(q, a == 0 ? 1 : 10939058860032000);
        for (int i = 0; i < 3 && a > 0; i++) {
            mpz_mul_ui(q, q, a);
        }
        mpz_mul_ui(t, p, 13591409 + 545140134 * a);
        if (a % 2 == 1) {
            mpz_neg(t, t);
        }
        return;
    }
    mpz_t p2, q2, t2;
    mpz_inits(p2, q2, t2, NULL);
    const uint64_t middle = a + (b - a) / 2;
    split(p, q, t, a, middle);
    split(p2, q2, t2, middle, b);
    mpz_mul(t, t, q2);
    mpz_addmul(t, p, t2);
    mpz_mul(p, p, p2);
    mpz_mul(q, q, q2);
    mpz_clears(p2, q2, t2, NULL);
}

void prepare(uint64_t size) {
    digits = size;
    text = malloc(size + 20);
}

void compute(void) {
    mpz_t p, q, t, root;
    mpz_inits(p, q, t, root, NULL);
    split(p, q, t, 0, digits / 14 + 2);
    mpz_ui_pow_ui(root, 10, 2 * (digits + 10));
    mpz_mul_ui(root, root, 10005);
    mpz_sqrt(root, root);
    mpz_mul(q, q, root);
    mpz_mul_ui(q, q, 426880);
    mpz_tdiv_q(q, q, t);
    mpz_get_str(text, 10, q);
    mpz_clears(p, q, t, root, NULL);
}

void print(void) { printf("3.%.*s\n", (int)digits, text + 1); }
