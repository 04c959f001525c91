// Right-angle convolutions against the schoolbook: whole numbers, so small that rounding gives the
// exact sums.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/fft/complex/fixture.h"

// z = x y modulo t^m + 1, m = 2 points values each.
static void schoolbook(int64_t *z, const int64_t *x, const int64_t *y, uint64_t m) {
    memset(z, 0, m * sizeof *z);
    for (uint64_t i = 0; i < m; i++) {
        for (uint64_t j = 0; j < m && x[i] != 0; j++) {
            z[(i + j) % m] += i + j < m ? x[i] * y[j] : -x[i] * y[j];
        }
    }
}

typedef struct {
    fft_float type;
    uint64_t points, x_count, y_count;
    cpu_simd simd;
    unsigned threads;
    bool square;
} operands;

static int64_t digit(gen *g, fft_float type, unsigned shape) {
    const int64_t top = type == FFT_F64 ? 1 << 12 : 1 << 3;
    const int64_t random = (int64_t)gen_below(g, (uint64_t)(2 * top)) - top;
    return shape == 0 ? random : shape == 1 ? top : shape == 2 ? -top : random % 2 * top;
}

// values: `count` digits, zeros behind them, and beyond those what must not be read.
static void make(gen *g, const operands *o, uint64_t count, unsigned shape, int64_t *digits,
                 int32_t *values) {
    for (uint64_t i = 0; i < 2 * o->points; i++) {
        digits[i] = i < count ? digit(g, o->type, shape) : 0;
        values[i] = count > o->points || i < o->points ? (int32_t)digits[i] : 1000000000;
    }
}

static void expect_rounds_to(fft_float type, const void *z, const int64_t *want, uint64_t m) {
    uint64_t wrong = 0;
    double worst = 0;
    for (uint64_t i = 0; i < m; i++) {
        const double got = complex_get(type, z, i);
        worst = fmax(worst, fabs(got - (double)want[i]));
        wrong += llrint(got) != want[i];
    }
    EXPECT_EQ(wrong, (uint64_t)0);
    EXPECT_TRUE(worst < 0.45);
}

// in_order: the values of a convolution in their places, to `to` one behind the other.
static void in_order(const complex_with *w, fft_float type, const void *places, void *to) {
    const fft_product_places at = fft_product_places_of(&w->plan);
    const uint64_t all = 2 * w->plan.problem.length, size = fft_float_bytes(type);
    for (uint64_t i = 0; i < all; i += at.run) {
        memcpy((char *)to + i * size, (const char *)places + i / at.run * at.apart * size,
               at.run * size);
    }
}

static uint64_t places_bytes(const complex_with *w, fft_float type) {
    return fft_product_places_of(&w->plan).all * fft_float_bytes(type);
}

// expect_sums: a b + a a and a b - a a from planes; the difference's values into z.
static void expect_sums(const complex_with *w, const operands *o, const int64_t *x,
                        const int64_t *y, const fft_integers *a, const void *b_plane, void *z) {
    const uint64_t m = 2 * o->points;
    int64_t *const product = complex_alloc(m * 8), *const want = complex_alloc(m * 8);
    void *const a_plane = complex_alloc(fft_product_plane_bytes(&w->plan));
    void *const room = complex_alloc(places_bytes(w, o->type));
    const void *const planes[] = {a_plane, b_plane, a_plane, a_plane};
    fft_product_prepare(&w->run, a, a_plane);
    schoolbook(product, x, y, m);
    for (unsigned minus = 0; minus < 2; minus++) {
        schoolbook(want, x, x, m);
        for (uint64_t i = 0; i < m; i++) {
            want[i] = product[i] + (minus ? -want[i] : want[i]);
        }
        fft_product_sum(&w->run, planes, minus, room);
        in_order(w, o->type, room, z);
        expect_rounds_to(o->type, z, want, m);
    }
    free(product);
    free(want);
    free(a_plane);
    free(room);
}

// All ways to the product of o's operands; the first one's values into z, and the values of a
// difference behind them.
static void expect_product(const operands *o, unsigned shape, void *z) {
    const uint64_t m = 2 * o->points, bytes = complex_bytes(o->type, m);
    const fft_complex_problem problem = {o->type, FFT_REVERSED, true, o->points, 1, o->points};
    gen g = gen_seed(o->points + shape);
    complex_with w;
    complex_open(&w, &problem, o->simd, o->threads);
    int64_t *const x = complex_alloc(m * 8), *const y = complex_alloc(m * 8);
    int64_t *const want = complex_alloc(m * 8);
    void *const room = complex_alloc(places_bytes(&w, o->type)), *const again =
                                                                     complex_alloc(bytes);
    void *const xv = complex_alloc(places_bytes(&w, o->type)), *const yv = complex_alloc(bytes);
    void *const plane = complex_alloc(fft_product_plane_bytes(&w.plan));
    make(&g, o, o->x_count, shape, x, xv);
    make(&g, o, o->y_count, shape, y, yv);
    schoolbook(want, x, o->square ? x : y, m);
    const fft_integers a = {.values = xv, .count = o->x_count};
    const fft_integers b = {.values = yv, .count = o->y_count};
    const fft_integers *const second = o->square ? &a : &b;
    fft_product_convolve(&w.run, &a, o->square ? NULL : &b, room);
    in_order(&w, o->type, room, z);
    expect_rounds_to(o->type, z, want, m);
    fft_product_prepare(&w.run, second, plane);
    for (unsigned i = 0; i < 2; i++) {  // twice: the plane is only read
        fft_product_prepared(&w.run, &a, plane, room);
        in_order(&w, o->type, room, again);
        EXPECT_TRUE(memcmp(again, z, bytes) == 0);
    }
    expect_sums(&w, o, x, o->square ? x : y, &a, plane, (char *)z + bytes);
    fft_product_convolve(&w.run, &a, o->square ? NULL : &b, xv);  // onto an operand
    in_order(&w, o->type, xv, again);
    EXPECT_TRUE(memcmp(again, z, bytes) == 0);
    complex_close(&w);
    free(x);
    free(y);
    free(want);
    free(room);
    free(again);
    free(xv);
    free(yv);
    free(plane);
}

// expect_variants: every variant, one to three threads: the same bits.
static void expect_variants(operands o, unsigned shape) {
    const complex_variants here = complex_variants_here();
    const uint64_t bytes = complex_bytes(o.type, 2 * o.points);
    void *const first = complex_alloc(2 * bytes), *const z = complex_alloc(2 * bytes);
    for (unsigned v = 0; v < here.count; v++) {
        SCOPED_TRACE("%llu points, %llu by %llu, variant %s", (unsigned long long)o.points,
                     (unsigned long long)o.x_count, (unsigned long long)o.y_count,
                     cpu_simd_name(here.simd[v]));
        o.simd = here.simd[v];
        o.threads = 1 + v;
        expect_product(&o, shape, v == 0 ? first : z);
        EXPECT_TRUE(v == 0 || memcmp(first, z, 2 * bytes) == 0);
    }
    free(first);
    free(z);
}

// Mutations: the root's angle (no wrap, or one with the wrong sign), the second operand's spectrum
// instead of the product, the scale, values past the count, halves exchanged, values out of
// their places, the prepared plane written, a square read after its leaf was overwritten; sums: the
// sign, one plane for another, the row's place in the planes.
TEST(ComplexProduct, EqualsTheSchoolbook) {
    static const uint64_t points[] = {1,  2,  3,  4,  5,  7,  8,   12, 15,
                                      24, 32, 40, 63, 64, 96, 256, 420};
    for (unsigned i = 0; i < sizeof points / sizeof points[0]; i++) {
        for (unsigned type = 0; type < FFT_FLOATS; type++) {
            for (unsigned shape = 0; shape < 4; shape++) {
                const uint64_t n = points[i], m = 2 * n;
                const operands full = {
                    .type = (fft_float)type, .points = n, .x_count = m, .y_count = m};
                operands half = full, square = full;
                half.x_count = n;
                half.y_count = n / 2 + 1;
                square.square = true;
                expect_variants(full, shape);
                expect_variants(half, shape);
                expect_variants(square, shape);
            }
        }
    }
}

// Several rows: the strips and rows of both planes; 2^12: one, and room between values. Sparse
// operands keep the schoolbook short. Mutation: the planes' distance in the workspace, a row of the
// wrong operand.
TEST(ComplexProduct, SeveralRows) {
    static const uint64_t points[] = {1 << 12, 1 << 16, 3 << 15, 5 << 15};
    for (unsigned i = 0; i < sizeof points / sizeof points[0]; i++) {
        const uint64_t n = points[i];
        const operands o = {.type = FFT_F64, .points = n, .x_count = 37, .y_count = 2 * n};
        expect_variants(o, 0);
    }
}

// Plans with rows for a team compute the same bits. Mutation: a column pass that stays a row pass
// too, rows of the first layout.
TEST(ComplexProduct, SharedRows) {
    static const uint64_t points[] = {1 << 13, 3 << 12, 1 << 14, 1 << 15};
    for (unsigned i = 0; i < sizeof points / sizeof points[0]; i++) {
        const uint64_t n = points[i], bytes = complex_bytes(FFT_F64, 2 * n);
        const fft_complex_problem problem = {FFT_F64, FFT_REVERSED, true, n, 1, n};
        const operands o = {.type = FFT_F64, .points = n, .x_count = 2 * n, .y_count = 2 * n};
        gen g = gen_seed(n);
        complex_with w;
        complex_open(&w, &problem, complex_variants_here().simd[0], 3);
        int64_t *const digits = complex_alloc(2 * n * 8);
        void *const x = complex_alloc(bytes), *const y = complex_alloc(bytes);
        void *const one = complex_alloc(bytes), *const shared = complex_alloc(bytes);
        void *const room = complex_alloc(places_bytes(&w, FFT_F64));
        make(&g, &o, 2 * n, 0, digits, x);
        make(&g, &o, 2 * n, 0, digits, y);
        const fft_integers a = {.values = x, .count = 2 * n}, b = {.values = y, .count = 2 * n};
        fft_product_convolve(&w.run, &a, &b, room);
        in_order(&w, FFT_F64, room, one);
        const uint64_t rows = w.plan.rows;
        fft_product_share(&w.plan);
        EXPECT_TRUE(w.plan.rows >= 8 && w.plan.rows > rows);
        void *const workspace = complex_alloc(fft_product_workspace_bytes(&w.plan, 3));
        w.run.workspace = workspace;
        fft_product_convolve(&w.run, &a, &b, room);
        in_order(&w, FFT_F64, room, shared);
        EXPECT_TRUE(memcmp(one, shared, bytes) == 0);
        complex_close(&w);
        free(workspace);
        free(digits);
        free(x);
        free(y);
        free(one);
        free(shared);
        free(room);
    }
}

// read_values: fft_integers.read: a copy, with zeros past the count.
typedef struct {
    const int32_t *values;
    uint64_t count;
} stored;
static void read_values(const void *from, int32_t *to, uint64_t first, size_t n) {
    const stored *const s = from;
    EXPECT_TRUE(n >= 1 && n <= FFT_PRODUCT_READ);
    for (size_t i = 0; i < n; i++) {
        to[i] = first + i < s->count ? s->values[first + i] : 0;
    }
}

// expect_read: products of integers that are made piece by piece, and of the same ones in memory:
// the same bits.
static void expect_read(const operands *o) {
    const fft_complex_problem problem = {o->type, FFT_REVERSED, true, o->points, 1, o->points};
    gen g = gen_seed(o->points);
    complex_with w;
    complex_open(&w, &problem, o->simd, 1);
    const uint64_t m = 2 * o->points, bytes = complex_bytes(o->type, m);
    int64_t *const digits = complex_alloc(m * 8);
    int32_t *const x = complex_alloc(m * 4), *const y = complex_alloc(m * 4);
    void *const places = complex_alloc(places_bytes(&w, o->type));
    void *const want = complex_alloc(bytes), *const got = complex_alloc(bytes);
    void *const plane = complex_alloc(fft_product_plane_bytes(&w.plan));
    make(&g, o, o->x_count, 0, digits, x);
    make(&g, o, o->y_count, 0, digits, y);
    const stored xs = {x, o->x_count}, ys = {y, o->y_count};
    const fft_integers a = {.values = x, .count = o->x_count};
    const fft_integers b = {.values = y, .count = o->y_count};
    const fft_integers c = {.count = o->x_count, .read = read_values, .from = &xs};
    const fft_integers d = {.count = o->y_count, .read = read_values, .from = &ys};
    ASSERT_TRUE(fft_product_reads(&w.plan));
    fft_product_convolve(&w.run, &a, &b, places);
    in_order(&w, o->type, places, want);
    fft_product_convolve(&w.run, &c, &d, places);
    in_order(&w, o->type, places, got);
    EXPECT_TRUE(memcmp(got, want, bytes) == 0);
    fft_product_prepare(&w.run, &d, plane);
    fft_product_prepared(&w.run, &c, plane, places);
    in_order(&w, o->type, places, got);
    EXPECT_TRUE(memcmp(got, want, bytes) == 0);
    complex_close(&w);
    free(digits), free(x), free(y), free(places), free(want), free(got), free(plane);
}

// 1600 points: strips of 128 and of 72 columns; 12 and 20: fewer lanes or columns than a vector.
// Mutations: a run of another strip, the imaginary parts left out or read at another distance, the
// last strip as long as the others, cells of the first strip overwritten.
TEST(ComplexProduct, IntegersMadePieceByPiece) {
    static const uint64_t points[] = {1, 12, 20, 96, 1024, 1600, 1 << 12};
    const complex_variants here = complex_variants_here();
    for (unsigned i = 0; i < sizeof points / sizeof points[0]; i++) {
        for (unsigned v = 0; v < here.count; v++) {
            for (unsigned type = 0; type < FFT_FLOATS; type++) {
                SCOPED_TRACE("%llu points, %s", (unsigned long long)points[i],
                             cpu_simd_name(here.simd[v]));
                operands o = {.type = (fft_float)type,
                              .points = points[i],
                              .x_count = 2 * points[i],
                              .y_count = points[i] / 2 + 1,
                              .simd = here.simd[v]};
                expect_read(&o);
                o.x_count = points[i];
                expect_read(&o);
            }
        }
    }
}
