// convert.c: numbers from int, float and text, and back to int and text.
#include "convert.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "pylong.h"
#include "shared.h"

// --- From int ------------------------------------------------------------------------------------

enum { FEW_LIMBS = 256 };  // such a number may be kept when it is dead

// from_long_int: an int beyond 64 bits.
static number *from_long_int(PyObject *x, int sign) {
    PyObject *magnitude = sign > 0 ? Py_NewRef(x) : PyNumber_Negative(x);
    bigint_ctx *ctx = magnitude == NULL ? NULL : context_peek(shared.base);
    number *result = ctx == NULL ? NULL : number_new();
    if (result == NULL) {
        object_drop(magnitude);
        return NULL;
    }
    const uint64_t n = pylong_limbs(magnitude);
    bigint_limb *p = NULL;
    result->few = n <= FEW_LIMBS;
    bigint_status status = bigint_limbs_write(ctx, &p, &result->value, n);
    const bool read = status == BIGINT_OK && pylong_read(magnitude, p, n) == 0;
    status = read ? bigint_limbs_finish(ctx, &result->value, n, sign) : status;
    object_drop(magnitude);
    if (status != BIGINT_OK) {
        context_raise(status, bigint_ctx_error(ctx));
    }
    if (!read || status != BIGINT_OK) {
        object_drop(result);
        return NULL;
    }
    number_settle(result);
    return result;
}

static number *from_int(PyObject *x) {
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(x, &overflow);
    return overflow == 0 ? number_from_i64(value) : from_long_int(x, overflow);
}

// from_method: x.__mpz__(), gmpy2's protocol. NULL, without an exception, if there is none.
static number *from_method(PyObject *x) {
    PyObject *result = PyObject_CallMethod(x, "__mpz__", NULL);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_AttributeError)) {
        PyErr_Clear();
    }
    if (result != NULL && !number_check(result)) {
        PyErr_SetString(PyExc_TypeError, "__mpz__() did not give an mpz");
        object_replace(&result, NULL);
    }
    return (number *)result;
}

number *convert_operand(PyObject *x) {
    if (number_check(x)) {
        object_hold(x);
        return (number *)x;
    }
    if (PyLong_Check(x)) {
        return from_int(x);
    }
    return PyFloat_Check(x) || PyUnicode_Check(x) ? NULL : from_method(x);
}

number *convert_argument(PyObject *x) {
    number *result = convert_operand(x);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    PyObject *index = PyNumber_Index(x);
    if (index != NULL) {
        result = from_int(index);
        object_drop(index);
    }
    return result;
}

int convert_count(PyObject *x, uint64_t *count, PyObject *negative) {
    PyObject *index = PyNumber_Index(x);
    if (index == NULL) {
        return -1;
    }
    int overflow;
    const long long value = PyLong_AsLongLongAndOverflow(index, &overflow);
    object_drop(index);
    if (overflow < 0 || (overflow == 0 && value < 0)) {
        PyErr_SetString(negative, "a count must not be negative");
        return -1;
    }
    *count = overflow > 0 ? UINT64_C(1) << 63 : (uint64_t)value;
    return overflow > 0;
}

// text_effort: of the conversion of so many limbs.
static double text_effort(double limbs, int base) {
    const unsigned size = (unsigned)(base < 0 ? -base : base);
    return (size & (size - 1)) == 0 ? limbs / 64 : limbs * log2(limbs + 2) / 2;
}

// --- From text -----------------------------------------------------------------------------------

enum { SHORT_TEXT = 512 };  // characters that are converted at once, without a call

static bigint_status run_from_text(bigint_ctx *ctx, call *c) {
    return bigint_set_text(ctx, &c->out[0]->value, c->memory, c->length, (int)c->k, NULL);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// prefix_base: the base that the letter of a prefix names, if a text in this base may have that
// prefix, else 0.
static int prefix_base(char letter, int base) {
    const char lower = (char)(letter | 0x20);
    const int named = lower == 'b' ? 2 : lower == 'o' ? 8 : lower == 'x' ? 16 : 0;
    return base == 0 || base == named ? named : 0;
}

static Py_ssize_t sign_length(const char *s, Py_ssize_t length) {
    return length > 0 && (s[0] == '-' || s[0] == '+');
}

// clean copies s without spaces around it and without single underscores between digits. Its
// length, or -1 for other underscores, as in 0_x10.
static Py_ssize_t clean(char *to, const char *s, Py_ssize_t length, int base) {
    while (length > 0 && is_space(s[0])) {
        s++;
        length--;
    }
    while (length > 0 && is_space(s[length - 1])) {
        length--;
    }
    const Py_ssize_t second = sign_length(s, length) + 1;
    Py_ssize_t n = 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        if (s[i] != '_') {
            to[n++] = s[i];
        } else if (i == 0 || i + 1 == length || strchr("+-_", s[i - 1]) != NULL ||
                   s[i + 1] == '_' ||
                   (i == second && s[i - 1] == '0' && prefix_base(s[i + 1], base) != 0)) {
            return -1;
        }
    }
    return n;
}

// take_prefix: the base of a text: for base 0 the one that its prefix names, which is removed, as
// is a prefix of the base itself; the length follows. -1: a text that int refuses.
static int take_prefix(char *s, Py_ssize_t *length, int base) {
    const Py_ssize_t sign = sign_length(s, *length), n = *length - sign;
    char *const digits = s + sign;
    const int named = n > 2 && digits[0] == '0' ? prefix_base(digits[1], base) : 0;
    if (named == 0) {
        return base == 0 ? 10 : base;
    }
    memmove(digits, digits + 2, (size_t)n - 2);
    *length -= 2;
    return digits[0] == '+' || digits[0] == '-' ? -1 : named;
}

// from_short_text: NULL, without an exception, for a text that is none.
static number *from_short_text(const char *s, Py_ssize_t length, int base) {
    char text[SHORT_TEXT];
    Py_ssize_t digits = clean(text, s, length, base);
    const int read_in = take_prefix(text, &digits, base);
    bigint_ctx *ctx = digits <= 0 || read_in < 0 ? NULL : context_peek(shared.base);
    number *result = ctx == NULL ? NULL : number_new();
    if (result == NULL ||
        bigint_set_text(ctx, &result->value, text, (size_t)digits, read_in, NULL) != BIGINT_OK) {
        object_drop(result);
        return NULL;
    }
    number_settle(result);
    return result;
}

static number *from_text(PyObject *x, int base) {
    Py_ssize_t length;
    const char *s = PyUnicode_AsUTF8AndSize(x, &length);
    if (s == NULL) {
        return NULL;
    }
    number *result = length < SHORT_TEXT ? from_short_text(s, length, base) : NULL;
    if (result != NULL) {
        return result;
    }
    call c = {.run = run_from_text, .memory = malloc((size_t)length + 1)};
    if (c.memory == NULL) {
        return (number *)PyErr_NoMemory();
    }
    Py_ssize_t digits = clean(c.memory, s, length, base);
    const int read_in = take_prefix(c.memory, &digits, base);
    c.length = digits < 0 || read_in < 0 ? 0 : (size_t)digits;
    c.k = (uint64_t)(read_in < 0 ? 10 : read_in);
    c.effort = text_effort((double)length / 10, (int)c.k);
    c.where = shared.base;
    result = (number *)call_number(&c);
    if (result == NULL && PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "invalid literal for mpz() with base %d: %.200R", base, x);
    }
    return result;
}

// --- mpz(x) --------------------------------------------------------------------------------------

number *convert_number(PyObject *x, int base) {
    number *result = convert_operand(x);
    if (result != NULL || PyErr_Occurred()) {
        return result;
    }
    if (PyUnicode_Check(x)) {
        return from_text(x, base);
    }
    PyObject *integer = PyNumber_Long(x);
    if (integer != NULL) {
        result = from_int(integer);
        object_drop(integer);
    }
    return result;
}

PyObject *convert_new(PyTypeObject *type, PyObject *args, PyObject *keywords) {
    (void)type;
    static char *names[] = {"", "base", NULL};
    PyObject *x = NULL;
    int base = 0;
    if (keywords == NULL && PyTuple_Size(args) == 1) {
        return (PyObject *)convert_number(PyTuple_GetItem(args, 0), 0);
    }
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "|Oi:mpz", names, &x, &base)) {
        return NULL;
    }
    if (x == NULL) {
        return (PyObject *)number_from_i64(0);
    }
    if (!PyUnicode_Check(x)) {
        PyErr_SetString(PyExc_TypeError, "mpz() with a base takes a text");
        return NULL;
    }
    if (base != 0 && (base < 2 || base > 62)) {
        PyErr_SetString(PyExc_ValueError,
                        "mpz(): the base is 2 to 62, or 0 for what a prefix says");
        return NULL;
    }
    return (PyObject *)convert_number(x, base);
}

// --- To int and text -----------------------------------------------------------------------------

static PyObject *long_int(const number *x) {
    PyObject *result = pylong_make(bigint_limbs_read(&x->value), number_limbs(x));
    if (result != NULL && number_sign(x) < 0) {
        object_replace(&result, PyNumber_Negative(result));
    }
    return result;
}

PyObject *convert_to_int(PyObject *self) {
    number *x = number_host((number *)self);
    if (x == NULL) {
        return NULL;
    }
    const uint64_t n = number_limbs(x), low = n == 0 ? 0 : bigint_limbs_read(&x->value)[0];
    PyObject *result;
    if (n <= 1 && low <= INT64_MAX) {
        result = PyLong_FromLongLong(number_sign(x) < 0 ? -(long long)low : (long long)low);
    } else if (n == 1 && number_sign(x) > 0) {
        result = PyLong_FromUnsignedLongLong(low);
    } else {
        result = long_int(x);
    }
    object_drop(x);
    return result;
}

static bigint_status run_to_text(bigint_ctx *ctx, call *c) {
    size_t need = 0;
    if (c->memory == NULL) {  // it is there if a device has refused
        c->memory = malloc(c->length);
    }
    if (c->memory == NULL) {
        return BIGINT_ENOMEM;
    }
    const bigint_status status =
        bigint_get_text(ctx, c->memory, c->length, &need, &c->in[0]->value, (int)c->answer);
    c->length = status == BIGINT_OK ? need - 1 : c->length;
    return status;
}

// short_text: x, a number of few limbs, at once; NULL, without an exception, for others.
static PyObject *short_text(const number *x, int base) {
    enum { LIMBS = 8 };
    char text[64 * LIMBS + 2];  // digits in base 2, a sign and NUL
    size_t need;
    bigint_ctx *ctx = x->brief && number_limbs(x) <= LIMBS ? context_peek(shared.base) : NULL;
    return ctx == NULL ||
                   bigint_get_text(ctx, text, sizeof text, &need, &x->value, base) != BIGINT_OK
               ? NULL
               : PyUnicode_DecodeASCII(text, (Py_ssize_t)need - 1, NULL);
}

PyObject *convert_to_text(PyObject *self, int base) {
    const int size = base < 0 ? -base : base;
    if (size < 2 || size > (base < 0 ? 36 : 62)) {
        PyErr_SetString(PyExc_ValueError, "digits are in base 2 to 62 or -2 to -36");
        return NULL;
    }
    PyObject *result = short_text((number *)self, base);
    if (result != NULL) {
        return result;
    }
    const double n = (double)number_limbs((number *)self);
    call c = {.run = run_to_text, .in = {(number *)self}, .answer = base};
    object_hold(self);
    // The digits, a sign, a zero, and one for the rounding of this.
    c.length = (size_t)(n * 64 / log2(size) * (1 + 0x1p-40)) + 5;
    c.effort = text_effort(n, base);
    result = call_run(&c) < 0 ? NULL : PyUnicode_DecodeASCII(c.memory, (Py_ssize_t)c.length, NULL);
    call_end(&c);
    return result;
}
