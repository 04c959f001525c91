// transform_mixed_test.c: transforms on a device, or under the kernel emulation, of lengths with
// factors 3, 5 and 7, against sums in long double.
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/device/transform_exact.h"
#include "tests/fft/device/transform_fixture.h"
#include "tests/support/device.h"

static void check(const fft_id_plan *plan, uint64_t seed) {
    transform_check(plan, seed, transform_exact);
}

// problem_of: one of eight kinds of problems. False where the length is a power of two or has other
// prime factors, or is odd though of reals.
static bool problem_of(fft_id_problem *problem, uint64_t n, uint64_t batch, unsigned variant) {
    const bool f32 = variant & 1, reals = variant & 4;
    *problem = (fft_id_problem){
        .element = reals ? (f32 ? FFT_ID_REAL_F32 : FFT_ID_REAL_F64)
                         : (f32 ? FFT_ID_COMPLEX_F32 : FFT_ID_COMPLEX_F64),
        .direction = variant & 2 ? FFT_ID_INVERSE : FFT_ID_FORWARD,
        .batch = batch,
    };
    return fft_id_set_length(problem, n) == NULL && fft_id_mixed(problem) && !(reals && n % 2 != 0);
}

// Mutations: a constant or a sign of any node; a point or a frequency of a node of two factors; a
// table's order; a digit of the places; lines of a tile that is not full; rows' addresses; of reals
// a wrong partner or root, the middle item of an even number of pairs, the ends.
TEST(TransformMixed, EveryShortLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    device_order(device_emulated() ? 3 : 0);
    for (unsigned n = 3; n <= 400; n++) {
        for (unsigned variant = 0; variant < 8; variant++) {
            const uint64_t batches[] = {1, 3, n < 40 ? 70 : 2, n < 10 ? 701 : 5};
            fft_id_problem problem;
            fft_id_plan plan;
            if (problem_of(&problem, n, batches[(variant + n) % 4], variant)) {
                EXPECT_TRUE(fft_device_plan(&plan, &problem));
                check(&plan, n);
            }
        }
    }
    device_order(0);
}

// Tiles so small that short lengths take two passes to five. Mutations: twiddles between passes,
// where columns begin, lines that cross a frequency's or a problem's end, the workspace's turn.
TEST(TransformMixed, SeveralPasses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const fft_id_tuple tuples[] = {{3, 3, 0}, {3, 4, 1}, {3, 6, 2}, {4, 5, 1},
                                          {4, 7, 2}, {4, 7, 3}, {4, 9, 5}, {3, 8, 4}};
    device_order(device_emulated() ? 5 : 0);
    unsigned passes[8] = {0}, at = 0;
    for (unsigned n = 9; n <= 5000; n++) {
        fft_id_problem problem;
        if (!problem_of(&problem, n, 1 + n % 3, n % 2 ? n % 4 : n / 2 % 8) ||
            (n > 200 && n % 4 != 0 && n % 7 != 3) || (n > 1000 && n % 5 > 1)) {
            continue;
        }
        fft_id_plan plan;
        const fft_id_tuple tuple = tuples[at++ % (sizeof tuples / sizeof *tuples)];
        ASSERT_EQ(fft_id_make(&plan, &problem, tuple, FFT_ID_AFTER), NULL);
        passes[fft_id_passes(&plan) < 7 ? fft_id_passes(&plan) : 7]++;
        check(&plan, n);
    }
    for (unsigned i = 1; i <= 5; i++) {
        EXPECT_TRUE(passes[i] > 0);
    }
    device_order(0);
}

// The plans that are chosen: in one pass up to a tile, then in two and in three. Mutations: a tile
// larger than its memory, a table beyond its end.
TEST(TransformMixed, ChosenPlans) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        uint64_t n;
        unsigned passes[2];  // of doubles, of floats
    } lengths[] = {
        {3000, {1, 1}},
        {6561, {1, 1}},
        {7680, {1, 1}},
        {8750, {2, 1}},
        {15000, {2, 1}},
        {16807, {2, 2}},
        {100000, {2, 2}},
        {3 << 20, {2, 2}},
        {823543, {2, 2}},
        {4782969, {2, 2}},
        {25165824, {3, 3}},
        {1000000000, {3, 3}},
        {(uint64_t)7 << 30, {3, 3}},
    };
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        static const unsigned variants[] = {0, 1, 5, 6};
        for (unsigned j = 0; j < sizeof variants / sizeof *variants; j++) {
            const unsigned variant = variants[j];
            SCOPED_TRACE("%llu points, variant %u", (unsigned long long)lengths[i].n, variant);
            fft_id_problem problem;
            fft_id_plan plan;
            if (!problem_of(&problem, lengths[i].n * (variant & 4 ? 2 : 1), 1, variant)) {
                EXPECT_TRUE(lengths[i].n > (uint64_t)1 << 32);
                continue;
            }
            ASSERT_TRUE(fft_device_plan(&plan, &problem));
            EXPECT_EQ(fft_id_passes(&plan), lengths[i].passes[variant & 1]);
            EXPECT_TRUE(fft_device_refusal(&plan) == NULL);
            if (lengths[i].n <= (device_emulated() ? 20000 : 1000000)) {
                check(&plan, i);
            }
        }
    }
}

// What there are no kernels for is refused, and nothing is written.
TEST(TransformMixed, Refusals) {
    fft_id_problem problem = {.element = FFT_ID_COMPLEX_F64, .batch = 1};
    static const uint64_t lengths[] = {
        0, 1, 11, 13, 2 * 3 * 11, (uint64_t)1 << 40, (uint64_t)3 << 32};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        EXPECT_TRUE(fft_id_set_length(&problem, lengths[i]) != NULL);
    }
    EXPECT_TRUE(strstr(fft_id_set_length(&problem, 13), "prime factor") != NULL);
    static const transform_refused refused[] = {
        {"rf64:fwd:nat:2^0*3^2x1:p4,s4,x0:g9", "odd length"},
        {"rf64:fwd:rev:2^1*3^1x1:p4,s4,x0:g3", "natural order"},
        {"cf64:fwd:rev:2^1*3^1x1:p4,s4,x0:g6", "natural order"},
        {"cf64:fwd:nat:2^3*3^1x1:p4,s5,x0:g3,s8<", "twiddles after nodes"},
        {"cf64:fwd:nat:2^2*5^1x1:p5,s5,x0:g20", "2^4 points"},
        {"cf64:fwd:nat:2^2*5^1x1:p4,s15,x0:g4>,s5", "2^14"},
        {"cf64:fwd:nat:2^3*3^4*5^2x1:p4,s14,x0:g15>,s15>,s9>,s8", "shared memory"},
        {"cf64:fwd:nat:2^1*7^1x1:p3,s9,x6:g2>,g7", "lines side by side"},
        {"cf64:fwd:nat:2^0*3^1x9000000000:p2,s2,x0:g3", "blocks"},
    };
    transform_expect_refused(refused, sizeof refused / sizeof *refused);
}
