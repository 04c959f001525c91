// two_phase.h: coefficients of a product of decimal digits -> decimal text, on a device, by the two
// phases of [DieguezThesis18] 7.5, for rows of any number of coefficients, in one launch. Plain C;
// the kernel is in two_phase.cu. carry/device.h is the library's own way to do the same in any base
// 10^k: a scan.
//
// Phase 1 sends digit d of coefficient i to place i + d, after which each place has at most 90.
// Phase 2 splits these into units and tens, adds the tens of the place below, and resolves the
// carries, 0 or 1, by additions of words of generate and propagate bits: of a thread, a warp and a
// block. The thesis is silent on the edges of blocks: here a block computes phase 1 of the ten
// places below its own again, and blocks hear of each other's carries by look-back.
#ifndef CARRY_TWO_PHASE_H_
#define CARRY_TWO_PHASE_H_

#include <stddef.h>
#include <stdint.h>

#include "carry/device_types.h"
#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// carry_two_phase_job: `rows` numbers, one after another: n coefficients each, of one word of this
// form, coefficient i of weight 10^i; and `out` characters each, most significant first.
// Requires: 0 <= coefficient < 10^10; n, out <= 2^40; at most 2^22 tiles of 2048 digits in all
// rows, each row's last one counting as a whole one.
typedef struct {
    carry_form form;
    uint64_t n, rows, out;
} carry_two_phase_job;

// carry_two_phase_bytes returns what carry_two_phase needs of workspace; 0 if the job is not valid.
size_t carry_two_phase_bytes(const carry_two_phase_job *job);

// carry_two_phase enqueues text = the row's value modulo 10^out, for each row. workspace: as for
// carry_device, with which it may be shared. Does not wait, allocates nothing. RESULT_REFUSED (job
// not valid, workspace too small) changes nothing.
// Cost: one launch; reads every coefficient once (1/200 of them twice), writes every digit once.
result carry_two_phase(const carry_two_phase_job *job, char *text, const void *c, void *workspace,
                       size_t bytes, cuda_stream stream);

#ifdef __cplusplus
}
#endif

#endif  // CARRY_TWO_PHASE_H_
