// powers.c: quotients and remainders by powers of two.
#include <string.h>

#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"

static bigint_status check(bigint_ctx *ctx, const char *who, const bigint *a, const bigint *b) {
    if (bigint_all_on_host(ctx, a, b, b)) {
        return BIGINT_OK;
    }
    const bigint_status status = bigint_check_places(ctx, who, a, b, NULL);
    return status != BIGINT_OK ? status : bigint_check_on_host(ctx, who, BIGINT_MOVE_TO_HOST);
}

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

// quotient: q = a / 2^bits rounded toward zero, or away from it if a has the sign `away`.
static bigint_status quotient(bigint_ctx *ctx, const char *who, bigint *q, const bigint *a,
                              uint64_t bits, int away) {
    bigint_status status = check(ctx, who, q, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t limbs = bits / 64, n = a->n_ > limbs ? a->n_ - limbs : 0;
    const int sign = a->sign_;
    const bool up = away == sign && leaves(a, bits);
    status = bigint_reserve(ctx, who, q, n + 1);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t carry = up;
    if (n > 0) {
        limbs_rshift(q->d_, a->d_ + limbs, n, (unsigned)(bits % 64));
        carry = limbs_add_1(q->d_, q->d_, n, carry);
    }
    q->d_[n] = carry;
    bigint_finish(q, n + 1, sign);
    return BIGINT_OK;
}

bigint_status bigint_fdiv_2exp(bigint_ctx *ctx, bigint *q, const bigint *a, uint64_t bits) {
    return quotient(ctx, "bigint_fdiv_2exp", q, a, bits, -1);
}

bigint_status bigint_cdiv_2exp(bigint_ctx *ctx, bigint *q, const bigint *a, uint64_t bits) {
    return quotient(ctx, "bigint_cdiv_2exp", q, a, bits, 1);
}

// remainder_2exp: r = a - q 2^bits for the quotient of that rounding: sign(a) (|a| mod 2^bits), or
// that less sign(a) 2^bits.
static bigint_status remainder_2exp(bigint_ctx *ctx, const char *who, bigint *r, const bigint *a,
                                    uint64_t bits, int away) {
    bigint_status status = check(ctx, who, r, a);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t most = word_ceil_div(bits, 64), low = a->n_ < most ? a->n_ : most;
    const int sign = a->sign_;
    const bool complement = away == sign && leaves(a, bits);
    const uint64_t n = complement ? most : low;
    status = bigint_reserve(ctx, who, r, n);
    if (status != BIGINT_OK) {
        return status;
    }
    uint64_t *const rp = r->d_;
    const uint64_t *const ap = a->d_;  // r's own if r is a
    if (complement) {                  // B^n - |a|: zeros stay, the carry ends above them
        uint64_t i = 0;
        for (; ap[i] == 0; i++) {
            rp[i] = 0;
        }
        rp[i] = -ap[i];
        limbs_com(rp + i + 1, ap + i + 1, low - i - 1);
        memset(rp + low, 0xFF, (n - low) * sizeof *rp);
    } else if (rp != ap && low > 0) {
        memcpy(rp, ap, low * sizeof *rp);
    }
    if (n == most && n > 0) {
        rp[n - 1] &= top_mask(bits);
    }
    bigint_finish(r, n, complement ? -sign : sign);
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

bigint_status bigint_divisible_2exp(bigint_ctx *ctx, int *yes, const bigint *a, uint64_t bits) {
    const bigint_status status = check(ctx, "bigint_divisible_2exp", a, a);
    if (status == BIGINT_OK) {
        *yes = !leaves(a, bits);
    }
    return status;
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

bigint_status bigint_congruent_2exp(bigint_ctx *ctx, int *yes, const bigint *a, const bigint *b,
                                    uint64_t bits) {
    const bigint_status status = check(ctx, "bigint_congruent_2exp", a, b);
    if (status == BIGINT_OK) {
        *yes = congruent(a, b, bits);
    }
    return status;
}
