// product_rows_test.c: batches of short products in one launch, on a device or under the kernel
// emulation, against GMP: every length, strides, one operand for all, lists of items, worst cases
// of carries.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/common_matrix.h"
#include "bigint/device/kernels/common_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "bigint/device/kernels/short_product.h"
#include "bigint/device/kernels/tiled_product.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

static const uint64_t mark = UINT64_C(0x7777777777777777);

static unsigned tiled_least(uint64_t an, uint64_t bn, bool squares) {
    return (void)squares, tiled_product_tiles(an, bn);
}
static unsigned common_least(uint64_t an, uint64_t bn, bool squares) {
    return (void)squares, common_product_tiles(an, bn);
}

static unsigned matrix_least(uint64_t an, uint64_t bn, bool squares) {
    return (void)squares, common_matrix_tiles(an, bn);
}

// The kernels, and the longest operands of equal length that they take, in general and of squares;
// 0: they take none.
static const struct {
    unsigned (*least)(uint64_t an, uint64_t bn, bool squares);
    result (*run)(const product_rows *rows, unsigned size, cuda_stream stream);
    uint64_t most, squares_most;
    bool common;  // one factor must be common to all products
} kernels[] = {{short_product_limbs, short_product, 16, 32, false},
               {tiled_least, tiled_product, 256, 256, false},
               {common_least, common_product, 128, 0, true},
               {matrix_least, common_matrix, 256, 0, true}};
enum { KERNELS = sizeof kernels / sizeof *kernels };

// batch: operands and results on the host and on the device, number i at i strides.
typedef struct {
    uint64_t an, bn, rn, count, a_stride, b_stride, r_stride;
    uint64_t *a, *b, *r, *on_device[3];
} batch;

static uint64_t words(uint64_t n, uint64_t stride, uint64_t count) {
    return n + stride * (count - 1) + 1;
}

// batch_open: `more`: limbs between numbers, and above products. A stride of 0 repeats a number.
static batch batch_open(uint64_t an, uint64_t bn, uint64_t count, bool a_common, bool b_common,
                        uint64_t more) {
    batch s = {.an = an, .bn = bn, .rn = an + bn + more, .count = count};
    s.a_stride = a_common ? 0 : an + more;
    s.b_stride = b_common ? 0 : bn + more;
    s.r_stride = s.rn + more;
    const uint64_t n[] = {words(an, s.a_stride, count), words(bn, s.b_stride, count),
                          words(s.rn, s.r_stride, count)};
    uint64_t **const host[] = {&s.a, &s.b, &s.r};
    for (int k = 0; k < 3; k++) {
        *host[k] = malloc(8 * n[k]);
        memset(*host[k], 0x77, 8 * n[k]);
        s.on_device[k] = device_alloc(8 * n[k]);
    }
    return s;
}

static void batch_fill(const batch *s, gen *g, gen_shape a_shape, gen_shape b_shape) {
    for (uint64_t i = 0; i < s->count; i++) {
        if (i == 0 || s->a_stride > 0) {
            gen_limbs(g, a_shape, s->a + i * s->a_stride, s->an);
        }
        if (i == 0 || s->b_stride > 0) {
            gen_limbs(g, b_shape, s->b + i * s->b_stride, s->bn);
        }
    }
}

static void batch_close(batch *s) {
    free(s->a), free(s->b), free(s->r);
    for (int k = 0; k < 3; k++) {
        device_free(s->on_device[k]);
    }
}

// items_of: the batch as a list on the device; even products have one limb of b less, if it has
// two.
static uint64_t shorter(const batch *s, uint64_t i) { return s->bn - (i % 2 == 0 && s->bn > 1); }
static product_item *items_of(const batch *s, const product_rows *all) {
    product_item *list = malloc(s->count * sizeof *list), *there;
    for (uint64_t i = 0; i < s->count; i++) {
        list[i] = all->first;
        list[i].r += i * s->r_stride, list[i].a += i * s->a_stride, list[i].b += i * s->b_stride;
        list[i].bn = shorter(s, i);
    }
    there = device_alloc(s->count * sizeof *list);
    EXPECT_TRUE(device_upload(there, list, s->count * sizeof *list));
    free(list);
    return there;
}

// batch_run: products are GMP's, padded, and nothing else is written.
static void batch_run(batch *s, int kernel, bool listed) {
    SCOPED_TRACE("kernel %d: %llu times %llu x %llu limbs, listed %d", kernel,
                 (unsigned long long)s->count, (unsigned long long)s->an, (unsigned long long)s->bn,
                 listed);
    const uint64_t r_words = words(s->rn, s->r_stride, s->count);
    product_rows all = {{s->on_device[2], s->on_device[0], s->on_device[1], s->rn, s->an, s->bn},
                        s->r_stride,
                        s->a_stride,
                        s->b_stride,
                        NULL,
                        s->count,
                        0};
    product_item *list = NULL;
    if (listed) {
        all.items = list = items_of(s, &all);
    }
    memset(s->r, 0x77, 8 * r_words);
    EXPECT_TRUE(device_upload(s->on_device[0], s->a, 8 * words(s->an, s->a_stride, s->count)) &&
                device_upload(s->on_device[1], s->b, 8 * words(s->bn, s->b_stride, s->count)) &&
                device_upload(s->on_device[2], s->r, 8 * r_words));
    EXPECT_EQ(kernels[kernel].run(&all, kernels[kernel].least(s->an, s->bn, false), NULL),
              RESULT_OK);
    EXPECT_TRUE(device_download(s->r, s->on_device[2], 8 * r_words));
    uint64_t *want = malloc(8 * s->rn);
    for (uint64_t i = 0; i < s->count; i++) {
        const uint64_t bn = listed ? shorter(s, i) : s->bn;
        const uint64_t *a = s->a + i * s->a_stride, *b = s->b + i * s->b_stride;
        uint64_t *const r = s->r + i * s->r_stride;
        memset(want, 0, 8 * s->rn);
        if (s->an >= bn) {
            mpn_mul(want, a, (mp_size_t)s->an, b, (mp_size_t)bn);
        } else {
            mpn_mul(want, b, (mp_size_t)bn, a, (mp_size_t)s->an);
        }
        EXPECT_LIMBS_EQ(r, want, s->rn);
        for (uint64_t k = s->rn; i + 1 < s->count && k < s->r_stride; k++) {
            EXPECT_EQ(r[k], mark);
        }
    }
    EXPECT_EQ(s->r[r_words - 1], mark);
    free(want);
    device_free(list);
}

// one: as many products of the same lengths, of a shape each, of one b where the kernel needs that.
static void one(gen *g, int kernel, uint64_t an, uint64_t bn, uint64_t count, gen_shape a_shape,
                gen_shape b_shape) {
    batch s = batch_open(an, bn, count, false, kernels[kernel].common, 0);
    batch_fill(&s, g, a_shape, b_shape);
    batch_run(&s, kernel, false);
    batch_close(&s);
}

// every_length calls run with lengths up to what the kernel takes, all of them on a device.
static void every_length(void (*run)(gen *g, int kernel, uint64_t an, uint64_t bn)) {
    gen g = gen_seed(21);
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        const uint64_t most = kernels[kernel].most;
        for (uint64_t n = 1; n < most; n += device_emulated() ? 1 + n / 2 : 1) {
            run(&g, kernel, n, 1 + gen_below(&g, n));
            run(&g, kernel, n / 2 + 1, n);
        }
        run(&g, kernel, most, most);
    }
}

static void lengths(gen *g, int kernel, uint64_t an, uint64_t bn) {
    const uint64_t count = device_emulated() ? 1 + an % 3 : 40;
    one(g, kernel, an, bn, count, GEN_UNIFORM, GEN_UNIFORM);
    one(g, kernel, bn, bn, 1, GEN_ONES, GEN_ONES);
}

// Mutations: a step of rho, the last s, or a window of b left out; too few zeros below a row; a
// limb beyond an operand read, or its last one not; the longer operand taken for the shorter one;
// a column of the square not doubled.
TEST(ProductRows, EveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    every_length(lengths);
}

static void carries(gen *g, int kernel, uint64_t an, uint64_t bn) {
    static const gen_shape first[] = {GEN_ONES, GEN_POWER_MINUS, GEN_POWER, GEN_ZERO, GEN_SPARSE};
    static const gen_shape second[] = {GEN_POWER_PLUS, GEN_POWER_PLUS, GEN_RUNS, GEN_ONES,
                                       GEN_ALTERNATING};
    const uint64_t together = kernels[kernel].common ? 16 : 1;  // in a warp
    for (size_t i = 0; i < sizeof first / sizeof *first; i++) {
        one(g, kernel, an, bn, together, first[i], second[i]);
    }
    // (2^(64 k) - 1) (2^(64 (bn - 1)) + 1): ones, zeros, and ones.
    batch s = batch_open(an, bn, together, false, kernels[kernel].common, 0);
    for (uint64_t i = 0; i < together; i++) {
        memset(s.a + i * s.a_stride, i % 3 == 0 ? 0xFF : 0xEF, 8 * an);
    }
    memset(s.b, 0, 8 * bn);
    s.b[0] = s.b[bn - 1] = 1;
    batch_run(&s, kernel, false);
    // (2^(64 an) - 1) b = 2^(64 an) b - b, where b = 1 + 2^(64 (bn - 1)) (2^64 - 1): what leaves
    // the limbs below number an goes through all above it but the last, which become zeros.
    memset(s.a, 0xFF, 8 * an * together);
    s.b[bn - 1] = bn > 1 ? UINT64_MAX : 1;
    batch_run(&s, kernel, false);
    batch_close(&s);
}

// Mutations: a carry or spill lost between lanes, tiles, columns or warps of a team; one that
// starts at the wrong lane, is taken into the next product, or goes through limbs of another one;
// the carry of a late spill is not added, or stops after a limb.
TEST(ProductRows, Carries) {
    if (!device_ready()) {
        SKIP("no device");
    }
    every_length(carries);
}

// Products at strides, padded, of one operand with all others, as a list, of numbers with
// themselves. Mutations: a stride for another; stride 0 advances; a number kept in registers is
// that of another product; padding is left, or goes into what is between results; a list's lengths
// are the first one's; the second stage of operands is read for the first one.
TEST(ProductRows, Forms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const uint64_t sizes[][2] = {{1, 1},   {5, 3},  {16, 16}, {9, 23},
                                        {32, 32}, {33, 1}, {3, 60}};
    gen g = gen_seed(22);
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            const uint64_t an = sizes[i][0], bn = sizes[i][1];
            if (kernels[kernel].least(an, bn, false) == 0) {
                continue;
            }
            for (int form = 0; form < 8; form++) {
                if (kernels[kernel].common && (form == 0 || form >= 4)) {
                    continue;
                }
                const uint64_t count = 1 + gen_below(&g, device_emulated() ? 36 : 5000);
                batch s = batch_open(an, bn, count, (form & 1) != 0, (form & 2) != 0,
                                     gen_below(&g, 4) * 30);
                batch_fill(&s, &g, GEN_UNIFORM, GEN_RUNS);
                device_order((uint64_t)form);
                batch_run(&s, kernel, (form & 4) != 0);
                device_order(0);
                batch_close(&s);
            }
        }
    }
}

// More products by a common factor than teams of two warps, or blocks of warpgroups, begin with.
// Mutations: a warp of a team takes another group than the other one, or a group is left out or
// made twice; rows give way, or what a team has between its warps, before all have read it.
TEST(ProductRows, Teams) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(24);
    device_order(1);
    one(&g, 2, 97, 101, device_emulated() ? 258 : 60001, GEN_RUNS, GEN_UNIFORM);
    one(&g, 3, 20, 33, device_emulated() ? 600 : 60001, GEN_RUNS, GEN_UNIFORM);
    one(&g, 3, device_emulated() ? 65 : 256, 60, device_emulated() ? 100 : 60001, GEN_RUNS,
        GEN_UNIFORM);
    device_order(0);
}

// squares_run: count squares of n limbs at strides, over themselves where they are one.
static void squares_run(gen *g, int kernel, uint64_t n, uint64_t count) {
    SCOPED_TRACE("kernel %d: %llu squares of %llu limbs", kernel, (unsigned long long)count,
                 (unsigned long long)n);
    const uint64_t stride = 2 * n + 1, bytes = 8 * stride * count;
    uint64_t *a = malloc(bytes), *r = malloc(bytes), *want = malloc(16 * n);
    uint64_t *there = device_alloc(bytes), *to = count == 1 ? there : device_alloc(bytes);
    for (uint64_t i = 0; i < count; i++) {
        gen_limbs(g, (gen_shape)((n + i) % GEN_SHAPES), a + i * stride, n);
    }
    memset(r, 0x77, bytes);
    EXPECT_TRUE(device_upload(to, r, bytes) && device_upload(there, a, bytes));
    const product_rows rows = {
        {to, there, there, 2 * n, n, n}, stride, stride, stride, NULL, count, 0};
    EXPECT_EQ(kernels[kernel].run(&rows, kernels[kernel].least(n, n, true), NULL), RESULT_OK);
    EXPECT_TRUE(device_download(r, to, bytes));
    for (uint64_t i = 0; i < count; i++) {
        mpn_sqr(want, a + i * stride, (mp_size_t)n);
        EXPECT_LIMBS_EQ(r + i * stride, want, 2 * n);
        EXPECT_TRUE(count == 1 || r[i * stride + 2 * n] == mark);
    }
    free(a), free(r), free(want);
    device_free(there);
    if (count > 1) {
        device_free(to);
    }
}

// Squares of batches, and of one number over itself. Mutations: the other operand is read; a column
// of a square has each product once; the upper half is taken for the lower one, or what the lower
// columns leave for the others is lost, or is not doubled; the result is written before all is
// read; the second part of a long square is the first again, or goes where that is.
TEST(ProductRows, Squares) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(23);
    const uint64_t step = device_emulated() ? 3 : 1, least = device_emulated() ? 2 : 1;
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        for (uint64_t n = least; n <= kernels[kernel].squares_most;
             n = n < 33 ? n + step : 2 * n - 8) {
            squares_run(&g, kernel, n, 1);
            squares_run(&g, kernel, n, device_emulated() ? 1 + n % 3 * (n < 33 ? 9 : 1) : 1000);
        }
    }
    static const uint64_t halved[] = {129, 192, 193, 256};  // limbs, by tiles
    for (size_t i = 0; i < sizeof halved / sizeof *halved; i++) {
        squares_run(&g, 1, halved[i], device_emulated() ? 4 : 1000);
    }
}

// Products of nothing and no products. Mutations: limbs are read where there are none.
TEST(ProductRows, Nothing) {
    if (!device_ready()) {
        SKIP("no device");
    }
    uint64_t r[40], *there = device_alloc(sizeof r);
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        product_rows rows = product_rows_of((product_item){there, NULL, NULL, 39, 0, 0});
        memset(r, 0x77, sizeof r);
        EXPECT_TRUE(device_upload(there, r, sizeof r));
        EXPECT_EQ(kernels[kernel].run(&rows, 1, NULL), RESULT_OK);
        EXPECT_TRUE(device_download(r, there, sizeof r));
        for (int i = 0; i < 40; i++) {
            EXPECT_EQ(r[i], i < 39 ? 0 : mark);
        }
        rows.first.r = NULL;
        rows.count = 0;
        EXPECT_EQ(kernels[kernel].run(&rows, 1, NULL), RESULT_OK);
    }
    device_free(there);
}

// Every pair of lengths has the least kernel that it fits, or none. Mutations: <= and < in any of
// the limits.
TEST(ProductRows, Kernels) {
    static const struct {
        uint64_t an, bn;
        unsigned limbs, tiles, squares;
    } cases[] = {
        {1, 1, 1, 1, 1},          {2, 1, 2, 1, 2},      {3, 4, 4, 1, 4},      {8, 8, 8, 1, 8},
        {9, 8, 12, 1, 12},        {13, 13, 16, 1, 16},  {16, 16, 16, 1, 16},  {16, 17, 0, 2, 24},
        {1, 32, 0, 2, 32},        {25, 25, 0, 2, 32},   {32, 32, 0, 2, 32},   {1, 33, 0, 3, 0},
        {48, 48, 0, 3, 0},        {49, 48, 0, 4, 0},    {64, 64, 0, 4, 0},    {65, 64, 0, 6, 0},
        {96, 96, 0, 6, 0},        {97, 96, 0, 8, 0},    {128, 128, 0, 8, 0},  {1, 129, 0, 12, 0},
        {192, 192, 0, 12, 0},     {193, 192, 0, 16, 0}, {256, 256, 0, 16, 0}, {257, 1, 0, 0, 0},
        {1, UINT64_MAX, 0, 0, 0},
    };
    for (size_t i = 0; device_ready() && i < sizeof cases / sizeof *cases; i++) {
        const uint64_t an = cases[i].an, bn = cases[i].bn, longer = an > bn ? an : bn;
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(short_product_limbs(an, bn, false), cases[i].limbs);
        EXPECT_EQ(short_product_limbs(an, bn, true), cases[i].squares);
        EXPECT_EQ(tiled_product_tiles(an, bn), cases[i].tiles);
        EXPECT_EQ(tiled_product_tiles(bn, an), cases[i].tiles);
        EXPECT_EQ(common_product_tiles(an, bn), longer > 128 ? 0 : (longer + 15) / 16);
        EXPECT_EQ(common_matrix_tiles(an, bn), longer > 256 ? 0 : (longer + 15) / 16);
    }
    EXPECT_EQ(common_product_tiles(0, 0), device_ready() ? 1u : 0u);
    const product_rows none = {.count = 0};
    EXPECT_EQ(short_product(&none, 3, NULL), device_ready() ? RESULT_REFUSED : RESULT_NO_DEVICE);
    EXPECT_EQ(tiled_product(&none, 5, NULL), device_ready() ? RESULT_REFUSED : RESULT_NO_DEVICE);
    // Not of a list, nor without a common factor, nor of more tiles than there are.
    const product_item item = {.an = 1};
    const product_rows refused[] = {
        {.items = &item}, {.a_stride = 1, .b_stride = 1}, {.count = 0}, {.count = 0}};
    const unsigned tiles[][2] = {{1, 1}, {1, 1}, {0, 0}, {9, 17}};
    const result answer = device_ready() ? RESULT_REFUSED : RESULT_NO_DEVICE;
    for (int i = 0; i < 4; i++) {
        EXPECT_EQ(common_product(&refused[i], tiles[i][0], NULL), answer);
        EXPECT_EQ(common_matrix(&refused[i], tiles[i][1], NULL), answer);
    }
}
