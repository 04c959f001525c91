// local.c: see local.h. May include exchange.h and POSIX threads.
//
// A call has two meetings. Members arrive with pointers to what they send; when all are there, each
// copies what is meant for it, and leaves; when all have left, they may use their blocks again.
// Only the first meeting can fail, because it waits for the program of another member. In the
// second all members only copy, so it ends. A member that is there never sees the failure of a
// later call before it has seen the end of this one: it looks at the meeting first.
//
// Short gathers have the first meeting alone: a member brings its bytes to its seat, to two places
// in turn. It writes to one again when all have come to the gather between, so all have read it.
//
// Members look for each other before they sleep, because to wake a thread takes longer than most
// meetings.
#define _POSIX_C_SOURCE 200809L  // clocks
#include "bigint/group/exchange/local.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum {
    SHORT = 64,        // bytes of a short gather at most
    LOOK_NS = 100000,  // how long members look for each other
};

typedef struct {
    exchange endpoint;  // first: an endpoint is its seat
    exchange_hub *hub;
    // Calls begun and ended. Written under the mutex, except by short gathers, which nobody waits
    // for at their end.
    _Atomic uint64_t arrived, gone;
    const void *offered;  // what the others copy from in this call
    uint64_t gathers;     // short ones so far
    unsigned char brought[2][SHORT];
} seat;

struct exchange_hub {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    unsigned members;
    atomic_uint failed;  // the member that gave up; `members`: none. Written under the mutex.
    exchange_failure failure;
    seat seats[];
};

static seat *seat_of(exchange *x) { return (seat *)x; }

// first_behind: the first member with fewer than `count` calls begun, or ended; `members` if none.
static unsigned first_behind(const exchange_hub *hub, uint64_t count, bool ended) {
    unsigned i = 0;
    while (i < hub->members && (ended ? hub->seats[i].gone : hub->seats[i].arrived) >= count) {
        i++;
    }
    return i;
}

// later: the time `seconds` from now.
static struct timespec later(double seconds) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    const double whole = (double)(int64_t)seconds;
    t.tv_sec += (time_t)whole;
    t.tv_nsec += (long)((seconds - whole) * 1e9);
    if (t.tv_nsec >= 1000000000) {
        t.tv_sec++;
        t.tv_nsec -= 1000000000;
    }
    return t;
}

static bool is_past(const struct timespec *t) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

// meet, under the mutex: the last member wakes the others; the others look for it for a while,
// without the mutex. What they see counts when they have it again.
static void meet(exchange_hub *hub, uint64_t count, bool ended) {
    if (first_behind(hub, count, ended) == hub->members) {
        pthread_cond_broadcast(&hub->changed);
        return;
    }
    const struct timespec until = later(1e-9 * LOOK_NS);
    pthread_mutex_unlock(&hub->mutex);
    while (first_behind(hub, count, ended) < hub->members && hub->failed == hub->members &&
           !is_past(&until)) {
        sched_yield();
    }
    pthread_mutex_lock(&hub->mutex);
}

// fail_with tells all members who failed, once. Under the mutex.
static void fail_with(exchange_hub *hub, const exchange_failure *failure) {
    if (hub->failed == hub->members) {
        hub->failed = failure->member;
        hub->failure = *failure;
        pthread_cond_broadcast(&hub->changed);
    }
}

// arrive waits until all members are in this call and have offered something.
static bigint_status arrive(exchange *x, const void *offered) {
    seat *const own = seat_of(x);
    exchange_hub *const hub = own->hub;
    const struct timespec until = later(x->timeout_s);
    bool late = false;
    pthread_mutex_lock(&hub->mutex);
    own->offered = offered;
    own->arrived++;
    meet(hub, own->arrived, false);
    unsigned behind;
    while ((behind = first_behind(hub, own->arrived, false)) < hub->members &&
           hub->failed == hub->members && !late) {
        if (x->timeout_s > 0) {
            late = pthread_cond_timedwait(&hub->changed, &hub->mutex, &until) == ETIMEDOUT;
        } else {
            pthread_cond_wait(&hub->changed, &hub->mutex);
        }
    }
    bigint_status status = BIGINT_OK;
    if (behind < hub->members) {
        if (hub->failed == hub->members) {
            exchange_lost(x, behind, BIGINT_EPEER, "it did not come to an exchange within %g s",
                          x->timeout_s);
            fail_with(hub, &x->failure);
        }
        own->arrived--;  // whoever comes later finds this member behind, and does not copy
        status =
            exchange_lost(x, hub->failure.member, hub->failure.status, "%s", hub->failure.cause);
    }
    pthread_mutex_unlock(&hub->mutex);
    return status;
}

// leave waits until all members have copied.
static void leave(exchange *x) {
    seat *const own = seat_of(x);
    exchange_hub *const hub = own->hub;
    pthread_mutex_lock(&hub->mutex);
    own->gone++;
    assert(own->gone == own->arrived);
    meet(hub, own->gone, true);
    while (first_behind(hub, own->gone, true) < hub->members) {
        pthread_cond_wait(&hub->changed, &hub->mutex);
    }
    pthread_mutex_unlock(&hub->mutex);
}

static bigint_status local_all_to_all(exchange *x, const exchange_block *send,
                                      const exchange_block *receive, bool lasting) {
    (void)lasting;
    if (arrive(x, send) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    for (unsigned k = 0; k < x->members; k++) {
        // Every member begins with another one, so that they do not all read one memory.
        const unsigned i = (x->member + k) % x->members;
        const exchange_block *const offered = seat_of(x)->hub->seats[i].offered;
        exchange_copy(&receive[i], &offered[x->member]);
    }
    leave(x);
    return BIGINT_OK;
}

// gather_short: of SHORT bytes at most.
static bigint_status gather_short(exchange *x, void *all, const void *own, size_t bytes) {
    seat *const mine = seat_of(x);
    const uint64_t turn = mine->gathers++ % 2;
    memcpy(mine->brought[turn], own, bytes);
    if (arrive(x, NULL) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    for (unsigned i = 0; i < x->members; i++) {
        memcpy((char *)all + i * bytes, mine->hub->seats[i].brought[turn], bytes);
    }
    mine->gone++;
    return BIGINT_OK;
}

static bigint_status local_all_gather(exchange *x, void *all, const void *own, size_t bytes) {
    if (bytes <= SHORT) {
        return gather_short(x, all, own, bytes);
    }
    if (arrive(x, own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    for (unsigned i = 0; i < x->members; i++) {
        memcpy((char *)all + i * bytes, seat_of(x)->hub->seats[i].offered, bytes);
    }
    leave(x);
    return BIGINT_OK;
}

static void local_give_up(exchange *x) {
    exchange_hub *const hub = seat_of(x)->hub;
    pthread_mutex_lock(&hub->mutex);
    fail_with(hub, &x->failure);
    pthread_mutex_unlock(&hub->mutex);
}

static const exchange_ops local_ops = {"local", local_all_to_all, local_all_gather, local_give_up};

size_t exchange_hub_bytes(unsigned members) {
    return sizeof(exchange_hub) + members * sizeof(seat);
}

// open_condition: a condition variable whose deadlines are not moved when the clock is set.
static bool open_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    if (pthread_condattr_init(&attributes) != 0) {
        return false;
    }
    const bool open = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(condition, &attributes) == 0;
    pthread_condattr_destroy(&attributes);
    return open;
}

exchange_hub *exchange_hub_open(void *memory, unsigned members, double timeout_s) {
    exchange_hub *const hub = memory;
    assert(1 <= members && members <= EXCHANGE_MEMBERS_MAX);
    memset(hub, 0, exchange_hub_bytes(members));
    hub->members = members;
    hub->failed = members;
    if (!open_condition(&hub->changed)) {
        return NULL;
    }
    if (pthread_mutex_init(&hub->mutex, NULL) != 0) {
        pthread_cond_destroy(&hub->changed);
        return NULL;
    }
    for (unsigned i = 0; i < members; i++) {
        hub->seats[i].hub = hub;
        hub->seats[i].endpoint =
            (exchange){.ops = &local_ops, .members = members, .member = i, .timeout_s = timeout_s};
    }
    return hub;
}

exchange *exchange_hub_endpoint(exchange_hub *hub, unsigned member) {
    assert(member < hub->members);
    return &hub->seats[member].endpoint;
}

void exchange_hub_close(exchange_hub *hub) {
    if (hub != NULL) {
        pthread_mutex_destroy(&hub->mutex);
        pthread_cond_destroy(&hub->changed);
    }
}
