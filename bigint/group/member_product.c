// member_product.c: see member_product.h. Each way has two functions: one takes all memory, the
// other runs after the members have agreed.
#include "bigint/group/member_product.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/limbs.h"
#include "bigint/group/member_check.h"
#include "bigint/group/member_pieces.h"
#include "bigint/group/member_strips.h"
#include "bigint/multiply/mul.h"
#include "primitives/words/word.h"

static const char *const who = "bigint_mul";

// product: a product on one member. a is the longer operand.
typedef struct {
    member *m;
    member_job job;
    member_plan plan;
    member_clock *clock;
    exchange_block *blocks;  // 2 * members
    // Ways whole and short: an operand of which all members get all limbs, or NULL; the own product
    // and its plan.
    uint64_t *a_whole, *b_whole, *own;
    mul_plan mul;
    void *mul_ws;
    // Way columns.
    member_convolution c;
    uint64_t *a_strip, *b_strip, *dealing;
    // The own product in pieces, and workspace to join it with the others'.
    uint64_t *pieces, *joining;
    mul_tally tally;
} product;

static unsigned self(const product *p) { return p->m->exchange->member; }

static block_range own_block(const product *p, uint64_t n) {
    return block_bounds(n, p->plan.members, self(p));
}

// --- Memory ---

// limbs: workspace, NULL if there is none; the text is recorded then. none: not wanted.
static bool limbs(product *p, uint64_t **out, uint64_t n) {
    *out = arena_take_limbs(p->m->ctx, who, n);
    return *out != NULL;
}

// plan_own: the plan and memory of a product that this member computes alone.
static bigint_status plan_own(product *p, uint64_t an, uint64_t bn) {
    bigint_ctx *const ctx = p->m->ctx;
    bigint_status status = mul_plan_make(ctx, who, &p->mul, an, bn, p->job.square && an == bn);
    if (status == BIGINT_OK) {
        status = mul_ready(ctx, who, &p->mul);
    }
    if (status == BIGINT_OK) {
        p->mul_ws = arena_take(ctx, who, p->mul.workspace_bytes);
        status = p->mul_ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    return status;
}

static bigint_status take_whole(product *p) {
    const uint64_t an = p->plan.an, bn = p->plan.bn;
    const bool alone = p->plan.members == 1;
    const bool in_place = p->job.rp != p->job.ap && p->job.rp != p->job.bp;
    if ((!alone && !limbs(p, &p->a_whole, an)) ||
        (!alone && !p->job.square && !limbs(p, &p->b_whole, bn)) ||
        (!(alone && in_place) && !limbs(p, &p->own, an + bn))) {
        return BIGINT_ENOMEM;
    }
    return plan_own(p, an, bn);
}

static bigint_status take_short(product *p) {
    const uint64_t an = own_block(p, p->plan.an).count, bn = p->plan.bn;
    if (!limbs(p, &p->b_whole, bn) || !limbs(p, &p->pieces, an + bn) ||
        !limbs(p, &p->joining, member_join_limbs(&p->plan, self(p)))) {
        return BIGINT_ENOMEM;
    }
    return an == 0 ? BIGINT_OK : plan_own(p, an, bn);
}

static uint64_t larger(uint64_t x, uint64_t y) { return x > y ? x : y; }

// lay points into memory at *used for n limbs and adds their bytes; memory NULL: only that.
static uint64_t *lay(unsigned char *memory, uint64_t *used, uint64_t n) {
    uint64_t *const at = memory == NULL ? NULL : (uint64_t *)(memory + *used);
    *used += arena_limbs_bytes(n);
    return at;
}

// lay_columns points everything of way columns into memory and returns how many bytes it is; NULL:
// only that. Where strips and rows were, the pieces are joined. Where rows will be, operands are
// dealt.
static uint64_t lay_columns(product *p, unsigned char *memory) {
    const member_plan *const plan = &p->plan;
    const uint64_t an = plan->an, bn = plan->square ? 0 : plan->bn;
    const unsigned m = self(p);
    p->c = (member_convolution){.member = p->m,
                                .plan = plan,
                                .a_rows = member_operand_rows(plan, an),
                                .b_rows = member_operand_rows(plan, bn),
                                .blocks = p->blocks,
                                .clock = p->clock};
    const uint64_t planes = member_lay_planes(&p->c, memory);
    uint64_t strips = planes, joins = planes;
    p->a_strip = lay(memory, &strips, member_strip_limbs(plan, m, an));
    p->b_strip = lay(memory, &strips, member_strip_limbs(plan, m, bn));
    const uint64_t rows = member_lay_rows(&p->c, memory == NULL ? NULL : memory + strips);
    uint64_t deals = strips;
    p->dealing =
        lay(memory, &deals, larger(member_deal_limbs(plan, m, an), member_deal_limbs(plan, m, bn)));
    p->pieces = lay(memory, &joins, member_pieces_limbs(plan, m));
    p->joining = lay(memory, &joins, member_join_limbs(plan, m));
    p->c.a = p->a_strip;
    p->c.b = plan->square ? NULL : p->b_strip;
    return larger(strips + rows, larger(deals, joins));
}

static bigint_status take_columns(product *p) {
    const mul_fft_plan tables = {.fft = p->plan.fft};
    const bigint_status status = mul_fft_tables(p->m->ctx, who, &tables);
    if (status != BIGINT_OK) {
        return status;
    }
    unsigned char *const memory = arena_take(p->m->ctx, who, lay_columns(p, NULL));
    if (memory == NULL) {
        return BIGINT_ENOMEM;
    }
    lay_columns(p, memory);
    return BIGINT_OK;
}

// --- Execution ---

// gather: all = the operand of n limbs whose block this member has.
static bigint_status gather(product *p, uint64_t *all, const uint64_t *block, uint64_t n) {
    const unsigned members = p->plan.members;
    for (unsigned i = 0; i < members; i++) {
        const block_range theirs = block_bounds(n, members, i);
        p->blocks[i] = exchange_bytes(block, own_block(p, n).count * sizeof *block);
        p->blocks[members + i] = exchange_bytes(all + theirs.first, theirs.count * sizeof *all);
    }
    return exchange_all_to_all(p->m->exchange, p->blocks, p->blocks + members);
}

static void multiply_own(product *p, uint64_t *rp, const uint64_t *ap, uint64_t an,
                         const uint64_t *bp) {
    mul_run(p->m->ctx, &p->mul, rp, ap, an, bp, p->plan.bn, p->mul_ws, &p->tally);
    member_clock_stop(p->clock, p->m->exchange, PHASE_ROWS);
}

static bigint_status run_whole(product *p) {
    const member_job *const job = &p->job;
    const uint64_t *ap = job->ap, *bp = job->bp;
    if (p->a_whole != NULL) {
        bigint_status status = gather(p, p->a_whole, ap, p->plan.an);
        if (status == BIGINT_OK && !job->square) {
            status = gather(p, p->b_whole, bp, p->plan.bn);
        }
        if (status != BIGINT_OK) {
            return status;
        }
        ap = p->a_whole;
        bp = p->b_whole;
    }
    uint64_t *const rp = p->own != NULL ? p->own : job->rp;
    multiply_own(p, rp, ap, p->plan.an, job->square ? ap : bp);
    const block_range block = own_block(p, p->plan.an + p->plan.bn);
    if (p->own != NULL && block.count > 0) {
        memcpy(job->rp, rp + block.first, block.count * sizeof *rp);
    }
    return BIGINT_OK;
}

static bigint_status run_short(product *p) {
    const uint64_t an = own_block(p, p->plan.an).count;
    if (gather(p, p->b_whole, p->job.square ? p->job.ap : p->job.bp, p->plan.bn) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    if (an > 0) {
        multiply_own(p, p->pieces, p->job.ap, an, p->b_whole);
    }
    return member_join(p->m, &p->plan, p->job.rp, p->pieces, p->blocks, p->joining);
}

static bigint_status run_columns(product *p) {
    const member_plan *const plan = &p->plan;
    const member_job *const job = &p->job;
    bigint_status status =
        member_deal(p->m, plan, p->a_strip, job->ap, plan->an, p->blocks, p->dealing);
    if (status == BIGINT_OK && !plan->square) {
        status = member_deal(p->m, plan, p->b_strip, job->bp, plan->bn, p->blocks, p->dealing);
    }
    member_clock_stop(p->clock, p->m->exchange, PHASE_STRIPS);
    if (status == BIGINT_OK) {
        status = member_convolve(&p->c);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    member_carries(&p->c, p->pieces);
    return member_join(p->m, plan, job->rp, p->pieces, p->blocks, p->joining);
}

// --- Both ---

static bigint_status (*const take[MEMBER_WAYS])(product *) = {
    [MEMBER_WHOLE] = take_whole, [MEMBER_SHORT] = take_short, [MEMBER_COLUMNS] = take_columns};
static bigint_status (*const run[MEMBER_WAYS])(product *) = {
    [MEMBER_WHOLE] = run_whole, [MEMBER_SHORT] = run_short, [MEMBER_COLUMNS] = run_columns};

// prepare: plan and memory.
static bigint_status prepare(product *p) {
    const member_job *const job = &p->job;
    bigint_ctx *const ctx = p->m->ctx;
    const unsigned members = p->m->exchange->members;
    bigint_status status = bigint_check_product_size(ctx, who, job->an, job->bn);
    if (job->plan != NULL) {
        p->plan = *job->plan;
    } else if (status == BIGINT_OK) {
        status = member_plan_make(ctx, who, &p->plan, members, job->an, job->bn, job->square,
                                  MEMBER_AUTO);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    p->blocks = arena_take(ctx, who, 2 * members * sizeof *p->blocks);
    return p->blocks == NULL ? BIGINT_ENOMEM : take[p->plan.way](p);
}

// refused records who of the members failed, and why.
static bigint_status refused(member *m, bigint_status status) {
    const exchange *const x = m->exchange;
    return bigint_fail(m->ctx, status, "%s: member %u of %u: %s", who, x->failure.member,
                       x->members, x->failure.cause);
}

// count: one product, and its check; what a member multiplied alone is not a product of the group.
static bigint_status count(product *p, bool is_checked, bool right) {
    bigint_ctx *const ctx = p->m->ctx;
    ctx->counters.products++;
    ctx->counters.checks += is_checked;
    ctx->counters.mismatches += !right;
    return right ? BIGINT_OK : context_wrong_product(ctx, who, p->plan.an, p->plan.bn);
}

// run_checked runs the product's way, between the two halves of its check if the context checks.
static bigint_status run_checked(product *p) {
    const member_job *const job = &p->job;
    const uint64_t *const bp = job->square ? job->ap : job->bp;
    const bool checks = p->m->ctx->check_modulus != 0;
    member_check check;
    bool right = true;
    bigint_status status = BIGINT_OK;
    if (checks) {
        status = member_check_operands(p->m, &check, job->ap, job->an, bp, job->bn);
    }
    if (status == BIGINT_OK) {
        status = run[p->plan.way](p);
    }
    if (status == BIGINT_OK && checks) {
        status = member_check_product(p->m, &check, job->rp, job->an + job->bn, &right);
    }
    member_clock_stop(p->clock, p->m->exchange, PHASE_BLOCKS);
    return status == BIGINT_OK ? count(p, checks, right) : refused(p->m, status);
}

bigint_status member_multiply(member *m, const member_job *job) {
    bigint_ctx *const ctx = m->ctx;
    member_clock unread;
    product p = {.m = m, .job = *job, .clock = job->clock != NULL ? job->clock : &unread};
    if (job->an < job->bn) {
        p.job.ap = job->bp, p.job.an = job->bn;
        p.job.bp = job->ap, p.job.bn = job->an;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = job->so_far == BIGINT_OK ? prepare(&p) : job->so_far;
    status = exchange_agree(m->exchange, status, ctx->error, member_plan_key(ctx, &p.plan));
    if (status != BIGINT_OK) {
        status = refused(m, status);
    } else {
        member_clock_start(p.clock, m->exchange);
        status = run_checked(&p);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Workspace ---

// held: bytes for n limbs of workspace that are alone in a block of the arena.
static uint64_t held(uint64_t n) { return arena_held_bytes(arena_limbs_bytes(n)); }

bigint_status member_workspace_bytes(bigint_ctx *ctx, const member_plan *plan, unsigned number,
                                     uint64_t *bytes) {
    exchange x = {.members = plan->members, .member = number};
    member self = {&x, ctx};
    product p = {.m = &self, .plan = *plan};
    const uint64_t an = plan->an, bn = plan->bn, block = own_block(&p, an).count;
    // The list of blocks, and operands that come from blocks of another length.
    uint64_t all = held(2 * plan->members * sizeof(exchange_block) / sizeof(uint64_t)) +
                   held(block) + held(own_block(&p, bn).count);
    mul_plan mul = {.engine = ENGINE_SCHOOLBOOK};
    bigint_status status = BIGINT_OK;
    if (plan->way == MEMBER_COLUMNS) {
        const mul_fft_plan tables = {.fft = plan->fft};
        all += arena_held_bytes(lay_columns(&p, NULL)) + mul_fft_tables_bytes(ctx, &tables);
    } else if (plan->way == MEMBER_WHOLE) {
        status = mul_plan_make(ctx, who, &mul, an, bn, plan->square);
        all += held(an) + held(bn) + held(an + bn);
    } else {
        status = block == 0 ? BIGINT_OK : mul_plan_make(ctx, who, &mul, block, bn, false);
        all += held(bn) + held(block + bn) + held(member_join_limbs(plan, number));
    }
    *bytes = all + arena_held_bytes(mul.workspace_bytes) + mul.tables_bytes;
    return status;
}
