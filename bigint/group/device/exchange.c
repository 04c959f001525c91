// exchange.c: see exchange.h. Two meetings on the host, as of threads in exchange/local.c: at the
// first all have recorded the event behind which their blocks are ready, at the second the event
// behind which they have fetched what is theirs.
#include "bigint/group/device/exchange.h"

#include <assert.h>

#include "bigint/core/device_stream.h"

typedef const device_exchange *endpoint;

bigint_status device_exchange_open(device_exchange *x, exchange *host, bigint_ctx *ctx,
                                   const char *who) {
    int places[EXCHANGE_MEMBERS_MAX];
    *x = (device_exchange){.host = host, .place = ctx->device.place, .stream = ctx->queue.stream};
    if (exchange_all_gather(host, places, &x->place, sizeof x->place) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    result done = RESULT_OK;
    for (unsigned i = 0; i < host->members && done == RESULT_OK; i++) {
        bool direct = true;
        done = cuda_reach(x->place, places[i], &direct);
        if (done == RESULT_OK && !direct) {
            return bigint_fail(ctx, BIGINT_EDEVICE,
                               "%s: device %d cannot reach the memory of device %d; use devices "
                               "that are peers",
                               who, x->place, places[i]);
        }
    }
    done = done == RESULT_OK ? cuda_event_create(&x->ready) : done;
    done = done == RESULT_OK ? cuda_event_create(&x->done) : done;
    return device_status(ctx, who, done);
}

void device_exchange_close(device_exchange *x) {
    cuda_event_destroy(x->ready);
    cuda_event_destroy(x->done);
    *x = (device_exchange){0};
}

// fetch enqueues the copy of what another member sends to this one, behind its event.
static result fetch(const device_exchange *x, endpoint from, const exchange_block *to) {
    const exchange_block *const block = &from->sends[x->host->member];
    assert(to->rows == block->rows && to->row_bytes == block->row_bytes);
    if (exchange_block_bytes(to) == 0) {
        return RESULT_OK;
    }
    const result done = cuda_stream_follow(x->stream, from->ready);
    return done == RESULT_OK ? cuda_copy_rows(to->p, to->stride, block->p, block->stride,
                                              to->row_bytes, to->rows, x->stream)
                             : done;
}

// answer: what a member brings to a meeting.
typedef struct {
    endpoint from;
    result done;
} answer;

// meet waits until all members are here, and knows whether the calls of all have succeeded.
static bigint_status meet(const device_exchange *x, bigint_ctx *ctx, const char *who, result done,
                          answer *all) {
    const bigint_status own = device_status(ctx, who, done);
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

bigint_status device_all_to_all(device_exchange *x, bigint_ctx *ctx, const char *who,
                                const exchange_block *send, const exchange_block *receive) {
    const unsigned members = x->host->members, self = x->host->member;
    answer all[EXCHANGE_MEMBERS_MAX];
    x->sends = send;
    bigint_status status = meet(x, ctx, who, cuda_event_record(x->ready, x->stream), all);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = RESULT_OK;
    for (unsigned k = 0; k < members && done == RESULT_OK; k++) {
        const unsigned i = (self + k) % members;  // not all from one device at once
        done = fetch(x, all[i].from, &receive[i]);
        x->host->sent_bytes += i == self ? 0 : exchange_block_bytes(&send[i]);
    }
    done = done == RESULT_OK ? cuda_event_record(x->done, x->stream) : done;
    status = meet(x, ctx, who, done, all);
    for (unsigned i = 0; i < members && status == BIGINT_OK && done == RESULT_OK; i++) {
        done = cuda_stream_follow(x->stream, all[i].from->done);
    }
    return status == BIGINT_OK ? device_status(ctx, who, done) : status;
}
