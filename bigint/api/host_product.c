// host_product.c: see host_product.h.
//
// Operands are cut into blocks a_i, b_j of B limbs, and the product is computed column by column:
// the products a_i b_j with i + j = c are added up on the device; then the lowest block of the sum
// is final, goes to the host, and the rest of the sum begins the next column. Blocks come to the
// device when the first product needs them and stay while there is room, so where all fit, each
// travels once. Each column takes i in the order opposite to the column before, so that otherwise
// the blocks that are still there come first.
//
// A second context on the same device, the courier, has a stream of its own for blocks: while one
// column is computed, the blocks of the next one come and the block of the one before goes. Events
// keep blocks and sums from being read too early or overwritten too soon.
#include "bigint/api/host_product.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_stream.h"
#include "bigint/core/limbs.h"
#include "bigint/device/plan.h"
#include "primitives/words/word.h"

// SLOTS_LEAST: two blocks in use and two under way.
enum { SLOTS_LEAST = 4, SLOTS_MOST = 64, LINE_WORDS = 16, PARTS_MOST = 1 << 16 };

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
    uint64_t block, a_blocks, b_blocks;
    uint64_t *rp, rn;
    slot slots[SLOTS_MOST];
    unsigned count;          // of slots
    uint64_t turn;           // of uses
    bigint sum[2], product;  // of this column and the one before or after
    cuda_event summed[2];
} job;

bool host_product_asked(const bigint *r, const bigint *a, const bigint *b) {
    const int host = BIGINT_HOST + 1;
    const bool limbs = r->d_ != NULL || a->d_ != NULL || b->d_ != NULL;
    return limbs && a->place_ == host && b->place_ == host && r->place_ == host;
}

// --- The plan ------------------------------------------------------------------------------------

static uint64_t blocks_of(const bigint *x, uint64_t block) { return word_ceil_div(x->n_, block); }

// room_bytes: of the device, without what the driver and others may hold.
static uint64_t room_bytes(const bigint_ctx *ctx) {
    const uint64_t all = ctx->device.about.memory_bytes;
    return all - all / 16;
}

// slots_for: how many blocks of that many limbs have room beside the work of a column; below
// SLOTS_LEAST, or the number of all blocks: too few. Sums and products of a column are of two
// blocks and a little.
static uint64_t slots_for(const job *s, uint64_t block) {
    const uint64_t bn = s->b->n_ < block ? s->b->n_ : block,
                   sums = 3 * (block + bn + 4 * LINE_WORDS);
    device_plan plan;
    if (device_plan_make(s->ctx, s->who, &plan, block, bn, false, false) != BIGINT_OK) {
        return 0;
    }
    const uint64_t held = device_held_bytes(s->ctx, &plan) + 8 * sums, room = room_bytes(s->ctx);
    return held >= room ? 0 : (room - held) / (8 * (block + 2 * LINE_WORDS));
}

// choose_block cuts a into equal parts, `parts` of them or as many more as it takes until the work
// of a column fits the device. False if no number of parts does.
static bool choose_block(job *s, uint64_t *parts) {
    const uint64_t forced = s->ctx->queue.forced.host_block;
    for (; *parts <= (forced != 0 ? 1 : PARTS_MOST) && *parts <= s->a->n_; ++*parts) {
        const uint64_t part = word_ceil_div(s->a->n_, *parts);
        s->block = forced != 0 ? forced : word_ceil_div(part, LINE_WORDS) * LINE_WORDS;
        s->a_blocks = blocks_of(s->a, s->block);
        s->b_blocks = blocks_of(s->b, s->block);
        const uint64_t all = s->a_blocks + (s->a == s->b ? 0 : s->b_blocks);
        const uint64_t least = all < SLOTS_LEAST ? all : SLOTS_LEAST;
        const uint64_t most = forced != 0 ? SLOTS_LEAST : all < SLOTS_MOST ? all : SLOTS_MOST;
        const uint64_t fit = slots_for(s, s->block);
        if (fit >= least) {
            s->count = (unsigned)(fit < most ? fit : most);
            return true;
        }
    }
    return false;
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

// find: the slot of that block, or else the one whose block was not used for the longest time, but
// not `kept`.
static slot *find(job *s, const bigint *operand, uint64_t index, const slot *kept) {
    slot *oldest = NULL;
    for (unsigned i = 0; i < s->count; i++) {
        slot *const x = &s->slots[i];
        if (x->operand == operand && x->index == index) {
            return x;
        }
        if (x != kept && (oldest == NULL || x->turn < oldest->turn)) {
            oldest = x;
        }
    }
    return oldest;
}

// send: the block into the slot, once the products of its former block are done.
static bigint_status send(job *s, slot *x, const bigint *operand, uint64_t index) {
    const uint64_t at = index * s->block, left = operand->n_ - at;
    bigint_status status = x->operand == NULL ? BIGINT_OK : follow(s, s->courier, x->used);
    if (status == BIGINT_OK) {
        x->operand = NULL;
        status = told(s, bigint_set_limbs(s->courier, &x->x, operand->d_ + at,
                                          left < s->block ? left : s->block, 1));
    }
    if (status == BIGINT_OK) {
        status = record(s, x->ready, s->courier);
        x->operand = operand;
        x->index = index;
    }
    return status;
}

// need: the slot with that block, for the next product. It fills one if there is none.
static bigint_status need(job *s, slot **out, const bigint *operand, uint64_t index,
                          const slot *kept) {
    slot *const x = find(s, operand, index, kept);
    const bool there = x->operand == operand && x->index == index;
    bigint_status status = there ? BIGINT_OK : send(s, x, operand, index);
    x->turn = ++s->turn;
    *out = x;
    return status == BIGINT_OK ? follow(s, s->ctx, x->ready) : status;
}

// --- Columns -------------------------------------------------------------------------------------

// add_product: to the column's sum.
static bigint_status add_product(job *s, bigint *sum, uint64_t i, uint64_t j) {
    slot *x = NULL, *y = NULL;
    bigint_status status = need(s, &x, s->a, i, NULL);
    if (status == BIGINT_OK) {
        status = need(s, &y, s->b, j, x);
    }
    if (status == BIGINT_OK) {
        status = bigint_mul(s->ctx, &s->product, &x->x, &y->x);
    }
    if (status == BIGINT_OK) {
        status = bigint_add(s->ctx, sum, sum, &s->product);
    }
    if (status == BIGINT_OK) {
        status = record(s, x->used, s->ctx);
    }
    return status == BIGINT_OK ? record(s, y->used, s->ctx) : status;
}

static bigint_status add_column(job *s, bigint *sum, uint64_t c) {
    const uint64_t from = c < s->b_blocks ? 0 : c - s->b_blocks + 1;
    const uint64_t to = c < s->a_blocks ? c : s->a_blocks - 1;
    bigint_status status = BIGINT_OK;
    for (uint64_t k = 0; k <= to - from && status == BIGINT_OK; k++) {
        const uint64_t i = c % 2 == 0 ? from + k : to - k;
        status = add_product(s, sum, i, c - i);
    }
    return status;
}

// fetch: column c's part of the product, `limbs` of them, from its sum, which may be shorter or, by
// zeros, longer.
static bigint_status fetch(job *s, uint64_t c, uint64_t limbs) {
    const bigint *const sum = &s->sum[c % 2];
    const uint64_t n = sum->n_ < limbs ? sum->n_ : limbs;
    uint64_t *const to = s->rp + c * s->block;
    memset(to + n, 0, (limbs - n) * sizeof *to);
    bigint_status status = follow(s, s->courier, s->summed[c % 2]);
    if (status == BIGINT_OK && n > 0) {
        status = told(s, device_load(s->courier, s->who, to, sum, n));
    }
    return status;
}

static bigint_status multiply(job *s) {
    const uint64_t columns = s->a_blocks + s->b_blocks - 1;
    bigint_status status = BIGINT_OK;
    for (uint64_t c = 0; c < columns && status == BIGINT_OK; c++) {
        bigint *const sum = &s->sum[c % 2], *const next = &s->sum[(c + 1) % 2];
        status = add_column(s, sum, c);
        if (status == BIGINT_OK) {
            status = record(s, s->summed[c % 2], s->ctx);
        }
        if (status == BIGINT_OK && c > 0) {  // while this column is computed
            status = fetch(s, c - 1, s->block);
        }
        if (status == BIGINT_OK && c + 1 < columns) {
            status = bigint_tdiv_2exp(s->ctx, next, sum, 64 * s->block);
        }
    }
    if (status == BIGINT_OK) {
        status = fetch(s, columns - 1, s->rn - (columns - 1) * s->block);
    }
    return status == BIGINT_OK ? bigint_sync(s->ctx) : status;  // which reports failed checks
}

// --- The call ------------------------------------------------------------------------------------

static bigint_status open(job *s) {
    const bigint_ctx_options options = {
        .threads = s->ctx->options.threads,
        .allocator = s->ctx->options.allocator,
        .max_workspace_bytes = s->ctx->options.max_workspace_bytes / 8,
    };
    bigint_status status = bigint_ctx_create(&s->courier, &s->ctx->device, &options);
    if (status != BIGINT_OK) {
        return bigint_fail(s->ctx, status, "%s: a second context on device %d: %s", s->who,
                           s->ctx->device.place,
                           s->courier == NULL ? "no memory" : bigint_ctx_error(s->courier));
    }
    for (unsigned i = 0; i < s->count && status == BIGINT_OK; i++) {
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
    for (unsigned i = 0; i < s->count; i++) {
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
    bigint_ctx_destroy(s->courier);
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
    for (uint64_t parts = 1; status == BIGINT_ENOMEM && choose_block(s, &parts); parts++) {
        status = s->a_blocks == 1 ? at_once(s) : attempt(s);
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
