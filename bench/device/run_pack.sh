#!/bin/sh
# Runs what ./dev gpu --pack has put beside this file, on a machine with a GPU: the tests, a skipped
# one counting as failed; the same under compute-sanitizer where it is there and works; the benchmarks.
#
#   ./.gpu-pack [--out FOLDER] [--tests] [--sanitizer] [--bench] [--quick]
#
# Without a part's name all parts run. FOLDER, by default gpu-results, gets the records and the logs.
set -u
here=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
out=gpu-results parts= quick=
while [ $# -gt 0 ]; do
    case $1 in
        --out) out=$2 && shift ;;
        --tests | --sanitizer | --bench) parts="$parts ${1#--}" ;;
        --quick) quick=--quick ;;
        *) echo ".gpu-pack: what is $1?" >&2 && exit 2 ;;
    esac
    shift
done
[ -n "$parts" ] || parts="tests sanitizer bench"
mkdir -p "$out"
commit=$(cut -d' ' -f1 "$here/commit")
dirty=$(grep -q dirty "$here/commit" && echo --dirty)
passed=0 failed=0

# one NAME COMMAND...: runs it. A bad status is a failure, and so is a skipped test, unless it needs
# two devices and there is one.
one() {
    name=$1
    shift
    log=$out/$name.log
    if "$@" >"$log" 2>&1 &&
        [ "$(grep -c ': Skipped$' "$log")" -eq "$(grep -c '^no second device$' "$log")" ]; then
        passed=$((passed + 1))
        echo "passed  $name$(grep -q '^no second device$' "$log" && echo '  (no second device)')"
    else
        failed=$((failed + 1))
        echo "FAILED  $name"
        tail -n 30 "$log"
    fi
}

nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null
case " $parts " in *" tests "*)
    for test in "$here"/tests/*; do
        one "$(basename "$test")" "$test"
    done ;;
esac
case " $parts " in *" sanitizer "*)
    tool=$(command -v compute-sanitizer || ls /usr/local/cuda/bin/compute-sanitizer 2>/dev/null)
    if [ -z "$tool" ]; then
        echo "left out: no compute-sanitizer here"
    elif ! "$tool" --error-exitcode 9 "$here/tests/scan_device_gpu_test" --gtest_filter='*Refuses*' \
        >"$out/sanitizer.log" 2>&1; then
        echo "left out: compute-sanitizer does not work here" && tail -n 3 "$out/sanitizer.log"
    else
        # LONGMUL_SMALL asks the tests for their small sizes.
        for check in memcheck racecheck synccheck; do
            for test in "$here"/tests/*; do
                case $test in */spin_gpu_test) continue ;; esac # ends in an error on purpose
                one "$check-$(basename "$test")" env LONGMUL_SMALL=1 \
                    "$tool" --tool "$check" --error-exitcode 9 "$test"
            done
        done
    fi ;;
esac
# measure COMMAND...: runs a benchmark.
measure() {
    echo "== $*"
    if "$@" --commit "$commit" $dirty --out "$out" $quick; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}

# A rank for each GPU, or two on one.
ranks() {
    if mpirun --version 2>/dev/null | grep -q 'Open MPI'; then
        devices=$(nvidia-smi -L | wc -l)
        bench=$1
        set -- mpirun --allow-run-as-root --oversubscribe --bind-to none \
            -n $((devices > 1 ? devices : 2)) "$@"
        case $bench in
            */group_ranks_bench) measure "$@" ;;
            *)
                measure "$@" --transport mpi
                if [ "$devices" -gt 1 ]; then measure "$@" --transport nccl; fi ;;
        esac
    else
        echo "left out: no Open MPI here for $1"
    fi
}

case " $parts " in *" bench "*)
    for bench in "$here"/bench/*; do
        case $bench in
            */group_mpi_bench | */group_ranks_bench) ranks "$bench" ;;
            *) measure "$bench" ;;
        esac
    done ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
