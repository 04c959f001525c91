// number.h: what the calls of this folder share. Internal to bigint/number.
#ifndef BIGINT_NUMBER_NUMBER_H_
#define BIGINT_NUMBER_NUMBER_H_

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/core/need.h"

// number_check: OK if the integers (NULL ends the list) live on the host, where the context works
// (or it has failed).
static inline bigint_status number_check(bigint_ctx *ctx, const char *who, const bigint *a,
                                         const bigint *b, const bigint *c) {
    return bigint_check_host(ctx, who, a, b == NULL ? a : b, b == NULL || c == NULL ? a : c);
}

// number_check_count: ENOMEM for 2^50 factors or more, so that sizes do not overflow.
bigint_status number_check_count(bigint_ctx *ctx, const char *who, uint64_t count);

// number_bits: the length of a word.
static inline unsigned number_bits(uint64_t x) { return x == 0 ? 0 : 64 - word_clz(x); }

// number_lowest_one: the index of the lowest one bit of |a|, a not 0.
static inline uint64_t number_lowest_one(const bigint *a) {
    uint64_t i = 0;
    while (a->d_[i] == 0) {
        i++;
    }
    return 64 * i + word_ctz(a->d_[i]);
}

// --- Products of words (factors.c) ---
// factor_list: the factors of a product in workspace. Small ones are multiplied while they fit a
// word. failed: there was no room for one more.
typedef struct {
    uint64_t *p, n, cap;
    bool failed;
} factor_list;

// factors_begin: an empty list with room for cap words; p is NULL, with the error recorded, if
// there is no memory.
factor_list factors_begin(bigint_ctx *ctx, const char *who, uint64_t cap);
// factors_add multiplies the product by factor, which is not 0.
static inline void factors_add(factor_list *list, uint64_t factor) {
    uint64_t product;
    if (list->n > 0 && !__builtin_mul_overflow(list->p[list->n - 1], factor, &product)) {
        list->p[list->n - 1] = product;
    } else if (list->n < list->cap) {
        list->p[list->n++] = factor;
    } else {
        list->failed = true;
    }
}
// factors_words: the most words of a list with room for cap, whose product has up to `bits` bits
// and whose factors have up to `each`: a word that the next factor does not join has more than 64 -
// each bits.
static inline uint64_t factors_words(uint64_t bits, unsigned each, uint64_t cap) {
    return each >= 64 || bits / (64 - each) >= cap ? cap : bits / (64 - each) + 1;
}
// factors_product: r = the product, in workspace. Cost: O(M(n) log n).
bigint_status factors_product(bigint_ctx *ctx, const char *who, bigint *r, const factor_list *list);
// factors_store: the same into an integer of the caller's; ENOMEM if the list was not made.
bigint_status factors_store(bigint_ctx *ctx, const char *who, bigint *r, const factor_list *list);

// prime_list: odd primes, the smallest first.
typedef struct {
    const uint64_t *p;
    uint64_t n;
} prime_list;
// factors_of_primes: *primes = the odd primes up to n, and an empty list of powers of primes that
// are at most n each; p is NULL in the list with the error recorded.
factor_list factors_of_primes(bigint_ctx *ctx, const char *who, prime_list *primes, uint64_t n);

// What these need. factors_of_primes_need, factors_sieve_need: their memory stays.
// factors_product_need: factors_product of a list of `words`; the product stays.
void factors_of_primes_need(work_need *w, uint64_t n);
void factors_product_need(work_need *w, uint64_t words);
void factors_sieve_need(work_need *w, uint64_t n);

// factors_sieve: the odd primes up to n: sieve[i] = 0 if 2 i + 1 is prime, for 1 <= i <= (n - 1) /
// 2.
// NULL with the error recorded.
const unsigned char *factors_sieve(bigint_ctx *ctx, const char *who, uint64_t n);

#endif  // BIGINT_NUMBER_NUMBER_H_
