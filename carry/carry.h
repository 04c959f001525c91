// carry.h: coefficients of a product -> limbs or decimal digits. Independent of transforms. May
// include primitives/.
//
// A coefficient is an unsigned number of `words` 64-bit words, least significant first; coefficient
// i stands at c + i words and weighs radix^i. The value of a block is sum c_i radix^i.
//
// A long sequence is cut into blocks, one after the other through one carry_stream. Ranges of
// blocks may also be computed side by side, each with a stream of its own that starts empty;
// carry_join_* then adds each range's carry to what follows it.
#ifndef CARRY_CARRY_H_
#define CARRY_CARRY_H_

#include <stddef.h>
#include <stdint.h>

enum { CARRY_WORDS_MAX = 7 };

// carry_stream: the state between two blocks of one sequence of coefficients: the carry out of the
// digits so far and, in radix 2^w, the bits of the last limb, which is not full yet. A stream keeps
// to one radix and one number of words.
typedef struct {
    // below 2^(64 words + 1 - w), or at most (2^(64 words) - 1) / (10^k - 1): docs/proofs/carry.md
    uint64_t carry[CARRY_WORDS_MAX + 1];
    uint64_t partial;  // low `filled` bits of the next limb
    unsigned filled;   // 0 .. 63
} carry_stream;
#define CARRY_STREAM_INIT \
    { {0}, 0, 0 }

// carry_pow2 continues a stream in radix 2^w with n coefficients and writes each limb that becomes
// full.
// Shapes:   c[n * words] in, rp[floor((filled + n w) / 64)] out
// Requires: 1 <= w <= 64 words; 1 <= words <= CARRY_WORDS_MAX; rp does not overlap c
// Ensures:  value written + 2^(64 * limbs written) (partial + carry 2^filled) == value before
// Returns:  limbs written
// Cost:     one pass: n words additions, reads 8 n words bytes, writes n w / 8
size_t carry_pow2(uint64_t *rp, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                  unsigned w);

// carry_pow2_flush writes what is left in the stream as exactly n limbs and empties it; returns 0,
// or 1 if it did not fit (the limbs are then the low part).
int carry_pow2_flush(uint64_t *rp, size_t n, carry_stream *s);

// carry_pow10 continues a stream in radix 10^k, 1 <= k <= 19: one digit (a word below 10^k) per
// coefficient.
// Shapes:   c[n * words] in, digits[n] out
// Requires: 1 <= words <= CARRY_WORDS_MAX; digits does not overlap c
// Ensures:  sum d_i 10^(k i) + 10^(k n) carry == carry before + sum c_i 10^(k i)
// Cost:     one pass: words + 1 divisions by reciprocal a coefficient, one after the other; if
//           words = 3, k >= 14 and c_i < 10^(3 k), three, which overlap from coefficient to
//           coefficient
void carry_pow10(uint64_t *digits, carry_stream *s, const uint64_t *c, size_t n, unsigned words,
                 unsigned k);

// carry_join_pow2 adds what a stream carried out of its limbs to the n limbs that follow and to the
// stream `last` of the range after those limbs, and empties the stream. carry_join_pow10 does the
// same for digits below 10^k that nothing follows: the sum fits them.
// Requires: s->filled == 0; last: of the range that ends in rp[n - 1], or of none
// Ensures:  the limbs of all ranges up to the last, and its stream, are as if computed in one range
// Cost:     a few limbs, and as many more as are all ones (digits: 10^k - 1). Joining the ranges of
//           one number from low to high is linear in its length however the ripples fall.
void carry_join_pow2(uint64_t *rp, size_t n, carry_stream *last, carry_stream *s);
void carry_join_pow10(uint64_t *digits, size_t n, carry_stream *s, unsigned k);

#endif  // CARRY_CARRY_H_
