#!/usr/bin/env bash
# output_test.sh CRYPTOBENCH DEMO: standard output, and the file of records, on a full device, closed, a pipe
# that nobody reads: status 3 and one line, at once and not after minutes of computing. --help and --version.
# Catches: a write, a flush or a close that is not looked at; records that end up in standard output's place.
set -u
cryptobench=$PWD/$1 demo=$PWD/$2
cd "$TEST_TMPDIR"
failed=0
fail() {
    printf 'FAILED: %s\n' "$1" >&2
    failed=1
}

# lost WHY COMMAND...: ends with 3 and that reason.
lost() {
    local why=$1 status=0
    shift
    "$@" 2>err || status=$?
    [ $status = 3 ] && [ "$(<err)" = "$why" ] || fail "$*: status $status, $(<err)"
}

short=(--scheme paillier-add --seconds 0.001 --threads 1)
for program in "$cryptobench" "$demo"; do
    name=$(basename "$program")
    for arguments in --help --version --usage; do
        lost "$name: standard output: No space left on device" "$program" $arguments >/dev/full
        lost "$name: standard output: Bad file descriptor" "$program" $arguments >&-
        "$program" $arguments >out 2>err && [ -s out ] && [ ! -s err ] || fail "$name $arguments: $(<err)"
    done
    "$program" --version | grep -Eqx "$name [0-9.]+ \(longmul; GMP [0-9.]+(, .*OpenSSL.*)?\)" || fail "$name --version"
    "$program" --help | grep -q '^Exit codes: ' || fail "$name --help does not tell the exit codes"
    [ -z "$("$program" --help | grep -E '.{80}')" ] || fail "$name --help is too wide"
    "$program" --unknown >out 2>err
    [ $? = 2 ] && [ ! -s out ] && grep -q unknown err || fail "$name --unknown: $(<err)"
done
for scheme in rsa-sign rsa-verify dh paillier-encrypt paillier-add paillier-decrypt miller-rabin bpsw; do
    "$cryptobench" --help | grep -Eq "^  $scheme  +[0-9 ]+$" || fail "--help without $scheme"
done

# The rows come one by one: the first that is lost ends the program.
lost 'cryptobench: standard output: No space left on device' "$cryptobench" --check >/dev/full
lost 'cryptobench: standard output: Bad file descriptor' "$cryptobench" "${short[@]}" --json json >&-
[ ! -e json ] || fail 'records were begun without standard output'
lost 'cryptobench: /dev/full: No space left on device' "$cryptobench" "${short[@]}" --json /dev/full >out
[ "$(grep -c paillier out)" = 1 ] || fail 'a lost record did not end the program'
lost 'cryptobench: nowhere/json: No such file or directory' "$cryptobench" "${short[@]}" --json nowhere/json >out
[ ! -s out ] || fail 'measured, then looked for the folder of the records'
lost 'demo: standard output: No space left on device' "$demo" --quick --threads 1 --device host >/dev/full
lost 'demo: standard output: Bad file descriptor' "$demo" --quick --threads 1 --device host >&-

# Limits of the shell's, in KiB.
(
    ulimit -f 1
    exec "$cryptobench" --scheme rsa-verify --seconds 0.001 --threads 1 --json json >out 2>err
)
[ $? = 3 ] && [ "$(<err)" = 'cryptobench: json: File too large' ] || fail "a limit on file sizes: $(<err)"
for program in "$cryptobench" "$demo"; do
    (
        ulimit -s 64
        exec "$program" >out 2>err
    )
    [ $? = 4 ] && [ "$(<err)" = "${program##*/}: a stack of 64 KiB is too little; try ulimit -s 256" ] ||
        fail "a small stack: $(<err)"
done

# A pipe whose reader is gone already: one that ends by itself would need a wait.
python3 - "$cryptobench" "$demo" <<'END' || fail 'a closed pipe'
import os, subprocess, sys
for program, arguments in (sys.argv[1], ["--check"]), (sys.argv[2], ["--quick", "--threads=1", "--device=host"]):
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([program] + arguments, stdout=writer, stderr=subprocess.PIPE, text=True)
    os.close(writer)
    expected = os.path.basename(program) + ": standard output: Broken pipe\n"
    assert (done.returncode, done.stderr) == (3, expected), done
END
exit $failed
