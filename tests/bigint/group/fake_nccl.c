// fake_nccl.c: a stand-in for NCCL between the threads of one process, with the functions that
// bigint/group/device/nccl.h declares. As NCCL, it refuses two ranks on one device, matches
// messages between two ranks in their order, and fails where lengths differ. A group of messages is
// over when its call returns; but if a rank's message was refused, others return at once, as if
// their messages waited on their streams. Messages that find no end within ten seconds fail.
#define _POSIX_C_SOURCE 200809L  // clock_gettime
#include "tests/bigint/group/fake_nccl.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RANKS = 16, POSTS = 1024, SUCCESS = 0, INTERNAL = 3, ARGUMENT = 4, USAGE = 5 };

// A message that waits for its receiver. Number k between two ranks stands at k % POSTS.
typedef struct {
    const void *p;
    size_t bytes;
    int device;
} message;

// world: the ranks of one communicator. Messages are counted.
typedef struct world {
    int id, ranks, joined, left;
    int device[RANKS];
    bool broken;
    unsigned posted[RANKS][RANKS], taken[RANKS][RANKS];  // from, to
    message messages[RANKS][RANKS][POSTS];
    struct world *next;
} world;

struct ncclComm {
    world *w;
    int rank;
};

// One step of a group, remembered until its end.
typedef struct {
    bool sends;
    void *p;
    size_t bytes;
    int peer;
    struct ncclComm *comm;
    cuda_stream stream;
} step;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static world *worlds;
static int ids;
static fake_runtime runtime;
static unsigned refused, asked, received, live, aborted;
static _Thread_local step steps[POSTS];
static _Thread_local unsigned count;

void fake_nccl_use(const fake_runtime *use, unsigned refuse) {
    runtime = *use;
    refused = refuse;
    asked = 0;
}

void fake_nccl_counts(unsigned *messages, unsigned *comms, unsigned *aborts) {
    *messages = received;
    *comms = live;
    *aborts = aborted;
}

const char *ncclGetErrorString(int code) {
    return code == SUCCESS ? "no error" : code == USAGE ? "invalid usage" : "internal error";
}

typedef struct {
    char internal[128];
} unique_id;

int ncclGetUniqueId(unique_id *id) {
    pthread_mutex_lock(&mutex);
    const int own = ++ids;
    pthread_mutex_unlock(&mutex);
    memset(id, 0, sizeof *id);
    memcpy(id, &own, sizeof own);
    return SUCCESS;
}

static world *world_of(int id, int ranks) {
    world *w = worlds;
    while (w != NULL && w->id != id) {
        w = w->next;
    }
    if (w == NULL) {
        w = calloc(1, sizeof *w);
        w->id = id;
        w->ranks = ranks;
        w->next = worlds;
        worlds = w;
    }
    return w;
}

int ncclCommInitRank(struct ncclComm **out, int ranks, unique_id id, int rank) {
    int number, device, code = SUCCESS;
    if (ranks > RANKS || runtime.enter(0, &device) != RESULT_OK) {
        return ARGUMENT;
    }
    runtime.leave(device);  // which was current
    memcpy(&number, id.internal, sizeof number);
    pthread_mutex_lock(&mutex);
    world *const w = world_of(number, ranks);
    w->device[rank] = device;
    w->joined++;
    pthread_cond_broadcast(&changed);
    while (w->joined < ranks) {
        pthread_cond_wait(&changed, &mutex);
    }
    for (int i = 0; i < ranks; i++) {
        code = i != rank && w->device[i] == device ? USAGE : code;
    }
    if (code == SUCCESS) {
        *out = malloc(sizeof **out);
        **out = (struct ncclComm){w, rank};
        live++;
    }
    pthread_mutex_unlock(&mutex);
    return code;
}

static int end(struct ncclComm *comm, bool broken) {
    pthread_mutex_lock(&mutex);
    comm->w->broken = comm->w->broken || broken;
    live--;
    aborted += broken;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    free(comm);
    return SUCCESS;
}

int ncclCommDestroy(struct ncclComm *comm) { return end(comm, false); }
int ncclCommAbort(struct ncclComm *comm) { return end(comm, true); }

int ncclGroupStart(void) {
    count = 0;
    return SUCCESS;
}

static int add(step s) {
    if (count == POSTS || s.bytes == 0) {
        return ARGUMENT;
    }
    steps[count++] = s;
    return SUCCESS;
}

int ncclSend(const void *from, size_t bytes, int type, int peer, struct ncclComm *comm,
             cuda_stream stream) {
    pthread_mutex_lock(&mutex);
    const bool refuse = ++asked == refused;
    comm->w->broken = comm->w->broken || refuse;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
    return type != 1 || refuse
               ? INTERNAL
               : add((step){true, (void *)(uintptr_t)from, bytes, peer, comm, stream});
}

int ncclRecv(void *to, size_t bytes, int type, int peer, struct ncclComm *comm,
             cuda_stream stream) {
    return type != 1 ? INTERNAL : add((step){false, to, bytes, peer, comm, stream});
}

// post puts a message where its receiver finds it. Under the mutex, as take.
static void post(const step *s) {
    world *const w = s->comm->w;
    unsigned *const posted = &w->posted[s->comm->rank][s->peer];
    message *const m = &w->messages[s->comm->rank][s->peer][(*posted)++ % POSTS];
    *m = (message){s->p, s->bytes, 0};
    runtime.place(s->stream, &m->device);
    pthread_cond_broadcast(&changed);
}

// later waits for another rank; false if nothing has changed for ten seconds.
static bool later(void) {
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 10;
    return pthread_cond_timedwait(&changed, &mutex, &until) == 0;
}

static int take(const step *s) {
    world *const w = s->comm->w;
    const int rank = s->comm->rank;
    unsigned *const taken = &w->taken[s->peer][rank];
    while (w->posted[s->peer][rank] == *taken && !w->broken) {
        if (!later()) {
            return INTERNAL;
        }
    }
    if (w->broken) {
        return SUCCESS;
    }
    const message *const m = &w->messages[s->peer][rank][*taken % POSTS];
    int device = 0;
    if (m->bytes != s->bytes || runtime.place(s->stream, &device) != RESULT_OK ||
        runtime.copy(s->p, device, m->p, m->device, s->bytes, s->stream) != RESULT_OK ||
        runtime.wait(s->stream) != RESULT_OK) {
        return INTERNAL;
    }
    ++*taken;
    received++;
    pthread_cond_broadcast(&changed);
    return SUCCESS;
}

int ncclGroupEnd(void) {
    int code = SUCCESS;
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = runtime.wait(steps[i].stream) == RESULT_OK ? SUCCESS : INTERNAL;
    }
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        if (steps[i].sends) {
            post(&steps[i]);
        }
    }
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = steps[i].sends ? SUCCESS : take(&steps[i]);
    }
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {  // until all are taken
        const world *const w = steps[i].comm->w;
        const int from = steps[i].comm->rank, to = steps[i].peer;
        while (steps[i].sends && w->taken[from][to] < w->posted[from][to] && !w->broken &&
               code == SUCCESS) {
            code = later() ? SUCCESS : INTERNAL;
        }
    }
    pthread_mutex_unlock(&mutex);
    count = 0;
    return code;
}
