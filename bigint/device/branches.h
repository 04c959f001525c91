// branches.h: branches of a context's stream, for launches of a product that are independent of one
// another. Internal to bigint/.
#ifndef BIGINT_DEVICE_BRANCHES_H_
#define BIGINT_DEVICE_BRANCHES_H_

#include "bigint/core/context.h"

// device_branches_need makes this many branches, up to BRANCHES_MOST, including the stream that
// they branch off. Errors: as device_status. device_branch: branch number i of that stream; i = 0
// is the stream itself.
bigint_status device_branches_need(bigint_ctx *ctx, const char *who, unsigned branches);
cuda_stream device_branch(const bigint_ctx *ctx, cuda_stream stream, unsigned i);
// device_fork: later work in the branches waits for earlier work in the stream. device_join: later
// work in the stream waits for the branches; call it after every fork, even after a failure.
// Neither waits on the host. Cost: a call of the runtime and one more for each branch but the
// first; for the join two for each.
result device_fork(const bigint_ctx *ctx, cuda_stream stream, unsigned branches);
result device_join(const bigint_ctx *ctx, cuda_stream stream, unsigned branches);
// device_ahead_fork makes ctx->queue.ahead, a branch whose kernels get multiprocessors before those
// of the stream, and forks it: until device_ahead_join, launches that need not wait for the
// stream's later ones may take it for their stream. Later work in the stream waits for the branch
// then; join after every fork. Errors: as device_status.
bigint_status device_ahead_fork(bigint_ctx *ctx, const char *who);
bigint_status device_ahead_join(bigint_ctx *ctx, const char *who);
// device_branches_trim frees the branches. The context's stream must be idle.
void device_branches_trim(bigint_ctx *ctx);

#endif  // BIGINT_DEVICE_BRANCHES_H_
