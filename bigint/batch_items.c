// batch_items.c: the items of a batch on the context's threads, each thread with a context of its
// own. May include batch.h.
#include <assert.h>
#include <string.h>

#include "bigint/batch.h"

// Chunks for each thread: evens out items of different length.
enum { CHUNKS = 16 };

// helper: a thread's context: the caller's, but with no threads, no tables and a workspace that
// does not grow; the text and counters are its own.
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
    uint64_t count, longest;  // items, and which of them runs first
    uint64_t bytes, chunks;   // each helper's workspace
    helper *helpers;
    unsigned char *left;  // for each item, whether a helper had too little memory
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

// helper_run: one item. A task begins with an empty arena, whatever became of the one before.
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

// run_chunk is a team_task. The longest item is done.
static void run_chunk(void *arg, size_t index, unsigned worker) {
    const items *const all = arg;
    const uint64_t each = all->count / all->chunks, more = all->count % all->chunks;
    const uint64_t begin = index * each + (index < more ? index : more);
    const uint64_t end = begin + each + (index < more);
    for (uint64_t i = begin; i < end; i++) {
        if (i != all->longest) {
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

// in_turn: on the context, those items that are left; all but the longest where left is NULL.
static bigint_status in_turn(bigint_ctx *ctx, const items *all) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < all->count && status == BIGINT_OK; i++) {
        if (all->left == NULL ? i != all->longest : all->left[i] != 0) {
            status = all->task(ctx, all->arg, i);
        }
    }
    return status;
}

// at_once: all items but the longest, whose workspace is known. False where the cap forbids it.
static bool at_once(bigint_ctx *ctx, const char *who, items *all, bigint_status *status) {
    const unsigned threads = team_size(ctx->team);
    const uint64_t cap = ctx->options.max_workspace_bytes;
    const uint64_t need = threads * (sizeof(helper) + all->bytes) + all->count + 256;
    if (cap != 0 && (need > cap || ctx->counters.workspace_bytes + need + need / 8 > cap)) {
        return false;
    }
    all->helpers = arena_take(ctx, who, threads * sizeof *all->helpers);
    unsigned char *const memory =
        all->helpers == NULL ? NULL : arena_take(ctx, who, threads * all->bytes);
    all->left = memory == NULL ? NULL : arena_take(ctx, who, all->count);
    *status = all->left == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (*status == BIGINT_OK) {
        memset(all->left, 0, all->count);
        for (unsigned k = 0; k < threads; k++) {
            helper_open(&all->helpers[k], ctx, memory + k * all->bytes);
        }
        const uint64_t most = (uint64_t)threads * CHUNKS;
        all->chunks = all->count < most ? all->count : most;
        team_run(ctx->team, run_chunk, all, all->chunks);
        *status = gather(ctx, all, threads);
    }
    return true;
}

bigint_status batch_items(bigint_ctx *ctx, const char *who, batch_task task, void *arg,
                          uint64_t count, uint64_t longest) {
    items all = {.task = task, .arg = arg, .count = count, .longest = longest};
    const uint64_t before = ctx->arena.in_use, peak = ctx->arena.in_use_peak;
    if (count == 0) {
        return BIGINT_OK;
    }
    assert(before > 0 && longest < count);  // in use, so that the arena keeps its peak
    ctx->arena.in_use_peak = before;
    bigint_status status = task(ctx, arg, longest);
    all.bytes = (ctx->arena.in_use_peak - before + ARENA_LEND_MORE + 63) / 64 * 64;
    ctx->arena.in_use_peak = peak > ctx->arena.in_use_peak ? peak : ctx->arena.in_use_peak;
    if (status != BIGINT_OK || count == 1) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    if (ctx->team == NULL || !at_once(ctx, who, &all, &status) || status == BIGINT_OK) {
        status = in_turn(ctx, &all);
    }
    arena_release(ctx, mark);
    return status;
}
