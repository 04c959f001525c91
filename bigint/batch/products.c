// products.c: products of whole batches on the host: validation, then one item after the other or,
// if the products are too small for a team each, several at once. Everything that can fail comes
// before the first limb of a result is written.
#include "bigint/batch/products.h"

#include <assert.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/multiply/float.h"
#include "bigint/multiply/mul.h"

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

// mul_chunk is a team_task: the products of one chunk of neighbouring items, in the batch's order.
// If they were sorted by length, in runs of 1024 with primitives/sort/sort.h, plans and branches
// would repeat, but memory would no longer be read from one end to the other. In a trial without a
// record products of up to 16 limbs then took as long, of up to 64 limbs 1.8 times as long.
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

bigint_status batch_mul(bigint_ctx *ctx, const bigint_span *r, const bigint_span *a,
                        const bigint_span *b) {
    mul_job job = {.ctx = ctx, .r = r, .a = a, .b = b};
    bigint_status status = mul_job_plan(&job);
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = mul_job_run(&job);
    arena_release(ctx, mark);
    return status;
}
