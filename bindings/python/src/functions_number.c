// functions_number.c: divisors, symbols, primes and combinatorics.
#include <math.h>

#include "convert.h"
#include "entry.h"
#include "functions.h"

// --- Numbers from counts -------------------------------------------------------------------------

static bigint_status run_fac(bigint_ctx *ctx, call *c) {
    return bigint_factorial(ctx, &c->out[0]->value, c->k);
}
static bigint_status run_double_fac(bigint_ctx *ctx, call *c) {
    return bigint_multifactorial(ctx, &c->out[0]->value, c->k, 2);
}
static bigint_status run_multi_fac(bigint_ctx *ctx, call *c) {
    return bigint_multifactorial(ctx, &c->out[0]->value, c->k, (uint64_t)c->answer);
}
static bigint_status run_primorial(bigint_ctx *ctx, call *c) {
    return bigint_primorial(ctx, &c->out[0]->value, c->k);
}
static bigint_status run_comb(bigint_ctx *ctx, call *c) {
    return bigint_binomial(ctx, &c->out[0]->value, &c->in[0]->value, c->k);
}
// The number before is asked for if there is a place for it.
static bigint_status run_fib(bigint_ctx *ctx, call *c) {
    return bigint_fibonacci(ctx, &c->out[0]->value, c->out[1] ? &c->out[1]->value : NULL, c->k);
}
static bigint_status run_lucas(bigint_ctx *ctx, call *c) {
    return bigint_lucas(ctx, &c->out[0]->value, c->out[1] ? &c->out[1]->value : NULL, c->k);
}

// --- Divisors ------------------------------------------------------------------------------------

static bigint_status run_gcdext(bigint_ctx *ctx, call *c) {
    return bigint_gcdext(ctx, &c->out[0]->value, &c->out[1]->value, &c->out[2]->value,
                         &c->in[0]->value, &c->in[1]->value);
}

// divided: x = in[i] / g, for the divisor g.
static bigint_status divided(bigint_ctx *ctx, bigint *x, const call *c, int i, const bigint *g) {
    return bigint_divexact(ctx, x, &c->in[i]->value, g);
}

// r in[1] = in[0] modulo in[2], after a division by what all three have in common. answer: 0 if
// there is none.
static bigint_status run_divm(bigint_ctx *ctx, call *c) {
    bigint *const r = &c->out[0]->value;
    bigint g = BIGINT_INIT, m = BIGINT_INIT, x = BIGINT_INIT;
    int exists = 0;
    bigint_status status = bigint_gcd(ctx, &g, &c->in[0]->value, &c->in[1]->value);
    status = status != BIGINT_OK ? status : bigint_gcd(ctx, &g, &g, &c->in[2]->value);
    status = status != BIGINT_OK ? status : divided(ctx, &m, c, 2, &g);
    status = status != BIGINT_OK ? status : divided(ctx, &x, c, 1, &g);
    status = status != BIGINT_OK ? status : bigint_invert(ctx, &exists, r, &x, &m);
    if (status == BIGINT_OK && exists) {
        status = divided(ctx, &x, c, 0, &g);
        status = status != BIGINT_OK ? status : bigint_mul(ctx, r, r, &x);
        status = status != BIGINT_OK ? status : bigint_mod(ctx, r, r, &m);
    }
    bigint_clear(ctx, &g), bigint_clear(ctx, &m), bigint_clear(ctx, &x);
    c->answer = exists;
    return status;
}

static bigint_status run_remove(bigint_ctx *ctx, call *c) {
    uint64_t count = 0;
    const bigint_status status =
        bigint_remove(ctx, &c->out[0]->value, &count, &c->in[0]->value, &c->in[1]->value);
    c->answer = (int64_t)count;
    return status;
}

static const char *refuse_remove(const call *c) {
    return entry_above(c, 1, 1) ? NULL : "factor must be > 1";
}

// --- Symbols -------------------------------------------------------------------------------------

static const char *refuse_even(const call *c) {
    const bigint *const y = &c->in[1]->value;
    const bool odd = bigint_limbs_bound(y) > 0 && (bigint_limbs_read(y)[0] & 1) != 0;
    return odd ? NULL : "y must be odd";
}
static const char *refuse_no_prime(const call *c) {
    return entry_above(c, 1, 2) ? refuse_even(c) : "y must be an odd prime";
}

// --- Primes and powers ---------------------------------------------------------------------------

static bigint_status run_next_prime(bigint_ctx *ctx, call *c) {
    return bigint_next_prime(ctx, &c->out[0]->value, &c->in[0]->value);
}

// in[0] > 2.
static bigint_status run_prev_prime(bigint_ctx *ctx, call *c) {
    bigint *const r = &c->out[0]->value;
    int odd = 0, prime = 0, order = 0;
    bigint_status status = bigint_tstbit(ctx, &odd, &c->in[0]->value, 0);
    status = status != BIGINT_OK ? status : bigint_sub_u64(ctx, r, &c->in[0]->value, odd ? 2 : 1);
    while (status == BIGINT_OK) {
        status = bigint_probable_prime(ctx, &prime, r);
        if (status != BIGINT_OK || prime) {
            break;
        }
        status = bigint_sub_u64(ctx, r, r, 2);
        status = status != BIGINT_OK ? status : bigint_cmp_u64(ctx, &order, r, 2);
        if (status == BIGINT_OK && order < 0) {
            return bigint_set_u64(ctx, r, 2);
        }
    }
    return status;
}

static const char *refuse_below_3(const call *c) {
    return entry_above(c, 0, 2) ? NULL : "x must be >= 3";
}

static bigint_status run_powmod_sec(bigint_ctx *ctx, call *c) {
    const bigint *const e = &c->in[1]->value;
    return bigint_powm_sec(ctx, &c->out[0]->value, &c->in[0]->value, bigint_limbs_read(e),
                           bigint_limbs_bound(e), &c->in[2]->value);
}

static const char *refuse_exponent(const call *c) {
    return number_sign(c->in[1]) > 0 ? NULL : "powmod_sec() exponent must be > 0";
}

// --- The table -----------------------------------------------------------------------------------

static double quadratic(const call *c) { return 64 * entry_products(c) * entry_products(c); }
static double search(const call *c) { return 40 * quadratic(c); }
static double bits(const call *c) { return (double)c->k / 64; }
static double factorial(const call *c) {
    return (double)c->k * log2((double)c->k + 2) / 64 * log2((double)c->k + 2);
}
static double choice(const call *c) { return (double)c->k * log2((double)c->k + 2) / 8; }

static const entry entries[] = {
    // Divisors.
    {{"gcdext", ENTRY_APPLY, "gcdext(x, y): (g, s, t) with g = gcd(x, y) = s * x + t * y."},
     .run = run_gcdext,
     .effort = entry_euclid,
     .result = RESULT_TRIPLE,
     .numbers = 2},
    {{"divexact", ENTRY_APPLY, "divexact(x, y): x / y; ValueError if y does not divide x."},
     .binary = bigint_divexact,
     .effort = entry_products,
     .result = RESULT_NUMBER,
     .numbers = 2,
     .divides = true},
    {{"divm", ENTRY_APPLY,
      "divm(x, y, m): the least z >= 0 with y * z = x modulo m; ZeroDivisionError if there is "
      "none."},
     .run = run_divm,
     .effort = entry_euclid,
     .result = RESULT_INVERSE,
     .numbers = 3,
     .divides = true},
    {{"remove", ENTRY_APPLY, "remove(x, f): (y, n) with x = y * f ** n and the largest n; f > 1."},
     .run = run_remove,
     .effort = entry_euclid,
     .result = RESULT_NUMBER_AND_COUNT,
     .numbers = 2,
     .refuse = refuse_remove},
    // Symbols, primes, powers.
    {{"jacobi", ENTRY_APPLY, "jacobi(x, y): the Jacobi symbol (x | y); y is odd."},
     .ask_two = bigint_kronecker,
     .effort = entry_euclid,
     .result = RESULT_INT,
     .numbers = 2,
     .refuse = refuse_even},
    {{"legendre", ENTRY_APPLY, "legendre(x, y): the Legendre symbol (x | y); y is an odd prime."},
     .ask_two = bigint_kronecker,
     .effort = entry_euclid,
     .result = RESULT_INT,
     .numbers = 2,
     .refuse = refuse_no_prime},
    {{"kronecker", ENTRY_APPLY, "kronecker(x, y): the Kronecker symbol (x | y)."},
     .ask_two = bigint_kronecker,
     .effort = entry_euclid,
     .result = RESULT_INT,
     .numbers = 2},
    {{"next_prime", ENTRY_APPLY, "next_prime(x): the first number above x that is_prime."},
     .run = run_next_prime,
     .effort = search,
     .result = RESULT_NUMBER,
     .numbers = 1},
    {{"prev_prime", ENTRY_APPLY, "prev_prime(x): the last number below x > 2 that is_prime."},
     .run = run_prev_prime,
     .effort = search,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .refuse = refuse_below_3},
    {{"powmod_sec", ENTRY_APPLY,
      "powmod_sec(x, y, m): pow(x, y, m), y > 0, m odd, in a time that does not depend on y."},
     .run = run_powmod_sec,
     .effort = quadratic,
     .result = RESULT_NUMBER,
     .numbers = 3,
     .refuse = refuse_exponent},
    // Combinatorics.
    {{"fac", ENTRY_APPLY, "fac(n): n!."},
     .run = run_fac,
     .effort = factorial,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"factorial", ENTRY_APPLY, "factorial(n): fac(n)."},
     .run = run_fac,
     .effort = factorial,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"double_fac", ENTRY_APPLY, "double_fac(n): n * (n - 2) * (n - 4) ..., factors above 0."},
     .run = run_double_fac,
     .effort = factorial,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"multi_fac", ENTRY_APPLY, "multi_fac(n, m): n * (n - m) * (n - 2 * m) ..., factors above 0."},
     .run = run_multi_fac,
     .effort = factorial,
     .result = RESULT_NUMBER,
     .counts = 2},
    {{"primorial", ENTRY_APPLY, "primorial(n): the product of the primes up to n."},
     .run = run_primorial,
     .effort = factorial,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"comb", ENTRY_APPLY, "comb(n, k): the binomial coefficient n over k; n may be negative."},
     .run = run_comb,
     .effort = choice,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"bincoef", ENTRY_APPLY, "bincoef(n, k): comb(n, k)."},
     .run = run_comb,
     .effort = choice,
     .result = RESULT_NUMBER,
     .numbers = 1,
     .counts = 1},
    {{"fib", ENTRY_APPLY, "fib(n): the n-th Fibonacci number."},
     .run = run_fib,
     .effort = bits,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"fib2", ENTRY_APPLY, "fib2(n): (fib(n), fib(n - 1))."},
     .run = run_fib,
     .effort = bits,
     .result = RESULT_PAIR,
     .counts = 1},
    {{"lucas", ENTRY_APPLY, "lucas(n): the n-th Lucas number."},
     .run = run_lucas,
     .effort = bits,
     .result = RESULT_NUMBER,
     .counts = 1},
    {{"lucas2", ENTRY_APPLY, "lucas2(n): (lucas(n), lucas(n - 1))."},
     .run = run_lucas,
     .effort = bits,
     .result = RESULT_PAIR,
     .counts = 1},
};

int functions_add_numbers(PyObject *module) {
    return entry_add(module, entries, sizeof entries / sizeof entries[0]);
}

// --- Of any number of integers -------------------------------------------------------------------

// fold: op over all arguments, from `start` on.
static PyObject *fold(PyObject *const *args, Py_ssize_t n, short_binary op, int64_t start) {
    PyObject *result = n == 2 ? short_of_two(args[0], args[1], op) : NULL;
    if (result != NULL) {
        return result;
    }
    result = (PyObject *)number_from_i64(start);
    for (Py_ssize_t i = 0; i < n && result != NULL; i++) {
        PyObject *next = short_of_two(result, args[i], op);
        if (next == NULL) {
            call c = {.run = call_binary, .binary = op, .in = {(number *)result}};
            object_hold(result);
            c.in[1] = convert_argument(args[i]);
            c.effort = entry_euclid(&c);
            next = c.in[1] == NULL ? NULL : call_number(&c);
            call_end(&c);
        }
        object_replace(&result, next);
    }
    return result;
}

PyObject *functions_gcd(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return fold(args, n, bigint_gcd, 0);
}
PyObject *functions_lcm(PyObject *module, PyObject *const *args, Py_ssize_t n) {
    (void)module;
    return fold(args, n, bigint_lcm, 1);
}
