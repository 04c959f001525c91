// sequences.c: Fibonacci and Lucas numbers by doubling, on limbs.
#include <string.h>

#include "bigint/core/host_call.h"
#include "bigint/multiply/mul.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// F(0) to F(93), the last one below 2^64.
enum { WORD_MOST = 93 };
// clang-format off
static const uint64_t words[WORD_MOST + 1] = {
    0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584, 4181, 6765, 10946,
    17711, 28657, 46368, 75025, 121393, 196418, 317811, 514229, 832040, 1346269, 2178309, 3524578,
    5702887, 9227465, 14930352, 24157817, 39088169, 63245986, 102334155, 165580141, 267914296,
    433494437, 701408733, 1134903170, 1836311903, 2971215073, 4807526976, 7778742049, 12586269025,
    20365011074, 32951280099, 53316291173, 86267571272, 139583862445, 225851433717, 365435296162,
    591286729879, 956722026041, 1548008755920, 2504730781961, 4052739537881, 6557470319842,
    10610209857723, 17167680177565, 27777890035288, 44945570212853, 72723460248141, 117669030460994,
    190392490709135, 308061521170129, 498454011879264, 806515533049393, 1304969544928657,
    2111485077978050, 3416454622906707, 5527939700884757, 8944394323791464, 14472334024676221,
    23416728348467685, 37889062373143906, 61305790721611591, 99194853094755497, 160500643816367088,
    259695496911122585, 420196140727489673, 679891637638612258, 1100087778366101931,
    1779979416004714189, 2880067194370816120, 4660046610375530309, 7540113804746346429,
    0xa94fad42221f2702,
};
// clang-format on

// lucas_word: L(n), n <= WORD_MOST - 1.
static inline uint64_t lucas_word(uint64_t n) { return n == 0 ? 2 : words[n - 1] + words[n + 1]; }

// Two words hold F(n) and L(n) for n <= PAIR_MOST.
// F(2 k) = F(k) L(k), F(2 k + 1) = F(k + 1) L(k) - (-1)^k,
// L(2 k) = L(k)^2 - 2 (-1)^k, L(2 k + 1) = L(k + 1) L(k) - (-1)^k.
enum { PAIR_MOST = 2 * WORD_MOST - 2 };
static word_pair fibonacci_pair(uint64_t n) {
    const uint64_t k = n / 2;
    const word_pair product = (word_pair)words[n - k] * lucas_word(k);
    return n % 2 == 0 ? product : k % 2 == 0 ? product - 1 : product + 1;
}
static word_pair lucas_pair(uint64_t n) {
    const uint64_t k = n / 2, amount = n % 2 == 0 ? 2 : 1;
    const word_pair product = (word_pair)lucas_word(n - k) * lucas_word(k);
    return k % 2 == 0 ? product - amount : product + amount;
}

static void put_pair(uint64_t *rp, word_pair x) {
    rp[0] = (uint64_t)x;
    rp[1] = (uint64_t)(x >> 64);
}

// pair_limbs: the length of x.
static inline uint64_t pair_limbs(word_pair x) {
    return (uint64_t)(x != 0) + (uint64_t)(x >> 64 != 0);
}

// set_pair: whether r, on the host, has room for x, and then r = x.
static inline bool set_pair(const bigint_ctx *ctx, bigint *r, word_pair x) {
    const uint64_t limbs = pair_limbs(x);
    if (r->cap_ < limbs || !bigint_all_on_host(ctx, r, r, r)) {
        return false;
    }
    if (limbs > 0) {
        r->d_[0] = (uint64_t)x;
    }
    if (limbs > 1) {
        r->d_[1] = (uint64_t)(x >> 64);
    }
    r->n_ = limbs;
    r->sign_ = limbs > 0;
    return true;
}

// store_pair: r = x, for which it may have no room.
static bigint_status store_pair(bigint_ctx *ctx, const char *who, bigint *r, word_pair x) {
    uint64_t limbs[2];
    put_pair(limbs, x);
    return bigint_store(ctx, who, r, limbs, pair_limbs(x), 1);
}

// doubling: F(k) = {f, n} and F(k - 1) = {p, n}; t, u: as much workspace.
typedef struct {
    uint64_t *f, *p, *t, *u;
    uint64_t n;
} doubling;

// adjust: {rp, n} += amount, or -= amount.
static void adjust(uint64_t *rp, uint64_t n, uint64_t amount, bool subtract) {
    if (subtract) {
        limbs_sub_1(rp, rp, n, amount);
    } else {
        limbs_add_1(rp, rp, n, amount);
    }
}

// square: {rp, 2 n} = {ap, n}^2.
static inline bigint_status square(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n) {
    return n <= ctx->short_limbs ? mul_short(ctx, rp, ap, n, ap, n)
                                 : bigint_mul_limbs(ctx, rp, ap, n, ap, n);
}

// double_both: k becomes 2 k, or 2 k + 1 where `up`:
// F(2 k + 1) = 4 F(k)^2 - F(k - 1)^2 + 2 (-1)^k, F(2 k - 1) = F(k)^2 + F(k - 1)^2.
static bigint_status double_both(bigint_ctx *ctx, doubling *d, bool k_odd, bool up) {
    const uint64_t n = d->n, m = 2 * n;
    uint64_t *const t = d->t, *const u = d->u, *const p = d->p;
    bigint_status status = square(ctx, t, d->f, n);
    if (status == BIGINT_OK) {
        status = square(ctx, u, p, n);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    p[m] = limbs_add_n(p, t, u, m);   // F(2 k - 1)
    t[m] = limbs_lshift(t, t, m, 2);  // F(2 k + 1) in the end, which is larger
    t[m] -= limbs_sub_n(t, t, u, m);
    adjust(t, m + 1, 2, k_odd);
    if (up) {
        limbs_sub_n(p, t, p, m + 1);
        d->t = d->f;
        d->f = t;
    } else {
        limbs_sub_n(d->f, t, p, m + 1);
    }
    d->n = limbs_normalize(d->f, m + 1);
    return BIGINT_OK;
}

// begin: rows of `limbs` limbs each: few, or workspace.
enum { FEW = 24 };
static bigint_status begin(bigint_ctx *ctx, const char *who, doubling *d, uint64_t *few,
                           uint64_t limbs) {
    uint64_t *const rows = limbs <= FEW ? few : arena_take_limbs(ctx, who, 4 * limbs);
    if (rows == NULL) {
        return BIGINT_ENOMEM;
    }
    *d = (doubling){rows, rows + limbs, rows + 2 * limbs, rows + 3 * limbs, 0};
    return BIGINT_OK;
}

// pair: F(n), F(n - 1), n > 0, after begin.
static bigint_status pair(bigint_ctx *ctx, doubling *d, uint64_t n) {
    unsigned shift = 0;
    while (n >> shift > PAIR_MOST) {
        shift++;
    }
    put_pair(d->f, fibonacci_pair(n >> shift));
    put_pair(d->p, fibonacci_pair((n >> shift) - 1));
    d->n = d->f[1] == 0 ? 1 : 2;
    bigint_status status = BIGINT_OK;
    while (shift > 0 && status == BIGINT_OK) {
        const bool k_odd = (n >> shift & 1) != 0;
        shift--;
        status = double_both(ctx, d, k_odd, (n >> shift & 1) != 0);
    }
    return status;
}

// room: limbs for F(n) or L(n), below 2^(0.6943 n + 1), when they are made of squares of numbers
// whose top limb may hold one bit: 3/4 of a bit a step and a few limbs.
static uint64_t room(uint64_t n) { return n / 64 * 3 / 4 + 8; }

// The last squares, and the product of a number alone, have half the length.
void fibonacci_need(work_need *w, uint64_t n) {
    const uint64_t in_use = w->host.in_use, limbs = room(n), half = room(n / 2);
    if (limbs > FEW) {
        need_take_limbs(&w->host, 4 * limbs);
    }
    mul_need(w, half, half, true);
    mul_need(w, half, half, false);
    need_release(&w->host, in_use);
}

static bigint_status check(bigint_ctx *ctx, const char *who, const bigint *r,
                           const bigint *previous) {
    bigint_status status = number_check(ctx, who, r, previous, NULL);
    if (status == BIGINT_OK && r == previous) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: both results are the same integer", who);
    }
    return status;
}

// store_both: r = {x, n}, previous = y_sign {y, n}; both have their room before the first is
// written.
static bigint_status store_both(bigint_ctx *ctx, const char *who, bigint *r, bigint *previous,
                                const uint64_t *x, const uint64_t *y, uint64_t n, int y_sign) {
    bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, previous, n);
    }
    if (status == BIGINT_OK) {
        bigint_put(r, x, n, 1);
        bigint_put(previous, y, n, y_sign);
    }
    return status;
}

// --- Fibonacci -----------------------------------------------------------------------------------

// fibonacci_alone: r = F(n), n > WORD_MOST, by one product at the end:
// F(2 k) = F(k) (F(k) + 2 F(k - 1)),
// F(2 k + 1) = (2 F(k) + F(k - 1)) (2 F(k) - F(k - 1)) + 2 (-1)^k.
static bigint_status fibonacci_alone(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n) {
    uint64_t few[4 * FEW];
    doubling d;
    const uint64_t k = n / 2;
    bigint_status status;
    (void)((status = begin(ctx, who, &d, few, room(n))) || (status = pair(ctx, &d, k)) ||
           (status = bigint_reserve(ctx, who, r, 2 * d.n + 2)));
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t m = d.n + 1;
    const bool odd = n % 2 != 0;
    d.f[d.n] = d.p[d.n] = 0;
    if (odd) {
        limbs_lshift(d.f, d.f, m, 1);
        limbs_add_n(d.t, d.f, d.p, m);
        limbs_sub_n(d.f, d.f, d.p, m);
    } else {
        limbs_lshift(d.t, d.p, m, 1);
        limbs_add_n(d.t, d.t, d.f, m);
    }
    const uint64_t tn = limbs_normalize(d.t, m), fn = limbs_normalize(d.f, m);
    status = bigint_mul_limbs(ctx, r->d_, d.t, tn, d.f, fn);
    if (status == BIGINT_OK) {
        adjust(r->d_, tn + fn, odd ? 2 : 0, k % 2 != 0);
        bigint_finish(r, tn + fn, 1);
    }
    return status;
}

// any_fibonacci: bigint_fibonacci where set_pair does not do it.
static __attribute__((noinline)) bigint_status any_fibonacci(bigint_ctx *ctx, bigint *r,
                                                             bigint *previous, uint64_t n) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_fibonacci", (host_operands){.r = {r, previous}});
        return host_call_end(&there, any_fibonacci(ctx, there.r[0], there.r[1], n));
    }
    const char *who = "bigint_fibonacci";
    bigint_status status = check(ctx, who, r, previous);
    if (status != BIGINT_OK) {
        return status;
    }
    if (n <= WORD_MOST && previous != NULL) {
        const uint64_t before = n == 0 ? 1 : words[n - 1];
        return store_both(ctx, who, r, previous, &words[n], &before, 1, 1);
    }
    if (n <= PAIR_MOST && previous == NULL) {
        return store_pair(ctx, who, r, fibonacci_pair(n));
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t few[4 * FEW];
    doubling d;
    if (previous == NULL) {
        status = fibonacci_alone(ctx, who, r, n);
    } else {
        (void)((status = begin(ctx, who, &d, few, room(n))) || (status = pair(ctx, &d, n)) ||
               (status = store_both(ctx, who, r, previous, d.f, d.p, d.n, 1)));
    }
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_fibonacci(bigint_ctx *ctx, bigint *r, bigint *previous, uint64_t n) {
    return n <= PAIR_MOST && previous == NULL && set_pair(ctx, r, fibonacci_pair(n))
               ? BIGINT_OK
               : any_fibonacci(ctx, r, previous, n);
}

// --- Lucas ---------------------------------------------------------------------------------------

// lucas_odd: {d->t, *n} = L(m), m odd, from F(k), F(k - 1), m = 2 k + 1 > WORD_MOST:
// L(2 k + 1) = 5 F(k - 1) (2 F(k) + F(k - 1)) - 4 (-1)^k.
static bigint_status lucas_odd(bigint_ctx *ctx, doubling *d, uint64_t *n, bool k_odd) {
    d->f[d->n] = limbs_lshift(d->f, d->f, d->n, 1);
    d->p[d->n] = 0;
    limbs_add_n(d->f, d->f, d->p, d->n + 1);
    const uint64_t fn = limbs_normalize(d->f, d->n + 1), pn = limbs_normalize(d->p, d->n);
    const bigint_status status = bigint_mul_limbs(ctx, d->t, d->f, fn, d->p, pn);
    if (status == BIGINT_OK) {
        d->t[fn + pn] = ctx->limbs->mul_1(d->t, d->t, fn + pn, 5);
        adjust(d->t, fn + pn + 1, 4, !k_odd);
        *n = limbs_normalize(d->t, fn + pn + 1);
    }
    return status;
}

// lucas_alone: r = L(n), n > PAIR_MOST, n = m 2^twos with m at most PAIR_MOST or odd:
// L(2 k) = L(k)^2 - 2 (-1)^k.
static bigint_status lucas_alone(bigint_ctx *ctx, const char *who, bigint *r, uint64_t n) {
    uint64_t few[4 * FEW];
    doubling d;
    unsigned twos = 0;
    while (n >> twos > PAIR_MOST && (n >> twos) % 2 == 0) {
        twos++;
    }
    const uint64_t m = n >> twos, k = m / 2;
    uint64_t ln = 1;
    bigint_status status = begin(ctx, who, &d, few, room(n));
    if (status == BIGINT_OK && m <= PAIR_MOST) {
        put_pair(d.t, lucas_pair(m));
        ln = limbs_normalize(d.t, 2);
    } else if (status == BIGINT_OK) {
        (void)((status = pair(ctx, &d, k)) || (status = lucas_odd(ctx, &d, &ln, k % 2 != 0)));
    }
    for (bool odd = m % 2 != 0; twos > 0 && status == BIGINT_OK; twos--, odd = false) {
        status = square(ctx, d.u, d.t, ln);
        if (status == BIGINT_OK) {
            uint64_t *const next = d.u;
            adjust(next, 2 * ln, 2, !odd);
            ln = limbs_normalize(next, 2 * ln);
            d.u = d.t;
            d.t = next;
        }
    }
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, r, ln);
    }
    if (status == BIGINT_OK) {
        bigint_put(r, d.t, ln, 1);
    }
    return status;
}

// lucas_both: from F(n), F(n - 1): L(n) = F(n) + 2 F(n - 1), L(n - 1) = 2 F(n) - F(n - 1).
static bigint_status lucas_both(bigint_ctx *ctx, const char *who, bigint *r, bigint *previous,
                                uint64_t n) {
    uint64_t few[4 * FEW];
    doubling d;
    bigint_status status;
    (void)((status = begin(ctx, who, &d, few, room(n))) || (status = pair(ctx, &d, n)));
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t m = d.n + 1;
    d.f[d.n] = d.p[d.n] = 0;
    limbs_lshift(d.t, d.p, m, 1);
    limbs_add_n(d.t, d.t, d.f, m);
    limbs_lshift(d.f, d.f, m, 1);
    limbs_sub_n(d.f, d.f, d.p, m);
    return store_both(ctx, who, r, previous, d.t, d.f, m, 1);
}

// any_lucas: bigint_lucas where set_pair does not do it.
static __attribute__((noinline)) bigint_status any_lucas(bigint_ctx *ctx, bigint *r,
                                                         bigint *previous, uint64_t n) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_lucas", (host_operands){.r = {r, previous}});
        return host_call_end(&there, any_lucas(ctx, there.r[0], there.r[1], n));
    }
    const char *who = "bigint_lucas";
    bigint_status status = check(ctx, who, r, previous);
    if (status != BIGINT_OK) {
        return status;
    }
    if (n <= PAIR_MOST && previous == NULL) {
        return store_pair(ctx, who, r, lucas_pair(n));
    }
    if (n == 0) {  // L(0) = 2, L(-1) = -1
        const uint64_t two = 2, one = 1;
        return store_both(ctx, who, r, previous, &two, &one, 1, -1);
    }
    const arena_mark mark = arena_get_mark(ctx);
    status = previous == NULL ? lucas_alone(ctx, who, r, n) : lucas_both(ctx, who, r, previous, n);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_lucas(bigint_ctx *ctx, bigint *r, bigint *previous, uint64_t n) {
    return n <= PAIR_MOST && previous == NULL && set_pair(ctx, r, lucas_pair(n))
               ? BIGINT_OK
               : any_lucas(ctx, r, previous, n);
}
