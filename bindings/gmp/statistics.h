// statistics.h: how often calls were ours, if LONGMUL_GMP_STATISTICS asks for it.
#ifndef BINDINGS_GMP_STATISTICS_H_
#define BINDINGS_GMP_STATISTICS_H_

#include <stdbool.h>

#include "bindings/gmp/functions.h"

typedef enum { CALL_OURS, CALL_PASSED, CALL_SHORT_OF_MEMORY, CALL_WRONG, CALL_KINDS } call_kind;

// statistics_on: whether calls are counted. Set before the first call, and never again.
extern bool statistics_on;
void statistics_add(mpn_function function, call_kind kind);
static inline void count_call(mpn_function function, call_kind kind) {
    if (__builtin_expect(statistics_on, 0)) {
        statistics_add(function, kind);
    }
}

// statistics_start: from now on calls are counted, and at exit a report is appended to the file, or
// written to stderr for "-": one line with the process, the program, the GMP that was found, and
// for each function the number of calls of each kind.
void statistics_start(const char *file);

#endif  // BINDINGS_GMP_STATISTICS_H_
