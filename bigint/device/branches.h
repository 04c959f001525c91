// branches.h: branches of a context's stream, for launches of a product that need not wait
// for one another. Internal to bigint/; may include context.h.
#ifndef BIGINT_DEVICE_BRANCHES_H_
#define BIGINT_DEVICE_BRANCHES_H_

#include "bigint/core/context.h"

// device_branches_need makes so many of them, up to BRANCHES_MOST, the stream that they branch
// off counted in. Errors: as device_status. device_branch is number i of that stream's, i = 0
// itself.
bigint_status device_branches_need(bigint_ctx *ctx, const char *who, unsigned branches);
cuda_stream device_branch(const bigint_ctx *ctx, cuda_stream stream, unsigned i);
// device_fork: what branches are given from now on comes after what the stream was given before.
// device_join: what the stream is given from now on comes after what they were given; behind
// every fork, whatever has failed since. Neither waits. Cost: a call of the runtime and one more
// for each branch but the first; of the join two for each of those.
result device_fork(const bigint_ctx *ctx, cuda_stream stream, unsigned branches);
result device_join(const bigint_ctx *ctx, cuda_stream stream, unsigned branches);
// device_branches_trim gives them back. The context's stream is idle.
void device_branches_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_BRANCHES_H_
