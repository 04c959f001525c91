// plan.h: one product over members that are devices, columns first: what each member has of it.
// Pure data; all members make the same plan. Internal to bigint/.
//
// The coefficients are a matrix, a row for each part of the transform (fft/device/modular/share.h).
// A row weighs row_limbs limbs, and a member's strip of it strip_limbs of them:
//
//              member 0   member 1   ...
//      row 0 | strip    | strip    |         limb r row_limbs + m strip_limbs + i of a number is
//      row 1 | strip    | strip    |         limb r strip_limbs + i of member m's strip
#ifndef BIGINT_GROUP_DEVICE_PLAN_H_
#define BIGINT_GROUP_DEVICE_PLAN_H_

#include "bigint/core/context.h"
#include "fft/device/modular/share.h"

typedef struct {
    unsigned members, lg_members;
    uint64_t an, bn;  // limbs of the operands
    bool square;
    fft_modular_plan modular;
    uint64_t row_limbs, strip_limbs;
    uint64_t points;  // doubles of a plane of one member
    uint64_t rows;    // that the product reaches into
} device_member_plan;

// Limbs of a row of a strip's coefficients beyond strip_limbs: a coefficient is below 2^(2 w + 32),
// w the digits' bits, so the sum of a row's is below 2^(64 strip_limbs + w + 33), and w <= 128. One
// more keeps rows aligned to 16 bytes.
enum { DEVICE_MEMBER_OVER = 4 };

// device_member_plan_make plans a product of an, bn >= 1 limbs over members = 2^i devices. shape:
// the primes, digit_bits, pieces, lg_outer, lg_rows and lg_columns to take, or NULL for the fewest
// points. False if none fits: too long, or too short for so many members.
bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             unsigned members, const fft_modular_plan *shape);

// device_member_before: how many limbs of a number below limb `end` are in member m's strip.
uint64_t device_member_before(const device_member_plan *plan, unsigned m, uint64_t end);

// device_member_sent_bytes: bytes that a member sends to others in one product, about: those of
// residues and limbs.
uint64_t device_member_sent_bytes(const device_member_plan *plan);

// device_member_print: the plan as one line, like snprintf.
int device_member_print(const device_member_plan *plan, char *buf, size_t cap);

#endif  // BIGINT_GROUP_DEVICE_PLAN_H_
