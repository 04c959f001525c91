// shift.c: see shift.h. A limb of r comes from two neighbours of a. So every member fetches what
// the whole limbs of the shift bring into its block, and one limb more, and shifts that by the
// rest.
#include "bigint/group/device/shift.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "primitives/limbs/device.h"

enum { LIMB = sizeof(uint64_t) };

typedef struct {
    member *m;
    const device_member_shifted *terms;
    device_exchange *exchange;
    const char *who;
    cuda_stream stream;
    unsigned members;
    exchange_block *send, *receive;
    uint64_t *sign, *from;
} shifting;

// window: the limbs that member m shifts: number f + j is limb j of `from`, f its block's first. To
// the left that is a's limb below, to the right a's limb.
static block_range window(const shifting *s, unsigned m) {
    const block_range block = block_bounds(s->terms->n, s->members, m);
    return (block_range){block.first, block.count > 0 ? block.count + 1 : 0};
}

// moved: where the limbs of a that member m has are among those; *below: how many of its first ones
// are shifted out.
static block_range moved(const shifting *s, unsigned m, uint64_t *below) {
    const device_member_operand *const a = &s->terms->a;
    const uint64_t limbs = s->terms->bits / 64;
    const block_range block = block_bounds(a->blocks, s->members, m);
    const uint64_t end = block.first + block.count < a->n ? block.first + block.count : a->n;
    *below = 0;
    if (block.first >= end) {
        return (block_range){0, 0};
    }
    if (!s->terms->right) {
        return (block_range){block.first + limbs + 1, end - block.first};
    }
    *below = block.first < limbs ? limbs - block.first : 0;
    return *below >= end - block.first
               ? (block_range){0, 0}
               : (block_range){block.first + *below - limbs, end - block.first - *below};
}

static exchange_block part(const uint64_t *p, block_range from, block_range what) {
    return what.count == 0 ? exchange_bytes(NULL, 0)
                           : exchange_bytes(p + (what.first - from.first), what.count * LIMB);
}

static bigint_status prepare(shifting *s) {
    bigint_ctx *const ctx = s->m->ctx;
    const block_range own = window(s, s->m->exchange->member);
    s->send = arena_take(ctx, s->who, 2 * s->members * sizeof *s->send);
    s->sign = s->send == NULL ? NULL
                              : (uint64_t *)(void *)arena_take_in(ctx, &ctx->queue.memory, s->who,
                                                                  (own.count + 2) * LIMB);
    if (s->sign == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    s->receive = s->send + s->members;
    s->from = s->sign + 2;
    return device_status(
        ctx, s->who,
        own.count == 0 ? RESULT_OK : cuda_set(s->from, 0, own.count * LIMB, s->stream));
}

static bigint_status run(const shifting *s) {
    bigint_ctx *const ctx = s->m->ctx;
    const unsigned self = s->m->exchange->member, rest = (unsigned)(s->terms->bits % 64);
    const block_range to = window(s, self);
    uint64_t below, others;
    const block_range own = moved(s, self, &below);
    for (unsigned i = 0; i < s->members; i++) {
        s->send[i] = part(s->terms->a.p + below, own, block_common(own, window(s, i)));
        s->receive[i] = part(s->from, to, block_common(moved(s, i, &others), to));
    }
    bigint_status status = device_exchange_begin(s->exchange, ctx, s->who, 1, s->send, s->receive);
    status = status == BIGINT_OK ? device_exchange_end(s->exchange, ctx, s->who) : status;
    if (status != BIGINT_OK || to.count == 0) {
        return status;
    }
    const limbs_device_number from = {s->from, to.count, NULL};
    return device_status(
        ctx, s->who,
        limbs_device_rshift(s->terms->rp, to.count - 1, s->sign, from,
                            s->terms->right ? rest : 64 - rest, LIMBS_SIGN_CLEAR, s->stream));
}

bigint_status device_member_shift(member *m, device_exchange *x, const char *who,
                                  const device_member_shifted *terms) {
    bigint_ctx *const ctx = m->ctx;
    shifting s = {.m = m,
                  .terms = terms,
                  .exchange = x,
                  .who = who,
                  .stream = ctx->queue.stream,
                  .members = m->exchange->members};
    const bigint_status entered = device_enter(ctx, who);
    bigint_status status = terms->so_far == BIGINT_OK ? entered : terms->so_far;
    const arena_mark mark = arena_get_mark(ctx);
    const arena_mark device_mark = arena_mark_in(&ctx->queue.memory);
    status = status == BIGINT_OK ? prepare(&s) : status;
    status = device_exchange_agree(x, ctx, who, status,
                                   terms->n ^ terms->bits << 8 ^ (uint64_t)terms->right << 60);
    if (status == BIGINT_OK) {
        status = device_exchange_settle(x, ctx, who, run(&s));
    }
    arena_release_in(ctx, &ctx->queue.memory, device_mark);
    arena_release(ctx, mark);
    if (entered == BIGINT_OK) {
        device_leave(ctx);
    }
    return status;
}
