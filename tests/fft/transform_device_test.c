// transform_device_test.c: transforms on a device, or under the kernel emulation, against the
// reference that executes the same plan literally.
#include "fft/transform_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fft/index_digit_reference.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

typedef struct {
    char *in, *out, *workspace, *tables;
} buffers;

// Items are kept as doubles; on the way to the device they are rounded to the plan's type.
static size_t item_bytes(const fft_id_plan *plan) {
    return plan->problem.element == FFT_ID_COMPLEX_F64 ? 16 : 8;
}

static bool upload(const fft_id_plan *plan, void *to, fft_id_complex *x, size_t n) {
    if (item_bytes(plan) == 16) {
        return device_upload(to, x, 16 * n);
    }
    float *f = malloc(8 * n);
    for (size_t i = 0; i < n; i++) {
        f[2 * i] = (float)x[i].re, f[2 * i + 1] = (float)x[i].im;
        x[i] = (fft_id_complex){f[2 * i], f[2 * i + 1]};
    }
    const bool done = device_upload(to, f, 8 * n);
    free(f);
    return done;
}

static bool download(const fft_id_plan *plan, fft_id_complex *y, const void *from, size_t n) {
    if (item_bytes(plan) == 16) {
        return device_download(y, from, 16 * n);
    }
    float *f = malloc(8 * n);
    const bool done = device_download(f, from, 8 * n);
    for (size_t i = 0; i < n; i++) {
        y[i] = (fft_id_complex){f[2 * i], f[2 * i + 1]};
    }
    free(f);
    return done;
}

static double distance(const fft_id_complex *y, const fft_id_complex *want, size_t n) {
    double d = 0, norm = 0;
    for (size_t i = 0; i < n; i++) {
        const double re = y[i].re - want[i].re, im = y[i].im - want[i].im;
        d += re * re + im * im;
        norm += want[i].re * want[i].re + want[i].im * want[i].im;
    }
    return norm > 0 ? sqrt(d / norm) : sqrt(d);
}

// Runs the plan on the device, out of place or in place, and returns the relative distance to the
// reference in the 2-norm; what lies beyond the output must keep its pattern.
static double error_of(const fft_id_plan *plan, uint64_t seed, bool in_place) {
    const size_t n = plan->problem.batch << fft_id_digits(&plan->problem);
    const size_t bytes = item_bytes(plan) * n, room = 256;
    fft_id_complex *x = malloc(16 * n), *y = malloc(16 * n), *want = malloc(16 * n);
    fft_id_complex *space = malloc(16 * (fft_id_reference_items(plan) + 1));
    gen g = gen_seed(seed);
    for (size_t i = 0; i < n; i++) {
        x[i].re = (double)(int64_t)gen_u64(&g) * 0x1p-63;
        x[i].im = (double)(int64_t)gen_u64(&g) * 0x1p-63;
    }
    buffers b = {device_alloc(bytes + room), device_alloc(bytes + room),
                 device_alloc(fft_device_workspace_bytes(plan) + room),
                 device_alloc(fft_device_table_bytes(plan) + room)};
    EXPECT_TRUE(upload(plan, b.in, x, n));
    EXPECT_TRUE(device_fill(b.out, 0xA5, bytes + room));
    char *out = in_place ? b.in : b.out;
    EXPECT_EQ(fft_device_tables(plan, b.tables, NULL), RESULT_OK);
    EXPECT_EQ(fft_device_transform(plan, b.in, out, b.workspace, b.tables, NULL), RESULT_OK);
    EXPECT_TRUE(download(plan, y, out, n));
    unsigned char beyond[256];
    EXPECT_TRUE(device_download(beyond, b.out + bytes, room));
    for (size_t i = 0; i < room; i++) {
        EXPECT_EQ(beyond[i], 0xA5);
    }
    fft_id_plan wide = *plan;
    wide.problem.element = FFT_ID_COMPLEX_F64;
    EXPECT_TRUE(fft_id_reference(&wide, x, want, space) == NULL);
    const double d = distance(y, want, n);
    device_free(b.in), device_free(b.out), device_free(b.workspace), device_free(b.tables);
    free(x), free(y), free(want), free(space);
    return d;
}

// An item passes n levels; 0.5 u a level is above what transforms of independent roundings show
// (0.3 u), and far below what any wrong root or place gives.
static double tolerance(const fft_id_plan *plan) {
    const double u = item_bytes(plan) == 16 ? 0x1p-53 : 0x1p-24;
    return u * (2 + 0.5 * fft_id_digits(&plan->problem));
}

static void check(const fft_id_plan *plan, uint64_t seed) {
    char spec[FFT_ID_SPEC_BYTES];
    fft_id_print(plan, spec, sizeof spec);
    SCOPED_TRACE("%s", spec);
    EXPECT_TRUE(fft_device_refusal(plan) == NULL);
    if (fft_device_refusal(plan) == NULL) {
        EXPECT_TRUE(error_of(plan, seed, false) <= tolerance(plan));
        EXPECT_TRUE(error_of(plan, seed + 1, true) <= tolerance(plan));
    }
}

static fft_id_problem problem_of(fft_id_element element, fft_id_direction direction, unsigned n,
                                 uint64_t batch) {
    return (fft_id_problem){
        .element = element, .direction = direction, .exponent = {(uint8_t)n}, .batch = batch};
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
                    problem_of(e, i % 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, batches[i]);
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
                            problem_of(e, n % 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD, n, 1);
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
        "cf32:fwd:nat:2^15x3:p4,s15,x0:g16>,s16>,s16>,s8",
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
            const fft_id_problem p = problem_of(FFT_ID_COMPLEX_F32, FFT_ID_FORWARD, n, 1);
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

// What there are no kernels for is refused, and nothing is written.
TEST(TransformDevice, Refusals) {
    fft_id_plan plan;
    static const struct {
        const char *spec, *why;
    } refused[] = {
        {"cf64:fwd:rev:2^4x1:p4,s4,x0:g16", "no kernels for this order"},
        {"rf64:fwd:nat:2^5x1:p2,s4,x0:g4>,s4", "no kernel was built"},
        {"mod:fwd:nat:2^4x1:p4,s4,x0:g16", "no kernel was built"},
        {"cf64:fwd:nat:2^4x1:p1,s4,x0:g2>,s2>,s2>,s2", "no kernel was built"},
        {"cf64:fwd:nat:2^8x1:p4,s8,x0:g16,s16<", "twiddles after nodes"},
        {"cf64:fwd:nat:2^4x140737488355328:p4,s4,x0:g16", ""},
    };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        SCOPED_TRACE("%s", refused[i].spec);
        const char *why = fft_id_parse(&plan, refused[i].spec);
        if (why == NULL) {
            why = fft_device_refusal(&plan);
            EXPECT_EQ(fft_device_table_bytes(&plan), 0);
            EXPECT_EQ(fft_device_workspace_bytes(&plan), 0);
            EXPECT_TRUE(fft_device_transform(&plan, NULL, NULL, NULL, NULL, NULL) != RESULT_OK);
            EXPECT_TRUE(fft_device_tables(&plan, NULL, NULL) != RESULT_OK);
        }
        ASSERT_TRUE(why != NULL);
        if (device_ready()) {
            EXPECT_TRUE(strstr(why, refused[i].why) != NULL);
        }
    }
}
