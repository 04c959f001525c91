// module.c: longmul._core, the extension.
#include "context.h"
#include "convert.h"
#include "functions.h"
#include "limbs.h"
#include "shared.h"

shared_state shared;

static PyObject *get_version(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    return PyUnicode_FromFormat("%d.%d.%d", BIGINT_VERSION_MAJOR, BIGINT_VERSION_MINOR,
                                BIGINT_VERSION_PATCH);
}

static PyMethodDef module_functions[] = {
    {"get_context", context_get, METH_NOARGS,
     "get_context(): the context that operations use now."},
    {"set_context", context_set, METH_O,
     "set_context(c): operations outside of `with` blocks use c, in all threads."},
    {"version", get_version, METH_NOARGS, "version(): the library's version."},
    {"_batch", functions_batch, METH_VARARGS, NULL},
    {NULL, NULL, 0, NULL}};

static PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                 .m_name = "longmul._core",
                                 .m_size = -1,
                                 .m_methods = module_functions};

// attribute_of: module.name.
static PyObject *attribute_of(const char *module, const char *name) {
    PyObject *m = PyImport_ImportModule(module);
    PyObject *x = m == NULL ? NULL : PyObject_GetAttrString(m, name);
    object_drop(m);
    return x;
}

static int fill_frequent(void) {
    bigint_ctx *ctx = context_peek(shared.base);
    for (int i = 0; i < SHARED_FREQUENT && ctx != NULL; i++) {
        if (bigint_set_i64(ctx, &shared.frequent[i], SHARED_LOWEST + i) != BIGINT_OK) {
            PyErr_NoMemory();
            return -1;
        }
    }
    return ctx == NULL ? -1 : 0;
}

static int fill_shared(void) {
    pylong_open(&shared.pylong);
    shared.format_long = attribute_of("longmul._text", "format_long");
    shared.round_long = attribute_of("longmul._text", "round_long");
    shared.main_thread = attribute_of("threading", "main_thread");
    shared.rational = attribute_of("numbers", "Rational");
    PyObject *variable = attribute_of("contextvars", "ContextVar");
    PyObject *arguments = Py_BuildValue("(s)", "longmul");
    PyObject *keywords = Py_BuildValue("{sO}", "default", Py_None);
    shared.entered = variable == NULL || arguments == NULL || keywords == NULL
                         ? NULL
                         : PyObject_Call(variable, arguments, keywords);
    object_drop(variable);
    object_drop(arguments);
    object_drop(keywords);
    shared.mpz = (PyTypeObject *)PyType_FromSpec(&number_spec);
    shared.context = (PyTypeObject *)PyType_FromSpec(&context_spec);
    shared.limbs = (PyTypeObject *)PyType_FromSpec(&limbs_spec);
    if (PyErr_Occurred()) {
        return -1;
    }
    shared.allocate = (allocfunc)PyType_GetSlot(shared.mpz, Py_tp_alloc);
    shared.release = (freefunc)PyType_GetSlot(shared.mpz, Py_tp_free);
    shared.base = (context *)PyObject_CallNoArgs((PyObject *)shared.context);
    return shared.base == NULL ? -1 : fill_frequent();
}

PyMODINIT_FUNC PyInit__core(void) {
    if (shared.mpz != NULL) {
        PyErr_SetString(PyExc_ImportError, "longmul can be imported once in a process");
        return NULL;
    }
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL) {
        return NULL;
    }
    if (fill_shared() < 0 || PyModule_AddFunctions(module, functions) < 0 ||
        functions_add_divisions(module) < 0 || functions_add_bits(module) < 0 ||
        functions_add_numbers(module) < 0 || PyModule_AddType(module, shared.mpz) < 0 ||
        PyModule_AddType(module, shared.context) < 0) {
        object_drop(module);
        return NULL;
    }
    return module;
}
