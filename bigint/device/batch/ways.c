// ways.c: see ways.h.
#include "bigint/device/batch/ways.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/device/check.h"
#include "bigint/device/kernels/block_product.h"
#include "bigint/device/tables.h"

device_batch_product device_batch_product_of(const device_batch *s, uint64_t i) {
    const batch_item a = batch_item_of(s->a, i), b = batch_item_of(s->b, i);
    return a.n >= b.n ? (device_batch_product){batch_item_of(s->r, i), a, b}
                      : (device_batch_product){batch_item_of(s->r, i), b, a};
}

product_item device_batch_item(const device_batch_product *p) {
    return (product_item){p->r.p, p->a.p, p->b.p, p->r.n, p->a.n, p->b.n};
}

product_rows device_batch_rows(const device_batch *s) {
    const device_batch_product p = {batch_item_of(s->r, 0), batch_item_of(s->a, 0),
                                    batch_item_of(s->b, 0)};
    return (product_rows){
        device_batch_item(&p), s->r->stride, s->a->stride, s->b->stride, NULL, s->r->count, 0};
}

// Passes leave results alone that are mostly padding.
device_batch_way device_batch_way_of(const device_batch *s, const device_batch_product *p) {
    const device_batch_way alone = {BATCH_ALONE, 0};
    if (s->ring > 0) {
        return s->ring_way;
    }
    if (s->one_by_one) {
        return alone;
    }
    const device_batch_way way =
        device_batch_choose(s->ctx, s->shares, s->r->count, p->b.n == 0 ? 0 : p->a.n, p->b.n);
    return way.kind == BATCH_PASSES && p->r.n / 2 > p->a.n + p->b.n ? alone : way;
}

// --- Looking -------------------------------------------------------------------------------------

static uint64_t looks(const device_batch *s) {
    return s->alike && s->r->count > 0 ? 1 : s->r->count;
}

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

// look validates all products, counts the products of each way, and plans passes.
static bigint_status look(device_batch *s) {
    memset(s->count, 0, sizeof s->count);
    memset(&s->classes, 0, sizeof s->classes);
    s->an = s->bn = s->together = 0;
    s->classes.ring = s->ring;
    for (uint64_t i = 0; i < looks(s); i++) {
        const device_batch_product p = device_batch_product_of(s, i);
        if (s->ring == 0 && p.a.n + p.b.n > p.r.n) {
            return batch_does_not_hold(s->ctx, s->who, i, p.r.n, p.a.n + p.b.n);
        }
        const device_batch_way way = device_batch_way_of(s, &p);
        const uint64_t products = s->alike ? s->r->count : 1;
        s->count[device_batch_index(way)] += products;
        s->together += way.kind != BATCH_ALONE && p.b.n > 0 ? products : 0;
        if (way.kind == BATCH_PASSES) {
            device_classes_add(&s->classes, way.size, products, p.a.n, p.b.n, p.r.n);
        } else if (way.kind == BATCH_BLOCK || way.kind == BATCH_WRAPPED) {
            s->classes.blocks_bytes =
                max(s->classes.blocks_bytes,
                    block_product_bytes(way.size, s->count[device_batch_index(way)]));
        } else if (way.kind == BATCH_ALONE && p.b.n > 0) {
            s->an = max(s->an, p.a.n);
            s->bn = max(s->bn, p.b.n);
        }
    }
    const bool alike = s->alike && s->r->count > 0;
    const product_rows rows = alike ? device_batch_rows(s) : (product_rows){0};
    device_classes_plan(s->ctx, &s->classes, alike ? &rows : NULL);
    return BIGINT_OK;
}

bool device_batch_table_plan(const device_batch *s, unsigned way, device_plan *plan) {
    const device_batch_kind kind = device_batch_way_at(way).kind;
    const unsigned size = device_batch_way_at(way).size;
    *plan = (device_plan){.engine = ENGINE_MODULAR_FFT};
    if (s->count[way] > 0 && kind == BATCH_PASSES) {
        plan->modular = s->classes.plan[size].modular;
        return true;
    }
    return s->count[way] > 0 && kind == BATCH_CLUSTER &&
           device_batch_shape(s->ctx, size, &plan->modular);
}

// fits: whether the cap has room for the list, on host and device, for tables, and for passes with
// one product a launch.
static bool fits(const device_batch *s) {
    const uint64_t cap = s->ctx->options.max_workspace_bytes, list = device_batch_list_bytes(s);
    const device_memory passes = device_classes_need(&s->classes, true);
    uint64_t more = device_check_bytes(s->ctx);
    more += passes.workspace > 0 ? arena_held_bytes(passes.workspace) : 0;
    more += passes.words > s->ctx->queue.words_bytes ? arena_held_bytes(passes.words) : 0;
    if (list > 0) {
        more += 2 * arena_held_bytes(list) + device_staging_bytes(s->ctx);
    }
    device_plan plan;
    for (unsigned w = 0; w < BATCH_WAYS; w++) {
        more += device_batch_table_plan(s, w, &plan) ? device_tables_missing(s->ctx, &plan) : 0;
    }
    const uint64_t held = s->ctx->counters.workspace_bytes;
    return held <= cap && more <= cap - held;
}

bigint_status device_batch_decide(device_batch *s) {
    const bool strided = s->r->offsets == NULL && s->a->offsets == NULL && s->b->offsets == NULL;
    const bool equal = s->r->lengths == NULL && s->a->lengths == NULL && s->b->lengths == NULL;
    s->alike = strided && equal;
    if (s->alike && s->r->count > 0) {
        const product_rows rows = device_batch_rows(s);
        s->shares = device_batch_shares(&rows);
    }
    bigint_status status = look(s);
    const bool capped = s->ctx->options.max_workspace_bytes != 0;
    if (status == BIGINT_OK && capped && device_classes_need(&s->classes, true).workspace > 0 &&
        !fits(s)) {
        arena_trim(s->ctx);  // idle blocks, such as of the last batch, are no reason
    }
    if (status == BIGINT_OK && capped && device_batch_alone(s) < s->r->count &&
        (device_batch_alone(s) > 0 || !fits(s))) {
        s->one_by_one = true;
        status = s->ring == 0 ? look(s) : BIGINT_OK;
    }
    return status;
}
