// lanes.c: powers and products of a batch modulo odd numbers, eight items at once, one in each lane
// of AVX-512 IFMA. It groups items of similar cost and computes the groups.
#include "bigint/batch/lanes.h"

#include <string.h>

#include "bigint/batch/batch.h"
#include "bigint/batch/items.h"
#include "bigint/batch/lanes_group.h"
#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/montgomery_lanes.h"
#include "bigint/modular/residues.h"
#include "primitives/words/word.h"

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

// --- Groups --------------------------------------------------------------------------------------

// too_short: whether items with moduli of n limbs are faster one by one.
static bool too_short(batch_lanes_kind lanes, uint64_t n) {
    return lanes == BATCH_LANES_POWERS && n < BATCH_LANES_POWERS_LIMBS;
}

static size_t class_of(const bigint_ctx *ctx, const batch_modular_job *j, uint64_t i) {
    const odd_number m = lanes_modulus(j, i);
    const uint64_t bits = odd_number_bits(&m);
    if (too_short(j->lanes, m.n) || (m.p[0] & 1) == 0 || !residues_in_lanes(ctx, bits)) {
        return 0;
    }
    const uint64_t length = j->lanes == BATCH_LANES_POWERS ? lanes_exponent_bits(j, i) : 0;
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
        const uint64_t length = j->lanes == BATCH_LANES_POWERS ? lanes_exponent_bits(j, i) : 0;
        const uint64_t size = l->groups[g].count * lanes_modulus(j, i).n * (16 + length / 64);
        longest = size > most ? g : longest;
        most = size > most ? size : most;
    }
    return longest;
}

// square_bits: R^2 = 2^this for moduli of `bits` bits.
static uint64_t square_bits(uint64_t bits) {
    return 2 * MONTGOMERY_LANES_BITS * montgomery_lanes_digits(bits);
}

// open_common: the modulus of all items, and R^2.
static bigint_status open_common(bigint_ctx *ctx, lanes_job *l) {
    const char *const who = l->job->who;
    const odd_number m = lanes_modulus(l->job, 0);
    const uint64_t *p[RESIDUES_MAX];
    size_t n[RESIDUES_MAX];
    for (unsigned k = 0; k < RESIDUES_MAX; k++) {
        l->moduli[k] = m;
    }
    bigint_status status = residues_init(ctx, who, &l->common, l->moduli, RESIDUES_MAX);
    const uint64_t bits = square_bits(odd_number_bits(&m));
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

static bigint_status group_open(bigint_ctx *ctx, lanes_group *g, const lanes_job *l,
                                uint64_t index) {
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
            g->moduli[k] = lanes_modulus(g->job, g->items[k]);
        }
        status = residues_init(ctx, who, &g->f, g->moduli, count);
    }
    g->rows = status == BIGINT_OK ? arena_take_limbs(ctx, who, count * g->f.limbs) : NULL;
    return g->rows == NULL ? BIGINT_ENOMEM : BIGINT_OK;
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
    lanes_group g;
    bigint_status status = group_open(ctx, &g, l, i);
    status = status == BIGINT_OK ? lanes_group_run(ctx, &g) : status;
    arena_release(ctx, mark);
    return status;
}

// enough_powers: whether eight at once finish sooner than one by one on all threads, although some
// threads would have no group.
static bool enough_powers(const bigint_ctx *ctx, uint64_t count) {
    return count > (uint64_t)BATCH_LANES_POWERS_LEAST * (team_size(ctx->team) - 1);
}

// enough_products: whether the preparation of the common modulus of n limbs pays.
static bool enough_products(uint64_t n, uint64_t count) {
    return n >= BATCH_LANES_PRODUCTS_LIMBS &&
           (double)count * (double)n * (double)n >= BATCH_LANES_PRODUCTS_WORK;
}

bool batch_lanes_possible(const bigint_ctx *ctx, const batch_modular_size *size) {
    return size->count > 1 && size->mn > 0 && residues_in_lanes(ctx, 64 * size->mn - 63) &&
           (size->lanes == BATCH_LANES_POWERS
                ? enough_powers(ctx, size->count)
                : size->lanes == BATCH_LANES_PRODUCTS && enough_products(size->mn, size->count));
}

bool batch_lanes_serves(const bigint_ctx *ctx, const batch_modular_job *j) {
    const uint64_t count = j->modulus->count;
    const bool common = batch_is_common(j->modulus);
    const odd_number m = lanes_modulus(j, 0);
    if (count <= 1 || !residues_in_lanes(ctx, common ? odd_number_bits(&m) : 64) ||
        (common && (m.p[0] & 1) == 0)) {
        return false;
    }
    return j->lanes == BATCH_LANES_POWERS
               ? enough_powers(ctx, count)
               : j->lanes == BATCH_LANES_PRODUCTS && common && enough_products(m.n, count);
}

// class_most: no class of moduli of n limbs is higher.
static uint64_t class_most(uint64_t n) {
    return 1 + montgomery_lanes_digits(64 * n) / 4 * LENGTHS + LENGTHS;
}

// common_need: open_common, whose memory stays.
static void common_need(work_need *w, uint64_t n) {
    const uint64_t words = residues_need(w, n, RESIDUES_MAX);
    need_take_limbs(&w->host, words);
    need_take_limbs(&w->host, n);
    need_take_limbs(&w->host, square_bits(64 * n) / 64 + 1);
    divrem_limbs_need(w, square_bits(64 * n) / 64 + 1, n);
}

static void group_need(work_need *w, const void *arg) {
    const batch_modular_size *const size = arg;
    lanes_group_need(w, size);
    size->item(w, size);
}

void batch_lanes_need(work_need *w, const batch_modular_size *size) {
    const uint64_t in_use = w->host.in_use, count = size->count;
    need_take_limbs(&w->host, count);
    need_take(&w->host, count * sizeof(residues_group));
    need_take_limbs(&w->host, count);
    need_take_limbs(&w->host, class_most(size->mn) + 2);
    common_need(w, size->mn);
    if (too_short(size->lanes, size->mn)) {
        batch_items_need(w, size->item, size, count, 0);
    } else {
        batch_items_need(w, group_need, size, count, lanes_bytes(size));
    }
    need_release(&w->host, in_use);
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
        const residues_group *const g = &l.groups[longest];
        status = batch_items(ctx, j->who, run_group, &l, l.groups_count, longest,
                             g->count > 1 ? lanes_group_bytes(j, l.items[g->begin]) : 0);
    }
    arena_release(ctx, mark);
    return status;
}
