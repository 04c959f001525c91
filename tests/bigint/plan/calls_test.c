// bigint_call_workspace_bytes is an upper bound, and enough as a cap: every kind of call at the
// edges of lengths and beside thresholds, on the host, on a device and on a group.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_peaks.h"
#include "tests/ctest/ctest.h"

TEST(Calls, Products) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_MUL, BIGINT_CALL_SQR};
    static const uint64_t lengths[][3] = {{0, 0},   {1, 1},     {30, 30},
                                          {100, 7}, {500, 499}, {5000, 5000}};
    CHECK_KINDS(kinds, lengths);
}

// Whole products, folded ones, and rings of the transforms.
TEST(Calls, ProductsModulo) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_MUL_MINUS1, BIGINT_CALL_MUL_PLUS1};
    static const uint64_t lengths[][3] = {{0, 0, 1},
                                          {1, 1, 1},
                                          {9, 8, 7},
                                          {100, 90, 64 * 190},
                                          {100, 90, 64 * 189},
                                          {100, 90, 5000},
                                          {4096, 4096, 1 << 18},
                                          {9000, 4000, 1 << 18}};
    CHECK_KINDS(kinds, lengths);
}

// Beside the thresholds of transforms, and unbalanced; sums of squares; one term, and many.
TEST(Calls, SumsOfProducts) {
    static const bigint_call calls[] = {
        {BIGINT_CALL_MUL_SUM, 0, 5, 0, 3},       {BIGINT_CALL_MUL_SUM, 3, 5, 0, 0},
        {BIGINT_CALL_MUL_SUM, 1, 1, 0, 1},       {BIGINT_CALL_MUL_SUM, 30, 30, 0, 4},
        {BIGINT_CALL_MUL_SUM, 700, 40, 0, 5},    {BIGINT_CALL_MUL_SUM, 600, 600, 0, 1},
        {BIGINT_CALL_MUL_SUM, 2000, 1900, 0, 2}, {BIGINT_CALL_MUL_SUM, 4000, 4000, 0, 3},
        {BIGINT_CALL_MUL_SUM, 3000, 2000, 0, 9}};
    CHECK_CALLS(calls, 10000);
}

TEST(Calls, AddedProducts) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_ADDMUL};
    static const uint64_t lengths[][3] = {{0, 3, 2},      {1, 50, 60},     {8, 8, 3},
                                          {40, 30, 9},    {200, 200, 900}, {2000, 300, 10},
                                          {5000, 4000, 0}};
    static const uint64_t there[][3] = {{0, 3, 2}, {8, 8, 3}, {200, 200, 900}, {700, 300, 10}};
    if (fixture_place() >= 0) {
        CHECK_KINDS(kinds, there);
    } else {
        CHECK_KINDS(kinds, lengths);
    }
}

// Copied operands, real and modular transforms, and others that are much shorter.
TEST(Calls, PreparedOperands) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_PREP_CREATE, BIGINT_CALL_MUL_PREP};
    static const uint64_t lengths[][3] = {{0, 0, 0},          {1, 0, 1},          {30, 30, 30},
                                          {300, 290, 300},    {1500, 1400, 1500}, {1500, 100, 1500},
                                          {4000, 4000, 4000}, {500, 6000, 9000}};
    static const uint64_t there[][3] = {
        {0, 0, 0}, {30, 30, 30}, {300, 290, 300}, {500, 100, 900}, {1500, 1400, 1500}};
    if (fixture_place() >= 0) {
        CHECK_KINDS(kinds, there);
    } else {
        CHECK_KINDS(kinds, lengths);
    }
}

TEST(Calls, Congruences) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_CONGRUENT};
    static const uint64_t lengths[][3] = {{0, 1},   {1, 1},     {30, 2},     {300, 40},
                                          {70, 69}, {900, 300}, {3000, 1400}};
    CHECK_KINDS(kinds, lengths);
}

// Lengths beside thresholds: of the stack, of exact division by rows, of reciprocals on all
// variants and on a device, and unbalanced ones.
TEST(Calls, Divisions) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_DIVREM, BIGINT_CALL_FDIV,
                                             BIGINT_CALL_DIVEXACT, BIGINT_CALL_DIV_PREP_CREATE,
                                             BIGINT_CALL_DIVREM_PREP};
    static const uint64_t lengths[][3] = {{0, 1},       {1, 1},
                                          {3, 7},       {64, 32},
                                          {65, 32},     {66, 1},
                                          {70, 3},      {161, 80},
                                          {163, 81},    {300, 113},
                                          {340, 112},   {679, 340},
                                          {678, 339},   {780, 390},
                                          {1599, 800},  {2000, 400},
                                          {2000, 1900}, {3000, 115},
                                          {6001, 3000}, {5200, 2600, 700},
                                          {20000, 150}, {20000, 9000, 3000},
                                          {16000, 8000}};
    static const uint64_t there[][3] = {
        {0, 1}, {3, 7}, {300, 113}, {2000, 1900}, {5200, 2600, 700}, {8000, 3000}};
    if (fixture_place() >= 0) {  // one launch, and blocks by one reciprocal
        CHECK_KINDS(kinds, there);
    } else {
        CHECK_KINDS(kinds, lengths);
    }
}

TEST(Calls, Roots) {
    static const bigint_call_kind square[] = {BIGINT_CALL_SQRT}, any[] = {BIGINT_CALL_ROOT},
                                  reciprocal[] = {BIGINT_CALL_RSQRT_FIXED};
    static const uint64_t squares[][3] = {{0},   {1},   {2},   {32},   {33},   {64},
                                          {679}, {681}, {800}, {3000}, {16001}};
    static const uint64_t roots[][3] = {{1, 0, 64},   {2, 0, 3},    {132, 0, 3},  {133, 0, 3},
                                        {133, 0, 1},  {400, 0, 2},  {500, 0, 5},  {1200, 0, 7},
                                        {3000, 0, 3}, {3001, 0, 4}, {9000, 0, 3}, {9000, 0, 100}};
    static const uint64_t reciprocals[][3] = {{1, 0, 0},       {1, 0, 64},     {3, 0, 5000},
                                              {700, 0, 50000}, {2, 0, 400000}, {5000, 0, 1000}};
    static const uint64_t squares_there[][3] = {{0}, {1}, {700}, {6001}};
    static const uint64_t roots_there[][3] = {{2, 0, 3}, {133, 0, 3}, {500, 0, 5}, {5000, 0, 3}};
    if (fixture_place() >= 0) {
        CHECK_KINDS(square, squares_there);
        CHECK_KINDS(any, roots_there);
    } else {
        CHECK_KINDS(square, squares);
        CHECK_KINDS(any, roots);
    }
    CHECK_KINDS(reciprocal, reciprocals);
}

// Leaves, halving and the tree, beside their thresholds.
TEST(Calls, Text) {
    static const bigint_call_kind reads[] = {BIGINT_CALL_SET_TEXT},
                                  writes[] = {BIGINT_CALL_GET_TEXT};
    static const uint64_t digits[][3] = {
        {1, 0, 10},   {19, 0, 10},    {304, 0, 10},  {1140, 0, 10}, {1160, 0, 10},
        {5000, 0, 3}, {20000, 0, 10}, {9000, 0, 16}, {9000, 0, 2},  {150000, 0, 10}};
    static const uint64_t limbs[][3] = {
        {0, 0, 10},  {1, 0, 10},    {24, 0, 10},   {25, 0, 10},   {100, 0, 16},   {100, 0, 10},
        {200, 0, 3}, {1000, 0, 10}, {5900, 0, 10}, {5990, 0, 10}, {20000, 0, 10}, {9000, 0, 62}};
    static const uint64_t digits_there[][3] = {{1160, 0, 10}, {9000, 0, 2}, {100000, 0, 10}};
    static const uint64_t limbs_there[][3] = {{1, 0, 10}, {1000, 0, 10}, {5200, 0, 10}};
    if (fixture_place() >= 0) {  // short ones by the host
        CHECK_KINDS(reads, digits_there);
        CHECK_KINDS(writes, limbs_there);
    } else {
        CHECK_KINDS(reads, digits);
        CHECK_KINDS(writes, limbs);
    }
}

TEST(Calls, Gcd) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_GCD, BIGINT_CALL_LCM, BIGINT_CALL_GCDEXT,
                                             BIGINT_CALL_INVERT};
    static const uint64_t lengths[][3] = {{0, 1},     {1, 1},     {2, 2},       {3, 2},
                                          {149, 149}, {150, 150}, {151, 150},   {700, 200},
                                          {200, 700}, {900, 900}, {3000, 3000}, {8000, 5000}};
    CHECK_KINDS(kinds, lengths);
}

// Words, digits, rows, rings and transforms, and a device's kernel and products.
TEST(Calls, Powers) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_POWM};
    static const uint64_t lengths[][3] = {{1, 1, 0},       {1, 1, 5},       {9, 2, 100},
                                          {3, 3, 64},      {8, 8, 500},     {130, 128, 300},
                                          {200, 129, 70},  {140, 140, 300}, {250, 210, 130},
                                          {300, 300, 300}, {700, 600, 260}};
    static const uint64_t there[][3] = {{1, 1, 5}, {8, 8, 100}, {300, 260, 7}, {700, 600, 9}};
    if (fixture_place() >= 0) {
        CHECK_KINDS(kinds, there);
    } else {
        CHECK_KINDS(kinds, lengths);
    }
}

TEST(Calls, DecimalProducts) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_MUL_DECIMAL};
    static const uint64_t lengths[][3] = {{1, 1},       {40, 30},     {900, 700},
                                          {1024, 1024}, {9000, 2000}, {60000, 60000}};
    CHECK_KINDS(kinds, lengths);
}

// Mutation: the length k of a third number that is not checked, whose bytes wrap around.
TEST(Calls, LengthsThatNoNumberHas) {
    static const bigint_call calls[] = {{BIGINT_CALL_POWM, 1, 1, UINT64_MAX, 0},
                                        {BIGINT_CALL_POWM_SEC, 1, 1, UINT64_MAX, 0},
                                        {BIGINT_CALL_POWM_BATCH, 1, 1, UINT64_MAX, 2},
                                        {BIGINT_CALL_MULMOD_BATCH, 1, 1, UINT64_MAX, 2},
                                        {BIGINT_CALL_MULMOD_BATCH, 1, 1, 1ull << 56, 256},
                                        {BIGINT_CALL_MUL_MINUS1, 1, 1, UINT64_MAX, 0},
                                        {BIGINT_CALL_ADDMUL, 1, 1, UINT64_MAX, 0}};
    bigint_ctx *const ctx = fixture_ctx(NULL);
    uint64_t bytes;
    for (size_t i = 0; i < COUNT(calls); i++) {
        SCOPED_TRACE("call %u", (unsigned)i);
        EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bytes, &calls[i]), BIGINT_ERANGE);
        EXPECT_EQ(bigint_call_explain(ctx, NULL, 0, NULL, &calls[i]), BIGINT_ERANGE);
    }
    bigint_ctx_destroy(ctx);
}

// Mutations: a line about a call that workspace_bytes refuses, bytes that a refusal changes.
TEST(Calls, LinesOnlyOfWhatHasAPlan) {
    static const bigint_call calls[] = {{BIGINT_CALL_SET_TEXT, 1ull << 48, 0, 10, 0},
                                        {BIGINT_CALL_POW_U64, 24, 0, UINT64_MAX, 0},
                                        {BIGINT_CALL_RSQRT_FIXED, 3, 0, 1ull << 55, 0},
                                        {BIGINT_CALL_FIBONACCI, 0, 0, 0, 1ull << 60},
                                        {BIGINT_CALL_ADDMUL, 1ull << 54, 1ull << 54, 0, 0}};
    bigint_ctx *const ctx = fixture_ctx(NULL);
    uint64_t bytes = 7;
    for (size_t i = 0; i < COUNT(calls); i++) {
        SCOPED_TRACE("call %u", (unsigned)i);
        const bigint_status status = bigint_call_workspace_bytes(ctx, &bytes, &calls[i]);
        EXPECT_TRUE(status == BIGINT_ERANGE || status == BIGINT_ENOMEM);
        EXPECT_EQ(bigint_call_explain(ctx, NULL, 0, NULL, &calls[i]), status);
    }
    EXPECT_EQ(bytes, 7u);
    bigint_ctx_destroy(ctx);
}

// Members multiply two numbers of one length. Mutation: counted as a square, which takes less.
TEST(Calls, SumsOnGroupsOfEqualLengths) {
    static const bigint_call calls[] = {{BIGINT_CALL_MUL_SUM, 1 << 20, 1 << 20, 0, 1},
                                        {BIGINT_CALL_ADDMUL, 1 << 20, 1 << 20, 0, 0},
                                        {BIGINT_CALL_MUL_PREP, 1 << 20, 1 << 20, 1 << 20, 0}};
    if (fixture_place() != BIGINT_GROUP) {
        SKIP("of groups");
    }
    bigint_ctx *const ctx = fixture_ctx(NULL);
    for (size_t i = 0; i < COUNT(calls); i++) {
        bigint_call shorter = calls[i];
        uint64_t bytes = 0, least = 0;
        shorter.bn--;
        EXPECT_EQ(bigint_call_workspace_bytes(ctx, &least, &shorter), BIGINT_OK);
        EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bytes, &calls[i]), BIGINT_OK);
        EXPECT_TRUE(bytes >= least);
    }
    bigint_ctx_destroy(ctx);
}
