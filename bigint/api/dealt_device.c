// dealt_device.c: the part of a batch that a member on a device computes: numbers are packed on the
// host, sent, and the results are unpacked, piece by piece.
#include <string.h>

#include "bigint/api/dealt.h"
#include "bigint/batch/batch.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"

// Limbs of all numbers of a piece together, unless one item has more: 64 MiB, or an eighth of a
// cap.
enum { PIECE_LIMBS = 1 << 23, CAP_PART = 8 };
static uint64_t piece_limbs(const bigint_ctx *ctx) {
    const uint64_t part = ctx->options.max_workspace_bytes / CAP_PART / sizeof(uint64_t);
    return part > 0 && part < PIECE_LIMBS ? part : PIECE_LIMBS;
}

typedef struct {
    bigint_ctx *ctx;
    const dealt_call *call;
    const bigint_span *const *spans;
    bigint there[DEALT_SPANS];  // the packed numbers of a piece
    bigint_span packed[DEALT_SPANS];
    uint64_t *host;  // the packed numbers of one span
} dealing;

static uint64_t limbs_of_item(const dealing *d, uint64_t i) {
    uint64_t limbs = 0;
    for (unsigned k = 0; k < DEALT_SPANS; k++) {
        limbs += d->spans[k] == NULL ? 0 : batch_item_of(d->spans[k], i).n;
    }
    return limbs;
}

// piece_at: the items from `begin` on that make a piece.
static batch_range piece_at(const dealing *d, uint64_t begin, uint64_t count) {
    const uint64_t most = piece_limbs(d->ctx);
    uint64_t end = begin, limbs = 0;
    do {
        limbs += limbs_of_item(d, end);
        end++;
    } while (end < count && limbs < most);
    return (batch_range){begin, end};
}

// lay_out places the numbers of a span's piece side by side: it sets all of packed[k] except p.
// *limbs: what they take together.
static bigint_status lay_out(dealing *d, unsigned k, batch_range piece, uint64_t *limbs) {
    const bigint_span *const s = d->spans[k];
    const uint64_t count = piece.end - piece.begin;
    bigint_span *const packed = &d->packed[k];
    *packed = (bigint_span){.n = s->n, .stride = s->n, .count = count};
    *limbs = count * s->n;
    if (batch_is_common(s)) {
        packed->stride = 0;
        *limbs = s->n;
    } else if (s->lengths != NULL) {
        uint64_t *const offsets = arena_take_limbs(d->ctx, d->call->who, count);
        if (offsets == NULL) {
            return BIGINT_ENOMEM;
        }
        *limbs = 0;
        for (uint64_t i = 0; i < count; i++) {
            offsets[i] = *limbs;
            *limbs += s->lengths[piece.begin + i];
        }
        packed->offsets = offsets;
        packed->lengths = s->lengths + piece.begin;
    }
    return BIGINT_OK;
}

// copy_items: between a span's numbers and the packed ones in d->host.
static void copy_items(const dealing *d, unsigned k, batch_range piece, bool pack) {
    bigint_span packed = d->packed[k];
    packed.p = d->host;
    const uint64_t items = batch_is_common(&packed) ? 1 : packed.count;
    for (uint64_t i = 0; i < items; i++) {
        const batch_item there = batch_item_of(&packed, i);
        const batch_item here = batch_item_of(d->spans[k], piece.begin + i);
        if (here.n > 0) {
            memcpy(pack ? there.p : here.p, pack ? here.p : there.p, here.n * sizeof *here.p);
        }
    }
}

// send: the numbers of an input, and a limb above them that is not 0, so that no zeros on top are
// left out; room for a result.
static bigint_status send(dealing *d, unsigned k, batch_range piece) {
    uint64_t limbs;
    const char *const who = d->call->who;
    const arena_mark mark = arena_get_mark(d->ctx);
    bigint_status status = lay_out(d, k, piece, &limbs);
    if (status == BIGINT_OK && k < d->call->results) {
        status = device_blank(d->ctx, who, &d->there[k], limbs + 1);
    } else if (status == BIGINT_OK) {
        const arena_mark inner = arena_get_mark(d->ctx);
        d->host = arena_take_limbs(d->ctx, who, limbs + 1);
        status = d->host == NULL ? BIGINT_ENOMEM : BIGINT_OK;
        if (status == BIGINT_OK) {
            copy_items(d, k, piece, true);
            d->host[limbs] = 1;
            status = device_store(d->ctx, who, &d->there[k], d->host, limbs + 1, 1);
        }
        arena_release(d->ctx, inner);
    }
    if (status != BIGINT_OK) {
        arena_release(d->ctx, mark);
    }
    d->packed[k].p = d->there[k].d_;
    return status;
}

// fetch: the results of a piece, all to the host before the first is written.
static bigint_status fetch(dealing *d, batch_range piece) {
    const arena_mark mark = arena_get_mark(d->ctx);
    uint64_t *hosts[DEALT_SPANS] = {NULL};
    bigint_status status = BIGINT_OK;
    for (unsigned k = 0; k < d->call->results && status == BIGINT_OK; k++) {
        if (d->spans[k] == NULL) {
            continue;
        }
        const uint64_t limbs = d->there[k].n_;
        hosts[k] = arena_take_limbs(d->ctx, d->call->who, limbs);
        status = hosts[k] == NULL
                     ? BIGINT_ENOMEM
                     : device_load(d->ctx, d->call->who, hosts[k], &d->there[k], limbs);
    }
    status = status == BIGINT_OK ? context_may_write(d->ctx) : status;
    for (unsigned k = 0; k < d->call->results && status == BIGINT_OK; k++) {
        if (d->spans[k] != NULL) {
            d->host = hosts[k];
            copy_items(d, k, piece, false);
        }
    }
    arena_release(d->ctx, mark);
    return status;
}

static bigint_status run_piece(dealing *d, batch_range piece, unsigned char *bytes) {
    const bigint_span *packed[DEALT_SPANS] = {NULL};
    const arena_mark mark = arena_get_mark(d->ctx);
    bigint_status status = BIGINT_OK;
    for (unsigned k = 0; k < DEALT_SPANS && status == BIGINT_OK; k++) {
        if (d->spans[k] != NULL) {
            status = send(d, k, piece);
            packed[k] = &d->packed[k];
        }
    }
    if (status == BIGINT_OK) {
        status = d->call->run(d->ctx, d->call, packed, bytes == NULL ? NULL : bytes + piece.begin);
    }
    status = status == BIGINT_OK ? fetch(d, piece) : status;
    arena_release(d->ctx, mark);
    return status;
}

bigint_status dealt_on_device(bigint_ctx *ctx, const dealt_call *call,
                              const bigint_span *const *spans, uint64_t count,
                              unsigned char *bytes) {
    dealing d = {.ctx = ctx, .call = call, .spans = spans};
    bigint_status status = BIGINT_OK;
    for (batch_range piece = {0, 0}; piece.end < count && status == BIGINT_OK;) {
        piece = piece_at(&d, piece.end, count);
        status = run_piece(&d, piece, bytes);
    }
    for (unsigned k = 0; k < DEALT_SPANS; k++) {
        device_clear(ctx, &d.there[k]);
    }
    return status;
}
