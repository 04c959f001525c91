// gcd.h: greatest common divisors on limbs. Internal to bigint/.
#ifndef BIGINT_GCD_GCD_H_
#define BIGINT_GCD_GCD_H_

#include "bigint/gcd/pair.h"
#include "primitives/words/word.h"

// gcd_begin: with the measured sizes.
gcd_run gcd_begin(bigint_ctx *ctx, const char *who);
// gcd_words, gcd_word_pairs: gcd(a, b); gcd(0, b) = b.
uint64_t gcd_words(uint64_t a, uint64_t b);
word_pair gcd_word_pairs(word_pair a, word_pair b);
// gcd_limbs: {gp, *gn} = gcd(a, b) for a = {ap, an}, b = {bp, bn}, bn >= 1, bp[bn - 1] != 0. gp has
// room for bn limbs; it may be ap or bp. Written only on success. Workspace: docs/proofs/gcd.md,
// section 5.
bigint_status gcd_limbs(const gcd_run *run, uint64_t *gp, uint64_t *gn, const uint64_t *ap,
                        uint64_t an, const uint64_t *bp, uint64_t bn);
// gcd_cofactor: the same, and {sp, *sn} = |s| for the s with s a = g mod b that is least in
// absolute value, the positive one of two; *negative says its sign. sp has room for bn limbs. gp
// and sp are not the same.
bigint_status gcd_cofactor(const gcd_run *run, uint64_t *gp, uint64_t *gn, uint64_t *sp,
                           uint64_t *sn, bool *negative, const uint64_t *ap, uint64_t an,
                           const uint64_t *bp, uint64_t bn);

// gcd_jacobi: *symbol = (a / b), -1, 0 or 1, for a = {ap, an} and odd b = {bp, bn}, bn >= 1,
// bp[bn - 1] != 0. Workspace and cost: as gcd_limbs.
bigint_status gcd_jacobi(const gcd_run *run, int *symbol, const uint64_t *ap, uint64_t an,
                         const uint64_t *bp, uint64_t bn);

// gcd_half_from: the limb from which a half-gcd reduces numbers of n limbs: the top parts that take
// least time are a third without a cofactor, three fifths with one, whose row is long while the
// numbers are short, and then takes long matrices better.
static inline uint64_t gcd_half_from(uint64_t n, bool cofactor) {
    return cofactor ? n / 5 * 2 : n / 3 * 2;
}

#endif  // BIGINT_GCD_GCD_H_
