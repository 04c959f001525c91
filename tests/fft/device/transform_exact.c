// transform_exact.c: see transform_exact.h.
#include "tests/fft/device/transform_exact.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    long double re, im;
} wide;

static wide times(wide a, wide b) {
    return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// transform: sums of n products up to n = 400, by the least prime factor of n above that. root
// holds roots of order `order`, a multiple of n, and x is every stride-th item.
static void transform(wide *y, const wide *x, size_t n, size_t stride, const wide *root,
                      size_t order) {
    size_t p = n <= 400 ? n : 2;
    while (n % p != 0) {
        p++;
    }
    const size_t m = n / p;
    wide *part = malloc(sizeof *part * n);
    for (size_t i = 0; i < p; i++) {
        if (m == 1) {
            part[i] = x[i * stride];
        } else {
            transform(part + i * m, x + i * stride, m, stride * p, root, order);
        }
    }
    for (size_t k = 0; k < n; k++) {
        wide sum = {0, 0};
        for (size_t i = 0; i < p; i++) {
            const wide term = times(part[i * m + k % m], root[i * k % n * (order / n)]);
            sum.re += term.re, sum.im += term.im;
        }
        y[k] = sum;
    }
    free(part);
}

static wide *roots_of(size_t n, bool inverse) {
    wide *root = malloc(sizeof *root * n);
    for (size_t k = 0; k < n; k++) {
        const long double turn = 6.283185307179586476925286766559005768L;
        const long double angle = turn * (long double)k / (long double)n;
        root[k] = (wide){cosl(angle), inverse ? sinl(angle) : -sinl(angle)};
    }
    return root;
}

// input: item i of n of a problem. Reals have no imaginary part. n/2 + 1 frequencies stand for all
// of them, and items 0 and n/2 are real.
static wide input(const double *x, size_t i, size_t n, bool reals, bool forward) {
    if (reals && forward) {
        return (wide){x[i], 0};
    }
    const size_t k = reals && 2 * i > n ? n - i : i;
    const long double im = reals && 2 * k % n == 0 ? 0 : x[2 * k + 1];
    return (wide){x[2 * k], k == i ? im : -im};
}

// place: where item k is on that side: in reversed order frequencies, of 2^a items, have the
// address of k's digits in reverse.
static size_t place(const fft_id_problem *p, size_t k, bool output) {
    if (p->order == FFT_ID_NATURAL || output != (p->direction == FFT_ID_FORWARD)) {
        return k;
    }
    size_t reversed = 0;
    for (unsigned d = 0; d < p->exponent[0]; d++) {
        reversed = 2 * reversed + (k >> d & 1);
    }
    return reversed;
}

void transform_exact(const fft_id_plan *plan, const double *x, double *y) {
    const fft_id_problem *const p = &plan->problem;
    const bool reals = fft_id_pairs(p), forward = p->direction == FFT_ID_FORWARD;
    const size_t n = fft_id_length(p) * (reals ? 2 : 1);
    const size_t half = reals ? n + 2 : 2 * n, whole = reals ? n : 2 * n;  // numbers of the sides
    wide *root = roots_of(n, !forward);
    wide *in = malloc(sizeof *in * n), *out = malloc(sizeof *out * n);
    for (size_t b = 0; b < p->batch; b++) {
        for (size_t j = 0; j < n; j++) {
            in[j] = input(x, place(p, j, false), n, reals, forward);
        }
        transform(out, in, n, 1, root, n);
        for (size_t k = 0; k < (forward && reals ? n / 2 + 1 : n); k++) {
            if (reals && !forward) {
                y[k] = (double)out[k].re;
            } else {
                const size_t to = 2 * place(p, k, true);
                y[to] = (double)out[k].re, y[to + 1] = (double)out[k].im;
            }
        }
        x += forward ? whole : half, y += forward ? half : whole;
    }
    free(root), free(in), free(out);
}
