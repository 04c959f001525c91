// root.c: square roots and roots of any degree: an approximation, a power that decides if that is
// too close to an integer, the remainder, and the public calls. B = 2^64; bounds:
// docs/proofs/root.md.
#include <math.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/divide/root.h"
#include "bigint/divide/root_halves.h"
#include "bigint/divide/root_newton.h"
#include "bigint/divide/root_plan.h"
#include "bigint/divide/root_rows.h"
#include "bigint/divide/root_thirds.h"
#include "bigint/multiply/mod.h"
#include "bigint/multiply/mul.h"
#include "primitives/limbs/limbs.h"
#include "primitives/words/word.h"

// --- Limbs ---------------------------------------------------------------------------------------

// last_product: *left *right = {sp, sn}^k, on the arena and in {sp}; or left->n = 0 if the power is
// longer than `most` limbs.
static bigint_status last_product(bigint_ctx *ctx, const char *who, mul_ring_term *left,
                                  mul_ring_term *right, const uint64_t *sp, uint64_t sn, uint64_t k,
                                  uint64_t most) {
    uint64_t *to = arena_take_limbs(ctx, who, most + 1);
    uint64_t *other = to == NULL ? NULL : arena_take_limbs(ctx, who, most + 1);
    bigint_status status = other == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    const mul_ring_term s = {sp, sn, false};
    mul_ring_term power = s;
    for (unsigned bit = 63 - word_clz(k); bit-- > 0 && status == BIGINT_OK;) {
        for (unsigned factor = 0; factor <= (k >> bit & 1) && status == BIGINT_OK; factor++) {
            *left = power;
            *right = factor == 0 ? power : s;
            if (left->n + right->n - 1 > most) {
                left->n = 0;
                return BIGINT_OK;
            }
            if (bit == 0 && factor == (k & 1)) {
                return BIGINT_OK;
            }
            status = bigint_mul_limbs(ctx, to, left->p, left->n, right->p, right->n);
            if (status == BIGINT_OK) {
                power = (mul_ring_term){to, limbs_normalize(to, left->n + right->n), false};
            }
            uint64_t *const written = to;
            to = other;
            other = written;
        }
    }
    return status;
}

// below: {rp, an} = a - s^k if that is not negative; *fits says so, and *exact whether it is 0. rp
// may be NULL. s is one of the integers next to a^(1/k).
static bigint_status below(bigint_ctx *ctx, const char *who, bool *fits, bool *exact, uint64_t *rp,
                           const uint64_t *ap, uint64_t an, const uint64_t *sp, uint64_t sn,
                           uint64_t k) {
    // With |a - s^k| <= k (s + 1)^(k - 1) only the upper limbs of the power equal the limbs of a.
    const uint64_t bits = 64 * sn - word_clz(sp[sn - 1]);
    const uint64_t within = (k - 1) * bits + (64 - word_clz(k));
    const uint64_t n = within / 64 + 2 < an + 2 ? within / 64 + 2 : an + 2;
    const arena_mark mark = arena_get_mark(ctx);
    mul_ring_term left = {0}, right = {0};
    uint64_t *const ep = arena_take_limbs(ctx, who, n);
    bigint_status status =
        ep == NULL ? BIGINT_ENOMEM : last_product(ctx, who, &left, &right, sp, sn, k, an);
    *fits = *exact = false;
    if (status == BIGINT_OK && left.n > 0) {
        status = mul_difference(ctx, who, ep, n, ap, an, left.p, left.n, right.p, right.n);
        *fits = status == BIGINT_OK && ep[n - 1] >> 63 == 0;
        *exact = *fits && limbs_normalize(ep, n) == 0;
    }
    if (*fits && rp != NULL) {
        const uint64_t kept = n < an ? n : an;
        memcpy(rp, ep, kept * sizeof *rp);
        memset(rp + kept, 0, (an - kept) * sizeof *rp);
    }
    arena_release(ctx, mark);
    return status;
}

// is_square: *exact = whether {ap, an} = {sp, n}^2, n = ceil(an / 2). {tp, 2 n} is workspace, and
// rarely used.
static bigint_status is_square(bigint_ctx *ctx, bool *exact, const uint64_t *ap, uint64_t an,
                               const uint64_t *sp, uint64_t n, uint64_t *tp) {
    *exact = sp[0] * sp[0] == ap[0];
    if (!*exact) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_mul_limbs(ctx, tp, sp, n, sp, n);
    *exact = status == BIGINT_OK && limbs_cmp(tp, ap, an) == 0;  // limb an, if any, is 0
    return status;
}

// square_root: root_limbs for k = 2.
static bigint_status square_root(bigint_ctx *ctx, const char *who, uint64_t *sp, bool *exact,
                                 uint64_t *rp, const uint64_t *ap, uint64_t an) {
    uint64_t *const ws = arena_take_limbs(ctx, who, ROOT_HALVES_WORKSPACE * an);
    if (ws == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status = root_halves(ctx, sp, rp, ap, an, ws);
    if (status == BIGINT_OK && rp != NULL) {
        memset(rp + (an / 2 + 1), 0, (an - (an / 2 + 1)) * sizeof *rp);
    }
    if (status == BIGINT_OK && exact != NULL && rp == NULL) {
        return is_square(ctx, exact, ap, an, sp, (an + 1) / 2, ws);
    }
    if (status == BIGINT_OK && exact != NULL) {
        *exact = limbs_normalize(rp, an) == 0;
    }
    return status;
}

// cube_root: root_limbs for k = 3 and an from 3 to ROOT_THIRDS_MOST. sn = ceil(an / 3).
static bigint_status cube_root(bigint_ctx *ctx, uint64_t *sp, bool *exact, uint64_t *rp,
                               const uint64_t *ap, uint64_t an) {
    enum { ROOT_MOST = (ROOT_THIRDS_MOST + 2) / 3 };
    uint64_t square[2 * ROOT_MOST], cube[3 * ROOT_MOST];
    const uint64_t sn = (an + 2) / 3;
    bigint_status status = root_thirds(ctx, sp, rp == NULL ? exact : NULL, ap, an);
    if (status != BIGINT_OK || rp == NULL) {
        return status;
    }
    status = bigint_mul_limbs(ctx, square, sp, sn, sp, sn);
    if (status == BIGINT_OK) {
        status = bigint_mul_limbs(ctx, cube, square, 2 * sn, sp, sn);
    }
    if (status == BIGINT_OK &&
        (limbs_normalize(cube, 3 * sn) > an || limbs_sub_n(rp, ap, cube, an) != 0)) {
        status = context_impossible(ctx, "bigint_root", "a negative remainder");
    }
    if (status == BIGINT_OK && exact != NULL) {
        *exact = limbs_normalize(rp, an) == 0;
    }
    return status;
}

// pair_power: *power = s^k; false if that is 2^128 or more.
static bool pair_power(word_pair *power, uint64_t s, uint64_t k) {
    *power = s;
    for (uint64_t i = 1; i < k; i++) {
        if (__builtin_mul_overflow(*power, (word_pair)s, power)) {
            return false;
        }
    }
    return true;
}

// root_of_two_limbs: s = floor(a^(1/k)), k >= 3, 2^k <= a, and *power = s^k. In doubles the root,
// below 2^43, errs by less than 1; whatever their functions return, the loops end at s.
static uint64_t root_of_two_limbs(word_pair *power, word_pair a, uint64_t k) {
    const double x = (double)a;
    uint64_t s = (uint64_t)(k == 3 ? cbrt(x) : pow(x, 1 / (double)k));
    word_pair next;
    while (!pair_power(power, s, k) || *power > a) {
        s--;
    }
    for (; pair_power(&next, s + 1, k) && next <= a; s++) {
        *power = next;
    }
    return s;
}

// root_limbs: {sp, *sn} = s = floor(a^(1/k)), and {rp, an} = a - s^k; *exact says whether that is
// 0. rp and exact may be NULL. k >= 2. {rp} is written last. No overlap.
static bigint_status root_limbs(bigint_ctx *ctx, const char *who, uint64_t *sp, uint64_t *sn,
                                bool *exact, uint64_t *rp, const uint64_t *ap, uint64_t an,
                                uint64_t k) {
    const root_way way = root_way_of(an, 64 * an - word_clz(ap[an - 1]), k);
    if (way == ROOT_ONE) {
        sp[0] = *sn = 1;
        if (exact != NULL) {
            *exact = an == 1 && ap[0] == 1;
        }
        if (rp != NULL) {
            limbs_sub_1(rp, ap, an, 1);
        }
        return BIGINT_OK;
    }
    if (way == ROOT_HALVES) {
        *sn = (an + 1) / 2;
        return square_root(ctx, who, sp, exact, rp, ap, an);
    }
    if (way == ROOT_PAIR) {
        const word_pair x = (word_pair)(an > 1 ? ap[1] : 0) << 64 | ap[0];
        word_pair nearest;
        *sn = 1;
        sp[0] = root_of_two_limbs(&nearest, x, k);
        if (exact != NULL) {
            *exact = nearest == x;
        }
        if (rp != NULL) {
            rp[0] = (uint64_t)(x - nearest);
            rp[an - 1] = an > 1 ? (uint64_t)((x - nearest) >> 64) : rp[0];
        }
        return BIGINT_OK;
    }
    if (way == ROOT_THIRDS) {
        *sn = (an + 2) / 3;
        return cube_root(ctx, sp, exact, rp, ap, an);
    }
    bool near = false, fits = true, power = false;
    bigint_status status = root_near(ctx, who, sp, sn, &near, ap, an, k);
    if (status == BIGINT_OK && (near || rp != NULL)) {
        status = below(ctx, who, &fits, &power, rp, ap, an, sp, *sn, k);
    }
    if (status == BIGINT_OK && !fits && near) {
        limbs_sub_1(sp, sp, *sn, 1);
        *sn = limbs_normalize(sp, *sn);
        // a is between (s + 1 - 2^-31)^k and (s + 1)^k: no power
        fits = rp == NULL;
        status = fits ? BIGINT_OK : below(ctx, who, &fits, &power, rp, ap, an, sp, *sn, k);
    }
    if (exact != NULL) {
        *exact = power;
    }
    return status != BIGINT_OK || fits ? status
                                       : context_impossible(ctx, who, "a negative remainder");
}

bigint_status bigint_limbs_sqrt(bigint_ctx *ctx, uint64_t *sp, uint64_t *rp, int *exact,
                                const uint64_t *ap, uint64_t an) {
    const char *who = "bigint_limbs_sqrt";
    bigint_status status = bigint_check_limbs(ctx, who);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, an);
    }
    if (status == BIGINT_OK && (an == 0 || ap[an - 1] == 0)) {
        status =
            bigint_fail(ctx, BIGINT_EINVAL, "%s: the top limb is 0; give the exact length", who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t *const root = arena_take_limbs(ctx, who, root_limbs_bound(an, 2)), sn;
    uint64_t *const rest = root == NULL || rp != ap ? rp : arena_take_limbs(ctx, who, an);
    bool square;
    status = root == NULL || (rest == NULL && rp != NULL)
                 ? BIGINT_ENOMEM
                 : root_limbs(ctx, who, root, &sn, &square, rest, ap, an, 2);
    if (status == BIGINT_OK) {
        memcpy(sp, root, (an + 1) / 2 * sizeof *sp);
        if (rest != rp) {
            memcpy(rp, rest, an * sizeof *rp);
        }
        if (exact != NULL) {
            *exact = square;
        }
    }
    arena_release(ctx, mark);
    return status;
}

// --- Integers ------------------------------------------------------------------------------------

// root_of: s and r, which have room, for a other than 0.
static bigint_status root_of(bigint_ctx *ctx, const char *who, bigint *s, bigint *r,
                             const bigint *a, uint64_t k) {
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t an = a->n_;
    const int sign = a->sign_;
    uint64_t *sp = arena_take_limbs(ctx, who, root_limbs_bound(an, k)), *rp = NULL, sn;
    bigint_status status = sp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    if (status == BIGINT_OK && r != NULL) {
        rp = arena_take_limbs(ctx, who, an);
        status = rp == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    if (status == BIGINT_OK) {
        status = root_limbs(ctx, who, sp, &sn, NULL, rp, a->d_, an, k);
    }
    if (status == BIGINT_OK && s != NULL) {
        status = bigint_store(ctx, who, s, sp, sn, sign);
    }
    if (status == BIGINT_OK && r != NULL) {
        status = bigint_store(ctx, who, r, rp, an, sign);
    }
    arena_release(ctx, mark);
    return status;
}

// few_cube_root: the same for a of 3 to ROOT_FEW limbs, k = 3, on the stack.
enum { ROOT_FEW = 32 };
_Static_assert((int)ROOT_FEW <= (int)ROOT_HALVES_SAFE, "few_root may write its results at once");
static bigint_status few_cube_root(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a) {
    uint64_t sp[(ROOT_FEW + 2) / 3], rp[ROOT_FEW];
    const uint64_t n = a->n_;
    const bigint_status status = cube_root(ctx, sp, NULL, r != NULL ? rp : NULL, a->d_, n);
    if (status == BIGINT_OK && s != NULL) {
        bigint_put(s, sp, (n + 2) / 3, 1);
    }
    if (status == BIGINT_OK && r != NULL) {
        bigint_put(r, rp, n, 1);
    }
    return status;
}

// few_root: the same for k = 2.
static bigint_status few_root(bigint_ctx *ctx, bigint *s, bigint *r, const bigint *a) {
    uint64_t root[(ROOT_FEW + 1) / 2], ws[ROOT_HALVES_WORKSPACE * ROOT_FEW];
    const uint64_t an = a->n_, n = (an + 1) / 2;
    const bigint_status status =
        root_halves(ctx, s != NULL ? s->d_ : root, r != NULL ? r->d_ : NULL, a->d_, an, ws);
    if (s != NULL) {
        s->n_ = n;
        s->sign_ = 1;
    }
    if (r != NULL) {
        // At most 2 s, so a limb more than s or not, at random: no branch.
        bigint_finish(r, n + (an % 2 == 0 && r->d_[an / 2] != 0), 1);
    }
    return status;
}

// pair_root: the same for one or two limbs.
static void pair_root(bigint *s, bigint *r, const bigint *a) {
    const uint64_t n = a->n_;
    word_pair rest;
    const uint64_t root = root_rows_pair(&rest, (word_pair)(n > 1 ? a->d_[1] : 0) << 64 | a->d_[0]);
    if (s != NULL) {
        s->d_[0] = root;
        s->n_ = 1;
        s->sign_ = 1;
    }
    if (r != NULL) {  // how long it is, is a toss-up: no branch
        const uint64_t low = (uint64_t)rest, high = (uint64_t)(rest >> 64);
        r->d_[0] = low;
        if (n > 1) {
            r->d_[1] = high;
        }
        r->n_ = (uint64_t)(high != 0) + ((low | high) != 0);
        r->sign_ = (low | high) != 0;
    }
}

// is_few: whether those three take a: a is positive, a and the wanted outputs live on the host, and
// the outputs have room.
static inline bool is_few(const bigint_ctx *ctx, const bigint *s, const bigint *r,
                          const bigint *a) {
    return ctx->on_host && a->n_ - 1 < ROOT_FEW && a->sign_ > 0 && a->place_ == 0 && s != r &&
           bigint_has_room(s, (a->n_ + 1) / 2) && bigint_has_room(r, a->n_);
}

bigint_status root_check(bigint_ctx *ctx, const char *who, const bigint *s, const bigint *r,
                         const bigint *a, uint64_t k) {
    bigint_status status = bigint_check_places(ctx, who, a, s, r);
    if (status == BIGINT_OK && s == NULL) {
        status = bigint_check_places(ctx, who, r, NULL, NULL);
    }
    if (status == BIGINT_OK && k == 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: the degree is 0; give 1 at least", who);
    }
    if (status == BIGINT_OK && s != NULL && s == r) {
        status = bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: root and remainder are the same integer; give two, or NULL", who);
    }
    return status;
}

bigint_status root_negative(bigint_ctx *ctx, const char *who) {
    return bigint_fail(ctx, BIGINT_EINVAL,
                       "%s: a root of even degree of a negative number; test its sign", who);
}

bigint_status root_integers(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a,
                            uint64_t k) {
    if ((k == 2 || (k == 3 && a->n_ > 2)) && is_few(ctx, s, r, a)) {
        if (a->n_ > 2) {
            return k == 2 ? few_root(ctx, s, r, a) : few_cube_root(ctx, s, r, a);
        }
        pair_root(s, r, a);
        return BIGINT_OK;
    }
    bigint_status status = root_check(ctx, who, s, r, a, k);
    if (status == BIGINT_OK && a->sign_ < 0 && k % 2 == 0) {
        status = root_negative(ctx, who);
    }
    // Outputs get their room first and their values last.
    if (status == BIGINT_OK && s != NULL) {
        status = bigint_reserve(ctx, who, s, k == 1 ? a->n_ : root_limbs_bound(a->n_, k));
    }
    if (status == BIGINT_OK && r != NULL) {
        status = bigint_reserve(ctx, who, r, a->n_);
    }
    if (status == BIGINT_OK && a->n_ > 0 && k > 1) {
        return root_of(ctx, who, s, r, a, k);
    }
    if (status == BIGINT_OK && s != NULL) {
        status = bigint_set(ctx, s, a);
    }
    if (status == BIGINT_OK && r != NULL) {
        bigint_finish(r, 0, 0);
    }
    return status;
}
