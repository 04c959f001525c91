// Convolutions in floating point on a device, or under the kernel emulation: coefficients against
// the exact ones, and their errors against the proved bound, on digits as bad as they can be.
#include "fft/device/complex/float_convolution.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/complex/float_fixture.h"
#include "tests/support/device.h"

typedef struct {
    const char *name;
    fft_bound_method method;
    unsigned significand;
} kind;

static const kind kinds[] = {
    {"real_f64", FFT_BOUND_RIGHT_ANGLE, FFT_BOUND_F64},
    {"complex_f64", FFT_BOUND_PACKED, FFT_BOUND_F64},
    {"real_f32", FFT_BOUND_RIGHT_ANGLE, FFT_BOUND_F32},
    {"complex_f32", FFT_BOUND_PACKED, FFT_BOUND_F32},
};

static void label(char *buf, size_t cap, const kind *k) { snprintf(buf, cap, "%s", k->name); }

// --- Running one ---------------------------------------------------------------------------------

// run: coefficients of a b, of a a for b == NULL, as the device leaves them: a_digits + b_digits.
// The caller frees them.
static double *run(const fft_float_device_plan *plan, const uint64_t *a, uint64_t an,
                   const uint64_t *b, uint64_t bn) {
    const uint64_t bytes = fft_float_device_values_bytes(plan);
    void *limbs[2] = {device_alloc(8 * an), b ? device_alloc(8 * bn) : NULL};
    void *memory[4] = {device_alloc(fft_float_device_table_bytes(plan) + 1), device_alloc(bytes),
                       device_alloc(fft_float_device_other_bytes(plan, b == NULL) + 1),
                       device_alloc(fft_float_device_workspace_bytes(plan) + 1)};
    const fft_float_device_convolution c = {.plan = plan,
                                            .tables = memory[0],
                                            .values = memory[1],
                                            .other = memory[2],
                                            .workspace = memory[3]};
    const fft_float_device_operand oa = {limbs[0], an}, ob = {limbs[1], bn};
    EXPECT_TRUE(device_upload(limbs[0], a, 8 * an));
    EXPECT_TRUE(b == NULL || device_upload(limbs[1], b, 8 * bn));
    EXPECT_EQ(fft_float_device_tables(plan, memory[0], NULL), RESULT_OK);
    EXPECT_EQ(fft_float_device_convolve(&c, &oa, b ? &ob : NULL), RESULT_OK);
    void *const values = malloc(bytes);
    EXPECT_TRUE(device_download(values, memory[1], bytes));
    const uint64_t n = plan->a_digits + plan->b_digits;
    double *const out = calloc(n, sizeof *out);
    for (uint64_t i = 0; i + 1 < n; i++) {
        const uint64_t at = fft_float_device_place(plan, i);
        out[i] = plan->transform.problem.element == FFT_ID_COMPLEX_F64 ? ((double *)values)[at]
                                                                       : ((float *)values)[at];
    }
    free(values);
    for (int i = 0; i < 4; i++) {
        device_free(memory[i]);
    }
    device_free(limbs[0]), device_free(limbs[1]);
    return out;
}

static double roundoff(const double *c, uint64_t n) {
    double most = 0;
    for (uint64_t i = 0; i < n; i++) {
        most = fmax(most, fabs(c[i] - rint(c[i])));
    }
    return most;
}

// wrong: how many coefficients are not the exact ones when rounded.
static uint64_t wrong(const fft_float_device_plan *plan, const double *c, const int64_t *a,
                      const int64_t *b) {
    const uint64_t na = plan->a_digits, nb = plan->b_digits;
    uint64_t n = 0;
    for (uint64_t i = 0; i < na + nb; i++) {
        int64_t sum = 0;
        for (uint64_t j = i < nb ? 0 : i - nb + 1; j < na && j <= i; j++) {
            sum += a[j] * b[i - j];
        }
        n += (int64_t)rint(c[i]) != sum;
    }
    return n;
}

// expect_product: coefficients, unless they are too many, and error of one product, or of a square
// for bn = 0. The plan is for `more` limbs more. Returns the largest error over the proved bound.
static double expect_product(const kind *k, uint64_t an, uint64_t bn, uint64_t more, float_shape s,
                             float_shape t) {
    fft_float_device_plan plan;
    const uint64_t n = bn ? bn : an;
    const char *why =
        fft_float_device_plan_limbs(&plan, k->method, k->significand, an + more, n + more, false);
    EXPECT_TRUE(why == NULL);
    if (why) {
        return 0;
    }
    SCOPED_TRACE("%llu by %llu words, shapes %d and %d, %u bits%s", (unsigned long long)an,
                 (unsigned long long)n, s, t, plan.width, plan.balanced ? ", balanced" : "");
    gen g = gen_seed(an * 1000 + bn + (uint64_t)s * 17 + (uint64_t)t);
    uint64_t *const words = malloc((an + n) * sizeof *words), *const other = words + an;
    const float_digits d = {(uint64_t)1 << plan.width, plan.width, plan.balanced};
    float_fill(&g, &d, words, an, s);
    float_fill(&g, &d, other, n, t);
    double *const c = run(&plan, words, an, bn ? other : NULL, n);
    if (an * n < 1 << 16) {  // digits beyond the operands' own are 0
        plan.a_digits = (an * 64 + plan.width - 1) / plan.width;
        plan.b_digits = (n * 64 + plan.width - 1) / plan.width;
        int64_t *const da = float_slow_digits(&d, words, an, plan.a_digits);
        int64_t *const db = bn ? float_slow_digits(&d, other, n, plan.b_digits) : da;
        EXPECT_EQ(wrong(&plan, c, da, db), (uint64_t)0);
        free(da);
        if (bn) {
            free(db);
        }
    }
    const double observed = roundoff(c, plan.a_digits + plan.b_digits);
    const double proved = (double)plan.error * 0x1p-32;
    EXPECT_TRUE(observed <= proved && proved < 0.5);
    free(c);
    free(words);
    return observed / proved;
}

// --- Tests ---------------------------------------------------------------------------------------

// Every shape at small sizes, squares, far from square, and by a plan for longer operands.
// Mutations: the top digit balanced away, the bit below taken from above, digits of b where a's
// should be, zeros missing beyond the last digit, twists by other angles or conjugates, the scale.
TEST_EACH(FloatDevice, IsExactOnAllShapes, kind, kinds, label) {
    static const uint64_t sizes[][3] = {{1, 1, 0},  {1, 2, 0},   {2, 1, 0}, {3, 3, 5},
                                        {30, 1, 0}, {19, 17, 0}, {7, 2, 9}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int s = 0; s < FLOAT_SHAPES; s++) {
            const float_shape t = (float_shape)(FLOAT_SHAPES - 1 - s);
            expect_product(p, sizes[i][0], sizes[i][1], sizes[i][2], (float_shape)s, t);
            expect_product(p, sizes[i][0], 0, sizes[i][2], (float_shape)s, (float_shape)s);
        }
    }
}

// Errors stay below the bound, and come within a factor that shows that they are errors at all; on
// a device up to 2^24 bits, where transforms have several passes. Mutations: transforms or roots in
// a lower precision, a bound in other units.
TEST_EACH(FloatDevice, ErrorsStayBelowTheBound, kind, kinds, label) {
    const bool narrow = p->significand == FFT_BOUND_F32;
    const uint64_t most = narrow ? 512 : device_emulated() ? 5000 : 1 << 18;
    double ratio = 0;
    for (uint64_t n = most; n > most / 8; n /= 2) {
        for (int s = 0; s < FLOAT_SHAPES; s++) {
            ratio = fmax(ratio, expect_product(p, n, n - 3, 0, (float_shape)s, (float_shape)s));
        }
        expect_product(p, 4 * n / 3, n / 4, 0, FLOAT_ALTERNATING, FLOAT_WAVE);
        expect_product(p, n, 0, 0, FLOAT_TOP_BITS, FLOAT_TOP_BITS);
    }
    EXPECT_TRUE(ratio > 1e-4);
    ct_record("observed_over_proved_ppm", (long)(ratio * 1e6));
}

// Widths and lengths of section 8's table. Mutations: the search from below, unsigned digits where
// balanced ones are wider, the sums of the host's transforms.
TEST(FloatDevicePlan, TakesTheWidestDigits) {
    static const struct {
        int kind;
        uint64_t limbs;
        unsigned width, lg_points;
    } known[] = {{0, 256, 18, 10},    {0, 1024, 17, 12}, {0, 4096, 16, 14}, {0, 262144, 13, 21},
                 {0, 1 << 24, 9, 27}, {1, 256, 18, 11},  {1, 2048, 17, 14}, {1, 65536, 14, 20},
                 {2, 64, 4, 10},      {2, 256, 2, 13},   {3, 256, 2, 14}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fft_float_device_plan plan;
        const kind *const k = &kinds[known[i].kind];
        ASSERT_TRUE(fft_float_device_plan_limbs(&plan, k->method, k->significand, known[i].limbs,
                                                known[i].limbs, false) == NULL);
        EXPECT_EQ(plan.width, known[i].width);
        EXPECT_TRUE(plan.balanced);
        EXPECT_EQ(fft_id_digits(&plan.transform.problem), known[i].lg_points);
        EXPECT_EQ(plan.a_digits, (known[i].limbs * 64 + plan.width - 1) / plan.width);
    }
}

// Mutations: another search than the host's, lengths that are too short, a width that is not
// proved.
TEST(FloatDevicePlan, WidthsAndRefusals) {
    for (uint64_t an = 1; an < 100000; an = an * 5 / 3 + 1) {
        for (int i = 0; i < 4; i++) {
            fft_float_device_plan plan;
            const kind *const k = &kinds[i];
            const char *why = fft_float_device_plan_limbs(&plan, k->method, k->significand, an,
                                                          an / 3 + 1, false);
            EXPECT_TRUE(why == NULL || (k->significand == FFT_BOUND_F32 && an > 1000));
            if (why) {
                EXPECT_TRUE(strstr(why, "float") != NULL);
                continue;
            }
            const uint64_t room = k->method == FFT_BOUND_PACKED ? 1 : 2;
            const uint64_t points = fft_id_length(&plan.transform.problem);
            const uint64_t coefficients = plan.a_digits + plan.b_digits - 1;
            EXPECT_TRUE(room * points >= coefficients && room * points / 2 < coefficients);
            EXPECT_TRUE(plan.width * plan.a_digits >= 64 * an && plan.error > 0 &&
                        plan.error < (uint64_t)1 << 31);
            fft_bound_shape shape = {.method = k->method,
                                     .significand = k->significand,
                                     .a_digits = plan.a_digits + 3,
                                     .b_digits = plan.b_digits + 3};
            fft_bound_device(&shape, &plan.transform);
            EXPECT_TRUE(fft_bound_refusal(&shape, (uint64_t)1 << plan.width) != NULL);
        }
    }
    fft_float_device_plan plan;
    const char *why = fft_float_device_plan_limbs(&plan, FFT_BOUND_PACKED, FFT_BOUND_F64,
                                                  (uint64_t)1 << 40, 1, false);
    EXPECT_TRUE(why && strstr(why, "2^32"));
}
