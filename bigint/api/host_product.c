// host_product.c: see host_product.h.
//
// Operands are cut into blocks a_i, b_j of B limbs, and the product is computed column by column:
// the products a_i b_j with i + j = c are added up on the device; then the lowest block of the sum
// is final, goes to the host, and the rest of the sum begins the next column.
//
// Where all of a product's blocks have room as transforms, each is sent and transformed once
// (host_kept.c). Otherwise several products of a column are added in the transform domain if their
// blocks have room. Blocks come to the device when the first product needs them and stay while
// there is room, so where all fit, each travels once. Each column takes i in the order opposite to
// the column before, so that otherwise the blocks that are still there come first.
#include "bigint/api/host_product.h"

#include <assert.h>
#include <string.h>

#include "bigint/api/host_blocks.h"
#include "bigint/api/host_columns.h"
#include "bigint/api/host_kept.h"
#include "bigint/api/host_plan.h"
#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/limbs.h"
#include "primitives/cuda/runtime.h"

bool host_product_asked(const bigint *r, const bigint *a, const bigint *b) {
    const int host = BIGINT_HOST + 1;
    const bool limbs = r->d_ != NULL || a->d_ != NULL || b->d_ != NULL;
    return limbs && a->place_ == host && b->place_ == host && r->place_ == host;
}

// --- Columns -------------------------------------------------------------------------------------

// group: products of a column that are added at once, and the slots of their factors.
typedef struct {
    uint64_t count;
    host_slot *x[HOST_TERMS_MOST], *y[HOST_TERMS_MOST];
} group;

static bigint_status multiply_group(host_job *s, bigint *r, const group *g) {
    const bigint *a[HOST_TERMS_MOST], *b[HOST_TERMS_MOST];
    for (uint64_t k = 0; k < g->count; k++) {
        a[k] = &g->x[k]->x;
        b[k] = &g->y[k]->x;
    }
    return g->count == 1 ? bigint_mul(s->ctx, r, a[0], b[0])
                         : bigint_mul_sum(s->ctx, r, a, b, NULL, g->count);
}

// add_group: to the column's sum.
static bigint_status add_group(host_job *s, bigint *sum, const group *g) {
    bigint_status status = multiply_group(s, &s->product, g);
    if (status == BIGINT_OK) {
        status = bigint_add(s->ctx, sum, sum, &s->product);
    }
    for (uint64_t k = 0; k < g->count && status == BIGINT_OK; k++) {
        status = host_block_used(s, g->x[k]);
        status = status == BIGINT_OK ? host_block_used(s, g->y[k]) : status;
    }
    return status;
}

static bigint_status add_terms(host_job *s, bigint *sum, uint64_t c) {
    uint64_t first;
    const uint64_t all = host_terms(&s->plan, c, &first);
    bigint_status status = BIGINT_OK;
    for (uint64_t done = 0; done < all && status == BIGINT_OK;) {
        group g = {.count = all - done < s->plan.terms ? all - done : s->plan.terms};
        s->in_use = s->turn;
        for (uint64_t k = 0; k < g.count && status == BIGINT_OK; k++, done++) {
            const uint64_t i = first + (c % 2 == 0 ? done : all - 1 - done);
            status = host_block(s, &g.x[k], s->a, i);
            status = status == BIGINT_OK ? host_block(s, &g.y[k], s->b, c - i) : status;
        }
        status = status == BIGINT_OK ? add_group(s, sum, &g) : status;
    }
    return status;
}

static bigint_status column(void *self, uint64_t c) {
    host_job *const s = self;
    const uint64_t sums = s->plan.sums;
    bigint *const sum = &s->sum[c % sums];
    const bigint_status status =
        c == 0 ? BIGINT_OK
               : bigint_tdiv_2exp(s->ctx, sum, &s->sum[(c - 1) % sums], 64 * s->plan.block);
    return status == BIGINT_OK ? add_terms(s, sum, c) : status;
}

// multiply takes all workspace first: later the arena may not grow beside blocks and sums. Where it
// cannot be had, the products say so.
static bigint_status multiply(host_job *s) {
    arena_make_room(s->ctx, &s->ctx->queue.memory, s->plan.work_bytes);
    return host_columns_run(s, column, s);
}

// --- The call ------------------------------------------------------------------------------------

// attempt: the product into rp with the blocks chosen.
static bigint_status attempt(const host_job *chosen) {
    host_job s = *chosen;
    int previous;
    bigint_status status = device_status(s.ctx, s.who, cuda_enter(s.ctx->device.place, &previous));
    if (status != BIGINT_OK) {
        return status;
    }
    status = host_blocks_open(&s);
    if (status == BIGINT_OK) {
        status = s.plan.kept ? host_kept_multiply(&s) : multiply(&s);
    }
    if (status == BIGINT_OK) {
        status = bigint_sync(s.ctx);  // which reports failed checks
    }
    const bigint_status closed = host_blocks_close(&s);
    cuda_leave(previous);
    return status == BIGINT_OK ? closed : status;
}

// at_once: the product into rp, whole: both operands, the product, and back.
static bigint_status at_once(const host_job *s) {
    bigint x = BIGINT_INIT, y = BIGINT_INIT, product = BIGINT_INIT;
    const bool square = s->a == s->b;
    bigint_status status = bigint_set_limbs(s->ctx, &x, s->a->d_, s->a->n_, 1);
    if (status == BIGINT_OK && !square) {
        status = bigint_set_limbs(s->ctx, &y, s->b->d_, s->b->n_, 1);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul(s->ctx, &product, &x, square ? &x : &y);
    }
    if (status == BIGINT_OK) {
        assert(product.n_ <= s->rn);
        memset(s->rp + product.n_, 0, (s->rn - product.n_) * sizeof *s->rp);
        status = device_load(s->ctx, s->who, s->rp, &product, product.n_);
    }
    bigint_clear(s->ctx, &x), bigint_clear(s->ctx, &y), bigint_clear(s->ctx, &product);
    return status == BIGINT_OK ? s->ctx->failed : status;
}

// carrier_no_room: no_room of the context that brings blocks; false where there is none.
static bool carrier_no_room(const device_queue *q) {
    return q->carrier != NULL && q->carrier->queue.no_room;
}

// by_blocks: the product into rp. Where other memory is in use on the device, smaller blocks may
// have room; no other failure is less likely with them.
static bigint_status by_blocks(host_job *s, const host_lengths *of) {
    device_queue *const q = &s->ctx->queue;
    uint64_t parts = 0;
    bool again = true;
    bigint_status status = BIGINT_OK;
    q->no_room = false;
    for (; again; parts += parts / 8 + 1) {
        status = host_plan_make(s->ctx, s->who, &s->plan, of, &parts);
        if (status != BIGINT_OK) {
            return status;
        }
        status = s->plan.a_blocks == 1 ? at_once(s) : attempt(s);
        again = status == BIGINT_ENOMEM && (q->no_room || carrier_no_room(q));
    }
    return status;
}

bigint_status host_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           const bigint *b) {
    const int sign = a->sign_ * b->sign_;
    host_job s = {.ctx = ctx, .who = who, .a = a->n_ < b->n_ ? b : a, .rn = a->n_ + b->n_};
    s.b = s.a == a ? b : a;
    const host_lengths of = {s.a->n_, s.b->n_, a == b};
    if (s.b->n_ == 0) {
        bigint_finish(r, 0, 0);
        return BIGINT_OK;
    }
    bigint_status status = BIGINT_OK;
    bigint to = *r;
    if (r == a || r == b || r->cap_ < s.rn) {
        to = (bigint){.place_ = BIGINT_HOST + 1};
        to.d_ = bigint_limbs_allocate(ctx, who, s.rn, &to.cap_, &status);
    }
    s.rp = to.d_;
    status = s.rp == NULL ? status : by_blocks(&s, &of);
    if (to.d_ == r->d_) {
        bigint_finish(r, status == BIGINT_OK ? s.rn : 0, sign);
    } else if (status == BIGINT_OK) {
        bigint_limbs_release(ctx, r->d_, r->cap_);
        *r = to;
        bigint_finish(r, s.rn, sign);
    } else if (s.rp != NULL) {
        bigint_limbs_release(ctx, s.rp, to.cap_);
    }
    return status;
}
