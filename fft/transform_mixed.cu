// transform_mixed.cu: plans of lengths that are no power of two: which are served, which is chosen,
// and their launches. Includes pass_mixed.h, not the kernel itself.
#include "fft/transform_mixed.h"

#include "fft/pass_mixed.h"
#include "primitives/launch.cuh"

namespace {

constexpr unsigned kMaxLgLines = 5;  // of a pass with columns: a warp is a multiple of its lines

MixedDivisor DivisorOf(uint32_t d) { return {d, UINT32_MAX / d}; }

// MixedWork: a pass as it is launched. table_bytes: of its roots, then its places.
struct MixedWork {
    MixedJob job;
    size_t roots_bytes, table_bytes, shared_bytes;
    uint64_t blocks;
    unsigned most, threads, end;  // most: of the kernel; end: the stage after its last one
};

// Within tables, or none where there are none yet.
const char *At(const char *tables, size_t bytes) {
    return tables != nullptr ? tables + bytes : nullptr;
}

// Sets points, nodes and the bytes of tables: what the stages alone determine.
void SetNodes(const fft_id_plan *plan, unsigned first, const char *tables, MixedWork *work) {
    MixedJob *job = &work->job;
    work->end = fft_id_pass_end(plan, first);
    job->points = 1;
    for (unsigned i = first; i < work->end; i++) {
        job->points *= plan->stage[i].radix;
    }
    uint32_t left = job->points;
    for (unsigned i = first; i < work->end && job->nodes_n < kMixedNodes; i++) {
        MixedNode *node = &job->node[job->nodes_n++];
        node->radix = plan->stage[i].radix;
        if (i + 1 < work->end) {
            node->roots = At(tables, work->roots_bytes);
            work->roots_bytes += fft_id_item_bytes(&plan->problem) * left;
        }
        left /= node->radix;
        node->points = DivisorOf(left);
        node->groups = DivisorOf(job->points / node->radix);
    }
    const size_t places = job->node[job->nodes_n - 1].groups.d * sizeof *job->place;
    job->place = (uint16_t *)At(tables, work->roots_bytes);
    work->table_bytes = (work->roots_bytes + places + 15) / 16 * 16;
}

// Sets the tile, and the block and the kernel that work on it.
void SetTile(const fft_id_plan *plan, MixedWork *work) {
    MixedJob *job = &work->job;
    job->lg_lines = plan->tuple.x;
    uint32_t largest = 0;
    for (unsigned n = 0; n < job->nodes_n; n++) {
        largest = job->node[n].radix > largest ? job->node[n].radix : largest;
    }
    for (unsigned most : kMixedMost) {
        work->most = work->most < largest ? most : work->most;
    }
    const uint32_t row = 1u << (OfDoubles(&plan->problem) ? kMixedBankBits<16> : kMixedBankBits<8>);
    job->tile_items = ((job->points << job->lg_lines) + row - 1) / row * row;
    const uint32_t radix = job->node[job->nodes_n - 1].radix;
    const size_t steps = job->twiddles ? (size_t)radix << job->lg_lines : 0;
    work->shared_bytes = fft_id_item_bytes(&plan->problem) * (job->tile_items + steps);
    work->blocks = (job->lines + ((uint64_t)1 << job->lg_lines) - 1) >> job->lg_lines;
    // As many DFTs of the largest node for each thread, but threads for several blocks where there
    // is shared memory for them.
    const uint32_t groups = (job->points / largest) << job->lg_lines;
    const uint32_t threads = work->shared_bytes > kMixedSharedMax / 3 ? 512 : 256;
    const uint32_t rounds = (groups + threads - 1) / threads;
    work->threads = (groups + 32 * rounds - 1) / (32 * rounds) * 32;
}

// The pass that begins at stage `first`, before which the factor `before` of the length has been
// consumed; its tables are at `tables`.
MixedWork WorkOf(const fft_id_plan *plan, unsigned first, uint64_t before, const char *tables) {
    MixedWork work = {};
    MixedJob *job = &work.job;
    const uint64_t n = fft_id_length(&plan->problem);
    const bool inverse = plan->problem.direction == FFT_ID_INVERSE;
    SetNodes(plan, first, tables, &work);
    job->others = n / job->points;
    job->after = job->others / before;
    job->order = job->after * job->points;
    job->inverse_after = 1.0 / (double)job->after;
    job->inverse_others = 1.0 / (double)job->others;
    job->inverse_order = 1.0 / (double)job->order;
    job->lines = plan->problem.batch * job->others;
    const bool is_first = first == 0, is_last = work.end == plan->stages_n;
    job->columns_in = job->twiddles = !is_last;
    job->columns_out = !(is_first && is_last);
    job->swap_in = inverse && is_first;
    job->swap_out = inverse && is_last;
    SetTile(plan, &work);
    return work;
}

// Calls visit(work) for each pass until it returns false.
template <class Visit>
void EachPass(const fft_id_plan *plan, const char *tables, Visit visit) {
    uint64_t before = 1;
    for (unsigned first = 0; first < plan->stages_n;) {
        const MixedWork work = WorkOf(plan, first, before, tables);
        if (!visit(work)) {
            return;
        }
        before *= work.job.points;
        tables = At(tables, work.table_bytes);
        first = work.end;
    }
}

const char *WorkRefusal(const MixedWork &work) {
    if (work.shared_bytes > kMixedSharedMax) {
        return "a block has not so much shared memory";
    }
    if (work.job.columns_out && work.job.lg_lines > kMaxLgLines) {
        return "no kernel for so many lines side by side";
    }
    if (work.blocks > kMaxGridX) {
        return "a launch has not so many blocks";
    }
    return nullptr;
}

// In one pass as many problems to a tile as leave a multiprocessor several tiles. In more the
// fewest passes, and of the tuples that take so many the first: widest lines, tiles that leave room
// for others before larger ones; then narrower lines, down to a sector's, until each multiprocessor
// of a large device has a block or two.
constexpr unsigned kTiles = 4, kBlocksWanted = 256;
constexpr fft_id_tuple kTilesF64[kTiles] = {{4, 12, 3}, {4, 12, 2}, {4, 13, 2}, {4, 13, 1}};
constexpr fft_id_tuple kTilesF32[kTiles] = {{4, 13, 4}, {4, 13, 3}, {4, 14, 3}, {4, 14, 2}};

uint64_t LeastBlocks(const fft_id_plan *plan) {
    uint64_t least = kMaxGridX;
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        least = work.blocks < least ? work.blocks : least;
        return true;
    });
    return least;
}

bool Make(fft_id_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple) {
    return fft_id_make(plan, problem, tuple, FFT_ID_AFTER) == nullptr &&
           fft_device_refusal(plan) == nullptr;
}

}  // namespace

const char *MixedRefusal(const fft_id_plan *plan) {
    const char *why = nullptr;
    if (plan->tuple.p > 4 || plan->tuple.s > kMixedLgTile) {
        return "no kernel for nodes of more than 2^4 points or tiles of more than 2^14";
    }
    for (unsigned i = 0; i + 1 < plan->stages_n; i++) {
        if (plan->stage[i].twiddle != FFT_ID_AFTER) {
            return "kernels multiply by twiddles after nodes";
        }
    }
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        why = WorkRefusal(work);
        return why == nullptr;
    });
    return why;
}

bool MixedPlan(fft_id_plan *plan, const fft_id_problem *problem) {
    const fft_id_tuple *tiles = OfDoubles(problem) ? kTilesF64 : kTilesF32;
    const uint64_t n = fft_id_length(problem);
    fft_id_tuple only = tiles[kTiles - 1];
    if (n > 0 && n <= (uint64_t)1 << only.s) {
        only.x = 0;
        while (n << (only.x + 1) <= (uint64_t)1 << (only.s - 3) &&
               (uint64_t)1 << only.x < problem->batch) {
            only.x++;
        }
        return Make(plan, problem, only);
    }
    unsigned fewest = UINT32_MAX;
    for (unsigned i = 0; i < kTiles; i++) {
        fft_id_plan other;
        if (Make(&other, problem, tiles[i]) && fft_id_passes(&other) < fewest) {
            fewest = fft_id_passes(&other);
            *plan = other;
        }
    }
    while (fewest != UINT32_MAX && plan->tuple.x > tiles[kTiles - 1].x &&
           LeastBlocks(plan) < kBlocksWanted) {
        plan->tuple.x--;  // which leaves room for the same passes
    }
    return fewest != UINT32_MAX;
}

size_t MixedTableBytes(const fft_id_plan *plan) {
    size_t bytes = 0;
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        bytes += work.table_bytes;
        return true;
    });
    return bytes;
}

result MixedTables(const fft_id_plan *plan, void *tables, device_stream stream) {
    int most = 0;  // a kernel has one limit for all plans: what the device has
    cudaError_t e = DeviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most);
    EachPass(plan, (const char *)tables, [&](const MixedWork &work) {
        if (e == cudaSuccess) {
            e = cudaFuncSetAttribute(MixedPassKernelOf(OfDoubles(&plan->problem), work.most),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, most);
        }
        if (e == cudaSuccess) {
            e = Launch(MixedTablesKernelOf(OfDoubles(&plan->problem)),
                       (work.job.points + 255) / 256, 256, 0, stream, work.job);
        }
        return e == cudaSuccess;
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result MixedTransform(const fft_id_plan *plan, const void *in, void *out, void *workspace,
                      const void *tables, device_stream stream) {
    unsigned left = fft_id_passes(plan);
    const void *from = in;
    cudaError_t e = cudaSuccess;
    EachPass(plan, (const char *)tables, [&](const MixedWork &work) {
        MixedJob job = work.job;
        job.in = from;
        job.out = PassOutput(left--, out, workspace);
        from = job.out;
        e = LaunchEarly(MixedPassKernelOf(OfDoubles(&plan->problem), work.most),
                        (unsigned)work.blocks, work.threads, work.shared_bytes, stream, job);
        return e == cudaSuccess;
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
