// modular.c: powers, products and inverses modulo numbers, and quotients, of whole batches of
// unsigned numbers on the host. The context's threads compute the items into memory beside the
// results, which are written when nothing can fail any more. On a device: device/powm.c,
// device/division.c.
#include "bigint/batch/modular.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/direct.h"
#include "bigint/batch/items.h"
#include "bigint/batch/lanes.h"
#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/core/names.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/inverse.h"
#include "bigint/modular/plan.h"
#include "bigint/modular/powm_natural.h"
#include "bigint/multiply/mul.h"

// --- One call ------------------------------------------------------------------------------------

// stage takes the memory of a result.
static bigint_status stage(bigint_ctx *ctx, const char *who, batch_staged *s) {
    if (s->span == NULL) {
        return BIGINT_OK;
    }
    const uint64_t count = s->span->count;
    uint64_t limbs = 0;
    if (s->span->lengths == NULL) {
        if (__builtin_mul_overflow(count, s->span->n, &limbs)) {
            limbs = UINT64_MAX;  // arena_take_limbs refuses it
        }
    } else {
        s->begins = arena_take_limbs(ctx, who, count);
        for (uint64_t i = 0; s->begins != NULL && i < count; i++) {
            s->begins[i] = limbs;
            if (__builtin_add_overflow(limbs, s->span->lengths[i], &limbs)) {
                limbs = UINT64_MAX;
            }
        }
        if (s->begins == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    s->limbs = arena_take_limbs(ctx, who, limbs);
    return s->limbs == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

static void publish(const batch_staged *s) {
    for (uint64_t i = 0; s->span != NULL && i < s->span->count; i++) {
        const batch_item out = batch_item_of(s->span, i), from = batch_staged_item(s, i);
        if (out.n > 0) {
            memcpy(out.p, from.p, out.n * sizeof *out.p);
        }
    }
}

// longest_item: the item that takes the most workspace, or nearly so: the longest modulus and
// dividend or exponent, even moduli before odd ones.
static uint64_t longest_item(const batch_modular_job *j) {
    uint64_t best = 0, most = 0;
    for (uint64_t i = 0; i < j->modulus->count; i++) {
        const batch_item m = batch_item_of(j->modulus, i);
        const uint64_t other = batch_item_of(j->b != NULL ? j->b : j->a, i).n;
        const uint64_t size = 4 * m.n + 2 * (other < m.n ? other : m.n) + ((m.p[0] & 1) == 0);
        best = size > most ? i : best;
        most = size > most ? size : most;
    }
    return best;
}

// item_bytes: more than a power takes, one by one, modulo numbers of up to POWER_LIMBS limbs: of
// elements, in digits at most half as long again, the odd powers, one for eight bits of the
// exponent at most, and some twenty; a division of the base. 0, unknown, for others: they are
// short, or many.
enum { POWER_LIMBS = 128 };
static uint64_t bytes_of(batch_lanes_kind lanes, uint64_t n, uint64_t an, uint64_t en) {
    return lanes != BATCH_LANES_POWERS || n > POWER_LIMBS
               ? 0
               : ((8 * en + 24) * (n + n / 2 + 8) + 4 * an + 512) * sizeof(uint64_t);
}

static uint64_t item_bytes(const batch_modular_job *j, uint64_t i) {
    return bytes_of(j->lanes, batch_normal(j->modulus, i).n, batch_normal(j->a, i).n,
                    j->lanes == BATCH_LANES_POWERS ? batch_normal(j->b, i).n : 0);
}

// run_items: all items, eight at a time in lanes or one by one.
static bigint_status run_items(bigint_ctx *ctx, batch_modular_job *j, bool in_lanes) {
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = stage(ctx, j->who, &j->q);
    if (status == BIGINT_OK) {
        status = stage(ctx, j->who, &j->r);
    }
    if (status == BIGINT_OK) {
        const uint64_t longest = longest_item(j);
        status = in_lanes ? batch_lanes_run(ctx, j)
                          : batch_items(ctx, j->who, j->task, j, j->modulus->count, longest,
                                        item_bytes(j, longest));
    }
    status = status == BIGINT_OK ? context_may_write(ctx) : status;
    if (status == BIGINT_OK) {
        publish(&j->q), publish(&j->r);
    }
    arena_release(ctx, mark);
    return status;
}

static bigint_status run(bigint_ctx *ctx, batch_modular_job *j) {
    const uint64_t count = j->modulus->count, moduli = batch_is_common(j->modulus) ? 1 : count;
    for (uint64_t i = 0; i < moduli; i++) {
        if (batch_normal(j->modulus, i).n == 0) {
            return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s %llu is 0", j->who,
                               j->divides ? "divisor" : "modulus", (unsigned long long)i);
        }
    }
    if (count == 0 || (j->q.span == NULL && j->r.span == NULL)) {
        return BIGINT_OK;
    }
    const bool in_lanes = batch_lanes_serves(ctx, j);
    const batch_direct_job direct = {j->q.span, j->r.span, j->a, j->b, j->modulus};
    if (!in_lanes && (j->divides || j->lanes == BATCH_LANES_PRODUCTS) &&
        batch_direct_serves(ctx, &direct)) {
        const bigint_status status = context_may_write(ctx);
        if (status == BIGINT_OK) {
            batch_direct_run(ctx, &direct);
        }
        return status;
    }
    bigint_status status = run_items(ctx, j, in_lanes);
    if (status == BIGINT_ENOMEM && in_lanes) {
        arena_trim(ctx);  // one by one they take less, but not on top of the lanes' memory
        status = run_items(ctx, j, false);
    }
    return status;
}

// --- Powers --------------------------------------------------------------------------------------

static bigint_status power(bigint_ctx *ctx, void *arg, uint64_t i) {
    const batch_modular_job *const j = arg;
    const batch_item b = batch_normal(j->a, i), e = batch_normal(j->b, i),
                     m = batch_normal(j->modulus, i), r = batch_staged_item(&j->r, i);
    memset(r.p, 0, r.n * sizeof *r.p);
    if ((m.n == 1 && m.p[0] == 1) || (b.n == 0 && e.n > 0)) {
        return BIGINT_OK;
    }
    if (e.n == 0) {
        r.p[0] = 1;
        return BIGINT_OK;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const bigint_status status =
        powm_natural(ctx, r.p, (natural){b.p, b.n}, (natural){e.p, e.n}, (natural){m.p, m.n});
    arena_release(ctx, mark);
    return status;
}

bigint_status batch_powm(bigint_ctx *ctx, const char *who, const bigint_span *r,
                         const bigint_span *base, const bigint_span *exponent,
                         const bigint_span *modulus) {
    uint64_t longest;
    const bigint_status status = batch_check_moduli(ctx, who, r, modulus, "modulus", &longest);
    batch_modular_job j = {.who = who,
                           .task = power,
                           .lanes = BATCH_LANES_POWERS,
                           .a = base,
                           .b = exponent,
                           .modulus = modulus,
                           .r = {.span = r}};
    return status == BIGINT_OK ? run(ctx, &j) : status;
}

// --- Quotients -----------------------------------------------------------------------------------

// divide: q and r, if they have limbs, of {ap, an} by m, all without zeros at the top; zeros are
// added on top of the results.
static bigint_status divide(bigint_ctx *ctx, batch_item q, batch_item r, const uint64_t *ap,
                            uint64_t an, batch_item m) {
    const uint64_t qn = an < m.n ? 0 : an - m.n + 1;
    bigint_status status = BIGINT_OK;
    if (an < m.n && r.p != NULL && an > 0) {
        memcpy(r.p, ap, an * sizeof *ap);
    } else if (an >= m.n) {
        status = bigint_divrem_limbs(ctx, q.p, r.p, ap, an, m.p, m.n);
    }
    const uint64_t rn = an < m.n ? an : m.n;
    if (q.p != NULL) {
        memset(q.p + qn, 0, (q.n - qn) * sizeof *q.p);
    }
    if (r.p != NULL) {
        memset(r.p + rn, 0, (r.n - rn) * sizeof *r.p);
    }
    return status;
}

static bigint_status quotient(bigint_ctx *ctx, void *arg, uint64_t i) {
    const batch_modular_job *const j = arg;
    const batch_item a = batch_normal(j->a, i), none = {NULL, 0};
    return divide(ctx, j->q.span == NULL ? none : batch_staged_item(&j->q, i),
                  j->r.span == NULL ? none : batch_staged_item(&j->r, i), a.p, a.n,
                  batch_normal(j->modulus, i));
}

bigint_status batch_divrem(bigint_ctx *ctx, const char *who, const bigint_span *q,
                           const bigint_span *r, const bigint_span *a, const bigint_span *d) {
    uint64_t longest;
    const bigint_status status = batch_check_moduli(ctx, who, r, d, "divisor", &longest);
    batch_modular_job j = {.who = who,
                           .task = quotient,
                           .a = a,
                           .modulus = d,
                           .q = {.span = q},
                           .r = {.span = r},
                           .divides = true};
    return status == BIGINT_OK ? run(ctx, &j) : status;
}

// --- Products and inverses -----------------------------------------------------------------------

static bigint_status product(bigint_ctx *ctx, void *arg, uint64_t i) {
    const batch_modular_job *const j = arg;
    const batch_item a = batch_normal(j->a, i), b = batch_normal(j->b, i);
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, j->who, a.n + b.n);
    bigint_status status = t == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, t, a.p, a.n, b.p, b.n);
    if (status == BIGINT_OK) {
        status = divide(ctx, (batch_item){NULL, 0}, batch_staged_item(&j->r, i), t,
                        limbs_normalize(t, a.n + b.n), batch_normal(j->modulus, i));
    }
    arena_release(ctx, mark);
    return status;
}

static bigint_status inverse(bigint_ctx *ctx, void *arg, uint64_t i) {
    const batch_modular_job *const j = arg;
    const batch_item a = batch_normal(j->a, i), m = batch_normal(j->modulus, i),
                     r = batch_staged_item(&j->r, i);
    memset(r.p + m.n, 0, (r.n - m.n) * sizeof *r.p);
    return inverse_limbs(ctx, r.p, a.p, a.n, m.p, m.n);
}

bigint_status batch_modular(bigint_ctx *ctx, const char *who, const bigint_span *r,
                            const bigint_span *a, const bigint_span *b,
                            const bigint_span *modulus) {
    uint64_t longest;
    const bigint_status status = batch_check_moduli(ctx, who, r, modulus, "modulus", &longest);
    batch_modular_job j = {.who = who,
                           .task = b != NULL ? product : inverse,
                           .lanes = b != NULL ? BATCH_LANES_PRODUCTS : BATCH_LANES_NONE,
                           .a = a,
                           .b = b,
                           .modulus = modulus,
                           .r = {.span = r}};
    return status == BIGINT_OK ? run(ctx, &j) : status;
}

// --- Plans ---------------------------------------------------------------------------------------

static void power_need(work_need *w, const void *arg) {
    const batch_modular_size *const s = arg;
    powm_need(w, s->an, s->exponent_bits, s->mn);
}

static void quotient_need(work_need *w, const void *arg) {
    const batch_modular_size *const s = arg;
    if (s->an >= s->mn) {
        divrem_limbs_need(w, s->an, s->mn);
    }
}

static void product_need(work_need *w, const void *arg) {
    const batch_modular_size *const s = arg;
    const uint64_t in_use = w->host.in_use, n = s->an + s->bn;
    need_take_limbs(&w->host, n);
    mul_need(w, s->an, s->bn, false);
    mul_need(w, s->an, s->bn, s->an == s->bn);
    if (n >= s->mn) {
        divrem_limbs_need(w, n, s->mn);
    }
    need_release(&w->host, in_use);
}

static void inverse_need(work_need *w, const void *arg) {
    const batch_modular_size *const s = arg;
    inverse_limbs_need(w, s->an, s->mn);
}

batch_modular_size batch_powm_size(uint64_t count, uint64_t an, uint64_t exponent_bits,
                                   uint64_t mn) {
    return (batch_modular_size){.lanes = BATCH_LANES_POWERS,
                                .count = count,
                                .an = an,
                                .mn = mn,
                                .exponent_bits = exponent_bits,
                                .item = power_need};
}

batch_modular_size batch_divrem_size(uint64_t count, uint64_t an, uint64_t dn) {
    return (batch_modular_size){
        .divides = true, .count = count, .an = an, .mn = dn, .item = quotient_need};
}

batch_modular_size batch_mulmod_size(uint64_t count, uint64_t an, uint64_t bn, uint64_t mn) {
    return (batch_modular_size){.lanes = BATCH_LANES_PRODUCTS,
                                .count = count,
                                .an = an,
                                .bn = bn,
                                .mn = mn,
                                .item = product_need};
}

batch_modular_size batch_invmod_size(uint64_t count, uint64_t an, uint64_t mn) {
    return (batch_modular_size){.count = count, .an = an, .mn = mn, .item = inverse_need};
}

// in_place: whether items are computed at their results, unless lanes take them.
static bool in_place(const bigint_ctx *ctx, const batch_modular_size *s) {
    const bool product = s->lanes == BATCH_LANES_PRODUCTS;
    return (s->divides || product) && batch_direct_takes(ctx, s->an, s->bn, product);
}

void batch_modular_need(work_need *w, const batch_modular_size *s) {
    const uint64_t in_use = w->host.in_use;
    const bool lanes = batch_lanes_possible(w->ctx, s);
    uint64_t quotients, results;
    if (s->count == 0 || s->mn == 0 || (in_place(w->ctx, s) && !lanes)) {
        return;
    }
    if (__builtin_mul_overflow(s->count, s->divides ? s->an : 0, &quotients) ||
        __builtin_mul_overflow(s->count, s->mn, &results)) {
        w->status = bigint_check_size(w->ctx, w->who, UINT64_MAX);
        return;
    }
    if (s->divides) {
        need_take_limbs(&w->host, quotients);
    }
    need_take_limbs(&w->host, results);
    if (lanes) {
        batch_lanes_need(w, s);
    }
    batch_items_need(w, s->item, s, s->count,
                     bytes_of(s->lanes, s->mn, s->an, (s->exponent_bits + 63) / 64));
    need_release(&w->host, in_use);
}

int batch_modular_print(const bigint_ctx *ctx, char *buf, size_t cap, const batch_modular_size *s) {
    const unsigned threads = team_size(ctx->team);
    return snprintf(buf, cap, "%s batch %s, %llu %s by numbers of %llu limbs, on %u thread%s, %s",
                    names_backend(ctx->device.backend), ctx->limbs->name,
                    (unsigned long long)s->count,
                    s->lanes == BATCH_LANES_POWERS     ? "powers"
                    : s->lanes == BATCH_LANES_PRODUCTS ? "products"
                    : s->divides                       ? "quotients"
                                                       : "inverses",
                    (unsigned long long)s->mn, threads, threads == 1 ? "" : "s",
                    batch_lanes_possible(ctx, s) ? "eight at once"
                    : in_place(ctx, s)           ? "in place"
                                                 : "one by one");
}
