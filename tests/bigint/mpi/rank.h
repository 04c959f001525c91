// rank.h: this rank of an MPI job as a member of a group of all ranks, for tests.
#ifndef TESTS_BIGINT_MPI_RANK_H_
#define TESTS_BIGINT_MPI_RANK_H_

#include "bigint/bigint.h"
#include "bigint/group/exchange/member.h"

// rank_start starts MPI at the first call; it ends with the program. Returns the number of ranks.
int rank_start(void);
// rank_open starts MPI, and makes an endpoint and a context. rank_close frees both; collective
// unless the endpoint is lost.
member rank_open(double timeout_s, const bigint_ctx_options *options);
void rank_close(member *m);

#endif  // TESTS_BIGINT_MPI_RANK_H_
