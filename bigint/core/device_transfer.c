// device_transfer.c: see device_transfer.h.
//
// A transfer is cut into chunks, each a slot long, so that the link copies long pieces, and chunks
// into parts. Threads take parts in rising order and copy them between the user's memory and the
// slots: all work at the same slot, which is therefore ready early. Whoever ends a chunk enqueues
// the copies between slots and device that have become possible, in order. So no thread waits for
// all others, and the link is busy as long as there are filled, or free, slots.
//
// Progress: a thread that has taken a part of chunk k waits only for parts below it, or for copies
// that are enqueued. The lowest part that has not ended waits for copies alone.
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
// Bytes of transfers whose way up bypasses the caches, and of those whose way down does not: what
// fits the caches stays there for the user, and all slots of long transfers leave the cores' own
// caches before the device reads them.
enum { UP_PAST_CACHES_MOST = 1 << 27, DOWN_BY_CACHES_MOST = 1 << 25 };

typedef struct {
    bigint_ctx *ctx;
    slot_ring *ring;
    bool up;
    unsigned char *to;  // n bytes; of the device if up, else of the user
    const unsigned char *from;
    uint64_t n, part, per;                         // bytes; of a part; parts of a chunk
    uint64_t count, parts;                         // chunks; parts of all
    unsigned first;                                // the slot of chunk 0
    pthread_mutex_t mutex;                         // guards enqueueing
    atomic_uint_least64_t taken, enqueued;         // parts; chunks
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

// possible: whether the copy of chunk k between its slot and the device can be enqueued: the slot
// is filled, or empty again.
static bool possible(const transfer *t, uint64_t k) {
    return t->up ? has_ended(t, k) : k < t->ring->slots || has_ended(t, k - t->ring->slots);
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

// await_enqueued waits until chunk k's copy has been enqueued; false if the transfer failed.
static bool await_enqueued(const transfer *t, uint64_t k) {
    while (atomic_load_explicit(&t->enqueued, memory_order_acquire) <= k && !has_failed(t)) {
        sched_yield();
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

// copy_part: part q between the user's memory and its slot. *ready: the chunk whose slot this
// thread has found ready last.
static void copy_part(transfer *t, uint64_t q, uint64_t *ready) {
    const uint64_t k = q / t->per, at = q * t->part, n = left_from(t, at, t->part);
    unsigned char *const slot =
        (unsigned char *)device_slot(t->ring, slot_of(t, k)) + q % t->per * t->part;
    if (*ready != k) {
        // Up: the slot's last copy, of this transfer or an earlier call. Down: this chunk's.
        if ((!t->up || k >= t->ring->slots) && !await_enqueued(t, t->up ? k - t->ring->slots : k)) {
            return;
        }
        const result done = cuda_event_wait(t->ring->passed[slot_of(t, k)]);
        if (done != RESULT_OK) {
            note(t, done);
            return;
        }
        *ready = k;
    }
    unsigned char *const to = t->up ? slot : t->to + at;
    const unsigned char *const from = t->up ? t->from + at : slot;
    if (t->up ? t->n <= UP_PAST_CACHES_MOST : t->n > DOWN_BY_CACHES_MOST) {
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
    uint64_t ready = UINT64_MAX;
    (void)index, (void)worker;
    note(t, entered);
    while (!has_failed(t)) {
        const uint64_t q = atomic_fetch_add_explicit(&t->taken, 1, memory_order_relaxed);
        if (q >= t->parts) {
            break;
        }
        copy_part(t, q, &ready);
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

static result run(transfer *t) {
    team *const threads = t->n > TRANSFER_ALONE_MOST * sizeof(uint64_t) ? t->ctx->team : NULL;
    t->part = part_bytes(t->ring, t->n);
    t->per = t->ring->slot_bytes / t->part;
    t->parts = word_ceil_div(t->n, t->part);
    t->count = word_ceil_div(t->parts, t->per);
    if (pthread_mutex_init(&t->mutex, NULL) != 0) {
        return RESULT_NO_MEMORY;
    }
    if (!t->up) {  // the workers sleep until the stream has come here
        enqueue_all(t);
        note(t, has_failed(t) ? RESULT_OK : cuda_event_wait(t->ring->passed[slot_of(t, 0)]));
    }
    team_rouse(threads);
    team_run(threads, copy_parts, t, team_size(threads));
    pthread_mutex_destroy(&t->mutex);
    // CUDA keeps the text of an error for the thread that met it; the stream has it for all.
    const result failed = (result)atomic_load(&t->failed);
    const result seen = failed == RESULT_OK ? RESULT_OK : cuda_stream_wait(t->ctx->queue.stream);
    return seen == RESULT_OK ? failed : seen;
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
    return run(&t);
}
