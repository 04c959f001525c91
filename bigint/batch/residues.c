// residues.c: see residues.h. All products in rows of one length, as a batch, or one by one by
// transforms that wrap around at the modulus; then their residues on the context's threads.
#include "bigint/batch/residues.h"

#include <stdio.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/products.h"
#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/core/names.h"
#include "bigint/core/tune.h"
#include "primitives/words/word.h"

// looks: how many items to look at: one where all have the same lengths.
static uint64_t looks(const batch_residue *s) {
    const bool alike = s->r->lengths == NULL && s->a->lengths == NULL && s->b->lengths == NULL;
    return alike && s->r->count > 0 ? 1 : s->r->count;
}

uint64_t batch_residue_row(const batch_residue *s) {
    uint64_t row = 1;
    for (uint64_t i = 0; i < looks(s); i++) {
        const uint64_t n = batch_item_of(s->a, i).n + batch_item_of(s->b, i).n;
        row = n > row ? n : row;
    }
    return row;
}

bigint_status batch_residue_check(bigint_ctx *ctx, const char *who, const batch_residue *s) {
    const uint64_t most = mul_ring_limbs(s->ring),
                   least = s->ring.plus ? most : word_ceil_div(s->ring.bits, 64);
    if (s->ring.bits == 0) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: a modulus of 0 bits; give at least 1", who);
    }
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < looks(s) && status == BIGINT_OK; i++) {
        const uint64_t rn = batch_item_of(s->r, i).n, an = batch_item_of(s->a, i).n,
                       bn = batch_item_of(s->b, i).n;
        if (an > most || bn > most) {
            status = bigint_fail(
                ctx, BIGINT_EINVAL,
                "%s: factors %llu have %llu and %llu limbs; give at most %llu modulo %llu bits",
                who, (unsigned long long)i, (unsigned long long)an, (unsigned long long)bn,
                (unsigned long long)most, (unsigned long long)s->ring.bits);
        } else if (rn < least) {
            status = batch_does_not_hold(ctx, who, i, rn, least);
        }
    }
    return status;
}

// --- Products ------------------------------------------------------------------------------------

// takes_rings: whether the items' own transforms wrap around, each on all threads. one_by_one: of
// this batch.
static bool takes_rings(bigint_ctx *ctx, const char *who, mul_ring ring, uint64_t an, uint64_t bn,
                        bool square) {
    const uint64_t n = ring.bits / 64;
    return an > 0 && bn > 0 && an <= n && bn <= n &&
           (ctx->team == NULL || n >= MUL_FFT_TEAM_THRESHOLD) &&
           mul_ring_pays(ctx, who, &ring, 1, an, bn, square, 0);
}

static bool one_by_one(bigint_ctx *ctx, const char *who, const batch_residue *s) {
    return takes_rings(ctx, who, s->ring, batch_longest(s->a), batch_longest(s->b),
                       s->a->p == s->b->p);
}

static bigint_status multiply_one_by_one(bigint_ctx *ctx, const char *who, const batch_residue *s,
                                         const bigint_span *rows) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < s->r->count && status == BIGINT_OK; i++) {
        const batch_item a = batch_item_of(s->a, i), b = batch_item_of(s->b, i);
        status =
            mul_ring_mul(ctx, who, s->ring, batch_item_of(rows, i).p, a.p, a.n, b.p, b.n, NULL);
    }
    return status;
}

// --- Residues ------------------------------------------------------------------------------------

// folding: the rows of all products, and workspace of each thread.
typedef struct {
    const batch_residue *s;
    const bigint_span *rows;
    uint64_t *ws, ws_limbs, chunks;
} folding;

static void fold_item(const folding *all, uint64_t i, uint64_t *ws) {
    const batch_item r = batch_item_of(all->s->r, i), p = batch_item_of(all->rows, i);
    const uint64_t most = mul_ring_limbs(all->s->ring), n = r.n < most ? r.n : most;
    mul_ring_reduce(all->s->ring, ws, p.p, p.n);
    memcpy(r.p, ws, n * sizeof *r.p);
    memset(r.p + n, 0, (r.n - n) * sizeof *r.p);
}

// fold_chunk is a team_task.
static void fold_chunk(void *arg, size_t index, unsigned worker) {
    const folding *const all = arg;
    const batch_range range = batch_chunk(all->s->r->count, all->chunks, index);
    for (uint64_t i = range.begin; i < range.end; i++) {
        fold_item(all, i, all->ws + worker * all->ws_limbs);
    }
}

static void fold(bigint_ctx *ctx, folding *all) {
    const uint64_t count = all->s->r->count, limbs = count * (all->rows->n + MUL_BATCH_ITEM);
    if (ctx->team == NULL || limbs < MUL_BATCH_TEAM_WORK) {
        all->chunks = 1;
        fold_chunk(all, 0, 0);
        return;
    }
    const uint64_t most = (uint64_t)team_size(ctx->team) * BATCH_CHUNKS;
    all->chunks = count < most ? count : most;
    team_run(ctx->team, fold_chunk, all, all->chunks);
}

bigint_status batch_mul_mod(bigint_ctx *ctx, const char *who, const batch_residue *s) {
    const arena_mark mark = arena_get_mark(ctx);
    const bool alone = one_by_one(ctx, who, s);
    const uint64_t row = alone ? mul_ring_limbs(s->ring) : batch_residue_row(s);
    bigint_span rows = {NULL, row, row, s->r->count, NULL, NULL};
    folding all = {.s = s, .rows = &rows, .ws_limbs = mul_ring_reduce_limbs(s->ring)};
    uint64_t limbs;
    if (__builtin_mul_overflow(rows.count, row, &limbs)) {
        limbs = UINT64_MAX;  // arena_take_limbs refuses it
    }
    rows.p = arena_take_limbs(ctx, who, limbs);
    all.ws =
        rows.p == NULL ? NULL : arena_take_limbs(ctx, who, team_size(ctx->team) * all.ws_limbs);
    bigint_status status = all.ws == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK) {
        status =
            alone ? multiply_one_by_one(ctx, who, s, &rows) : batch_mul(ctx, &rows, s->a, s->b);
    }
    status = status == BIGINT_OK ? context_may_write(ctx) : status;
    if (status == BIGINT_OK) {
        fold(ctx, &all);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Plans ---------------------------------------------------------------------------------------

void batch_mul_mod_need(work_need *w, uint64_t count, uint64_t an, uint64_t bn, mul_ring ring) {
    const uint64_t in_use = w->host.in_use, most = mul_ring_limbs(ring);
    an = an < most ? an : most;  // as factors are
    bn = bn < most ? bn : most;
    const uint64_t whole = an + bn > 0 ? an + bn : 1;
    for (unsigned square = 0; square < (an == bn ? 2 : 1) && count > 0; square++) {
        const bool alone = takes_rings(w->ctx, w->who, ring, an, bn, square == 1);
        need_take_limbs(&w->host, count * (alone ? mul_ring_limbs(ring) : whole));
        need_take_limbs(&w->host, team_size(w->ctx->team) * mul_ring_reduce_limbs(ring));
        if (alone) {
            mul_ring_mul_need(w, ring, an, bn, square == 1);
        } else {
            batch_mul_need(w, count, an, bn);
        }
        need_release(&w->host, in_use);
    }
}

int batch_mul_mod_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t an,
                        uint64_t bn, mul_ring ring) {
    const int before =
        snprintf(buf, cap, "%s batch modulo 2^%llu %s 1, %s", names_backend(ctx->device.backend),
                 (unsigned long long)ring.bits, ring.plus ? "+" : "-",
                 takes_rings(ctx, "bigint_mul_mod_2exp_batch", ring, an, bn, false)
                     ? "each by a transform that wraps around there, of "
                     : "of ");
    const size_t at = cap < (size_t)before ? cap : (size_t)before;
    return before + batch_mul_print(ctx, cap == 0 ? NULL : buf + at, cap - at, count, an, bn);
}
