// product_items.c: the items of a batch of products: one after the other or, where neighbours have
// the same lengths and the processor has lanes, eight at once.
//
// Items are not sorted by length. In a trial without a record runs of 1024 were sorted, with
// primitives/sort/sort.h, so that plans and branches repeat, but memory was no longer read from one
// end to the other: products of up to 16 limbs took as long, of up to 64 limbs 1.8 times as long.
#include "bigint/batch/product_items.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/tune.h"

#define INLINE static inline __attribute__((always_inline))

bigint_status product_replan(bigint_ctx *ctx, product_plan *last, const product_item *x) {
    const uint64_t longer = x->a.n > x->b.n ? x->a.n : x->b.n;
    const uint64_t shorter = x->a.n + x->b.n - longer;
    const bool square = x->a.p == x->b.p && longer == shorter;
    if (last->plan.engine != ENGINE_AUTO && last->square == square && last->plan.an == longer &&
        last->plan.bn == shorter) {
        return BIGINT_OK;
    }
    last->square = square;
    return mul_plan_make(ctx, "bigint_mul_batch", &last->plan, longer, shorter, square);
}

// --- Spans ---------------------------------------------------------------------------------------

// places: where the numbers of all three spans are. It is known where functions are inlined, so
// that a short product takes no longer than a loop on the caller's side.
typedef enum { AT_STRIDES, AT_OFFSETS, AT_EITHER } places;

static places places_of(const product_job *job) {
    const uint64_t *const r = job->r.offsets, *const a = job->a.offsets, *const b = job->b.offsets;
    return r == NULL && a == NULL && b == NULL   ? AT_STRIDES
           : r != NULL && a != NULL && b != NULL ? AT_OFFSETS
                                                 : AT_EITHER;
}

// at: batch_item_of(s, i).p for spans with limbs.
INLINE uint64_t *at(const bigint_span *s, uint64_t i, places where) {
    return where == AT_STRIDES   ? s->p + i * s->stride
           : where == AT_OFFSETS ? s->p + s->offsets[i]
                                 : batch_item_of(s, i).p;
}

// length: batch_item_of(s, i).n; not AT_EITHER: of spans with lengths.
INLINE uint64_t length(const bigint_span *s, uint64_t i, places where) {
    return where == AT_EITHER ? batch_item_of(s, i).n : s->lengths[i];
}

// --- Items ---------------------------------------------------------------------------------------

// worker_run: what computes the items of a chunk.
typedef struct {
    const product_job *job;
    product_plan last;
    mul_tally tally;
    void *ws;
} worker_run;

// finish counts or checks the product of item i, and writes the zeros above it.
static void finish(worker_run *x, uint64_t i) {
    const product_item y = product_item_of(x->job, i);
    const uint64_t n = y.a.n + y.b.n;
    if (x->job->ctx->check_modulus == 0) {
        x->tally.products++;
    } else {
        mul_tally_product(x->job->ctx, &x->tally, y.r.p, y.a.p, y.a.n, y.b.p, y.b.n);
    }
    if (y.r.n > n) {
        memset(y.r.p + n, 0, (y.r.n - n) * sizeof *y.r.p);
    }
}

// run_slow: item i, whose product is 0 or needs a plan.
static void run_slow(worker_run *x, uint64_t i) {
    bigint_ctx *const ctx = x->job->ctx;
    if (!context_goes_on(ctx)) {
        x->tally.canceled = true;
        return;
    }
    const product_item y = product_item_of(x->job, i);
    if (y.a.n == 0 || y.b.n == 0) {
        memset(y.r.p, 0, y.r.n * sizeof *y.r.p);
        finish(x, i);
        return;
    }
    if (x->job->plans == NULL) {
        const bigint_status status = product_replan(x->job->planner, &x->last, &y);
        assert(status == BIGINT_OK);  // it was made before
        (void)status;
    }
    const product_plan *const own = x->job->plans == NULL ? &x->last : &x->job->plans[i];
    mul_run(ctx, &own->plan, y.r.p, y.a.p, y.a.n, y.b.p, y.b.n, x->ws, &x->tally);
    memset(y.r.p + y.a.n + y.b.n, 0, (y.r.n - y.a.n - y.b.n) * sizeof *y.r.p);
}

// fits_lanes: whether eight such products at once take less time than one by one.
static inline bool fits_lanes(const product_job *job, uint64_t an, uint64_t bn) {
    const uint64_t shorter = an < bn ? an : bn, longer = an < bn ? bn : an;
    return job->lanes && MUL_LANES_SHORTER <= shorter && longer <= LIMBS_LANES_MAX;
}

// run_lanes: items i .. i + count - 1, of the same lengths and at most LIMBS_LANES, at once. In the
// lanes that are left item i runs again.
static void run_lanes(const worker_run *x, uint64_t i, uint64_t count) {
    uint64_t *rp[LIMBS_LANES];
    const uint64_t *ap[LIMBS_LANES], *bp[LIMBS_LANES];
    const product_item first = product_item_of(x->job, i);
    for (uint64_t k = 0; k < LIMBS_LANES; k++) {
        const product_item y = product_item_of(x->job, k < count ? i + k : i);
        rp[k] = y.r.p;
        ap[k] = y.a.p;
        bp[k] = y.b.p;
    }
    x->job->ctx->limbs->mul_lanes(rp, ap, first.a.n, bp, first.b.n, x->ws);
}

// run_short: items i .. end - 1, of the same lengths and short.
INLINE void run_short(const worker_run *x, uint64_t i, uint64_t end, places where) {
    const limbs_ops *const ops = x->job->ctx->limbs;
    const bigint_span r = x->job->r, a = x->job->a, b = x->job->b;  // which no result overwrites
    const uint64_t an = batch_item_of(&a, i).n, bn = batch_item_of(&b, i).n;
    for (; i < end; i++) {
        mul_limbs_short(ops, at(&r, i, where), at(&a, i, where), an, at(&b, i, where), bn);
    }
}

// run_short_of: the same for spans of any kind.
static void run_short_of(const worker_run *x, uint64_t i, uint64_t end) {
    switch (places_of(x->job)) {
        case AT_STRIDES:
            run_short(x, i, end, AT_STRIDES);
            break;
        case AT_OFFSETS:
            run_short(x, i, end, AT_OFFSETS);
            break;
        case AT_EITHER:
            run_short(x, i, end, AT_EITHER);
            break;
    }
}

// run_alike: items begin .. end - 1, of the same lengths; at least one.
static void run_alike(worker_run *x, uint64_t begin, uint64_t end) {
    const product_job *const job = x->job;
    const product_item first = product_item_of(job, begin);
    const uint64_t an = first.a.n, bn = first.b.n;
    uint64_t i = begin;
    if (an == 0 || bn == 0 || !product_is_short(job->ctx, an, bn)) {
        for (; i < end; i++) {
            run_slow(x, i);
        }
        return;
    }
    for (uint64_t count; fits_lanes(job, an, bn) && end - i >= MUL_LANES_LEAST; i += count) {
        count = end - i < LIMBS_LANES ? end - i : LIMBS_LANES;
        run_lanes(x, i, count);
    }
    if (i < end) {
        run_short_of(x, i, end);
    }
    if (job->ctx->check_modulus == 0 && job->alike && first.r.n == an + bn) {
        x->tally.products += end - begin;  // no result is longer than its product
        return;
    }
    for (i = begin; i < end; i++) {
        finish(x, i);
    }
}

// alike: how many items from i on have the lengths of item i.
static uint64_t alike(const product_job *job, uint64_t i, uint64_t end) {
    const product_item first = product_item_of(job, i);
    uint64_t k = i + 1;
    while (k < end && batch_item_of(&job->a, k).n == first.a.n &&
           batch_item_of(&job->b, k).n == first.b.n) {
        k++;
    }
    return k - i;
}

// run_mixed: items i .. end - 1. Neighbours of the same lengths go to run_alike if they are enough
// for lanes.
INLINE void run_mixed(worker_run *x, uint64_t i, uint64_t end, places where) {
    const product_job *const job = x->job;
    const limbs_ops *const ops = job->ctx->limbs;
    const uint64_t most = job->ctx->short_limbs;
    const bool checks = job->ctx->check_modulus != 0;
    const bigint_span r = job->r, a = job->a, b = job->b;  // which no result overwrites
    uint64_t last_an = 0, last_bn = 0, done = 0;
    for (; i < end; i++) {
        const uint64_t an = length(&a, i, where), bn = length(&b, i, where);
        if (an == last_an && bn == last_bn && fits_lanes(job, an, bn)) {
            const uint64_t count = alike(job, i, end);
            if (count >= MUL_LANES_LEAST) {
                run_alike(x, i, i + count);
                i += count - 1;
                continue;
            }
        }
        last_an = an;
        last_bn = bn;
        if ((an < bn ? an : bn) - 1 >= most) {
            run_slow(x, i);
            continue;
        }
        mul_limbs_short(ops, at(&r, i, where), at(&a, i, where), an, at(&b, i, where), bn);
        if (checks || length(&r, i, where) > an + bn) {
            finish(x, i);
        } else {
            done++;
        }
    }
    x->tally.products += done;
}

void product_chunk(void *arg, size_t index, unsigned worker) {
    const product_job *const job = arg;
    const uint64_t *const r = job->r.lengths, *const a = job->a.lengths, *const b = job->b.lengths;
    const places where = r != NULL && a != NULL && b != NULL ? places_of(job) : AT_EITHER;
    const batch_range range = batch_chunk(job->r.count, job->chunks, index);
    worker_run x;
    x.job = job;
    x.last.plan.engine = ENGINE_AUTO;
    x.tally = (mul_tally){0};
    x.ws = job->ws + worker * job->ws_bytes;
    if (job->alike) {
        run_alike(&x, range.begin, range.end);
    } else if (where == AT_STRIDES) {
        run_mixed(&x, range.begin, range.end, AT_STRIDES);
    } else if (where == AT_OFFSETS) {
        run_mixed(&x, range.begin, range.end, AT_OFFSETS);
    } else {
        run_mixed(&x, range.begin, range.end, AT_EITHER);
    }
    mul_tally *const total = &job->tallies[worker];
    total->products += x.tally.products;
    total->checks += x.tally.checks;
    total->mismatches += x.tally.mismatches;
    total->wrong += x.tally.wrong;
    total->canceled |= x.tally.canceled;
}
