// bigint_group.h: groups: several places that hold every integer together, in blocks, and compute
// together. Include bigint.h: it has the rules and includes this header.
//
// A context on a group works as one on a single place does: bigint_mul, bigint_add, bigint_cmp,
// bigint_mul_batch and so on. Its integers live on BIGINT_GROUP. The members of a group are places
// of this process (bigint_device_open_group) or processes of an MPI job (bigint_mpi.h). There every
// process makes the same calls with the same arguments, in the same order, and numbers in host
// memory are the same everywhere: bigint_set_limbs reads them in every process, bigint_get_limbs
// gives them to every process. docs/groups.md has programs.
//
// What works how:
//   in blocks    set, get, copies, moves to and from the host, comparisons, sums, differences,
//                shifts, products, squares, bigint_mul_sum and prepared operands, which are copies
//   dealt out    batches: each member takes items of about the same cost. Spans are in the memory
//                of the host. Under MPI each process has batches of its own
//   on one       all others gather their operands in every process; the host computes, and the
//                result goes to the members
// Products of short numbers cost more than on one place: every call waits for all members.
// Members on the host multiply numbers of up to 2^35.9 bits, members on GPUs what their memory
// holds (docs/groups.md); longer ones get ERANGE or ENOMEM.
//
// Options of a context on a group: max_workspace_bytes is the cap of each member and of the host's
// part. The host members of a process share `threads`. In addition, a group with several members in
// one process starts a thread for each but one. The allocator is called from these threads at the
// same time. progress is called before each step of a call on all members, and not inside: there
// it, and bigint_ctx_stop, end a call. Under MPI they have no effect. stream must be NULL (EINVAL).
// timeout_s: how long a member waits for the others in one step.
//
// Failure: all members return the same status, and the text names the first member that failed. As
// on one place, outputs then keep their values, and the context goes on working, except after
// BIGINT_EPEER: a member hung or failed in the middle of a call; every later call on the context
// returns EPEER, too. In a forked child calls on groups return EPEER.
#ifndef BIGINT_BIGINT_GROUP_H_
#define BIGINT_BIGINT_GROUP_H_

#include "bigint/bigint.h"

#ifdef __cplusplus
extern "C" {
#endif

// bigint_device_open_group opens a group of `count` places for contexts. Member i works on
// places[i]; places may repeat, and BIGINT_HOST is allowed. backend: as for bigint_device_open, for
// every member. Between members that are devices of their own BIGINT_EXCHANGE=nccl in the
// environment has NCCL carry blocks (docs/groups.md).
// Errors: as bigint_device_open; the text names the member. ENOBACKEND, too, if NCCL is asked for
// and cannot be loaded, or two members are on one device. EINVAL: no members or more than 1024,
// or BIGINT_GROUP among them. *out is then a device that only carries the text.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_device_open_group(bigint_device **out,
                                                                    const int *places,
                                                                    unsigned count,
                                                                    const char *backend);

// bigint_group_members returns the number of members of the context's group; 0 on other places.
BIGINT_API unsigned bigint_group_members(const bigint_ctx *ctx);

// bigint_block: member holds the limbs *first .. *first + *count - 1 of every number whose
// announced length (bigint_limbs_bound) is n. All blocks have the same length, a multiple of 16
// limbs, but the last, which may be shorter, and empty ones behind it.
// Errors: EINVAL if the context is not on a group or has no such member; ERANGE.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_block(bigint_ctx *ctx, uint64_t n,
                                                        unsigned member, uint64_t *first,
                                                        uint64_t *count);

// bigint_set_block: r becomes a number of n_total limbs, negated if sign < 0, whose block of this
// member is p[0 .. count), as bigint_block says; p NULL leaves its limbs to be written through
// bigint_block_limbs. If r's announced length was n_total, the other blocks stay as they are;
// otherwise they become 0. Top limbs may be zero. Only for members of this process; no other
// process needs to call it. r is known in full when all blocks have been set.
// Errors: EINVAL (no group, no such member here), ERANGE.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_set_block(bigint_ctx *ctx, bigint *r,
                                                            unsigned member, const bigint_limb *p,
                                                            uint64_t n_total, int sign);

// bigint_get_block writes a member's block of |a| to p: *need limbs, zeros on top included. Only
// for members of this process. need may be NULL. Errors: EINVAL as bigint_set_block; ERANGE if cap
// is smaller than *need.
BIGINT_API BIGINT_MUST_CHECK bigint_status bigint_get_block(bigint_ctx *ctx, unsigned member,
                                                            bigint_limb *p, uint64_t cap,
                                                            uint64_t *need, const bigint *a);

// bigint_block_limbs returns the limbs of a member's block in that member's memory. NULL: x is not
// on a group, the block is empty, or the member is in another process. The pointer is valid until a
// call changes x. Write through it only what bigint_set_block with p NULL announced.
BIGINT_API bigint_limb *bigint_block_limbs(const bigint *x, unsigned member);

#ifdef __cplusplus
}
#endif

#endif  // BIGINT_BIGINT_GROUP_H_
