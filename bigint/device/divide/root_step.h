// root_step.h: Newton steps of square roots on a device, given a reciprocal root. Internal to
// bigint/. B = 2^64, A / B^(2 n) in [1/4, 1).
#ifndef BIGINT_DEVICE_DIVIDE_ROOT_STEP_H_
#define BIGINT_DEVICE_DIVIDE_ROOT_STEP_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/divide/newton.h"
#include "primitives/limbs/device.h"

// device_root_step enqueues {to, m + 1}, h <= m <= 2 h - 2, within 1.01 of B^m sqrt(A / B^(2 n)),
// from U = {u, h + 1} and Y = y->x of h limbs: U B^(m - h) + D Y / (2 B^(3 h - m)), D = E - U^2. e:
// E = floor(A B^(2 h - 2 n)), of 2 h limbs. Cost, M a product of m by m limbs: a ring of h limbs
// for U^2, one of m limbs for D Y: 2 / 3 M by rings.
bigint_status device_root_step(const device_newton *s, uint64_t *to, uint64_t m,
                               limbs_device_number e, const uint64_t *u, device_factor *y);
// device_root_product enqueues {to, m + 1} = A Y in units of B^-m, within 2.1, from Y of h < m
// limbs and the root U = {u, h + 1}, which is next to it. e: floor(A B^(k - 2 n)), of k = m or m +
// 1 limbs, even. above: k + h + 1 limbs of memory. Cost: a ring of m limbs, 1 / 3 M.
bigint_status device_root_product(const device_newton *s, uint64_t *to, uint64_t m,
                                  limbs_device_number e, const uint64_t *u, device_factor *y,
                                  uint64_t *above);
// device_root_by_halves enqueues {to, m + 1} within 1.6 of it, likewise, m <= 2 h - 2, from U =
// {u.p, h + 1} and Y of q limbs only, h <= 2 q - 2: D / U is a quotient G by way of Y, half of its
// limbs at a time. parts: device_root_halves_limbs(m, h) limbs of memory. Cost: rings of h limbs
// for U^2, two products by Y and one of U by half of G: 3 / 4 M.
bigint_status device_root_by_halves(const device_newton *s, uint64_t *to, uint64_t m,
                                    limbs_device_number e, limbs_device_number u, device_factor *y,
                                    uint64_t *parts);
uint64_t device_root_halves_limbs(uint64_t m, uint64_t h);
// device_root_by_halves_need: what it needs beside Y's factor.
void device_root_by_halves_need(work_need *w, uint64_t m, uint64_t h);

#endif  // BIGINT_DEVICE_DIVIDE_ROOT_STEP_H_
