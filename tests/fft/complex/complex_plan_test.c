// Plans of complex transforms: refusals, shapes, the order of frequencies, the tables' accuracy.
#include <math.h>
#include <stdlib.h>

#include "fft/complex/ops.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/complex/fixture.h"

static const char *refusal(uint64_t n, uint64_t batch, uint64_t distance) {
    const fft_complex_problem problem = {FFT_F64, FFT_NATURAL, false, n, batch, distance};
    fft_complex_plan plan;
    return fft_complex_make(&plan, &problem);
}

// Mutations: a check left out or off by one.
TEST(ComplexPlan, RefusesWithAReason) {
    EXPECT_TRUE(refusal(0, 1, 0) != NULL);
    EXPECT_TRUE(refusal(11, 1, 11) != NULL);
    EXPECT_TRUE(refusal(2 * 3 * 5 * 7 * 13, 1, 2730) != NULL);
    EXPECT_TRUE(refusal((uint64_t)1 << 37, 1, 0) != NULL);
    EXPECT_TRUE(refusal((uint64_t)3 << 35, 1, 0) != NULL);
    EXPECT_TRUE(refusal(8, 0, 8) != NULL);
    EXPECT_TRUE(refusal(8, 2, 7) != NULL);
    EXPECT_TRUE(refusal(8, 1, 0) == NULL);
    EXPECT_TRUE(refusal(8, 2, 8) == NULL);
    EXPECT_TRUE(refusal((uint64_t)1 << 36, 1, 0) == NULL);
    const fft_complex_problem right_angle = {FFT_F64, FFT_NATURAL, true, 8, 1, 8};
    const fft_complex_problem untyped = {FFT_FLOATS, FFT_NATURAL, false, 8, 1, 8};
    fft_complex_plan plan;
    fft_real_plan real;
    EXPECT_TRUE(fft_complex_make(&plan, &right_angle) != NULL);
    EXPECT_TRUE(fft_complex_make(&plan, &untyped) != NULL);
    EXPECT_TRUE(fft_product_plan(&plan, FFT_F64, 22) != NULL);
    EXPECT_TRUE(fft_product_plan(&plan, FFT_F64, 21) == NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 0, 1, 0, 0) != NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 9, 1, 9, 5) != NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 22, 1, 22, 12) != NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 8, 2, 8, 4) != NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 8, 2, 7, 5) != NULL);
    EXPECT_TRUE(fft_real_make(&real, FFT_F64, 8, 2, 8, 5) == NULL);
}

// Every length up to 5000 and the largest powers: the product of the radices is the length, rows
// and columns are made of the right passes, no more lanes than a vector has. Mutations: an exponent
// lost, rows that do not divide.
TEST(ComplexPlan, Shapes) {
    unsigned accepted = 0;
    for (uint64_t i = 1; i < 5000 + 37; i++) {
        const uint64_t n = i < 5000 ? i : (uint64_t)1 << (i - 5000);
        const fft_complex_problem problem = {FFT_F64, FFT_REVERSED, false, n, 1, n};
        fft_complex_plan plan;
        if (fft_complex_make(&plan, &problem) != NULL) {
            continue;
        }
        accepted++;
        SCOPED_TRACE("length %llu", (unsigned long long)n);
        uint64_t rows = 1, columns = 1;
        for (unsigned q = 1; q < plan.passes_n; q++) {
            *(q <= plan.column_passes ? &rows : &columns) *= plan.radix[q];
        }
        EXPECT_TRUE(plan.passes_n >= 2 && plan.passes_n <= FFT_COMPLEX_PASSES_MAX);
        EXPECT_EQ(plan.radix[0], plan.lanes);
        EXPECT_TRUE(plan.lanes >= 1 && plan.lanes <= FFT_COMPLEX_LANES);
        EXPECT_EQ(rows, plan.rows);
        EXPECT_EQ(columns, plan.columns);
        EXPECT_EQ(rows * columns * plan.lanes, n);
        EXPECT_TRUE(n % 8 != 0 || plan.lanes == 8);
    }
    EXPECT_EQ(accepted, 264u + 37);  // 7-smooth numbers below 5000, and 37 powers
}

// Mutations: digits in the wrong order, a radix left out.
TEST(ComplexPlan, FrequenciesAndAddresses) {
    static const uint64_t lengths[] = {1, 2, 6, 8, 64, 105, 120, 4096, 6 * 8 * 5, 3 << 15};
    for (unsigned i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const uint64_t n = lengths[i];
        const fft_complex_problem problem = {FFT_F64, FFT_REVERSED, false, n, 1, n};
        fft_complex_plan plan;
        ASSERT_TRUE(fft_complex_make(&plan, &problem) == NULL);
        for (uint64_t k = 0; k < n; k++) {
            const uint64_t at = fft_complex_address(&plan, k);
            ASSERT_TRUE(at < n);
            ASSERT_EQ(fft_complex_frequency(&plan, at), k);
        }
        plan.problem.order = FFT_NATURAL;
        EXPECT_EQ(fft_complex_address(&plan, n / 2), n / 2);
        EXPECT_EQ(fft_complex_frequency(&plan, n / 2), n / 2);
    }
}

// The error in ulp of the wanted value.
static double ulps(double got, long double want) {
    int e;
    frexpl(want, &e);
    return want == 0 ? (got == 0 ? 0 : 1e9)
                     : (double)fabsl(((long double)got - want) / ldexpl(1, e - 53));
}

// c and tau of `turns` <= 1/2, from a sine or cosine of at most an eighth of a turn.
static void check_twiddle(const double *cell, unsigned lane, long double turns, double *worst_ulp) {
    const long double two_pi = 6.283185307179586476925286766559005768L;
    const double c = cell[lane], tau = cell[FFT_COMPLEX_LANES + lane];
    if (turns == 0.25L) {
        EXPECT_EQ(c, 0x1p-60);
        EXPECT_EQ(tau, 0x1p60);
        return;
    }
    const bool middle = fabsl(turns - 0.25L) <= 0.125L, end = turns > 0.375L;
    const long double angle = two_pi * (middle ? 0.25L - turns : end ? 0.5L - turns : turns);
    const long double x = middle ? sinl(angle) : end ? -cosl(angle) : cosl(angle);
    const long double y = middle ? cosl(angle) : sinl(angle);
    *worst_ulp = fmax(*worst_ulp, fmax(ulps(c, x), ulps(tau, y / x)));
}

// The twiddles of a node of angle t, pass q, of radix 2, 4 or 8.
static void check_pass(const fft_complex_plan *plan, const double *tables, unsigned q,
                       uint64_t node, unsigned lane, long double t, double *worst_ulp) {
    const unsigned count = fft_complex_twiddles(plan->radix[q]);
    const double *const cell = tables + (plan->table_at[q] + node * count) * 2 * FFT_COMPLEX_LANES;
    const long double levels[4] = {t / 2, t / 4, t / 8, t / 8 + 0.125L};
    for (unsigned e = 0; e < count; e++) {
        check_twiddle(cell + e * 2 * FFT_COMPLEX_LANES, lane, levels[e], worst_ulp);
    }
}

// And of all nodes below it, by the tree's definition.
static void check_node(const fft_complex_plan *plan, const double *tables, unsigned q,
                       uint64_t node, unsigned lane, long double t, double *worst_ulp) {
    const unsigned radix = plan->radix[q];
    check_pass(plan, tables, q, node, lane, t, worst_ulp);
    for (unsigned s = 0; q + 1u < plan->passes_n && s < radix; s++) {
        check_node(plan, tables, q + 1, node * radix + s, lane, (t + s) / radix, worst_ulp);
    }
}

// Mutations: tables in double, cos and sin by a recurrence, an octant's reflection, cos near a
// quarter turn not as a sine. Powers of two only, for which the angles of this test are exact.
TEST(ComplexPlan, TablesAreRoundedOnce) {
    static const uint64_t lengths[] = {8, 64, 4096, 1 << 14};
    for (unsigned i = 0; i < 2 * sizeof lengths / sizeof lengths[0]; i++) {
        const bool product = i % 2 == 1;
        const fft_complex_problem problem = {FFT_F64, product ? FFT_REVERSED : FFT_NATURAL,
                                             product, lengths[i / 2],
                                             1,       lengths[i / 2]};
        complex_with w;
        complex_open(&w, &problem, CPU_PORTABLE, 1);
        const long double root = product ? 0.75L : 0;
        double worst_ulp = 0;
        check_pass(&w.plan, w.tables, 0, 0, 0, root, &worst_ulp);
        for (unsigned lane = 0; lane < w.plan.lanes; lane++) {
            check_node(&w.plan, w.tables, 1, 0, lane, (root + lane) / w.plan.lanes, &worst_ulp);
        }
        SCOPED_TRACE("length %llu: %.6f ulp", (unsigned long long)lengths[i / 2], worst_ulp);
        EXPECT_TRUE(worst_ulp <= 0.501);
        complex_close(&w);
    }
}
