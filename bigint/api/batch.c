// batch.c: the calls on batches: they check the spans, then choose the host, the device or the
// members of a group.
#include "bigint/batch/batch.h"
#include "bigint/api/dealt.h"
#include "bigint/batch/modular.h"
#include "bigint/batch/products.h"
#include "bigint/batch/residues.h"
#include "bigint/batch/sums.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/batch/residues.h"
#include "bigint/device/batch/sums.h"
#include "bigint/device/division.h"
#include "bigint/device/powm.h"

// --- On a group: what a member runs, and costs of items -----------------------------------------

static double least(double x, double y) { return x < y ? x : y; }

// Products of short numbers, limb by limb; transforms of longer ones cost little more a limb.
enum { COST_SHORT = 64 };

static bigint_status mul_part(bigint_ctx *ctx, const dealt_call *call, const bigint_span *const *s,
                              unsigned char *bytes) {
    (void)call, (void)bytes;
    return bigint_mul_batch(ctx, s[0], s[1], s[2]);
}

static bigint_status minus1_part(bigint_ctx *ctx, const dealt_call *call,
                                 const bigint_span *const *s, unsigned char *bytes) {
    (void)bytes;
    return bigint_mul_mod_2exp_minus1_batch(ctx, s[0], s[1], s[2], call->bits);
}

static bigint_status plus1_part(bigint_ctx *ctx, const dealt_call *call,
                                const bigint_span *const *s, unsigned char *bytes) {
    (void)bytes;
    return bigint_mul_mod_2exp_plus1_batch(ctx, s[0], s[1], s[2], call->bits);
}

static double mul_cost(const uint64_t *n) {
    const double a = (double)n[1], b = (double)n[2];
    return a < b ? b * least(a, COST_SHORT) : a * least(b, COST_SHORT);
}

static bigint_status powm_part(bigint_ctx *ctx, const dealt_call *call, const bigint_span *const *s,
                               unsigned char *bytes) {
    (void)call, (void)bytes;
    return bigint_powm_batch(ctx, s[0], s[1], s[2], s[3]);
}

static double powm_cost(const uint64_t *n) {
    const double m = (double)n[3];
    return (64 * (double)n[2] + 1) * m * m;
}

static bigint_status divrem_part(bigint_ctx *ctx, const dealt_call *call,
                                 const bigint_span *const *s, unsigned char *bytes) {
    (void)call, (void)bytes;
    return bigint_divrem_batch(ctx, s[0], s[1], s[2], s[3]);
}

static double divrem_cost(const uint64_t *n) {
    return (double)n[2] * least((double)n[3], COST_SHORT);
}

static bigint_status mulmod_part(bigint_ctx *ctx, const dealt_call *call,
                                 const bigint_span *const *s, unsigned char *bytes) {
    (void)call, (void)bytes;
    return bigint_mulmod_batch(ctx, s[0], s[1], s[2], s[3]);
}

static bigint_status invmod_part(bigint_ctx *ctx, const dealt_call *call,
                                 const bigint_span *const *s, unsigned char *bytes) {
    (void)call, (void)bytes;
    return bigint_invmod_batch(ctx, s[0], s[1], s[3]);
}

static double modular_cost(const uint64_t *n) {
    return ((double)n[1] + (double)n[2] + (double)n[3]) * (double)n[3];
}

// --- The calls -----------------------------------------------------------------------------------

bigint_status bigint_mul_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                               const bigint_span *b) {
    const char *who = "bigint_mul_batch";
    const bigint_span *const results[] = {r, NULL}, *const inputs[] = {a, b, NULL};
    const char *const names[] = {"a", "b"};
    if (ctx->away == NULL) {
        const bigint_status status = batch_check_shapes(ctx, who, results, inputs, names);
        return status == BIGINT_OK ? batch_mul(ctx, r, a, b) : status;
    }
    const bigint_status status = batch_check(ctx, who, results, inputs, names);
    if (status == BIGINT_OK && context_on_group(ctx)) {
        return dealt_batch(ctx, &(dealt_call){who, {r, a, b}, 1, NULL, mul_part, mul_cost, 0});
    }
    return status == BIGINT_OK ? device_mul_batch(ctx, who, r, a, b) : status;
}

// sum_of_products: the products as a batch each, then their sums, in memory of the host.
static bigint_status sum_of_products(bigint_ctx *ctx, const char *who, const batch_sum *s) {
    const uint64_t count = s->r->count, row = batch_sum_row(s);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t limbs;
    if (__builtin_mul_overflow(count, 2 * row, &limbs)) {
        limbs = UINT64_MAX;  // arena_take_limbs refuses it
    }
    uint64_t *const rows = arena_take_limbs(ctx, who, limbs);
    const bigint_span p = {rows, row, row, count, NULL, NULL};
    const bigint_span q = {rows == NULL ? NULL : rows + count * row, row, row, count, NULL, NULL};
    bigint_status status = rows == NULL ? BIGINT_ENOMEM : bigint_mul_batch(ctx, &p, s->a, s->b);
    status = status == BIGINT_OK ? bigint_mul_batch(ctx, &q, s->c, s->d) : status;
    status = status == BIGINT_OK ? context_may_write(ctx) : status;
    if (status == BIGINT_OK) {
        batch_sum_add(ctx, s, p.p, q.p);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_mul_sum_batch(bigint_ctx *ctx, const bigint_span *r, bigint_limb *negative,
                                   const bigint_span *a, const bigint_span *b,
                                   const bigint_limb *ab_negative, const bigint_span *c,
                                   const bigint_span *d, const bigint_limb *cd_negative) {
    const char *who = "bigint_mul_sum_batch";
    const bigint_span *const results[] = {r, NULL}, *const inputs[] = {a, b, c, d, NULL};
    const batch_sum sum = {r, a, b, c, d, ab_negative, cd_negative, negative};
    bigint_status status =
        batch_check(ctx, who, results, inputs, (const char *[]){"a", "b", "c", "d"});
    status = status == BIGINT_OK ? batch_sum_check(ctx, who, &sum) : status;
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    return context_on_device(ctx) ? device_mul_sum_batch(ctx, who, &sum)
                                  : sum_of_products(ctx, who, &sum);
}

// mul_mod: products in a ring.
static bigint_status mul_mod(bigint_ctx *ctx, const char *who, const batch_residue *s) {
    const bigint_span *const results[] = {s->r, NULL}, *const inputs[] = {s->a, s->b, NULL};
    bigint_status status = batch_check(ctx, who, results, inputs, (const char *[]){"a", "b"});
    status = status == BIGINT_OK ? batch_residue_check(ctx, who, s) : status;
    if (status == BIGINT_OK && context_on_group(ctx)) {
        return dealt_batch(ctx, &(dealt_call){.who = who,
                                              .spans = {s->r, s->a, s->b},
                                              .results = 1,
                                              .run = s->ring.plus ? plus1_part : minus1_part,
                                              .cost = mul_cost,
                                              .bits = s->ring.bits});
    }
    if (status != BIGINT_OK || s->r->count == 0) {
        return status;
    }
    return context_on_device(ctx) ? device_mul_mod_batch(ctx, who, s) : batch_mul_mod(ctx, who, s);
}

bigint_status bigint_mul_mod_2exp_minus1_batch(bigint_ctx *ctx, const bigint_span *r,
                                               const bigint_span *a, const bigint_span *b,
                                               uint64_t bits) {
    const batch_residue s = {r, a, b, {bits, false}};
    return mul_mod(ctx, "bigint_mul_mod_2exp_minus1_batch", &s);
}

bigint_status bigint_mul_mod_2exp_plus1_batch(bigint_ctx *ctx, const bigint_span *r,
                                              const bigint_span *a, const bigint_span *b,
                                              uint64_t bits) {
    const batch_residue s = {r, a, b, {bits, true}};
    return mul_mod(ctx, "bigint_mul_mod_2exp_plus1_batch", &s);
}

bigint_status bigint_powm_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *base,
                                const bigint_span *exponent, const bigint_span *modulus) {
    const char *who = "bigint_powm_batch";
    const bigint_span *const results[] = {r, NULL}, *const inputs[] = {base, exponent, modulus,
                                                                       NULL};
    const bigint_status status =
        batch_check(ctx, who, results, inputs, (const char *[]){"base", "exponent", "modulus"});
    if (status == BIGINT_OK && context_on_device(ctx)) {
        return device_powm_batch(ctx, who, r, base, exponent, modulus);
    }
    if (status == BIGINT_OK && context_on_group(ctx)) {
        return dealt_batch(
            ctx,
            &(dealt_call){who, {r, base, exponent, modulus}, 1, NULL, powm_part, powm_cost, 0});
    }
    return status == BIGINT_OK ? batch_powm(ctx, who, r, base, exponent, modulus) : status;
}

bigint_status bigint_divrem_batch(bigint_ctx *ctx, const bigint_span *q, const bigint_span *r,
                                  const bigint_span *a, const bigint_span *d) {
    const char *who = "bigint_divrem_batch";
    const bigint_span *const results[] = {q != NULL ? q : r, q != NULL ? r : NULL, NULL};
    const bigint_span *const inputs[] = {a, d, NULL};
    bigint_status status = batch_check(ctx, who, results, inputs, (const char *[]){"a", "d"});
    const uint64_t items = status == BIGINT_OK && q != NULL ? batch_to_compare(q, a) : 0;
    for (uint64_t i = 0; status == BIGINT_OK && i < items; i++) {
        const uint64_t qn = batch_item_of(q, i).n, an = batch_item_of(a, i).n;
        status = qn < an ? batch_does_not_hold(ctx, who, i, qn, an) : BIGINT_OK;
    }
    if (status == BIGINT_OK && context_on_device(ctx)) {
        return device_division_batch(ctx, who, DEVICE_DIVREM, q, r, a, NULL, d);
    }
    if (status == BIGINT_OK && context_on_group(ctx)) {
        return dealt_batch(ctx,
                           &(dealt_call){who, {q, r, a, d}, 2, NULL, divrem_part, divrem_cost, 0});
    }
    return status == BIGINT_OK ? batch_divrem(ctx, who, q, r, a, d) : status;
}

// modular: r = a b, or 1 / a, modulo numbers.
static bigint_status modular(bigint_ctx *ctx, const char *who, const bigint_span *r,
                             const bigint_span *a, const bigint_span *b,
                             const bigint_span *modulus) {
    const bigint_span *const results[] = {r, NULL};
    const bigint_span *const inputs[] = {a, modulus, b, NULL};
    const bigint_status status =
        batch_check(ctx, who, results, inputs, (const char *[]){"a", "modulus", "b"});
    if (status == BIGINT_OK && context_on_device(ctx)) {
        return device_division_batch(ctx, who, b != NULL ? DEVICE_MULMOD : DEVICE_INVMOD, NULL, r,
                                     a, b, modulus);
    }
    if (status == BIGINT_OK && context_on_group(ctx)) {
        return dealt_batch(ctx, &(dealt_call){who,
                                              {r, a, b, modulus},
                                              1,
                                              NULL,
                                              b != NULL ? mulmod_part : invmod_part,
                                              modular_cost,
                                              0});
    }
    return status == BIGINT_OK ? batch_modular(ctx, who, r, a, b, modulus) : status;
}

bigint_status bigint_mulmod_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                                  const bigint_span *b, const bigint_span *modulus) {
    return modular(ctx, "bigint_mulmod_batch", r, a, b, modulus);
}

bigint_status bigint_sqrmod_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                                  const bigint_span *modulus) {
    return modular(ctx, "bigint_sqrmod_batch", r, a, a, modulus);
}

bigint_status bigint_invmod_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                                  const bigint_span *modulus) {
    return modular(ctx, "bigint_invmod_batch", r, a, NULL, modulus);
}
