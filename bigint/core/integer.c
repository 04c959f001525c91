// integer.c: integers: the public calls to set and get, compare, shift and add, and their work on
// the host; for devices it is in device/integer.c and arith.c. Linear work only; may include
// context.h, device/device.h and primitives/.
//
// On the host: sign and magnitude: {d_, n_} without zero limbs at the top, sign_ -1, 0, 1, sign_
// = 0 exactly when n_ = 0. place_ is the place plus one, so that the zero state is on the host.
#include <assert.h>
#include <string.h>

#include "bigint/device/device.h"
#include "primitives/words/word.h"

// --- Memory --------------------------------------------------------------------------------------

bigint_status bigint_check_size(bigint_ctx *ctx, const char *who, uint64_t limbs) {
    if (limbs <= BIGINT_MAX_LIMBS) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: a number of %llu limbs exceeds the limit of 2^56",
                       who, (unsigned long long)limbs);
}

uint64_t *bigint_limbs_allocate(bigint_ctx *ctx, const char *who, uint64_t limbs, uint64_t *cap,
                                bigint_status *status) {
    *status = bigint_check_size(ctx, who, limbs);
    if (*status != BIGINT_OK) {
        return NULL;
    }
    // Whole cache lines, at least one: sums that grow limb by limb find room seven times out of
    // eight.
    *cap = limbs / 8 * 8 + 8;
    uint64_t *p = context_allocate(ctx, *cap * sizeof *p);
    if (p == NULL) {
        *status =
            bigint_fail(ctx, BIGINT_ENOMEM, "%s: no memory for a number of %llu limbs (%llu bytes)",
                        who, (unsigned long long)limbs, (unsigned long long)(*cap * sizeof *p));
    }
    return p;
}

void bigint_limbs_release(bigint_ctx *ctx, uint64_t *limbs, uint64_t cap) {
    context_release(ctx, limbs, cap * sizeof *limbs);
}

void bigint_limbs_adopt(bigint_ctx *ctx, bigint *r, uint64_t *limbs, uint64_t cap) {
    bigint_limbs_release(ctx, r->d_, r->cap_);
    r->d_ = limbs;
    r->cap_ = cap;
    r->place_ = ctx->device.place + 1;
}

bigint_status bigint_reserve(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs) {
    if (limbs <= r->cap_) {
        return BIGINT_OK;
    }
    bigint_status status;
    uint64_t cap, *p = bigint_limbs_allocate(ctx, who, limbs, &cap, &status);
    if (p != NULL) {
        if (r->n_ > 0) {
            memcpy(p, r->d_, r->n_ * sizeof *p);
        }
        bigint_limbs_adopt(ctx, r, p, cap);
    }
    return status;
}

void bigint_finish(bigint *r, uint64_t n, int sign) {
    assert(n <= r->cap_);
    r->n_ = limbs_normalize(r->d_, n);
    r->sign_ = r->n_ == 0 ? 0 : sign < 0 ? -1 : 1;
}

void bigint_put(bigint *r, const uint64_t *p, uint64_t n, int sign) {
    memcpy(r->d_, p, n * sizeof *p);
    bigint_finish(r, n, sign);
}

static bigint_status check_place(bigint_ctx *ctx, const char *who, const bigint *x) {
    if (x->d_ == NULL || x->place_ == ctx->device.place + 1) {
        return BIGINT_OK;
    }
    return bigint_fail(
        ctx, BIGINT_EPLACE,
        "%s: an operand lives on place %d, the context works on place %d; use bigint_move", who,
        (int)x->place_ - 1, ctx->device.place);
}

bigint_status bigint_check_places(bigint_ctx *ctx, const char *who, const bigint *a,
                                  const bigint *b, const bigint *c) {
    const bigint *const list[] = {a, b, c};
    bigint_status status = ctx->failed;
    for (int i = 0; i < 3 && list[i] != NULL && status == BIGINT_OK; i++) {
        status = check_place(ctx, who, list[i]);
    }
    return status;
}

bigint_status bigint_check_on_host(bigint_ctx *ctx, const char *who, const char *how) {
    return !context_on_device(ctx)
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ENOBACKEND,
                             "%s: not built for devices (place %d); call it with a context on "
                             "BIGINT_HOST, %s",
                             who, ctx->device.place, how);
}

bigint_status bigint_check_capacity(bigint_ctx *ctx, const char *who, const char *unit,
                                    uint64_t cap, uint64_t needed) {
    if (needed <= cap) {
        return BIGINT_OK;
    }
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: the buffer holds %llu %s, %llu are needed", who,
                       (unsigned long long)cap, unit, (unsigned long long)needed);
}

void bigint_clear(bigint_ctx *ctx, bigint *x) {
    if (check_place(ctx, "bigint_clear", x) != BIGINT_OK) {
        return;  // memory of another place is not this context's to free
    }
    if (context_on_device(ctx)) {
        device_clear(ctx, x);
        return;
    }
    bigint_limbs_release(ctx, x->d_, x->cap_);
    *x = (bigint)BIGINT_INIT;
}

void bigint_swap(bigint *x, bigint *y) {
    const bigint t = *x;
    *x = *y;
    *y = t;
}

bigint_status bigint_move(bigint_ctx *ctx, bigint *x, int place) {
    const char *who = "bigint_move";
    const int from = x->place_ - 1, here = ctx->device.place;
    if (ctx->failed != BIGINT_OK || x->d_ == NULL) {
        return ctx->failed;  // without limbs 0 is at home everywhere
    }
    if (from != here && place != here) {
        return bigint_fail(ctx, BIGINT_EPLACE,
                           "%s: from place %d to %d by a context that works on place %d; use one "
                           "of the two",
                           who, from, place, here);
    }
    if (from == place) {
        return BIGINT_OK;
    }
    return context_on_device(ctx)
               ? device_move(ctx, who, x, place)
               : device_move_through(ctx, who, x, place, place == here ? from : place);
}

// --- Set and get ---------------------------------------------------------------------------------

bigint_status bigint_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign) {
    if (context_on_device(ctx)) {
        return device_store(ctx, who, r, p, n, sign);
    }
    const bigint_status status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        if (n > 0 && p != r->d_) {
            memcpy(r->d_, p, n * sizeof *p);
        }
        bigint_finish(r, n, sign);
    }
    return status;
}

uint64_t *bigint_draft(bigint_ctx *ctx, const char *who, bigint *r, uint64_t limbs,
                       bigint_status *status) {
    if (context_on_device(ctx)) {
        *status = bigint_check_size(ctx, who, limbs);
        uint64_t *p = *status == BIGINT_OK ? arena_take_limbs(ctx, who, limbs) : NULL;
        *status = *status == BIGINT_OK && p == NULL ? BIGINT_ENOMEM : *status;
        return p;
    }
    *status = bigint_reserve(ctx, who, r, limbs);
    return *status == BIGINT_OK ? r->d_ : NULL;
}

// copy_signed: r = a with its sign kept, flipped or cleared; r may be a.
static bigint_status copy_signed(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                 limbs_sign sign) {
    const bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_copy(ctx, who, r, a, sign);
    }
    const int a_sign = a->sign_;
    return bigint_store(ctx, who, r, a->d_, a->n_,
                        sign == LIMBS_SIGN_KEEP   ? a_sign
                        : sign == LIMBS_SIGN_FLIP ? -a_sign
                                                  : 1);
}

bigint_status bigint_set(bigint_ctx *ctx, bigint *r, const bigint *a) {
    return copy_signed(ctx, "bigint_set", r, a, LIMBS_SIGN_KEEP);
}

bigint_status bigint_neg(bigint_ctx *ctx, bigint *r, const bigint *a) {
    return copy_signed(ctx, "bigint_neg", r, a, LIMBS_SIGN_FLIP);
}

bigint_status bigint_abs(bigint_ctx *ctx, bigint *r, const bigint *a) {
    return copy_signed(ctx, "bigint_abs", r, a, LIMBS_SIGN_CLEAR);
}

bigint_status bigint_set_limbs(bigint_ctx *ctx, bigint *r, const bigint_limb *p, uint64_t n,
                               int sign) {
    bigint_status status = bigint_check_places(ctx, "bigint_set_limbs", r, NULL, NULL);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, "bigint_set_limbs", n);
    }
    return status != BIGINT_OK
               ? status
               : bigint_store(ctx, "bigint_set_limbs", r, p, limbs_normalize(p, n), sign);
}

bigint_status bigint_set_u64(bigint_ctx *ctx, bigint *r, uint64_t value) {
    return bigint_set_limbs(ctx, r, &value, 1, 1);
}

bigint_status bigint_set_i64(bigint_ctx *ctx, bigint *r, int64_t value) {
    const uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    return bigint_set_limbs(ctx, r, &magnitude, 1, value < 0 ? -1 : 1);
}

const uint64_t *bigint_view(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t n,
                            bigint_status *status) {
    *status = BIGINT_OK;
    if (!context_on_device(ctx)) {
        return a->d_;
    }
    uint64_t *p = arena_take_limbs(ctx, who, n);
    *status = p == NULL ? BIGINT_ENOMEM : device_load(ctx, who, p, a, n);
    return *status == BIGINT_OK ? p : NULL;
}

bigint_status bigint_get_limbs(bigint_ctx *ctx, bigint_limb *p, uint64_t cap, uint64_t *need,
                               int *sign, const bigint *a) {
    const char *who = "bigint_get_limbs";
    uint64_t bits;
    int a_sign;
    bigint_status status = bigint_measure(ctx, who, &bits, &a_sign, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t n = word_ceil_div(bits, 64);
    if (need != NULL) {
        *need = n;
    }
    status = bigint_check_capacity(ctx, who, "limbs", cap, n);
    if (status == BIGINT_OK && n > 0) {
        if (context_on_device(ctx)) {
            status = device_load(ctx, who, p, a, n);
        } else {
            memcpy(p, a->d_, n * sizeof *p);
        }
    }
    if (status == BIGINT_OK && sign != NULL) {
        *sign = a_sign;
    }
    return status;
}

// --- Questions -----------------------------------------------------------------------------------

static int cmp_abs(const bigint *a, const bigint *b) {
    if (a->n_ != b->n_) {
        return a->n_ < b->n_ ? -1 : 1;
    }
    return limbs_cmp(a->d_, b->d_, a->n_);
}

uint64_t bigint_limbs_bound(const bigint *a) { return a->n_; }

bigint_status bigint_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a) {
    const bigint_status status = bigint_check_places(ctx, who, a, NULL, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_measure(ctx, who, bits, sign, a);
    }
    *bits = a->n_ == 0 ? 0 : 64 * a->n_ - word_clz(a->d_[a->n_ - 1]);  // n_ <= 2^56: no overflow
    *sign = a->sign_;
    return BIGINT_OK;
}

bigint_status bigint_bits(bigint_ctx *ctx, uint64_t *bits, const bigint *a) {
    int sign;
    return bigint_measure(ctx, "bigint_bits", bits, &sign, a);
}

bigint_status bigint_sign(bigint_ctx *ctx, int *sign, const bigint *a) {
    uint64_t bits;
    return bigint_measure(ctx, "bigint_sign", &bits, sign, a);
}

bigint_status bigint_cmp(bigint_ctx *ctx, int *order, const bigint *a, const bigint *b) {
    const char *who = "bigint_cmp";
    const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_cmp(ctx, who, order, a, b, false);
    }
    *order = a->sign_ != b->sign_ ? (a->sign_ < b->sign_ ? -1 : 1) : a->sign_ * cmp_abs(a, b);
    return BIGINT_OK;
}

bigint_status bigint_cmp_abs(bigint_ctx *ctx, int *order, const bigint *a, const bigint *b) {
    const char *who = "bigint_cmp_abs";
    const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_cmp(ctx, who, order, a, b, true);
    }
    *order = cmp_abs(a, b);
    return BIGINT_OK;
}

// --- Sums ----------------------------------------------------------------------------------------

// add_signed: r = a + b_sign |b|; r may be a or b.
static bigint_status add_signed(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                const bigint *b, int b_sign) {
    const bool swap = cmp_abs(a, b) < 0, same = a->sign_ == b_sign;
    const bigint *big = swap ? b : a, *small = swap ? a : b;
    const int sign = swap ? b_sign : a->sign_;
    const uint64_t n = big->n_, small_n = small->n_;
    const bigint_status status = bigint_reserve(ctx, who, r, same ? n + 1 : n);
    if (status != BIGINT_OK) {
        return status;
    }
    // |big| >= |small|: the difference does not borrow, and the sum has at most one limb more than
    // big.
    if (same) {
        r->d_[n] = limbs_add(r->d_, big->d_, n, small->d_, small_n);
    } else {
        const uint64_t borrow = limbs_sub(r->d_, big->d_, n, small->d_, small_n);
        assert(borrow == 0);
        (void)borrow;
    }
    bigint_finish(r, same ? n + 1 : n, sign);
    return BIGINT_OK;
}

// sum: a + b, or a - b where subtract.
static bigint_status sum(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                         const bigint *b, bool subtract) {
    const bigint_status status = bigint_check_places(ctx, who, r, a, b);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_add(ctx, who, r, a, b, subtract);
    }
    return add_signed(ctx, who, r, a, b, subtract ? -b->sign_ : b->sign_);
}

bigint_status bigint_add(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return sum(ctx, "bigint_add", r, a, b, false);
}

bigint_status bigint_sub(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return sum(ctx, "bigint_sub", r, a, b, true);
}

// --- Shifts --------------------------------------------------------------------------------------

bigint_status bigint_mul_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_mul_2exp";
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_mul_2exp(ctx, who, r, a, bits);
    }
    if (a->n_ == 0) {
        return bigint_store(ctx, who, r, NULL, 0, 0);
    }
    const uint64_t limbs = bits / 64, an = a->n_, n = limbs + an;  // below 2^58 + 2^56
    const int sign = a->sign_;
    status = bigint_reserve(ctx, who, r, n + 1);
    if (status == BIGINT_OK) {
        r->d_[n] = limbs_lshift(r->d_ + limbs, a->d_, an, (unsigned)(bits % 64));
        memset(r->d_, 0, limbs * sizeof *r->d_);
        bigint_finish(r, n + 1, sign);
    }
    return status;
}

bigint_status bigint_tdiv_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    const char *who = "bigint_tdiv_2exp";
    bigint_status status = bigint_check_places(ctx, who, r, a, NULL);
    if (status != BIGINT_OK || context_on_device(ctx)) {
        return status != BIGINT_OK ? status : device_tdiv_2exp(ctx, who, r, a, bits);
    }
    const uint64_t limbs = bits / 64;
    if (a->n_ <= limbs) {
        return bigint_store(ctx, who, r, NULL, 0, 0);
    }
    const uint64_t n = a->n_ - limbs;
    const int sign = a->sign_;
    status = bigint_reserve(ctx, who, r, n);
    if (status == BIGINT_OK) {
        limbs_rshift(r->d_, a->d_ + limbs, n, (unsigned)(bits % 64));
        bigint_finish(r, n, sign);
    }
    return status;
}
