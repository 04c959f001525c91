// plan.h: how the host computes the calls of bigint_number.h and bigint_random.h, and what they
// need of the workspace. Internal to bigint/.
#ifndef BIGINT_NUMBER_PLAN_H_
#define BIGINT_NUMBER_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// number_binomial_way: of n over k, both words. PAIR: two words hold it. QUOTIENT: of a product of
// k or n - k factors by a factorial, where they are few. PRIMES: by its prime factors.
typedef enum { BINOMIAL_ZERO, BINOMIAL_PAIR, BINOMIAL_QUOTIENT, BINOMIAL_PRIMES } binomial_way;
binomial_way number_binomial_way(uint64_t n, uint64_t k);

// What the calls of these names need, for any results wanted and integers of an, bn limbs.
void factorial_need(work_need *w, uint64_t n);
void multifactorial_need(work_need *w, uint64_t n, uint64_t step);
void primorial_need(work_need *w, uint64_t n);
void binomial_u64_need(work_need *w, uint64_t n, uint64_t k);
void binomial_need(work_need *w, uint64_t an, uint64_t k);
void fibonacci_need(work_need *w, uint64_t n);  // bigint_fibonacci, bigint_lucas
void pow_u64_need(work_need *w, uint64_t an, uint64_t e);
void is_power_need(work_need *w, uint64_t an);
void next_prime_need(work_need *w, uint64_t an);
void kronecker_need(work_need *w, uint64_t an, uint64_t bn);
void remove_need(work_need *w, uint64_t an, uint64_t bn);
void random_need(work_need *w, uint64_t limbs);

#endif  // BIGINT_NUMBER_PLAN_H_
