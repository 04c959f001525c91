// passes.cu: see passes.h. A tile of 32 x 32 words goes through shared memory, so that both sides
// are read and written in rows.
#include "bench/studies/passes.h"

#include "bench/studies/steps.cuh"

namespace {

constexpr unsigned kSide = 32;
constexpr unsigned kLgSide = 5;

struct Tile {
    uint64_t word[kSide][kSide + 1];
};

struct Passes {
    uint64_t *x, *y;
    unsigned lg_rows, lg_columns;  // before the first pass
    unsigned steps, tiles, groups;

    // Tiles in a row of the matrix that a step reads.
    DEVICE unsigned LgAcross(unsigned step) const {
        return (step % 2 == 0 ? lg_columns : lg_rows) - kLgSide;
    }
    DEVICE unsigned Transposed(unsigned step, unsigned tile) const {
        const unsigned across = LgAcross(step), down = LgAcross(step + 1);
        return (tile & ((1u << across) - 1)) << down | tile >> across;
    }
    // Groups are numbered by the tile that the next step reads.
    DEVICE unsigned GroupOf(unsigned step, unsigned tile) const {
        return groups == 1 ? 0 : Transposed(step, tile);
    }
    DEVICE unsigned Needs(unsigned, unsigned tile) const { return groups == 1 ? 0 : tile; }

    DEVICE void Run(unsigned step, unsigned tile) const {
        SHARED(Tile, t);
        const unsigned across = LgAcross(step), down = LgAcross(step + 1);
        const uint64_t column = (uint64_t)(tile & ((1u << across) - 1)) << kLgSide;
        const uint64_t row = (uint64_t)(tile >> across) << kLgSide;
        const uint64_t *const from = step % 2 == 0 ? x : y;
        uint64_t *const to = step % 2 == 0 ? y : x;
        const unsigned lane = threadIdx.x % kSide;
        for (unsigned r = threadIdx.x / kSide; r < kSide; r += kStepThreads / kSide) {
            t.word[r][lane] = from[((row + r) << (across + kLgSide)) + column + lane];
        }
        __syncthreads();
        for (unsigned c = threadIdx.x / kSide; c < kSide; c += kStepThreads / kSide) {
            to[((column + c) << (down + kLgSide)) + row + lane] = 3 * t.word[lane][c] + step + 1;
        }
        __syncthreads();  // the tile is used again
    }
};

bool Valid(const passes_job &job) {
    return job.lg >= PASSES_LG_LEAST && job.lg <= PASSES_LG_MOST && job.steps >= 1 &&
           job.steps <= PASSES_STEPS_MOST;
}

Passes Work(const passes_job &job) {
    const unsigned lg_rows = job.lg / 2, tiles = 1u << (job.lg - 2 * kLgSide);
    return {job.x, job.y, lg_rows, job.lg - lg_rows, job.steps, tiles, job.by_tiles ? tiles : 1};
}

}  // namespace

size_t passes_workspace_bytes(const passes_job *job) {
    return Valid(*job) ? StepsBytes(Work(*job)) : 0;
}

result passes_run(const passes_job *job, cuda_stream stream) {
    return Valid(*job) ? RunSteps(Work(*job), job->way, job->workspace, stream) : RESULT_REFUSED;
}

uint64_t passes_word(const passes_job *job, uint64_t i) {
    const unsigned lg_rows = job->lg / 2, lg_columns = job->lg - lg_rows;
    // An even number of transpositions is none; of an odd number one remains.
    const uint64_t row = i >> lg_rows, column = i & (((uint64_t)1 << lg_rows) - 1);
    uint64_t word = job->steps % 2 == 0 ? i : (column << lg_columns) + row;
    for (unsigned step = 0; step < job->steps; step++) {
        word = 3 * word + step + 1;
    }
    return word;
}
