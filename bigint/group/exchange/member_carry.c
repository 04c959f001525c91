// member_carry.c: see member_carry.h.
#include "bigint/group/exchange/member_carry.h"

#include <assert.h>

bigint_status member_carry_in(exchange *x, uint64_t generate, bool propagate, uint64_t *in,
                              uint64_t *out) {
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    const uint64_t own = generate | (uint64_t)propagate << 1;
    assert(generate <= 1 && !(generate == 1 && propagate));
    _Static_assert(sizeof own == MEMBER_CARRY_BYTES, "what the plans count");
    if (exchange_all_gather(x, all, &own, sizeof own) != BIGINT_OK) {
        return BIGINT_EPEER;
    }
    uint64_t carry = 0;
    for (unsigned i = 0; i < x->members; i++) {
        if (i == x->member) {
            *in = carry;
        }
        carry = (all[i] & 1) | (all[i] >> 1 & carry);
    }
    *out = carry;
    return BIGINT_OK;
}
