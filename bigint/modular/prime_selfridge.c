// prime_selfridge.c: the parameters of Lucas's test: the D of Selfridge's method, and P'.
#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/divide/root_newton.h"
#include "bigint/modular/prime.h"
#include "bigint/modular/residues.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"

int prime_jacobi(uint64_t a, uint64_t m) {
    int sign = 1;
    for (a %= m; a != 0;) {
        const unsigned twos = word_ctz(a);
        a >>= twos;
        sign = (twos & 1) != 0 && (m % 8 == 3 || m % 8 == 5) ? -sign : sign;
        sign = a % 4 == 3 && m % 4 == 3 ? -sign : sign;
        const uint64_t rest = m % a;
        m = a;
        a = rest;
    }
    return m == 1 ? sign : 0;
}

// is_square: the root of a square comes out exactly, as the integer next to it.
static bigint_status is_square(bigint_ctx *ctx, const char *who, const odd_number *x,
                               bool *square) {
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const root = arena_take_limbs(ctx, who, root_limbs_bound(x->n, 2)), n = 0;
    bool near;
    bigint_status status =
        root == NULL ? BIGINT_ENOMEM : root_near(ctx, who, root, &n, &near, x->p, x->n, 2);
    uint64_t *const t = status == BIGINT_OK ? arena_take_limbs(ctx, who, 2 * n) : NULL;
    if (status == BIGINT_OK) {
        status = t == NULL ? BIGINT_ENOMEM : bigint_mul_limbs(ctx, t, root, n, root, n);
    }
    *square =
        status == BIGINT_OK && limbs_normalize(t, 2 * n) == x->n && limbs_cmp(t, x->p, x->n) == 0;
    arena_release(ctx, mark);
    return status;
}

void prime_selfridge_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use, root = root_limbs_bound(n, 2);
    need_take_limbs(&w->host, root);
    root_near_need(w, n, 2);
    need_take_limbs(&w->host, 2 * root);
    mul_need(w, (n + 1) / 2, (n + 1) / 2, true);
    need_release(&w->host, in_use);
}

// D = 1 mod 4, so (D / x) = (x / |D|). Half of all D serve for most x, but none for a square. So x
// is tested for a square when many D have failed.
bigint_status prime_selfridge(bigint_ctx *ctx, const char *who, const odd_number *x,
                              uint64_t *magnitude) {
    enum { SQUARE_AT = 41 };
    bigint_status status = BIGINT_OK;
    bool square = false;
    for (uint64_t d = 5; status == BIGINT_OK && !square; d += 2) {
        const word_divisor by = word_divisor_of(d);
        const int symbol = prime_jacobi(limbs_mod_by(x->p, x->n, &by), d);
        if (symbol == -1) {
            *magnitude = d;
            return BIGINT_OK;
        }
        if (symbol == 0 && (x->n > 1 || d % x->p[0] != 0)) {
            break;  // a factor of d divides x, and x does not divide d
        }
        if (d == SQUARE_AT) {
            status = is_square(ctx, who, x, &square);
        }
    }
    *magnitude = 0;
    return status;
}

// inverse_mod: 1 / a mod m, m > 1, by Euclid; 0 if there is none. m < 2^32.
static uint64_t inverse_mod(uint64_t a, uint64_t m) {
    int64_t x = 1, y = 0;
    uint64_t b = m;
    for (a %= m; a != 0;) {
        const uint64_t q = b / a, rest = b % a;
        const int64_t z = y - (int64_t)q * x;
        b = a, a = rest, y = x, x = z;
    }
    return b != 1 ? 0 : y < 0 ? (uint64_t)(y + (int64_t)m) : (uint64_t)y;
}

// over_q: {rp, n} = {ap, n} / Q mod x for |Q| = h: (a + t x) / h, an integer for t = -a / x mod h
// and below x; minus that where Q < 0. {rp, n + 1} has room. False: h and x have a common factor,
// which a prime x with (D / x) = -1 and D = 1 - 4 Q does not.
static bool over_q(const limbs_ops *ops, uint64_t *rp, const uint64_t *ap, const odd_number *x,
                   uint64_t h, bool negative) {
    const word_divisor by = word_divisor_of(h);
    const uint64_t inverse = h == 1 ? 1 : inverse_mod(limbs_mod_by(x->p, x->n, &by), h);
    assert(h < (uint64_t)1 << 32);
    if (inverse == 0) {
        return false;
    }
    const uint64_t t = (h - limbs_mod_by(ap, x->n, &by)) % h * inverse % h;
    rp[x->n] = ops->mul_1(rp, x->p, x->n, t);
    rp[x->n] += limbs_add_n(rp, rp, ap, x->n);
    const uint64_t rest = limbs_divrem_1(rp, rp, x->n + 1, h);
    assert(rest == 0 && rp[x->n] == 0);
    (void)rest;
    if (negative && limbs_normalize(rp, x->n) != 0) {
        limbs_sub_n(rp, x->p, rp, x->n);
    }
    return true;
}

bool prime_parameter(const limbs_ops *ops, uint64_t *rp, const uint64_t *unit, const odd_number *x,
                     uint64_t d) {
    // Q = (1 - D) / 4 is negative for D = 5, 9, ..., positive for -7, -11, ...
    if (!over_q(ops, rp, unit, x, d % 4 == 1 ? (d - 1) / 4 : (d + 1) / 4, d % 4 == 1)) {
        return false;
    }
    odd_number_sub(rp, rp, unit, x), odd_number_sub(rp, rp, unit, x);
    return true;
}
