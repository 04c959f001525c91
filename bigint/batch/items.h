// items.h: the items of a batch on the host, on several threads. Internal to bigint/.
#ifndef BIGINT_BATCH_ITEMS_H_
#define BIGINT_BATCH_ITEMS_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// batch_task: computes item i, on the context or on a thread's own context.
typedef bigint_status (*batch_task)(bigint_ctx *ctx, void *arg, uint64_t i);
// batch_items runs task(ctx, arg, i) for all i < count. Each item runs once, or again if a thread
// ran out of memory for it.
// With several threads each gets a context of its own, with a workspace that does not grow:
// `bytes`, an estimate for one item, unless that is 0. If that is too little for some items, or for
// all, item `longest` or another one runs alone, and the others get as much as it took. Items that
// need still more, such as long numbers, run at the end, when the context's threads work on one
// item together. If the cap forbids the workspaces, items run on the context.
// Requires: something of the arena in use. Errors: the status and text of the first item that
// fails; ENOMEM.
// batch_items_need: what it needs for `count` items of which each needs what `item` says.
typedef void (*batch_item_need)(work_need *w, const void *arg);
void batch_items_need(work_need *w, batch_item_need item, const void *arg, uint64_t count,
                      uint64_t bytes);
bigint_status batch_items(bigint_ctx *ctx, const char *who, batch_task task, void *arg,
                          uint64_t count, uint64_t longest, uint64_t bytes);

#endif  // BIGINT_BATCH_ITEMS_H_
