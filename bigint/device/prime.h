// prime.h: the device's part in tests of primality. Internal to bigint/.
#ifndef BIGINT_DEVICE_PRIME_H_
#define BIGINT_DEVICE_PRIME_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/modular/residues.h"

// device_candidates: *view = the numbers of a span in device memory, in host memory on the
// arena, with the gaps between them. Waits for the stream.
bigint_status device_candidates(bigint_ctx *ctx, const char *who, const bigint_span *n,
                                bigint_span *view);
// device_strong_base_2, device_strong_lucas: the two tests, each a batch_prime_test.
bigint_status device_strong_base_2(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                   uint64_t count, unsigned char *passed);
bigint_status device_strong_lucas(bigint_ctx *ctx, const char *who, const odd_number *numbers,
                                  uint64_t count, unsigned char *passed);
// device_prime_need: what a batch of `count` numbers of n limbs needs beside what the host does,
// which tests few numbers by itself.
void device_prime_need(work_need *w, uint64_t count, uint64_t n);

#endif  // BIGINT_DEVICE_PRIME_H_
