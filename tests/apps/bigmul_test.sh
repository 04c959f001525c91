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
says 2 'square takes one operand' --sqr 1 2
says 2 "more than two operands; 'mul' is no verb" mul 1 2
says 2 "'sqrt' is neither a verb nor a decimal number; is it --from hex?" sqrt 4
says 2 "'-s5' is neither options nor a number" -s5
says 2 'standard input can be one operand only*' - -
says 2 '*unrecognized option*' --nonsense 1 2
says 2 "--from: 'octal' is none of decimal, hex, raw, gmp" --from=octal 1 2
says 2 '--threads: *' --threads=0 1 2
says 2 '--threads: *' --threads=-1 1 2
for size in 4Q 20000000T 16777216T 16777216t 17179869184G 18446744073709551616 184467440737095516160 0 '' K 1KB 1.5G \
    +1 -1 ' 1' 0x10; do
    says 2 "--max-memory: '$size' is not a size*" --max-memory="$size" 1 2
done
for size in 16777215T 17179869183G 18446744073709551615 000000000000000000000001g 64k; do
    gives 42 --max-memory=$size 6 7
done
says 2 '--output: the name of the file is empty' -o '' 6 7
says 2 '*nonsense*' --engine=nonsense 1 2
says 2 '*nonsense*' --variant=nonsense 1 2
says 2 '*nonsense*' --backend=nonsense 1 2
says 2 "--device: 'gpu' is neither a number nor host nor auto" --device=gpu 1 2
says 2 "--device: '1x' is neither*" --device=1x 1 2
says 2 "--device: '99999999999999999999' is neither*" --device=99999999999999999999 1 2
says 2 '*backend cuda cannot work on place 1000: *' --device=1000 1 2
says 2 '--radix decimal multiplies on the host*' --radix=decimal --device=0 1 2

# --- Text ------------------------------------------------------------------------------------------
# Catches white space that ends a number early, and places counted from the wrong line, after stripping, or from the
# block that is read (of 1 MiB) instead of the file; signs and prefixes forgotten at a block's end.
printf '123\r\n 4 5\t6\n\n' >spaced
gives 246912 @spaced 2
gives 492 $'1 2\n3' 4
printf '123' >bare
gives 246 @bare 2
printf '+ 12\n345\n67x9\n' >stray
says 2 "stray: line 3, column 3, offset 11: stray 'x' among decimal digits; is it --from hex?" @stray 2
says 2 'first operand: character 3: stray 0x01' $'12\x01' 2
says 2 "second operand: character 1: stray '*'" 2 '*'
says 2 "first operand: character 1: stray '*'" '*' -2
says 2 "standard input: line 1, column 1, offset 0: stray 0x00" - 2 < <(printf '\0')
says 2 "first operand: character 2: stray '-'" 1-2 3
says 2 "first operand: character 3: stray '-'" ' --2' 3
: >empty
printf '\n \n' >blank
says 2 'empty: no digits' @empty 1
says 2 'blank: no digits' 1 @blank
says 2 'first operand: no digits' '' 1
says 2 'first operand: no digits' '+' 1
says 2 'standard input: no digits' - 1 </dev/null
says 2 '@ needs the name of a file' @ 1
python 'line = "1234567 9\n"; open("long", "w").write(line * 150000 + "12 \x1b[31m")'
says 2 'long: line 150001, column 4, offset 1500003: stray 0x1b' @long 1
says 2 "long: line 150001, column 4, offset 1500003: stray 0x1b" 1 @long -f hex
python '
for name, end in ("sign", 1), ("prefix", 2), ("both", 3): open(name, "w").write(" " * (2**20 - end) + "-0x1f\n")'
for name in sign prefix both; do
    gives -62 -f hex @$name 2 -t decimal
done

# --- Reading without end ---------------------------------------------------------------------------
# Catches characters looked at after the last one only, and operands without a limit, or with that of another format.
# An operand may be as long as its product and numbers fit in --max-memory.
for device in /dev/zero /dev/full; do
    says 2 "$device: line 1, column 1, offset 0: stray 0x00" @$device 3 -m 64M
    says 2 "$device: line 1, column 1, offset 0: stray 0x00" 3 @$device -f hex -m 64M
done
says 4 '/dev/zero: longer than 16.0 MiB; numbers and product must fit in --max-memory, 64.0 MiB' \
    -f raw -t raw @/dev/zero @/dev/zero -m 64M
says 4 '/dev/zero: longer than *' -f raw -s @/dev/zero -m 64M
says 4 'standard input: longer than 5.0 MiB; *' - 3 -m 10M < <(yes 1)
says 4 'standard input: longer than 5.0 MiB; *' - 3 -m 10M < <(yes '')
says 4 'second operand: longer than 1 bytes; *' -m 13 12345 12
printf '%01000d' 1 >thousand
says 4 'thousand: longer than 999 bytes; *' 12345 @thousand -m 2009
truncate -s 16M sparse
says 2 'sparse: line 1, column 1, offset 0: stray 0x00' @sparse 3
truncate -s 100G sparse
says 4 'sparse: longer than *' @sparse 3 -m 4G
rm sparse
# A bad character ends the program while the writer holds the pipe open.
python 'import subprocess, sys
p = subprocess.Popen([sys.argv[1], "-", "2"], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
p.stdin.write(b"12\n3x")
p.stdin.flush()
sys.exit(p.wait(30) != 2 or p.stderr.read() != b"bigmul: standard input: line 2, column 2, offset 4: "
    b"stray '"'x'"' among decimal digits; is it --from hex?\n")' "$bigmul" || fail 'a bad character in an open pipe'
# The default limit is three quarters of what the process may have. Sanitizers need more than this.
if (ulimit -v 400000 && "$bigmul" 6 7) >/dev/null 2>&1; then
    (
        ulimit -v 400000  # KiB
        says 4 '/dev/zero: longer than *; numbers and product must fit in --max-memory, 293.0 MiB' -f raw -s @/dev/zero
        exit $failed
    ) || failed=1
fi

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
grep -q '^bigmul: .*digits in base 10.*cpu ' stderr && grep -q 'read .* s, .*write .* s' stderr &&
    grep -q '^bigmul: product .* s, end to end .* s$' stderr || fail "reports: $(<stderr)"

# Catches a verb that is computed without its plan, the plan of another call, and no workspace.
explained() {
    local want=$1
    shift
    "$bigmul" --explain "$@" 2>stderr >/dev/null || fail "explain $*"
    grep -q "^bigmul: $want.*; workspace up to [0-9.]* [KMG]*i*[Bb]" stderr || fail "explain $*: $(<stderr)"
}
explained 'cpu schoolbook.*1 x 1 limbs' --from hex product abc def
explained '.*digits in base 10' square 12
explained '.*division' quotient 1000000000000000000000000000000000000000000 12345678901234567890123
explained '.*division' remainder 77 5
explained '.*power' power 3 100
explained '.*power' power 3 100 --mod 1000007
explained '.*gcd' power 3 -100 --mod 1000007
explained '.*gcd' gcd 1000 20
explained '.*root.*degree 3' root 1000 3
explained '.*gcd' quotient 5 3 --mod 7
[ "$(grep -c '; workspace up to' stderr)" = 3 ] || fail "explain of an inverse, product, remainder: $(<stderr)"
"$bigmul" gcd 1000 20 2>stderr >/dev/null && [ ! -s stderr ] || fail "no explanation asked for: $(<stderr)"

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
says 4 'a: longer than 75.0 KiB; numbers and product must fit in --max-memory, 150.0 KiB' @a @b -m 150K -o product
says 4 'a: longer than 5.0 KiB; *' @a @b --max-memory 10K -o product
# Catches a text that tells the user of the library's options, and sizes that are printed as 0.0 MiB.
says 4 'bigint_mul_decimal: *; --max-memory is 220.0 KiB, of which the numbers leave 11.0 KiB' @a @b -m 220K -o product
says 4 'bigint_mul_decimal: *; --max-memory is 100 bytes, of which the numbers leave 84 bytes' -m 100 1234567 8
says 4 'first operand: longer than 3 bytes; numbers and product must fit in --max-memory, 7 bytes' -m 7 1234567 8
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

for signal in INT TERM HUP XCPU; do
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

# Catches a message or report that lands in the output file, because a closed standard file lent it its number; and
# another name of standard output, of a link that leads nowhere, taken for a file to replace.
"$bigmul" --explain --time -o product 6 7 2>&-
[ "$(<product)" = 42 ] || fail "closed standard error: $(<product)"
"$bigmul" --explain --time -o product 6 8 <&- >&- 2>&-
[ "$(<product)" = 48 ] || fail "closed standard files: $(<product)"
"$bigmul" - 7 <&- 2>stderr && fail 'closed standard input'
[ "$(<stderr)" = 'bigmul: standard input: Bad file descriptor' ] || fail "closed standard input: $(<stderr)"
echo before >appended
"$bigmul" -o /dev/stdout 6 7 >>appended
[ "$(<appended)" = $'before\n42' ] || fail "/dev/stdout: $(<appended)"
ln -s nowhere dangling
says 3 'dangling: a symbolic link that leads nowhere' -o dangling 6 7

# Catches a temporary file of a killed run that stays for ever, and the removal of any other file: of a run that still
# lives here, or elsewhere and holds its lock, of another FILE, of another program, a link, a folder.
python 'import fcntl, glob, os, subprocess, sys, time
bigmul = sys.argv[1]
def start(fifo):
    os.mkfifo(fifo)
    p = subprocess.Popen([bigmul, "@" + fifo, "1", "-o", "product"])
    name = f"product.bigmul-{p.pid}.tmp"
    while not os.path.exists(name): time.sleep(0.01)
    return p, name
def dead():
    p = subprocess.Popen(["true"])
    p.wait()
    return p.pid
def make(name):
    open(name, "w").close()
    return name
killed, left = start("fifo1")
killed.kill()
killed.wait()
assert os.path.exists(left), "SIGKILL"
gone = [left, make(f"product.bigmul-{dead()}.tmp")]
living, name = start("fifo2")
locked = make(f"product.bigmul-{dead()}.tmp")
lock = open(locked)
fcntl.flock(lock, fcntl.LOCK_EX)
stay = [name, locked, make("product.bigmul-1.tmp"), make(f"product.bigmul-0{dead()}.tmp"), make("product.bigmul-.tmp"),
    make("product.bigmul-x.tmp"), make(f"product.bigmul--{dead()}.tmp"), make(f"product.{dead()}.tmp"),
    make(f"product.bigmul-{dead()}.tmp.tmp"), make(f"product2.bigmul-{dead()}.tmp"), make(f"product.bigmul-{2**32 + 7}.tmp"),
    make(f"roduct.bigmul-{dead()}.tmp"), f"product.bigmul-{dead()}.tmp", f"product.bigmul-{dead()}.tmp"]
os.symlink("product", stay[-2])
os.mkdir(stay[-1])
for path in "product", os.path.abspath("product"):
    subprocess.check_call([bigmul, "-o", path, "6", "9"])
wrong = [n for n in gone if os.path.exists(n)] + [n for n in stay if not os.path.lexists(n)]
living.terminate()
living.wait()
assert not os.path.exists(name), "SIGTERM"
for n in ["fifo1", "fifo2"] + stay[1:-1]: os.remove(n)
os.rmdir(stay[-1])
assert open("product").read() == "54\n"
sys.exit(f"removed or left wrongly: {wrong}" if wrong else 0)' "$bigmul" || fail 'files of killed runs'
# One with the number that this run has got.
sh -c 'touch product.bigmul-$$.tmp; exec "$0" -o product 7 8' "$bigmul" && [ "$(<product)" = 56 ] || fail 'own number'
[ -z "$(find . -name '*.tmp')" ] || fail "left behind: $(find . -name '*.tmp')"

# --- Stack and progress ----------------------------------------------------------------------------
# Catches a crash where a refusal is due. AddressSanitizer itself crashes at 16 KiB.
for stack in 16 64 255; do
    [ $stack != 16 ] || ! grep -q __asan_init "$bigmul" || continue
    status=0
    env -i bash -c 'ulimit -s $1 && exec "$0" 6 7' "$bigmul" $stack 2>stderr || status=$?  # the environment is there, too
    [ $status = 4 ] && [ "$(<stderr)" = "bigmul: a stack of $stack KiB is too little; try ulimit -s 256" ] ||
        fail "stack of $stack KiB: $status, $(<stderr)"
done

# Catches a stage that says nothing on a terminal, a line that stays, and progress where there is no terminal (gives).
# The operand comes slowly, as nothing is drawn in the first second.
python 'import os, pty, re, subprocess, sys, time
terminal, slave = pty.openpty()
p = subprocess.Popen([sys.argv[1], "--verify", "--radix=convert", "-o", "product", "-", "@b"], stdin=subprocess.PIPE, stderr=slave)
os.close(slave)
p.stdin.write(b"1")
p.stdin.flush()
time.sleep(1.1)
p.stdin.write(b"2")
p.stdin.close()
out = b""
while True:
    try: more = os.read(terminal, 4096)
    except OSError: break  # how Linux ends a terminal
    if not more: break
    out += more
assert p.wait() == 0, out
drawn = re.findall(rb"bigmul: ([a-z ]+?) *(?:[0-9.]+ (?:%|bytes))?\x1b\[K\r", out)
if [drawn[i] for i in range(len(drawn)) if i == 0 or drawn[i] != drawn[i - 1]] != [
        b"read", b"to binary", b"multiply", b"to text", b"verify", b"write"]: sys.exit(repr(out))
assert b"\x1b[Kbigmul: verified: equal to GMP" in out' "$bigmul" || fail 'progress'

# --- Help ------------------------------------------------------------------------------------------
# Catches an option without help, a line too long for a terminal, and a version that is not the header's.
"$bigmul" --help >help || fail '--help'
"$bigmul" -h | cmp - help || fail '-h'
# Catches an exit with 0 though nothing was written.
for word in --help --usage --version -h; do
    for reason in 'No space left on device' 'Bad file descriptor'; do
        status=0
        if [[ $reason == No* ]]; then
            "$bigmul" $word >/dev/full 2>stderr || status=$?
        else
            "$bigmul" $word >&- 2>stderr || status=$?
        fi
        [ $status = 3 ] && [ "$(<stderr)" = "bigmul: standard output: $reason" ] || fail "$word: $status, $(<stderr)"
    done
done
for word in --from --to --mod --json --output --sqr --verify --check --time --explain --threads --max-memory --engine \
    --variant --device --backend --radix modular-fft 'Exit codes'; do
    grep -qe "$word" help || fail "--help without $word"
done
[ -z "$(grep -E '.{80}' help)" ] || fail '--help is too wide'
[[ $("$bigmul" --version) == "bigmul "[0-9]*.[0-9]*.[0-9]*" (longmul; --verify uses GMP "* ]] || fail '--version'
exit $failed
