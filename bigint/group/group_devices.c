// group_devices.c: see group_devices.h.
#include "bigint/group/group_devices.h"

#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/product.h"
#include "bigint/group/device/product.h"
#include "bigint/group/device/shift.h"
#include "bigint/group/device/sum.h"
#include "bigint/group/group.h"
#include "bigint/group/group_devices_plan.h"
#include "bigint/group/group_integer.h"

static group_seat *seat_of(const group *g, const member *m) {
    return (group_seat *)&g->seats[m->exchange->member - g->first];
}

// --- Endpoints -----------------------------------------------------------------------------------

// any_host: whether a member of this process is on the host. Those of others may be.
static bool any_host(const group *g) {
    bool any = false;
    for (unsigned i = 0; i < g->local; i++) {
        any = any || !context_on_device(g->seats[i].self.ctx);
    }
    return any;
}

typedef struct {
    const char *who;
    const group *g;
    device_facts devices;  // from the first member of this process, as `direct`
    bool direct;
} open_job;

// refusal: what the carrier cannot do with these devices.
static bigint_status refusal(member *m, const open_job *job, const device_facts *facts) {
    if (job->g->carrier.kind != CARRIER_NCCL || facts->devices == m->exchange->members) {
        return BIGINT_OK;
    }
    return bigint_fail(m->ctx, BIGINT_ENOBACKEND,
                       "%s: NCCL has one member a device, and the %u members of the group share %u",
                       job->who, m->exchange->members, facts->devices);
}

// join: the endpoint with its carrier; where devices do not reach each other, by way of the host.
static bigint_status join(member *m, const open_job *job, device_exchange *x) {
    static const device_carrier staged = {.kind = CARRIER_STAGED};
    bigint_status status = device_exchange_join(x, m->ctx, job->who, &job->g->carrier);
    if (status == BIGINT_OK && !x->direct) {
        status = device_exchange_join(x, m->ctx, job->who, &staged);
    }
    return status;
}

static bigint_status open_endpoint(member *m, void *arg) {
    open_job *const job = arg;
    const uint64_t key = member_key("endpoints of devices", 0, 0, 0);
    device_exchange *const x = &seat_of(job->g, m)->device;
    device_facts facts;
    bigint_status status = device_facts_gather(m, job->who, &facts);
    if (status == BIGINT_EPEER || !facts.all) {
        return status == BIGINT_EPEER ? status : member_agree(m, status, key);
    }
    status = status == BIGINT_OK ? refusal(m, job, &facts) : status;
    status = status == BIGINT_OK ? device_enter(m->ctx, job->who) : status;
    const bool entered = status == BIGINT_OK;
    status = entered ? device_exchange_open(x, m->exchange, m->ctx, job->who) : status;
    status = member_agree(m, status, key);
    if (status == BIGINT_OK) {
        status = join(m, job, x);
        status = status == BIGINT_EPEER ? status : member_agree(m, status, key);
    }
    if (entered) {
        device_leave(m->ctx);
    }
    if (m->exchange->member == job->g->first) {
        job->devices = facts;
        job->direct = x->direct;
    }
    return status;
}

static void close_endpoints(group *g) {
    for (unsigned i = 0; i < g->local; i++) {
        group_seat *const seat = &g->seats[i];
        if (context_on_device(seat->self.ctx) && !device_forked(seat->self.ctx)) {
            device_exchange_close(&seat->device);
        }
    }
}

bigint_status group_devices_ready(bigint_ctx *ctx, const char *who, bool *ready) {
    group *const g = ctx->group;
    if (g->reach == GROUP_REACH_UNKNOWN) {
        open_job job = {.who = who, .g = g};
        if (g->local < g->members || !any_host(g)) {
            const bigint_status status = group_run(ctx, who, open_endpoint, &job);
            if (status != BIGINT_OK) {
                close_endpoints(g);
                return status;
            }
        }
        g->devices = job.devices;
        g->reach = job.direct ? GROUP_REACH_DIRECT : GROUP_REACH_HOST;
    }
    *ready = g->reach == GROUP_REACH_DIRECT;
    return BIGINT_OK;
}

void group_devices_close(group *g) {
    if (g->reach == GROUP_REACH_DIRECT) {
        close_endpoints(g);
    }
}

// --- Programs ------------------------------------------------------------------------------------

// devices_job: r, of n limbs, of the lowest an and bn limbs of a and b. In a comparison there is no
// r, in a square and a shift b is a.
typedef struct {
    const char *who;
    const group *g;
    const bigint *r, *a, *b;
    uint64_t an, bn, n, bits;
    bool opposite;  // of a shift: to the right
    bool square;
    device_member_plan plan;  // of a product
    int order;                // of a sum, from the first member of this process
} devices_job;

// view: the lowest n limbs of a number on a device, or fewer where it has fewer.
static bigint view(const bigint *x, uint64_t n) {
    bigint v = *x;
    if (v.n_ > n) {
        v.n_ = n;
        v.sign_ = 0;
    }
    return v;
}

// on_one: the product on the only member: one block is all of a number.
static bigint_status on_one(member *m, void *arg) {
    const devices_job *const job = arg;
    const bigint a = view(group_block_integer(m, job->a), job->an),
                 b = view(group_block_integer(m, job->b), job->bn);
    const bigint_status status =
        device_mul(m->ctx, job->who, group_block_integer(m, job->r), &a, &b);
    return member_agree(m, status, member_key(job->who, job->an, job->bn, 0));
}

// operand: the member's limbs of an operand; where its block has fewer, a copy with zeros above.
static bigint_status operand(member *m, const char *who, device_member_operand *o, const bigint *x,
                             uint64_t n) {
    const bigint *const block = group_block_integer(m, x);
    const block_range range = group_block(m, x->n_);
    const uint64_t end = range.first + range.count < n ? range.first + range.count : n;
    const uint64_t count = range.first < end ? end - range.first : 0;
    *o = (device_member_operand){block->d_, n, x->n_};
    if (block->n_ >= count) {
        return BIGINT_OK;
    }
    const cuda_stream stream = m->ctx->queue.stream;
    const uint64_t have = block->n_ * sizeof(uint64_t), all = count * sizeof(uint64_t);
    unsigned char *const p = arena_take_in(m->ctx, &m->ctx->queue.memory, who, all);
    if (p == NULL) {
        return m->ctx->failed != BIGINT_OK ? m->ctx->failed : BIGINT_ENOMEM;
    }
    o->p = (uint64_t *)(void *)p;
    result done = have > 0 ? cuda_copy(p, block->d_, have, stream) : RESULT_OK;
    done = done == RESULT_OK ? cuda_set(p + have, 0, all - have, stream) : done;
    return device_status(m->ctx, who, done);
}

// blocks: of both operands, and room for that of r.
typedef struct {
    device_member_operand a, b;
    device_target r;
    arena_mark mark;
} blocks;

// take: blocks, and a plus in front of r; the context has been entered.
static bigint_status take(member *m, const devices_job *job, blocks *k) {
    const uint64_t count = group_block(m, job->n).count;
    bigint_status status = operand(m, job->who, &k->a, job->a, job->an);
    if (status == BIGINT_OK && !job->square) {
        status = operand(m, job->who, &k->b, job->b, job->bn);
    }
    if (status != BIGINT_OK || count == 0 || job->r == NULL) {
        return status;
    }
    // A limb more for the carry out of the block, which is not of its value.
    status =
        device_target_open(m->ctx, job->who, group_block_integer(m, job->r), 64 * count + 1, &k->r);
    k->r.n = count;
    k->r.bits = 64 * count;
    return status != BIGINT_OK
               ? status
               : device_status(m->ctx, job->who,
                               cuda_set(k->r.p - 1, 0, sizeof *k->r.p, m->ctx->queue.stream));
}

// open_blocks before the members agree, and close_blocks with the status of the program.
static bigint_status open_blocks(member *m, const devices_job *job, blocks *k) {
    *k = (blocks){.mark = arena_mark_in(&m->ctx->queue.memory)};
    bigint_status status = device_enter(m->ctx, job->who);
    if (status == BIGINT_OK) {
        status = take(m, job, k);
        device_leave(m->ctx);
    }
    return status;
}

static bigint_status close_blocks(member *m, const devices_job *job, const blocks *k,
                                  bigint_status status) {
    if (k->r.p != NULL) {
        status = device_target_close(m->ctx, group_block_integer(m, job->r), &k->r, status);
    } else if (status == BIGINT_OK && job->r != NULL) {
        bigint *const r = group_block_integer(m, job->r);
        assert(group_block(m, job->n).count == 0);
        r->n_ = 0;
        r->sign_ = 0;
    }
    arena_release_in(m->ctx, &m->ctx->queue.memory, k->mark);
    return status;
}

static bigint_status multiply(member *m, void *arg) {
    const devices_job *const job = arg;
    group_seat *const seat = seat_of(job->g, m);
    blocks k;
    device_member_job own = {.plan = &job->plan, .so_far = open_blocks(m, job, &k)};
    own.rp = k.r.p;
    own.a = k.a;
    own.b = k.b;
    if (job->g->clocks != NULL) {
        own.clock = &job->g->clocks[seat - job->g->seats];
    }
    return close_blocks(m, job, &k, device_member_multiply(m, &seat->device, &own));
}

bigint_status group_devices_mul(bigint_ctx *ctx, const char *who, const bigint *r, const bigint *a,
                                uint64_t an, const bigint *b, uint64_t bn) {
    devices_job job = {.who = who,
                       .g = ctx->group,
                       .r = r,
                       .a = a,
                       .b = b,
                       .an = an,
                       .bn = bn,
                       .n = an + bn,
                       .square = a == b};
    if (ctx->group->members == 1) {
        return group_run(ctx, who, on_one, &job);
    }
    const bigint_status status = group_devices_plan(ctx, who, &job.plan, an, bn, job.square);
    return status == BIGINT_OK ? group_run(ctx, who, multiply, &job) : status;
}

static bigint_status sum(member *m, void *arg) {
    devices_job *const job = arg;
    blocks k;
    int order;
    device_member_terms own = {.n = job->n,
                               .opposite = job->opposite,
                               .only_order = job->r == NULL,
                               .so_far = open_blocks(m, job, &k)};
    own.rp = k.r.p;
    own.a = k.a;
    own.b = k.b;
    const bigint_status status =
        device_member_sum(m, &seat_of(job->g, m)->device, job->who, &own, &order);
    if (status == BIGINT_OK && m->exchange->member == job->g->first) {
        job->order = order;
    }
    return close_blocks(m, job, &k, status);
}

bigint_status group_devices_sum(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t n,
                                const bigint *a, const bigint *b, bool opposite, int *order) {
    devices_job job = {.who = who,
                       .g = ctx->group,
                       .r = r,
                       .a = a,
                       .b = b,
                       .an = group_limbs_used(a),
                       .bn = group_limbs_used(b),
                       .n = n,
                       .opposite = opposite};
    const bigint_status status = group_run(ctx, who, sum, &job);
    *order = job.order;
    return status;
}

bigint_status group_devices_cmp(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t an,
                                const bigint *b, uint64_t bn, int *order) {
    devices_job job = {.who = who,
                       .g = ctx->group,
                       .a = a,
                       .b = b,
                       .an = an,
                       .bn = bn,
                       .n = an > bn ? an : bn,
                       .opposite = true};
    const bigint_status status = group_run(ctx, who, sum, &job);
    *order = job.order;
    return status;
}

static bigint_status shift(member *m, void *arg) {
    const devices_job *const job = arg;
    blocks k;
    device_member_shifted own = {
        .n = job->n, .bits = job->bits, .right = job->opposite, .so_far = open_blocks(m, job, &k)};
    own.rp = k.r.p;
    own.a = k.a;
    return close_blocks(m, job, &k,
                        device_member_shift(m, &seat_of(job->g, m)->device, job->who, &own));
}

bigint_status group_devices_shift(bigint_ctx *ctx, const char *who, const bigint *r, uint64_t n,
                                  const bigint *a, uint64_t bits, bool right) {
    devices_job job = {.who = who,
                       .g = ctx->group,
                       .r = r,
                       .a = a,
                       .an = group_limbs_used(a),
                       .n = n,
                       .bits = bits,
                       .opposite = right,
                       .square = true};
    return group_run(ctx, who, shift, &job);
}
