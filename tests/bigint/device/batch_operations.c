// batch_operations.c: see batch_operations.h.
#include "tests/bigint/device/batch_operations.h"

#include <string.h>

#include "bigint/core/context.h"
#include "tests/ctest/ctest.h"

enum { ROWS = 80 };

// batch runs a call on {rp, ROWS} in device memory, which are all ones and stay so where it is
// refused.
static bigint_status batch(operands *s, bigint_status (*call)(operands *, uint64_t *rp)) {
    uint64_t ones[ROWS], got[ROWS];
    memset(ones, 0xff, sizeof ones);
    bigint r = BIGINT_INIT;
    bigint_status status = bigint_set_limbs(s->ctx, &r, ones, ROWS, 1);
    if (status == BIGINT_OK) {
        status = call(s, r.d_);
        if (status == BIGINT_ENOMEM) {
            s->ctx->options.max_workspace_bytes = 0;  // of CapOfEveryCall
            EXPECT_EQ(bigint_get_limbs(s->ctx, got, ROWS, NULL, NULL, &r), BIGINT_OK);
            EXPECT_LIMBS_EQ(got, ones, ROWS);
        }
    }
    bigint_clear(s->ctx, &r);
    return status;
}
static bigint_span rows(uint64_t *p, uint64_t n, uint64_t stride) {
    return (bigint_span){.p = p, .n = n, .stride = stride, .count = 2};
}
static bigint_status mul_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 20, 20), b = rows(s->b.d_, 15, 15), r = rows(rp, 38, 39);
    return bigint_mul_batch(s->ctx, &r, &a, &b);
}
static bigint_status ragged_rows(operands *s, uint64_t *rp) {
    const uint64_t lengths[] = {20, 3}, offsets[] = {40, 0};
    bigint_span a = rows(s->a.d_, 20, 20), b = rows(s->b.d_, 15, 15), r = rows(rp, 38, 0);
    a.lengths = lengths, r.offsets = offsets;
    return bigint_mul_batch(s->ctx, &r, &a, &b);
}
static bigint_status residue_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 20, 20), b = rows(s->b.d_, 15, 15), r = rows(rp, 38, 39);
    return bigint_mul_mod_2exp_plus1_batch(s->ctx, &r, &a, &b, 64 * 19 + 5);
}
static bigint_status powm_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 5, 5), e = rows(s->e.d_, 1, 0), m = rows(s->m.d_, 3, 0),
                      r = rows(rp, 3, 4);
    return bigint_powm_batch(s->ctx, &r, &a, &e, &m);
}
static bigint_status mulmod_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 5, 5), b = rows(s->b.d_, 2, 2), m = rows(s->m.d_, 3, 0),
                      r = rows(rp, 3, 4);
    return bigint_mulmod_batch(s->ctx, &r, &a, &b, &m);
}
static bigint_status sqrmod_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 5, 5), m = rows(s->m.d_, 3, 0), r = rows(rp, 3, 4);
    return bigint_sqrmod_batch(s->ctx, &r, &a, &m);
}
static bigint_status invmod_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 2, 2), m = rows(s->m.d_, 3, 0), r = rows(rp, 3, 4);
    return bigint_invmod_batch(s->ctx, &r, &a, &m);
}
static bigint_status divrem_rows(operands *s, uint64_t *rp) {
    const bigint_span a = rows(s->a.d_, 5, 5), d = rows(s->m.d_, 3, 0), q = rows(rp, 5, 6),
                      r = rows(rp + 20, 3, 4);
    return bigint_divrem_batch(s->ctx, &q, &r, &a, &d);
}
bigint_status operation_mul_batch(operands *s) { return batch(s, mul_rows); }
bigint_status operation_ragged_batch(operands *s) { return batch(s, ragged_rows); }
bigint_status operation_residue_batch(operands *s) { return batch(s, residue_rows); }
bigint_status operation_powm_batch(operands *s) { return batch(s, powm_rows); }
bigint_status operation_mulmod_batch(operands *s) { return batch(s, mulmod_rows); }
bigint_status operation_sqrmod_batch(operands *s) { return batch(s, sqrmod_rows); }
bigint_status operation_invmod_batch(operands *s) { return batch(s, invmod_rows); }
bigint_status operation_divrem_batch(operands *s) { return batch(s, divrem_rows); }
