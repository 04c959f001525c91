// both_roots.h: square root and reciprocal square root of a number on a device, by Newton's
// iteration for both at once, which begins on the host. Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_
#define BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_

#include "bigint/core/context.h"
#include "bigint/device/divide/newton.h"
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
    uint64_t *begun;  // device_both_start's y; NULL: device_both_find makes it
    device_scratch memory;
} device_both_roots;

// device_both_half: the length from which a step makes m limbs, less than m for m >= 4.
uint64_t device_both_half(uint64_t m);
// device_both_room: of roots of h >= 2 limbs, to which a root of m >= h limbs follows by another
// step, or none if m = h; products of `product` limbs; `more` limbs that device_both_take cuts off,
// in up to four parts. begun: device_both_start's y, or NULL.
typedef struct {
    uint64_t h, m, product, more;
    uint64_t *begun;
} device_both_room;
// device_both_open: memory, and e. device_both_close frees it, also after a failure.
bigint_status device_both_open(bigint_ctx *ctx, const char *who, device_both_roots *s,
                               const bigint *a, uint64_t bits, const device_both_room *room);
uint64_t *device_both_take(device_both_roots *s, uint64_t limbs);
void device_both_close(device_both_roots *s);
// device_both_first: where the iteration to h limbs begins, with a reciprocal root by the host.
// device_both_start waits for A's top h + 2 limbs at `top` and enqueues this root, {y, h + 1}.
// device_both_top enqueues the top en limbs of A for x of `bits` bits, and a plus at *sign.
// device_both_recorded: whether recording what follows is worth its memory.
uint64_t device_both_first(const bigint_ctx *ctx, uint64_t h);
bool device_both_recorded(const bigint_ctx *ctx, uint64_t h);
bigint_status device_both_start(bigint_ctx *ctx, const char *who, uint64_t *y, const uint64_t *top,
                                uint64_t h);
bigint_status device_both_top(bigint_ctx *ctx, const char *who, uint64_t *e, uint64_t en,
                              uint64_t *sign, const bigint *x, uint64_t bits);
// device_both_put enqueues what a body (recording.h) begins with: a, as x of `bits` bits, and y,
// device_both_start's for h; top: room for h + 2 limbs. All have a word for the sign in front.
typedef struct {
    uint64_t *a, *y, *top;
} device_both_begin;
bigint_status device_both_put(bigint_ctx *ctx, const char *who, const device_both_begin *to,
                              const bigint *x, uint64_t bits, uint64_t h);
// device_both_find enqueues u and y. Without a start it waits for A's top limbs. Cost, M a product
// of h by h limbs: a step to m limbs from m / 2 takes eight transforms of m limbs by rings, where
// M(m) takes three of twice that: 4/3 M(h), twice that in all; some 30 launches a step, 10 where
// products take one.
bigint_status device_both_find(device_both_roots *s);
// device_both_root_step enqueues {to, m + 1}, m <= 2 h - 2, within 1.01 of B^m sqrt(A / B^(2 n)),
// from u and y. Cost: half a step's.
bigint_status device_both_root_step(const device_both_roots *s, uint64_t *to, uint64_t m);
// device_square_words enqueues r = {c.p, c.n} - {x, n}^2, |r| < 2^bits, in two's complement of bits
// / 64 + 1 limbs at steps.product, and *negative, a word there that is not 0 for r < 0.
bigint_status device_square_words(const device_newton *s, const uint64_t **negative,
                                  limbs_device_number c, limbs_device_number x, uint64_t bits);
// device_both_need: what both need for this room: device_both_open's memory, which stays, and
// device_both_find and, where m > h, device_both_root_step. device_both_need_end: of the memory.
// device_square_need: what device_square_words of xn limbs needs.
void device_both_need(work_need *w, const device_both_room *room);
void device_both_need_end(work_need *w, const device_both_room *room);
void device_square_need(work_need *w, uint64_t xn, uint64_t bits);

#endif  // BIGINT_DEVICE_DIVIDE_BOTH_ROOTS_H_
