// root_series.h: square root and reciprocal square root of a number on a device from a short
// reciprocal root, by products that take few launches. Internal to bigint/. B = 2^64.
//
// g = alpha y and h = y / 2 for an approximation y of alpha^(-1/2): r = 1/2 - g h is small, and g +
// g r and h + h r are so near to alpha^(1/2) and alpha^(-1/2) / 2 that the next r is some r^2. Each
// level doubles the limbs of r that are 0, by r and then both products by it in the same launches;
// Newton's iteration (root_step.h) makes four products, one after the other.
// Source: [Goldschmidt64]. Proof: docs/proofs/root.md, section 7.
#ifndef BIGINT_DEVICE_DIVIDE_ROOT_SERIES_H_
#define BIGINT_DEVICE_DIVIDE_ROOT_SERIES_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// device_root_series: roots of h limbs in numbers of f limbs, from a reciprocal root of k limbs.
typedef struct {
    uint64_t h, f, k;
    unsigned levels;
} device_root_series;

// device_root_series_plan: how roots of h limbs are found, where that is faster than by steps.
// levels 0 otherwise, with a cap and with checks.
device_root_series device_root_series_plan(const bigint_ctx *ctx, uint64_t h);
// device_root_series_limbs: of the memory that device_root_series_find needs, which begins on a
// line. device_root_series_need: its workspace.
uint64_t device_root_series_limbs(const device_root_series *s);
void device_root_series_need(work_need *w, const device_root_series *s);

// device_root_series_operands: e = floor(alpha B^f), f limbs, 1/4 <= alpha < 1; {y, k + 1}, at
// most B^k alpha^(-1/2) and less than 3 below. sign: a word that nothing reads; one: a 1.
typedef struct {
    const uint64_t *e, *y, *one;
    uint64_t *sign;
} device_root_series_operands;
// device_root_series_roots: {u, h + 1} below B^h alpha^(1/2) by less than 2, and {half, h + 1}
// within 1.01 of B^h alpha^(-1/2) / 2; limbs of `room`, of which others are free.
typedef struct {
    uint64_t *u, *half, *room;
} device_root_series_roots;
// device_root_series_find enqueues these roots in `room`. Cost: 8 launches a level, and five.
// Errors of all: as bigint_mul.
bigint_status device_root_series_find(bigint_ctx *ctx, const char *who, const device_root_series *s,
                                      const device_root_series_operands *x, uint64_t *room,
                                      device_root_series_roots *found);
// device_root_series_reciprocal enqueues {y, h + 1} within 2 of B^h alpha^(-1/2): one launch.
bigint_status device_root_series_reciprocal(bigint_ctx *ctx, const char *who,
                                            const device_root_series *s,
                                            const device_root_series_roots *found, uint64_t *y,
                                            uint64_t *sign);
// device_root_series_root enqueues {*to, m + 1}, in the same room, within 1.01 of B^m alpha^(1/2),
// h <= m <= 2 h - 2, from {e, 2 h} = floor(alpha B^(2 h)): eight launches.
bigint_status device_root_series_root(bigint_ctx *ctx, const char *who, const device_root_series *s,
                                      const device_root_series_roots *found, const uint64_t *e,
                                      uint64_t m, uint64_t **to);

#endif  // BIGINT_DEVICE_DIVIDE_ROOT_SERIES_H_
