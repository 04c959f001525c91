// sum.c: sums of products on the host. Some terms are added in the transform domain (they "meet"
// there), the others one by one, in two's complement.
#include "bigint/multiply/sum.h"

#include <stdio.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/check.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/modular.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/modarith.h"
#include "primitives/words/word.h"

// --- Plan ----------------------------------------------------------------------------------------

// sum_plan: how a sum is computed. Pure data.
typedef struct {
    uint64_t terms;     // that are not 0
    uint64_t longest;   // limbs of the longest product
    uint64_t limbs;     // of the longest product that may meet others in the transform domain
    uint64_t together;  // terms that meet there: none, or at least two
    mul_plan transform;
    uint64_t sum_n, product_n;  // limbs of the sum, and of products that are added to it
} sum_plan;

static uint64_t shorter_of(const bigint *a, const bigint *b) {
    return a->n_ < b->n_ ? a->n_ : b->n_;
}

// long_enough: whether a product of these lengths is long and balanced enough to meet others.
static bool long_enough(const bigint_ctx *ctx, uint64_t longer, uint64_t shorter, bool square) {
    return mul_choose_engine(ctx, shorter, shorter, square) == ENGINE_MODULAR_FFT &&
           longer / 4 < shorter;
}

// transforms: the same of a and b.
static bool transforms(const bigint_ctx *ctx, const bigint *a, const bigint *b) {
    const uint64_t shorter = shorter_of(a, b);
    return long_enough(ctx, a->n_ + b->n_ - shorter, shorter, a->d_ == b->d_);
}

// meets: whether the product of a and b meets others under this plan.
static bool meets(const bigint_ctx *ctx, const sum_plan *plan, const bigint *a, const bigint *b) {
    return mul_sum_meets(a->n_ + b->n_, plan->limbs) && transforms(ctx, a, b);
}

// least_terms: how many terms must meet. If single products use the real transform, which is faster
// at that size, two terms gain nothing.
static uint64_t least_terms(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t shorter) {
    mul_plan alone;
    const bool real =
        mul_plan_make(ctx, who, &alone, limbs - shorter, shorter, false) == BIGINT_OK &&
        alone.engine == ENGINE_REAL_FFT;
    return real ? 3 : 2;
}

// plan_transform: the plan of terms that meet, the faster of two that keep to the cap. False if
// there is none, or if it is not faster than single products.
static bool plan_transform(bigint_ctx *ctx, const char *who, sum_plan *plan, uint64_t shorter) {
    mul_plan *const t = &plan->transform;
    const uint64_t cap = ctx->options.max_workspace_bytes;
    *t = (mul_plan){.engine = ENGINE_MODULAR_FFT};
    if (plan->together < 2 || plan->together < least_terms(ctx, who, plan->limbs, shorter) ||
        !mul_fft_sum_plan_make(ctx, &t->fft, plan->limbs, shorter, plan->together)) {
        return false;
    }
    t->uses_team = ctx->team != NULL && shorter >= MUL_FFT_TEAM_THRESHOLD;
    t->tables_bytes = mul_fft_tables_bytes(ctx, &t->fft);
    const unsigned others[] = {t->uses_team ? mul_fft_others(ctx, &t->fft) : 1, 1};
    for (int i = 0; i < 2; i++) {
        t->fft.others = others[i];
        t->workspace_bytes = mul_fft_sum_bytes(ctx, &t->fft, plan->together);
        if (cap == 0 || arena_held_bytes(t->workspace_bytes) + t->tables_bytes <= cap) {
            return true;
        }
    }
    return false;
}

// plan_memory: sum_n and product_n, where terms that meet have up to `shorter` limbs in their
// shorter factors, and products alone up to `alone`.
static void plan_memory(bigint_ctx *ctx, const char *who, sum_plan *plan, uint64_t shorter,
                        uint64_t alone) {
    if (plan_transform(ctx, who, plan, shorter)) {
        const uint64_t n = mul_fft_sum_limbs(&plan->transform.fft);
        plan->sum_n = n > plan->sum_n ? n : plan->sum_n;
        plan->product_n = alone;
    } else {
        plan->together = 0;
        plan->product_n = plan->terms > 1 ? plan->longest : 0;
    }
}

// plan_alike: the plan of `count` > 0 products of an by bn limbs, an, bn > 0.
static bigint_status plan_alike(bigint_ctx *ctx, const char *who, sum_plan *plan, uint64_t count,
                                uint64_t an, uint64_t bn, bool square) {
    const uint64_t shorter = an < bn ? an : bn, n = an + bn;
    const bool meet = long_enough(ctx, n - shorter, shorter, square);
    *plan = (sum_plan){.terms = count,
                       .longest = n,
                       .limbs = meet ? n : 0,
                       .together = meet ? count : 0,
                       .sum_n = n + 1};
    const bigint_status status = bigint_check_size(ctx, who, plan->sum_n);
    if (status == BIGINT_OK) {
        plan_memory(ctx, who, plan, shorter, meet ? 0 : n);
    }
    return status;
}

static bigint_status plan_make(bigint_ctx *ctx, const char *who, sum_plan *plan,
                               const mul_sum_terms *s) {
    *plan = (sum_plan){0};
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t n = s->a[i]->n_ + s->b[i]->n_;
        if (shorter_of(s->a[i], s->b[i]) > 0) {
            plan->terms++;
            plan->longest = n > plan->longest ? n : plan->longest;
            plan->limbs = n > plan->limbs && transforms(ctx, s->a[i], s->b[i]) ? n : plan->limbs;
        }
    }
    // One bit for the sign and room for the carries of 2^62 terms: a limb.
    plan->sum_n = plan->longest + 1;
    const bigint_status status = bigint_check_size(ctx, who, plan->sum_n);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t shorter = 0, alone = 0;  // the longest shorter operand, the longest product alone
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t least = shorter_of(s->a[i], s->b[i]), n = s->a[i]->n_ + s->b[i]->n_;
        if (meets(ctx, plan, s->a[i], s->b[i])) {
            plan->together++;
            shorter = least > shorter ? least : shorter;
        } else if (least > 0) {
            alone = n > alone ? n : alone;
        }
    }
    plan_memory(ctx, who, plan, shorter, alone);
    return BIGINT_OK;
}

// --- Memory --------------------------------------------------------------------------------------

// sum_memory: the limbs of the sum and of a product, and the terms, those that meet first.
typedef struct {
    uint64_t *sum, *product;
    mul_term *terms;
    bool negated;     // the terms are negated, so that the first one is added
    uint64_t *block;  // all of it
    uint64_t bytes;
    arena_mark mark;
} sum_memory;

// memory_bytes: of all of it.
static uint64_t memory_bytes(const sum_plan *plan) {
    return (plan->sum_n + plan->product_n) * sizeof(uint64_t) + plan->terms * sizeof(mul_term);
}

// memory_take: from the arena or, if a cap counts the arena, like an integer's limbs.
static bigint_status memory_take(bigint_ctx *ctx, const char *who, const sum_plan *plan,
                                 sum_memory *m) {
    *m = (sum_memory){.mark = arena_get_mark(ctx), .bytes = memory_bytes(plan)};
    const bool capped = ctx->options.max_workspace_bytes != 0;
    m->block = capped ? context_allocate(ctx, m->bytes) : arena_take(ctx, who, m->bytes);
    if (m->block == NULL) {
        return capped ? bigint_fail(ctx, BIGINT_ENOMEM,
                                    "%s: no memory for %llu bytes beside the "
                                    "operands",
                                    who, (unsigned long long)m->bytes)
                      : BIGINT_ENOMEM;
    }
    m->sum = m->block;
    m->product = m->sum + plan->sum_n;
    m->terms = (mul_term *)(m->product + plan->product_n);
    return BIGINT_OK;
}

static void memory_give(bigint_ctx *ctx, sum_memory *m) {
    if (ctx->options.max_workspace_bytes != 0) {
        context_release(ctx, m->block, m->bytes);
    }
    arena_release(ctx, m->mark);
}

// sort_terms: the terms that meet, then the others.
static void sort_terms(const bigint_ctx *ctx, const sum_plan *plan, const mul_sum_terms *s,
                       sum_memory *m) {
    uint64_t at = 0, alone = plan->together;
    for (uint64_t i = 0; i < s->count; i++) {
        const bigint *const a = s->a[i], *const b = s->b[i];
        if (shorter_of(a, b) > 0) {
            const int sign = a->sign_ * b->sign_;
            const bool minus = s->signs != NULL && s->signs[i] < 0;
            const bool first = plan->together > 0 && meets(ctx, plan, a, b);
            m->terms[first ? at++ : alone++] = (mul_term){.ap = a->d_,
                                                          .an = a->n_,
                                                          .bp = b->d_,
                                                          .bn = b->n_,
                                                          .subtract = (sign < 0) != minus};
        }
    }
    m->negated = m->terms->subtract;
    for (uint64_t i = 0; i < plan->terms; i++) {
        m->terms[i].subtract = m->terms[i].subtract != m->negated;
    }
}

// --- Execution -----------------------------------------------------------------------------------

// is_negative: of a number in two's complement.
static bool is_negative(const uint64_t *p, uint64_t n) { return p[n - 1] >> 63 != 0; }

// check_sum: whether {sum, n}, in two's complement, is the sum of the terms modulo m.
static bool check_sum(uint64_t m, const uint64_t *sum, uint64_t n, const mul_term *terms,
                      uint64_t terms_n) {
    uint64_t want = 0;
    for (uint64_t i = 0; i < terms_n; i++) {
        const mul_term *const t = &terms[i];
        const uint64_t product =
            mod_mul(check_residue(m, t->ap, t->an), check_residue(m, t->bp, t->bn), m);
        want = (want + (t->subtract ? m - product : product)) % m;  // below 2^62
    }
    const uint64_t wrap = is_negative(sum, n) ? mod_pow(mod_pow(2, 64, m), n, m) : 0;
    return (check_residue(m, sum, n) + m - wrap) % m == want;
}

// run_together: computes the sum of the terms that meet as the first partial sum.
static bigint_status run_together(bigint_ctx *ctx, const char *who, const sum_plan *plan,
                                  const sum_memory *m) {
    const mul_plan *const t = &plan->transform;
    const uint64_t n = mul_fft_sum_limbs(&t->fft);
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = context_pause(ctx, who);
    if (status == BIGINT_OK) {
        status = mul_ready(ctx, who, t);
    }
    void *ws = status == BIGINT_OK ? arena_take(ctx, who, t->workspace_bytes) : NULL;
    if (ws == NULL) {
        return status != BIGINT_OK ? status : BIGINT_ENOMEM;
    }
    const bool finished = mul_fft_sum_run(ctx, &t->fft, m->sum, m->terms, (size_t)plan->together,
                                          ws, t->uses_team ? ctx->team : NULL);
    arena_release(ctx, mark);
    if (!finished) {
        return context_canceled(ctx, who);
    }
    memset(m->sum + n, is_negative(m->sum, n) ? 0xff : 0, (plan->sum_n - n) * sizeof *m->sum);
    const bool checks = ctx->check_modulus != 0;
    const bool right =
        !checks || check_sum(ctx->check_modulus, m->sum, n, m->terms, plan->together);
    ctx->counters.products += plan->together;
    ctx->counters.checks += checks ? plan->together : 0;
    ctx->counters.mismatches += !right;
    return right ? BIGINT_OK
                 : context_wrong_product(ctx, who, plan->limbs - m->terms->bn, m->terms->bn);
}

// run_alone: adds a product to the partial sum; the first product becomes it.
static bigint_status run_alone(bigint_ctx *ctx, const sum_plan *plan, const sum_memory *m,
                               uint64_t i) {
    const mul_term *const t = &m->terms[i];
    const uint64_t n = t->an + t->bn;
    const bigint_status status =
        bigint_mul_limbs(ctx, i == 0 ? m->sum : m->product, t->ap, t->an, t->bp, t->bn);
    if (status != BIGINT_OK) {
        return status;
    }
    // A carry out of the top limb belongs to the sign and is dropped.
    if (i == 0) {
        memset(m->sum + n, 0, (plan->sum_n - n) * sizeof *m->sum);
    } else if (t->subtract) {
        limbs_sub(m->sum, m->sum, plan->sum_n, m->product, n);
    } else {
        limbs_add(m->sum, m->sum, plan->sum_n, m->product, n);
    }
    return BIGINT_OK;
}

static bigint_status run(bigint_ctx *ctx, const char *who, const sum_plan *plan,
                         const sum_memory *m) {
    bigint_status status = plan->together > 0 ? run_together(ctx, who, plan, m) : BIGINT_OK;
    for (uint64_t i = plan->together; i < plan->terms && status == BIGINT_OK; i++) {
        status = run_alone(ctx, plan, m, i);
    }
    return status;
}

// magnitude: |{p, n}| of a number in two's complement, in place.
static void magnitude(uint64_t *p, uint64_t n) {
    if (is_negative(p, n)) {
        for (uint64_t i = 0; i < n; i++) {
            p[i] = ~p[i];
        }
        limbs_add_1(p, p, n, 1);
    }
}

bigint_status mul_sum(bigint_ctx *ctx, const char *who, bigint *r, const mul_sum_terms *s) {
    sum_plan plan;
    sum_memory m;
    bigint_status status = plan_make(ctx, who, &plan, s);
    if (status == BIGINT_OK && plan.terms == 0) {
        return bigint_store(ctx, who, r, NULL, 0, 0);
    }
    if (status == BIGINT_OK) {
        status = memory_take(ctx, who, &plan, &m);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    sort_terms(ctx, &plan, s, &m);
    const reporting before = ctx->reports;
    ctx->reports = REPORT_STEPS;
    status = run(ctx, who, &plan, &m);
    ctx->reports = before;
    if (status == BIGINT_OK) {
        const bool minus = is_negative(m.sum, plan.sum_n) != m.negated;
        magnitude(m.sum, plan.sum_n);
        const uint64_t n = limbs_normalize(m.sum, plan.sum_n);
        status = bigint_store(ctx, who, r, m.sum, n, minus ? -1 : 1);
    }
    memory_give(ctx, &m);
    return status;
}

// --- Plans ---------------------------------------------------------------------------------------

void mul_sum_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    sum_plan plan;
    if (count == 0 || an == 0 || bn == 0) {
        return;
    }
    for (unsigned square = 0; square < (an == bn ? 2 : 1) && w->status == BIGINT_OK; square++) {
        w->status = plan_alike(w->ctx, w->who, &plan, count, an, bn, square == 1);
        if (w->status != BIGINT_OK) {
            return;
        }
        if (w->ctx->options.max_workspace_bytes == 0) {
            need_take(&w->host, memory_bytes(&plan));
        }
        if (plan.together > 0) {
            mul_plan_need(w, &plan.transform);
        } else {
            mul_need(w, an, bn, square == 1);
        }
        need_release(&w->host, in_use);
    }
}

int mul_sum_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                  uint64_t bn) {
    const char *const who = "bigint_mul_sum";
    char how[512] = "";
    sum_plan plan = {0};
    mul_plan alone;
    const bool some = count > 0 && an > 0 && bn > 0;
    if (some && plan_alike(ctx, who, &plan, count, an, bn, false) == BIGINT_OK &&
        plan.together == 0 && mul_plan_make(ctx, who, &alone, an, bn, false) == BIGINT_OK) {
        mul_plan_print(ctx, &alone, how, sizeof how);
    }
    return snprintf(
        buf, cap, "sum of %llu products of %llu x %llu limbs, %s%s", (unsigned long long)count,
        (unsigned long long)an, (unsigned long long)bn,
        plan.together > 0 ? "added in the transform domain: modular-fft" : "one by one: ", how);
}
