// work.h: what the ways of a product on one member have in common: memory, exchanges, operands, and
// the carry between blocks. Internal to bigint/group/device.
#ifndef BIGINT_GROUP_DEVICE_WORK_H_
#define BIGINT_GROUP_DEVICE_WORK_H_

#include "bigint/group/device/block_add.h"
#include "bigint/group/device/product.h"
#include "fft/device/modular/convolution.h"

enum { LIMB_BYTES = sizeof(uint64_t) };

// member_work: a product on one member.
typedef struct {
    member *m;
    const device_member_job *job;
    const device_member_plan *plan;
    device_exchange *exchange;
    cuda_stream stream;
    const fft_modular_tables *tables;
    exchange_block *send, *receive;  // member_work_sets for each member, as device_exchange_begin
    block_adder adder;               // of the own block of the product
} member_work;

// member_work_sets: the most sets of blocks in one exchange: four of all strips that a member may
// have.
static inline unsigned member_work_sets(const device_member_plan *plan) {
    return 4 *
           (plan->way == DEVICE_MEMBER_ALONE ? 1 : (unsigned)device_member_strips(plan, 0).count);
}

extern const char *const member_work_who;  // "bigint_mul"

static inline unsigned member_work_self(const member_work *w) { return w->m->exchange->member; }
static inline uint64_t member_work_limbs(const device_member_plan *plan) {
    return plan->an + plan->bn;
}
// member_work_block: the own block of the product; member_work_operand: the limbs of an operand
// that a member has.
static inline block_range member_work_block(const member_work *w) {
    return block_bounds(member_work_limbs(w->plan), w->plan->members, member_work_self(w));
}
block_range member_work_operand(const member_work *w, const device_member_operand *a, unsigned m);

// member_work_lay points into memory at *used and adds the bytes; memory NULL: only that.
// member_work_lay_words lays what has to be zero at first. member_work_longest: limbs of the
// longest block of the product.
void *member_work_lay(unsigned char *memory, uint64_t *used, uint64_t bytes);
void member_work_lay_words(member_work *w, unsigned char *memory, uint64_t *used);
uint64_t member_work_longest(const device_member_plan *plan);

bigint_status member_work_status(const member_work *w, result done);
// member_work_tick: where the product is timed: waits for the device, and counts the time since the
// last tick to a phase.
bigint_status member_work_tick(const member_work *w, device_member_phase phase);
// member_work_begin and member_work_end: an exchange of w->send and w->receive, after a phase;
// member_work_exchange: both, after transforms. member_work_clear empties `sets` sets of blocks.
bigint_status member_work_begin(const member_work *w, unsigned sets, device_member_phase phase);
bigint_status member_work_end(const member_work *w);
bigint_status member_work_exchange(const member_work *w, unsigned sets);
void member_work_clear(const member_work *w, unsigned first, unsigned sets);

// member_work_gather makes the blocks of one set: `to` gets all limbs of an operand on member 0.
void member_work_gather(const member_work *w, unsigned set, const device_member_operand *a,
                        uint64_t *to);

#endif  // BIGINT_GROUP_DEVICE_WORK_H_
