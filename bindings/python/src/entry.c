// entry.c: see entry.h.
#include "entry.h"

#include <math.h>

#include "convert.h"
#include "operators.h"

// --- Efforts -------------------------------------------------------------------------------------

static double limbs_of(const call *c) {
    double limbs = 0;
    for (int i = 0; i < CALL_OPERANDS && c->in[i] != NULL; i++) {
        limbs += (double)number_limbs(c->in[i]);
    }
    return limbs;
}

double entry_linear(const call *c) { return limbs_of(c) / 16; }
double entry_products(const call *c) { return 2 * limbs_of(c); }
double entry_euclid(const call *c) { return limbs_of(c) * log2(limbs_of(c) + 2); }

// --- Refusals and answers ------------------------------------------------------------------------

bigint_status entry_answered(call *c, bigint_status status, int answer) {
    c->answer = answer;
    return status;
}

bool entry_above(const call *c, int i, bigint_limb limit) {
    const bigint *const x = &c->in[i]->value;
    const uint64_t n = bigint_limbs_bound(x);
    return number_sign(c->in[i]) > 0 && (n > 1 || (n == 1 && bigint_limbs_read(x)[0] > limit));
}

// --- Calls ---------------------------------------------------------------------------------------

// take fills the call with the arguments; -1 with an exception for wrong ones.
static int take(const entry *e, call *c, PyObject *const *args, Py_ssize_t n) {
    const int most = e->numbers + e->counts;
    if (n > most || n < most - e->optional) {
        PyErr_Format(PyExc_TypeError, "%s() takes %d arguments (%zd given)", e->definition.ml_name,
                     most, n);
        return -1;
    }
    for (int i = 0; i < e->numbers; i++) {
        c->in[i] = convert_argument(args[i]);
        if (c->in[i] != NULL && e->refuse != NULL) {
            object_replace((PyObject **)&c->in[i], number_host(c->in[i]));
        }
        if (c->in[i] == NULL) {
            return -1;
        }
    }
    uint64_t second = 0;
    c->k = e->otherwise;
    if ((n > e->numbers && convert_count(args[e->numbers], &c->k, PyExc_OverflowError) < 0) ||
        (n > e->numbers + 1 &&
         convert_count(args[e->numbers + 1], &second, PyExc_OverflowError) < 0)) {
        return -1;
    }
    c->answer = (int64_t)(second & INT64_MAX);
    return 0;
}

// may: whether the call may run; else with an exception.
static bool may(const entry *e, const call *c) {
    const char *const text = e->refuse == NULL ? NULL : e->refuse(c);
    const int zero = e->divides ? operators_zero(c->in[e->numbers - 1]) : 0;
    if (text != NULL) {
        PyErr_SetString(PyExc_ValueError, text);
    } else if (zero > 0) {
        PyErr_Format(PyExc_ZeroDivisionError, "%s() by zero", e->definition.ml_name);
    }
    return text == NULL && zero == 0;
}

static PyObject *number_and_answer(call *c, enum result result) {
    c->out[0] = number_new();
    PyObject *made = NULL;
    if (c->out[0] != NULL && call_run(c) == 0) {
        if (result == RESULT_NUMBER_AND_COUNT) {
            made = Py_BuildValue("OL", c->out[0], (long long)c->answer);
        } else if (c->answer != 0) {
            made = Py_NewRef((PyObject *)c->out[0]);
        } else {
            PyErr_SetString(PyExc_ZeroDivisionError, "not invertible");
        }
    }
    call_end(c);
    return made;
}

static PyObject *finish(call *c, enum result result) {
    int64_t answer = 0;
    switch (result) {
        case RESULT_NUMBER:
            return call_number(c);
        case RESULT_PAIR:
            return call_tuple(c, 2);
        case RESULT_TRIPLE:
            return call_tuple(c, 3);
        case RESULT_NUMBER_AND_COUNT:
        case RESULT_INVERSE:
            return number_and_answer(c, result);
        case RESULT_BOOL:
            return call_answer(c, &answer) < 0 ? NULL : PyBool_FromLong(answer != 0);
        case RESULT_INDEX:
        case RESULT_INT:
            break;
    }
    if (call_answer(c, &answer) < 0) {
        return NULL;
    }
    return result == RESULT_INDEX && answer < 0 ? Py_NewRef(Py_None) : PyLong_FromLongLong(answer);
}

// ask: the answer of one of the entry's ask_ calls.
static bigint_status ask(bigint_ctx *ctx, call *c) {
    const entry *const e = c->entry;
    const bigint *const a = &c->in[0]->value;
    int answer = 0;
    bigint_status status;
    if (e->ask_one != NULL) {
        status = e->ask_one(ctx, &answer, a);
    } else if (e->ask_two != NULL) {
        status = e->ask_two(ctx, &answer, a, &c->in[1]->value);
    } else {
        status = e->ask_three(ctx, &answer, a, &c->in[1]->value, &c->in[2]->value);
    }
    return entry_answered(c, status, answer);
}

static PyObject *call_entry(const entry *e, PyObject *const *args, Py_ssize_t n) {
    if (e->binary != NULL && n == 2) {
        PyObject *result = short_of_two(args[0], args[1], e->binary);
        if (result != NULL) {
            return result;
        }
    }
    call c = {.run = e->run, .binary = e->binary, .counted = e->counted, .entry = e};
    if (c.run == NULL) {
        c.run = e->binary != NULL ? call_binary : e->counted != NULL ? call_counted : ask;
    }
    if (take(e, &c, args, n) < 0 || !may(e, &c)) {
        call_end(&c);
        return NULL;
    }
    c.effort = e->effort(&c);
    return finish(&c, e->result);
}

// self: which entry.
PyObject *entry_apply(PyObject *self, PyObject *const *args, Py_ssize_t n) {
    const entry *const e = PyCapsule_GetPointer(self, NULL);
    return e == NULL ? NULL : call_entry(e, args, n);
}

PyObject *entry_method(const entry *e, PyObject *x, PyObject *const *args, Py_ssize_t n) {
    PyObject *all[] = {x, n > 0 ? args[0] : NULL, n > 1 ? args[1] : NULL};
    return call_entry(e, all, n + 1);  // which refuses more than three
}

int entry_add(PyObject *module, const entry *entries, size_t count) {
    for (size_t i = 0; i < count; i++) {
        // Neither is written to.
        void *const e = (void *)(uintptr_t)&entries[i];
        PyMethodDef *const definition = (PyMethodDef *)(uintptr_t)&entries[i].definition;
        PyObject *self = PyCapsule_New(e, NULL, NULL);
        PyObject *f = self == NULL ? NULL : PyCFunction_NewEx(definition, self, NULL);
        object_drop(self);
        if (f == NULL || PyModule_AddObjectRef(module, definition->ml_name, f) < 0) {
            object_drop(f);
            return -1;
        }
        object_drop(f);
    }
    return 0;
}
