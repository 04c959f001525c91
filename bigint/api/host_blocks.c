// host_blocks.c: see host_blocks.h.
#include "bigint/api/host_blocks.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "primitives/cuda/runtime.h"

bigint_status host_told(const host_job *s, const bigint_ctx *other, bigint_status status) {
    return status == BIGINT_OK ? BIGINT_OK
                               : bigint_fail(s->ctx, status, "%s", bigint_ctx_error(other));
}

static bigint_status record(const host_job *s, cuda_event event, const bigint_ctx *at) {
    return device_status(s->ctx, s->who, cuda_event_record(event, at->queue.stream));
}

// --- Blocks --------------------------------------------------------------------------------------

// find: the slot of that block, or else the one to fill.
static host_slot *find(host_job *s, const bigint *operand, uint64_t index) {
    host_slot *oldest = NULL;
    for (unsigned i = 0; i < s->plan.slots; i++) {
        host_slot *const x = &s->slots[i];
        if (x->operand == operand && x->index == index) {
            return x;
        }
        if (x->turn <= s->in_use && (oldest == NULL || x->turn < oldest->turn)) {
            oldest = x;
        }
    }
    assert(oldest != NULL);
    return oldest;
}

// follow: a context's work from now on comes after the event.
static bigint_status follow(const host_job *s, const bigint_ctx *later, cuda_event event) {
    return device_status(s->ctx, s->who, cuda_stream_follow(later->queue.stream, event));
}

// send: the block into the slot, once the work with its former block is done.
static bigint_status send(host_job *s, host_slot *x, const bigint *operand, uint64_t index) {
    const uint64_t *const from = operand->d_ + index * s->plan.block,
                          limbs = host_block_limbs(&s->plan, operand->n_, index);
    bigint_status status = x->operand == NULL ? BIGINT_OK : follow(s, s->carrier, x->used);
    if (status == BIGINT_OK) {
        x->operand = NULL;
        status = host_told(s, s->carrier, bigint_set_limbs(s->carrier, &x->x, from, limbs, 1));
    }
    if (status == BIGINT_OK) {
        status = record(s, x->ready, s->carrier);
        x->operand = operand;
        x->index = index;
    }
    return status;
}

bigint_status host_block(host_job *s, host_slot **out, const bigint *operand, uint64_t index) {
    host_slot *const x = find(s, operand, index);
    const bool there = x->operand == operand && x->index == index;
    bigint_status status = there ? BIGINT_OK : send(s, x, operand, index);
    x->turn = ++s->turn;
    *out = x;
    return status == BIGINT_OK ? follow(s, s->ctx, x->ready) : status;
}

bigint_status host_block_used(const host_job *s, const host_slot *x) {
    return record(s, x->used, s->ctx);
}

// --- Sums ----------------------------------------------------------------------------------------

bigint_status host_sum_ended(const host_job *s, uint64_t c) {
    return record(s, s->summed[c % s->plan.sums], s->ctx);
}

// The sum may be shorter than the part or, by zeros, longer.
bigint_status host_fetch(const host_job *s, uint64_t c) {
    const uint64_t block = s->plan.block, at = c * block,
                   limbs = c + 1 < host_columns(&s->plan) ? block : s->rn - at;
    const bigint *const sum = &s->sum[c % s->plan.sums];
    const uint64_t n = sum->n_ < limbs ? sum->n_ : limbs;
    uint64_t *const to = s->rp + at;
    memset(to + n, 0, (limbs - n) * sizeof *to);
    bigint_status status =
        device_status(s->fetcher, s->who,
                      cuda_stream_follow(s->fetcher->queue.stream, s->summed[c % s->plan.sums]));
    return status == BIGINT_OK && n > 0 ? device_load(s->fetcher, s->who, to, sum, n) : status;
}

// --- The job -------------------------------------------------------------------------------------

// other_need: one of the contexts that the first one keeps.
static bigint_status other_need(const host_job *s, bigint_ctx **other) {
    const bigint_ctx_options options = {
        .threads = s->ctx->options.threads,
        .allocator = s->ctx->options.allocator,
        .max_workspace_bytes = s->ctx->options.max_workspace_bytes / HOST_OTHER_CAP_PART,
    };
    bigint_status status = BIGINT_OK;
    if (*other == NULL) {
        status = bigint_ctx_create(other, &s->ctx->device, &options);
    }
    if (status != BIGINT_OK) {
        bigint_fail(s->ctx, status, "%s: another context on device %d: %s", s->who,
                    s->ctx->device.place, *other == NULL ? "no memory" : bigint_ctx_error(*other));
        return status;
    }
    (*other)->queue.no_room = false;
    return BIGINT_OK;
}

bigint_status host_blocks_open(host_job *s) {
    device_queue *const q = &s->ctx->queue;
    bigint_status status = other_need(s, &q->carrier);
    s->carrier = q->carrier;
    if (status == BIGINT_OK) {
        status = other_need(s, &q->fetcher);
        s->fetcher = q->fetcher;
    }
    for (unsigned i = 0; i < s->plan.slots && status == BIGINT_OK; i++) {
        status = device_status(s->ctx, s->who, cuda_event_create(&s->slots[i].ready));
        if (status == BIGINT_OK) {
            status = device_status(s->ctx, s->who, cuda_event_create(&s->slots[i].used));
        }
    }
    for (unsigned i = 0; i < s->plan.sums && status == BIGINT_OK; i++) {
        status = device_status(s->ctx, s->who, cuda_event_create(&s->summed[i]));
    }
    return status;
}

// keep_other: the status of a context, which is not kept if it failed.
static bigint_status keep_other(const host_job *s, bigint_ctx **other) {
    bigint_status status = BIGINT_OK;
    if (*other != NULL && (*other)->failed != BIGINT_OK) {
        status = host_told(s, *other, (*other)->failed);
        bigint_ctx_destroy(*other);
        *other = NULL;
    }
    return status;
}

bigint_status host_blocks_close(host_job *s) {
    const bigint_ctx *const all[] = {s->ctx, s->carrier, s->fetcher};
    for (int i = 0; i < 3; i++) {
        if (all[i] != NULL) {
            device_status(s->ctx, s->who, cuda_stream_wait(all[i]->queue.stream));
        }
    }
    for (unsigned i = 0; i < s->plan.slots; i++) {
        if (s->carrier != NULL) {
            bigint_clear(s->carrier, &s->slots[i].x);
        }
        cuda_event_destroy(s->slots[i].ready), cuda_event_destroy(s->slots[i].used);
    }
    for (unsigned i = 0; i < s->plan.sums; i++) {
        bigint_clear(s->ctx, &s->sum[i]);
        cuda_event_destroy(s->summed[i]);
    }
    bigint_clear(s->ctx, &s->product);
    const bigint_status carried = keep_other(s, &s->ctx->queue.carrier),
                        fetched = keep_other(s, &s->ctx->queue.fetcher);
    return s->ctx->failed != BIGINT_OK ? s->ctx->failed : carried != BIGINT_OK ? carried : fetched;
}
