// prime_strong.c: the strong test to base 2 and the strong Lucas test, of one number or of several
// at once.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/divide/divrem.h"
#include "bigint/divide/plan.h"
#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"

static const uint64_t one = 1;

// --- Bits ----------------------------------------------------------------------------------------

static unsigned bit_at(const odd_number *x, uint64_t i) {
    return i / 64 < x->n ? x->p[i / 64] >> i % 64 & 1 : 0;
}

// bits_at: bit k is that of number k at position i + from[k].
static unsigned bits_at(const residues *f, const uint64_t *from, uint64_t i) {
    unsigned bits = 0;
    for (unsigned k = 0; k < f->count; k++) {
        bits |= bit_at(&f->numbers[k], i + from[k]) << k;
    }
    return bits;
}

// lowest: the position of the lowest bit but bit 0 that is `bit`: the s of n - 1 = d 2^s for 1, of
// n + 1 = d 2^s for 0.
static uint64_t lowest(const odd_number *x, unsigned bit) {
    uint64_t i = 1;
    while (bit_at(x, i) != bit) {
        i++;
    }
    return i;
}

// exponents_length: positions at which bits_at may be other than 0.
static uint64_t exponents_length(const residues *f, const uint64_t *from) {
    uint64_t length = 0;
    for (unsigned k = 0; k < f->count; k++) {
        const uint64_t bits = odd_number_bits(&f->numbers[k]);
        length = bits > from[k] && bits - from[k] > length ? bits - from[k] : length;
    }
    return length;
}

// --- Residues ------------------------------------------------------------------------------------

static bool is_zero(const uint64_t *ap, const odd_number *m) {
    return limbs_normalize(ap, m->n) == 0;
}

static bool is_one(const uint64_t *ap, const odd_number *m) {
    return ap[0] == 1 && limbs_normalize(ap, m->n) == 1;
}

// is_minus_one: n is odd, so n - 1 and n differ in one bit.
static bool is_minus_one(const uint64_t *ap, const odd_number *m) {
    return ap[0] == m->p[0] - 1 && limbs_cmp(ap + 1, m->p + 1, m->n - 1) == 0;
}

// --- Base 2 --------------------------------------------------------------------------------------

// pause_between: context_pause between two products that take microseconds.
enum { PAUSE_LIMBS = 16 };
static bigint_status pause_between(bigint_ctx *ctx, const char *who, const residues *f) {
    return f->limbs < PAUSE_LIMBS ? BIGINT_OK : context_pause(ctx, who);
}

// powers_of_2: x = 2^d for every number, d 2^s = n - 1: d's bits are n's from s on.
static bigint_status powers_of_2(bigint_ctx *ctx, const char *who, const residues *f, uint64_t *x,
                                 uint64_t *rows, const uint64_t *s) {
    bigint_status status = BIGINT_OK;
    for (unsigned k = 0; k < f->count && status == BIGINT_OK; k++) {
        status = residues_form(ctx, who, f, k, rows, &one, 1);
        if (status == BIGINT_OK) {
            residues_put(f, x, k, rows);
        }
    }
    for (uint64_t i = exponents_length(f, s); i-- > 0 && status == BIGINT_OK;) {
        status = residues_mul(ctx, f, x, x, x, NULL, bits_at(f, s, i));
        status = status == BIGINT_OK ? pause_between(ctx, who, f) : status;
    }
    return status;
}

// squares_to_minus_one: which of x^(2^r), r < s, are -1, or 1 for r = 0; destroys x.
static bigint_status squares_to_minus_one(bigint_ctx *ctx, const residues *f, uint64_t *x,
                                          uint64_t *rows, const uint64_t *s, unsigned *passed) {
    unsigned open = (1u << f->count) - 1;
    bigint_status status = BIGINT_OK;
    for (uint64_t r = 0; open != 0 && status == BIGINT_OK; r++) {
        if (r > 0) {
            status = residues_mul(ctx, f, x, x, x, NULL, 0);
        }
        status = status == BIGINT_OK ? residues_get(ctx, f, rows, x) : status;
        for (unsigned k = 0; k < f->count && status == BIGINT_OK; k++) {
            const uint64_t *const y = rows + k * f->limbs;
            const odd_number *const m = &f->numbers[k];
            const bool passes = is_minus_one(y, m) || (r == 0 && is_one(y, m));
            *passed |= (passes ? open : 0) & 1u << k;
            open &= ~((unsigned)(passes || r + 1 >= s[k]) << k);
        }
    }
    return status;
}

bigint_status prime_strong_base_2(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                  unsigned count, unsigned *passed) {
    const arena_mark mark = arena_get_mark(ctx);
    residues f;
    uint64_t s[RESIDUES_MAX];
    for (unsigned k = 0; k < count; k++) {
        s[k] = lowest(&numbers[k], 1);
    }
    *passed = 0;
    bigint_status status = residues_init(ctx, who, &f, numbers, count);
    uint64_t *const x = status == BIGINT_OK ? residues_new(ctx, who, &f) : NULL;
    uint64_t *const rows = x == NULL ? NULL : arena_take_limbs(ctx, who, count * f.limbs);
    if (status == BIGINT_OK) {
        status = rows == NULL ? BIGINT_ENOMEM : powers_of_2(ctx, who, &f, x, rows, s);
    }
    if (status == BIGINT_OK) {
        status = squares_to_minus_one(ctx, &f, x, rows, s, passed);
    }
    arena_release(ctx, mark);
    return status;
}

// mul_mod: {rp, n} = a b mod m, without forms.
static bigint_status mul_mod(bigint_ctx *ctx, const char *who, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp, const odd_number *m) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const t = arena_take_limbs(ctx, who, 2 * m->n);
    bigint_status status = t == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, t, ap, m->n, bp, m->n);
    if (status == BIGINT_OK) {
        status = bigint_divrem_limbs(ctx, NULL, rp, t, 2 * m->n, m->p, m->n);
    }
    arena_release(ctx, mark);
    return status;
}

uint64_t prime_base_2_shift(const odd_number *x) { return lowest(x, 1); }

bigint_status prime_base_2_ends(bigint_ctx *ctx, const char *who, const odd_number *x,
                                const uint64_t *yp, bool *passes) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t s = lowest(x, 1);
    bigint_status status = BIGINT_OK;
    uint64_t *const y = arena_take_limbs(ctx, who, x->n);
    *passes = is_one(yp, x) || is_minus_one(yp, x);
    if (y == NULL) {
        status = BIGINT_ENOMEM;
    }
    for (uint64_t r = 1; r < s && !*passes && status == BIGINT_OK; r++) {
        const uint64_t *const from = r == 1 ? yp : y;
        status = mul_mod(ctx, who, y, from, from, x);
        *passes = status == BIGINT_OK && is_minus_one(y, x);
    }
    arena_release(ctx, mark);
    return status;
}

// --- Lucas ---------------------------------------------------------------------------------------

// lucas: elements of the ladder for the sequence V'(k) with P' = 1 / Q - 2 and Q' = 1, which
// V(2 k) = Q^k V'(k): v = V'(k), w = V'(k + 1).
typedef struct {
    residues f;
    uint64_t *v, *w, *minus_p, *minus_2;
    uint64_t *rows;            // residues, f.limbs each
    uint64_t s[RESIDUES_MAX];  // n + 1 = d 2^s
} lucas;

// lucas_rows: limbs of the rows, of `count` numbers of n limbs.
static uint64_t lucas_rows(uint64_t n, unsigned count) {
    const uint64_t rows = 2 * count * n, least = 4 * (n + 1);
    return rows > least ? rows : least;
}

// The test to base 2 needs less.
void prime_test_need(work_need *w, uint64_t n, unsigned count) {
    enum { ELEMENTS = 4 };
    const uint64_t in_use = w->host.in_use, words = residues_need(w, n, count);
    for (unsigned i = 0; i < ELEMENTS; i++) {
        need_take_limbs(&w->host, words);
    }
    need_take_limbs(&w->host, lucas_rows(n, count));
    prime_selfridge_need(w, n);
    residues_form_need(w, 1, n, count);
    need_release(&w->host, in_use);
}

static bigint_status lucas_open(bigint_ctx *ctx, const char *who, lucas *l,
                                const odd_number *numbers, unsigned count) {
    const bigint_status status = residues_init(ctx, who, &l->f, numbers, count);
    if (status != BIGINT_OK) {
        return status;
    }
    l->v = residues_new(ctx, who, &l->f);
    l->w = l->v == NULL ? NULL : residues_new(ctx, who, &l->f);
    l->minus_p = l->w == NULL ? NULL : residues_new(ctx, who, &l->f);
    l->minus_2 = l->minus_p == NULL ? NULL : residues_new(ctx, who, &l->f);
    const uint64_t rows = lucas_rows(l->f.limbs, count);
    l->rows = l->minus_2 == NULL ? NULL : arena_take_limbs(ctx, who, rows);
    return l->rows == NULL ? BIGINT_ENOMEM : BIGINT_OK;
}

// lucas_begin: number k at index 0: v = 2, w = P'. *possible = false: it is composite.
static bigint_status lucas_begin(bigint_ctx *ctx, const char *who, lucas *l, unsigned k,
                                 bool *possible) {
    const odd_number *const x = &l->f.numbers[k];
    uint64_t *const unit = l->rows, *const t = unit + x->n + 1, *const minus = t + x->n + 1;
    uint64_t *const zero = minus + x->n + 1, d = 0;
    bigint_status status = prime_selfridge(ctx, who, x, &d);
    if (status == BIGINT_OK && d != 0) {
        status = residues_form(ctx, who, &l->f, k, unit, &one, 1);
    }
    *possible = status == BIGINT_OK && d != 0 && prime_parameter(ctx->limbs, t, unit, x, d);
    if (!*possible) {
        return status;
    }
    memset(zero, 0, x->n * sizeof *zero);
    odd_number_sub(minus, zero, t, x);
    residues_put(&l->f, l->w, k, t);
    residues_put(&l->f, l->minus_p, k, minus);
    odd_number_sub(minus, zero, unit, x), odd_number_sub(t, minus, unit, x);
    residues_put(&l->f, l->minus_2, k, t);
    odd_number_sub(t, zero, t, x);
    residues_put(&l->f, l->v, k, t);
    return BIGINT_OK;
}

// lucas_ladder: V'(e) and V'(e + 1) in v and w, either way, for d = 2 e + 1: e's bits are n's from
// s + 1 on. A number at index 0 stays there while its bits are 0.
static bigint_status lucas_ladder(bigint_ctx *ctx, const char *who, const lucas *l) {
    uint64_t from[RESIDUES_MAX];
    unsigned swapped = 0;
    bigint_status status = BIGINT_OK;
    for (unsigned k = 0; k < l->f.count; k++) {
        from[k] = l->s[k] + 1;
    }
    for (uint64_t i = exponents_length(&l->f, from); i-- > 0 && status == BIGINT_OK;) {
        // From k to 2 k or 2 k + 1: the one of v, w that is doubled stands in v.
        const unsigned bits = bits_at(&l->f, from, i);
        residues_swap(&l->f, l->v, l->w, bits ^ swapped);
        swapped = bits;
        status = residues_mul(ctx, &l->f, l->w, l->v, l->w, l->minus_p, 0);
        if (status == BIGINT_OK) {
            status = residues_mul(ctx, &l->f, l->v, l->v, l->v, l->minus_2, 0);
        }
        status = status == BIGINT_OK ? pause_between(ctx, who, &l->f) : status;
    }
    return status;
}

// lucas_at_d: which have U(d) = 0 or V(d) = 0: D U(d) = +-Q^(e+1) (w - v), V(d) = Q^(e+1) (w + v).
static bigint_status lucas_at_d(bigint_ctx *ctx, const lucas *l, unsigned *zeros) {
    const uint64_t limbs = l->f.limbs;
    uint64_t *const v = l->rows, *const w = v + l->f.count * limbs;  // reduced
    bigint_status status = residues_get(ctx, &l->f, v, l->v);
    status = status == BIGINT_OK ? residues_get(ctx, &l->f, w, l->w) : status;
    for (unsigned k = 0; k < l->f.count && status == BIGINT_OK; k++) {
        const odd_number *const x = &l->f.numbers[k];
        uint64_t *const a = v + k * limbs, *const b = w + k * limbs;
        const bool u_is_zero = limbs_cmp(a, b, x->n) == 0;
        limbs_sub_n(b, x->p, b, x->n);  // -w, or n
        const bool v_is_zero = limbs_cmp(a, b, x->n) == 0;
        *zeros |= (unsigned)(u_is_zero || v_is_zero) << k;
    }
    return status;
}

// lucas_doublings: which have V(d 2^r) = Q^(d 2^(r-1)) V'(d 2^(r-1)) = 0 for an r with 0 < r < s;
// `open` are those to be looked at.
static bigint_status lucas_doublings(bigint_ctx *ctx, const lucas *l, unsigned open,
                                     unsigned *zeros) {
    bigint_status status = BIGINT_OK;
    for (uint64_t r = 1; status == BIGINT_OK; r++) {
        for (unsigned k = 0; k < l->f.count; k++) {
            open &= ~((unsigned)(r >= l->s[k]) << k);
        }
        if (open == 0) {
            break;
        }
        status = r == 1 ? residues_mul(ctx, &l->f, l->v, l->v, l->w, l->minus_p, 0)
                        : residues_mul(ctx, &l->f, l->v, l->v, l->v, l->minus_2, 0);
        status = status == BIGINT_OK ? residues_get(ctx, &l->f, l->rows, l->v) : status;
        for (unsigned k = 0; k < l->f.count && status == BIGINT_OK; k++) {
            const bool zero = is_zero(l->rows + k * l->f.limbs, &l->f.numbers[k]);
            *zeros |= (zero ? open : 0) & 1u << k;
            open &= ~((unsigned)zero << k);
        }
    }
    return status;
}

bigint_status prime_strong_lucas(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                 unsigned count, unsigned *passed) {
    const arena_mark mark = arena_get_mark(ctx);
    lucas l;
    unsigned possible = 0, zeros = 0;
    bigint_status status = lucas_open(ctx, who, &l, numbers, count);
    for (unsigned k = 0; k < count && status == BIGINT_OK; k++) {
        bool is_possible;
        l.s[k] = lowest(&numbers[k], 0);
        status = lucas_begin(ctx, who, &l, k, &is_possible);
        possible |= (unsigned)is_possible << k;
    }
    if (status == BIGINT_OK && possible != 0) {
        status = lucas_ladder(ctx, who, &l);
        status = status == BIGINT_OK ? lucas_at_d(ctx, &l, &zeros) : status;
        if (status == BIGINT_OK) {
            status = lucas_doublings(ctx, &l, possible & ~zeros, &zeros);
        }
    }
    *passed = zeros & possible;
    arena_release(ctx, mark);
    return status;
}

// --- Without the ladder --------------------------------------------------------------------------

void prime_ends_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use;
    need_take_limbs(&w->host, 2 * n);
    prime_selfridge_need(w, n);
    need_take_limbs(&w->host, 2 * n);  // mul_mod
    mul_need(w, n, n, true);
    mul_need(w, n, n, false);
    divrem_limbs_need(w, 2 * n, n);
    need_release(&w->host, in_use);
}

uint64_t prime_lucas_shift(const odd_number *x) { return lowest(x, 0) + 1; }

bigint_status prime_lucas_begins(bigint_ctx *ctx, const char *who, const odd_number *x,
                                 uint64_t *pp, bool *possible) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const unit = arena_take_limbs(ctx, who, x->n), d = 0;
    bigint_status status = unit == NULL ? BIGINT_ENOMEM : prime_selfridge(ctx, who, x, &d);
    *possible = false;
    if (status == BIGINT_OK && d != 0) {
        memset(unit, 0, x->n * sizeof *unit);
        unit[0] = 1;
        *possible = prime_parameter(ctx->limbs, pp, unit, x, d);
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status prime_lucas_ends(bigint_ctx *ctx, const char *who, const odd_number *x,
                               const uint64_t *pp, const uint64_t *vp, const uint64_t *wp,
                               bool *passes) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t s = lowest(x, 0);
    uint64_t *const t = arena_take_limbs(ctx, who, 2 * x->n);
    uint64_t *const two = t == NULL ? NULL : t + x->n;
    bigint_status status = t == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    *passes = false;
    if (status == BIGINT_OK) {
        memset(two, 0, x->n * sizeof *two);
        two[0] = 2;
        limbs_sub_n(t, x->p, wp, x->n);  // -w, or n
        *passes = limbs_cmp(vp, wp, x->n) == 0 || limbs_cmp(vp, t, x->n) == 0;
    }
    for (uint64_t r = 1; r < s && !*passes && status == BIGINT_OK; r++) {
        status = mul_mod(ctx, who, t, r == 1 ? vp : t, r == 1 ? wp : t, x);
        odd_number_sub(t, t, r == 1 ? pp : two, x);
        *passes = status == BIGINT_OK && is_zero(t, x);
    }
    arena_release(ctx, mark);
    return status;
}
