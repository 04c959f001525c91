// product.c: see product.h: memory, agreement, and the ways of alone.h and grid.h.
#include "bigint/group/device/product.h"

#include "bigint/core/arena.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/tables.h"
#include "bigint/group/device/alone.h"
#include "bigint/group/device/grid.h"

// product: one on a member, of one of the ways.
typedef struct {
    member_work w;
    bool begun;  // alone_begin has succeeded
    alone_work alone;
    grid_work grid;
} product;

// --- Memory --------------------------------------------------------------------------------------

// lay_all points everything into memory and returns how many bytes it is; NULL: only that. *zeros:
// bytes at the beginning that have to be zero.
static uint64_t lay_all(product *p, unsigned char *memory, uint64_t *zeros) {
    uint64_t used = 0;
    member_work_lay_words(&p->w, memory, &used);
    *zeros = used;
    if (p->w.plan->way == DEVICE_MEMBER_ALONE) {
        p->alone.w = &p->w;
        alone_lay(&p->alone, memory, &used);
    } else {
        p->grid.w = &p->w;
        grid_lay(&p->grid, memory, &used, zeros);
    }
    return used;
}

uint64_t device_member_bytes(const device_member_plan *plan) {
    exchange x = {.members = plan->members};
    member self = {&x, NULL};
    const device_member_job job = {
        .a = {NULL, plan->an, plan->an}, .b = {NULL, plan->bn, plan->bn}, .plan = plan};
    product p = {.w = {.m = &self, .job = &job, .plan = plan}};
    uint64_t zeros;
    return lay_all(&p, NULL, &zeros);
}

static bigint_status no_memory(const bigint_ctx *ctx) {
    return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
}

// take_tables: the plan's tables on this device.
static bigint_status take_tables(member_work *w) {
    if (w->plan->way == DEVICE_MEMBER_ALONE || w->plan->lg_inner > 0) {
        return BIGINT_OK;  // its own, or grid_begin's
    }
    const device_plan tables = {.engine = ENGINE_MODULAR_FFT, .modular = w->plan->modular};
    const bigint_status status = device_tables_need(w->m->ctx, member_work_who, &tables);
    w->tables = status == BIGINT_OK ? device_tables(w->m->ctx, &w->plan->modular) : NULL;
    return status;
}

// prepare: tables, memory and words; the context has been entered.
static bigint_status prepare(product *p) {
    member_work *const w = &p->w;
    bigint_ctx *const ctx = w->m->ctx;
    const uint64_t blocks = (uint64_t)member_work_sets(w->plan) * w->plan->members;
    uint64_t zeros;
    bigint_status status = take_tables(w);
    if (status != BIGINT_OK) {
        return status;
    }
    w->send = arena_take(ctx, member_work_who, 2 * blocks * sizeof *w->send);
    unsigned char *const memory =
        w->send == NULL
            ? NULL
            : arena_take_in(ctx, &ctx->queue.memory, member_work_who, lay_all(p, NULL, &zeros));
    if (memory == NULL) {
        return no_memory(ctx);
    }
    w->receive = w->send + blocks;
    lay_all(p, memory, &zeros);
    result done = cuda_set(memory, 0, zeros, w->stream);
    done = done == RESULT_OK ? block_adder_open(&w->adder, w->stream) : done;
    status = member_work_status(w, done);
    if (status == BIGINT_OK && w->plan->way == DEVICE_MEMBER_ALONE) {
        status = alone_begin(&p->alone);
        p->begun = status == BIGINT_OK;
    } else if (status == BIGINT_OK) {
        status = grid_begin(&p->grid);
    }
    return status;
}

// --- Execution -----------------------------------------------------------------------------------

static bigint_status run(const product *p) {
    bigint_status status = member_work_tick(&p->w, DEVICE_PHASE_TRANSFORM);
    status = status != BIGINT_OK                     ? status
             : p->w.plan->way == DEVICE_MEMBER_ALONE ? alone_run(&p->alone)
                                                     : grid_run(&p->grid);
    return status == BIGINT_OK ? member_work_tick(&p->w, DEVICE_PHASE_JOIN) : status;
}

// key_of: all that exchanges depend on. Members of other rooms for workspace have other plans.
static uint64_t key_of(const device_member_plan *plan) {
    const fft_modular_plan *const p = &plan->modular;
    const uint64_t parts[] = {plan->way,          plan->an,      plan->bn,       plan->square,
                              plan->prime_groups, plan->pace,    plan->lg_inner, plan->lg_strips,
                              p->primes,          p->digit_bits, p->pieces,      p->lg_outer,
                              p->lg_rows,         p->lg_columns};
    return exchange_key(parts, sizeof parts / sizeof parts[0]);
}

// attempt: all of it, in a context that has been entered.
static bigint_status attempt(product *p) {
    bigint_ctx *const ctx = p->w.m->ctx;
    device_exchange *const x = p->w.exchange;
    const bigint_status ready = p->w.job->so_far == BIGINT_OK ? prepare(p) : p->w.job->so_far;
    const bigint_status status =
        device_exchange_agree(x, ctx, member_work_who, ready, key_of(p->w.plan));
    return status == BIGINT_OK ? device_exchange_settle(x, ctx, member_work_who, run(p)) : status;
}

bigint_status device_member_multiply(member *m, device_exchange *x, const device_member_job *job) {
    bigint_ctx *const ctx = m->ctx;
    const bigint_status entered = device_enter(ctx, member_work_who);
    device_member_job own = *job;
    own.so_far = job->so_far == BIGINT_OK ? entered : job->so_far;
    product p = {
        .w = {.m = m, .job = &own, .plan = job->plan, .stream = ctx->queue.stream, .exchange = x}};
    const arena_mark mark = arena_get_mark(ctx);
    const arena_mark device_mark = arena_mark_in(&ctx->queue.memory);
    const bigint_status status = attempt(&p);
    if (p.begun) {
        alone_end(&p.alone);
    }
    arena_release_in(ctx, &ctx->queue.memory, device_mark);
    arena_release(ctx, mark);
    if (entered == BIGINT_OK) {
        device_leave(ctx);
    }
    return status;
}
