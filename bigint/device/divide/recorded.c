// recorded.c: see recorded.h. B = 2^64.
#include "bigint/device/divide/recorded.h"

#include <assert.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/divide/blocks.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/recording.h"
#include "primitives/words/word.h"

// division: |A| / |D| for |A| < |D| B^qn, D of n limbs. by: D's reciprocal where it is kept; else
// D's top bit is set. q, r: whether they are wanted.
typedef struct {
    const device_divisor *by;
    uint64_t n, qn;
    bool q, r;
} division;

// places: of A, n + qn limbs, D, and the results in a recording's numbers.
typedef struct {
    uint64_t *a, *d, *q, *r;
} places;

// room_of_d: for D and zeros above, as a series wants it.
static uint64_t room_of_d(const division *s) {
    const uint64_t f = s->qn + DEVICE_SERIES_FRACTION;
    return s->n > f ? s->n : f;
}

static uint64_t places_limbs(const division *s) {
    return device_placed(s->n + s->qn) + device_placed(s->qn + 1) + device_placed(room_of_d(s)) +
           device_placed(s->n);
}

static places places_of(const division *s, uint64_t *numbers) {
    places p;
    p.a = device_place(&numbers, s->n + s->qn);
    p.q = device_place(&numbers, s->qn + 1);
    p.d = device_place(&numbers, room_of_d(s));
    p.r = device_place(&numbers, s->n);
    return p;
}

// divide is a device_body.
static bigint_status divide(bigint_ctx *ctx, const char *who, uint64_t *numbers, const void *call) {
    const division *const s = call;
    const places p = places_of(s, numbers);
    const bigint a = device_placed_number(ctx, p.a, s->n + s->qn),
                 d = device_placed_number(ctx, p.d, s->n);
    device_divisor own;
    bigint_status status = s->by != NULL
                               ? BIGINT_OK
                               : device_divisor_open(ctx, who, &own, &d, 64 * s->n, s->qn, false);
    if (status != BIGINT_OK) {
        return status;
    }
    const device_blocks blocks = {.by = s->by != NULL ? s->by : &own,
                                  .a = &a,
                                  .d = s->by != NULL ? &s->by->d : &d,
                                  .qn = s->qn,
                                  .zeros = s->by != NULL ? 0 : room_of_d(s) - s->n,
                                  .q.p = s->q ? p.q : NULL,
                                  .r.p = s->r ? p.r : NULL};
    status = device_divide_blocks(ctx, who, &blocks);
    if (s->by == NULL) {
        device_divisor_close(ctx, &own);
    }
    return status;
}

// put_operands: A = a 2^shift, and D = d 2^shift, unless d's reciprocal is kept.
static bigint_status put_operands(bigint_ctx *ctx, const char *who, const division *s,
                                  const places *p, const device_division *x, uint64_t shift) {
    const cuda_stream stream = ctx->queue.stream;
    const limbs_device_number d = {x->d->d_, s->n, x->d->d_ - 1};
    bigint_status status = device_enter(ctx, who);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = limbs_device_lshift(p->a, s->n + s->qn, p->a - 1, device_number(x->a), shift,
                                      LIMBS_SIGN_KEEP, stream);
    if (done == RESULT_OK && s->by == NULL) {
        done = limbs_device_lshift(p->d, room_of_d(s), p->d - 1, d, shift, LIMBS_SIGN_KEEP, stream);
    }
    status = device_status(ctx, who, done);
    device_leave(ctx);
    return status;
}

static bigint_status get_results(bigint_ctx *ctx, const char *who, const places *p,
                                 const device_target *q, const device_target *r, uint64_t shift) {
    bigint_status status = device_enter(ctx, who);
    if (status == BIGINT_OK) {
        result done = device_placed_get(ctx, q, p->q, 0);
        done = done == RESULT_OK ? device_placed_get(ctx, r, p->r, shift) : done;
        status = device_status(ctx, who, done);
        device_leave(ctx);
    }
    return status;
}

// play: the division by its recording. Results may take operands' limbs, which have been copied.
static bigint_status play(bigint_ctx *ctx, const char *who, recording *played, const division *s,
                          const device_division *x) {
    const places p = places_of(s, played->numbers);
    const uint64_t shift = s->by != NULL ? 0 : 64 * s->n - x->bits;
    device_target q = {0}, r = {0};
    bigint_status status = BIGINT_OK;
    if (s->q) {
        status = device_target_open(ctx, who, x->q, device_bits(x->a) - x->bits + 1, &q);
    }
    if (status == BIGINT_OK && s->r) {
        status = device_target_open(ctx, who, x->r, x->bits, &r);
    }
    status = status == BIGINT_OK ? put_operands(ctx, who, s, &p, x, shift) : status;
    status = status == BIGINT_OK ? device_play(ctx, who, played, divide, s) : status;
    status = status == BIGINT_OK ? get_results(ctx, who, &p, &q, &r, shift) : status;
    if (s->q && q.p != NULL) {
        status = device_target_close(ctx, x->q, &q, status);
    }
    if (s->r && r.p != NULL) {
        status = device_target_close(ctx, x->r, &r, status);
    }
    return status;
}

bigint_status device_divide_recorded(bigint_ctx *ctx, const char *who, const device_division *x,
                                     bool *done) {
    const uint64_t n = word_ceil_div(x->bits, 64);
    assert(device_bits(x->a) >= x->bits && x->d->n_ >= n);
    const division s = {.by = x->by,
                        .n = n,
                        .qn = word_ceil_div(device_bits(x->a) - x->bits + 1, 64),
                        .q = x->q != NULL,
                        .r = x->r != NULL};
    device_shape shape = {.kind = BODY_DIVIDE,
                          .words = {s.n, s.qn, (s.q ? 2U : 0U) + (s.r ? 1U : 0U)},
                          .limbs = places_limbs(&s)};
    if (x->by != NULL) {
        const device_divisor *const by = x->by;
        const uint64_t own[] = {(uintptr_t)by->d.d_,
                                (uintptr_t)by->x.d_,
                                (uintptr_t)by->d_planes,
                                (uintptr_t)by->x_planes,
                                by->bits,
                                by->m};
        shape.kind = BODY_BLOCKS;
        for (unsigned i = 0; i < sizeof own / sizeof *own; i++) {
            shape.words[3 + i] = own[i];
        }
    }
    const uint64_t block = x->by != NULL ? x->by->m : device_divisor_block(ctx, n, s.qn);
    const bool waits = !s.r && device_waits(ctx, n);
    recording *const played = block == 0 || waits ? NULL : device_recording(ctx, &shape);
    *done = played != NULL;
    return *done ? play(ctx, who, played, &s, x) : BIGINT_OK;
}
