// spread.c: see spread.h.
#include "bigint/group/exchange/spread.h"

#include <assert.h>
#include <string.h>

block_range spread_of(const spread *s, unsigned members, unsigned number) {
    if (s->every > 0) {
        return (block_range){s->at, number % s->every == 0 ? s->n : 0};
    }
    const block_range b = block_bounds(s->n, members, number);
    return (block_range){s->at + b.first, b.count > 0 ? b.count + s->more : 0};
}

bigint_status member_fetch(member *m, uint64_t *to, const spread *want, const uint64_t *own,
                           const spread *have) {
    assert(have->every == 0 && have->more == 0);
    exchange *const x = m->exchange;
    exchange_block send[EXCHANGE_MEMBERS_MAX], receive[EXCHANGE_MEMBERS_MAX];
    const block_range mine = spread_of(have, x->members, x->member);
    const block_range wanted = spread_of(want, x->members, x->member);
    if (wanted.count > 0) {
        memset(to, 0, wanted.count * sizeof *to);
    }
    for (unsigned i = 0; i < x->members; i++) {
        const block_range out = block_common(mine, spread_of(want, x->members, i));
        const block_range in = block_common(spread_of(have, x->members, i), wanted);
        send[i] = out.count == 0
                      ? exchange_bytes(NULL, 0)
                      : exchange_bytes(own + (out.first - mine.first), out.count * sizeof *own);
        receive[i] = in.count == 0
                         ? exchange_bytes(NULL, 0)
                         : exchange_bytes(to + (in.first - wanted.first), in.count * sizeof *to);
    }
    return exchange_all_to_all(x, send, receive);
}
