// nccl.h: NCCL as the carrier of exchanges between devices, in place of peer copies. Internal to
// bigint/. NCCL is no part of the build: the library is loaded when a group asks for it, and its
// functions are declared here as its documentation has them (2.7 and later).
#ifndef BIGINT_GROUP_DEVICE_NCCL_H_
#define BIGINT_GROUP_DEVICE_NCCL_H_

#include <stdbool.h>
#include <stddef.h>

#include "bigint/group/exchange/exchange.h"
#include "primitives/cuda/runtime.h"

typedef struct ncclComm *nccl_comm;
typedef struct {
    char internal[128];
} nccl_id;  // ncclUniqueId

// nccl: the library's functions; each int is an ncclResult_t, 0 for success. Zeros: not loaded.
typedef struct {
    void *library;
    int (*get_unique_id)(nccl_id *id);
    int (*comm_init_rank)(nccl_comm *comm, int ranks, nccl_id id, int rank);
    int (*comm_destroy)(nccl_comm comm);
    int (*comm_abort)(nccl_comm comm);
    const char *(*get_error_string)(int code);
    int (*group_start)(void);
    int (*group_end)(void);
    int (*send)(const void *from, size_t count, int type, int peer, nccl_comm comm,
                cuda_stream stream);
    int (*recv)(void *to, size_t count, int type, int peer, nccl_comm comm, cuda_stream stream);
} nccl;

// nccl_load loads the library: `file`, or libnccl.so.2 if that is NULL. False if it cannot be
// loaded or lacks a function; `why` says so. It stays loaded, because NCCL's threads do.
bool nccl_load(nccl *n, const char *file, char *why, size_t room);

// nccl_member: a member's place among its peers.
typedef struct {
    const nccl *n;  // NULL: none
    nccl_comm comm;
    int code;  // of the first call that failed; 0
} nccl_member;

// nccl_join makes the members of `host` one communicator, on their threads' present devices, which
// differ. Collective. On failure the members have not agreed on that, and each has to leave.
// Errors: EPEER; EDEVICE: m->code
bigint_status nccl_join(nccl_member *m, const nccl *n, exchange *host);

// nccl_leave: after all work on the communicator; broken: it may have been begun by some members
// only. A member of zeros is allowed.
void nccl_leave(nccl_member *m, bool broken);

// nccl_carry enqueues `sets` exchanges as device_exchange_begin, a message for each row; own
// blocks are left to the caller. Every member calls it for the same exchange. RESULT_DEVICE_ERROR:
// m->code.
result nccl_carry(nccl_member *m, const exchange *host, unsigned sets, const exchange_block *send,
                  const exchange_block *receive, cuda_stream stream);

#endif  // BIGINT_GROUP_DEVICE_NCCL_H_
