// integer.c: integers: the public calls that set, get, copy, clear and measure them, and their work
// on the host. On other places: place.h. Linear work only.
#include "bigint/core/integer.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"
#include "primitives/words/word.h"

// --- Checks --------------------------------------------------------------------------------------

static bigint_status check_place(bigint_ctx *ctx, const char *who, const bigint *x) {
    if (x->d_ == NULL ||
        (x->place_ - 1 == ctx->device.place && (ctx->away == NULL || ctx->away->holds(ctx, x)))) {
        return BIGINT_OK;
    }
    if (x->place_ - 1 == ctx->device.place) {
        return bigint_fail(ctx, BIGINT_EPLACE,
                           "%s: an operand lives on other members than the context; use "
                           "bigint_move through BIGINT_HOST",
                           who);
    }
    return bigint_fail(
        ctx, BIGINT_EPLACE,
        "%s: an operand lives on place %d, the context works on place %d; use bigint_move", who,
        (int)x->place_ - 1, ctx->device.place);
}

bigint_status bigint_check_places(bigint_ctx *ctx, const char *who, const bigint *a,
                                  const bigint *b, const bigint *c) {
    const bigint *const list[] = {a, b, c};
    bigint_status status = ctx->away != NULL ? ctx->away->check(ctx, who) : ctx->failed;
    for (int i = 0; i < 3 && list[i] != NULL && status == BIGINT_OK; i++) {
        status = check_place(ctx, who, list[i]);
    }
    return status;
}

// check_on_host: ENOBACKEND on another place, for what only the host does. how: how to move the
// operands to the host, the end of the text.
static bigint_status check_on_host(bigint_ctx *ctx, const char *who, const char *how) {
    return ctx->away == NULL
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_ENOBACKEND,
                             "%s: not built for %s (place %d); call it with a context on "
                             "BIGINT_HOST, %s",
                             who, context_on_device(ctx) ? "devices" : "groups", ctx->device.place,
                             how);
}

bigint_status bigint_off_host(bigint_ctx *ctx, const char *who, const bigint *a, const bigint *b,
                              const bigint *c) {
    bigint_status status = bigint_check_places(ctx, who, a, b, c);
    if (status == BIGINT_OK) {
        status = check_on_host(ctx, who, "where bigint_move brings operands and results");
    }
    // An integer without limbs belongs to every place; its place is the host's.
    assert(status != BIGINT_OK);
    return status != BIGINT_OK
               ? status
               : bigint_fail(ctx, BIGINT_EPLACE, "%s: an operand without limbs has a place", who);
}

bigint_status bigint_check_limbs(bigint_ctx *ctx, const char *who) {
    return ctx->failed != BIGINT_OK ? ctx->failed
                                    : check_on_host(ctx, who, "since the limbs are in host memory");
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
    if (bigint_all_on_host(ctx, x, x, x)) {
        bigint_limbs_release(ctx, x->d_, x->cap_);
        *x = (bigint)BIGINT_INIT;
        return;
    }
    if (check_place(ctx, "bigint_clear", x) != BIGINT_OK) {
        return;  // this context cannot free memory of another place
    }
    if (ctx->away != NULL) {
        ctx->away->clear(ctx, x);
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

// --- Set and get ---------------------------------------------------------------------------------

bigint_status bigint_store(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                           uint64_t n, int sign) {
    if (ctx->away != NULL) {
        return ctx->away->store(ctx, who, r, p, n, sign);
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
    if (ctx->away != NULL) {
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
    if (status != BIGINT_OK || ctx->away != NULL) {
        return status != BIGINT_OK ? status : ctx->away->copy(ctx, who, r, a, sign);
    }
    const int a_sign = a->sign_;
    return bigint_store(ctx, who, r, a->d_, a->n_,
                        sign == LIMBS_SIGN_KEEP   ? a_sign
                        : sign == LIMBS_SIGN_FLIP ? -a_sign
                                                  : 1);
}

bigint_status bigint_set(bigint_ctx *ctx, bigint *r, const bigint *a) {
    const uint64_t n = a->n_;
    if (!bigint_all_on_host(ctx, r, a, a)) {
        return copy_signed(ctx, "bigint_set", r, a, LIMBS_SIGN_KEEP);
    }
    const bigint_status status = bigint_reserve(ctx, "bigint_set", r, n);
    if (status == BIGINT_OK && r != a) {
        if (n == 1) {  // a call would take longer
            r->d_[0] = a->d_[0];
        } else if (n > 0) {
            memcpy(r->d_, a->d_, n * sizeof *r->d_);
        }
        r->n_ = n;
        r->sign_ = a->sign_;
    }
    return status;
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

// set_word: r = sign value; an integer on the host that has room needs no call.
static inline bigint_status set_word(bigint_ctx *ctx, bigint *r, uint64_t value, int sign) {
    if (r->cap_ == 0 || !bigint_all_on_host(ctx, r, r, r)) {
        return bigint_set_limbs(ctx, r, &value, 1, sign);
    }
    r->d_[0] = value;
    r->n_ = value != 0;
    r->sign_ = value != 0 ? sign : 0;
    return BIGINT_OK;
}

bigint_status bigint_set_u64(bigint_ctx *ctx, bigint *r, uint64_t value) {
    return set_word(ctx, r, value, 1);
}

bigint_status bigint_set_i64(bigint_ctx *ctx, bigint *r, int64_t value) {
    return value < 0 ? set_word(ctx, r, 0 - (uint64_t)value, -1)
                     : set_word(ctx, r, (uint64_t)value, 1);
}

const uint64_t *bigint_view(bigint_ctx *ctx, const char *who, const bigint *a, uint64_t n,
                            bigint_status *status) {
    *status = BIGINT_OK;
    if (ctx->away == NULL) {
        return a->d_;
    }
    uint64_t *p = arena_take_limbs(ctx, who, n);
    *status = p == NULL ? BIGINT_ENOMEM : ctx->away->load(ctx, who, p, a, n);
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
        if (ctx->away != NULL) {
            status = ctx->away->load(ctx, who, p, a, n);
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

const bigint_limb *bigint_limbs_read(const bigint *x) {
    return x->place_ == 0 && x->n_ > 0 ? x->d_ : NULL;
}

uint64_t bigint_limbs_bound(const bigint *a) { return a->n_; }

bigint_status bigint_measure(bigint_ctx *ctx, const char *who, uint64_t *bits, int *sign,
                             const bigint *a) {
    const bigint_status status = bigint_check_places(ctx, who, a, NULL, NULL);
    if (status != BIGINT_OK || ctx->away != NULL) {
        return status != BIGINT_OK ? status : ctx->away->measure(ctx, who, bits, sign, a);
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
