// shared_tables.h: the tables of short real transforms, one set for all contexts of the process.
// Internal to bigint/.
#ifndef BIGINT_MULTIPLY_SHARED_TABLES_H_
#define BIGINT_MULTIPLY_SHARED_TABLES_H_

#include "fft/complex/complex.h"

// shared_tables_have: whether the tables of a plan belong to the process: right-angled, in doubles,
// of the lengths up to SHARED_POINTS that products have (2^18 bits at least).
enum { SHARED_POINTS = 1 << 14 };
bool shared_tables_have(const fft_complex_plan *plan);

// shared_tables: the tables of such a plan. The first call for a length makes them, in memory of
// the program's own, where they stay. From any thread, and in forked children. A call waits only
// for another thread that is making the same tables, and not for ever: a signal handler may have
// jumped out of the call that was.
const void *shared_tables(const fft_complex_ops *ops, const fft_complex_plan *plan);

#endif  // BIGINT_MULTIPLY_SHARED_TABLES_H_
