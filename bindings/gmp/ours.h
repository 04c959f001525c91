// ours.h: the sizes for which calls of GMP's functions are answered here, and what becomes of such
// a call. For entries.c and values.c.
#ifndef BINDINGS_GMP_OURS_H_
#define BINDINGS_GMP_OURS_H_

#include <stdbool.h>

#include "bigint/bigint.h"
#include "bindings/gmp/functions.h"
#include "bindings/gmp/statistics.h"
#include "bindings/gmp/thresholds.h"

// In an exported function: whose GMP its workspace is for.
#define CALLER __builtin_return_address(0)

// Until the library has started no size is ours. It is written then, and only read afterwards.
extern struct ours_sizes {
    mpn_size short_product;  // products without a context
    bool products;
    size_range ring, root, root_alone, power, text, gcd, gcdext;
    division_range divrem, quotient;
} ours;

static inline bool within(size_range range, mpn_size n) {
    return n >= range.least && n <= range.most;
}

// outcome counts a call for which a session was used, and says whether it is done.
static inline bool outcome(mpn_function function, bigint_status status) {
    count_call(function, status == BIGINT_OK       ? CALL_OURS
                         : status == BIGINT_ECHECK ? CALL_WRONG
                                                   : CALL_SHORT_OF_MEMORY);
    return status == BIGINT_OK;
}

#endif  // BINDINGS_GMP_OURS_H_
