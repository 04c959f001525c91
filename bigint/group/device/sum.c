// sum.c: see sum.h.
#include "bigint/group/device/sum.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/group/device/block_add.h"
#include "bigint/group/device/work.h"

enum { LIMB = sizeof(uint64_t), TERMS = 2 };

// sum: one on a member.
typedef struct {
    member *m;
    const device_member_terms *terms;
    device_exchange *exchange;
    const char *who;
    cuda_stream stream;
    unsigned members;
    block_range block;  // the own one of n limbs
    exchange_block *send, *receive;
    block_adder adder;
    limbs_device_order *order;
    void *comparing;
    uint64_t *minuend;       // with a one above it
    uint64_t *moved[TERMS];  // operands that come from other blocks
} sum;

static const device_member_operand *operand_of(const sum *s, unsigned k) {
    return k == 0 ? &s->terms->a : &s->terms->b;
}

// moves: whether an operand has other blocks. All members know.
static bool moves(const sum *s, unsigned k) {
    return block_length(operand_of(s, k)->blocks, s->members) !=
           block_length(s->terms->n, s->members);
}

// part_of: the limbs of an operand that member m has.
static block_range part_of(const sum *s, unsigned k, unsigned m) {
    const device_member_operand *const o = operand_of(s, k);
    return block_common(block_bounds(o->blocks, s->members, m), (block_range){0, o->n});
}

// --- Memory --------------------------------------------------------------------------------------

// lay_all points everything into memory and returns the bytes; NULL: only that. *zeros: bytes at
// the beginning that have to be zero.
static uint64_t lay_all(sum *s, unsigned char *memory, uint64_t *zeros) {
    const uint64_t block = (s->block.count + 1) * LIMB;
    uint64_t used = 0;
    s->adder.words = member_work_lay(memory, &used, BLOCK_ADDER_WORDS * LIMB);
    s->adder.adding = member_work_lay(memory, &used, block_adder_bytes(s->block.count));
    s->comparing = member_work_lay(memory, &used, LIMBS_COMPARE_WORKSPACE_BYTES);
    *zeros = used;
    s->order = member_work_lay(memory, &used, sizeof *s->order);
    s->minuend =
        member_work_lay(memory, &used, s->terms->opposite && !s->terms->only_order ? block : 0);
    for (unsigned k = 0; k < TERMS; k++) {
        s->moved[k] = member_work_lay(memory, &used, moves(s, k) ? block : 0);
    }
    return used;
}

static bigint_status prepare(sum *s) {
    bigint_ctx *const ctx = s->m->ctx;
    const unsigned blocks = TERMS * s->members;
    uint64_t zeros;
    s->send = arena_take(ctx, s->who, 2 * blocks * sizeof *s->send);
    unsigned char *const memory =
        s->send == NULL ? NULL
                        : arena_take_in(ctx, &ctx->queue.memory, s->who, lay_all(s, NULL, &zeros));
    if (memory == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    s->receive = s->send + blocks;
    lay_all(s, memory, &zeros);
    const result done = cuda_set(memory, 0, zeros, s->stream);
    return device_status(ctx, s->who,
                         done == RESULT_OK ? block_adder_open(&s->adder, s->stream) : done);
}

// --- Steps ---------------------------------------------------------------------------------------

// send_moved: the blocks of one set: an operand's limbs go to where they are in blocks of n.
static result send_moved(const sum *s, unsigned set, unsigned k) {
    const block_range own = part_of(s, k, s->m->exchange->member);
    for (unsigned i = 0; i < s->members; i++) {
        const block_range out = block_common(own, block_bounds(s->terms->n, s->members, i)),
                          in = block_common(part_of(s, k, i), s->block);
        s->send[set * s->members + i] =
            out.count == 0
                ? exchange_bytes(NULL, 0)
                : exchange_bytes(operand_of(s, k)->p + (out.first - own.first), out.count * LIMB);
        s->receive[set * s->members + i] =
            in.count == 0
                ? exchange_bytes(NULL, 0)
                : exchange_bytes(s->moved[k] + (in.first - s->block.first), in.count * LIMB);
    }
    return cuda_set(s->moved[k], 0, (s->block.count + 1) * LIMB, s->stream);
}

// fetch: operands in other blocks.
static bigint_status fetch(const sum *s) {
    unsigned sets = 0;
    result done = RESULT_OK;
    for (unsigned k = 0; k < TERMS && done == RESULT_OK; k++) {
        done = moves(s, k) ? send_moved(s, sets++, k) : RESULT_OK;
    }
    bigint_ctx *const ctx = s->m->ctx;
    bigint_status status = device_status(ctx, s->who, done);
    if (status != BIGINT_OK || sets == 0) {
        return status;
    }
    status = device_exchange_begin(s->exchange, ctx, s->who, sets, s->send, s->receive);
    return status == BIGINT_OK ? device_exchange_end(s->exchange, ctx, s->who) : status;
}

// number: an operand's magnitude in the own block.
static limbs_device_number number(const sum *s, unsigned k) {
    return moves(s, k) ? (limbs_device_number){s->moved[k], s->block.count, NULL}
                       : (limbs_device_number){operand_of(s, k)->p,
                                               part_of(s, k, s->m->exchange->member).count, NULL};
}

// compare: the order of the magnitudes: that of the highest block in which they differ.
static bigint_status compare(const sum *s, int *order) {
    bigint_ctx *const ctx = s->m->ctx;
    const limbs_device_number a = number(s, 0), b = number(s, 1);
    limbs_device_order own = {.order = 0};
    if (a.n > 0 || b.n > 0) {
        result done = limbs_device_compare(s->order, a, b, LIMBS_COMPARE, s->comparing, s->stream);
        done = done == RESULT_OK ? cuda_copy(&own, s->order, sizeof own, s->stream) : done;
        bigint_status status = device_status(ctx, s->who, done);
        status = status == BIGINT_OK ? device_wait(ctx, s->who) : status;
        if (status != BIGINT_OK) {
            return status;
        }
    }
    int32_t all[EXCHANGE_MEMBERS_MAX];
    if (exchange_all_gather(s->m->exchange, all, &own.order, sizeof own.order) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    *order = 0;
    for (unsigned i = 0; i < s->members; i++) {
        *order = all[i] != 0 ? all[i] : *order;
    }
    return BIGINT_OK;
}

static bigint_status subtract(const sum *s, limbs_device_number a, limbs_device_number b) {
    const uint64_t n = s->block.count, rest = (n - a.n) * LIMB;
    result done = a.n > 0 ? cuda_copy(s->minuend, a.p, a.n * LIMB, s->stream) : RESULT_OK;
    done = done == RESULT_OK && rest > 0 ? cuda_set(s->minuend + a.n, 0, rest, s->stream) : done;
    done =
        done == RESULT_OK ? cuda_copy(s->minuend + n, s->adder.words + 2, LIMB, s->stream) : done;
    const bigint_status status = device_status(s->m->ctx, s->who, done);
    const limbs_device_number above = {s->minuend, n + 1, NULL};
    return status == BIGINT_OK ? block_add(s->m, s->who, &s->adder, s->terms->rp, n, above, b, true)
                               : status;
}

static bigint_status run(const sum *s, int *order) {
    bigint_status status = fetch(s);
    *order = 1;
    if (status == BIGINT_OK && s->terms->opposite) {
        status = compare(s, order);
    }
    if (status != BIGINT_OK || s->terms->only_order) {
        return status;
    }
    const limbs_device_number a = number(s, *order < 0), b = number(s, *order >= 0);
    return s->terms->opposite
               ? subtract(s, a, b)
               : block_add(s->m, s->who, &s->adder, s->terms->rp, s->block.count, a, b, false);
}

bigint_status device_member_sum(member *m, device_exchange *x, const char *who,
                                const device_member_terms *terms, int *order) {
    bigint_ctx *const ctx = m->ctx;
    sum s = {.m = m,
             .terms = terms,
             .exchange = x,
             .who = who,
             .stream = ctx->queue.stream,
             .members = m->exchange->members,
             .block = block_bounds(terms->n, m->exchange->members, m->exchange->member)};
    const bigint_status entered = device_enter(ctx, who);
    bigint_status status = terms->so_far == BIGINT_OK ? entered : terms->so_far;
    const arena_mark mark = arena_get_mark(ctx);
    const arena_mark device_mark = arena_mark_in(&ctx->queue.memory);
    status = status == BIGINT_OK ? prepare(&s) : status;
    status = device_exchange_agree(x, ctx, who, status, terms->n ^ (uint64_t)terms->opposite << 60);
    if (status == BIGINT_OK) {
        status = device_exchange_settle(x, ctx, who, run(&s, order));
    }
    arena_release_in(ctx, &ctx->queue.memory, device_mark);
    arena_release(ctx, mark);
    if (entered == BIGINT_OK) {
        device_leave(ctx);
    }
    return status;
}
