// sort_device_test.c: sorts on a device, or under the kernel emulation, against qsort.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "primitives/sort/sort.h"
#include "tests/ctest/ctest.h"
#include "tests/primitives/sort/fixture.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Sorts a job by a plan on the device and judges it. in_place: the outputs are the inputs.
static void check_plan(const sort_job *job, const sort_plan *plan, sort_pattern pattern,
                       bool in_place, uint64_t seed) {
    const sort_variant v = plan->variant;
    char text[200];
    sort_plan_text(plan, text, sizeof text);
    SCOPED_TRACE("%s; %s + %u, %s, n %zu, rows %zu%s%s, seed %zu", text, sort_key_name(job->key),
                 job->value_bytes, sort_pattern_name(pattern), (size_t)job->n, (size_t)job->rows,
                 job->ragged ? ", ragged" : "", in_place ? ", in place" : "", (size_t)seed);
    const size_t size = (size_t)(job->ragged ? job->n : job->n * job->rows);
    const size_t key_bytes = size * sort_key_bytes(job->key), value_bytes = size * job->value_bytes;
    gen g = gen_seed(seed);
    char *keys = malloc(key_bytes + 1), *got = malloc(key_bytes + 1);
    char *values = malloc(value_bytes + 1);
    uint64_t *offsets = malloc(8 * (job->rows + 1));
    sort_fill(&g, pattern, job->key, keys, size);
    sort_number(values, job->value_bytes, size);
    sort_cut(&g, offsets, (size_t)job->rows, size);
    char *in = device_alloc(key_bytes + 8), *values_in = device_alloc(value_bytes + 8);
    char *out = in_place ? in : device_alloc(key_bytes + 8);
    char *values_out = in_place ? values_in : device_alloc(value_bytes + 8);
    char *workspace = device_alloc(plan->workspace_bytes + 8);
    uint64_t *cuts = device_alloc(8 * (job->rows + 1));
    // Sorts take any workspace, and never more than the plan says.
    EXPECT_TRUE(device_fill(workspace, (int)seed, plan->workspace_bytes + 8));
    EXPECT_TRUE(device_upload(in, keys, key_bytes) &&
                device_upload(values_in, values, value_bytes));
    EXPECT_TRUE(device_upload(cuts, offsets, 8 * (job->rows + 1)));
    const sort_arrays arrays = {in, out, values_in, values_out, cuts};
    EXPECT_EQ(sort_device(job, plan, &arrays, workspace, plan->workspace_bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, out, key_bytes));
    EXPECT_TRUE(device_download(values, values_out, value_bytes));
    EXPECT_EQ(sort_first_wrong(job, v == SORT_RADIX, keys, got, values, offsets), SIZE_MAX);
    char guard[8];
    EXPECT_TRUE(device_download(guard, workspace + plan->workspace_bytes, 8));
    for (size_t i = 0; i < 8; i++) {
        EXPECT_EQ((unsigned)(unsigned char)guard[i], (unsigned)(seed & 0xFF));
    }
    device_free(in);
    device_free(values_in);
    if (!in_place) {
        device_free(out);
        device_free(values_out);
    }
    device_free(workspace);
    device_free(cuts);
    free(keys), free(got), free(values), free(offsets);
}

static void check(const sort_job *job, sort_variant v, sort_pattern pattern, bool in_place,
                  uint64_t seed) {
    sort_plan plan;
    ASSERT_TRUE(sort_plan_make(job, v, &plan));
    check_plan(job, &plan, pattern, in_place, seed);
}

static size_t longest(sort_variant v, sort_key key, unsigned value_bytes) {
    return v == SORT_COMB ? (size_t)sort_comb_limit(key, value_bytes) : SIZE_MAX;
}

// Catches a wrong map of a kind of keys (a sign bit left, NaNs or -0 out of place), values that
// leave their key, an order of radix passes or of values that is not stable, and equal keys counted
// twice where runs are parted. Every variant, kind, size of values and pattern.
TEST(SortDevice, EveryVariantKindAndPattern) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned v = 0; v < SORT_VARIANTS; v++) {
        for (unsigned key = 0; key < SORT_KEYS; key++) {
            for (unsigned value = 0; value <= 8; value += 4) {
                // Under emulation each with one pattern, others on a device.
                const unsigned turn = (v + key + value / 4) % SORT_PATTERNS;
                for (unsigned i = 0; i < (device_emulated() ? 1 : SORT_PATTERNS); i++) {
                    const unsigned p = (turn + i) % SORT_PATTERNS;
                    const size_t n = v == SORT_COMB ? 700 : 9300 + 100 * p;
                    const sort_job job = {
                        .key = (sort_key)key, .value_bytes = value, .n = n, .rows = 1};
                    check(&job, (sort_variant)v, (sort_pattern)p, p % 3 == 0, 10 * v + p);
                }
            }
        }
    }
}

// Catches a bound off by one at a row's, a warp's, a tile's or a run's end, items that stand for
// none and displace real ones, and rows that mix.
TEST(SortDevice, RowsOfEveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const size_t lengths[] = {0,    1,    2,    3,    7,    15,   16,   17,    31,   32,
                                     33,   63,   64,   65,   100,  127,  128,  129,   255,  256,
                                     257,  511,  512,  513,  777,  999,  1024, 1025,  2047, 2048,
                                     2049, 4095, 4096, 4097, 5000, 8192, 8193, 16384, 17000};
    static const unsigned value_bytes[] = {0, 4, 8};
    for (unsigned v = 0; v < SORT_RADIX; v++) {
        for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
            const size_t n = lengths[i];
            const sort_key key = i % 2 ? SORT_F64 : SORT_U32;
            const unsigned value = value_bytes[(i + v) % 3];
            const sort_job job = {
                .key = key, .value_bytes = value, .n = n, .rows = n == 0 ? 5 : 600 / n + 2};
            if (n <= longest((sort_variant)v, key, value)) {
                check(&job, (sort_variant)v, i % 3 ? SORT_RANDOM : SORT_SPECIAL, i % 5 == 0, i);
            }
        }
    }
}

// Catches segments that mix, an empty one that shifts its neighbours, a segment that goes over
// several tiles or runs, and tiles that begin within one.
TEST(SortDevice, RaggedSegments) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        size_t n, rows;
    } cases[] = {{0, 0},     {0, 7},         {1, 1},    {100, 1},   {5000, 3},   {20000, 1},
                 {20000, 9}, {20000, 40000}, {8192, 2}, {40000, 6}, {40000, 300}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned value = 0; value <= 8; value += 4) {
            const sort_job job = {.key = (i + value / 4) % 2 ? SORT_I64 : SORT_F32,
                                  .value_bytes = value,
                                  .n = cases[i].n,
                                  .rows = cases[i].rows,
                                  .ragged = true};
            check(&job, SORT_MULTIWAY_MERGE, i % 2 ? SORT_RANDOM : SORT_FEW, i % 3 == 0, 7 * i);
        }
    }
}

// Catches a missing barrier, a look-back that takes a word for another's, and counts that a tile
// publishes before they are whole: all depend on who runs first.
TEST(SortDevice, EveryOrderOfThreadsAndBlocks) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t seed = 1; seed <= 2; seed++) {
        for (unsigned v = 0; v < SORT_VARIANTS; v++) {
            device_order(seed);
            const sort_job job = {.key = SORT_U32,
                                  .value_bytes = seed % 2 ? 0 : 4,
                                  .n = v == SORT_COMB    ? 2000
                                       : v == SORT_RADIX ? 21000
                                                         : 9000,
                                  .rows = 1};
            check(&job, (sort_variant)v, SORT_RANDOM, false, seed);
        }
    }
    device_order(0);
}

// Catches errors in several passes of merges (an odd and an even number of them, in place too), and
// in merges of fewer ways than the most.
TEST(SortDevice, SeveralPassesOfMerges) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const size_t n = device_emulated() ? 80000 : 1000000;
    for (unsigned i = 0; i < 4; i++) {
        const sort_job job = {
            .key = i % 2 ? SORT_F64 : SORT_U32, .value_bytes = i / 2 * 8, .n = n, .rows = 1};
        check(&job, SORT_MULTIWAY_MERGE, SORT_RANDOM, i % 2 == 0, i);
    }
}

// Catches a cut that is off by one or takes equal keys of another run, in a block's own search (2
// ways) and in the launch of its own, by one lane for each run and by all of a warp; and a plan's
// shape that the kernels do not follow.
TEST(SortDevice, MergesOfEveryShape) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const sort_pattern patterns[] = {SORT_RANDOM, SORT_FEW, SORT_EQUAL, SORT_REVERSED};
    for (unsigned i = 0; i < 6; i++) {  // by 2, 4 or 8 ways and 256 or 512 threads
        const unsigned log_ways = 1 + i % 3, threads = 256 << i / 3;
        for (unsigned k = 0; k < 4; k++) {
            const size_t tile = threads * (k == 0 ? 16 : 8), rows = k == 3 ? 2 : 1;
            const sort_job job = {.key = k % 2 ? SORT_I64 : SORT_U32,
                                  .value_bytes = k == 0 ? 0 : 8,
                                  .n = (tile << log_ways) / rows + (k % 2 ? 37 : tile),
                                  .rows = rows};
            sort_plan plan;
            ASSERT_TRUE(sort_plan_merge(&job, threads, log_ways, &plan));
            EXPECT_EQ(plan.tile, tile);
            EXPECT_TRUE(plan.log_ways >= 1 && plan.log_ways <= log_ways);
            plan.log_probes = k < 2 ? 5 - plan.log_ways : 0;
            check_plan(&job, &plan, patterns[(i + k) % 4], k == 2, i);
        }
    }
}

// Catches what only many tiles show: status words of tiles far apart, positions beyond 2^16 tiles,
// and, on a device, 2^28 keys in the order of the plan that is chosen.
TEST(SortDevice, ManyKeys) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const bool small = device_emulated() || getenv("LONGMUL_SMALL") != NULL;
    const size_t n = (size_t)1 << (small ? 16 : 28);
    uint32_t *keys = malloc(4 * n);
    uint32_t *in = device_alloc(4 * n), *out = device_alloc(4 * n);
    ASSERT_TRUE(device_random(MONOID_SUM_U32, in, n, 5) && device_download(keys, in, 4 * n));
    uint64_t sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        sum += keys[i], squares += (uint64_t)keys[i] * keys[i];
    }
    for (unsigned v = SORT_MULTIWAY_MERGE; v <= SORT_RADIX; v++) {
        SCOPED_TRACE("%s", sort_variant_name((sort_variant)v));
        const sort_job job = {.key = SORT_U32, .n = n, .rows = 1};
        sort_plan plan;
        ASSERT_TRUE(sort_plan_make(&job, (sort_variant)v, &plan));
        char *workspace = device_alloc(plan.workspace_bytes);
        const sort_arrays arrays = {.keys_in = in, .keys_out = out};
        EXPECT_EQ(sort_device(&job, &plan, &arrays, workspace, plan.workspace_bytes, NULL),
                  RESULT_OK);
        ASSERT_TRUE(device_download(keys, out, 4 * n));
        uint64_t sorted_sum = keys[0], sorted_squares = (uint64_t)keys[0] * keys[0];
        size_t falls = 0;
        for (size_t i = 1; i < n; i++) {
            falls += keys[i] < keys[i - 1];
            sorted_sum += keys[i], sorted_squares += (uint64_t)keys[i] * keys[i];
        }
        EXPECT_EQ(falls, 0);
        EXPECT_EQ(sorted_sum, sum);
        EXPECT_EQ(sorted_squares, squares);
        device_free(workspace);
    }
    device_free(in);
    device_free(out);
    free(keys);
}

// Catches a variant let in where it is not valid, a plan that is not the job's, and too little
// memory taken on.
TEST(SortDevice, RefusesWhatItCannotDo) {
    if (!device_ready()) {
        SKIP("no device");
    }
    sort_plan plan;
    sort_job job = {.key = SORT_U32, .n = 100000, .rows = 1};
    const sort_arrays none = {0};
    EXPECT_FALSE(sort_plan_make(&job, SORT_COMB, &plan));
    ASSERT_TRUE(sort_plan_make(&job, SORT_RADIX, &plan));
    EXPECT_EQ(sort_device(&job, &plan, &none, NULL, plan.workspace_bytes - 1, NULL),
              RESULT_REFUSED);
    job.n = 200000;
    EXPECT_EQ(sort_device(&job, &plan, &none, NULL, SIZE_MAX, NULL), RESULT_REFUSED);
    EXPECT_FALSE(sort_plan_merge(&job, 512, 0, &plan) || sort_plan_merge(&job, 512, 4, &plan) ||
                 sort_plan_merge(&job, 128, 1, &plan));
    ASSERT_TRUE(sort_plan_merge(&job, 512, 2, &plan));
    plan.log_probes = 4;
    EXPECT_EQ(sort_device(&job, &plan, &none, NULL, SIZE_MAX, NULL), RESULT_REFUSED);
    plan.log_probes = 3, plan.threads = 256;
    EXPECT_EQ(sort_device(&job, &plan, &none, NULL, SIZE_MAX, NULL), RESULT_REFUSED);
    job.n = UINT64_C(1) << 30;
    EXPECT_FALSE(sort_plan_make(&job, SORT_RADIX, &plan));
    EXPECT_EQ(sort_choose(&job), SORT_MULTIWAY_MERGE);
    job.rows = UINT64_C(1) << 40;
    EXPECT_EQ(sort_choose(&job), SORT_VARIANTS);
    job = (sort_job){.key = SORT_U32, .n = 10, .rows = 2, .ragged = true};
    EXPECT_FALSE(sort_plan_make(&job, SORT_COMB, &plan));
    EXPECT_TRUE(sort_plan_make(&job, SORT_MULTIWAY_MERGE, &plan));
    job = (sort_job){.key = SORT_KEYS, .n = 1, .rows = 1};
    EXPECT_EQ(sort_choose(&job), SORT_VARIANTS);
    job = (sort_job){.key = SORT_U32, .value_bytes = 5, .n = 1, .rows = 1};
    EXPECT_EQ(sort_choose(&job), SORT_VARIANTS);
}
