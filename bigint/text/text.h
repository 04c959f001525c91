// text.h: radix conversion between limbs and words of digits (radix.h). Internal to bigint/.
//
// Both directions work level by level on a binary tree over the words. A leaf is `leaf` words, and
// a node of level j is leaf 2^j words; the last node of a level may be shorter. The power of ten of
// a level is 5^k 2^k: powers of 5 are stored and multiplied by, and 2^k is a shift. Comments speak
// of base 10; in other bases the odd part of the base takes the place of 5, in odd ones without
// shifts; in powers of two words are limbs. Where there is a tree, both report their progress
// (options.progress), from level to level.
#ifndef BIGINT_TEXT_TEXT_H_
#define BIGINT_TEXT_TEXT_H_

#include "bigint/core/context.h"
#include "bigint/text/radix.h"

// text_power: 5^k in limbs, the top limb not zero; k = 19 words.
typedef struct {
    const text_radix *radix;
    uint64_t *p, n, words;
} text_power;

// text_power_twos: k.
static inline uint64_t text_power_twos(const text_power *power) {
    return power->radix->twos * power->words;
}

// Limbs of memory for 5^(19 words): one more than its length, or two, as a square leaves it.
uint64_t text_power_limbs(const text_radix *radix, uint64_t words);
// text_power_of_words: power = 5^(19 words), in power->p, words >= 1. Errors: as bigint_mul_limbs.
bigint_status text_power_of_words(bigint_ctx *ctx, text_power *power, const text_radix *radix,
                                  uint64_t words);
// text_power_square: square = power^2, in square->p. Errors: as bigint_mul_limbs; ECHECK if its
// length is impossible, so that a wrong product cannot become a wrong length (docs/proofs/text.md).
bigint_status text_power_square(bigint_ctx *ctx, text_power *square, const text_power *power);
// The bits of 10^k; numbers of k digits need as many.
uint64_t text_power_of_ten_bits(const text_power *power);

// text_from_words: {p, n} from words below 10^19 to limbs, in place. Texts of errors begin with
// who, here and below.
// Cost:   O(M(n) log n); workspace 6 to 7 n limbs in all, most of it the last product's: 3 bytes a
//         digit. Threads: the leaves, and what products do.
// Errors: as bigint_mul_limbs; {p, n} is then undefined.
bigint_status text_from_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                              uint64_t *p, uint64_t n);

// text_to_words: {words, count} = {ap, an}. Requires: an >= 1, {ap, an} < 10^(19 count), no
// overlap.
// Cost:   O(M(n) log n); workspace about 23 n limbs in all, most of it in the root's division: 10
//         bytes a digit. Threads: the leaves of the tree, and what products do.
// Errors: as bigint_mul_limbs; {words, count} is then undefined.
bigint_status text_to_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                            uint64_t *words, uint64_t count, const uint64_t *ap, uint64_t an);

// --- Fractions (fraction.c) ---
// A number N < 10^k as a fraction f = (N + d) / 10^k, 0 < d < 1, of m = text_fraction_limbs limbs:
// one more than 10^k has, so that an error of some units in f's last place changes d by some 1 / B.

// text_fraction_limbs_of: the same for the bits of 10^k.
static inline uint64_t text_fraction_limbs_of(uint64_t ten_bits) {
    return (ten_bits + 63) / 64 + 1;
}
uint64_t text_fraction_limbs(const text_power *power);
// text_units: 1 / 10^k in units of the last place of a fraction of m limbs, inverse 2^-(shift +
// 63): for 5^k whose top bits are `top`, its top bit set. Shift < 64. Relative error below 2^-61,
// if `top` is the floor or one less (docs/proofs/text.md).
typedef struct {
    uint64_t inverse;
    unsigned shift;
} text_units;
text_units text_units_of(uint64_t top, uint64_t m, uint64_t ten_bits);
// text_fraction: {fp, m} of N = {ap, an}, an >= 1, with d = 1/2 up to 1 / B. Cost: one division.
bigint_status text_fraction(bigint_ctx *ctx, const char *who, uint64_t *fp, const text_power *power,
                            const uint64_t *ap, uint64_t an);
// text_fraction_words: the digits of {fp, m}, |d - 1/2| < 1/4, k = 19 all; fp is destroyed. The
// words from `room` on are 0 and not written. Cost: quadratic.
void text_fraction_words(const limbs_ops *ops, const text_radix *radix, uint64_t *words,
                         uint64_t room, uint64_t all, uint64_t *fp, uint64_t m);
// text_cut: {rp, rn} = floor({ap, an} / 2^bits) mod 2^(64 rn). No overlap.
void text_cut(uint64_t *rp, uint64_t rn, const uint64_t *ap, uint64_t an, uint64_t bits);

// --- Long numbers (tree.c) ---
// text_tree_words: as text_to_words, by a scaled remainder tree [Bernstein04]. Proof:
// docs/proofs/text.md.
bigint_status text_tree_words(bigint_ctx *ctx, const char *who, const text_radix *radix,
                              uint64_t *words, uint64_t count, const uint64_t *ap, uint64_t an);

// --- Calls (text.c) ---
// text_read: r = the number of s[first .. length), with the sign of s[0]. text_write: the text of
// a, of `bits` bits and that sign, as bigint_get_decimal writes it. By the host, on any place.
bigint_status text_read(bigint_ctx *ctx, const char *who, const text_radix *radix, bigint *r,
                        const char *s, size_t first, size_t length, size_t *bad_at);
bigint_status text_write(bigint_ctx *ctx, const char *who, const text_radix *radix, char *buf,
                         size_t cap, size_t *need, const bigint *a, uint64_t bits, int sign);
// text_check_size: the checks before a text is looked at; `digits` of them fill a limb at most.
bigint_status text_check_size(bigint_ctx *ctx, const char *who, const bigint *r, size_t length,
                              unsigned digits);
size_t text_skip_sign(const char *s, size_t length);
// text_prefix_base: 16 or 2 if a number begins with 0x or 0b, 8 with another 0, 10 without.
int text_prefix_base(const char *s, size_t length);
// text_bad_character: EINVAL for the character at `at`, or for a text of no digits.
bigint_status text_bad_character(bigint_ctx *ctx, const char *who, size_t *bad_at, size_t at,
                                 size_t length);
// text_check_room: *need = the characters of a text of that many digits; ERANGE unless they fit.
bigint_status text_check_room(bigint_ctx *ctx, const char *who, size_t cap, size_t *need,
                              bool negative, uint64_t digits);
// text_check_base: EINVAL unless the base is 2 to 62, or `least` to -2 for upper case.
bigint_status text_check_base(bigint_ctx *ctx, const char *who, int base, int least);

#endif  // BIGINT_TEXT_TEXT_H_
