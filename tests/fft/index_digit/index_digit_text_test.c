// Plans of index-digit transforms as text: specs, why they are refused, and the tables of
// docs/index_digit.md.
#include <stdio.h>
#include <string.h>

#include "fft/index_digit/index_digit.h"
#include "tests/ctest/ctest.h"
#include "tests/fft/index_digit/plans.h"
#include "tests/support/gen.h"

static void expect_round_trip(const fft_id_plan *plan) {
    char spec[FFT_ID_SPEC_BYTES], again[FFT_ID_SPEC_BYTES];
    const int n = fft_id_print(plan, spec, sizeof spec);
    SCOPED_TRACE("%s", spec);
    ASSERT_TRUE(n > 0 && (size_t)n < sizeof spec);
    fft_id_plan parsed;
    ASSERT_EQ(fft_id_parse(&parsed, spec), NULL);
    ASSERT_EQ((size_t)fft_id_print(&parsed, again, sizeof again), strlen(spec));
    EXPECT_EQ((const char *)spec, (const char *)again);
    ASSERT_EQ(parsed.stages_n, plan->stages_n);
    for (unsigned m = 0; m < plan->stages_n; m++) {
        EXPECT_TRUE(!memcmp(&parsed.stage[m], &plan->stage[m], sizeof parsed.stage[m]));
    }
    EXPECT_EQ(parsed.problem.batch, plan->problem.batch);
    EXPECT_TRUE(!memcmp(&parsed.tuple, &plan->tuple, sizeof parsed.tuple));
    char cut[8] = "xxxxxxx";
    EXPECT_EQ(fft_id_print(plan, cut, 4), n);
    EXPECT_EQ((const char *)cut + 3, (const char *)"");
}

// Mutations: a name of the tables changed for another, a twiddle sign dropped, tops counted from
// the wrong end, batch printed in 32 bits, a buffer overrun by one.
TEST(IndexDigitText, RoundTrips) {
    gen g = gen_seed(1);
    unsigned valid = 0;
    for (unsigned i = 0; i < 3000; i++) {
        fft_id_problem problem =
            problem_of(2 + (unsigned)gen_below(&g, 32), (fft_id_direction)gen_below(&g, 2),
                       (fft_id_order)gen_below(&g, 2), 1 + gen_below(&g, 1 << 15));
        problem.element = (fft_id_element)gen_below(&g, FFT_ID_ELEMENTS);
        fft_id_plan plan;
        random_plan(&g, &plan, &problem);
        if (fft_id_refusal(&plan) == NULL) {
            valid++;
            expect_round_trip(&plan);
        }
    }
    EXPECT_TRUE(valid > 300);
    fft_id_plan plan;
    ASSERT_EQ(fft_id_parse(&plan, "mod:inv:rev:2^10x274877906944:p2,s10,x0:g4,s4<,s4<,s4<,s4<"),
              NULL);
    EXPECT_EQ(plan.problem.batch, (uint64_t)1 << 38);
    expect_round_trip(&plan);
    char deepest[FFT_ID_SPEC_BYTES], table[FFT_ID_EXPLAIN_BYTES];
    const fft_id_problem longest = problem_of(33, FFT_ID_FORWARD, FFT_ID_NATURAL, 1 << 15);
    ASSERT_EQ(fft_id_make(&plan, &longest, tuple_of(1, 33, 10), FFT_ID_AFTER), NULL);
    EXPECT_TRUE(fft_id_print(&plan, deepest, sizeof deepest) < FFT_ID_SPEC_BYTES);
    EXPECT_TRUE(fft_id_explain(&plan, table, sizeof table) < FFT_ID_EXPLAIN_BYTES);
}

// Powers of two in passes of different size: the smaller first, from reals to frequencies last.
// Mutations: the other way round, either direction of reals taken for the other or for complex.
TEST(IndexDigitText, OrderOfPasses) {
    static const char *const specs[] = {
        "cf64:fwd:nat:2^17x1:p4,s12,x3:g16>,s16>,g8>,s8>,s8",
        "cf32:inv:nat:2^17x1:p4,s12,x3:g16>,s16>,g8>,s8>,s8",
        "rf64:fwd:nat:2^18x1:p4,s12,x3:g8>,s8>,s8>,g16>,s16",
        "rf32:inv:nat:2^18x1:p4,s12,x3:g16>,s16>,g8>,s8>,s8",
        "cf64:fwd:nat:2^26x1:p4,s12,x3:g16>,s16>,g8>,s8>,s8>,g8>,s8>,s8",
    };
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
        fft_id_plan given, made;
        char spec[FFT_ID_SPEC_BYTES];
        ASSERT_EQ(fft_id_parse(&given, specs[i]), NULL);
        ASSERT_EQ(fft_id_make(&made, &given.problem, given.tuple, FFT_ID_AFTER), NULL);
        fft_id_print(&made, spec, sizeof spec);
        EXPECT_EQ((const char *)spec, specs[i]);
    }
}

// Lengths with other factors than 2: every one of up to 3000, and long ones, in many tuples.
// Mutations: a factor lost between exponents and length, passes or nodes that are not fewest or not
// nearly equal, radices in place of their digits.
TEST(IndexDigitText, MixedRadices) {
    unsigned served = 0;
    for (unsigned n = 3; n <= 3000; n++) {
        fft_id_problem problem = problem_of(1, FFT_ID_FORWARD, FFT_ID_NATURAL, 1 + n % 5);
        if (fft_id_set_length(&problem, n) != NULL || !fft_id_mixed(&problem)) {
            continue;
        }
        EXPECT_EQ(fft_id_length(&problem), n);
        const fft_id_tuple tuple = tuple_of(3 + n % 3, 5 + n / 2 % 8, n % 3);
        fft_id_plan plan;
        ASSERT_EQ(fft_id_make(&plan, &problem, tuple, n % 2 ? FFT_ID_AFTER : FFT_ID_BEFORE), NULL);
        expect_round_trip(&plan);
        served++;
    }
    EXPECT_EQ(served, 207);
    fft_id_problem longer = problem_of(1, FFT_ID_FORWARD, FFT_ID_NATURAL, 1);
    EXPECT_TRUE(fft_id_set_length(&longer, (uint64_t)3 << 32) != NULL);
    EXPECT_TRUE(fft_id_set_length(&longer, 1) != NULL);
    EXPECT_TRUE(fft_id_set_length(&longer, 22) != NULL);
    EXPECT_EQ(fft_id_set_length(&longer, (uint64_t)1 << 33), NULL);
    EXPECT_EQ(fft_id_length(&longer), (uint64_t)1 << 33);
    static const struct {
        uint64_t n;
        fft_id_tuple tuple;
        const char *spec;
    } plans[] = {
        {12, {4, 4, 0}, "cf64:fwd:nat:2^2*3^1x1:p4,s4,x0:g12"},
        {105, {3, 7, 0}, "cf64:fwd:nat:2^0*3^1*5^1*7^1x1:p3,s7,x0:g3>,s5>,s7"},
        {768, {4, 12, 0}, "cf64:fwd:nat:2^8*3^1x1:p4,s12,x0:g8>,s8>,s12"},
        {768, {3, 12, 3}, "cf64:fwd:nat:2^8*3^1x1:p3,s12,x3:g4>,s8>,g4>,s6"},
        {1000000, {4, 12, 2}, "cf64:fwd:nat:2^6*5^6x1:p4,s12,x2:g10>,s10>,s10>,g10>,s10>,s10"},
        {5764801, {3, 9, 0}, "cf64:fwd:nat:2^0*7^8x1:p3,s9,x0:g7>,s7>,s7>,g7>,s7>,s7>,g7>,s7"},
    };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
        fft_id_problem problem = problem_of(1, FFT_ID_FORWARD, FFT_ID_NATURAL, 1);
        ASSERT_EQ(fft_id_set_length(&problem, plans[i].n), NULL);
        fft_id_plan plan;
        char spec[FFT_ID_SPEC_BYTES], table[FFT_ID_EXPLAIN_BYTES];
        ASSERT_EQ(fft_id_make(&plan, &problem, plans[i].tuple, FFT_ID_AFTER), NULL);
        fft_id_print(&plan, spec, sizeof spec);
        EXPECT_EQ((const char *)spec, plans[i].spec);
        EXPECT_TRUE(fft_id_explain(&plan, table, sizeof table) < FFT_ID_EXPLAIN_BYTES);
        fft_id_candidate none;
        EXPECT_EQ(fft_id_candidates(&problem, &hopper, &none, 1), 0);
        plan.stage[plan.stages_n - 1].digits--;
        EXPECT_TRUE(fft_id_refusal(&plan) != NULL);
        EXPECT_TRUE(fft_id_make(&plan, &problem, tuple_of(1, 12, 0), FFT_ID_AFTER) != NULL);
        EXPECT_TRUE(fft_id_make(&plan, &problem, tuple_of(3, 1, 0), FFT_ID_AFTER) != NULL);
    }
}

typedef struct {
    const char *spec, *why;  // why: a part of the reason
} refusal;
static const refusal refusals[] = {
    {"", "a spec reads"},
    {"cf64", "a spec reads"},
    {"cf16:fwd:nat:2^4x1:p2,s4,x0:g4>,s4", "a spec reads"},
    {"cf64:up:nat:2^4x1:p2,s4,x0:g4>,s4", "a spec reads"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:", "a spec reads"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4,", "a spec reads"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4 ", "a spec reads"},
    {"cf64:fwd:nat:2^04x1:p2,s4,x0:g4>,s4", "a spec reads"},
    {"cf64:fwd:nat:2^260x1:p2,s4,x0:g4>,s4", "a spec reads"},
    {"cf64:fwd:nat:2^4x18446744073709551616:p2,s4,x0:g4>,s4", "a spec reads"},
    {"cf64:fwd:nat:2^4*3^0x1:p2,s4,x0:g4>,s4", "a spec reads"},
    {"mod:fwd:nat:2^2*3^1x1:p2,s4,x0:g4>,s3", "in natural order"},
    {"rf32:fwd:nat:2^0*3^2x1:p4,s4,x0:g9", "odd length"},
    {"cf64:fwd:rev:2^2*3^1x1:p2,s4,x0:g4>,s3", "in natural order"},
    {"cf64:fwd:nat:2^2*3^21x1:p2,s4,x0:g4>,s3", "at most 2^33"},
    {"cf64:fwd:nat:2^255*7^255x1:p2,s4,x0:g4>,s3", "at most 2^33"},
    {"cf64:fwd:nat:2^2*3^1x0:p2,s4,x0:g4>,s3", "batch"},
    {"cf64:fwd:nat:2^2*3^1x23456248059222:p2,s4,x0:g4>,s3", "batch"},
    {"cf64:fwd:nat:2^2*3^1x1:p0,s4,x0:g4>,s3", "tuple"},
    {"cf64:fwd:nat:2^2*3^1x1:p7,s4,x0:g4>,s3", "tuple"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x5:g4>,s3", "tuple"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s34,x0:g4>,s3", "tuple"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:s4>,s3", "first stage"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g4>,r3", "first stage"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g4>,s1>,s3", "2 to 2^p"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g2>,s6", "2 to 2^p"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g4>,s4", "every prime factor"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g4", "every prime factor"},
    {"cf64:fwd:nat:2^2*3^1x1:p4,s4,x0:g11", "every prime factor"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s3,x0:g4>,s3", "more items in a tile"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x3:g4>,g3", "more items in a tile"},
    {"cf64:fwd:nat:2^2*3^1x1:p2,s4,x0:g4,s3", "twiddles"},
    {"cf64:fwd:nat:2^0x1:p1,s1,x0:g2", "length must be"},
    {"rf64:fwd:nat:2^1x1:p1,s1,x0:g2", "length must be"},
    {"cf64:fwd:nat:2^34x1:p1,s1,x0:g2", "length must be"},
    {"cf64:fwd:nat:2^4x0:p2,s4,x0:g4>,s4", "batch"},
    {"cf64:fwd:nat:2^4x17592186044417:p2,s4,x0:g4>,s4", "batch"},
    {"cf64:fwd:nat:2^4x1:p0,s4,x0:g4>,s4", "tuple"},
    {"cf64:fwd:nat:2^7x1:p7,s7,x0:g128", "tuple"},
    {"cf64:fwd:nat:2^4x1:p2,s1,x0:g4>,s4", "tuple"},
    {"cf64:fwd:nat:2^4x1:p2,s5,x0:g4>,s4", "tuple"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x5:g4>,s4", "tuple"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:s4>,s4", "first stage"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g3>,s4", "power of two"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g8>,s2", "power of two"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g1,s4", "power of two"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s2", "every input digit"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4>,s2", "every input digit"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,r4", "not in registers"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4,s4", "twiddles"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4<", "twiddles"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4>,s4>", "twiddles"},
    {"cf64:fwd:nat:2^4x1:p2,s4,x0:g4<,s4<", "twiddles"},
    {"cf64:fwd:nat:2^6x1:p2,s6,x0:g4>,s4,s4", "twiddles"},
    {"cf64:fwd:nat:2^6x1:p2,s6,x0:g4>,s4<,s4<", "twiddles"},
    {"cf64:fwd:nat:2^6x1:p2,s6,x0:g4,s4>,s4", "twiddles"},
    {"cf64:fwd:nat:2^4x1:p2,s3,x0:g4>,s4", "more digits in a block"},
    {"cf64:fwd:nat:2^4x1:p2,s3,x2:g4>,g4", "more digits in a block"},
    {"cf64:fwd:rev:2^4x1:p2,s3,x2:g4>,g4", "more digits in a block"},
};
static void label(char *buf, size_t cap, const refusal *r) {
    snprintf(buf, cap, "%u", (unsigned)(r - refusals));
}

// Mutations: any one condition of the refusals left out or turned.
TEST_EACH(IndexDigitText, Refuses, refusal, refusals, label) {
    fft_id_plan plan;
    const char *why = fft_id_parse(&plan, p->spec);
    SCOPED_TRACE("%s: %s", p->spec, why ? why : "accepted");
    ASSERT_TRUE(why != NULL);
    EXPECT_TRUE(strstr(why, p->why) != NULL);
}

static char document[65536];

static const char *const worked[] = {
    "cf64:fwd:nat:2^3x1:p1,s3,x0:g2>,s2>,s2",
    "cf64:fwd:nat:2^4x1:p2,s3,x1:g4>,g4",
    "cf64:fwd:rev:2^4x1:p2,s3,x1:g4>,g4",
    "cf64:inv:rev:2^4x1:p2,s3,x1:g4>,g4",
};

// Mutations: any change of a layout, a mapping or an operator that the document shows.
TEST(IndexDigitDocument, WorkedExamplesAreWhatThePlansSay) {
    FILE *file = fopen("docs/index_digit.md", "r");
    ASSERT_TRUE(file != NULL);
    const size_t bytes = fread(document, 1, sizeof document - 1, file);
    fclose(file);
    ASSERT_TRUE(bytes > 0 && bytes < sizeof document - 1);
    for (size_t i = 0; i < sizeof worked / sizeof worked[0]; i++) {
        static char text[FFT_ID_EXPLAIN_BYTES];
        fft_id_plan plan;
        ASSERT_EQ(fft_id_parse(&plan, worked[i]), NULL);
        fft_id_explain(&plan, text, sizeof text);
        SCOPED_TRACE("%s\n%s", worked[i], text);
        const char *at = strstr(document, worked[i]);
        ASSERT_TRUE(at != NULL);
        EXPECT_TRUE(strstr(at, text) != NULL);
    }
}
