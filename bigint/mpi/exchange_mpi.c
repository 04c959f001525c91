// exchange_mpi.c: see exchange_mpi.h. Messages go from each member to each, so that whoever waits
// in vain can say for whom. Nothing here blocks: all requests are polled, together with the alarm,
// a communicator on which members that give up tell why.
#define _DEFAULT_SOURCE  // clock_gettime, usleep
#include "bigint/mpi/exchange_mpi.h"

#include <assert.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MESSAGE = 1 << 30,  // bytes of a message at most: MPI counts in int
    IDLE_US = 100,      // between two looks, after a time without anything to do
};
static const double busy_s = 2e-3;

typedef struct {
    exchange endpoint;  // first: an endpoint is its rank's state
    MPI_Comm data, alarm;
    exchange_block *send, *receive;  // of all_gather
    MPI_Request *requests;           // from member i at [i], to member i at [members + i]
} rank_state;

static rank_state *state_of(exchange *x) { return (rank_state *)x; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// --- Messages ---
// A block is sent as messages of whole rows, or of parts of rows that are too long. Both ends know
// rows and row_bytes, so they cut it alike.

// part_of: message k of a block; false if there are fewer.
static bool part_of(const exchange_block *b, uint64_t k, exchange_block *part) {
    if (exchange_block_bytes(b) == 0) {
        return false;
    }
    *part = *b;
    if (b->row_bytes > MESSAGE) {
        const uint64_t in_row = (b->row_bytes + MESSAGE - 1) / MESSAGE, at = k % in_row * MESSAGE;
        part->p = (char *)b->p + k / in_row * b->stride + at;
        part->rows = 1;
        part->row_bytes = b->row_bytes - at < MESSAGE ? b->row_bytes - at : MESSAGE;
        return k < in_row * b->rows;
    }
    const uint64_t rows = MESSAGE / b->row_bytes, first = k * rows;
    part->p = (char *)b->p + first * b->stride;
    part->rows = first >= b->rows ? 0 : b->rows - first < rows ? b->rows - first : rows;
    return first < b->rows;
}

// post starts one message, received from or sent to a member; returns MPI's error.
static int post(rank_state *s, const exchange_block *part, unsigned member, bool sends,
                MPI_Request *request) {
    MPI_Datatype type = MPI_BYTE;
    int count = (int)(part->rows * part->row_bytes), error = MPI_SUCCESS;
    const bool rows = part->rows > 1 && part->stride != part->row_bytes;
    if (rows) {
        count = 1;
        error = MPI_Type_create_hvector((int)part->rows, (int)part->row_bytes,
                                        (MPI_Aint)part->stride, MPI_BYTE, &type);
        error = error == MPI_SUCCESS ? MPI_Type_commit(&type) : error;
    }
    if (error == MPI_SUCCESS) {
        error = sends ? MPI_Isend(part->p, count, type, (int)member, 0, s->data, request)
                      : MPI_Irecv(part->p, count, type, (int)member, 0, s->data, request);
    }
    if (rows && type != MPI_DATATYPE_NULL) {
        MPI_Type_free(&type);  // MPI keeps it for the message
    }
    return error;
}

// --- Waiting ---

// lost_to: the endpoint is lost because of a member that other members may not know of yet.
static bigint_status lost_to(exchange *x, unsigned member, const char *what) {
    exchange_lost(x, member, BIGINT_EPEER, "%s", what);
    x->ops->give_up(x);
    return BIGINT_EPEER;
}

// late: some request has not ended for timeout_s. Receiving ones come first.
static bigint_status late(exchange *x) {
    rank_state *const s = state_of(x);
    unsigned i = 0;
    for (int done = 1; i < 2 * x->members; i++) {
        if (MPI_Test(&s->requests[i], &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || !done) {
            break;
        }
    }
    if (i == 2 * x->members) {
        return BIGINT_OK;  // the last one ended just now
    }
    exchange_lost(x, i % x->members, BIGINT_EPEER, "it did not come to an exchange within %g s",
                  x->timeout_s);
    x->ops->give_up(x);
    return BIGINT_EPEER;
}

// alarmed: whether a member gave up; its failure is then this endpoint's.
static bool alarmed(exchange *x) {
    rank_state *const s = state_of(x);
    int there = 0;
    MPI_Status from;
    exchange_failure failure;
    if (MPI_Iprobe(MPI_ANY_SOURCE, 0, s->alarm, &there, &from) != MPI_SUCCESS || !there ||
        MPI_Recv(&failure, sizeof failure, MPI_BYTE, from.MPI_SOURCE, 0, s->alarm,
                 MPI_STATUS_IGNORE) != MPI_SUCCESS) {
        return false;
    }
    exchange_lost(x, failure.member, failure.status, "%s", failure.cause);
    return true;
}

// wait_all polls until all requests have ended.
static bigint_status wait_all(exchange *x) {
    rank_state *const s = state_of(x);
    const double begin = now();
    for (;;) {
        int done = 0;
        if (MPI_Testall((int)(2 * x->members), s->requests, &done, MPI_STATUSES_IGNORE) !=
            MPI_SUCCESS) {
            return lost_to(x, x->member, "MPI failed in an exchange");
        }
        if (done) {
            return BIGINT_OK;
        }
        if (alarmed(x)) {
            return BIGINT_EPEER;
        }
        const double waited = now() - begin;
        if (x->timeout_s > 0 && waited > x->timeout_s) {
            return late(x);
        }
        if (waited < busy_s) {
            sched_yield();
        } else {
            usleep(IDLE_US);
        }
    }
}

// drop takes back what was posted in a call that failed.
static void drop(exchange *x) {
    rank_state *const s = state_of(x);
    for (unsigned i = 0; i < 2 * x->members; i++) {
        if (s->requests[i] != MPI_REQUEST_NULL) {
            if (i < x->members) {
                MPI_Cancel(&s->requests[i]);
            }
            MPI_Request_free(&s->requests[i]);
        }
    }
}

// --- Calls ---

static bigint_status mpi_all_to_all(exchange *x, const exchange_block *send,
                                    const exchange_block *receive) {
    rank_state *const s = state_of(x);
    bool more = true;
    for (uint64_t k = 0; more; k++) {
        more = false;
        int error = MPI_SUCCESS;
        for (unsigned j = 1; j < x->members && error == MPI_SUCCESS; j++) {
            // Every member begins with another one.
            const unsigned to = (x->member + j) % x->members;
            const unsigned from = (x->member + x->members - j) % x->members;
            exchange_block part;
            if (part_of(&receive[from], k, &part)) {
                error = post(s, &part, from, false, &s->requests[from]);
                more = true;
            }
            if (error == MPI_SUCCESS && part_of(&send[to], k, &part)) {
                error = post(s, &part, to, true, &s->requests[x->members + to]);
                more = true;
            }
        }
        if (k == 0) {
            exchange_copy(&receive[x->member], &send[x->member]);
        }
        bigint_status status = BIGINT_OK;
        if (error != MPI_SUCCESS) {
            status = lost_to(x, x->member, "MPI did not take a message");
        } else if (more) {
            status = wait_all(x);
        }
        if (status != BIGINT_OK) {
            drop(x);
            return status;
        }
    }
    return BIGINT_OK;
}

static bigint_status mpi_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    rank_state *const s = state_of(x);
    for (unsigned i = 0; i < x->members; i++) {
        s->send[i] = exchange_bytes(own, bytes);
        s->receive[i] = exchange_bytes((char *)all + i * bytes, bytes);
    }
    return mpi_all_to_all(x, s->send, s->receive);
}

// The messages are short and leave at once; nobody needs to wait for them.
static void mpi_give_up(exchange *x) {
    rank_state *const s = state_of(x);
    for (unsigned i = 0; i < x->members; i++) {
        MPI_Request request;
        if (i != x->member && MPI_Isend(&x->failure, sizeof x->failure, MPI_BYTE, (int)i, 0,
                                        s->alarm, &request) == MPI_SUCCESS) {
            MPI_Request_free(&request);
        }
    }
}

static const exchange_ops mpi_ops = {"mpi", mpi_all_to_all, mpi_all_gather, mpi_give_up};

// --- Lifetime ---

static size_t round_up(size_t bytes) { return (bytes + 63) / 64 * 64; }

size_t exchange_mpi_bytes(unsigned members) {
    return round_up(sizeof(rank_state)) + 2 * round_up(members * sizeof(exchange_block)) +
           round_up(2 * members * sizeof(MPI_Request));
}

// open_comms: two duplicates whose errors are returned, polled because a rank may not come.
static bool open_comms(rank_state *s, MPI_Comm comm) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    const double begin = now(), timeout_s = s->endpoint.timeout_s;
    int done = 0;
    if (MPI_Comm_idup(comm, &s->data, &requests[0]) != MPI_SUCCESS ||
        MPI_Comm_idup(comm, &s->alarm, &requests[1]) != MPI_SUCCESS) {
        return false;
    }
    while (!done) {
        if (MPI_Testall(2, requests, &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS ||
            (!done && timeout_s > 0 && now() - begin > timeout_s)) {
            return false;
        }
        sched_yield();
    }
    return MPI_Comm_set_errhandler(s->data, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
           MPI_Comm_set_errhandler(s->alarm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

exchange *exchange_mpi_open(void *memory, MPI_Comm comm, double timeout_s) {
    int members = 0, member = 0;
    if (MPI_Comm_size(comm, &members) != MPI_SUCCESS ||
        MPI_Comm_rank(comm, &member) != MPI_SUCCESS || members > EXCHANGE_MEMBERS_MAX) {
        return NULL;
    }
    unsigned char *at = memory;
    rank_state *const s = memory;
    const size_t blocks = round_up((size_t)members * sizeof(exchange_block));
    s->endpoint = (exchange){.ops = &mpi_ops,
                             .members = (unsigned)members,
                             .member = (unsigned)member,
                             .timeout_s = timeout_s};
    at += round_up(sizeof *s);
    s->send = (exchange_block *)at;
    s->receive = (exchange_block *)(at + blocks);
    s->requests = (MPI_Request *)(at + 2 * blocks);
    for (int i = 0; i < 2 * members; i++) {
        s->requests[i] = MPI_REQUEST_NULL;
    }
    return open_comms(s, comm) ? &s->endpoint : NULL;
}

void exchange_mpi_close(exchange *x) {
    if (x != NULL && !x->lost) {
        MPI_Comm_free(&state_of(x)->data);
        MPI_Comm_free(&state_of(x)->alarm);
    }
}
