// powers.c: powers of integers, and whether a number is one.
#include "bigint/number/number.h"

// odd_power: t = o^e in workspace, from the top bit of e down. t and u have room for o^e and the
// limbs that a product may have too many.
static bigint_status odd_power(bigint_ctx *ctx, bigint *t, bigint *u, const bigint *o, uint64_t e) {
    bigint_status status = bigint_set(ctx, t, o);
    for (unsigned bit = 63 - word_clz(e); bit-- > 0 && status == BIGINT_OK;) {
        status = bigint_sqr(ctx, u, t);
        if (status == BIGINT_OK && (e >> bit & 1) != 0) {
            status = bigint_mul(ctx, t, u, o);
        } else {
            bigint_swap(t, u);
        }
    }
    return status;
}

bigint_status bigint_pow_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t e) {
    const char *who = "bigint_pow_u64";
    bigint_status status = number_check(ctx, who, r, a, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (e == 0 || a->n_ == 0) {
        return bigint_set_u64(ctx, r, e == 0);
    }
    const uint64_t twos = number_lowest_one(a), bits = 64 * a->n_ - word_clz(a->d_[a->n_ - 1]);
    uint64_t all;
    if (__builtin_mul_overflow(bits, e, &all) || all / 64 >= BIGINT_MAX_LIMBS) {
        return bigint_fail(ctx, BIGINT_ERANGE,
                           "%s: %llu bits to the power of %llu exceed 2^56 limbs", who,
                           (unsigned long long)bits, (unsigned long long)e);
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t limbs = (bits - twos) * e / 64 + 4;  // the product of two lengths is one more
    bigint o = bigint_scratch(ctx, who, a->n_), t = BIGINT_INIT, u = BIGINT_INIT;
    if (o.d_ != NULL) {
        t = bigint_scratch(ctx, who, limbs + a->n_);
    }
    if (t.d_ != NULL) {
        u = bigint_scratch(ctx, who, limbs + a->n_);
    }
    status = u.d_ == NULL ? BIGINT_ENOMEM : bigint_tdiv_2exp(ctx, &o, a, twos);
    (void)(status || (status = odd_power(ctx, &t, &u, &o, e)) ||
           (status = bigint_mul_2exp(ctx, r, &t, twos * e)));
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_u64_pow_u64(bigint_ctx *ctx, bigint *r, uint64_t a, uint64_t e) {
    const bigint base = {.d_ = &a, .n_ = a != 0, .cap_ = 1, .sign_ = a != 0};
    return bigint_pow_u64(ctx, r, &base, e);
}

// --- Questions -----------------------------------------------------------------------------------

// is_root: *yes = whether a, not 0, is a k-th power.
static bigint_status is_root(bigint_ctx *ctx, const char *who, int *yes, const bigint *a,
                             uint64_t k) {
    const arena_mark mark = arena_get_mark(ctx);
    bigint rest = BIGINT_INIT;
    bigint_status status = number_check(ctx, who, a, NULL, NULL);
    if (status == BIGINT_OK) {
        status = k == 2 ? bigint_sqrt(ctx, NULL, &rest, a) : bigint_root(ctx, NULL, &rest, a, k);
    }
    if (status == BIGINT_OK) {
        *yes = rest.n_ == 0;
    }
    bigint_clear(ctx, &rest);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_is_square(bigint_ctx *ctx, int *yes, const bigint *a) {
    const uint64_t residues = 0x0202021202030213;  // bit k: k is a square modulo 64
    const bigint_status status = number_check(ctx, "bigint_is_square", a, NULL, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->n_ == 0 || a->sign_ < 0 || (residues >> a->d_[0] % 64 & 1) == 0) {
        *yes = a->n_ == 0;
        return BIGINT_OK;
    }
    return is_root(ctx, "bigint_is_square", yes, a, 2);
}

static bool is_prime(uint64_t k) {
    for (uint64_t d = 2; d * d <= k; d++) {
        if (k % d == 0) {
            return false;
        }
    }
    return true;
}

bigint_status bigint_is_power(bigint_ctx *ctx, int *yes, const bigint *a) {
    const char *who = "bigint_is_power";
    bigint_status status = number_check(ctx, who, a, NULL, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (a->n_ == 0 || (a->n_ == 1 && a->d_[0] == 1)) {
        *yes = 1;
        return BIGINT_OK;
    }
    const uint64_t bits = 64 * a->n_ - word_clz(a->d_[a->n_ - 1]), twos = number_lowest_one(a);
    int found = 0;
    // A k-th power above 1 has more than k bits, and k divides how often 2 divides it.
    for (uint64_t k = a->sign_ < 0 ? 3 : 2; k < bits && !found && status == BIGINT_OK; k++) {
        if (twos % k == 0 && is_prime(k)) {
            status = is_root(ctx, who, &found, a, k);
        }
    }
    if (status == BIGINT_OK) {
        *yes = found;
    }
    return status;
}
