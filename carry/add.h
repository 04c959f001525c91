// add.h: sums and differences of long numbers on a device, signs included. Plain C; the kernel is
// in add.cu. The host's are in primitives/limbs/limbs.h.
#ifndef CARRY_ADD_H_
#define CARRY_ADD_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/limbs/device.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// carry_add_workspace_bytes returns the bytes of workspace for a result of up to rn limbs: 16 for
// each 1024 limbs, at most 64 MiB, plus a few hundred. Device memory aligned to 256 bytes, used by
// one stream at a time, zero before its first use; every call leaves it ready for the next, of any
// size. Its first CARRY_ADD_FRONT_BYTES are for comparisons and sums alone; any kernel that looks
// back may use the rest between calls.
enum { CARRY_ADD_FRONT_BYTES = 128 };
uint64_t carry_add_workspace_bytes(uint64_t rn);

// carry_add enqueues {rp, rn} = |a + b|, or |a - b| if `subtract`, modulo 2^(64 rn). *r_sign
// becomes 0 for plus, 1 for minus, and a's sign if the result is 0.
// The device decides whether limbs are added or subtracted, and which number is the larger.
// Requires: rp, a.p and b.p aligned to 16 bytes; `bytes` of workspace, enough for rn Aliasing: rp
// may be a.p or b.p, r_sign either sign; no other overlap
// Cost:     two launches, one more for each 2^32 limbs; every limb is read and written once. Where
//           magnitudes are subtracted, the top limbs are read once more by limbs_device_compare,
//           down to the highest that differs
// Errors:   RESULT_REFUSED: a length above LIMBS_DEVICE_MAX, or a requirement that is not met
result carry_add(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                 limbs_device_number b, bool subtract, void *workspace, uint64_t bytes,
                 cuda_stream stream);

// carry_add_words enqueues {rp, rn} = |a| + |b|, or |a| - |b| if `subtract`, modulo 2^(64 rn): a
// difference in two's complement. b counts only where the word at `chosen`, in device memory, is
// not 0; NULL: it counts.
// Requires: as carry_add. Aliasing: as there; chosen is no limb of r. Cost: as there, without the
// comparison.
result carry_add_words(uint64_t *rp, uint64_t rn, limbs_device_number a, limbs_device_number b,
                       bool subtract, const uint64_t *chosen, void *workspace, uint64_t bytes,
                       cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // CARRY_ADD_H_
