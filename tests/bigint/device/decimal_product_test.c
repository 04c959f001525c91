// decimal_product_test.c: decimal products from text to text by every pipeline against GMP, and
// their rounding errors against the proved bound; on a device or under the kernel emulation.
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/decimal/product.h"
#include "bigint/device/decimal/tiled.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

// Every pipeline: the papers' form, with the library's carries, and in the largest proved base.
static const struct {
    const char *name;
    decimal_way way;
} ways[] = {
    {"Complex-ID", {.method = DECIMAL_COMPLEX, .k = 1, .two_phase = true}},
    {"Complex-ID FP32", {.method = DECIMAL_COMPLEX, .single = true, .k = 1, .two_phase = true}},
    {"Real-ID", {.method = DECIMAL_REAL, .k = 1, .two_phase = true}},
    {"Real-ID FP32", {.method = DECIMAL_REAL, .single = true, .k = 1, .two_phase = true}},
    {"Tiling-based", {.method = DECIMAL_TILED, .k = 1, .two_phase = true, .atomics = true}},
    {"complex, scan", {.method = DECIMAL_COMPLEX, .k = 1}},
    {"complex FP32, scan", {.method = DECIMAL_COMPLEX, .single = true, .k = 1}},
    {"real, scan", {.method = DECIMAL_REAL, .k = 1}},
    {"real FP32, scan", {.method = DECIMAL_REAL, .single = true, .k = 1}},
    {"tiled, scan", {.method = DECIMAL_TILED, .k = 1}},
    {"complex", {.method = DECIMAL_COMPLEX}},
    {"complex FP32", {.method = DECIMAL_COMPLEX, .single = true}},
    {"real", {.method = DECIMAL_REAL}},
    {"real FP32", {.method = DECIMAL_REAL, .single = true}},
    {"tiled, largest base", {.method = DECIMAL_TILED, .atomics = true}},
    {"tiled without atomics", {.method = DECIMAL_TILED}},
    {"real, 10^2", {.method = DECIMAL_REAL, .k = 2}},
};
enum { WAYS = sizeof ways / sizeof *ways };

// What a number's characters are: uniform, all 9, all 5 (balanced digits as small as they can be),
// 49999.. (as large), a power of ten, 0.
typedef enum { UNIFORM, NINES, FIVES, FOURS, POWER, ZERO, FILLS } fill;

static void draw(gen *g, char *s, uint64_t n, fill how) {
    for (uint64_t i = 0; i < n; i++) {
        s[i] = how == UNIFORM           ? (char)('0' + gen_below(g, 10))
               : how == NINES           ? '9'
               : how == FIVES           ? '5'
               : how == FOURS           ? (i % 5 == 4 ? '4' : '9')
               : how == POWER && i == 0 ? '1'
                                        : '0';
    }
}

// expected: the product of two texts, with leading zeros.
static void expected(char *text, const char *a, uint64_t an, const char *b, uint64_t bn) {
    char *const x = malloc(an + 1), *const y = malloc(bn + 1);
    memcpy(x, a, an), memcpy(y, b, bn);
    x[an] = y[bn] = '\0';
    mpz_t u, v;
    mpz_init_set_str(u, x, 10), mpz_init_set_str(v, y, 10);
    mpz_mul(u, u, v);
    char *const digits = mpz_get_str(NULL, 10, u);
    const size_t length = strlen(digits);
    memset(text, '0', an + bn - length);
    memcpy(text + an + bn - length, digits, length);
    free(digits), free(x), free(y);
    mpz_clears(u, v, NULL);
}

typedef struct {
    decimal_plan plan;
    decimal_product product;
    char *a, *b, *want;  // on the host
    char *a_there, *b_there, *text;
} fixture;

static void fixture_open(fixture *f, fill how) {
    const decimal_plan *const p = &f->plan;
    const uint64_t an = p->an, bn = p->bn, rows = p->form.rows, all = an + bn;
    gen g = gen_seed(an + bn);
    f->a = malloc(an * rows), f->b = malloc(bn * rows), f->want = malloc(all * rows);
    for (uint64_t i = 0; i < rows; i++) {
        draw(&g, f->a + i * an, an, (fill)((how + i) % FILLS));
        draw(&g, f->b + i * bn, bn, (fill)((how + 2 * i) % FILLS));
        const char *const other = p->square ? f->a + i * an : f->b + i * bn;
        expected(f->want + i * all, f->a + i * an, an, other, bn);
    }
    f->a_there = device_alloc(an * rows), f->b_there = device_alloc(bn * rows);
    f->text = device_alloc(all * rows);
    EXPECT_TRUE(device_upload(f->a_there, f->a, an * rows));
    EXPECT_TRUE(device_upload(f->b_there, f->b, bn * rows));
    EXPECT_TRUE(device_fill(f->text, 'x', all * rows));
    const size_t bytes = decimal_product_bytes(p), words = decimal_product_words_bytes(p);
    f->product = (decimal_product){.plan = p,
                                   .memory = device_alloc(bytes),
                                   .words = device_alloc(words),
                                   .words_bytes = words};
    EXPECT_TRUE(device_fill(f->product.memory, 0xA5, bytes));
    EXPECT_TRUE(device_fill(f->product.words, 0, words));
    EXPECT_EQ(decimal_product_tables(&f->product), RESULT_OK);
}

static void fixture_close(fixture *f) {
    device_free(f->a_there), device_free(f->b_there), device_free(f->text);
    device_free(f->product.memory), device_free(f->product.words);
    free(f->a), free(f->b), free(f->want);
}

// run: one plan's product twice, as a repeated call would.
static void run(fixture *f) {
    const size_t bytes = (f->plan.an + f->plan.bn) * f->plan.form.rows;
    char *const got = malloc(bytes);
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ(decimal_product_run(&f->product, f->a_there, f->plan.square ? NULL : f->b_there,
                                      f->text),
                  RESULT_OK);
        EXPECT_TRUE(device_download(got, f->text, bytes));
        EXPECT_TRUE(memcmp(got, f->want, bytes) == 0);
    }
    free(got);
}

static void check(unsigned which, uint64_t an, uint64_t bn, uint64_t rows, bool square, fill how) {
    SCOPED_TRACE("%s, %d by %d digits, %d rows%s, numbers %d", ways[which].name, (int)an, (int)bn,
                 (int)rows, square ? ", square" : "", how);
    fixture f;
    const char *const why = decimal_plan_make(&f.plan, &ways[which].way, an, bn, rows, square);
    if (why != NULL || !f.plan.proved) {
        EXPECT_TRUE(ways[which].way.single);  // all others are exact at such sizes
        return;
    }
    fixture_open(&f, how);
    run(&f);
    fixture_close(&f);
}

// Kernels that are emulated take every second kind of number: half of the ways one half.
static fill first(unsigned which) { return device_emulated() ? (fill)(which % 2) : UNIFORM; }
static fill step(void) { return device_emulated() ? (fill)2 : (fill)1; }

// Mutations: a digit read from the wrong end or one place off, the top digit balanced away, a
// coefficient beyond the last one counted, a row that reads its neighbour, real parts taken for
// imaginary ones, the scale left out, the second operand's padding not its own, a base that the
// carry does not share, coefficients cut where the text has a partial word.
TEST(DecimalProduct, EqualsGmp) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t lengths[][2] = {{1, 1},   {2, 1},   {1, 40},    {7, 8},     {31, 33},
                                          {64, 64}, {127, 1}, {129, 128}, {300, 500}, {1000, 3}};
    for (unsigned which = 0; which < WAYS; which++) {
        for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            for (fill how = first(which); how < FILLS; how += step()) {
                check(which, lengths[i][0], lengths[i][1], 1, false, how);
            }
            check(which, lengths[i][0], lengths[i][1], 3, false, NINES);
            check(which, lengths[i][0], lengths[i][0], 2, true, UNIFORM);
            check(which, lengths[i][0], lengths[i][0], 1, true, NINES);
        }
    }
}

// Lengths around powers of two and tiles, several passes, several tiles of carries.
TEST(DecimalProduct, LongNumbers) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned which = 0; which < WAYS; which++) {
        const bool slow = device_emulated() && ways[which].way.method == DECIMAL_TILED;
        for (fill how = first(which); how < POWER; how += step()) {
            check(which, 2047, 2049, 1, false, how);
            check(which, slow ? 1500 : 10000, slow ? 600 : 7001, 1, false, how);
        }
        if (!device_emulated()) {
            check(which, 65536, 65536, 1, false, NINES);
            check(which, 8192, 8192, 64, false, NINES);
        }
    }
}

// largest: the largest distance of a computed coefficient of row 0 from an integer.
static double largest(const fixture *f) {
    const decimal_form *const form = &f->plan.form;
    const unsigned parts = form->complex ? 2 : 1;
    const size_t numbers = form->points * parts;
    const size_t bytes = numbers * (form->number == DECIMAL_F32 ? sizeof(float) : sizeof(double));
    void *const found = malloc(bytes);
    EXPECT_TRUE(device_download(found, decimal_product_points(&f->product, 0), bytes));
    double most = 0;
    for (size_t i = 0; i < numbers; i += parts) {
        const double v =
            form->number == DECIMAL_F32 ? (double)((float *)found)[i] : ((double *)found)[i];
        most = fmax(most, fabs(v - rint(v)));
    }
    free(found);
    return most;
}

// Mutations: a layer of the transform of reals, or the longer top digit, is left out of the bound
// by more than what digits leave unused: errors stay below it, and are not so small that it could
// be off by factors unnoticed; a k above the largest proved one is taken for proved.
TEST(DecimalProduct, ErrorsKeepToTheBound) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned which = 0; which < WAYS; which++) {
        const decimal_way way = ways[which].way;
        for (uint64_t n = 16; n <= 4096 && way.method != DECIMAL_TILED; n *= 4) {
            SCOPED_TRACE("%s, %d digits", ways[which].name, (int)n);
            fixture f;
            if (decimal_plan_make(&f.plan, &way, n, n, 1, false) != NULL || !f.plan.proved) {
                continue;
            }
            EXPECT_TRUE(f.plan.error < UINT64_C(1) << 31);
            for (fill how = UNIFORM; how < POWER; how++) {
                fixture_open(&f, how);
                run(&f);
                EXPECT_TRUE(largest(&f) <= (double)f.plan.error * 0x1p-32);
                fixture_close(&f);
            }
            if (way.k == 0 && f.plan.way.k < DECIMAL_K_MAX) {
                const decimal_way wider = {
                    .method = way.method, .single = way.single, .k = f.plan.way.k + 1};
                decimal_plan plan;
                EXPECT_TRUE(decimal_plan_make(&plan, &wider, n, n, 1, false) != NULL ||
                            !plan.proved);
            }
        }
    }
}

// One row's frequencies: of complex points all, of reals one more than half. Within 4 roundings.
static void check_pointwise(bool complex, bool single) {
    enum { POINTS = 600, MOST = 2 * POINTS };
    const decimal_form form = {.number = single ? DECIMAL_F32 : DECIMAL_F64,
                               .complex = complex,
                               .k = 1,
                               .points = 512,
                               .rows = 1};
    const size_t items = complex ? 512 : 257, each = single ? sizeof(float) : sizeof(double);
    double x[MOST], y[MOST];
    float x_single[MOST], y_single[MOST];
    gen g = gen_seed(3);
    for (int i = 0; i < MOST; i++) {
        x[i] = x_single[i] = (float)gen_below(&g, 1000) - 500.0f;
        y[i] = y_single[i] = (float)gen_below(&g, 1000) - 500.0f;
    }
    void *const there[] = {device_alloc(MOST * each), device_alloc(MOST * each)};
    EXPECT_TRUE(device_upload(there[0], single ? (void *)x_single : x, MOST * each));
    EXPECT_TRUE(device_upload(there[1], single ? (void *)y_single : y, MOST * each));
    EXPECT_EQ(decimal_pointwise(&form, there[0], there[1], NULL), RESULT_OK);
    double found[MOST];
    float found_single[MOST];
    EXPECT_TRUE(device_download(single ? (void *)found_single : found, there[0], MOST * each));
    for (size_t i = 0; i < POINTS; i++) {
        const double a = x[2 * i], b = x[2 * i + 1], c = y[2 * i], d = y[2 * i + 1];
        const double re = i < items ? (a * c - b * d) / 512 : a;
        const double im = i < items ? (a * d + b * c) / 512 : b;
        const double most = ldexp(hypot(a, b) * hypot(c, d) / 512, single ? -22 : -51);
        EXPECT_TRUE(fabs((single ? (double)found_single[2 * i] : found[2 * i]) - re) <= most);
        EXPECT_TRUE(fabs((single ? (double)found_single[2 * i + 1] : found[2 * i + 1]) - im) <=
                    most);
    }
    device_free(there[0]), device_free(there[1]);
}

// The papers' kernel alone. Mutations: a sign, a conjugate, real and imaginary parts exchanged, the
// scale, an item too few or too many.
TEST(DecimalProduct, PointwiseProducts) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (int kind = 0; kind < 4; kind++) {
        check_pointwise((kind & 1) != 0, (kind & 2) != 0);
    }
}

// The bases of docs/proofs/complex_fft.md, section 8. Mutations: any constant of the bound.
TEST(DecimalPlan, LargestBases) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const struct {
        uint64_t n;
        unsigned complex, real, complex_single, real_single;  // 0: none is proved
    } rows[] = {
        {1 << 10, 6, 5, 1, 1}, {1 << 12, 5, 5, 0, 0}, {1 << 16, 4, 4, 0, 0},
        {1 << 20, 4, 4, 0, 0}, {1 << 23, 3, 3, 0, 0},
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        const unsigned want[] = {rows[i].complex, rows[i].real, rows[i].complex_single,
                                 rows[i].real_single};
        for (unsigned j = 0; j < 4; j++) {
            SCOPED_TRACE("%d digits, way %u", (int)rows[i].n, j);
            const decimal_way way = {.method = j % 2 ? DECIMAL_REAL : DECIMAL_COMPLEX,
                                     .single = j >= 2};
            decimal_plan plan;
            const char *const why = decimal_plan_make(&plan, &way, rows[i].n, rows[i].n, 1, false);
            EXPECT_EQ(why != NULL ? 0 : plan.way.k, want[j]);
        }
    }
}

// Mutations: two phases in another base, tiles whose coefficients leave 32 bits, or too many.
TEST(DecimalPlan, Refuses) {
    decimal_plan plan;
    decimal_way way = {.method = DECIMAL_REAL, .two_phase = true};
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 10, 10, 1, false) != NULL);
    way = (decimal_way){.method = DECIMAL_TILED, .k = 3};
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 10, 10, 1, false) != NULL);
    // 99^2 times 219,109 digits is above 2^31
    way.k = 2;
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 2 * 219108, 2 * 219108, 1, false) == NULL);
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 2 * 219109, 2 * 219109, 1, false) != NULL);
    way.k = 0;
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 2 * 219109, 2 * 219109, 1, false) == NULL);
    EXPECT_EQ(plan.way.k, 1u);
    EXPECT_TRUE(decimal_plan_make(&plan, &way, DECIMAL_TILED_DIGITS_MOST + 1, 1, 1, false) ==
                NULL);  // in base 100
    EXPECT_TRUE(decimal_plan_make(&plan, &way, 2 * DECIMAL_TILED_DIGITS_MOST + 1, 1, 1, false) !=
                NULL);
}
