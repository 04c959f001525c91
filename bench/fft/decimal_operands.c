// decimal_operands.c: see decimal_operands.h.
#include "bench/fft/decimal_operands.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "apps/program.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

void decimal_stop(const char *what, uint64_t n) {
    fprintf(stderr, "decimal_bench: %" PRIu64 " digits: %s\n", n, what);
    exit(1);
}

void *decimal_room(size_t bytes) {
    void *const p = device_alloc(bytes > 0 ? bytes : 1);
    if (p == NULL) {
        decimal_stop("no memory on the device", 0);
    }
    return p;
}

void decimal_operands_open(decimal_operands *o, unsigned lg) {
    gen g = gen_seed(lg);
    *o = (decimal_operands){.n = UINT64_C(1) << lg};
    for (int i = 0; i < 4; i++) {
        o->digit[i] = program_memory(o->n, 1, "digits");
        for (uint64_t k = 0; k < o->n; k++) {
            o->digit[i][k] = (uint8_t)(gen_u64(&g) % 10);
        }
    }
}

void decimal_operands_close(decimal_operands *o) {
    for (int i = 0; i < 4; i++) {
        free(o->digit[i]);
    }
    free(o->exact[0]), free(o->exact[1]);
}

static const uint64_t prime = (UINT64_C(1) << 61) - 1;

static uint64_t times(uint64_t a, uint64_t b) {
    return (uint64_t)((unsigned __int128)a * b % prime);
}

// satisfies: a(z) b(z) = c(z) modulo the prime. A wrong c does so for at most 2 N values of z.
static bool satisfies(const uint8_t *a, const uint8_t *b, const double *c, uint64_t n, uint64_t z) {
    uint64_t x = 0, y = 0, product = 0;
    for (uint64_t i = n; i-- > 0;) {
        x = (times(x, z) + a[i]) % prime, y = (times(y, z) + b[i]) % prime;
    }
    for (uint64_t i = 2 * n; i-- > 0;) {
        product = (times(product, z) + (uint64_t)c[i]) % prime;
    }
    return times(x, y) == product;
}

void decimal_learn(decimal_operands *o, const double *found, int which) {
    gen g = gen_seed(o->n + (uint64_t)which);
    o->exact[which] = program_memory(2 * o->n, sizeof(double), "coefficients");
    for (uint64_t i = 0; i < 2 * o->n; i++) {
        o->exact[which][i] = fabs(rint(found[i]));
    }
    if (!satisfies(o->digit[2 * which], o->digit[2 * which + 1], o->exact[which], o->n,
                   gen_u64(&g) % prime)) {
        decimal_stop("the coefficients are no product", o->n);
    }
}
