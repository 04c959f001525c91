// monoid.h: what a stretch of digits does to the carry that enters it, as a value that can be
// composed. A scan of these values along the number gives every carry at once. For host and device.
// Proof: docs/proofs/carry.md.
//
// Composition is associative, not commutative: the lower stretch always comes first.
#ifndef CARRY_MONOID_H_
#define CARRY_MONOID_H_

#include <stdint.h>

#include "primitives/words/host_device.h"

// --- Carries 0 and 1 -----------------------------------------------------------------------------
// The three monotone functions {0, 1} -> {0, 1}. The fourth, 0 -> 1 and 1 -> 0, cannot occur: a
// larger carry in never makes the carry out smaller.
//
//   first \ then | kill      propagate  generate
//   -------------+------------------------------
//   kill         | kill      kill       generate
//   propagate    | kill      propagate  generate
//   generate     | kill      generate   generate
typedef enum { CARRY_KILL, CARRY_PROPAGATE, CARRY_GENERATE } carry_state;

// The neutral element is CARRY_PROPAGATE.
static HOST_DEVICE carry_state carry_compose(carry_state first, carry_state then) {
    return then == CARRY_PROPAGATE ? first : then;
}

static HOST_DEVICE unsigned carry_apply(carry_state f, unsigned carry_in) {
    return f == CARRY_PROPAGATE ? carry_in : f == CARRY_GENERATE;
}

// The function of a position that holds t, 0 <= t <= 2 R - 2, in radix R: floor((t + carry) / R).
// order: the sign of t - (R - 1).
static HOST_DEVICE carry_state carry_state_of(int order) {
    return order < 0 ? CARRY_KILL : order == 0 ? CARRY_PROPAGATE : CARRY_GENERATE;
}

// --- Carries -1, 0 and 1 -------------------------------------------------------------------------
// A function f of {-1, 0, 1} into itself as three fields of two bits: f(c) + 1 in bits 2 (c + 1).
typedef struct {
    uint8_t image;
} carry_map;

static HOST_DEVICE carry_map carry_map_of(int at_minus_1, int at_0, int at_1) {
    const carry_map f = {(uint8_t)((at_minus_1 + 1) | (at_0 + 1) << 2 | (at_1 + 1) << 4)};
    return f;
}

// Requires: -1 <= carry_in <= 1.
static HOST_DEVICE int carry_map_apply(carry_map f, int carry_in) {
    return (f.image >> (2 * (carry_in + 1)) & 3) - 1;
}

static HOST_DEVICE carry_map carry_map_compose(carry_map first, carry_map then) {
    return carry_map_of(carry_map_apply(then, carry_map_apply(first, -1)),
                        carry_map_apply(then, carry_map_apply(first, 0)),
                        carry_map_apply(then, carry_map_apply(first, 1)));
}

static HOST_DEVICE carry_map carry_map_identity(void) { return carry_map_of(-1, 0, 1); }

#endif  // CARRY_MONOID_H_
