// items.c: the items of a batch on the context's threads. Each thread has a context of its own.
#include "bigint/batch/items.h"

#include <assert.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"

// helper: a thread's context: the caller's, but without threads or tables and with a workspace that
// does not grow; it has its own text and counters.
typedef struct {
    bigint_ctx ctx;
    unsigned char *memory;
    bigint_counters counters;  // of all items
    uint64_t failed_at;        // the first item that failed; UINT64_MAX for none
    bigint_status status;
    char error[512];
} helper;

typedef struct {
    batch_task task;
    void *arg;
    uint64_t count, bytes, chunks;  // bytes: each helper's workspace
    helper *helpers;
    unsigned char *left;  // for each item, whether it is still to be done
} items;

static void *refuse_memory(void *user, size_t bytes) {
    (void)user, (void)bytes;
    return NULL;
}
static void keep_memory(void *user, void *p, size_t bytes) { (void)user, (void)p, (void)bytes; }

static void helper_open(helper *h, const bigint_ctx *ctx, unsigned char *memory) {
    *h = (helper){.ctx = *ctx, .memory = memory, .failed_at = UINT64_MAX};
    h->ctx.team = NULL;
    h->ctx.team_memory = NULL;
    h->ctx.float_tables = NULL;
    h->ctx.tables_bytes = 0;
    memset(h->ctx.tables, 0, sizeof h->ctx.tables);
    h->ctx.options.allocator = (bigint_allocator){refuse_memory, keep_memory, NULL};
    h->ctx.options.max_workspace_bytes = 0;
    h->ctx.options.progress = NULL;
}

// helper_run: one item. A task begins with an empty arena, even if the one before failed.
static void helper_run(helper *h, const items *all, uint64_t i) {
    h->ctx.counters = (bigint_counters){0};
    arena_lend(&h->ctx, h->memory, all->bytes);
    const bigint_status status = all->task(&h->ctx, all->arg, i);
    h->counters.products += h->ctx.counters.products;
    h->counters.checks += h->ctx.counters.checks;
    h->counters.mismatches += h->ctx.counters.mismatches;
    all->left[i] = status == BIGINT_ENOMEM;
    if (status != BIGINT_OK && status != BIGINT_ENOMEM && i < h->failed_at) {
        h->failed_at = i;
        h->status = status;
        memcpy(h->error, h->ctx.error, sizeof h->error);
    }
}

// run_chunk is a team_task. It skips an item for which its helper has too little memory.
static void run_chunk(void *arg, size_t index, unsigned worker) {
    const items *const all = arg;
    const batch_range range = batch_chunk(all->count, all->chunks, index);
    for (uint64_t i = range.begin; i < range.end; i++) {
        if (all->left[i] != 0) {
            helper_run(&all->helpers[worker], all, i);
        }
    }
}

// gather: what the helpers counted, and the first failure.
static bigint_status gather(bigint_ctx *ctx, const items *all, unsigned threads) {
    const helper *first = &all->helpers[0];
    for (unsigned k = 0; k < threads; k++) {
        const helper *const h = &all->helpers[k];
        ctx->counters.products += h->counters.products;
        ctx->counters.checks += h->counters.checks;
        ctx->counters.mismatches += h->counters.mismatches;
        first = h->failed_at < first->failed_at ? h : first;
    }
    return first->status == BIGINT_OK ? BIGINT_OK
                                      : bigint_fail(ctx, first->status, "%s", first->error);
}

// in_turn: computes the remaining items on the context.
static bigint_status in_turn(bigint_ctx *ctx, const items *all) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < all->count && status == BIGINT_OK; i++) {
        if (all->left[i] != 0) {
            status = all->task(ctx, all->arg, i);
        }
    }
    return status;
}

// helper_bytes: of a helper's workspace, for items that need up to `bytes`.
static uint64_t helper_bytes(uint64_t bytes) { return (bytes + ARENA_LEND_MORE + 63) / 64 * 64; }

// at_once: runs the remaining items, with this many bytes each. False if the cap forbids it.
static bool at_once(bigint_ctx *ctx, const char *who, items *all, uint64_t bytes,
                    bigint_status *status) {
    const unsigned threads = team_size(ctx->team);
    const uint64_t cap = ctx->options.max_workspace_bytes;
    all->bytes = helper_bytes(bytes);
    const uint64_t need = threads * (sizeof(helper) + all->bytes) + 256;
    if (cap != 0 && (need > cap || ctx->counters.workspace_bytes + need + need / 8 > cap)) {
        return false;
    }
    const arena_mark mark = arena_get_mark(ctx);
    all->helpers = arena_take(ctx, who, threads * sizeof *all->helpers);
    unsigned char *const memory =
        all->helpers == NULL ? NULL : arena_take(ctx, who, threads * all->bytes);
    *status = memory == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (*status == BIGINT_OK) {
        for (unsigned k = 0; k < threads; k++) {
            helper_open(&all->helpers[k], ctx, memory + k * all->bytes);
        }
        const uint64_t most = (uint64_t)threads * BATCH_CHUNKS;
        all->chunks = all->count < most ? all->count : most;
        team_run(ctx->team, run_chunk, all, all->chunks);
        *status = gather(ctx, all, threads);
    }
    arena_release(ctx, mark);
    return true;
}

// measured: one item on the context; *bytes = the workspace that it took.
static bigint_status measured(bigint_ctx *ctx, items *all, uint64_t i, uint64_t *bytes) {
    const uint64_t before = ctx->arena.in_use, peak = ctx->arena.in_use_peak;
    assert(before > 0);  // in use, so that the arena keeps its peak
    ctx->arena.in_use_peak = before;
    const bigint_status status = all->task(ctx, all->arg, i);
    *bytes = ctx->arena.in_use_peak - before;
    ctx->arena.in_use_peak = peak > ctx->arena.in_use_peak ? peak : ctx->arena.in_use_peak;
    all->left[i] = 0;
    return status;
}

// run: with several threads, first all items if their workspace is known. If items remain, it runs
// the longest alone and the others with as much memory as that took.
static bigint_status run(bigint_ctx *ctx, const char *who, items *all, uint64_t longest,
                         uint64_t bytes) {
    const bool several = ctx->team != NULL && all->count > 1;
    bigint_status status = BIGINT_OK;
    if (several && bytes > 0 && at_once(ctx, who, all, bytes, &status)) {
        const unsigned char *const left = memchr(all->left, 1, all->count);
        if (status != BIGINT_OK || left == NULL) {
            return status;
        }
        longest = all->left[longest] != 0 ? longest : (uint64_t)(left - all->left);
    }
    status = measured(ctx, all, longest, &bytes);
    if (status == BIGINT_OK && several) {
        at_once(ctx, who, all, bytes, &status);
    }
    return status == BIGINT_OK ? in_turn(ctx, all) : status;
}

// threads_need: at_once with this many bytes.
static void threads_need(work_need *w, uint64_t bytes) {
    const uint64_t in_use = w->host.in_use, threads = team_size(w->ctx->team);
    need_take(&w->host, threads * sizeof(helper));
    need_take(&w->host, threads * helper_bytes(bytes));
    need_release(&w->host, in_use);
}

void batch_items_need(work_need *w, batch_item_need item, const void *arg, uint64_t count,
                      uint64_t bytes) {
    const uint64_t in_use = w->host.in_use;
    if (count == 0) {
        return;
    }
    need_take(&w->host, count);
    const uint64_t before = w->host.in_use, peak = w->host.peak;
    w->host.peak = before;
    item(w, arg);
    const uint64_t own = w->host.peak - before;
    w->host.peak = peak > w->host.peak ? peak : w->host.peak;
    need_release(&w->host, before);
    if (w->ctx->team != NULL && count > 1) {
        threads_need(w, own > bytes ? own : bytes);
    }
    need_release(&w->host, in_use);
}

bigint_status batch_items(bigint_ctx *ctx, const char *who, batch_task task, void *arg,
                          uint64_t count, uint64_t longest, uint64_t bytes) {
    items all = {.task = task, .arg = arg, .count = count};
    if (count == 0) {
        return BIGINT_OK;
    }
    assert(longest < count);
    const arena_mark mark = arena_get_mark(ctx);
    all.left = arena_take(ctx, who, count);
    bigint_status status = BIGINT_ENOMEM;
    if (all.left != NULL) {
        memset(all.left, 1, count);
        status = run(ctx, who, &all, longest, bytes);
    }
    arena_release(ctx, mark);
    return status;
}
