#!/usr/bin/env bash
# bigmul where a device is there and taken from 2^12 bits on: which place multiplies, what it gives, what it says, and
# what becomes of a device that fails.
# The oracle is Python's integers, and GMP by --verify.
# usage: bigmul_device_test.sh BIGMUL
set -uo pipefail
bigmul=$PWD/$1
cd "$TEST_TMPDIR" || exit 1
failed=0

python3 -c '
import random
random.seed(1)
a, b = -random.getrandbits(40000), random.getrandbits(9000)
short, enough = (1 << 4092) - 1, 1 << 4095
for name, n in ("a", a), ("b", b), ("short", short), ("enough", enough), ("ab", a * b), ("aa", a * a), ("as", a * short), ("ae", a * enough):
    open(name, "w").write(f"{n:x}\n")'

# on BACKEND PRODUCT ARGUMENT...: the product is that file's, and --time tells that BACKEND computed it, and both times.
on() {
    "$bigmul" -f hex -t hex --time --verify "${@:3}" 2>stderr | cmp - "$2" && grep -q "^bigmul: $1 " stderr &&
        grep -q 'verified: equal to GMP' stderr && grep -q '^bigmul: product [0-9.]* s, end to end [0-9.]* s$' stderr || {
        printf 'FAILED: bigmul %s: not on %s: %s\n' "${*:3}" "$1" "$(<stderr)"
        failed=1
    }
}

# Catches a limit that looks at one operand alone, options that a device does not know and that end the program, a
# result or a square that stays on the device, and a place that was named and is not taken.
on cuda ab @a @b
on cuda aa --sqr @a
on cpu as @a @short
on cpu as @short @a
on cuda ae @enough @a
on cuda as --device=0 @a @short
on cpu ab --device=host @a @b
on cuda ab --device=auto --threads=3 --variant=portable @b @a
on cpu ab --engine=karatsuba @a @b
on '\(cpu\|cuda\)' ab --check @a @b
on ref ab --backend=ref @a @b
on cuda ab --backend=cuda @a @b
on cuda ab --engine=modular-fft @a @b
BIGINT_BACKEND=cpu on cpu ab @a @b
BIGINT_BACKEND=cuda on cuda as --device=0 @a @short
BIGINT_ENGINE=schoolbook on cpu ab @a @b

# refuses PATTERN ARGUMENT...: exit 2, that line, no product.
refuses() {
    local status=0
    "$bigmul" -f hex -t hex "${@:2}" >stdout 2>stderr || status=$?
    # shellcheck disable=SC2053
    [ $status = 2 ] && [ ! -s stdout ] && [[ $(<stderr) == "bigmul: "$1 ]] || {
        printf 'FAILED: bigmul %s: status %s, %s\n' "${*:2}" "$status" "$(<stderr)"
        failed=1
    }
}

# Catches an explicit wish that falls back in silence, and an error without its reason.
refuses '*cannot work on place 1: there are 1 devices*' --device=1 @a @b
refuses '*engine karatsuba is not built for backend cuda*' --device=0 --engine=karatsuba @a @b
refuses '*backend ref works on the host alone, not on place 0*' --device=0 --backend=ref @a @b
refuses '*backend cuda works on places 0 and above*' --device=host --backend=cuda @a @b

# Decimal to decimal stays where it needs no conversion, unless a device is named.
for place in auto 0; do
    [ "$("$bigmul" --device=$place --time "9$(printf '%01500d' 7)" -3 2>stderr)" = "-27$(printf '%01500d' 21)" ] &&
        grep -q "^bigmul: $([ $place = 0 ] && echo cuda || echo '.*digits in base 10')" stderr || {
        printf 'FAILED: decimal with --device=%s: %s\n' $place "$(<stderr)"
        failed=1
    }
done

# with_fault FAULTS CODES PLACE: with that fault the product is right, or the status is one of CODES and one line says
# why. Returns 0 if all went well on the device with numbers there, so that the fault lies behind the last call.
with_fault() {
    local status=0
    DEVICE_FAULTS=$1 "$bigmul" -f hex -t hex --explain --device="$3" @a @b >stdout 2>stderr || status=$?
    if [ $status = 0 ]; then
        cmp -s stdout ab || printf 'FAILED: fault %s on %s: wrong product\n' "$1" "$3"
    else
        [[ " $2 " == *" $status "* ]] && [ ! -s stdout ] && [ "$(grep -vc '^bigmul: cuda ' stderr)" = 1 ] ||
            printf 'FAILED: fault %s on %s: status %s, %s\n' "$1" "$3" "$status" "$(<stderr)"
    fi >>failures
    [ $status = 0 ] && ! grep -Eq '^bigmul: (cpu|cuda from host memory)' stderr
}

# Every allocation there and every call of the runtime fails in turn. Catches a status that is dropped, a failure that
# ends in a wrong product, and a full device that ends a program that had not asked for one, or whose product could be
# made in blocks.
: >failures
for place in auto 0; do
    [ $place = 0 ] && memory=4 || memory=
    for ((i = 1; i <= 100; i++)); do
        ! with_fault "$i,0" "$memory" $place || break
    done
    for ((k = 1; k <= 1000; k++)); do
        ! with_fault "0,$k" '2 3' $place || break
    done
    printf 'device %s: %s allocations and %s calls failed in turn\n' $place $((i - 1)) $((k - 1))
    [ "$i" -gt 5 ] && [ "$k" -gt 20 ] && [ "$k" -lt 1000 ] || echo 'FAILED: too few faults' >>failures
done
cat failures
[ ! -s failures ] || failed=1
exit $failed
