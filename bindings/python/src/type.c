// type.c: the type mpz: slots, and the methods and attributes that int has.
#include "bits.h"
#include "call.h"
#include "convert.h"
#include "functions.h"
#include "limbs.h"
#include "operators.h"
#include "shared.h"

enum { LONG_LIMBS = 200 };  // above, int cannot format all numbers: it stops at 4300 digits

static PyObject *to_str(PyObject *x) { return convert_to_text(x, 10); }

static PyObject *to_repr(PyObject *x) {
    PyObject *digits = to_str(x);
    PyObject *result = digits == NULL ? NULL : PyUnicode_FromFormat("mpz(%U)", digits);
    object_drop(digits);
    return result;
}

static PyObject *format(PyObject *x, PyObject *spec) {
    if (number_limbs((number *)x) > LONG_LIMBS) {
        return PyObject_CallFunctionObjArgs(shared.format_long, x, spec, NULL);
    }
    PyObject *integer = convert_to_int(x);
    PyObject *result = integer == NULL ? NULL : PyObject_Format(integer, spec);
    object_drop(integer);
    return result;
}

static PyObject *reduce(PyObject *x, PyObject *unused) {
    (void)unused;
    PyObject *binary = convert_to_binary(NULL, x);
    PyObject *from = binary == NULL ? NULL : PyObject_GetAttrString(x, "_from_binary");
    PyObject *result = from == NULL ? NULL : Py_BuildValue("O(O)", from, binary);
    object_drop(binary);
    object_drop(from);
    return result;
}

static PyObject *itself(PyObject *x, PyObject *unused) {
    (void)unused;
    return Py_NewRef(x);
}

static PyObject *yes(PyObject *x, PyObject *unused) {
    (void)x;
    (void)unused;
    Py_RETURN_TRUE;
}

static PyObject *ratio(PyObject *x, PyObject *unused) {
    (void)unused;
    return Py_BuildValue("ON", x, number_from_i64(1));
}

static PyObject *round_to(PyObject *x, PyObject *args) {
    PyObject *digits = Py_None;
    if (!PyArg_ParseTuple(args, "|O:__round__", &digits)) {
        return NULL;
    }
    return digits == Py_None ? Py_NewRef(x)
                             : PyObject_CallFunctionObjArgs(shared.round_long, x, digits, NULL);
}

static bigint_status run_bits(bigint_ctx *ctx, call *c) {
    uint64_t bits = 0;
    const bigint_status status = bigint_bits(ctx, &bits, &c->in[0]->value);
    c->answer = (int64_t)bits;
    return status;
}

static PyObject *bit_length(PyObject *x, PyObject *unused) {
    (void)unused;
    call c = {.run = run_bits, .in = {(number *)x}};
    int64_t bits;
    object_hold(x);
    return call_answer(&c, &bits) < 0 ? NULL : PyLong_FromLongLong(bits);
}

static PyObject *digits(PyObject *x, PyObject *args) {
    int base = 10;
    return !PyArg_ParseTuple(args, "|i:digits", &base) ? NULL : convert_to_text(x, base);
}

static PyObject *size_of(PyObject *x, PyObject *unused) {
    (void)unused;
    return PyLong_FromSize_t(sizeof(number) + 8 * number_limbs((number *)x));
}

static PyObject *get_itself(PyObject *x, void *unused) {
    (void)unused;
    return Py_NewRef(x);
}

static PyObject *get_small(PyObject *x, void *value) {
    (void)x;
    return (PyObject *)number_from_i64((int64_t)(intptr_t)value);
}

static PyObject *get_device(PyObject *x, void *unused) {
    (void)unused;
    const number *n = (const number *)x;
    return n->home == NULL ? Py_NewRef(Py_None) : PyLong_FromLong(n->home->place);
}

// Methods that are functions as well.
static PyObject *bit_test(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_TEST, x, args, n);
}
static PyObject *bit_scan0(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_SCAN0, x, args, n);
}
static PyObject *bit_scan1(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_SCAN1, x, args, n);
}
static PyObject *bit_set(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_SET, x, args, n);
}
static PyObject *bit_clear(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_CLEAR, x, args, n);
}
static PyObject *bit_flip(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_BIT_FLIP, x, args, n);
}
static PyObject *num_digits(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_NUM_DIGITS, x, args, n);
}
static PyObject *is_square(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_SQUARE, x, args, n);
}
static PyObject *is_power(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_POWER, x, args, n);
}
static PyObject *is_even(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_EVEN, x, args, n);
}
static PyObject *is_odd(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_ODD, x, args, n);
}
static PyObject *is_divisible(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_DIVISIBLE, x, args, n);
}
static PyObject *is_congruent(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    return functions_method(FUNCTION_IS_CONGRUENT, x, args, n);
}

#define FAST(name) (PyCFunction)(void *) name, METH_FASTCALL

static PyMethodDef methods[] = {
    {"__format__", format, METH_O, NULL},
    {"__reduce__", reduce, METH_NOARGS, NULL},
    {"__copy__", itself, METH_NOARGS, NULL},
    {"__deepcopy__", itself, METH_O, NULL},
    {"__round__", round_to, METH_VARARGS, NULL},
    {"__trunc__", itself, METH_NOARGS, NULL},
    {"__floor__", itself, METH_NOARGS, NULL},
    {"__ceil__", itself, METH_NOARGS, NULL},
    {"__sizeof__", size_of, METH_NOARGS, NULL},
    {"_from_binary", convert_from_binary, METH_O | METH_STATIC, NULL},
    {"conjugate", itself, METH_NOARGS, "conjugate(): the number itself."},
    {"is_integer", yes, METH_NOARGS, "is_integer(): True."},
    {"as_integer_ratio", ratio, METH_NOARGS, "as_integer_ratio(): (self, mpz(1))."},
    {"bit_length", bit_length, METH_NOARGS, "bit_length(): the bits of the magnitude; 0 has none."},
    {"bit_count", bits_count, METH_NOARGS, "bit_count(): the ones of the magnitude."},
    {"bit_test", FAST(bit_test), "bit_test(n): whether bit n is set, in two's complement."},
    {"bit_scan0", FAST(bit_scan0), "bit_scan0(n=0): the first bit from n on that is 0, or None."},
    {"bit_scan1", FAST(bit_scan1), "bit_scan1(n=0): the first bit from n on that is 1, or None."},
    {"bit_set", FAST(bit_set), "bit_set(n): with bit n set."},
    {"bit_clear", FAST(bit_clear), "bit_clear(n): with bit n cleared."},
    {"bit_flip", FAST(bit_flip), "bit_flip(n): with bit n changed."},
    {"num_digits", FAST(num_digits),
     "num_digits(base=10): the digits of the magnitude, or one more."},
    {"is_square", FAST(is_square), "is_square(): whether it is a square."},
    {"is_power", FAST(is_power), "is_power(): whether it is y ** k with k > 1."},
    {"is_even", FAST(is_even), "is_even(): whether it is even."},
    {"is_odd", FAST(is_odd), "is_odd(): whether it is odd."},
    {"is_divisible", FAST(is_divisible), "is_divisible(d): whether d divides it."},
    {"is_congruent", FAST(is_congruent),
     "is_congruent(y, m): whether m divides the difference from y."},
    {"is_prime", FAST(functions_is_prime), "is_prime(): as the function longmul.is_prime."},
    {"is_probab_prime", FAST(functions_is_probab_prime),
     "is_probab_prime(): as the function longmul.is_probab_prime."},
    {"limbs", limbs_view, METH_NOARGS,
     "limbs(): the magnitude's 64-bit limbs, the lowest first, as a read-only memoryview."},
    {"digits", digits, METH_VARARGS,
     "digits(base=10): a text in base 2 to 62, or -2 to -36 for upper case."},
    {"to_bytes", (PyCFunction)(void *)convert_to_bytes, METH_VARARGS | METH_KEYWORDS,
     "to_bytes(length=1, byteorder='big', *, signed=False): as int.to_bytes."},
    {"from_bytes", (PyCFunction)(void *)convert_from_bytes,
     METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "from_bytes(bytes, byteorder='big', *, signed=False): as int.from_bytes, of any buffer."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef properties[] = {
    {"numerator", get_itself, NULL, "The number itself.", NULL},
    {"denominator", get_small, NULL, "1.", (void *)1},
    {"real", get_itself, NULL, "The number itself.", NULL},
    {"imag", get_small, NULL, "0.", NULL},
    {"device", get_device, NULL, "The ordinal of the device where it lives; None: the host.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "mpz(x=0, base=0)\n\n"
     "An immutable integer of any length. x: a number, which is rounded toward zero, or a text in\n"
     "base 2 to 62, or 0 to look for 0x, 0o or 0b. Operators are those of int and mix with it."},
    {Py_tp_new, convert_new},
    {Py_tp_dealloc, number_dealloc},
    {Py_tp_str, to_str},
    {Py_tp_repr, to_repr},
    {Py_tp_hash, operators_hash},
    {Py_tp_richcompare, operators_compare},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {Py_nb_add, operators_add},
    {Py_nb_subtract, operators_subtract},
    {Py_nb_multiply, operators_multiply},
    {Py_nb_floor_divide, operators_floor_divide},
    {Py_nb_remainder, operators_remainder},
    {Py_nb_divmod, operators_divmod},
    {Py_nb_true_divide, operators_true_divide},
    {Py_nb_power, operators_power},
    {Py_nb_lshift, operators_left_shift},
    {Py_nb_rshift, operators_right_shift},
    {Py_nb_and, bits_and},
    {Py_nb_or, bits_or},
    {Py_nb_xor, bits_xor},
    {Py_nb_negative, operators_negative},
    {Py_nb_positive, operators_positive},
    {Py_nb_absolute, operators_absolute},
    {Py_nb_invert, operators_invert},
    {Py_nb_bool, operators_bool},
    {Py_nb_int, convert_to_int},
    {Py_nb_index, convert_to_int},
    {Py_nb_float, operators_float},
    {0, NULL}};

PyType_Spec number_spec = {"longmul.mpz", sizeof(number), 0, Py_TPFLAGS_DEFAULT, slots};
