// ring_rows_test.c: residues modulo B^n - 1 from the coefficients and the limbs of their sum, on a
// device or under the kernel emulation, against GMP.
#include "bigint/device/kernels/ring_rows.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fft/modular/primes.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

#define MARK UINT64_C(0x7777777777777777)

// ZEROS: V = 0. ONES: V = B^n - 1. MORE: B^n more than that, so a carry goes through all limbs and
// comes in again. HALF: the carry stops in the middle. LARGEST: all coefficients are n B^2. BELOW:
// all but the highest two, so what they leave is all that is above.
typedef enum { ZEROS, ONES, MORE, HALF, LARGEST, BELOW, ANY, PATTERNS } pattern;

static void coefficient(gen *g, mpz_t c, pattern what, uint64_t i, uint64_t n) {
    mpz_set_ui(c, 0);
    if (what == ONES || what == MORE || (what == HALF && i != n / 2)) {
        mpz_set_ui(c, UINT64_MAX);
    }
    if (what == LARGEST || (what == BELOW && i + 2 < n)) {
        mpz_set_ui(c, n);
        mpz_mul_2exp(c, c, 128);
    } else if (what == ANY) {
        const uint64_t words[] = {gen_u64(g), gen_u64(g), gen_below(g, n)};
        mpz_import(c, 3, -1, 8, 0, 0, words);
    } else if ((what == MORE || what == HALF) && i + 1 == n) {
        mpz_setbit(c, 64);
    }
}

// residue: c modulo p, up to 4 p away from the balanced one.
static double residue(gen *g, const mpz_t c, const fft_prime *prime) {
    const long p = (long)prime->p, r = (long)mpz_fdiv_ui(c, (unsigned long)p);
    return (double)(r > p / 2 ? r - p : r) + (double)p * ((double)gen_below(g, 7) - 3);
}

typedef struct {
    uint64_t n, rn;
    bool listed;
} shape;

// Rings of four limbs, of a few more, and of more than a block looks at together; results as long
// as the ring and longer; a list. A mark behind each result stays.
static const shape all[] = {{4, 4, false},       {5, 7, true},        {6, 300, false},
                            {1024, 1024, false}, {1026, 1030, false}, {2050, 2050, true}};
static void label(char *buf, size_t cap, const shape *p) {
    snprintf(buf, cap, "%llu_limbs_%s", (unsigned long long)p->n, p->listed ? "list" : "rows");
}

// Mutations: what the coefficients below the highest two leave forgotten; the second limb above
// forgotten; a carry out of the top lost; the modulus left where it is 0; padding left, or written
// beyond; a product's planes or limbs a stride too far.
TEST_EACH(RingRows, Residues, shape, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t n = p->n, row = p->rn + 1, stride = 3 * n + 16;
    double *const x = calloc(PATTERNS * stride, sizeof *x);
    uint64_t *const r = malloc(8 * PATTERNS * row);
    double *const x_there = device_alloc(8 * PATTERNS * stride);
    uint64_t *const r_there = device_alloc(8 * PATTERNS * row);
    product_item items[PATTERNS], *const items_there = device_alloc(sizeof items);
    mpz_t v[PATTERNS], c;
    mpz_init(c);
    gen g = gen_seed(n);
    for (unsigned k = 0; k < PATTERNS; k++) {
        mpz_init(v[k]);
        for (uint64_t i = n; i-- > 0;) {
            coefficient(&g, c, (pattern)k, i, n);
            mpz_mul_2exp(v[k], v[k], 64);
            mpz_add(v[k], v[k], c);
            for (unsigned prime = 0; prime < FFT_PRIMES_USED; prime++) {
                x[k * stride + prime * n + i] = residue(&g, c, &fft_primes[prime]);
            }
        }
        uint64_t *const to = r + k * row;
        mpz_fdiv_r_2exp(c, v[k], 64 * n);
        EXPECT_TRUE(oracle_store(to, n, c));
        for (uint64_t i = n; i < row; i++) {
            to[i] = MARK;
        }
        items[k] = (product_item){r_there + k * row, NULL, NULL, p->rn, 0, 0};
    }
    EXPECT_TRUE(device_upload(x_there, x, 8 * PATTERNS * stride) &&
                device_upload(r_there, r, 8 * PATTERNS * row) &&
                device_upload(items_there, items, sizeof items));
    const recombine_residues residues = {x_there, n, n, FFT_PRIMES_USED, 64, 0, false};
    const product_rows rows = {items[0], row, 0, 0, p->listed ? items_there : NULL, PATTERNS, 0};
    EXPECT_EQ(ring_rows(&rows, &residues, stride, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(r, r_there, 8 * PATTERNS * row));
    mpz_set_ui(c, 1);
    mpz_mul_2exp(c, c, 64 * n);
    mpz_sub_ui(c, c, 1);
    for (unsigned k = 0; k < PATTERNS; k++) {
        SCOPED_TRACE("pattern %u", k);
        mpz_mod(v[k], v[k], c);
        EXPECT_VALUE(r + k * row, p->rn, v[k]);
        EXPECT_EQ(r[k * row + p->rn], MARK);
        mpz_clear(v[k]);
    }
    mpz_clear(c);
    device_free(x_there), device_free(r_there), device_free(items_there);
    free(x), free(r);
}

// Mutation: other rings are computed.
TEST(RingRows, Refused) {
    const product_rows rows = {.count = 1};
    const recombine_residues four = {NULL, 8, 8, 4, 64, 0, false},
                             narrow = {NULL, 8, 8, 3, 63, 0, false},
                             few = {NULL, 3, 3, 3, 64, 0, false};
    EXPECT_EQ(ring_rows(&rows, &four, 0, NULL), RESULT_REFUSED);
    EXPECT_EQ(ring_rows(&rows, &narrow, 0, NULL), RESULT_REFUSED);
    EXPECT_EQ(ring_rows(&rows, &few, 0, NULL), RESULT_REFUSED);
}
