// member_block.c: see member_block.h.
#include "bigint/group/member_block.h"

#include <assert.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/device_integer.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"

uint64_t *member_room(member *m, const char *who, bigint *block, uint64_t count,
                      bigint_status *status) {
    if (context_on_device(m->ctx)) {
        *status = device_reserve(m->ctx, who, block, count);
        return *status == BIGINT_OK ? bigint_draft(m->ctx, who, block, count, status) : NULL;
    }
    *status = bigint_reserve(m->ctx, who, block, count > 0 ? count : 1);
    return *status == BIGINT_OK ? block->d_ : NULL;
}

const uint64_t *member_read(member *m, const char *who, const bigint *block, uint64_t count,
                            bigint_status *status) {
    *status = BIGINT_OK;
    if (count == 0) {
        return NULL;
    }
    if (!context_on_device(m->ctx)) {
        assert(block->n_ == count);
        return block->d_;
    }
    uint64_t *const p = arena_take_limbs(m->ctx, who, count);
    if (p == NULL) {
        *status = BIGINT_ENOMEM;
        return NULL;
    }
    const uint64_t n = block->n_ < count ? block->n_ : count;
    const uint64_t *const view = n > 0 ? bigint_view(m->ctx, who, block, n, status) : NULL;
    if (view != NULL) {
        memcpy(p, view, n * sizeof *p);
    }
    memset(p + n, 0, (count - n) * sizeof *p);
    return *status == BIGINT_OK ? p : NULL;
}

bigint_status member_keep(member *m, const char *who, bigint *block, const uint64_t *p,
                          uint64_t count) {
    if (context_on_device(m->ctx)) {
        return bigint_store(m->ctx, who, block, p, count, 1);
    }
    assert(p == block->d_ && count <= block->cap_);
    (void)who, (void)p;
    block->n_ = count;
    block->sign_ = count > 0;
    return BIGINT_OK;
}

bigint_status member_blank(member *m, const char *who, bigint *block, uint64_t count) {
    if (context_on_device(m->ctx) && count > 0) {
        return device_blank(m->ctx, who, block, count);
    }
    const bigint_status status = bigint_reserve(m->ctx, who, block, count);
    block->n_ = status == BIGINT_OK ? count : block->n_;
    return status;
}
