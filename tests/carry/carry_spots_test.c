// carry_spots_test.c: short addends at regular places of a stretch of a number, against GMP.
#include <gmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carry/spots.h"
#include "tests/ctest/ctest.h"
#include "tests/support/device.h"
#include "tests/support/gen.h"

enum { UNTOUCHED = 0x5a };

typedef struct {
    uint64_t each, rows, lanes;
    uint64_t first, n;  // the stretch
    gen_shape limbs, addends;
} spots_case;

// Stretches that begin and end within pieces, in addends, between pieces; one limb; carries
// through no limb, a block of threads, all of a piece, all pieces; addends before and behind; rows
// and lanes.
static const spots_case cases[] = {
    {4, 3, 1, 0, 16, GEN_UNIFORM, GEN_UNIFORM},
    {52, 5, 2, 0, 52 * 11, GEN_UNIFORM, GEN_ONES},
    {52, 5, 2, 51, 54, GEN_ONES, GEN_ONES},
    {52, 5, 2, 54, 1, GEN_ONES, GEN_ONES},
    {52, 5, 2, 53, 3, GEN_ONES, GEN_UNIFORM},
    {52, 40, 4, 16, 52 * 150 + 17, GEN_ONES, GEN_ONES},
    {52, 40, 4, 52 * 31, 52 * 33, GEN_ONES, GEN_POWER_MINUS},
    {64, 70, 1, 640, 64 * 40, GEN_RUNS, GEN_RUNS},
    {1100, 3, 2, 0, 7700, GEN_ONES, GEN_ONES},
    {1100, 3, 2, 1101, 5000, GEN_ONES, GEN_POWER_MINUS},
    {1029, 2, 2, 1000, 3000, GEN_RUNS, GEN_RUNS},
    {600, 4, 1, 2400, 700, GEN_ONES, GEN_ONES},
    {600, 4, 1, 100000, 700, GEN_ONES, GEN_ONES},
};

static void label(char *buf, size_t cap, const spots_case *c) {
    snprintf(buf, cap, "each%u_%ux%u_at%u_%u", (unsigned)c->each, (unsigned)c->rows,
             (unsigned)c->lanes, (unsigned)c->first, (unsigned)c->n);
}

// expected: the sum of the stretch and the addends' limbs in it; n + 1 limbs.
static void expected(const spots_case *c, const uint64_t *limbs, const uint64_t *addends,
                     uint64_t *out) {
    uint64_t *const high = calloc(c->n, sizeof *high);
    for (uint64_t k = 0; k < c->rows * c->lanes; k++) {
        const uint64_t place = k % c->lanes * c->rows + k / c->lanes;
        for (uint64_t j = 0; j < CARRY_SPOT; j++) {
            const uint64_t at = (k + 1) * c->each + j;
            if (at >= c->first && at < c->first + c->n) {
                high[at - c->first] = addends[place * CARRY_SPOT + j];
            }
        }
    }
    out[c->n] = mpn_add_n((mp_limb_t *)out, (const mp_limb_t *)limbs, (const mp_limb_t *)high,
                          (mp_size_t)c->n);
    free(high);
}

// Mutations: a carry that ends behind the addend, or at a block of threads; pieces that a carry
// goes through left out; a carry out of the last piece left out; an addend of the wrong row or
// lane, or that begins before the stretch; limbs behind the stretch written.
TEST_EACH(CarrySpots, EqualsGmp, spots_case, cases, label) {
    if (!device_ready()) {
        SKIP("no device");
    }
    const uint64_t count = p->rows * p->lanes * CARRY_SPOT, all = p->n + 2;
    uint64_t *const limbs = malloc(all * 8), *const addends = malloc(count * 8),
                    *const want = malloc(all * 8);
    gen g = gen_seed(p->first + p->n);
    memset(limbs, UNTOUCHED, all * 8);
    gen_limbs(&g, p->limbs, limbs, (size_t)p->n);
    gen_limbs(&g, p->addends, addends, (size_t)count);
    memcpy(want, limbs, all * 8);
    expected(p, limbs, addends, want);
    const size_t bytes = carry_spots_bytes(p->n, p->each);
    uint64_t *const r = device_alloc(all * 8), *const a = device_alloc(count * 8);
    void *const workspace = device_alloc(bytes);
    EXPECT_TRUE(device_upload(r, limbs, all * 8) && device_upload(a, addends, count * 8));
    const carry_spots spots = {a, p->each, p->rows, p->lanes};
    EXPECT_EQ(carry_add_spots(r, p->n, p->first, &spots, workspace, bytes, NULL), RESULT_OK);
    EXPECT_TRUE(device_download(limbs, r, all * 8));
    EXPECT_LIMBS_EQ(limbs, want, (size_t)all);
    device_free(r), device_free(a), device_free(workspace);
    free(limbs), free(addends), free(want);
}

// Mutation: a workspace that is too short, or addends that meet.
TEST(CarrySpots, Refuses) {
    if (!device_ready()) {
        SKIP("no device");
    }
    uint64_t *const r = device_alloc(64);
    const carry_spots spots = {r, 4, 1, 1}, meet = {r, 3, 1, 1};
    const size_t bytes = carry_spots_bytes(4, 4);
    EXPECT_EQ(carry_add_spots(r, 4, 0, &spots, r, bytes - 1, NULL), RESULT_REFUSED);
    EXPECT_EQ(carry_add_spots(r, 4, 0, &meet, r, 1000, NULL), RESULT_REFUSED);
    EXPECT_EQ(carry_add_spots(r, 0, 0, &spots, r, bytes, NULL), RESULT_REFUSED);
    device_free(r);
}
