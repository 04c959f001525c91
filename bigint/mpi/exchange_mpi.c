// exchange_mpi.c: see exchange_mpi.h. Messages go from each member to each, so that whoever waits
// in vain can say for whom. Nothing here blocks: all requests are polled, together with the alarm,
// a communicator on which members that give up tell why.
//
// MPI cannot take back a message that has begun: if its sender hangs and goes on later, MPI still
// writes to where it was received, and reads where it was sent from. So messages leave from slots
// of the endpoint's own memory and come to slots, which stay if the endpoint is lost. Only blocks
// that the caller calls lasting travel without a copy.
#define _DEFAULT_SOURCE  // clock_gettime, usleep
#include "bigint/mpi/exchange_mpi.h"

#include <assert.h>
#include <limits.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    MESSAGE = 1 << 30,  // bytes of a message at most: MPI counts in int
    IDLE_US = 100,      // between two looks, after a time without anything to do
    SLOTS = 2,          // of a lane: one is copied while the other one travels
    // Bytes of a slot at most and at least, and of all slots about.
    SLOT_MOST = 1 << 20,
    SLOT_LEAST = 1 << 14,
    SLOTS_ALL = 32 << 20,
};
static const double busy_s = 2e-3;

// lane: the messages of a call from one member, or to one, in the order of their bytes.
typedef struct {
    exchange_block block;
    bool direct;  // they are parts of the block; else they go by slots
    uint64_t messages, begun, ended;
} lane;

// meeting: numbers that MPI reads and writes while ranks meet.
typedef struct {
    int own, first;
} meeting;

typedef struct {
    exchange endpoint;  // first: an endpoint is its rank's state
    meeting meeting;
    MPI_Comm data, alarm;
    exchange_block *send, *receive;  // of all_gather
    lane *lanes;                     // from member i at [i], to member i at [members + i]
    MPI_Request *requests;           // of message k of lane i at [SLOTS i + k % SLOTS]
    int *done;                       // numbers of requests
    unsigned char *slots;            // numbered as requests
    uint64_t slot_bytes;
} rank_state;

static rank_state *state_of(exchange *x) { return (rank_state *)x; }

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

// --- Messages ---

static unsigned lanes_of(const exchange *x) { return 2 * x->members; }

// move copies bytes of a block, from byte `first` of its rows on, to `packed` or from there.
static void move(const exchange_block *b, uint64_t first, uint64_t bytes, unsigned char *packed,
                 bool pack) {
    while (bytes > 0) {
        const uint64_t in_row = first % b->row_bytes, count = least(b->row_bytes - in_row, bytes);
        unsigned char *const p = (unsigned char *)b->p + first / b->row_bytes * b->stride + in_row;
        memcpy(pack ? packed : p, pack ? p : packed, count);
        packed += count;
        first += count;
        bytes -= count;
    }
}

// open_lane: the messages of a block. Both ends know its rows, so they cut it alike.
static void open_lane(const rank_state *s, unsigned i, const exchange_block *block, bool lasting) {
    const uint64_t bytes = exchange_block_bytes(block);
    const bool direct = lasting && block->rows <= 1;
    const uint64_t each = direct ? MESSAGE : s->slot_bytes;
    s->lanes[i] = (lane){.block = *block, .direct = direct, .messages = (bytes + each - 1) / each};
}

// message: where message k of a lane is in its block, and what MPI sees of it.
typedef struct {
    uint64_t first, bytes;
    unsigned char *at;
    MPI_Request *request;
} message;

static message message_of(const rank_state *s, unsigned i, uint64_t k) {
    const lane *const l = &s->lanes[i];
    const uint64_t each = l->direct ? MESSAGE : s->slot_bytes, slot = SLOTS * i + k % SLOTS;
    return (message){
        .first = k * each,
        .bytes = least(exchange_block_bytes(&l->block) - k * each, each),
        .at = l->direct ? (unsigned char *)l->block.p + k * each : s->slots + slot * s->slot_bytes,
        .request = &s->requests[slot]};
}

// begin starts the next message of a lane; returns MPI's error.
static int begin(const rank_state *s, unsigned i) {
    const unsigned members = s->endpoint.members;
    lane *const l = &s->lanes[i];
    const message m = message_of(s, i, l->begun++);
    if (i < members) {
        return MPI_Irecv(m.at, (int)m.bytes, MPI_BYTE, (int)i, 0, s->data, m.request);
    }
    if (!l->direct) {
        move(&l->block, m.first, m.bytes, m.at, true);
    }
    return MPI_Isend(m.at, (int)m.bytes, MPI_BYTE, (int)(i - members), 0, s->data, m.request);
}

// advance: the messages of a lane that have ended, in their order, and those that may begin.
static int advance(const rank_state *s, unsigned i) {
    lane *const l = &s->lanes[i];
    while (l->ended < l->begun && *message_of(s, i, l->ended).request == MPI_REQUEST_NULL) {
        const message m = message_of(s, i, l->ended++);
        if (i < s->endpoint.members && !l->direct) {
            move(&l->block, m.first, m.bytes, m.at, false);
        }
    }
    int error = MPI_SUCCESS;
    while (l->begun < l->messages && l->begun - l->ended < SLOTS && error == MPI_SUCCESS) {
        error = begin(s, i);
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

// late: no message has ended for timeout_s, and some are to. Those that come are looked at first.
static bigint_status late(exchange *x) {
    const rank_state *const s = state_of(x);
    unsigned i = 0;
    while (i + 1 < lanes_of(x) && s->lanes[i].ended == s->lanes[i].messages) {
        i++;
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

// test: *ended = how many messages have ended now, which their lanes know; MPI_UNDEFINED if none is
// under way.
static int test(const rank_state *s, int *ended) {
    int error = MPI_Testsome((int)(SLOTS * lanes_of(&s->endpoint)), s->requests, ended, s->done,
                             MPI_STATUSES_IGNORE);
    for (int i = 0; error == MPI_SUCCESS && *ended != MPI_UNDEFINED && i < *ended; i++) {
        error = advance(s, (unsigned)s->done[i] / SLOTS);
    }
    return error;
}

// wait_all polls until all messages have ended.
static bigint_status wait_all(exchange *x) {
    double last = now();  // when a message ended
    for (;;) {
        const double time = now();  // before the look: this process may have been stopped
        int ended;
        if (test(state_of(x), &ended) != MPI_SUCCESS) {
            return lost_to(x, x->member, "MPI failed in an exchange");
        }
        if (ended == MPI_UNDEFINED) {
            return BIGINT_OK;
        }
        if (alarmed(x)) {
            return BIGINT_EPEER;
        }
        if (ended > 0) {
            last = now();
        } else if (x->timeout_s > 0 && time - last > x->timeout_s) {
            return late(x);
        } else if (time - last < busy_s) {
            sched_yield();
        } else {
            usleep(IDLE_US);
        }
    }
}

// drop takes back what was begun in a call that failed. What cannot be taken back has its slots.
static void drop(exchange *x) {
    rank_state *const s = state_of(x);
    for (unsigned i = 0; i < SLOTS * lanes_of(x); i++) {
        if (s->requests[i] != MPI_REQUEST_NULL) {
            if (i < SLOTS * x->members) {
                MPI_Cancel(&s->requests[i]);
            }
            MPI_Request_free(&s->requests[i]);
        }
    }
}

// --- Calls ---

static bigint_status mpi_all_to_all(exchange *x, const exchange_block *send,
                                    const exchange_block *receive, bool lasting) {
    const rank_state *const s = state_of(x);
    const exchange_block none = exchange_bytes(NULL, 0);
    int error = MPI_SUCCESS;
    for (unsigned j = 0; j < x->members && error == MPI_SUCCESS; j++) {
        // Every member begins with another one.
        const unsigned to = (x->member + j) % x->members;
        const unsigned from = (x->member + x->members - j) % x->members;
        open_lane(s, from, j == 0 ? &none : &receive[from], lasting);
        open_lane(s, x->members + to, j == 0 ? &none : &send[to], lasting);
        error = advance(s, from);
        error = error == MPI_SUCCESS ? advance(s, x->members + to) : error;
    }
    exchange_copy(&receive[x->member], &send[x->member]);
    const bigint_status status =
        error == MPI_SUCCESS ? wait_all(x) : lost_to(x, x->member, "MPI did not take a message");
    if (status != BIGINT_OK) {
        drop(x);
    }
    return status;
}

static bigint_status mpi_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    rank_state *const s = state_of(x);
    for (unsigned i = 0; i < x->members; i++) {
        s->send[i] = exchange_bytes(own, bytes);
        s->receive[i] = exchange_bytes((char *)all + i * bytes, bytes);
    }
    return mpi_all_to_all(x, s->send, s->receive, false);
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

// take: `bytes` bytes at *used, in whole lines; memory NULL: only counted.
static void *take(unsigned char *memory, size_t *used, size_t bytes) {
    void *const at = memory == NULL ? NULL : memory + *used;
    *used += (bytes + 63) / 64 * 64;
    return at;
}

// lay points everything into memory and returns how many bytes it is; NULL: only that.
static size_t lay(rank_state *s, unsigned char *memory, unsigned members) {
    const size_t lanes = 2 * (size_t)members, slots = SLOTS * lanes;
    const size_t share = SLOTS_ALL / slots / SLOT_LEAST * SLOT_LEAST;
    size_t used = 0;
    take(memory, &used, sizeof *s);
    s->slot_bytes = share < SLOT_LEAST ? SLOT_LEAST : least(share, SLOT_MOST);
    s->send = take(memory, &used, members * sizeof *s->send);
    s->receive = take(memory, &used, members * sizeof *s->receive);
    s->lanes = take(memory, &used, lanes * sizeof *s->lanes);
    s->requests = take(memory, &used, slots * sizeof *s->requests);
    s->done = take(memory, &used, slots * sizeof *s->done);
    s->slots = take(memory, &used, slots * s->slot_bytes);
    return used;
}

size_t exchange_mpi_bytes(unsigned members) {
    rank_state none;
    return lay(&none, NULL, members);
}

// poll waits for collective calls, because a rank may not come.
static bool poll(MPI_Request *requests, int count, double timeout_s) {
    const double begin = now();
    int done = 0;
    while (!done) {
        if (MPI_Testall(count, requests, &done, MPI_STATUSES_IGNORE) != MPI_SUCCESS ||
            (!done && timeout_s > 0 && now() - begin > timeout_s)) {
            return false;
        }
        sched_yield();
    }
    return true;
}

// meet: m->first = the least of all ranks' numbers. MPI has m until then.
static bool meet(meeting *m, MPI_Comm comm, double timeout_s) {
    MPI_Request request = MPI_REQUEST_NULL;
    return MPI_Iallreduce(&m->own, &m->first, 1, MPI_INT, MPI_MIN, comm, &request) == MPI_SUCCESS &&
           poll(&request, 1, timeout_s);
}

// all_have: whether all ranks have memory; false where that is not known.
static bool all_have(rank_state *s, bigint_status so_far, MPI_Comm comm, double timeout_s,
                     exchange_mpi_refusal *refusal) {
    enum { STATUSES = 64 };  // a rank and its status, which is -1 or less, are one number
    meeting here;            // which MPI must not have when this returns
    meeting *const lasting = s == NULL ? malloc(sizeof *lasting) : &s->meeting;
    meeting *const m = lasting == NULL ? &here : lasting;
    int member = 0;
    MPI_Comm_rank(comm, &member);
    assert(s != NULL || ((int)so_far < 0 && (int)so_far > -STATUSES));
    m->own = s == NULL ? member * STATUSES - (int)so_far : INT_MAX;
    if (!meet(m, comm, lasting == NULL ? 0 : timeout_s)) {
        return false;  // *lasting is MPI's
    }
    const int first = m->first;
    if (s == NULL) {
        free(lasting);
    }
    if (first != INT_MAX) {
        *refusal = (exchange_mpi_refusal){first / STATUSES, (bigint_status)(0 - first % STATUSES)};
    }
    return first == INT_MAX;
}

// open_comms: two duplicates whose errors are returned.
static bool open_comms(rank_state *s, MPI_Comm comm) {
    MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    return MPI_Comm_idup(comm, &s->data, &requests[0]) == MPI_SUCCESS &&
           MPI_Comm_idup(comm, &s->alarm, &requests[1]) == MPI_SUCCESS &&
           poll(requests, 2, s->endpoint.timeout_s) &&
           MPI_Comm_set_errhandler(s->data, MPI_ERRORS_RETURN) == MPI_SUCCESS &&
           MPI_Comm_set_errhandler(s->alarm, MPI_ERRORS_RETURN) == MPI_SUCCESS;
}

bool exchange_mpi_running(void) {
    int begun = 0, ended = 0;
    return MPI_Initialized(&begun) == MPI_SUCCESS && begun &&
           MPI_Finalized(&ended) == MPI_SUCCESS && !ended;
}

exchange *exchange_mpi_open(void *memory, bigint_status so_far, MPI_Comm comm, double timeout_s,
                            exchange_mpi_refusal *refusal) {
    int members = 0, member = 0;
    *refusal = (exchange_mpi_refusal){-1, BIGINT_OK};
    if (MPI_Comm_size(comm, &members) != MPI_SUCCESS ||
        MPI_Comm_rank(comm, &member) != MPI_SUCCESS || members > EXCHANGE_MEMBERS_MAX ||
        !all_have(memory, so_far, comm, timeout_s, refusal)) {
        return NULL;
    }
    rank_state *const s = memory;
    s->endpoint = (exchange){.ops = &mpi_ops,
                             .members = (unsigned)members,
                             .member = (unsigned)member,
                             .timeout_s = timeout_s};
    lay(s, memory, (unsigned)members);
    for (int i = 0; i < SLOTS * 2 * members; i++) {
        s->requests[i] = MPI_REQUEST_NULL;
    }
    return open_comms(s, comm) ? &s->endpoint : NULL;
}

// Another rank may have lost the endpoint since the last call here, and MPI_Comm_free may wait for
// it. Who is lost tells the others, so all ranks free the communicators or none does.
void exchange_mpi_close(exchange *x) {
    const char here = 0;
    char all[EXCHANGE_MEMBERS_MAX];
    if (x != NULL && exchange_all_gather(x, all, &here, sizeof here) == BIGINT_OK) {
        MPI_Comm_free(&state_of(x)->data);
        MPI_Comm_free(&state_of(x)->alarm);
    }
}
