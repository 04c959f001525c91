// monoid_fixture.h: the operators of monoid.h once more, written without a thought of speed, with
// operands for them: what scan and reduce are compared with.
#ifndef TESTS_PRIMITIVES_SCAN_MONOID_FIXTURE_H_
#define TESTS_PRIMITIVES_SCAN_MONOID_FIXTURE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "primitives/scan/monoid.h"
#include "tests/support/gen.h"

// monoid_random fills x[0..n) with elements for which results are exact, whatever the grouping:
// small whole numbers for the floating-point sums. Identities and absorbing elements are among
// them.
void monoid_random(gen *g, monoid m, void *x, size_t n);

// monoid_scan_serial writes the scan of every row, element by element.
void monoid_scan_serial(monoid m, bool exclusive, void *y, const void *x, size_t n, size_t rows);

// monoid_reduce_serial writes the product of every row.
void monoid_reduce_serial(monoid m, void *y, const void *x, size_t n, size_t rows);

// monoid_first_difference returns the first i < n at which the elements differ, or n.
size_t monoid_first_difference(monoid m, const void *a, const void *b, size_t n);

#endif  // TESTS_PRIMITIVES_SCAN_MONOID_FIXTURE_H_
