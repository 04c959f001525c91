// Plans of index-digit transforms: operators, mapping vectors, candidates.
#include <string.h>

#include "fft/index_digit/index_digit.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/index_digit/plans.h"
#include "tests/support/gen.h"

// Operators and mappings ----------------------------------------------------------------------

static void expect_word(fft_id_operator op, const char *expected) {
    fft_id_word word = {.n = 8};
    char text[9] = "";
    for (unsigned i = 1; i <= 8; i++) {
        word.slot[i] = (uint8_t)i;
    }
    fft_id_apply(op, &word);
    for (unsigned i = 1; i <= 8; i++) {
        text[8 - i] = (char)('0' + word.slot[i]);
    }
    EXPECT_EQ((const char *)text, expected);
}

// The examples of [Dieguez18], and the swap of two fields by which a radix-2^p stage exchanges.
// Mutations: a shift to the left, the fields joined in the wrong order, a range off by one.
TEST(IndexDigitWords, OperatorsMoveDigits) {
    expect_word((fft_id_operator){FFT_ID_NODE, 8, 5, 0, 0, 0}, "87654321");
    expect_word((fft_id_operator){FFT_ID_UNSHUFFLE, 8, 1, 0, 0, 1}, "18765432");
    expect_word((fft_id_operator){FFT_ID_UNSHUFFLE, 7, 2, 0, 0, 2}, "83276541");
    expect_word((fft_id_operator){FFT_ID_UNSHUFFLE, 5, 5, 0, 0, 1}, "87654321");
    expect_word((fft_id_operator){FFT_ID_GENERAL_UNSHUFFLE, 8, 6, 2, 1, 1}, "18754362");
    expect_word((fft_id_operator){FFT_ID_GENERAL_UNSHUFFLE, 8, 7, 2, 1, 2}, "21654387");
    expect_word((fft_id_operator){FFT_ID_REVERSAL, 7, 2, 0, 0, 0}, "82345671");
}

// expect_mapping: registers, threads and blocks are numbered by p, s - p and n - s slots, each bit
// once; blocks stay through a pass; the x lowest digits in global memory are no block's.
static void expect_mapping(const fft_id_plan *plan) {
    const unsigned n = fft_id_digits(&plan->problem), x = plan->tuple.x;
    const unsigned width[3] = {plan->tuple.p, plan->tuple.s - (unsigned)plan->tuple.p,
                               n - plan->tuple.s};
    fft_id_mapping begin;
    for (unsigned m = 0; m < plan->stages_n; m++) {
        const fft_id_mapping map = fft_id_stage_mapping(plan, m);
        begin = plan->stage[m].where == FFT_ID_GLOBAL ? map : begin;
        uint64_t bits[3] = {0, 0, 0};
        for (unsigned j = 1; j <= n; j++) {
            bits[map.resource[j]] |= (uint64_t)1 << map.bit[j];
            if (begin.resource[j] == FFT_ID_IN_BLOCK || map.resource[j] == FFT_ID_IN_BLOCK) {
                EXPECT_EQ(map.resource[j], begin.resource[j]);
                EXPECT_EQ(map.bit[j], begin.bit[j]);
            }
        }
        for (unsigned r = 0; r < 3; r++) {
            EXPECT_EQ(bits[r], ((uint64_t)1 << width[r]) - 1);
        }
        if (plan->stage[m].where == FFT_ID_GLOBAL) {
            const fft_id_word read = fft_id_word_before(plan, m);
            const fft_id_word write = fft_id_word_before(plan, fft_id_pass_end(plan, m));
            for (unsigned i = 1; i <= x; i++) {
                EXPECT_TRUE(map.resource[read.slot[i]] != FFT_ID_IN_BLOCK);
                EXPECT_TRUE(map.resource[write.slot[i]] != FFT_ID_IN_BLOCK);
            }
        }
    }
    const fft_id_word last = fft_id_word_before(plan, plan->stages_n);
    for (unsigned i = 1; i <= n; i++) {
        const bool reversed =
            plan->problem.order == FFT_ID_REVERSED && plan->problem.direction == FFT_ID_FORWARD;
        EXPECT_EQ(fft_id_output_digit(plan, last.slot[i]), reversed ? n + 1 - i : i);
    }
}

// Mutations: blocks chosen per stage instead of per pass, contiguous digits of the read or of the
// write layout forgotten, a register digit counted twice.
TEST(IndexDigitWords, MappingsNumberEverything) {
    gen g = gen_seed(2);
    for (unsigned i = 0; i < 4000; i++) {
        const fft_id_problem problem =
            problem_of(1 + (unsigned)gen_below(&g, 33), (fft_id_direction)gen_below(&g, 2),
                       (fft_id_order)gen_below(&g, 2), 1);
        fft_id_plan plan;
        random_plan(&g, &plan, &problem);
        if (fft_id_refusal(&plan) == NULL) {
            char spec[FFT_ID_SPEC_BYTES];
            fft_id_print(&plan, spec, sizeof spec);
            SCOPED_TRACE("%s", spec);
            expect_mapping(&plan);
        }
    }
}

// A block of s digits serves s - x of them in each of several passes, in reversed order s in one.
// Mutations: a pass too many or too few, passes of unequal size.
TEST(IndexDigitWords, MakeTakesFewestPasses) {
    for (unsigned n = 1; n <= 33; n++) {
        for (unsigned p = 1; p <= 6 && p <= n; p++) {
            for (unsigned s = p; s <= n; s++) {
                for (unsigned x = 0; x < s && x <= 4; x++) {
                    const unsigned most = s == n ? n : s - x;
                    const fft_id_problem problem =
                        problem_of(n, (fft_id_direction)(x & 1), (fft_id_order)(p & 1), 1);
                    fft_id_plan plan;
                    ASSERT_EQ(fft_id_make(&plan, &problem, tuple_of(p, s, x), FFT_ID_AFTER), NULL);
                    const unsigned spared = (p & 1) && s < n ? x : 0;
                    EXPECT_EQ(fft_id_passes(&plan), (n - spared + most - 1) / most);
                }
            }
        }
    }
}

// The numbers of kernels that [Dieguez18] gives for n = 12 .. 24.
// Mutations: x of the papers' tuples, s = 11.
TEST(IndexDigitChoice, PaperTuplesTakeThePapersPasses) {
    for (unsigned n = 1; n <= 24; n++) {
        const fft_id_problem problem = problem_of(n, FFT_ID_FORWARD, FFT_ID_NATURAL, 1);
        fft_id_plan v1, v2;
        ASSERT_EQ(fft_id_make(&v1, &problem, fft_id_paper_tuple(1, n), FFT_ID_AFTER), NULL);
        ASSERT_EQ(fft_id_make(&v2, &problem, fft_id_paper_tuple(2, n), FFT_ID_AFTER), NULL);
        EXPECT_EQ(fft_id_passes(&v1), n <= 12 ? 1u : n <= 16 ? 2u : 3u);
        EXPECT_EQ(fft_id_passes(&v2), n <= 12 ? 1u : n <= 18 ? 2u : 3u);
    }
}

// in_order: the premises, one after the other: passes, a quarter of the warps, items of a thread.
static bool in_order(const fft_id_candidate *a, const fft_id_candidate *b) {
    const bool a_warps = a->warps >= hopper.threads / 128;
    const bool b_warps = b->warps >= hopper.threads / 128;
    if (a->passes != b->passes || a_warps != b_warps) {
        return a->passes < b->passes || (a->passes == b->passes && a_warps);
    }
    return a->tuple.p > b->tuple.p || (a->tuple.p == b->tuple.p && a->warps >= b->warps);
}

// Mutations: an order turned round, a limit not looked at, candidates lost by the insertion.
TEST(IndexDigitChoice, CandidatesKeepTheLimitsInOrder) {
    static fft_id_candidate all[1000];
    for (unsigned n = 1; n <= 28; n++) {
        const fft_id_problem problem = problem_of(n, FFT_ID_FORWARD, FFT_ID_NATURAL, 1);
        const size_t count = fft_id_candidates(&problem, &hopper, all, 1000);
        SCOPED_TRACE("n = %u: %zu", n, count);
        ASSERT_TRUE(count > 0 && count <= 1000);
        for (size_t i = 0; i < count; i++) {
            fft_id_plan plan;
            const fft_id_tuple t = all[i].tuple;
            EXPECT_EQ(fft_id_make(&plan, &problem, t, FFT_ID_BEFORE), NULL);
            EXPECT_TRUE(16u << t.s <= hopper.shared_bytes_per_block && t.s - t.p <= 10);
            EXPECT_TRUE(all[i].blocks >= 1 && all[i].warps * 32 <= hopper.threads);
            EXPECT_EQ(all[i].passes, fft_id_passes(&plan));
            EXPECT_TRUE(i == 0 || in_order(&all[i - 1], &all[i]));
        }
        fft_id_candidate best[4] = {0};
        EXPECT_EQ(fft_id_candidates(&problem, &hopper, best, 3), count);
        for (size_t i = 0; i < 3 && i < count; i++) {
            EXPECT_TRUE(!memcmp(&best[i].tuple, &all[i].tuple, sizeof best[i].tuple));
        }
        EXPECT_EQ(best[3].passes, 0u);  // beyond the capacity nothing is written
        EXPECT_EQ(fft_id_candidates(&problem, &hopper, NULL, 0), count);
        EXPECT_EQ(all[0].passes, n <= 13 ? 1u : n <= 24 ? 2u : 3u);
    }
}

// Each limit, made the tightest, holds for every candidate: 2^20 complex FP64 points.
// Mutations: a limit not looked at, or looked at with another unit.
TEST(IndexDigitChoice, CandidatesKeepEachLimit) {
    const fft_id_problem problem = problem_of(20, FFT_ID_FORWARD, FFT_ID_NATURAL, 1);
    static fft_id_candidate all[1000];
    for (unsigned tight = 0; tight < 5; tight++) {
        fft_id_limits limits = hopper;
        limits.shared_bytes_per_block = tight == 0 ? 16384 : limits.shared_bytes_per_block;
        limits.threads_per_block = tight == 1 ? 64 : limits.threads_per_block;
        limits.registers_per_thread = tight == 2 ? 64 : limits.registers_per_thread;
        limits.sector_bytes = tight == 3 ? 128 : limits.sector_bytes;
        limits.shared_bytes = tight == 4 ? 32768 : limits.shared_bytes;
        const size_t count = fft_id_candidates(&problem, &limits, all, 1000);
        SCOPED_TRACE("limit %u: %zu", tight, count);
        ASSERT_TRUE(count > 0 && count <= 1000);
        for (size_t i = 0; i < count; i++) {
            const fft_id_tuple t = all[i].tuple;
            EXPECT_TRUE(16u << t.s <= limits.shared_bytes_per_block);
            EXPECT_TRUE(1u << (t.s - t.p) <= limits.threads_per_block);
            EXPECT_TRUE((4u << t.p) * 3 / 2 + 16 <= limits.registers_per_thread);
            EXPECT_TRUE(16u << t.x >= limits.sector_bytes);
            EXPECT_TRUE((uint64_t)all[i].blocks * 16 << t.s <= limits.shared_bytes);
        }
    }
}
