// member_product_test.c: products of numbers in blocks, by 1 to 8 threads of one process, against
// GMP: every way, every grid of members, digits of many widths.
#include "tests/bigint/group/members.h"
#include "tests/bigint/group/products.h"
#include "tests/ctest/ctest.h"

// Three and six members deal out primes, the others only columns.
static const unsigned group_sizes[] = {1, 2, 3, 4, 6, 8};
enum { GROUP_SIZES = sizeof group_sizes / sizeof group_sizes[0] };

static void run(product_case *c, void *arg) {
    const unsigned members = group_sizes[c->number * 7 / 4 % GROUP_SIZES];
    (void)arg;
    members_run(&(members_setting){.members = members, .timeout_s = 60}, products_multiply, c);
}

// Mutations: an overhang dropped; the scan over members dropped; the rows of a member shifted in
// the twiddle tables; a block's last part left out; an operand read after the result was written.
TEST(MemberProduct, Edges) { products_edges(run, NULL, 1); }

// Mutation: a carry is lost that enters a member from below and leaves it. Products of all ones
// and of powers of 2, less or more 1, have such carries.
TEST(MemberProduct, Shapes) { products_shapes(run, NULL, 1); }

// Mutations: strips that are whole limbs for digits of 64 bits only; overhangs of one limb.
TEST(MemberProduct, DigitWidths) { products_digit_widths(run, NULL, 1); }

// Mutation: the plane of a square's other operand is read.
TEST(MemberProduct, Squares) { products_squares(run, NULL, 1); }

// More rows than columns in a unit.
TEST(MemberProduct, Long) { products_long(run, NULL, GROUP_SIZES); }

static void run_teams(product_case *c, void *arg) {
    const bigint_ctx_options two = {.threads = 2}, three = {.threads = 3};
    const bigint_ctx_options *const options[] = {&two, &three, &two, NULL};
    const members_setting setting = {
        .members = 1 + c->number % 4, .timeout_s = 60, .options = options};
    (void)arg;
    members_run(&setting, products_multiply, c);
}

// Contexts with threads, which share a member's columns and rows.
TEST(MemberProduct, Teams) { products_shapes(run_teams, NULL, 5); }

static void run_checked(product_case *c, void *arg) {
    const bigint_ctx_options checked = {.checks = 1};
    const bigint_ctx_options *const options[] = {&checked, &checked, &checked, &checked};
    (void)arg;
    members_run(&(members_setting){.members = 4, .timeout_s = 60, .options = options},
                products_multiply, c);
}

// Mutations: blocks checked without their weights; the residue of an operand taken after it was
// overwritten; every member's own prime.
TEST(MemberProduct, Checked) {
    products_shapes(run_checked, NULL, 9);
    products_squares(run_checked, NULL, 3);
}
