// reciprocal_root.h: a^(-1/k) on a device by Newton's iteration. Internal to bigint/. B = 2^64.
#ifndef BIGINT_DEVICE_ROOTS_RECIPROCAL_ROOT_H_
#define BIGINT_DEVICE_ROOTS_RECIPROCAL_ROOT_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"
#include "bigint/device/roots/fraction.h"
#include "bigint/device/roots/inverse.h"

// device_radicand: A = |a|, a number of exactly `bits` bits, announced so, and the degree k, 3 <= k
// <
// bits: A^(1/k) < 2^root_bits, root_bits = ceil(bits / k). alpha = A B^(-k rho), rho =
// ceil(root_bits / 64), so that alpha^(1/k) is below 1 and its reciprocal B at most.
typedef struct {
    bigint_ctx *ctx;
    const char *who;
    const bigint *a;
    uint64_t bits, k, root_bits, rho;
    device_inverse inverse;  // of k
} device_radicand;

// device_degree_bits: of k.
unsigned device_degree_bits(const device_radicand *s);
// device_radicand_top enqueues e = floor(alpha B^f).
bigint_status device_radicand_top(const device_radicand *s, bigint *e, int64_t f);
// device_radicand_alpha enqueues *x = alpha, cut to `limbs` limbs, in e; it has no size.
bigint_status device_radicand_alpha(const device_radicand *s, device_fraction *x, bigint *e,
                                    uint64_t limbs);
// device_radicand_bits: floor(log2(alpha)) + 1, which is 0 or less.
int64_t device_radicand_bits(const device_radicand *s);

// Sizes of alpha, its root and its reciprocal root.
device_size device_radicand_size(const device_radicand *s);
device_size device_radicand_root_size(const device_radicand *s);
device_size device_radicand_reciprocal_size(const device_radicand *s);

// device_reciprocal_root enqueues y B^h, within 4 B^-h of alpha^(-1/k) as a part of it, h >= 2
// limbs behind the point, from `begun`, device_reciprocal_root_start's for h.
// Cost: for each step, which doubles h, a power of k of that length, half a product and a product
// of half the length, or two; twice the last step's in all.
// Source: [BrentZimmermann10] section 4.2. Proof: docs/proofs/root.md, section 9.
bigint_status device_reciprocal_root(const device_radicand *s, bigint *y, const uint64_t *begun,
                                     uint64_t h);
// device_reciprocal_root_start waits for A's top limbs and enqueues where the iteration to h limbs
// begins, a reciprocal root by the host of device_reciprocal_root_begun limbs, to `begun`, on a
// line of 64 bytes.
uint64_t device_reciprocal_root_begun(const device_radicand *s, uint64_t h);
bigint_status device_reciprocal_root_start(const device_radicand *s, uint64_t *begun, uint64_t h);
// device_reciprocal_root_third likewise enqueues {y, n + 1} = 3 {h, n + 1}, for degree 3: at most
// B^n alpha^(-1/3) 2^-spare, which is 1 at least and 2 at most, spare = 64 rho - root_bits, and
// less than 5 below.
bigint_status device_reciprocal_root_third(const device_radicand *s, uint64_t *y, uint64_t *h,
                                           uint64_t n);
// device_reciprocal_root_bits: |correction| of the step to n limbs from h is below 2^this.
uint64_t device_reciprocal_root_bits(uint64_t n, uint64_t h);
// device_reciprocal_root_need: what it needs beside integers. device_fractions_need: what products
// of fractions of up to n limbs need that begin with h, and a difference of one.
void device_reciprocal_root_need(work_need *w, uint64_t h);
void device_fractions_need(work_need *w, uint64_t n, uint64_t h);

#endif  // BIGINT_DEVICE_ROOTS_RECIPROCAL_ROOT_H_
