// plan.h: how a division on the host is computed: rows, recursion or blocks, and the lengths of the
// blocks. Internal to bigint/.
#ifndef BIGINT_DIVIDE_PLAN_H_
#define BIGINT_DIVIDE_PLAN_H_

#include "bigint/core/context.h"
#include "bigint/core/need.h"

// division_way: of a quotient of qn limbs by dn limbs. ROWS and RECURSIVE: div_small. BLOCKS:
// divide_blocks.
typedef enum { DIVISION_ROWS, DIVISION_RECURSIVE, DIVISION_BLOCKS } division_way;
division_way division_way_of(const bigint_ctx *ctx, uint64_t qn, uint64_t dn);
// division_rows_limbs: workspace of a quotient alone by rows.
static inline uint64_t division_rows_limbs(uint64_t an) { return 2 * an + 2; }
// division_block: the limbs of quotient that divide_blocks finds at a time. One reciprocal serves
// all blocks, and a short one is cheap; but every block costs a product with the divisor.
uint64_t division_block(uint64_t qn, uint64_t dn);

// DIVREM_SHORT: dividends of up to this many limbs are divided on the stack.
enum { DIVREM_SHORT = 64 };
// division_is_short: whether the division is in place or on the stack, without workspace; quotient:
// one is wanted. Any dividend is divided in place by one or two limbs.
static inline bool division_is_short(bool quotient, uint64_t an, uint64_t dn) {
    return an <= DIVREM_SHORT || (dn <= 2 && quotient);
}

// division_print: how bigint_divrem divides an by dn limbs, on one line, like snprintf.
int division_print(bigint_ctx *ctx, char *buf, size_t cap, uint64_t an, uint64_t dn);

// What these need: divide_limbs_need: bigint_divide_limbs. divrem_limbs_need: bigint_divrem_limbs,
// whichever of its results are wanted. divrem_need, divexact_need: divrem_integers and
// divexact_integers. Operands of any lengths.
void divide_limbs_need(work_need *n, uint64_t qn, uint64_t dn);
void divrem_limbs_need(work_need *n, uint64_t an, uint64_t dn);
void divrem_need(work_need *n, uint64_t an, uint64_t dn);
void divexact_need(work_need *n, uint64_t an, uint64_t dn);

#endif  // BIGINT_DIVIDE_PLAN_H_
