// decimal_tiled_test.c: the benchmark's tiled products have the coefficients of schoolbook ones.
#include <stdlib.h>

#include "bench/fft/decimal_tiled.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// check: a batch of products of n digits, the first one of nines, the others at random.
static void check(uint64_t n, uint64_t batch, unsigned lg_tile, unsigned each) {
    SCOPED_TRACE("%d digits, %d products, tiles of 2^%u, %u each", (int)n, (int)batch, lg_tile,
                 each);
    const size_t digits = n * batch, bytes = 2 * digits * sizeof(int32_t);
    gen g = gen_seed(n + lg_tile);
    uint8_t *const a = malloc(2 * digits), *const b = a + digits;
    for (size_t i = 0; i < 2 * digits; i++) {
        a[i] = i % digits < n ? 9 : (uint8_t)gen_below(&g, 10);
    }
    int32_t *const c = malloc(bytes), *const want = calloc(2 * digits, sizeof *want);
    for (size_t p = 0; p < batch; p++) {
        for (size_t i = 0; i < n * n; i++) {
            want[2 * p * n + i / n + i % n] += a[p * n + i / n] * b[p * n + i % n];
        }
    }
    uint8_t *const there = device_alloc(2 * digits);
    decimal_tiled_job job = {there, there + digits, device_alloc(bytes), n, batch, lg_tile, each};
    EXPECT_TRUE(device_upload(there, a, 2 * digits) && device_fill(job.c, 0xA5, bytes));
    EXPECT_TRUE(decimal_tiled_enqueue(&job, NULL));
    EXPECT_TRUE(device_download(c, job.c, bytes));
    size_t wrong = 0;
    for (size_t i = 0; i < 2 * digits; i++) {
        wrong += c[i] != want[i];
    }
    EXPECT_EQ(wrong, (size_t)0);
    job.n++;
    EXPECT_FALSE(decimal_tiled_enqueue(&job, NULL));
    device_free(there), device_free(job.c);
    free(a), free(c), free(want);
}

// Every tile, one and several of a factor, one and several pairs for a warp. Catches a column put
// elsewhere, a diagonal that ends too early or too late, sums that go from one pair to another
// warp's or stay from the last call, digits of another product.
TEST(DecimalTiled, IsSchoolbook) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned lg = DECIMAL_TILED_LG_LEAST; lg <= DECIMAL_TILED_LG_MOST; lg++) {
        const bool few = device_emulated() && lg > DECIMAL_TILED_LG_LEAST + 1;
        check(UINT64_C(1) << lg, 3, lg, 0);
        check(UINT64_C(2) << lg, 1, lg, 2);
        for (unsigned each = 0; each <= 5 && !few; each++) {
            check(UINT64_C(5) << lg, 2, lg, each);
        }
    }
}
