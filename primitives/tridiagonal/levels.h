// levels.h: where partition-pivot keeps the spans of the tiles of a long system in its workspace.
// Data, for the plan and its kernels. Plain C; includes tridiagonal.h.
#ifndef PRIMITIVES_TRIDIAGONAL_LEVELS_H_
#define PRIMITIVES_TRIDIAGONAL_LEVELS_H_

#include "primitives/tridiagonal/tridiagonal.h"

#ifdef __cplusplus
extern "C" {
#endif

// Level 0 has a span for each tile, every further level one for each group of the level before, up
// to one group of 2^log_slots slots, as many spans as a block joins. The 11 values of slot p of
// group g stand at values + ((g 11 + value) << log_slots) + p.
typedef struct {
    uint64_t spans, groups;
    unsigned log_slots;         // of a group
    uint64_t values, counters;  // where the level begins, in elements and words, of one system
} tridiagonal_level;

enum { TRIDIAGONAL_LEVELS = 4 };  // 2^34 rows in tiles of at least 128 lanes of 8 rows: 2^24 spans
typedef struct {
    tridiagonal_level level[TRIDIAGONAL_LEVELS];
    unsigned count;
    uint64_t values, counters;  // of one system; the last two values are its ends' unknowns
} tridiagonal_levels;

// tridiagonal_levels_of says where they stand for plans of several tiles; lanes >= 128. Where
// joints are kept, groups of tiles stand for tiles, and the ends have a place even if there is one
// group.
tridiagonal_levels tridiagonal_levels_of(const tridiagonal_plan *plan);

// tridiagonal_log_group: where joints are kept, the logarithm of the tiles of a group, 32 to 256.
unsigned tridiagonal_log_group(const tridiagonal_plan *plan);

#ifdef __cplusplus
}
#endif

#endif  // PRIMITIVES_TRIDIAGONAL_LEVELS_H_
