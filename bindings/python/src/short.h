// short.h: operations on short numbers, computed at once. They take less time than a call (call.h)
// is prepared in. Each returns NULL, without an exception, if an operand is long, lives on a
// device, is no integer, or if the operation fails: then the caller takes the long way, which also
// reports.
#ifndef LONGMUL_PYTHON_SHORT_H_
#define LONGMUL_PYTHON_SHORT_H_

#include "number.h"

typedef bigint_status (*short_unary)(bigint_ctx *ctx, bigint *r, const bigint *a);
typedef bigint_status (*short_binary)(bigint_ctx *ctx, bigint *r, const bigint *a, const bigint *b);
typedef bigint_status (*short_counted)(bigint_ctx *ctx, bigint *r, const bigint *a, uint64_t k);

PyObject *short_of_one(PyObject *x, short_unary op);
PyObject *short_of_two(PyObject *x, PyObject *y, short_binary op);
// short_of_count: y is a count of at most 2^12.
PyObject *short_of_count(PyObject *x, PyObject *y, short_counted op);
// short_compare: whether *order is set, to -1, 0 or 1 for x < y, x = y, x > y.
bool short_compare(PyObject *x, PyObject *y, int *order);

#endif  // LONGMUL_PYTHON_SHORT_H_
