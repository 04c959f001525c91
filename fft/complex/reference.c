// reference.c: reference.h. Includes that and C's own headers only.
#include "fft/complex/reference.h"

#include <math.h>

static const long double TWO_PI = 6.283185307179586476925286766559005768L;

// exp(-2 pi i numerator / denominator).
static fft_reference_point root(uint64_t numerator, uint64_t denominator) {
    const long double angle = TWO_PI * ((long double)numerator / (long double)denominator);
    return (fft_reference_point){cosl(angle), -sinl(angle)};
}

static fft_reference_point product(fft_reference_point a, fft_reference_point b) {
    return (fft_reference_point){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

fft_reference_point fft_reference_at(const fft_reference_point *x, uint64_t n, uint64_t k,
                                     unsigned quarters, bool inverse) {
    const uint64_t turn = (4 * k + quarters) % (4 * n);
    fft_reference_point sum = {0, 0};
    uint64_t angle = 0;  // j (4 k + quarters) modulo 4 n
    for (uint64_t j = 0; j < n; j++) {
        fft_reference_point w = root(angle, 4 * n);
        w.im = inverse ? -w.im : w.im;
        const fft_reference_point term = product(x[j], w);
        sum.re += term.re;
        sum.im += term.im;
        angle = (angle + turn) % (4 * n);
    }
    return sum;
}

void fft_reference_roots(fft_reference_point *roots, uint64_t n) {
    for (uint64_t j = 0; j < n; j++) {
        roots[j] = root(j, n);
    }
}

static void bit_reversal(fft_reference_point *x, uint64_t n) {
    for (uint64_t i = 0, j = 0; i < n; i++) {
        if (i < j) {
            const fft_reference_point t = x[i];
            x[i] = x[j];
            x[j] = t;
        }
        uint64_t bit = n / 2;
        for (; bit > 0 && (j & bit) != 0; bit /= 2) {
            j ^= bit;
        }
        j |= bit;
    }
}

void fft_reference_radix2(fft_reference_point *x, const fft_reference_point *roots, uint64_t n) {
    bit_reversal(x, n);
    for (uint64_t half = 1; half < n; half *= 2) {
        for (uint64_t i = 0; i < n; i += 2 * half) {
            for (uint64_t j = 0; j < half; j++) {
                const fft_reference_point a = x[i + j];
                const fft_reference_point b = product(x[i + j + half], roots[j * (n / (2 * half))]);
                x[i + j] = (fft_reference_point){a.re + b.re, a.im + b.im};
                x[i + j + half] = (fft_reference_point){a.re - b.re, a.im - b.im};
            }
        }
    }
}
