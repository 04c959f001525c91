// sums.c: see sums.h.
#include "bigint/batch/sums.h"

#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/core/limbs.h"
#include "bigint/core/tune.h"
#include "primitives/limbs/limbs.h"

// product_limbs: of the longer product of item i.
static uint64_t product_limbs(const batch_sum *s, uint64_t i) {
    const uint64_t p = batch_item_of(s->a, i).n + batch_item_of(s->b, i).n;
    const uint64_t q = batch_item_of(s->c, i).n + batch_item_of(s->d, i).n;
    return p > q ? p : q;
}

// looks: how many items to look at: one where all have the same lengths.
static uint64_t looks(const batch_sum *s) {
    const bool alike = s->r->lengths == NULL && s->a->lengths == NULL && s->b->lengths == NULL &&
                       s->c->lengths == NULL && s->d->lengths == NULL;
    return alike && s->r->count > 0 ? 1 : s->r->count;
}

uint64_t batch_sum_row(const batch_sum *s) {
    uint64_t row = 1;
    for (uint64_t i = 0; i < looks(s); i++) {
        const uint64_t n = product_limbs(s, i);
        row = n > row ? n : row;
    }
    return row;
}

bigint_status batch_sum_check(bigint_ctx *ctx, const char *who, const batch_sum *s) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 0; i < looks(s) && status == BIGINT_OK; i++) {
        const uint64_t rn = batch_item_of(s->r, i).n, n = product_limbs(s, i);
        status = rn <= n ? batch_does_not_hold(ctx, who, i, rn, n + 1) : BIGINT_OK;
    }
    return status;
}

// adding: the rows of all products.
typedef struct {
    const batch_sum *sum;
    const uint64_t *p, *q;
    uint64_t row, chunks;
} adding;

static void add_item(const adding *all, uint64_t i) {
    const batch_sum *const s = all->sum;
    const batch_item r = batch_item_of(s->r, i);
    const uint64_t *const x = all->p + i * all->row, *const y = all->q + i * all->row;
    // Above a short result both rows are zeros.
    const uint64_t n = all->row < r.n ? all->row : r.n;
    bool negative = s->ab_negative != NULL && s->ab_negative[i] != 0;
    const bool other = s->cd_negative != NULL && s->cd_negative[i] != 0;
    uint64_t top = 0;
    if (n > 0 && negative == other) {
        top = limbs_add_n(r.p, x, y, n);
    } else if (n > 0) {
        const bool less = limbs_cmp(x, y, n) < 0;
        limbs_sub_n(r.p, less ? y : x, less ? x : y, n);
        negative = less ? other : negative;
    }
    if (n < r.n) {
        memset(r.p + n, 0, (r.n - n) * sizeof *r.p);
        r.p[n] = top;
    }
    if (s->negative != NULL) {
        s->negative[i] = negative && limbs_normalize(r.p, r.n) > 0 ? 1 : 0;
    }
}

// add_chunk is a team_task.
static void add_chunk(void *arg, size_t index, unsigned worker) {
    const adding *const all = arg;
    const batch_range range = batch_chunk(all->sum->r->count, all->chunks, index);
    (void)worker;
    for (uint64_t i = range.begin; i < range.end; i++) {
        add_item(all, i);
    }
}

void batch_sum_add(bigint_ctx *ctx, const batch_sum *s, const uint64_t *p, const uint64_t *q) {
    adding all = {s, p, q, batch_sum_row(s), 1};
    const uint64_t count = s->r->count, limbs = count * (all.row + MUL_BATCH_ITEM);
    if (ctx->team == NULL || limbs < MUL_BATCH_TEAM_WORK) {
        add_chunk(&all, 0, 0);
        return;
    }
    const uint64_t most = (uint64_t)team_size(ctx->team) * BATCH_CHUNKS;
    all.chunks = count < most ? count : most;
    team_run(ctx->team, add_chunk, &all, all.chunks);
}
