// items.h: the items of a batch on the host, on several threads. Internal to bigint/.
#ifndef BIGINT_BATCH_ITEMS_H_
#define BIGINT_BATCH_ITEMS_H_

#include "bigint/core/context.h"

// batch_task: item i, on the context or on one of its thread's own.
typedef bigint_status (*batch_task)(bigint_ctx *ctx, void *arg, uint64_t i);
// batch_items runs task(ctx, arg, i) for all i < count, each once or, where it fails for want of
// memory on a thread, again. With several threads each gets a context of its own with a workspace
// that does not grow: of `bytes`, what an item is thought to take, if that is not 0. Of what that
// is too little for, or of all, item `longest` or another is run alone, and the others with as much
// as it took; what does not do with that, as long numbers do not, is left for the end, when the
// context's threads help each other. Where the cap forbids that, items run on the context.
// Requires: something of the arena in use. Errors: the status of the first item that fails, and its
// text; ENOMEM.
bigint_status batch_items(bigint_ctx *ctx, const char *who, batch_task task, void *arg,
                          uint64_t count, uint64_t longest, uint64_t bytes);

#endif  // BIGINT_BATCH_ITEMS_H_
