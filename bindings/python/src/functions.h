// functions.h: the module's functions on numbers, named as gmpy2's.
#ifndef LONGMUL_PYTHON_FUNCTIONS_H_
#define LONGMUL_PYTHON_FUNCTIONS_H_

#include <Python.h>

extern PyMethodDef functions[];
// functions_add_divisions adds the f_, c_ and t_ families.
int functions_add_divisions(PyObject *module);
// functions_add_bits, functions_add_numbers add those that tables describe.
int functions_add_bits(PyObject *module);
int functions_add_numbers(PyObject *module);

// Those of them that are methods too: f of x and n more arguments.
enum function {
    FUNCTION_BIT_TEST,
    FUNCTION_BIT_SCAN0,
    FUNCTION_BIT_SCAN1,
    FUNCTION_BIT_SET,
    FUNCTION_BIT_CLEAR,
    FUNCTION_BIT_FLIP,
    FUNCTION_NUM_DIGITS,
    FUNCTION_IS_SQUARE,
    FUNCTION_IS_POWER,
    FUNCTION_IS_EVEN,
    FUNCTION_IS_ODD,
    FUNCTION_IS_DIVISIBLE,
    FUNCTION_IS_CONGRUENT,
};
PyObject *functions_method(enum function f, PyObject *x, PyObject *const *args, Py_ssize_t n);

// gcd, lcm of any number of integers.
PyObject *functions_gcd(PyObject *module, PyObject *const *args, Py_ssize_t n);
PyObject *functions_lcm(PyObject *module, PyObject *const *args, Py_ssize_t n);
// functions_is_prime: x.is_prime(). functions_is_probab_prime: x.is_probab_prime().
PyObject *functions_is_prime(PyObject *x, PyObject *const *args, Py_ssize_t n);
PyObject *functions_is_probab_prime(PyObject *x, PyObject *const *args, Py_ssize_t n);
// functions_batch: batch(name, context, keep, spans...), for longmul.batch.
PyObject *functions_batch(PyObject *module, PyObject *args);

#endif  // LONGMUL_PYTHON_FUNCTIONS_H_
