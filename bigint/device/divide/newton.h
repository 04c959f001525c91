// newton.h: steps of Newton's iterations on a device, for reciprocals and square roots: products by
// the approximation that has been found, from which one of twice the length follows. Internal to
// bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_DIVIDE_NEWTON_H_
#define BIGINT_DEVICE_DIVIDE_NEWTON_H_

#include "bigint/core/arena.h"
#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/divide/ring.h"
#include "bigint/device/plan.h"
#include "primitives/limbs/device.h"

// device_newton: an iteration's memory. product: of any step; t: a step's T; words: signs that
// nothing reads, T's sign, whether a difference is negative, blocks that have ended, 0, not 0, and
// one for the caller.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    uint64_t *product, *t;
    uint64_t *sign, *t_sign, *negative;
    uint32_t *finished;
    const uint64_t *zero, *one;
    uint64_t *own;
} device_newton;

// DEVICE_NEWTON_MORE: limbs of a product beyond its factors' that a ring needs.
// device_newton_words takes DEVICE_NEWTON_WORDS limbs of memory and enqueues their first values;
// with `zeros` limbs below them, which become 0, the first of them is B^zeros.
enum { DEVICE_NEWTON_MORE = 16, DEVICE_NEWTON_WORDS = 16 };
bigint_status device_newton_words(device_newton *s, uint64_t *words, uint64_t zeros);

// device_factor: X = {x.p, h + 1}, from which a step leads further. kept: X's transform, by which a
// ring finds all products of the step; without planes where whole products, or a ring for one, are
// faster.
typedef struct {
    limbs_device_number x;
    device_plan ring;
    device_ring_kept kept;  // in workspace, from `mark` on
    arena_mark mark;
} device_factor;
// device_factor_open takes the memory, and enqueues a long transform, for device_newton_residual of
// up to `longest` limbs and this many bits, and device_newton_refine. With a cap, or where memory
// is short, there is none.
bigint_status device_factor_open(const device_newton *s, device_factor *by, limbs_device_number x,
                                 uint64_t longest, uint64_t bits);
void device_factor_close(const device_newton *s, device_factor *by);

// device_newton_residual enqueues t, the top h + 1 limbs of |T|, and its sign, for T = B^one_at - a
// X, |T| < 2^bits. one_at > bits / 64, a.n + h >= bits / 64.
bigint_status device_newton_residual(const device_newton *s, device_factor *by,
                                     limbs_device_number a, uint64_t one_at, uint64_t bits);
// device_newton_take enqueues the same for T = {product}, in two's complement of bits / 64 + 1
// limbs.
result device_newton_take(const device_newton *s, const device_factor *by, uint64_t bits);
// device_newton_refine enqueues {to, n} = {high, n - l} B^l + X T / (2^right B^(2 h - l)), l < n, l
// <= h, for T = +-{t, h + 1}, |X T| < 2^(128 h + 5), right <= 1. The fraction is within 1.
bigint_status device_newton_refine(const device_newton *s, device_factor *by, uint64_t *to,
                                   uint64_t n, const uint64_t *high, uint64_t l, unsigned right);
// device_newton_quotient enqueues {to, l + 1} = X {t, h + 1} / B^(2 h - l), less than 1 of it taken
// away, likewise. t is not 0.
bigint_status device_newton_quotient(const device_newton *s, device_factor *by, uint64_t *to,
                                     uint64_t l);
// device_newton_extend enqueues {to, n} = a X / B^(a.n + h + 1 - n), h < n, for {c, a.n + h + 1},
// whose lowest a.n limbs are 0 and which differs from a X by less than 2^bits, a.n + h >= bits /
// 64. It is within 1. Without X's planes c is not read.
bigint_status device_newton_extend(const device_newton *s, device_factor *by, uint64_t *to,
                                   uint64_t n, limbs_device_number a, const uint64_t *c,
                                   uint64_t bits);
// device_newton_difference enqueues r = {c.p, c.n} - {a, a.n} {b, b.n}, a.n >= b.n, |r| < 2^bits,
// in two's complement of bits / 64 + 1 < a.n + b.n limbs at s->product, and *negative, a word there
// that is not 0 for r < 0. a may be b. c as of device_difference.
bigint_status device_newton_difference(const device_newton *s, const uint64_t **negative,
                                       limbs_device_number c, limbs_device_number a,
                                       limbs_device_number b, uint64_t bits);
// device_factor_need: what device_factor_open needs for X of xn limbs, and keeps, and what products
// by a ring need then; returns whether there is one. device_newton_need: what a step by X needs
// beside the iteration's memory: a factor, a residual of an limbs and `bits` bits, and
// device_newton_refine.
bool device_factor_need(work_need *n, uint64_t xn, uint64_t longest, uint64_t bits);
void device_newton_need(work_need *n, uint64_t xn, uint64_t an, uint64_t bits);
// device_newton_difference_need: what that needs; square: a is b.
void device_newton_difference_need(work_need *n, uint64_t an, uint64_t bn, bool square,
                                   uint64_t bits);

#endif  // BIGINT_DEVICE_DIVIDE_NEWTON_H_
