// device.h: coefficients of a product -> limbs or digits, on a device: carry.h's task for
// rows of any number of coefficients, unsigned or signed, in one launch. Plain C; the kernels are
// in device.cu. Knows words and radices, nothing of transforms.
//
// The value of a row is sum c_i radix^i. Its limbs are those of that value modulo 2^(64 out), its
// digits modulo 10^(k out), two's and ten's complement if it is negative; what goes beyond them,
// the row's carry-out, follows the same way in carry_device_extra more limbs or digits, of which
// the last is all ones (all nines) if the value is negative.
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

// carry_device_valid says whether the job keeps to the above and n, out and rows fit: out <= 2^40,
// and rows times the tiles of each (some 1,000 limbs, 100 digits or more) at most 2^22.
bool carry_device_valid(const carry_job *job);

// carry_device_extra returns the limbs or digits of a row's carry-out: words + 1 limbs, or as many
// digits as 2^(64 words) has, and one.
uint64_t carry_device_extra(const carry_job *job);

// carry_device_workspace_bytes returns what carry_device needs for the job; 0 if it is not valid.
size_t carry_device_workspace_bytes(const carry_job *job);

// carry_device enqueues the job: r[0 .. rows out) and, unless it is NULL, carry_out[0 .. rows
// extra) from c[0 .. rows n) coefficients, all in device memory and aligned to their element; r on
// 16 bytes is faster. r and c do not overlap. workspace: 256-byte aligned, used by one stream at a
// time; zero before its first use and after something else has written there, scans by look-back or
// by a circuit aside. Does not wait, allocates nothing. RESULT_REFUSED (job not valid, workspace
// too small) changes nothing.
// Cost: one launch; reads every coefficient once (1/31 of them twice from cache) and writes every
// limb once: 8 words n + 8 out bytes for words. However carries ripple, at most one look-back over
// the tiles before, which the tile's neighbours answer unless they hold nothing but R - 1.
// Source: docs/proofs/carry.md, and the scan of carries with look-back [MerrillGarland16].
result carry_device(const carry_job *job, uint64_t *r, uint64_t *carry_out, const void *c,
                    void *workspace, size_t bytes, device_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // CARRY_DEVICE_H_
