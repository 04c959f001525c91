// host_product.c: see host_product.h.
//
// Operands are cut into blocks a_i, b_j of B limbs, and the product is computed column by column:
// the products a_i b_j with i + j = c are added up on the device, several in the transform domain
// if their blocks have room; then the lowest block of the sum is final, goes to the host, and the
// rest of the sum begins the next column. Blocks come to the device when the first product needs
// them and stay while there is room, so where all fit, each travels once. Each column takes i in
// the order opposite to the column before, so that otherwise the blocks that are still there come
// first.
//
// A second context on the same device, the courier, has a stream of its own for blocks: while one
// column is computed, the blocks of the next one come and the block of the one before goes. Events
// keep blocks and sums from being read too early or overwritten too soon.
#include "bigint/api/host_product.h"

#include <assert.h>
#include <string.h>

#include "bigint/api/host_plan.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/limbs.h"
#include "primitives/words/word.h"

// slot: a block on the device. ready: it has come; used: its last product is done.
typedef struct {
    const bigint *operand;  // NULL: empty
    uint64_t index, turn;   // turn: of its last use
    bigint x;
    cuda_event ready, used;
} slot;

typedef struct {
    bigint_ctx *ctx, *courier;
    const char *who;
    const bigint *a, *b;  // a the longer one
    host_plan plan;
    uint64_t *rp, rn;
    slot slots[HOST_SLOTS_MOST];
    uint64_t turn;           // of uses
    uint64_t in_use;         // blocks with later turns stay
    bigint sum[2], product;  // of this column and the one before or after
    cuda_event summed[2];
} job;

bool host_product_asked(const bigint *r, const bigint *a, const bigint *b) {
    const int host = BIGINT_HOST + 1;
    const bool limbs = r->d_ != NULL || a->d_ != NULL || b->d_ != NULL;
    return limbs && a->place_ == host && b->place_ == host && r->place_ == host;
}

// --- The courier ---------------------------------------------------------------------------------

// told: the status of a call of the courier, with its text.
static bigint_status told(const job *s, bigint_status status) {
    return status == BIGINT_OK ? BIGINT_OK
                               : bigint_fail(s->ctx, status, "%s", bigint_ctx_error(s->courier));
}

// --- Blocks --------------------------------------------------------------------------------------

// follow: `later`'s work from now on comes after the event.
static bigint_status follow(const job *s, bigint_ctx *later, cuda_event event) {
    return device_status(s->ctx, s->who, cuda_stream_follow(later->queue.stream, event));
}

static bigint_status record(const job *s, cuda_event event, const bigint_ctx *at) {
    return device_status(s->ctx, s->who, cuda_event_record(event, at->queue.stream));
}

// find: the slot of that block, or else the one whose block was not used for the longest time and
// is not in use; there is one.
static slot *find(job *s, const bigint *operand, uint64_t index) {
    slot *oldest = NULL;
    for (unsigned i = 0; i < s->plan.slots; i++) {
        slot *const x = &s->slots[i];
        if (x->operand == operand && x->index == index) {
            return x;
        }
        if (x->turn <= s->in_use && (oldest == NULL || x->turn < oldest->turn)) {
            oldest = x;
        }
    }
    assert(oldest != NULL);
    return oldest;
}

// send: the block into the slot, once the products of its former block are done.
static bigint_status send(job *s, slot *x, const bigint *operand, uint64_t index) {
    const uint64_t at = index * s->plan.block, left = operand->n_ - at;
    bigint_status status = x->operand == NULL ? BIGINT_OK : follow(s, s->courier, x->used);
    if (status == BIGINT_OK) {
        x->operand = NULL;
        status = told(s, bigint_set_limbs(s->courier, &x->x, operand->d_ + at,
                                          left < s->plan.block ? left : s->plan.block, 1));
    }
    if (status == BIGINT_OK) {
        status = record(s, x->ready, s->courier);
        x->operand = operand;
        x->index = index;
    }
    return status;
}

// need: the slot with that block, for the next products. It fills one if there is none.
static bigint_status need(job *s, slot **out, const bigint *operand, uint64_t index) {
    slot *const x = find(s, operand, index);
    const bool there = x->operand == operand && x->index == index;
    bigint_status status = there ? BIGINT_OK : send(s, x, operand, index);
    x->turn = ++s->turn;
    *out = x;
    return status == BIGINT_OK ? follow(s, s->ctx, x->ready) : status;
}

// --- Columns -------------------------------------------------------------------------------------

// group: products of a column that are added at once, and the slots of their factors.
typedef struct {
    uint64_t count;
    slot *x[HOST_TERMS_MOST], *y[HOST_TERMS_MOST];
} group;

static bigint_status multiply_group(job *s, bigint *r, const group *g) {
    const bigint *a[HOST_TERMS_MOST], *b[HOST_TERMS_MOST];
    for (uint64_t k = 0; k < g->count; k++) {
        a[k] = &g->x[k]->x;
        b[k] = &g->y[k]->x;
    }
    return g->count == 1 ? bigint_mul(s->ctx, r, a[0], b[0])
                         : bigint_mul_sum(s->ctx, r, a, b, NULL, g->count);
}

// add_group: to the column's sum.
static bigint_status add_group(job *s, bigint *sum, const group *g) {
    bigint_status status = multiply_group(s, &s->product, g);
    if (status == BIGINT_OK) {
        status = bigint_add(s->ctx, sum, sum, &s->product);
    }
    for (uint64_t k = 0; k < g->count && status == BIGINT_OK; k++) {
        status = record(s, g->x[k]->used, s->ctx);
        status = status == BIGINT_OK ? record(s, g->y[k]->used, s->ctx) : status;
    }
    return status;
}

static bigint_status add_column(job *s, bigint *sum, uint64_t c) {
    const uint64_t from = c < s->plan.b_blocks ? 0 : c - s->plan.b_blocks + 1;
    const uint64_t to = c < s->plan.a_blocks ? c : s->plan.a_blocks - 1, all = to - from + 1;
    bigint_status status = BIGINT_OK;
    for (uint64_t done = 0; done < all && status == BIGINT_OK;) {
        group g = {.count = all - done < s->plan.terms ? all - done : s->plan.terms};
        s->in_use = s->turn;
        for (uint64_t k = 0; k < g.count && status == BIGINT_OK; k++, done++) {
            const uint64_t i = c % 2 == 0 ? from + done : to - done;
            status = need(s, &g.x[k], s->a, i);
            status = status == BIGINT_OK ? need(s, &g.y[k], s->b, c - i) : status;
        }
        status = status == BIGINT_OK ? add_group(s, sum, &g) : status;
    }
    return status;
}

// fetch: column c's part of the product, `limbs` of them, from its sum, which may be shorter or, by
// zeros, longer.
static bigint_status fetch(job *s, uint64_t c, uint64_t limbs) {
    const bigint *const sum = &s->sum[c % 2];
    const uint64_t n = sum->n_ < limbs ? sum->n_ : limbs;
    uint64_t *const to = s->rp + c * s->plan.block;
    memset(to + n, 0, (limbs - n) * sizeof *to);
    bigint_status status = follow(s, s->courier, s->summed[c % 2]);
    if (status == BIGINT_OK && n > 0) {
        status = told(s, device_load(s->courier, s->who, to, sum, n));
    }
    return status;
}

static bigint_status multiply(job *s) {
    const uint64_t columns = s->plan.a_blocks + s->plan.b_blocks - 1;
    bigint_status status = BIGINT_OK;
    for (uint64_t c = 0; c < columns && status == BIGINT_OK; c++) {
        bigint *const sum = &s->sum[c % 2], *const next = &s->sum[(c + 1) % 2];
        status = add_column(s, sum, c);
        if (status == BIGINT_OK) {
            status = record(s, s->summed[c % 2], s->ctx);
        }
        if (status == BIGINT_OK && c > 0) {  // while this column is computed
            status = fetch(s, c - 1, s->plan.block);
        }
        if (status == BIGINT_OK && c + 1 < columns) {
            status = bigint_tdiv_2exp(s->ctx, next, sum, 64 * s->plan.block);
        }
    }
    if (status == BIGINT_OK) {
        status = fetch(s, columns - 1, s->rn - (columns - 1) * s->plan.block);
    }
    return status == BIGINT_OK ? bigint_sync(s->ctx) : status;  // which reports failed checks
}

// --- The call ------------------------------------------------------------------------------------

// courier_need: the second context, which the first one keeps for the next product.
static bigint_status courier_need(job *s) {
    device_queue *const q = &s->ctx->queue;
    const bigint_ctx_options options = {
        .threads = s->ctx->options.threads,
        .allocator = s->ctx->options.allocator,
        .max_workspace_bytes = s->ctx->options.max_workspace_bytes / 8,
    };
    bigint_status status = BIGINT_OK;
    if (q->courier == NULL) {
        status = bigint_ctx_create(&q->courier, &s->ctx->device, &options);
    }
    if (status != BIGINT_OK) {
        bigint_fail(s->ctx, status, "%s: a second context on device %d: %s", s->who,
                    s->ctx->device.place,
                    q->courier == NULL ? "no memory" : bigint_ctx_error(q->courier));
    }
    s->courier = q->courier;
    return status;
}

static bigint_status open(job *s) {
    bigint_status status = courier_need(s);
    for (unsigned i = 0; i < s->plan.slots && status == BIGINT_OK; i++) {
        status = device_status(s->ctx, s->who, cuda_event_create(&s->slots[i].ready));
        if (status == BIGINT_OK) {
            status = device_status(s->ctx, s->who, cuda_event_create(&s->slots[i].used));
        }
    }
    for (int i = 0; i < 2 && status == BIGINT_OK; i++) {
        status = device_status(s->ctx, s->who, cuda_event_create(&s->summed[i]));
    }
    return status;
}

// close frees everything but rp, once both streams have come to their ends.
static void close(job *s) {
    const cuda_stream streams[] = {s->ctx->queue.stream,
                                   s->courier == NULL ? NULL : s->courier->queue.stream};
    for (int i = 0; i < (s->courier == NULL ? 1 : 2); i++) {
        device_status(s->ctx, s->who, cuda_stream_wait(streams[i]));
    }
    for (unsigned i = 0; i < s->plan.slots; i++) {
        if (s->courier != NULL) {
            bigint_clear(s->courier, &s->slots[i].x);
        }
        cuda_event_destroy(s->slots[i].ready), cuda_event_destroy(s->slots[i].used);
    }
    for (int i = 0; i < 2; i++) {
        bigint_clear(s->ctx, &s->sum[i]);
        cuda_event_destroy(s->summed[i]);
    }
    bigint_clear(s->ctx, &s->product);
    if (s->courier != NULL && s->courier->failed != BIGINT_OK) {
        bigint_ctx_destroy(s->courier);
        s->ctx->queue.courier = NULL;
    }
}

// attempt: the product into rp with the blocks chosen.
static bigint_status attempt(const job *chosen) {
    job s = *chosen;
    int previous;
    bigint_status status = device_status(s.ctx, s.who, cuda_enter(s.ctx->device.place, &previous));
    if (status != BIGINT_OK) {
        return status;
    }
    status = open(&s);
    if (status == BIGINT_OK) {
        status = multiply(&s);
    }
    close(&s);
    cuda_leave(previous);
    return status;
}

// at_once: the product into rp, whole: both operands, the product, and back.
static bigint_status at_once(const job *s) {
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
    return status;
}

static bigint_status by_blocks(job *s) {
    bigint_status status = BIGINT_ENOMEM;
    for (uint64_t parts = 0;
         status == BIGINT_ENOMEM && host_plan_make(s->ctx, s->who, &s->plan, s->a, s->b, &parts);
         parts++) {
        status = s->plan.a_blocks == 1 ? at_once(s) : attempt(s);
    }
    return status;
}

bigint_status host_product(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                           const bigint *b) {
    const int sign = a->sign_ * b->sign_;
    job s = {.ctx = ctx, .who = who, .a = a->n_ < b->n_ ? b : a, .rn = a->n_ + b->n_};
    s.b = s.a == a ? b : a;
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
    status = s.rp == NULL ? status : by_blocks(&s);
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
