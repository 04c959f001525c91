// product_rows_test.c: batches of short products in one launch, on a device or under the kernel
// emulation, against GMP: every length, strides, one operand for all, lists of items, worst cases
// of carries.
#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/short_product.h"
#include "bigint/tiled_product.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

static const uint64_t mark = UINT64_C(0x7777777777777777);

// The kernels, and the longest operands of equal length that they take.
static const struct {
    unsigned (*least)(uint64_t an, uint64_t bn);
    result (*run)(const product_rows *rows, unsigned size, device_stream stream);
    uint64_t most;
} kernels[] = {{short_product_limbs, short_product, 16}, {tiled_product_tiles, tiled_product, 256}};
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
                        s->r_stride, s->a_stride, s->b_stride, NULL, s->count};
    product_item *list = NULL;
    if (listed) {
        all.items = list = items_of(s, &all);
    }
    memset(s->r, 0x77, 8 * r_words);
    EXPECT_TRUE(device_upload(s->on_device[0], s->a, 8 * words(s->an, s->a_stride, s->count)) &&
                device_upload(s->on_device[1], s->b, 8 * words(s->bn, s->b_stride, s->count)) &&
                device_upload(s->on_device[2], s->r, 8 * r_words));
    EXPECT_EQ(kernels[kernel].run(&all, kernels[kernel].least(s->an, s->bn), NULL), RESULT_OK);
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

static void one(gen *g, int kernel, uint64_t an, uint64_t bn, uint64_t count, gen_shape shape) {
    batch s = batch_open(an, bn, count, false, false, 0);
    batch_fill(&s, g, shape, shape);
    batch_run(&s, kernel, false);
    batch_close(&s);
}

// Mutations: a step of rho or a window of b left out; zeros around a row too few; a limb beyond the
// operand read, or the last one not; the shorter operand taken for the longer one.
TEST(ProductRows, EveryLength) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(21);
    for (int kernel = 0; kernel < KERNELS; kernel++) {
        const uint64_t most = kernels[kernel].most;
        for (uint64_t n = 1; n <= most; n += device_emulated() ? 1 + n / 4 : 1) {
            one(&g, kernel, n, n, device_emulated() ? 2 : 100, GEN_ONES);
            one(&g, kernel, n, 1 + gen_below(&g, n), device_emulated() ? 2 : 100, GEN_UNIFORM);
            one(&g, kernel, 1 + gen_below(&g, n), n, device_emulated() ? 1 : 33, GEN_RUNS);
        }
    }
}
