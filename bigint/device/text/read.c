// read.c: decimal text to an integer on a device. Horner's rule in the leaves, then neighbours are
// joined, low + 10^k high, level by level: a batch of products by 10^k, and one sum of all nodes,
// whose carries stay within each node. Proof: docs/proofs/text.md, section 7.
#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/plan.h"
#include "bigint/device/text/conversion.h"
#include "bigint/device/text/decimal.h"
#include "bigint/device/text/tree.h"
#include "bigint/text/radix.h"
#include "carry/add.h"

enum { LINE = 256 };

// reading: a conversion on its way.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    device_text_tree tree;
    uint64_t n;      // limbs of all nodes of a level, as many as words
    uint64_t *x;     // n limbs: the nodes
    uint64_t *y;     // n limbs: products; before them, the characters
    uint64_t *line;  // a line for a word of the device: the first bad character, then a sign
} reading;

// --- Characters ----------------------------------------------------------------------------------

static uint64_t nodes_bytes(const reading *r) {
    return word_ceil_div(r->n * sizeof *r->x, LINE) * LINE;
}

// memory_bytes: of a line, the nodes, and products or n characters.
static uint64_t memory_bytes(const reading *r, uint64_t n) {
    const uint64_t bytes = r->n * sizeof *r->x;
    return LINE + nodes_bytes(r) + (n > bytes ? n : bytes);
}

// open: the memory, and s[0 .. n) as words in x; *good as device_decimal_read says.
static bigint_status open(reading *r, const char *s, uint64_t n, uint64_t *good) {
    bigint_ctx *const ctx = r->ctx;
    device_queue *const q = &ctx->queue;
    const uint64_t nodes = nodes_bytes(r);
    bigint_status status = device_staging_need(ctx, r->who);
    if (status == BIGINT_OK) {
        status = device_words_need(ctx, r->who, carry_add_workspace_bytes(r->n));
    }
    if (status != BIGINT_OK) {
        return status;
    }
    unsigned char *const memory = arena_take_in(ctx, &q->memory, r->who, memory_bytes(r, n));
    if (memory == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    r->line = (uint64_t *)memory;
    r->x = (uint64_t *)(memory + LINE);
    r->y = (uint64_t *)(memory + LINE + nodes);
    status = device_send_bytes(ctx, r->who, r->y, s, n);
    if (status == BIGINT_OK) {
        result done = cuda_set(r->line, 0xff, sizeof *r->line, q->stream);
        done = done == RESULT_OK ? text_pack(r->x, r->n, text_decimal.digits, (const char *)r->y, n,
                                             r->line, q->stream)
                                 : done;
        status = device_status(ctx, r->who, done);
    }
    status = status == BIGINT_OK ? device_fetch(ctx, r->who, good, r->line, 1) : status;
    *good = *good < n ? *good : n;
    return status;
}

// --- Levels --------------------------------------------------------------------------------------

// add: x = x without the nodes that were multiplied, plus y.
static bigint_status add(const reading *r, uint64_t half, uint64_t pairs) {
    bigint_ctx *const ctx = r->ctx;
    const device_queue *const q = &ctx->queue;
    const limbs_device_number x = {r->x, r->n, NULL}, y = {r->y, r->n, NULL};
    bigint_status status = device_enter(ctx, r->who);
    if (status != BIGINT_OK) {
        return status;
    }
    result done = text_clear_upper(r->x, half, pairs, q->stream);
    done = done == RESULT_OK
               ? carry_add(r->x, r->n, r->line, x, y, false, q->words, q->words_bytes, q->stream)
               : done;
    status = device_status(ctx, r->who, done);
    device_leave(ctx);
    return status;
}

// clear_y: y = 0, where the products leave gaps.
static bigint_status clear_y(const reading *r) {
    bigint_ctx *const ctx = r->ctx;
    bigint_status status = device_enter(ctx, r->who);
    if (status == BIGINT_OK) {
        status =
            device_status(ctx, r->who, cuda_set(r->y, 0, r->n * sizeof *r->y, ctx->queue.stream));
        device_leave(ctx);
    }
    return status;
}

static uint64_t pairs_of(const reading *r, unsigned j) {
    return UINT64_C(1) << (r->tree.levels - 1 - j);
}

// used_limbs: of a node's number.
static uint64_t used_limbs(const device_text_five *level) {
    return word_ceil_div(device_text_ten_bits(level), 64);
}

// join: the nodes of level j in pairs. 10^k = (5^k 2^shift) B^skip, and skip is even, so that every
// product is aligned to 16 bytes.
static bigint_status join(const reading *r, unsigned j, const bigint *five) {
    bigint_ctx *const ctx = r->ctx;
    const device_text_five *const level = &r->tree.five[j];
    const uint64_t half = level->words, pairs = pairs_of(r, j);
    const uint64_t k = text_decimal.digits * half, skip = k / 128 * 2, shift = k - 64 * skip;
    const uint64_t used = used_limbs(level);
    bigint power = BIGINT_INIT;
    bigint_status status =
        device_step_left(ctx, r->who, &power, level->bits + shift, device_number(five), shift);
    status = status == BIGINT_OK ? clear_y(r) : status;
    if (status == BIGINT_OK) {
        assert(used <= half && skip + power.n_ == used);
        const bigint_span upper = {r->x + half, used, 2 * half, pairs, NULL, NULL},
                          common = {power.d_, power.n_, 0, pairs, NULL, NULL},
                          to = {r->y + skip, used + power.n_, 2 * half, pairs, NULL, NULL};
        status = device_mul_batch(ctx, r->who, &to, &upper, &common);
    }
    bigint_clear(ctx, &power);
    return status == BIGINT_OK ? add(r, half, pairs) : status;
}

static bigint_status join_all(const reading *r) {
    bigint_ctx *const ctx = r->ctx;
    bigint five = BIGINT_INIT, square = BIGINT_INIT;
    bigint_status status =
        r->tree.levels > 0 ? device_text_leaf_power(ctx, r->who, &five, &r->tree) : BIGINT_OK;
    for (unsigned j = 0; j < r->tree.levels && status == BIGINT_OK; j++) {
        if (j > 0) {
            status = device_text_square(ctx, r->who, &square, &r->tree.five[j], &five);
            bigint_swap(&five, &square);
        }
        status = status == BIGINT_OK ? join(r, j, &five) : status;
    }
    bigint_clear(ctx, &five), bigint_clear(ctx, &square);
    return status;
}

// --- All -----------------------------------------------------------------------------------------

// finish: to = x, of `digits` digits, with the sign.
static bigint_status finish(const reading *r, bigint *to, uint64_t digits, bool negative) {
    bigint_ctx *const ctx = r->ctx;
    // 10^digits < 2^bits: log2(10) < 3.3219280948874 = 33219280948874 / 10^13
    const uint64_t bits =
        (uint64_t)((word_pair)digits * UINT64_C(33219280948874) / UINT64_C(10000000000000)) + 1;
    const limbs_device_number x = {r->x, r->n, NULL};
    bigint_status status = device_enter(ctx, r->who);
    if (status != BIGINT_OK) {
        return status;
    }
    device_target target;
    status = device_target_open(ctx, r->who, to, bits, &target);
    if (status == BIGINT_OK) {
        const result done =
            limbs_device_lshift(target.p, target.n, target.p - 1, x, 0,
                                negative ? LIMBS_SIGN_FLIP : LIMBS_SIGN_KEEP, ctx->queue.stream);
        status = device_target_close(ctx, to, &target, device_status(ctx, r->who, done));
    }
    device_leave(ctx);
    return status;
}

// leaves: the characters, and the limbs of the leaves.
static bigint_status leaves(reading *r, const char *s, uint64_t n, uint64_t *good) {
    bigint_ctx *const ctx = r->ctx;
    bigint_status status = device_enter(ctx, r->who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = open(r, s, n, good);
    if (status == BIGINT_OK && *good == n) {
        const uint64_t count = UINT64_C(1) << r->tree.levels;
        status = device_status(ctx, r->who,
                               text_join_leaves(r->x, r->tree.leaf, count, ctx->queue.stream));
    }
    device_leave(ctx);
    return status;
}

static reading reading_of(bigint_ctx *ctx, const char *who, uint64_t n) {
    reading r = {.ctx = ctx, .who = who};
    device_text_tree_make(ctx, &r.tree, word_ceil_div(n, text_decimal.digits));
    r.n = device_text_words(&r.tree);
    return r;
}

// integers_bytes: the power of 5, its square and its shifted copy, below 0.36 n limbs each, and the
// leaf's.
static uint64_t integers_bytes(const reading *r) {
    return 8 * (r->n + r->n / 8 + 3 * TEXT_LEAF_MOST);
}

void device_decimal_read_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->device.in_use;
    const reading r = reading_of(w->ctx, w->who, n);
    device_transfer_need(w, n);
    need_integers(w, integers_bytes(&r));
    need_words(w, carry_add_workspace_bytes(r.n));
    need_take(&w->device, memory_bytes(&r, n));
    for (unsigned j = 0; j < r.tree.levels; j++) {
        const device_text_five *const level = &r.tree.five[j];
        const uint64_t used = used_limbs(level), five = word_ceil_div(level->bits, 64);
        device_mul_need(w, five, five, true);
        device_mul_batch_need(w, pairs_of(&r, j), used,
                              used - text_decimal.digits * level->words / 128 * 2, true);
    }
    need_release(&w->device, in_use);
    need_integers_end(w, integers_bytes(&r));
}

bigint_status device_decimal_read(bigint_ctx *ctx, const char *who, bigint *to, const char *s,
                                  uint64_t n, bool negative, uint64_t *good) {
    reading r = reading_of(ctx, who, n);
    const uint64_t bytes = integers_bytes(&r);
    bigint_status status = device_count_integers(ctx, who, bytes);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    *good = 0;
    status = leaves(&r, s, n, good);
    if (status == BIGINT_OK && *good == n) {
        status = join_all(&r);
        status = status == BIGINT_OK ? finish(&r, to, n, negative) : status;
    }
    arena_release_in(ctx, &ctx->queue.memory, mark);
    device_uncount_integers(ctx, bytes);
    return status;
}
