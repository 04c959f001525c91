#!/usr/bin/env bash
# The demo at a hundredth of its size: all comparisons with GMP, and its facts against known ones.
# usage: demo_test.sh DEMO [device]
# With "device" one has to be there; without, the demo says whether it found one.
# Catches a comparison that was dropped, a product tree that loses a factor, a wrong digit count, a report without the
# device's two times, or with them where there is none.
set -euo pipefail
output=$("$PWD/$1" --quick)
printf '%s\n' "$output"

failed=0
reports=0
[[ $output != *"; cuda) and GMP"* ]] || reports=3
[ "${2-}" != device ] || [ $reports = 3 ] || {
    printf 'FAILED: no device\n'
    failed=1
}
expect() {  # expect TIMES TEXT: that many lines of the output contain TEXT
    local found
    found=$(grep -cF -- "$2" <<<"$output") || true
    [ "$found" = "$1" ] || {
        printf 'FAILED: %s lines with "%s", not %s\n' "$found" "$2" "$1"
        failed=1
    }
}

expect $((4 + reports)) 'equal to GMP: all'
expect 4 'thread against thread'
expect 3 'engine '
expect $reports 'device   cuda '
expect $reports ' ms alone, '
expect $reports ' ms end to end; '
# Python: m = (2**1257787-1)*(2**859433-1); math.factorial(100000); isqrt(2*10**659998)*isqrt(3*10**659998)
expect 1 'digits   637,347: 53385054972231523162 ... 28634747883362451457'
expect 1 'digits   456,574: 28242294079603478742 ... 00000000000000000000'
expect 1 '24,999 at the end'
expect 2 'all 659,999 digits'
expect 1 'Everything equal to GMP'
# The closing tables: a heading and rows.
expect 1 'faster'
expect 1 'Product of two Mersenne primes  '
expect 2 'Roots of 2 and 3, text to text, '
expect $((reports / 3)) 'one product on the GPU, milliseconds'
expect $reports ' limbs  '

# A place that was asked for: none, one that is not there, something else.
[[ $("$PWD/$1" --quick --device=host) != *cuda* ]] || {
    printf 'FAILED: --device=host\n'
    failed=1
}
for place in 1000 -1 1x; do
    status=0
    error=$("$PWD/$1" --quick --device=$place 2>&1 >/dev/null) || status=$?
    [[ $status != 0 && $error == *@("cannot work on place 1000: "|"--device: '$place' is neither")* ]] || {
        printf 'FAILED: --device=%s: status %s, %s\n' "$place" "$status" "$error"
        failed=1
    }
done
! "$PWD/$1" --quick --threads=2x >/dev/null 2>&1 || {
    printf 'FAILED: --threads=2x\n'
    failed=1
}
exit $failed
