// gen.h: seeded operands for tests. The same seed gives the same numbers on every machine; there is
// no global state. Includes nothing of the project.
#ifndef TESTS_SUPPORT_GEN_H_
#define TESTS_SUPPORT_GEN_H_

#include <stddef.h>
#include <stdint.h>

// gen is a xoshiro256** generator [BlackmanVigna21]. Not for cryptography.
typedef struct {
    uint64_t state[4];
} gen;

// gen_seed returns a generator whose state comes from splitmix64 started at seed.
gen gen_seed(uint64_t seed);

// gen_u64 returns 64 uniform bits.
uint64_t gen_u64(gen *g);

// gen_below returns a uniform number in [0, bound). Requires bound > 0.
uint64_t gen_below(gen *g, uint64_t bound);

// gen_size returns a number in [lo, hi] whose logarithm is nearly uniform: each bit length from
// that of lo to that of hi is equally likely. Requires 1 <= lo <= hi.
size_t gen_size(gen *g, size_t lo, size_t hi);

// gen_digits fills s[0..n) with uniform decimal digits.
void gen_digits(gen *g, char *s, size_t n);

// The shapes of operands. Every shape but GEN_ZERO has a top limb that is not zero.
typedef enum {
    GEN_ZERO,
    GEN_UNIFORM,      // every bit a coin
    GEN_RUNS,         // long runs of 0 and of 1 bits: carries that travel far, and borrows
    GEN_ONES,         // 2^(64n) - 1: the largest value, every carry chain at full length
    GEN_POWER,        // 2^k, k in the top limb
    GEN_POWER_PLUS,   // 2^k + 1
    GEN_POWER_MINUS,  // 2^k - 1; all ones up to a bit inside the top limb
    GEN_SPARSE,       // a few bits set
    GEN_ALTERNATING,  // digits of a random width in 1..64, alternately all ones and zero
    GEN_SHAPES,       // how many there are
} gen_shape;

// gen_shape_name returns the shape's name in lower case, for traces.
const char *gen_shape_name(gen_shape shape);

// gen_limbs fills ap[0..an) with a number of the given shape. Requires an >= 1.
void gen_limbs(gen *g, gen_shape shape, uint64_t *ap, size_t an);

#endif  // TESTS_SUPPORT_GEN_H_
