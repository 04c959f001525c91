// bigint_call_workspace_bytes is an upper bound, and enough as a cap: every kind of call at the edges
// of lengths and beside thresholds, on the host, on a device and on a group.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bigint/core/fixture.h"
#include "tests/ctest/ctest.h"

// numbers: the arguments of a call: a, and b != 0, all of whose bits are set but some, and results.
typedef struct {
    bigint_ctx *ctx;
    bigint a, b, r, q, t;
} numbers;

// set: x = a number of n limbs.
static void set(gen *g, bigint_ctx *ctx, bigint *x, uint64_t n) {
    mpz_t z;
    mpz_init(z);
    if (n > 0) {
        fixture_shape(g, GEN_UNIFORM, z, n);
    }
    fixture_set(ctx, x, z);
    mpz_clear(z);
}

// numbers_open makes them by another context, so that they leave nothing in s.ctx.
static numbers numbers_open(bigint_ctx *ctx, const bigint_call *c) {
    numbers s = {.ctx = ctx};
    gen g = gen_seed(7 * c->an + c->bn + c->k);
    set(&g, ctx, &s.a, c->kind == BIGINT_CALL_SET_TEXT ? 0 : c->an);
    set(&g, ctx, &s.b, c->bn);
    if (c->kind == BIGINT_CALL_DIVEXACT) {
        set(&g, ctx, &s.q, c->an > c->bn ? c->an - c->bn : 0);
        EXPECT_EQ(bigint_mul(ctx, &s.a, &s.q, &s.b), BIGINT_OK);
        bigint_clear(ctx, &s.q);
    }
    return s;
}

static void numbers_close(numbers *s) {
    bigint *const all[] = {&s->a, &s->b, &s->r, &s->q, &s->t};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        bigint_clear(s->ctx, all[i]);
    }
}

// divrem_prep: by a divisor that another context has prepared.
static bigint_status divrem_prep(numbers *s, const bigint_call *c) {
    bigint_ctx *const other = fixture_ctx(NULL);
    bigint_div_prep *prep;
    bigint_status status = bigint_div_prep_create(other, &prep, &s->b, c->k);
    if (status == BIGINT_OK) {
        status = bigint_divrem_prep(s->ctx, &s->q, &s->r, &s->a, prep);
        EXPECT_EQ(bigint_sync(s->ctx), BIGINT_OK);
    }
    bigint_div_prep_destroy(other, prep);
    bigint_ctx_destroy(other);
    return status;
}

static bigint_status div_prep_create(numbers *s, const bigint_call *c) {
    bigint_div_prep *prep;
    const bigint_status status = bigint_div_prep_create(s->ctx, &prep, &s->b, c->k);
    bigint_div_prep_destroy(s->ctx, prep);
    return status;
}

// set_text: of digits that are all the largest; variant 0: into an integer that has room.
static bigint_status set_text(numbers *s, const bigint_call *c, int variant) {
    char *const text = malloc(c->an + 1);
    memset(text, c->k == 2 ? '1' : c->k == 3 ? '2' : '9', c->an);
    text[c->an] = 0;
    bigint_status status = bigint_set_text(s->ctx, &s->r, text, c->an, (int)c->k, NULL);
    if (status == BIGINT_OK && variant == 0) {
        status = bigint_set_text(s->ctx, &s->r, text, c->an, (int)c->k, NULL);
    }
    free(text);
    return status;
}

static bigint_status get_text(numbers *s, const bigint_call *c) {
    const size_t cap = 64 * c->an + 3;
    char *const text = malloc(cap);
    const bigint_status status = bigint_get_text(s->ctx, text, cap, NULL, &s->a, (int)c->k);
    free(text);
    return status;
}

// run: the call; variant 0: all results; 1: the first alone; 2: the second alone, where it has two.
enum { VARIANTS = 3 };
static bigint_status run(numbers *s, const bigint_call *c, int variant) {
    bigint *const q = variant == 2 ? NULL : &s->q, *const r = variant == 1 ? NULL : &s->r;
    switch (c->kind) {
        case BIGINT_CALL_MUL:
            return bigint_mul(s->ctx, variant == 0 ? &s->a : &s->r, &s->a, &s->b);
        case BIGINT_CALL_SQR:
            return bigint_sqr(s->ctx, variant == 0 ? &s->a : &s->r, &s->a);
        case BIGINT_CALL_MUL_MINUS1:
            return bigint_mul_mod_2exp_minus1(s->ctx, &s->r, &s->a, variant == 0 ? &s->a : &s->b,
                                              c->k);
        case BIGINT_CALL_MUL_PLUS1:
            return bigint_mul_mod_2exp_plus1(s->ctx, &s->r, &s->a, &s->b, c->k);
        case BIGINT_CALL_DIVREM:
            return bigint_divrem(s->ctx, q, r, &s->a, &s->b);
        case BIGINT_CALL_FDIV:
            return variant == 0   ? bigint_fdiv(s->ctx, q, r, &s->a, &s->b)
                   : variant == 1 ? bigint_cdiv(s->ctx, q, &s->b, &s->a, &s->b)
                                  : bigint_mod(s->ctx, r, &s->a, &s->b);
        case BIGINT_CALL_DIVEXACT:
            return bigint_divexact(s->ctx, &s->q, &s->a, &s->b);
        case BIGINT_CALL_DIV_PREP_CREATE:
            return div_prep_create(s, c);
        case BIGINT_CALL_DIVREM_PREP:
            return divrem_prep(s, c);
        case BIGINT_CALL_SQRT:
            return bigint_sqrt(s->ctx, q, r, &s->a);
        case BIGINT_CALL_ROOT:
            return bigint_root(s->ctx, q, r, &s->a, c->k);
        case BIGINT_CALL_RSQRT_FIXED:
            return bigint_rsqrt_fixed(s->ctx, &s->r, &s->a, c->k);
        case BIGINT_CALL_GCD:
            return bigint_gcd(s->ctx, &s->r, &s->a, &s->b);
        case BIGINT_CALL_LCM:
            return bigint_lcm(s->ctx, &s->r, &s->a, &s->b);
        case BIGINT_CALL_GCDEXT:
            return bigint_gcdext(s->ctx, &s->r, variant == 1 ? NULL : &s->q,
                                 variant == 2 ? NULL : &s->t, &s->a, &s->b);
        case BIGINT_CALL_INVERT: {
            int exists;
            return bigint_invert(s->ctx, &exists, &s->r, &s->a, &s->b);
        }
        case BIGINT_CALL_SET_TEXT:
            return set_text(s, c, variant);
        case BIGINT_CALL_GET_TEXT:
            return get_text(s, c);
        default:
            return BIGINT_EINVAL;
    }
}

// peak: what new contexts with this cap hold at most, one for each variant of the call.
static uint64_t peak(const bigint_call *c, uint64_t cap) {
    uint64_t most = 0;
    for (int variant = 0; variant < VARIANTS; variant++) {
        bigint_ctx *const other = fixture_ctx(NULL);
        bigint_ctx *const ctx = fixture_ctx(&(bigint_ctx_options){.max_workspace_bytes = cap});
        bigint_counters counters;
        numbers s = numbers_open(other, c);
        s.ctx = ctx;
        EXPECT_EQ(bigint_sync(other), BIGINT_OK);
        EXPECT_EQ(run(&s, c, variant), BIGINT_OK);
        EXPECT_EQ(bigint_sync(ctx), BIGINT_OK);
        bigint_ctx_counters(ctx, &counters);
        most = counters.workspace_peak > most ? counters.workspace_peak : most;
        numbers_close(&s);
        bigint_ctx_destroy(ctx);
        bigint_ctx_destroy(other);
    }
    return most;
}

// members: of a group, whose counters are the members' together.
static uint64_t members(void) { return fixture_place() == BIGINT_GROUP ? 3 : 1; }

enum { FEW = 32768 };  // bytes

// Mutations: a buffer of an algorithm that is not counted, a copy of the divisor, the tables of an
// earlier step, a bound that is the cap's.
static void check(const bigint_call *c) {
    bigint_ctx *const ctx = fixture_ctx(NULL);
    uint64_t bound = 0;
    char line[700];
    SCOPED_TRACE("kind %d, %llu by %llu, k = %llu", (int)c->kind, (unsigned long long)c->an,
                 (unsigned long long)c->bn, (unsigned long long)c->k);
    EXPECT_EQ(bigint_call_workspace_bytes(ctx, &bound, c), BIGINT_OK);
    EXPECT_EQ(bigint_call_explain(ctx, line, sizeof line, NULL, c), BIGINT_OK);
    const uint64_t most = peak(c, 0), capped = bound == 0 ? 0 : peak(c, bound);
    EXPECT_TRUE(most <= members() * bound);
    EXPECT_TRUE(capped <= members() * bound);
    if (fixture_place() == BIGINT_HOST) {  // and not much more than what is needed
        EXPECT_TRUE(bound <= 4 * most + FEW);
    }
    if (getenv("CALLS_PRINT") != NULL) {
        printf("%2d %7llu %7llu %4llu: bound %10llu peak %10llu capped %10llu %s\n", (int)c->kind,
               (unsigned long long)c->an, (unsigned long long)c->bn, (unsigned long long)c->k,
               (unsigned long long)bound, (unsigned long long)most, (unsigned long long)capped,
               line);
    }
    bigint_ctx_destroy(ctx);
}

static void check_kinds(const bigint_call_kind *kinds, size_t count, const uint64_t lengths[][3],
                        size_t sizes) {
    for (size_t i = 0; i < sizes; i++) {
        for (size_t k = 0; k < count; k++) {
            check(&(bigint_call){kinds[k], lengths[i][0], lengths[i][1], lengths[i][2]});
        }
    }
}

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define CHECK_KINDS(kinds, lengths) check_kinds((kinds), COUNT(kinds), (lengths), COUNT(lengths))

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

// Lengths beside thresholds: of the stack, of exact division by rows, of reciprocals on all variants
// and on a device, and unbalanced ones.
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
    const size_t less = fixture_place() >= 0 ? 2 : 0;  // 5990 limbs are for the device
    check_kinds(reads, 1, digits, COUNT(digits));
    check_kinds(writes, 1, limbs, COUNT(limbs) - less);
}

TEST(Calls, Gcd) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_GCD, BIGINT_CALL_LCM, BIGINT_CALL_GCDEXT,
                                             BIGINT_CALL_INVERT};
    static const uint64_t lengths[][3] = {{0, 1},     {1, 1},     {2, 2},       {3, 2},
                                          {149, 149}, {150, 150}, {151, 150},   {700, 200},
                                          {200, 700}, {900, 900}, {3000, 3000}, {8000, 5000}};
    CHECK_KINDS(kinds, lengths);
}
