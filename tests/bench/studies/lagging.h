// lagging.h: steps whose tiles need all tiles of the step before, and of which one lags behind, so
// that a missing wait shows in any order of blocks. Plain C; includes steps.h.
#ifndef TESTS_BENCH_STUDIES_LAGGING_H_
#define TESTS_BENCH_STUDIES_LAGGING_H_

#include "bench/studies/steps.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LAGGING_STEPS = 7, LAGGING_TILES = 12 };

// lagging_run: values has LAGGING_STEPS + 1 rows of LAGGING_TILES words, of which the first is
// given; each further word becomes the sum of the row before plus its own number. In `groups`
// groups, 1 or LAGGING_TILES / 2, a word is the sum of its group's two.
result lagging_run(uint32_t *values, unsigned groups, steps_way way, void *workspace,
                   cuda_stream stream);
// lagging_wrong counts the words of `values`, in host memory, that are wrong.
unsigned lagging_wrong(const uint32_t *values, unsigned groups);
size_t lagging_workspace_bytes(unsigned groups);

#ifdef __cplusplus
}
#endif

#endif  // TESTS_BENCH_STUDIES_LAGGING_H_
