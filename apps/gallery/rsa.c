// rsa.c: an RSA signature with a modulus of SIZE bits, by the Chinese remainder theorem, and its
// check. A demonstration: bigint_powm is not for secrets (bigint_powm_sec is), and there is no
// padding.
#include "apps/gallery/ours.h"

static bigint p, q, n, dp, dq, q_inverse, message, signature, checked, e;

// prime: x = the first prime with e not a divisor of x - 1, from random words with the two top bits
// set.
static void prime(bigint *x, uint64_t bits, uint64_t seed) {
    const uint64_t words = (bits + 63) / 64;
    uint64_t *const w = malloc(words * sizeof *w);
    random_words(w, words, seed);
    must(bigint_set_limbs(ctx, x, w, words, 1));
    must(bigint_fdiv_r_2exp(ctx, x, x, bits));
    must(bigint_setbit(ctx, x, bits - 1));
    must(bigint_setbit(ctx, x, bits - 2));
    uint64_t rest = 1;
    for (; rest == 1; must(bigint_fdiv_u64(ctx, NULL, &rest, x, 65537))) {
        must(bigint_next_prime(ctx, x, x));
    }
    free(w);
}

void prepare(uint64_t size) {
    open_context(1);
    prime(&p, size / 2, 1);
    prime(&q, size / 2, 2);
    bigint one = BIGINT_INIT;
    must(bigint_mul(ctx, &n, &p, &q));
    must(bigint_set_u64(ctx, &e, 65537));
    must(bigint_sub_u64(ctx, &one, &p, 1));
    must(bigint_invert(ctx, NULL, &dp, &e, &one));
    must(bigint_sub_u64(ctx, &one, &q, 1));
    must(bigint_invert(ctx, NULL, &dq, &e, &one));
    must(bigint_invert(ctx, NULL, &q_inverse, &q, &p));
    must(bigint_tdiv_2exp(ctx, &message, &n, 3));
    bigint_clear(ctx, &one);
}

void compute(void) {
    bigint sp = BIGINT_INIT, sq = BIGINT_INIT;
    must(bigint_powm(ctx, &sp, &message, &dp, &p));
    must(bigint_powm(ctx, &sq, &message, &dq, &q));
    must(bigint_sub(ctx, &sp, &sp, &sq));  // signature = sq + q ((sp - sq) / q mod p)
    must(bigint_mul(ctx, &sp, &sp, &q_inverse));
    must(bigint_mod(ctx, &sp, &sp, &p));
    must(bigint_mul(ctx, &signature, &sp, &q));
    must(bigint_add(ctx, &signature, &signature, &sq));
    must(bigint_powm(ctx, &checked, &signature, &e, &n));
    bigint_clear(ctx, &sp);
    bigint_clear(ctx, &sq);
}

void print(void) {
    int order = 1;
    must(bigint_cmp(ctx, &order, &checked, &message));
    show(&signature);
    puts(order == 0 ? "the signature is right" : "the signature is wrong");
}
