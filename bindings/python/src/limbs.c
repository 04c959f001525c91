// limbs.c: x.limbs().
#include "limbs.h"

#include "shared.h"

typedef struct {
    PyObject_HEAD number *owner;
    Py_ssize_t count, stride;
} limbs;

static int get_buffer(PyObject *self, Py_buffer *view, int flags) {
    static const bigint_limb nothing = 0;
    limbs *x = (limbs *)self;
    const bigint_limb *p = bigint_limbs_read(&x->owner->value);
    if (PyBuffer_FillInfo(view, self, (void *)(uintptr_t)(p != NULL ? p : &nothing), 8 * x->count,
                          1, flags) < 0) {
        return -1;
    }
    if ((flags & PyBUF_FORMAT) != 0) {
        view->itemsize = x->stride;
        view->format = "Q";
        view->shape = (flags & PyBUF_ND) != 0 ? &x->count : NULL;
        view->strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? &x->stride : NULL;
    }
    return 0;
}

static void dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    object_drop(((limbs *)self)->owner);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    object_drop(type);
}

PyObject *limbs_view(PyObject *x, PyObject *unused) {
    (void)unused;
    number *owner = number_host((number *)x);
    limbs *l = owner == NULL ? NULL : (limbs *)PyType_GenericAlloc(shared.limbs, 0);
    if (l == NULL) {
        object_drop(owner);
        return NULL;
    }
    l->owner = owner;
    l->count = (Py_ssize_t)number_limbs(owner);
    l->stride = 8;
    PyObject *view = PyMemoryView_FromObject((PyObject *)l);
    object_drop(l);
    return view;
}

static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc}, {Py_bf_getbuffer, get_buffer}, {0, NULL}};

PyType_Spec limbs_spec = {"longmul._Limbs", sizeof(limbs), 0,
                          Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
