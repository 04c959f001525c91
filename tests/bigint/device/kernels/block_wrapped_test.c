// block_wrapped_test.c: batches of products modulo B^n - 1 in floating point in one launch, on a
// device or under the kernel emulation, against GMP: both moduli, lengths, largest digits, carries
// around the modulus, results over their factors, forms of batches.

#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/block_product.h"
#include "bigint/device/kernels/product_rows.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { LG_LEAST = 13, LG_MOST = 14 };
static const uint64_t mark = UINT64_C(0x7777777777777777);

static uint64_t modulus_limbs(unsigned lg) { return UINT64_C(1) << (lg - 2); }

// residue: {r, n} = {a, an} {b, bn} mod B^n - 1.
static void residue(uint64_t *r, uint64_t n, const uint64_t *a, uint64_t an, const uint64_t *b,
                    uint64_t bn) {
    uint64_t *const p = calloc(2 * n, sizeof *p);
    if (an >= bn && bn > 0) {
        mpn_mul(p, a, (mp_size_t)an, b, (mp_size_t)bn);
    } else if (an > 0) {
        mpn_mul(p, b, (mp_size_t)bn, a, (mp_size_t)an);
    }
    const mp_limb_t carry = mpn_add_n(r, p, p + n, (mp_size_t)n);
    mpn_add_1(r, r, (mp_size_t)n, carry);
    uint64_t ones = 0;
    while (ones < n && r[ones] == UINT64_MAX) {
        ones++;
    }
    if (ones == n) {
        memset(r, 0, 8 * n);
    }
    free(p);
}

// batch: `count` products of an by bn limbs modulo B^n - 1, n by lg, with room for `more` limbs
// above each result and a mark behind.
typedef struct {
    unsigned lg;
    uint64_t an, bn, more, count;
    bool common, square, listed;
    bool few;  // workspace for one product
} batch;

// check: the products of numbers that lie one after the other.
static void check(const batch *s, const uint64_t *a, const uint64_t *b) {
    const uint64_t n = modulus_limbs(s->lg), rn = n + s->more, count = s->count;
    const uint64_t b_step = s->common ? 0 : s->bn;
    const size_t bytes = block_product_bytes(s->lg, s->few ? 1 : count);
    uint64_t *const want = malloc(8 * rn), *const got = malloc(8 * (rn + 1) * count);
    uint64_t *const da = device_alloc(8 * s->an * count), *const db =
                                                              device_alloc(8 * s->bn * count);
    uint64_t *const dr = device_alloc(8 * (rn + 1) * count);
    unsigned char *const workspace = device_alloc(bytes + 8);
    memset(got, 0x77, 8 * (rn + 1) * count);
    EXPECT_TRUE(device_upload(da, a, 8 * s->an * count) && device_upload(db, b, 8 * s->bn * count));
    EXPECT_TRUE(device_upload(dr, got, 8 * (rn + 1) * count));
    product_rows rows = {
        {dr, da, s->square ? da : db, rn, s->an, s->bn}, rn + 1, s->an, b_step, NULL, count, 0};
    product_item *const list = malloc(count * sizeof *list);
    for (uint64_t i = 0; i < count; i++) {
        list[i] = rows.first;
        list[i].r += i * rows.r_stride, list[i].a += i * rows.a_stride;
        list[i].b += i * rows.b_stride;
        list[i].an = s->listed && i % 3 == 1 ? i / 3 : s->an;
    }
    product_item *const items = device_alloc(count * sizeof *list);
    EXPECT_TRUE(device_upload(items, list, count * sizeof *list));
    rows.items = s->listed ? items : NULL;
    EXPECT_EQ(block_wrapped(&rows, s->lg, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(got, dr, 8 * (rn + 1) * count));
    for (uint64_t i = 0; i < count; i++) {
        memset(want, 0, 8 * rn);
        residue(want, n, a + i * s->an, list[i].an, s->square ? a + i * s->an : b + i * b_step,
                s->bn);
        EXPECT_LIMBS_EQ(got + i * (rn + 1), want, rn);
        EXPECT_EQ(got[i * (rn + 1) + rn], mark);
    }
    free(want), free(got), free(list);
    device_free(da), device_free(db), device_free(dr), device_free(items), device_free(workspace);
}

static void run(gen *g, const batch *s, gen_shape a_shape, gen_shape b_shape) {
    SCOPED_TRACE("2^%u points, %llu times %llu x %llu limbs, shapes %u, %u", s->lg,
                 (unsigned long long)s->count, (unsigned long long)s->an, (unsigned long long)s->bn,
                 a_shape, b_shape);
    uint64_t *const a = malloc(8 * s->an * s->count), *const b = malloc(8 * s->bn * s->count);
    for (uint64_t i = 0; i < s->count; i++) {
        gen_limbs(g, a_shape, a + i * s->an, s->an);
        gen_limbs(g, b_shape, b + i * s->bn, s->bn);
    }
    check(s, a, b);
    free(a), free(b);
}

static void one(gen *g, unsigned lg, uint64_t an, uint64_t bn, uint64_t more) {
    const batch s = {.lg = lg, .an = an, .bn = bn, .more = more, .count = 1};
    run(g, &s, GEN_UNIFORM, GEN_UNIFORM);
}

// Factors of all limbs, of fewer, of one. Mutations: factors change places in a point; a ring has
// another's roots, or is joined with the other sign; a factor's lengths are the other one's; what
// is above a factor is read; scaled by half as many points; the padding is left.
TEST(BlockWrapped, Lengths) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(41);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = modulus_limbs(lg);
        one(&g, lg, n, n, 0);
        one(&g, lg, n, n - 1, 3);
        one(&g, lg, n / 3, n, 0);
        one(&g, lg, 1, 1, n);
        for (int k = 0; k < (device_emulated() ? 1 : 100); k++) {
            one(&g, lg, 1 + gen_below(&g, n), 1 + gen_below(&g, n), gen_below(&g, 3));
        }
    }
}

// Largest digits of one and of both signs, and products next to the modulus. Mutations: the top
// digit of a full factor is lost; what leaves the top is, or enters with a bias; a carry around the
// modulus is left, or goes around twice; the modulus is left as a result, with and without a carry.
TEST(BlockWrapped, WorstCases) {
    if (!device_ready()) {
        SKIP("no device");
    }
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = modulus_limbs(lg);
        uint64_t *const a = calloc(n, 8), *const b = calloc(n, 8);
        const batch s = {.lg = lg, .an = n, .bn = n, .count = 1};
        static const uint64_t limbs[][2] = {
            {UINT64_MAX, UINT64_MAX},
            {UINT64_C(0x8000800080008000), UINT64_MAX},
            {UINT64_C(0x8000800080008000), UINT64_C(0x8000800080008000)},
            {UINT64_C(0x7FFF80007FFF8000), UINT64_C(0x7FFF80007FFF8000)}};
        for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
            for (uint64_t k = 0; k < n; k++) {
                a[k] = limbs[i][0], b[k] = limbs[i][1];
            }
            check(&s, a, b);
        }
        // B^(n/2) + 1 times B^(n/2) - 1, 2^t, and one less than the modulus.
        memset(a, 0, 8 * n);
        a[0] = a[n / 2] = 1;
        for (uint64_t k = 0; k < n; k++) {
            b[k] = k < n / 2 ? UINT64_MAX : 0;
        }
        check(&s, a, b);
        memset(a, 0, 8 * n);
        a[n - 1] = UINT64_C(1) << 63;
        memset(b, 0xFF, 8 * n);
        b[0]--;
        check(&s, a, b);
        // Minus one times 2^t + 1: ones with two gaps, made by borrows around the modulus.
        a[0] = 1;
        check(&s, a, b);
        free(a), free(b);
    }
}

// More products than blocks, with a common factor, as a list with a factor of no limbs, of numbers
// with themselves. Mutations: a stride for another; a list's lengths are the first one's; the next
// product's points are written before the last one's are read; with workspace for one product
// blocks share it.
TEST(BlockWrapped, Forms) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(43);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = modulus_limbs(lg), count = device_emulated() ? 35 : 301;
        for (int form = 0; form < 4; form++) {
            if (device_emulated() && (form + (int)lg) % 2 == 0) {
                continue;
            }
            const batch s = {.lg = lg,
                             .an = n,
                             .bn = form == 3 ? n : n - 5,
                             .count = count,
                             .common = form == 1,
                             .listed = form == 2,
                             .square = form == 3,
                             .few = form == 2};
            device_order((uint64_t)form);
            run(&g, &s, GEN_UNIFORM, GEN_RUNS);
            device_order(0);
        }
    }
}

// A result over a factor. Mutation: limbs are written before all are read.
TEST(BlockWrapped, InPlace) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(44);
    for (unsigned lg = LG_LEAST; lg <= LG_MOST; lg++) {
        const uint64_t n = modulus_limbs(lg);
        const size_t bytes = block_product_bytes(lg, 1);
        uint64_t *const a = malloc(16 * n), *const want = malloc(8 * n);
        uint64_t *const r = device_alloc(8 * n), *const other = device_alloc(8 * n);
        void *const workspace = device_alloc(bytes + 8);
        gen_limbs(&g, GEN_UNIFORM, a, 2 * n);
        residue(want, n, a, n, a + n, n);
        EXPECT_TRUE(device_upload(r, a, 8 * n) && device_upload(other, a + n, 8 * n));
        const product_rows rows = product_rows_of((product_item){r, other, r, n, n, n});
        EXPECT_EQ(block_wrapped(&rows, lg, workspace, bytes, NULL), RESULT_OK);
        EXPECT_TRUE(device_download(a, r, 8 * n));
        EXPECT_LIMBS_EQ(a, want, n);
        free(a), free(want), device_free(r), device_free(other), device_free(workspace);
    }
}

// Moduli with a kernel and without. Mutations: a kernel of another length; a factor longer than the
// modulus, or a result shorter.
TEST(BlockWrapped, Kernels) {
    const unsigned least = device_ready() ? 13 : 0, most = device_ready() ? 14 : 0;
    EXPECT_EQ(block_wrapped_lg(2048), least);
    EXPECT_EQ(block_wrapped_lg(4096), most);
    EXPECT_EQ(block_wrapped_lg(1024), 0u);
    EXPECT_EQ(block_wrapped_lg(2049), 0u);
    EXPECT_EQ(block_wrapped_lg(8192), 0u);
    const result refused = device_ready() ? RESULT_REFUSED : RESULT_NO_DEVICE;
    const product_rows none = {.first = {.rn = 2048}};
    const product_rows longer = {.first = {.rn = 2048, .an = 2049, .bn = 1}, .count = 1};
    const product_rows shorter = {.first = {.rn = 2047, .an = 2048, .bn = 1}, .count = 1};
    EXPECT_EQ(block_wrapped(&none, 12, NULL, 0, NULL), refused);
    EXPECT_EQ(block_wrapped(&longer, 13, NULL, 0, NULL), refused);
    EXPECT_EQ(block_wrapped(&shorter, 13, NULL, 0, NULL), refused);
    EXPECT_EQ(block_wrapped(&none, 13, NULL, 0, NULL),
              device_ready() ? RESULT_OK : RESULT_NO_DEVICE);
}
