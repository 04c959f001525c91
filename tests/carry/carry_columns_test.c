// carry_columns_test.c: carry/columns.h against carry.h: the same limbs and the same stream after
// every block. May include everything.
#include "carry/columns.h"

#include <string.h>

#include "tests/ctest/ctest.h"
#include "tests/support/gen.h"

enum { COEFFICIENTS = 700, LIMBS = COEFFICIENTS + 2 };

// pass_on: digits of ones, which pass a carry on, and here and there a coefficient that begins or
// ends such a run.
static void pass_on(gen *g, unsigned w, uint64_t *c) {
    for (size_t i = 0; i < COEFFICIENTS; i++) {
        c[i] = gen_below(g, 40) == 0 ? gen_u64(g) : UINT64_MAX >> (64 - w);
    }
}

// expect_same: blocks of one sequence by both; about half the blocks begin where a limb does.
static void expect_same(gen *g, carry_columns *columns, const uint64_t *c, carry_stream start,
                        unsigned w) {
    uint64_t want[LIMBS], got[LIMBS];
    carry_stream s = start, t = start;
    size_t at = 0;
    for (size_t i = 0; i < COEFFICIENTS;) {
        size_t n = 1 + (size_t)gen_below(g, COEFFICIENTS - i);
        n = gen_below(g, 2) == 0 && n > 64 ? n / 64 * 64 : n;
        const size_t limbs = carry_pow2(want + at, &s, c + i, n, 1, w);
        got[at + limbs] = 0x5555;
        ASSERT_EQ(columns(got + at, &t, c + i, n, w), limbs);
        ASSERT_EQ(got[at + limbs], (uint64_t)0x5555);
        ASSERT_TRUE(memcmp(got + at, want + at, limbs * sizeof *got) == 0);
        ASSERT_TRUE(memcmp(s.carry, t.carry, sizeof s.carry) == 0);
        ASSERT_EQ(t.partial, s.partial);
        ASSERT_EQ(t.filled, s.filled);
        at += limbs;
        i += n;
    }
}

static carry_columns *variant(cpu_simd simd) {
    const cpu_simd best = cpu_best_simd(cpu_detect());
    return carry_columns_for(simd < best ? simd : best);
}

// Catches: a carry lost between lanes, vectors or blocks, or one that a run of ones stops; a high
// part that meets the wrong column; a digit that spans two or three words packed amiss; bytes
// written behind the last limb; vectors where w is too small for one carry.
TEST(CarryColumns, EqualCarriesOneByOne) {
    gen g = gen_seed(1);
    uint64_t c[COEFFICIENTS];
    for (int simd = 0; simd < CPU_SIMDS; simd++) {
        for (unsigned w = 1; w <= 64; w++) {
            const carry_stream empty = CARRY_STREAM_INIT;
            for (int shape = 0; shape < GEN_SHAPES; shape++) {
                SCOPED_TRACE("vectors %d, w = %u, %s", simd, w, gen_shape_name((gen_shape)shape));
                gen_limbs(&g, (gen_shape)shape, c, COEFFICIENTS);
                expect_same(&g, variant((cpu_simd)simd), c, empty, w);
            }
            SCOPED_TRACE("vectors %d, w = %u, carries passed on", simd, w);
            pass_on(&g, w, c);
            expect_same(&g, variant((cpu_simd)simd), c, empty, w);
        }
    }
}

// Streams that begin with a carry: the largest that vectors take, one more, and the bound of
// carry.h. Catches: vectors with a carry that makes the first column carry 2.
TEST(CarryColumns, BeginWithACarry) {
    gen g = gen_seed(2);
    uint64_t c[COEFFICIENTS];
    for (int simd = 0; simd < CPU_SIMDS; simd++) {
        for (unsigned w = 2; w <= 64; w++) {
            const uint64_t most = (uint64_t)-1 / (UINT64_MAX >> (64 - w));
            const uint64_t digit = UINT64_MAX >> (64 - w);
            const uint64_t carries[] = {1, digit < most ? digit : most, most / 2, most};
            gen_limbs(&g, GEN_ONES, c, COEFFICIENTS);
            if (gen_below(&g, 2) == 0) {
                pass_on(&g, w, c);
            }
            for (size_t i = 0; i < sizeof carries / sizeof *carries; i++) {
                SCOPED_TRACE("vectors %d, w = %u, carry %zu", simd, w, i);
                const carry_stream start = {{carries[i]}, 0, 0};
                expect_same(&g, variant((cpu_simd)simd), c, start, w);
            }
        }
    }
}
