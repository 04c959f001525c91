// power.c: x ** y and pow(x, y, m).
#include <math.h>

#include "call.h"
#include "convert.h"
#include "operators.h"

// The binary method, from the top bit of k >= 1. out[0] is none of the operands.
static bigint_status run_power(bigint_ctx *ctx, call *c) {
    bigint *r = &c->out[0]->value;
    bigint_status status = bigint_set(ctx, r, &c->in[0]->value);
    for (int bit = 62 - __builtin_clzll(c->k); bit >= 0 && status == BIGINT_OK; bit--) {
        status = bigint_sqr(ctx, r, r);
        if (status == BIGINT_OK && (c->k >> bit & 1) != 0) {
            status = bigint_mul(ctx, r, r, &c->in[0]->value);
        }
    }
    return status;
}

// is_unit: whether x is -1, 0 or 1, on the host; these have powers of any size.
static bool is_unit(const number *x) {
    const uint64_t n = number_limbs(x);
    return x->home == NULL && (n == 0 || (n == 1 && bigint_limbs_read(&x->value)[0] == 1));
}

// power drops x and y.
static PyObject *power(number *x, number *y) {
    if (y->home == NULL && number_sign(y) < 0) {
        PyObject *base = operators_float((PyObject *)x), *exponent = operators_float((PyObject *)y);
        PyObject *result =
            base == NULL || exponent == NULL ? NULL : PyNumber_Power(base, exponent, Py_None);
        object_drop(base);
        object_drop(exponent);
        object_drop(x);
        object_drop(y);
        return result;
    }
    call c = {.run = run_power, .in = {x}};
    const int large = convert_count((PyObject *)y, &c.k, PyExc_ValueError);
    if (large >= 0 && is_unit(x)) {  // only the parity counts
        const bool odd = number_limbs(y) > 0 && (bigint_limbs_read(&y->value)[0] & 1) != 0;
        c.k = c.k == 0 ? 0 : 2 - (uint64_t)odd;
    } else if (large > 0) {
        PyErr_SetString(PyExc_OverflowError, "the power would not fit in memory");
    }
    object_drop(y);
    if (large < 0 || PyErr_Occurred() || c.k == 0) {
        call_end(&c);
        return PyErr_Occurred() ? NULL : (PyObject *)number_from_i64(1);
    }
    c.effort = 2.0 * (double)number_limbs(x) * (double)c.k;
    return call_number(&c);
}

// 0 <= r < |m| from the library; Python's has the modulus's sign.
static bigint_status run_power_modulo(bigint_ctx *ctx, call *c) {
    bigint *r = &c->out[0]->value;
    const bigint *m = &c->in[2]->value;
    int sign = 0, m_sign = 0;
    bigint_status status = bigint_powm(ctx, r, &c->in[0]->value, &c->in[1]->value, m);
    status = status != BIGINT_OK ? status : bigint_sign(ctx, &m_sign, m);
    if (status == BIGINT_OK && m_sign < 0) {
        status = bigint_sign(ctx, &sign, r);
        status = status != BIGINT_OK || sign == 0 ? status : bigint_add(ctx, r, r, m);
    }
    return status;
}

// --- Inverses ------------------------------------------------------------------------------------

// answer: whether there is an inverse.
static bigint_status run_inverse(bigint_ctx *ctx, call *c) {
    int exists = 0;
    const bigint_status status =
        bigint_invert(ctx, &exists, &c->out[0]->value, &c->in[0]->value, &c->in[1]->value);
    c->answer = exists;
    return status;
}

number *power_inverse(number *a, number *m) {
    call c = {.run = run_inverse, .in = {number_host(a), number_host(m)}, .out = {number_new()}};
    const double n = (double)number_limbs(m);
    c.effort = 2 * n * log2(n + 2);
    number *result = NULL;
    if (c.in[0] != NULL && c.in[1] != NULL && c.out[0] != NULL && call_run(&c) == 0) {
        if (c.answer != 0) {
            result = c.out[0];
            c.out[0] = NULL;
        } else {
            PyErr_SetString(PyExc_ZeroDivisionError, "the number has no inverse");
        }
    }
    call_end(&c);
    return result;
}

// -------------------------------------------------------------------------------------------------

// power_of_inverse: in[0]^in[1] mod in[2] for in[1] < 0 becomes that of the inverse. As in int, a
// base without one is a ValueError.
static int power_of_inverse(call *c) {
    number *inverse = power_inverse(c->in[0], c->in[2]);
    if (inverse == NULL) {
        if (PyErr_ExceptionMatches(PyExc_ZeroDivisionError)) {
            PyErr_SetString(PyExc_ValueError, "base is not invertible for the given modulus");
        }
        return -1;
    }
    object_replace((PyObject **)&c->in[0], inverse);
    object_replace((PyObject **)&c->in[1], operators_negative((PyObject *)c->in[1]));
    return c->in[1] == NULL ? -1 : 0;
}

// plain: x ** y.
static PyObject *plain(PyObject *x, PyObject *y) { return PyNumber_Power(x, y, Py_None); }

PyObject *operators_power(PyObject *x, PyObject *y, PyObject *modulus) {
    number *a = convert_operand(x), *b = a == NULL ? NULL : convert_operand(y);
    if (b == NULL) {
        object_drop(a);
        return modulus == Py_None ? operators_mixed(x, y, plain) : operators_refused();
    }
    if (modulus == Py_None) {
        return power(a, b);
    }
    call c = {.run = run_power_modulo, .in = {a, b, convert_operand(modulus)}};
    if (c.in[2] == NULL) {
        call_end(&c);
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented);
    }
    const int zero = operators_zero(c.in[2]);
    if (zero > 0) {
        PyErr_SetString(PyExc_ValueError, "pow() 3rd argument cannot be 0");
    }
    if (zero != 0 || (b->home == NULL && number_sign(b) < 0 && power_of_inverse(&c) < 0)) {
        call_end(&c);
        return NULL;
    }
    const double n = (double)number_limbs(c.in[2]);
    c.effort = 64.0 * 1.2 * (double)number_limbs(c.in[1]) * n;
    return call_number(&c);
}
