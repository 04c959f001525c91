// device_memory.c: memory of a context on a device: allocation in stream order, words that kernels
// count in, and pinned staging, through which limbs travel. May include device.h. Workspace is
// counted by arena.c.
#include <assert.h>
#include <string.h>

#include "bigint/device.h"
#include "primitives/word.h"

// --- Allocation ----------------------------------------------------------------------------------

void *queue_allocate(bigint_ctx *ctx, memory_kind kind, uint64_t bytes) {
    const char *who = "allocation of device memory";
    // CUDA takes absurd sizes for invalid arguments, which would look like a failure of the device.
    if (bytes > ctx->device.about.memory_bytes) {
        return NULL;
    }
    ctx->counters.allocations++;
    void *p = NULL;
    int previous;
    result done = device_enter(ctx->device.place, &previous);
    if (done == RESULT_OK) {
        done = kind == MEMORY_PINNED ? device_pin(&p, bytes)
                                     : device_allocate(&p, bytes, ctx->queue.stream);
        device_leave(previous);
    }
    if (done != RESULT_OK && done != RESULT_NO_MEMORY) {
        queue_check(ctx, who, done);
    }
    return done == RESULT_OK ? p : NULL;
}

void queue_release(bigint_ctx *ctx, memory_kind kind, void *p) {
    int previous;
    const result entered = device_enter(ctx->device.place, &previous);
    if (kind == MEMORY_PINNED) {
        device_unpin(p);
    } else {
        queue_check(ctx, "release of device memory", device_release(p, ctx->queue.stream));
    }
    if (entered == RESULT_OK) {
        device_leave(previous);
    }
}

// --- Words ---------------------------------------------------------------------------------------

bigint_status queue_words_need(bigint_ctx *ctx, const char *who, uint64_t bytes) {
    queue *q = &ctx->queue;
    if (bytes <= q->words_bytes) {
        return BIGINT_OK;
    }
    workspace_release(ctx, MEMORY_DEVICE, q->words, q->words_bytes);
    q->words = NULL;
    q->words_bytes = 0;
    // The size that an arena would take: numbers that grow from call to call do not ask each time.
    const uint64_t rounded = arena_held_bytes(bytes);
    void *words = workspace_allocate(ctx, who, MEMORY_DEVICE, rounded);
    if (words == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    q->words = words;
    q->words_bytes = rounded;
    return queue_check(ctx, who, device_set(words, 0, rounded, q->stream));
}

// --- Staging -------------------------------------------------------------------------------------
// Limbs on their way to the device fill one half after the other. A half is used again when the
// copies from it are over, which an event tells that is recorded as the half is left. The way back
// uses the halves by turns: one is filled while the host empties the other.

// Copies between the caller's memory and the staging are shared out among the context's threads,
// because one alone is slower than the link.
typedef struct {
    uint64_t *to;
    const uint64_t *from;
    uint64_t n;
} copying;

enum { COPY_SHARE = 8192 };  // words

static void copy_share(void *arg, size_t index, unsigned worker) {
    const copying *const c = arg;
    const uint64_t at = index * COPY_SHARE, left = c->n - at;
    (void)worker;
    memcpy(c->to + at, c->from + at, (left < COPY_SHARE ? left : COPY_SHARE) * sizeof *c->to);
}

static void copy_words(const bigint_ctx *ctx, uint64_t *to, const uint64_t *from, uint64_t n) {
    copying c = {to, from, n};
    team_run(ctx->team, copy_share, &c, (size_t)word_ceil_div(n, COPY_SHARE));
}

// A half: long enough that a copy's fixed cost does not count, short enough for the processor's
// cache. Staging takes no more than a quarter of the workspace's cap.
enum { ANSWER_BYTES = 64, LEAST_HALF = 4096 };
#define MOST_HALF ((uint64_t)1 << 20)

static uint64_t staging_half(uint64_t cap) {
    uint64_t half = MOST_HALF;
    while (cap != 0 && half > LEAST_HALF && 2 * half > cap / 4) {
        half /= 2;
    }
    return half;
}

static uint64_t staging_bytes(const queue *q) { return ANSWER_BYTES + 2 * q->half; }

uint64_t queue_staging_bytes(const bigint_ctx *ctx) {
    return ANSWER_BYTES + 2 * staging_half(ctx->options.max_workspace_bytes);
}

static void staging_free(bigint_ctx *ctx) {
    queue *q = &ctx->queue;
    for (int k = 0; k < 2; k++) {
        device_event_destroy(q->passed[k]);
        q->passed[k] = NULL;
    }
    workspace_release(ctx, MEMORY_PINNED, q->staging, staging_bytes(q));
    q->staging = NULL;
}

bigint_status queue_staging_need(bigint_ctx *ctx, const char *who) {
    queue *q = &ctx->queue;
    if (q->staging != NULL) {
        return BIGINT_OK;
    }
    q->half = staging_half(ctx->options.max_workspace_bytes);
    q->used = 0;
    q->turn = 0;
    q->staging = workspace_allocate(ctx, who, MEMORY_PINNED, staging_bytes(q));
    if (q->staging == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    bigint_status status = queue_check(ctx, who, device_event_create(&q->passed[0]));
    if (status == BIGINT_OK) {
        status = queue_check(ctx, who, device_event_create(&q->passed[1]));
    }
    if (status != BIGINT_OK) {
        staging_free(ctx);
    }
    return status;
}

void *queue_answer(const bigint_ctx *ctx) { return ctx->queue.staging; }

static uint64_t *half_at(const queue *q, unsigned turn) {
    return (uint64_t *)(q->staging + ANSWER_BYTES + turn * q->half);
}

// next_half turns to the other half, when its copies are over.
static result next_half(queue *q) {
    result done = device_event_record(q->passed[q->turn], q->stream);
    if (done == RESULT_OK) {
        q->turn ^= 1;
        q->used = 0;
        done = device_event_wait(q->passed[q->turn]);
    }
    return done;
}

bigint_status queue_upload(bigint_ctx *ctx, const char *who, uint64_t *to, const uint64_t *p,
                           uint64_t n, uint64_t sign) {
    queue *q = &ctx->queue;
    const uint64_t words = n + 1;  // the sign is word 0
    result done = RESULT_OK;
    for (uint64_t w = 0; w < words && done == RESULT_OK;) {
        if (q->used == q->half) {
            done = next_half(q);
            continue;
        }
        const uint64_t room = (q->half - q->used) / sizeof *p;
        const uint64_t count = words - w < room ? words - w : room, first = w == 0;
        uint64_t *at = half_at(q, q->turn) + q->used / sizeof *p;
        if (first) {
            at[0] = sign;
        }
        if (count > first) {
            copy_words(ctx, at + first, p + w + first - 1, count - first);
        }
        done = device_copy(to - 1 + w, at, count * sizeof *p, q->stream);
        q->used += count * sizeof *p;
        w += count;
    }
    return queue_check(ctx, who, done);
}

bigint_status queue_download(bigint_ctx *ctx, const char *who, uint64_t *p, const uint64_t *from,
                             uint64_t n) {
    queue *q = &ctx->queue;
    const uint64_t each = q->half / sizeof *p;
    assert(n >= 1);
    result done = RESULT_OK;
    // Step k asks for piece k and takes piece k - 1, so two are on their way. What the halves hold
    // for the device has left when the stream comes to the first piece.
    for (uint64_t k = 0; k * each < n + each && done == RESULT_OK; k++) {
        const uint64_t at = k * each;
        if (at < n) {
            done = device_copy(half_at(q, k % 2), from + at,
                               (n - at < each ? n - at : each) * sizeof *p, q->stream);
            done = done == RESULT_OK ? device_event_record(q->passed[k % 2], q->stream) : done;
        }
        if (k > 0 && done == RESULT_OK) {
            const uint64_t before = at - each;
            done = device_event_wait(q->passed[(k - 1) % 2]);
            if (done == RESULT_OK) {
                copy_words(ctx, p + before, half_at(q, (k - 1) % 2),
                           n - before < each ? n - before : each);
            }
        }
    }
    const bigint_status status = queue_check(ctx, who, done);
    return status == BIGINT_OK ? resident_check_verdict(ctx, who) : status;
}

void queue_trim(bigint_ctx *ctx) {
    queue *q = &ctx->queue;
    queue_check(ctx, "bigint_ctx_trim", device_stream_wait(q->stream));
    resident_replay_trim(ctx);
    arena_trim(ctx);
    resident_tables_trim(ctx);
    resident_check_collect(ctx);
    resident_check_trim(ctx);
    workspace_release(ctx, MEMORY_DEVICE, q->words, q->words_bytes);
    q->words = NULL;
    q->words_bytes = 0;
    if (q->staging != NULL) {
        staging_free(ctx);
    }
}
