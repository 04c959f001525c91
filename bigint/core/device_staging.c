// device_staging.c: words that kernels count in, and the pinned staging buffer through which limbs
// are copied between host and device.
#include "bigint/core/device_staging.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/device_transfer.h"
#include "primitives/words/word.h"

// --- Words ---------------------------------------------------------------------------------------

bigint_status device_words_need(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    device_queue *q = &ctx->queue;
    if (bytes <= q->words_bytes) {
        return BIGINT_OK;
    }
    workspace_release(ctx, MEMORY_DEVICE, q->words, q->words_bytes);
    q->words = NULL;
    q->words_bytes = 0;
    // The size that an arena would take, so that slowly growing numbers do not reallocate each
    // time.
    const uint64_t rounded = arena_held_bytes(bytes);
    void *words = workspace_allocate(ctx, who, MEMORY_DEVICE, rounded);
    if (words == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    q->words = words;
    q->words_bytes = rounded;
    return device_status(ctx, who, cuda_set(words, 0, rounded, q->stream));
}

// --- Rings ---------------------------------------------------------------------------------------
// Limbs for the device fill one slot after the other. An event is recorded when a slot is full; the
// slot is used again when the event shows that its copies are over. Long numbers take the slots
// from several threads at once: device_transfer.h.

// A slot is so long that a copy's fixed cost does not matter. The first ring takes no more than a
// quarter of the workspace's cap.
enum { ANSWER_BYTES = 64, LEAST_SLOT = 2048, MOST_SLOT = 1 << 18, SLOTS = 16 };
// The long ring is for contexts without a cap whose threads fill slots faster than one can, and for
// numbers from LONG_FROM bytes on, which take longer to copy than the ring takes to pin.
enum { LONG_SLOT = 2 << 20, LONG_SLOTS = 16, LONG_FROM = 16 << 20, LONG_THREADS = 4 };

static uint64_t slot_bytes_of(uint64_t cap) {
    uint64_t bytes = MOST_SLOT;
    while (cap != 0 && bytes > LEAST_SLOT && SLOTS * bytes > cap / 4) {
        bytes /= 2;
    }
    return bytes;
}

static uint64_t staging_bytes(uint64_t slot_bytes) { return ANSWER_BYTES + SLOTS * slot_bytes; }

uint64_t device_staging_bytes(const bigint_ctx *ctx) {
    return staging_bytes(slot_bytes_of(ctx->options.max_workspace_bytes));
}

// by_long_ring: whether transfers of that many bytes take the long ring.
static bool by_long_ring(uint64_t cap, unsigned threads, uint64_t bytes) {
    return cap == 0 && threads >= LONG_THREADS && bytes >= LONG_FROM;
}

uint64_t device_rings_bytes(uint64_t cap, unsigned threads, uint64_t bytes) {
    return staging_bytes(slot_bytes_of(cap)) +
           (by_long_ring(cap, threads, bytes) ? LONG_SLOTS * (uint64_t)LONG_SLOT : 0);
}

static void ring_drop(slot_ring *ring) {
    for (unsigned k = 0; k < ring->slots; k++) {
        cuda_event_destroy(ring->passed[k]);
    }
    *ring = (slot_ring){0};
}

// ring_make: a ring in that memory; without it, if an event cannot be made.
static result ring_make(slot_ring *ring, unsigned char *memory, uint64_t slot_bytes,
                        unsigned slots) {
    *ring = (slot_ring){.memory = memory, .slot_bytes = slot_bytes};
    result done = RESULT_OK;
    while (ring->slots < slots && done == RESULT_OK) {
        done = cuda_event_create(&ring->passed[ring->slots]);
        ring->slots += done == RESULT_OK ? 1 : 0;
    }
    if (done != RESULT_OK) {
        ring_drop(ring);
    }
    return done;
}

static void staging_free(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    const uint64_t bytes = device_staging_bytes(ctx);
    workspace_release(ctx, MEMORY_PINNED, q->long_ring.memory, LONG_SLOTS * (uint64_t)LONG_SLOT);
    ring_drop(&q->long_ring), ring_drop(&q->ring);
    workspace_release(ctx, MEMORY_PINNED, q->staging, bytes);
    q->staging = NULL;
}

bigint_status device_staging_need(bigint_ctx *ctx, const char *who) {
    device_queue *q = &ctx->queue;
    if (q->staging != NULL) {
        return BIGINT_OK;
    }
    const uint64_t slot = slot_bytes_of(ctx->options.max_workspace_bytes);
    q->staging = workspace_allocate(ctx, who, MEMORY_PINNED, staging_bytes(slot));
    if (q->staging == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    const bigint_status status =
        device_status(ctx, who, ring_make(&q->ring, q->staging + ANSWER_BYTES, slot, SLOTS));
    if (status != BIGINT_OK) {
        staging_free(ctx);
    }
    return status;
}

// ring_for: the ring for that many bytes. The long one is made when it is needed first; without
// memory for it the other serves.
static result ring_for(bigint_ctx *ctx, uint64_t bytes, slot_ring **ring) {
    device_queue *q = &ctx->queue;
    const bool is_long =
        by_long_ring(ctx->options.max_workspace_bytes, team_size(ctx->team), bytes);
    result done = RESULT_OK;
    if (is_long && q->long_ring.memory == NULL) {
        unsigned char *const memory =
            workspace_try(ctx, MEMORY_PINNED, LONG_SLOTS * (uint64_t)LONG_SLOT);
        if (memory != NULL) {
            done = ring_make(&q->long_ring, memory, LONG_SLOT, LONG_SLOTS);
            if (done != RESULT_OK) {
                workspace_release(ctx, MEMORY_PINNED, memory, LONG_SLOTS * (uint64_t)LONG_SLOT);
            }
        }
    }
    *ring = is_long && q->long_ring.memory != NULL ? &q->long_ring : &q->ring;
    return done;
}

// --- Copies --------------------------------------------------------------------------------------

void *device_answer(const bigint_ctx *ctx) { return ctx->queue.staging; }

uint64_t *device_slot(const slot_ring *ring, unsigned slot) {
    assert(slot < ring->slots);
    return (uint64_t *)(ring->memory + slot * ring->slot_bytes);
}

// next_slot moves to the next slot once its copies are over.
static result next_slot(slot_ring *ring, cuda_stream stream) {
    result done = cuda_event_record(ring->passed[ring->turn], stream);
    if (done == RESULT_OK) {
        ring->turn = (ring->turn + 1) % ring->slots;
        ring->used = 0;
        done = cuda_event_wait(ring->passed[ring->turn]);
    }
    return done;
}

// send_alone: the calling thread fills the slots. Words begin on a line of their own: limb 0 there,
// the sign at the end of the line before.
static result send_alone(device_queue *q, uint64_t *to, const uint64_t *p, uint64_t n,
                         uint64_t sign) {
    slot_ring *const ring = &q->ring;
    result done = RESULT_OK;
    for (uint64_t sent = 0; sent < n && done == RESULT_OK;) {
        const uint64_t front = sent == 0 ? TRANSFER_LINE_WORDS : 0;
        const uint64_t room = (ring->slot_bytes - ring->used) / sizeof *p;  // whole lines
        if (room <= front) {
            done = next_slot(ring, q->stream);
            continue;
        }
        const uint64_t count = n - sent < room - front ? n - sent : room - front;
        uint64_t *const at = device_slot(ring, ring->turn) + ring->used / sizeof *p + front;
        const uint64_t signs = sent == 0;
        if (signs > 0) {
            at[-1] = sign;
        }
        memcpy(at, p + sent, count * sizeof *p);
        done = cuda_copy(to + sent - signs, at - signs, (count + signs) * sizeof *p, q->stream);
        ring->used +=
            (front + word_ceil_div(count, TRANSFER_LINE_WORDS) * TRANSFER_LINE_WORDS) * sizeof *p;
        sent += count;
    }
    return done;
}

// Long limbs in memory that the user pinned are one copy of the link, without the staging. *copied:
// whether they are, and then the copy is over.

// send_pinned shares its event with the slot that is being filled, whose copies come before it or
// will record it again.
static result send_pinned(device_queue *q, void *to, const void *from, uint64_t bytes,
                          bool *copied) {
    const cuda_event event = q->ring.passed[q->ring.turn];
    result done = cuda_copy_pinned(to, from, bytes, true, q->stream, copied);
    if (done == RESULT_OK && *copied) {
        done = cuda_event_record(event, q->stream);
        done = done == RESULT_OK ? cuda_event_wait(event) : done;
    }
    return done;
}

static result fetch_pinned(device_queue *q, void *to, const void *from, uint64_t bytes,
                           bool *copied) {
    const result done = cuda_copy_pinned(to, from, bytes, false, q->stream, copied);
    return done == RESULT_OK && *copied ? cuda_stream_wait(q->stream) : done;
}

static bool is_long(uint64_t bytes) { return bytes > TRANSFER_ALONE_MOST * sizeof(uint64_t); }

// send: bytes of the user, of `all` that a call sends.
static result send(bigint_ctx *ctx, void *to, const void *from, uint64_t bytes, uint64_t all) {
    bool copied = false;
    slot_ring *ring = NULL;
    result done = is_long(bytes) ? send_pinned(&ctx->queue, to, from, bytes, &copied) : RESULT_OK;
    if (done != RESULT_OK || copied) {
        return done;
    }
    done = ring_for(ctx, all, &ring);
    return done == RESULT_OK ? device_transfer_up(ctx, ring, to, from, bytes) : done;
}

static result fetch(bigint_ctx *ctx, void *to, const void *from, uint64_t bytes) {
    bool copied = false;
    slot_ring *ring = NULL;
    result done = is_long(bytes) ? fetch_pinned(&ctx->queue, to, from, bytes, &copied) : RESULT_OK;
    if (done != RESULT_OK || copied) {
        return done;
    }
    done = ring_for(ctx, bytes, &ring);
    return done == RESULT_OK ? device_transfer_down(ctx, ring, to, from, bytes) : done;
}

bigint_status device_send(bigint_ctx *ctx, const char *who, uint64_t *to, const uint64_t *p,
                          uint64_t n, uint64_t sign) {
    const uint64_t front =
        n > TRANSFER_ALONE_MOST ? TRANSFER_LINE_WORDS : n;  // of a long number: with the sign
    assert(n >= 1);
    result done = send_alone(&ctx->queue, to, p, front, sign);
    if (n > front && done == RESULT_OK) {
        done = send(ctx, to + front, p + front, (n - front) * sizeof *p, n * sizeof *p);
    }
    return device_status(ctx, who, done);
}

bigint_status device_send_bytes(bigint_ctx *ctx, const char *who, void *to, const void *from,
                                uint64_t bytes) {
    return device_status(ctx, who, send(ctx, to, from, bytes, bytes));
}

bigint_status device_fetch_bytes(bigint_ctx *ctx, const char *who, void *to, const void *from,
                                 uint64_t bytes) {
    const bigint_status status = device_status(ctx, who, fetch(ctx, to, from, bytes));
    return status == BIGINT_OK ? device_check_verdict(ctx, who) : status;
}

bigint_status device_fetch(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                           uint64_t n) {
    return device_fetch_bytes(ctx, who, p, from, n * sizeof *p);
}

void device_staging_trim(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    workspace_release(ctx, MEMORY_DEVICE, q->words, q->words_bytes);
    q->words = NULL;
    q->words_bytes = 0;
    if (q->staging != NULL) {
        staging_free(ctx);
    }
}
