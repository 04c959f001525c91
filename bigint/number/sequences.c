// sequences.c: Fibonacci and Lucas numbers by doubling.
#include "bigint/number/number.h"

enum { WORD_MOST = 93 };  // F(93) < 2^64 < F(94)

// double_both: *f, *p = F(2 k), F(2 k - 1) or F(2 k + 1), F(2 k) from F(k), F(k - 1):
// F(2 k + 1) = 4 F(k)^2 - F(k - 1)^2 + 2 (-1)^k, F(2 k - 1) = F(k)^2 + F(k - 1)^2.
static bigint_status double_both(bigint_ctx *ctx, bigint *f, bigint *p, bigint *t, bigint *u,
                                 bool k_odd, bool up) {
    bigint_status status;
    (void)((status = bigint_sqr(ctx, t, f)) || (status = bigint_sqr(ctx, u, p)) ||
           (status = bigint_add(ctx, p, t, u)) ||       // F(2 k - 1)
           (status = bigint_mul_2exp(ctx, t, t, 2)) ||  //
           (status = bigint_sub(ctx, t, t, u)) ||
           (status = bigint_add_i64(ctx, t, t, k_odd ? -2 : 2)));  // F(2 k + 1)
    if (status != BIGINT_OK) {
        return status;
    }
    if (!up) {
        return bigint_sub(ctx, f, t, p);
    }
    status = bigint_sub(ctx, p, t, p);
    bigint_swap(f, t);
    return status;
}

// pair: f, p = F(n), F(n - 1) in workspace.
static bigint_status pair(bigint_ctx *ctx, const char *who, bigint *f, bigint *p, uint64_t n) {
    // F(n) < 2^(0.6943 n): 3/4 of a bit a step. Squares and a shift by two bits need a little more.
    const uint64_t limbs = n / 64 * 3 / 4 + 8;
    bigint t = BIGINT_INIT, u = BIGINT_INIT, *const all[] = {f, p, &t, &u};
    for (int i = 0; i < 4; i++) {
        *all[i] = bigint_scratch(ctx, who, limbs);
        if (all[i]->d_ == NULL) {
            return BIGINT_ENOMEM;
        }
    }
    unsigned shift = 0;
    while (n >> shift > WORD_MOST) {
        shift++;
    }
    uint64_t x = 0, y = 1;  // F(k), F(k - 1)
    for (uint64_t k = 0; k < n >> shift; k++) {
        const uint64_t next = x + y;
        y = x;
        x = next;
    }
    bigint_status status;
    (void)((status = bigint_set_u64(ctx, f, x)) || (status = bigint_set_u64(ctx, p, y)));
    while (shift > 0 && status == BIGINT_OK) {
        const bool k_odd = (n >> shift & 1) != 0;
        shift--;
        status = double_both(ctx, f, p, &t, &u, k_odd, (n >> shift & 1) != 0);
    }
    return status;
}

static bigint_status check(bigint_ctx *ctx, const char *who, const bigint *r,
                           const bigint *previous) {
    bigint_status status = number_check(ctx, who, r, previous, NULL);
    if (status == BIGINT_OK && r == previous) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: both results are the same integer", who);
    }
    return status;
}

// store: r = x, previous = y unless it is NULL; both have their room before the first is written.
static bigint_status store(bigint_ctx *ctx, const char *who, bigint *r, bigint *previous,
                           const bigint *x, const bigint *y) {
    bigint_status status = bigint_reserve(ctx, who, r, x->n_);
    if (status == BIGINT_OK && previous != NULL) {
        (void)((status = bigint_reserve(ctx, who, previous, y->n_)) ||
               (status = bigint_set(ctx, previous, y)));
    }
    return status != BIGINT_OK ? status : bigint_set(ctx, r, x);
}

bigint_status bigint_fibonacci(bigint_ctx *ctx, bigint *r, bigint *previous, uint64_t n) {
    const char *who = "bigint_fibonacci";
    bigint_status status = check(ctx, who, r, previous);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint f, p;
    (void)((status = pair(ctx, who, &f, &p, n)) || (status = store(ctx, who, r, previous, &f, &p)));
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_lucas(bigint_ctx *ctx, bigint *r, bigint *previous, uint64_t n) {
    const char *who = "bigint_lucas";
    bigint_status status = check(ctx, who, r, previous);
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    bigint f, p, l;
    (void)((status = pair(ctx, who, &f, &p, n)) ||
           (status =
                (l = bigint_scratch(ctx, who, f.cap_)).d_ == NULL ? BIGINT_ENOMEM : BIGINT_OK) ||
           (status = bigint_mul_2exp(ctx, &l, &p, 1)) || (status = bigint_add(ctx, &l, &l, &f)) ||
           (status = bigint_mul_2exp(ctx, &f, &f, 1)) || (status = bigint_sub(ctx, &f, &f, &p)) ||
           (status =
                store(ctx, who, r, previous, &l, &f)));  // F(n) + 2 F(n - 1), 2 F(n) - F(n - 1)
    arena_release(ctx, mark);
    return status;
}
