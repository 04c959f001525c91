// decimal_digits.h: decimal characters <-> words below 10^k. Internal to bigint/. It uses no
// integers and allocates nothing.
#ifndef BIGINT_TEXT_DECIMAL_DIGITS_H_
#define BIGINT_TEXT_DECIMAL_DIGITS_H_

#include <stddef.h>
#include <stdint.h>

// The largest power of ten in a word: 10^19 < 2^64.
#define DECIMAL_WORD_DIGITS 19u
#define DECIMAL_WORD_RADIX UINT64_C(10000000000000000000)

// decimal_digits_read: sum words[i] 10^(k i) = the number written by the characters s[0 .. n).
// Shapes:   ceil(n / k) words, least significant first
// Requires: 1 <= k <= 19; words does not overlap s
// Returns:  n; or the position of the first character that is not a digit, words being undefined
//           then
// Cost:     one pass, eight characters at a time
size_t decimal_digits_read(uint64_t *words, const char *s, size_t n, unsigned k);

// decimal_digits_valid returns n if all characters s[0 .. n) are digits, else the position of the
// first one that is not. Cost: one pass, eight characters at a time.
size_t decimal_digits_valid(const char *s, size_t n);

// decimal_digits_count: the digits of a word of `bits` >= 1 bits.
unsigned decimal_digits_count(uint64_t word, unsigned bits);

// decimal_digits_write: exactly n characters, with leading zeros, from the same words; digits
// beyond the n lowest are not written. Requires: n <= k times the number of words; every word below
// 10^k.
void decimal_digits_write(char *s, size_t n, const uint64_t *words, unsigned k);

#endif  // BIGINT_TEXT_DECIMAL_DIGITS_H_
