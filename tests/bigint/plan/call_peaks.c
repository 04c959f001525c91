// call_peaks.c: see call_peaks.h.
#include "tests/bigint/plan/call_peaks.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/core/context.h"
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_runs.h"
#include "tests/ctest/ctest.h"

void call_set(gen *g, bigint_ctx *ctx, bigint *x, uint64_t n) {
    mpz_t z;
    mpz_init(z);
    if (n > 0) {
        fixture_shape(g, GEN_UNIFORM, z, n);
    }
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

// numbers_open makes them by another context, so that they leave nothing in s.ctx.
static numbers numbers_open(bigint_ctx *ctx, const bigint_call *c) {
    numbers s = {.ctx = ctx, .other = ctx};
    const bool texts = c->kind == BIGINT_CALL_SET_TEXT || c->kind == BIGINT_CALL_MUL_DECIMAL;
    gen g = gen_seed(7 * c->an + c->bn + c->k);
    call_set(&g, ctx, &s.a, texts || c->count > 0 ? 0 : c->an);
    call_set(&g, ctx, &s.b, texts || c->count > 0 ? 0 : c->bn);
    if (c->kind == BIGINT_CALL_DIVEXACT) {
        call_set(&g, ctx, &s.q, c->an > c->bn ? c->an - c->bn : 0);
        EXPECT_EQ(bigint_mul(ctx, &s.a, &s.q, &s.b), BIGINT_OK);
        bigint_clear(ctx, &s.q);
    }
    return s;
}

static void numbers_close(numbers *s) {
    bigint *const all[] = {&s->a, &s->b, &s->r, &s->q, &s->t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(s->ctx, all[i]);
    }
}

// divrem_prep: by a divisor that another context has prepared.
static bigint_status divrem_prep(numbers *s, const bigint_call *c) {
    bigint_div_prep *prep;
    bigint_status status = bigint_div_prep_create(s->other, &prep, &s->b, c->k);
    if (status == BIGINT_OK) {
        status = bigint_divrem_prep(s->ctx, &s->q, &s->r, &s->a, prep);
        EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    }
    bigint_div_prep_destroy(s->other, prep);
    return status;
}

static bigint_status div_prep_create(numbers *s, const bigint_call *c) {
    bigint_div_prep *prep;
    const bigint_status status = bigint_div_prep_create(s->ctx, &prep, &s->b, c->k);
    bigint_div_prep_destroy(s->ctx, prep);
    return status;
}

// set_text: of digits that are all the largest; variant 0: into an integer that has room.
static bigint_status set_text(numbers *s, const bigint_call *c, int variant) {
    char *const text = malloc(c->an + 1);
    memset(text, c->k == 2 ? '1' : c->k == 3 ? '2' : '9', c->an);
    text[c->an] = 0;
    bigint_status status = bigint_set_text(s->ctx, &s->r, text, c->an, (int)c->k, NULL);
    if (status == BIGINT_OK && variant == 0) {
        status = bigint_set_text(s->ctx, &s->r, text, c->an, (int)c->k, NULL);
    }
    free(text);
    return status;
}

static bigint_status get_text(numbers *s, const bigint_call *c) {
    const size_t cap = 64 * c->an + 3;
    char *const text = malloc(cap);
    const bigint_status status = bigint_get_text(s->ctx, text, cap, NULL, &s->a, (int)c->k);
    free(text);
    return status;
}

// powm: modulo an odd number; modulo an even one, half of whose limbs are zero; modulo a power of
// 2.
static bigint_status powm(numbers *s, const bigint_call *c, int variant) {
    mpz_t m, e;
    mpz_init(m), mpz_init(e);
    mpz_setbit(e, c->k);
    mpz_sub_ui(e, e, 1);
    mpz_setbit(m, 64 * c->bn - 1);
    if (variant < 2) {
        mpz_setbit(m, variant == 0 ? 0 : 32 * c->bn);
    }
    fixture_set(s->other, &s->t, m);
    fixture_set(s->other, &s->b, e);
    mpz_clear(m), mpz_clear(e);
    EXPECT_EQ(bigint_sync(s->other), BIGINT_OK);
    return bigint_powm(s->ctx, &s->r, &s->a, &s->b, &s->t);
}

static bigint_status mul_decimal(numbers *s, const bigint_call *c) {
    const size_t all = c->an + c->bn + 2;
    char *const text = malloc(2 * all);
    memset(text, '9', all);
    const bigint_status status =
        bigint_mul_decimal(s->ctx, text + all, all, NULL, text, c->an, text + c->an, c->bn, NULL);
    free(text);
    return status;
}

// run: the call; variant 0: all results; 1: the first alone; 2: the second alone, where it has two.
static bigint_status run(numbers *s, const bigint_call *c, int variant) {
    bigint *const q = variant == 2 ? NULL : &s->q, *const r = variant == 1 ? NULL : &s->r;
    switch (c->kind) {
        case BIGINT_CALL_MUL:
            return bigint_mul(s->ctx, variant == 0 ? &s->a : &s->r, &s->a, &s->b);
        case BIGINT_CALL_SQR:
            return bigint_sqr(s->ctx, variant == 0 ? &s->a : &s->r, &s->a);
        case BIGINT_CALL_MUL_MINUS1:
            return bigint_mul_mod_2exp_minus1(s->ctx, &s->r, &s->a, variant == 0 ? &s->a : &s->b,
                                              c->k);
        case BIGINT_CALL_MUL_PLUS1:
            return bigint_mul_mod_2exp_plus1(s->ctx, &s->r, &s->a, &s->b, c->k);
        case BIGINT_CALL_DIVREM:
            return bigint_divrem(s->ctx, q, r, &s->a, &s->b);
        case BIGINT_CALL_FDIV:
            return variant == 0   ? bigint_fdiv(s->ctx, q, r, &s->a, &s->b)
                   : variant == 1 ? bigint_cdiv(s->ctx, q, &s->b, &s->a, &s->b)
                                  : bigint_mod(s->ctx, r, &s->a, &s->b);
        case BIGINT_CALL_DIVEXACT:
            return bigint_divexact(s->ctx, &s->q, &s->a, &s->b);
        case BIGINT_CALL_DIV_PREP_CREATE:
            return div_prep_create(s, c);
        case BIGINT_CALL_DIVREM_PREP:
            return divrem_prep(s, c);
        case BIGINT_CALL_SQRT:
            return bigint_sqrt(s->ctx, q, r, &s->a);
        case BIGINT_CALL_ROOT:
            return bigint_root(s->ctx, q, r, &s->a, c->k);
        case BIGINT_CALL_RSQRT_FIXED:
            return bigint_rsqrt_fixed(s->ctx, &s->r, &s->a, c->k);
        case BIGINT_CALL_POWM:
            return powm(s, c, variant);
        case BIGINT_CALL_GCD:
            return bigint_gcd(s->ctx, &s->r, &s->a, &s->b);
        case BIGINT_CALL_LCM:
            return bigint_lcm(s->ctx, &s->r, &s->a, &s->b);
        case BIGINT_CALL_GCDEXT:
            return bigint_gcdext(s->ctx, &s->r, variant == 1 ? NULL : &s->q,
                                 variant == 2 ? NULL : &s->t, &s->a, &s->b);
        case BIGINT_CALL_INVERT: {
            int exists;
            return bigint_invert(s->ctx, &exists, &s->r, &s->a, &s->b);
        }
        case BIGINT_CALL_MUL_DECIMAL:
            return mul_decimal(s, c);
        case BIGINT_CALL_SET_TEXT:
            return set_text(s, c, variant);
        case BIGINT_CALL_GET_TEXT:
            return get_text(s, c);
        default:
            return run_number(s, c, variant);
    }
}

// variants_of: how many of them differ.
static int variants_of(const bigint_call *c) {
    switch (c->kind) {
        case BIGINT_CALL_MUL_SUM:
            return c->an == c->bn ? 2 : 1;
        case BIGINT_CALL_DIVREM:
        case BIGINT_CALL_FDIV:
        case BIGINT_CALL_SQRT:
        case BIGINT_CALL_ROOT:
        case BIGINT_CALL_GCDEXT:
        case BIGINT_CALL_POWM:
            return 3;
        case BIGINT_CALL_ADDMUL:
        case BIGINT_CALL_MUL_PREP:
        case BIGINT_CALL_CONGRUENT:
        case BIGINT_CALL_BINOMIAL:
        case BIGINT_CALL_FIBONACCI:
        case BIGINT_CALL_LUCAS:
        case BIGINT_CALL_POW_U64:
        case BIGINT_CALL_REMOVE:
        case BIGINT_CALL_RANDOM:
        case BIGINT_CALL_MUL:
        case BIGINT_CALL_SQR:
        case BIGINT_CALL_MUL_MINUS1:
        case BIGINT_CALL_MUL_BATCH:
        case BIGINT_CALL_MUL_SUM_BATCH:
        case BIGINT_CALL_MUL_MINUS1_BATCH:
        case BIGINT_CALL_MUL_PLUS1_BATCH:
            return 2;
        case BIGINT_CALL_POWM_BATCH:
        case BIGINT_CALL_MULMOD_BATCH:
        case BIGINT_CALL_SQRMOD_BATCH:
        case BIGINT_CALL_INVMOD_BATCH:
        case BIGINT_CALL_DIVREM_BATCH:
            return 3;
        default:
            return 1;
    }
}

// call_peak: what new contexts of the fixture's place with these options and this cap (0: none)
// hold at most, one for each variant of the call. It expects success.
// *kept: on the host, the bytes that the arena keeps then: where it had several blocks, one block
// in their place for just what was in use at once.
static uint64_t call_peak(const bigint_call *c, bigint_ctx_options options, uint64_t cap,
                          uint64_t *kept) {
    uint64_t most = 0;
    *kept = 0;
    for (int variant = 0; variant < variants_of(c); variant++) {
        options.max_workspace_bytes = 0;
        bigint_ctx *const other = fixture_ctx(&options);
        options.max_workspace_bytes = cap;
        bigint_ctx *const ctx = fixture_ctx(&options);
        bigint_counters counters;
        numbers s = numbers_open(other, c);
        s.ctx = ctx;
        EXPECT_EQ(bigint_sync(other), BIGINT_OK);
        EXPECT_EQ(run(&s, c, variant), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        bigint_ctx_counters(ctx, &counters);
        most = counters.workspace_peak > most ? counters.workspace_peak : most;
        const uint64_t blocks = counters.workspace_bytes - ctx->tables_bytes;
        *kept = blocks > *kept ? blocks : *kept;
        numbers_close(&s);
        bigint_ctx_destroy(ctx);
        bigint_ctx_destroy(other);
    }
    return most;
}

// --- Checks --------------------------------------------------------------------------------------

// members: of a group, whose counters are the members' together.
static uint64_t members(void) { return fixture_place() == BIGINT_GROUP ? 3 : 1; }

enum { FEW = 32768 };  // bytes

static void check_on(const bigint_call *c, uint32_t threads) {
    const bigint_ctx_options options = {.threads = threads};
    bigint_ctx *const ctx = fixture_ctx(&options);
    uint64_t bound = 0;
    char line[700];
    SCOPED_TRACE("kind %d, %llu by %llu, k = %llu, count = %llu, %u threads", (int)c->kind,
                 (unsigned long long)c->an, (unsigned long long)c->bn, (unsigned long long)c->k,
                 (unsigned long long)c->count, (unsigned)threads);
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bound, c), BIGINT_OK);
    EXPECT_EQ(bigint_call_explain(ctx, line, sizeof line, NULL, c), BIGINT_OK);
    uint64_t kept, again;
    const uint64_t most = call_peak(c, options, 0, &kept);
    const uint64_t capped = bound == 0 ? 0 : call_peak(c, options, bound, &again);
    EXPECT_TRUE(most <= members() * bound);
    EXPECT_TRUE(capped <= members() * bound);
    if (fixture_place() == BIGINT_HOST) {  // and not much more than what is needed
        EXPECT_TRUE(bound <= 4 * most + FEW);
        // Twice what is in use (arena_most_held), so that a buffer that is not counted shows.
        EXPECT_TRUE(bound <= most || 2 * kept <= bound);
    }
    if (getenv("CALLS_PRINT") != NULL) {
        printf(
            "%2d %7llu %7llu %4llu %6llu: bound %10llu peak %10llu kept %10llu capped %10llu %s\n",
            (int)c->kind, (unsigned long long)c->an, (unsigned long long)c->bn,
            (unsigned long long)c->k, (unsigned long long)c->count, (unsigned long long)bound,
            (unsigned long long)most, (unsigned long long)kept, (unsigned long long)capped, line);
    }
    bigint_ctx_destroy(ctx);
}

void call_check(const bigint_call *c) {
    check_on(c, 1);
    if (fixture_place() == BIGINT_HOST) {
        check_on(c, 3);
    }
}

void call_check_kinds(const bigint_call_kind *kinds, size_t count, const uint64_t lengths[][3],
                      size_t sizes) {
    for (size_t i = 0; i < sizes; i++) {
        for (size_t k = 0; k < count; k++) {
            call_check(&(bigint_call){kinds[k], lengths[i][0], lengths[i][1], lengths[i][2], 0});
        }
    }
}

void call_check_all(const bigint_call *calls, size_t count, uint64_t most) {
    for (size_t i = 0; i < count; i++) {
        const uint64_t items = calls[i].count == 0 ? 1 : calls[i].count;
        if (fixture_place() < 0 || calls[i].an * items <= most) {
            call_check(&calls[i]);
        }
    }
}
