// radix.h: bases of text: how their digits fill words, which characters the digits are, and how
// many digits a number has. Internal to bigint/. It uses no integers and allocates nothing.
#ifndef BIGINT_TEXT_RADIX_H_
#define BIGINT_TEXT_RADIX_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TEXT_BASE_LEAST = 2, TEXT_BASE_MOST = 62 };

// text_radix: a base. A word below base^digits = odd 2^twos < 2^64 holds `digits` of its digits; in
// powers of two words are limbs, and digits straddle them.
typedef struct {
    unsigned base, digits, twos;
    unsigned shift;           // base = 2^shift, the rest but the alphabet 0; else 0
    uint64_t word, odd, log;  // base^digits, the same without its twos, 2^64 log_base(2) rounded up
    const char *alphabet;     // the characters of digits that are written
} text_radix;

extern const text_radix text_decimal;
// text_radix_of: base 2 to 62, or -2 to -36 for upper case. The alphabet is 0 .. 9 a .. z for bases
// up to 36, 0 .. 9 A .. Z a .. z above.
text_radix text_radix_of(int base);

// text_is_digit: whether a character is a digit of the base.
bool text_is_digit(const text_radix *radix, char c);

// text_digits_bound: the digits of a number of `bits` bits, 1 <= bits < 2^62, or one more; exact
// for powers of two. Proof: docs/proofs/text.md.
uint64_t text_digits_bound(const text_radix *radix, uint64_t bits);
// text_digits_of: the digits that a word, not 0, has. Not for powers of two.
unsigned text_digits_of(const text_radix *radix, uint64_t word);

// text_words: the words of n digits.
uint64_t text_words(const text_radix *radix, uint64_t n);
// text_digits_read, text_digits_write: as decimal_digits_read and decimal_digits_write in any base;
// text_words(n) words.
size_t text_digits_read(const text_radix *radix, uint64_t *words, const char *s, size_t n);
void text_digits_write(const text_radix *radix, char *s, size_t n, const uint64_t *words);

#endif  // BIGINT_TEXT_RADIX_H_
