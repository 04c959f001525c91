// device_transfer.c: see device_transfer.h.
//
// A transfer is cut into chunks, one for a slot at a time. Threads take chunks in rising order and
// copy them between the user's memory and the slots; whoever ends a chunk enqueues the copies
// between slots and device that have become possible, in order. So no thread waits for all others,
// and the link is busy as long as there are filled, or free, slots.
//
// Progress: a thread that has taken chunk k waits only for chunks below k, or for copies that are
// enqueued. The lowest chunk that has not ended waits for copies alone.
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

enum { CHUNK_LEAST = 1 << 16, CHUNKS_LEAST = 32 };  // bytes
// Bytes of transfers whose way up bypasses the caches: longer ones find the slots in them.
enum { PAST_CACHES_MOST = 1 << 25 };

typedef struct {
    bigint_ctx *ctx;
    slot_ring *ring;
    bool up;
    unsigned char *to;  // n bytes; of the device if up, else of the user
    const unsigned char *from;
    uint64_t n, each, count;                       // bytes; of a chunk; chunks
    unsigned first;                                // the slot of chunk 0
    pthread_mutex_t mutex;                         // guards enqueueing
    atomic_uint_least64_t taken, enqueued;         // chunks
    atomic_uint_least64_t ended[RING_SLOTS_MOST];  // by slot: its last chunk + 1 whose bytes
                                                   // a thread has copied
    atomic_uint failed;                            // a `result`
} transfer;

static unsigned slot_of(const transfer *t, uint64_t k) {
    return (unsigned)((t->first + k) % t->ring->slots);
}

static uint64_t bytes_of(const transfer *t, uint64_t k) {
    const uint64_t left = t->n - k * t->each;
    return left < t->each ? left : t->each;
}

static bool has_failed(const transfer *t) {
    return atomic_load_explicit(&t->failed, memory_order_relaxed) != RESULT_OK;
}

static void note(transfer *t, result done) {
    if (done != RESULT_OK) {
        atomic_store_explicit(&t->failed, done, memory_order_relaxed);
    }
}

static bool has_ended(const transfer *t, uint64_t k) {
    return atomic_load_explicit(&t->ended[slot_of(t, k)], memory_order_acquire) > k;
}

// possible: whether the copy of chunk k between its slot and the device can be enqueued: the slot
// is filled, or empty again.
static bool possible(const transfer *t, uint64_t k) {
    return t->up ? has_ended(t, k) : k < t->ring->slots || has_ended(t, k - t->ring->slots);
}

static result enqueue(const transfer *t, uint64_t k) {
    const cuda_stream stream = t->ctx->queue.stream;
    void *const slot = device_slot(t->ring, slot_of(t, k));
    const uint64_t at = k * t->each, bytes = bytes_of(t, k);
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

// past_caches: a copy that bypasses the caches, for bytes that a device reads next. `to` begins on
// a line.
static void past_caches(unsigned char *to, const unsigned char *from, uint64_t n) {
    uint64_t i = 0;
#if defined(__SSE2__)
    assert((uintptr_t)to % TRANSFER_LINE == 0);
    for (; i + TRANSFER_LINE <= n; i += TRANSFER_LINE) {
        for (uint64_t k = i; k < i + TRANSFER_LINE; k += sizeof(__m128i)) {
            _mm_stream_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
        }
    }
    _mm_sfence();
#endif
    memcpy(to + i, from + i, n - i);
}

// copy_chunk: chunk k between the user's memory and its slot.
static void copy_chunk(transfer *t, uint64_t k) {
    unsigned char *const slot = (unsigned char *)device_slot(t->ring, slot_of(t, k));
    const uint64_t at = k * t->each, n = bytes_of(t, k);
    // Up: the slot's last copy, of this transfer or an earlier call. Down: this chunk's.
    if (!t->up || k >= t->ring->slots) {
        if (!await_enqueued(t, t->up ? k - t->ring->slots : k)) {
            return;
        }
    }
    const result done = cuda_event_wait(t->ring->passed[slot_of(t, k)]);
    if (done != RESULT_OK) {
        note(t, done);
        return;
    }
    if (t->up && t->n <= PAST_CACHES_MOST) {
        past_caches(slot, t->from + at, n);
    } else {
        memcpy(t->up ? slot : t->to + at, t->up ? t->from + at : slot, n);
    }
    atomic_store_explicit(&t->ended[slot_of(t, k)], k + 1, memory_order_release);
    enqueue_all(t);
}

// copy_chunks: a thread's part. A failure of any thread ends all of them.
static void copy_chunks(void *arg, size_t index, unsigned worker) {
    transfer *const t = arg;
    int previous;
    const result entered = cuda_enter(t->ctx->device.place, &previous);
    (void)index, (void)worker;
    note(t, entered);
    while (!has_failed(t)) {
        const uint64_t k = atomic_fetch_add_explicit(&t->taken, 1, memory_order_relaxed);
        if (k >= t->count) {
            break;
        }
        copy_chunk(t, k);
    }
    if (entered == RESULT_OK) {
        cuda_leave(previous);
    }
}

// chunk_bytes: short enough for several chunks a thread, long enough for the link; whole lines.
static uint64_t chunk_bytes(const slot_ring *ring, uint64_t n) {
    const uint64_t most = ring->slot_bytes, part = word_ceil_div(n, CHUNKS_LEAST);
    const uint64_t each =
        part < CHUNK_LEAST ? CHUNK_LEAST : word_ceil_div(part, TRANSFER_LINE) * TRANSFER_LINE;
    return each < most ? each : most;
}

static result run(transfer *t) {
    team *const threads = t->n > TRANSFER_ALONE_MOST * sizeof(uint64_t) ? t->ctx->team : NULL;
    t->each = chunk_bytes(t->ring, t->n);
    t->count = word_ceil_div(t->n, t->each);
    if (pthread_mutex_init(&t->mutex, NULL) != 0) {
        return RESULT_NO_MEMORY;
    }
    if (!t->up) {  // the workers sleep until the stream has come here
        enqueue_all(t);
        note(t, has_failed(t) ? RESULT_OK : cuda_event_wait(t->ring->passed[slot_of(t, 0)]));
    }
    team_rouse(threads);
    team_run(threads, copy_chunks, t, team_size(threads));
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
