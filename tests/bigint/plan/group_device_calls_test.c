// bigint_call_workspace_bytes on a group of devices: calls that its members compute, batches that
// are dealt out, and calls of the host, all short, because kernels are emulated.
#include "tests/bigint/plan/call_peaks.h"
#include "tests/ctest/ctest.h"

TEST(GroupDeviceCalls, Few) {
    static const bigint_call calls[] = {
        {BIGINT_CALL_MUL, 90, 70, 0, 0},         {BIGINT_CALL_MUL_SUM, 40, 30, 0, 3},
        {BIGINT_CALL_ADDMUL, 40, 30, 9, 0},      {BIGINT_CALL_PREP_CREATE, 40, 0, 50, 0},
        {BIGINT_CALL_MUL_PREP, 40, 30, 50, 0},   {BIGINT_CALL_DIVREM, 70, 30, 0, 0},
        {BIGINT_CALL_CONGRUENT, 70, 30, 0, 0},   {BIGINT_CALL_MUL_BATCH, 4, 4, 0, 10},
        {BIGINT_CALL_MUL_SUM_BATCH, 4, 4, 0, 7}, {BIGINT_CALL_MUL_MINUS1_BATCH, 4, 4, 256, 7},
        {BIGINT_CALL_POWM_BATCH, 2, 2, 20, 4},   {BIGINT_CALL_MULMOD_BATCH, 3, 4, 5, 9},
        {BIGINT_CALL_SQRMOD_BATCH, 3, 4, 0, 9},  {BIGINT_CALL_INVMOD_BATCH, 6, 4, 0, 4},
        {BIGINT_CALL_DIVREM_BATCH, 9, 4, 0, 8},  {BIGINT_CALL_PROBABLE_PRIME_BATCH, 2, 0, 0, 5},
        {BIGINT_CALL_NEXT_PRIME, 2, 0, 0, 0},    {BIGINT_CALL_FACTORIAL, 0, 0, 0, 500},
    };
    CHECK_CALLS(calls, UINT64_MAX);
}
