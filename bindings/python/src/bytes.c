// bytes.c: to_bytes and from_bytes as int has them, and gmpy2's to_binary and from_binary.
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "convert.h"
#include "shared.h"

static bigint_status run_from_bytes(bigint_ctx *ctx, call *c) {
    bigint *r = &c->out[0]->value;
    bigint_status status =
        bigint_set_bytes(ctx, r, c->from, c->length, (bigint_byte_order)c->answer, 1);
    if (status != BIGINT_OK || c->k == 0) {
        return status;
    }
    // The top bit was a sign: minus 2^k.
    bigint power = BIGINT_INIT;
    status = bigint_set_u64(ctx, &power, 1);
    status = status != BIGINT_OK ? status : bigint_mul_2exp(ctx, &power, &power, c->k);
    status = status != BIGINT_OK ? status : bigint_sub(ctx, r, r, &power);
    bigint_clear(ctx, &power);
    return status;
}

// order_of: *order from int's names.
static int order_of(const char *name, bigint_byte_order *order) {
    if (strcmp(name, "big") != 0 && strcmp(name, "little") != 0) {
        PyErr_SetString(PyExc_ValueError, "byteorder must be either 'little' or 'big'");
        return -1;
    }
    *order = name[0] == 'b' ? BIGINT_BIG_ENDIAN : BIGINT_LITTLE_ENDIAN;
    return 0;
}

// from_buffer: sign: the number is in two's complement.
static PyObject *from_buffer(PyObject *bytes, size_t skip, bigint_byte_order order, bool sign) {
    Py_buffer view;
    if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) < 0) {
        return NULL;
    }
    const unsigned char *p = (const unsigned char *)view.buf + skip;
    const size_t n = (size_t)view.len - skip;
    const bool negative = sign && n > 0 && (p[order == BIGINT_BIG_ENDIAN ? 0 : n - 1] & 0x80) != 0;
    // The view ends before an abandoned call would: linear work does not get a thread.
    call c = {.run = run_from_bytes, .from = p, .length = n, .k = negative ? 8 * n : 0};
    c.answer = order;
    c.where = shared.base;
    PyObject *result = call_number(&c);
    PyBuffer_Release(&view);
    return result;
}

PyObject *convert_from_bytes(PyObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    static char *names[] = {"bytes", "byteorder", "signed", NULL};
    PyObject *bytes;
    const char *name = "big";
    int sign = 0;
    bigint_byte_order order;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|s$p:from_bytes", names, &bytes, &name,
                                     &sign) ||
        order_of(name, &order) < 0) {
        return NULL;
    }
    if (PyObject_CheckBuffer(bytes)) {
        return from_buffer(bytes, 0, order, sign != 0);
    }
    PyObject *copy = PyObject_Bytes(bytes);  // of an iterable, or by __bytes__
    PyObject *result = copy == NULL ? NULL : from_buffer(copy, 0, order, sign != 0);
    object_drop(copy);
    return result;
}

// complement: the n bytes at p, least significant first, become 2^(8 n) minus them.
static void complement(unsigned char *p, size_t n) {
    unsigned carry = 1;
    for (size_t i = 0; i < n; i++) {
        carry += (unsigned char)~p[i];
        p[i] = (unsigned char)carry;
        carry >>= 8;
    }
}

static void reverse(unsigned char *p, size_t n) {
    for (size_t i = 0; i < n / 2; i++) {
        const unsigned char low = p[i];
        p[i] = p[n - 1 - i];
        p[n - 1 - i] = low;
    }
}

// fill: the bytes of x in p[0 .. n), in two's complement if sign. -1: they do not fit.
static int fill(unsigned char *p, size_t n, const number *x, bool sign) {
    const unsigned char *limbs = (const unsigned char *)bigint_limbs_read(&x->value);
    size_t used = 8 * number_limbs(x);
    while (used > 0 && limbs[used - 1] == 0) {
        used--;
    }
    const bool negative = number_sign(x) < 0;
    if (used > n) {
        return used == 1 && n == 0 && sign && negative && limbs[0] == 1 ? 0 : -1;  // as int does
    }
    if (used > 0) {
        memcpy(p, limbs, used);
    }
    memset(p + used, 0, n - used);
    if (negative) {
        complement(p, n);
    }
    return sign && n > 0 && (p[n - 1] >> 7 != 0) != negative ? -1 : 0;
}

// to_buffer: a bytes object of `skip` bytes to be set and the n bytes of x.
static PyObject *to_buffer(const number *x, size_t skip, size_t n, bigint_byte_order order,
                           bool sign) {
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(skip + n));
    if (bytes == NULL) {
        return NULL;
    }
    unsigned char *p = (unsigned char *)PyBytes_AsString(bytes) + skip;
    if (fill(p, n, x, sign) < 0) {
        object_drop(bytes);
        PyErr_SetString(PyExc_OverflowError, "mpz too big to convert");
        return NULL;
    }
    if (order == BIGINT_BIG_ENDIAN) {
        reverse(p, n);
    }
    return bytes;
}

PyObject *convert_to_bytes(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"length", "byteorder", "signed", NULL};
    Py_ssize_t n = 1;
    const char *name = "big";
    int sign = 0;
    bigint_byte_order order;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|ns$p:to_bytes", names, &n, &name, &sign) ||
        order_of(name, &order) < 0) {
        return NULL;
    }
    if (n < 0) {
        PyErr_SetString(PyExc_ValueError, "length argument must be non-negative");
        return NULL;
    }
    number *x = number_host((number *)self);
    if (x == NULL) {
        return NULL;
    }
    PyObject *bytes = NULL;
    if (sign == 0 && number_sign(x) < 0) {
        PyErr_SetString(PyExc_OverflowError, "can't convert negative mpz to unsigned");
    } else {
        bytes = to_buffer(x, 0, (size_t)n, order, sign != 0);
    }
    object_drop(x);
    return bytes;
}

// gmpy2's form: 1 for mpz; 0, 1 or 2 for zero, positive or negative; the magnitude, least
// significant byte first.
PyObject *convert_to_binary(PyObject *module, PyObject *argument) {
    (void)module;
    number *given = convert_argument(argument);
    number *x = given == NULL ? NULL : number_host(given);
    object_drop(given);
    if (x == NULL) {
        return NULL;
    }
    const unsigned char *limbs = (const unsigned char *)bigint_limbs_read(&x->value);
    size_t n = 8 * number_limbs(x);
    while (n > 0 && limbs[n - 1] == 0) {
        n--;
    }
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(2 + n));
    if (bytes != NULL) {
        char *p = PyBytes_AsString(bytes);
        p[0] = 1;
        p[1] = number_sign(x) < 0 ? 2 : n > 0;
        if (n > 0) {
            memcpy(p + 2, limbs, n);
        }
    }
    object_drop(x);
    return bytes;
}

PyObject *convert_from_binary(PyObject *module, PyObject *bytes) {
    (void)module;
    char *p;
    Py_ssize_t n;
    if (PyBytes_AsStringAndSize(bytes, &p, &n) < 0) {
        return NULL;
    }
    if (n < 2 || p[0] != 1 || (unsigned char)p[1] > 2) {
        PyErr_SetString(PyExc_ValueError, "from_binary() takes what to_binary() made of an mpz");
        return NULL;
    }
    PyObject *magnitude = from_buffer(bytes, 2, BIGINT_LITTLE_ENDIAN, false);
    if (magnitude != NULL && p[1] == 2) {
        object_replace(&magnitude, PyNumber_Negative(magnitude));
    }
    return magnitude;
}
