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
// Methods of one argument, the number of a bit; the scans may go without it.
PyObject *bits_test(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *bits_scan0(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *bits_scan1(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *bits_set(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *bits_clear(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *bits_flip(PyObject *x, PyObject *const *args, Py_ssize_t n);

extern PyMethodDef bits_functions[];

#endif  // LONGMUL_PYTHON_BITS_H_
