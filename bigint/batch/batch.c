// batch.c: what is required of spans, and products of whole batches of unsigned numbers:
// validation, then one item after the other or, where the products are too small to be worth a team
// each, several at once. On a device: device/batch.c. May include batch.h and mul.h.
//
// Everything that can fail comes before the first limb of a result is written.
#include <assert.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/device/device.h"
#include "bigint/multiply/mul.h"

// --- Spans ---------------------------------------------------------------------------------------

// check_span: count numbers, whose addresses and lengths do not overflow.
static bigint_status check_span(bigint_ctx *ctx, const char *who, const char *name,
                                const bigint_span *s, uint64_t count) {
    if (s->count != count) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "%s: %s has count %llu, the result has %llu; give all the same", who,
                           name, (unsigned long long)s->count, (unsigned long long)count);
    }
    if (s->p == NULL && s->n > 0 && count > 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s has no limbs (p is NULL) but n = %llu", who,
                           name, (unsigned long long)s->n);
    }
    uint64_t last = 0;
    const bool strided = s->offsets == NULL && count > 0;
    if (s->n > BIGINT_MAX_LIMBS ||
        (strided &&
         (__builtin_mul_overflow(count - 1, s->stride, &last) || last > BIGINT_MAX_LIMBS))) {
        return bigint_fail(
            ctx, BIGINT_ERANGE,
            "%s: %s with %llu numbers of %llu limbs, stride %llu, exceeds 2^56 limbs", who, name,
            (unsigned long long)count, (unsigned long long)s->n, (unsigned long long)s->stride);
    }
    for (uint64_t i = 0; s->lengths != NULL && i < count; i++) {
        if (s->lengths[i] > s->n) {
            return bigint_fail(ctx, BIGINT_EINVAL,
                               "%s: %s: length %llu of number %llu exceeds n = %llu", who, name,
                               (unsigned long long)s->lengths[i], (unsigned long long)i,
                               (unsigned long long)s->n);
        }
    }
    return BIGINT_OK;
}

// check_result: check_span, and that the numbers of a strided result do not overlap each other.
static bigint_status check_result(bigint_ctx *ctx, const char *who, const bigint_span *r) {
    const bigint_status status = check_span(ctx, who, "the result", r, r->count);
    if (status == BIGINT_OK && r->offsets == NULL && r->count > 1 && r->stride < r->n) {
        return bigint_fail(
            ctx, BIGINT_EINVAL,
            "%s: results of %llu limbs at stride %llu overlap; use a stride of at least n", who,
            (unsigned long long)r->n, (unsigned long long)r->stride);
    }
    return status;
}

bigint_status batch_check(bigint_ctx *ctx, const char *who, const bigint_span *const *results,
                          const bigint_span *const *inputs, const char *const *names) {
    bigint_status status = bigint_check_places(ctx, who, NULL, NULL, NULL);
    const uint64_t count = results[0] != NULL ? results[0]->count : inputs[0]->count;
    for (int k = 0; results[k] != NULL && status == BIGINT_OK; k++) {
        status = check_result(ctx, who, results[k]);
        if (status == BIGINT_OK && k > 0) {
            status = check_span(ctx, who, "the other result", results[k], count);
        }
    }
    for (int k = 0; inputs[k] != NULL && status == BIGINT_OK; k++) {
        status = check_span(ctx, who, names[k], inputs[k], count);
    }
    return status;
}

uint64_t batch_longest(const bigint_span *s) {
    uint64_t n = s->lengths == NULL ? s->n : 0;
    for (uint64_t i = 0; s->lengths != NULL && i < s->count; i++) {
        n = s->lengths[i] > n ? s->lengths[i] : n;
    }
    return n;
}

bigint_status batch_check_moduli(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *modulus, const char *name, uint64_t *longest) {
    *longest = batch_longest(modulus);
    for (uint64_t i = 0; i < modulus->count; i++) {
        const uint64_t n = batch_item_of(modulus, i).n;
        if (n == 0) {
            return bigint_fail(ctx, BIGINT_EINVAL, "%s: %s %llu is 0", who, name,
                               (unsigned long long)i);
        }
        if (r != NULL && batch_item_of(r, i).n < n) {
            return batch_does_not_hold(ctx, who, i, batch_item_of(r, i).n, n);
        }
    }
    return BIGINT_OK;
}

bigint_status batch_does_not_hold(bigint_ctx *ctx, const char *who, uint64_t i, uint64_t rn,
                                  uint64_t needed) {
    return bigint_fail(ctx, BIGINT_EINVAL, "%s: result %llu has %llu limbs, %llu are needed", who,
                       (unsigned long long)i, (unsigned long long)rn, (unsigned long long)needed);
}

// --- Products ------------------------------------------------------------------------------------

typedef struct {
    bigint_ctx *ctx;
    const bigint_span *r, *a, *b;
    uint64_t chunks;
    unsigned char *ws;  // ws_bytes for each worker
    uint64_t ws_bytes;
    mul_tally *tallies;  // one for each worker
    bool uses_team;
} mul_job;

// replan: the plan of item i unless `plan` is that already.
static bigint_status replan(bigint_ctx *ctx, mul_plan *plan, uint64_t an, uint64_t bn) {
    const uint64_t longer = an > bn ? an : bn, shorter = an > bn ? bn : an;
    const bool same = plan->engine != ENGINE_AUTO && plan->an == longer && plan->bn == shorter;
    return same ? BIGINT_OK : mul_plan_make(ctx, "bigint_mul_batch", plan, an, bn, false);
}

// every_table makes the tables of all items ready, where one set does not serve shorter ones.
static bigint_status every_table(const mul_job *job) {
    mul_plan plan = {.engine = ENGINE_AUTO};
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < job->r->count && status == BIGINT_OK; i++) {
        status = replan(job->ctx, &plan, batch_item_of(job->a, i).n, batch_item_of(job->b, i).n);
        if (status == BIGINT_OK) {
            status = mul_tables(job->ctx, "bigint_mul_batch", &plan);
        }
    }
    return status;
}

// mul_job_plan validates every item, finds the workspace that the largest needs, and makes the
// tables ready once for the longest transform, which serve all shorter ones.
static bigint_status mul_job_plan(mul_job *job) {
    mul_plan plan = {.engine = ENGINE_AUTO}, longest = plan;
    bool floats = false;
    for (uint64_t i = 0; i < job->r->count; i++) {
        const uint64_t an = batch_item_of(job->a, i).n, bn = batch_item_of(job->b, i).n;
        const uint64_t rn = batch_item_of(job->r, i).n;
        if (an + bn > rn) {
            return batch_does_not_hold(job->ctx, "bigint_mul_batch", i, rn, an + bn);
        }
        const bigint_status status = replan(job->ctx, &plan, an, bn);
        if (status != BIGINT_OK) {
            return status;
        }
        job->ws_bytes = job->ws_bytes < plan.workspace_bytes ? plan.workspace_bytes : job->ws_bytes;
        job->uses_team |= plan.uses_team;
        floats |= mul_float_engine(plan.engine);
        longest = plan.tables_bytes > longest.tables_bytes ? plan : longest;
    }
    job->ws_bytes = (job->ws_bytes + 63) / 64 * 64;
    longest.workspace_bytes = job->ws_bytes;
    const bigint_status status = mul_ready(job->ctx, "bigint_mul_batch", &longest);
    return status == BIGINT_OK && floats ? every_table(job) : status;
}

// mul_chunk is a team_task: the products of one chunk of neighbouring items, in the batch's order:
// by lengths, in runs of 1024 sorted by primitives/sort/sort.h, plans and branches repeat, but
// memory is not read from one end to the other any more: in a trial, of which no record is kept,
// products of up to 16 limbs took as long, of up to 64 limbs 1.8 times as long.
static void mul_chunk(void *arg, size_t index, unsigned worker) {
    const mul_job *job = arg;
    const uint64_t each = job->r->count / job->chunks, more = job->r->count % job->chunks;
    const uint64_t begin = index * each + (index < more ? index : more);
    const uint64_t end = begin + each + (index < more);
    mul_plan plan = {.engine = ENGINE_AUTO};
    for (uint64_t i = begin; i < end; i++) {
        const batch_item r = batch_item_of(job->r, i), a = batch_item_of(job->a, i),
                         b = batch_item_of(job->b, i);
        const bigint_status status = replan(job->ctx, &plan, a.n, b.n);
        assert(status == BIGINT_OK);  // mul_job_plan made the same plan
        (void)status;
        mul_run(job->ctx, &plan, r.p, a.p, a.n, b.p, b.n, job->ws + worker * job->ws_bytes,
                &job->tallies[worker]);
        if (r.n > a.n + b.n) {
            memset(r.p + a.n + b.n, 0, (r.n - a.n - b.n) * sizeof *r.p);
        }
    }
}

// mul_job_run: all products; products that use the team themselves one after the other.
static bigint_status mul_job_run(mul_job *job) {
    bigint_ctx *ctx = job->ctx;
    team *workers = job->uses_team ? NULL : ctx->team;
    const unsigned size = team_size(workers);
    const uint64_t most = (uint64_t)size * 16,
                   count = job->r->count;  // 16: evens out ragged lengths
    job->chunks = size == 1 ? 1 : count < most ? count : most;
    job->tallies = arena_take(ctx, "bigint_mul_batch", size * sizeof *job->tallies);
    uint64_t ws_bytes;
    if (__builtin_mul_overflow(job->ws_bytes, size, &ws_bytes)) {
        ws_bytes = UINT64_MAX;  // arena_take refuses it
    }
    job->ws = arena_take(ctx, "bigint_mul_batch", ws_bytes);
    if (job->tallies == NULL || job->ws == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(job->tallies, 0, size * sizeof *job->tallies);
    team_run(workers, mul_chunk, job, job->chunks);
    uint64_t wrong = 0;
    for (unsigned w = 0; w < size; w++) {
        mul_count(ctx, &job->tallies[w]);
        wrong += job->tallies[w].wrong;
    }
    return wrong == 0 ? BIGINT_OK
                      : bigint_fail(
                            ctx, BIGINT_ECHECK,
                            "bigint_mul_batch: %llu of %llu products are wrong modulo %llu; do not "
                            "use the results",
                            (unsigned long long)wrong, (unsigned long long)count,
                            (unsigned long long)ctx->check_modulus);
}

bigint_status bigint_mul_batch(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                               const bigint_span *b) {
    const char *who = "bigint_mul_batch";
    const bigint_span *const results[] = {r, NULL}, *const inputs[] = {a, b, NULL};
    bigint_status status = batch_check(ctx, who, results, inputs, (const char *[]){"a", "b"});
    if (status == BIGINT_OK && context_on_device(ctx)) {
        return device_mul_batch(ctx, who, r, a, b);
    }
    mul_job job = {.ctx = ctx, .r = r, .a = a, .b = b};
    if (status == BIGINT_OK) {
        status = mul_job_plan(&job);
    }
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = mul_job_run(&job);
    arena_release(ctx, mark);
    return status;
}
