// steps.h: ways in which the steps of an iteration follow each other on a device: what the studies
// of barriers compare. Plain C; includes result.h.
#ifndef BENCH_STUDIES_STEPS_H_
#define BENCH_STUDIES_STEPS_H_

#include <stddef.h>
#include <stdint.h>

#include "primitives/words/result.h"

#ifdef __cplusplus
extern "C" {
#endif

// STEPS_LAUNCHES   a launch for each step: the kernel boundary is the barrier
// STEPS_EARLY      the same, blocks of the next launch starting while the last ones end
// STEPS_BARRIER    one cooperative launch, a barrier of all blocks between steps (barrier.cuh)
// STEPS_POST_WAIT  one launch, the steps laid out along tickets (project.cuh): a tile waits for
//                  the parts of the step before that it needs
// STEPS_NO_WAIT    the same without waiting. Wrong wherever a tile overtakes what it needs, so for
//                  measurements only: what the waits cost, and how often they matter
typedef enum {
    STEPS_LAUNCHES,
    STEPS_EARLY,
    STEPS_BARRIER,
    STEPS_POST_WAIT,
    STEPS_NO_WAIT,
    STEPS_WAYS
} steps_way;

// steps_way_name: "launches", "early-launches", "barrier", "post-wait", "no-wait".
const char *steps_way_name(steps_way way);

#ifdef __cplusplus
}
#endif

#endif  // BENCH_STUDIES_STEPS_H_
