// plan.h: how the host computes powers modulo a number, and what they need of the workspace.
// Internal to bigint/.
#ifndef BIGINT_MODULAR_PLAN_H_
#define BIGINT_MODULAR_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// powm_tries_rings: whether a power by an exponent of en limbs modulo odd numbers of n is computed
// in two rings, for moduli that have them.
bool powm_tries_rings(const bigint_ctx *ctx, uint64_t en, uint64_t n);
// montgomery_need: what montgomery_init for n limbs needs, or montgomery_init_steady, which stays,
// and products and numbers of that form; returns the words of an element.
uint64_t montgomery_need(work_need *w, uint64_t n, bool steady);
// powm_sec_need: what powm_sec_limbs needs for an exponent of en limbs. powm_sec_print: how it is
// computed, on one line, like snprintf.
void powm_sec_need(work_need *w, uint64_t an, uint64_t en, uint64_t n);
int powm_sec_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t en, uint64_t n);
// powm_need: what powm_natural needs for a base of an limbs, an exponent of this many bits and a
// modulus of n limbs, odd or even. powm_print: how it is computed, on one line, like snprintf.
void powm_need(work_need *w, uint64_t an, uint64_t exponent_bits, uint64_t n);
int powm_print(const bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t exponent_bits,
               uint64_t n);

#endif  // BIGINT_MODULAR_PLAN_H_
