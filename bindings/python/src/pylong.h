// pylong.h: the magnitudes of Python's long ints as limbs, and back.
#ifndef LONGMUL_PYTHON_PYLONG_H_
#define LONGMUL_PYTHON_PYLONG_H_

#include <Python.h>

#include "bigint/bigint.h"

// What the interpreter exports. The limited API has such calls from 3.14 on, 3.13 exports them
// already, and 3.11 and 3.12 have what int.to_bytes is made of.
typedef struct {
    // From 3.13 on; else NULL.
    Py_ssize_t (*as_native)(PyObject *x, void *p, Py_ssize_t bytes, int flags);
    PyObject *(*from_native)(const void *p, size_t bytes, int flags);
    // Before.
    size_t (*bits)(PyObject *x);
    int (*as_bytes)(PyObject *x, unsigned char *p, size_t bytes, int little, int is_signed);
    PyObject *(*from_bytes)(const unsigned char *p, size_t bytes, int little, int is_signed);
} pylong_calls;

// pylong_open finds the calls; ImportError if they are not there.
void pylong_open(pylong_calls *calls);
// pylong_limbs: the limbs that x > 0 needs, or one more.
uint64_t pylong_limbs(PyObject *x);
// pylong_read: {p, n} = x, n at least pylong_limbs.
int pylong_read(PyObject *x, bigint_limb *p, uint64_t n);
// pylong_make: the int {p, n}.
PyObject *pylong_make(const bigint_limb *p, uint64_t n);

#endif  // LONGMUL_PYTHON_PYLONG_H_
