// member_operand.c: see member_operand.h.
#include "bigint/group/member_operand.h"

#include <string.h>

#include "bigint/core/arena.h"
#include "bigint/group/exchange/spread.h"
#include "bigint/group/group_integer.h"

// same_blocks: whether blocks begin at the same limbs, so that none has to move.
static bool same_blocks(const member *m, const member_operand *o) {
    const unsigned members = m->exchange->members;
    return block_length(o->x->n_, members) == block_length(o->n, members);
}

bigint_status member_operand_take(member *m, const char *who, member_operand *o, const bigint *x,
                                  uint64_t n) {
    bigint_status status;
    const uint64_t count = group_block(m, n).count;
    *o = (member_operand){.x = x, .n = n, .own = group_read(m, who, x, &status)};
    o->p = o->own;
    if (status == BIGINT_OK && (!same_blocks(m, o) || group_block(m, x->n_).count < count)) {
        o->fetched = arena_take_limbs(m->ctx, who, count);
        o->p = o->fetched;
        status = o->fetched == NULL ? BIGINT_ENOMEM : BIGINT_OK;
    }
    return status;
}

bigint_status member_operand_fetch(member *m, member_operand *o) {
    if (!same_blocks(m, o)) {
        const spread want = {.n = o->n}, have = {.n = o->x->n_};
        return member_fetch(m, o->fetched, &want, o->own, &have);
    }
    if (o->fetched != NULL) {
        const uint64_t count = group_block(m, o->n).count, n = group_block(m, o->x->n_).count;
        if (n > 0) {
            memcpy(o->fetched, o->own, n * sizeof *o->own);
        }
        memset(o->fetched + n, 0, (count - n) * sizeof *o->own);
    }
    return BIGINT_OK;
}
