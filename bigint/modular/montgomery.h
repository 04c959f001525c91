// montgomery.h: products modulo an odd number without division, in Montgomery form. Internal to
// bigint/. B = 2^64.
#ifndef BIGINT_MODULAR_MONTGOMERY_H_
#define BIGINT_MODULAR_MONTGOMERY_H_

#include "bigint/core/context.h"
#include "bigint/multiply/operand.h"
#include "bigint/multiply/wrap.h"

// How products are reduced: row by row; in digits of 52 bits (montgomery_ifma.h); by blocks of such
// digits (limbs_ops.redc_blocks); or by two products, one with the modulus's inverse and one with
// the modulus.
typedef enum {
    MONTGOMERY_ROWS,
    MONTGOMERY_DIGITS,
    MONTGOMERY_BLOCKS,
    MONTGOMERY_PRODUCTS
} montgomery_way;

// montgomery: an odd modulus M = {mp, n} prepared on the arena. The Montgomery form of x is x R mod
// M, R = B^n, an element of `words` words. In blocks R = 2^limbs_redc_bits(n). In digits R = 2^(52
// digits), and an element may be any such number below 2 M', or below 4 M' if it is a sum.
typedef struct {
    montgomery_way way;
    bool steady;  // instructions and addresses are the same for all values
    const uint64_t *mp;
    uint64_t n, words;
    uint64_t inverse;               // rows, digits, blocks: -1 / M mod B
    uint64_t *product;              // rows, blocks, products: 2 n limbs; not at_once
    bool at_once;                   // rows: product and reduction are one, limbs_ops.mul_redc
    bool schoolbook;                // rows: products without mul_small
    uint64_t *ws;                   // rows, blocks: of mul_small
    uint64_t *prepared;             // blocks: M, of limbs_ops.redc_prepare
    mul_operand *inverse_operand;   // products: 1 / M mod B^n
    mul_wrap *modulus_wrap;         // products: M for products modulo B^w + 1, w >= n, or NULL and
    mul_operand *modulus_operand;   // M for whole ones
    uint64_t *quotient, *multiple;  // products: 2 n limbs each, or those of modulus_wrap
    uint64_t *modulus_digits;       // digits: (M' + 1) / 2^52
    uint64_t digits;
} montgomery;

// montgomery_way_of: how products modulo numbers of n limbs are computed; steady: in time that
// depends on n alone. montgomery_digits_of: the digits of MONTGOMERY_DIGITS for a modulus of
// `bits`.
montgomery_way montgomery_way_of(const bigint_ctx *ctx, uint64_t n, bool steady);
uint64_t montgomery_digits_of(uint64_t bits);
// montgomery_products: whether moduli of n limbs are reduced by products.
bool montgomery_products(const bigint_ctx *ctx, uint64_t n);

// montgomery_init: n >= 1, M odd, mp[n - 1] != 0. {mp, n} must stay. Cost: O(M(n)) or less.
bigint_status montgomery_init(bigint_ctx *ctx, montgomery *m, const uint64_t *mp, uint64_t n);
// montgomery_init_steady: the same for secret numbers. montgomery_mul and montgomery_to then
// execute the same instructions at the same addresses for all elements. Long moduli are reduced by
// rows, which costs n^2.
bigint_status montgomery_init_steady(bigint_ctx *ctx, montgomery *m, const uint64_t *mp,
                                     uint64_t n);
// montgomery_from: {rp, words} = the form of {ap, an}, an >= 1. Cost: one division.
bigint_status montgomery_from(bigint_ctx *ctx, const montgomery *m, uint64_t *rp,
                              const uint64_t *ap, uint64_t an);
// montgomery_bits: R = 2^this. montgomery_put: {rp, words} = {ap, n} < M, which is the form of a
// number already.
uint64_t montgomery_bits(const montgomery *m);
void montgomery_put(const montgomery *m, uint64_t *rp, const uint64_t *ap);
// montgomery_to: {rp, n} = the number whose form is {ap, words}, reduced; destroys ap. rp may be
// ap.
bigint_status montgomery_to(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, uint64_t *ap);
// montgomery_mul: r = a b / R mod M in Montgomery form. rp may be ap or bp; ap == bp is squared.
// Alignment: 64 bytes for every element.
// Cost:   rows, blocks: the product and n^2 word products; digits: see there; products: three
//         products, two of them with prepared operands.
// Source: [Montgomery85]. Bounds: docs/proofs/powm.md.
bigint_status montgomery_mul(bigint_ctx *ctx, const montgomery *m, uint64_t *rp, const uint64_t *ap,
                             const uint64_t *bp);
// montgomery_add: r = a + b, neither of which is a sum in digits. rp may be ap or bp. Cost: O(n).
void montgomery_add(const montgomery *m, uint64_t *rp, const uint64_t *ap, const uint64_t *bp);

// inverse_mod_power: {rp, n} = 1 / {ap, n} mod B^n for odd {ap, n}, by Hensel lifting (Newton's
// iteration from the low end). No overlap. Cost: O(M(n)). Errors: as bigint_mul_limbs.
bigint_status inverse_mod_power(bigint_ctx *ctx, uint64_t *rp, const uint64_t *ap, uint64_t n);

#endif  // BIGINT_MODULAR_MONTGOMERY_H_
