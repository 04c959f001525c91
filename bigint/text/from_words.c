// from_words.c: words of digits to limbs: Horner's rule in the leaves, then pairs of neighbours are
// joined, low + 10^k high, level by level.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/tune.h"
#include "bigint/multiply/mul.h"
#include "bigint/multiply/operand.h"
#include "bigint/text/plan.h"
#include "bigint/text/text.h"

// Limbs of a row that a call would take longer for.
enum { HORNER_FEW = 7 };

// from_words_leaf: in place from the top: before each step the number made of the upper words
// stands above the next word, and grows downwards by one limb.
static void from_words_leaf(const limbs_ops *ops, uint64_t radix, uint64_t *p, uint64_t n) {
    uint64_t len = 1;
    for (; len < n && len <= HORNER_FEW; len++) {  // the word is the carry into the row
        uint64_t *const low = p + n - 1 - len, carry = *low;
        for (uint64_t i = 0; i < len; i++) {
            const word_pair t = (word_pair)low[i + 1] * radix + carry;
            low[i] = (uint64_t)t;
            carry = (uint64_t)(t >> 64);
        }
        low[len] = carry;
    }
    for (; len < n; len++) {
        uint64_t *const low = p + n - 1 - len, word = *low;
        low[len] = ops->mul_1(low, low + 1, len, radix);
        const uint64_t carry = limbs_add_1(low, low, len + 1, word);
        assert(carry == 0);  // below 10^(19 (len + 1)) < B^(len + 1)
        (void)carry;
    }
}

// leaves_job: the leaves of {p, n}, some to a task.
typedef struct {
    const limbs_ops *ops;
    uint64_t radix, *p, n, leaf;
} leaves_job;

enum { LEAVES_PER_TASK = 16 };

static void leaves_task(void *arg, size_t index, unsigned worker) {
    const leaves_job *const job = arg;
    const uint64_t step = LEAVES_PER_TASK * job->leaf, begin = index * step;
    const uint64_t end = job->n - begin < step ? job->n : begin + step;
    (void)worker;
    for (uint64_t at = begin; at < end; at += job->leaf) {
        from_words_leaf(job->ops, job->radix, job->p + at,
                        end - at < job->leaf ? end - at : job->leaf);
    }
}

// A level of the tree: nodes of `half` limbs, each below 10^k are joined in pairs.
typedef struct {
    const char *who;        // the call, for texts of errors
    uint64_t half;          // limbs from node to node
    uint64_t used;          // limbs of a number below 10^k; zeros above them
    text_power power;       // 5^k
    mul_operand *prepared;  // NULL if there is one pair only
    uint64_t *product;      // used + power.n + 1 limbs
    double done, levels;    // for context_report: the leaves, and each level, count as one
} level;

// join: {base, n} = {base, half} + 10^k {base + half, n - half}, half < n <= 2 half. Lengths are
// limited to those that right numbers have, so that wrong ones stay within their limbs too.
static bigint_status join(bigint_ctx *ctx, const level *s, uint64_t *base, uint64_t n) {
    const uint64_t half = s->half, most = s->used < n - half ? s->used : n - half;
    const uint64_t hn = limbs_normalize(base + half, most);
    assert(limbs_normalize(base + half, n - half) == hn);
    if (hn == 0) {
        return BIGINT_OK;
    }
    const bigint_status status =
        s->prepared != NULL
            ? mul_operand_mul(ctx, s->product, base + half, hn, s->prepared)
            : bigint_mul_limbs(ctx, s->product, base + half, hn, s->power.p, s->power.n);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t twos = text_power_twos(&s->power), shift = twos / 64, all = hn + s->power.n;
    s->product[all] = limbs_lshift(s->product, s->product, all, (unsigned)(twos % 64));
    // As long as the low part at least: used <= shift + power.n + 1. And the sum is below B^n.
    const uint64_t pn = all + 1 < n - shift ? all + 1 : n - shift;
    assert(pn >= s->used - shift && limbs_normalize(s->product, all + 1) <= pn);
    const uint64_t carry = limbs_add(base + shift, s->product, pn, base + shift, s->used - shift);
    memset(base + shift + pn, 0, (n - shift - pn) * sizeof *base);
    if (shift + pn < n) {
        base[shift + pn] = carry;
    }
    assert(shift + pn < n || carry == 0);
    return BIGINT_OK;
}

// join_level: one level over the whole array, and its progress.
static bigint_status join_level(bigint_ctx *ctx, level *s, uint64_t *p, uint64_t n) {
    const arena_mark mark = arena_get_mark(ctx);
    bigint_status status = BIGINT_OK;
    s->used = (text_power_of_ten_bits(&s->power) + 63) / 64;
    s->prepared = NULL;
    if (n > 3 * s->half) {
        status = mul_operand_prepare(ctx, &s->prepared, s->power.p, s->power.n, s->used);
    }
    s->product = arena_take_limbs(ctx, s->who, s->used + s->power.n + 1);
    if (s->product == NULL) {
        status = BIGINT_ENOMEM;
    }
    for (uint64_t at = 0; status == BIGINT_OK && n - at > s->half;) {
        const uint64_t left = n - at, both = left < 2 * s->half ? left : 2 * s->half;
        status = join(ctx, s, p + at, both);
        at += both;
        if (status == BIGINT_OK &&
            !context_report(ctx, s->done + (double)at / (double)n, s->levels)) {
            status = context_canceled(ctx, s->who);
        }
    }
    s->done++;
    arena_release(ctx, mark);
    return status;
}

// join_all: joins the leaves of {p, n}, of `leaf` words each.
static bigint_status join_all(bigint_ctx *ctx, const char *who, const text_radix *radix,
                              uint64_t *p, uint64_t n, uint64_t leaf) {
    uint64_t top = 0;   // the largest power of ten needed, in words
    double levels = 1;  // the leaves and the levels above them
    for (uint64_t half = leaf; half < n; half *= 2) {
        top = half;
        levels++;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *memory[2];
    memory[0] = arena_take_limbs(ctx, who, text_power_limbs(radix, top));
    memory[1] = memory[0] == NULL ? NULL : arena_take_limbs(ctx, who, text_power_limbs(radix, top));
    bigint_status status = memory[1] == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    level s = {.who = who, .half = leaf, .power.p = memory[0], .done = 1, .levels = levels};
    if (status == BIGINT_OK) {
        status = text_power_of_words(ctx, &s.power, radix, leaf);
    }
    for (unsigned turn = 1; status == BIGINT_OK; turn ^= 1) {
        status = join_level(ctx, &s, p, n);
        s.half *= 2;
        if (status != BIGINT_OK || s.half >= n) {
            break;
        }
        text_power square = {.p = memory[turn]};
        status = text_power_square(ctx, &square, &s.power);
        s.power = square;
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status text_from_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                              uint64_t *p, uint64_t n) {
    if (radix->shift != 0) {
        return BIGINT_OK;
    }
    unsigned levels;
    const uint64_t leaf = text_leaf(n, TEXT_READ_LEAF, &levels);
    if (leaf == n) {
        from_words_leaf(ctx->limbs, radix->word, p, n);
        return BIGINT_OK;
    }
    leaves_job leaves = {ctx->limbs, radix->word, p, n, leaf};
    team_run(n < TEXT_TREE_THRESHOLD ? NULL : ctx->team, leaves_task, &leaves,
             (n + LEAVES_PER_TASK * leaf - 1) / (LEAVES_PER_TASK * leaf));
    const reporting before = ctx->reports;
    ctx->reports = REPORT_PARTS;
    const bigint_status status = join_all(ctx, who, radix, p, n, leaf);
    ctx->reports = before;
    return status;
}
