// branches.c: branches of a stream, for launches of a product that are independent of one another:
// when the last blocks of one launch end, the next launch's blocks start. Made when a plan first
// has branches, and kept as long as the rest of the queue.
//
// All work in branches lies between a fork and a join of their stream. So a wait for that stream,
// or memory freed in its order, covers them too, and recording the stream records them. The join
// takes place even if something has failed between the two.
#include "bigint/device/branches.h"

#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"

bigint_status device_branches_need(bigint_ctx *ctx, const char *who, unsigned branches) {
    device_queue *const q = &ctx->queue;
    result done = branches > 1 && q->forked == NULL ? cuda_event_create(&q->forked) : RESULT_OK;
    for (unsigned i = 1; i < branches && done == RESULT_OK; i++) {
        branch *const b = &q->branch[i - 1];
        done = b->stream == NULL ? cuda_stream_create(&b->stream) : RESULT_OK;
        if (done == RESULT_OK && b->ended == NULL) {
            done = cuda_event_create(&b->ended);
        }
    }
    return device_status(ctx, who, done);
}

cuda_stream device_branch(const bigint_ctx *ctx, cuda_stream stream, unsigned i) {
    return i == 0 ? stream : ctx->queue.branch[i - 1].stream;
}

result device_fork(const bigint_ctx *ctx, cuda_stream stream, unsigned branches) {
    const device_queue *const q = &ctx->queue;
    result done = branches > 1 ? cuda_event_record(q->forked, stream) : RESULT_OK;
    for (unsigned i = 1; i < branches && done == RESULT_OK; i++) {
        done = cuda_stream_follow(q->branch[i - 1].stream, q->forked);
    }
    return done;
}

result device_join(const bigint_ctx *ctx, cuda_stream stream, unsigned branches) {
    result done = RESULT_OK;
    for (unsigned i = 1; i < branches; i++) {
        const branch *const b = &ctx->queue.branch[i - 1];
        const result ended = cuda_event_record(b->ended, b->stream);
        const result followed = ended == RESULT_OK ? cuda_stream_follow(stream, b->ended) : ended;
        done = done == RESULT_OK ? followed : done;
    }
    return done;
}

bigint_status device_ahead_fork(bigint_ctx *ctx, const char *who) {
    device_queue *const q = &ctx->queue;
    branch *const b = &q->ahead;
    result done = q->forked == NULL ? cuda_event_create(&q->forked) : RESULT_OK;
    if (done == RESULT_OK && b->stream == NULL) {
        done = cuda_stream_create_first(&b->stream);
    }
    if (done == RESULT_OK && b->ended == NULL) {
        done = cuda_event_create(&b->ended);
    }
    done = done == RESULT_OK ? cuda_event_record(q->forked, q->stream) : done;
    done = done == RESULT_OK ? cuda_stream_follow(b->stream, q->forked) : done;
    return device_status(ctx, who, done);
}

bigint_status device_ahead_join(bigint_ctx *ctx, const char *who) {
    const device_queue *const q = &ctx->queue;
    const result done = cuda_event_record(q->ahead.ended, q->ahead.stream);
    return device_status(ctx, who,
                         done == RESULT_OK ? cuda_stream_follow(q->stream, q->ahead.ended) : done);
}

static void trim(branch *b) {
    cuda_event_destroy(b->ended);
    if (b->stream != NULL) {
        cuda_stream_destroy(b->stream);
    }
    *b = (branch){0};
}

void device_branches_trim(bigint_ctx *ctx) {
    device_queue *const q = &ctx->queue;
    for (unsigned i = 1; i < BRANCHES_MOST; i++) {
        trim(&q->branch[i - 1]);
    }
    trim(&q->ahead);
    cuda_event_destroy(q->forked);
    q->forked = NULL;
}
