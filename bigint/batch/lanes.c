// lanes.c: powers and products of a batch modulo odd numbers, eight items at once, one in each lane
// of AVX-512 IFMA. It groups items of similar cost and computes the groups.
#include "bigint/batch/lanes.h"

#include <assert.h>
#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/items.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/modular/montgomery_lanes.h"
#include "bigint/modular/residues.h"
#include "primitives/words/word.h"

// A table of 2^w powers is kept for eight numbers: 640 KiB for 8192 bits at w = 6. Exponents of
// half a word, such as 3 or 65537, are mostly zeros, which windows of one bit skip.
enum { WINDOW_MAX = 6, SPARSE_BITS = 32 };

// Classes of items that may share a group: digits of the modulus, in fours, and the length of the
// exponent's length; class 0: one by one.
enum { LENGTHS = 65 };

typedef struct {
    batch_modular_job *job;
    uint64_t *items;  // in the order of their classes
    residues_group *groups;
    uint64_t groups_count;
    // Where all items have the same modulus, else NULL: that number eight times, and an element,
    // R^2 in every lane.
    odd_number moduli[RESIDUES_MAX];
    residues common;
    uint64_t *square;
} lanes_job;

// group: what one group of items needs.
typedef struct {
    const batch_modular_job *job;
    const uint64_t *items;
    odd_number moduli[RESIDUES_MAX];
    residues f;
    const uint64_t *square;  // of lanes_job
    uint64_t *rows;          // f.limbs for each item
} group;

// --- Groups --------------------------------------------------------------------------------------

static odd_number modulus_of(const batch_modular_job *j, uint64_t i) {
    const batch_item m = batch_normal(j->modulus, i);
    return (odd_number){m.p, m.n};
}

static uint64_t exponent_bits(const batch_modular_job *j, uint64_t i) {
    const batch_item e = batch_normal(j->b, i);
    return e.n == 0 ? 0 : 64 * e.n - word_clz(e.p[e.n - 1]);
}

static size_t class_of(const bigint_ctx *ctx, const batch_modular_job *j, uint64_t i) {
    const odd_number m = modulus_of(j, i);
    const uint64_t bits = odd_number_bits(&m);
    const bool too_short = j->lanes == BATCH_LANES_POWERS && m.n < BATCH_LANES_POWERS_LIMBS;
    if (too_short || (m.p[0] & 1) == 0 || !residues_in_lanes(ctx, bits)) {
        return 0;
    }
    const uint64_t length = j->lanes == BATCH_LANES_POWERS ? exponent_bits(j, i) : 0;
    return 1 + montgomery_lanes_digits(bits) / 4 * LENGTHS +
           (length == 0 ? 0 : 64 - word_clz(length));
}

// item_classes: the class of every item, and the lowest and the highest.
static void item_classes(const bigint_ctx *ctx, const batch_modular_job *j, uint64_t *classes,
                         uint64_t *low, uint64_t *high) {
    const bool same = j->lanes == BATCH_LANES_PRODUCTS && batch_is_common(j->modulus);
    *low = UINT64_MAX;
    *high = 0;
    for (uint64_t i = 0; i < j->modulus->count; i++) {
        classes[i] = same && i > 0 ? classes[0] : class_of(ctx, j, i);
        *low = classes[i] < *low ? classes[i] : *low;
        *high = classes[i] > *high ? classes[i] : *high;
    }
}

// form_groups orders the items by a counting sort, which keeps neighbours together.
static bigint_status form_groups(bigint_ctx *ctx, lanes_job *l) {
    const batch_modular_job *const j = l->job;
    const uint64_t count = j->modulus->count;
    l->items = arena_take_limbs(ctx, j->who, count);
    l->groups = l->items == NULL ? NULL : arena_take(ctx, j->who, count * sizeof *l->groups);
    uint64_t *const classes = l->groups == NULL ? NULL : arena_take_limbs(ctx, j->who, count);
    if (classes == NULL) {
        return BIGINT_ENOMEM;
    }
    uint64_t low, high;
    item_classes(ctx, j, classes, &low, &high);
    uint64_t *const begins = arena_take_limbs(ctx, j->who, high - low + 2);
    if (begins == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(begins, 0, (high - low + 2) * sizeof *begins);
    for (uint64_t i = 0; i < count; i++) {
        begins[classes[i] - low + 1]++;
    }
    l->groups_count = 0;
    for (uint64_t c = low, *begin = begins; c <= high; c++, begin++) {
        residues_cut(l->groups, &l->groups_count, begin[0], begin[1],
                     c == 0 ? 0 : (c - 1) / LENGTHS * 4, c != 0);
        begin[1] += begin[0];
    }
    for (uint64_t i = 0; i < count; i++) {
        l->items[begins[classes[i] - low]++] = i;
    }
    return BIGINT_OK;
}

// longest_group: the group that takes the most memory, or nearly so.
static uint64_t longest_group(const lanes_job *l) {
    const batch_modular_job *const j = l->job;
    uint64_t longest = 0, most = 0;
    for (uint64_t g = 0; g < l->groups_count; g++) {
        const uint64_t i = l->items[l->groups[g].begin];
        const uint64_t length = j->lanes == BATCH_LANES_POWERS ? exponent_bits(j, i) : 0;
        const uint64_t size = l->groups[g].count * modulus_of(j, i).n * (16 + length / 64);
        longest = size > most ? g : longest;
        most = size > most ? size : most;
    }
    return longest;
}

// --- Numbers in lanes ----------------------------------------------------------------------------

// open_common: the modulus of all items, and R^2.
static bigint_status open_common(bigint_ctx *ctx, lanes_job *l) {
    const char *const who = l->job->who;
    const odd_number m = modulus_of(l->job, 0);
    const uint64_t *p[RESIDUES_MAX];
    size_t n[RESIDUES_MAX];
    for (unsigned k = 0; k < RESIDUES_MAX; k++) {
        l->moduli[k] = m;
    }
    bigint_status status = residues_init(ctx, who, &l->common, l->moduli, RESIDUES_MAX);
    const uint64_t bits = 2 * MONTGOMERY_LANES_BITS * montgomery_lanes_digits(odd_number_bits(&m));
    l->square = status == BIGINT_OK ? residues_new(ctx, who, &l->common) : NULL;
    uint64_t *const square = l->square == NULL ? NULL : arena_take_limbs(ctx, who, m.n);
    uint64_t *const t = square == NULL ? NULL : arena_take_limbs(ctx, who, bits / 64 + 1);
    if (t == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(t, 0, (bits / 64 + 1) * sizeof *t);
    t[bits / 64] = (uint64_t)1 << bits % 64;
    status = bigint_divrem_limbs(ctx, NULL, square, t, bits / 64 + 1, m.p, m.n);
    for (unsigned k = 0; k < RESIDUES_MAX; k++) {
        p[k] = square;
        n[k] = m.n;
    }
    residues_put_all(&l->common, l->square, p, n);
    return status;
}

static bigint_status group_open(bigint_ctx *ctx, group *g, const lanes_job *l, uint64_t index) {
    const char *const who = l->job->who;
    const unsigned count = l->groups[index].count;
    bigint_status status;
    g->job = l->job;
    g->items = l->items + l->groups[index].begin;
    g->square = l->square;
    if (l->square != NULL) {
        status = residues_share(ctx, who, &g->f, &l->common, count);
    } else {
        for (unsigned k = 0; k < count; k++) {
            g->moduli[k] = modulus_of(g->job, g->items[k]);
        }
        status = residues_init(ctx, who, &g->f, g->moduli, count);
    }
    g->rows = status == BIGINT_OK ? arena_take_limbs(ctx, who, count * g->f.limbs) : NULL;
    return g->rows == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

// put_all: x = the items' numbers, not their forms, up to a multiple of M, below 4 M, which
// products take; 1 where s is NULL. Uses g->rows.
static bigint_status put_all(bigint_ctx *ctx, const group *g, uint64_t *x, const bigint_span *s) {
    static const uint64_t one = 1;
    const uint64_t *p[RESIDUES_MAX];
    size_t n[RESIDUES_MAX];
    bigint_status status = BIGINT_OK;
    for (unsigned k = 0; k < g->f.count && status == BIGINT_OK; k++) {
        const odd_number *const m = &g->f.numbers[k];
        const batch_item a = s == NULL ? (batch_item){NULL, 0} : batch_normal(s, g->items[k]);
        uint64_t *const row = g->rows + k * g->f.limbs;
        p[k] = s == NULL || a.n == 0 ? &one : a.p;
        n[k] = s == NULL ? 1 : a.n;
        if (a.n > m->n || (a.n == m->n && a.p[a.n - 1] / 4 >= m->p[m->n - 1])) {
            status = bigint_divrem_limbs(ctx, NULL, row, a.p, a.n, m->p, m->n);
            p[k] = row;
            n[k] = m->n;
        }
    }
    if (status == BIGINT_OK) {
        residues_put_all(&g->f, x, p, n);
    }
    return status;
}

// put_forms: x = the Montgomery forms of the items' numbers; 1 where s is NULL. Uses g->rows.
static bigint_status put_forms(bigint_ctx *ctx, const group *g, uint64_t *x, const bigint_span *s) {
    bigint_status status = BIGINT_OK;
    if (g->square != NULL) {
        status = put_all(ctx, g, x, s);
        return status == BIGINT_OK ? residues_mul(ctx, &g->f, x, x, g->square, NULL, 0) : status;
    }
    uint64_t one = 1;
    const uint64_t *p[RESIDUES_MAX];
    size_t n[RESIDUES_MAX];
    for (unsigned k = 0; k < g->f.count && status == BIGINT_OK; k++) {
        const batch_item a = s == NULL ? (batch_item){&one, 1} : batch_normal(s, g->items[k]);
        uint64_t *const row = g->rows + k * g->f.limbs;
        status = residues_form(ctx, g->job->who, &g->f, k, row, a.p, a.n);
        p[k] = row;
        n[k] = g->f.numbers[k].n;
    }
    if (status == BIGINT_OK) {
        residues_put_all(&g->f, x, p, n);
    }
    return status;
}

// store: the items' results from g->rows.
static void store(const group *g) {
    for (unsigned k = 0; k < g->f.count; k++) {
        const batch_item r = batch_staged_item(&g->job->r, g->items[k]);
        const uint64_t n = g->f.numbers[k].n;
        memcpy(r.p, g->rows + k * g->f.limbs, n * sizeof *r.p);
        memset(r.p + n, 0, (r.n - n) * sizeof *r.p);
    }
}

// --- Powers --------------------------------------------------------------------------------------

// window_bits: windows of w bits cost 2^w products once and one for every w bits.
static unsigned window_bits(uint64_t bits) {
    unsigned w = 1;
    while (bits > SPARSE_BITS && w < WINDOW_MAX && (UINT64_C(1) << w) < bits / w - bits / (w + 1)) {
        w++;
    }
    return w;
}

// fill: table[i] = x^i, i < 2^w, given table[0], the form of 1, and table[1].
static bigint_status fill(bigint_ctx *ctx, const residues *f, uint64_t *table, unsigned w) {
    bigint_status status = BIGINT_OK;
    for (uint64_t i = 2; i >> w == 0 && status == BIGINT_OK; i++) {
        // Even powers are squares, which cost less.
        const uint64_t *const a = table + (i % 2 == 0 ? i / 2 : i - 1) * f->words;
        const uint64_t *const b = i % 2 == 0 ? a : table + f->words;
        status = residues_mul(ctx, f, table + i * f->words, a, b, NULL, 0);
    }
    return status;
}

// pick: the powers for bits [begin, begin + w) of each exponent: an entry of the table if all are
// alike, otherwise collected in `own`; NULL if all bits are 0.
static const uint64_t *pick(const group *g, const uint64_t *table, uint64_t *own, uint64_t begin,
                            unsigned w) {
    const residues *const f = &g->f;
    const uint64_t *from[RESIDUES_MAX];
    bool alike = true;
    for (unsigned k = 0; k < f->count; k++) {
        const batch_item e = batch_item_of(g->job->b, g->items[k]);
        from[k] = table + limbs_bits(e.p, e.n, begin, w) * f->words;
        alike = alike && from[k] == from[0];
    }
    if (alike) {
        return from[0] == table ? NULL : from[0];
    }
    for (unsigned k = 0; k < f->count; k++) {
        for (size_t i = k; i < f->words; i += MONTGOMERY_LANES) {
            own[i] = from[k][i];
        }
    }
    return own;
}

// raise: g->rows = the powers. The highest window may reach beyond the longest exponent.
static bigint_status raise(bigint_ctx *ctx, const group *g) {
    const residues *const f = &g->f;
    uint64_t bits = 0;
    for (unsigned k = 0; k < f->count; k++) {
        const uint64_t its = exponent_bits(g->job, g->items[k]);
        bits = its > bits ? its : bits;
    }
    const unsigned w = window_bits(bits);
    uint64_t *const table = arena_take_limbs(ctx, g->job->who, f->words << w);
    uint64_t *const x = table == NULL ? NULL : residues_new(ctx, g->job->who, f);
    uint64_t *const own = x == NULL ? NULL : residues_new(ctx, g->job->who, f);
    if (own == NULL) {
        return BIGINT_ENOMEM;
    }
    memset(table, 0, 2 * f->words * sizeof *table);  // lanes without a number too
    bigint_status status = put_forms(ctx, g, table, NULL);
    status = status == BIGINT_OK ? put_forms(ctx, g, table + f->words, g->job->a) : status;
    status = status == BIGINT_OK ? fill(ctx, f, table, w) : status;
    uint64_t left = bits == 0 ? 0 : (bits - 1) / w * w;
    const uint64_t *factor = status == BIGINT_OK ? pick(g, table, own, left, w) : NULL;
    memcpy(x, factor == NULL ? table : factor, f->words * sizeof *x);
    while (left > 0 && status == BIGINT_OK) {
        for (unsigned i = 0; i < w && status == BIGINT_OK; i++) {
            status = residues_mul(ctx, f, x, x, x, NULL, 0);
        }
        left -= w;
        factor = pick(g, table, own, left, w);
        if (factor != NULL && status == BIGINT_OK) {
            status = residues_mul(ctx, f, x, x, factor, NULL, 0);
        }
    }
    return status == BIGINT_OK ? residues_get(ctx, f, g->rows, x) : status;
}

// --- Products ------------------------------------------------------------------------------------

// multiply: g->rows = the products, modulo the common number: (a b / R) R^2 / R.
static bigint_status multiply(bigint_ctx *ctx, const group *g) {
    const residues *const f = &g->f;
    const bool squares = g->job->a == g->job->b;
    uint64_t *const x = residues_new(ctx, g->job->who, f);
    uint64_t *const y = x == NULL || squares ? x : residues_new(ctx, g->job->who, f);
    bigint_status status = y == NULL ? BIGINT_ENOMEM : put_all(ctx, g, x, g->job->a);
    if (status == BIGINT_OK && !squares) {
        status = put_all(ctx, g, y, g->job->b);
    }
    status = status == BIGINT_OK ? residues_mul(ctx, f, x, x, y, NULL, 0) : status;
    status = status == BIGINT_OK ? residues_mul(ctx, f, x, x, g->square, NULL, 0) : status;
    if (status == BIGINT_OK) {
        residues_read(f, g->rows, x);
    }
    return status;
}

// group_bytes: more than a group of several takes: the table and eight elements more, sums, rows,
// and a division of a number to its form. 0, unknown, for one item.
static uint64_t group_bytes(const lanes_job *l, uint64_t index) {
    const batch_modular_job *const j = l->job;
    const uint64_t i = l->items[l->groups[index].begin];
    if (l->groups[index].count == 1) {
        return 0;
    }
    const odd_number m = modulus_of(j, i);
    const size_t digits = montgomery_lanes_digits(odd_number_bits(&m)) + 4;  // in its class
    const uint64_t bits = j->lanes == BATCH_LANES_POWERS ? 2 * exponent_bits(j, i) : 0;  // likewise
    const uint64_t elements = 8 + (bits == 0 ? 0 : UINT64_C(1) << window_bits(bits));
    return (elements * MONTGOMERY_LANES * digits + montgomery_lanes_sums_words(digits) +
            32 * digits + 4 * batch_normal(j->a, i).n + 512) *
           sizeof(uint64_t);
}

// --- Items ---------------------------------------------------------------------------------------

// run_group is a batch_task.
static bigint_status run_group(bigint_ctx *ctx, void *arg, uint64_t i) {
    const lanes_job *const l = arg;
    batch_modular_job *const j = l->job;
    if (l->groups[i].count == 1) {
        return j->task(ctx, j, l->items[l->groups[i].begin]);
    }
    const arena_mark mark = arena_get_mark(ctx);
    group g;
    bigint_status status = group_open(ctx, &g, l, i);
    if (status == BIGINT_OK) {
        status = j->lanes == BATCH_LANES_POWERS ? raise(ctx, &g) : multiply(ctx, &g);
    }
    if (status == BIGINT_OK) {
        store(&g);
    }
    arena_release(ctx, mark);
    return status;
}

// enough_powers: whether eight at once finish sooner than one by one on all threads, although some
// threads would have no group.
static bool enough_powers(const bigint_ctx *ctx, uint64_t count) {
    return count > (uint64_t)BATCH_LANES_POWERS_LEAST * (team_size(ctx->team) - 1);
}

// enough_products: whether the preparation of the common modulus pays.
static bool enough_products(const odd_number *m, uint64_t count) {
    return m->n >= BATCH_LANES_PRODUCTS_LIMBS &&
           (double)count * (double)m->n * (double)m->n >= BATCH_LANES_PRODUCTS_WORK;
}

bool batch_lanes_serves(const bigint_ctx *ctx, const batch_modular_job *j) {
    const uint64_t count = j->modulus->count;
    const bool common = batch_is_common(j->modulus);
    const odd_number m = modulus_of(j, 0);
    if (count <= 1 || !residues_in_lanes(ctx, common ? odd_number_bits(&m) : 64) ||
        (common && (m.p[0] & 1) == 0)) {
        return false;
    }
    return j->lanes == BATCH_LANES_POWERS
               ? enough_powers(ctx, count)
               : j->lanes == BATCH_LANES_PRODUCTS && common && enough_products(&m, count);
}

bigint_status batch_lanes_run(bigint_ctx *ctx, batch_modular_job *j) {
    lanes_job l = {.job = j};
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = form_groups(ctx, &l);
    if (status == BIGINT_OK && batch_is_common(j->modulus)) {
        status = open_common(ctx, &l);
    }
    if (status == BIGINT_OK) {
        const uint64_t longest = longest_group(&l);
        status = batch_items(ctx, j->who, run_group, &l, l.groups_count, longest,
                             group_bytes(&l, longest));
    }
    arena_release(ctx, mark);
    return status;
}
