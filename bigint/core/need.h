// need.h: the workspace that a call will hold: counted from the plans that the call makes, in the
// order in which it takes memory, without taking any. Internal to bigint/.
//
// Each executor that takes workspace has such a function beside it, which asks the same plans. What
// depends on values is counted as the case that takes more.
#ifndef BIGINT_CORE_NEED_H_
#define BIGINT_CORE_NEED_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"

// arena_need: of one arena, whose takes are aligned.
typedef struct {
    uint64_t alignment, in_use, peak;  // bytes
    bool several;                      // more than one take was in use at once
} arena_need;

// tables_need: tables that stay until the context is trimmed, told apart by their key.
enum { NEED_TABLES_MOST = 512 };
typedef struct {
    uint64_t key, bytes;
} tables_need;

typedef struct {
    bigint_ctx *ctx;
    const char *who;
    bigint_status status;  // of the first plan that was refused; the sums are then not to be used
    arena_need host, device;
    uint64_t integers, integers_peak;  // numbers on a device that count against the cap
    uint64_t words;                    // of device_words_need
    uint64_t more;                     // what a context on a device holds for any call
    uint64_t pinned;                   // pinned memory beside that
    unsigned tables_count;
    tables_need tables[NEED_TABLES_MOST];
} work_need;

work_need need_begin(bigint_ctx *ctx, const char *who);
// need_take: arena_take of `bytes`. need_release: arena_release, to what was in use before.
void need_take(arena_need *a, uint64_t bytes);
static inline void need_take_limbs(arena_need *a, uint64_t limbs) { need_take(a, 8 * limbs); }
static inline void need_release(arena_need *a, uint64_t in_use) { a->in_use = in_use; }
// need_tables: tables of `bytes`. One set serves a key, and grows.
void need_tables(work_need *n, uint64_t key, uint64_t bytes);
// need_words: device_words_need. need_integers: integers on a device of `bytes` more;
// need_integers_end: of as many less.
void need_words(work_need *n, uint64_t bytes);
void need_integers(work_need *n, uint64_t bytes);
void need_integers_end(work_need *n, uint64_t bytes);
// need_pinned: pinned memory of `bytes`, which stays; the most counts.
void need_pinned(work_need *n, uint64_t bytes);
// need_bytes: *bytes = the most that the context holds, no more than the cap. Returns n->status.
bigint_status need_bytes(const work_need *n, uint64_t *bytes);

#endif  // BIGINT_CORE_NEED_H_
