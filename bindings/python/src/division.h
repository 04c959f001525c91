// division.h: quotients and remainders, rounded down, up or toward zero.
#ifndef LONGMUL_PYTHON_DIVISION_H_
#define LONGMUL_PYTHON_DIVISION_H_

#include "number.h"

enum { DIVISION_FLOOR = -1, DIVISION_TRUNCATE = 0, DIVISION_CEILING = 1 };
enum { DIVISION_QUOTIENT = 1, DIVISION_REMAINDER = 2, DIVISION_BOTH = 3 };

// division_run: a = q d + r, rounded. q or r may be NULL; none is an operand.
bigint_status division_run(bigint_ctx *ctx, bigint *q, bigint *r, const bigint *a, const bigint *d,
                           int rounding);
// division: of a / d the parts that `what` names; both as a tuple. Drops a and d.
// ZeroDivisionError.
PyObject *division(number *a, number *d, int rounding, int what);

#endif  // LONGMUL_PYTHON_DIVISION_H_
