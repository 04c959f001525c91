// branches.h: branches of a context's stream, for launches of a product that need not wait
// for one another. Internal to bigint/; may include context.h.
#ifndef BIGINT_DEVICE_BRANCHES_H_
#define BIGINT_DEVICE_BRANCHES_H_

#include "bigint/core/context.h"

// resident_branches_need makes so many of them, up to BRANCHES_MOST, the stream that they branch
// off counted in. Errors: as queue_check. resident_branch is number i of that stream's, i = 0
// itself.
bigint_status resident_branches_need(bigint_ctx *ctx, const char *who, unsigned branches);
device_stream resident_branch(const bigint_ctx *ctx, device_stream stream, unsigned i);
// resident_fork: what branches are given from now on comes after what the stream was given before.
// resident_join: what the stream is given from now on comes after what they were given; behind
// every fork, whatever has failed since. Neither waits. Cost: a call of the runtime and one more
// for each branch but the first; of the join two for each of those.
result resident_fork(const bigint_ctx *ctx, device_stream stream, unsigned branches);
result resident_join(const bigint_ctx *ctx, device_stream stream, unsigned branches);
// resident_branches_trim gives them back. The context's stream is idle.
void resident_branches_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_BRANCHES_H_
