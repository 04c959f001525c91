// recombine.h: from the coefficients of a convolution to limbs or decimal digits: carries, in
// parallel ranges that are joined at the end. Internal to bigint/; the one place where fft/ and
// carry/ meet.
#ifndef BIGINT_MULTIPLY_RECOMBINE_H_
#define BIGINT_MULTIPLY_RECOMBINE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carry/columns.h"
#include "primitives/words/team.h"

enum { RECOMBINE_BLOCK = 512, RECOMBINE_WORDS_MAX = 3 };

// recombine_source: where coefficients come from.
typedef struct {
    // Coefficients first .. first + n - 1, n <= RECOMBINE_BLOCK, of `words` words each. May write
    // whole vectors: room for n rounded up to 8. Called from several threads.
    void (*read)(uint64_t *out, const void *from, uint64_t first, size_t n);
    const void *from;
    uint64_t count;
    unsigned words;          // 1 .. RECOMBINE_WORDS_MAX
    carry_columns *columns;  // of one word, to limbs
    // The coefficients sum up to the number plus surplus R^count, R their radix. The surplus makes
    // signed coefficients unsigned. Digits with a surplus are one range, on any team.
    uint64_t surplus;
    // The coefficients may be wrong, so the value need not fit: some limbs are written then.
    bool doubtful;
    team *team;
} recombine_source;

// recombine_limbs: {rp, rn} = sum c_i 2^(w i) - surplus 2^(w count), i < count.
// Requires: the value is below 2^(64 rn), or doubtful; count w >= 64 (rn - 2), 1 <= w <= 64; rp
// overlaps nothing that is read.
// Cost: one pass over the coefficients; a carry that ripples through whole ranges costs one more
// over the limbs.
void recombine_limbs(uint64_t *rp, uint64_t rn, const recombine_source *source, unsigned w);

// recombine_decimal: digits d_i < 10^k, i < count, with sum d_i 10^(k i) = sum c_i 10^(k i) -
// surplus 10^(k count). Requires: the value is below 10^(k count).
void recombine_decimal(uint64_t *digits, const recombine_source *source, unsigned k);

#endif  // BIGINT_MULTIPLY_RECOMBINE_H_
