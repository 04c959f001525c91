#!/usr/bin/env bash
# no_memory_test.sh SHIM PROGRAM ARGUMENTS...: the program with an allocation that fails: each of the first ones,
# and others up to the last, alone; some with all that follow. It ends with 4 and one line that says so, or, where
# the C library does without, with 0.
# Catches: an allocation that is not looked at (SIGSEGV), GMP's and OpenSSL's own ends, an engine blamed for a
# wrong answer, the end of the program by two threads at once.
set -u
shim=$PWD/$1 program=$PWD/$2
shift 2
cd "$TEST_TMPDIR"
failed=0 refused=0

# run HOW: the program with NO_MEMORY=HOW.
run() {
    status=0
    NO_MEMORY=$1 LD_PRELOAD=$shim "$program" "${arguments[@]}" >out 2>err || status=$?
}

arguments=("$@")
export NO_MEMORY_COUNT=count
run 0
[ $status = 0 ] || {
    printf 'FAILED with memory: status %s, %s\n' "$status" "$(<err)"
    exit 1
}
count=$(<count)
unset NO_MEMORY_COUNT
for how in $(seq 1 10) $(seq 11 $((count / 40 + 1)) "$count") $(seq -f %.0f+ 2 $((count / 12 + 1)) "$count"); do
    run "$how"
    case $status in
        0) ;;
        4)
            refused=$((refused + 1))
            [ "$(wc -l <err)" = 1 ] && [[ $(<err) == *": no memory: "* ]]
            ;;
        *) false ;;
    esac || {
        printf 'FAILED: NO_MEMORY=%s of %s: status %s, %s\n' "$how" "$count" "$status" "$(<err)"
        failed=1
    }
done
printf '%s allocations, %s failures of memory reported\n' "$count" "$refused"
[ $refused -gt 45 ] || failed=1
exit $failed
