// explain.h: the plans of calls, as methods of Context.
#ifndef LONGMUL_PYTHON_EXPLAIN_H_
#define LONGMUL_PYTHON_EXPLAIN_H_

#include "context.h"

// explain_call: Context.explain. explain_bytes: Context.workspace_bytes.
PyObject *explain_call(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *explain_bytes(PyObject *self, PyObject *args, PyObject *keywords);

#endif  // LONGMUL_PYTHON_EXPLAIN_H_
