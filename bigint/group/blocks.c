// blocks.c: the public calls on the blocks of a group's integers.
#include <limits.h>
#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/core/integer.h"
#include "bigint/core/limbs.h"
#include "bigint/group/group.h"
#include "bigint/group/group_integer.h"

unsigned bigint_group_members(const bigint_ctx *ctx) {
    return ctx->group == NULL ? 0 : ctx->group->members;
}

// check_member: that the context is on a group that has this member, here if `here`.
static bigint_status check_member(bigint_ctx *ctx, const char *who, const bigint *x,
                                  unsigned number, bool here) {
    const bigint_status status = bigint_check_places(ctx, who, x, NULL, NULL);
    if (status != BIGINT_OK) {
        return status;
    }
    if (!context_on_group(ctx)) {
        return bigint_fail(ctx, BIGINT_EINVAL,
                           "%s: the context works on place %d, not on a group; "
                           "bigint_device_open_group opens one",
                           who, ctx->device.place);
    }
    if (number >= ctx->group->members) {
        return bigint_fail(ctx, BIGINT_EINVAL, "%s: member %u of a group of %u", who, number,
                           ctx->group->members);
    }
    return !here || group_here(ctx->group, number) != UINT_MAX
               ? BIGINT_OK
               : bigint_fail(ctx, BIGINT_EINVAL,
                             "%s: member %u is in another process; members %u to %u are here", who,
                             number, ctx->group->first, ctx->group->first + ctx->group->local - 1);
}

bigint_status bigint_block(bigint_ctx *ctx, uint64_t n, unsigned number, uint64_t *first,
                           uint64_t *count) {
    bigint_status status = check_member(ctx, "bigint_block", NULL, number, false);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, "bigint_block", n);
    }
    if (status == BIGINT_OK) {
        const block_range b = block_bounds(n, ctx->group->members, number);
        *first = b.first;
        *count = b.count;
    }
    return status;
}

// write_block: the block of r, a number of n limbs, at a seat gets its room; then, if write, it
// becomes p, or 0 for p NULL.
static bigint_status write_block(bigint_ctx *ctx, unsigned seat, bigint *r, uint64_t n,
                                 const bigint_limb *p, bool write) {
    const char *const who = "bigint_set_block";
    member *const m = &ctx->group->seats[seat].self;
    const uint64_t count = group_block(m, n).count;
    const arena_mark mark = arena_get_mark(m->ctx);
    bigint_status status;
    uint64_t *const to = group_room(m, who, r, n, &status);
    if (status == BIGINT_OK && write) {
        if (p != NULL) {
            memcpy(to, p, count * sizeof *to);
        } else {
            memset(to, 0, count * sizeof *to);
        }
        status = group_keep(m, who, r, n, to);
    }
    arena_release(m->ctx, mark);
    return status == BIGINT_OK ? status : bigint_fail(ctx, status, "%s", bigint_ctx_error(m->ctx));
}

// set_blocks: r becomes a number of n limbs whose block at a seat is p. Another length makes the
// other blocks 0: all get their room before the first is written.
static bigint_status set_blocks(bigint_ctx *ctx, bigint *r, uint64_t n, unsigned seat,
                                const bigint_limb *p) {
    const unsigned local = ctx->group->local;
    bigint_status status = BIGINT_OK;
    if (r->n_ == n && p != NULL) {
        status = write_block(ctx, seat, r, n, p, true);
    }
    for (unsigned i = 0; r->n_ != n && i < 2 * local && status == BIGINT_OK; i++) {
        status = write_block(ctx, i % local, r, n, i % local == seat ? p : NULL, i >= local);
    }
    if (status == BIGINT_OK && p == NULL) {
        status = group_blank(&ctx->group->seats[seat].self, "bigint_set_block", r, n);
    }
    return status;
}

bigint_status bigint_set_block(bigint_ctx *ctx, bigint *r, unsigned number, const bigint_limb *p,
                               uint64_t n_total, int sign) {
    const char *who = "bigint_set_block";
    bigint_status status = check_member(ctx, who, r, number, true);
    if (status == BIGINT_OK) {
        status = bigint_check_size(ctx, who, n_total);
    }
    if (status == BIGINT_OK && n_total > 0) {
        status = group_table(ctx, who, r);
        if (status == BIGINT_OK) {
            status = set_blocks(ctx, r, n_total, group_here(ctx->group, number), p);
        }
    }
    if (status == BIGINT_OK) {
        group_settle(r, n_total, 64 * n_total, sign);
    }
    return status;
}

// read_block: {p, count} = a's block at a seat.
static bigint_status read_block(bigint_ctx *ctx, const char *who, unsigned seat, bigint_limb *p,
                                const bigint *a, uint64_t count) {
    member *const m = &ctx->group->seats[seat].self;
    const arena_mark mark = arena_get_mark(m->ctx);
    bigint_status status;
    const uint64_t *const from = group_read(m, who, a, &status);
    if (status == BIGINT_OK && count > 0) {
        memcpy(p, from, count * sizeof *p);
    }
    arena_release(m->ctx, mark);
    return status == BIGINT_OK ? status : bigint_fail(ctx, status, "%s", bigint_ctx_error(m->ctx));
}

bigint_status bigint_get_block(bigint_ctx *ctx, unsigned number, bigint_limb *p, uint64_t cap,
                               uint64_t *need, const bigint *a) {
    const char *who = "bigint_get_block";
    bigint_status status = check_member(ctx, who, a, number, true);
    if (status != BIGINT_OK) {
        return status;
    }
    const uint64_t count = block_bounds(a->n_, ctx->group->members, number).count;
    if (need != NULL) {
        *need = count;
    }
    status = bigint_check_capacity(ctx, who, "limbs", cap, count);
    return status != BIGINT_OK ? status
                               : read_block(ctx, who, group_here(ctx->group, number), p, a, count);
}

bigint_limb *bigint_block_limbs(const bigint *x, unsigned number) {
    const group_limbs *const limbs = group_limbs_of(x);
    if (x->place_ - 1 != BIGINT_GROUP || x->n_ == 0 || number < limbs->first ||
        number - limbs->first >= limbs->local) {
        return NULL;
    }
    const bigint *const block = &limbs->blocks[number - limbs->first];
    return block->n_ == 0 ? NULL : block->d_;
}
