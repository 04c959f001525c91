// bits.c: and, or, xor, and questions about bits.
#include "bits.h"

#include <stdlib.h>

#include "call.h"
#include "convert.h"
#include "operators.h"

// digits: the limbs of a number in two's complement, one after the other: -m is ~(m - 1).
typedef struct {
    const bigint_limb *p;
    uint64_t n, i;
    bigint_limb ones;  // all ones if the number is negative
    bigint_limb borrow;
} digits;

static digits digits_of(const bigint *x, int sign) {
    return (digits){.p = bigint_limbs_read(x),
                    .n = bigint_limbs_bound(x),
                    .ones = sign < 0 ? ~UINT64_C(0) : 0,
                    .borrow = sign < 0};
}

static bigint_limb next(digits *d) {
    const bigint_limb limb = d->i < d->n ? d->p[d->i] : 0;
    const bigint_limb rest = limb - d->borrow;
    d->i++;
    d->borrow = limb < d->borrow;
    return rest ^ d->ones;
}

static bigint_limb combine(int op, bigint_limb x, bigint_limb y) {
    return op == '&' ? x & y : op == '|' ? x | y : x ^ y;
}

// combined: r = a op b.
static bigint_status combined(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b,
                              int op) {
    int a_sign = 0, b_sign = 0;
    bigint_status status = bigint_sign(ctx, &a_sign, a);
    status = status != BIGINT_OK ? status : bigint_sign(ctx, &b_sign, b);
    if (status != BIGINT_OK) {
        return status;
    }
    digits x = digits_of(a, a_sign), y = digits_of(b, b_sign);
    const bigint_limb ones = combine(op, x.ones, y.ones);  // of the result
    const uint64_t n = (x.n > y.n ? x.n : y.n) + 1;        // -2^(64 k) has k + 1 limbs
    bigint_limb few[65], *p = n <= 65 ? few : malloc(n * sizeof *p);
    if (p == NULL) {
        return BIGINT_ENOMEM;
    }
    bigint_limb carry = ones & 1;
    for (uint64_t i = 0; i < n; i++) {
        p[i] = (combine(op, next(&x), next(&y)) ^ ones) + carry;
        carry = p[i] < carry;
    }
    status = bigint_set_limbs(ctx, r, p, n, ones != 0 ? -1 : 1);
    if (p != few) {
        free(p);
    }
    return status;
}

static bigint_status op_and(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combined(ctx, r, a, b, '&');
}
static bigint_status op_or(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combined(ctx, r, a, b, '|');
}
static bigint_status op_xor(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b) {
    return combined(ctx, r, a, b, '^');
}

// on_host replaces *x by a copy on the host; NULL stays.
static void on_host(number **x) {
    if (*x != NULL) {
        object_replace((PyObject **)x, number_host(*x));
    }
}

static PyObject *binary(PyObject *x, PyObject *y, short_binary op, binaryfunc other) {
    PyObject *result = short_of_two(x, y, op);
    if (result != NULL) {
        return result;
    }
    call c = {.run = call_binary, .binary = op, .in = {convert_operand(x), convert_operand(y)}};
    const bool integers = c.in[0] != NULL && c.in[1] != NULL;
    on_host(&c.in[0]);
    on_host(&c.in[1]);
    if (c.in[0] == NULL || c.in[1] == NULL) {
        call_end(&c);
        return integers ? NULL : operators_mixed(x, y, other);
    }
    return call_number(&c);
}

PyObject *bits_and(PyObject *x, PyObject *y) { return binary(x, y, op_and, PyNumber_And); }
PyObject *bits_or(PyObject *x, PyObject *y) { return binary(x, y, op_or, PyNumber_Or); }
PyObject *bits_xor(PyObject *x, PyObject *y) { return binary(x, y, op_xor, PyNumber_Xor); }

// --- Questions -----------------------------------------------------------------------------------

// host_argument: an argument as a number on the host.
static number *host_argument(PyObject *x) {
    number *n = convert_argument(x);
    on_host(&n);
    return n;
}

PyObject *bits_count(PyObject *x, PyObject *unused) {
    (void)unused;
    number *n = host_argument(x);
    if (n == NULL) {
        return NULL;
    }
    const bigint_limb *p = bigint_limbs_read(&n->value);
    unsigned long long count = 0;
    for (uint64_t i = 0; i < number_limbs(n); i++) {
        count += (unsigned)__builtin_popcountll(p[i]);
    }
    object_drop(n);
    return PyLong_FromUnsignedLongLong(count);
}

static PyObject *popcount(PyObject *module, PyObject *x) {
    (void)module;
    number *n = host_argument(x);
    PyObject *result = n == NULL            ? NULL
                       : number_sign(n) < 0 ? PyLong_FromLong(-1)
                                            : bits_count((PyObject *)n, NULL);
    object_drop(n);
    return result;
}

static PyObject *length(PyObject *module, PyObject *x) {
    (void)module;
    number *n = convert_argument(x);
    PyObject *result = n == NULL ? NULL : PyObject_CallMethod((PyObject *)n, "bit_length", NULL);
    object_drop(n);
    return result;
}

// arguments: x and a count, which may be left out if `least` is 1.
static number *arguments(const char *name, PyObject *const *args, Py_ssize_t n, Py_ssize_t least,
                         uint64_t *count) {
    if (n < least || n > 2) {
        PyErr_Format(PyExc_TypeError, "%s() takes 2 arguments (%zd given)", name, n);
        return NULL;
    }
    *count = 0;
    return n == 2 && convert_count(args[1], count, PyExc_OverflowError) < 0
               ? NULL
               : host_argument(args[0]);
}

// digit: the i-th digit of x in two's complement. -m has those of m up to its lowest one, then the
// others' complements.
static bigint_limb digit(const number *x, uint64_t i) {
    digits d = digits_of(&x->value, number_sign(x));
    if (i < d.n) {
        for (uint64_t k = 0; k < i && d.borrow != 0; k++) {
            d.borrow = d.p[k] == 0;
        }
    } else {
        d.borrow = 0;
    }
    d.i = i;
    return next(&d);
}

static PyObject *test(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    uint64_t k;
    number *x = arguments("bit_test", args, n, 2, &k);
    PyObject *result = x == NULL ? NULL : PyBool_FromLong((long)(digit(x, k / 64) >> k % 64 & 1));
    object_drop(x);
    return result;
}

// scan: the position of the first bit from k on that equals `bit`; None if there is none.
static PyObject *scan(const char *name, PyObject *const *args, Py_ssize_t n, int bit) {
    uint64_t k;
    number *x = arguments(name, args, n, 1, &k);
    if (x == NULL) {
        return NULL;
    }
    PyObject *result = NULL;
    const bigint_limb flip = bit == 0 ? ~UINT64_C(0) : 0;
    const uint64_t end = number_limbs(x);
    for (uint64_t i = k / 64; result == NULL && (i <= end || i == k / 64); i++) {
        const bigint_limb above = i == k / 64 ? ~UINT64_C(0) << k % 64 : ~UINT64_C(0);
        const bigint_limb found = (digit(x, i) ^ flip) & above;
        if (found != 0) {
            result = PyLong_FromUnsignedLongLong(64 * i + (unsigned)__builtin_ctzll(found));
        }
    }
    object_drop(x);
    return result == NULL && !PyErr_Occurred() ? Py_NewRef(Py_None) : result;
}

static PyObject *scan0(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return scan("bit_scan0", args, n, 0);
}
static PyObject *scan1(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return scan("bit_scan1", args, n, 1);
}

// changed: x with bit k set ('|'), cleared ('-') or flipped ('^').
static PyObject *changed(const char *name, PyObject *const *args, Py_ssize_t n, int how) {
    uint64_t k;
    number *x = arguments(name, args, n, 2, &k);
    call c = {.run = call_counted, .counted = bigint_mul_2exp, .in = {number_from_i64(1)}, .k = k};
    PyObject *power = x == NULL || c.in[0] == NULL ? NULL : call_number(&c);
    if (power != NULL && how == '-') {
        object_replace(&power, operators_invert(power));
    }
    PyObject *result = NULL;
    if (power != NULL) {
        result = (how == '|' ? bits_or : how == '-' ? bits_and : bits_xor)((PyObject *)x, power);
    }
    call_end(&c);
    object_drop(x);
    object_drop(power);
    return result;
}

static PyObject *set(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return changed("bit_set", args, n, '|');
}
static PyObject *clear(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return changed("bit_clear", args, n, '-');
}
static PyObject *flip(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return changed("bit_flip", args, n, '^');
}

// The same as methods.
typedef PyObject *(*function)(PyObject *module, PyObject *const *args, Py_ssize_t n);

static PyObject *method(function f, PyObject *x, PyObject *const *args, Py_ssize_t n) {
    PyObject *all[] = {x, n > 0 ? args[0] : NULL};
    return f(NULL, all, n + 1);  // which refuses more than two
}

PyObject *bits_test(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(test, x, args, n);
}
PyObject *bits_scan0(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(scan0, x, args, n);
}
PyObject *bits_scan1(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(scan1, x, args, n);
}
PyObject *bits_set(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(set, x, args, n);
}
PyObject *bits_clear(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(clear, x, args, n);
}
PyObject *bits_flip(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return method(flip, x, args, n);
}

#define FAST(name) (PyCFunction)(void *) name, METH_FASTCALL

PyMethodDef bits_functions[] = {
    {"popcount", popcount, METH_O, "popcount(x): the ones of x >= 0; -1 for x < 0."},
    {"bit_length", length, METH_O, "bit_length(x): x.bit_length()."},
    {"bit_test", FAST(test), "bit_test(x, n): whether bit n is set, in two's complement."},
    {"bit_scan0", FAST(scan0), "bit_scan0(x, n=0): the first bit from n on that is 0, or None."},
    {"bit_scan1", FAST(scan1), "bit_scan1(x, n=0): the first bit from n on that is 1, or None."},
    {"bit_set", FAST(set), "bit_set(x, n): x with bit n set."},
    {"bit_clear", FAST(clear), "bit_clear(x, n): x with bit n cleared."},
    {"bit_flip", FAST(flip), "bit_flip(x, n): x with bit n changed."},
    {NULL, NULL, 0, NULL}};
