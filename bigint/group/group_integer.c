// group_integer.c: integers of a group: tables, set, get, copies.
#include "bigint/group/group_integer.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/group/exchange/spread.h"
#include "bigint/group/group.h"
#include "bigint/group/group_product.h"
#include "bigint/group/member_block.h"
#include "bigint/group/member_sum.h"
#include "primitives/words/word.h"

// --- Tables --------------------------------------------------------------------------------------

bigint_status group_table(bigint_ctx *ctx, const char *who, bigint *r) {
    if (r->d_ != NULL) {
        return BIGINT_OK;
    }
    const group *const g = ctx->group;
    const uint64_t bytes = sizeof(group_limbs) + g->local * sizeof(bigint);
    bigint_status status;
    uint64_t cap;
    uint64_t *const table = bigint_limbs_allocate(ctx, who, (bytes + 7) / 8, &cap, &status);
    if (table != NULL) {
        memset(table, 0, cap * sizeof *table);
        *r = (bigint){.d_ = table, .cap_ = cap, .place_ = BIGINT_GROUP + 1};
        group_limbs *const limbs = group_limbs_of(r);
        limbs->members = g->members;
        limbs->first = g->first;
        limbs->local = g->local;
    }
    return status;
}

void group_settle(bigint *r, uint64_t n, uint64_t bits, int sign) {
    r->n_ = bits == 0 ? 0 : n;
    r->sign_ = bits == 0 ? 0 : sign < 0 ? -1 : 1;
    if (r->d_ != NULL) {
        group_limbs_of(r)->bits = bits;
    }
}

static bool holds(const bigint_ctx *ctx, const bigint *x) {
    const group *const g = ctx->group;
    const group_limbs *const limbs = group_limbs_of(x);
    bool same = g != NULL && limbs->members == g->members && limbs->first == g->first &&
                limbs->local == g->local;
    for (unsigned i = 0; same && i < g->local; i++) {
        const bigint *const block = &limbs->blocks[i];
        same = block->d_ == NULL || block->place_ - 1 == g->seats[i].self.ctx->device.place;
    }
    return same;
}

static void clear(bigint_ctx *ctx, bigint *x) {
    for (unsigned i = 0; x->d_ != NULL && i < ctx->group->local; i++) {
        bigint_clear(ctx->group->seats[i].self.ctx, &group_limbs_of(x)->blocks[i]);
    }
    bigint_limbs_release(ctx, x->d_, x->cap_);
    *x = (bigint)BIGINT_INIT;
}

// --- A member's block ----------------------------------------------------------------------------

block_range group_block(const member *m, uint64_t n) {
    return block_bounds(n, m->exchange->members, m->exchange->member);
}

bigint *group_block_integer(const member *m, const bigint *x) {
    group_limbs *const limbs = group_limbs_of(x);
    return &limbs->blocks[m->exchange->member - limbs->first];
}

uint64_t *group_room(member *m, const char *who, const bigint *r, uint64_t n,
                     bigint_status *status) {
    return member_room(m, who, group_block_integer(m, r), group_block(m, n).count, status);
}

const uint64_t *group_read(member *m, const char *who, const bigint *x, bigint_status *status) {
    *status = BIGINT_OK;
    return x->n_ == 0 ? NULL
                      : member_read(m, who, group_block_integer(m, x), group_block(m, x->n_).count,
                                    status);
}

bigint_status group_keep(member *m, const char *who, const bigint *r, uint64_t n,
                         const uint64_t *p) {
    return member_keep(m, who, group_block_integer(m, r), p, group_block(m, n).count);
}

bigint_status group_blank(member *m, const char *who, const bigint *r, uint64_t n) {
    return member_blank(m, who, group_block_integer(m, r), group_block(m, n).count);
}

bigint_status group_most(member *m, uint64_t *bits, uint64_t own) {
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    const bigint_status status = exchange_all_gather(m->exchange, all, &own, sizeof own);
    *bits = 0;
    for (unsigned i = 0; status == BIGINT_OK && i < m->exchange->members; i++) {
        *bits = all[i] > *bits ? all[i] : *bits;
    }
    return status;
}

bigint_status group_top_bits(member *m, uint64_t *bits, const uint64_t *p, uint64_t n) {
    const block_range mine = group_block(m, n);
    const uint64_t limbs = mine.count > 0 ? limbs_normalize(p, mine.count) : 0;
    return group_most(m, bits, limbs == 0 ? 0 : 64 * (mine.first + limbs) - word_clz(p[limbs - 1]));
}

// --- Set and get ---------------------------------------------------------------------------------

// assign_job: r = {p, n}, which every process has, or a, of n limbs.
typedef struct {
    const char *who;
    const bigint *r, *a;
    const uint64_t *p;
    uint64_t n;
} assign_job;

static bigint_status assign(member *m, void *arg) {
    const assign_job *const job = arg;
    const block_range mine = group_block(m, job->n);
    const arena_mark mark = arena_get_mark(m->ctx);
    bigint_status status;
    const uint64_t *from = NULL;
    uint64_t *const to = group_room(m, job->who, job->r, job->n, &status);
    if (status == BIGINT_OK && mine.count > 0) {
        from = job->a == NULL ? job->p + mine.first : group_read(m, job->who, job->a, &status);
    }
    status = member_agree(m, status, member_key(job->who, job->n, 0, 0));
    if (status == BIGINT_OK) {
        if (mine.count > 0) {
            memcpy(to, from, mine.count * sizeof *to);
        }
        status = group_keep(m, job->who, job->r, job->n, to);
    }
    arena_release(m->ctx, mark);
    return status;
}

// assign_all: r = sign times what the job says, which is below 2^bits.
static bigint_status assign_all(bigint_ctx *ctx, assign_job *job, bigint *r, uint64_t bits,
                                int sign) {
    bigint_status status = BIGINT_OK;
    if (bits > 0) {
        status = group_table(ctx, job->who, r);
        job->r = r;
        status = status == BIGINT_OK ? group_run(ctx, job->who, assign, job) : status;
    }
    if (status == BIGINT_OK) {
        group_settle(r, job->n, bits, sign);
    }
    return status;
}

static bigint_status store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign) {
    n = limbs_normalize(p, n);
    assign_job job = {.who = who, .p = p, .n = n};
    return assign_all(ctx, &job, r, n == 0 ? 0 : 64 * n - word_clz(p[n - 1]), sign);
}

static bigint_status copy(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                          limbs_sign sign) {
    const int a_sign = a->sign_;
    const int new_sign = sign == LIMBS_SIGN_KEEP ? a_sign : sign == LIMBS_SIGN_FLIP ? -a_sign : 1;
    if (r == a) {
        group_settle(r, a->n_, group_bits(a), new_sign);
        return BIGINT_OK;
    }
    assign_job job = {.who = who, .a = a, .n = a->n_};
    return assign_all(ctx, &job, r, group_bits(a), new_sign);
}

// load_job: {p, n} = the lowest limbs of a, once in each process.
typedef struct {
    const char *who;
    uint64_t *p;
    const bigint *a;
    uint64_t n;
    unsigned local;
} load_job;

static bigint_status gather(member *m, void *arg) {
    const load_job *const job = arg;
    const arena_mark mark = arena_get_mark(m->ctx);
    bigint_status status;
    const uint64_t *const own = group_read(m, job->who, job->a, &status);
    status = member_agree(m, status, member_key(job->who, job->a->n_, job->n, 0));
    if (status == BIGINT_OK) {
        const spread want = {.n = job->n, .every = job->local}, have = {.n = job->a->n_};
        status = member_fetch(m, job->p, &want, own, &have);
    }
    arena_release(m->ctx, mark);
    return status;
}

static bigint_status load(bigint_ctx *ctx, const char *who, uint64_t *p, const bigint *a,
                          uint64_t n) {
    load_job job = {who, p, a, n, ctx->group->local};
    return group_run(ctx, who, gather, &job);
}

const place_calls group_calls = {
    .check = group_check,
    .holds = holds,
    .counters = group_counters,
    .clear = clear,
    .store = store,
    .load = load,
    .measure = group_measure,
    .copy = copy,
    .cmp = group_cmp,
    .add = group_add,
    .mul_2exp = group_mul_2exp,
    .tdiv_2exp = group_tdiv_2exp,
    .mul = group_mul,
};
