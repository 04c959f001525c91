// skeletons_test.c: the header of skeletons as users get it works in a program of two files.
#include <stdlib.h>

#include "tests/ctest/ctest.h"
#include "tests/install/skeletons_program.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Catches a file that the header was made without, a macro that ends too early, a function defined
// in both files, and a namespace that hides the user's operator.
TEST(InstalledSkeletons, ReduceAndScan) {
    if (!device_ready()) {
        SKIP("no device");
    }
    enum { N = 300000 };
    gen g = gen_seed(1);
    uint32_t *x = malloc(4 * N), *got = malloc(4 * N), largest = 0, place = 0;
    for (uint32_t i = 0; i < N; i++) {
        x[i] = (uint32_t)gen_below(&g, 1u << 31);
        if (x[i] > largest) {
            largest = x[i];
            place = i;
        }
    }
    const size_t bytes = skeletons_program_bytes(N);
    uint32_t *in = device_alloc(4 * N), *out = device_alloc(4 * N);
    void *workspace = device_alloc(bytes);
    ASSERT_TRUE(in != NULL && out != NULL && workspace != NULL);
    ASSERT_TRUE(device_fill(workspace, 0, bytes) && device_upload(in, x, 4 * N));
    EXPECT_EQ(skeletons_program_place(out, in, N, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, out, 16));
    EXPECT_EQ(got[0], largest);
    EXPECT_EQ(got[1], place);
    EXPECT_EQ(got[2], N);
    ASSERT_TRUE(device_fill(workspace, 0, bytes));
    EXPECT_EQ(skeletons_program_records(out, in, N, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, out, 4 * N));
    for (uint32_t i = 0, most = 0; i < N; i++) {
        most = x[i] > most ? x[i] : most;
        EXPECT_EQ(got[i], most);
    }
    device_free(in);
    device_free(out);
    device_free(workspace);
    free(x);
    free(got);
}
