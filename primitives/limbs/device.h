// device.h: rows of limbs on a device: shift, choose and compare. Plain C; the kernels are in
// device.cu. Sums are in carry/add.h, the host's counterparts in limbs.h.
//
// Notation as in limbs.h. Limbs beyond the end of a number count as zero. A number may have a sign
// that is only on the device, in a word of device memory. Pointers are to device memory and aligned
// to 8 bytes; nothing is allocated, nothing waits; the calling thread's current device must be the
// stream's. RESULT_REFUSED: a length above LIMBS_DEVICE_MAX; nothing was done.
#ifndef PRIMITIVES_LIMBS_DEVICE_H_
#define PRIMITIVES_LIMBS_DEVICE_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// Limbs of the longest number: blocks of 1024 limbs stay below a grid's 2^31, bits below 2^63.
#define LIMBS_DEVICE_MAX (UINT64_C(1) << 40)

// sign: 0 for plus, 1 for minus; NULL: plus. The number 0 may have either.
typedef struct {
    const uint64_t *p;
    uint64_t n;
    const uint64_t *sign;
} limbs_device_number;

// --- Shifts --------------------------------------------------------------------------------------
typedef enum { LIMBS_SIGN_KEEP, LIMBS_SIGN_FLIP, LIMBS_SIGN_CLEAR } limbs_sign;

// limbs_device_lshift enqueues {rp, rn} = |a| 2^bits mod 2^(64 rn) and *r_sign = a's sign, flipped
// or cleared; limbs_device_rshift {rp, rn} = floor(|a| / 2^bits) mod 2^(64 rn) and the same. Any
// bits; bits = 0 copies, rn = 0 sets the sign alone.
// Aliasing: r_sign may be a.sign. rp = a.p where bits = 0, else no overlap.
// Cost:     one launch; each limb of a that counts is read once from memory, each of r written once
result limbs_device_lshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream);
result limbs_device_rshift(uint64_t *rp, uint64_t rn, uint64_t *r_sign, limbs_device_number a,
                           uint64_t bits, limbs_sign sign, cuda_stream stream);

// limbs_device_choose enqueues {rp, rn} = |a| mod 2^(64 rn) if the word at `chosen`, in device
// memory, is not 0, and 0 if it is.
// Aliasing: rp = a.p, else no overlap
// Cost:     one launch; each limb of r is written once, each of a is read at most once
result limbs_device_choose(uint64_t *rp, uint64_t rn, limbs_device_number a, const uint64_t *chosen,
                           cuda_stream stream);

// --- Comparison ----------------------------------------------------------------------------------
typedef struct {
    uint64_t difference_bits;  // the length in bits of |a| xor |b|: of |a| where b = 0
    int32_t order;             // -1, 0, 1 as |a| <, =, > |b|
    uint32_t zero;             // 1: both are 0, else 0
    uint32_t a_sign, b_sign;
} limbs_device_order;

// What the answer is for. A sum a + b needs the order only if the signs differ, a difference a - b
// only if they agree; otherwise no limb is read: order is 1, the signs are right, the rest is 0.
typedef enum {
    LIMBS_COMPARE,
    LIMBS_COMPARE_FOR_SUM,
    LIMBS_COMPARE_FOR_DIFFERENCE,
} limbs_compare_purpose;

// Bytes of workspace, aligned to 8, zero before the first use; every comparison leaves it zero.
enum { LIMBS_COMPARE_WORKSPACE_BYTES = 16 };

// limbs_device_compare enqueues the comparison of a and b. out: device or pinned memory.
// Cost: one launch. Tiles of limbs are read from the top down until one that holds a difference is
//       known, by all blocks at once: some hundred thousand limbs where the top ones differ, all of
//       them where the numbers are equal.
result limbs_device_compare(limbs_device_order *out, limbs_device_number a, limbs_device_number b,
                            limbs_compare_purpose purpose, void *workspace, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_LIMBS_DEVICE_H_
