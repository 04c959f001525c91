// product_rows_fold_test.c: residues of many numbers modulo 2^bits - 1 and 2^bits + 1, on a device
// or under the kernel emulation, against GMP.
#include "bigint/device/kernels/product_rows_fold.h"

#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"
#include "tests/support/oracle.h"

#define MARK UINT64_C(0x7777777777777777)
enum { NUMBERS_MOST = 128 };

// folds: numbers in rows, and the modulus.
typedef struct {
    mpz_t v[NUMBERS_MOST], m;
    uint64_t count, bits, row;
    bool plus;
} folds;

static void folds_open(folds *s, uint64_t bits, bool plus) {
    *s = (folds){.bits = bits, .plus = plus, .row = 2 * (bits / 64 + 1)};
    for (int i = 0; i < NUMBERS_MOST; i++) {
        mpz_init(s->v[i]);
    }
    mpz_init_set_ui(s->m, 1);
    mpz_mul_2exp(s->m, s->m, bits);
    (plus ? mpz_add_ui : mpz_sub_ui)(s->m, s->m, 1);
}

static void folds_close(folds *s) {
    for (int i = 0; i < NUMBERS_MOST; i++) {
        mpz_clear(s->v[i]);
    }
    mpz_clear(s->m);
}

// add: z + step, unless that is negative or too long.
static void add(folds *s, const mpz_t z, int step) {
    mpz_t *const v = &s->v[s->count];
    (step < 0 ? mpz_sub_ui : mpz_add_ui)(*v, z, (unsigned)abs(step));
    s->count += mpz_sgn(*v) >= 0 && mpz_sizeinbase(*v, 2) <= 64 * s->row;
    EXPECT_TRUE(s->count < NUMBERS_MOST);
}

// values: multiples of the modulus and a few more or fewer; pieces that are complements of each
// other, or equal, so that every limb passes a carry on; the largest number; random ones.
static void values(folds *s, gen *g) {
    const uint64_t n = s->bits / 64 + 1;
    uint64_t *const limbs = malloc(8 * (n + s->row));
    mpz_t z, low;
    mpz_inits(z, low, NULL);
    for (int step = -2; step <= 2; step++) {
        add(s, z, step), add(s, s->m, step);
        mpz_mul_2exp(z, s->m, s->bits / 2);
        add(s, z, step);
        mpz_mul_2exp(z, s->m, s->bits - 1), mpz_mul_ui(z, z, 2);
        add(s, z, step);
        mpz_mul(z, s->m, s->m);
        add(s, z, step);
        for (int shape = GEN_UNIFORM; shape <= GEN_ONES; shape++) {
            gen_limbs(g, (gen_shape)shape, limbs, n);
            oracle_load(low, limbs, n);
            mpz_fdiv_r_2exp(low, low, s->bits);
            // Modulo 2^bits - 1 low + high is the modulus, modulo 2^bits + 1 low - high is 0.
            s->plus ? mpz_set(z, low) : mpz_sub(z, s->m, low);
            mpz_mul_2exp(z, z, s->bits);
            mpz_add(z, z, low);
            add(s, z, step);
        }
        mpz_set_ui(z, 0);
    }
    gen_limbs(g, GEN_ONES, limbs, s->row);
    oracle_load(z, limbs, s->row);
    add(s, z, 0), add(s, z, -1);
    for (int k = 0; k < 9; k++) {
        gen_limbs(g, k % 2 == 0 ? GEN_UNIFORM : GEN_RUNS, limbs, s->row);
        oracle_load(z, limbs, s->row);
        add(s, z, 0);
    }
    mpz_clears(z, low, NULL);
    free(limbs);
}

// expect_residues: in results of rn limbs, one more apart, which is a mark; a list: from the last
// to the first.
static void expect_residues(const folds *s, uint64_t rn, bool listed) {
    const uint64_t count = s->count, words = count * (rn + 1), bytes = 8 * words;
    uint64_t *const from = calloc(count * s->row, 8), *const r = malloc(bytes);
    product_item *const items = malloc(count * sizeof *items);
    uint64_t *const from_there = device_alloc(8 * count * s->row);
    uint64_t *const r_there = device_alloc(bytes);
    product_item *const items_there = device_alloc(count * sizeof *items);
    void *const states = device_alloc(product_rows_fold_bytes(count, s->bits));
    for (uint64_t i = 0; i < count; i++) {
        EXPECT_TRUE(oracle_store(from + i * s->row, s->row, s->v[i]));
        const uint64_t at = (listed ? count - 1 - i : i) * (rn + 1);
        items[i] = (product_item){r_there + at, NULL, NULL, rn, 0, 0};
    }
    for (uint64_t i = 0; i < words; i++) {
        r[i] = MARK;
    }
    EXPECT_TRUE(device_upload(from_there, from, 8 * count * s->row) &&
                device_upload(r_there, r, bytes) &&
                device_upload(items_there, items, count * sizeof *items));
    const product_rows rows = {items[0], rn + 1, 0, 0, listed ? items_there : NULL, count, 0};
    const product_rows_folding folding = {from_there, s->row, s->bits, s->plus};
    EXPECT_EQ(product_rows_fold(&rows, &folding, states, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(r, r_there, bytes));
    mpz_t want;
    mpz_init(want);
    for (uint64_t i = 0; i < count; i++) {
        SCOPED_TRACE("number %llu", (unsigned long long)i);
        const uint64_t *const got = r + (uint64_t)(items[i].r - r_there);
        mpz_mod(want, s->v[i], s->m);
        EXPECT_VALUE(got, rn, want);
        EXPECT_EQ(got[rn], MARK);
    }
    mpz_clear(want);
    device_free(from_there), device_free(r_there), device_free(items_there), device_free(states);
    free(from), free(r), free(items);
}

static const uint64_t all[] = {1,    2,    3,        7,       63,        64,
                               65,   127,  128,      129,     1023,      1024,
                               1025, 1087, 1088,     1089,    17 * 64,   8191,
                               8192, 8193, 128 * 65, 1 << 16, 65 * 1024, 128 * 1025 - 1};
static void label(char *buf, size_t cap, const uint64_t *bits) {
    snprintf(buf, cap, "%llu_bits", (unsigned long long)*bits);
}

// By a thread, a warp, a block, blocks; bits that end inside a limb, at its end, and one behind;
// short rows. Mutations: a carry lost between limbs, threads, warps or stretches; what leaves the
// top goes in twice, or not where that overflows again; the modulus left for 0, or 2^bits modulo
// 2^bits + 1 taken for 0; a piece negative that is not; an odd number of pieces not filled up; a
// row read beyond its end; the padding left, or one limb beyond it written; states of another
// number.
TEST_EACH(ProductRowsFold, Residues, uint64_t, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(81);
    for (int plus = 0; plus < 2; plus++) {
        for (unsigned k = 0; k < (*p < 9000 ? 3 : 2); k++) {
            SCOPED_TRACE("plus %d, case %u", plus, k);
            folds s;
            folds_open(&s, *p, plus != 0);
            s.row -= k == 1 ? (*p % 64 == 0 ? 2 : 1) : 0;  // a product of residues
            s.row = k == 2 || s.row == 0 ? 1 : s.row;
            device_order(k);
            values(&s, &g);
            expect_residues(&s, *p / 64 + 1 + k % 2, k == 1);
            folds_close(&s);
        }
    }
    device_order(0);
}

// expect_one: the residue of number i, or of its negative.
static void expect_one(const folds *s, uint64_t i, bool negative) {
    const uint64_t rn = s->bits / 64 + 1, sign = negative ? 7 : 0;
    uint64_t *const from = malloc(8 * s->row), *const r = malloc(8 * (rn + 2));
    uint64_t *const number = device_alloc(8 * (s->row + 1)), *const to = device_alloc(8 * (rn + 2));
    void *const states = device_alloc(product_rows_fold_bytes(1, s->bits));
    EXPECT_TRUE(oracle_store(from, s->row, s->v[i]));
    for (uint64_t j = 0; j < rn + 2; j++) {
        r[j] = MARK;
    }
    EXPECT_TRUE(device_upload(number, &sign, 8) && device_upload(number + 1, from, 8 * s->row) &&
                device_upload(to, r, 8 * (rn + 2)));
    const product_rows_folding folding = {number + 1, s->row, s->bits, s->plus};
    EXPECT_EQ(product_rows_fold_one(to + 1, rn, to, number, &folding, states, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(r, to, 8 * (rn + 2)));
    mpz_t want;
    mpz_init(want);
    negative ? mpz_neg(want, s->v[i]) : mpz_set(want, s->v[i]);
    mpz_mod(want, want, s->m);
    EXPECT_VALUE(r + 1, rn, want);
    EXPECT_EQ(r[0], 0u);
    EXPECT_EQ(r[rn + 1], MARK);
    mpz_clear(want);
    device_free(number), device_free(to), device_free(states);
    free(from), free(r);
}

// Mutations: the complement of a piece of 0 left out, or of one that counts negatively taken again;
// the negative of 0 the modulus; the sign left.
TEST_EACH(ProductRowsFold, OneWithASign, uint64_t, all, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    gen g = gen_seed(82);
    for (int plus = 0; plus < 2; plus++) {
        SCOPED_TRACE("plus %d", plus);
        folds s;
        folds_open(&s, *p, plus != 0);
        values(&s, &g);
        for (uint64_t i = 0; i < s.count; i += 1 + s.count / 24) {
            SCOPED_TRACE("number %llu", (unsigned long long)i);
            expect_one(&s, i, false);
            expect_one(&s, i, true);
        }
        folds_close(&s);
    }
}

// Mutations: rows longer than their pieces' number allows pass; no numbers are a launch of none.
TEST(ProductRowsFold, Refused) {
    uint64_t word = 0;
    const product_rows none = {{&word, NULL, NULL, 1, 0, 0}, 1, 0, 0, NULL, 0, 0};
    const product_rows one = product_rows_of(none.first);
    const product_rows_folding fits = {&word, 2, 63, false}, longer = {&word, 3, 63, false},
                               nothing = {&word, 1, 0, false};
    EXPECT_EQ(product_rows_fold(&none, &fits, NULL, NULL), RESULT_OK);
    EXPECT_EQ(product_rows_fold(&one, &longer, NULL, NULL), RESULT_REFUSED);
    EXPECT_EQ(product_rows_fold(&one, &nothing, NULL, NULL), RESULT_REFUSED);
}
