// alone.c: see alone.h.
#include "bigint/group/device/alone.h"

static bool works(const alone_work *p) { return member_work_self(p->w) == 0; }

void alone_lay(alone_work *p, unsigned char *memory, uint64_t *used) {
    const device_member_plan *const plan = p->w->plan;
    const uint64_t b = plan->square ? 0 : 1;
    if (works(p)) {
        p->a = member_work_lay(memory, used, plan->an * LIMB_BYTES);
        p->b = member_work_lay(memory, used, b * plan->bn * LIMB_BYTES);
        p->r = member_work_lay(memory, used, member_work_limbs(plan) * LIMB_BYTES);
    }
}

// device_begin and device_end enter and leave the context by themselves, and a context remembers
// one caller.
bigint_status alone_begin(alone_work *p) {
    bigint_ctx *const ctx = p->w->m->ctx;
    const device_member_plan *const plan = p->w->plan;
    if (!works(p)) {
        return BIGINT_OK;
    }
    const int caller = ctx->queue.caller;
    bigint_status status =
        device_plan_make(ctx, member_work_who, &p->plan, plan->an, plan->bn, plan->square, false);
    status = status == BIGINT_OK ? device_begin(&p->run, ctx, member_work_who, &p->plan) : status;
    ctx->queue.caller = caller;
    return status;
}

void alone_end(alone_work *p) {
    bigint_ctx *const ctx = p->w->m->ctx;
    const int caller = ctx->queue.caller;
    if (works(p)) {
        ctx->queue.caller = ctx->device.place;
        device_end(&p->run);
        ctx->queue.caller = caller;
    }
}

static result multiply(const alone_work *p) {
    const device_member_plan *const plan = p->w->plan;
    const limbs_device_number a = {p->a, plan->an, NULL}, b = {p->b, plan->bn, NULL};
    return device_multiply(&p->run, p->r, member_work_limbs(plan), NULL, a, plan->square ? a : b,
                           NULL);
}

// send_product: the blocks of one set: every member gets its block.
static void send_product(const alone_work *p) {
    const member_work *const w = p->w;
    for (unsigned i = 0; i < w->plan->members; i++) {
        const block_range theirs = block_bounds(member_work_limbs(w->plan), w->plan->members, i);
        w->send[i] = works(p) ? exchange_bytes(p->r + theirs.first, theirs.count * LIMB_BYTES)
                              : exchange_bytes(NULL, 0);
        w->receive[i] = i == 0 ? exchange_bytes(w->job->rp, member_work_block(w).count * LIMB_BYTES)
                               : exchange_bytes(NULL, 0);
    }
}

bigint_status alone_run(const alone_work *p) {
    const member_work *const w = p->w;
    unsigned sets = 1;
    member_work_gather(w, 0, &w->job->a, p->a);
    if (!w->plan->square) {
        member_work_gather(w, sets++, &w->job->b, p->b);
    }
    bigint_status status = member_work_begin(w, sets, DEVICE_PHASE_TRANSFORM);
    status = status == BIGINT_OK ? member_work_end(w) : status;
    status =
        status == BIGINT_OK ? member_work_status(w, works(p) ? multiply(p) : RESULT_OK) : status;
    if (status == BIGINT_OK) {
        send_product(p);
        status = member_work_begin(w, 1, DEVICE_PHASE_TRANSFORM);
    }
    return status == BIGINT_OK ? member_work_end(w) : status;
}
