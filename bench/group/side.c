// side.c: see side.h.
#include "bench/group/side.h"

#include "bench/harness.h"
#include "bigint/bigint_group.h"
#include "bigint/core/context.h"
#include "primitives/cuda/runtime.h"
#include "tests/support/gen.h"

enum { LG_RANDOM = 20, RANDOM_LIMBS = 1 << (LG_RANDOM - 6), OTHER = 0xa5 };

static void must(const side *s, bigint_status status) {
    if (status != BIGINT_OK) {
        s->fail(bigint_ctx_error(s->ctx));
    }
}

// grow: x = a random number of 2^20 bits, all but one of the highest 64 of them ones, squared so
// often that it has 2^lg.
static void grow(side *s, bigint *x, unsigned lg, uint64_t seed) {
    uint64_t limbs[RANDOM_LIMBS];
    gen g = gen_seed(seed);
    gen_limbs(&g, GEN_UNIFORM, limbs, RANDOM_LIMBS);
    limbs[RANDOM_LIMBS - 1] = UINT64_MAX - 1;
    must(s, bigint_set_limbs(s->ctx, x, limbs, RANDOM_LIMBS, 1));
    for (unsigned i = LG_RANDOM; i < lg; i++) {
        must(s, bigint_sqr(s->ctx, x, x));
    }
}

void side_open(side *s, bigint_device *device, unsigned lg, void (*fail)(const char *text)) {
    *s = (side){.fail = fail};
    if (bigint_ctx_create(&s->ctx, device, NULL) != BIGINT_OK) {
        fail(bigint_ctx_error(s->ctx));
    }
    bigint_device_close(device);
    grow(s, &s->a, lg, 1);
    grow(s, &s->b, lg, 2);
}

void side_close(side *s) {
    bigint_clear(s->ctx, &s->a), bigint_clear(s->ctx, &s->b), bigint_clear(s->ctx, &s->r);
    bigint_ctx_destroy(s->ctx);
}

double side_time(side *s) {
    must(s, bigint_sync(s->ctx));
    const double begin = bench_now();
    must(s, bigint_mul(s->ctx, &s->r, &s->a, &s->b));
    must(s, bigint_sync(s->ctx));
    return bench_now() - begin;
}

void side_plan(const side *s, char *text, size_t room) {
    const uint64_t n = bigint_limbs_bound(&s->a);
    must(s, bigint_explain(s->ctx, text, room, NULL, n, n));
}

// copy: to = the limbs of a group's block, where `to` had others.
static result copy(const side *single, uint64_t *to, const uint64_t *from, uint64_t count) {
    const cuda_stream stream = single->ctx->queue.stream;
    int before;
    result done = cuda_enter(single->ctx->device.place, &before);
    if (done != RESULT_OK) {
        return done;
    }
    done = cuda_set(to, OTHER, count * sizeof *to, stream);
    done = done == RESULT_OK ? cuda_copy(to, from, count * sizeof *to, stream) : done;
    done = done == RESULT_OK ? cuda_stream_wait(stream) : done;
    cuda_leave(before);
    return done;
}

bool side_same(side *single, side *dealt) {
    bigint both = BIGINT_INIT;
    const uint64_t n = bigint_limbs_bound(&dealt->r);
    bool same = n == bigint_limbs_bound(&single->r), any = false;
    int order = 1;
    must(single, bigint_set(single->ctx, &both, &single->r));
    must(dealt, bigint_sync(dealt->ctx));
    for (unsigned i = 0; i < bigint_group_members(dealt->ctx) && same; i++) {
        uint64_t first, count;
        const uint64_t *const block = bigint_block_limbs(&dealt->r, i);
        must(dealt, bigint_block(dealt->ctx, n, i, &first, &count));
        same = block == NULL || copy(single, both.d_ + first, block, count) == RESULT_OK;
        any = any || block != NULL;
    }
    must(single, bigint_cmp(single->ctx, &order, &both, &single->r));
    bigint_clear(single->ctx, &both);
    return same && any && order == 0;
}
