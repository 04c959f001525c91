// decimal_contender_test.c: decimal_text_bench's pipelines and its count of wrong digits, without
// the rival; on a device or under the kernel emulation.
#include "bench/decimal/contender.h"
#include "bench/decimal/texts.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

// Mutations: wrong digits of rows in between, or of the last one, are not counted, what a run did
// not write passes, the carry alone is of other coefficients, rows are mixed up.
TEST(DecimalContender, RunsAndCounts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (uint64_t rows = 1; rows <= 4; rows += 3) {
        texts t;
        contender c;
        const decimal_way proved = {.method = DECIMAL_REAL},
                          papers = {.method = DECIMAL_COMPLEX, .k = 1, .two_phase = true};
        texts_open(&t, 8, rows);
        contender_open(&c, &t, &proved, NULL);
        EXPECT_TRUE(c.plan.proved && contender_run(&c, NULL));
        texts_learn(&t);
        contender_close(&c);
        contender_open(&c, &t, &papers, NULL);
        for (int alone = 0; alone < 2; alone++) {
            texts_spoil(&t);
            EXPECT_EQ(texts_wrong(&t), 2 * t.n * rows);
            EXPECT_TRUE((alone ? contender_carry : contender_run)(&c, NULL));
            EXPECT_EQ(texts_wrong(&t), (uint64_t)0);
        }
        for (uint64_t row = 0; row < rows; row++) {
            EXPECT_TRUE(device_upload(t.out + row * 2 * t.n + 5, "x", 1));
            EXPECT_EQ(texts_wrong(&t), row + 1);
        }
        contender_close(&c);
        texts_close(&t);
    }
}

// Mutations: the rival transforms other memory than the library's, in another direction, or reals
// as complex numbers.
TEST(DecimalContender, RivalIsRight) {
    char why[256];
    cufft *const library = device_emulated() ? NULL : cufft_open(NULL, why, sizeof why);
    if (library == NULL) {
        SKIP("no device, or no cuFFT there");
    }
    texts t;
    texts_open(&t, 8, 3);
    const decimal_way ways[] = {{.method = DECIMAL_REAL},
                                {.method = DECIMAL_COMPLEX},
                                {.method = DECIMAL_REAL, .single = true, .k = 1},
                                {.method = DECIMAL_COMPLEX, .single = true, .k = 1}};
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        SCOPED_TRACE("way %u", i);
        contender c;
        contender_open(&c, &t, &ways[i], library);
        if (i == 0) {
            EXPECT_TRUE(contender_run(&c, NULL));
            texts_learn(&t);
        }
        texts_spoil(&t);
        EXPECT_TRUE(contender_cufft(&c, NULL));
        EXPECT_EQ(texts_wrong(&t), (uint64_t)0);
        contender_close(&c);
    }
    texts_close(&t);
    cufft_close(library);
}
