// operators.c: sums, products, quotients, shifts and comparisons. Powers are in power.c.
#include "operators.h"

#include "call.h"
#include "convert.h"
#include "division.h"
#include "shared.h"
#include "short.h"

// Limbs of linear work that cost as much as one of a product.
static const double LINEAR = 1.0 / 64;

PyObject *operators_refused(void) { return PyErr_Occurred() ? NULL : Py_NewRef(Py_NotImplemented); }

// of_rational: x op y for an mpz y, as for an int, if x is a fraction, which knows y's type only
// from the right.
static PyObject *of_rational(PyObject *x, PyObject *y, binaryfunc op) {
    const int rational = number_check(x) ? 0 : PyObject_IsInstance(x, shared.rational);
    PyObject *integer = rational > 0 ? convert_to_int(y) : NULL;
    PyObject *result = integer == NULL ? operators_refused() : op(x, integer);
    object_drop(integer);
    return result;
}

PyObject *operators_mixed(PyObject *x, PyObject *y, binaryfunc op) {
    if (PyErr_Occurred()) {
        return NULL;
    }
    PyObject *other = number_check(x) ? y : x;
    if (!PyFloat_Check(other) && !PyComplex_Check(other)) {
        return of_rational(x, y, op);
    }
    PyObject *ours = operators_float(number_check(x) ? x : y);
    PyObject *result = ours == NULL ? NULL : number_check(x) ? op(ours, y) : op(x, ours);
    object_drop(ours);
    return result;
}

// binary: op on x and y, if both are integers; weight: of their limbs, for the effort.
static PyObject *binary(PyObject *x, PyObject *y, short_binary op, double weight,
                        binaryfunc other) {
    PyObject *result = short_of_two(x, y, op);
    if (result != NULL) {
        return result;
    }
    call c = {.run = call_binary, .binary = op, .in = {convert_operand(x), convert_operand(y)}};
    if (c.in[0] == NULL || c.in[1] == NULL) {
        call_end(&c);
        return operators_mixed(x, y, other);
    }
    c.effort = weight * (double)(number_limbs(c.in[0]) + number_limbs(c.in[1]));
    return call_number(&c);
}

// --- Sums, products, quotients -------------------------------------------------------------------

PyObject *operators_add(PyObject *x, PyObject *y) {
    return binary(x, y, bigint_add, LINEAR, PyNumber_Add);
}
PyObject *operators_subtract(PyObject *x, PyObject *y) {
    return binary(x, y, bigint_sub, LINEAR, PyNumber_Subtract);
}
PyObject *operators_multiply(PyObject *x, PyObject *y) {
    return binary(x, y, bigint_mul, 0.5, PyNumber_Multiply);
}

static bigint_status floor_quotient(bigint_ctx *ctx, bigint *q, const bigint *a, const bigint *d) {
    return bigint_fdiv(ctx, q, NULL, a, d);
}
static bigint_status floor_remainder(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *d) {
    return bigint_fdiv(ctx, NULL, r, a, d);
}

// divide: the parts of x / y rounded down; what: DIVISION_QUOTIENT or the like.
static PyObject *divide(PyObject *x, PyObject *y, int what, binaryfunc other) {
    number *a = convert_operand(x), *d = a == NULL ? NULL : convert_operand(y);
    if (d == NULL) {
        object_drop(a);
        return operators_mixed(x, y, other);
    }
    return division(a, d, DIVISION_FLOOR, what);
}

PyObject *operators_floor_divide(PyObject *x, PyObject *y) {
    PyObject *q = short_of_two(x, y, floor_quotient);
    return q != NULL ? q : divide(x, y, DIVISION_QUOTIENT, PyNumber_FloorDivide);
}
PyObject *operators_remainder(PyObject *x, PyObject *y) {
    PyObject *r = short_of_two(x, y, floor_remainder);
    return r != NULL ? r : divide(x, y, DIVISION_REMAINDER, PyNumber_Remainder);
}
PyObject *operators_divmod(PyObject *x, PyObject *y) {
    return divide(x, y, DIVISION_BOTH, PyNumber_Divmod);
}

// A float, rounded once, as int has it.
PyObject *operators_true_divide(PyObject *x, PyObject *y) {
    PyObject *a = number_check(x) ? convert_to_int(x) : Py_NewRef(x);
    PyObject *b = a == NULL ? NULL : number_check(y) ? convert_to_int(y) : Py_NewRef(y);
    PyObject *result = b == NULL ? NULL : PyNumber_TrueDivide(a, b);
    object_drop(a);
    object_drop(b);
    return result;
}

// --- Shifts --------------------------------------------------------------------------------------

// right: rounded down: ((a + 1) / 2^k) - 1 for a < 0, with the quotient rounded toward zero.
static bigint_status right(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t k) {
    int sign = 0;
    bigint_status status = bigint_sign(ctx, &sign, a);
    if (status != BIGINT_OK || sign >= 0) {
        return status != BIGINT_OK ? status : bigint_tdiv_2exp(ctx, r, a, k);
    }
    bigint one = BIGINT_INIT;
    status = bigint_set_u64(ctx, &one, 1);
    status = status != BIGINT_OK ? status : bigint_add(ctx, r, a, &one);
    status = status != BIGINT_OK ? status : bigint_tdiv_2exp(ctx, r, r, k);
    status = status != BIGINT_OK ? status : bigint_sub(ctx, r, r, &one);
    bigint_clear(ctx, &one);
    return status;
}

static PyObject *shift(PyObject *x, PyObject *y, short_counted op) {
    PyObject *result = short_of_count(x, y, op);
    if (result != NULL) {
        return result;
    }
    number *a = convert_operand(x);
    if (a == NULL || !(number_check(y) || PyLong_Check(y))) {
        object_drop(a);
        return operators_refused();
    }
    call c = {.run = call_counted, .counted = op, .in = {a}};
    if (convert_count(y, &c.k, PyExc_ValueError) < 0) {
        call_end(&c);
        return NULL;
    }
    c.effort = LINEAR * (double)number_limbs(a);
    if (op == bigint_mul_2exp) {
        c.effort += LINEAR * (double)(c.k / 64);
    }
    return call_number(&c);
}

PyObject *operators_left_shift(PyObject *x, PyObject *y) { return shift(x, y, bigint_mul_2exp); }
PyObject *operators_right_shift(PyObject *x, PyObject *y) { return shift(x, y, right); }

// --- One operand ---------------------------------------------------------------------------------

// complement: ~a = -(a + 1).
static bigint_status complement(bigint_ctx *ctx, bigint *r, const bigint *a) {
    bigint one = BIGINT_INIT;
    bigint_status status = bigint_set_u64(ctx, &one, 1);
    status = status != BIGINT_OK ? status : bigint_add(ctx, r, a, &one);
    status = status != BIGINT_OK ? status : bigint_neg(ctx, r, r);
    bigint_clear(ctx, &one);
    return status;
}

static PyObject *unary(PyObject *x, short_unary op) {
    PyObject *result = short_of_one(x, op);
    if (result != NULL) {
        return result;
    }
    call c = {.run = call_unary, .unary = op, .in = {(number *)x}};
    object_hold(x);
    c.effort = LINEAR * (double)number_limbs(c.in[0]);
    return call_number(&c);
}

PyObject *operators_negative(PyObject *x) { return unary(x, bigint_neg); }
PyObject *operators_absolute(PyObject *x) {
    const number *n = (const number *)x;
    return n->home == NULL && number_sign(n) >= 0 ? Py_NewRef(x) : unary(x, bigint_abs);
}
PyObject *operators_invert(PyObject *x) { return unary(x, complement); }
PyObject *operators_positive(PyObject *x) { return Py_NewRef(x); }

static bigint_status run_sign(bigint_ctx *ctx, call *c) {
    int sign = 0;
    const bigint_status status = bigint_sign(ctx, &sign, &c->in[0]->value);
    c->answer = sign;
    return status;
}

int operators_zero(number *x) {
    if (x->home == NULL) {
        return number_limbs(x) == 0;
    }
    call c = {.run = run_sign, .in = {x}};
    int64_t sign;
    object_hold(x);
    return call_answer(&c, &sign) < 0 ? -1 : sign == 0;
}

int operators_bool(PyObject *x) {
    const int zero = operators_zero((number *)x);
    return zero < 0 ? -1 : !zero;
}

PyObject *operators_float(PyObject *x) {
    PyObject *integer = convert_to_int(x);
    PyObject *result = integer == NULL ? NULL : PyNumber_Float(integer);
    object_drop(integer);
    return result;
}

// --- Comparisons and hash ------------------------------------------------------------------------

static bigint_status run_compare(bigint_ctx *ctx, call *c) {
    int order = 0;
    const bigint_status status = bigint_cmp(ctx, &order, &c->in[0]->value, &c->in[1]->value);
    c->answer = order;
    return status;
}

// compare: *order of x, an mpz, and y. 1 if y is another type's.
static int compare(PyObject *x, PyObject *y, int *order) {
    if (short_compare(x, y, order)) {
        return 0;
    }
    call c = {.run = run_compare, .in = {(number *)x, convert_operand(y)}};
    if (c.in[1] == NULL) {
        return PyErr_Occurred() ? -1 : 1;
    }
    int64_t answer;
    object_hold(x);
    c.effort = LINEAR * (double)number_limbs(c.in[0]);
    const int result = call_answer(&c, &answer);
    *order = (int)answer;
    return result;
}

PyObject *operators_compare(PyObject *x, PyObject *y, int op) {
    int order;
    const int status = compare(x, y, &order);
    if (status < 0 || (status > 0 && !PyFloat_Check(y))) {
        return status < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    if (status > 0) {  // int compares with floats exactly
        PyObject *integer = convert_to_int(x);
        PyObject *result = integer == NULL ? NULL : PyObject_RichCompare(integer, y, op);
        object_drop(integer);
        return result;
    }
    Py_RETURN_RICHCOMPARE(order, 0, op);
}

// residue: int's hash before its last step: the value mod 2^61 - 1, with its sign. 2^64 = 8 there.
static Py_hash_t residue(const number *x) {
    const uint64_t prime = (UINT64_C(1) << 61) - 1;
    const bigint_limb *p = bigint_limbs_read(&x->value);
    uint64_t h = 0;
    for (uint64_t i = number_limbs(x); i-- > 0;) {
        h = ((h << 3) & prime) + (h >> 58) + (p[i] & prime) + (p[i] >> 61);  // below 2^62 + 2^4
        h = (h & prime) + (h >> 61);                                         // at most prime + 2
        h = h >= prime ? h - prime : h;
    }
    return number_sign(x) < 0 ? -(Py_hash_t)h : (Py_hash_t)h;
}

Py_hash_t operators_hash(PyObject *self) {
    number *x = (number *)self;
    if (x->hash == -1) {
        number *on_host = number_host(x);
        if (on_host == NULL) {
            return -1;
        }
        const Py_hash_t hash = residue(on_host);
        object_drop(on_host);
        x->hash = hash == -1 ? -2 : hash;
    }
    return x->hash;
}
