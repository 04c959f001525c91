// prime_forms.c: residues of one number, or of several in lanes, for tests of primality. May
// include prime.h and primitives/.
#include <assert.h>
#include <string.h>

#include "bigint/prime.h"
#include "primitives/limbs.h"

uint64_t prime_number_bits(const prime_number *x) { return 64 * x->n - word_clz(x->p[x->n - 1]); }

bool prime_forms_in_lanes(const bigint_ctx *ctx, uint64_t bits) {
    return ctx->limbs->table == LIMBS_IFMA && montgomery_lanes_built() &&
           montgomery_lanes_digits(bits) <= MONTGOMERY_LANES_DIGITS_MAX;
}

uint64_t *prime_forms_new(bigint_ctx *ctx, const char *who, const prime_forms *f) {
    uint64_t *const x = arena_take_limbs(ctx, who, f->words);
    if (x != NULL) {
        memset(x, 0, f->words * sizeof *x);
    }
    return x;
}

static bigint_status init_lanes(bigint_ctx *ctx, const char *who, prime_forms *f, uint64_t bits) {
    const size_t digits = montgomery_lanes_digits(bits);
    f->words = MONTGOMERY_LANES * digits;
    uint64_t *const modulus = prime_forms_new(ctx, who, f);
    f->units = modulus == NULL ? NULL : prime_forms_new(ctx, who, f);
    f->spare = f->units == NULL ? NULL : prime_forms_new(ctx, who, f);
    uint64_t *const inverse =
        f->spare == NULL ? NULL : arena_take_limbs(ctx, who, MONTGOMERY_LANES);
    uint64_t *const sums =
        inverse == NULL ? NULL : arena_take_limbs(ctx, who, montgomery_lanes_sums_words(digits));
    if (sums == NULL) {
        return BIGINT_ENOMEM;
    }
    for (unsigned k = 0; k < MONTGOMERY_LANES; k++) {
        const bool used = k < f->count;
        inverse[k] = used ? -word_inverse(f->numbers[k].p[0]) : 0;
        if (used) {
            montgomery_lanes_put(modulus, digits, k, f->numbers[k].p, f->numbers[k].n);
            f->units[k] = 1;
        }
    }
    f->lanes = (montgomery_lanes){digits, modulus, inverse, sums};
    return BIGINT_OK;
}

bigint_status prime_forms_init(bigint_ctx *ctx, const char *who, prime_forms *f,
                               const prime_number *numbers, unsigned count) {
    uint64_t bits = 0;
    *f = (prime_forms){.numbers = numbers, .count = count};
    for (unsigned k = 0; k < count; k++) {
        const uint64_t its = prime_number_bits(&numbers[k]);
        bits = its > bits ? its : bits;
        f->limbs = numbers[k].n > f->limbs ? numbers[k].n : f->limbs;
    }
    if (count > 1) {
        assert(prime_forms_in_lanes(ctx, bits) && count <= PRIME_GROUP_MAX);
        return init_lanes(ctx, who, f, bits);
    }
    const bigint_status status = montgomery_init(ctx, &f->one, numbers->p, numbers->n);
    f->words = f->one.words;
    f->spare = status == BIGINT_OK ? prime_forms_new(ctx, who, f) : NULL;
    return status == BIGINT_OK && f->spare == NULL ? BIGINT_ENOMEM : status;
}

bigint_status prime_forms_unit(bigint_ctx *ctx, const char *who, const prime_forms *f, unsigned k,
                               uint64_t *rp) {
    const prime_number *const x = &f->numbers[k];
    const uint64_t bits =
        f->count > 1 ? MONTGOMERY_LANES_BITS * f->lanes.digits : montgomery_bits(&f->one);
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t tn = bits / 64 + 1;  // at least x->n, since 2^bits > x
    uint64_t *const t = arena_take_limbs(ctx, who, tn);
    bigint_status status = BIGINT_ENOMEM;
    if (t != NULL) {
        memset(t, 0, tn * sizeof *t);
        t[bits / 64] = (uint64_t)1 << bits % 64;
        status = bigint_divrem_limbs(ctx, NULL, rp, t, tn, x->p, x->n);
    }
    arena_release(ctx, mark);
    return status;
}

void prime_forms_put(const prime_forms *f, uint64_t *x, unsigned k, const uint64_t *ap) {
    if (f->count > 1) {
        montgomery_lanes_put(x, f->lanes.digits, k, ap, f->numbers[k].n);
    } else {
        montgomery_put(&f->one, x, ap);
    }
}

// get_lanes: times 1 every residue is at most its number (docs/proofs/prime.md, section 3).
static void get_lanes(const prime_forms *f, uint64_t *rp, const uint64_t *x) {
    montgomery_lanes_mul(&f->lanes, f->spare, x, f->units, NULL, 0);
    for (unsigned k = 0; k < f->count; k++) {
        const prime_number *const m = &f->numbers[k];
        uint64_t *const r = rp + k * f->limbs;
        montgomery_lanes_get(r, m->n, f->spare, f->lanes.digits, k);
        assert(limbs_cmp(r, m->p, m->n) <= 0);
        if (limbs_cmp(r, m->p, m->n) == 0) {
            memset(r, 0, m->n * sizeof *r);
        }
    }
}

bigint_status prime_forms_get(bigint_ctx *ctx, const prime_forms *f, uint64_t *rp,
                              const uint64_t *x) {
    if (f->count > 1) {
        get_lanes(f, rp, x);
        return BIGINT_OK;
    }
    memcpy(f->spare, x, f->words * sizeof *x);
    return montgomery_to(ctx, &f->one, rp, f->spare);
}

bigint_status prime_forms_mul(bigint_ctx *ctx, const prime_forms *f, uint64_t *r, const uint64_t *a,
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

void prime_forms_swap(const prime_forms *f, uint64_t *a, uint64_t *b, unsigned which) {
    if (f->count > 1) {
        montgomery_lanes_swap(a, b, f->lanes.digits, which);
    } else if (which != 0) {
        memcpy(f->spare, a, f->words * sizeof *a);
        memcpy(a, b, f->words * sizeof *a);
        memcpy(b, f->spare, f->words * sizeof *a);
    }
}
