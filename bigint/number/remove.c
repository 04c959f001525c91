// remove.c: how often a number divides another one.
#include "bigint/core/host_call.h"
#include "bigint/divide/plan.h"
#include "bigint/multiply/product.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// No power f^(2^k) fits in memory beyond this k.
enum { POWERS_MAX = 64 };

// removal: what is left of a, the quotient and the remainder of a trial, and f^(2^k), k < powers.
typedef struct {
    bigint left, quotient, rest;
    bigint power[POWERS_MAX];
    unsigned powers;
    uint64_t count;
} removal;

// take: divides by power k if that leaves no remainder; *done says whether.
static bigint_status take(bigint_ctx *ctx, removal *s, unsigned k, bool *done) {
    *done = false;
    if (s->power[k].n_ > s->left.n_) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_divrem(ctx, &s->quotient, &s->rest, &s->left, &s->power[k]);
    *done = status == BIGINT_OK && s->rest.n_ == 0;
    if (*done) {
        bigint_swap(&s->left, &s->quotient);
        s->count += (uint64_t)1 << k;
    }
    return status;
}

// push: the next power, the last one squared, if it is no longer than what is left; *done says
// whether.
static bigint_status push(bigint_ctx *ctx, const char *who, removal *s, bool *done) {
    const bigint *const last = &s->power[s->powers - 1];
    *done = false;
    if (s->powers == POWERS_MAX || 2 * last->n_ - 1 > s->left.n_) {
        return BIGINT_OK;
    }
    bigint *const next = &s->power[s->powers];
    *next = bigint_scratch(ctx, who, 2 * last->n_);
    const bigint_status status = next->d_ == NULL ? BIGINT_ENOMEM : bigint_sqr(ctx, next, last);
    *done = status == BIGINT_OK;
    s->powers += *done;
    return status;
}

// remove_all: up with squares while they divide, then down again: after a power f^(2^k) that does
// not divide, f divides what is left less than 2^k times.
static bigint_status remove_all(bigint_ctx *ctx, const char *who, removal *s) {
    bool again = true;
    bigint_status status = BIGINT_OK;
    while (again && status == BIGINT_OK) {
        status = take(ctx, s, s->powers - 1, &again);
        if (again) {
            status = push(ctx, who, s, &again);
        }
    }
    for (unsigned k = s->powers; k-- > 0 && status == BIGINT_OK;) {
        bool done;
        status = take(ctx, s, k, &done);
    }
    return status;
}

// by_division: for |f| > 1 and a not 0.
static bigint_status by_division(bigint_ctx *ctx, const char *who, bigint *r, uint64_t *count,
                                 const bigint *a, const bigint *f) {
    removal s;
    bigint *const all[] = {&s.left, &s.quotient, &s.rest, &s.power[0]};
    const uint64_t room[] = {a->n_ + 2, a->n_ + 2, a->n_ + 2, f->n_};
    s.powers = 1;
    s.count = 0;
    bigint_status status = BIGINT_OK;
    for (unsigned i = 0; i < 4 && status == BIGINT_OK; i++) {
        *all[i] = bigint_scratch(ctx, who, room[i]);
        status = all[i]->d_ == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    (void)(status || (status = bigint_set(ctx, &s.left, a)) ||
           (status = bigint_set(ctx, &s.power[0], f)) || (status = remove_all(ctx, who, &s)) ||
           (status = bigint_set(ctx, r, &s.left)));
    *count = s.count;
    return status;
}

// by_shift: for |f| = 2 and a not 0.
static bigint_status by_shift(bigint_ctx *ctx, bigint *r, uint64_t *count, const bigint *a,
                              int f_sign) {
    bigint_status status;
    (void)((status = bigint_scan1(ctx, count, a, 0)) ||
           (status = bigint_tdiv_2exp(ctx, r, a, *count)));
    if (status == BIGINT_OK && f_sign < 0 && *count % 2 != 0) {
        r->sign_ = -r->sign_;
    }
    return status;
}

// A square has room for twice the limbs of the power before it, at most one more than is left.
// Powers shorter than two limbs double fewer than seven times.
void remove_need(work_need *w, uint64_t an, uint64_t bn) {
    enum { WORDS = 7 };
    const uint64_t in_use = w->host.in_use;
    if (an == 0 || bn == 0) {
        return;
    }
    for (unsigned i = 0; i < 3; i++) {
        need_take_limbs(&w->host, an + 2);
    }
    need_take_limbs(&w->host, bn);
    for (uint64_t n = (an + 1) / 2; n >= bn && n > 1; n = (n + 1) / 2) {
        need_take_limbs(&w->host, 2 * n);
        mul_product_need(w, n, n, true, 0);
    }
    for (unsigned i = 0; i < WORDS && bn == 1 && an > 1; i++) {
        need_take_limbs(&w->host, 2);
    }
    for (uint64_t n = bn; n <= an; n *= 2) {
        divrem_need(w, an, n);
    }
    need_release(&w->host, in_use);
}

bigint_status bigint_remove(bigint_ctx *ctx, bigint *r, uint64_t *count, const bigint *a,
                            const bigint *f) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_remove", (host_operands){.r = {r}, .a = {a, f}});
        uint64_t times = 0;  // *count keeps its value if r cannot be stored
        const bigint_status status =
            host_call_end(&there, bigint_remove(ctx, there.r[0], &times, there.a[0], there.a[1]));
        if (status == BIGINT_OK && count != NULL) {
            *count = times;
        }
        return status;
    }
    const char *who = "bigint_remove";
    bigint_status status = number_check(ctx, who, r, a, f);
    if (status == BIGINT_OK && f->n_ == 0) {
        status = bigint_fail(ctx, BIGINT_EINVAL, "%s: every power of 0 is 0; test f before", who);
    }
    if (status != BIGINT_OK) {
        return status;
    }
    const arena_mark mark = arena_get_mark(ctx);
    const uint64_t word = f->n_ == 1 ? f->d_[0] : 0;
    uint64_t times = 0;
    status = a->n_ == 0 || word == 1 ? bigint_set(ctx, r, a)
             : word == 2             ? by_shift(ctx, r, &times, a, f->sign_)
                                     : by_division(ctx, who, r, &times, a, f);
    if (status == BIGINT_OK && count != NULL) {
        *count = times;
    }
    arena_release(ctx, mark);
    return status;
}
