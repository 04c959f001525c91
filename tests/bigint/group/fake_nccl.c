// fake_nccl.c: a stand-in for NCCL between threads and processes of one machine, with the functions
// that bigint/group/device/nccl.h declares. As NCCL, it refuses two ranks on one device, matches
// messages between two ranks in their order, and fails where lengths differ. A message is a file,
// named by its ranks and its number, in the communicator's folder (in TEST_TMPDIR or TMPDIR). A
// group of messages is over when its call returns; but once a message was refused or a communicator
// aborted, calls of other ranks return at once, as if their messages waited on their streams. What
// does not come within ten seconds fails.
#define _GNU_SOURCE  // usleep, mkdtemp
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bigint/group/stand_in.h"

enum { RANKS = 16, STEPS = 4096, FOLDER = 400, NAME = FOLDER + 50, TRIES = 100000, TRY_US = 100 };
enum { SUCCESS = 0, INTERNAL = 3, ARGUMENT = 4, USAGE = 5, UINT8 = 1 };

// unique_id: the folder's name.
typedef struct {
    char internal[128];
} unique_id;

struct ncclComm {
    char folder[FOLDER];
    int rank;
    unsigned sent[RANKS], taken[RANKS];  // messages to and from each rank
};

// seat: where a rank is.
typedef struct {
    pid_t process;
    int device;
} seat;

// step: one message of a group, remembered until the group's end.
typedef struct {
    bool sends;
    void *p;
    size_t bytes;
    int peer;
    struct ncclComm *comm;
    cuda_stream stream;
} step;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static stand_in_runtime runtime;
static stand_in_counted counted;
static unsigned refused, asked;
static _Thread_local step steps[STEPS];
static _Thread_local unsigned count;

void stand_in_use(const stand_in_runtime *use, unsigned refuse) {
    runtime = *use;
    refused = refuse;
    asked = 0;
}

void stand_in_counts(stand_in_counted *counts) { *counts = counted; }

const char *ncclGetErrorString(int code) {
    return code == SUCCESS ? "no error" : code == USAGE ? "invalid usage" : "internal error";
}

// --- Files ---------------------------------------------------------------------------------------

static const char *parent(void) {
    const char *const of_test = getenv("TEST_TMPDIR"), *const any = getenv("TMPDIR");
    return of_test != NULL ? of_test : any != NULL ? any : "/tmp";
}

// put makes a file, under another name until it is whole.
static bool put(const char *name, const void *p, size_t bytes) {
    char part[NAME + 8];
    snprintf(part, sizeof part, "%s.part", name);
    FILE *const f = fopen(part, "wb");
    const bool whole = f != NULL && fwrite(p, 1, bytes, f) == bytes;
    return f != NULL && fclose(f) == 0 && whole && rename(part, name) == 0;
}

static bool broken(const struct ncclComm *comm) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/broken", comm->folder);
    return access(name, F_OK) == 0;
}

static void shatter(const struct ncclComm *comm) {
    char name[NAME];
    snprintf(name, sizeof name, "%s/broken", comm->folder);
    close(open(name, O_CREAT | O_WRONLY, 0600));
}

// await opens a file when it is there; NULL if it does not come, or the communicator is broken.
static FILE *await(const struct ncclComm *comm, const char *name) {
    FILE *f = NULL;
    for (int i = 0; i < TRIES && (f = fopen(name, "rb")) == NULL && !broken(comm); i++) {
        usleep(TRY_US);
    }
    return f;
}

// --- Communicators -------------------------------------------------------------------------------

int ncclGetUniqueId(unique_id *id) {
    char folder[FOLDER];
    const int length = snprintf(folder, sizeof folder, "%s/fake-nccl.XXXXXX", parent());
    if (length >= (int)sizeof folder || mkdtemp(folder) == NULL) {
        return INTERNAL;
    }
    snprintf(id->internal, sizeof id->internal, "%s", strrchr(folder, '/') + 1);
    return SUCCESS;
}

// meet waits for all ranks; USAGE if another one is on this device.
static int meet(const struct ncclComm *comm, int ranks, const seat *own) {
    char name[NAME];
    int code = SUCCESS;
    snprintf(name, sizeof name, "%s/rank-%d", comm->folder, comm->rank);
    if (!put(name, own, sizeof *own)) {
        return INTERNAL;
    }
    for (int i = 0; i < ranks && code != INTERNAL; i++) {
        seat other;
        snprintf(name, sizeof name, "%s/rank-%d", comm->folder, i);
        FILE *const f = await(comm, name);
        if (f == NULL || fread(&other, sizeof other, 1, f) != 1) {
            code = INTERNAL;
        } else if (i != comm->rank && other.process == own->process &&
                   other.device == own->device) {
            code = USAGE;
        }
        if (f != NULL) {
            fclose(f);
        }
    }
    return code;
}

int ncclCommInitRank(struct ncclComm **out, int ranks, unique_id id, int rank) {
    seat own = {getpid(), 0};
    if (ranks > RANKS || runtime.enter(0, &own.device) != RESULT_OK) {
        return ARGUMENT;
    }
    runtime.leave(own.device);  // which was current
    struct ncclComm *const comm = calloc(1, sizeof *comm);
    snprintf(comm->folder, sizeof comm->folder, "%s/%s", parent(), id.internal);
    comm->rank = rank;
    const int code = meet(comm, ranks, &own);
    if (code != SUCCESS) {
        free(comm);
        return code;
    }
    *out = comm;
    pthread_mutex_lock(&mutex);
    counted.live++;
    pthread_mutex_unlock(&mutex);
    return SUCCESS;
}

static int end(struct ncclComm *comm, bool aborts) {
    if (aborts) {
        shatter(comm);
    }
    pthread_mutex_lock(&mutex);
    counted.live--;
    counted.aborted += aborts;
    pthread_mutex_unlock(&mutex);
    free(comm);
    return SUCCESS;
}

int ncclCommDestroy(struct ncclComm *comm) { return end(comm, false); }
int ncclCommAbort(struct ncclComm *comm) { return end(comm, true); }

// --- Messages ------------------------------------------------------------------------------------

int ncclGroupStart(void) {
    count = 0;
    return SUCCESS;
}

static int add(step s, int type) {
    if (count == STEPS || s.bytes == 0 || type != UINT8) {
        return ARGUMENT;
    }
    steps[count++] = s;
    return SUCCESS;
}

int ncclSend(const void *from, size_t bytes, int type, int peer, struct ncclComm *comm,
             cuda_stream stream) {
    pthread_mutex_lock(&mutex);
    const bool refuse = ++asked == refused;
    pthread_mutex_unlock(&mutex);
    if (refuse) {
        shatter(comm);
        return INTERNAL;
    }
    return add((step){true, (void *)from, bytes, peer, comm, stream}, type);
}

int ncclRecv(void *to, size_t bytes, int type, int peer, struct ncclComm *comm,
             cuda_stream stream) {
    return add((step){false, to, bytes, peer, comm, stream}, type);
}

// copy: between host memory and the device's, done when it returns.
static bool copy(void *to, const void *from, const step *s) {
    return runtime.copy(to, from, s->bytes, s->stream) == RESULT_OK &&
           runtime.wait(s->stream) == RESULT_OK;
}

static int post(const step *s) {
    struct ncclComm *const comm = s->comm;
    char name[NAME];
    void *const bytes = malloc(s->bytes);
    snprintf(name, sizeof name, "%s/%d-%d-%u", comm->folder, comm->rank, s->peer,
             comm->sent[s->peer]++);
    const bool done = copy(bytes, s->p, s) && put(name, bytes, s->bytes);
    free(bytes);
    return done ? SUCCESS : INTERNAL;
}

// take waits for a message, which has to have the right length.
static int take(const step *s) {
    struct ncclComm *const comm = s->comm;
    char name[NAME], rest;
    snprintf(name, sizeof name, "%s/%d-%d-%u", comm->folder, s->peer, comm->rank,
             comm->taken[s->peer]++);
    FILE *const f = await(comm, name);
    if (f == NULL) {
        return broken(comm) ? SUCCESS : INTERNAL;
    }
    void *const bytes = malloc(s->bytes);
    const bool right = fread(bytes, 1, s->bytes, f) == s->bytes && fread(&rest, 1, 1, f) == 0 &&
                       copy(s->p, bytes, s);
    fclose(f);
    free(bytes);
    pthread_mutex_lock(&mutex);
    counted.messages += s->peer != comm->rank;
    pthread_mutex_unlock(&mutex);
    return unlink(name) == 0 && right ? SUCCESS : INTERNAL;
}

int ncclGroupEnd(void) {
    int code = SUCCESS;
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = steps[i].sends ? post(&steps[i]) : SUCCESS;
    }
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = steps[i].sends ? SUCCESS : take(&steps[i]);
    }
    count = 0;
    return code;
}
