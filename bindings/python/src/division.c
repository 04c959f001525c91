// division.c: quotients rounded in all directions, from the library's, which rounds toward zero.
#include "division.h"

#include "call.h"
#include "convert.h"
#include "operators.h"

// adjust moves the quotient by `step`, -1 or 1, and with it the remainder: r -= step d. q or r may
// be NULL.
static bigint_status adjust(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *d, int step) {
    bigint_status status = BIGINT_OK;
    if (q != NULL) {
        bigint one = BIGINT_INIT;
        status = bigint_set_i64(ctx, &one, step);
        status = status != BIGINT_OK ? status : bigint_add(ctx, q, q, &one);
        bigint_clear(ctx, &one);
    }
    if (r != NULL && status == BIGINT_OK) {
        status = step < 0 ? bigint_add(ctx, r, r, d) : bigint_sub(ctx, r, r, d);
    }
    return status;
}

bigint_status division_run(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d,
                           int rounding) {
    int a_sign = 0, d_sign = 0;
    bigint_status status = bigint_sign(ctx, &a_sign, a);
    status = status != BIGINT_OK ? status : bigint_sign(ctx, &d_sign, d);
    // Toward zero is up for a negative quotient and down for a positive one.
    const int step = rounding == -a_sign * d_sign ? 0 : rounding;
    if (status != BIGINT_OK || step == 0) {
        return status != BIGINT_OK ? status : bigint_divrem(ctx, q, r, a, d);
    }
    bigint rest = BIGINT_INIT;
    bigint *remainder = r != NULL ? r : &rest;
    int sign = 0;
    status = bigint_divrem(ctx, q, remainder, a, d);
    status = status != BIGINT_OK ? status : bigint_sign(ctx, &sign, remainder);
    if (status == BIGINT_OK && sign != 0) {
        status = adjust(ctx, q, r, d, step);
    }
    bigint_clear(ctx, &rest);
    return status;
}

// The quotient in out[0], the remainder in the next; k: what; answer: the rounding.
static bigint_status run_division(bigint_ctx *ctx, call *c) {
    bigint *q = c->k & DIVISION_QUOTIENT ? &c->out[0]->value : NULL;
    bigint *r = c->k & DIVISION_REMAINDER ? &c->out[q != NULL]->value : NULL;
    return division_run(ctx, q, r, &c->in[0]->value, &c->in[1]->value, (int)c->answer);
}

PyObject *division(number *a, number *d, int rounding, int what) {
    call c = {.run = run_division, .in = {a, d}, .k = (uint64_t)what, .answer = rounding};
    const int zero = operators_zero(d);
    if (zero != 0) {
        if (zero > 0) {
            PyErr_SetString(PyExc_ZeroDivisionError, "integer division or modulo by zero");
        }
        call_end(&c);
        return NULL;
    }
    c.effort = 2.0 * (double)number_limbs(a);
    return what == DIVISION_BOTH ? call_tuple(&c, 2) : call_number(&c);
}
