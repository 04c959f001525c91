// The reference executor of index-digit plans against a DFT in O(n^2), for every kind of plan of up
// to 2^12 points.
#include <math.h>
#include <stdio.h>

#include "fft/index_digit/index_digit.h"
#include "fft/index_digit/reference.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/index_digit/plans.h"
#include "tests/support/gen.h"

enum { DIGITS = 12, POINTS = 1 << DIGITS, ITEMS = 2 * POINTS };

static fft_id_complex input[ITEMS], placed[ITEMS], output[ITEMS], back[ITEMS], room[3 * POINTS];
static long double exact[ITEMS][2], table[POINTS][2];

static void fill(gen *g, size_t n) {
    for (size_t i = 0; i < n; i++) {
        input[i].re = ldexp((double)(int64_t)gen_u64(g), -63);
        input[i].im = ldexp((double)(int64_t)gen_u64(g), -63);
    }
}

// dft: exact = DFT of input in O(n^2) and long double, by sums of 64 and sums of those.
static void dft(size_t n, int sign) {
    const long double turn = 6.283185307179586476925286766559005768L;
    for (size_t i = 0; i < n; i++) {
        table[i][0] = cosl(turn * (long double)i / (long double)n);
        table[i][1] = (long double)sign * sinl(turn * (long double)i / (long double)n);
    }
    for (size_t k = 0; k < n; k++) {
        long double re = 0, im = 0;
        for (size_t j0 = 0; j0 < n; j0 += 64) {
            long double part_re = 0, part_im = 0;
            for (size_t j = j0; j < j0 + 64 && j < n; j++) {
                const long double *w = table[j * k % n];
                part_re += input[j].re * w[0] - input[j].im * w[1];
                part_im += input[j].re * w[1] + input[j].im * w[0];
            }
            re += part_re;
            im += part_im;
        }
        exact[k][0] = re;
        exact[k][1] = im;
    }
}

static size_t reversed(size_t i, unsigned n) {
    size_t r = 0;
    for (unsigned d = 0; d < n; d++) {
        r |= (i >> d & 1) << (n - 1 - d);
    }
    return r;
}

// expect_exact: run the plan on `batch` copies of input, each turned by a factor i of its own, and
// compare with exact: error at most 1.5 u for each stage, and 2^-56 for the DFT's own.
static void expect_exact(const fft_id_plan *plan) {
    const unsigned n = fft_id_digits(&plan->problem);
    const size_t points = (size_t)1 << n;
    const bool rev = plan->problem.order == FFT_ID_REVERSED;
    const bool forward = plan->problem.direction == FFT_ID_FORWARD;
    for (size_t b = 0; b < plan->problem.batch; b++) {
        for (size_t i = 0; i < points; i++) {
            const fft_id_complex v = input[i];
            placed[b * points + (rev && !forward ? reversed(i, n) : i)] =
                b ? (fft_id_complex){-v.im, v.re} : v;
        }
    }
    fft_id_complex *to = rev ? placed : output;
    ASSERT_TRUE(fft_id_reference_items(plan) <= 3 * POINTS);
    ASSERT_EQ(fft_id_reference(plan, placed, to, room), NULL);
    for (size_t b = 0; b < plan->problem.batch; b++) {
        long double error = 0, norm = 0;
        for (size_t k = 0; k < points; k++) {
            const fft_id_complex v = to[b * points + (rev && forward ? reversed(k, n) : k)];
            const long double re = b ? v.im : v.re, im = b ? -v.re : v.im;
            error += (re - exact[k][0]) * (re - exact[k][0]);
            error += (im - exact[k][1]) * (im - exact[k][1]);
            norm += exact[k][0] * exact[k][0] + exact[k][1] * exact[k][1];
        }
        const long double bound = plan->stages_n * 1.5L * 0x1p-53L + 0x1p-56L;
        if (!(error <= bound * bound * norm)) {
            char spec[FFT_ID_SPEC_BYTES];
            fft_id_print(plan, spec, sizeof spec);
            FAIL("%s: problem %zu: error %Lg of at most %Lg", spec, b, sqrtl(error / norm), bound);
        }
    }
}

typedef struct {
    unsigned plans, several_passes, register_stages, idle_registers;
} coverage;

static void try_plan(const fft_id_plan *plan, coverage *seen) {
    seen->plans++;
    seen->several_passes += fft_id_passes(plan) > 1;
    for (unsigned m = 0; m < plan->stages_n; m++) {
        seen->register_stages += plan->stage[m].where == FFT_ID_REGISTER;
        seen->idle_registers += plan->stage[m].digits < plan->tuple.p;
    }
    expect_exact(plan);
}

// try_all: every tuple made into a plan (a choice of them from 2^9 points), and plans at random.
static void try_all(gen *g, unsigned n, fft_id_direction direction, fft_id_order order,
                    coverage *seen) {
    const bool few = n > 8;
    fft_id_plan plan;
    const fft_id_problem problem = problem_of(n, direction, order, 1);
    for (unsigned p = 1; p <= FFT_ID_P_MAX && p <= n; p++) {
        for (unsigned s = p; s <= n; s += few && s < n - 1 ? (n - s) / 2 : 1) {
            for (unsigned i = few ? (p + s) % 6 : 0; i < 6; i += few ? 6 : 1) {
                if (fft_id_make(&plan, &problem, tuple_of(p, s, i / 2),
                                i & 1 ? FFT_ID_BEFORE : FFT_ID_AFTER) == NULL) {
                    try_plan(&plan, seen);
                }
            }
        }
    }
    for (unsigned i = 0; i < (few ? 20u : 100u); i++) {
        random_plan(g, &plan, &problem);
        plan.problem.batch = 1 + i % 2;
        if (fft_id_refusal(&plan) == NULL) {
            try_plan(&plan, seen);
        }
    }
}

// Mutations: each line of the executor and of the plan's rules: a twiddle's exponent or denominator
// (before and after), a root conjugated, an unshuffle by one digit too few, the reversal dropped,
// a bit of a mapping exchanged with another, the batch's offset, the memory that a pass writes.
TEST(IndexDigitReference, EveryPlanIsTheDft) {
    gen g = gen_seed(3);
    for (unsigned n = 1; n <= DIGITS; n++) {
        coverage seen = {0, 0, 0, 0};
        fill(&g, (size_t)1 << n);
        for (unsigned direction = 0; direction < FFT_ID_DIRECTIONS; direction++) {
            dft((size_t)1 << n, direction == FFT_ID_FORWARD ? -1 : 1);
            for (unsigned order = 0; order < FFT_ID_ORDERS; order++) {
                try_all(&g, n, (fft_id_direction)direction, (fft_id_order)order, &seen);
            }
        }
        SCOPED_TRACE("n = %u: %u plans", n, seen.plans);
        EXPECT_TRUE(n < 4 || (seen.plans > 60 && seen.several_passes > 10 &&
                              seen.register_stages > 4 && seen.idle_registers > 10));
    }
}

// Forward and inverse by plans that share nothing but the order: n times the identity.
// Mutations: one direction's sign, a reversed order that depends on the radices.
TEST(IndexDigitReference, InverseUndoesForward) {
    gen g = gen_seed(4);
    for (unsigned i = 0; i < 200; i++) {
        const unsigned n = 1 + (unsigned)gen_below(&g, 11);
        const fft_id_order order = (fft_id_order)gen_below(&g, 2);
        fft_id_problem problem = problem_of(n, FFT_ID_FORWARD, order, 2);
        fft_id_plan there, back_again;
        do {
            random_plan(&g, &there, &problem);
        } while (fft_id_refusal(&there));
        problem.direction = FFT_ID_INVERSE;
        do {
            random_plan(&g, &back_again, &problem);
        } while (fft_id_refusal(&back_again));
        const size_t items = (size_t)2 << n;
        fill(&g, items);
        ASSERT_EQ(fft_id_reference(&there, input, output, room), NULL);
        ASSERT_EQ(fft_id_reference(&back_again, output, back, room), NULL);
        double error = 0, norm = 0;
        for (size_t k = 0; k < items; k++) {
            const double re = ldexp(back[k].re, -(int)n) - input[k].re;
            const double im = ldexp(back[k].im, -(int)n) - input[k].im;
            error += re * re + im * im;
            norm += input[k].re * input[k].re + input[k].im * input[k].im;
        }
        const double bound = (there.stages_n + back_again.stages_n) * 1.5 * 0x1p-53;
        EXPECT_TRUE(error <= bound * bound * norm * 1.01);
    }
}

// Mutations: an octant's sign or exchange, an angle rounded to double.
TEST(IndexDigitReference, RootsAreRoundedOnce) {
    for (unsigned lg = 0; lg <= 12; lg++) {
        const uint64_t n = (uint64_t)1 << lg;
        for (uint64_t k = 0; k < n; k++) {
            const fft_id_complex w = fft_id_root(k, lg), v = fft_id_root((n - k) & (n - 1), lg);
            const long double angle = 6.283185307179586476925286766559005768L * (long double)k / n;
            const long double c = cosl(angle), s = sinl(angle);
            // half an ulp of the value, and the comparison's own error of angles up to 2 pi
            EXPECT_TRUE(fabsl(w.re - c) <= fabsl(c) * 0x1p-53L + 0x1p-61L);
            EXPECT_TRUE(fabsl(w.im - s) <= fabsl(s) * 0x1p-53L + 0x1p-61L);
            EXPECT_EQ(w.re, v.re);
            EXPECT_EQ(w.im, -v.im);
            if (4 * k % n == 0) {
                EXPECT_EQ(fabs(w.re) + fabs(w.im), 1.0);
            }
        }
    }
    EXPECT_EQ(fft_id_root(1, 60).im, 0x1.921fb54442d18p-58);  // 2 pi 2^-60
    EXPECT_EQ(fft_id_root((uint64_t)1 << 59, 60).re, -1.0);
}

// The numbers of docs/index_digit.md's example of 8 points: x = 0 .. 7 gives 28 and then 4 (i
// cot(pi k / 8) - 1). Mutations: direction, normalisation, order.
TEST(IndexDigitReference, EightPoints) {
    fft_id_plan plan;
    ASSERT_EQ(fft_id_parse(&plan, "cf64:fwd:nat:2^3x1:p1,s3,x0:g2>,s2>,s2"), NULL);
    for (unsigned j = 0; j < 8; j++) {
        input[j] = (fft_id_complex){j, 0};
    }
    ASSERT_EQ(fft_id_reference(&plan, input, output, room), NULL);
    EXPECT_EQ(output[0].re, 28.0);
    EXPECT_EQ(output[0].im, 0.0);
    for (unsigned k = 1; k < 8; k++) {
        EXPECT_TRUE(fabs(output[k].re + 4) < 1e-14);
        EXPECT_TRUE(fabs(output[k].im - 4 / tan(k * 0.39269908169872415)) < 1e-14);
    }
    plan.problem.element = FFT_ID_MODULAR;
    EXPECT_TRUE(fft_id_reference(&plan, input, output, room) != NULL);
    plan.problem.batch = 0;
    EXPECT_TRUE(fft_id_reference(&plan, input, output, room) != NULL);
}
