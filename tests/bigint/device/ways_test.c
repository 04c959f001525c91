// ways_test.c: which way a product on a device goes, against the table of measured ways; on
// a device, or under the kernel emulation.

#include <stdio.h>
#include <string.h>

#include "bigint/core/context.h"
#include "bigint/device/plan.h"
#include "bigint/device/ways.h"
#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { CLUSTERS = sizeof device_clusters / sizeof *device_clusters };
enum { ENGINES = sizeof device_engines / sizeof *device_engines };

static device_plan plan_of(bigint_ctx *ctx, uint64_t an, uint64_t bn) {
    device_plan plan;
    EXPECT_EQ(device_plan_make(ctx, "test", &plan, an, bn, false, false), BIGINT_OK);
    return plan;
}

// explain: whether the plan's line says that its engine was measured.
static bool explained_by_table(bigint_ctx *ctx, uint64_t n) {
    char line[300] = "";
    EXPECT_EQ(bigint_explain(ctx, line, sizeof line, NULL, n, n), BIGINT_OK);
    return strstr(line, "; as measured on " DEVICE_WAYS_OF) != NULL;
}

// Each row's longest factors, and one limb more, which are the next row's. Mutations: a row that
// begins a limb late, the shorter factor's row, the table's engine where one is asked for by name.
TEST(DeviceWays, EnginesAreTheTables) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(NULL);
    bigint_ctx *named = fixture_ctx(&(bigint_ctx_options){.engine = "real-fft"});
    EXPECT_EQ(device_engines[ENGINES - 1].limbs, UINT64_MAX);
    for (int i = 0; i < ENGINES; i++) {
        const uint64_t most = i + 1 < ENGINES ? device_engines[i].limbs : 100000;
        const uint64_t least = i == 0 ? 1 : device_engines[i - 1].limbs + 1;
        EXPECT_TRUE(least <= most);
        EXPECT_EQ(plan_of(ctx, most, 1).engine, device_engines[i].engine);
        EXPECT_EQ(plan_of(ctx, 1, least).engine, device_engines[i].engine);
        EXPECT_EQ(plan_of(named, most, most).engine, ENGINE_REAL_FFT);
        EXPECT_TRUE(explained_by_table(ctx, most) && !explained_by_table(named, most));
    }
    bigint_ctx_destroy(ctx), bigint_ctx_destroy(named);
}

// expect_blocks: modular products of n by n limbs, and of shorter by longer ones, take one launch
// of a cluster of up to `blocks` blocks, or several launches.
static void expect_blocks(bigint_ctx *ctx, uint64_t n, unsigned blocks) {
    const unsigned most = blocks < ctx->queue.cluster ? blocks : ctx->queue.cluster;
    for (uint64_t less = 0; less < 2 && less < n; less++) {
        SCOPED_TRACE("%llu limbs, %llu less, %u blocks", (unsigned long long)n,
                     (unsigned long long)less, most);
        const device_plan plan = plan_of(ctx, n - less, n + less);
        EXPECT_EQ(fft_modular_whole(&plan.modular), most >= 3);
        EXPECT_TRUE(most < 3 || plan.modular.primes * plan.modular.pieces <= most);
    }
}

// Mutations: a cluster of one row more or less, the longer factor's row, more blocks than the
// device gives.
TEST(DeviceWays, ClustersAreTheTables) {
    if (!device_ready()) {
        SKIP("no device");
    }
    bigint_ctx *ctx = fixture_ctx(&(bigint_ctx_options){.engine = "modular-fft"});
    const unsigned given = ctx->queue.cluster;
    for (unsigned cluster = 0; cluster <= given; cluster += given > 0 ? given : 1) {
        ctx->queue.cluster = cluster;
        EXPECT_EQ(device_clusters[CLUSTERS - 1].limbs, UINT64_MAX);
        for (int i = 0; i < CLUSTERS; i++) {
            if (i + 1 < CLUSTERS) {
                expect_blocks(ctx, device_clusters[i].limbs, device_clusters[i].blocks);
                expect_blocks(ctx, device_clusters[i].limbs + 1, device_clusters[i + 1].blocks);
            }
        }
    }
    bigint_ctx_destroy(ctx);
}

// made: what device_plan_make gives, as a line of `cap` bytes, or its refusal.
static void made(bigint_ctx *ctx, uint64_t an, uint64_t bn, bool square, char *line, size_t cap) {
    device_plan plan;
    if (device_plan_make(ctx, "test", &plan, an, bn, square, false) != BIGINT_OK) {
        snprintf(line, cap, "%s", bigint_ctx_error(ctx));
        return;
    }
    const int n = device_plan_print(ctx, &plan, line, cap);
    snprintf(line + n, cap - (size_t)n, "; %llu, %llu and %llu bytes, %u branches",
             (unsigned long long)plan.workspace_bytes, (unsigned long long)plan.words_bytes,
             (unsigned long long)plan.tables_bytes, plan.branches);
}

// The plans that a context keeps are the ones that a new context makes, whatever changes between
// two products: lengths, either alone, the number of primes, branches, the cap, engine, clusters.
// Mutations: one of the numbers of the key left out; whole plans kept, with their cap.
TEST(DeviceWays, KeptPlansAreNew) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { LENGTHS = 6, CHANGES = 6 };
    static const uint64_t lengths[LENGTHS][2] = {{70000, 70000},     {70000, 60000},
                                                 {69000, 60000},     {1 << 21, 1 << 21},
                                                 {1 << 21, 1 << 20}, {9 << 18, 9 << 18}};
    bigint_ctx *const ctx = fixture_ctx(NULL);
    const bool clusters = ctx->queue.clusters;
    for (unsigned turn = 0; turn < 3 * CHANGES; turn++) {
        for (unsigned i = 0; i < LENGTHS; i++) {
            SCOPED_TRACE("change %u, lengths %u", turn % CHANGES, i);
            bigint_ctx *const fresh = fixture_ctx(NULL);
            bigint_ctx *const both[] = {ctx, fresh};
            char line[2][1000];
            for (unsigned k = 0; k < 2; k++) {
                const unsigned change = turn % CHANGES;
                both[k]->queue.forced.primes = change == 1 ? 4 : 0;
                both[k]->queue.forced.branches = change == 2 ? 2 : 0;
                both[k]->options.max_workspace_bytes = change == 3 ? 6 << 20 : 0;
                both[k]->engine = change == 4 ? ENGINE_REAL_FFT : ENGINE_AUTO;
                both[k]->queue.clusters = change == 5 ? !clusters : clusters;
                made(both[k], lengths[i][0], lengths[i][1], turn % 2 == 1, line[k], sizeof *line);
            }
            EXPECT_TRUE(strcmp(line[0], line[1]) == 0);
            bigint_ctx_destroy(fresh);
        }
    }
    bigint_ctx_destroy(ctx);
}
