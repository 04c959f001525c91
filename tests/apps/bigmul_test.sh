#!/usr/bin/env bash
# bigmul from end to end: operands, formats, routes, reports, errors, and the promise about the output file.
# The oracle is Python's integers, and GMP where bigmul itself is asked to --verify.
# usage: bigmul_test.sh BIGMUL WRONG_GMP.so
set -uo pipefail
bigmul=$PWD/$1
wrong_gmp=$PWD/$2
cd "$TEST_TMPDIR" || exit 1
failed=0
fail() {
    printf 'FAILED: %s\n' "$*"
    failed=1
}

# gives EXPECTED ARGUMENT...: exit 0, EXPECTED on standard output, nothing on standard error.
gives() {
    local out status=0
    out=$("$bigmul" "${@:2}" 2>stderr) || status=$?
    [ $status = 0 ] && [ "$out" = "$1" ] && [ ! -s stderr ] ||
        fail "bigmul ${*:2}: status $status, '$out', $(<stderr); not '$1'"
}

# says CODE LINE ARGUMENT...: exit CODE, nothing on standard output, on standard error LINE (a pattern) alone.
# Usage errors may point to --help in a second line.
says() {
    local status=0
    "$bigmul" "${@:3}" >stdout 2>stderr || status=$?
    local line
    line=$(grep -v '^Try `bigmul --help' stderr)
    # shellcheck disable=SC2053
    [ $status = "$1" ] && [[ $line == "bigmul: "$2 ]] && [ ! -s stdout ] && [ "$(wc -l <<<"$line")" = 1 ] ||
        fail "bigmul ${*:3}: status $status, '$(<stderr)'; not $1, '$2'"
}

python() { python3 -c "import sys; getattr(sys, 'set_int_max_str_digits', int)(0); $1" "${@:2}"; }

# --- Operands --------------------------------------------------------------------------------------
# Catches a sign lost or taken for an option, and an operand order that depends on the options.
gives 42 6 7
gives -35 -5 7
gives -35 7 -5
gives 864197523084 -123456789012 -7
gives 60 -- -5 -12
gives 35 -5 -- -7
gives 25 -s -5
gives 144 --sqr 12
gives 0 -0 5
gives 0 -7 00000
gives 6 +2 0003
gives 340282366920938463426481119284349108225 18446744073709551615 18446744073709551615
gives 6 2 - <<<3
gives 9 -s - <<<-3
gives 6 '@/dev/stdin' 2 <<<3
says 2 'two operands are needed' 1
says 2 'two operands are needed'
says 2 'more than two operands' 1 2 3
says 2 '--sqr takes one operand' --sqr 1 2
says 2 "'-s5' is neither options nor a number" -s5
says 2 'standard input can be one operand only*' - -
says 2 '*unrecognized option*' --nonsense 1 2
says 2 '--from: *' --from=octal 1 2
says 2 '--threads: *' --threads=0 1 2
says 2 '--threads: *' --threads=-1 1 2
says 2 '--max-memory: *' --max-memory=4Q 1 2
says 2 '--max-memory: *' --max-memory=20000000T 1 2
says 2 '*nonsense*' --engine=nonsense 1 2
says 2 '*nonsense*' --variant=nonsense 1 2
says 2 '*nonsense*' --backend=nonsense 1 2
says 2 "--device: 'gpu' is neither a number nor host nor auto" --device=gpu 1 2
says 2 "--device: '1x' is neither*" --device=1x 1 2
says 2 "--device: '99999999999999999999' is neither*" --device=99999999999999999999 1 2
says 2 '*backend cuda cannot work on place 1000: *' --device=1000 1 2
says 2 '--radix decimal multiplies on the host*' --radix=decimal --device=0 1 2

# --- Text ------------------------------------------------------------------------------------------
# Catches white space that ends a number early, and places counted from the wrong line or after stripping.
printf '123\r\n 4 5\t6\n\n' >spaced
gives 246912 @spaced 2
gives 492 $'1 2\n3' 4
printf '123' >bare
gives 246 @bare 2
printf '+ 12\n345\n67x9\n' >stray
says 2 "stray: line 3, column 3: stray 'x' among decimal digits; is it --from hex?" @stray 2
says 2 'first operand: character 3: stray 0x01' $'12\x01' 2
says 2 "second operand: character 1: stray '*'" 2 '*'
says 2 "first operand: character 1: stray '*'" '*' -2
says 2 "standard input: line 1, column 1: stray 0x00" - 2 < <(printf '\0')
says 2 "first operand: character 2: stray '-'" 1-2 3
says 2 "first operand: character 3: stray '-'" ' --2' 3
: >empty
printf '\n \n' >blank
says 2 'empty: no digits' @empty 1
says 2 'blank: no digits' 1 @blank
says 2 'first operand: no digits' '' 1
says 2 'first operand: no digits' '+' 1
says 2 'standard input: no digits' - 1 </dev/null

# --- Formats ---------------------------------------------------------------------------------------
# Catches a format taken for another, bytes in the wrong order, and a zero that becomes an empty file.
gives -65025 -f hex ff -0xfF
gives -fe01 -f hex -t hex ff -0xfF
gives 3c -t hex 10 6
says 2 'first operand: no digits' -f hex 0x 1
says 2 "first operand: character 3: stray 'x'" -f hex 00x1 1
says 2 'first operand: raw bytes come from*' -f raw 12 3
says 2 'empty: empty' -f raw @empty 3
says 2 'the product is negative: --to raw cannot write it' -t raw -o product 3 -4
says 2 '--radix decimal is for decimal*' --radix decimal -t hex 3 4
printf '\0\001\0' >raw
gives 10000 -f raw -t hex -s @raw
"$bigmul" -f raw -t raw -s @raw | cmp - <(printf '\0\0\001') || fail 'raw square'
"$bigmul" -t raw 0 5 | cmp - <(printf '\0') || fail 'raw zero'

# --- Long numbers ----------------------------------------------------------------------------------
# Catches a buffer sized for another length, a route that differs from the other, and engines that differ.
python 'import random; random.seed(1)
for name, digits in ("a", 100011), ("b", 7000): open(name, "w").write("-9" + "".join(random.choices("0123456789", k=digits)) + "\n")'
python 'a, b = (int(open(f).read()) for f in "ab"); open("ab", "w").write(f"{a * b}\n"); open("aa", "w").write(f"{a * a:x}\n")'
for route in auto convert decimal; do
    "$bigmul" --radix $route -v @a @b 2>stderr | cmp - ab || fail "--radix $route: $(<stderr)"
    grep -q 'verified: equal to GMP' stderr || fail "--verify says nothing with --radix $route"
done
# The pipe is longer than the first room for one.
cat a | "$bigmul" - @b | cmp - ab || fail 'a long number from a pipe'
"$bigmul" -s @a -t hex | cmp - aa || fail 'square in hex'
"$bigmul" -s @a -t raw | "$bigmul" -f raw -t hex - @raw | cmp - <(sed 's/$/00/' aa) || fail 'raw from a pipe'
for engine in schoolbook karatsuba modular-fft; do
    "$bigmul" --engine $engine --check @a @b | cmp - ab || fail "--engine $engine"
done
"$bigmul" --backend cpu --variant portable --threads 2 --max-memory 1G @a @b | cmp - ab || fail 'means'
"$bigmul" --time --explain @a @b 2>stderr | cmp - ab || fail 'reports'
grep -q '^bigmul: in a decimal radix.*cpu ' stderr && grep -q 'read .* s, .*write .* s' stderr &&
    grep -q '^bigmul: product .* s, end to end .* s$' stderr || fail "reports: $(<stderr)"

# --- Checks ----------------------------------------------------------------------------------------
# Catches a --verify that compares nothing, or after the output has been replaced.
echo old >product
status=0
ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 LD_PRELOAD=$wrong_gmp \
    "$bigmul" --verify -o product 6 7 2>stderr || status=$?
[ $status = 1 ] && [ "$(<product)" = old ] && grep -q 'verification failed' stderr ||
    fail "--verify with a wrong GMP: status $status, $(<stderr)"

# --- Output ----------------------------------------------------------------------------------------
# Catches a half-written or truncated file, a temporary file left behind, and an error that goes unreported.
gives '' -o product 6 7
[ "$(<product)" = 42 ] || fail 'output file'
chmod 640 product
ln -s product link
gives '' -o link 6 8
[ "$(<product)" = 48 ] && [ -L link ] || fail 'output through a link'
[ "$(stat -c %a product)" = 640 ] || fail 'mode of the output file'
gives 49 -o - 7 7
gives '' -o /dev/null 7 7
says 3 'nowhere: No such file or directory' @nowhere 1 -o product
says 3 '.: Is a directory' @. 1 -o product
says 3 '/nowhere/product: No such file or directory' 6 7 -o /nowhere/product
says 3 '.: Is a directory' 6 7 -o .
says 3 '/dev/full: No space left on device' 6 7 -o /dev/full
says 4 'the numbers alone take*' @a @b --max-memory 150K -o product
says 4 'a: longer than*' @a @b --max-memory 10K -o product
says 2 '*stray*' 6x 7 -o product
status=0
(
    ulimit -f 1  # KiB
    exec "$bigmul" @a @b -o product 2>stderr
) || status=$?
[ $status = 3 ] && [ "$(<stderr)" = 'bigmul: product: File too large' ] || fail "file size: $status, $(<stderr)"
[ "$(<product)" = 48 ] || fail 'a failure changed the output file'

"$bigmul" 6 7 >/dev/full 2>stderr && fail 'full standard output'
[ "$(<stderr)" = 'bigmul: standard output: No space left on device' ] || fail "full: $(<stderr)"
"$bigmul" 6 7 >&- 2>stderr && fail 'no standard output'
[ "$(wc -l <stderr)" = 1 ] || fail "no standard output: $(<stderr)"
# A pipe whose reader is gone already: a reader that ends by itself would need a wait.
python 'import os, subprocess, sys
reader, writer = os.pipe()
os.close(reader)
print(subprocess.call([sys.argv[1], "6", "7"], stdout=writer, stderr=open("stderr", "w")))' "$bigmul" >status
[ "$(<stderr)" = 'bigmul: standard output: Broken pipe' ] && [ "$(<status)" = 3 ] || fail "pipe: $(<stderr)"

for signal in INT TERM HUP; do
    mkfifo never
    # From Python, as a shell's background jobs ignore SIGINT.
    python 'import subprocess, sys, time, glob, signal
p = subprocess.Popen([sys.argv[1], "@never", "1", "-o", "product"])
while not glob.glob("product.*.tmp"): time.sleep(0.01)
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
sys.exit(-p.wait() != getattr(signal, "SIG" + sys.argv[2]))' "$bigmul" $signal || fail "SIG$signal: status"
    rm never
done
[ "$(<product)" = 48 ] || fail 'a signal changed the output file'
[ -z "$(find . -name '*.tmp')" ] || fail "left behind: $(find . -name '*.tmp')"

# --- Help ------------------------------------------------------------------------------------------
# Catches an option without help, a line too long for a terminal, and a version that is not the header's.
"$bigmul" --help >help || fail '--help'
"$bigmul" -h | cmp - help || fail '-h'
for word in --from --to --output --sqr --verify --check --time --explain --threads --max-memory --engine \
    --variant --device --backend --radix modular-fft 'Exit codes'; do
    grep -qe "$word" help || fail "--help without $word"
done
[ -z "$(grep -E '.{80}' help)" ] || fail '--help is too wide'
[[ $("$bigmul" --version) == "bigmul "[0-9]*.[0-9]*.[0-9]*" (longmul; --verify uses GMP "* ]] || fail '--version'
exit $failed
