// mpi_product_test.c: products of numbers in blocks on the ranks of an MPI job, against GMP. Every
// rank runs the same tests and compares its own blocks.
#include <string.h>

#include "tests/bigint/group/products.h"
#include "tests/bigint/mpi/rank.h"
#include "tests/ctest/ctest.h"

enum { TIMEOUT_S = 60 };

static void run(product_case *c, void *arg) { products_multiply(arg, c); }

static void with_rank(void (*list)(products_run, void *, unsigned), unsigned step) {
    member m = rank_open(TIMEOUT_S, NULL);
    list(run, &m, step);
    EXPECT_FALSE(m.exchange->lost);
    rank_close(&m);
}

// Mutations: rows of a block received with the sender's stride; messages cut differently at both
// ends; a member's own block not copied.
TEST(MpiProduct, Edges) { with_rank(products_edges, 7); }
TEST(MpiProduct, Shapes) { with_rank(products_shapes, 3); }
TEST(MpiProduct, DigitWidths) { with_rank(products_digit_widths, 4); }
TEST(MpiProduct, Squares) { with_rank(products_squares, 1); }
TEST(MpiProduct, Long) { with_rank(products_long, 2); }
