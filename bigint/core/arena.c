// arena.c: where a context's memory comes from and how it is counted: the allocator and the
// library's own, the workspace cap and the stack-ordered arenas. Only this file calls the
// allocator, except device_memory.c for devices.
//
// The arena is a stack of blocks. A take comes from the top block if it fits, else from the next
// spare block, else from a new block of the size wanted; spare blocks are freed first, so that
// nothing idle counts against the cap. When the last mark is released, one block as large as
// everything that was in use at once replaces several. The same sequence of takes then needs no
// allocation.
#define _GNU_SOURCE  // madvise, mincore
#include "bigint/core/arena.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "bigint/core/context.h"
#include "bigint/core/device_memory.h"

// The header of a block on a device lies in host memory.
struct arena_block {
    arena_block *next;    // the block below (in use) or after (spare)
    uint64_t bytes;       // of the whole block, this header included
    uint64_t used;        // bytes taken from the data, a multiple of ALIGNMENT
    unsigned char *data;  // bytes - HEADER
};

enum { ALIGNMENT = ARENA_ALIGNMENT, HEADER = 64 };
_Static_assert(sizeof(arena_block) <= HEADER, "the header fits before the first aligned byte");

// No allocator can serve a larger size. Sums of two such sizes do not overflow.
#define MEMORY_LIMIT ((uint64_t)1 << 62)

static uint64_t round_up(uint64_t bytes, uint64_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

static uint64_t alignment(const arena *s) {
    return s->kind == MEMORY_HOST ? ALIGNMENT : ARENA_DEVICE_ALIGNMENT;
}

static uint64_t block_room(const arena_block *block) { return block->bytes - HEADER - block->used; }

// Large blocks ask for huge pages, because columns touch one line of every row, and rows are pages
// apart. They begin at one, inside a block of malloc's whose address is the word before. (Blocks of
// aligned_alloc would be cut at both ends, so that glibc, which keeps in the heap what is no longer
// than a block freed before, would map and unmap every one of them.)
enum { HUGE_PAGE = MEMORY_HUGE_PAGE, HUGE_FROM = 4 * HUGE_PAGE };
static void *allocate_large(size_t bytes) {
    const size_t room = bytes + HUGE_PAGE + sizeof(void *);
    unsigned char *const block = room < bytes ? NULL : malloc(room);
    if (block == NULL) {
        return NULL;
    }
    const uintptr_t first = (uintptr_t)block + sizeof(void *);
    unsigned char *const p = block + sizeof(void *) + (HUGE_PAGE - first % HUGE_PAGE) % HUGE_PAGE;
    memcpy(p - sizeof block, &block, sizeof block);
#if defined(MADV_HUGEPAGE)
    madvise(p, bytes, MADV_HUGEPAGE);  // only advice: a failure is harmless
#endif
    return p;
}

void *own_allocate(void *user, size_t bytes) {
    (void)user;
    if (bytes >= HUGE_FROM) {
        return allocate_large(bytes);
    }
    return aligned_alloc(ALIGNMENT, round_up(bytes, ALIGNMENT));
}

void own_release(void *user, void *p, size_t bytes) {
    (void)user;
    if (p != NULL && bytes >= HUGE_FROM) {
        memcpy(&p, (unsigned char *)p - sizeof p, sizeof p);
    }
    free(p);
}

#if defined(MADV_POPULATE_WRITE)
bool memory_is_new(const void *p) {
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char there = 1;
    return mincore((void *)((uintptr_t)p / page * page), page, &there) == 0 && (there & 1) == 0;
}

void memory_populate(void *p, uint64_t bytes) {
    const uintptr_t before = (uintptr_t)p % (uintptr_t)sysconf(_SC_PAGESIZE);
    if (memory_is_new(p)) {
        madvise((unsigned char *)p - before, before + bytes, MADV_POPULATE_WRITE);
    }
}
#else
bool memory_is_new(const void *p) { return (void)p, false; }
void memory_populate(void *p, uint64_t bytes) { (void)p, (void)bytes; }
#endif

typedef struct {
    unsigned char *p;
    uint64_t bytes;
} new_pages;

static void populate(void *arg, size_t index, unsigned worker) {
    const new_pages *const pages = arg;
    const uint64_t at = index * (uint64_t)HUGE_PAGE, left = pages->bytes - at;
    (void)worker;
    memory_populate(pages->p + at, left < HUGE_PAGE ? left : HUGE_PAGE);
}

void context_populate(bigint_ctx *ctx, void *p, uint64_t bytes) {
    new_pages pages = {p, bytes};
    if (bytes >= HUGE_FROM) {
        team_run(ctx->team, populate, &pages, (bytes - 1) / HUGE_PAGE + 1);
    }
}

void *context_allocate(bigint_ctx *ctx, uint64_t bytes) {
    if (bytes > MEMORY_LIMIT || bytes > SIZE_MAX) {
        return NULL;
    }
    ctx->counters.allocations++;
    return ctx->options.allocator.allocate(ctx->options.allocator.user, (size_t)bytes);
}

void *context_allocate_limbs(bigint_ctx *ctx, uint64_t limbs) {
    enum { MALLOC_LIMBS = 2048 };  // longer ones gain from whole cache lines
    if (limbs > MALLOC_LIMBS || ctx->options.allocator.allocate != own_allocate) {
        return context_allocate(ctx, limbs * sizeof(uint64_t));
    }
    ctx->counters.allocations++;
    return malloc(limbs * sizeof(uint64_t));
}

void context_release(bigint_ctx *ctx, void *p, uint64_t bytes) {
    if (p != NULL) {
        ctx->options.allocator.release(ctx->options.allocator.user, p, (size_t)bytes);
    }
}

// within_cap: whether `bytes` more may be held.
static bool within_cap(const bigint_ctx *ctx, uint64_t bytes) {
    const uint64_t cap = ctx->options.max_workspace_bytes, held = ctx->counters.workspace_bytes;
    return cap == 0 || (held <= cap && bytes <= cap - held);
}

// refuse records that there is no memory for `bytes` more: the cap, or the allocator.
static void refuse(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    const unsigned long long asked = bytes, held = ctx->counters.workspace_bytes;
    if (ctx->failed != BIGINT_OK) {
        return;  // the device failed: keep its text
    }
    if (!within_cap(ctx, bytes)) {
        bigint_fail(ctx, BIGINT_ENOMEM,
                    "%s: %llu bytes of workspace beside %llu held exceed the cap of %llu; raise "
                    "max_workspace_bytes",
                    who, asked, held, (unsigned long long)ctx->options.max_workspace_bytes);
    } else {
        bigint_fail(ctx, BIGINT_ENOMEM,
                    "%s: no memory for %llu bytes of workspace beside %llu held; free memory, or "
                    "set max_workspace_bytes so that a smaller plan is chosen",
                    who, asked, held);
    }
}

void *workspace_try(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
    bigint_counters *c = &ctx->counters;
    void *p = NULL;
    if (within_cap(ctx, bytes)) {
        p = kind == MEMORY_HOST ? context_allocate(ctx, bytes)
                                : device_allocate_workspace(ctx, kind, bytes);
    }
    ctx->queue.no_room = kind == MEMORY_DEVICE && p == NULL;
    if (p != NULL) {
        c->workspace_bytes += bytes;
        if (c->workspace_peak < c->workspace_bytes) {
            c->workspace_peak = c->workspace_bytes;
        }
    }
    return p;
}

void workspace_release(bigint_ctx *ctx, memory_kind kind, void *p, uint64_t bytes) {
    if (p == NULL) {
        return;
    }
    assert(ctx->counters.workspace_bytes >= bytes);
    ctx->counters.workspace_bytes -= bytes;
    if (kind == MEMORY_HOST) {
        context_release(ctx, p, bytes);
    } else {
        device_release(ctx, kind, p);
    }
}

uint64_t arena_limbs_bytes(uint64_t n) { return round_up(n, ALIGNMENT / 8) * 8; }

// arena_held_bytes rounds up to one of 32 sizes per power of two, so that operands that grow a
// little from call to call do not need a new block each time. The slack is below 1/32, or one page.
uint64_t arena_held_bytes(uint64_t bytes) {
    const uint64_t least = round_up(bytes > 0 ? bytes : 1, ALIGNMENT) + HEADER;
    uint64_t granule = 4096;
    while (granule < least / 64) {
        granule *= 2;
    }
    return round_up(least, granule);
}

// Let a new block be added, when no block is spare, and let block i of all blocks have u_i bytes in
// use and r_i bytes of room. Block i + 1 was begun by a take of more than r_i bytes that is still
// in use, so r_i < u_(i + 1), and all blocks but the new one have less room than the sum of all
// u_i, which is in_use. The new one has the slack of its first take, 1 / 32 of it or a page. Then
// the arena holds no more until the next block is added. Headers are 1 / 64 of the
// blocks, which are pages; a cap can leave some 100 blocks without slack, and their headers.
uint64_t arena_most_held(uint64_t in_use) {
    enum { FEW = 3 * 4096 };
    return 2 * in_use + in_use / 16 + FEW;
}

uint64_t arena_held_with(const arena *s, uint64_t bytes) {
    uint64_t held = 0;
    if (s->top == NULL || block_room(s->top) < round_up(bytes, alignment(s))) {
        return s->in_use + arena_held_bytes(bytes);
    }
    for (const arena_block *block = s->top; block != NULL; block = block->next) {
        held += block->bytes;
    }
    return held;
}

// block_new: a block of `total` bytes, or NULL without a text.
static arena_block *block_new(bigint_ctx *ctx, const arena *s, uint64_t total) {
    if (s->kind == MEMORY_HOST) {
        arena_block *block = workspace_try(ctx, MEMORY_HOST, total);
        if (block != NULL) {
            *block = (arena_block){.bytes = total, .data = (unsigned char *)block + HEADER};
        }
        return block;
    }
    arena_block *block = context_allocate(ctx, HEADER);
    void *data = block == NULL ? NULL : workspace_try(ctx, s->kind, total - HEADER);
    if (data == NULL) {
        context_release(ctx, block, HEADER);
        return NULL;
    }
    *block = (arena_block){.bytes = total, .data = data};
    return block;
}

static void block_free(bigint_ctx *ctx, const arena *s, arena_block *block) {
    if (s->kind == MEMORY_HOST) {
        workspace_release(ctx, MEMORY_HOST, block, block->bytes);
    } else {
        workspace_release(ctx, s->kind, block->data, block->bytes - HEADER);
        context_release(ctx, block, HEADER);
    }
}

// block_bytes: the size of a block with room for `bytes`; without the slack if the cap forbids it.
static uint64_t block_bytes(const bigint_ctx *ctx, uint64_t bytes) {
    const uint64_t total = arena_held_bytes(bytes);
    return within_cap(ctx, total) ? total : round_up(bytes, ALIGNMENT) + HEADER;
}

static void free_spare(bigint_ctx *ctx, arena *s) {
    while (s->spare != NULL) {
        arena_block *block = s->spare;
        s->spare = block->next;
        block_free(ctx, s, block);
    }
}

void arena_trim(bigint_ctx *ctx) {
    free_spare(ctx, &ctx->arena);
    free_spare(ctx, &ctx->queue.memory);
}

void *workspace_allocate(bigint_ctx *ctx, const char *who, memory_kind kind, uint64_t bytes) {
    if (!within_cap(ctx, bytes)) {
        arena_trim(ctx);  // idle blocks are no reason to refuse
    }
    void *p = workspace_try(ctx, kind, bytes);
    if (p == NULL) {
        refuse(ctx, who, bytes);
    }
    return p;
}

// merge_spare: one block for all that was in use at once, without slack: no larger than the blocks
// that held it. If there is no memory for it, it records no error: the next call tries again.
static void merge_spare(bigint_ctx *ctx, arena *s) {
    free_spare(ctx, s);
    s->spare = block_new(ctx, s, s->in_use_peak + HEADER);
}

// block_add: a new block for `bytes` more, on top; NULL with the error recorded.
static arena_block *block_add(bigint_ctx *ctx, arena *s, const char *who, uint64_t bytes) {
    free_spare(ctx, s);
    if (!within_cap(ctx, bytes + HEADER)) {
        arena_trim(ctx);
    }
    const uint64_t total = block_bytes(ctx, bytes);
    arena_block *block = block_new(ctx, s, total);
    if (block == NULL) {
        refuse(ctx, who, total);
    }
    return block;
}

bool arena_make_room(bigint_ctx *ctx, arena *s, uint64_t bytes) {
    assert(s->in_use == 0);
    if (bytes > MEMORY_LIMIT) {
        return false;
    }
    bytes = round_up(bytes, alignment(s));
    if (s->spare == NULL || s->spare->bytes - HEADER < bytes) {
        free_spare(ctx, s);
        s->spare = block_new(ctx, s, block_bytes(ctx, bytes));
    }
    return s->spare != NULL;
}

void arena_lend(bigint_ctx *ctx, void *memory, uint64_t bytes) {
    arena_block *const block = memory;
    *block = (arena_block){.bytes = bytes, .data = (unsigned char *)memory + HEADER};
    ctx->arena = (arena){.kind = MEMORY_HOST, .spare = block};
    ctx->counters.workspace_bytes = bytes;
}

void *arena_take_in(bigint_ctx *ctx, arena *s, const char *who, uint64_t bytes) {
    if (bytes > MEMORY_LIMIT) {
        bigint_fail(ctx, BIGINT_ENOMEM, "%s: %llu bytes of workspace are more than any machine has",
                    who, (unsigned long long)bytes);
        return NULL;
    }
    bytes = round_up(bytes > 0 ? bytes : 1, alignment(s));
    if (s->top == NULL || block_room(s->top) < bytes) {
        arena_block *block = s->spare;
        if (block != NULL && block->bytes - HEADER >= bytes) {
            s->spare = block->next;
        } else {
            block = block_add(ctx, s, who, bytes);
            if (block == NULL) {
                return NULL;
            }
        }
        block->used = 0;
        block->next = s->top;
        s->top = block;
    }
    void *p = s->top->data + s->top->used;
    s->top->used += bytes;
    s->in_use += bytes;
    if (s->in_use_peak < s->in_use) {
        s->in_use_peak = s->in_use;
    }
    return p;
}

arena_mark arena_mark_in(const arena *s) {
    return (arena_mark){s->top, s->top == NULL ? 0 : s->top->used, s->in_use};
}

void arena_release_in(bigint_ctx *ctx, arena *s, arena_mark mark) {
    while (s->top != mark.block) {
        arena_block *block = s->top;
        assert(block != NULL);  // marks are released in the reverse of their order
        s->top = block->next;
        block->next = s->spare;
        s->spare = block;
    }
    if (s->top != NULL) {
        s->top->used = mark.used;
    }
    s->in_use = mark.in_use;
    if (s->top == NULL) {
        if (s->spare != NULL && s->spare->next != NULL) {
            merge_spare(ctx, s);
        }
        s->in_use_peak = 0;
    }
}

// --- In host memory ------------------------------------------------------------------------------

void *arena_take(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    return arena_take_in(ctx, &ctx->arena, who, bytes);
}

arena_mark arena_get_mark(bigint_ctx *ctx) { return arena_mark_in(&ctx->arena); }

void arena_release(bigint_ctx *ctx, arena_mark mark) { arena_release_in(ctx, &ctx->arena, mark); }

uint64_t *arena_take_limbs(bigint_ctx *ctx, const char *who, uint64_t limbs) {
    // Beyond MEMORY_LIMIT the product only must not wrap; its value does not matter.
    return arena_take(ctx, who, limbs > MEMORY_LIMIT / 8 ? UINT64_MAX : limbs * sizeof(uint64_t));
}
