// residues.c: see residues.h.
#include "bigint/modular/residues.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/tune.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/montgomery.h"
#include "bigint/modular/montgomery_lanes.h"
#include "bigint/modular/plan.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/inverse.h"

uint64_t odd_number_bits(const odd_number *x) { return 64 * x->n - word_clz(x->p[x->n - 1]); }

void odd_number_sub(uint64_t *rp, const uint64_t *ap, const uint64_t *bp, const odd_number *m) {
    if (limbs_sub_n(rp, ap, bp, m->n) != 0) {
        limbs_add_n(rp, rp, m->p, m->n);
    }
}

bool residues_in_lanes(const bigint_ctx *ctx, uint64_t bits) {
    return ctx->limbs->table == LIMBS_IFMA && montgomery_lanes_built() &&
           montgomery_lanes_digits(bits) <= MONTGOMERY_LANES_DIGITS_MAX;
}

void residues_cut(residues_group *groups, uint64_t *used, uint64_t begin, uint64_t count,
                  size_t digits, bool in_lanes) {
    const bool few = digits <= RESIDUES_LANES_FEW_DIGITS && digits != RESIDUES_LANES_REDC_DIGITS;
    const uint64_t least = !in_lanes ? RESIDUES_MAX + 1
                           : few     ? RESIDUES_LANES_FEW_LEAST
                                     : RESIDUES_LANES_LEAST;
    while (count > 0) {
        const uint64_t most = count < RESIDUES_MAX ? count : RESIDUES_MAX;
        const unsigned its = most < least ? 1 : (unsigned)most;
        groups[(*used)++] = (residues_group){begin, its};
        begin += its;
        count -= its;
    }
}

uint64_t residues_need(work_need *w, uint64_t n, unsigned count) {
    uint64_t words;
    if (count > 1) {
        const size_t digits = montgomery_lanes_digits(64 * n);
        words = MONTGOMERY_LANES * digits;
        need_take_limbs(&w->host, words);
        need_take_limbs(&w->host, words);
        need_take_limbs(&w->host, MONTGOMERY_LANES);
        need_take_limbs(&w->host, words);
        need_take_limbs(&w->host, montgomery_lanes_sums_words(digits));
    } else {
        words = montgomery_need(w, n, false);
        need_take_limbs(&w->host, words);
    }
    return words;
}

void residues_form_need(work_need *w, uint64_t an, uint64_t n, unsigned count) {
    const uint64_t in_use = w->host.in_use;
    const uint64_t zeros =
        count > 1 ? MONTGOMERY_LANES_BITS * montgomery_lanes_digits(64 * n) / 64 : n + 2;
    need_take_limbs(&w->host, zeros + an + 1);
    divrem_limbs_need(w, zeros + an + 1, n);
    need_release(&w->host, in_use);
}

uint64_t *residues_new(bigint_ctx *ctx, const char *who, const residues *f) {
    uint64_t *const x = arena_take_limbs(ctx, who, f->words);
    if (x != NULL) {
        memset(x, 0, f->words * sizeof *x);
    }
    return x;
}

// lanes_memory: what an element's results take, beside the moduli.
static bigint_status lanes_memory(bigint_ctx *ctx, const char *who, residues *f) {
    f->spare = residues_new(ctx, who, f);
    f->lanes.sums = f->spare == NULL
                        ? NULL
                        : arena_take_limbs(ctx, who, montgomery_lanes_sums_words(f->lanes.digits));
    return f->lanes.sums == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

static bigint_status init_lanes(bigint_ctx *ctx, const char *who, residues *f, uint64_t bits) {
    const size_t digits = montgomery_lanes_digits(bits);
    f->words = MONTGOMERY_LANES * digits;
    uint64_t *const modulus = residues_new(ctx, who, f);
    f->units = modulus == NULL ? NULL : residues_new(ctx, who, f);
    uint64_t *const inverse =
        f->units == NULL ? NULL : arena_take_limbs(ctx, who, MONTGOMERY_LANES);
    f->lanes = (montgomery_lanes){digits, modulus, inverse, NULL};
    if (inverse == NULL || lanes_memory(ctx, who, f) != BIGINT_OK) {
        return BIGINT_ENOMEM;
    }
    const uint64_t *p[MONTGOMERY_LANES];
    size_t n[MONTGOMERY_LANES];
    for (unsigned k = 0; k < f->count; k++) {
        p[k] = f->numbers[k].p;
        n[k] = f->numbers[k].n;
        f->units[k] = 1;
    }
    residues_put_all(f, modulus, p, n);
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        const bool again = k > 0 && k < f->count && p[k] == p[k - 1];
        inverse[k] = again ? inverse[k - 1] : k < f->count ? -word_inverse(p[k][0]) : 0;
    }
    return BIGINT_OK;
}

bigint_status residues_share(bigint_ctx *ctx, const char *who, residues *f, const residues *other,
                             unsigned count) {
    assert(1 < count && count <= other->count);
    *f = *other;
    f->count = count;
    return lanes_memory(ctx, who, f);
}

bigint_status residues_init(bigint_ctx *ctx, const char *who, residues *f,
                            const odd_number *numbers, unsigned count) {
    uint64_t bits = 0;
    *f = (residues){.numbers = numbers, .count = count};
    for (unsigned k = 0; k < count; k++) {
        const uint64_t its = odd_number_bits(&numbers[k]);
        bits = its > bits ? its : bits;
        f->limbs = numbers[k].n > f->limbs ? numbers[k].n : f->limbs;
    }
    if (count > 1) {
        assert(residues_in_lanes(ctx, bits) && count <= RESIDUES_MAX);
        return init_lanes(ctx, who, f, bits);
    }
    const bigint_status status = montgomery_init(ctx, &f->one, numbers->p, numbers->n);
    f->words = f->one.words;
    f->spare = status == BIGINT_OK ? residues_new(ctx, who, f) : NULL;
    return status == BIGINT_OK && f->spare == NULL ? BIGINT_ENOMEM : status;
}

bigint_status residues_form(bigint_ctx *ctx, const char *who, const residues *f, unsigned k,
                            uint64_t *rp, const uint64_t *ap, uint64_t an) {
    const odd_number *const x = &f->numbers[k];
    const uint64_t bits =
        f->count > 1 ? MONTGOMERY_LANES_BITS * f->lanes.digits : montgomery_bits(&f->one);
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t zeros = bits / 64, tn = zeros + an + 1;  // at least x->n, since 2^bits > x
    uint64_t *const t = arena_take_limbs(ctx, who, tn);
    bigint_status status = BIGINT_ENOMEM;
    if (t != NULL) {
        memset(t, 0, tn * sizeof *t);
        if (an > 0) {
            t[tn - 1] = limbs_lshift(t + zeros, ap, an, (unsigned)(bits % 64));
        }
        status = bigint_divrem_limbs(ctx, NULL, rp, t, tn, x->p, x->n);
    }
    arena_release(ctx, mark);
    return status;
}

void residues_put(const residues *f, uint64_t *x, unsigned k, const uint64_t *ap) {
    if (f->count > 1) {
        montgomery_lanes_put(x, f->lanes.digits, k, ap, f->numbers[k].n);
    } else {
        montgomery_put(&f->one, x, ap);
    }
}

void residues_put_all(const residues *f, uint64_t *x, const uint64_t *const *ap, const size_t *n) {
    const uint64_t *p[MONTGOMERY_LANES];
    size_t own[MONTGOMERY_LANES];
    assert(f->count > 1);
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        p[k] = ap[k < f->count ? k : 0];
        own[k] = k < f->count ? n[k] : 0;
    }
    montgomery_lanes_put_all(x, f->lanes.digits, p, own, f->lanes.sums);
}

// Products are below twice their number, times 1 at most the number (docs/proofs/prime.md, 3).
void residues_read(const residues *f, uint64_t *rp, uint64_t *x) {
    uint64_t *p[MONTGOMERY_LANES];
    size_t n[MONTGOMERY_LANES];
    assert(f->count > 1);
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        p[k] = rp + (k < f->count ? k : 0) * f->limbs;
        n[k] = k < f->count ? f->numbers[k].n : 0;
    }
    montgomery_lanes_reduce(&f->lanes, x);
    montgomery_lanes_get_all(p, n, x, f->lanes.digits);
}

bigint_status residues_get(bigint_ctx *ctx, const residues *f, uint64_t *rp, const uint64_t *x) {
    if (f->count > 1) {
        montgomery_lanes_mul(&f->lanes, f->spare, x, f->units, NULL, 0);
        residues_read(f, rp, f->spare);
        return BIGINT_OK;
    }
    memcpy(f->spare, x, f->words * sizeof *x);
    return montgomery_to(ctx, &f->one, rp, f->spare);
}

bigint_status residues_mul(bigint_ctx *ctx, const residues *f, uint64_t *r, const uint64_t *a,
                           const uint64_t *b, const uint64_t *c, unsigned twice) {
    assert(c == NULL || twice == 0);
    if (f->count > 1) {
        montgomery_lanes_mul(&f->lanes, r, a, b, c, twice);
        return BIGINT_OK;
    }
    const bigint_status status = montgomery_mul(ctx, &f->one, r, a, b);
    if (status == BIGINT_OK && (twice != 0 || c != NULL)) {
        montgomery_add(&f->one, r, r, c != NULL ? c : r);
    }
    return status;
}

void residues_swap(const residues *f, uint64_t *a, uint64_t *b, unsigned which) {
    if (f->count > 1) {
        montgomery_lanes_swap(a, b, f->lanes.digits, which);
    } else if (which != 0) {
        memcpy(f->spare, a, f->words * sizeof *a);
        memcpy(a, b, f->words * sizeof *a);
        memcpy(b, f->spare, f->words * sizeof *a);
    }
}
