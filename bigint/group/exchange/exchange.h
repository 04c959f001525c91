// exchange.h: how the members of a group meet. Internal to bigint/.
//
// A call on a group is a member program: code that every member runs once, on its own blocks of the
// operands. Members meet only in the calls below, each through an endpoint of its own. Members may
// be threads of one process (local.h) or ranks of MPI; a transport is a table
// exchange_ops.
//
// The calls are collective: all members make the same calls in the same order, with lengths that
// agree. A call returns when the member's blocks may be used again; it says nothing about other
// members. Where blocks lie in device memory, that holds in the order of the member's stream.
//
// Failure. A member that dies, hangs for timeout_s or gives up ends the calls of all others with
// BIGINT_EPEER; `failure` then names that member and the cause. The endpoint is lost: each further
// call returns EPEER at once. What was received before a failure is undefined.
#ifndef BIGINT_GROUP_EXCHANGE_EXCHANGE_H_
#define BIGINT_GROUP_EXCHANGE_EXCHANGE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bigint/bigint.h"

// exchange_block: `rows` rows of row_bytes bytes in the member's memory, `stride` bytes apart. A
// block may be empty (rows or row_bytes 0). The stride is not read for one row.
typedef struct {
    void *p;
    uint64_t rows, row_bytes, stride;
} exchange_block;

typedef struct exchange exchange;

// exchange_ops: a transport. exchange.c counts, and calls none of these on a lost endpoint. They
// report errors by exchange_lost.
typedef struct {
    const char *name;  // "local", "mpi"
    bigint_status (*all_to_all)(exchange *x, const exchange_block *send,
                                const exchange_block *receive, bool lasting);
    bigint_status (*all_gather)(exchange *x, void *all, const void *own, size_t bytes);
    // Tells the others what `failure` says.
    void (*give_up)(exchange *x);
} exchange_ops;

enum { EXCHANGE_MEMBERS_MAX = 1024, EXCHANGE_CAUSE = 240 };

// exchange_failure: why a call failed.
typedef struct {
    unsigned member;
    bigint_status status;  // that member's
    char cause[EXCHANGE_CAUSE];
} exchange_failure;

// exchange: one member's endpoint. Transports put their own state behind it.
struct exchange {
    const exchange_ops *ops;
    unsigned members, member;  // member < members <= EXCHANGE_MEMBERS_MAX
    double timeout_s;          // how long to wait for others without progress; 0: for ever
    bool lost;                 // no call succeeds any more
    exchange_failure failure;  // of the last call that failed
    // Bytes sent to other members, all calls, and seconds in them.
    uint64_t sent_bytes, calls;
    double seconds;
};

// exchange_all_to_all sends block send[j] to member j and puts the block that member i sent into
// receive[i]; i and j run over all members, the own one included.
// Requires: send[j] here and receive[i] there have the same rows and row_bytes; no received block
//           overlaps another block
bigint_status exchange_all_to_all(exchange *x, const exchange_block *send,
                                  const exchange_block *receive);

// exchange_all_to_all_lasting: the same, of blocks in memory that nobody frees or uses again if the
// endpoint is lost, so a transport may leave unfinished messages to it. Other blocks are the
// caller's again after a call that failed, too.
bigint_status exchange_all_to_all_lasting(exchange *x, const exchange_block *send,
                                          const exchange_block *receive);

// exchange_all_gather: {all + i bytes, bytes} = {own, bytes} of member i. Always host memory.
// Requires: the same `bytes` everywhere; own does not overlap all
bigint_status exchange_all_gather(exchange *x, void *all, const void *own, size_t bytes);

// exchange_agree ends planning and allocation, before anything is written. It returns the same
// status to all members: OK if all of them came with OK and the same key, else the status of the
// first member that failed, whose text is then the cause in `failure`. text may be NULL. Members
// that come with different keys do not run the same call or plan: EINVAL. The endpoint stays good
// unless the status is EPEER.
bigint_status exchange_agree(exchange *x, bigint_status status, const char *text, uint64_t key);
// exchange_key: a hash of what members have to agree on. Another value of one part is another key.
uint64_t exchange_key(const uint64_t *parts, size_t count);

// exchange_give_up: this member cannot go on after the agreement; the calls of the others end with
// EPEER. The endpoint is lost.
void exchange_give_up(exchange *x, bigint_status status, const char *cause);

// exchange_lost, for transports: the endpoint is lost because of `member`, whose status and cause
// are known or guessed; returns EPEER. printf format.
bigint_status exchange_lost(exchange *x, unsigned member, bigint_status status, const char *format,
                            ...) __attribute__((format(printf, 4, 5)));

// --- Blocks --------------------------------------------------------------------------------------
static inline uint64_t exchange_block_bytes(const exchange_block *b) {
    return b->rows * b->row_bytes;
}
// exchange_bytes: a block of `bytes` bytes in one row.
static inline exchange_block exchange_bytes(const void *p, uint64_t bytes) {
    return (exchange_block){(void *)(uintptr_t)p, bytes > 0, bytes, bytes};
}

// exchange_copy: one block to another of the same rows and row_bytes, in host memory.
void exchange_copy(const exchange_block *to, const exchange_block *from);

#endif  // BIGINT_GROUP_EXCHANGE_EXCHANGE_H_
