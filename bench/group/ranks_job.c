// ranks_job.c: see ranks_job.h.
#include "bench/group/ranks_job.h"

#include <inttypes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void ranks_stop(const char *what, const ranks_job *j) {
    char cause[256];
    cuda_error(cause, sizeof cause);
    fprintf(stderr, "group_ranks_bench: %s, %" PRIu64 " x %" PRIu64 ": %s %s\n", what, j->rows,
            j->n, cause, j->g->link->why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    abort();
}

cuda_stream ranks_stream(const ranks_job *j) { return j->g->member[j->g->first].stream; }

bool ranks_first(const ranks_job *j) { return j->g->link->process == 0; }

void *ranks_allocate(ranks_job *j, uint64_t bytes, int byte) {
    void *p = NULL;
    const uint64_t some = bytes > 0 ? bytes : 1;
    if (j->arrays == RANKS_JOB_ARRAYS || cuda_allocate(&p, some, ranks_stream(j)) != RESULT_OK ||
        cuda_set(p, byte, some, ranks_stream(j)) != RESULT_OK) {
        ranks_stop("no memory", j);
    }
    j->allocated[j->arrays++] = p;
    return p;
}

void ranks_job_close(ranks_job *j) {
    for (unsigned i = 0; i < j->arrays; i++) {
        cuda_release(j->allocated[i], ranks_stream(j));
    }
    if (cuda_stream_wait(ranks_stream(j)) != RESULT_OK) {
        ranks_stop("memory was not released", j);
    }
}

bool ranks_read(const ranks_job *j, void *to, const void *from, uint64_t bytes) {
    return cuda_copy(to, from, bytes, ranks_stream(j)) == RESULT_OK &&
           cuda_stream_wait(ranks_stream(j)) == RESULT_OK;
}
