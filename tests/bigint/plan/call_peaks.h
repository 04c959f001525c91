// call_peaks.h: what the calls of bigint_plan.h hold of the workspace, by making them. Includes the
// public headers alone.
#ifndef TESTS_BIGINT_PLAN_CALL_PEAKS_H_
#define TESTS_BIGINT_PLAN_CALL_PEAKS_H_

#include <stddef.h>

#include "bigint/bigint.h"

// call_check: that the bound of a call holds for every variant of it (results wanted, aliasing,
// kinds of values), that it is enough as a cap, and on the host that it is not much too large.
// Mutations: a buffer of an algorithm that is not counted, a copy of an operand, the tables of an
// earlier step, a bound that is the cap's.
void call_check(const bigint_call *call);
// call_check_kinds: the same for calls of each kind with an, bn, k from each row.
void call_check_kinds(const bigint_call_kind *kinds, size_t count, const uint64_t lengths[][3],
                      size_t sizes);
// call_check_all: the same for calls of a table; on a device, whose emulation takes long, only for
// calls with up to `most` limbs of first factors.
void call_check_all(const bigint_call *calls, size_t count, uint64_t most);

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define CHECK_KINDS(kinds, lengths) \
    call_check_kinds((kinds), COUNT(kinds), (lengths), COUNT(lengths))
#define CHECK_CALLS(calls, most) call_check_all((calls), COUNT(calls), (most))

#endif  // TESTS_BIGINT_PLAN_CALL_PEAKS_H_
