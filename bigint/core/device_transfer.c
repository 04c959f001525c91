// device_transfer.c: see device_transfer.h.
//
// A transfer is cut into chunks, each a slot long, so that the link copies long pieces, and chunks
// into parts. Threads take parts in rising order and copy them between the user's memory and the
// slots: all work at the same slot, which is therefore ready early. Whoever ends a chunk enqueues
// the copies between slots and device that have become possible, in order. So no thread waits for
// all others, and the link is busy as long as there are filled, or free, slots.
//
// Threads that ask CUDA at the same time hold one another up, and the one that enqueues. So one of
// those that wait for a copy asks, and the others look at what it has found.
//
// New memory of the user has no pages yet, and the first to write to a page waits until the system
// has made it. So before threads take parts they ask for pages some way ahead, a huge one at a
// time, where there are none: pages are made while the link is busy, and by all threads.
//
// Progress: a thread that has taken a part of chunk k waits only for parts below it, or for copies
// that are enqueued. The lowest part that has not ended waits for copies alone. The copy of chunk k
// is enqueued at the latest when chunk k + edge has ended, whose last part was taken before; edge
// is less than the slots, so the chunk that waits for this copy comes later.
#include "bigint/core/device_transfer.h"

#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "primitives/words/word.h"

// Bytes of a part: it takes longer than what its thread does beside; and there are several for each
// thread where the transfer is long enough. On an H200's host, 12 threads, 2 MiB a slot:
// docs/device_product.md.
enum { PART_LEAST = 1 << 16, PART_MOST = 1 << 18, PARTS_LEAST = 32 };
// The device reads lines that a core has just written, and has in its own cache, at 20 GB/s. So
// copies up follow the threads UP_BEHIND bytes later, when lines have moved on; as much at either
// end, where nothing follows, and all of short ways up bypass the caches instead, which takes three
// times their bytes of memory bandwidth. On the way down what fits the caches stays there for the
// user.
enum { UP_BEHIND = 6 << 20, UP_SHORT = 1 << 24, DOWN_BY_CACHES_MOST = 1 << 26 };
// Threads on the way down, past the caches into memory that is there: as fast as the link. More of
// them are slower where there are fewer processors than threads.
enum { DOWN_THREADS = 6 };
// Bytes of transfers that ask for pages, and how far ahead of what is copied: with 8 huge pages the
// link waits, with 32 no longer.
enum { PAGES_FROM = 8 << 20, PAGES_AHEAD = 64 << 20 };

typedef struct {
    bigint_ctx *ctx;
    slot_ring *ring;
    bool up, fresh;     // fresh: to memory that has no pages yet
    unsigned char *to;  // n bytes; of the device if up, else of the user
    const unsigned char *from;
    uint64_t n, part, per;                         // bytes; of a part; parts of a chunk
    uint64_t count, parts;                         // chunks; parts of all
    uint64_t edge;                                 // chunks that copies up are behind the threads;
                                                   // at least `count`: they are not
    unsigned first;                                // the slot of chunk 0
    pthread_mutex_t mutex;                         // guards enqueueing
    pthread_mutex_t asking;                        // whoever holds it asks CUDA
    atomic_uint_least64_t taken, enqueued;         // parts; chunks
    atomic_uint_least64_t ready;                   // chunks whose slots threads may touch
    atomic_uint_least64_t pages;                   // bytes whose pages were asked for
    atomic_uint_least64_t ended[RING_SLOTS_MOST];  // by slot: parts that threads have copied, of
                                                   // all of its chunks
    atomic_uint failed;                            // a `result`
} transfer;

static unsigned slot_of(const transfer *t, uint64_t k) {
    return (unsigned)((t->first + k) % t->ring->slots);
}

static uint64_t left_from(const transfer *t, uint64_t at, uint64_t most) {
    return t->n - at < most ? t->n - at : most;
}

static bool has_failed(const transfer *t) {
    return atomic_load_explicit(&t->failed, memory_order_relaxed) != RESULT_OK;
}

static void note(transfer *t, result done) {
    if (done != RESULT_OK) {
        atomic_store_explicit(&t->failed, done, memory_order_relaxed);
    }
}

// until: the parts that its slot has ended once chunk k has. The chunks there before were whole.
static uint64_t until(const transfer *t, uint64_t k) {
    const uint64_t left = t->parts - k * t->per;
    return k / t->ring->slots * t->per + (left < t->per ? left : t->per);
}

static bool has_ended(const transfer *t, uint64_t k) {
    return atomic_load_explicit(&t->ended[slot_of(t, k)], memory_order_acquire) >= until(t, k);
}

// at_edge: whether a way up bypasses the caches in chunk k.
static bool at_edge(const transfer *t, uint64_t k) {
    return k < t->edge || k + t->edge >= t->count;
}

// far_behind: whether the last part of chunk k + edge, which there is, has been taken.
static bool far_behind(const transfer *t, uint64_t k) {
    const uint64_t until = (k + t->edge + 1) * t->per;
    return atomic_load_explicit(&t->taken, memory_order_relaxed) >=
           (until < t->parts ? until : t->parts);
}

// possible: whether the copy of chunk k between its slot and the device can be enqueued: the slot
// is filled, and its lines have left the cores' caches, or it is empty again.
static bool possible(const transfer *t, uint64_t k) {
    return t->up ? has_ended(t, k) && (at_edge(t, k) || far_behind(t, k))
                 : k < t->ring->slots || has_ended(t, k - t->ring->slots);
}

static result enqueue(const transfer *t, uint64_t k) {
    const cuda_stream stream = t->ctx->queue.stream;
    void *const slot = device_slot(t->ring, slot_of(t, k));
    const uint64_t each = t->per * t->part, at = k * each, bytes = left_from(t, at, each);
    const result done = t->up ? cuda_copy(t->to + at, slot, bytes, stream)
                              : cuda_copy(slot, t->from + at, bytes, stream);
    return done == RESULT_OK ? cuda_event_record(t->ring->passed[slot_of(t, k)], stream) : done;
}

// enqueue_all enqueues what has become possible. Of two threads that end chunks, the second to come
// here sees both.
static void enqueue_all(transfer *t) {
    pthread_mutex_lock(&t->mutex);
    uint64_t k = atomic_load_explicit(&t->enqueued, memory_order_relaxed);
    for (; k < t->count && !has_failed(t) && possible(t, k); k++) {
        note(t, enqueue(t, k));
        atomic_store_explicit(&t->enqueued, k + 1, memory_order_release);
    }
    pthread_mutex_unlock(&t->mutex);
}

// ask waits until the slot of the next chunk is ready: emptied by its last copy, of this transfer
// or an earlier call, or on the way down filled. It does nothing where that copy is not enqueued.
// The caller holds `asking`.
static void ask(transfer *t) {
    const uint64_t k = atomic_load_explicit(&t->ready, memory_order_relaxed),
                   enqueued = atomic_load_explicit(&t->enqueued, memory_order_acquire);
    if (k < enqueued + (t->up ? t->ring->slots : 0)) {
        const result done = cuda_event_wait(t->ring->passed[slot_of(t, k)]);
        note(t, done);
        if (done == RESULT_OK) {
            atomic_store_explicit(&t->ready, k + 1, memory_order_release);
        }
    }
}

// await_ready waits until chunk k's slot is ready; false if the transfer failed.
static bool await_ready(transfer *t, uint64_t k) {
    while (atomic_load_explicit(&t->ready, memory_order_acquire) <= k && !has_failed(t)) {
        if (pthread_mutex_trylock(&t->asking) == 0) {
            ask(t);
            pthread_mutex_unlock(&t->asking);
        } else {
            sched_yield();
        }
    }
    return !has_failed(t);
}

// past_caches: a copy that bypasses the caches.
static void past_caches(unsigned char *to, const unsigned char *from, uint64_t n) {
    uint64_t i = 0;
#if defined(__SSE2__)
    const uint64_t apart = (TRANSFER_LINE - (uintptr_t)to % TRANSFER_LINE) % TRANSFER_LINE;
    i = apart < n ? apart : n;  // up to a line
    memcpy(to, from, i);
    for (; i + TRANSFER_LINE <= n; i += TRANSFER_LINE) {
        for (uint64_t k = i; k < i + TRANSFER_LINE; k += sizeof(__m128i)) {
            _mm_stream_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
        }
    }
    _mm_sfence();
#endif
    memcpy(to + i, from + i, n - i);
}

// ask_for_pages: those that are due before part q is copied.
static void ask_for_pages(transfer *t, uint64_t q) {
    const uint64_t until = left_from(t, 0, q * t->part + PAGES_AHEAD);
    while (atomic_load_explicit(&t->pages, memory_order_relaxed) < until) {
        const uint64_t at =
            atomic_fetch_add_explicit(&t->pages, MEMORY_HUGE_PAGE, memory_order_relaxed);
        if (at < t->n) {
            memory_populate(t->to + at, left_from(t, at, MEMORY_HUGE_PAGE));
        }
    }
}

// copy_part: part q between the user's memory and its slot.
static void copy_part(transfer *t, uint64_t q) {
    const uint64_t k = q / t->per, at = q * t->part, n = left_from(t, at, t->part);
    unsigned char *const slot =
        (unsigned char *)device_slot(t->ring, slot_of(t, k)) + q % t->per * t->part;
    if (!await_ready(t, k)) {
        return;
    }
    unsigned char *const to = t->up ? slot : t->to + at;
    const unsigned char *const from = t->up ? t->from + at : slot;
    if (t->up ? at_edge(t, k) : t->n > DOWN_BY_CACHES_MOST) {
        past_caches(to, from, n);
    } else {
        memcpy(to, from, n);
    }
    const uint64_t before =
        atomic_fetch_add_explicit(&t->ended[slot_of(t, k)], 1, memory_order_acq_rel);
    if (before + 1 == until(t, k)) {
        enqueue_all(t);
    }
}

// copy_parts: a thread's share. A failure of any thread ends all of them.
static void copy_parts(void *arg, size_t index, unsigned worker) {
    transfer *const t = arg;
    int previous;
    const result entered = cuda_enter(t->ctx->device.place, &previous);
    (void)index, (void)worker;
    note(t, entered);
    while (!has_failed(t)) {
        if (t->fresh) {
            ask_for_pages(t, atomic_load_explicit(&t->taken, memory_order_relaxed));
        }
        const uint64_t q = atomic_fetch_add_explicit(&t->taken, 1, memory_order_relaxed);
        if (q >= t->parts) {
            break;
        }
        copy_part(t, q);
    }
    if (entered == RESULT_OK) {
        cuda_leave(previous);
    }
}

// part_bytes: whole lines, and a whole number of them in a slot.
static uint64_t part_bytes(const slot_ring *ring, uint64_t n) {
    uint64_t part = ring->slot_bytes;
    while (part > PART_MOST || (part > PART_LEAST && part > n / PARTS_LEAST)) {
        part /= 2;
    }
    return part;
}

// threads_of: how many of `all` threads copy.
static unsigned threads_of(const transfer *t, unsigned all) {
    const bool few = !t->up && !t->fresh && t->n > DOWN_BY_CACHES_MOST;
    return few && all > DOWN_THREADS ? DOWN_THREADS : all;
}

// copy_all: the transfer by the context's threads, and then the status of the stream if it failed.
static result copy_all(transfer *t) {
    team *const threads = t->n > TRANSFER_ALONE_MOST * sizeof(uint64_t) ? t->ctx->team : NULL;
    if (!t->up) {  // the workers sleep until the stream has come here
        enqueue_all(t);
        await_ready(t, 0);
    }
    team_rouse(threads);
    team_run(threads, copy_parts, t, threads_of(t, team_size(threads)));
    // CUDA keeps the text of an error for the thread that met it; the stream has it for all.
    const result failed = (result)atomic_load(&t->failed);
    const result seen = failed == RESULT_OK ? RESULT_OK : cuda_stream_wait(t->ctx->queue.stream);
    return seen == RESULT_OK ? failed : seen;
}

static result run(transfer *t) {
    result done = RESULT_NO_MEMORY;
    t->part = part_bytes(t->ring, t->n);
    t->per = t->ring->slot_bytes / t->part;
    t->parts = word_ceil_div(t->n, t->part);
    t->count = word_ceil_div(t->parts, t->per);
    t->edge = UP_BEHIND / t->ring->slot_bytes;
    if (t->edge >= t->ring->slots || t->n <= UP_SHORT) {
        t->edge = t->count;
    }
    if (pthread_mutex_init(&t->mutex, NULL) == 0) {
        if (pthread_mutex_init(&t->asking, NULL) == 0) {
            done = copy_all(t);
            pthread_mutex_destroy(&t->asking);
        }
        pthread_mutex_destroy(&t->mutex);
    }
    return done;
}

result device_transfer_up(bigint_ctx *ctx, slot_ring *ring, void *to, const void *from,
                          uint64_t bytes) {
    assert(bytes >= 1);
    result done = cuda_event_record(ring->passed[ring->turn], ctx->queue.stream);
    if (done == RESULT_OK) {
        transfer t = {.ctx = ctx, .ring = ring, .up = true, .to = to, .from = from, .n = bytes};
        t.first = (ring->turn + 1) % ring->slots;
        done = run(&t);
        ring->turn = slot_of(&t, t.count - 1);
        ring->used = ring->slot_bytes;
    }
    return done;
}

result device_transfer_down(bigint_ctx *ctx, slot_ring *ring, void *to, const void *from,
                            uint64_t bytes) {
    assert(bytes >= 1);
    transfer t = {.ctx = ctx, .ring = ring, .up = false, .to = to, .from = from, .n = bytes};
    t.fresh = bytes >= PAGES_FROM && memory_is_new(t.to + bytes - 1);  // malloc wrote to the first
    return run(&t);
}
