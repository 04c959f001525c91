// block_add.h: sums and differences of numbers in blocks on devices: a member's block, and carries
// between blocks. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_BLOCK_ADD_H_
#define BIGINT_GROUP_DEVICE_BLOCK_ADD_H_

#include "bigint/group/exchange/member.h"
#include "carry/spots.h"
#include "primitives/limbs/device.h"

// block_adder: device memory: words, a zero, a sign that is not wanted and a one; workspace of the
// kernel for blocks of up to n limbs. Both are zero at first, the one aside, which block_adder_open
// enqueues.
typedef struct {
    uint64_t *words;
    unsigned char *adding;
} block_adder;
enum { BLOCK_ADDER_WORDS = 4 };
uint64_t block_adder_bytes(uint64_t n);  // of adding
result block_adder_open(const block_adder *s, cuda_stream stream);

// block_add: {rp, n} = the block of a sum or a difference whose magnitudes in this block are a and
// b, and what the blocks below carry or borrow. n may be 0. rp has room for limb n, which becomes
// anything; it may be a.p or b.p. To subtract, a has a limb n that is 1, and the whole difference
// is not negative. Collective; the context has been entered.
// Cost: reads and writes every limb once; once more where something comes in, and twice where the
//       top limb is all ones, or of a difference 0. Waits for the device once, or twice
// Errors: EDEVICE, EPEER.
bigint_status block_add(member *m, const char *who, const block_adder *s, uint64_t *rp, uint64_t n,
                        limbs_device_number a, limbs_device_number b, bool subtract);

// block_add_spots: {rp, n}, limbs first .. first + n - 1 of a number, plus its addends there
// (carry/spots.h) and what the blocks below carry. workspace: carry_spots_bytes. The rest as
// block_add, but only limbs around addends are read.
bigint_status block_add_spots(member *m, const char *who, const block_adder *s, uint64_t *rp,
                              uint64_t n, uint64_t first, const carry_spots *spots, void *workspace,
                              size_t bytes);

#endif  // BIGINT_GROUP_DEVICE_BLOCK_ADD_H_
