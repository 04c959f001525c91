// convert.h: numbers from Python's objects and back.
#ifndef LONGMUL_PYTHON_CONVERT_H_
#define LONGMUL_PYTHON_CONVERT_H_

#include "number.h"

// convert_operand: an mpz, an int or what has __mpz__ as a number. NULL, without an exception, for
// other types: look at PyErr_Occurred.
number *convert_operand(PyObject *x);
// convert_argument: the same, also for objects with __index__; NULL with TypeError for others.
number *convert_argument(PyObject *x);
// convert_number: what mpz(x) makes: of a text in this base, or rounded toward zero of anything
// that int() takes.
number *convert_number(PyObject *x, int base);
// convert_count: *count = x, or the exception `negative`. 1 if it is 2^63 or more: *count is 2^63.
int convert_count(PyObject *x, uint64_t *count, PyObject *negative);

// convert_to_int: the int of the same value.
PyObject *convert_to_int(PyObject *x);
// convert_to_text: digits in base 2 to 62, or -2 to -36 for upper case (ValueError), after '-' if
// negative.
PyObject *convert_to_text(PyObject *x, int base);

// The type's, and the module's functions.
PyObject *convert_new(PyTypeObject *type, PyObject *args, PyObject *keywords);
PyObject *convert_from_bytes(PyObject *type, PyObject *args, PyObject *keywords);
PyObject *convert_to_bytes(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *convert_to_binary(PyObject *module, PyObject *x);
PyObject *convert_from_binary(PyObject *module, PyObject *bytes);

#endif  // LONGMUL_PYTHON_CONVERT_H_
