// limbs.h: the limbs of a number as a buffer of Python's.
#ifndef LONGMUL_PYTHON_LIMBS_H_
#define LONGMUL_PYTHON_LIMBS_H_

#include "number.h"

// limbs_spec: the type of what a view belongs to. A number itself gives no buffer: numpy would make
// arrays of its bytes.
extern PyType_Spec limbs_spec;

// limbs_view: x.limbs(): a memoryview of 64-bit words; of a copy if the number lives on a device.
PyObject *limbs_view(PyObject *x, PyObject *unused);

#endif  // LONGMUL_PYTHON_LIMBS_H_
