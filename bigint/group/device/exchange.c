// exchange.c: see exchange.h. Two meetings on the host, as of threads in exchange/local.c: at the
// first all have recorded the event behind which their blocks are ready, at the second the event
// behind which they have fetched what is theirs. Either is recorded again only when
// all have enqueued what follows it: one behind this exchange, one behind the next first meeting.
// Between the two each member enqueues its copies, or NCCL's messages, which are begun by all
// members or none: all have come to the first meeting without an error. Pieces by way of the host
// (stage.c) need neither.
#include "bigint/group/device/exchange.h"

#include <assert.h>

#include "bigint/core/device_stream.h"

typedef device_exchange *endpoint;

// reach lets the device reach all others; *direct: whether it does.
static result reach(const device_exchange *x, const int *places, bool *direct) {
    result done = RESULT_OK;
    *direct = true;
    for (unsigned i = 0; i < x->host->members && done == RESULT_OK && *direct; i++) {
        done = cuda_reach(x->place, places[i], direct);
    }
    return done;
}

static result open_streams(device_exchange *x) {
    result done = cuda_stream_create_first(&x->copies);
    done = done == RESULT_OK ? cuda_event_create(&x->ready) : done;
    done = done == RESULT_OK ? cuda_event_create(&x->done) : done;
    done = done == RESULT_OK ? cuda_event_create(&x->ended) : done;
    done = done == RESULT_OK ? cuda_stream_create_first(&x->far) : done;
    return done == RESULT_OK ? cuda_event_create(&x->landed) : done;
}

bigint_status device_exchange_open(device_exchange *x, exchange *host, bigint_ctx *ctx,
                                   const char *who) {
    *x = (device_exchange){.host = host, .place = ctx->device.place, .stream = ctx->queue.stream};
    return device_status(ctx, who, open_streams(x));
}

// join_peers: the devices of all members reach each other, or `direct` is false.
static bigint_status join_peers(device_exchange *x, bigint_ctx *ctx, const char *who) {
    int places[EXCHANGE_MEMBERS_MAX];
    bool own, all[EXCHANGE_MEMBERS_MAX];
    if (exchange_all_gather(x->host, places, &x->place, sizeof x->place) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    const bigint_status status = device_status(ctx, who, reach(x, places, &own));
    if (exchange_all_gather(x->host, all, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    x->direct = status == BIGINT_OK;
    for (unsigned i = 0; i < x->host->members; i++) {
        x->direct = x->direct && all[i];
    }
    return status;
}

// own_status: of a call of CUDA or of NCCL.
static bigint_status own_status(const device_exchange *x, bigint_ctx *ctx, const char *who,
                                result done) {
    if (done == RESULT_OK || x->nccl.code == 0 || ctx->failed != BIGINT_OK) {
        return device_status(ctx, who, done);
    }
    ctx->failed =
        bigint_fail(ctx, BIGINT_EDEVICE, "%s: device %d: NCCL failed with %s; destroy the context",
                    who, x->place, x->nccl.n->get_error_string(x->nccl.code));
    return ctx->failed;
}

static bigint_status join_nccl(device_exchange *x, bigint_ctx *ctx, const char *who,
                               const nccl *n) {
    const bigint_status status = nccl_join(&x->nccl, n, x->host);
    return status == BIGINT_EPEER
               ? status
               : own_status(x, ctx, who, status == BIGINT_OK ? RESULT_OK : RESULT_DEVICE_ERROR);
}

static bigint_status join_nvshmem(device_exchange *x, bigint_ctx *ctx, const char *who,
                                  const device_carrier *c) {
    char why[EXCHANGE_CAUSE] = "";
    const bigint_status status = nvshmem_join(&c->nvshmem, x->host, why, sizeof why);
    if (status != BIGINT_OK) {
        return status == BIGINT_EPEER ? status : bigint_fail(ctx, status, "%s: %s", who, why);
    }
    return device_status(
        ctx, who, device_stage_open(&x->stage, x->host->members, c->stage_bytes, &c->nvshmem));
}

bigint_status device_exchange_join(device_exchange *x, bigint_ctx *ctx, const char *who,
                                   const device_carrier *c) {
    bigint_status status;
    switch (c->kind) {
        case CARRIER_NVSHMEM:
            status = join_nvshmem(x, ctx, who, c);
            break;
        case CARRIER_STAGED:
            status = device_status(
                ctx, who, device_stage_open(&x->stage, x->host->members, c->stage_bytes, NULL));
            break;
        case CARRIER_NCCL:
            status = join_nccl(x, ctx, who, &c->nccl);
            break;
        default:
            return join_peers(x, ctx, who);
    }
    x->direct = status == BIGINT_OK;
    return status;
}

static void destroy_stream(cuda_stream stream) {
    if (stream != NULL) {
        cuda_stream_destroy(stream);
    }
}

void device_exchange_close(device_exchange *x) {
    const bool lost = x->host != NULL && x->host->lost;
    nccl_leave(&x->nccl, lost);
    device_stage_close(&x->stage, lost);
    cuda_event_destroy(x->ready);
    cuda_event_destroy(x->done);
    cuda_event_destroy(x->ended);
    cuda_event_destroy(x->landed);
    destroy_stream(x->copies);
    destroy_stream(x->far);
    *x = (device_exchange){0};
}

// fetch enqueues the copies of what another member sends to this one, behind its event.
static result fetch(const device_exchange *x, endpoint from, unsigned number, unsigned sets,
                    const exchange_block *receive) {
    const unsigned members = x->host->members, self = x->host->member;
    const cuda_stream stream = number == self ? x->copies : x->far;
    result done = RESULT_OK;
    bool follows = number == self;
    for (unsigned s = 0; s < sets && done == RESULT_OK; s++) {
        const exchange_block *const block = &from->sends[s * members + self],
                                    *const to = &receive[s * members + number];
        assert(to->rows == block->rows && to->row_bytes == block->row_bytes);
        if (exchange_block_bytes(to) == 0) {
            continue;
        }
        done = follows ? RESULT_OK : cuda_stream_follow(stream, from->ready);
        follows = true;
        done = done == RESULT_OK ? cuda_copy_rows(to->p, to->stride, block->p, block->stride,
                                                  to->row_bytes, to->rows, stream)
                                 : done;
    }
    return done;
}

// answer: what a member brings to a meeting.
typedef struct {
    endpoint from;
    result done;
} answer;

// meet waits until all members are here, and knows whether the calls of all have succeeded.
static bigint_status meet(device_exchange *x, bigint_ctx *ctx, const char *who, result done,
                          answer *all) {
    const bigint_status own = own_status(x, ctx, who, done);
    if (exchange_all_gather(x->host, all, &(answer){x, done}, sizeof *all) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    for (unsigned i = 0; i < x->host->members && own == BIGINT_OK; i++) {
        if (all[i].done != RESULT_OK) {
            return exchange_lost(x->host, i, BIGINT_EDEVICE, "its device failed");
        }
    }
    return own;
}

// fetch_all: the copies from all members; those from others may be messages.
static result fetch_all(device_exchange *x, const answer *all, unsigned sets,
                        const exchange_block *receive) {
    const unsigned members = x->host->members;
    const bool messages = x->nccl.comm != NULL;
    result done = cuda_stream_follow(x->far, x->ready);
    if (done == RESULT_OK && messages) {
        done = nccl_carry(&x->nccl, x->host, sets, x->sends, receive, x->far);
    }
    for (unsigned k = 0; k < (messages ? 1 : members) && done == RESULT_OK; k++) {
        const unsigned i = (x->host->member + k) % members;  // not all from one device at once
        done = fetch(x, all[i].from, i, sets, receive);
    }
    done = done == RESULT_OK ? cuda_event_record(x->landed, x->far) : done;
    return done == RESULT_OK ? cuda_stream_follow(x->copies, x->landed) : done;
}

static void count_sent(exchange *host, unsigned sets, const exchange_block *send) {
    for (unsigned i = 0; i < sets * host->members; i++) {
        host->sent_bytes += i % host->members == host->member ? 0 : exchange_block_bytes(&send[i]);
    }
}

bigint_status device_exchange_begin(device_exchange *x, bigint_ctx *ctx, const char *who,
                                    unsigned sets, const exchange_block *send,
                                    const exchange_block *receive) {
    answer all[EXCHANGE_MEMBERS_MAX];
    result done = cuda_event_record(x->ready, x->stream);
    // What is received comes after what the own stream has so far, too.
    done = done == RESULT_OK ? cuda_stream_follow(x->copies, x->ready) : done;
    if (x->stage.memory != NULL) {
        x->later = (device_stage_transfer){x->host, x->copies, sets, send, receive};
        return device_status(ctx, who, done);
    }
    x->sends = send;
    bigint_status status = meet(x, ctx, who, done, all);
    if (status != BIGINT_OK) {
        return status;
    }
    const bool messages = x->nccl.comm != NULL;
    done = fetch_all(x, all, sets, receive);
    count_sent(x->host, sets, send);
    done = done == RESULT_OK ? cuda_event_record(x->done, x->copies) : done;
    status = meet(x, ctx, who, done, all);
    if (status != BIGINT_OK && messages) {
        nccl_leave(&x->nccl, true);  // some wait for others' messages, on their streams
    }
    // Others have fetched what they copy when their events say so; a message is sent when the own
    // stream has passed it.
    const bool follows = status == BIGINT_OK && !messages;
    for (unsigned i = 0; i < x->host->members && follows && done == RESULT_OK; i++) {
        done = cuda_stream_follow(x->copies, all[i].from->done);
    }
    done = done == RESULT_OK ? cuda_event_record(x->ended, x->copies) : done;
    return status == BIGINT_OK ? device_status(ctx, who, done) : status;
}

// carry_later: the pieces of an exchange under way.
static bigint_status carry_later(device_exchange *x, bigint_ctx *ctx, const char *who) {
    const device_stage_transfer t = x->later;
    x->later.sets = 0;
    const bigint_status status = device_stage_carry(&x->stage, ctx, who, &t);
    return status == BIGINT_OK ? device_status(ctx, who, cuda_event_record(x->ended, x->copies))
                               : status;
}

bigint_status device_exchange_end(device_exchange *x, bigint_ctx *ctx, const char *who) {
    const bigint_status status = x->later.sets > 0 ? carry_later(x, ctx, who) : BIGINT_OK;
    return status == BIGINT_OK ? device_status(ctx, who, cuda_stream_follow(x->stream, x->ended))
                               : status;
}

// refused records who of the members failed, and why.
static bigint_status refused(const device_exchange *x, bigint_ctx *ctx, const char *who,
                             bigint_status status) {
    const exchange_failure *const f = &x->host->failure;
    return bigint_fail(ctx, status, "%s: member %u of %u: %s", who, f->member, x->host->members,
                       f->cause);
}

bigint_status device_exchange_agree(device_exchange *x, bigint_ctx *ctx, const char *who,
                                    bigint_status status, uint64_t key) {
    const bigint_status agreed = exchange_agree(x->host, status, ctx->error, key);
    return agreed == BIGINT_OK ? BIGINT_OK : refused(x, ctx, who, agreed);
}

bigint_status device_exchange_settle(device_exchange *x, bigint_ctx *ctx, const char *who,
                                     bigint_status status) {
    if (status == BIGINT_OK) {
        return BIGINT_OK;
    }
    if (x->nccl.comm != NULL) {
        nccl_leave(&x->nccl, true);  // messages of members that are gone would not end
    }
    // When all members have returned no copy from another's memory is under way.
    cuda_stream_wait(x->far);
    cuda_stream_wait(x->copies);
    cuda_stream_wait(x->stream);
    if (status == BIGINT_EPEER) {
        return refused(x, ctx, who, status);
    }
    exchange_give_up(x->host, status, ctx->error);
    return status;
}
