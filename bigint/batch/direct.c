// direct.c: see direct.h.
#include "bigint/batch/direct.h"

#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/multiply/mul.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
    const bigint_ctx *ctx;
    const batch_direct_job *job;
    uint64_t chunks;
} share;

bool batch_direct_takes(const bigint_ctx *ctx, uint64_t an, uint64_t bn, bool product) {
    const uint64_t shorter = an < bn ? an : bn;
    return an <= DIVREM_SHORT && bn <= DIVREM_SHORT - an &&
           (!product || (ctx->check_modulus == 0 && shorter <= ctx->short_limbs));
}

bool batch_direct_serves(const bigint_ctx *ctx, const batch_direct_job *j) {
    return batch_direct_takes(ctx, j->a->n, j->b == NULL ? 0 : j->b->n, j->b != NULL);
}

// plain: whether a span has neither lengths nor offsets.
static bool plain(const bigint_span *s) {
    return s == NULL || (s->p != NULL && s->lengths == NULL && s->offsets == NULL);
}

// item_of: batch_item_of, and batch_normal where asked, for spans that are known to be plain or not
// where this is inlined.
INLINE batch_item item_of(const bigint_span *s, uint64_t i, bool is_plain, bool normal) {
    batch_item x = is_plain ? (batch_item){s->p + i * s->stride, s->n} : batch_item_of(s, i);
    while (normal && x.n > 0 && x.p[x.n - 1] == 0) {
        x.n--;
    }
    return x;
}

// clear_above: zeros from limb n of a result on, mostly one.
INLINE void clear_above(batch_item x, uint64_t n) {
    if (n < x.n) {
        x.p[n] = 0;
        if (n + 1 < x.n) {
            memset(x.p + n + 1, 0, (x.n - n - 1) * sizeof *x.p);
        }
    }
}

// divide: item i for the dividend a.
INLINE void divide(const share *s, uint64_t i, batch_item a, bool is_plain) {
    const batch_direct_job *const j = s->job;
    const batch_item none = {NULL, 0}, d = item_of(j->d, i, is_plain, true);
    const batch_item q = j->q == NULL ? none : item_of(j->q, i, is_plain, false);
    const batch_item r = j->r == NULL ? none : item_of(j->r, i, is_plain, false);
    const uint64_t qn = a.n < d.n ? 0 : a.n - d.n + 1, rn = a.n < d.n ? a.n : d.n;
    if (qn > 0) {
        divrem_short(s->ctx, q.p, r.p, a.p, a.n, d.p, d.n);
    } else if (r.p != NULL && rn > 0) {
        memcpy(r.p, a.p, rn * sizeof *a.p);
    }
    clear_above(q, qn);
    clear_above(r, rn);
}

// divide_product: the same for the product of a and b.
INLINE void divide_product(const share *s, uint64_t i, bool is_plain) {
    const batch_item a = item_of(s->job->a, i, is_plain, true);
    const batch_item b = item_of(s->job->b, i, is_plain, true);
    uint64_t t[DIVREM_SHORT], n = 0;
    if (a.n > 0 && b.n > 0) {
        mul_limbs_short(s->ctx->limbs, t, a.p, a.n, b.p, b.n);
        n = a.n + b.n - (t[a.n + b.n - 1] == 0);
    }
    divide(s, i, (batch_item){t, n}, is_plain);
}

INLINE void run(const share *s, batch_range range, bool is_plain) {
    for (uint64_t i = range.begin; i < range.end; i++) {
        if (s->job->b != NULL) {
            divide_product(s, i, is_plain);
        } else {
            divide(s, i, item_of(s->job->a, i, is_plain, true), is_plain);
        }
    }
}

// run_chunk is a team_task.
static void run_chunk(void *arg, size_t index, unsigned worker) {
    const share *const s = arg;
    const batch_direct_job *const j = s->job;
    const batch_range range = batch_chunk(j->d->count, s->chunks, index);
    (void)worker;
    if (plain(j->q) && plain(j->r) && plain(j->a) && plain(j->b) && plain(j->d)) {
        run(s, range, true);
    } else {
        run(s, range, false);
    }
}

void batch_direct_run(bigint_ctx *ctx, const batch_direct_job *j) {
    const uint64_t count = j->d->count, an = j->a->n + (j->b == NULL ? 0 : j->b->n);
    const double work = ((double)an * (double)j->d->n + MUL_BATCH_ITEM) * (double)count;
    team *const workers = work >= MUL_BATCH_TEAM_WORK ? ctx->team : NULL;
    const uint64_t most = (uint64_t)team_size(workers) * BATCH_CHUNKS;
    share s = {ctx, j, workers == NULL ? 1 : count < most ? count : most};
    team_run(workers, run_chunk, &s, s.chunks);
    ctx->counters.products += j->b == NULL ? 0 : count;
}
