// link_mpi.c: see link_mpi.h.
#include "longmul/mpi/link_mpi.h"

#include <stdio.h>
#include <stdlib.h>

#include "bigint/group/exchange/exchange.h"
#include "bigint/mpi/exchange_mpi.h"

typedef struct {
    cuda_link link;  // first: a link is its rank's state
    exchange *exchange;
} rank_link;

static const struct {
    result of;
    bigint_status status;
} names[] = {
    {RESULT_OK, BIGINT_OK},
    {RESULT_REFUSED, BIGINT_EINVAL},
    {RESULT_NO_DEVICE, BIGINT_ENOBACKEND},
    {RESULT_NO_MEMORY, BIGINT_ENOMEM},
    {RESULT_DEVICE_ERROR, BIGINT_EDEVICE},
};
enum { NAMES = sizeof names / sizeof *names };

static bigint_status status_of(result r) {
    unsigned i = 0;
    while (i + 1 < NAMES && names[i].of != r) {
        i++;
    }
    return names[i].status;
}

// answer: of a call on the exchange; keeps the reason of a failure. A lost link is a device's
// error.
static result answer(rank_link *own, bigint_status status) {
    const exchange_failure *const failure = &own->exchange->failure;
    unsigned i = 0;
    while (i + 1 < NAMES && names[i].status != status) {
        i++;
    }
    own->link.lost = own->exchange->lost;
    if (status == BIGINT_OK) {
        own->link.why[0] = '\0';
    } else {
        snprintf(own->link.why, sizeof own->link.why, "rank %u: %s", failure->member,
                 failure->cause);
    }
    return names[i].of;
}

static result agree(cuda_link *link, result of, uint64_t key, const char *why) {
    rank_link *const own = (rank_link *)link;
    return answer(own, exchange_agree(own->exchange, status_of(of), why, key));
}

static result swap(cuda_link *link, void *host, const cuda_range *send, const cuda_range *receive) {
    rank_link *const own = (rank_link *)link;
    exchange_block out[CUDA_GROUP_MOST], in[CUDA_GROUP_MOST];
    for (unsigned p = 0; p < link->processes; p++) {
        out[p] = exchange_bytes((char *)host + send[p].begin, send[p].end - send[p].begin);
        in[p] = exchange_bytes((char *)host + receive[p].begin, receive[p].end - receive[p].begin);
    }
    return answer(own, exchange_all_to_all(own->exchange, out, in));
}

// A lost endpoint stays: MPI may still have messages for it.
static void close_link(cuda_link *link) {
    rank_link *const own = (rank_link *)link;
    exchange_mpi_close(own->exchange);
    if (!own->exchange->lost) {
        free(own->exchange);
    }
    free(own);
}

// number_members sets link->first from what every rank has.
static result number_members(rank_link *own, unsigned members) {
    cuda_link *const link = &own->link;
    uint64_t all[CUDA_GROUP_MOST], count = members;
    result done = answer(own, exchange_all_gather(own->exchange, all, &count, sizeof count));
    for (unsigned p = 0; p < link->processes && done == RESULT_OK; p++) {
        const bool fits = all[p] > 0 && all[p] <= CUDA_GROUP_MOST - link->first[p];
        done = fits ? RESULT_OK : RESULT_REFUSED;
        link->first[p + 1] = link->first[p] + (unsigned)all[p];
    }
    return done;
}

cuda_link *link_mpi_open(MPI_Comm comm, unsigned members, double timeout_s, result *done) {
    int ranks = 0, rank = 0;
    if (!exchange_mpi_running()) {
        *done = RESULT_REFUSED;
        return NULL;
    }
    *done = RESULT_DEVICE_ERROR;
    if (MPI_Comm_size(comm, &ranks) != MPI_SUCCESS || MPI_Comm_rank(comm, &rank) != MPI_SUCCESS) {
        return NULL;
    }
    if (ranks > (int)CUDA_GROUP_MOST) {
        *done = RESULT_REFUSED;
        return NULL;
    }
    rank_link *const own = calloc(1, sizeof *own);
    void *const memory = aligned_alloc(64, (exchange_mpi_bytes((unsigned)ranks) + 63) / 64 * 64);
    exchange_mpi_refusal refusal;
    exchange *const x =
        exchange_mpi_open(own == NULL ? NULL : memory, BIGINT_ENOMEM, comm, timeout_s, &refusal);
    if (x == NULL) {
        free(own);
        if (refusal.rank >= 0) {  // else the memory is MPI's
            free(memory);
            *done = RESULT_NO_MEMORY;
        }
        return NULL;
    }
    own->exchange = x;
    own->link = (cuda_link){.processes = (unsigned)ranks,
                            .process = (unsigned)rank,
                            .agree = agree,
                            .swap = swap,
                            .close = close_link};
    *done = number_members(own, members);
    if (*done != RESULT_OK) {
        close_link(&own->link);
        return NULL;
    }
    return &own->link;
}
