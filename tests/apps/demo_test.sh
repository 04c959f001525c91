#!/usr/bin/env bash
# The demo at a hundredth of its size: all comparisons with GMP, and its facts against known ones.
# usage: demo_test.sh DEMO
# Catches a comparison that was dropped, a product tree that loses a factor, a wrong digit count.
set -euo pipefail
output=$("$PWD/$1" --quick)
printf '%s\n' "$output"

failed=0
expect() {  # expect TIMES TEXT: that many lines of the output contain TEXT
    local found
    found=$(grep -cF -- "$2" <<<"$output") || true
    [ "$found" = "$1" ] || {
        printf 'FAILED: %s lines with "%s", not %s\n' "$found" "$2" "$1"
        failed=1
    }
}

expect 4 'equal to GMP: all'
expect 4 'thread against thread'
expect 3 'engine '
# Python: m = (2**1257787-1)*(2**859433-1); math.factorial(100000); isqrt(2*10**659998)*isqrt(3*10**659998)
expect 1 'digits   637,347: 53385054972231523162 ... 28634747883362451457'
expect 1 'digits   456,574: 28242294079603478742 ... 00000000000000000000'
expect 1 '24,999 at the end'
expect 2 'all 659,999 digits'
expect 1 'Everything equal to GMP'
exit $failed
