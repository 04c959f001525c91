// bigint_limbs.h: arithmetic on limbs in the caller's memory, for programs that have their own
// integers: bindings, other libraries. Operands are read where they are, and no integers are made
// of them on the way. Include bigint.h: it has the rules and includes this header.
//
// {p, n} is the number sum p[i] 2^(64 i), i < n. All numbers are natural. The rules of bigint.h
// hold, with these additions.
//   Place        Limbs are in host memory, and ctx is a context of the host: ENOBACKEND on a
//                device.
//   Lengths      Top limbs of operands may be zero, and n may be 0, unless the comment says
//                otherwise. Results are padded with zeros to the length in the comment. They have
//                exactly that many limbs: nothing is read or written beyond them.
//   Alignment    8 bytes.
//   Aliasing     Operands may be the same or overlap. A result overlaps no operand and no other
//                result, unless the comment allows one to *be* an operand: to begin where it
//                begins.
//   Failure      Whatever can fail does so before the first limb of a result is written. ECHECK and
//                ECANCELED are the exceptions: results may have been written and must not be used.
#ifndef BIGINT_BIGINT_LIMBS_H_
#define BIGINT_BIGINT_LIMBS_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_limbs_read returns the magnitude of x where it is: bigint_limbs_bound(x) limbs, the top
// one not zero. NULL for 0 and on a device (bigint_device_limbs). The pointer is valid until a call
// changes x. Cost: constant.
BIGINT_API const bigint_limb *bigint_limbs_read(const bigint *x);
// bigint_limbs_write: *p = room for n limbs in x, n >= 1, which begins with x's magnitude; the
// caller writes there. bigint_limbs_finish: x = the lowest n limbs there, negated if sign < 0; top
// limbs may be zero. Between the two no other call uses x, except to clear it. Errors: EINVAL if x
// has no room for n limbs. Cost: constant, or the copy of x to new limbs.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_write(bigint_ctx *ctx, bigint_limb **p,
                                                              bigint *x, uint64_t n);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_finish(bigint_ctx *ctx, bigint *x,
                                                               uint64_t n, int sign);

// bigint_limbs_view: an integer on the host that reads {p, n} where they are, negated if sign < 0:
// an operand, as long as the limbs stay there. It must not be changed or cleared.
BIGINT_API bigint bigint_limbs_view(const bigint_limb *p, uint64_t n, int sign);

// bigint_limbs_mul: {rp, an + bn} = {ap, an} {bp, bn}, lengths in either order.
// bigint_limbs_sqr: {rp, 2 an} = {ap, an}^2; the same as a product with bp == ap and bn == an.
// Cost: as bigint_mul. Up to 128 limbs of the shorter operand, without options.checks and without
// an engine by name, neither branches nor addresses depend on the limbs, only on the lengths.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_mul(bigint_ctx *ctx, bigint_limb *rp,
                                                            const bigint_limb *ap, uint64_t an,
                                                            const bigint_limb *bp, uint64_t bn);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_sqr(bigint_ctx *ctx, bigint_limb *rp,
                                                            const bigint_limb *ap, uint64_t an);

// bigint_limbs_mul_mod_2exp_minus1: {rp, ceil(bits / 64)} = {ap, an} {bp, bn} mod 2^bits - 1, below
// the modulus. bigint_limbs_mul_mod_2exp_plus1: {rp, bits / 64 + 1} = the same mod 2^bits + 1.
// rp may be an operand. Operands have at most bits / 64 + 1 limbs and any value.
// Errors: EINVAL for bits = 0 and for longer operands. Cost: as bigint_mul_mod_2exp_minus1.
BIGINT_API BIGINT_MUST_CHECK bigint_status
bigint_limbs_mul_mod_2exp_minus1(bigint_ctx *ctx, bigint_limb *rp, const bigint_limb *ap,
                                 uint64_t an, const bigint_limb *bp, uint64_t bn, uint64_t bits);
BIGINT_API BIGINT_MUST_CHECK bigint_status
bigint_limbs_mul_mod_2exp_plus1(bigint_ctx *ctx, bigint_limb *rp, const bigint_limb *ap,
                                uint64_t an, const bigint_limb *bp, uint64_t bn, uint64_t bits);

// bigint_limbs_divrem: {ap, an} = {qp, an - dn + 1} {dp, dn} + {rp, dn}, the remainder below the
// divisor. an >= dn >= 1, and dp[dn - 1] is not 0 (EINVAL). qp, rp or both may be NULL if not
// wanted. rp may be ap. Cost: as bigint_divrem.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_divrem(bigint_ctx *ctx, bigint_limb *qp,
                                                               bigint_limb *rp,
                                                               const bigint_limb *ap, uint64_t an,
                                                               const bigint_limb *dp, uint64_t dn);

// bigint_limbs_sqrt: s = {sp, ceil(an / 2)} is the square root of a = {ap, an} rounded down, and
// {rp, an} = a - s^2. an >= 1, and ap[an - 1] is not 0 (EINVAL). rp may be NULL if not wanted,
// which is faster unless a is a square or nearly one; it may be ap. *exact, unless NULL, says
// whether a is a square. Cost: as bigint_sqrt.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_sqrt(bigint_ctx *ctx, bigint_limb *sp,
                                                             bigint_limb *rp, int *exact,
                                                             const bigint_limb *ap, uint64_t an);

// bigint_limbs_powm: {rp, mn} = base^exponent mod {mp, mn}. Any modulus but 0 (EINVAL); 0^0 = 1 (0
// if the modulus is 1). The running time depends on the values: do not use it with secrets. Cost:
// as bigint_powm.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_powm(
    bigint_ctx *ctx, bigint_limb *rp, const bigint_limb *base, uint64_t base_limbs,
    const bigint_limb *exponent, uint64_t exponent_limbs, const bigint_limb *mp, uint64_t mn);

// bigint_limbs_gcd: {gp, bn} = gcd of {ap, an} and {bp, bn}. bn >= 1, and bp[bn - 1] is not 0
// (EINVAL). gp may be an operand. Cost: as bigint_gcd.
// bigint_limbs_gcdext: the same, and s = *s_sign {sp, bn} with s a = g mod b, *s_sign = -1, 0 or 1:
// the cofactor s of bigint_gcdext, |s| < b / (2 g), or s = 1 for b = 2 g. The other cofactor is
// (g - s a) / b. gp, but not sp, may be an operand. Cost: as bigint_gcdext without t.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_gcd(bigint_ctx *ctx, bigint_limb *gp,
                                                            const bigint_limb *ap, uint64_t an,
                                                            const bigint_limb *bp, uint64_t bn);
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_gcdext(bigint_ctx *ctx, bigint_limb *gp,
                                                               bigint_limb *sp, int *s_sign,
                                                               const bigint_limb *ap, uint64_t an,
                                                               const bigint_limb *bp, uint64_t bn);

// bigint_limbs_set_decimal: {rp, *rn} = the number of s[0 .. length), digits and nothing else,
// without zero limbs at the top. rp has room for cap limbs. Errors: EINVAL, *bad_at (which may be
// NULL) as for bigint_set_decimal; ERANGE if the number has more limbs than cap: *rn says how many.
// length = 0 is EINVAL. Cost: as bigint_set_decimal.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_set_decimal(bigint_ctx *ctx,
                                                                    bigint_limb *rp, uint64_t cap,
                                                                    uint64_t *rn, const char *s,
                                                                    size_t length, size_t *bad_at);
// bigint_limbs_get_decimal writes the digits of {ap, an}: *length characters, one for 0, without a
// final NUL. Errors: ERANGE if that is more than cap; *length is then large enough, at most one too
// many. Cost: as bigint_get_decimal.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_limbs_get_decimal(bigint_ctx *ctx, char *buf,
                                                                    size_t cap, size_t *length,
                                                                    const bigint_limb *ap,
                                                                    uint64_t an);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_LIMBS_H_
