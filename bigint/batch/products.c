// products.c: products of whole batches on the host: validation, then all items on one thread,
// shared by several, or one after the other where each is long enough for all threads. Everything
// that can fail comes before the first limb of a result is written.
#include "bigint/batch/products.h"

#include <stdio.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/overlap.h"
#include "bigint/batch/product_items.h"
#include "bigint/batch/window.h"
#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/mul.h"

// --- Items ---------------------------------------------------------------------------------------

// window: lists for spans that have none.
enum { WINDOW = 128 };
typedef struct {
    window_lists lists;
    uint64_t at[WINDOW_SPANS][WINDOW], n[WINDOW_SPANS][WINDOW];
} window;

static void window_move(window *w, const bigint_span *const *spans, uint64_t begin, size_t count) {
    for (unsigned k = 0; k < WINDOW_SPANS; k++) {
        const bigint_span s = *spans[k];  // a copy, which no store into the window changes
        for (size_t i = 0; s.offsets == NULL && i < count; i++) {
            w->at[k][i] = (begin + i) * s.stride;
        }
        for (size_t i = 0; s.lengths == NULL && i < count; i++) {
            w->n[k][i] = s.n;
        }
        w->lists.at[k] = s.offsets != NULL ? s.offsets + begin : w->at[k];
        w->lists.n[k] = s.lengths != NULL ? s.lengths + begin : w->n[k];
    }
}

// surely_fit: whether no number is too long or too far away, every result holds its product, and
// none overlaps its factors. False: items_fit has to look. Sets job->alike.
static bool surely_fit(product_job *job) {
    const bigint_span *const spans[] = {
        [WINDOW_R] = &job->r, [WINDOW_A] = &job->a, [WINDOW_B] = &job->b};
    window_rules rules;
    bool lists = false;
    for (unsigned k = 0; k < WINDOW_SPANS; k++) {
        const bigint_span *const s = spans[k];
        lists |= s->lengths != NULL || s->offsets != NULL;
        rules.most[k] = s->n;
        rules.first[k] = s->lengths != NULL ? s->lengths[0] : s->n;
        rules.before[k] =
            (uint64_t)(((intptr_t)s->p - (intptr_t)job->r.p) / (intptr_t)sizeof *s->p);
    }
    job->alike = !lists;
    if (!lists) {
        return job->r.n >= job->a.n + job->b.n && !batch_overlap(&job->r, &job->a) &&
               !batch_overlap(&job->r, &job->b);
    }
    const variant_kind variant = job->ctx->variant;
    window_look *const look = variant == VARIANT_AVX512 || variant == VARIANT_IFMA
                                  ? window_look_avx512
                                  : window_look_portable;
    window_survey all = {0};
    window w;
    for (uint64_t i = 0; i < job->r.count; i += WINDOW) {
        const size_t count = job->r.count - i < WINDOW ? job->r.count - i : WINDOW;
        window_move(&w, spans, i, count);
        look(&all, &w.lists, &rules, count);
    }
    job->alike = all.differ == 0;
    return all.bits <= BIGINT_MAX_LIMBS && (all.too_long | all.overlap) >> 63 == 0;
}

// items_fit: why items do not pass, if they do not: the first length that is too large, or result
// that is too short.
static bigint_status items_fit(const product_job *job) {
    bigint_ctx *const ctx = job->ctx;
    const char *const who = "bigint_mul_batch";
    const bigint_span *const results[] = {&job->r, NULL}, *const inputs[] = {&job->a, &job->b,
                                                                             NULL};
    bigint_status status = batch_check(ctx, who, results, inputs, (const char *[]){"a", "b"});
    for (uint64_t i = 0; status == BIGINT_OK && i < job->r.count; i++) {
        const product_item x = product_item_of(job, i);
        if (x.a.n + x.b.n > x.r.n) {
            status = batch_does_not_hold(ctx, who, i, x.r.n, x.a.n + x.b.n);
        }
    }
    return status;
}

// --- Plan ----------------------------------------------------------------------------------------

// demand: what the items that are not short ask for.
typedef struct {
    uint64_t ws_bytes;  // the most
    bool uses_team;     // some product runs on all threads itself
} demand;

// every_table makes the tables of all items ready, where one set does not serve shorter ones.
static bigint_status every_table(const product_job *job) {
    product_plan last = {.plan.engine = ENGINE_AUTO};
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < job->r.count && status == BIGINT_OK; i++) {
        const product_item x = product_item_of(job, i);
        if (product_is_short(job->ctx, x.a.n, x.b.n)) {
            continue;
        }
        const product_plan *const own = job->plans == NULL ? &last : &job->plans[i];
        status = job->plans == NULL ? product_replan(job->planner, &last, &x) : BIGINT_OK;
        if (status == BIGINT_OK) {
            status = mul_tables(job->ctx, "bigint_mul_batch", &own->plan);
        }
    }
    return status;
}

// longer_tables: whether x needs longer tables than y. The shortest ones have the same bytes.
static bool longer_tables(const mul_plan *x, const mul_plan *y) {
    return x->tables_bytes > y->tables_bytes ||
           (x->engine == ENGINE_MODULAR_FFT && y->engine == ENGINE_MODULAR_FFT &&
            fft_plan_table_lg(&x->fft.fft) > fft_plan_table_lg(&y->fft.fft));
}

// plan_items plans the items that are not short, and makes the tables ready once for the longest
// transform, which serve all shorter ones.
static bigint_status plan_items(const product_job *job, demand *d) {
    product_plan last = {.plan.engine = ENGINE_AUTO};
    mul_plan longest = last.plan;
    bool floats = false;
    for (uint64_t i = 0; i < job->r.count; i++) {
        const product_item x = product_item_of(job, i);
        if (product_is_short(job->ctx, x.a.n, x.b.n)) {
            continue;
        }
        const bigint_status status = product_replan(job->planner, &last, &x);
        if (status != BIGINT_OK) {
            return bigint_fail(job->ctx, status, "%s", job->planner->error);
        }
        if (job->plans != NULL) {
            job->plans[i] = last;
        }
        const uint64_t bytes = last.plan.workspace_bytes;
        d->ws_bytes = d->ws_bytes < bytes ? bytes : d->ws_bytes;
        d->uses_team |= last.plan.uses_team;
        floats |= mul_float_engine(last.plan.engine);
        longest = longer_tables(&last.plan, &longest) ? last.plan : longest;
    }
    d->ws_bytes = (d->ws_bytes + 63) / 64 * 64;
    longest.workspace_bytes = d->ws_bytes;
    const bigint_status status = mul_ready(job->ctx, "bigint_mul_batch", &longest);
    return status == BIGINT_OK && floats ? every_table(job) : status;
}

// keep_plans takes memory for the plans of all items, so that each is made once, if their lengths
// differ. Not under a cap, and not for many items, of which most may need none.
static bigint_status keep_plans(product_job *job) {
    enum { MOST = 4096 };
    if ((job->a.lengths == NULL && job->b.lengths == NULL) || job->r.count > MOST ||
        job->ctx->options.max_workspace_bytes != 0) {
        return BIGINT_OK;
    }
    const char *const who = "bigint_mul_batch";
    job->plans = arena_take(job->ctx, who, job->r.count * sizeof *job->plans);
    return job->plans == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

// choose_lanes: whether products eight at once are possible here, for numbers as long as the spans
// allow, and their workspace keeps to the cap.
static void choose_lanes(product_job *job, unsigned workers) {
    const bigint_ctx *const ctx = job->ctx;
    const uint64_t most = LIMBS_LANES_MAX, cap = ctx->options.max_workspace_bytes;
    const uint64_t an = job->a.n < most ? job->a.n : most, bn = job->b.n < most ? job->b.n : most;
    if (ctx->limbs->mul_lanes == NULL || ctx->short_limbs < MUL_LANES_SHORTER ||
        job->r.count < MUL_LANES_LEAST || (an < bn ? an : bn) < MUL_LANES_SHORTER) {
        return;
    }
    const uint64_t bytes = limbs_lanes_words(an, bn) * sizeof(uint64_t);
    const uint64_t each = bytes > job->ws_bytes ? bytes : job->ws_bytes;
    const uint64_t all = workers * (each + sizeof *job->tallies) + 64;
    job->lanes = cap == 0 || arena_held_with(&ctx->arena, all) + ctx->tables_bytes <= cap;
    job->ws_bytes = job->lanes ? each : job->ws_bytes;
}

// --- Run -----------------------------------------------------------------------------------------

// workers_of: the threads that share the items; NULL where there is too little work, or products
// use them themselves.
static team *workers_of(const product_job *job, const demand *d) {
    const double each = (double)job->a.n * (double)job->b.n + MUL_BATCH_ITEM;
    const bool much = each * (double)job->r.count >= MUL_BATCH_TEAM_WORK;
    return much && !d->uses_team ? job->ctx->team : NULL;
}

// verdict: counts all products; ECHECK if some are wrong.
static bigint_status verdict(const product_job *job, unsigned size) {
    uint64_t wrong = 0;
    bool canceled = false;
    for (unsigned w = 0; w < size; w++) {
        mul_count(job->ctx, &job->tallies[w]);
        wrong += job->tallies[w].wrong;
        canceled |= job->tallies[w].canceled;
    }
    if (canceled) {
        return context_canceled(job->ctx, "bigint_mul_batch");
    }
    return wrong == 0 ? BIGINT_OK
                      : bigint_fail(
                            job->ctx, BIGINT_ECHECK,
                            "bigint_mul_batch: %llu of %llu products are wrong modulo %llu; do not "
                            "use the results",
                            (unsigned long long)wrong, (unsigned long long)job->r.count,
                            (unsigned long long)job->ctx->check_modulus);
}

// run_alone: all products on one thread, or one after the other on all of them.
static bigint_status run_alone(product_job *job) {
    mul_tally tally = {0};
    job->tallies = &tally;
    if (job->ws_bytes > 0) {
        job->ws = arena_take(job->ctx, "bigint_mul_batch", job->ws_bytes);
        if (job->ws == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    const bigint_status status = context_may_write(job->ctx);
    if (status != BIGINT_OK) {
        return status;
    }
    product_chunk(job, 0, 0);
    return verdict(job, 1);
}

// run_shared: all products on several threads.
static bigint_status run_shared(product_job *job, team *workers) {
    bigint_ctx *const ctx = job->ctx;
    const unsigned size = team_size(workers);
    const uint64_t most = (uint64_t)size * BATCH_CHUNKS;
    uint64_t ws_bytes;
    if (__builtin_mul_overflow(job->ws_bytes, size, &ws_bytes)) {
        ws_bytes = UINT64_MAX;  // arena_take refuses it
    }
    job->chunks = job->r.count < most ? job->r.count : most;
    job->tallies = arena_take(ctx, "bigint_mul_batch", size * sizeof *job->tallies);
    job->ws = job->tallies == NULL ? NULL : arena_take(ctx, "bigint_mul_batch", ws_bytes);
    if (job->ws == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status = context_may_write(ctx);
    if (status != BIGINT_OK) {
        return status;
    }
    memset(job->tallies, 0, size * sizeof *job->tallies);
    team_run(workers, product_chunk, job, job->chunks);
    return verdict(job, size);
}

bigint_status batch_mul(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                        const bigint_span *b) {
    product_job job = {.ctx = ctx, .r = *r, .a = *a, .b = *b, .chunks = 1};
    bigint_ctx planner;
    demand d = {0};
    if (r->count == 0) {
        return BIGINT_OK;
    }
    bigint_status status = surely_fit(&job) ? BIGINT_OK : items_fit(&job);
    const arena_mark mark = arena_get_mark(ctx);
    if (status == BIGINT_OK && !product_is_short(ctx, a->n, b->n)) {
        status = keep_plans(&job);
        planner = *ctx;
        planner.arena = (arena){.kind = MEMORY_HOST, .in_use = ctx->arena.in_use};
        job.planner = &planner;
        status = status == BIGINT_OK ? plan_items(&job, &d) : status;
    }
    if (status == BIGINT_OK) {
        team *const workers = workers_of(&job, &d);
        job.ws_bytes = d.ws_bytes;
        choose_lanes(&job, team_size(workers));
        status = workers == NULL ? run_alone(&job) : run_shared(&job, workers);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Plans ---------------------------------------------------------------------------------------

// job_of: of numbers that are all alike, as far as choices go.
static product_job job_of(bigint_ctx *ctx, uint64_t count, uint64_t an, uint64_t bn) {
    return (product_job){.ctx = ctx,
                         .r = {.n = an + bn, .count = count},
                         .a = {.n = an, .count = count},
                         .b = {.n = bn, .count = count},
                         .alike = true};
}

// plan_need: what one product asks for, squared or not, and the tables.
static void plan_need(work_need *w, demand *d, uint64_t an, uint64_t bn) {
    mul_plan plan;
    for (unsigned square = 0; square < (an == bn ? 2 : 1) && w->status == BIGINT_OK; square++) {
        w->status = mul_plan_make(w->ctx, w->who, &plan, an, bn, square == 1);
        if (w->status == BIGINT_OK) {
            const uint64_t bytes = (plan.workspace_bytes + 63) / 64 * 64;
            mul_plan_need(w, &plan);
            d->ws_bytes = d->ws_bytes < bytes ? bytes : d->ws_bytes;
            d->uses_team |= plan.uses_team;
        }
    }
}

void batch_mul_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn) {
    const uint64_t in_use = w->host.in_use;
    product_job job = job_of(w->ctx, count, an, bn);
    demand d = {0};
    if (count == 0) {
        return;
    }
    if (!product_is_short(w->ctx, an, bn)) {
        plan_need(w, &d, an, bn);
    }
    team *const workers = workers_of(&job, &d);
    const unsigned size = team_size(workers);
    job.ws_bytes = d.ws_bytes;
    choose_lanes(&job, size);
    if (workers != NULL) {
        need_take(&w->host, size * sizeof *job.tallies);
    }
    if (workers != NULL || job.ws_bytes > 0) {
        need_take(&w->host, size * job.ws_bytes);
    }
    need_release(&w->host, in_use);
}

int batch_mul_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                    uint64_t bn) {
    product_job job = job_of(ctx, count, an, bn);
    demand d = {0};
    char how[512] = "";
    mul_plan plan;
    if (mul_plan_make(ctx, "bigint_mul_batch", &plan, an, bn, false) == BIGINT_OK) {
        d.uses_team = plan.uses_team;
        mul_plan_print(ctx, &plan, how, sizeof how);
    }
    const unsigned size = team_size(workers_of(&job, &d));
    choose_lanes(&job, size);
    return snprintf(buf, cap, "%llu products on %u thread%s%s: %s", (unsigned long long)count, size,
                    size == 1 ? "" : "s", job.lanes ? ", eight at once" : "", how);
}
