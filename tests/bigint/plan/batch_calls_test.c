// bigint_call_workspace_bytes of batches: see call_peaks.h.
#include "tests/bigint/plan/call_peaks.h"
#include "tests/ctest/ctest.h"

// Under a cap a batch once chose another plan, without tables, when it held its workspace.
TEST(BatchCalls, Products) {
    static const bigint_call calls[] = {
        {BIGINT_CALL_MUL_BATCH, 4, 4, 0, 1000},       {BIGINT_CALL_MUL_BATCH, 20, 10, 0, 7},
        {BIGINT_CALL_MUL_BATCH, 200, 200, 0, 33},     {BIGINT_CALL_MUL_BATCH, 700, 600, 0, 9},
        {BIGINT_CALL_MUL_BATCH, 3000, 3000, 0, 9},    {BIGINT_CALL_MUL_BATCH, 5000, 4000, 0, 3},
        {BIGINT_CALL_MUL_SUM_BATCH, 4, 4, 0, 500},    {BIGINT_CALL_MUL_SUM_BATCH, 300, 20, 0, 10},
        {BIGINT_CALL_MUL_SUM_BATCH, 3000, 2000, 0, 4}};
    CHECK_CALLS(calls, 10000);
}

// Whole products and rings; at the edges of a limb.
TEST(BatchCalls, ProductsModulo) {
    static const bigint_call calls[] = {{BIGINT_CALL_MUL_MINUS1_BATCH, 1, 1, 1, 5},
                                        {BIGINT_CALL_MUL_MINUS1_BATCH, 4, 4, 256, 300},
                                        {BIGINT_CALL_MUL_PLUS1_BATCH, 5, 3, 256, 40},
                                        {BIGINT_CALL_MUL_MINUS1_BATCH, 40, 30, 64 * 41, 9},
                                        {BIGINT_CALL_MUL_PLUS1_BATCH, 700, 600, 50000, 4},
                                        {BIGINT_CALL_MUL_MINUS1_BATCH, 4096, 4096, 1 << 18, 3},
                                        {BIGINT_CALL_MUL_PLUS1_BATCH, 4096, 4096, 1 << 18, 3}};
    CHECK_CALLS(calls, 5000);
}

// Words, lanes, digits, rows and transforms; moduli longer and shorter than the numbers.
TEST(BatchCalls, Powers) {
    static const bigint_call calls[] = {
        {BIGINT_CALL_POWM_BATCH, 1, 1, 20, 1},    {BIGINT_CALL_POWM_BATCH, 2, 2, 64, 30},
        {BIGINT_CALL_POWM_BATCH, 4, 4, 256, 20},  {BIGINT_CALL_POWM_BATCH, 9, 5, 65, 9},
        {BIGINT_CALL_POWM_BATCH, 3, 16, 17, 8},   {BIGINT_CALL_POWM_BATCH, 140, 140, 40, 3},
        {BIGINT_CALL_POWM_BATCH, 300, 250, 20, 2}};
    CHECK_CALLS(calls, 100);
}

// In place, in lanes with one modulus, and staged.
TEST(BatchCalls, Residues) {
    static const bigint_call calls[] = {
        {BIGINT_CALL_MULMOD_BATCH, 1, 1, 1, 3},      {BIGINT_CALL_MULMOD_BATCH, 16, 16, 16, 900},
        {BIGINT_CALL_MULMOD_BATCH, 40, 20, 30, 50},  {BIGINT_CALL_MULMOD_BATCH, 600, 200, 500, 5},
        {BIGINT_CALL_SQRMOD_BATCH, 20, 20, 0, 600},  {BIGINT_CALL_SQRMOD_BATCH, 90, 60, 0, 20},
        {BIGINT_CALL_SQRMOD_BATCH, 1000, 280, 0, 2}, {BIGINT_CALL_INVMOD_BATCH, 1, 1, 0, 4},
        {BIGINT_CALL_INVMOD_BATCH, 8, 4, 0, 30},     {BIGINT_CALL_INVMOD_BATCH, 30, 60, 0, 10},
        {BIGINT_CALL_INVMOD_BATCH, 300, 200, 0, 3},  {BIGINT_CALL_DIVREM_BATCH, 2, 1, 0, 9},
        {BIGINT_CALL_DIVREM_BATCH, 64, 30, 0, 9},    {BIGINT_CALL_DIVREM_BATCH, 65, 30, 0, 40},
        {BIGINT_CALL_DIVREM_BATCH, 10, 40, 0, 3},    {BIGINT_CALL_DIVREM_BATCH, 600, 280, 0, 5},
        {BIGINT_CALL_DIVREM_BATCH, 3000, 200, 0, 2}};
    CHECK_CALLS(calls, 250);
}
