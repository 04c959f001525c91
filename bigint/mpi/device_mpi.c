// device_mpi.c: bigint_device_open_mpi. Of libbigint this uses exported functions alone, because it
// is linked into a library of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/bigint_mpi.h"
#include "bigint/group/open_members.h"
#include "bigint/mpi/exchange_mpi.h"

// --- Contexts ---

// tell: why there is no endpoint. The rank that came without memory has its own text.
static void tell(bigint_ctx *ctx, const group_device *device, bigint_status so_far, size_t bytes,
                 const exchange_mpi_refusal *refusal) {
    if (refusal->rank < 0) {
        snprintf(ctx->error, sizeof ctx->error,
                 "bigint_ctx_create: no exchange between %u ranks: MPI failed, or a rank did not "
                 "come within timeout_s",
                 device->members);
    } else if (refusal->rank != (int)device->first) {
        snprintf(ctx->error, sizeof ctx->error, "bigint_ctx_create: member %d of the group: %s",
                 refusal->rank, bigint_status_text(refusal->status));
    } else if (so_far == BIGINT_OK) {
        snprintf(ctx->error, sizeof ctx->error,
                 "bigint_ctx_create: member %d of the group: no memory (%zu bytes) for messages",
                 refusal->rank, bytes);
    }
}

// All ranks come, also those that have failed so far.
static bigint_status open_rank(bigint_ctx *ctx, const group_device *device, bigint_status so_far,
                               double timeout_s, exchange **endpoints, void **state) {
    const size_t bytes = (exchange_mpi_bytes(device->members) + 63) / 64 * 64;
    void *const memory = so_far == BIGINT_OK ? aligned_alloc(64, bytes) : NULL;
    const MPI_Comm *const comm = device->user;
    exchange_mpi_refusal refusal;
    exchange *const x = exchange_mpi_open(memory, so_far == BIGINT_OK ? BIGINT_ENOMEM : so_far,
                                          *comm, timeout_s, &refusal);
    if (x != NULL) {
        *endpoints = x;
        *state = x;
        return BIGINT_OK;
    }
    if (refusal.rank >= 0) {
        free(memory);  // else it is MPI's
    }
    if (ctx != NULL) {
        tell(ctx, device, so_far, bytes, &refusal);
    }
    return refusal.rank >= 0 ? refusal.status : BIGINT_EPEER;
}

// A lost endpoint stays: MPI may still have messages for it.
static void close_rank(bigint_ctx *ctx, const group *g) {
    exchange *const x = g->state;
    (void)ctx;
    exchange_mpi_close(x);
    if (!x->lost) {
        free(x);
    }
}

static void device_closed(group_device *device) {
    int ended = 0;
    MPI_Finalized(&ended);
    if (!ended) {
        MPI_Comm_free(device->user);
    }
    free(device->user);
}

static const group_transport transport_mpi = {open_rank, close_rank, device_closed};

// --- Devices ---

// refuse: a device that only carries a text.
static bigint_status refuse(bigint_device **out, bigint_status status, const char *text) {
    const group_device none = {.transport = &transport_mpi};
    if (bigint_device_open_members(out, &none, NULL, NULL, NULL) == BIGINT_OK || *out == NULL) {
        return BIGINT_ENOMEM;
    }
    (*out)->failed = status;
    snprintf((*out)->error, sizeof(*out)->error, "%s", text);
    return status;
}

// agree: the status of the first rank that failed, with its text, for all ranks.
static bigint_status agree(MPI_Comm comm, bigint_status status, char *text, int room) {
    int rank = 0, members = 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &members);
    int first = status == BIGINT_OK ? members : rank, code = (int)status;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, comm);
    if (first < members) {
        MPI_Bcast(&code, 1, MPI_INT, first, comm);
        MPI_Bcast(text, room, MPI_CHAR, first, comm);
    }
    return first < members ? (bigint_status)code : BIGINT_OK;
}

// open_place opens this rank's member. The device owns comm if it has a group.
static bigint_status open_place(bigint_device **out, MPI_Comm comm, int place, const char *name) {
    int rank = 0, members = 0;
    MPI_Comm *const own = malloc(sizeof *own);
    if (own == NULL) {
        return BIGINT_ENOMEM;
    }
    *own = comm;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &members);
    const group_device like = {.members = (unsigned)members,
                               .first = (unsigned)rank,
                               .local = 1,
                               .transport = &transport_mpi,
                               .user = own};
    const bigint_status status = bigint_device_open_members(out, &like, &place, NULL, name);
    if (*out == NULL || (*out)->group == NULL) {
        free(own);
    }
    return status;
}

static bool known(const char *transport) {
    return transport == NULL || strcmp(transport, "mpi") == 0 || strcmp(transport, "nccl") == 0 ||
           strcmp(transport, "nvshmem") == 0;
}

bigint_status bigint_device_open_mpi(bigint_device **out, MPI_Comm comm, int place,
                                     const char *transport) {
    *out = NULL;
    if (!exchange_mpi_running()) {
        return refuse(out, BIGINT_ENOBACKEND, "MPI is not running: call MPI_Init_thread first");
    }
    MPI_Comm own;
    if (MPI_Comm_dup(comm, &own) != MPI_SUCCESS) {
        return refuse(out, BIGINT_ENOMEM, "no memory for a communicator");
    }
    const bool by_mpi = transport != NULL && strcmp(transport, "mpi") == 0;
    bigint_status status = known(transport)
                               ? open_place(out, own, place, by_mpi ? "staged" : transport)
                               : refuse(out, BIGINT_ENOBACKEND,
                                        "the transports between processes are mpi, nccl and "
                                        "nvshmem");
    const bool owned = *out != NULL && (*out)->group != NULL;
    char text[256] = "no memory for a device";
    if (*out != NULL) {
        snprintf(text, sizeof text, "%s", bigint_device_error(*out));
    }
    status = agree(own, status, text, sizeof text);
    if (status != BIGINT_OK) {
        bigint_device_close(*out);
        if (!owned) {
            MPI_Comm_free(&own);
        }
        return refuse(out, status, text);
    }
    return BIGINT_OK;
}
