// batch.c: batches of products on a device.
//
// One launch computes all products of one way (batch_plan.c, ways.c), or each launch of its passes
// many of them (passes.c). It reads the spans directly if all numbers are alike, otherwise a list.
// The other products are enqueued one after the other. One plan that fits the longest of them
// serves them all; shorter ones get their own plan if its memory is enough and the cap leaves room
// for their tables. All memory is taken before the first launch.
#include "bigint/device/batch/batch.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/rows.h"
#include "bigint/device/batch/ways.h"
#include "bigint/device/check.h"
#include "bigint/device/kernels/block_product.h"
#include "bigint/device/kernels/cluster/product.h"
#include "bigint/device/kernels/common_matrix.h"
#include "bigint/device/kernels/common_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/short_product.h"
#include "bigint/device/kernels/tiled_product.h"
#include "bigint/device/plan.h"
#include "bigint/device/product.h"
#include "bigint/device/tables.h"

// --- Memory --------------------------------------------------------------------------------------

// own_plan: the plan of a single product in *own, which may hold the previous product's plan. False
// if it needs more memory than the longest product's.
static bool own_plan(const device_batch *s, const device_batch_product *p, device_plan *own,
                     bool *fits) {
    const bool square = p->a.p == p->b.p && p->a.n == p->b.n;
    if (own->an != p->a.n || own->bn != p->b.n || own->square != square) {
        *fits = device_plan_whole(s->ctx, own, p->a.n, p->b.n, square, false) &&
                own->workspace_bytes <= s->longest.workspace_bytes &&
                own->words_bytes <= s->longest.words_bytes;
    }
    return *fits;
}

// is_alone: whether product i is enqueued alone; fills p.
static bool is_alone(const device_batch *s, uint64_t i, device_batch_product *p) {
    *p = device_batch_product_of(s, i);
    return device_batch_way_of(s, p).kind == BATCH_ALONE;
}

// make_tables: of the shapes of all plans that fit, as far as the cap allows.
static bigint_status make_tables(const device_batch *s) {
    const uint64_t cap = s->ctx->options.max_workspace_bytes;
    const uint64_t *const held = &s->ctx->counters.workspace_bytes;
    device_plan own = {0};
    bool fits = false;
    bigint_status status = BIGINT_OK;
    for (unsigned w = 0; w < BATCH_WAYS && status == BIGINT_OK; w++) {
        if (device_batch_table_plan(s, w, &own)) {
            status = device_tables_add(s->ctx, s->who, &own);
        }
    }
    own = (device_plan){0};
    for (uint64_t i = 0; device_batch_alone(s) > 0 && i < s->r->count && status == BIGINT_OK; i++) {
        device_batch_product p;
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
static bigint_status make_list(device_batch *s) {
    bigint_ctx *ctx = s->ctx;
    const uint64_t count = device_batch_list_bytes(s) / sizeof(product_item);
    product_item *list;
    if (count == 0) {
        return BIGINT_OK;
    }
    const bigint_status status = device_list_take(ctx, s->who, count, &list, &s->list);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t next[BATCH_WAYS] = {0};
    for (unsigned w = 0; w + 1 < BATCH_WAYS; w++) {
        next[w + 1] = next[w] + (device_batch_way_at(w).kind == BATCH_ALONE ? 0 : s->count[w]);
    }
    for (uint64_t i = 0; i < s->r->count; i++) {
        device_batch_product p;
        if (!is_alone(s, i, &p)) {
            list[next[device_batch_index(device_batch_way_of(s, &p))]++] = device_batch_item(&p);
        }
    }
    return device_list_send(ctx, s->who, list, s->list, count);
}

// --- Launches ------------------------------------------------------------------------------------

// enqueue_alone: enqueues the products that are alone, and zeros above them.
static result enqueue_alone(device_batch *s) {
    device_plan own = {0};
    bool fits = false;
    result done = RESULT_OK;
    for (uint64_t i = 0; device_batch_alone(s) > 0 && i < s->r->count && done == RESULT_OK; i++) {
        device_batch_product p;
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
static result launch(const device_batch *s, device_batch_way way, const product_rows *rows) {
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
        case BATCH_WRAPPED:
            return block_wrapped(rows, way.size, s->classes.workspace, s->classes.blocks_bytes,
                                 stream);
        case BATCH_COMMON:
            return common_product(rows, way.size, stream);
        case BATCH_MATRIX:
            return common_matrix(rows, way.size, stream);
        default:
            device_batch_table_plan(s, device_batch_index(way), &plan);
            return cluster_product(rows, NULL, product_rows_squares(rows), &plan.modular,
                                   device_tables(s->ctx, &plan.modular), stream);
    }
}

// enqueue_ways: enqueues the products that are not alone.
static result enqueue_ways(const device_batch *s) {
    result done = RESULT_OK;
    const product_item *next = s->list;
    for (unsigned w = BATCH_SIZES; w < BATCH_WAYS && done == RESULT_OK; w++) {
        if (s->count[w] > 0) {
            const product_rows listed = {.items = next, .count = s->count[w]};
            const product_rows rows = s->alike ? device_batch_rows(s) : listed;
            done = launch(s, device_batch_way_at(w), &rows);
            next += s->alike ? 0 : s->count[w];
        }
    }
    return done;
}

// check_ways: enqueues their checks; no factor has been overwritten.
static result check_ways(const device_batch *s) {
    bigint_ctx *const ctx = s->ctx;
    const uint64_t many = s->r->count - device_batch_alone(s);
    ctx->counters.products += s->together;
    ctx->counters.checks += ctx->check_modulus == 0 ? 0 : s->together;
    if (many == 0) {
        return RESULT_OK;
    }
    const product_rows listed = {.items = s->list, .count = many};
    const product_rows rows = s->alike ? device_batch_rows(s) : listed;
    return device_check_rows(ctx, &rows);
}

// begin enters the queue and takes the memory of the products that are alone.
static bigint_status begin(device_batch *s) {
    bigint_ctx *const ctx = s->ctx;
    if (device_batch_alone(s) > 0) {
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

// run: the products that device_batch_decide() has looked at.
static bigint_status run(device_batch *s) {
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
    device_batch s = {.ctx = ctx, .who = who, .r = r, .a = a, .b = b};
    const bigint_status status = device_batch_decide(&s);
    return status == BIGINT_OK && r->count > 0 ? run(&s) : status;
}

bool device_ring_batch(bigint_ctx *ctx, const char *who, const bigint_span *r, const bigint_span *a,
                       const bigint_span *b, uint64_t n, bigint_status *status) {
    device_batch s = {.ctx = ctx, .who = who, .r = r, .a = a, .b = b, .ring = n};
    if (!device_batch_ring(ctx, r->count, batch_longest(a), batch_longest(b), n, &s.ring_way)) {
        return false;
    }
    *status = device_batch_decide(&s);
    if (*status == BIGINT_OK && !s.one_by_one) {
        *status = run(&s);
    }
    return !s.one_by_one;
}
