// bigint_call_workspace_bytes of number theory: see call_peaks.h.
#include "tests/bigint/core/fixture.h"
#include "tests/bigint/plan/call_peaks.h"
#include "tests/ctest/ctest.h"

// check: calls of this kind, of {count, k}.
static void check_counts(bigint_call_kind kind, const uint64_t counts[][2], size_t sizes) {
    for (size_t i = 0; i < sizes; i++) {
        call_check(&(bigint_call){kind, 0, 0, counts[i][1], counts[i][0]});
    }
}

#define CHECK_COUNTS(kind, counts) check_counts((kind), (counts), COUNT(counts))

// Beside the primes that take no sieve, and trees of several levels.
TEST(NumberCalls, Factorials) {
    static const uint64_t numbers[][2] = {{0, 1},    {1, 1},    {20, 1},   {130, 1},   {1000, 1},
                                          {4098, 1}, {4099, 1}, {8200, 1}, {30000, 1}, {200000, 1}},
                          steps[][2] = {{0, 1},
                                        {1, 5},
                                        {300, 2},
                                        {5000, 1},
                                        {9001, 2},
                                        {100000, 30},
                                        {UINT64_MAX, 1ull << 55}};
    CHECK_COUNTS(BIGINT_CALL_FACTORIAL, numbers);
    CHECK_COUNTS(BIGINT_CALL_PRIMORIAL, numbers);
    CHECK_COUNTS(BIGINT_CALL_MULTIFACTORIAL, steps);
}

// In words, quotients, primes; of integers of one limb any of these.
TEST(NumberCalls, Binomials) {
    static const uint64_t words[][2] = {{5, 7},          {67, 30},          {131, 65},
                                        {132, 66},       {1600, 99},        {1600, 100},
                                        {9000, 4500},    {100000, 600},     {100000, 99000},
                                        {100000, 50000}, {UINT64_MAX, 2000}};
    static const uint64_t integers[][3] = {{0, 0, 3}, {1, 0, 0},   {1, 0, 400}, {2, 0, 1},
                                           {2, 0, 7}, {3, 0, 500}, {40, 0, 60}};
    static const bigint_call_kind kinds[] = {BIGINT_CALL_BINOMIAL};
    CHECK_COUNTS(BIGINT_CALL_BINOMIAL_U64, words);
    CHECK_KINDS(kinds, integers);
}

TEST(NumberCalls, Sequences) {
    static const uint64_t numbers[][2] = {{0, 0},     {1, 0},      {93, 0},   {184, 0},
                                          {185, 0},   {1400, 0},   {1500, 0}, {20000, 0},
                                          {65536, 0}, {1000001, 0}};
    CHECK_COUNTS(BIGINT_CALL_FIBONACCI, numbers);
    CHECK_COUNTS(BIGINT_CALL_LUCAS, numbers);
}

TEST(NumberCalls, Powers) {
    static const bigint_call_kind power[] = {BIGINT_CALL_POW_U64},
                                  square[] = {BIGINT_CALL_IS_SQUARE},
                                  any[] = {BIGINT_CALL_IS_POWER};
    static const uint64_t powers[][3] = {{0, 0, 5},    {1, 0, 0},   {1, 0, 19}, {1, 0, 20},
                                         {1, 0, 3000}, {2, 0, 3},   {7, 0, 31}, {300, 0, 16},
                                         {500, 0, 17}, {5000, 0, 2}};
    static const uint64_t squares[][3] = {{0}, {1}, {2}, {33}, {700}, {3000}, {9001}};
    static const uint64_t numbers[][3] = {{0}, {1}, {2}, {3}, {20}, {60}};
    CHECK_KINDS(power, powers);
    CHECK_KINDS(square, squares);
    CHECK_KINDS(any, numbers);
}

TEST(NumberCalls, Symbols) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_KRONECKER};
    static const uint64_t lengths[][3] = {{0, 1},     {1, 1},       {2, 2},      {2, 3},
                                          {149, 150}, {151, 150},   {700, 200},  {200, 700},
                                          {900, 900}, {3000, 3000}, {8000, 5000}};
    CHECK_KINDS(kinds, lengths);
}

TEST(NumberCalls, Removals) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_REMOVE};
    static const uint64_t lengths[][3] = {{0, 1},    {1, 1},      {2, 1},     {70, 1},
                                          {200, 30}, {1000, 999}, {3000, 70}, {6000, 1500}};
    CHECK_KINDS(kinds, lengths);
}

TEST(NumberCalls, RandomNumbers) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_RANDOM};
    static const uint64_t lengths[][3] = {{0}, {1}, {5000}};
    CHECK_KINDS(kinds, lengths);
}

// A word, rows, digits of 52 bits, and transforms, in lanes and one by one.
TEST(NumberCalls, Primes) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_PROBABLE_PRIME, BIGINT_CALL_NEXT_PRIME};
    static const uint64_t lengths[][3] = {{1}, {2}, {3}, {9}, {17}};
    static const bigint_call batches[] = {{BIGINT_CALL_PROBABLE_PRIME_BATCH, 1, 0, 0, 3},
                                          {BIGINT_CALL_PROBABLE_PRIME_BATCH, 1, 0, 0, 66},
                                          {BIGINT_CALL_PROBABLE_PRIME_BATCH, 4, 0, 0, 100},
                                          {BIGINT_CALL_PROBABLE_PRIME_BATCH, 16, 0, 0, 9},
                                          {BIGINT_CALL_PROBABLE_PRIME_BATCH, 9, 0, 0, 70},
                                          {BIGINT_CALL_PROBABLE_PRIME_BATCH, 5, 0, 0, 1}};
    CHECK_KINDS(kinds, lengths);
    CHECK_CALLS(batches, 99);
}

TEST(NumberCalls, SecretPowers) {
    static const bigint_call_kind kinds[] = {BIGINT_CALL_POWM_SEC};
    static const uint64_t lengths[][3] = {{1, 1, 0},    {1, 1, 64},     {9, 2, 100},    {8, 8, 500},
                                          {16, 20, 64}, {140, 130, 64}, {300, 200, 100}};
    static const uint64_t there[][3] = {{1, 1, 0}, {1, 1, 64}, {3, 2, 20}};
    if (fixture_place() >= 0) {  // emulation takes long
        CHECK_KINDS(kinds, there);
    } else {
        CHECK_KINDS(kinds, lengths);
    }
}
