// transform_reversed_test.c: transforms to reversed order and back on a device, or under the kernel
// emulation, against the reference that executes the same plan literally.
#include <stdlib.h>

#include "fft/device/complex/transform_strided.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/device/transform_exact.h"
#include "tests/fft/device/transform_fixture.h"
#include "tests/support/device.h"

static fft_id_problem problem_of(fft_id_element element, fft_id_direction direction, unsigned n,
                                 uint64_t batch) {
    fft_id_problem p = transform_problem(element, direction, n, batch);
    p.order = FFT_ID_REVERSED;
    return p;
}

static void check(const fft_id_plan *plan, uint64_t seed) {
    transform_check(plan, seed, transform_reference);
}

static unsigned most_digits(void) { return device_emulated() ? 15 : 18; }

// Catches a wrong digit anywhere: of a place, of the frequency or the point in a factor between
// passes or nodes, registers that are not renamed or at the wrong side of a node; a workspace.
TEST(TransformReversed, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 13 : 0);
    for (fft_id_element e = FFT_ID_COMPLEX_F64; e <= FFT_ID_COMPLEX_F32; e++) {
        for (unsigned n = 1; n <= most_digits(); n++) {
            const uint64_t batches[] = {1, n < 6 ? 2051 >> n : 3};
            for (unsigned i = 0; i < 4; i++) {
                const fft_id_problem p =
                    problem_of(e, i & 1 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, batches[i / 2]);
                fft_id_plan plan;
                ASSERT_TRUE(fft_device_plan(&plan, &p));
                check(&plan, 100 * n + i);
            }
        }
    }
    device_order(0);
}

// Every tuple that has kernels, at the least lengths that it takes in two passes.
TEST(TransformReversed, EveryTuple) {
    if (!device_ready()) {
        SKIP("no device");
    }
    unsigned found = 0;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned n = 11; n <= 16; n++) {
            for (uint8_t s = 10; s <= 14; s++) {
                for (uint8_t x = 2; x <= 4; x++) {
                    const fft_id_problem p =
                        problem_of(i & 1 ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64,
                                   i & 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, 1);
                    fft_id_plan plan;
                    if (fft_id_make(&plan, &p, (fft_id_tuple){4, s, x}, FFT_ID_AFTER) == NULL &&
                        (n + s + x) % 2 == 0 && fft_id_passes(&plan) > 1 &&
                        fft_device_refusal(&plan) == NULL) {
                        check(&plan, n + s);
                        found++;
                    }
                }
            }
        }
    }
    EXPECT_TRUE(found > 20);
}

// Three passes, of nodes that differ. Catches digits left taken for digits consumed in the pass
// between two others, where they are neither none nor all.
TEST(TransformReversed, ThreePasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const char *const specs[] = {
        "cf64:fwd:rev:2^16x2:p4,s10,x3:g16>,s8>,g16>,s8>,g4",
        "cf64:inv:rev:2^16x2:p4,s10,x3:g4>,g16>,s8>,g16>,s8",
        "cf64:fwd:rev:2^16x1:p4,s11,x3:g16>,s8>,g16>,s16>,g2",
        "cf32:fwd:rev:2^15x1:p4,s11,x3:g16>,s8>,g16>,s8>,g2",
        "cf32:inv:rev:2^17x1:p4,s11,x3:g8>,g16>,s8>,g16>,s8",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fft_id_plan plan;
        SCOPED_TRACE("%s", specs[i]);
        ASSERT_TRUE(fft_id_parse(&plan, specs[i]) == NULL);
        check(&plan, i);
    }
}

// A cyclic convolution by plans that share nothing but the order: products need no map of indices.
// Catches an order that depends on the radices, the passes or the direction.
TEST(TransformReversed, PointwiseProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const char *const specs[][3] = {
        {"cf64:fwd:rev:2^10x1:p4,s10,x3:g16>,s8>,g8", "cf64:fwd:rev:2^10x1:p4,s10,x0:g16>,s8>,s8",
         "cf64:inv:rev:2^10x1:p4,s10,x3:g8>,g16>,s8"},
        {"cf32:fwd:rev:2^11x1:p4,s11,x0:g16>,s16>,s8", "cf32:fwd:rev:2^11x1:p4,s11,x4:g16>,s8>,g16",
         "cf32:inv:rev:2^11x1:p4,s11,x4:g16>,g16>,s8"},
    };
    for (size_t s = 0; s < 2; s++) {
        fft_id_plan plan[3];
        for (unsigned i = 0; i < 3; i++) {
            SCOPED_TRACE("%s", specs[s][i]);
            ASSERT_TRUE(fft_id_parse(&plan[i], specs[s][i]) == NULL);
        }
        const size_t n = fft_id_length(&plan[0].problem);
        double *a = transform_input(&plan[0], 1), *b = transform_input(&plan[1], 2);
        double *fa = malloc(16 * n), *fb = malloc(16 * n), *got = malloc(16 * n);
        double *want = calloc(2 * n, sizeof *want);
        transform_run(&plan[0], a, fa, false);
        transform_run(&plan[1], b, fb, true);
        for (size_t k = 0; k < n; k++) {
            const double re = fa[2 * k] * fb[2 * k] - fa[2 * k + 1] * fb[2 * k + 1];
            const double im = fa[2 * k] * fb[2 * k + 1] + fa[2 * k + 1] * fb[2 * k];
            fa[2 * k] = re / (double)n, fa[2 * k + 1] = im / (double)n;
        }
        transform_run(&plan[2], fa, got, true);
        for (size_t i = 0; i < n; i++) {
            for (size_t j = 0; j < n; j++) {
                const size_t k = 2 * ((i + j) % n);
                want[k] += a[2 * i] * b[2 * j] - a[2 * i + 1] * b[2 * j + 1];
                want[k + 1] += a[2 * i] * b[2 * j + 1] + a[2 * i + 1] * b[2 * j];
            }
        }
        EXPECT_TRUE(transform_distance(got, want, 2 * n) <= 3 * transform_tolerance(&plan[0]));
        free(a), free(b), free(fa), free(fb), free(got), free(want);
    }
}

// Catches a row that is missing, or names no kernel.
TEST(TransformReversed, AllLengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned n = 1; n <= 33; n++) {
        for (unsigned i = 0; i < 8; i++) {
            const fft_id_problem p =
                problem_of(i & 1 ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64,
                           i & 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, i & 4 ? 64 : 1);
            fft_id_plan plan;
            SCOPED_TRACE("2^%u, %u", n, i);
            EXPECT_TRUE(fft_device_plan(&plan, &p));
        }
    }
}

// What there are no kernels for is refused, and nothing is written. Catches reals of which only
// one side of the library knows the order, and gaps that passes by rows would overwrite.
TEST(TransformReversed, Refusals) {
    static const transform_refused refused[] = {
        {"rf64:fwd:rev:2^5x1:p4,s4,x0:g16", "natural order"},
        {"cf64:fwd:rev:2^1*3^1x1:p4,s4,x0:g6", "natural order"},
        {"mod:fwd:rev:2^4x1:p4,s4,x0:g16", "no kernel was built"},
        {"cf64:fwd:rev:2^4x1:p1,s4,x0:g2>,s2>,s2>,s2", "no kernel was built"},
        {"cf64:inv:rev:2^14x1:p4,s10,x3:g16,s8<,g16<,s8<", "twiddles after nodes"},
    };
    transform_expect_refused(refused, sizeof refused / sizeof *refused);
    const fft_id_problem p = problem_of(FFT_ID_COMPLEX_F64, FFT_ID_FORWARD, 14, 2);
    const fft_strided_layout dense = {1, 1 << 14}, apart = {1, 20000}, twice = {2, 40000};
    fft_strided_plan plan;
    EXPECT_TRUE(fft_strided_make(&plan, &p, dense, apart) != NULL);
    EXPECT_TRUE(fft_strided_make(&plan, &p, apart, dense) != NULL);
    EXPECT_TRUE(fft_strided_make(&plan, &p, twice, twice) != NULL);
    EXPECT_EQ(fft_strided_make(&plan, &p, dense, dense) == NULL, device_ready());
}
