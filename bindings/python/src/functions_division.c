// functions_division.c: gmpy2's f_, c_ and t_ families: quotients rounded down, up and toward zero.
#include "convert.h"
#include "division.h"
#include "functions.h"

// The object that a function is bound to says what it computes: 4 (rounding + 1) + parts.
static PyObject *divide(PyObject *kind, PyObject *const *args, Py_ssize_t n) {
    const long code = PyLong_AsLong(kind);
    if (n != 2) {
        PyErr_Format(PyExc_TypeError, "a division takes 2 arguments (%zd given)", n);
        return NULL;
    }
    number *a = convert_argument(args[0]), *d = a == NULL ? NULL : convert_argument(args[1]);
    if (d == NULL) {
        object_drop(a);
        return NULL;
    }
    return division(a, d, (int)(code / 4) - 1, (int)(code % 4));
}

#define DIVIDE (PyCFunction)(void *) divide, METH_FASTCALL

static PyMethodDef definitions[] = {
    {"f_div", DIVIDE, "f_div(x, y): the quotient, rounded down."},
    {"f_mod", DIVIDE, "f_mod(x, y): the remainder of f_div."},
    {"f_divmod", DIVIDE, "f_divmod(x, y): quotient, rounded down, and remainder."},
    {"t_div", DIVIDE, "t_div(x, y): the quotient, rounded toward zero."},
    {"t_mod", DIVIDE, "t_mod(x, y): the remainder of t_div."},
    {"t_divmod", DIVIDE, "t_divmod(x, y): quotient, rounded toward zero, and remainder."},
    {"c_div", DIVIDE, "c_div(x, y): the quotient, rounded up."},
    {"c_mod", DIVIDE, "c_mod(x, y): the remainder of c_div."},
    {"c_divmod", DIVIDE, "c_divmod(x, y): quotient, rounded up, and remainder."},
};

int functions_add_divisions(PyObject *module) {
    for (int i = 0; i < 9; i++) {  // parts 1, 2 and 3 of each rounding: as DIVISION_QUOTIENT ...
        PyObject *kind = PyLong_FromLong(4 * (i / 3) + i % 3 + 1);
        PyObject *f = kind == NULL ? NULL : PyCFunction_NewEx(&definitions[i], kind, NULL);
        object_drop(kind);
        if (f == NULL || PyModule_AddObjectRef(module, definitions[i].ml_name, f) < 0) {
            object_drop(f);
            return -1;
        }
        object_drop(f);
    }
    return 0;
}
