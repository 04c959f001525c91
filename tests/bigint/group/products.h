// products.h: products of numbers in blocks, for the tests of member_multiply on threads and on
// ranks of MPI. Includes ctest, the generators and GMP's opinion.
#ifndef TESTS_BIGINT_GROUP_PRODUCTS_H_
#define TESTS_BIGINT_GROUP_PRODUCTS_H_

#include <stdbool.h>

#include "bigint/group/member_product.h"

typedef enum { ALIAS_NONE, ALIAS_A, ALIAS_B, ALIASES } aliasing;

// product_case: one product; every member works on its own blocks of these numbers.
typedef struct {
    const uint64_t *ap, *bp;
    uint64_t an, bn;
    bool square;  // of a
    member_way way;
    unsigned digit_bits;  // narrower digits than the plan would take; 0: the plan's
    aliasing alias;       // the result is written into the block of that operand
    unsigned number;      // counts the cases of a list, for choices that this does not make
    const uint64_t *expected;
} product_case;

// products_multiply, a member program: multiplies, compares the own block with the expected one
// and what was sent with what the plan says.
void products_multiply(member *m, void *product);

// The lists: each calls run(case, arg) with the expected product there. Every member of an MPI
// group makes the same list. `step`: one case of so many.
typedef void (*products_run)(product_case *c, void *arg);
void products_edges(products_run run, void *arg, unsigned step);
void products_shapes(products_run run, void *arg, unsigned step);
void products_digit_widths(products_run run, void *arg, unsigned step);
void products_squares(products_run run, void *arg, unsigned step);
void products_long(products_run run, void *arg, unsigned count);

#endif  // TESTS_BIGINT_GROUP_PRODUCTS_H_
