// Roots of unity have the same bits whether C computes them without or with an instruction for
// fma(), or a kernel does.
#include <stdlib.h>

#include "primitives/words/cpu.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/complex/root_bits.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { N = 1 << 12, BYTES = N * sizeof(fft_root_f64) };

static fft_root_f64 portable[N], fused[N], kernel[N];

// expect_same_bits: of N roots from `first` by C and by a kernel that writes to w.
static void expect_same_bits(fft_root_f64 *w, uint64_t first, uint64_t step, unsigned lg) {
    root_bits_portable(portable, N, first, step, lg);
    if (cpu_detect().avx2) {
        root_bits_fma(fused, N, first, step, lg);
        ASSERT_LIMBS_EQ((const uint64_t *)portable, (const uint64_t *)fused, 2 * N);
    }
    ASSERT_TRUE(root_bits_kernel(w, N, first, step, lg) && device_download(kernel, w, BYTES));
    ASSERT_LIMBS_EQ((const uint64_t *)portable, (const uint64_t *)kernel, 2 * N);
}

// Mutations: a product and a sum where fma() is meant, in a build that fuses them; a sine of the
// kernel's own library; operands exchanged in the kernel's copy of the octants' rules.
TEST(RootDevice, HasTheHostsBits) {
    if (!device_ready()) {
        SKIP("no device");
    }
    fft_root_f64 *w = device_alloc(BYTES);
    ASSERT_TRUE(w != NULL);
    gen g = gen_seed(1);
    for (unsigned lg = 0; lg <= 60; lg++) {
        SCOPED_TRACE("lg = %u", lg);
        expect_same_bits(w, 0, 1, lg);
        expect_same_bits(w, gen_u64(&g), gen_u64(&g) | 1, lg);
    }
    device_free(w);
}
