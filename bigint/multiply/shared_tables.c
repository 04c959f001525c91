// shared_tables.c: see shared_tables.h. The only variables of the library that are not constant:
// each is written once, and says nothing but whether a table of constants is there.
#include "bigint/multiply/shared_tables.h"

#include <assert.h>
#include <sched.h>
#include <stdatomic.h>
#include <unistd.h>

#include "primitives/words/word.h"

// Lengths are 4, 5, 6 or 7 times a power of two: four slots for each power, which are enough for
// the lengths below 4, too.
enum { SLOTS = 4 * 15, POOL_BYTES = 5 << 18 };

// A slot is EMPTY, READY, or the process that makes it: a forked child whose parent was making one
// begins anew, because the thread that did is not there.
enum { EMPTY = 0, READY = -1 };
static atomic_long state[SLOTS];
static _Atomic(unsigned char *) memory[SLOTS];  // of a slot that is not EMPTY
static atomic_uint_fast64_t used;               // of the pool
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

// make fills a slot that belongs to the calling thread.
static void make(unsigned slot, const fft_complex_ops *ops, const fft_complex_plan *plan) {
    const uint64_t bytes = (fft_complex_table_bytes(plan) + 63) / 64 * 64;
    unsigned char *to = atomic_load(&memory[slot]);
    if (to == NULL) {
        const uint64_t at = atomic_fetch_add(&used, bytes);
        assert(at + bytes <= POOL_BYTES);  // all slots together, as the tests show
        to = pool + at;
        atomic_store(&memory[slot], to);
    }
    fft_complex_tables(ops, plan, to);
    atomic_store_explicit(&state[slot], READY, memory_order_release);
}

const void *shared_tables(const fft_complex_ops *ops, const fft_complex_plan *plan) {
    const unsigned slot = slot_of(plan->problem.length);
    assert(shared_tables_have(plan));
    for (;;) {
        long seen = atomic_load_explicit(&state[slot], memory_order_acquire);
        if (seen == READY) {
            return atomic_load_explicit(&memory[slot], memory_order_relaxed);
        }
        const long self = (long)getpid();
        if (seen != self && atomic_compare_exchange_strong(&state[slot], &seen, self)) {
            make(slot, ops, plan);
        } else {
            sched_yield();  // another thread of this process makes them
        }
    }
}
