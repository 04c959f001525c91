// call_peaks.h: what a call of bigint_plan.h holds of the workspace, by making it. Includes the
// public headers alone.
#ifndef TESTS_BIGINT_CORE_CALL_PEAKS_H_
#define TESTS_BIGINT_CORE_CALL_PEAKS_H_

#include "bigint/bigint.h"

// call_peak: what new contexts of the fixture's place with this cap (0: none) hold at most, one for
// each variant of the call: results wanted, aliasing, kinds of values. It expects success.
// *kept: on the host, the bytes that the arena keeps then: where it had several blocks, one block
// in their place for just what was in use at once.
uint64_t call_peak(const bigint_call *call, uint64_t cap, uint64_t *kept);

#endif  // TESTS_BIGINT_CORE_CALL_PEAKS_H_
