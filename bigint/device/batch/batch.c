// batch.c: batches of products on a device.
//
// One launch computes all products of one way (batch_plan.c), or each launch of its passes many of
// them (passes.c). It reads the spans directly if all numbers are alike, otherwise a list. The
// other products are enqueued one after the other. One plan that fits the longest of them serves
// them all; shorter ones get their own plan if its memory is enough and the cap leaves room for
// their tables. All memory is taken before the first launch.
#include "bigint/device/batch/batch.h"

#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch_plan.h"
#include "bigint/device/batch/classes.h"
#include "bigint/device/batch/rows.h"
#include "bigint/device/check.h"
#include "bigint/device/kernels/block_product.h"
#include "bigint/device/kernels/cluster_product.h"
#include "bigint/device/kernels/common_matrix.h"
#include "bigint/device/kernels/common_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/short_product.h"
#include "bigint/device/kernels/tiled_product.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"

enum { WAYS = BATCH_KINDS * BATCH_SIZES };

typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const bigint_span *r, *a, *b;
    bool alike;                   // the numbers of each span have one length and a stride
    device_batch_sharing shares;  // if alike: what the products share
    bool one_by_one;              // no memory for other ways
    uint64_t ring;                // 0, or limbs: modulo B^ring - 1, all by passes
    unsigned ring_class;          // of these
    uint64_t count[WAYS];         // products of each way
    uint64_t together;            // products computed in launches of a way
    uint64_t an, bn;              // the longest factors of products enqueued alone
    device_plan longest;          // the plan for these
    device_work run;              // the memory for these
    product_item *list;           // on the device, way after way
    device_classes classes;       // of products by passes
} batch;

// product: one product of a batch, the longer factor first. n = 0 of either: the product is 0.
typedef struct {
    batch_item r, a, b;
} product;

static product product_of(const batch *s, uint64_t i) {
    const batch_item a = batch_item_of(s->a, i), b = batch_item_of(s->b, i);
    return a.n >= b.n ? (product){batch_item_of(s->r, i), a, b}
                      : (product){batch_item_of(s->r, i), b, a};
}

// item_of: the same as kernels see it.
static product_item item_of(const product *p) {
    return (product_item){p->r.p, p->a.p, p->b.p, p->r.n, p->a.n, p->b.n};
}

// rows_of: the products of a batch whose numbers are alike.
static product_rows rows_of(const batch *s) {
    const product p = {batch_item_of(s->r, 0), batch_item_of(s->a, 0), batch_item_of(s->b, 0)};
    return (product_rows){
        item_of(&p), s->r->stride, s->a->stride, s->b->stride, NULL, s->r->count, 0};
}

// way_of: passes leave results alone that are mostly padding.
static device_batch_way way_of(const batch *s, const product *p) {
    const device_batch_way alone = {BATCH_ALONE, 0};
    if (s->ring > 0) {
        return (device_batch_way){BATCH_PASSES, s->ring_class};
    }
    if (s->one_by_one) {
        return alone;
    }
    const device_batch_way way =
        device_batch_choose(s->ctx, s->shares, s->r->count, p->b.n == 0 ? 0 : p->a.n, p->b.n);
    return way.kind == BATCH_PASSES && p->r.n / 2 > p->a.n + p->b.n ? alone : way;
}

static unsigned index_of(device_batch_way way) { return way.kind * BATCH_SIZES + way.size; }
static device_batch_way way_at(unsigned index) {
    return (device_batch_way){(device_batch_kind)(index / BATCH_SIZES), index % BATCH_SIZES};
}

// --- Looking -------------------------------------------------------------------------------------

static uint64_t looks(const batch *s) { return s->alike && s->r->count > 0 ? 1 : s->r->count; }

static uint64_t max(uint64_t a, uint64_t b) { return a > b ? a : b; }

// look validates all products, counts the products of each way, and plans passes.
static bigint_status look(batch *s) {
    memset(s->count, 0, sizeof s->count);
    memset(&s->classes, 0, sizeof s->classes);
    s->an = s->bn = s->together = 0;
    s->classes.ring = s->ring;
    for (uint64_t i = 0; i < looks(s); i++) {
        const product p = product_of(s, i);
        if (s->ring == 0 && p.a.n + p.b.n > p.r.n) {
            return batch_does_not_hold(s->ctx, s->who, i, p.r.n, p.a.n + p.b.n);
        }
        const device_batch_way way = way_of(s, &p);
        const uint64_t products = s->alike ? s->r->count : 1;
        s->count[index_of(way)] += products;
        s->together += way.kind != BATCH_ALONE && p.b.n > 0 ? products : 0;
        if (way.kind == BATCH_PASSES) {
            device_classes_add(&s->classes, way.size, products, p.a.n, p.b.n, p.r.n);
        } else if (way.kind == BATCH_BLOCK) {
            s->classes.blocks_bytes = max(s->classes.blocks_bytes,
                                          block_product_bytes(way.size, s->count[index_of(way)]));
        } else if (way.kind == BATCH_ALONE && p.b.n > 0) {
            s->an = max(s->an, p.a.n);
            s->bn = max(s->bn, p.b.n);
        }
    }
    const bool alike = s->alike && s->r->count > 0;
    const product_rows rows = alike ? rows_of(s) : (product_rows){0};
    device_classes_plan(s->ctx, &s->classes, alike ? &rows : NULL);
    return BIGINT_OK;
}

static uint64_t alone(const batch *s) { return s->count[BATCH_ALONE * BATCH_SIZES]; }

static uint64_t list_bytes(const batch *s) {
    return s->alike ? 0 : (s->r->count - alone(s)) * sizeof(product_item);
}

// table_plan: the plan whose tables products of that way need. False if they need none, or if the
// batch has no such products.
static bool table_plan(const batch *s, unsigned way, device_plan *plan) {
    const device_batch_kind kind = way_at(way).kind;
    const unsigned size = way_at(way).size;
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
static bool fits(const batch *s) {
    const uint64_t cap = s->ctx->options.max_workspace_bytes, list = list_bytes(s);
    const device_memory passes = device_classes_need(&s->classes, true);
    uint64_t more = device_check_bytes(s->ctx);
    more += passes.workspace > 0 ? arena_held_bytes(passes.workspace) : 0;
    more += passes.words > s->ctx->queue.words_bytes ? arena_held_bytes(passes.words) : 0;
    if (list > 0) {
        more += 2 * arena_held_bytes(list) + device_staging_bytes(s->ctx);
    }
    device_plan plan;
    for (unsigned w = 0; w < WAYS; w++) {
        more += table_plan(s, w, &plan) ? device_tables_missing(s->ctx, &plan) : 0;
    }
    const uint64_t held = s->ctx->counters.workspace_bytes;
    return held <= cap && more <= cap - held;
}

// decide: looks at the products, and looks again if a cap leaves no room: then they are computed
// one by one.
static bigint_status decide(batch *s) {
    const bool strided = s->r->offsets == NULL && s->a->offsets == NULL && s->b->offsets == NULL;
    const bool equal = s->r->lengths == NULL && s->a->lengths == NULL && s->b->lengths == NULL;
    s->alike = strided && equal;
    if (s->alike && s->r->count > 0) {
        const product_rows rows = rows_of(s);
        s->shares = device_batch_shares(&rows);
    }
    bigint_status status = look(s);
    const bool capped = s->ctx->options.max_workspace_bytes != 0;
    if (status == BIGINT_OK && capped && device_classes_need(&s->classes, true).workspace > 0 &&
        !fits(s)) {
        arena_trim(s->ctx);  // idle blocks, such as of the last batch, are no reason
    }
    if (status == BIGINT_OK && capped && alone(s) < s->r->count && (alone(s) > 0 || !fits(s))) {
        s->one_by_one = true;
        status = s->ring == 0 ? look(s) : BIGINT_OK;
    }
    return status;
}

// --- Memory --------------------------------------------------------------------------------------

// own_plan: the plan of a single product in *own, which may hold the previous product's plan. False
// if it needs more memory than the longest product's.
static bool own_plan(const batch *s, const product *p, device_plan *own, bool *fits) {
    const bool square = p->a.p == p->b.p && p->a.n == p->b.n;
    if (own->an != p->a.n || own->bn != p->b.n || own->square != square) {
        *fits = device_plan_whole(s->ctx, own, p->a.n, p->b.n, square, false) &&
                own->workspace_bytes <= s->longest.workspace_bytes &&
                own->words_bytes <= s->longest.words_bytes;
    }
    return *fits;
}

// is_alone: whether product i is enqueued alone; fills p.
static bool is_alone(const batch *s, uint64_t i, product *p) {
    *p = product_of(s, i);
    return way_of(s, p).kind == BATCH_ALONE;
}

// make_tables: of the shapes of all plans that fit, as far as the cap allows.
static bigint_status make_tables(const batch *s) {
    const uint64_t cap = s->ctx->options.max_workspace_bytes;
    const uint64_t *const held = &s->ctx->counters.workspace_bytes;
    device_plan own = {0};
    bool fits = false;
    bigint_status status = BIGINT_OK;
    for (unsigned w = 0; w < WAYS && status == BIGINT_OK; w++) {
        if (table_plan(s, w, &own)) {
            status = device_tables_add(s->ctx, s->who, &own);
        }
    }
    own = (device_plan){0};
    for (uint64_t i = 0; alone(s) > 0 && i < s->r->count && status == BIGINT_OK; i++) {
        product p;
        const bool planned = is_alone(s, i, &p) && p.b.n > 0 && own_plan(s, &p, &own, &fits);
        const uint64_t more = planned ? device_tables_missing(s->ctx, &own) : 0;
        if (more > 0 && (cap == 0 || (*held <= cap && more <= cap - *held))) {
            status = device_tables_add(s->ctx, s->who, &own);
        }
    }
    return status;
}

// make_list writes the products that are not alone, way after way, and starts the copy to the
// device. Within a way they keep the batch's order: its kernel takes the same time for each of them
// at any length, so sorting, which costs 50 ns or more for each, would gain nothing.
static bigint_status make_list(batch *s) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t count = list_bytes(s) / sizeof(product_item);
    product_item *list;
    if (count == 0) {
        return BIGINT_OK;
    }
    const bigint_status status = device_list_take(ctx, s->who, count, &list, &s->list);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t next[WAYS] = {0};
    for (unsigned w = 0; w + 1 < WAYS; w++) {
        next[w + 1] = next[w] + (way_at(w).kind == BATCH_ALONE ? 0 : s->count[w]);
    }
    for (uint64_t i = 0; i < s->r->count; i++) {
        product p;
        if (!is_alone(s, i, &p)) {
            list[next[index_of(way_of(s, &p))]++] = item_of(&p);
        }
    }
    return device_list_send(ctx, s->who, list, s->list, count);
}

// --- Launches ------------------------------------------------------------------------------------

// enqueue_alone: enqueues the products that are alone, and zeros above them.
static result enqueue_alone(batch *s) {
    device_plan own = {0};
    bool fits = false;
    result done = RESULT_OK;
    for (uint64_t i = 0; alone(s) > 0 && i < s->r->count && done == RESULT_OK; i++) {
        product p;
        if (!is_alone(s, i, &p)) {
            continue;
        }
        const uint64_t n = p.b.n == 0 ? 0 : p.a.n + p.b.n;
        if (n > 0) {
            const bool by_own =
                own_plan(s, &p, &own, &fits) && device_tables_missing(s->ctx, &own) == 0;
            const limbs_device_number a = {p.a.p, p.a.n, NULL}, b = {p.b.p, p.b.n, NULL};
            device_use(&s->run, by_own ? &own : &s->longest);
            done = device_multiply(&s->run, p.r.p, n, NULL, a, b, NULL);
        }
        if (p.r.n > n && done == RESULT_OK) {
            done = cuda_set(p.r.p + n, 0, (p.r.n - n) * sizeof *p.r.p, s->ctx->queue.stream);
        }
    }
    return done;
}

// launch enqueues all products of one way.
static result launch(const batch *s, device_batch_way way, const product_rows *rows) {
    const cuda_stream stream = s->ctx->queue.stream;
    device_plan plan;
    switch (way.kind) {
        case BATCH_PASSES:
            return device_classes_run(s->ctx, &s->classes, way.size, rows->items);
        case BATCH_SHORT:
            return short_product(rows, way.size, stream);
        case BATCH_TILED:
            return tiled_product(rows, way.size, stream);
        case BATCH_BLOCK:
            return block_product(rows, way.size, s->classes.workspace, s->classes.blocks_bytes,
                                 stream);
        case BATCH_COMMON:
            return common_product(rows, way.size, stream);
        case BATCH_MATRIX:
            return common_matrix(rows, way.size, stream);
        default:
            table_plan(s, index_of(way), &plan);
            return cluster_product(rows, NULL, product_rows_squares(rows), &plan.modular,
                                   device_tables(s->ctx, &plan.modular), stream);
    }
}

// enqueue_ways: enqueues the products that are not alone.
static result enqueue_ways(const batch *s) {
    result done = RESULT_OK;
    const product_item *next = s->list;
    for (unsigned w = BATCH_SIZES; w < WAYS && done == RESULT_OK; w++) {
        if (s->count[w] > 0) {
            const product_rows listed = {.items = next, .count = s->count[w]};
            const product_rows rows = s->alike ? rows_of(s) : listed;
            done = launch(s, way_at(w), &rows);
            next += s->alike ? 0 : s->count[w];
        }
    }
    return done;
}

// check_ways: enqueues their checks; no factor has been overwritten.
static result check_ways(const batch *s) {
    bigint_ctx *const ctx = s->ctx;
    const uint64_t many = s->r->count - alone(s);
    ctx->counters.products += s->together;
    ctx->counters.checks += ctx->check_modulus == 0 ? 0 : s->together;
    if (many == 0) {
        return RESULT_OK;
    }
    const product_rows listed = {.items = s->list, .count = many};
    const product_rows rows = s->alike ? rows_of(s) : listed;
    return device_check_rows(ctx, &rows);
}

// begin enters the queue and takes the memory of the products that are alone.
static bigint_status begin(batch *s) {
    bigint_ctx *const ctx = s->ctx;
    if (alone(s) > 0) {
        const bigint_status status =
            device_plan_make(ctx, s->who, &s->longest, s->an, s->bn, false, true);
        return status == BIGINT_OK ? device_begin(&s->run, ctx, s->who, &s->longest) : status;
    }
    s->run = (device_work){.ctx = ctx, .mark = arena_mark_in(&ctx->queue.memory)};
    bigint_status status = device_enter(ctx, s->who);
    if (status == BIGINT_OK) {
        status = device_check_need(ctx, s->who);
        if (status != BIGINT_OK) {
            device_end(&s->run);
        }
    }
    return status;
}

// run: the products that decide() has looked at.
static bigint_status run(batch *s) {
    bigint_ctx *const ctx = s->ctx;
    bigint_status status = begin(s);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = make_tables(s);
    status = status == BIGINT_OK ? make_list(s) : status;
    status = status == BIGINT_OK ? device_classes_take(ctx, s->who, &s->classes) : status;
    if (status == BIGINT_OK) {
        result done = enqueue_ways(s);
        done = done == RESULT_OK ? check_ways(s) : done;
        done = done == RESULT_OK ? enqueue_alone(s) : done;
        status = device_status(ctx, s->who, done);
    }
    arena_release(ctx, mark);
    device_end(&s->run);
    return status;
}

bigint_status device_mul_batch(bigint_ctx *ctx, const char *who, const bigint_span *r,
                               const bigint_span *a, const bigint_span *b) {
    batch s = {.ctx = ctx, .who = who, .r = r, .a = a, .b = b};
    const bigint_status status = decide(&s);
    return status == BIGINT_OK && r->count > 0 ? run(&s) : status;
}

bool device_ring_batch(bigint_ctx *ctx, const char *who, const bigint_span *r, const bigint_span *a,
                       const bigint_span *b, uint64_t n, bigint_status *status) {
    batch s = {.ctx = ctx, .who = who, .r = r, .a = a, .b = b, .ring = n};
    if (!device_batch_ring(ctx, r->count, batch_longest(a), batch_longest(b), n, &s.ring_class)) {
        return false;
    }
    *status = decide(&s);
    if (*status == BIGINT_OK && !s.one_by_one) {
        *status = run(&s);
    }
    return !s.one_by_one;
}
