// host_blocks.h: blocks of integers in host memory on their way to a device, and sums on their way
// back. Internal to bigint/.
//
// A second context on the same device, the carrier, has a stream of its own for blocks, and a third
// one, the fetcher, for sums: while one column of a product is computed, the blocks of the next one
// come and the block of the one before goes. Events keep blocks and sums from being read too early
// or overwritten too soon.
#ifndef BIGINT_API_HOST_BLOCKS_H_
#define BIGINT_API_HOST_BLOCKS_H_

#include "bigint/api/host_plan.h"
#include "bigint/core/context.h"
#include "bigint/core/device_queue.h"

// host_slot: a block on the device. ready: it has come; used: its last use is done.
typedef struct {
    const bigint *operand;  // NULL: empty
    uint64_t index, turn;   // turn: of its last use
    bigint x;
    cuda_event ready, used;
} host_slot;

// host_job: a product under way.
typedef struct {
    bigint_ctx *ctx, *carrier, *fetcher;
    const char *who;
    const bigint *a, *b;  // a the longer one
    host_plan plan;
    uint64_t *rp, rn;
    host_slot slots[HOST_SLOTS_MOST];
    uint64_t turn;               // of uses
    uint64_t in_use;             // blocks with later turns stay
    bigint sum[HOST_SUMS_MOST];  // of column c: number c modulo plan.sums
    cuda_event summed[HOST_SUMS_MOST];
    bigint product;
} host_job;

// host_blocks_open makes the other contexts, which the first one keeps for the next product, and
// events; host_blocks_close frees everything but rp and these contexts, once all streams have come
// to their ends, and returns the status of a device that failed. Call both with the device current,
// and close also where open failed.
bigint_status host_blocks_open(host_job *s);
bigint_status host_blocks_close(host_job *s);
// host_block: *out = the slot with that block, for the next work of the context. It fills the slot
// whose block was not used for the longest time and is not in use, if there is none; there is one.
bigint_status host_block(host_job *s, host_slot **out, const bigint *operand, uint64_t index);
// host_block_used: the context's work so far is the last that uses the block, for the time being.
bigint_status host_block_used(const host_job *s, const host_slot *x);
// host_sum_ended: the context's work so far makes the sum of column c.
bigint_status host_sum_ended(const host_job *s, uint64_t c);
// host_fetch: column c's part of the product from its sum, whose end is announced. Waits. One
// thread may call it while another calls the others: errors are texts of s->fetcher.
bigint_status host_fetch(const host_job *s, uint64_t c);
// host_told: the status of a call of one of the other contexts, with its text.
bigint_status host_told(const host_job *s, const bigint_ctx *other, bigint_status status);

#endif  // BIGINT_API_HOST_BLOCKS_H_
