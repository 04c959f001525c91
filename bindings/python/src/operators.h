// operators.h: the operators of mpz, as slots of its type, and the operations that functions share.
#ifndef LONGMUL_PYTHON_OPERATORS_H_
#define LONGMUL_PYTHON_OPERATORS_H_

#include "number.h"

PyObject *operators_add(PyObject *x, PyObject *y);
PyObject *operators_subtract(PyObject *x, PyObject *y);
PyObject *operators_multiply(PyObject *x, PyObject *y);
PyObject *operators_floor_divide(PyObject *x, PyObject *y);
PyObject *operators_remainder(PyObject *x, PyObject *y);
PyObject *operators_divmod(PyObject *x, PyObject *y);
PyObject *operators_true_divide(PyObject *x, PyObject *y);
PyObject *operators_left_shift(PyObject *x, PyObject *y);
PyObject *operators_right_shift(PyObject *x, PyObject *y);
PyObject *operators_negative(PyObject *x);
PyObject *operators_positive(PyObject *x);
PyObject *operators_absolute(PyObject *x);
PyObject *operators_invert(PyObject *x);
int operators_bool(PyObject *x);
PyObject *operators_float(PyObject *x);
PyObject *operators_compare(PyObject *x, PyObject *y, int op);
Py_hash_t operators_hash(PyObject *x);
// In power.c.
PyObject *operators_power(PyObject *x, PyObject *y, PyObject *modulus);
// power_inverse: the inverse of a modulo |m| > 0, on the host; ZeroDivisionError if there is none.
number *power_inverse(number *a, number *m);

// operators_mixed: x op y where one is an mpz and the other neither mpz nor int: by Python's op, if
// the other is a float or a complex number, or x is a fraction; otherwise NotImplemented.
PyObject *operators_mixed(PyObject *x, PyObject *y, binaryfunc op);
// operators_refused: NotImplemented, unless there is an exception.
PyObject *operators_refused(void);
// operators_zero: whether x is 0; waits for a device. -1 on errors.
int operators_zero(number *x);

#endif  // LONGMUL_PYTHON_OPERATORS_H_
