// recording.c: see recording.h. A recording goes through four calls: the first is remembered; the
// second calls its body, and counts what that allocates; then the body is called again, with its
// launches kept for a graph and its allocations out of one block that stays; later calls run the
// graph. It is valid while what all calls share, workspace and words, lies where it lay. Tables do
// as long as there is no cap.
#include "bigint/device/recording.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"

// SHARE: of the device's memory, the part that one recording may hold.
enum { SHARE = 512 };

// --- The list ------------------------------------------------------------------------------------

static void forget(bigint_ctx *ctx, recording *r) {
    cuda_graph_destroy(r->graph);
    workspace_release(ctx, MEMORY_DEVICE, r->numbers, r->numbers_bytes);
    workspace_release(ctx, MEMORY_DEVICE, r->memory, r->memory_bytes);
    *r = (recording){0};
}

// to_front: recording i becomes the newest.
static recording *to_front(device_queue *q, unsigned i) {
    const recording newest = q->recordings[i];
    memmove(q->recordings + 1, q->recordings, i * sizeof newest);
    q->recordings[0] = newest;
    return q->recordings;
}

// remember puts a new key in front, in place of the oldest one. That one's graph may be under way:
// CUDA then frees it when it ends, and its memory is freed in the order of the stream.
static void remember(bigint_ctx *ctx, const uint64_t *key) {
    device_queue *const q = &ctx->queue;
    recording *const last = &q->recordings[RECORDINGS - 1];
    forget(ctx, last);
    memcpy(last->key, key, sizeof last->key);
    to_front(q, RECORDINGS - 1);
}

// make_key: the shape, and the context's choices that plans follow.
static void make_key(const bigint_ctx *ctx, uint64_t *key, const device_shape *shape) {
    const device_queue *const q = &ctx->queue;
    const uint64_t all[] = {shape->kind,
                            shape->limbs,
                            q->forced.primes,
                            q->forced.branches,
                            q->cluster,
                            q->forced.quotient_limbs,
                            q->forced.quotient_levels,
                            q->forced.reciprocal_limbs,
                            q->forced.series_limbs,
                            q->forced.root_limbs,
                            q->forced.root_series,
                            q->forced.root_halves,
                            ctx->engine};
    enum { OWN = sizeof all / sizeof *all };
    _Static_assert(OWN + SHAPE_WORDS <= RECORDING_WORDS, "room for the key");
    memset(key, 0, RECORDING_WORDS * sizeof *key);
    memcpy(key, all, sizeof all);
    memcpy(key + OWN, shape->words, sizeof shape->words);
}

static bool fits(const bigint_ctx *ctx, uint64_t bytes) {
    return bytes <= ctx->device.about.memory_bytes / SHARE;
}

recording *device_recording(bigint_ctx *ctx, const device_shape *shape) {
    device_queue *const q = &ctx->queue;
    const uint64_t bytes = shape->limbs * sizeof(uint64_t);
    uint64_t key[RECORDING_WORDS];
    if (q->lent != NULL || ctx->options.max_workspace_bytes != 0 || ctx->check_modulus != 0 ||
        q->memory.in_use != 0 || !fits(ctx, bytes)) {
        return NULL;
    }
    make_key(ctx, key, shape);
    unsigned i = 0;
    while (i < RECORDINGS && memcmp(q->recordings[i].key, key, sizeof key) != 0) {
        i++;
    }
    if (i == RECORDINGS) {
        remember(ctx, key);
        return NULL;
    }
    recording *const r = to_front(q, i);
    if (r->numbers == NULL && !r->refused) {
        r->numbers = workspace_try(ctx, MEMORY_DEVICE, bytes);
        r->numbers_bytes = bytes;
    }
    return r->numbers == NULL || r->refused ? NULL : r;
}

void device_recordings_trim(bigint_ctx *ctx) {
    for (unsigned i = 0; i < RECORDINGS; i++) {
        forget(ctx, &ctx->queue.recordings[i]);
    }
}

// --- Playing -------------------------------------------------------------------------------------

// take_workspace: where a body's workspace begins; it is given back at once, and stays for calls in
// the order of the stream. NULL if there is none.
static void *take_workspace(bigint_ctx *ctx, const char *who, const recording *r) {
    arena *const memory = &ctx->queue.memory;
    const arena_mark mark = arena_mark_in(memory);
    void *const p = arena_take_in(ctx, memory, who, r->workspace_bytes);
    arena_release_in(ctx, memory, mark);
    return p;
}

// run: *done = whether the graph is valid, and enqueues it then.
static bigint_status run(bigint_ctx *ctx, const char *who, const recording *r, bool *done) {
    device_queue *const q = &ctx->queue;
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    *done = take_workspace(ctx, who, r) == r->workspace && q->words == r->words;
    if (*done) {
        status = device_status(ctx, who, cuda_graph_run(r->graph, q->stream));
        ctx->counters.products += status == BIGINT_OK ? r->products : 0;
    }
    device_leave(ctx);
    return status != BIGINT_OK ? status : ctx->failed;
}

// call_body calls it, and counts what it allocates and uses.
static bigint_status call_body(bigint_ctx *ctx, const char *who, recording *r, device_body body,
                               const void *call) {
    arena *const memory = &ctx->queue.memory;
    device_lent counts = {0};
    const arena_mark mark = arena_mark_in(memory);
    // While something is in use, the arena adds up what is in use at once.
    if (arena_take_in(ctx, memory, who, 1) == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    ctx->queue.lent = &counts;
    const bigint_status status = body(ctx, who, r->numbers, call);
    ctx->queue.lent = NULL;
    r->workspace_bytes = memory->in_use_peak;
    arena_release_in(ctx, memory, mark);
    r->refused = r->refused || !fits(ctx, r->numbers_bytes + counts.used);
    if (r->memory_bytes < counts.used) {
        workspace_release(ctx, MEMORY_DEVICE, r->memory, r->memory_bytes);
        r->memory_bytes = counts.used;
        r->memory = r->refused ? NULL : workspace_try(ctx, MEMORY_DEVICE, r->memory_bytes);
        r->refused = r->refused || r->memory == NULL;
        r->memory_bytes = r->refused ? 0 : r->memory_bytes;
    }
    return status;
}

// keep calls the body with its launches kept for *graph, in the order of kernels that the present
// stream has (branches.h).
static bigint_status keep(bigint_ctx *ctx, const char *who, recording *r, device_body body,
                          const void *call) {
    device_queue *const q = &ctx->queue;
    device_lent lent = {.memory = r->memory, .bytes = r->memory_bytes};
    const uint64_t products = ctx->counters.products;
    const cuda_stream stream = q->stream;
    const bool ahead = stream != NULL && stream == q->ahead.stream;
    result done = !ahead && q->recorder == NULL ? cuda_stream_create(&q->recorder) : RESULT_OK;
    const cuda_stream recorder = ahead ? stream : q->recorder;
    done = done == RESULT_OK ? cuda_graph_begin(recorder) : done;
    if (done != RESULT_OK) {
        return device_status(ctx, who, done);
    }
    q->lent = &lent;
    q->stream = recorder;
    const bigint_status status = body(ctx, who, r->numbers, call);
    q->stream = stream;
    q->lent = NULL;
    r->products = ctx->counters.products - products;
    ctx->counters.products = products;
    done = cuda_graph_end(recorder, &r->graph);
    return status == BIGINT_OK ? device_status(ctx, who, done) : status;
}

// record makes the graph. If that fails, calls of this shape are not recorded; only a failure of
// the device is an error.
static bigint_status record(bigint_ctx *ctx, const char *who, recording *r, device_body body,
                            const void *call) {
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    r->words = ctx->queue.words;
    r->workspace = take_workspace(ctx, who, r);
    status = r->workspace == NULL ? BIGINT_ENOMEM : keep(ctx, who, r, body, call);
    if (status != BIGINT_OK || r->words != ctx->queue.words) {
        cuda_graph_destroy(r->graph);
        r->graph = NULL;
        r->refused = true;
    }
    device_leave(ctx);
    return ctx->failed;
}

bigint_status device_play(bigint_ctx *ctx, const char *who, recording *r, device_body body,
                          const void *call) {
    bool done = false;
    bigint_status status = context_goes_on(ctx) ? BIGINT_OK : context_canceled(ctx, who);
    if (status == BIGINT_OK && r->graph != NULL) {
        status = run(ctx, who, r, &done);
    }
    if (status != BIGINT_OK || done) {
        return status;
    }
    cuda_graph_destroy(r->graph);
    r->graph = NULL;
    status = call_body(ctx, who, r, body, call);
    return status == BIGINT_OK && !r->refused ? record(ctx, who, r, body, call) : status;
}

// --- Places --------------------------------------------------------------------------------------

enum { LINE = 32 };  // limbs

uint64_t device_placed(uint64_t limbs) { return LINE + (limbs + LINE - 1) / LINE * LINE; }

uint64_t *device_place(uint64_t **numbers, uint64_t limbs) {
    uint64_t *const p = *numbers + LINE;
    *numbers += device_placed(limbs);
    return p;
}

bigint device_placed_number(const bigint_ctx *ctx, uint64_t *p, uint64_t n) {
    assert(n >= 1);
    return (bigint){p, n, n, 0, ctx->device.place + 1};
}

result device_placed_get(const bigint_ctx *ctx, const device_target *target, const uint64_t *p,
                         uint64_t right) {
    const limbs_device_number from = {p, target->n, p - 1};
    return target->p == NULL ? RESULT_OK
                             : limbs_device_rshift(target->p, target->n, target->p - 1, from, right,
                                                   LIMBS_SIGN_KEEP, ctx->queue.stream);
}
