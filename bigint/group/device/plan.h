// plan.h: one product over members that are devices: the way, and what each member has of it. Pure
// data; all members make the same plan. Internal to bigint/.
//
// alone: member 0 gets both operands, multiplies them as one device does, and deals the product
// out.
//
// A grid: members are prime_groups x column_groups. Each prime group transforms modulo primes of
// its own, and its members, neighbours, share the transform by columns. Two grids have names:
// `primes` has one column group, and `columns` one prime group.
//
// The coefficients are a matrix, a row for each part of the transform (fft/device/modular/share.h).
// A row weighs row_limbs limbs, and a strip strip_limbs of them:
//
//              strip 0    strip 1    ...
//      row 0 |          |          |         limb r row_limbs + s strip_limbs + i of a number is
//      row 1 |          |          |         limb r strip_limbs + i of strip s
//
// A column group has strips of columns and parts of the transform, dealt out as evenly as can be:
// one strip each to 2^i groups, several to other numbers of groups. Before and after its parts are
// transformed, members of a prime group exchange strips for parts. In the end a member gets the
// residues of some rows of its strips modulo all primes, and joins them. A single column group has
// whole transforms and exchanges nothing before that; its matrix is one strip, of a row for each
// member, which lies near the member's block.
//
// Where members have little memory there is one prime group, and they work at another pace: by
// thirds each has three shares at a time, and one exchange runs beside each third of a convolution;
// in turn it has one share, or two of them in other places, and nothing runs beside the exchanges.
#ifndef BIGINT_GROUP_DEVICE_PLAN_H_
#define BIGINT_GROUP_DEVICE_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/group/device/carrier.h"
#include "bigint/group/exchange/block.h"
#include "fft/device/modular/share.h"

typedef enum {
    DEVICE_MEMBER_AUTO,
    DEVICE_MEMBER_ALONE,
    DEVICE_MEMBER_PRIMES,
    DEVICE_MEMBER_COLUMNS,
    DEVICE_MEMBER_GRID,  // of several prime groups and several column groups
    DEVICE_MEMBER_WAYS
} device_member_way;
// Of exchanges and transforms, from most memory to least.
typedef enum { DEVICE_PACE_BESIDE, DEVICE_PACE_THIRDS, DEVICE_PACE_IN_TURN } device_member_pace;
// device_member_way_name: auto, alone, primes, columns, grid.
const char *device_member_way_name(device_member_way way);

typedef struct {
    device_member_way way;
    unsigned members;
    uint64_t an, bn;  // limbs of the operands, an >= bn
    bool square;
    // Of a grid.
    unsigned prime_groups, column_groups;  // members = prime_groups * column_groups
    fft_modular_plan modular;
    unsigned lg_inner;   // of an inner pass, modulo the second primes (share.h); 0: none
    unsigned lg_strips;  // of a row, as a logarithm
    device_member_pace pace;
    uint64_t row_limbs, strip_limbs, columns;  // of a row; of a strip's row, its coefficients
    uint64_t points;                           // doubles of a plane of one member, at most
    uint64_t rows;                             // that the product reaches into
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
    carrier_kind carrier;           // of blocks between members
    device_member_way way;          // to be taken where it can be
    unsigned prime_groups;          // of a grid that is to be taken; 0: any
    const fft_modular_plan *shape;  // NULL, or the primes, digit_bits, pieces, lg_outer, lg_rows
                                    // and lg_columns to take
    // Of column groups, for tests and measurements: an inner pass and second primes though shapes
    // without are long enough; a pace though there is memory for another.
    unsigned lg_inner;
    device_member_pace pace;
} device_member_choice;

// device_member_plan_make plans a product of an >= bn >= 1 limbs. Asked for nothing, it takes
// `alone` for members on one device and for short products, which exchanges would hold up; else,
// of all grids that members have room for and `alone`, what costs least (cost.h), and if they have
// room for none, `columns` by thirds or in turn.
// False if the way that is asked for cannot be taken: more prime groups than primes; more column
// groups than parts, or digits; members that are no such grid; no shape that is long enough. Asked
// for nothing, false if neither all members nor one alone have the memory: the plan is then that of
// `columns` in turn, or AUTO if it has too many points.
bool device_member_plan_make(device_member_plan *plan, uint64_t an, uint64_t bn, bool square,
                             const device_member_choice *choice);

// device_member_print: the plan as one line, like snprintf.
int device_member_print(const device_member_plan *plan, char *buf, size_t cap);

// --- Grids: what member m has ---
// Members of prime group i are i column_groups + 0, 1, ...
static inline unsigned device_member_prime_group(const device_member_plan *plan, unsigned m) {
    return m / plan->column_groups;
}
static inline unsigned device_member_column_group(const device_member_plan *plan, unsigned m) {
    return m % plan->column_groups;
}
// The primes that m transforms by, .first and .count; rounds: the most that a member has.
block_range device_member_primes(const device_member_plan *plan, unsigned m);
static inline unsigned device_member_rounds(const device_member_plan *plan) {
    return (plan->modular.primes + plan->prime_groups - 1) / plan->prime_groups;
}
// The strips and the parts of m, and the rows of its strips that it joins; member 0 has the most.
block_range device_member_strips(const device_member_plan *plan, unsigned m);
block_range device_member_parts(const device_member_plan *plan, unsigned m);
block_range device_member_rows(const device_member_plan *plan, unsigned m);
// device_member_deals: whether residues go from where they were computed to those who join them.
static inline bool device_member_deals(const device_member_plan *plan) {
    return plan->prime_groups > 1 || plan->column_groups == 1;
}
// device_member_strip_points: coefficients of a strip. device_member_span: of rows of it; the last
// row of all may be shorter.
static inline uint64_t device_member_strip_points(const device_member_plan *plan) {
    return fft_modular_points(&plan->modular) >> plan->lg_strips;
}
uint64_t device_member_span(const device_member_plan *plan, block_range rows);
// device_member_joined: of the residues of a strip modulo a prime what a member keeps to join: all
// of them unless they are dealt out.
uint64_t device_member_joined(const device_member_plan *plan);
// device_member_in_block: whether a share in turn has room in every member's block of the product.
bool device_member_in_block(const device_member_plan *plan);
// device_member_before: how many limbs of a number below limb `end` are in a strip.
uint64_t device_member_before(const device_member_plan *plan, uint64_t strip, uint64_t end);

#endif  // BIGINT_GROUP_DEVICE_PLAN_H_
