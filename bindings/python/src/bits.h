// bits.h: bits of numbers in two's complement, as int has them: negative numbers have ones without
// end.
#ifndef LONGMUL_PYTHON_BITS_H_
#define LONGMUL_PYTHON_BITS_H_

#include "number.h"

PyObject *bits_and(PyObject *x, PyObject *y);
PyObject *bits_or(PyObject *x, PyObject *y);
PyObject *bits_xor(PyObject *x, PyObject *y);
// bits_count: x.bit_count(): the ones of the magnitude.
PyObject *bits_count(PyObject *x, PyObject *unused);

#endif  // LONGMUL_PYTHON_BITS_H_
