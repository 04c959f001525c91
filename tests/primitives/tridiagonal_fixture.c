// tridiagonal_fixture.c: see tridiagonal_fixture.h.
#include "tests/primitives/tridiagonal_fixture.h"

#include <math.h>
#include <stdlib.h>

const char *matrix_name(matrix_kind kind) {
    static const char *const names[MATRIX_KINDS] = {
        "1-uniform",     "2-diagonal-1e8", "3-lesp",   "4-uniform-cut", "5-sparse",
        "6-diagonal-64", "7-kms-inverse",  "12-upper", "13-dorr",       "14-diagonal-1e-8",
        "15-clement",    "16-diagonal-0",  "laplace",  "strong",        "weak",
        "exchange",      "borders",        "scaled"};
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
    s->a = malloc(5 * n * sizeof(double));
    if (s->a != NULL) {
        s->b = s->a + n;
        s->c = s->b + n;
        s->d = s->c + n;
        s->x = s->d + n;
    }
    return s->a != NULL;
}

void system_free(system_rows *s) { free(s->a); }

static double uniform(gen *g) { return 2.0 * (double)(gen_u64(g) >> 11) * 0x1p-53 - 1.0; }

// Row i of n of gallery dorr: an operator of the second order with a layer in the middle.
static void dorr(double theta, size_t i, size_t n, double *a, double *b, double *c) {
    const double h = 1.0 / ((double)n + 1), term = theta / (h * h);
    const double slope = (0.5 - ((double)i + 1) * h) / h;
    *a = i < (n + 1) / 2 ? -term : -term + slope;
    *c = i < (n + 1) / 2 ? -term - slope : -term;
    *b = -(*a + *c);
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
    for (size_t i = 0; i < s->n; i++) {
        row_fill(kind, i, s->n, g, &s->a[i], &s->b[i], &s->c[i]);
        s->a[i] = i == 0 ? 0 : rounded(s->a[i], type);
        s->b[i] = rounded(s->b[i], type);
        s->c[i] = i + 1 == s->n ? 0 : rounded(s->c[i], type);
        s->d[i] = rounded(uniform(g), type);
    }
}

// u x(i) + v x(i+1) + w x(i+2) = d
typedef struct {
    long double u, v, w, d;
} upper_row;

bool system_solve(system_rows *s) {
    const size_t n = s->n;
    upper_row *kept = malloc(n * sizeof *kept);
    upper_row row = {s->b[0], s->c[0], 0, s->d[0]};
    bool regular = kept != NULL;
    for (size_t i = 0; regular && i < n; i++) {
        upper_row next = {0, 0, 0, 0};
        if (i + 1 < n) {
            next = (upper_row){s->a[i + 1], s->b[i + 1], s->c[i + 1], s->d[i + 1]};
        }
        if (fabsl(next.u) > fabsl(row.u)) {
            const upper_row swap = row;
            row = next;
            next = swap;
        }
        regular = row.u != 0;
        kept[i] = row;
        const long double m = regular ? next.u / row.u : 0;
        row = (upper_row){next.v - m * row.v, next.w - m * row.w, 0, next.d - m * row.d};
    }
    long double x1 = 0, x2 = 0;
    for (size_t i = n; regular && i-- > 0;) {
        const upper_row *r = &kept[i];
        const long double x = (r->d - r->v * x1 - r->w * x2) / r->u;
        s->x[i] = (double)x;
        x2 = x1;
        x1 = x;
    }
    free(kept);
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
        size += (long double)s->x[i] * s->x[i];
    }
    return (double)sqrtl(difference / size);
}
