// arena.h: where a context's memory comes from: the allocator, workspace under the cap, and the
// stack-ordered arenas. Internal to bigint/.
#ifndef BIGINT_CORE_ARENA_H_
#define BIGINT_CORE_ARENA_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"

// memory_kind: where workspace lies. Pinned memory is host memory that the device can reach.
typedef enum { MEMORY_HOST, MEMORY_DEVICE, MEMORY_PINNED } memory_kind;

typedef struct arena_block arena_block;
// arena: stack-ordered workspace (arena.c). Blocks are kept when released, so that a repeated call
// allocates nothing. On a device takes and releases are in the order of the stream.
typedef struct {
    memory_kind kind;      // host or device
    arena_block *top;      // the block that takes come from; the ones in use below hang on it
    arena_block *spare;    // released blocks, the one that was lowest first
    uint64_t in_use;       // bytes taken now
    uint64_t in_use_peak;  // since the arena was last empty
} arena;

// --- Memory --------------------------------------------------------------------------------------
// memory_is_new: whether the page at p is not there yet, as far as the system tells.
// memory_populate asks for the pages of these bytes if the first one is not there. context_populate
// does it for long new memory by all threads, a huge page at a time, so that those that fill it
// later do not wait for one another's pages. They only advise.
enum { MEMORY_HUGE_PAGE = 2 << 20 };
bool memory_is_new(const void *p);
void memory_populate(void *p, uint64_t bytes);
void context_populate(bigint_ctx *ctx, void *p, uint64_t bytes);
// own_allocate, own_release: the allocator of options that name none.
void *own_allocate(void *user, size_t bytes);
void own_release(void *user, void *p, size_t bytes);
// context_allocate, context_release: the options' allocator; calls are counted in
// counters.allocations. NULL on failure, without a text. context_release takes the size that was
// allocated; p may be NULL.
void *context_allocate(bigint_ctx *ctx, uint64_t bytes);
// context_allocate_limbs: the same for limbs, which need no alignment: own_allocate is
// replaced by malloc for short ones, which takes 15 ns instead of 50 to 90.
void *context_allocate_limbs(bigint_ctx *ctx, uint64_t limbs);
void context_release(bigint_ctx *ctx, void *p, uint64_t bytes);
// workspace_allocate, workspace_release: memory of any kind that counts against
// options.max_workspace_bytes (arenas, tables, staging) and in counters.workspace_bytes. Idle
// blocks of the arenas are freed if that makes room. NULL with the error recorded: ENOMEM, or
// EDEVICE with ctx->failed set if the device failed.
void *workspace_allocate(bigint_ctx *ctx, const char *who, memory_kind kind, uint64_t bytes);
// workspace_try: the same without trimming, and without an error where there is none.
void *workspace_try(bigint_ctx *ctx, memory_kind kind, uint64_t bytes);
void workspace_release(bigint_ctx *ctx, memory_kind kind, void *p, uint64_t bytes);

// --- Arena ---------------------------------------------------------------------------------------
typedef struct {
    arena_block *block;
    size_t used;
    uint64_t in_use;
} arena_mark;
// arena_take_in: `bytes` of workspace, aligned to 64 bytes (on a device 256), not zeroed. NULL with
// the error recorded as by workspace_allocate; the text of ENOMEM names `who`, the bytes asked for
// and held, and the cap. bytes = 0 gives a valid pointer.
enum { ARENA_ALIGNMENT = 64, ARENA_DEVICE_ALIGNMENT = 256 };
void *arena_take_in(bigint_ctx *ctx, arena *s, const char *who, uint64_t bytes);
// arena_mark_in, arena_release_in: release everything taken since the mark. If the arena becomes
// empty and holds several blocks, one block that holds all that was in use at once replaces them.
arena_mark arena_mark_in(const arena *s);
void arena_release_in(bigint_ctx *ctx, arena *s, arena_mark mark);
// The same for the arena in host memory.
void *arena_take(bigint_ctx *ctx, const char *who, uint64_t bytes);
uint64_t *arena_take_limbs(bigint_ctx *ctx, const char *who, uint64_t limbs);
arena_mark arena_get_mark(bigint_ctx *ctx);
void arena_release(bigint_ctx *ctx, arena_mark mark);
// arena_make_room makes room in an empty arena, so that takes of `bytes` together, each rounded up
// to the alignment, come from one block. Returns false, without a text, if there is no memory.
bool arena_make_room(bigint_ctx *ctx, arena *s, uint64_t bytes);
// arena_lend makes {memory, bytes}, aligned to 64 bytes, the only block of the context's empty host
// arena. Take `bytes` from another arena: ARENA_LEND_MORE plus what the lent arena will have in
// use.
enum { ARENA_LEND_MORE = 64 };
void arena_lend(bigint_ctx *ctx, void *memory, uint64_t bytes);
// arena_trim frees the blocks of both arenas that are not in use.
void arena_trim(bigint_ctx *ctx);
// arena_limbs_bytes: the bytes of workspace for n limbs, rounded up so that what follows stays
// aligned.
uint64_t arena_limbs_bytes(uint64_t n);
// arena_held_bytes: the bytes that an empty arena holds after one take of `bytes`, rounding
// included. arena_held_with: the same for an arena with something in use; no more than now if its
// top block has room.
uint64_t arena_held_bytes(uint64_t bytes);
// arena_most_held: the most bytes that an arena holds, whatever the order of takes and releases, if
// it was fresh and never more than in_use bytes of it are in use at once.
uint64_t arena_most_held(uint64_t in_use);
uint64_t arena_held_with(const arena *s, uint64_t bytes);

#endif  // BIGINT_CORE_ARENA_H_
