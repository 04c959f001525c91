// root.h: roots of any degree of integers on a device. Internal to bigint/.
#ifndef BIGINT_DEVICE_ROOTS_ROOT_H_
#define BIGINT_DEVICE_ROOTS_ROOT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_root: bigint_root for operands that root_check has passed. It waits for the length, the
// sign and the top limbs of a, and for one limb of the root's fraction, which says whether a power
// has to decide; then, for powers and their neighbours, for the sign of a difference.
// One call enqueues the launches between these waits if a root of the same degree and length came
// before (recording.h).
// Cost: the host's: O(M(n / k) log k) for s, O(M(n)) for r. Memory: integers of some 20 times the
// root's length, and with r, or near a power, 6 times a's.
// Source: [BrentZimmermann10] sections 4.2 and 1.5. Proof: docs/proofs/root.md, section 9.
bigint_status device_root(bigint_ctx *ctx, const char *who, bigint *s, bigint *r, const bigint *a,
                          uint64_t k);
// device_root_need: what it needs for a of an limbs. device_root_print: how it is computed, on one
// line, like snprintf.
void device_root_need(work_need *w, uint64_t an, uint64_t k);
int device_root_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t k);

#endif  // BIGINT_DEVICE_ROOTS_ROOT_H_
