// prime.h: whether the numbers of a batch are probably prime. Internal to bigint/.
#ifndef BIGINT_BATCH_PRIME_H_
#define BIGINT_BATCH_PRIME_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/modular/residues.h"

// batch_prime_test: passed[i] = whether number i passes the test, i < count, count >= 1. The
// numbers are in host memory and have at most POWM_DEVICE_LIMBS_MAX limbs. The device computes a
// power, or V'(e) and V'(e + 1), of each; the host computes the steps before and after. Waits for
// the stream.
// Cost: bigint_powm_batch's for numbers as long as the longest, for Lucas's test twice that; copies
// of all numbers, two or three times to the device and once or twice back. Device memory beside the
// workspace: 3 times the numbers, for Lucas's test 5 times.
typedef bigint_status (*batch_prime_test)(bigint_ctx *ctx, const char *who,
                                          const odd_number *numbers, uint64_t count,
                                          unsigned char *passed);

// batch_prime_device: the device's part in the two tests, the strong one to base 2 and Lucas's.
// serves: whether the device computes powers of these lengths.
typedef struct {
    bool (*serves)(uint64_t modulus_bits, uint64_t exponent_bits);
    batch_prime_test tests[2];
} batch_prime_device;

// batch_probable_prime: prime[i] = whether number i is probably prime, for one or more numbers in
// host memory. there: the device's tests, NULL on the host. Workspace from the arena; the caller
// releases it.
bigint_status batch_probable_prime(bigint_ctx *ctx, const char *who, unsigned char *prime,
                                   const bigint_span *n, const batch_prime_device *there);

// batch_prime_need: what the host needs for `count` numbers of n limbs. batch_prime_there_need:
// what it needs beside a device that runs the tests of all of them. batch_prime_print: how they
// are tested, on one line, like snprintf.
void batch_prime_need(work_need *w, uint64_t count, uint64_t n);
void batch_prime_there_need(work_need *w, uint64_t count);
int batch_prime_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t count, uint64_t n);

#endif  // BIGINT_BATCH_PRIME_H_
