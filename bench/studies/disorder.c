// disorder.c: blocks_disorder of blocks.h.
#include "bench/studies/blocks.h"

blocks_inversions blocks_disorder(const uint32_t *started, uint32_t grid) {
    blocks_inversions found = {0, 0};
    uint32_t latest = 0;  // the last start among blocks of lower numbers
    for (uint32_t b = 0; b < grid; b++) {
        const uint32_t by = latest > started[b] ? latest - started[b] : 0;
        found.overtakers += by > 0;
        found.farthest = by > found.farthest ? by : found.farthest;
        latest = started[b] > latest ? started[b] : latest;
    }
    return found;
}
