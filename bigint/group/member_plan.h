// member_plan.h: how a group computes one product: which way, and what each member has of it. Pure
// data; all members make the same plan. Internal to bigint/.
//
// The way `columns` is one modular transform dealt out. Members form prime_groups x column_groups:
// each prime group transforms modulo its own primes, and its members share the columns and then the
// rows of the transform. A unit is FFT_UNIT columns beside each other; a unit of one row is
// digit_bits limbs, whatever the digits' width, so operands and product are dealt out in whole
// limbs. The columns of a unit range, all rows one after the other, are the member's strip.
//
//              unit 0   unit 1   unit 2   unit 3
//      row 0 | limbs .. | ...   | ...    | ...    |   row r of unit u begins at limb
//      row 1 |  ...     |                                 (r units + u) digit_bits
#ifndef BIGINT_GROUP_MEMBER_PLAN_H_
#define BIGINT_GROUP_MEMBER_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/group/exchange/block.h"

typedef enum {
    MEMBER_AUTO,
    MEMBER_WHOLE,    // every member gets both operands, multiplies them and keeps its block
    MEMBER_SHORT,    // every member gets b, at most as long as a block of a, and multiplies
    MEMBER_COLUMNS,  // one transform, dealt out
    MEMBER_WAYS,
} member_way;

typedef struct {
    member_way way;
    unsigned members;
    uint64_t an, bn;  // limbs, an >= bn
    bool square;
    // The rest is of MEMBER_COLUMNS.
    unsigned prime_groups, column_groups;  // members = prime_groups * column_groups
    fft_plan fft;
} member_plan;

// member_plan_make plans a product of an >= bn limbs. way: MEMBER_AUTO, or the way to take where
// the lengths allow it; it depends on the context's engine and variant, which must be the same for
// all members. Errors: ERANGE.
bigint_status member_plan_make(bigint_ctx *ctx, const char *who, member_plan *plan,
                               unsigned members, uint64_t an, uint64_t bn, bool square,
                               member_way way);

// member_plan_key: a number that differs where plans or variants do, with a chance of 2^-64 that
// it does not.
uint64_t member_plan_key(const bigint_ctx *ctx, const member_plan *plan);

// member_plan_print writes the plan as one line, like snprintf: way, members, shape and the bytes
// that a member sends at most.
int member_plan_print(const member_plan *plan, char *buf, size_t cap);
const char *member_way_name(member_way way);

// --- MEMBER_COLUMNS: what member m has ---

static inline unsigned member_prime_group(const member_plan *plan, unsigned m) {
    return m / plan->column_groups;
}
// Members of one prime group are neighbours: this is its first.
static inline unsigned member_group_first(const member_plan *plan, unsigned m) {
    return m - m % plan->column_groups;
}
static inline uint64_t member_units(const member_plan *plan) {
    return ((uint64_t)1 << plan->fft.lg_columns) / FFT_UNIT;
}
// Limbs of one row of the transform.
static inline uint64_t member_row_limbs(const member_plan *plan) {
    return member_units(plan) * plan->fft.digit_bits;
}
// The primes that m transforms by; the units whose columns it transforms; the rows it transforms;
// and the units whose coefficients it joins, which are a part of the others.
block_range member_primes(const member_plan *plan, unsigned m);
block_range member_columns(const member_plan *plan, unsigned m);
block_range member_rows(const member_plan *plan, unsigned m);
block_range member_final_units(const member_plan *plan, unsigned m);

// member_strip_before: how many limbs of a number, of those below limb `end`, are in the strip of
// these units: what member i sends of its block {first, count} to a strip is limbs before(first) ..
// before(first + count) of the strip.
uint64_t member_strip_before(const member_plan *plan, block_range units, uint64_t end);

// --- The product in pieces ---

// member_piece: limbs at .. at + main of the product, and `over` more, which are to be added to the
// limbs that follow. The main limbs of all members' pieces are the product's limbs once each, and
// the other limbs of no two pieces meet.
typedef struct {
    uint64_t at, main, over;
} member_piece;

// Pieces of member m, the first on top; all have the same lengths.
uint64_t member_pieces(const member_plan *plan, unsigned m);
member_piece member_piece_at(const member_plan *plan, unsigned m, uint64_t i);

// member_piece_part: which of the piece's main + over limbs are in a block.
block_range member_piece_part(const member_piece *piece, block_range block);
// member_piece_limbs: limbs of m's pieces in a block, all together.
uint64_t member_piece_limbs(const member_plan *plan, unsigned m, block_range block);

// --- What is sent ---

// member_sent_bytes: bytes that member m sends to others in one product.
uint64_t member_sent_bytes(const member_plan *plan, unsigned m);

#endif  // BIGINT_GROUP_MEMBER_PLAN_H_
