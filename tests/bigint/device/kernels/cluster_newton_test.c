// cluster_newton_test.c: steps of Newton's iteration in one launch, on a device or under the kernel
// emulation, against GMP: every shape there is, lengths around each ring, worst cases of carries.

#include "bigint/device/kernels/cluster/newton.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/cluster/product.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { GUARD = 16 };  // limbs behind the result that must stay

static void import(mpz_t x, const uint64_t *p, uint64_t n) {
    mpz_import(x, n, -1, sizeof *p, 0, 0, p);
}

// within: |a - b| <= most.
static bool within(const mpz_t a, const mpz_t b, unsigned long most) {
    mpz_t d;
    mpz_init(d);
    mpz_sub(d, a, b);
    const bool yes = mpz_cmpabs_ui(d, most) <= 0;
    mpz_clear(d);
    return yes;
}

// check: a step from h to k limbs for {e, n}, its top bit set, and X = B^(2 h) / E' + off, E' the
// top h limbs of E B^(k - n), is within 1 of X B^l + X T / B^(2 h - l), and within 2 of the
// reciprocal.
static void check(uint64_t k, uint64_t h, const uint64_t *e, uint64_t n, int off) {
    SCOPED_TRACE("from %llu to %llu limbs for %llu, off by %d", (unsigned long long)h,
                 (unsigned long long)k, (unsigned long long)n, off);
    const uint64_t l = k - h;
    mpz_t d, top, x, t, want, got;
    mpz_inits(d, top, x, t, want, got, NULL);
    import(d, e, n);
    mpz_mul_2exp(d, d, 64 * (k - n));
    mpz_tdiv_q_2exp(top, d, 64 * l);
    mpz_setbit(x, 128 * h);
    mpz_tdiv_q(x, x, top);
    off < 0 ? mpz_sub_ui(x, x, (unsigned long)-off) : mpz_add_ui(x, x, (unsigned long)off);
    uint64_t *const limbs = calloc(h + 1, sizeof *limbs);
    uint64_t *const found = calloc(k + 1 + GUARD, sizeof *found);
    mpz_export(limbs, NULL, -1, sizeof *limbs, 0, 0, x);

    fft_modular_plan plan;
    fft_modular_tables tables;
    ASSERT_TRUE(cluster_newton_plan(&plan, k, h, n, cluster_product_blocks()));
    void *const memory = device_alloc(fft_modular_table_bytes(&plan));
    EXPECT_EQ(fft_modular_tables_make(&tables, &plan, memory, NULL), RESULT_OK);
    const uint64_t bytes = 8 * (k + 1 + GUARD);
    uint64_t *const to = device_alloc(bytes), *const of_x = device_alloc(8 * (h + 1)),
                    *const of_e = device_alloc(8 * n),
                    *const room = device_alloc(8 * fft_modular_points(&plan));
    EXPECT_TRUE(device_fill(to, 0xA5, bytes) && device_upload(of_x, limbs, 8 * (h + 1)) &&
                device_upload(of_e, e, 8 * n));
    const cluster_newton_step step = {to, room, of_x, of_e, k, h, n};
    EXPECT_EQ(cluster_newton(&step, &plan, &tables, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(found, to, bytes));
    for (int i = 0; i < GUARD; i++) {
        EXPECT_EQ(found[k + 1 + (uint64_t)i], UINT64_C(0xA5A5A5A5A5A5A5A5));
    }
    import(got, found, k + 1);

    mpz_setbit(t, 64 * (k + h));
    mpz_submul(t, d, x);
    mpz_mul(want, x, t);
    mpz_fdiv_q_2exp(want, want, 128 * h);
    mpz_mul_2exp(t, x, 64 * l);
    mpz_add(want, want, t);
    EXPECT_TRUE(within(got, want, 2));
    mpz_set_ui(want, 0);
    mpz_setbit(want, 128 * k);
    mpz_tdiv_q(want, want, d);
    EXPECT_TRUE(within(got, want, 2));

    device_free(to), device_free(of_x), device_free(of_e), device_free(room), device_free(memory);
    free(limbs), free(found);
    mpz_clears(d, top, x, t, want, got, NULL);
}

static bool ready(void) { return device_ready() && cluster_product_blocks() > 0; }

// The longest ring that the present device has, and h of the lengths around a ring.
static uint64_t longest(void) {
    fft_modular_plan plan;
    return cluster_newton_plan(&plan, 8192, 4097, 8192, cluster_product_blocks())   ? 8192
           : cluster_newton_plan(&plan, 4096, 2049, 4096, cluster_product_blocks()) ? 4096
                                                                                    : 1024;
}

// Lengths around each ring, and much shorter ones. Mutations: a limb above the ring left out, or a
// limb too many; a ring for one limb more; the power of B at another coefficient; what leaves the
// top of the ring lost; the sign of T; X's spectrum of the first product changed.
TEST(ClusterNewton, EveryLength) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    gen g = gen_seed(31);
    uint64_t *const e = malloc(8 * 8200);
    for (uint64_t ring = 512; ring <= longest(); ring *= 2) {
        const uint64_t each[][3] = {{ring + 2, ring / 2 + 2, ring + 2},
                                    {ring + 5, ring / 2 + 3, ring + 5},
                                    {ring, ring / 2 + 1, ring},
                                    {ring - 1, ring / 2, ring - 1},
                                    {ring + 1, ring / 2 + 1, ring + 1},
                                    {ring - 7, ring / 2 + 3, ring - 7},
                                    {ring + 3, ring / 2 + 2, ring},
                                    {ring + 2, ring / 2 + 2, ring / 2 - 9},
                                    {ring / 2 + 12, ring / 4 + 9, ring / 2},
                                    {ring - 100, ring / 2, 1}};
        for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
            device_order((unsigned)i + 1);
            gen_limbs(&g, i % 3 == 2 ? GEN_RUNS : GEN_UNIFORM, e, each[i][2]);
            e[each[i][2] - 1] |= UINT64_C(1) << 63;
            check(each[i][0], each[i][1], e, each[i][2], (int)(i % 5) - 2);
        }
        device_order(0);
    }
    free(e);
}

// Divisors whose reciprocals and residuals are zeros or ones. Mutations: a carry that leaves a
// segment not added; a carry into X that stops too early, or is taken for a borrow.
TEST(ClusterNewton, CarriesThroughAllBlocks) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    gen g = gen_seed(32);
    uint64_t *const e = malloc(8 * 8200);
    for (uint64_t ring = 512; ring <= longest(); ring *= 2) {
        for (int i = 0; i < 12; i++) {
            const uint64_t n = ring + (uint64_t)i % 4;
            memset(e, i % 3 == 0 ? 0 : 0xFF, 8 * n);
            if (i >= 6) {
                gen_limbs(&g, GEN_UNIFORM, e, n / 3);
            }
            e[n - 1] |= UINT64_C(1) << 63;
            e[n - 1] = i % 3 == 0 ? UINT64_C(1) << 63 : e[n - 1];
            e[0] = i % 3 == 2 ? 0 : e[0] + (uint64_t)(i % 2);
            check(n, n / 2 + 2, e, n, i % 5 - 2);
        }
    }
    free(e);
}

// Mutations: a limb that is not allowed; tables of another shape.
TEST(ClusterNewton, Refuses) {
    if (!ready()) {
        SKIP("no device with clusters");
    }
    fft_modular_plan plan, other;
    fft_modular_tables tables = {0};
    EXPECT_FALSE(cluster_newton_plan(&plan, 8201, 4102, 8201, 12));
    EXPECT_FALSE(cluster_newton_plan(&plan, 4096, 2049, 4096, 6));
    EXPECT_FALSE(cluster_newton_plan(&plan, 512, 257, 512, 0));
    ASSERT_TRUE(cluster_newton_plan(&plan, 512, 257, 512, 12));
    ASSERT_TRUE(cluster_newton_plan(&other, 1024, 514, 1024, 12));
    tables.plan = plan;
    const cluster_newton_step wrong[] = {{.k = 520, .h = 261, .n = 520},
                                         {.k = 512, .h = 256, .n = 512},
                                         {.k = 512, .h = 512, .n = 9},
                                         {.k = 512, .h = 257, .n = 513},
                                         {.k = 512, .h = 257, .n = 0}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        EXPECT_EQ(cluster_newton(wrong + i, &plan, &tables, NULL), RESULT_REFUSED);
    }
    EXPECT_EQ(cluster_newton(wrong, &other, &tables, NULL), RESULT_REFUSED);
}
