// tree.c: limbs to words of digits by a scaled remainder tree. Numbers are kept as fractions of
// powers of the base, so that after one division at the root only products are needed. Proof:
// docs/proofs/text.md.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"
#include "primitives/words/word.h"

// No tree is deeper: 2^58 words do not fit in memory.
enum { LEVELS_MAX = 58 };

typedef struct {
    const char *who;  // the call, for texts of errors
    const text_radix *radix;
    uint64_t leaf;    // words
    unsigned levels;  // the root's level: leaf 2^levels words or more are needed
    text_power power[LEVELS_MAX + 1];
} tree;

static uint64_t nodes_of_level(const tree *t, unsigned j, uint64_t words) {
    return word_ceil_div(words, t->leaf << j);
}

// What progress counts: the splits of a level are 1, and so are all leaves. At 10^8 digits the
// powers and the division at the root take as long as about this many levels.
enum { POWERS_WORK = 2, DIVISION_WORK = 18, ROOT_WORK = POWERS_WORK + DIVISION_WORK };

static double all_work(const tree *t) { return ROOT_WORK + t->levels + 1; }

// --- Powers ---

static bigint_status tree_powers(bigint_ctx *ctx, tree *t, uint64_t words) {
    t->leaf = text_leaf(words, TEXT_TREE_LEAF, &t->levels);
    for (unsigned j = 0; j <= t->levels; j++) {
        t->power[j].p = arena_take_limbs(ctx, t->who, text_power_limbs(t->radix, t->leaf << j));
        if (t->power[j].p == NULL) {
            return BIGINT_ENOMEM;
        }
        const bigint_status status = j == 0
                                         ? text_power_of_words(ctx, &t->power[0], t->radix, t->leaf)
                                         : text_power_square(ctx, &t->power[j], &t->power[j - 1]);
        if (status != BIGINT_OK) {
            return status;
        }
    }
    return BIGINT_OK;
}

// --- Levels ---

// A level being split: a node of m limbs becomes two of half_m.
typedef struct {
    const char *who;
    uint64_t m, half_m;
    const text_power *power;  // 5^k of the halves
    mul_wrap *wrap;           // 5^k for products modulo B^w + 1, w > m; or NULL and
    mul_operand *prepared;    // 5^k for whole ones, or NULL for one node
    uint64_t *product;        // m + power->n limbs, or w + 2
    text_units units;
} level;

// recentre: f += (1/2 - g) / 10^k for g = g_top / B: sets d of {fp, half_m} back from g to 1/2.
static void recentre(const level *s, uint64_t *fp, uint64_t g_top) {
    const uint64_t half = (uint64_t)1 << 63;
    const bool up = g_top < half;
    const word_pair ulps =
        (word_pair)(up ? half - g_top : g_top - half) * s->units.inverse >> s->units.shift;
    const uint64_t low = (uint64_t)ulps, high = (uint64_t)(ulps >> 64);
    uint64_t carry;
    if (up) {
        carry = limbs_add_1(fp, fp, s->half_m, low);
        carry += limbs_add_1(fp + 1, fp + 1, s->half_m - 1, high);
    } else {
        carry = limbs_sub_1(fp, fp, s->half_m, low);
        carry += limbs_sub_1(fp + 1, fp + 1, s->half_m - 1, high);
    }
    assert(carry == 0);  // 0 < f < 1 before and after
    (void)carry;
}

// multiply: {product, *n} = {fp, m} 5^k, or its residue. Of the product the half's fraction is
// wanted alone, so the limbs above may be lost, and come off at the bottom: that lowers the
// fraction by one ulp at most.
static bigint_status multiply(bigint_ctx *ctx, const level *s, uint64_t *n, const uint64_t *fp) {
    const uint64_t m = s->m, pn = s->power->n;
    if (s->wrap != NULL) {
        *n = mul_wrap_limbs(s->wrap) + 1;
        return mul_wrap_mul(ctx, s->who, s->product, fp, m, s->wrap);
    }
    *n = m + pn;
    return s->prepared != NULL ? mul_operand_mul(ctx, s->product, fp, m, s->prepared)
                               : bigint_mul_limbs(ctx, s->product, fp, m, s->power->p, pn);
}

// split: {low, half_m} and, if wanted, {high, half_m} from the node {fp, m}.
static bigint_status split(bigint_ctx *ctx, const level *s, uint64_t *low, uint64_t *high,
                           const uint64_t *fp) {
    uint64_t n;
    const bigint_status status = multiply(ctx, s, &n, fp);
    if (status != BIGINT_OK) {
        return status;
    }
    // The product's unit is B^-m 2^k: the half's fraction begins k bits below the product's point.
    const uint64_t units = 64 * (s->m - s->half_m), twos = text_power_twos(s->power);
    assert(units >= twos);
    text_cut(low, s->half_m, s->product, n, units - twos);
    if (high != NULL) {
        memcpy(high, fp + (s->m - s->half_m), s->half_m * sizeof *high);
        recentre(s, high, low[s->half_m - 1]);
    }
    return BIGINT_OK;
}

static void level_init(level *s, const char *who, const text_power *power, const text_power *half) {
    *s = (level){.who = who,
                 .m = text_fraction_limbs(power),
                 .half_m = text_fraction_limbs(half),
                 .power = half};
    const unsigned shift = word_clz(half->p[half->n - 1]);
    uint64_t top = half->p[half->n - 1] << shift;
    if (shift != 0 && half->n > 1) {
        top |= half->p[half->n - 2] >> (64 - shift);
    }
    s->units = text_units_of(top, s->half_m, text_power_of_ten_bits(half));
}

// level_prepare: 5^k for that many products, and their room.
static bigint_status level_prepare(bigint_ctx *ctx, level *s, uint64_t nodes) {
    const text_power *const power = s->power;
    bigint_status status =
        mul_wrap_prepare(ctx, s->who, &s->wrap, power->p, power->n, s->m, s->m + 1);
    if (status == BIGINT_OK && s->wrap == NULL && nodes > 1) {
        status = mul_operand_prepare(ctx, &s->prepared, power->p, power->n, s->m);
    }
    const uint64_t wrapped = s->wrap != NULL ? mul_wrap_limbs(s->wrap) + 2 : 0;
    s->product =
        arena_take_limbs(ctx, s->who, s->m + power->n < wrapped ? wrapped : s->m + power->n);
    return status == BIGINT_OK && s->product == NULL ? BIGINT_ENOMEM : status;
}

// split_level: turns the nodes of level j at `from` into the nodes of level j - 1 at `to`, and
// reports progress after each node.
static bigint_status split_level(bigint_ctx *ctx, const tree *t, unsigned j, uint64_t words,
                                 uint64_t *to, const uint64_t *from) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t nodes = nodes_of_level(t, j, words), halves = nodes_of_level(t, j - 1, words);
    level s;
    level_init(&s, t->who, &t->power[j], &t->power[j - 1]);
    bigint_status status = level_prepare(ctx, &s, nodes);
    for (uint64_t i = 0; status == BIGINT_OK && i < nodes; i++) {
        uint64_t *const low = to + 2 * i * s.half_m;
        status = split(ctx, &s, low, 2 * i + 1 < halves ? low + s.half_m : NULL, from + i * s.m);
        const double level_done = (double)(i + 1) / (double)nodes;
        if (status == BIGINT_OK &&
            !context_report(ctx, ROOT_WORK + (t->levels - j) + level_done, all_work(t))) {
            status = context_canceled(ctx, t->who);
        }
    }
    arena_release(ctx, mark);
    return status;
}

// --- Leaves ---

typedef struct {
    const limbs_ops *ops;
    const text_radix *radix;
    uint64_t *words, count, leaf;  // words of the number, of a leaf
    uint64_t *fractions, m;        // a leaf's limbs
} leaves_job;

static void leaf_task(void *arg, size_t index, unsigned worker) {
    const leaves_job *const job = arg;
    const uint64_t at = index * job->leaf;
    (void)worker;
    text_fraction_words(job->ops, job->radix, job->words + at, job->count - at, job->leaf,
                        job->fractions + index * job->m, job->m);
}

// --- All ---

static bigint_status tree_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                                uint64_t *words, uint64_t count, const uint64_t *ap, uint64_t an) {
    tree t = {.who = who, .radix = radix};
    bigint_status status = tree_powers(ctx, &t, count);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!context_report(ctx, POWERS_WORK, all_work(&t))) {
        return context_canceled(ctx, who);
    }
    uint64_t most = 0;  // limbs of a level's nodes together
    for (unsigned j = 0; j <= t.levels; j++) {
        const uint64_t limbs = nodes_of_level(&t, j, count) * text_fraction_limbs(&t.power[j]);
        most = most < limbs ? limbs : most;
    }
    // The division at the root takes the most workspace, so the second array is taken after it.
    uint64_t *nodes[2] = {arena_take_limbs(ctx, who, most), NULL};
    ctx->division = (context_part){POWERS_WORK, DIVISION_WORK, all_work(&t)};
    status = nodes[0] == NULL ? BIGINT_ENOMEM
                              : text_fraction(ctx, who, nodes[0], &t.power[t.levels], ap, an);
    ctx->division = (context_part){0};
    if (status == BIGINT_OK) {
        nodes[1] = arena_take_limbs(ctx, who, most);
        status = nodes[1] == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    unsigned now = 0;
    for (unsigned j = t.levels; status == BIGINT_OK && j > 0; j--, now ^= 1) {
        status = split_level(ctx, &t, j, count, nodes[now ^ 1], nodes[now]);
    }
    if (status == BIGINT_OK) {
        leaves_job leaves = {
            ctx->limbs, radix, words, count, t.leaf, nodes[now], text_fraction_limbs(&t.power[0])};
        team_run(ctx->team, leaf_task, &leaves, nodes_of_level(&t, 0, count));
        context_report(ctx, all_work(&t), all_work(&t));
    }
    return status;
}

bigint_status text_tree_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                              uint64_t *words, uint64_t count, const uint64_t *ap, uint64_t an) {
    const arena_mark mark = arena_get_mark(ctx);
    const reporting before = ctx->reports;
    ctx->reports = REPORT_PARTS;
    const bigint_status status = tree_words(ctx, who, radix, words, count, ap, an);
    ctx->reports = before;
    arena_release(ctx, mark);
    return status;
}
