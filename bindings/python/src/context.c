// context.c: Context: settings, idle contexts of the library, and which one operations use.
#include "context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "call.h"
#include "convert.h"
#include "explain.h"
#include "shared.h"

typedef struct discarded {
    bigint value;
    struct discarded *next;
} discarded;

void context_raise(bigint_status status, const char *text) {
    PyObject *type = PyExc_RuntimeError;
    switch (status) {
        case BIGINT_EINVAL:
        case BIGINT_EPLACE:
            type = PyExc_ValueError;
            break;
        case BIGINT_ENOMEM:
            type = PyExc_MemoryError;
            break;
        case BIGINT_ERANGE:
            type = PyExc_OverflowError;
            break;
        case BIGINT_OK:
        case BIGINT_ENOBACKEND:
        case BIGINT_EDEVICE:
        case BIGINT_EPEER:
            break;
        case BIGINT_ECHECK:
            type = PyExc_ArithmeticError;
            break;
        case BIGINT_ECANCELED:
            type = PyExc_KeyboardInterrupt;
            break;
    }
    PyErr_SetString(type, text[0] != '\0' ? text : bigint_status_text(status));
}

// --- Lending -------------------------------------------------------------------------------------

static bigint_ctx *create(const context *c) {
    bigint_ctx *ctx = NULL;
    const bigint_status status = bigint_ctx_create(&ctx, c->device, &c->options);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(ctx));
        bigint_ctx_destroy(ctx);
        return NULL;
    }
    return ctx;
}

bigint_ctx *context_peek(context *c) {
    if (c->idle_count == 0) {
        bigint_ctx *ctx = create(c);
        if (ctx == NULL) {
            return NULL;
        }
        c->idle[c->idle_count++] = ctx;
    }
    return c->idle[c->idle_count - 1];
}

// wait_for_turn on a device; a signal handler may interrupt it.
static int wait_for_turn(context *c) {
    while (sem_trywait(&c->turn) != 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += until.tv_nsec >= 950000000L;
        until.tv_nsec = (until.tv_nsec + 50000000L) % 1000000000L;
        int status;
        Py_BEGIN_ALLOW_THREADS status = sem_timedwait(&c->turn, &until);
        Py_END_ALLOW_THREADS if (status == 0) { return 0; }
        if (PyErr_CheckSignals() < 0) {
            return -1;
        }
    }
    return 0;
}

bigint_ctx *context_lend(context *c) {
    if (c->place >= 0 && wait_for_turn(c) < 0) {
        return NULL;
    }
    bigint_ctx *ctx = context_peek(c);
    if (ctx != NULL) {
        c->idle_count--;
    } else if (c->place >= 0) {
        sem_post(&c->turn);
    }
    return ctx;
}

void context_give_back(context *c, bigint_ctx *ctx) {
    if (c->idle_count == CONTEXT_IDLE) {
        bigint_ctx_destroy(ctx);
        return;
    }
    while (c->discarded != NULL) {
        discarded *d = c->discarded;
        c->discarded = d->next;
        bigint_clear(ctx, &d->value);
        free(d);
    }
    c->idle[c->idle_count++] = ctx;
    if (c->place >= 0) {
        sem_post(&c->turn);
    }
}

void context_discard(context *c, bigint *x) {
    // On a device the only context may be lent; on the host another one does as well.
    if (c->idle_count > 0 || c->place < 0) {
        bigint_ctx *ctx = context_peek(c);
        if (ctx != NULL) {
            bigint_clear(ctx, x);
        }
        return;
    }
    discarded *d = malloc(sizeof *d);
    if (d != NULL) {  // else its memory is lost
        *d = (discarded){*x, c->discarded};
        c->discarded = d;
    }
    *x = (bigint)BIGINT_INIT;
}

// --- The current one -----------------------------------------------------------------------------

// entered: the variable's value, a new reference.
static PyObject *entered(void) { return PyObject_CallMethod(shared.entered, "get", NULL); }

context *context_current(void) {
    if (shared.entered_count == 0) {
        return shared.base;
    }
    PyObject *value = entered();
    if (value == NULL) {
        return NULL;
    }
    context *c = PyTuple_Check(value) ? (context *)PyTuple_GetItem(value, 0) : shared.base;
    object_drop(value);  // the variable still holds it
    return c;
}

static PyObject *enter(PyObject *self, PyObject *unused) {
    (void)unused;
    if (((context *)self)->place >= 0) {
        PyErr_SetString(PyExc_ValueError,
                        "numbers choose their device: make them by the context's mpz()");
        return NULL;
    }
    PyObject *before = entered();
    PyObject *set =
        before == NULL ? NULL : PyObject_CallMethod(shared.entered, "set", "((ON))", self, before);
    object_drop(set);
    if (set == NULL) {
        return NULL;
    }
    shared.entered_count++;
    object_hold(self);
    return self;
}

static PyObject *leave(PyObject *self, PyObject *exception) {
    (void)self;
    (void)exception;
    PyObject *value = entered();
    if (value == NULL || !PyTuple_Check(value)) {
        object_drop(value);
        PyErr_SetString(PyExc_RuntimeError, "this context was not entered here");
        return NULL;
    }
    PyObject *set = PyObject_CallMethod(shared.entered, "set", "(O)", PyTuple_GetItem(value, 1));
    object_drop(value);
    object_drop(set);
    if (set == NULL) {
        return NULL;
    }
    shared.entered_count--;
    Py_RETURN_NONE;
}

PyObject *context_get(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *c = (PyObject *)context_current();
    object_hold(c);
    return c;
}

PyObject *context_set(PyObject *module, PyObject *c) {
    (void)module;
    if (Py_TYPE(c) != shared.context || ((context *)c)->place >= 0) {
        PyErr_SetString(PyExc_TypeError, "set_context() takes a Context of the host");
        return NULL;
    }
    object_hold(c);
    object_replace((PyObject **)&shared.base, c);
    Py_RETURN_NONE;
}

// --- The type ------------------------------------------------------------------------------------

static void dealloc(PyObject *self) {
    context *c = (context *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (unsigned i = 0; i < c->idle_count; i++) {
        bigint_ctx_destroy(c->idle[i]);
    }
    bigint_device_close(c->device);
    object_drop(c->stream);
    sem_destroy(&c->turn);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    object_drop(type);
}

// keep_name: where options can point to for as long as the context lives; NULL if not given.
static int keep_name(char kept[32], const char *name, const char **option) {
    if (name != NULL && strlen(name) >= 32) {
        PyErr_Format(PyExc_ValueError, "no engine, variant or mode is called %s", name);
        return -1;
    }
    *option = name == NULL ? NULL : strcpy(kept, name);
    return 0;
}

// keep_stream: an int, or an object with a stream's handle, which the context holds: as PyTorch,
// CuPy and what follows the protocol __cuda_stream__ name it.
static int keep_stream(context *c, PyObject *stream) {
    static const char *const names[] = {"cuda_stream", "ptr"};
    PyObject *handle = NULL;
    if (PyLong_Check(stream)) {
        handle = Py_NewRef(stream);
    } else if (PyObject_HasAttrString(stream, "__cuda_stream__")) {
        PyObject *pair = PyObject_CallMethod(stream, "__cuda_stream__", NULL);
        handle = pair == NULL ? NULL : PySequence_GetItem(pair, 1);
        object_drop(pair);
    } else {
        for (unsigned i = 0; i < 2 && handle == NULL; i++) {
            PyErr_Clear();
            handle = PyObject_GetAttrString(stream, names[i]);
        }
        if (handle == NULL) {
            PyErr_SetString(PyExc_TypeError, "stream: a handle, or an object that has one");
        }
    }
    if (handle == NULL) {
        return -1;
    }
    c->options.stream = (bigint_stream)PyLong_AsVoidPtr(handle);
    object_drop(handle);
    c->stream = Py_NewRef(stream);
    return PyErr_Occurred() ? -1 : 0;
}

// open_place opens the device and makes a first bigint_ctx, which checks the options.
static int open_place(context *c, const char *backend) {
    const bigint_status status = bigint_device_open(&c->device, c->place, backend);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_device_error(c->device));
        return -1;
    }
    return context_peek(c) == NULL ? -1 : 0;
}

static PyObject *new_context(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    static char *names[] = {"device",  "threads",       "mode",   "checks",  "engine",
                            "variant", "max_workspace", "stream", "backend", NULL};
    PyObject *device = Py_None, *stream = NULL;
    unsigned threads = 1;
    int checks = 0;
    unsigned long long cap = 0;
    const char *name[3] = {NULL, NULL, NULL}, *backend = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|OIzpzzKOz:Context", names, &device, &threads,
                                     &name[2], &checks, &name[0], &name[1], &cap, &stream,
                                     &backend)) {
        return NULL;
    }
    const long place = device == Py_None ? BIGINT_HOST : PyLong_AsLong(device);
    if (place < BIGINT_HOST || place > INT32_MAX) {
        if (!PyErr_Occurred()) {
            PyErr_SetString(PyExc_ValueError, "device: None, or the ordinal of a device");
        }
        return NULL;
    }
    context *c = (context *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (c == NULL) {
        return NULL;
    }
    sem_init(&c->turn, 0, 1);
    c->place = (int)place;
    c->options.threads = threads;
    c->options.checks = checks != 0;
    c->options.max_workspace_bytes = cap;
    if ((stream != NULL && keep_stream(c, stream) < 0) ||
        keep_name(c->names[0], name[0], &c->options.engine) < 0 ||
        keep_name(c->names[1], name[1], &c->options.variant) < 0 ||
        keep_name(c->names[2], name[2], &c->options.mode) < 0 || open_place(c, backend) < 0) {
        object_drop(c);
        return NULL;
    }
    return (PyObject *)c;
}

static bigint_status run_copy(bigint_ctx *ctx, call *c) {
    return bigint_set(ctx, &c->out[0]->value, &c->in[0]->value);
}

static PyObject *make_number(PyObject *self, PyObject *x) {
    number *value = convert_number(x, 0);
    context *c = (context *)self;
    if (value == NULL || value->home == (c->place < 0 ? NULL : c)) {
        return (PyObject *)value;
    }
    if (c->place < 0) {
        number *copy = number_host(value);
        object_drop(value);
        return (PyObject *)copy;
    }
    call copy = {.run = run_copy, .in = {value}, .where = c};
    return call_number(&copy);
}

static bigint_status run_sync(bigint_ctx *ctx, call *c) {
    (void)c;
    return bigint_sync(ctx);
}

static PyObject *synchronize(PyObject *self, PyObject *unused) {
    (void)unused;
    call c = {.run = run_sync, .where = (context *)self};
    const int result = call_run(&c);
    call_end(&c);
    return result < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *trim(PyObject *self, PyObject *unused) {
    (void)unused;
    context *c = (context *)self;
    for (unsigned i = 0; i < c->idle_count; i++) {
        bigint_ctx_trim(c->idle[i]);
    }
    Py_RETURN_NONE;
}

static PyObject *get_device(PyObject *self, void *unused) {
    (void)unused;
    const int place = ((context *)self)->place;
    return place < 0 ? Py_NewRef(Py_None) : PyLong_FromLong(place);
}

static PyObject *get_stream(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromSize_t((size_t)(uintptr_t)((context *)self)->options.stream);
}

static PyMethodDef methods[] = {
    {"__enter__", enter, METH_NOARGS, NULL},
    {"__exit__", leave, METH_VARARGS, NULL},
    {"mpz", make_number, METH_O, "mpz(x): the number in this context's place."},
    {"sync", synchronize, METH_NOARGS, "Waits for the device and reports the first error."},
    {"trim", trim, METH_NOARGS, "Frees idle workspace and tables."},
    {"explain", (PyCFunction)(void *)explain_call, METH_VARARGS | METH_KEYWORDS,
     "explain(call, an=0, bn=0, k=0, count=0): the plan of a call, on one line. call: a kind of\n"
     "bigint_plan.h, such as 'divrem' for BIGINT_CALL_DIVREM, which says what it reads; an and bn\n"
     "count limbs. explain(an, bn): of a product."},
    {"workspace_bytes", (PyCFunction)(void *)explain_bytes, METH_VARARGS | METH_KEYWORDS,
     "workspace_bytes(call, an=0, bn=0, k=0, count=0): an upper bound on the workspace of a call,\n"
     "for any values."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"device", get_device, NULL, "The ordinal of the device, or None for the host.", NULL},
    {"stream", get_stream, NULL, "The stream's handle as it was given; 0: one of its own.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Context(device=None, threads=1, mode=None, checks=False, engine=None, variant=None,\n"
     "        max_workspace=0, stream=0, backend=None)\n\n"
     "Settings of operations, as bigint_ctx_options. Those of the host apply in a `with` block,\n"
     "or everywhere after set_context(). On a device, mpz(x) makes numbers that live there;\n"
     "operations on them run there, on `stream`: an object of CuPy or PyTorch, which the context\n"
     "keeps, or the handle of one that outlives the context and its numbers."},
    {Py_tp_new, new_context},
    {Py_tp_dealloc, dealloc},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL}};

PyType_Spec context_spec = {"longmul.Context", sizeof(context), 0, Py_TPFLAGS_DEFAULT, slots};
