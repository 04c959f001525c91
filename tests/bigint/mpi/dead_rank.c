// dead_rank.c: rank 1 of an MPI job dies without a word between two products of the group. The
// others must not wait for it longer than timeout_s; dead_rank_test.sh looks how the job ends.
#include <mpi.h>
#include <signal.h>
#include <stdio.h>

#include "bigint/bigint_mpi.h"

int main(int argc, char **argv) {
    bigint_device *group = NULL;
    bigint_ctx *ctx = NULL;
    bigint a = BIGINT_INIT;
    int level, rank;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const bigint_ctx_options options = {.timeout_s = 10};
    if (bigint_device_open_mpi(&group, MPI_COMM_WORLD, BIGINT_HOST, NULL) != BIGINT_OK ||
        bigint_ctx_create(&ctx, group, &options) != BIGINT_OK ||
        bigint_set_u64(ctx, &a, 3) != BIGINT_OK || bigint_sqr(ctx, &a, &a) != BIGINT_OK) {
        fprintf(stderr, "%s\n", bigint_ctx_error(ctx));
        return 1;
    }
    if (rank == 1) {
        puts("rank 1 dies");
        fflush(stdout);
        raise(SIGKILL);
    }
    const bigint_status status = bigint_sqr(ctx, &a, &a);
    fprintf(stderr, "rank %d: %s\n", rank, bigint_status_text(status));
    return status == BIGINT_OK ? 0 : 1;
}
