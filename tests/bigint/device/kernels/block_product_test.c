// block_product_test.c: batches of products in floating point in one launch, on a device or under
// the kernel emulation, against GMP: each kernel, lengths around its limits, largest digits,
// carries over everything, results over their factors, forms of batches.

#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/block_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { LG_LEAST = 10, LG_MOST = 14 };
static const uint64_t mark = UINT64_C(0x7777777777777777);

// Shapes beyond gen.h's: digits of 16 bits that are as large as balanced ones can be, all of one
// sign or of alternating signs.
enum { ONE_SIGN = GEN_SHAPES, BOTH_SIGNS, SHAPES };

static void fill(gen *g, unsigned shape, uint64_t *p, uint64_t n) {
    for (uint64_t i = 0; i < n; i++) {
        p[i] = shape == ONE_SIGN ? UINT64_C(0x8000800080008000) : UINT64_C(0x7FFF80007FFF8000);
    }
    if (shape < GEN_SHAPES) {
        gen_limbs(g, (gen_shape)shape, p, n);
    }
}

static void multiply(uint64_t *r, const uint64_t *a, uint64_t an, const uint64_t *b, uint64_t bn) {
    if (an >= bn) {
        mpn_mul(r, a, (mp_size_t)an, b, (mp_size_t)bn);
    } else {
        mpn_mul(r, b, (mp_size_t)bn, a, (mp_size_t)an);
    }
}

// multiply_rows: block_product with this much workspace, which is not touched behind it.
static void multiply_rows(const product_rows *rows, unsigned lg, size_t bytes) {
    unsigned char *const workspace = device_alloc(bytes + 8);
    uint64_t behind = 0;
    EXPECT_TRUE(device_upload(workspace + bytes, &mark, sizeof mark));
    EXPECT_EQ(block_product(rows, lg, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(&behind, workspace + bytes, sizeof behind));
    EXPECT_EQ(behind, mark);
    device_free(workspace);
}

// batch: `count` products of an by bn limbs, numbers `gap` limbs apart; room for results of rn
// limbs and a mark behind each.
typedef struct {
    uint64_t an, bn, rn, gap, count;
    bool a_common, b_common, square, listed;
    bool few;  // workspace for one product
} batch;

static uint64_t a_step(const batch *s) { return s->a_common ? 0 : s->an + s->gap; }
static uint64_t b_step(const batch *s) { return s->b_common ? 0 : s->bn + s->gap; }
static uint64_t r_step(const batch *s) { return s->rn + 1; }

// Number i of a list is shorter by i mod 3 limbs.
static uint64_t length(const batch *s, uint64_t n, uint64_t i) {
    return s->listed && n > 3 ? n - i % 3 : n;
}

static void run(gen *g, const batch *s, unsigned lg, unsigned a_shape, unsigned b_shape) {
    SCOPED_TRACE("2^%u points, %llu times %llu x %llu limbs, shapes %u, %u", lg,
                 (unsigned long long)s->count, (unsigned long long)s->an, (unsigned long long)s->bn,
                 a_shape, b_shape);
    const uint64_t words[3] = {(s->an + s->gap) * s->count, (s->bn + s->gap) * s->count,
                               r_step(s) * s->count};
    uint64_t *host[3], *there[3];
    for (int k = 0; k < 3; k++) {
        host[k] = malloc(8 * words[k]);
        memset(host[k], 0x77, 8 * words[k]);
        there[k] = device_alloc(8 * words[k]);
    }
    for (uint64_t i = 0; i < s->count; i++) {
        fill(g, a_shape, host[0] + i * a_step(s), s->an);
        fill(g, b_shape, host[1] + i * b_step(s), s->bn);
    }
    for (int k = 0; k < 3; k++) {
        EXPECT_TRUE(device_upload(there[k], host[k], 8 * words[k]));
    }
    const int b = s->square ? 0 : 1;
    product_rows rows = {{there[2], there[0], there[b], s->rn, s->an, s->square ? s->an : s->bn},
                         r_step(s),
                         a_step(s),
                         s->square ? a_step(s) : b_step(s),
                         NULL,
                         s->count,
                         0};
    product_item *const list = malloc(s->count * sizeof *list);
    for (uint64_t i = 0; i < s->count; i++) {
        list[i] = rows.first;
        list[i].r += i * rows.r_stride, list[i].a += i * rows.a_stride;
        list[i].b += i * rows.b_stride;
        list[i].an = length(s, rows.first.an, i), list[i].bn = length(s, rows.first.bn, i + 1);
    }
    product_item *const items = device_alloc(s->count * sizeof *list);
    EXPECT_TRUE(device_upload(items, list, s->count * sizeof *list));
    rows.items = s->listed ? items : NULL;
    multiply_rows(&rows, lg, block_product_bytes(lg, s->few ? 1 : s->count));
    EXPECT_TRUE(device_download(host[2], there[2], 8 * words[2]));
    uint64_t *const want = malloc(8 * (s->an + s->bn + s->rn + 2 * s->an));
    for (uint64_t i = 0; i < s->count; i++) {
        memset(want, 0, 8 * s->rn);
        multiply(want, host[0] + i * rows.a_stride, list[i].an, host[b] + i * rows.b_stride,
                 list[i].bn);
        EXPECT_LIMBS_EQ(host[2] + i * r_step(s), want, s->rn);
        EXPECT_EQ(host[2][i * r_step(s) + s->rn], mark);
    }
    free(want), free(list), device_free(items);
    for (int k = 0; k < 3; k++) {
        free(host[k]), device_free(there[k]);
    }
}

static void one(gen *g, uint64_t an, uint64_t bn, uint64_t more, unsigned a_shape,
                unsigned b_shape) {
    const batch s = {.an = an, .bn = bn, .rn = an + bn + more, .count = 1};
    run(g, &s, block_product_lg(an, bn), a_shape, b_shape);
}

// Balanced, unbalanced and full products of every kernel. Mutations: digits of the upper half are
// left, or read with the other sign; a limb beyond an operand is read; the digit below a limb is
// not; the top digit gives away what nothing takes, or keeps what the limb above takes too; a
// residue's modulus has the other sign, or is another's; a piece has another's roots; a root of the
// wrong order; a ring has another's roots, or is joined with the other sign; the padding is left.
TEST(BlockProduct, Lengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(31);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t most = UINT64_C(1) << (lg - 1);
        one(&g, most / 2, most / 2, 0, GEN_UNIFORM, GEN_UNIFORM);
        one(&g, most / 2 + 1, most / 2 - 1, 5, GEN_UNIFORM, GEN_RUNS);
        one(&g, 1, most - 1, 0, GEN_UNIFORM, GEN_UNIFORM);
        one(&g, most / 3, most / 3, most, GEN_UNIFORM, GEN_UNIFORM);
        for (int k = 0; k < (device_emulated() ? 1 : 200); k++) {
            const uint64_t an = 1 + gen_below(&g, most - 1);
            one(&g, an, 1 + gen_below(&g, most - an), gen_below(&g, 3), GEN_UNIFORM, GEN_UNIFORM);
        }
    }
}

// Digits and carries at their worst, for the full length of each kernel. Mutations: a spill or a
// carry lost between lanes, warps or segments, or all of them, or one too many; the bias at the
// bottom left out, or that of odd coefficients as of even ones; rounded toward zero; scaled by half
// of the points.
TEST(BlockProduct, WorstCases) {
    if (!device_ready()) {
        SKIP("no device");
    }
    static const unsigned shapes[][2] = {{GEN_ONES, GEN_ONES},         {ONE_SIGN, ONE_SIGN},
                                         {BOTH_SIGNS, BOTH_SIGNS},     {ONE_SIGN, BOTH_SIGNS},
                                         {GEN_POWER_MINUS, GEN_POWER}, {GEN_ZERO, GEN_ONES},
                                         {GEN_ALTERNATING, ONE_SIGN}};
    gen g = gen_seed(32);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = UINT64_C(1) << (lg - 2);
        const size_t few = device_emulated() && lg > LG_LEAST + 1 ? 3 : sizeof shapes / 8;
        for (size_t i = 0; i < few; i++) {
            one(&g, n, n, 0, shapes[i][0], shapes[i][1]);
            one(&g, n - 1, n + (i + 1) % 2, 0, shapes[i][1], shapes[i][0]);
        }
    }
}

// More products than blocks, at strides, with a factor for all, as a list, of numbers with
// themselves. Mutations: what is kept is the product's before; a stride for another; a common
// factor is kept though it is the other one; a list's lengths are the first one's; the next
// product's points are written before the last one's are read; a block leaves out a
// product, takes one of its neighbour's, or begins before number 0; limbs of the next product are
// read as this one's length says; with workspace for one product blocks share it, or products are
// left.
TEST(BlockProduct, Forms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(33);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        // More than one for each block: the emulation has 8192 threads, a device 12 warps for each
        // of its multiprocessors.
        const uint64_t n = UINT64_C(1) << (lg - 2);
        const uint64_t count = (uint64_t)(device_emulated() ? 523 : 4001) >> (lg - LG_LEAST);
        for (int form = 0; form < 5; form++) {
            if (device_emulated() && lg > LG_LEAST + 1 && form != (int)lg - LG_LEAST &&
                (lg < LG_MOST || form != 3)) {
                continue;
            }
            const batch s = {.an = form == 1 ? n / 2 : n,
                             .bn = form == 1 ? n + n / 2 : n - 2,
                             .rn = 2 * n,
                             .gap = 3,
                             .count = count,
                             .a_common = form == 1,
                             .b_common = form == 2,
                             .square = form == 3,
                             .listed = form == 4,
                             .few = form == 3};
            device_order((uint64_t)form);
            run(&g, &s, lg, GEN_UNIFORM, GEN_RUNS);
            device_order(0);
        }
    }
}

// A result over a factor, and over the one number that is squared. Mutation: limbs are written
// before all are read.
TEST(BlockProduct, InPlace) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(34);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = UINT64_C(1) << (lg - 2);
        uint64_t *const a = malloc(16 * n), *const want = malloc(16 * n);
        uint64_t *const r = device_alloc(16 * n), *const other = device_alloc(8 * n);
        for (int k = 0; k < 3; k++) {
            gen_limbs(&g, GEN_UNIFORM, a, 2 * n);
            EXPECT_TRUE(device_upload(r, a, 16 * n) && device_upload(other, a + n, 8 * n));
            mpn_mul_n(want, a, k == 2 ? a : a + n, (mp_size_t)n);
            const product_item items[] = {
                {r, r, other, 2 * n, n, n}, {r, other, r, 2 * n, n, n}, {r, r, r, 2 * n, n, n}};
            const product_rows rows = product_rows_of(items[k]);
            multiply_rows(&rows, lg, block_product_bytes(lg, 1));
            EXPECT_TRUE(device_download(a, r, 16 * n));
            EXPECT_LIMBS_EQ(a, want, 2 * n);
        }
        free(a), free(want), device_free(r), device_free(other);
    }
}

// Every pair of lengths has the least kernel that it fits, or none. Mutations: <= and < in the
// limits, sums that wrap around; two rings without workspace.
TEST(BlockProduct, Kernels) {
    static const struct {
        uint64_t an, bn;
        unsigned lg;
    } cases[] = {{1, 1, 10},
                 {256, 256, 10},
                 {257, 256, 11},
                 {1, 511, 10},
                 {1, 512, 11},
                 {512, 512, 11},
                 {513, 512, 12},
                 {1024, 1024, 12},
                 {2047, 1, 12},
                 {2048, 1, 13},
                 {2048, 2048, 13},
                 {2048, 2049, 14},
                 {4095, 1, 13},
                 {4096, 1, 14},
                 {4096, 4096, 14},
                 {8191, 1, 14},
                 {4096, 4097, 0},
                 {8192, 1, 0},
                 {0, 5, 0},
                 {5, 0, 0},
                 {UINT64_MAX, 2, 0},
                 {2, UINT64_MAX, 0},
                 {UINT64_MAX - 3, 5, 0}};
    for (size_t i = 0; device_ready() && i < sizeof cases / sizeof *cases; i++) {
        SCOPED_TRACE("case %zu", i);
        EXPECT_EQ(block_product_lg(cases[i].an, cases[i].bn), cases[i].lg);
    }
    const product_rows none = {.count = 0}, more = {.first = {.an = 300, .bn = 213}, .count = 1};
    const result refused = device_ready() ? RESULT_REFUSED : RESULT_NO_DEVICE;
    EXPECT_EQ(block_product(&none, 9, NULL, 0, NULL), refused);
    EXPECT_EQ(block_product(&none, 15, NULL, 0, NULL), refused);
    EXPECT_EQ(block_product(&more, 10, NULL, 0, NULL), refused);
    EXPECT_EQ(block_product(&more, 14, NULL, block_product_bytes(14, 1) - 1, NULL), refused);
    EXPECT_EQ(block_product(&none, 12, NULL, 0, NULL),
              device_ready() ? RESULT_OK : RESULT_NO_DEVICE);
}
