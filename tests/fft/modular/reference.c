// reference.c: see reference.h.
#include "tests/fft/modular/reference.h"

#include <string.h>

#include "primitives/words/modarith.h"

uint64_t reference_prime(unsigned prime) { return (uint64_t)fft_primes[prime].p; }

uint64_t reference_residue(double x, unsigned prime) {
    if (!(x > -0x1p53 && x < 0x1p53 && (double)(int64_t)x == x)) {
        return UINT64_MAX;
    }
    const int64_t p = (int64_t)reference_prime(prime), r = (int64_t)x % p;
    return (uint64_t)(r < 0 ? r + p : r);
}

void reference_digits(uint64_t *d, size_t count, const uint64_t *words, size_t words_n,
                      unsigned bits) {
    for (size_t i = 0; i < count; i++) {
        d[i] = 0;
        for (unsigned k = 0; k < bits; k++) {
            const size_t bit = i * bits + k;
            if (bit / 64 < words_n) {
                d[i] |= (words[bit / 64] >> bit % 64 & 1) << k;
            }
        }
    }
}

uint64_t reference_point(unsigned prime, uint64_t e) {
    const uint64_t p = reference_prime(prime);
    uint64_t root = (uint64_t)fft_primes[prime].root, x = 1;  // of order 2^32: 2^-32 turns
    uint64_t turns = 0;                                       // in units of 2^-32
    for (unsigned k = 0; k < 32; k++) {
        turns += (e >> k & 1) << (31 - k);
    }
    for (; turns != 0; turns >>= 1, root = mod_mul(root, root, p)) {
        if (turns & 1) {
            x = mod_mul(x, root, p);
        }
    }
    return x;
}

uint64_t reference_value(unsigned prime, const uint64_t *d, size_t count, uint64_t x) {
    const uint64_t p = reference_prime(prime);
    uint64_t value = 0;
    for (size_t i = count; i-- > 0;) {
        value = (uint64_t)(((word_pair)value * x + d[i]) % p);
    }
    return value;
}

uint64_t reference_leaf(unsigned lg_width, unsigned lg_columns, uint64_t r, uint64_t c) {
    const uint64_t width = (uint64_t)1 << lg_width;
    const uint64_t at = (r << lg_columns) + c;
    const uint64_t block = at / (width * width), v = at / width % width, l = at % width;
    return (width * block + l) * width + v;
}

void reference_convolution(uint64_t *c, const uint64_t *a, size_t an, const uint64_t *b,
                           size_t bn) {
    memset(c, 0, 3 * (an + bn - 1) * sizeof *c);
    for (size_t i = 0; i < an; i++) {
        for (size_t j = 0; j < bn; j++) {
            uint64_t *const to = c + 3 * (i + j), carry = 0, high;
            const uint64_t low = word_mul(&high, a[i], b[j]);
            to[0] = word_add(to[0], low, &carry);
            to[1] = word_add(to[1], high, &carry);
            to[2] += carry;
        }
    }
}
