// plan.h: one product over members that are devices: the way, and what each member has of it. Pure
// data; all members make the same plan. Internal to bigint/.
//
// alone: member 0 gets both operands, multiplies them as one device does, and deals the product
// out.
//
// primes: every member gets both operands and computes the product modulo primes of its own. Then
// each gets the residues of a range of coefficients, which weighs a strip of neighbouring limbs:
// member m's from limb strip_at(m) on, near its block.
//
// columns: the coefficients are a matrix, a row for each part of the transform
// (fft/device/modular/share.h). A row weighs row_limbs limbs, and a strip strip_limbs of them:
//
//              strip 0    strip 1    ...
//      row 0 |          |          |         limb r row_limbs + s strip_limbs + i of a number is
//      row 1 |          |          |         limb r strip_limbs + i of strip s
//
// Strips and parts are dealt out as evenly as can be: one strip each to 2^i members, several to
// other numbers of members. Where a member has little memory it works in turn: it has one share at
// a time, and nothing runs beside the exchanges.
#ifndef BIGINT_GROUP_DEVICE_PLAN_H_
#define BIGINT_GROUP_DEVICE_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/group/exchange/block.h"
#include "fft/device/modular/share.h"

typedef enum {
    DEVICE_MEMBER_AUTO,
    DEVICE_MEMBER_ALONE,
    DEVICE_MEMBER_PRIMES,
    DEVICE_MEMBER_COLUMNS,
    DEVICE_MEMBER_WAYS
} device_member_way;
// device_member_way_name: auto, alone, primes, columns.
const char *device_member_way_name(device_member_way way);

typedef struct {
    device_member_way way;
    unsigned members;
    uint64_t an, bn;  // limbs of the operands, an >= bn
    bool square;
    fft_modular_plan modular;  // not of `alone`
    // Of columns.
    unsigned lg_inner;   // of an inner pass, modulo the second primes (share.h); 0: none
    unsigned lg_strips;  // of a row, as a logarithm
    bool in_turn;
    uint64_t row_limbs, strip_limbs;
    uint64_t points;  // doubles of a plane of one member, at most
    uint64_t rows;    // that the product reaches into
} device_member_plan;

// Limbs of a row of a strip's coefficients beyond those it weighs: a coefficient is below 2^(2 w +
// 40), w the digits' bits, so the sum of n is below 2^(n w + w + 41), and w <= 128. One more keeps
// rows aligned to 16 bytes.
enum { DEVICE_MEMBER_OVER = 4 };
// Bytes of a line of memory.
enum { DEVICE_MEMBER_LINE = 256 };

// device_member_choice: what a plan depends on beside lengths.
typedef struct {
    unsigned members, devices;      // how many different devices the members are on
    bool alone;                     // no other way will do: an engine or a check was asked for
    bool clusters;                  // all devices have clusters of blocks
    uint64_t room;                  // bytes of workspace that a member may take; UINT64_MAX: any
    uint64_t memory;                // bytes of device memory that it has; UINT64_MAX: any
    device_member_way way;          // to be taken where it can be
    const fft_modular_plan *shape;  // NULL, or the primes, digit_bits, pieces, lg_outer, lg_rows
                                    // and lg_columns to take
    // Of columns, for tests and measurements: an inner pass and second primes though shapes without
    // are long enough; in turn though there is memory.
    unsigned lg_inner;
    bool in_turn;
} device_member_choice;

// device_member_plan_make plans a product of an >= bn >= 1 limbs. Asked for nothing, it takes
// `alone` for members on one device, for short products, which exchanges would hold up, and for a
// short operand; then `primes` where the members are not more than primes, then `columns`, where
// they have room, and then `columns` in turn.
// False if the way that is asked for cannot be taken: `primes` for more members than six; `columns`
// for more members than parts, or digits; both if no shape is long enough. Asked for nothing, false
// if neither all members nor one alone have the memory: the plan is then that of `columns` in turn,
// or AUTO if it has too many points.
bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             const device_member_choice *choice);

// device_member_held_bytes: bytes that a member holds at a time, blocks of operands and product
// included, about. Of `alone` those of member 0, at least.
uint64_t device_member_held_bytes(const device_member_plan *plan);

// device_member_sent_bytes: bytes that a member sends to others in one product, about: those of
// residues and limbs. Of `alone` those of member 0.
uint64_t device_member_sent_bytes(const device_member_plan *plan);

// device_member_print: the plan as one line, like snprintf.
int device_member_print(const device_member_plan *plan, char *buf, size_t cap);

// --- primes ---
// device_member_primes: the primes of member m, .first and .count.
block_range device_member_primes(const device_member_plan *plan, unsigned m);
// device_member_coefficients: the coefficients that member m joins; the first weighs
// 2^(64 strip_at), strip_at = first / 64 * digit_bits.
block_range device_member_coefficients(const device_member_plan *plan, unsigned m);

// --- columns ---
// device_member_strips, device_member_parts: the strips and the parts of member m; member 0 has the
// most.
block_range device_member_strips(const device_member_plan *plan, unsigned m);
block_range device_member_parts(const device_member_plan *plan, unsigned m);
// device_member_in_block: whether a share in turn has room in every member's block of the product.
bool device_member_in_block(const device_member_plan *plan);
// device_member_before: how many limbs of a number below limb `end` are in a strip.
uint64_t device_member_before(const device_member_plan *plan, uint64_t strip, uint64_t end);

#endif  // BIGINT_GROUP_DEVICE_PLAN_H_
