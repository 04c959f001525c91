// lagging.cu: see lagging.h.
#include "tests/bench/studies/lagging.h"

#include "bench/studies/steps.cuh"

namespace {

constexpr unsigned kPauses = 4000, kNanoseconds = 20;

struct Lagging {
    uint32_t *values;
    unsigned steps, tiles, groups;

    HOST_DEVICE unsigned GroupOf(unsigned, unsigned tile) const { return tile / (tiles / groups); }
    HOST_DEVICE unsigned Needs(unsigned step, unsigned tile) const { return GroupOf(step, tile); }

    HOST_DEVICE uint32_t Word(const uint32_t *before, unsigned tile) const {
        uint32_t sum = tile;
        for (unsigned t = 0; t < tiles; t++) {
            sum += GroupOf(0, t) == GroupOf(0, tile) ? before[t] : 0;
        }
        return sum;
    }

    DEVICE void Run(unsigned step, unsigned tile) const {
        if (threadIdx.x != 0) {
            return;
        }
        for (unsigned i = 0; i < kPauses && tile == step * 5 % tiles; i++) {
            SpinPause(kNanoseconds);
        }
        values[(step + 1) * tiles + tile] = Word(values + step * tiles, tile);
    }
};

Lagging Work(uint32_t *values, unsigned groups) {
    return {values, LAGGING_STEPS, LAGGING_TILES, groups};
}

}  // namespace

result lagging_run(uint32_t *values, unsigned groups, steps_way way, void *workspace,
                   cuda_stream stream) {
    return RunSteps(Work(values, groups), way, workspace, stream);
}

unsigned lagging_wrong(const uint32_t *values, unsigned groups) {
    const Lagging work = Work(nullptr, groups);
    uint32_t row[LAGGING_TILES], next[LAGGING_TILES];
    unsigned wrong = 0;
    memcpy(row, values, sizeof row);
    for (unsigned step = 1; step <= LAGGING_STEPS; step++) {
        for (unsigned t = 0; t < LAGGING_TILES; t++) {
            next[t] = work.Word(row, t);
            wrong += values[step * LAGGING_TILES + t] != next[t];
        }
        memcpy(row, next, sizeof row);
    }
    return wrong;
}

size_t lagging_workspace_bytes(unsigned groups) { return StepsBytes(Work(nullptr, groups)); }
