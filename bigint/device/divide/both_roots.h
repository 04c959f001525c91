// both_roots.h: square root and reciprocal square root of a number on a device, by Newton's
// iteration for both at once, which begins on the host. Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_
#define BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_

#include "bigint/core/context.h"
#include "bigint/device/divide/newton.h"
#include "bigint/device/divide/root_series.h"
#include "bigint/device/divide/root_start.h"
#include "bigint/device/divide/steps.h"

// device_both_roots: A = a 2^shift, of 2 n limbs, the top two bits of which are not both 0, shift
// even; a > 0 is announced as exactly `bits` bits. {e, en} = floor(A B^(en - 2 n)). {u, h + 1} and
// {y, h + 1}: within 6 of B^h sqrt(A / B^(2 n)) and of B^h sqrt(B^(2 n) / A).
typedef struct {
    device_newton steps;
    const bigint *a;
    uint64_t bits, n, shift;
    uint64_t *e, en;
    uint64_t *u, *y, h;
    uint64_t *middle, *halves;  // for a last step by halves
    uint64_t *above;            // for the last step to a reciprocal root alone
    uint64_t *series;           // for a series (root_series.h), which leaves roots here
    bool ends_in_series;        // the last step follows these
    device_root_series_roots found;
    uint64_t *begun;  // device_both_start's y; NULL: device_both_find makes it
    device_scratch memory;
} device_both_roots;

// device_both_half: the length from which a step makes m limbs, less than m for m >= 4.
uint64_t device_both_half(uint64_t m);
// device_both_from: the length h from which device_both_root makes m limbs.
uint64_t device_both_from(const bigint_ctx *ctx, uint64_t m);
// device_both_room: of roots of h >= 2 limbs, to which a root of m >= h limbs follows, h =
// device_both_from(m), or none if m = h; products of `product` limbs; `more` limbs that
// device_both_take cuts off, in up to four parts. begun: device_both_start's y, or NULL.
typedef struct {
    uint64_t h, m, product, more;
    uint64_t *begun;
} device_both_room;
// device_both_open: memory, and e. device_both_close frees it, also after a failure.
bigint_status device_both_open(bigint_ctx *ctx, const char *who, device_both_roots *s,
                               const bigint *a, uint64_t bits, const device_both_room *room);
uint64_t *device_both_take(device_both_roots *s, uint64_t limbs);
void device_both_close(device_both_roots *s);
// device_both_first: where the iteration to h limbs begins, with a reciprocal root by the host,
// from which a series leads on (root_series.h), or steps.
// device_both_recorded: whether recording what follows is worth its memory.
uint64_t device_both_first(const bigint_ctx *ctx, uint64_t h);
bool device_both_recorded(const bigint_ctx *ctx, uint64_t h);
// device_both_find enqueues u and y; where m = h, u is only A y / B^h, and y is not there where a
// series leads to the last step. Without a start it waits for A's top limbs. Cost, M a product of h
// by h limbs: a step to m limbs from m / 2 takes eight transforms of m limbs by rings, where M(m)
// takes three of twice that: 4/3 M(h), twice that in all; some 30 launches a step, 10 where
// products take one; fewer by a series.
bigint_status device_both_find(device_both_roots *s);
// device_both_root enqueues {*to, m + 1} within 1.6 of B^m sqrt(A / B^(2 n)) from u and y, for
// which device_both_from gives h. *to becomes another place where a series found u. Cost, M a
// product of m by m limbs: 13 / 12 M by halves, from a quarter of m limbs, else 2 / 3 M
// (root_step.h).
bigint_status device_both_root(const device_both_roots *s, uint64_t **to, uint64_t m);
// device_both_need: what both need for this room: device_both_open's memory, which stays, and
// device_both_find and, where m > h, device_both_root. device_both_need_end: of the memory.
void device_both_need(work_need *w, const device_both_room *room);
void device_both_need_end(work_need *w, const device_both_room *room);

#endif  // BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_
