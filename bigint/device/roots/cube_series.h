// cube_series.h: cube roots on a device from a short reciprocal root, by products that take few
// launches. Internal to bigint/. B = 2^64.
//
// x = alpha y^2 and h = y / 3 for an approximation y of alpha^(-1/3): r = 1/3 - x h is small, and
// x (1 + r)^2 and h (1 + r) are so near to alpha^(1/3) and alpha^(-1/3) / 3 that the next r is some
// 2 r^2. Each level doubles the limbs of r that are 0. No product is divided by 3.
// Source: [Goldschmidt64]. Proof: docs/proofs/root.md, section 9.
#ifndef BIGINT_DEVICE_ROOTS_CUBE_SERIES_H_
#define BIGINT_DEVICE_ROOTS_CUBE_SERIES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "primitives/limbs/device.h"

// device_cube_series: a root of m limbs behind the point in numbers of f limbs, from a reciprocal
// root of `start` limbs.
typedef struct {
    uint64_t m, f, start;
    unsigned levels;
} device_cube_series;

// device_cube_series_plan: how a root of degree k with m limbs is found, where that is faster than
// by steps. levels 0 otherwise, for other degrees, with a cap and with checks.
device_cube_series device_cube_series_plan(const bigint_ctx *ctx, uint64_t k, uint64_t m);
// device_cube_series_need: what device_cube_series_find needs beside integers.
void device_cube_series_need(work_need *w, const device_cube_series *s);

// device_cube_series_operands: e = floor(alpha B^f), f limbs, 1/8 <= alpha < 1; {y, start + 1} = 3
// {h, start + 1} at most B^start alpha^(-1/3) and less than 5 below.
typedef struct {
    const uint64_t *e, *y, *h;
} device_cube_series_operands;
// device_cube_series_find enqueues x = B^m alpha^(1/3) / 2^right, right < 64, less than 2 below it
// or above by less than 1. Cost: 12 launches a level, and ten. Errors: as bigint_mul.
bigint_status device_cube_series_find(bigint_ctx *ctx, const char *who, const device_cube_series *s,
                                      bigint *x, const device_cube_series_operands *from,
                                      uint64_t right);

#endif  // BIGINT_DEVICE_ROOTS_CUBE_SERIES_H_
