// write.c: an integer on a device to decimal text, by a scaled remainder tree [Bernstein04]. After
// one division at the root each level is one batch of products by 10^k, which move the point of
// every fraction. Proof: docs/proofs/text.md, sections 2 and 7.
#include <assert.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/device_queue.h"
#include "bigint/core/device_staging.h"
#include "bigint/core/device_stream.h"
#include "bigint/device/batch/batch.h"
#include "bigint/device/decimal/digits.h"
#include "bigint/device/divide/quotient.h"
#include "bigint/device/divide/steps.h"
#include "bigint/device/plan.h"
#include "bigint/device/text/conversion.h"
#include "bigint/device/text/decimal.h"
#include "bigint/device/text/tree.h"
#include "bigint/text/text.h"

enum { LINE = 256 };

// writing: a conversion on its way.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    device_text_tree tree;
    const bigint *a;
    uint64_t bits, digits;                     // of a; digits that it has, or one more
    bigint five[DEVICE_TEXT_LEVELS_MOST + 1];  // of each level
    bigint root;                               // a B^m / 10^k, rounded down
    uint64_t *line;                            // zeros
    uint64_t *nodes[2];  // fractions of a level, and of the next one; at last, the characters
    uint64_t *products;  // of a level; at last, the words
} writing;

static uint64_t even(uint64_t n) { return n + n % 2; }

static uint64_t most(uint64_t a, uint64_t b) { return a > b ? a : b; }

// nodes_of: the fractions of level j, at p, each aligned to 16 bytes.
static text_nodes nodes_of(const writing *w, unsigned j, uint64_t *p) {
    const uint64_t n = text_fraction_limbs_of(device_text_ten_bits(&w->tree.five[j]));
    return (text_nodes){p, n, even(n), UINT64_C(1) << (w->tree.levels - j)};
}

static uint64_t limbs_of(text_nodes nodes) { return nodes.stride * nodes.count; }

// products_of: the products of the nodes of level j > 0 by 5^k of the halves.
static text_nodes products_of(const writing *w, unsigned j, uint64_t *p) {
    const text_nodes nodes = nodes_of(w, j, NULL);
    const uint64_t n = nodes.n + word_ceil_div(w->tree.five[j - 1].bits, 64);
    return (text_nodes){p, n, even(n), nodes.count};
}

// --- The root ------------------------------------------------------------------------------------

static bigint_status powers(writing *w) {
    bigint_status status = device_text_leaf_power(w->ctx, w->who, &w->five[0], &w->tree);
    for (unsigned j = 0; j < w->tree.levels && status == BIGINT_OK; j++) {
        status =
            device_text_square(w->ctx, w->who, &w->five[j + 1], &w->tree.five[j + 1], &w->five[j]);
    }
    return status;
}

// root_scale: of the number before it is divided at the root.
static uint64_t root_scale(const writing *w) {
    const unsigned top = w->tree.levels;
    return 64 * nodes_of(w, top, NULL).n - text_decimal.digits * w->tree.five[top].words;
}

// divide: root = floor(|a| 2^(64 m - k) / 5^k).
static bigint_status divide(writing *w) {
    const unsigned top = w->tree.levels;
    const uint64_t scale = root_scale(w);
    const limbs_device_number a = {w->a->d_, word_ceil_div(w->bits, 64), NULL};
    bigint scaled = BIGINT_INIT;
    bigint_status status = device_step_left(w->ctx, w->who, &scaled, w->bits + scale, a, scale);
    status = status == BIGINT_OK ? device_divrem(w->ctx, &w->root, NULL, &scaled, &w->five[top])
                                 : status;
    bigint_clear(w->ctx, &scaled);
    return status;
}

// --- Levels --------------------------------------------------------------------------------------

// room: limbs of all levels' nodes, of the words and of the characters.
typedef struct {
    uint64_t line, each, products;
} room;

static room room_of(const writing *w) {
    uint64_t nodes = word_ceil_div(w->digits, sizeof *w->line);
    uint64_t products = device_text_words(&w->tree);
    for (unsigned j = 0; j <= w->tree.levels; j++) {
        nodes = most(nodes, limbs_of(nodes_of(w, j, NULL)));
        products = j > 0 ? most(products, limbs_of(products_of(w, j, NULL))) : products;
    }
    const uint64_t line = LINE / sizeof *w->line;
    return (room){line, word_ceil_div(nodes, line) * line, products};
}

static uint64_t room_bytes(room r) { return (r.line + 2 * r.each + r.products) * sizeof(uint64_t); }

// take: the memory.
static bigint_status take(writing *w) {
    bigint_ctx *const ctx = w->ctx;
    const room all = room_of(w);
    uint64_t *const p = arena_take_in(ctx, &ctx->queue.memory, w->who, room_bytes(all));
    if (p == NULL) {
        return ctx->failed != BIGINT_OK ? ctx->failed : BIGINT_ENOMEM;
    }
    w->line = p;
    w->nodes[0] = p + all.line;
    w->nodes[1] = w->nodes[0] + all.each;
    w->products = w->nodes[1] + all.each;
    return device_status(ctx, w->who, cuda_set(w->line, 0, LINE, ctx->queue.stream));
}

static result recentre(const writing *w, unsigned j, text_nodes f, const uint64_t *g,
                       uint64_t g_stride) {
    const device_text_five *const five = &w->tree.five[j];
    const text_units units =
        text_units_of((uint64_t)(five->top >> 64), f.n, device_text_ten_bits(five));
    return text_recentre(f, g, g_stride, units.inverse, units.shift, w->ctx->queue.stream);
}

// begin: the memory, and the root's fraction of (|a| + 1/2) / 10^k.
static bigint_status begin(writing *w) {
    bigint_ctx *const ctx = w->ctx;
    bigint_status status = device_enter(ctx, w->who);
    if (status != BIGINT_OK) {
        return status;
    }
    status = device_staging_need(ctx, w->who);
    status = status == BIGINT_OK ? take(w) : status;
    if (status == BIGINT_OK) {
        const text_nodes root = nodes_of(w, w->tree.levels, w->nodes[0]);
        const limbs_device_number quotient = {w->root.d_, w->root.n_, NULL};
        result done = limbs_device_lshift(root.p, root.n, w->line, quotient, 0, LIMBS_SIGN_CLEAR,
                                          ctx->queue.stream);
        done = done == RESULT_OK ? recentre(w, w->tree.levels, root, w->line, 0) : done;
        status = device_status(ctx, w->who, done);
    }
    device_leave(ctx);
    return status;
}

// split: the nodes of level j > 0, in nodes[from], to those of level j - 1.
static bigint_status split(const writing *w, unsigned j, unsigned from) {
    bigint_ctx *const ctx = w->ctx;
    const bigint *const five = &w->five[j - 1];
    const text_nodes nodes = nodes_of(w, j, w->nodes[from]),
                     halves = nodes_of(w, j - 1, w->nodes[1 - from]),
                     products = products_of(w, j, w->products);
    const bigint_span of = {nodes.p, nodes.n, nodes.stride, nodes.count, NULL, NULL},
                      common = {five->d_, five->n_, 0, nodes.count, NULL, NULL},
                      to = {products.p, products.n, products.stride, nodes.count, NULL, NULL};
    assert(nodes.n + five->n_ == products.n);
    bigint_status status = device_mul_batch(ctx, w->who, &to, &of, &common);
    status = status == BIGINT_OK ? device_enter(ctx, w->who) : status;
    if (status != BIGINT_OK) {
        return status;
    }
    // The product's unit is B^-m 2^k: a half's fraction begins k bits below the product's point.
    const uint64_t units = 64 * (nodes.n - halves.n),
                   twos = text_decimal.digits * w->tree.five[j - 1].words;
    assert(units >= twos);
    result done = text_split(halves, nodes, products, units - twos, ctx->queue.stream);
    if (done == RESULT_OK) {
        const text_nodes upper = {halves.p + halves.stride, halves.n, 2 * halves.stride,
                                  nodes.count};
        done = recentre(w, j - 1, upper, halves.p + halves.n - 1, 2 * halves.stride);
    }
    status = device_status(ctx, w->who, done);
    device_leave(ctx);
    return status;
}

// --- Characters ----------------------------------------------------------------------------------

// put: the text of the leaves in nodes[from].
static bigint_status put(const writing *w, unsigned from, char *buf, size_t cap, size_t *need,
                         bool negative) {
    bigint_ctx *const ctx = w->ctx;
    const text_nodes leaves = nodes_of(w, 0, w->nodes[from]);
    const char *const text = (const char *)w->nodes[1 - from];
    const cuda_stream stream = ctx->queue.stream;
    char first = 0;
    result done = text_split_leaves(w->products, w->tree.leaf, leaves, stream);
    done = done == RESULT_OK ? decimal_write(w->products, text_words(&text_decimal, w->digits),
                                             text_decimal.digits, (char *)w->nodes[1 - from],
                                             w->digits, 1, stream)
                             : done;
    bigint_status status = device_status(ctx, w->who, done);
    status = status == BIGINT_OK ? device_fetch_bytes(ctx, w->who, &first, text, 1) : status;
    const uint64_t less = first == '0' ? 1 : 0, digits = w->digits - less;
    status =
        status == BIGINT_OK ? text_check_room(ctx, w->who, cap, need, negative, digits) : status;
    if (status == BIGINT_OK) {
        status = device_fetch_bytes(ctx, w->who, buf + negative, text + less, digits);
    }
    if (status == BIGINT_OK) {
        buf[0] = negative ? '-' : buf[0];
        buf[negative + digits] = '\0';
    }
    return status;
}

// convert: a's text, w->digits being its bound.
static bigint_status convert(writing *w, char *buf, size_t cap, size_t *need, bool negative) {
    unsigned from = 0;
    bigint_status status = powers(w);
    status = status == BIGINT_OK ? divide(w) : status;
    status = status == BIGINT_OK ? begin(w) : status;
    for (unsigned j = w->tree.levels; j > 0 && status == BIGINT_OK; j--, from ^= 1) {
        status = split(w, j, from);
    }
    status = status == BIGINT_OK ? device_enter(w->ctx, w->who) : status;
    if (status == BIGINT_OK) {
        status = put(w, from, buf, cap, need, negative);
        device_leave(w->ctx);
    }
    return status;
}

static writing writing_of(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t bits) {
    writing w = {.ctx = ctx, .who = who, .a = a, .bits = bits};
    w.digits = text_digits_bound(&text_decimal, bits);
    device_text_tree_make(ctx, &w.tree, text_words(&text_decimal, w.digits));
    return w;
}

// integers_bytes: the powers of 5, below 1.5 n limbs together; the root, and its dividend, below
// 1.8 n.
static uint64_t integers_bytes(const writing *w) {
    const uint64_t n = device_text_words(&w->tree);
    return 8 * (4 * n + n / 2 + 16 * (w->tree.levels + 4));
}

void device_decimal_write_need(work_need *w, uint64_t an) {
    const uint64_t in_use = w->device.in_use;
    const writing s = writing_of(w->ctx, w->who, NULL, 64 * an);
    const device_text_five *const five = s.tree.five;
    device_transfer_need(w, s.digits);
    need_integers(w, integers_bytes(&s));
    for (unsigned j = 0; j < s.tree.levels; j++) {
        const uint64_t n = word_ceil_div(five[j].bits, 64);
        device_mul_need(w, n, n, true);
    }
    device_divrem_need(w, word_ceil_div(s.bits + root_scale(&s), 64),
                       word_ceil_div(five[s.tree.levels].bits, 64));
    need_take(&w->device, room_bytes(room_of(&s)));
    for (unsigned j = s.tree.levels; j > 0; j--) {
        const text_nodes nodes = nodes_of(&s, j, NULL);
        device_mul_batch_need(w, nodes.count, nodes.n, word_ceil_div(five[j - 1].bits, 64), true);
    }
    need_release(&w->device, in_use);
    need_integers_end(w, integers_bytes(&s));
}

bigint_status device_decimal_write(bigint_ctx *ctx, const char *who, char *buf, size_t cap,
                                   size_t *need, const bigint *a, uint64_t bits, bool negative) {
    writing w = writing_of(ctx, who, a, bits);
    // With room for the bound less one the text may fit: the number itself has to tell.
    if (cap < negative + w.digits) {
        return text_check_room(ctx, who, cap, need, negative, w.digits);
    }
    const uint64_t bytes = integers_bytes(&w);
    bigint_status status = device_count_integers(ctx, who, bytes);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_mark_in(&ctx->queue.memory);
    status = convert(&w, buf, cap, need, negative);
    arena_release_in(ctx, &ctx->queue.memory, mark);
    for (unsigned j = 0; j <= w.tree.levels; j++) {
        bigint_clear(ctx, &w.five[j]);
    }
    bigint_clear(ctx, &w.root);
    device_uncount_integers(ctx, bytes);
    return status;
}
