// fixture.c: see fixture.h.
#include "tests/bigint/multiply/fixture.h"

#include <stdio.h>

void mul_label(char *buf, size_t cap, const mul_combination *c) {
    snprintf(buf, cap, "%s_%s", c->engine == NULL ? "auto" : c->engine, c->variant);
    for (char *s = buf; *s != 0; s++) {
        *s = *s == '-' ? '_' : *s;
    }
}

int mul_start(mul_fixture *t, const bigint_ctx_options *options) {
    *t = (mul_fixture){0};
    const bigint_status status = bigint_ctx_create(&t->ctx, NULL, options);
    if (status == BIGINT_ENOBACKEND) {
        bigint_ctx_destroy(t->ctx);
        return 0;
    }
    EXPECT_EQ(status, BIGINT_OK);
    mpz_inits(t->az, t->bz, t->rz, NULL);
    return 1;
}

void mul_stop(mul_fixture *t) {
    mpz_clears(t->az, t->bz, t->rz, NULL);
    bigint_clear(t->ctx, &t->a);
    bigint_clear(t->ctx, &t->b);
    bigint_clear(t->ctx, &t->r);
    bigint_ctx_destroy(t->ctx);
}

void mul_set(mul_fixture *t, gen *g, bigint *x, mpz_t z, gen_shape shape, size_t n) {
    if (n == 0) {
        mpz_set_ui(z, 0);
    } else {
        gen_limbs(g, shape, mpz_limbs_write(z, (mp_size_t)n), n);
        mpz_limbs_finish(z, (mp_size_t)n);
    }
    fixture_set(t->ctx, x, z);
}

void mul_expect_product(mul_fixture *t) {
    SCOPED_TRACE("%zu by %zu limbs", mpz_size(t->az), mpz_size(t->bz));
    mpz_mul(t->rz, t->az, t->bz);
    EXPECT_EQ(bigint_mul(t->ctx, &t->r, &t->a, &t->b), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
    EXPECT_EQ(bigint_mul(t->ctx, &t->r, &t->b, &t->a), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
}

void mul_expect_square(mul_fixture *t) {
    SCOPED_TRACE("the square of %zu limbs", mpz_size(t->az));
    mpz_mul(t->rz, t->az, t->az);
    EXPECT_EQ(bigint_sqr(t->ctx, &t->r, &t->a), BIGINT_OK);
    EXPECT_BIGINT(t->ctx, &t->r, t->rz);
}
