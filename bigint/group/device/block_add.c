// block_add.c: see block_add.h.
#include "bigint/group/device/block_add.h"

#include <assert.h>

#include "bigint/core/device_stream.h"
#include "bigint/group/exchange/member_carry.h"
#include "carry/add.h"

enum { LIMB = sizeof(uint64_t) };

uint64_t block_adder_bytes(uint64_t n) { return carry_add_workspace_bytes(n + 1); }

result block_adder_open(const block_adder *s, cuda_stream stream) {
    static const uint64_t one = 1;
    return cuda_copy(s->words + 2, &one, LIMB, stream);
}

// both enqueues the block as if nothing came in, and one more, or one less; each has what it
// carries out in a limb more.
static result both(const block_adder *s, uint64_t n, limbs_device_number a, limbs_device_number b,
                   bool subtract, cuda_stream stream) {
    const limbs_device_number sum = {s->sum, n + 1, NULL}, one = {s->words + 2, 1, NULL};
    const uint64_t bytes = block_adder_bytes(n);
    const result done =
        carry_add(s->sum, n + 1, s->words + 1, a, b, subtract, s->adding, bytes, stream);
    return done == RESULT_OK ? carry_add(s->next, n + 1, s->words + 1, sum, one, subtract,
                                         s->adding, bytes, stream)
                             : done;
}

// Both are there before it is known what comes in: the second carries out where the first one is
// all ones, or borrows where it is zero. The limb above a difference is 1 if nothing was borrowed.
bigint_status block_add(member *m, const char *who, const block_adder *s, uint64_t *rp, uint64_t n,
                        limbs_device_number a, limbs_device_number b, bool subtract) {
    const cuda_stream stream = m->ctx->queue.stream;
    const uint64_t none = subtract ? 1 : 0;
    uint64_t out[2] = {none, 1 - none}, in = 0, top = 0;
    bigint_status status = BIGINT_OK;
    if (n > 0) {
        result done = both(s, n, a, b, subtract, stream);
        done = done == RESULT_OK ? cuda_copy(&out[0], s->sum + n, LIMB, stream) : done;
        done = done == RESULT_OK ? cuda_copy(&out[1], s->next + n, LIMB, stream) : done;
        status = device_status(m->ctx, who, done);
        status = status == BIGINT_OK ? device_wait(m->ctx, who) : status;
    }
    if (status == BIGINT_OK) {
        status = member_carry_in(m->exchange, out[0] ^ none, out[1] != out[0], &in, &top);
        assert(status != BIGINT_OK || top == 0);
    }
    if (status != BIGINT_OK || n == 0) {
        return status;
    }
    return device_status(m->ctx, who, cuda_copy(rp, in != 0 ? s->next : s->sum, n * LIMB, stream));
}
