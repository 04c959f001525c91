// root_start.h: where the iteration for both square roots begins (both_roots.h): a reciprocal root
// by the host, from the top limbs of A = a 2^shift. Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_DIVIDE_ROOT_START_H_
#define BIGINT_DEVICE_DIVIDE_ROOT_START_H_

#include "bigint/core/context.h"
#include "primitives/words/word.h"

// device_both_shift: of a number of `bits` bits.
static inline uint64_t device_both_shift(uint64_t bits) {
    return (128 * word_ceil_div(bits, 128) - bits) / 2 * 2;
}
// device_both_top enqueues the top en limbs of A for x of `bits` bits, and a plus at *sign.
// device_both_start waits for A's top h + 2 limbs at `top` and enqueues a reciprocal root of h
// limbs, {y, h + 1}.
bigint_status device_both_top(bigint_ctx *ctx, const char *who, uint64_t *e, uint64_t en,
                              uint64_t *sign, const bigint *x, uint64_t bits);
bigint_status device_both_start(bigint_ctx *ctx, const char *who, uint64_t *y, const uint64_t *top,
                                uint64_t h);

// device_both_look: what one wait tells of a number: its length, its sign, and {top, n}, its
// highest limbs as announced, of which there are `all`. device_both_look_at takes top from the
// arena, of h limbs and DEVICE_LOOK_MORE, as A is shifted and announced lengths are bounds.
enum { DEVICE_LOOK_MORE = 4 };
typedef struct {
    uint64_t bits, *top, n, all;
    int sign;
} device_both_look;
bigint_status device_both_look_at(bigint_ctx *ctx, const char *who, device_both_look *look,
                                  const bigint *a, uint64_t h);
// device_both_put enqueues what a body (recording.h) begins with: a, as x of look->bits bits, and
// y, device_both_start's for h, for which it waits where `look` has too few limbs; top: room for h
// + 2 limbs. All have a word for the sign in front.
typedef struct {
    uint64_t *a, *y, *top;
} device_both_begin;
bigint_status device_both_put(bigint_ctx *ctx, const char *who, const device_both_begin *to,
                              const bigint *x, const device_both_look *look, uint64_t h);

#endif  // BIGINT_DEVICE_DIVIDE_ROOT_START_H_
