// decimal_tiled_test.c: tiled products of digits have the coefficients of schoolbook ones, with
// atomics and without, on a device or under the kernel emulation.
#include <stdlib.h>

#include "bigint/device/decimal/tiled.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { RADIX = 100 };

// Rows of n digits: all of the first one's are the largest, the others' at random.
static uint8_t *digits(gen *g, uint64_t n, uint64_t rows) {
    uint8_t *const d = malloc(n * rows);
    for (size_t i = 0; i < n * rows; i++) {
        d[i] = i < n ? RADIX - 1 : (uint8_t)gen_below(g, RADIX);
    }
    return d;
}

static void check(decimal_tiled_job job) {
    SCOPED_TRACE("%d by %d digits, %d products, tiles of 2^%u, %s, %u each", (int)job.an,
                 (int)job.bn, (int)job.rows, job.lg_tile, job.atomics ? "atomics" : "diagonals",
                 job.each);
    const size_t an = job.an, bn = job.bn, all = an + bn, bytes = all * job.rows * sizeof *job.c;
    gen g = gen_seed(all + job.lg_tile);
    uint8_t *const a = digits(&g, an, job.rows), *const b = digits(&g, bn, job.rows);
    int32_t *const c = malloc(bytes), *const want = calloc(all * job.rows, sizeof *want);
    for (size_t p = 0; p < job.rows; p++) {
        for (size_t i = 0; i < an * bn; i++) {
            want[p * all + i / bn + i % bn] += a[p * an + i / bn] * b[p * bn + i % bn];
        }
    }
    uint8_t *const a_there = device_alloc(an * job.rows), *const b_there =
                                                              device_alloc(bn * job.rows);
    job.a = a_there, job.b = b_there, job.c = device_alloc(bytes);
    EXPECT_TRUE(device_upload(a_there, a, an * job.rows) &&
                device_upload(b_there, b, bn * job.rows) && device_fill(job.c, 0xA5, bytes));
    EXPECT_EQ(decimal_tiled(&job, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(c, job.c, bytes));
    size_t wrong = 0;
    for (size_t i = 0; i < all * job.rows; i++) {
        wrong += c[i] != want[i];
    }
    EXPECT_EQ(wrong, (size_t)0);
    device_free(a_there), device_free(b_there), device_free(job.c);
    free(a), free(b), free(c), free(want);
}

// Both ways with every tile, one and several of a factor, factors of different lengths, one and
// several pairs for a warp. Catches a column put elsewhere, a diagonal that ends too early or too
// late, sums that go from one pair to another warp's or stay from the last call, digits of another
// product, coefficients of the last diagonal that are added to what was there before.
TEST(DecimalTiled, IsSchoolbook) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned lg = DECIMAL_TILED_LG_LEAST; lg <= DECIMAL_TILED_LG_MOST; lg++) {
        const bool few = device_emulated() && lg > DECIMAL_TILED_LG_LEAST + 1;
        const uint64_t one = UINT64_C(1) << lg;
        for (int atomics = 0; atomics < 2; atomics++) {
            decimal_tiled_job job = {.lg_tile = lg, .atomics = atomics != 0, .each = 2 * !!atomics};
            job.an = one, job.bn = one, job.rows = 3, check(job);
            job.an = 2 * one, job.rows = 2, check(job);
            job.an = one, job.bn = 2 * one, check(job);
            job.an = 5 * one, job.bn = 5 * one;
            for (job.each = 0; job.each <= 5 * !!atomics && !few; job.each++) {
                check(job);
            }
            job.each = 0, job.bn = 3 * one;
            if (!few) {
                check(job);
            }
        }
    }
}

// Mutations: a factor that is no multiple of the tile, or empty, is taken; a tile that does not
// exist is looked up.
TEST(DecimalTiled, Refuses) {
    const decimal_tiled_job good = {.an = 256, .bn = 256, .rows = 0, .lg_tile = 8};
    EXPECT_EQ(decimal_tiled(&good, NULL), RESULT_OK);
    decimal_tiled_job bad = good;
    bad.an = 384;
    EXPECT_EQ(decimal_tiled(&bad, NULL), RESULT_REFUSED);
    bad = good, bad.bn = 0;
    EXPECT_EQ(decimal_tiled(&bad, NULL), RESULT_REFUSED);
    bad = good, bad.lg_tile = DECIMAL_TILED_LG_MOST + 1;
    EXPECT_EQ(decimal_tiled(&bad, NULL), RESULT_REFUSED);
    bad = good, bad.lg_tile = DECIMAL_TILED_LG_LEAST - 1;
    EXPECT_EQ(decimal_tiled(&bad, NULL), RESULT_REFUSED);
    bad = good, bad.rows = 1 << 16;
    EXPECT_EQ(decimal_tiled(&bad, NULL), RESULT_REFUSED);
}
