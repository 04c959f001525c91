// division.c: quotients, products modulo numbers and inverses of batches on a device. All memory is
// taken first, then everything is enqueued.
#include "bigint/device/division.h"

#include "bigint/batch/batch.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/spans.h"
#include "primitives/residues/division_device.h"

// divisions: a batch under way.
typedef struct {
    const char *who;
    device_room room;
    division_device_work work;
    uint64_t modulus_limbs, dividend_limbs;  // of the longest; the latter for quotients
    division_device_plan plan;
    division_device_batch batch;
} divisions;

// divisions_plan is a device_planner.
static bigint_status divisions_plan(bigint_ctx *ctx, void *call, uint64_t most_bytes,
                                    uint64_t *bytes) {
    divisions *const s = call;
    const result done =
        division_device_plan_make(&s->plan, s->work, s->batch.count, s->modulus_limbs,
                                  s->dividend_limbs, ctx->device.about.multiprocessors, most_bytes);
    *bytes = s->plan.workspace_bytes;
    if (done == RESULT_NO_MEMORY) {
        return device_no_memory(ctx, s->who, "quotients", s->dividend_limbs);
    }
    return done == RESULT_OK
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ERANGE,
                             "%s: moduli of %llu limbs; on a device they have up to %d: take a "
                             "context on BIGINT_HOST",
                             s->who, (unsigned long long)s->modulus_limbs,
                             DIVISION_DEVICE_LIMBS_MAX);
}

// reduce_first: a[i] = a[i] mod m[i], at `at`, of numbers that are too long for inverses.
static bigint_status reduce_first(bigint_ctx *ctx, divisions *s, uint64_t *at) {
    divisions first = {.who = s->who,
                       .work = DIVISION_DEVICE_QUOTIENT,
                       .modulus_limbs = s->modulus_limbs,
                       .batch = s->batch};
    uint64_t bytes = 0;
    const bigint_status status = divisions_plan(ctx, &first, 0, &bytes);
    if (status != BIGINT_OK) {
        return status;
    }
    first.batch.r = (numbers_device){.p = at, .n = s->modulus_limbs, .stride = s->modulus_limbs};
    first.batch.q = (numbers_device){0};
    s->batch.a = first.batch.r;
    return device_status(ctx, s->who,
                         division_device(&first.plan, &first.batch, NULL, ctx->queue.stream));
}

static const division_device_work works[] = {
    [DEVICE_MULMOD] = DIVISION_DEVICE_PRODUCT,
    [DEVICE_DIVREM] = DIVISION_DEVICE_QUOTIENT,
    [DEVICE_INVMOD] = DIVISION_DEVICE_INVERSE,
};

// reduced_limbs: of numbers of up to an limbs that are reduced first.
static uint64_t reduced_limbs(device_division_kind kind, uint64_t count, uint64_t an, uint64_t mn) {
    return kind == DEVICE_INVMOD && an > mn ? count * mn : 0;
}

void device_division_need(work_need *w, device_division_kind kind, uint64_t count, uint64_t an,
                          uint64_t mn) {
    const uint64_t in_use = w->device.in_use;
    uint64_t bytes = 0;
    divisions s = {.who = w->who,
                   .work = works[kind],
                   .modulus_limbs = mn,
                   .dividend_limbs = kind == DEVICE_DIVREM ? an : 0,
                   .batch = {.count = count}};
    if (count > 0 && w->status == BIGINT_OK) {
        w->status = divisions_plan(w->ctx, &s, 0, &bytes);
        need_take(&w->device, device_room_bytes(reduced_limbs(kind, count, an, mn)) + bytes);
        need_release(&w->device, in_use);
    }
}

bigint_status device_division_batch(bigint_ctx *ctx, const char *who, device_division_kind kind,
                                    const bigint_span *q, const bigint_span *r,
                                    const bigint_span *a, const bigint_span *b,
                                    const bigint_span *modulus) {
    divisions s = {.who = who, .work = works[kind], .batch = {.count = modulus->count}};
    bigint_status status = batch_check_moduli(
        ctx, who, r, modulus, kind == DEVICE_DIVREM ? "divisor" : "modulus", &s.modulus_limbs);
    if (status != BIGINT_OK || modulus->count == 0 || (q == NULL && r == NULL)) {
        return status;
    }
    const uint64_t an = batch_longest(a);
    const uint64_t more = reduced_limbs(kind, modulus->count, an, s.modulus_limbs);
    s.dividend_limbs = q != NULL ? an : 0;
    const device_span spans[] = {{a, &s.batch.a},
                                 {b, &s.batch.b},
                                 {modulus, &s.batch.modulus},
                                 {q, &s.batch.q},
                                 {r, &s.batch.r}};
    const size_t n = sizeof spans / sizeof *spans;
    status = device_room_open(ctx, who, divisions_plan, &s, more + device_lists(spans, n), &s.room);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *at = s.room.more;
    status = device_numbers(ctx, who, &at, spans, n);
    if (status == BIGINT_OK && more > 0) {
        status = reduce_first(ctx, &s, at);
    }
    if (status == BIGINT_OK) {
        status = device_status(
            ctx, who, division_device(&s.plan, &s.batch, s.room.workspace, ctx->queue.stream));
    }
    device_room_close(ctx, &s.room);
    return status;
}
