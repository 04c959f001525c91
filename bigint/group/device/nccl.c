// nccl.c: see nccl.h.
#include "bigint/group/device/nccl.h"

#include <assert.h>

#include "bigint/group/device/library.h"

enum { NCCL_UINT8 = 1 };  // of ncclDataType_t

bool nccl_load(nccl *n, const char *file, char *why, size_t room) {
    nccl own = {.library = NULL};
    const library_function functions[] = {{"ncclGetUniqueId", &own.get_unique_id},
                                          {"ncclCommInitRank", &own.comm_init_rank},
                                          {"ncclCommDestroy", &own.comm_destroy},
                                          {"ncclCommAbort", &own.comm_abort},
                                          {"ncclGetErrorString", &own.get_error_string},
                                          {"ncclGroupStart", &own.group_start},
                                          {"ncclGroupEnd", &own.group_end},
                                          {"ncclSend", &own.send},
                                          {"ncclRecv", &own.recv}};
    own.library = library_load(file == NULL ? "libnccl.so.2" : file, false, "NCCL 2.7", functions,
                               sizeof functions / sizeof *functions, why, room);
    *n = own.library == NULL ? (nccl){0} : own;
    return own.library != NULL;
}

// --- Members -------------------------------------------------------------------------------------

// failed remembers the first failure.
static bool failed(nccl_member *m, int code) {
    m->code = m->code == 0 ? code : m->code;
    return code != 0;
}

// invitation: what member 0 tells the others.
typedef struct {
    nccl_id id;
    int code;
} invitation;

bigint_status nccl_join(nccl_member *m, const nccl *n, exchange *host) {
    invitation all[EXCHANGE_MEMBERS_MAX], own = {.code = 0};
    *m = (nccl_member){.n = n};
    if (host->member == 0) {
        own.code = n->get_unique_id(&own.id);
    }
    if (exchange_all_gather(host, all, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    return failed(m, all[0].code) || failed(m, n->comm_init_rank(&m->comm, (int)host->members,
                                                                 all[0].id, (int)host->member))
               ? BIGINT_EDEVICE
               : BIGINT_OK;
}

void nccl_leave(nccl_member *m, bool broken) {
    if (m->comm != NULL) {
        broken ? m->n->comm_abort(m->comm) : m->n->comm_destroy(m->comm);
    }
    *m = (nccl_member){0};
}

// row: row k of a block.
static char *row(const exchange_block *b, uint64_t k) { return (char *)b->p + k * b->stride; }

// post begins the messages of one block to a member and of one from it. Both ends have rows of the
// same number and length. Returns the first error.
static int post(const nccl_member *m, unsigned peer, const exchange_block *send,
                const exchange_block *receive, cuda_stream stream) {
    int code = 0;
    for (uint64_t k = 0; k < send->rows && send->row_bytes > 0 && code == 0; k++) {
        code = m->n->send(row(send, k), send->row_bytes, NCCL_UINT8, (int)peer, m->comm, stream);
    }
    for (uint64_t k = 0; k < receive->rows && receive->row_bytes > 0 && code == 0; k++) {
        code =
            m->n->recv(row(receive, k), receive->row_bytes, NCCL_UINT8, (int)peer, m->comm, stream);
    }
    return code;
}

result nccl_carry(nccl_member *m, const exchange *host, unsigned sets, const exchange_block *send,
                  const exchange_block *receive, cuda_stream stream) {
    assert(m->comm != NULL);
    if (failed(m, m->n->group_start())) {
        return RESULT_DEVICE_ERROR;
    }
    int code = 0;
    for (unsigned i = 0; i < sets * host->members && code == 0; i++) {
        const unsigned peer = i % host->members;
        code = peer == host->member ? 0 : post(m, peer, &send[i], &receive[i], stream);
    }
    failed(m, code);
    failed(m, m->n->group_end());  // what has begun ends, too
    return m->code == 0 ? RESULT_OK : RESULT_DEVICE_ERROR;
}
