// transform_device_test.c: transforms on a device, or under the kernel emulation, against the
// reference that executes the same plan literally.
#include "fft/device/complex/transform.h"

#include "tests/ctest/ctest.h"
#include "tests/fft/device/transform_fixture.h"
#include "tests/support/device.h"

static void check(const fft_id_plan *plan, uint64_t seed) {
    transform_check(plan, seed, transform_reference);
}

static unsigned most_digits(void) { return device_emulated() ? 14 : 18; }

// Catches a wrong digit anywhere: in a layout, in a bank, in a table of roots, in the twiddles
// between passes, in the transposing store; lines of another problem in a tile that is not full.
TEST(TransformDevice, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (fft_id_element e = FFT_ID_COMPLEX_F64; e <= FFT_ID_COMPLEX_F32; e++) {
        for (unsigned n = 1; n <= most_digits(); n++) {
            const uint64_t batches[] = {1, 3, n < 6 ? 2051 >> n : 2};
            for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
                const fft_id_problem p =
                    transform_problem(e, i % 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, batches[i]);
                fft_id_plan plan;
                ASSERT_TRUE(fft_device_plan(&plan, &p));
                check(&plan, 100 * n + i);
            }
        }
    }
}

// Every tuple that has kernels, at the least length that it takes in two passes and in three.
TEST(TransformDevice, EveryTuple) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 7 : 0);
    unsigned found = 0;
    for (fft_id_element e = FFT_ID_COMPLEX_F64; e <= FFT_ID_COMPLEX_F32; e++) {
        for (unsigned n = 12; n <= most_digits() + 2; n++) {
            for (unsigned s = 10; s <= 14; s++) {
                for (unsigned p = 3; p <= 5; p++) {
                    for (unsigned x = 1; x <= 5; x++) {
                        const fft_id_problem problem =
                            transform_problem(e, n % 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, 1);
                        const fft_id_tuple tuple = {(uint8_t)p, (uint8_t)s, (uint8_t)x};
                        fft_id_plan plan;
                        if (fft_id_make(&plan, &problem, tuple, FFT_ID_AFTER) == NULL &&
                            fft_device_refusal(&plan) == NULL && (n + s + p + x) % 5 == 0) {
                            check(&plan, n + s);
                            found++;
                        }
                    }
                }
            }
        }
    }
    EXPECT_TRUE(found > 10);
    device_order(0);
}

// Tiles that are spread over a cluster of blocks. Catches an item that goes to another block's
// memory, or is read before all blocks have written.
TEST(TransformDevice, Clusters) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const char *const specs[] = {
        "cf64:fwd:nat:2^14x3:p4,s14,x0:g16>,s16>,s8>,s8",
        "cf64:inv:nat:2^15x2:p4,s15,x0:g16>,s16>,s16>,s8",
        "cf64:fwd:nat:2^16x1:p4,s16,x0:g16>,s16>,s16>,s16",
        "cf32:fwd:nat:2^15x3:p5,s15,x0:g32>,s32>,s32",
        "cf32:inv:nat:2^16x2:p4,s16,x0:g16>,s16>,s16>,s16",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fft_id_plan plan;
        ASSERT_TRUE(fft_id_parse(&plan, specs[i]) == NULL);
        device_order(device_emulated() ? i : 0);
        check(&plan, i);
    }
    device_order(0);
}

// The papers' plans have kernels.
TEST(TransformDevice, PapersTuples) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned version = 1; version <= 2; version++) {
        for (unsigned n = 12; n <= 24; n++) {
            const fft_id_problem p = transform_problem(FFT_ID_COMPLEX_F32, FFT_ID_FORWARD, n, 1);
            fft_id_plan plan;
            EXPECT_TRUE(fft_id_make(&plan, &p, fft_id_paper_tuple(version, n), FFT_ID_AFTER) ==
                        NULL);
            EXPECT_TRUE(fft_device_refusal(&plan) == NULL);
            if (n == 12) {
                check(&plan, n);
            }
        }
    }
}

// Lengths and batches up to the greatest have plans. Catches a row that is missing, or names no
// kernel.
TEST(TransformDevice, AllLengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    transform_expect_plans(FFT_ID_COMPLEX_F64, 1);
    transform_expect_plans(FFT_ID_COMPLEX_F32, 1);
}

// What there are no kernels for is refused, and nothing is written.
TEST(TransformDevice, Refusals) {
    static const transform_refused refused[] = {
        {"rf64:fwd:nat:2^5x1:p2,s4,x0:g4>,s4", "no kernel was built"},
        {"mod:fwd:nat:2^4x1:p4,s4,x0:g16", "no kernel was built"},
        {"cf64:fwd:nat:2^4x1:p1,s4,x0:g2>,s2>,s2>,s2", "no kernel was built"},
        {"cf64:fwd:nat:2^8x1:p4,s8,x0:g16,s16<", "twiddles after nodes"},
        {"cf64:fwd:nat:2^4x140737488355328:p4,s4,x0:g16", ""},
    };
    transform_expect_refused(refused, sizeof refused / sizeof *refused);
}
