// block_add.h: sums and differences of numbers in blocks on devices: a member's block, and carries
// between blocks. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_BLOCK_ADD_H_
#define BIGINT_GROUP_DEVICE_BLOCK_ADD_H_

#include "bigint/group/exchange/member.h"
#include "primitives/limbs/device.h"

// block_adder: device memory for blocks of up to n limbs: words, a zero, a sign that is not wanted
// and a one; workspace of the kernel. Both are zero at first, the one aside, which block_adder_open
// enqueues. sum, next: n + 1 limbs each.
typedef struct {
    uint64_t *words;
    unsigned char *adding;
    uint64_t *sum, *next;
} block_adder;
enum { BLOCK_ADDER_WORDS = 4 };
uint64_t block_adder_bytes(uint64_t n);  // of adding
result block_adder_open(const block_adder *s, cuda_stream stream);

// block_add: {rp, n} = the block of a sum or a difference whose magnitudes in this block are a and
// b, and what the blocks below carry or borrow. n may be 0. To subtract, a has a limb n that is 1,
// and the whole difference is not negative. Collective; the context has been entered.
// Cost: 48 bytes a limb; waits for the device once. Errors: EDEVICE, EPEER.
bigint_status block_add(member *m, const char *who, const block_adder *s, uint64_t *rp, uint64_t n,
                        limbs_device_number a, limbs_device_number b, bool subtract);

#endif  // BIGINT_GROUP_DEVICE_BLOCK_ADD_H_
