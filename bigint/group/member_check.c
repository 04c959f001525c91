// member_check.c: see member_check.h. The probability of a miss is core/check.h's: a product in
// blocks is one number.
#include "bigint/group/member_check.h"

#include "bigint/core/check.h"
#include "primitives/words/modarith.h"

// residue: of the own block of a number of n limbs, times the weight of its first limb.
static uint64_t residue(const exchange *x, uint64_t modulus, const uint64_t *p, uint64_t n) {
    const block_range block = block_bounds(n, x->members, x->member);
    const uint64_t limb = mod_pow(2, 64, modulus);
    return mod_mul(check_residue(modulus, p, block.count), mod_pow(limb, block.first, modulus),
                   modulus);
}

// sum: *r = what all members have, modulo `modulus` < 2^61.
static bigint_status sum(exchange *x, uint64_t modulus, uint64_t own, uint64_t *r) {
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    const bigint_status status = exchange_all_gather(x, all, &own, sizeof own);
    *r = 0;
    for (unsigned i = 0; i < x->members && status == BIGINT_OK; i++) {
        *r = (*r + all[i]) % modulus;
    }
    return status;
}

bigint_status member_check_operands(const member *m, member_check *check, const uint64_t *ap,
                                    uint64_t an, const uint64_t *bp, uint64_t bn) {
    exchange *const x = m->exchange;
    uint64_t all[EXCHANGE_MEMBERS_MAX];
    bigint_status status = exchange_all_gather(x, all, &m->ctx->check_modulus, sizeof all[0]);
    if (status == BIGINT_OK) {
        check->modulus = all[0];
        status = sum(x, all[0], residue(x, all[0], ap, an), &check->a);
    }
    return status == BIGINT_OK ? sum(x, all[0], residue(x, all[0], bp, bn), &check->b) : status;
}

bigint_status member_check_product(const member *m, const member_check *check, const uint64_t *rp,
                                   uint64_t rn, bool *right) {
    exchange *const x = m->exchange;
    uint64_t r;
    const bigint_status status = sum(x, check->modulus, residue(x, check->modulus, rp, rn), &r);
    *right = status == BIGINT_OK && r == mod_mul(check->a, check->b, check->modulus);
    return status;
}
