// powers.c: powers of integers, and whether a number is one.
#include <assert.h>
#include <math.h>
#include <string.h>

#include "bigint/core/host_call.h"
#include "bigint/divide/root_plan.h"
#include "bigint/multiply/mul.h"
#include "bigint/number/number.h"
#include "bigint/number/plan.h"

// word_prefix: *power = o^(e >> left) for the least `left` with which that fits a word; returns it.
static unsigned word_prefix(uint64_t *power, uint64_t o, uint64_t e) {
    unsigned left = 63 - word_clz(e);
    *power = o;
    for (; left > 0; left--) {
        uint64_t next;
        if (__builtin_mul_overflow(*power, *power, &next) ||
            ((e >> (left - 1) & 1) != 0 && __builtin_mul_overflow(next, o, &next))) {
            break;
        }
        *power = next;
    }
    return left;
}

// odd_power: {*power, *n} = o^e, o = {op, on}, from {t, tn} = o^(e >> left) on, in t or u, which
// have room for o^e and the limbs that a product may have too many.
static bigint_status odd_power(bigint_ctx *ctx, uint64_t **power, uint64_t *n, uint64_t *t,
                               uint64_t tn, uint64_t *u, const uint64_t *op, uint64_t on,
                               uint64_t e, unsigned left) {
    bigint_status status = BIGINT_OK;
    while (left-- > 0 && status == BIGINT_OK) {
        status = bigint_mul_limbs(ctx, u, t, tn, t, tn);
        uint64_t un = 2 * tn;
        if (status == BIGINT_OK && (e >> left & 1) != 0) {
            un = limbs_normalize(u, un);
            status = bigint_mul_limbs(ctx, t, u, un, op, on);
            tn = un + on;
        } else {
            uint64_t *const square = u;
            u = t;
            t = square;
            tn = un;
        }
        tn = status == BIGINT_OK ? limbs_normalize(t, tn) : 0;
    }
    *power = t;
    *n = tn;
    return status;
}

// shifted: r = sign {p, n} 2^bits, p not r's.
static bigint_status shifted(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *p,
                             uint64_t n, uint64_t bits, int sign) {
    const uint64_t low = bits / 64, all = low + n + 1;
    const bigint_status status = bigint_reserve(ctx, who, r, all);
    if (status == BIGINT_OK) {
        memset(r->d_, 0, low * sizeof *r->d_);
        r->d_[low + n] = limbs_lshift(r->d_ + low, p, n, (unsigned)(bits % 64));
        bigint_finish(r, all, sign);
    }
    return status;
}

// power_limbs: room for the e-th power of a number of `bits` bits in n limbs. The product of two
// lengths is one more, and a square has one limb more than its operand's. False: above 2^56 limbs.
enum { FEW = 24 };
static bool power_limbs(uint64_t *limbs, uint64_t bits, uint64_t e, uint64_t n) {
    uint64_t all;
    const bool fits = !__builtin_mul_overflow(bits, e, &all) && all / 64 < BIGINT_MAX_LIMBS;
    *limbs = fits ? all / 64 + 4 + n : 0;
    return fits;
}

static bigint_status refuse_power(bigint_ctx *ctx, const char *who, uint64_t bits, uint64_t e) {
    return bigint_fail(ctx, BIGINT_ERANGE, "%s: %llu bits to the power of %llu exceed 2^56 limbs",
                       who, (unsigned long long)bits, (unsigned long long)e);
}

// The last step is a square, and for odd e a product with the base.
void pow_u64_need(work_need *w, uint64_t an, uint64_t e) {
    const uint64_t in_use = w->host.in_use;
    uint64_t limbs;
    if (an == 0 || e == 0 || w->status != BIGINT_OK) {
        return;
    }
    if (!power_limbs(&limbs, 64 * an, e, an)) {
        w->status = refuse_power(w->ctx, w->who, 64 * an, e);
        return;
    }
    if (an > 1) {
        need_take_limbs(&w->host, an);
    }
    if (limbs > FEW) {
        need_take_limbs(&w->host, 2 * limbs);
    }
    mul_need(w, e / 2 * an, e / 2 * an, true);
    if (e % 2 == 1) {
        mul_need(w, (e - 1) * an, an, false);
    }
    need_release(&w->host, in_use);
}

// few_power: r = sign o^e 2^(twos e) for an odd word o, whose power has less than FEW limbs.
static bigint_status few_power(bigint_ctx *ctx, const char *who, bigint *r, uint64_t o, uint64_t e,
                               uint64_t twos, int sign) {
    uint64_t room[2][FEW], *t = room[0], *u = room[1], n = 1;
    unsigned left = word_prefix(t, o, e);
    bigint_status status = BIGINT_OK;
    for (; left > 0 && status == BIGINT_OK; left--) {
        assert(2 * n <= FEW && n <= ctx->short_limbs);
        status = mul_short(ctx, u, t, n, t, n);
        n = 2 * n - (u[2 * n - 1] == 0);
        if ((e >> (left - 1) & 1) != 0) {
            u[n] = ctx->limbs->mul_1(u, u, n, o);
            n += u[n] != 0;
        }
        uint64_t *const square = u;
        u = t;
        t = square;
    }
    return status != BIGINT_OK ? status : shifted(ctx, who, r, t, n, twos * e, sign);
}

// limbs_power: r = sign o^e 2^(twos e) for o = {op, on}, odd, whose powers take `limbs` limbs.
static bigint_status limbs_power(bigint_ctx *ctx, const char *who, bigint *r, const uint64_t *op,
                                 uint64_t on, uint64_t e, uint64_t twos, uint64_t limbs, int sign) {
    uint64_t few[2 * FEW], *power, n;
    uint64_t *const t = limbs <= FEW ? few : arena_take_limbs(ctx, who, 2 * limbs);
    if (t == NULL) {
        return BIGINT_ENOMEM;
    }
    unsigned left = 63 - word_clz(e);
    if (on == 1) {
        left = word_prefix(t, op[0], e);
    } else {
        memcpy(t, op, on * sizeof *t);
    }
    const bigint_status status = odd_power(ctx, &power, &n, t, on, t + limbs, op, on, e, left);
    return status != BIGINT_OK ? status : shifted(ctx, who, r, power, n, twos * e, sign);
}

bigint_status bigint_pow_u64(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t e) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_pow_u64", (host_operands){.r = {r}, .a = {a}});
        return host_call_end(&there, bigint_pow_u64(ctx, there.r[0], there.a[0], e));
    }
    const char *who = "bigint_pow_u64";
    bigint_status status = number_check(ctx, who, r, a, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (e == 0 || a->n_ == 0) {
        return bigint_set_u64(ctx, r, e == 0);
    }
    const uint64_t twos = number_lowest_one(a), low = twos / 64, n = a->n_ - low;
    const uint64_t bits = 64 * a->n_ - word_clz(a->d_[a->n_ - 1]);
    const uint64_t odd = bits - twos == 1 ? 0 : bits - twos;  // the powers of 1 have one bit
    uint64_t limbs, all;
    if (!power_limbs(&all, odd + twos, e, n) || !power_limbs(&limbs, odd, e, n)) {
        return refuse_power(ctx, who, bits, e);
    }
    const int sign = a->sign_ < 0 && e % 2 != 0 ? -1 : 1;
    if (n == 1 && limbs <= FEW && FEW / 2 <= ctx->short_limbs) {
        return few_power(ctx, who, r, a->d_[low] >> twos % 64, e, twos, sign);
    }
    const arena_mark mark = arena_get_mark(ctx);
    uint64_t word, *const o = n == 1 ? &word : arena_take_limbs(ctx, who, n);
    if (o != NULL) {
        limbs_rshift(o, a->d_ + low, n, (unsigned)(twos % 64));
    }
    status = o == NULL ? BIGINT_ENOMEM
                       : limbs_power(ctx, who, r, o, limbs_normalize(o, n), e, twos, limbs, sign);
    arena_release(ctx, mark);
    return status;
}

bigint_status bigint_u64_pow_u64(bigint_ctx *ctx, bigint *r, uint64_t a, uint64_t e) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_u64_pow_u64", (host_operands){.r = {r}});
        return host_call_end(&there, bigint_u64_pow_u64(ctx, there.r[0], a, e));
    }
    const bigint base = {.d_ = &a, .n_ = a != 0, .cap_ = 1, .sign_ = a != 0};
    return bigint_pow_u64(ctx, r, &base, e);
}

// --- Questions -----------------------------------------------------------------------------------

// is_root: *yes = whether a, not 0, is a k-th power. It is a function of its own, so that others
// save no registers.
static __attribute__((noinline)) bigint_status is_root(bigint_ctx *ctx, const char *who, int *yes,
                                                       const bigint *a, uint64_t k) {
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

// is_among: bit i of a mask.
static inline bool is_among(const uint64_t *mask, uint64_t i) {
    return (mask[i / 64] >> i % 64 & 1) != 0;
}

// may_be_square: false if |a| is no square modulo one of these divisors of 2^64 - 1, whose squares
// are the ones of a mask: 1 in 19 numbers are squares modulo all.
static bool may_be_square(const bigint_ctx *ctx, const bigint *a) {
    static const uint64_t of_255[] = {0x108A001442298213, 0x308841040321065, 0x24004A4004830180,
                                      0x41042218003018};
    static const uint64_t of_257[] = {0x7E16541DE6E7AB17, 0x1F76811C93128359, 0x6B052324E205BBE3,
                                      0xA3579D9EE0A9A1FA, 0x1};
    static const uint64_t of_641[] = {0x8B9E313916556FB7,
                                      0x6A6541DC2F83A7E3,
                                      0x86D5E20DE4B5F60F,
                                      0x9666963310015352,
                                      0x7C10C5BB773CA05D,
                                      0xE814F3BB768C20FB,
                                      0x2B2A002331A599A6,
                                      0xC1BEB49EC11EAD85,
                                      0x1F9707D0EE0A995B,
                                      0xB7DAA9A27231E747,
                                      0x1};
    const uint64_t rest = ctx->limbs->count->fold(a->d_, a->n_);
    return is_among(of_255, rest % 255) && is_among(of_257, rest % 257) &&
           is_among(of_641, rest % 641);
}

// weighed: a residue of x 2^(16 k), k < 3, modulo 2^48 - 1, below 2^49.
static inline uint64_t weighed(uint64_t x, unsigned k) {
    const uint64_t mask = ((uint64_t)1 << 48) - 1;
    return (x << 16 * k & mask) + (x >> (48 - 16 * k));
}

// may_be_square_there: the same for divisors of 2^48 - 1: 1 in 19 again. 2^64 = 2^16: limbs 3 apart
// have the same weight.
static bool may_be_square_there(const bigint *a) {
    static const uint64_t of_97[] = {0x6067981B8B451B5F, 0x1EB628B47};
    static const uint64_t of_241[] = {0x3C67A3116B15977F, 0x2FD21C174C8FA909, 0x98F24257C4CBA0E1,
                                      0x1FBA6A35A2317};
    uint64_t rest = 0;  // below 2^50
    for (uint64_t i = 0; i < a->n_; i++) {
        rest = weighed(rest, 0) + weighed(a->d_[i], (unsigned)(i % 3));
    }
    return (UINT64_C(0x0402483012450293) >> rest % 63 & 1) != 0 &&
           (UINT64_C(0x161B) >> rest % 13 & 1) != 0 && is_among(of_97, rest % 97) &&
           is_among(of_241, rest % 241);
}

// square_word: whether x is a square. If it is, x and so its root have a relative error below 2^-53
// and 2^-54: less than half of the last place of a root below 2^32, which is exact. If not, no root
// has that square, nor has 2^32, whose square is 0 here.
static bool square_word(uint64_t x) {
    const uint64_t root = (uint64_t)sqrt((double)x);
    return root * root == x;
}

// square_below: whether x may be the lowest limb of a square: its residue modulo 64 is one. Three
// in 16 are.
static inline bool square_below(uint64_t x) {
    return (UINT64_C(0x0202021202030213) >> (x & 63) & 1) != 0;
}

// may_have_root: bigint_is_square where a's lowest limb does not decide. It is a function of its
// own, so that others save no registers.
static __attribute__((noinline)) bigint_status may_have_root(bigint_ctx *ctx, int *yes,
                                                             const bigint *a) {
    const uint64_t low = a->d_[0];
    // An odd square is 8 m + 1, which is more than square_below asks.
    const bool odd_square = low == 0 || (low >> word_ctz(low) & 7) == 1;
    if (a->n_ == 1 || !odd_square || !may_be_square(ctx, a) || !may_be_square_there(a)) {
        *yes = a->n_ == 1 && odd_square && square_word(low);
        return BIGINT_OK;
    }
    return is_root(ctx, "bigint_is_square", yes, a, 2);
}

// is_square_off_host: bigint_is_square where bigint_all_on_host is false.
static __attribute__((noinline)) bigint_status is_square_off_host(bigint_ctx *ctx, int *yes,
                                                                  const bigint *a) {
    if (ctx->away == NULL) {
        return bigint_off_host(ctx, "bigint_is_square", a, a, a);
    }
    host_call there;
    host_call_begin(&there, ctx, "bigint_is_square", (host_operands){.a = {a}});
    return host_call_end(&there, bigint_is_square(ctx, yes, there.a[0]));
}

bigint_status bigint_is_square(bigint_ctx *ctx, int *yes, const bigint *a) {
    if (__builtin_expect(!bigint_all_on_host(ctx, a, a, a), 0)) {
        return is_square_off_host(ctx, yes, a);
    }
    if (a->sign_ > 0 && square_below(a->d_[0])) {
        return may_have_root(ctx, yes, a);
    }
    *yes = a->n_ == 0;
    return BIGINT_OK;
}

static bool is_prime(uint64_t k) {
    for (uint64_t d = 2; d * d <= k; d++) {
        if (k % d == 0) {
            return false;
        }
    }
    return true;
}

// Roots of all degrees that are prime; the longest ones take the most.
void is_power_need(work_need *w, uint64_t an) {
    enum { EACH = 32 };
    for (uint64_t k = 2; k < 64 * an && w->status == BIGINT_OK; k += k < EACH ? 1 : k) {
        root_need(w, an, k);
    }
}

bigint_status bigint_is_power(bigint_ctx *ctx, int *yes, const bigint *a) {
    if (bigint_is_away(ctx)) {
        host_call there;
        host_call_begin(&there, ctx, "bigint_is_power", (host_operands){.a = {a}});
        return host_call_end(&there, bigint_is_power(ctx, yes, there.a[0]));
    }
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
