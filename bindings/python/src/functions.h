// functions.h: the module's functions on numbers, named as gmpy2's.
#ifndef LONGMUL_PYTHON_FUNCTIONS_H_
#define LONGMUL_PYTHON_FUNCTIONS_H_

#include <Python.h>

extern PyMethodDef functions[];
// functions_add_divisions adds the f_, c_ and t_ families.
int functions_add_divisions(PyObject *module);
// functions_is_prime: x.is_prime().
PyObject *functions_is_prime(PyObject *x, PyObject *const *args, Py_ssize_t n);
// functions_batch: batch(name, context, keep, spans...), for longmul.batch.
PyObject *functions_batch(PyObject *module, PyObject *args);

#endif  // LONGMUL_PYTHON_FUNCTIONS_H_
