// device_batch.c: batches of products on a device: one after the other, all memory taken before the
// first is enqueued. May include batch.h and device.h.
//
// One plan fits all numbers of a batch: that of the longest ones. Shorter numbers have plans of
// their own where the memory of that one is enough for them and the cap leaves room for their
// tables.
#include "bigint/batch.h"
#include "bigint/device.h"

typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const bigint_span *r, *a, *b;
    resident_plan longest;
    resident_run run;
} batch;

// product: one of a batch, the longer factor first. n = 0 of either: nothing to multiply.
typedef struct {
    batch_item r, a, b;
} product;

static product product_of(const batch *s, uint64_t i) {
    const batch_item a = batch_item_of(s->a, i), b = batch_item_of(s->b, i);
    return a.n >= b.n ? (product){batch_item_of(s->r, i), a, b}
                      : (product){batch_item_of(s->r, i), b, a};
}

// make_longest looks at every number and plans for the longest.
static bigint_status make_longest(batch *s) {
    uint64_t an = 0, bn = 0;
    for (uint64_t i = 0; i < s->r->count; i++) {
        const product p = product_of(s, i);
        if (p.a.n + p.b.n > p.r.n) {
            return batch_does_not_hold(s->ctx, s->who, i, p.r.n, p.a.n + p.b.n);
        }
        if (p.b.n > 0) {
            an = p.a.n > an ? p.a.n : an;
            bn = p.b.n > bn ? p.b.n : bn;
        }
    }
    return resident_plan_make(s->ctx, s->who, &s->longest, an, bn, false, true);
}

// own_plan: the plan of one product alone, in *own, which may hold the one before's. False if it
// needs more memory than the longest's.
static bool own_plan(const batch *s, const product *p, resident_plan *own, bool *fits) {
    const bool square = p->a.p == p->b.p && p->a.n == p->b.n;
    if (own->an != p->a.n || own->bn != p->b.n || own->square != square) {
        *fits = resident_plan_whole(s->ctx, own, p->a.n, p->b.n, square, false) &&
                own->workspace_bytes <= s->longest.workspace_bytes &&
                own->words_bytes <= s->longest.words_bytes;
    }
    return *fits;
}

// make_tables: of the shapes of all plans that fit, as far as the cap allows.
static bigint_status make_tables(const batch *s) {
    const uint64_t cap = s->ctx->options.max_workspace_bytes;
    const uint64_t *const held = &s->ctx->counters.workspace_bytes;
    resident_plan own = {0};
    bool fits = false;
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < s->r->count && status == BIGINT_OK; i++) {
        const product p = product_of(s, i);
        const bool alone = p.b.n > 0 && own_plan(s, &p, &own, &fits);
        const uint64_t more = alone ? resident_tables_missing(s->ctx, &own) : 0;
        if (more > 0 && (cap == 0 || (*held <= cap && more <= cap - *held))) {
            status = resident_tables_add(s->ctx, s->who, &own);
        }
    }
    return status;
}

// enqueue: all products, and zeros above them.
static result enqueue(batch *s) {
    resident_plan own = {0};
    bool fits = false;
    result done = RESULT_OK;
    for (uint64_t i = 0; i < s->r->count && done == RESULT_OK; i++) {
        const product p = product_of(s, i);
        const uint64_t n = p.b.n == 0 ? 0 : p.a.n + p.b.n;
        if (n > 0) {
            const bool alone =
                own_plan(s, &p, &own, &fits) && resident_tables_missing(s->ctx, &own) == 0;
            const limbs_device_number a = {p.a.p, p.a.n, NULL}, b = {p.b.p, p.b.n, NULL};
            resident_use(&s->run, alone ? &own : &s->longest);
            done = resident_multiply(&s->run, p.r.p, n, NULL, a, b, NULL);
        }
        if (p.r.n > n && done == RESULT_OK) {
            done = device_set(p.r.p + n, 0, (p.r.n - n) * sizeof *p.r.p, s->ctx->queue.stream);
        }
    }
    return done;
}

bigint_status resident_mul_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                                 const bigint_span *a, const bigint_span *b) {
    batch s = {.ctx = ctx, .who = who, .r = r, .a = a, .b = b};
    bigint_status status = make_longest(&s);
    if (status != BIGINT_OK || r->count == 0) {
        return status;
    }
    status = resident_begin(&s.run, ctx, who, &s.longest);
    if (status != BIGINT_OK) {
        return status;
    }
    status = make_tables(&s);
    if (status == BIGINT_OK) {
        status = queue_check(ctx, who, enqueue(&s));
    }
    resident_end(&s.run);
    return status;
}
