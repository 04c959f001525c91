// fake_nccl.c: a stand-in for NCCL between processes of one machine, with the functions that
// bigint/group/device/nccl.h declares. (The one in tests/bigint/group works between threads.) A
// message is a file in TMPDIR, which is the job's own (mpirun.sh), named by its communicator, its
// ranks and its number. A group of messages is over when its call returns.
#define _DEFAULT_SOURCE  // usleep
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/bigint/mpi/stand_in.h"

enum { RANKS = 16, STEPS = 4096, NAME = 250, TRIES = 100000, TRY_US = 100 };
enum { SUCCESS = 0, INTERNAL = 3, ARGUMENT = 4, UINT8 = 1 };

typedef struct {
    char internal[128];
} unique_id;

struct ncclComm {
    char name[128];
    int rank;
    unsigned sent[RANKS], taken[RANKS];  // messages to and from each rank
};

typedef struct {
    bool sends;
    void *p;
    size_t bytes;
    int peer;
    struct ncclComm *comm;
    cuda_stream stream;
} step;

static result (*wait_for)(cuda_stream stream);
static unsigned ids, messages, live, count;
static step steps[STEPS];

void stand_in_use(result (*wait)(cuda_stream stream)) { wait_for = wait; }
void stand_in_counts(unsigned *m, unsigned *l) { *m = messages, *l = live; }

const char *ncclGetErrorString(int code) { return code == SUCCESS ? "no error" : "an error"; }

int ncclGetUniqueId(unique_id *id) {
    const char *const folder = getenv("TMPDIR");
    snprintf(id->internal, sizeof id->internal, "%s/fake-nccl-%u", folder == NULL ? "/tmp" : folder,
             ids++);
    return SUCCESS;
}

int ncclCommInitRank(struct ncclComm **out, int ranks, unique_id id, int rank) {
    if (ranks > RANKS) {
        return ARGUMENT;
    }
    *out = calloc(1, sizeof **out);
    snprintf((*out)->name, sizeof(*out)->name, "%s", id.internal);
    (*out)->rank = rank;
    live++;
    return SUCCESS;
}

int ncclCommDestroy(struct ncclComm *comm) {
    live--;
    free(comm);
    return SUCCESS;
}
int ncclCommAbort(struct ncclComm *comm) { return ncclCommDestroy(comm); }

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
    return add((step){true, (void *)from, bytes, peer, comm, stream}, type);
}

int ncclRecv(void *to, size_t bytes, int type, int peer, struct ncclComm *comm,
             cuda_stream stream) {
    return add((step){false, to, bytes, peer, comm, stream}, type);
}

// put writes a message, under another name until it is whole.
static int put(const step *s) {
    char name[NAME], part[NAME + 8];
    snprintf(name, sizeof name, "%s-%d-%d-%u", s->comm->name, s->comm->rank, s->peer,
             s->comm->sent[s->peer]++);
    snprintf(part, sizeof part, "%s.part", name);
    FILE *const f = fopen(part, "wb");
    const bool whole = f != NULL && fwrite(s->p, 1, s->bytes, f) == s->bytes;
    messages += s->peer != s->comm->rank;
    return f != NULL && fclose(f) == 0 && whole && rename(part, name) == 0 ? SUCCESS : INTERNAL;
}

// take waits for a message, ten seconds at most; it has to have the right length.
static int take(const step *s) {
    char name[NAME], rest;
    FILE *f = NULL;
    snprintf(name, sizeof name, "%s-%d-%d-%u", s->comm->name, s->peer, s->comm->rank,
             s->comm->taken[s->peer]++);
    for (int i = 0; i < TRIES && f == NULL; i++) {
        f = fopen(name, "rb");
        if (f == NULL) {
            usleep(TRY_US);
        }
    }
    if (f == NULL) {
        return INTERNAL;
    }
    const bool right = fread(s->p, 1, s->bytes, f) == s->bytes && fread(&rest, 1, 1, f) == 0;
    fclose(f);
    return unlink(name) == 0 && right ? SUCCESS : INTERNAL;
}

int ncclGroupEnd(void) {
    int code = SUCCESS;
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = wait_for(steps[i].stream) == RESULT_OK ? SUCCESS : INTERNAL;
    }
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = steps[i].sends ? put(&steps[i]) : SUCCESS;
    }
    for (unsigned i = 0; i < count && code == SUCCESS; i++) {
        code = steps[i].sends ? SUCCESS : take(&steps[i]);
    }
    count = 0;
    return code;
}
