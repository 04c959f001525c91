// plan.cc: plans and names of sort.h. Uses no part of the C++ library that has to be linked.
#include <cstdio>

#include "primitives/sort/order.h"
#include "primitives/sort/shape.h"

namespace {

constexpr uint64_t kMaxSize = UINT64_C(1) << 34, kMaxRows = UINT64_C(1) << 31;
constexpr unsigned kBitonicTile = 2048;

bool Valid(const sort_job &job) { return job.rows < kMaxRows && SortJobValid(job, kMaxSize); }

unsigned ItemBytes(const sort_job &job) { return SortKeyBytes(job.key) + job.value_bytes; }

// Bytes that a sweep over the job reads and writes.
uint64_t Sweep(const sort_job &job) { return 2 * SortSize(job) * ItemBytes(job); }

// A tile of at most `largest` for rows of n elements, and no more than they need.
unsigned TileFor(uint64_t n, unsigned least, unsigned largest) {
    return n >= largest ? largest : 1u << SortLog(n < least ? least : n);
}

void PlanBitonic(const sort_job &job, sort_plan *plan) {
    const unsigned log_row = SortLog(job.n), log_tile = SortLog(kBitonicTile);
    const unsigned q = log_row > log_tile ? log_row - log_tile : 0;
    plan->tile = q > 0 ? kBitonicTile : 1u << log_row;
    plan->passes = q;
    plan->launches = 1 + q * (q + 3) / 2;
}

void PlanComb(const sort_job &job, sort_plan *plan) {
    plan->tile = TileFor(job.n, SortItemsFor(ItemBytes(job)), 1u << 31);
    plan->launches = 1;
}

SortMergeShape MergeShapeFor(const sort_job &job) {
    if (job.ragged) {
        return kSortRaggedShape;
    }
    const SortMergeLine *line = kSortMergeLines;
    while (ItemBytes(job) > line->bytes || SortLog(SortSize(job)) > line->log_size) {
        line++;
    }
    return line->shape;
}

// As few passes as there can be, and no more ways than they need.
void PlanMultiwayMerge(const sort_job &job, SortMergeShape shape, sort_plan *plan) {
    const unsigned wide = SortWideBytes(SortKeyBytes(job.key), job.ragged) + job.value_bytes;
    const unsigned items = SortItemsFor(wide);
    plan->threads = shape.threads;
    // Segments are marked by full warps.
    plan->tile = TileFor(job.n, job.ragged ? 32 * items : items, items * shape.threads);
    const uint64_t tiles_of_row = SortCeil(job.n, plan->tile);
    const unsigned levels = SortLog(tiles_of_row);
    plan->passes = (unsigned)SortCeil(levels, shape.log_ways);
    plan->log_ways = plan->passes == 0 ? 0 : (unsigned)SortCeil(levels, plan->passes);
    const bool apart = SortCutsApart(plan->log_ways, job.ragged);
    plan->launches = 1 + (apart ? 2 : 1) * plan->passes;
    if (plan->passes > 0) {
        const uint64_t tiles = tiles_of_row * (job.ragged ? 1 : job.rows);
        plan->log_probes = SortLogProbes(tiles, plan->log_ways);
        plan->workspace_bytes = (apart ? SortAligned(tiles * 8 << plan->log_ways) : 0) +
                                SortAligned(SortSize(job) * SortKeyBytes(job.key)) +
                                SortSize(job) * job.value_bytes;
    }
}

void PlanRadix(const sort_job &job, sort_plan *plan) {
    const RadixShape shape = RadixShapeFor(SortKeyBytes(job.key), job.value_bytes);
    plan->tile = shape.threads * shape.items;
    plan->passes = SortKeyBytes(job.key);
    plan->launches = 2 + plan->passes;
    plan->workspace_bytes = kRadixCounterBytes + SortCeil(job.n, plan->tile) * kRadix * 8 +
                            SortAligned(job.n * SortKeyBytes(job.key)) + job.n * job.value_bytes;
}

}  // namespace

const char *sort_variant_name(sort_variant v) {
    static const char *const names[SORT_VARIANTS] = {"bitonic", "comb", "multiway-merge", "radix"};
    return (unsigned)v < SORT_VARIANTS ? names[v] : "unknown";
}

uint64_t sort_comb_limit(sort_key key, unsigned value_bytes) {
    const unsigned bytes = SortKeyBytes(key) + value_bytes;
    return SortItemsFor(bytes) * SortMaxThreads(bytes);
}

sort_variant sort_choose(const sort_job *job) {
    if (!Valid(*job)) {
        return SORT_VARIANTS;
    }
    if (!job->ragged && job->n <= sort_comb_limit(job->key, job->value_bytes)) {
        return SORT_COMB;
    }
    if (!job->ragged && job->rows <= 1 && job->n < kRadixMaxSize) {
        return SORT_RADIX;
    }
    return job->n < kSortMergeMaxRow ? SORT_MULTIWAY_MERGE
           : job->ragged             ? SORT_VARIANTS
                                     : SORT_BITONIC;
}

bool sort_plan_merge(const sort_job *job, unsigned threads, unsigned log_ways, sort_plan *plan) {
    const SortMergeShape shape = {threads, log_ways};
    if (!Valid(*job) || job->n >= kSortMergeMaxRow || !SortMergeShapeValid(shape) ||
        (job->ragged && threads != kSortRaggedShape.threads)) {
        return false;
    }
    *plan = sort_plan();
    plan->variant = SORT_MULTIWAY_MERGE;
    PlanMultiwayMerge(*job, shape, plan);
    plan->traffic = (1 + plan->passes) * Sweep(*job);
    return true;
}

bool sort_plan_make(const sort_job *job, sort_variant v, sort_plan *plan) {
    if (!Valid(*job) || (unsigned)v >= SORT_VARIANTS || (job->ragged && v != SORT_MULTIWAY_MERGE) ||
        (v == SORT_COMB && job->n > sort_comb_limit(job->key, job->value_bytes)) ||
        (v == SORT_RADIX && (job->rows > 1 || job->n >= kRadixMaxSize))) {
        return false;
    }
    if (v == SORT_MULTIWAY_MERGE) {
        const SortMergeShape shape = MergeShapeFor(*job);
        return sort_plan_merge(job, shape.threads, shape.log_ways, plan);
    }
    *plan = sort_plan();
    plan->variant = v;
    (v == SORT_BITONIC ? PlanBitonic : v == SORT_COMB ? PlanComb : PlanRadix)(*job, plan);
    plan->traffic = v == SORT_RADIX ? plan->passes * Sweep(*job) + job->n * SortKeyBytes(job->key)
                                    : plan->launches * Sweep(*job);
    return true;
}

void sort_plan_text(const sort_plan *plan, char *text, size_t cap) {
    snprintf(text, cap, "%s: tile %u, ways %u, passes %u, launches %u, traffic %llu, workspace %zu",
             sort_variant_name(plan->variant), plan->tile, 1u << plan->log_ways, plan->passes,
             plan->launches, (unsigned long long)plan->traffic, plan->workspace_bytes);
}
