// plan.c: the plans of tridiagonal.h, their names and their memory.
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "primitives/tridiagonal/levels.h"
#include "primitives/tridiagonal/tridiagonal.h"

enum {
    COUNTERS_BYTES = 64 << 10,  // kTridiagonalCounters of kernels.cuh
    MAX_CLUSTER = 8,
    MAX_GRID = 128,
    JOINT_VALUES = 11,
    KEPT_LANES = 32,   // kWarp
    KEPT_GROUP = 256,  // kGroup
};
static const uint64_t max_rows = UINT64_C(1) << 34;

const char *tridiagonal_variant_name(tridiagonal_variant v) {
    static const char *const names[TRIDIAGONAL_VARIANTS] = {
        [TRIDIAGONAL_PARTITION_PIVOT] = "partition-pivot",
        [TRIDIAGONAL_PARTITION_PLAIN] = "partition-pivot-plain",
        [TRIDIAGONAL_THOMAS] = "thomas",
        [TRIDIAGONAL_CYCLIC] = "cyclic-reduction",
        [TRIDIAGONAL_PARALLEL_CYCLIC] = "parallel-cyclic-reduction",
        [TRIDIAGONAL_RR_KOGGE_STONE] = "redundant-kogge-stone",
        [TRIDIAGONAL_RR_LADNER] = "redundant-ladner-fischer",
        [TRIDIAGONAL_WANG_MOU] = "wang-mou",
        [TRIDIAGONAL_TREE] = "tree-partitioning",
        [TRIDIAGONAL_TREE_STABLE] = "tree-partitioning-stable"};
    return (unsigned)v < TRIDIAGONAL_VARIANTS ? names[v] : "unknown";
}

static size_t type_bytes(tridiagonal_type t) { return t == TRIDIAGONAL_F32 ? 4 : 8; }

static bool slices(tridiagonal_variant v) {
    return v == TRIDIAGONAL_TREE || v == TRIDIAGONAL_TREE_STABLE;
}

static bool partition(tridiagonal_variant v) {
    return v == TRIDIAGONAL_PARTITION_PIVOT || v == TRIDIAGONAL_PARTITION_PLAIN;
}

// Bytes of the numbers that a variant computes with: where its accuracy is decided.
static size_t number_bytes(const tridiagonal_plan *p) {
    return type_bytes(p->job.type) * (p->variant == TRIDIAGONAL_PARTITION_PIVOT ? 2 : 1);
}

// kTileRows of kept.cu.
static unsigned kept_rows(const tridiagonal_plan *p) { return number_bytes(p) == 16 ? 16 : 32; }

// Threads of partition's blocks: what the numbers take of registers.
static unsigned most_threads(const tridiagonal_plan *p) {
    return number_bytes(p) == 16 ? 256 : 512;
}

static bool power_of_two(uint64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static unsigned power_above(uint64_t n) {
    unsigned p = 1;
    while (p < n) {
        p *= 2;
    }
    return p;
}

static bool interleaved(const tridiagonal_job *job) { return job->row_stride > job->system_stride; }

// The longest system of a variant; 0: unknown.
static uint64_t longest(tridiagonal_variant v, tridiagonal_type t) {
    const uint64_t half = type_bytes(t) / 4;  // twice the bytes, half the rows
    switch (v) {
        case TRIDIAGONAL_PARTITION_PIVOT:
        case TRIDIAGONAL_PARTITION_PLAIN:
        case TRIDIAGONAL_THOMAS:
            return max_rows;
        case TRIDIAGONAL_CYCLIC:
            return (1 << 12) / half;
        case TRIDIAGONAL_PARALLEL_CYCLIC:
            return 1 << 10;
        case TRIDIAGONAL_RR_KOGGE_STONE:
        case TRIDIAGONAL_RR_LADNER:
            return (1 << 10) / half;
        case TRIDIAGONAL_WANG_MOU:
            return 1 << 19;
        case TRIDIAGONAL_TREE:
        case TRIDIAGONAL_TREE_STABLE:
            return 1 << 21;
        default:
            return 0;
    }
}

static void set_tiles(tridiagonal_plan *p, unsigned rows_each, unsigned lanes) {
    p->rows_each = rows_each;
    p->lanes = lanes;
    p->tiles = (p->job.n - 1) / (rows_each * lanes) + 1;
}

// Tries a shape whose tiles run together: false if there are too many. A system of a cluster is
// read once for any batch.
static bool plan_together(tridiagonal_plan *p, unsigned rows_each, unsigned lanes,
                          tridiagonal_together together) {
    const bool cluster = together == TRIDIAGONAL_CLUSTER;
    set_tiles(p, rows_each, lanes);
    if (p->tiles > (cluster ? MAX_CLUSTER : MAX_GRID) ||
        (!cluster && (p->job.batch > 1 || lanes > most_threads(p) / 2))) {
        return false;
    }
    p->tiles = cluster ? power_above(p->tiles) : p->tiles;
    p->together = together;
    return true;
}

// A system in tiles. Small blocks if latency counts, because their trees are low. Small blocks
// again if there are too many tiles to run together, because their warps wait least for each other.
static void plan_tiles(tridiagonal_plan *p, bool many) {
    const unsigned rows_each = p->rows_each;
    if ((!many && plan_together(p, rows_each, 128, TRIDIAGONAL_CLUSTER)) ||
        plan_together(p, rows_each, 256, TRIDIAGONAL_CLUSTER) ||
        plan_together(p, rows_each, 128, TRIDIAGONAL_GRID) ||
        plan_together(p, rows_each, 256, TRIDIAGONAL_GRID)) {
        return;
    }
    if (number_bytes(p) == 4 && plan_together(p, 16, 256, TRIDIAGONAL_GRID)) {
        return;
    }
    set_tiles(p, rows_each, 128);
}

// Whether systems keep their joints: if four launches were faster on an H200, by the bytes of b of
// one system and of all. Numbers of twice the digits fill the registers, so few threads can hold
// their rows there, and shared memory pays earlier.
static bool keeps_joints(const tridiagonal_plan *p) {
    const tridiagonal_job *job = &p->job;
    const uint64_t bytes = job->n * type_bytes(job->type), all = bytes * job->batch;
    if (job->row_stride != 1) {
        return false;
    }
    if (p->variant == TRIDIAGONAL_PARTITION_PLAIN) {
        return bytes >= 1 << 15 && all >= 1 << 22;
    }
    return bytes >= (all >= 1 << 24 ? 1 << 13 : 1 << 15) && all >= 1 << 21;
}

// Threads hold as many rows as registers allow, or 8 if there are so few rows that latency counts.
// A system belongs to one block or to several that run together, or is cut into tiles.
static void plan_partition(tridiagonal_plan *p) {
    const tridiagonal_job *job = &p->job;
    const bool f32 = job->type == TRIDIAGONAL_F32;
    const bool many = job->n * job->batch >= UINT64_C(1) << 20;
    p->tiles = 1;
    p->systems = 1;
    if (keeps_joints(p)) {
        set_tiles(p, kept_rows(p), KEPT_LANES);
        p->together = TRIDIAGONAL_KEPT;
        return;
    }
    p->rows_each = number_bytes(p) == 4 && many && job->n > 8 ? 16 : 8;
    const uint64_t most = (uint64_t)p->rows_each * most_threads(p);
    if (job->n > most || (job->n > most / 2 && job->batch < 64)) {
        plan_tiles(p, many);
        return;
    }
    p->lanes = power_above((job->n - 1) / p->rows_each + 1);
    // Blocks of at least four warps; interleaved, runs of 32 bytes.
    const unsigned run = interleaved(job) ? (f32 ? 8 : 4) : 1;
    while (p->systems * p->lanes < 128 ||
           (p->systems < run && p->systems * p->lanes < most_threads(p))) {
        p->systems *= 2;
    }
}

// Blocks of at least two warps.
static unsigned systems_for(unsigned lanes) { return lanes < 64 ? 64 / lanes : 1; }

// Slices of 128 rows, longer ones where there are more than 2048 of them; the stable form's are as
// long as shared memory holds.
static void plan_slices(tridiagonal_plan *p) {
    const unsigned most = (unsigned)(4096 / type_bytes(p->job.type));
    p->rows_each = 2;
    p->lanes = p->variant == TRIDIAGONAL_TREE_STABLE ? most
               : p->job.n <= 128 << 11               ? 64
                                                     : power_above((p->job.n - 1) / 4096 + 1);
    p->tiles = (p->job.n - 1) / (2 * p->lanes) + 1;
    p->systems = 1;
}

static void plan_algorithm(tridiagonal_plan *p) {
    const uint64_t n = p->job.n;
    p->tiles = 1;
    switch (p->variant) {
        case TRIDIAGONAL_PARTITION_PIVOT:
        case TRIDIAGONAL_PARTITION_PLAIN:
            plan_partition(p);
            return;
        case TRIDIAGONAL_THOMAS:
            p->rows_each = 1;
            p->lanes = 1;
            break;
        case TRIDIAGONAL_CYCLIC:  // a thread for each node of the first step, up to 1024
            p->lanes = power_above((n + 1) / 2) < 1024 ? power_above((n + 1) / 2) : 1024;
            p->rows_each = n > 2 * p->lanes ? 4 : 2;
            break;
        case TRIDIAGONAL_WANG_MOU:
            p->rows_each = 1;
            p->lanes = power_above(n) < 1024 ? power_above(n) : 1024;
            p->tiles = power_above((n - 1) / p->lanes + 1);
            break;
        case TRIDIAGONAL_TREE:
        case TRIDIAGONAL_TREE_STABLE:
            plan_slices(p);
            return;
        default:
            p->rows_each = 1;
            p->lanes = power_above(n);
            break;
    }
    p->systems = systems_for(p->lanes);
}

bool tridiagonal_make_plan(tridiagonal_plan *plan, const tridiagonal_job *job,
                           tridiagonal_variant variant) {
    if ((unsigned)job->type >= TRIDIAGONAL_TYPES || job->n > longest(variant, job->type) ||
        (job->n > 0 && job->batch > max_rows / job->n) || job->batch > max_rows ||
        job->row_stride == 0 || job->system_stride == 0) {
        return false;
    }
    tridiagonal_plan p = {*job, variant, 1, 1, 1, 1, TRIDIAGONAL_APART};
    if (job->n > 0 && job->batch > 0) {
        plan_algorithm(&p);
    }
    if (!tridiagonal_valid(&p)) {
        return false;
    }
    *plan = p;
    return true;
}

static bool valid_partition(const tridiagonal_plan *p) {
    const unsigned threads = p->lanes * p->systems;
    const bool kept = p->together == TRIDIAGONAL_KEPT;
    if ((kept ? p->rows_each != kept_rows(p) || p->lanes != KEPT_LANES
              : p->rows_each != 8 && (p->rows_each != 16 || number_bytes(p) != 4)) ||
        threads % 32 != 0 || threads > most_threads(p)) {
        return false;
    }
    switch (p->together) {
        case TRIDIAGONAL_CLUSTER:
            return p->tiles <= MAX_CLUSTER && power_of_two(p->tiles) && p->tiles > 1 &&
                   p->systems == 1;
        case TRIDIAGONAL_GRID:  // any device runs this many such blocks at once
            return p->tiles <= MAX_GRID && p->tiles > 1 && p->systems == 1 &&
                   p->lanes <= most_threads(p) / 2 && p->job.batch == 1;
        case TRIDIAGONAL_APART:
            return p->tiles == 1 || (p->lanes >= 128 && p->systems == 1);
        case TRIDIAGONAL_KEPT:
            return p->systems == 1 && p->job.row_stride == 1;
        default:
            return false;
    }
}

// Every variant but those of partition takes the shape that its plan has, apart from how many
// systems share a block.
static bool valid_shape(const tridiagonal_plan *p) {
    tridiagonal_plan own = *p;
    plan_algorithm(&own);
    const bool any = slices(p->variant);  // of any length up to 2^11 rows
    return p->rows_each == own.rows_each && p->together == TRIDIAGONAL_APART &&
           (p->lanes == own.lanes || any) && (p->tiles == own.tiles || any) &&
           p->lanes * p->systems <= 1024 && (p->tiles == 1 || p->systems == 1) &&
           (!any ||
            (p->lanes >= 32 && p->lanes <= 4096 / type_bytes(p->job.type) && p->tiles <= 2048));
}

bool tridiagonal_valid(const tridiagonal_plan *p) {
    const tridiagonal_job *job = &p->job;
    if ((unsigned)job->type >= TRIDIAGONAL_TYPES || job->n > longest(p->variant, job->type) ||
        (job->n > 0 && job->batch > max_rows / job->n) || job->row_stride == 0 ||
        job->system_stride == 0) {
        return false;
    }
    if (job->n == 0 || job->batch == 0) {
        return true;
    }
    if (!power_of_two(p->lanes) || p->lanes > 1024 || !power_of_two(p->systems) ||
        p->systems > 1024 || p->rows_each > 32 || p->tiles > max_rows) {
        return false;
    }
    // A thread of thomas has its system's rows one after the other.
    const uint64_t rows =
        p->variant == TRIDIAGONAL_THOMAS ? job->n : (uint64_t)p->rows_each * p->lanes;
    if (p->tiles == 0 || (p->tiles - 1) * rows >= 2 * job->n || p->tiles * rows < job->n ||
        p->tiles * job->batch >= UINT64_C(1) << 31) {
        return false;
    }
    return partition(p->variant) ? valid_partition(p) : valid_shape(p);
}

size_t tridiagonal_plan_text(const tridiagonal_plan *p, char *text, size_t cap) {
    static const char *const together[] = {"", " in a cluster", " in a grid", " with joints kept"};
    const int n = snprintf(
        text, cap,
        "%s %s n %" PRIu64 " batch %" PRIu64 " strides %" PRIu64 " %" PRIu64
        ": %u rows a thread, %u threads a system, %u systems a block, %" PRIu64 " tiles%s",
        tridiagonal_variant_name(p->variant), p->job.type == TRIDIAGONAL_F32 ? "f32" : "f64",
        p->job.n, p->job.batch, p->job.row_stride, p->job.system_stride, p->rows_each, p->lanes,
        p->systems, p->tiles, together[p->together]);
    return n > 0 ? (size_t)n : 0;
}

unsigned tridiagonal_log_group(const tridiagonal_plan *plan) {
    unsigned log = 5;
    while (1u << log < KEPT_GROUP && UINT64_C(1) << log < plan->tiles) {
        log++;
    }
    return log;
}

// Groups of a system's tiles where joints are kept.
static uint64_t groups_of(const tridiagonal_plan *p) {
    return ((p->tiles - 1) >> tridiagonal_log_group(p)) + 1;
}

tridiagonal_levels tridiagonal_levels_of(const tridiagonal_plan *plan) {
    tridiagonal_levels l = {0};
    const bool kept = plan->together == TRIDIAGONAL_KEPT;
    uint64_t spans = kept ? groups_of(plan) : plan->together == TRIDIAGONAL_APART ? plan->tiles : 1;
    const unsigned slots = kept ? KEPT_GROUP : plan->lanes;
    while (spans > 1) {
        assert(l.count < TRIDIAGONAL_LEVELS);  // 2^24 tiles at most, groups of at least 2^7
        tridiagonal_level *level = &l.level[l.count++];
        level->spans = spans;
        while (1u << level->log_slots < slots && UINT64_C(1) << level->log_slots < spans) {
            level->log_slots++;
        }
        level->groups = ((spans - 1) >> level->log_slots) + 1;
        level->values = l.values;
        level->counters = l.counters;
        l.values += (level->groups << level->log_slots) * JOINT_VALUES;
        l.counters += level->groups;
        spans = level->groups;
    }
    l.values += l.count > 0 || kept ? 2 : 0;
    return l;
}

// Of partition: the levels of the tree over tiles, and where joints are kept those of all
// tiles and lanes, and the tiles' borders.
static uint64_t partition_elements(const tridiagonal_plan *p) {
    const uint64_t levels = tridiagonal_levels_of(p).values;
    switch (p->together) {
        case TRIDIAGONAL_GRID:
            return 10 * p->tiles;
        case TRIDIAGONAL_KEPT:
            return (levels +
                    JOINT_VALUES *
                        ((groups_of(p) << tridiagonal_log_group(p)) + p->lanes * p->tiles) +
                    2 * (p->tiles + 1)) *
                   p->job.batch;
        default:
            return levels * p->job.batch;
    }
}

// Elements of the workspace behind the counters.
static uint64_t workspace_elements(const tridiagonal_plan *p) {
    const uint64_t rows = p->job.n * p->job.batch;
    switch (p->variant) {
        case TRIDIAGONAL_PARTITION_PIVOT:
        case TRIDIAGONAL_PARTITION_PLAIN:
            return partition_elements(p);
        case TRIDIAGONAL_THOMAS:
            return rows;
        case TRIDIAGONAL_WANG_MOU:
            return p->tiles > 1 ? 4 * p->tiles * p->lanes * p->job.batch : 0;
        case TRIDIAGONAL_TREE:
        case TRIDIAGONAL_TREE_STABLE:  // half of the rows, a row and an unknown for each slice
            return p->tiles * (4 * (uint64_t)p->lanes + 5) * p->job.batch;
        default:
            return 0;
    }
}

size_t tridiagonal_workspace_bytes(const tridiagonal_plan *p) {
    if (!tridiagonal_valid(p)) {
        return 0;
    }
    uint64_t counters = 0;
    if (partition(p->variant)) {
        counters = tridiagonal_levels_of(p).counters * p->job.batch * sizeof(uint32_t);
    }
    return (counters > COUNTERS_BYTES ? (counters + 7) / 8 * 8 : COUNTERS_BYTES) +
           workspace_elements(p) * number_bytes(p);
}
