// fixture.c: see fixture.h.
#include "tests/primitives/tridiagonal/fixture.h"

#include <gmp.h>
#include <math.h>
#include <stdlib.h>

const char *matrix_name(matrix_kind kind) {
    static const char *const names[MATRIX_KINDS] = {
        "1-uniform",     "2-diagonal-1e8",   "3-lesp",
        "4-uniform-cut", "5-sparse",         "6-diagonal-64",
        "7-kms-inverse", "8-randsvd",        "9-randsvd",
        "10-randsvd",    "11-randsvd",       "12-upper",
        "13-dorr",       "14-diagonal-1e-8", "15-clement",
        "16-diagonal-0", "laplace",          "strong",
        "weak",          "exchange",         "borders",
        "scaled"};
    return names[kind];
}

bool matrix_singular(matrix_kind kind, size_t n) {
    return (kind == MATRIX_CLEMENT || kind == MATRIX_DIAGONAL_ZERO || kind == MATRIX_EXCHANGE) &&
           n % 2 == 1;
}

bool matrix_dominant(matrix_kind kind) {
    return kind == MATRIX_DIAGONAL_1E8 || kind == MATRIX_DIAGONAL_64 || kind == MATRIX_KMS ||
           kind == MATRIX_LAPLACE || kind == MATRIX_STRONG || kind == MATRIX_WEAK ||
           kind == MATRIX_LESP;
}

bool system_alloc(system_rows *s, size_t n) {
    s->n = n;
    s->a = malloc(4 * n * sizeof *s->a);
    s->x = malloc(n * sizeof *s->x);
    if (s->a != NULL) {
        s->b = s->a + n;
        s->c = s->b + n;
        s->d = s->c + n;
    }
    return s->a != NULL && s->x != NULL;
}

void system_free(system_rows *s) {
    free(s->a);
    free(s->x);
}

static double uniform(gen *g) { return 2.0 * (double)(gen_u64(g) >> 11) * 0x1p-53 - 1.0; }

// Row i of n of gallery dorr: an operator of the second order with a layer in the middle.
static void dorr(double theta, size_t i, size_t n, double *a, double *b, double *c) {
    const double h = 1.0 / ((double)n + 1), term = theta / (h * h);
    const double slope = (0.5 - ((double)i + 1) * h) / h;
    *a = i < (n + 1) / 2 ? -term : -term + slope;
    *c = i < (n + 1) / 2 ? -term - slope : -term;
    *b = -(*a + *c);
}

// Adds an eigenvalue to the k x k symmetric tridiagonal matrix of diagonal[0 .. k) and squares[1 ..
// k), the squares of the off-diagonal, by rotations that bring the bordered matrix back to
// tridiagonal form [GraggHarrod84]. squares[0] is the sum of weights, the squares of first
// components of eigenvectors before they are normalised.
static void add_eigenvalue(double *diagonal, double *squares, size_t k, double value,
                           double weight) {
    double cosine = 1, sine = 0, bulge = 0;  // squares of the rotation's, and what it leaves
    diagonal[k] = value;
    squares[k] = 0;
    for (size_t j = 0; j <= k; j++) {
        const double sum = squares[j] + weight, sine_before = sine, square = cosine * sum;
        cosine = sum > 0 ? squares[j] / sum : 1;
        sine = sum > 0 ? weight / sum : 0;
        const double next = sine * (diagonal[j] - value) - cosine * bulge;
        diagonal[j] += bulge - next;
        bulge = next;
        weight = sine > 0 ? bulge * bulge / sine : sine_before * squares[j];
        squares[j] = square;
    }
}

// The singular value number i of n. Where many are alike they are drawn from half to three halves,
// since a tridiagonal matrix without zeros beside the diagonal has no double ones.
static double singular_value(matrix_kind kind, size_t i, size_t n, gen *g) {
    const double least = 1e-15, place = n > 1 ? (double)i / (double)(n - 1) : 0;
    const double around = 1 + uniform(g) / 2;
    switch (kind) {
        case MATRIX_RANDSVD_SMALL:
            return i + 1 < n ? around : least;
        case MATRIX_RANDSVD_SPREAD:
            return pow(least, place);
        case MATRIX_RANDSVD_LARGE:
            return i == 0 ? 1 : least * around;
        default:
            return 1 - place * (1 - least);
    }
}

static void randsvd(system_rows *s, matrix_kind kind, gen *g) {
    double *const diagonal = s->b, *const squares = s->a;
    for (size_t i = 0; i < s->n; i++) {
        const double value = singular_value(kind, i, s->n, g);
        const double component = uniform(g) + uniform(g) + uniform(g);
        add_eigenvalue(diagonal, squares, i, gen_below(g, 2) ? value : -value,
                       component * component);
    }
    for (size_t i = 0; i < s->n; i++) {
        const double sign = gen_below(g, 2) ? 1 : -1;
        s->c[i] = i + 1 < s->n ? sign * sqrt(squares[i + 1]) : 0;
        s->b[i] *= sign;
        s->a[i] = sign * sqrt(squares[i]);
    }
}

static void row_fill(matrix_kind kind, size_t i, size_t n, gen *g, double *a, double *b,
                     double *c) {
    const double k = (double)i + 1;
    *a = uniform(g);
    *b = uniform(g);
    *c = uniform(g);
    switch (kind) {
        case MATRIX_DIAGONAL_1E8:
            *b = 1e8;
            break;
        case MATRIX_LESP:
            *a = 1 / k;
            *b = -(2 * k + 3);
            *c = k + 1;
            break;
        case MATRIX_UNIFORM_CUT:
            *a *= i % 256 == 0 ? 1e-50 : 1;
            break;
        case MATRIX_SPARSE:
            *a *= (double)gen_below(g, 2);
            *c *= (double)gen_below(g, 2);
            break;
        case MATRIX_DIAGONAL_64:
            *b = 64;
            break;
        case MATRIX_KMS:
            *a = *c = -0.5 / 0.75;
            *b = i == 0 || i == n - 1 ? 1 / 0.75 : 1.25 / 0.75;
            break;
        case MATRIX_UPPER:
            *a *= 1e-50;
            break;
        case MATRIX_DORR:
            dorr(1e-4, i, n, a, b, c);
            break;
        case MATRIX_DIAGONAL_1E_8:
            *b = 1e-8;
            break;
        case MATRIX_CLEMENT:
            *a = (double)n - k + 1;
            *b = 0;
            *c = k;
            break;
        case MATRIX_DIAGONAL_ZERO:
            *b = 0;
            break;
        case MATRIX_LAPLACE:
            *a = *c = -1;
            *b = 2;
            break;
        case MATRIX_STRONG:
            *b = 4;
            break;
        case MATRIX_WEAK:
            *b = fabs(*a) + fabs(*c) + 0.1;
            break;
        case MATRIX_EXCHANGE:
            *a = (double)(i % 2);
            *b = 0;
            *c = 1 - *a;
            break;
        case MATRIX_BORDERS:
            *b *= i % 8 == 7 ? 1e-6 : 1;
            *c *= i % 8 == 6 ? 1e-6 : 1;
            break;
        case MATRIX_SCALED: {
            const double scale = ldexp(1, (int)gen_below(g, 61) - 30);
            *a *= scale;
            *b *= scale;
            *c *= scale;
            break;
        }
        default:
            break;
    }
}

static double rounded(double v, tridiagonal_type type) {
    return type == TRIDIAGONAL_F32 ? (double)(float)v : v;
}

void system_fill(system_rows *s, matrix_kind kind, tridiagonal_type type, gen *g) {
    const bool by_values = kind >= MATRIX_RANDSVD_SMALL && kind <= MATRIX_RANDSVD_EVEN;
    if (by_values) {
        randsvd(s, kind, g);
    }
    for (size_t i = 0; i < s->n; i++) {
        if (!by_values) {
            row_fill(kind, i, s->n, g, &s->a[i], &s->b[i], &s->c[i]);
        }
        s->a[i] = i == 0 ? 0 : rounded(s->a[i], type);
        s->b[i] = rounded(s->b[i], type);
        s->c[i] = i + 1 == s->n ? 0 : rounded(s->c[i], type);
        s->d[i] = rounded(uniform(g), type);
    }
}

// u x(i) + v x(i+1) + w x(i+2) = d
enum { ROW_U, ROW_V, ROW_W, ROW_D, ROW_NUMBERS, TRUTH_BITS = 320 };
typedef struct {
    mpf_t e[ROW_NUMBERS];
} upper_row;

static void set_row(upper_row *r, double u, double v, double w, double d) {
    mpf_set_d(r->e[ROW_U], u);
    mpf_set_d(r->e[ROW_V], v);
    mpf_set_d(r->e[ROW_W], w);
    mpf_set_d(r->e[ROW_D], d);
}

// to -= a b
static void subtract_product(mpf_t to, const mpf_t a, const mpf_t b, mpf_t product) {
    mpf_mul(product, a, b);
    mpf_sub(to, to, product);
}

// Eliminates x(i) from the rest of the rows before, in *row, and row i + 1, in *next: the row with
// the larger coefficient goes to *row, the rest to *next.
static void eliminate(upper_row *row, upper_row *next, mpf_t factor, mpf_t product) {
    mpf_abs(factor, row->e[ROW_U]);
    mpf_abs(product, next->e[ROW_U]);
    if (mpf_cmp(product, factor) > 0) {
        const upper_row swap = *row;
        *row = *next;
        *next = swap;
    }
    if (mpf_sgn(row->e[ROW_U]) == 0) {
        return;
    }
    mpf_div(factor, next->e[ROW_U], row->e[ROW_U]);
    for (unsigned k = ROW_V; k < ROW_NUMBERS; k++) {
        subtract_product(next->e[k], factor, row->e[k], product);
    }
    mpf_swap(next->e[ROW_U], next->e[ROW_V]);
    mpf_swap(next->e[ROW_V], next->e[ROW_W]);
    mpf_set_d(next->e[ROW_W], 0);
}

bool system_solve(system_rows *s) {
    const size_t n = s->n;
    upper_row *rows = malloc((n + 1) * sizeof *rows);
    mpf_t factor, product;
    mpf_init2(factor, TRUTH_BITS);
    mpf_init2(product, TRUTH_BITS);
    for (size_t i = 0; i <= n; i++) {
        for (unsigned k = 0; k < ROW_NUMBERS; k++) {
            mpf_init2(rows[i].e[k], TRUTH_BITS);
        }
    }
    bool regular = true;
    set_row(&rows[0], s->b[0], s->c[0], 0, s->d[0]);
    for (size_t i = 0; regular && i < n; i++) {
        if (i + 1 < n) {
            set_row(&rows[i + 1], s->a[i + 1], s->b[i + 1], s->c[i + 1], s->d[i + 1]);
        }
        eliminate(&rows[i], &rows[i + 1], factor, product);
        regular = mpf_sgn(rows[i].e[ROW_U]) != 0;
    }
    for (size_t i = n; regular && i-- > 0;) {
        upper_row *const r = &rows[i];
        if (i + 1 < n) {
            subtract_product(r->e[ROW_D], r->e[ROW_V], rows[i + 1].e[ROW_D], product);
        }
        if (i + 2 < n) {
            subtract_product(r->e[ROW_D], r->e[ROW_W], rows[i + 2].e[ROW_D], product);
        }
        mpf_div(r->e[ROW_D], r->e[ROW_D], r->e[ROW_U]);
        const double high = mpf_get_d(r->e[ROW_D]);
        mpf_set_d(product, high);
        mpf_sub(product, r->e[ROW_D], product);
        s->x[i] = (long double)high + mpf_get_d(product);
    }
    for (size_t i = 0; i <= n; i++) {
        for (unsigned k = 0; k < ROW_NUMBERS; k++) {
            mpf_clear(rows[i].e[k]);
        }
    }
    mpf_clear(factor);
    mpf_clear(product);
    free(rows);
    return regular;
}

double system_residual(const system_rows *s, const double *x) {
    long double most = 0, worst = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(x[i])) {
            return INFINITY;
        }
        most = fmaxl(most, fabsl(x[i]));
    }
    for (size_t i = 0; i < s->n; i++) {
        const long double lower = i > 0 ? x[i - 1] : 0, upper = i + 1 < s->n ? x[i + 1] : 0;
        const long double r = (long double)s->d[i] -
                              (s->a[i] * lower + s->b[i] * (long double)x[i] + s->c[i] * upper);
        const long double row = fmaxl(fabsl(s->a[i]), fmaxl(fabsl(s->b[i]), fabsl(s->c[i])));
        const long double size = row * most + fabsl(s->d[i]);
        worst = size > 0 ? fmaxl(worst, fabsl(r) / size) : worst;
    }
    return (double)worst;
}

double system_error(const system_rows *s, const double *x) {
    long double difference = 0, size = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!isfinite(x[i])) {
            return INFINITY;
        }
        const long double e = (long double)x[i] - s->x[i];
        difference += e * e;
        size += s->x[i] * s->x[i];
    }
    return (double)sqrtl(difference / size);
}
