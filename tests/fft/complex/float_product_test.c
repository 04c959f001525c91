// Products through floating-point transforms: digits, coefficients against the exact convolution,
// and the computed values' errors against the proved bound, on digits as bad as they can be.
#include "fft/complex/float_product.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/complex/float_fixture.h"
#include "tests/support/gen.h"

// What is tested: method, type and vectors, or the widest that there are.
typedef struct {
    const char *name;
    fft_bound_method method;
    fft_float type;
    cpu_simd simd;
} kind;

static const kind kinds[] = {
    {"real_f64", FFT_BOUND_RIGHT_ANGLE, FFT_F64, CPU_PORTABLE},
    {"real_f64_best", FFT_BOUND_RIGHT_ANGLE, FFT_F64, CPU_SIMDS},
    {"real_f32", FFT_BOUND_RIGHT_ANGLE, FFT_F32, CPU_SIMDS},
    {"real_f64_avx2", FFT_BOUND_RIGHT_ANGLE, FFT_F64, CPU_AVX2},
    {"complex_f64", FFT_BOUND_PACKED, FFT_F64, CPU_SIMDS},
    {"complex_f32", FFT_BOUND_PACKED, FFT_F32, CPU_PORTABLE},
};

static void label(char *buf, size_t cap, const kind *k) { snprintf(buf, cap, "%s", k->name); }

// A convolution with memory of its own.
typedef struct {
    fft_float_plan plan;
    fft_float_convolution c;
    void *memory[4];
} product;

static void *lines(uint64_t bytes) {
    const uint64_t whole = bytes / 64 * 64 + 64;
    void *p = aligned_alloc(64, whole);
    memset(p, 0xa5, whole);
    return p;
}

static void start(product *p, const kind *k) {
    const cpu_simd best = cpu_best_simd(cpu_detect());
    const cpu_simd simd = k->simd < best ? k->simd : best;
    p->memory[0] = lines(fft_complex_table_bytes(&p->plan.transform));
    p->memory[1] = lines(fft_float_values_bytes(&p->plan));
    p->memory[2] = lines(fft_float_other_bytes(&p->plan));
    p->memory[3] = lines(fft_float_workspace_bytes(&p->plan, 1));
    fft_complex_tables(fft_complex_variant(simd, k->type), &p->plan.transform, p->memory[0]);
    p->c = (fft_float_convolution){
        .plan = &p->plan,
        .ops = fft_complex_variant(simd, k->type),
        .loops = fft_float_variant(simd),
        .tables = p->memory[0],
        .values = p->memory[1],
        .other = p->memory[2],
        .workspace = p->memory[3],
    };
}

static void stop(product *p) {
    for (int i = 0; i < 4; i++) {
        free(p->memory[i]);
    }
}

static float_digits digits_of(const fft_float_plan *plan) {
    return (float_digits){plan->radix, plan->width, plan->balanced};
}

// --- Products ---

// release: the next digit of radix 2^w or `radix`, of a sequence of signed coefficients.
static uint64_t release(int64_t *carry, int64_t coefficient, uint64_t radix) {
    const int64_t sum = *carry + coefficient, r = (int64_t)radix;
    const int64_t digit = (sum % r + r) % r;
    *carry = (sum - digit) / r;
    return (uint64_t)digit;
}

// expect_columns: the columns stand for the same number as the exact coefficients of a and b: all
// digits of both are equal, and what is left above them differs by the surplus.
static void expect_columns(const product *p, const int64_t *a, const int64_t *b) {
    const fft_float_plan *const plan = &p->plan;
    const uint64_t na = plan->a_digits, nb = plan->b_digits, n = fft_float_columns(plan);
    const unsigned pairs = plan->width > 0 ? 2 : 1;
    uint64_t *out = malloc(n * sizeof *out);
    fft_float_read(out, &p->c, 0, 1);  // in uneven parts
    fft_float_read(out + 1, &p->c, 1, n - 1);
    uint64_t wrong = 0;
    int64_t carry = 0;
    uint64_t column_carry = 0;
    for (uint64_t i = 0; i < pairs * n; i++) {
        int64_t sum = 0;
        for (uint64_t j = i < nb ? 0 : i - nb + 1; j < na && j <= i; j++) {
            sum += a[j] * b[i - j];
        }
        column_carry += i % pairs == 0 ? out[i / pairs] : 0;
        wrong += release(&carry, sum, plan->radix) != column_carry % plan->radix;
        column_carry /= plan->radix;
    }
    EXPECT_EQ(wrong, (uint64_t)0);
    EXPECT_EQ(column_carry, (uint64_t)carry + fft_float_surplus(plan));
    free(out);
}

// expect_product: coefficients and error of one product, or of a square for bn = 0. Returns the
// largest error over the proved bound.
static double expect_product(const kind *k, uint64_t an, uint64_t bn, float_shape s, float_shape t,
                             uint64_t radix) {
    product p;
    const uint64_t n = bn ? bn : an;
    const char *why = radix ? fft_float_plan_words(&p.plan, k->method, k->type, an, n, radix)
                            : fft_float_plan_limbs(&p.plan, k->method, k->type, an, n, false);
    EXPECT_TRUE(why == NULL);
    if (why) {
        return 0;
    }
    SCOPED_TRACE("%llu by %llu words, shapes %d and %d, %u bits%s", (unsigned long long)an,
                 (unsigned long long)n, s, t, p.plan.width, p.plan.balanced ? ", balanced" : "");
    start(&p, k);
    gen g = gen_seed(an * 1000 + bn + (uint64_t)s * 17 + (uint64_t)t);
    uint64_t *const words = malloc((an + n) * sizeof *words), *const other = words + an;
    const float_digits d = digits_of(&p.plan);
    float_fill(&g, &d, words, an, s);
    float_fill(&g, &d, other, n, t);
    const fft_float_operand a = {words, an}, b = {other, n};
    fft_float_convolve(&p.c, &a, bn ? &b : NULL);
    int64_t *const da = float_slow_digits(&d, words, an, p.plan.a_digits);
    int64_t *const db = bn ? float_slow_digits(&d, other, n, p.plan.b_digits) : da;
    expect_columns(&p, da, db);
    const double observed = fft_float_roundoff(&p.c, 0, p.plan.a_digits + p.plan.b_digits);
    const double proved = (double)p.plan.error * 0x1p-32;
    EXPECT_TRUE(observed <= proved && proved < 0.5);
    if (bn && k->method == FFT_BOUND_RIGHT_ANGLE) {
        void *const plane = lines(fft_float_plane_bytes(&p.plan));
        fft_float_prepare(&p.c, &b, plane);
        for (int i = 0; i < 2; i++) {  // twice: the plane is only read
            fft_float_convolve_prepared(&p.c, &a, plane);
            expect_columns(&p, da, db);
        }
        free(plane);
    }
    free(da);
    if (bn) {
        free(db);
    }
    free(words);
    stop(&p);
    return observed / proved;
}

// Every pair of shapes at small sizes, squares, far from square. Mutations: the top digit balanced
// away, a digit's neighbour of the wrong side, digits of b where a's should be, zeros missing
// behind the operand, the real part for the imaginary one, the scale, the bias of the first
// coefficient, a prepared plane that is written.
TEST_EACH(FloatProduct, IsExactOnAllShapes, kind, kinds, label) {
    static const uint64_t sizes[][2] = {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {7, 2}, {30, 1}, {19, 17}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        for (int s = 0; s < FLOAT_SHAPES; s++) {
            for (int t = 0; t < FLOAT_SHAPES; t++) {
                expect_product(p, sizes[i][0], sizes[i][1], (float_shape)s, (float_shape)t, 0);
            }
            expect_product(p, sizes[i][0], 0, (float_shape)s, (float_shape)s, 0);
        }
    }
}

// Middle sizes, where the widths are closest to what is proved: errors stay below the bound, and
// come within a factor that shows that they are errors at all. Mutations: a bound in other units, a
// level too few, transforms in a lower precision.
TEST_EACH(FloatProduct, ErrorsStayBelowTheBound, kind, kinds, label) {
    const bool narrow = p->type == FFT_F32;
    const uint64_t sizes[] = {40, narrow ? 100 : 300, narrow ? 160 : 1024};
    double most = 0;
    for (size_t i = 0; i < 3; i++) {
        for (int s = 0; s < FLOAT_SHAPES; s++) {
            const double ratio =
                expect_product(p, sizes[i], sizes[i] - 3, (float_shape)s, (float_shape)s, 0);
            most = ratio > most ? ratio : most;
        }
        expect_product(p, 4 * sizes[i], sizes[i] / 4, FLOAT_ALTERNATING, FLOAT_WAVE, 0);
        expect_product(p, sizes[i], 0, FLOAT_TOP_BITS, FLOAT_TOP_BITS, 0);
    }
    EXPECT_TRUE(most > 1e-4);
    ct_record("observed_over_proved_ppm", (long)(most * 1e6));
}

// Certified digits of uniform operands: the largest error of all coefficients is what the model
// says. Mutations: the variance of unsigned digits, coefficients that are not centred, a transform
// of three left out, sums in place of squares.
TEST_EACH(FloatProduct, CertifiedErrorsAreAsExpected, kind, kinds, label) {
    double least = 1, most = 0;
    for (uint64_t n = 60; n <= 4000; n = n * 3 / 2) {
        product p_;
        ASSERT_TRUE(fft_float_plan_limbs(&p_.plan, p->method, p->type, n, n, true) == NULL);
        SCOPED_TRACE("%llu limbs, %u bits", (unsigned long long)n, p_.plan.width);
        EXPECT_TRUE(p_.plan.certified && p_.plan.balanced);
        start(&p_, p);
        gen g = gen_seed(n);
        uint64_t *const words = malloc(2 * n * sizeof *words);
        gen_limbs(&g, GEN_UNIFORM, words, 2 * n);
        const fft_float_operand a = {words, n}, b = {words + n, n};
        fft_float_convolve(&p_.c, &a, &b);
        const double observed = fft_float_roundoff(&p_.c, 0, p_.plan.a_digits + p_.plan.b_digits);
        const double ratio = observed / ((double)p_.plan.error * 0x1p-32);
        least = ratio < least ? ratio : least;
        most = ratio > most ? ratio : most;
        free(words);
        stop(&p_);
    }
    EXPECT_TRUE(least > 1.0 / 8 && most < 0.75);
    ct_record("observed_over_expected_least_ppm", (long)(least * 1e6));
    ct_record("observed_over_expected_most_ppm", (long)(most * 1e6));
}

// Digits of radix 10^k. Mutations: half a radix rounded the other way, a word's 1 passed to itself.
TEST_EACH(FloatProduct, DecimalDigits, kind, kinds, label) {
    for (int s = 0; s < FLOAT_SHAPES; s++) {
        expect_product(p, 90, 70, (float_shape)s, (float_shape)(FLOAT_SHAPES - 1 - s), 10);
        expect_product(p, 33, 0, (float_shape)s, (float_shape)s, 10);
        if (p->type == FFT_F64) {
            expect_product(p, 200, 190, (float_shape)s, (float_shape)s, 10000);
            expect_product(p, 50, 20, (float_shape)s, (float_shape)(FLOAT_SHAPES - 1 - s), 100000);
            expect_product(p, 100, 90, (float_shape)s, (float_shape)s, 1000000);  // balanced
        } else {
            expect_product(p, 30, 25, (float_shape)s, (float_shape)s, 100);
        }
    }
}

// Widths are the greatest that are proved, points the fewest. Mutations: the search from below, an
// unsigned width where the balanced one is wider, points for one coefficient too many.
TEST(FloatProductPlan, TakesTheWidestDigits) {
    static const struct {
        uint64_t limbs;
        unsigned width;
        bool balanced;
        uint64_t points;
    } known[] = {{256, 18, true, 1024},
                 {1024, 17, true, 4096},
                 {2048, 16, true, 8192},
                 {4096, 16, true, 16384}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        fft_float_plan plan;
        ASSERT_TRUE(fft_float_plan_limbs(&plan, FFT_BOUND_RIGHT_ANGLE, FFT_F64, known[i].limbs,
                                         known[i].limbs, false) == NULL);
        EXPECT_EQ(plan.width, known[i].width);
        EXPECT_EQ(plan.balanced, known[i].balanced);
        EXPECT_EQ(plan.transform.problem.length, known[i].points);
        EXPECT_EQ(plan.a_digits, (known[i].limbs * 64 + plan.width - 1) / plan.width);
        EXPECT_TRUE(plan.error > 0 && plan.error < (uint64_t)1 << 31);
    }
}

// Every coefficient has its place, and no shorter length of the same kind would do. Mutations:
// points for one coefficient less, or one too many.
TEST(FloatProductPlan, CoversItsCoefficients) {
    for (uint64_t an = 1; an < 3000; an += 1 + an / 300) {
        for (int method = 0; method < 2; method++) {
            fft_float_plan plan;
            ASSERT_TRUE(fft_float_plan_limbs(&plan, (fft_bound_method)method, FFT_F64, an,
                                             an / 3 + 1, false) == NULL);
            SCOPED_TRACE("%llu limbs, method %d", (unsigned long long)an, method);
            const uint64_t room = method == FFT_BOUND_PACKED ? 1 : 2;
            const uint64_t points = plan.transform.problem.length;
            const uint64_t coefficients = plan.a_digits + plan.b_digits - 1;
            EXPECT_TRUE(room * points >= coefficients);
            uint64_t unit = 1;  // points - 1 is 4 to 7 units and a part of one
            while (points - 1 >= 8 * unit) {
                unit *= 2;
            }
            const uint64_t shorter = points > 128 ? points - unit : points / 2;
            EXPECT_TRUE(room * shorter < coefficients);
        }
    }
}

// What cannot be proved is refused with a reason. Mutation: width 0, or 1 taken unproved.
TEST(FloatProductPlan, RefusesWithAReason) {
    fft_float_plan plan;
    const char *why =
        fft_float_plan_limbs(&plan, FFT_BOUND_RIGHT_ANGLE, FFT_F32, 5000, 5000, false);
    EXPECT_TRUE(why && strstr(why, "float"));
    why = fft_float_plan_words(&plan, FFT_BOUND_PACKED, FFT_F64, 10, 10, 100000000);
    EXPECT_TRUE(why && strstr(why, "double"));
    why = fft_float_plan_limbs(&plan, FFT_BOUND_PACKED, FFT_F64, (uint64_t)1 << 40, 1, false);
    EXPECT_TRUE(why && strstr(why, "2^32"));
}
