// cluster_ring_test.c: short products modulo B^n - 1 and B^n + 1 in one launch, on a device or
// under the kernel emulation, against GMP: every shape there is, residues at the ends of the range,
// operands longer than the ring, results over their factors.
#include "bigint/device/kernels/cluster/ring.h"

#include <gmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "bigint/device/kernels/cluster/product.h"
#include "fft/device/modular/ring_plan.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { LINE = 16 };  // words in front of a number: the last one is its sign

// ring: of n limbs, its tables, the modulus, and numbers on the device.
typedef struct {
    fft_modular_plan plan;
    fft_modular_tables tables;
    void *memory;
    uint64_t n, room, *a, *b, *r, *host;
    mpz_t modulus, x, y, want, got;
} ring;

static bool ring_open(ring *s, uint64_t n, bool plus) {
    *s = (ring){.n = n, .room = 8 * (LINE + 2 * n + 1)};
    if (!fft_modular_plan_ring_whole(&s->plan, 2 * n, 2 * n, n, plus, cluster_product_blocks())) {
        return false;
    }
    s->memory = device_alloc(fft_modular_table_bytes(&s->plan));
    EXPECT_EQ(fft_modular_tables_make(&s->tables, &s->plan, s->memory, NULL), RESULT_OK);
    s->a = device_alloc(s->room), s->b = device_alloc(s->room), s->r = device_alloc(s->room);
    s->host = malloc(s->room);
    mpz_inits(s->modulus, s->x, s->y, s->want, s->got, NULL);
    mpz_setbit(s->modulus, 64 * n);
    plus ? mpz_add_ui(s->modulus, s->modulus, 1) : mpz_sub_ui(s->modulus, s->modulus, 1);
    return true;
}

static void ring_close(ring *s) {
    device_free(s->a), device_free(s->b), device_free(s->r), device_free(s->memory);
    free(s->host);
    mpz_clears(s->modulus, s->x, s->y, s->want, s->got, NULL);
}

// put: a number with its sign in front; returns its limbs, at least one.
static uint64_t put(ring *s, uint64_t *to, const mpz_t z) {
    memset(s->host, 0, s->room);
    s->host[LINE - 1] = mpz_sgn(z) < 0 ? UINT64_C(1) : 0;
    mpz_export(s->host + LINE, NULL, -1, 8, 0, 0, z);
    EXPECT_TRUE(device_upload(to, s->host, s->room));
    return mpz_size(z) == 0 ? 1 : mpz_size(z);
}

typedef enum { APART, OVER_A, OVER_B, PLACES } place;

// check: x y, or the square of x, in the ring.
static void check(ring *s, place where, bool square) {
    const uint64_t rn = s->n + (s->plan.negacyclic ? 1 : 0);
    SCOPED_TRACE("%llu limbs %c 1, %zu by %zu, place %d, square %d", (unsigned long long)s->n,
                 s->plan.negacyclic ? '+' : '-', mpz_size(s->x), mpz_size(s->y), where, square);
    EXPECT_TRUE(device_fill(s->r, 0xA5, s->room));
    const uint64_t an = put(s, s->a, s->x), bn = square ? an : put(s, s->b, s->y);
    uint64_t *const b = square ? s->a : s->b, *const r = where == APART    ? s->r
                                                         : where == OVER_A ? s->a
                                                                           : b;
    const cluster_ring_product product = {r + LINE, r + LINE - 1, s->a + LINE,     b + LINE,
                                          an,       bn,           s->a + LINE - 1, b + LINE - 1};
    EXPECT_EQ(cluster_ring(&product, square, &s->plan, &s->tables, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(s->host, r, s->room));
    mpz_import(s->got, rn, -1, 8, 0, 0, s->host + LINE);
    mpz_mul(s->want, s->x, square ? s->x : s->y);
    mpz_mod(s->want, s->want, s->modulus);
    EXPECT_TRUE(mpz_cmp(s->got, s->want) == 0);
    EXPECT_EQ(s->host[LINE - 1], 0u);
    EXPECT_TRUE(where != APART || s->host[LINE + rn] == UINT64_C(0xA5A5A5A5A5A5A5A5));
}

// both: check with x of either sign, and its square.
static void both(ring *s) {
    for (unsigned i = 0; i < PLACES; i++) {
        check(s, (place)i, false);
        mpz_neg(s->x, s->x);
    }
    check(s, OVER_A, true);
    mpz_neg(s->x, s->x);
}

static void shaped(ring *s, mpz_t z, gen *g, gen_shape shape, uint64_t n) {
    gen_limbs(g, shape, s->host, n);
    mpz_import(z, n, -1, 8, 0, 0, s->host);
}

// each_ring calls run with every ring that the present device has.
static void each_ring(void (*run)(ring *s, gen *g)) {
    if (!device_ready() || cluster_product_blocks() == 0) {
        SKIP("no device with clusters");
    }
    unsigned rings = 0;
    for (uint64_t n = 512; n <= 8192; n *= 2) {
        for (int plus = 0; plus < 2; plus++) {
            ring s;
            if (ring_open(&s, n, plus != 0)) {
                gen g = gen_seed(n + (uint64_t)plus);
                device_order((unsigned)plus + 1);
                run(&s, &g);
                device_order(0);
                ring_close(&s);
                rings++;
            }
        }
    }
    EXPECT_TRUE(rings >= 4);
}

static void lengths(ring *s, gen *g) {
    const uint64_t n = s->n,
                   each[][2] = {
                       {n, n},         {1, 1},
                       {n, 1},         {n / 2, n / 2},
                       {n + 1, n + 1}, {2 * n, n - 3},
                       {2 * n, 2 * n}, {n / 2 + 1 + gen_below(g, n / 2), n - gen_below(g, 99)}};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
        shaped(s, s->x, g, i % 2 == 0 ? GEN_UNIFORM : GEN_RUNS, each[i][0]);
        shaped(s, s->y, g, i % 3 == 0 ? GEN_UNIFORM : GEN_ONES, each[i][1]);
        both(s);
    }
}

// Mutations: the sign of one operand alone; what the top spills dropped, or modulo B^n + 1 added;
// pieces joined as those of x^N - 1; the power of v of a block of coefficients; digits of an
// operand beyond the ring left out.
TEST(ClusterRing, EveryLength) { each_ring(lengths); }

// Products that are a power of 2 and few more or less: 2^e for an e around each end of the ring,
// and around a block of coefficients. Their residues are 0, 1 and 2^(64 n), or have carries that
// pass all limbs.
static void ends(ring *s, gen *g) {
    const uint64_t bits = 64 * s->n, at[] = {0, 1, bits / 4, bits / 2, bits - 1, bits, bits + 1};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        mpz_set_ui(s->x, 0), mpz_set_ui(s->y, 0);
        mpz_setbit(s->x, at[i]);
        mpz_setbit(s->y, bits - 1 - gen_below(g, 2) * (bits / 2));
        both(s);
        mpz_set_ui(s->y, 1);  // 2^e, 2^e - 1, the modulus less that
        both(s);
        mpz_sub_ui(s->x, s->x, 1);
        both(s);
        mpz_sub(s->x, s->modulus, s->x);
        both(s);
    }
    mpz_set(s->x, s->modulus);
    both(s);
    mpz_set_ui(s->x, 0);
    both(s);
}

// Mutations: the modulus for 0; 2^(64 n) taken for 0; the carry that enters the lowest limb, its
// absence modulo B^n + 1, or limb n; the 1 that coefficient 0 lacks there.
TEST(ClusterRing, EndsOfTheRange) { each_ring(ends); }

// Mutations: operands longer than planned; tables of the other ring.
TEST(ClusterRing, Refuses) {
    fft_modular_plan plan, other;
    EXPECT_FALSE(fft_modular_plan_ring_whole(&plan, 512, 512, 513, false, 12));
    EXPECT_FALSE(fft_modular_plan_ring_whole(&plan, 768, 768, 768, false, 12));
    EXPECT_FALSE(fft_modular_plan_ring_whole(&plan, 256, 256, 256, false, 12));
    EXPECT_FALSE(fft_modular_plan_ring_whole(&plan, 16384, 16384, 16384, false, 12));
    EXPECT_FALSE(fft_modular_plan_ring_whole(&plan, 512, 512, 512, true, 0));
    ASSERT_TRUE(fft_modular_plan_ring_whole(&plan, 512, 500, 512, false, 12));
    ASSERT_TRUE(fft_modular_plan_ring_whole(&other, 512, 500, 512, true, 12));
    fft_modular_tables tables = {.plan = plan};
    const cluster_ring_product product = {.an = 512, .bn = 500}, longer = {.an = 512, .bn = 501},
                               none = {.an = 0, .bn = 1};
    EXPECT_EQ(cluster_ring(&longer, false, &plan, &tables, NULL), RESULT_REFUSED);
    EXPECT_EQ(cluster_ring(&none, false, &plan, &tables, NULL), RESULT_REFUSED);
    EXPECT_EQ(cluster_ring(&product, false, &other, &tables, NULL), RESULT_REFUSED);
}
