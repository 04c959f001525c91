// functions.c: arithmetic, roots, powers, primes and texts as functions of the module.
#include "functions.h"

#include <limits.h>

#include "bits.h"
#include "call.h"
#include "convert.h"
#include "operators.h"
#include "short.h"

// take makes n operands of the arguments. -1 with TypeError if there are more or fewer of them, or
// others than integers; then the call is ended.
static int take(call *c, const char *name, PyObject *const *args, Py_ssize_t given, Py_ssize_t n) {
    if (given != n) {
        PyErr_Format(PyExc_TypeError, "%s() takes %zd arguments (%zd given)", name, n, given);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        c->in[i] = convert_argument(args[i]);
        if (c->in[i] == NULL) {
            call_end(c);
            return -1;
        }
    }
    return 0;
}

// apply: an operator as a function, for arguments that are integers or have __index__.
static PyObject *apply(const char *name, PyObject *const *args, Py_ssize_t given, binaryfunc op) {
    call c = {0};
    if (take(&c, name, args, given, 2) < 0) {
        return NULL;
    }
    PyObject *result = op((PyObject *)c.in[0], (PyObject *)c.in[1]);
    call_end(&c);
    return result;
}

static PyObject *add(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return apply("add", args, n, operators_add);
}
static PyObject *subtract(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return apply("sub", args, n, operators_subtract);
}
static PyObject *multiply(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return apply("mul", args, n, operators_multiply);
}
static PyObject *floor_divide(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return apply("floor_div", args, n, operators_floor_divide);
}
static PyObject *modulo(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return apply("mod", args, n, operators_remainder);
}

// of_one: op on one argument; weight: of its limbs, for the effort.
static PyObject *of_one(PyObject *x, short_unary op, double weight) {
    PyObject *result = short_of_one(x, op);
    if (result != NULL) {
        return result;
    }
    call c = {.run = call_unary, .unary = op, .in = {convert_argument(x)}};
    if (c.in[0] == NULL) {
        return NULL;
    }
    c.effort = weight * (double)number_limbs(c.in[0]);
    return call_number(&c);
}

static PyObject *square(PyObject *module, PyObject *x) {
    (void)module;
    return of_one(x, bigint_sqr, 2.0 / 3);
}

// --- Roots ---------------------------------------------------------------------------------------

static bigint_status root_alone(bigint_ctx *ctx, bigint *s, const bigint *a) {
    return bigint_sqrt(ctx, s, NULL, a);
}

static PyObject *isqrt(PyObject *module, PyObject *x) {
    (void)module;
    return of_one(x, root_alone, 2);
}

static bigint_status run_sqrt(bigint_ctx *ctx, call *c) {
    return bigint_sqrt(ctx, &c->out[0]->value, &c->out[1]->value, &c->in[0]->value);
}

static bigint_status run_root(bigint_ctx *ctx, call *c) {
    return bigint_root(ctx, &c->out[0]->value, &c->out[1]->value, &c->in[0]->value, c->k);
}

static PyObject *isqrt_rem(PyObject *module, PyObject *x) {
    (void)module;
    call c = {.run = run_sqrt, .in = {convert_argument(x)}};
    if (c.in[0] == NULL) {
        return NULL;
    }
    c.effort = 2.0 * (double)number_limbs(c.in[0]);
    return call_tuple(&c, 2);
}

// root_pair: (root, remainder) of the k-th root.
static PyObject *root_pair(const char *name, PyObject *const *args, Py_ssize_t n) {
    call c = {.run = run_root};
    if (n != 2) {
        PyErr_Format(PyExc_TypeError, "%s() takes 2 arguments (%zd given)", name, n);
        return NULL;
    }
    if (convert_count(args[1], &c.k, PyExc_OverflowError) < 0) {
        return NULL;
    }
    if (c.k == 0) {
        PyErr_Format(PyExc_ValueError, "%s() takes a degree above 0", name);
        return NULL;
    }
    c.in[0] = convert_argument(args[0]);
    if (c.in[0] == NULL) {
        return NULL;
    }
    c.effort = 3.0 * (double)number_limbs(c.in[0]);
    return call_tuple(&c, 2);
}

static PyObject *iroot_rem(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return root_pair("iroot_rem", args, n);
}

static PyObject *iroot(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    PyObject *pair = root_pair("iroot", args, n);
    if (pair == NULL) {
        return NULL;
    }
    const int zero = operators_zero((number *)PyTuple_GetItem(pair, 1));
    PyObject *result =
        zero < 0 ? NULL : Py_BuildValue("OO", PyTuple_GetItem(pair, 0), zero ? Py_True : Py_False);
    object_drop(pair);
    return result;
}

// --- Powers and primes ---------------------------------------------------------------------------

static PyObject *powmod(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    call c = {0};
    if (take(&c, "powmod", args, n, 3) < 0) {
        return NULL;
    }
    PyObject *result =
        operators_power((PyObject *)c.in[0], (PyObject *)c.in[1], (PyObject *)c.in[2]);
    call_end(&c);
    return result;
}

static PyObject *invert(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    call c = {0};
    if (take(&c, "invert", args, n, 2) < 0) {
        return NULL;
    }
    const int zero = operators_zero(c.in[1]);
    if (zero > 0) {
        PyErr_SetString(PyExc_ZeroDivisionError, "invert() modulo 0");
    }
    PyObject *result = zero != 0 ? NULL : (PyObject *)power_inverse(c.in[0], c.in[1]);
    call_end(&c);
    return result;
}

static bigint_status run_prime(bigint_ctx *ctx, call *c) {
    int prime = 0;
    const bigint_status status = bigint_probable_prime(ctx, &prime, &c->in[0]->value);
    c->answer = prime;
    return status;
}

static PyObject *is_prime(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    uint64_t rounds;  // gmpy2's second argument has no meaning here
    if (n == 2 && convert_count(args[1], &rounds, PyExc_OverflowError) < 0) {
        return NULL;
    }
    call c = {.run = run_prime};
    if (take(&c, "is_prime", args, n == 2 ? 1 : n, 1) < 0) {
        return NULL;
    }
    const double limbs = (double)number_limbs(c.in[0]);
    int64_t prime;
    c.effort = 3.0 * 64 * limbs * limbs;
    return call_answer(&c, &prime) < 0 ? NULL : PyBool_FromLong(prime != 0);
}

PyObject *functions_is_prime(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    PyObject *all[] = {x, n > 0 ? args[0] : NULL};
    return is_prime(NULL, all, n + 1);
}

// No composite number below 2^64 passes.
static PyObject *is_probab_prime(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    PyObject *passes = is_prime(module, args, n);
    if (passes == NULL || passes == Py_False) {
        object_drop(passes);
        return passes == NULL ? NULL : PyLong_FromLong(0);
    }
    object_drop(passes);
    number *x = convert_argument(args[0]);
    const uint64_t limbs = x == NULL ? 0 : number_limbs(x);
    object_drop(x);
    return x == NULL ? NULL : PyLong_FromLong(limbs <= 1 ? 2 : 1);
}

PyObject *functions_is_probab_prime(PyObject *x, PyObject *const *args, Py_ssize_t n) {
    PyObject *all[] = {x, n > 0 ? args[0] : NULL};
    return is_probab_prime(NULL, all, n + 1);
}

static PyObject *bit_count(PyObject *module, PyObject *x) {
    (void)module;
    number *n = convert_argument(x);
    PyObject *result = n == NULL ? NULL : bits_count((PyObject *)n, NULL);
    object_drop(n);
    return result;
}

// --- Texts ---------------------------------------------------------------------------------------

static PyObject *digits(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    const long base = n == 2 ? PyLong_AsLong(args[1]) : 10;
    call c = {0};
    if (PyErr_Occurred() || take(&c, "digits", args, n == 2 ? 1 : n, 1) < 0) {
        return NULL;
    }
    const bool fits = base >= INT_MIN && base <= INT_MAX;  // else there is no such base, as for 0
    PyObject *result = convert_to_text((PyObject *)c.in[0], fits ? (int)base : 0);
    call_end(&c);
    return result;
}

#define FAST(name) (PyCFunction)(void *) name, METH_FASTCALL

PyMethodDef functions[] = {
    {"add", FAST(add), "add(x, y): x + y."},
    {"sub", FAST(subtract), "sub(x, y): x - y."},
    {"mul", FAST(multiply), "mul(x, y): x * y."},
    {"floor_div", FAST(floor_divide), "floor_div(x, y): x // y."},
    {"mod", FAST(modulo), "mod(x, y): x % y."},
    {"square", square, METH_O, "square(x): x * x."},
    {"isqrt", isqrt, METH_O, "isqrt(x): the square root of x >= 0, rounded down."},
    {"isqrt_rem", isqrt_rem, METH_O, "isqrt_rem(x): (s, x - s * s) with s = isqrt(x)."},
    {"iroot", FAST(iroot),
     "iroot(x, n): (r, exact): the n-th root of x rounded toward zero; whether x = r ** n."},
    {"iroot_rem", FAST(iroot_rem),
     "iroot_rem(x, n): (r, x - r ** n) with the root of iroot(x, n)."},
    {"powmod", FAST(powmod), "powmod(x, y, m): pow(x, y, m)."},
    {"gcd", FAST(functions_gcd), "gcd(*integers): their greatest common divisor, >= 0."},
    {"lcm", FAST(functions_lcm), "lcm(*integers): their least common multiple, >= 0."},
    {"invert", FAST(invert),
     "invert(x, m): y with x * y = 1 modulo |m|, 0 <= y < |m|; ZeroDivisionError if there is "
     "none."},
    {"is_prime", FAST(is_prime),
     "is_prime(x): whether x passes the test of Baillie, Pomerance, Selfridge and Wagstaff. All\n"
     "primes do; no composite number that does is known. A second argument is ignored."},
    {"is_probab_prime", FAST(is_probab_prime),
     "is_probab_prime(x): 0 if x is no prime, 2 if it is one, 1 if it passes is_prime and is not\n"
     "below 2 ** 64, where that is a proof. A second argument is ignored."},
    {"bit_count", bit_count, METH_O, "bit_count(x): the ones of |x|."},
    {"digits", FAST(digits),
     "digits(x, base=10): x as a text in base 2 to 62, or -2 to -36 for upper case."},
    {"to_binary", convert_to_binary, METH_O, "to_binary(x): bytes for from_binary, as gmpy2's."},
    {"from_binary", convert_from_binary, METH_O,
     "from_binary(b): the number of to_binary's bytes."},
    {NULL, NULL, 0, NULL}};
