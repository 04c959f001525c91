#!/usr/bin/env bash
# preloaded.sh PROGRAM liblongmul_gmp.so [VARIABLE=VALUE]...: runs a test with the drop-in in front of
# its GMP, and once more with its statistics, where every call takes the longer way. It expects that
# calls were ours, so that a test that bypasses the drop-in fails.
set -euo pipefail
program=$PWD/$1 library=$PWD/$2
shift 2
report=$TEST_TMPDIR/statistics
env "$@" LD_PRELOAD="$library" "$program"
env "$@" LD_PRELOAD="$library" LONGMUL_GMP_STATISTICS="$report" "$program" --gtest_brief=1
cat "$report"
[[ " $* " != *" LONGMUL_GMP_DEVICE="* ]] || grep -q ' device [1-9]' "$report"
grep -Eq 'mpn_mul ours [1-9]|mpn_mul ours 0 passed 0 slow [1-9]' "$report"
