// pylong.c: ints by the calls that the running interpreter exports. They are looked up, because a
// module for all versions cannot name those of some.
#include "pylong.h"

#include <dlfcn.h>
#include <string.h>

#include "shared.h"

// Of Py_ASNATIVEBYTES_LITTLE_ENDIAN and Py_ASNATIVEBYTES_UNSIGNED_BUFFER.
enum { LITTLE_ENDIAN_BYTES = 1, UNSIGNED_BYTES = 4 };

// find: *call, a pointer to a function, or NULL.
static void find(void *call, const char *name) {
    void *const found = dlsym(RTLD_DEFAULT, name);
    memcpy(call, &found, sizeof found);
}

void pylong_open(pylong_calls *calls) {
    find(&calls->as_native, "PyLong_AsNativeBytes");
    find(&calls->from_native, "PyLong_FromUnsignedNativeBytes");
    find(&calls->bits, "_PyLong_NumBits");
    find(&calls->as_bytes, "_PyLong_AsByteArray");
    find(&calls->from_bytes, "_PyLong_FromByteArray");
    const bool before = calls->bits != NULL && calls->as_bytes != NULL && calls->from_bytes != NULL;
    if (calls->as_native == NULL ? !before : calls->from_native == NULL) {
        PyErr_SetString(PyExc_ImportError,
                        "this interpreter exports no call for the bytes of an int");
    }
}

uint64_t pylong_limbs(PyObject *x) {
    const pylong_calls *const calls = &shared.pylong;
    if (calls->as_native == NULL) {
        return (calls->bits(x) + 63) / 64;
    }
    const Py_ssize_t bytes = calls->as_native(x, NULL, 0, LITTLE_ENDIAN_BYTES | UNSIGNED_BYTES);
    return ((uint64_t)bytes + 7) / 8;
}

int pylong_read(PyObject *x, bigint_limb *p, uint64_t n) {
    const pylong_calls *const calls = &shared.pylong;
    if (calls->as_native == NULL) {
        return calls->as_bytes(x, (unsigned char *)p, 8 * n, 1, 0);
    }
    const Py_ssize_t bytes =
        calls->as_native(x, p, (Py_ssize_t)(8 * n), LITTLE_ENDIAN_BYTES | UNSIGNED_BYTES);
    return bytes < 0 ? -1 : 0;
}

PyObject *pylong_make(const bigint_limb *p, uint64_t n) {
    const pylong_calls *const calls = &shared.pylong;
    return calls->as_native == NULL
               ? calls->from_bytes((const unsigned char *)p, 8 * n, 1, 0)
               : calls->from_native(p, 8 * n, LITTLE_ENDIAN_BYTES | UNSIGNED_BYTES);
}
