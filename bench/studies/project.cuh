// project.cuh: loop projection [Almousa17]: the tiles of all steps of an iteration are laid out one
// after another in one launch. Whoever has done a tile posts it; whoever needs tiles of the step
// before waits for their posts. Includes lookback.cuh.
//
// Progress. Blocks draw tickets, and a tile waits only for tiles of lower tickets. Those belong to
// blocks that run already, and the lowest ticket that is not done waits for none. The paper counts
// on blocks starting in the order of their numbers, which CUDA does not promise; tickets need no
// promise, and any number of blocks will do.
//
// Memory order. A fence before each post and one behind each wait.
//
// No clearing between launches. Posts are counted on from launch to launch, and the counter's epoch
// says from where; so launches with one workspace all have the same shape.
#ifndef BENCH_STUDIES_PROJECT_CUH_
#define BENCH_STUDIES_PROJECT_CUH_

#include "primitives/cuda/lookback.cuh"

// Groups: tiles of a step that are waited for together, tiles / groups of them in each.
struct Projection {
    DrawCounter *counter;
    uint64_t *posted;  // of each step and group, since the workspace was cleared
    unsigned steps, tiles, groups;

    static constexpr uint64_t kMostTickets = (uint64_t)1 << DrawCounter::kNumberBits;

    static constexpr size_t Bytes(unsigned steps, unsigned groups) {
        return sizeof(DrawCounter) + sizeof(uint64_t) * steps * groups;
    }

    __host__ static Projection In(void *workspace, unsigned steps, unsigned tiles,
                                  unsigned groups) {
        DrawCounter *const counter = (DrawCounter *)workspace;
        return {counter, (uint64_t *)(counter + 1), steps, tiles, groups};
    }

    // Draw is called by one thread of a block: the next tile, number step * tiles + tile. Each of
    // the grid's blocks draws until it gets steps * tiles or more.
    DEVICE Place Draw() const { return counter->Draw(steps * tiles + gridDim.x); }

    // Post is called by one thread behind a barrier of its block and a fence of each of its
    // threads.
    DEVICE void Post(unsigned step, unsigned group) const {
        atomicAdd((unsigned long long *)posted + (size_t)step * groups + group, 1ull);
    }

    // Wait is called by one thread, a barrier and a fence behind it.
    DEVICE void Wait(uint64_t epoch, unsigned step, unsigned group) const {
        const uint64_t *const word = posted + (size_t)step * groups + group;
        const uint64_t goal = (epoch + 1) * (tiles / groups);
        for (Spin spin; LoadRelaxed(word) < goal; spin.Pause()) {
        }
    }
};

#endif  // BENCH_STUDIES_PROJECT_CUH_
