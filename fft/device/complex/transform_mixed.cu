// transform_mixed.cu: plans of lengths that are no power of two, and of any layout: which are
// served, which is chosen, and their launches. Includes pass_mixed.h, not the kernels themselves.
#include "fft/device/complex/transform_kinds.h"

#include <assert.h>

#include "fft/device/complex/pass_mixed.h"
#include "primitives/cuda/launch.cuh"

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

// The side of items in a layout of elements: complex ones, or reals, two to an item.
MixedSide SideOf(fft_strided_layout layout, bool reals) {
    const uint64_t s = layout.stride, d = layout.distance;
    return reals ? MixedSide{2 * s, d, s, s == 1 && d % 2 == 0} : MixedSide{2 * s, 2 * d, 1, true};
}

bool IsReals(const fft_id_problem *problem, bool output) {
    return fft_id_pairs(problem) && output == (problem->direction == FFT_ID_INVERSE);
}

// Ways: where the passes' items are, and the order of their lines.
struct Ways {
    MixedSide in, out, workspace;
    bool inner;
};

// Lines of neighbouring problems follow each other where problems are closer than elements on both
// sides; the workspace then is so as well.
Ways WaysOf(const fft_strided_plan *plan) {
    const fft_id_problem *problem = &plan->plan.problem;
    const uint64_t n = fft_id_length(problem), batch = problem->batch;
    Ways ways = {};
    ways.in = SideOf(plan->in, IsReals(problem, false));
    ways.out = SideOf(plan->out, IsReals(problem, true));
    ways.inner =
        batch > 1 && plan->in.distance < plan->in.stride && plan->out.distance < plan->out.stride;
    ways.workspace = ways.inner ? SideOf({batch, 1}, false) : SideOf({1, n}, false);
    return ways;
}

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

// Sets where a pass reads and writes, and along what its threads are numbered: whichever is nearer
// in memory, the same item of the next line or the line's next item. The next line is of the next
// problem, or of the next of the points left or of the frequencies so far.
void SetSides(const MixedSide &from, const MixedSide &to, MixedJob *job) {
    job->from = from, job->to = to;
    const bool problems = job->inner || job->others == 1;
    const uint64_t frequency = job->after > 1 ? 1 : job->points;
    job->columns_in = (problems ? job->from.distance : frequency * job->from.stride) <
                      job->after * job->from.stride;
    job->columns_out =
        (problems ? job->to.distance : job->to.stride) < job->others * job->to.stride;
}

// Passes from the one that begins at this stage on.
unsigned PassesFrom(const fft_id_plan *plan, unsigned first) {
    unsigned passes = 0;
    for (unsigned i = first; i < plan->stages_n; i = fft_id_pass_end(plan, i)) {
        passes++;
    }
    return passes;
}

// The pass that begins at stage `first`, before which the factor `before` of the length has been
// consumed; its tables are at `tables`.
MixedWork WorkOf(const fft_strided_plan *plan, unsigned first, uint64_t before,
                 const char *tables) {
    MixedWork work = {};
    MixedJob *job = &work.job;
    const fft_id_plan *stages = &plan->plan;
    const uint64_t n = fft_id_length(&stages->problem), batch = stages->problem.batch;
    const bool inverse = stages->problem.direction == FFT_ID_INVERSE;
    const Ways ways = WaysOf(plan);
    SetNodes(stages, first, tables, &work);
    job->others = n / job->points;
    job->after = job->others / before;
    job->order = job->after * job->points;
    job->inner = ways.inner;
    job->around = job->inner ? batch : job->others;
    job->inverse_after = 1.0 / (double)job->after;
    job->inverse_around = 1.0 / (double)job->around;
    job->inverse_order = 1.0 / (double)job->order;
    job->lines = batch * job->others;
    const bool is_first = first == 0, is_last = work.end == stages->stages_n;
    job->twiddles = !is_last;
    job->swap_in = inverse && is_first;
    job->swap_out = inverse && is_last;
    // The first pass of an inverse transform of reals finds their pairs in the output.
    const bool joined = inverse && fft_id_pairs(&stages->problem),
               odd = PassesFrom(stages, first) % 2;
    SetSides(is_first ? (joined ? ways.out : ways.in)
             : odd    ? ways.workspace
                      : ways.out,
             odd ? ways.out : ways.workspace, job);
    assert(!job->twiddles || job->columns_out);  // a thread's line has one point left
    SetTile(stages, &work);
    return work;
}

// Calls visit(work) for each pass until it returns false.
template <class Visit>
void EachPass(const fft_strided_plan *plan, const char *tables, Visit visit) {
    uint64_t before = 1;
    for (unsigned first = 0; first < plan->plan.stages_n;) {
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
        return "a block has less shared memory than a tile takes";
    }
    if ((work.job.columns_in || work.job.columns_out) && work.job.lg_lines > kMaxLgLines) {
        return "no kernel takes that many lines side by side";
    }
    if (work.blocks > kMaxGridX) {
        return "a launch cannot have that many blocks";
    }
    return nullptr;
}

// The launch that separates frequencies of reals, in place in the output, or joins them to it.
MixedHalves HalvesOf(const fft_strided_plan *plan, const void *in, void *out) {
    const Ways ways = WaysOf(plan);
    const fft_id_problem *problem = &plan->plan.problem;
    const bool back = problem->direction == FFT_ID_INVERSE;
    MixedHalves job = {};
    job.in = back ? in : out, job.out = out;
    job.from = back ? ways.in : ways.out, job.to = ways.out;
    job.points = fft_id_length(problem);
    job.half = job.points / 2 + 1;
    job.batch = problem->batch;
    job.inner = ways.inner;
    job.around = job.inner ? job.batch : job.half;
    job.inverse_around = 1.0 / (double)job.around;
    job.inverse_order = 0.5 / (double)job.points;
    return job;
}

uint64_t HalvesBlocks(const MixedHalves &job) {
    return (job.batch * job.half + kHalvesThreads - 1) / kHalvesThreads;
}

cudaError_t LaunchHalves(const fft_strided_plan *plan, const void *in, void *out,
                         cuda_stream stream) {
    const MixedHalves job = HalvesOf(plan, in, out);
    const fft_id_problem *problem = &plan->plan.problem;
    return LaunchEarly(
        MixedHalvesKernelOf(OfDoubles(problem), problem->direction == FFT_ID_INVERSE),
        (unsigned)HalvesBlocks(job), kHalvesThreads, 0, stream, job);
}

// One pass: a tile takes as many problems as leave a multiprocessor several tiles; if problems are
// interleaved, as many as are 128 bytes wide, or a sector at least. Several passes: as few as
// possible, by the first tuple below that needs no more. Wide lines come first, and tiles that
// leave room for others before larger ones. Then lines get narrower, down to a sector's, until each
// multiprocessor of a large device has a block or two.
constexpr unsigned kTiles = 4, kBlocksWanted = 256;
constexpr fft_id_tuple kTilesF64[kTiles] = {{4, 12, 3}, {4, 12, 2}, {4, 13, 2}, {4, 13, 1}};
constexpr fft_id_tuple kTilesF32[kTiles] = {{4, 13, 4}, {4, 13, 3}, {4, 14, 3}, {4, 14, 2}};

uint64_t LeastBlocks(const fft_strided_plan *plan) {
    uint64_t least = kMaxGridX;
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        least = work.blocks < least ? work.blocks : least;
        return true;
    });
    return least;
}

bool Make(fft_strided_plan *plan, const fft_id_problem *problem, fft_id_tuple tuple) {
    return fft_id_make(&plan->plan, problem, tuple, FFT_ID_AFTER) == nullptr &&
           MixedRefusal(plan) == nullptr;
}

// One pass for tiles of up to 2^most items, if the problems are not too long for it.
bool MakeOne(fft_strided_plan *plan, const fft_id_problem *problem, unsigned most) {
    const uint64_t n = fft_id_length(problem), room = (uint64_t)1 << most;
    const bool near = plan->in.distance < plan->in.stride || plan->out.distance < plan->out.stride;
    const unsigned sector = !near ? 0 : OfDoubles(problem) ? 1 : 2;  // as x: of 32 bytes
    const unsigned wanted = near ? sector + 2 : 0;                   // of 128 bytes
    fft_id_tuple only = {4, (uint8_t)most, 0};
    while ((uint64_t)1 << only.x < problem->batch && (!near || only.x < kMaxLgLines) &&
           n << (only.x + 1) <= (only.x < wanted ? room : room >> 3)) {
        only.x++;
    }
    const bool wide = only.x >= sector || (uint64_t)1 << only.x >= problem->batch;
    if (!fft_id_mixed(problem)) {  // a tuple of a power of two has no more digits than it
        only.s = (uint8_t)fft_id_digits(problem);
        only.p = only.p < only.s ? only.p : only.s;
        only.x = only.x < only.s ? only.x : only.s;
    }
    return n <= room && wide && Make(plan, problem, only);
}

}  // namespace

const char *MixedRefusal(const fft_strided_plan *plan) {
    const fft_id_plan *stages = &plan->plan;
    const char *why = nullptr;
    if (stages->problem.order != FFT_ID_NATURAL || stages->problem.element == FFT_ID_MODULAR) {
        return "no kernels for this order or these elements";
    }
    if (stages->tuple.p > 4 || stages->tuple.s > kMixedLgTile) {
        return "no kernel for nodes of more than 2^4 points or tiles of more than 2^14";
    }
    for (unsigned i = 0; i + 1 < stages->stages_n; i++) {
        if (stages->stage[i].twiddle != FFT_ID_AFTER || stages->stage[i].where == FFT_ID_REGISTER) {
            return "kernels multiply by twiddles after nodes, and exchange between nodes";
        }
    }
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        why = WorkRefusal(work);
        return why == nullptr;
    });
    return why == nullptr && fft_id_pairs(&stages->problem) &&
                   HalvesBlocks(HalvesOf(plan, nullptr, nullptr)) > kMaxGridX
               ? "a launch cannot have that many blocks"
               : why;
}

bool MixedPlan(fft_strided_plan *plan, const fft_id_problem *problem, fft_strided_layout in,
               fft_strided_layout out) {
    const fft_id_tuple *tiles = OfDoubles(problem) ? kTilesF64 : kTilesF32;
    *plan = {{}, in, out};
    if (MakeOne(plan, problem, tiles[kTiles - 1].s)) {
        return true;
    }
    unsigned fewest = UINT32_MAX;
    const unsigned digits = fft_id_digits(problem);
    for (unsigned i = 0; i < kTiles; i++) {
        fft_strided_plan other = *plan;
        fft_id_tuple tuple = tiles[i];
        if (!fft_id_mixed(problem) && tuple.s >= digits) {  // s = digits would be one pass
            tuple.s = (uint8_t)(digits - 1);
        }
        if (Make(&other, problem, tuple) && fft_id_passes(&other.plan) < fewest) {
            fewest = fft_id_passes(&other.plan);
            *plan = other;
        }
    }
    while (fewest != UINT32_MAX && plan->plan.tuple.x > tiles[kTiles - 1].x &&
           LeastBlocks(plan) < kBlocksWanted) {
        plan->plan.tuple.x--;  // which leaves room for the same passes
    }
    return fewest != UINT32_MAX;
}

size_t MixedTableBytes(const fft_strided_plan *plan) {
    size_t bytes = 0;
    EachPass(plan, nullptr, [&](const MixedWork &work) {
        bytes += work.table_bytes;
        return true;
    });
    return bytes;
}

result MixedTables(const fft_strided_plan *plan, void *tables, cuda_stream stream) {
    const bool f64 = OfDoubles(&plan->plan.problem);
    int most = 0;  // a kernel has one limit for all plans: what the device has
    cudaError_t e = DeviceAttribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, &most);
    EachPass(plan, (const char *)tables, [&](const MixedWork &work) {
        if (e == cudaSuccess) {
            e = cudaFuncSetAttribute(MixedPassKernelOf(f64, work.most),
                                     cudaFuncAttributeMaxDynamicSharedMemorySize, most);
        }
        if (e == cudaSuccess) {
            e = Launch(MixedTablesKernelOf(f64), (work.job.points + 255) / 256, 256, 0, stream,
                       work.job);
        }
        return e == cudaSuccess;
    });
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}

result MixedTransform(const fft_strided_plan *plan, const void *in, void *out, void *workspace,
                      const void *tables, cuda_stream stream) {
    const fft_id_problem *problem = &plan->plan.problem;
    const bool reals = fft_id_pairs(problem), back = problem->direction == FFT_ID_INVERSE;
    unsigned left = fft_id_passes(&plan->plan);
    const void *from = reals && back ? out : in;
    cudaError_t e = reals && back ? LaunchHalves(plan, in, out, stream) : cudaSuccess;
    EachPass(plan, (const char *)tables, [&](const MixedWork &work) {
        MixedJob job = work.job;
        job.in = from;
        job.out = PassOutput(left--, out, workspace);
        from = job.out;
        if (e == cudaSuccess) {
            e = LaunchEarly(MixedPassKernelOf(OfDoubles(problem), work.most), (unsigned)work.blocks,
                            work.threads, work.shared_bytes, stream, job);
        }
        return e == cudaSuccess;
    });
    if (e == cudaSuccess && reals && !back) {
        e = LaunchHalves(plan, in, out, stream);
    }
    return e == cudaSuccess ? RESULT_OK : RESULT_DEVICE_ERROR;
}
