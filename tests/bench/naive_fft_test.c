// naive_fft_test.c: the benchmark's slow transforms are transforms.
#include <stdlib.h>

#include "bench/fft/naive.h"
#include "bench/fft/truth.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"

enum { LG_MOST = 13, BATCH = 3, SEED = 5 };

// check: all forms of one length and type, their results within what radix 2 is proved to have with
// the worst of roundings (bench/fft/row.c).
static void check(const fft_truth *t, naive_fft_job job, void *roots) {
    const fft_truth_array x = {(void *)job.in, FFT_TRUTH_COMPLEX, job.single, false, job.lg, BATCH};
    const fft_truth_array y = {job.out, FFT_TRUTH_COMPLEX, job.single, false, job.lg, BATCH};
    const double unit = job.single ? 0x1p-24 : 0x1p-53;
    ASSERT_TRUE(fft_truth_random(&x, SEED) && fft_truth_make(t, &x, false));
    ASSERT_TRUE(naive_fft_roots(&job, roots, NULL));
    for (unsigned i = 0; i < NAIVE_FFTS; i++) {
        SCOPED_TRACE("%s of 2^%u, single %d", naive_ffts[i].name, job.lg, job.single);
        ASSERT_TRUE(device_fill(job.out, 0xA5, naive_fft_bytes(&job)));
        EXPECT_TRUE(naive_ffts[i].enqueue(&job, NULL));
        const double error = fft_truth_error(t, &y);
        EXPECT_TRUE(error >= 0 && error <= 4 * unit * (job.lg + 1));
        EXPECT_TRUE(naive_ffts[i].launches(job.lg) >= (job.lg + 3) / 4);
    }
    job.workspace_bytes--;
    EXPECT_FALSE(naive_ffts[NAIVE_FFTS - 1].enqueue(&job, NULL));
}

// Every length, so that first levels have 1 to 4 digits and the last one ends in either array.
// Catches an odd number of levels that ends in the wrong one, a root of another level or of the
// inverse, digits in another order, a problem that takes another's items.
TEST(NaiveFft, EveryFormTransforms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const size_t most = (size_t)(16 * BATCH) << LG_MOST;
    void *in = device_alloc(most), *out = device_alloc(most), *workspace = device_alloc(most);
    void *roots = device_alloc(most);
    const fft_truth t = {device_alloc(fft_truth_bytes(LG_MOST, BATCH)),
                         device_alloc(FFT_TRUTH_ROOTS_BYTES), device_alloc(FFT_TRUTH_SUMS_BYTES)};
    ASSERT_TRUE(in != NULL && out != NULL && workspace != NULL && roots != NULL);
    ASSERT_TRUE(t.items != NULL && t.roots != NULL && t.sums != NULL && fft_truth_roots(&t));
    for (unsigned lg = 1; lg <= (device_emulated() ? 9 : LG_MOST); lg++) {
        for (int single = 0; single < 2; single++) {
            naive_fft_job job = {.in = in,
                                 .roots = roots,
                                 .out = out,
                                 .workspace = workspace,
                                 .batch = BATCH,
                                 .lg = lg,
                                 .single = single};
            job.workspace_bytes = naive_fft_bytes(&job);
            check(&t, job, roots);
        }
    }
    device_free(in), device_free(out), device_free(workspace), device_free(roots);
    device_free(t.items), device_free(t.roots), device_free(t.sums);
}
