// object.h: references to Python's objects and to ours alike. The limited API's macros take only
// PyObject *, and some are missing.
#ifndef LONGMUL_PYTHON_OBJECT_H_
#define LONGMUL_PYTHON_OBJECT_H_

#include <Python.h>

// object_hold, object_drop: one reference more or less; NULL is allowed.
static inline void object_hold(void *object) { Py_XINCREF((PyObject *)object); }
static inline void object_drop(void *object) { Py_XDECREF((PyObject *)object); }

// object_replace: *slot = object, whose reference it takes; then the old one is dropped.
static inline void object_replace(PyObject **slot, void *object) {
    PyObject *old = *slot;
    *slot = (PyObject *)object;
    Py_XDECREF(old);
}

#endif  // LONGMUL_PYTHON_OBJECT_H_
