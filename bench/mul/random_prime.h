// random_prime.h: another prime for the checks of every run, and the clock that seeds it.
#ifndef BENCH_MUL_RANDOM_PRIME_H_
#define BENCH_MUL_RANDOM_PRIME_H_

#include <stdint.h>

// Nanoseconds of CLOCK_MONOTONIC.
uint64_t now_ns(void);
// random_prime: of 61 bits.
uint64_t random_prime(void);

#endif  // BENCH_MUL_RANDOM_PRIME_H_
