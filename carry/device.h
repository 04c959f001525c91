// device.h: coefficients of a product -> limbs or digits, on a device: carry.h's task for rows of
// any number of coefficients, unsigned or signed, in one launch. Plain C; the kernels are in
// device.cu. Independent of transforms.
//
// The value of a row is sum c_i radix^i. The result is this value modulo 2^(64 out) in limbs, or
// modulo 10^(w out) in digits. Negative values are in two's or ten's complement. What does not fit
// is the row's carry-out: carry_device_extra more limbs or digits in the same form. The last of
// them is all ones (all nines) if the value is negative.
#ifndef CARRY_DEVICE_H_
#define CARRY_DEVICE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carry/device_types.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// carry_device_valid says whether the job keeps to the above and is small enough: out <= 2^40, and
// at most 2^22 tiles in all rows together (a tile is about 1,000 limbs, or 100 digits or more).
bool carry_device_valid(const carry_job *job);

// carry_device_extra returns the limbs or digits of a row's carry-out: words + 1 limbs, or as many
// digits as 2^(64 words) has, and one.
uint64_t carry_device_extra(const carry_job *job);

// carry_device_workspace_bytes returns what carry_device needs for the job; 0 if it is not valid.
size_t carry_device_workspace_bytes(const carry_job *job);

// carry_device enqueues the job: r[0 .. rows out) and, unless it is NULL, carry_out[0 .. rows
// extra) from c[0 .. rows n) coefficients, all in device memory and aligned to their element; r on
// 16 bytes is faster. r and c do not overlap. workspace: 256-byte aligned, used by one stream at a
// time; zero before its first use and after any other use, except by scans by look-back or by a
// circuit. Does not wait, allocates nothing. RESULT_REFUSED (job not valid, workspace too small)
// changes nothing.
// Cost: one launch; reads every coefficient once (1/31 of them twice from cache) and writes every
// limb once: 8 words n + 8 out bytes for words. Regardless of how carries ripple there is at most
// one look-back over the tiles before, and the nearest tiles answer it unless all their digits are
// R - 1.
// Source: docs/proofs/carry.md, and the scan of carries with look-back [MerrillGarland16].
result carry_device(const carry_job *job, uint64_t *r, uint64_t *carry_out, const void *c,
                    void *workspace, size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // CARRY_DEVICE_H_
