// device_staging.c: words that kernels count in, and the pinned staging buffer through which limbs
// are copied between host and device.
#include "bigint/core/device_staging.h"

#include <assert.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "bigint/core/arena.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
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

// --- Staging -------------------------------------------------------------------------------------
// Limbs for the device fill one slot after the other. An event is recorded when a slot is full; the
// slot is used again when the event shows that its copies are over. Limbs from the device take the
// slots in turn: while the host empties one slot, copies fill all the others.

// The context's threads split copies between user memory and the staging buffers, because one
// thread is slower than the link. NVIDIA H200 and 8 threads: shares of 16 KiB take two thirds of
// the time of 64 KiB. The calling thread does small copies alone, because waking other threads may
// take 80 us.
typedef struct {
    uint64_t *to;
    const uint64_t *from;
    uint64_t n;
    void (*copy)(uint64_t *to, const uint64_t *from, uint64_t n);
} copying;

enum { COPY_SHARE = 2048, COPY_ALONE = 32768, LINE_WORDS = 8 };  // words

static void plain(uint64_t *to, const uint64_t *from, uint64_t n) {
    memcpy(to, from, n * sizeof *to);
}

// past_caches: a plain copy that bypasses the caches, for words that a device reads next. `to`
// begins on a line.
static void past_caches(uint64_t *to, const uint64_t *from, uint64_t n) {
    uint64_t i = 0;
#if defined(__SSE2__)
    assert((uintptr_t)to % (LINE_WORDS * sizeof *to) == 0);
    for (; i + LINE_WORDS <= n; i += LINE_WORDS) {
        for (uint64_t k = i; k < i + LINE_WORDS; k += 2) {
            _mm_stream_si128((__m128i *)(to + k), _mm_loadu_si128((const __m128i *)(from + k)));
        }
    }
    _mm_sfence();
#endif
    plain(to + i, from + i, n - i);
}

static void copy_share(void *arg, size_t index, unsigned worker) {
    const copying *const c = arg;
    const uint64_t at = index * COPY_SHARE, left = c->n - at;
    (void)worker;
    c->copy(c->to + at, c->from + at, left < COPY_SHARE ? left : COPY_SHARE);
}

static bool shared_out(uint64_t n) { return n > COPY_ALONE; }

// rouse: wakes the threads, because n words will be copied soon.
static void rouse(const bigint_ctx *ctx, uint64_t n) {
    if (shared_out(n)) {
        team_rouse(ctx->team);
    }
}

static void copy_words(const bigint_ctx *ctx, copying c) {
    team_run(shared_out(c.n) ? ctx->team : NULL, copy_share, &c,
             (size_t)word_ceil_div(c.n, COPY_SHARE));
}

// A slot is so long that a copy's fixed cost does not matter. Staging takes no more than a quarter
// of the workspace's cap.
enum { ANSWER_BYTES = 64, LEAST_SLOT = 2048 };
#define MOST_SLOT ((uint64_t)1 << 20)

static uint64_t slot_bytes_of(uint64_t cap) {
    uint64_t bytes = MOST_SLOT;
    while (cap != 0 && bytes > LEAST_SLOT && STAGING_SLOTS * bytes > cap / 4) {
        bytes /= 2;
    }
    return bytes;
}

static uint64_t staging_bytes(uint64_t slot_bytes) {
    return ANSWER_BYTES + STAGING_SLOTS * slot_bytes;
}

uint64_t device_staging_bytes(const bigint_ctx *ctx) {
    return staging_bytes(slot_bytes_of(ctx->options.max_workspace_bytes));
}

static void staging_free(bigint_ctx *ctx) {
    device_queue *q = &ctx->queue;
    for (int k = 0; k < STAGING_SLOTS; k++) {
        cuda_event_destroy(q->passed[k]);
        q->passed[k] = NULL;
    }
    workspace_release(ctx, MEMORY_PINNED, q->staging, staging_bytes(q->slot_bytes));
    q->staging = NULL;
}

bigint_status device_staging_need(bigint_ctx *ctx, const char *who) {
    device_queue *q = &ctx->queue;
    if (q->staging != NULL) {
        return BIGINT_OK;
    }
    q->slot_bytes = slot_bytes_of(ctx->options.max_workspace_bytes);
    q->used = 0;
    q->turn = 0;
    q->staging = workspace_allocate(ctx, who, MEMORY_PINNED, staging_bytes(q->slot_bytes));
    if (q->staging == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    bigint_status status = BIGINT_OK;
    for (int k = 0; k < STAGING_SLOTS && status == BIGINT_OK; k++) {
        status = device_status(ctx, who, cuda_event_create(&q->passed[k]));
    }
    if (status != BIGINT_OK) {
        staging_free(ctx);
    }
    return status;
}

void *device_answer(const bigint_ctx *ctx) { return ctx->queue.staging; }

static uint64_t *slot_at(const device_queue *q, uint64_t turn) {
    return (uint64_t *)(q->staging + ANSWER_BYTES + turn * q->slot_bytes);
}

// next_slot moves to the next slot once its copies are over.
static result next_slot(device_queue *q) {
    result done = cuda_event_record(q->passed[q->turn], q->stream);
    if (done == RESULT_OK) {
        q->turn = (q->turn + 1) % STAGING_SLOTS;
        q->used = 0;
        done = cuda_event_wait(q->passed[q->turn]);
    }
    return done;
}

// Words to send begin on a line of their own: limb 0 there, the sign at the end of the line before.
bigint_status device_send(bigint_ctx *ctx, const char *who, uint64_t *to, const uint64_t *p,
                          uint64_t n, uint64_t sign) {
    device_queue *q = &ctx->queue;
    assert(n >= 1);
    result done = RESULT_OK;
    rouse(ctx, n);
    for (uint64_t sent = 0; sent < n && done == RESULT_OK;) {
        const uint64_t front = sent == 0 ? LINE_WORDS : 0;
        const uint64_t room = (q->slot_bytes - q->used) / sizeof *p;  // whole lines
        if (room <= front) {
            done = next_slot(q);
            continue;
        }
        const uint64_t count = n - sent < room - front ? n - sent : room - front;
        uint64_t *const at = slot_at(q, q->turn) + q->used / sizeof *p + front;
        const uint64_t signs = sent == 0;
        if (signs > 0) {
            at[-1] = sign;
        }
        copy_words(ctx, (copying){at, p + sent, count, count > COPY_SHARE ? past_caches : plain});
        done = cuda_copy(to + sent - signs, at - signs, (count + signs) * sizeof *p, q->stream);
        q->used += (front + word_ceil_div(count, LINE_WORDS) * LINE_WORDS) * sizeof *p;
        sent += count;
    }
    return device_status(ctx, who, done);
}

bigint_status device_fetch(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                           uint64_t n) {
    device_queue *q = &ctx->queue;
    const uint64_t each = q->slot_bytes / sizeof *p, pieces = word_ceil_div(n, each);
    assert(n >= 1);
    result done = RESULT_OK;
    // Step k requests piece k and takes the oldest piece under way. The stream reaches the first
    // piece only after it has sent what the slots hold for the device.
    for (uint64_t k = 0; k < pieces + STAGING_SLOTS - 1 && done == RESULT_OK; k++) {
        if (k < pieces) {
            const uint64_t at = k * each, slot = k % STAGING_SLOTS;
            done = cuda_copy(slot_at(q, slot), from + at,
                             (n - at < each ? n - at : each) * sizeof *p, q->stream);
            done = done == RESULT_OK ? cuda_event_record(q->passed[slot], q->stream) : done;
        }
        if (k >= STAGING_SLOTS - 1 && done == RESULT_OK) {
            rouse(ctx, n);
            const uint64_t taken = k - (STAGING_SLOTS - 1), at = taken * each;
            done = cuda_event_wait(q->passed[taken % STAGING_SLOTS]);
            if (done == RESULT_OK) {
                copy_words(ctx, (copying){p + at, slot_at(q, taken % STAGING_SLOTS),
                                          n - at < each ? n - at : each, plain});
            }
        }
    }
    const bigint_status status = device_status(ctx, who, done);
    return status == BIGINT_OK ? device_check_verdict(ctx, who) : status;
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
