#!/usr/bin/env bash
# README's gallery: every program and its twin of GMP print the same. usage: gallery_test.sh PROGRAM...
# Catches a program that does not run, a wrong result, and two programs that are wrong alike, by known digits.
set -uo pipefail
failed=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}
declare -A sizes=([batch]='64 70 512 4096' [factorial]='1 20 21 1000 50000' [fibonacci]='1 93 94 1000 300000'
    [gcd]='64 128 20000 300000' [mixture]='1 64 100000' [pi]='1 50 1000 30000' [rsa]='512 1024 2048' [threads]='1 1000 2000000')
compared=0
for program in "$@"; do
    name=${program##*/}
    [[ $name != *_gmp ]] || continue
    [ -n "${sizes[$name]-}" ] || fail "$name: no sizes"
    for size in ${sizes[$name]}; do
        ours=$("$program" "$size" 2 2>seconds) && theirs=$("${program}_gmp" "$size" 2>/dev/null) || fail "$name $size"
        [ -n "$ours" ] && [ "$ours" = "$theirs" ] || fail "$name $size: ${ours:0:80} not ${theirs:0:80}"
        grep -qE '^[0-9]+\.[0-9]{9}$' seconds || fail "$name $size: $(<seconds)"
        [[ $name != rsa || $ours == *'is right' ]] || fail "$name $size: $ours"
        [[ $name != pi || $size == 1 || $ours == 3.14159265358979323846264338327950288419716939937510* ]] || fail "$ours"
        [[ $name != factorial || $size != 20 || $ours == '62 bits, 127058998962946049 '* ]] || fail "$ours"
        compared=$((compared + 1))
    done
done
[ $compared -ge 28 ] || fail "only $compared outputs"
exit $failed
