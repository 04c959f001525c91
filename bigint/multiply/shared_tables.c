// shared_tables.c: see shared_tables.h. The only variables of the library that are not constant:
// they say nothing but whether a table of constants is there.
#include "bigint/multiply/shared_tables.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "primitives/words/word.h"

// Lengths are 4, 5, 6 or 7 times a power of two: four slots for each power, which are enough for
// the lengths below 4, too. A slot's memory has a place of its own in the pool, so nothing is
// lost when a signal handler jumps out of the call that fills it.
enum { SLOTS = 4 * 15, POINT_BYTES = 16, SLOT_BYTES = 4096 };
enum { POOL_BYTES = POINT_BYTES * 7 * SHARED_POINTS + SLOTS * SLOT_BYTES };

// A slot is EMPTY, READY, or the process that makes it: a forked child whose parent was making one
// begins anew, because the thread that did is not there.
enum { EMPTY = 0, READY = -1 };
// Looks at a slot until whoever makes it counts as gone: some ten milliseconds, a thousand times as
// long as the longest table takes.
enum { PATIENCE = 1 << 15 };
static atomic_long state[SLOTS];
static _Atomic(unsigned char *) memory[SLOTS];  // of a slot that is READY
static _Alignas(64) unsigned char pool[POOL_BYTES];

// slot_of: the slot of a length, or SLOTS.
static unsigned slot_of(uint64_t length) {
    if (length == 0 || length > SHARED_POINTS) {
        return SLOTS;
    }
    const unsigned lg = 63 - word_clz(length);
    const uint64_t quarters = (length << 2) >> lg;
    return quarters << lg == length << 2 ? 4 * lg + (unsigned)(quarters - 4) : SLOTS;
}

bool shared_tables_have(const fft_complex_plan *plan) {
    const fft_complex_problem *const p = &plan->problem;
    return p->type == FFT_F64 && p->right_angle && slot_of(p->length) < SLOTS;
}

static uint64_t room_of(unsigned slot) {
    const uint64_t length = (uint64_t)(4 + slot % 4) << slot / 4 >> 2;
    return (POINT_BYTES * length + SLOT_BYTES) / 64 * 64;
}

// make fills a slot. Whoever makes it writes the same bytes: it does not matter if two do.
static void make(unsigned slot, const fft_complex_ops *ops, const fft_complex_plan *plan) {
    uint64_t at = 0;
    for (unsigned i = 0; i < slot; i++) {
        at += room_of(i);
    }
    assert(fft_complex_table_bytes(plan) <= room_of(slot) && at + room_of(slot) <= POOL_BYTES);
    fft_complex_tables(ops, plan, pool + at);
    atomic_store_explicit(&memory[slot], pool + at, memory_order_relaxed);
    atomic_store_explicit(&state[slot], READY, memory_order_release);
}

const void *shared_tables(const fft_complex_ops *ops, const fft_complex_plan *plan) {
    const unsigned slot = slot_of(plan->problem.length);
    assert(shared_tables_have(plan));
    for (unsigned looks = 0;; looks++) {
        long seen = atomic_load_explicit(&state[slot], memory_order_acquire);
        if (seen == READY) {
            return atomic_load_explicit(&memory[slot], memory_order_relaxed);
        }
        const long self = (long)getpid();
        if (looks == PATIENCE ||
            (seen != self && atomic_compare_exchange_strong(&state[slot], &seen, self))) {
            make(slot, ops, plan);
        } else {
            sched_yield();  // another thread of this process makes them
        }
    }
}
