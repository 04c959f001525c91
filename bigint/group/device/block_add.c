// block_add.c: see block_add.h. A limb above the block shows what it carries out: 1 after a carry;
// of a difference, which begins with a 1 there, 0 after a borrow.
#include "bigint/group/device/block_add.h"

#include <assert.h>

#include "bigint/core/device_stream.h"
#include "bigint/group/exchange/member_carry.h"
#include "carry/add.h"

enum { LIMB = sizeof(uint64_t) };

// adder: one sum of n limbs and one above them.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const block_adder *memory;
    uint64_t *rp, n;
    bool subtract;
} adder;

uint64_t block_adder_bytes(uint64_t n) { return carry_add_workspace_bytes(n + 1); }

result block_adder_open(const block_adder *s, cuda_stream stream) {
    static const uint64_t one = 1;
    return cuda_copy(s->words + 2, &one, LIMB, stream);
}

static result add(const adder *s, limbs_device_number a, limbs_device_number b, bool subtract) {
    return carry_add(s->rp, s->n + 1, s->memory->words + 1, a, b, subtract, s->memory->adding,
                     block_adder_bytes(s->n), s->ctx->queue.stream);
}

// step enqueues one more, or one less; back: the other way.
static result step(const adder *s, bool back) {
    const limbs_device_number so_far = {s->rp, s->n + 1, NULL},
                              one = {s->memory->words + 2, 1, NULL};
    return add(s, so_far, one, s->subtract != back);
}

// top waits for the block's top limb and the one above it.
static bigint_status top(const adder *s, result done, uint64_t out[2]) {
    done =
        done == RESULT_OK ? cuda_copy(out, s->rp + s->n - 1, 2 * LIMB, s->ctx->queue.stream) : done;
    const bigint_status status = device_status(s->ctx, s->who, done);
    return status == BIGINT_OK ? device_wait(s->ctx, s->who) : status;
}

// passes: whether the block carries out what comes in: one step shows it, and is taken back. Of
// few blocks is the top limb such that they may.
static bigint_status passes(const adder *s, const uint64_t out[2], bool *propagates) {
    uint64_t next[2];
    *propagates = false;
    if (out[0] != (s->subtract ? 0 : UINT64_MAX)) {
        return BIGINT_OK;
    }
    const bigint_status status = top(s, step(s, false), next);
    *propagates = status == BIGINT_OK && next[1] != out[1];
    return status == BIGINT_OK ? device_status(s->ctx, s->who, step(s, true)) : status;
}

// settle: the sum or difference that was enqueued, and what the blocks below carry or borrow.
static bigint_status settle(const adder *s, member *m, result done) {
    const uint64_t none = s->subtract ? 1 : 0;
    uint64_t out[2] = {0, none}, in = 0, last = 0;
    bool propagates = true;
    bigint_status status = BIGINT_OK;
    if (s->n > 0) {
        status = top(s, done, out);
        status = status == BIGINT_OK ? passes(s, out, &propagates) : status;
    }
    if (status == BIGINT_OK) {
        status = member_carry_in(m->exchange, out[1] ^ none, propagates, &in, &last);
        assert(status != BIGINT_OK || last == 0);
    }
    return status == BIGINT_OK && s->n > 0 && in != 0
               ? device_status(m->ctx, s->who, step(s, false))
               : status;
}

bigint_status block_add(member *m, const char *who, const block_adder *memory, uint64_t *rp,
                        uint64_t n, limbs_device_number a, limbs_device_number b, bool subtract) {
    const adder s = {m->ctx, who, memory, rp, n, subtract};
    return settle(&s, m, n > 0 ? add(&s, a, b, subtract) : RESULT_OK);
}

bigint_status block_add_spots(member *m, const char *who, const block_adder *memory, uint64_t *rp,
                              uint64_t n, uint64_t first, const carry_spots *spots, void *workspace,
                              size_t bytes) {
    const adder s = {m->ctx, who, memory, rp, n, false};
    return settle(&s, m,
                  n > 0
                      ? carry_add_spots(rp, n, first, spots, workspace, bytes, m->ctx->queue.stream)
                      : RESULT_OK);
}
