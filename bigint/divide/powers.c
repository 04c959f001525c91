// powers.c: quotients and remainders by powers of two.
#include "bigint/core/host_call.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/place.h"

// top_mask: the bits of the top limb of a number of `bits` bits, bits > 0.
static uint64_t top_mask(uint64_t bits) { return UINT64_MAX >> (63 - (bits - 1) % 64); }

// leaves: whether |a| mod 2^bits is not 0.
static bool leaves(const bigint *a, uint64_t bits) {
    const uint64_t limbs = bits / 64;
    if (a->n_ <= limbs) {
        return a->n_ > 0;
    }
    for (uint64_t i = 0; i < limbs; i++) {
        if (a->d_[i] != 0) {
            return true;
        }
    }
    return bits % 64 != 0 && a->d_[limbs] << (64 - bits % 64) != 0;
}

// quotient_there: quotient on another place: rounded toward zero, and corrected when the sign of
// what that leaves is known.
static bigint_status quotient_there(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                    uint64_t bits, int away) {
    const place_calls *const there = ctx->away;
    bigint cut = BIGINT_INIT, rest = BIGINT_INIT;
    const uint64_t one = 1;
    uint64_t length;
    int sign = 0;
    bigint_status status = bigint_check_places(ctx, who, q, a, NULL);
    (void)(status || (status = there->tdiv_2exp(ctx, who, &cut, a, bits)) ||
           (status = there->mul_2exp(ctx, who, &rest, &cut, bits)) ||
           (status = there->add(ctx, who, &rest, a, &rest, true)) ||
           (status = there->measure(ctx, who, &length, &sign, &rest)));
    if (status == BIGINT_OK && sign == away) {
        status = there->store(ctx, who, &rest, &one, 1, sign);
        status = status == BIGINT_OK ? there->add(ctx, who, &cut, &cut, &rest, false) : status;
    }
    if (status == BIGINT_OK) {
        bigint_swap(q, &cut);
    }
    bigint_clear(ctx, &cut);
    bigint_clear(ctx, &rest);
    return status;
}

// increase: |q| = |q| + 1, of that sign; q has room for a limb more.
static inline void increase(bigint *q, int sign) {
    uint64_t i = 0;
    while (i < q->n_ && ++q->d_[i] == 0) {
        i++;
    }
    if (i == q->n_) {
        q->d_[q->n_++] = 1;
    }
    q->sign_ = sign;
}

static bigint_status quotient_any(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                  uint64_t bits, int away);

// quotient: q = a / 2^bits rounded toward zero, or away from it if a has the sign `away`.
static inline bigint_status quotient(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                                     uint64_t bits, int away) {
    const int sign = a->sign_;
    if (q->cap_ <= a->n_ || !bigint_all_on_host(ctx, q, a, a)) {
        return quotient_any(ctx, who, q, a, bits, away);
    }
    const bool up = away == sign && leaves(a, bits);
    bigint_shift_down(q, a, bits);
    if (up) {
        increase(q, sign);
    }
    return BIGINT_OK;
}

// quotient_any: the same with the checks, and for any room of q.
static __attribute__((noinline)) bigint_status quotient_any(bigint_ctx *ctx, const char *who,
                                                            bigint *q, const bigint *a,
                                                            uint64_t bits, int away) {
    if (ctx->away != NULL) {
        return quotient_there(ctx, who, q, a, bits, away);
    }
    bigint_status status = bigint_check_host(ctx, who, q, a, a);
    if (status == BIGINT_OK) {
        status = bigint_reserve(ctx, who, q, a->n_ + 1);
    }
    return status != BIGINT_OK ? status : quotient(ctx, who, q, a, bits, away);
}

bigint_status bigint_fdiv_2exp(bigint_ctx *ctx, bigint *q, const bigint *a, uint64_t bits) {
    return quotient(ctx, "bigint_fdiv_2exp", q, a, bits, -1);
}

bigint_status bigint_cdiv_2exp(bigint_ctx *ctx, bigint *q, const bigint *a, uint64_t bits) {
    return quotient(ctx, "bigint_cdiv_2exp", q, a, bits, 1);
}

// low_bits: r = a mod 2^bits with a's sign: the lowest n limbs of a, n of them at most, of which
// bits are cut where n is `most`, the limbs of 2^bits - 1. r has room.
static inline void low_bits(bigint *r, const bigint *a, uint64_t n, uint64_t most, uint64_t bits) {
    const uint64_t *const ap = a->d_;
    const int sign = a->sign_;
    uint64_t top = n == 0 ? 0 : n == most ? ap[n - 1] & top_mask(bits) : ap[n - 1];
    while (top == 0 && n > 0) {
        n--;
        top = n == 0 ? 0 : ap[n - 1];
    }
    r->n_ = n;
    r->sign_ = n == 0 ? 0 : sign;
    if (n > 0) {
        r->d_[n - 1] = top;
        if (r->d_ != ap) {
            bigint_copy_limbs(r->d_, ap, n - 1);
        }
    }
}

// complement_limbs: {rp, n} = the ones' complement of {ap, n}; a few limbs need no call.
static inline void complement_limbs(uint64_t *rp, const uint64_t *ap, uint64_t n) {
    if (n >= BIGINT_CALL_LIMBS) {
        limbs_com(rp, ap, n);
        return;
    }
    for (uint64_t i = 0; i < n; i++) {
        rp[i] = ~ap[i];
        __asm__ volatile("" ::: "memory");  // keeps compilers from making the loop long
    }
}

// complement: r = -sign(a) (-|a| mod 2^bits), which has `most` limbs at most, `low` of them from a.
// r has room for `most`. It is a function of its own, so that others save no registers.
static __attribute__((noinline)) bigint_status complement(bigint *r, const bigint *a, uint64_t low,
                                                          uint64_t most, uint64_t bits) {
    const int sign = a->sign_;
    uint64_t *const rp = r->d_;
    const uint64_t *const ap = a->d_;  // r's own if r is a
    uint64_t i = 0;
    for (; i < low && ap[i] == 0; i++) {  // B^most - |a|: zeros stay, the carry ends above them
        rp[i] = 0;
    }
    if (i < low) {
        rp[i] = -ap[i];
        i++;
        complement_limbs(rp + i, ap + i, low - i);
    }
    for (i = low; i < most; i++) {  // only if all of a is below, and so not 0
        rp[i] = UINT64_MAX;
    }
    if (most > 0) {
        rp[most - 1] &= top_mask(bits);
    }
    bigint_finish(r, most, -sign);
    return BIGINT_OK;
}

// remainder_any: remainder_2exp with the checks, of both kinds, and for any room of r.
static __attribute__((noinline)) bigint_status remainder_any(bigint_ctx *ctx, const char *who,
                                                             bigint *r, const bigint *a,
                                                             uint64_t bits, int away) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, who,
                        (host_operands){.r = {r}, .a = {a}, .low = bits / 64 + 1});
        return host_call_end(&there, remainder_any(ctx, who, there.r[0], there.a[0], bits, away));
    }
    const uint64_t most = word_ceil_div(bits, 64);
    bigint_status status = bigint_check_host(ctx, who, r, a, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t low = a->n_ < most ? a->n_ : most;
    const bool other = away == a->sign_;
    status = bigint_reserve(ctx, who, r, other ? most : low);
    if (status == BIGINT_OK && other) {
        return complement(r, a, low, most, bits);
    }
    if (status == BIGINT_OK) {
        low_bits(r, a, low, most, bits);
    }
    return status;
}

// remainder_2exp: r = a - q 2^bits for the quotient of that rounding: sign(a) (|a| mod 2^bits), or
// for the other one -sign(a) (-|a| mod 2^bits).
static inline bigint_status remainder_2exp(bigint_ctx *ctx, const char *who, bigint *r,
                                           const bigint *a, uint64_t bits, int away) {
    const uint64_t most = word_ceil_div(bits, 64), low = a->n_ < most ? a->n_ : most;
    const bool other = away == a->sign_;
    if (r->cap_ < (other ? most : low) || !bigint_all_on_host(ctx, r, a, a)) {
        return remainder_any(ctx, who, r, a, bits, away);
    }
    if (other) {
        return complement(r, a, low, most, bits);
    }
    low_bits(r, a, low, most, bits);
    return BIGINT_OK;
}

bigint_status bigint_tdiv_r_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    enum { NEVER = 2 };  // no sign
    return remainder_2exp(ctx, "bigint_tdiv_r_2exp", r, a, bits, NEVER);
}

bigint_status bigint_fdiv_r_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    return remainder_2exp(ctx, "bigint_fdiv_r_2exp", r, a, bits, -1);
}

bigint_status bigint_cdiv_r_2exp(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t bits) {
    return remainder_2exp(ctx, "bigint_cdiv_r_2exp", r, a, bits, 1);
}

// --- Questions -----------------------------------------------------------------------------------

// divisible_2exp_off_host: bigint_divisible_2exp where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status divisible_2exp_off_host(bigint_ctx *ctx, int *yes,
                                                                       const bigint *a,
                                                                       uint64_t bits) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, "bigint_divisible_2exp", a, a, a);
    }
    host_call there;
    host_call_begin(&there, ctx, "bigint_divisible_2exp",
                    (host_operands){.a = {a}, .low = bits / 64 + 1});
    return host_call_end(&there, bigint_divisible_2exp(ctx, yes, there.a[0], bits));
}

bigint_status bigint_divisible_2exp(bigint_ctx *ctx, int *yes, const bigint *a, uint64_t bits) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return divisible_2exp_off_host(ctx, yes, a, bits);
    }
    *yes = !leaves(a, bits);
    return BIGINT_OK;
}

// congruent: whether 2^bits divides a - b: limb by limb, |a| - |b| if the signs agree, else |a| +
// |b|. Above both numbers only a carry is left.
static bool congruent(const bigint *a, const bigint *b, uint64_t bits) {
    const uint64_t an = a->n_, bn = b->n_, longer = an > bn ? an : bn;
    const uint64_t most = word_ceil_div(bits, 64), n = most <= longer ? most : longer + 1;
    const bool subtract = a->sign_ == b->sign_;
    uint64_t carry = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t x = i < an ? a->d_[i] : 0, y = i < bn ? b->d_[i] : 0;
        const uint64_t limb = subtract ? x - y : word_add(x, y, &carry);
        if ((i + 1 == most ? limb & top_mask(bits) : limb) != 0) {
            return false;
        }
    }
    return true;
}

// congruent_2exp_off_host: bigint_congruent_2exp where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status congruent_2exp_off_host(bigint_ctx *ctx, int *yes,
                                                                       const bigint *a,
                                                                       const bigint *b,
                                                                       uint64_t bits) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, "bigint_congruent_2exp", a, b, b);
    }
    host_call there;
    host_call_begin(&there, ctx, "bigint_congruent_2exp",
                    (host_operands){.a = {a, b}, .low = bits / 64 + 1});
    return host_call_end(&there, bigint_congruent_2exp(ctx, yes, there.a[0], there.a[1], bits));
}

bigint_status bigint_congruent_2exp(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *b,
                                    uint64_t bits) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, b, b), 0)) {
        return congruent_2exp_off_host(ctx, yes, a, b, bits);
    }
    *yes = congruent(a, b, bits);
    return BIGINT_OK;
}
