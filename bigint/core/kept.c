// kept.c: see kept.h.
#define _GNU_SOURCE  // madvise
#include "bigint/core/kept.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"

// A block serves what takes at least (PARTS - 1) / PARTS of it.
enum { PARTS = 4 };
// The system may take back the pages of longer blocks. To tell it so takes 0.15 ms and more, as
// long as 8 MiB take on the link.
enum { KEPT_FIRMLY = 128 << 20 };

static kept_block *smallest(device_queue *q) {
    kept_block *least = &q->kept[0];
    for (int i = 1; i < KEPT_BLOCKS; i++) {
        least = q->kept[i].bytes < least->bytes ? &q->kept[i] : least;
    }
    return least;
}

bool kept_give(bigint_ctx *ctx, void *p, uint64_t bytes) {
    kept_block *const at = smallest(&ctx->queue);
    if (!context_on_device(ctx) || ctx->options.allocator.allocate != own_allocate ||
        bytes < KEPT_FROM || bytes <= at->bytes) {
        return false;
    }
    context_release(ctx, at->p, at->bytes);
    *at = (kept_block){p, bytes};
#if defined(MADV_FREE)
    if (bytes > KEPT_FIRMLY) {
        // Whole huge pages, of which the first begins here: what follows the block is not ours.
        // Only advice: a failure is harmless.
        madvise(p, bytes / MEMORY_HUGE_PAGE * MEMORY_HUGE_PAGE, MADV_FREE);
    }
#endif
    return true;
}

void *kept_take(bigint_ctx *ctx, uint64_t *bytes) {
    kept_block *best = NULL;
    for (int i = 0; i < KEPT_BLOCKS; i++) {
        kept_block *const block = &ctx->queue.kept[i];
        const bool serves = block->bytes >= *bytes && block->bytes - block->bytes / PARTS <= *bytes;
        best = serves && (best == NULL || block->bytes < best->bytes) ? block : best;
    }
    if (best == NULL) {
        return NULL;
    }
    void *const p = best->p;
    *bytes = best->bytes;
    *best = (kept_block){0};
    return p;
}

void kept_free(bigint_ctx *ctx) {
    for (int i = 0; i < KEPT_BLOCKS; i++) {
        context_release(ctx, ctx->queue.kept[i].p, ctx->queue.kept[i].bytes);
        ctx->queue.kept[i] = (kept_block){0};
    }
}
