// kept.h: long blocks of host memory that a context on a device keeps when it frees them, for its
// next results: new pages take longer to make than the link takes to fill them. Internal to
// bigint/.
#ifndef BIGINT_CORE_KEPT_H_
#define BIGINT_CORE_KEPT_H_

#include "bigint/core/context.h"

// From KEPT_FROM bytes on blocks of own_allocate begin at a huge page.
enum { KEPT_FROM = 8 << 20 };
// kept_give: keeps the block in place of the smallest one kept, which it frees, and returns true;
// false if the block is not longer than that one, or shorter than KEPT_FROM. The system may take
// the pages of blocks above 128 MiB back when memory is short. Only blocks of own_allocate are
// kept: the allocators of users know what is freed.
bool kept_give(bigint_ctx *ctx, void *p, uint64_t bytes);
// kept_take: a kept block of at least *bytes and not much more, its size in *bytes; NULL if there
// is none.
void *kept_take(bigint_ctx *ctx, uint64_t *bytes);
// kept_free frees all of them.
void kept_free(bigint_ctx *ctx);

#endif  // BIGINT_CORE_KEPT_H_
