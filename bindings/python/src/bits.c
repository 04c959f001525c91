// bits.c: and, or, xor of numbers, and their ones.
#include "bits.h"

#include "call.h"
#include "convert.h"
#include "operators.h"

// on_host replaces *x by a copy on the host; NULL stays.
static void on_host(number **x) {
    if (*x != NULL) {
        object_replace((PyObject **)x, number_host(*x));
    }
}

static PyObject *binary(PyObject *x, PyObject *y, short_binary op) {
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
        return integers ? NULL : operators_refused();
    }
    return call_number(&c);
}

PyObject *bits_and(PyObject *x, PyObject *y) { return binary(x, y, bigint_and); }
PyObject *bits_or(PyObject *x, PyObject *y) { return binary(x, y, bigint_or); }
PyObject *bits_xor(PyObject *x, PyObject *y) { return binary(x, y, bigint_xor); }

PyObject *bits_count(PyObject *x, PyObject *unused) {
    (void)unused;
    number *n = number_host((number *)x);
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
