#!/usr/bin/env bash
# bigmul_routes_test.sh BIGMUL: long products by the modular transform, and decimal text by both routes; GMP
# verifies each. ./dev check valgrind runs this under valgrind, whose fused operations differ in the sign of
# a zero; so it starts nothing but BIGMUL. Catches: that sign taken for the sign of a residue; a wrong
# product taken for a length.
set -u
bigmul=$PWD/$1
cd "$TEST_TMPDIR" || exit 1
failed=0
printf -v all '%s' {100001..180000}

# verified FILE OPTION...: a product of numbers of $digits digits goes to FILE.
verified() {
    printf '%s' "${all:0:digits}" >a
    printf '%s' "${all: -digits}" >b
    "$bigmul" -j1 --verify -o "$@" @a @b 2>log && [[ $(<log) == *'verified: equal to GMP'* ]] && return
    printf 'FAILED: %s digits, %s: %s\n' "$digits" "$*" "$(<log)"
    failed=1
}

for digits in 1300 2500 5000 10000 20000 40000 80000; do # 2^12 to 2^18 bits
    verified product --engine=modular-fft
done
verified portable --engine=modular-fft --variant=portable
verified converted --engine=modular-fft --radix=convert
if [ "$(<portable)" != "$(<product)" ] || [ "$(<converted)" != "$(<product)" ]; then
    echo "FAILED: the texts differ"
    failed=1
fi
digits=400000 # the modular transform by choice
verified product
exit $failed
