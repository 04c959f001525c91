// fake_nvshmem.c: a stand-in for NVSHMEM between processes of one machine, with the functions that
// bigint/group/device/nvshmem.h declares. Each allocation is a file in TMPDIR, which is the
// job's own (mpirun.sh), named by its PE and its number; a put waits for its stream and writes to
// another PE's file.
#define _GNU_SOURCE  // usleep
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bigint/group/device/nvshmem_types.h"
#include "tests/bigint/group/stand_in.h"

enum { ALLOCATIONS = 1024, NAME = 200, TRIES = 100000, TRY_US = 100, OK = 0, REFUSED = 7 };
static stand_in_runtime runtime;
static stand_in_counted counted;
static char world[124];
static int own, ranks, status;
static struct {
    char *p;
    size_t bytes;
} heap[ALLOCATIONS];
static unsigned count;

void stand_in_use(const stand_in_runtime *use, unsigned refused) {
    (void)refused;  // it has no answer for a put
    runtime = *use;
}
void stand_in_counts(stand_in_counted *counts) { *counts = counted; }

int nvshmemx_init_status(void) { return status; }
int nvshmem_my_pe(void) { return own; }
int nvshmem_n_pes(void) { return ranks; }

int nvshmemx_get_uniqueid(nvshmem_id *id) {
    if (id->version != NVSHMEM_VERSION + (int)sizeof *id) {
        return REFUSED;
    }
    const char *const folder = getenv("TMPDIR");
    snprintf(id->internal, sizeof id->internal, "%s/fake-nvshmem",
             folder == NULL ? "/tmp" : folder);
    return OK;
}

int nvshmemx_set_attr_uniqueid_args(int rank, int of, const nvshmem_id *id, nvshmem_attributes *a) {
    a->args.id_args.id = (nvshmem_id *)id;
    a->args.id_args.rank = rank;
    a->args.id_args.ranks = of;
    return OK;
}

int nvshmemx_hostlib_init_attr(unsigned flags, const nvshmem_attributes *a) {
    if (flags != NVSHMEM_WITH_ID || status != 0 || a->version != NVSHMEM_VERSION + (int)sizeof *a ||
        a->args.version != NVSHMEM_VERSION + (int)sizeof a->args) {
        return REFUSED;
    }
    snprintf(world, sizeof world, "%s", a->args.id_args.id->internal);
    own = a->args.id_args.rank;
    ranks = a->args.id_args.ranks;
    status = NVSHMEM_INITIALIZED;
    return OK;
}

static void name_of(char *name, int pe, unsigned number) {
    snprintf(name, NAME, "%s-%d-%u", world, pe, number);
}

// map maps a PE's allocation, which it may not have made yet; NULL if it does not for ten seconds.
static char *map(int pe, unsigned number, size_t bytes, bool create) {
    char name[NAME];
    int file = -1;
    name_of(name, pe, number);
    for (int i = 0; i < TRIES && file < 0; i++) {
        file = open(name, create ? O_CREAT | O_RDWR : O_RDWR, 0600);
        // Its maker may not have given it its length yet.
        if (!create && file >= 0 && lseek(file, 0, SEEK_END) < (off_t)bytes) {
            close(file);
            file = -1;
        }
        if (file < 0) {
            usleep(TRY_US);
        }
    }
    if (file < 0 || (create && ftruncate(file, (off_t)bytes) != 0)) {
        return NULL;
    }
    char *const p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return p == MAP_FAILED ? NULL : p;
}

void *nvshmem_malloc(size_t bytes) {
    if (count == ALLOCATIONS) {
        return NULL;
    }
    char *const p = map(own, count, bytes, true);
    heap[count].p = p;
    heap[count++].bytes = bytes;
    counted.live += p != NULL;
    return p;
}

// find: the number of the allocation that holds an address.
static unsigned find(const void *at) {
    unsigned i = 0;
    while (i < count && !(heap[i].p != NULL && (const char *)at >= heap[i].p &&
                          (const char *)at < heap[i].p + heap[i].bytes)) {
        i++;
    }
    return i;
}

void nvshmem_free(void *p) {
    char name[NAME];
    const unsigned number = find(p);
    if (number < count) {
        name_of(name, own, number);
        unlink(name);
        munmap(p, heap[number].bytes);
        heap[number].p = NULL;
        counted.live--;
    }
}

// Addresses outside the heap, as of a put that is not symmetric, end the program.
void nvshmemx_putmem_on_stream(void *to, const void *from, size_t bytes, int pe,
                               cuda_stream stream) {
    const unsigned number = find(to);
    if (number == count || find(from) == count || runtime.wait(stream) != RESULT_OK) {
        abort();
    }
    char *const theirs = map(pe, number, heap[number].bytes, false);
    if (theirs == NULL) {
        abort();
    }
    memcpy(theirs + ((char *)to - heap[number].p), from, bytes);
    munmap(theirs, heap[number].bytes);
    counted.messages++;
}

void nvshmemx_quiet_on_stream(cuda_stream stream) { (void)stream; }
