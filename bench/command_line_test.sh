#!/usr/bin/env bash
# command_line_test.sh BENCH TUNE DEVICE_BENCH...: what each benchmark does before it measures, on a machine
# without a device: --help, words and numbers that it does not know, a folder for records that is not there,
# standard output that is full or closed.
# Catches: a benchmark that measures its first row and then looks for the folder; an option that is passed over
# in silence; sizes without a limit; --help that needs a device, or that is lost and ends with 0.
set -u
failed=0
fail() {
    printf 'FAILED: %s\n' "$1" >&2
    failed=1
}
files=()
for file; do files+=("$PWD/$file"); done
cd "$TEST_TMPDIR"
mkdir there
touch file

# ends STATUS TEXT COMMAND...: with that status and, on standard error, a line that has the text.
ends() {
    local expected=$1 text=$2 status=0
    shift 2
    "$@" >out 2>err || status=$?
    [ $status = "$expected" ] && [ ! -s out ] && grep -qF -- "$text" err || fail "$*: status $status, $(<err)"
}

for program in "${files[@]}"; do
    name=$(basename "$program")
    "$program" --help >help 2>err && [ ! -s err ] && grep -qi '^usage: ' help || fail "$name --help: $(<err)"
    grep -q -e --help help && grep -Eq '^(Times|Measures) ' help || fail "$name --help: $(<help)"
    [ -z "$(grep -E '.{80}' help)" ] || [ "$name" = bench ] || fail "$name --help is too wide"
    "$program" --help 2>err >/dev/full
    [ $? = 3 ] && grep -q 'standard output: No space left' err || fail "$name --help to a full device: $(<err)"
    "$program" --help 2>err >&-
    [ $? = 3 ] && grep -q 'standard output: Bad file' err || fail "$name --help without standard output: $(<err)"
    ends 2 unknown "$program" --unknown
    case $name in
        bench)
            ends 2 'no such topic: unknown' "$program" unknown
            for wrong in --sizes=5x --sizes=+5 --sample=0 --pairs=+1 --pairs=-1 --share=2/2 --threads=18446744073709551617; do
                ends 2 "${wrong#*=}" "$program" $wrong
            done
            ends 2 'leave no row' "$program" --sizes 1..2 mul
            ends 0 'leave no row' "$program" --quick --sizes 6..6 --share 1/2 mul
            ends 2 '--records nowhere: No such file or directory' "$program" --records nowhere mul
            ends 2 '--records file: Not a directory' "$program" --records file mul
            ends 2 '--json nowhere/json: No such file or directory' "$program" --json nowhere/json mul
            ends 3 'standard output: No space left' bash -c '"$0" --quick --sizes 6..6 mul >/dev/full' "$program"
            ends 3 '/dev/full: No space left' bash -c '"$0" --quick --sizes 6..7 mul --json /dev/full >table' "$program"
            [ "$(grep -c '2^[67]' table)" = 1 ] || fail 'a lost record did not end bench'
            ;;
        tune)
            ends 2 "'unknown'" "$program" unknown
            ends 3 'bigint/core/tune.h' "$program" --print
            ;;
        *)
            ends 2 '--out nowhere: No such file or directory' "$program" --commit c --out nowhere --quick
            ends 2 '--out file: Not a directory' "$program" --out=file
            ends 2 'argument' "$program" --out
            ends 3 'no device' "$program" --commit c --dirty --out there --quick
            [ -z "$(ls there)" ] || fail "$name left $(ls there)"
            ends 2 '' "$program" unknown
            ;;
    esac
done

# refuses NAME ARGUMENTS...: the benchmark of that name, one argument at a time.
refuses() {
    local name=$1 program
    shift
    for program in "${files[@]}"; do
        [[ $program == */${name}_stub ]] || continue
        for wrong; do
            ends 2 "${wrong##*=}" "$program" "$wrong"
        done
        return
    done
    fail "no program is called $name"
}
refuses product_bench --from=5 --to=41 --to=x --bits=0 --bits=18446744073709551616 --bits=-1 --cluster=1e3 \
    --shape=1,2,3 --shape=1,2,3,4x --shape=1,2,3,4,5 --shape=1,2,3,4,5,6,7 --shape=1,2,3,4,9,64 --shapes=31
refuses beyond_bench --from=11 --to=41 --threads=0 --from=28x
refuses transfer_bench --from=11 --to=37 --threads=0 --from=28x
refuses text_bench --from=0 --to=11 --threads=257 --host-to=11 --gmp-to=x --least=0
refuses group_device_bench --from=19 --to=37 --members=9 --way=unknown
refuses group_share_bench --from=26 --to=43 --members=1 --memory=0 --way=unknown --groups=0 --inner=8
refuses around_bench --from=11 --to=29 --from=28x --case=unknown
refuses arith_bench --from=11 --to=33 --from=28x --host-to=33 unknown
refuses batch_bench --bits=0 --count=0 --count=99999999999 --rival=nowhere.so
refuses powm_bench --op=unknown --bits=0 --bits=2097152 --rival=nowhere.so
refuses fft_bench --from=31 --to=-1 --total=31 --length=0 --length=1x
refuses decimal_text_bench --from=31 --length=8 --spec=x --candidates
refuses decimal_modular_bench --from=0 --to=10 --threads=0 --real-to=-1 --digits=0 --primes=7
refuses decimal_bench --from=31 --length=8 --spec=x --candidates
refuses strided_bench --length=0 --from=8 --spec=x unknown
for program in "${files[@]}"; do
    [[ $program != */beyond_bench_stub ]] || ends 2 '--from is above --to' "$program" --from=35
done
exit $failed
