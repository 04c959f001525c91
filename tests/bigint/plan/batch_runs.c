// batch_runs.c: see call_runs.h: batches.
#include <stdbool.h>
#include <stdlib.h>

#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_runs.h"
#include "tests/ctest/ctest.h"

// place_limbs: `all` limbs in the memory of spans: a device's in s->t, else the host's, *host to be
// freed. Limbs of numbers are what `fill` writes.
static uint64_t *place_limbs(numbers *s, uint64_t **host, uint64_t all,
                             void (*fill)(uint64_t *p, const void *arg), const void *arg) {
    uint64_t *const p = calloc(all + 1, sizeof *p);
    *host = p;
    fill(p, arg);
    if (fixture_place() < 0) {
        return p;
    }
    p[all] = 1;  // so that no limb below is a top limb that is left out
    EXPECT_EQ(bigint_set_limbs(s->other, &s->t, p, all + 1, 1), BIGINT_OK);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    return bigint_device_limbs(&s->t);
}

// layout: where the numbers of a batch's spans begin, and how they are filled.
typedef struct {
    uint64_t count, an, bn, mn;  // a, b, moduli
    uint64_t b_bits;             // of b, exponents
    bool odd;                    // moduli
} layout;

static void fill(uint64_t *p, const void *arg) {
    const layout *const l = arg;
    gen g = gen_seed(5);
    const uint64_t limbs = l->count * (l->an + l->bn + l->mn);
    for (uint64_t i = 0; i < limbs; i++) {
        p[i] = gen_u64(&g) | (uint64_t)1 << 63;
    }
    for (uint64_t i = 0; i < l->count && l->b_bits > 0; i++) {
        p[l->count * l->an + (i + 1) * l->bn - 1] >>= 64 * l->bn - l->b_bits;
    }
    uint64_t *const m = p + l->count * (l->an + l->bn);
    for (uint64_t i = 0; i < l->count && l->mn > 0; i++) {
        m[i * l->mn] = (m[i * l->mn] & ~(uint64_t)1) | (l->odd ? 1 : 0);
    }
}

static bigint_span span(uint64_t *p, uint64_t n, uint64_t count) {
    return (bigint_span){p, n, n, count, NULL, NULL};
}

// products: variant 1: with one common factor.
static bigint_status products(numbers *s, const bigint_call *c, int variant) {
    const bool sums = c->kind == BIGINT_CALL_MUL_SUM_BATCH;
    const bool rings = !sums && c->kind != BIGINT_CALL_MUL_BATCH;
    const uint64_t rn = rings ? c->k / 64 + 1 : c->an + c->bn + 1;
    const layout l = {c->count, c->an, c->bn, 0, 0, false};
    uint64_t *host, *const p = place_limbs(s, &host, c->count * (c->an + c->bn + rn), fill, &l);
    const bigint_span a = span(p, c->an, c->count),
                      r = span(p + c->count * (c->an + c->bn), rn, c->count);
    bigint_span b = span(p + c->count * c->an, c->bn, c->count);
    b.stride = variant == 1 ? 0 : b.stride;
    const bigint_status status =
        sums ? bigint_mul_sum_batch(s->ctx, &r, NULL, &a, &b, NULL, &a, &b, NULL)
        : c->kind == BIGINT_CALL_MUL_MINUS1_BATCH
            ? bigint_mul_mod_2exp_minus1_batch(s->ctx, &r, &a, &b, c->k)
        : c->kind == BIGINT_CALL_MUL_PLUS1_BATCH
            ? bigint_mul_mod_2exp_plus1_batch(s->ctx, &r, &a, &b, c->k)
            : bigint_mul_batch(s->ctx, &r, &a, &b);
    EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    free(host);
    return status;
}

// modular: variant 1: modulo one odd number; 2: modulo even numbers, or the remainders alone.
static bigint_status modular(numbers *s, const bigint_call *c, int variant) {
    const uint64_t mn = c->bn, en = c->kind == BIGINT_CALL_POWM_BATCH     ? (c->k + 63) / 64
                                    : c->kind == BIGINT_CALL_MULMOD_BATCH ? c->k
                                                                          : 0;
    const layout l = {c->count,    c->an, en, mn, c->kind == BIGINT_CALL_POWM_BATCH ? c->k : 0,
                      variant != 2};
    const uint64_t operands = c->count * (c->an + en + mn), results = c->count * (mn + c->an);
    uint64_t *host, *const p = place_limbs(s, &host, operands + results, fill, &l);
    uint64_t *const rp = p + operands;
    const bigint_span a = span(p, c->an, c->count), b = span(p + c->count * c->an, en, c->count),
                      r = span(rp, mn, c->count), q = span(rp + c->count * mn, c->an, c->count);
    bigint_span m = span(p + c->count * (c->an + en), mn, c->count);
    m.stride = variant == 1 ? 0 : m.stride;
    bigint_status status = BIGINT_EINVAL;
    switch (c->kind) {
        case BIGINT_CALL_POWM_BATCH:
            status = bigint_powm_batch(s->ctx, &r, &a, &b, &m);
            break;
        case BIGINT_CALL_MULMOD_BATCH:
            status = bigint_mulmod_batch(s->ctx, &r, &a, &b, &m);
            break;
        case BIGINT_CALL_SQRMOD_BATCH:
            status = bigint_sqrmod_batch(s->ctx, &r, &a, &m);
            break;
        case BIGINT_CALL_INVMOD_BATCH:
            status = bigint_invmod_batch(s->ctx, &r, &a, &m);
            break;
        default:
            status = bigint_divrem_batch(s->ctx, variant == 2 ? NULL : &q, &r, &a, &m);
            break;
    }
    EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    free(host);
    return status;
}

bigint_status run_batch(numbers *s, const bigint_call *c, int variant) {
    switch (c->kind) {
        case BIGINT_CALL_MUL_BATCH:
        case BIGINT_CALL_MUL_SUM_BATCH:
        case BIGINT_CALL_MUL_MINUS1_BATCH:
        case BIGINT_CALL_MUL_PLUS1_BATCH:
            return products(s, c, variant);
        case BIGINT_CALL_POWM_BATCH:
        case BIGINT_CALL_MULMOD_BATCH:
        case BIGINT_CALL_SQRMOD_BATCH:
        case BIGINT_CALL_INVMOD_BATCH:
        case BIGINT_CALL_DIVREM_BATCH:
            return modular(s, c, variant);
        default:
            return BIGINT_EINVAL;
    }
}
