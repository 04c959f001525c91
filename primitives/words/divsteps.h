// divsteps.h: steps of the division algorithm of Bernstein and Yang on the lowest bits of two
// numbers, for inverses on the host and in kernels. Includes host_device.h and the C library only.
//
// With f odd and g any number, a step takes (delta, f, g) to (1 - delta, g, (g - f) / 2) where
// delta > 0 and g is odd, and otherwise to (1 + delta, f, (g + (g mod 2) f) / 2). Steps keep the
// greatest common divisor and end with g = 0. The next k of them depend on the lowest k bits alone,
// and take (f, g) to ((u f + v g) / 2^k, (q f + r g) / 2^k) with |u| + |v|, |q| + |r| <= 2^k.
// Source: [BernsteinYang19], sections 8 to 11.
#ifndef PRIMITIVES_WORDS_DIVSTEPS_H_
#define PRIMITIVES_WORDS_DIVSTEPS_H_

#include <stdint.h>

#include "primitives/words/host_device.h"

typedef struct {
    int64_t u, v, q, r;
} divsteps_matrix;

// divsteps_short: `steps` <= 30 of them.
static HOST_DEVICE divsteps_matrix divsteps_short(int32_t *delta, uint32_t f, uint32_t g,
                                                  unsigned steps) {
    int32_t d = *delta, u = 1, v = 0, q = 0, r = 1;
    for (unsigned i = 0; i < steps; i++) {
        const int32_t odd = 0 - (int32_t)(g & 1), swap = odd & (0 - (int32_t)(d > 0));
        // Where they swap, (f, g) = (g, -f): what is added then is the new f.
        const uint32_t f1 = swap ? g : f, g1 = swap ? 0 - f : g;
        const int32_t u1 = swap ? q : u, q1 = swap ? -u : q;
        const int32_t v1 = swap ? r : v, r1 = swap ? -v : r;
        d = 1 + (swap ? -d : d);
        g = (g1 + (f1 & (uint32_t)odd)) >> 1;
        q = q1 + (u1 & odd), r = r1 + (v1 & odd);
        f = f1, u = u1 * 2, v = v1 * 2;
    }
    *delta = d;
    const divsteps_matrix m = {u, v, q, r};
    return m;
}

// divsteps_twice: 2 half <= 60 steps. f, g: at least as many lowest bits.
static HOST_DEVICE divsteps_matrix divsteps_twice(int32_t *delta, uint64_t f, uint64_t g,
                                                  unsigned half) {
    const divsteps_matrix a = divsteps_short(delta, (uint32_t)f, (uint32_t)g, half);
    const uint64_t f1 = ((uint64_t)a.u * f + (uint64_t)a.v * g) >> half;
    const uint64_t g1 = ((uint64_t)a.q * f + (uint64_t)a.r * g) >> half;
    const divsteps_matrix b = divsteps_short(delta, (uint32_t)f1, (uint32_t)g1, half);
    const divsteps_matrix both = {b.u * a.u + b.v * a.q, b.u * a.v + b.v * a.r,
                                  b.q * a.u + b.r * a.q, b.q * a.v + b.r * a.r};
    return both;
}

#endif  // PRIMITIVES_WORDS_DIVSTEPS_H_
