// lanes_group.c: see lanes_group.h.
#include "bigint/batch/lanes_group.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/montgomery_lanes.h"
#include "primitives/words/word.h"

// A table of 2^w powers is kept for eight numbers: 640 KiB for 8192 bits at w = 6. Exponents of
// half a word, such as 3 or 65537, are mostly zeros, which windows of one bit skip.
enum { WINDOW_MAX = 6, SPARSE_BITS = 32 };

odd_number lanes_modulus(const batch_modular_job *j, uint64_t item) {
    const batch_item m = batch_normal(j->modulus, item);
    return (odd_number){m.p, m.n};
}

uint64_t lanes_exponent_bits(const batch_modular_job *j, uint64_t item) {
    const batch_item e = batch_normal(j->b, item);
    return e.n == 0 ? 0 : 64 * e.n - word_clz(e.p[e.n - 1]);
}

// --- Numbers in lanes ----------------------------------------------------------------------------

// put_all: x = the items' numbers, not their forms, up to a multiple of M, below 4 M, which
// products take; 1 where s is NULL. Uses g->rows.
static bigint_status put_all(bigint_ctx *ctx, const lanes_group *g, uint64_t *x,
                             const bigint_span *s) {
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
static bigint_status put_forms(bigint_ctx *ctx, const lanes_group *g, uint64_t *x,
                               const bigint_span *s) {
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
static void store(const lanes_group *g) {
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
static const uint64_t *pick(const lanes_group *g, const uint64_t *table, uint64_t *own,
                            uint64_t begin, unsigned w) {
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
static bigint_status raise(bigint_ctx *ctx, const lanes_group *g) {
    const residues *const f = &g->f;
    uint64_t bits = 0;
    for (unsigned k = 0; k < f->count; k++) {
        const uint64_t its = lanes_exponent_bits(g->job, g->items[k]);
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
static bigint_status multiply(bigint_ctx *ctx, const lanes_group *g) {
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

// --- A group -------------------------------------------------------------------------------------

// bytes_of: for moduli of `bits` bits, exponents of exponent_bits, and numbers of an limbs: the
// table and eight elements more, sums, rows, and a division of a number to its form.
static uint64_t bytes_of(uint64_t bits, uint64_t exponent_bits, uint64_t an) {
    const size_t digits = montgomery_lanes_digits(bits) + 4;  // in its class
    const uint64_t most = 2 * exponent_bits;                  // likewise
    const uint64_t elements = 8 + (most == 0 ? 0 : UINT64_C(1) << window_bits(most));
    return (elements * MONTGOMERY_LANES * digits + montgomery_lanes_sums_words(digits) +
            32 * digits + 4 * an + 512) *
           sizeof(uint64_t);
}

uint64_t lanes_group_bytes(const batch_modular_job *j, uint64_t item) {
    const odd_number m = lanes_modulus(j, item);
    return bytes_of(odd_number_bits(&m),
                    j->lanes == BATCH_LANES_POWERS ? lanes_exponent_bits(j, item) : 0,
                    batch_normal(j->a, item).n);
}

uint64_t lanes_bytes(const batch_modular_size *size) {
    return bytes_of(64 * size->mn, size->exponent_bits, size->an);
}

void lanes_group_need(work_need *w, const batch_modular_size *size) {
    const uint64_t in_use = w->host.in_use, n = size->mn,
                   longer = size->an > size->bn ? size->an : size->bn;
    const uint64_t words = residues_need(w, n, RESIDUES_MAX);
    need_take_limbs(&w->host, RESIDUES_MAX * n);
    if (size->lanes == BATCH_LANES_POWERS) {
        need_take_limbs(&w->host, words << window_bits(size->exponent_bits));
    }
    need_take_limbs(&w->host, words);
    need_take_limbs(&w->host, words);
    residues_form_need(w, size->an, n, RESIDUES_MAX);
    if (longer >= n) {
        divrem_limbs_need(w, longer, n);
    }
    need_release(&w->host, in_use);
}

bigint_status lanes_group_run(bigint_ctx *ctx, lanes_group *g) {
    const bigint_status status =
        g->job->lanes == BATCH_LANES_POWERS ? raise(ctx, g) : multiply(ctx, g);
    if (status == BIGINT_OK) {
        store(g);
    }
    return status;
}
