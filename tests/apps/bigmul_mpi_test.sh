#!/usr/bin/env bash
# bigmul_mpi_test.sh BIGMUL_MPI BIGMUL MPIRUN: products by ranks of an MPI job against bigmul's, in every
# format. Catches: a rank's range of bytes shifted; a length that counts zero bytes on top; an error
# that leaves a file behind, or another exit code; a GPU that was asked for and is not taken, or is not there and no
# error. The emulated program has one GPU in each rank.
set -u
mpi=$PWD/$1 bigmul=$PWD/$2 mpirun=$PWD/$3
cd "$TEST_TMPDIR" || exit 1
failed=0

fail() {
    printf 'FAILED: %s: %s\n' "$*" "$(<log)"
    failed=1
}

# same RANKS OPTION...: both programs write the same product; the ranks on the places of `on`.
on=()
same() {
    local ranks=$1
    shift
    rm -f ours theirs
    "$mpirun" "$mpi" "$ranks" "${on[@]}" -o ours "$@" 2>log && "$bigmul" -o theirs "$@" 2>>log &&
        cmp ours theirs 2>>log || fail "$@"
}

# ends CODE TEXT OPTION...: the job ends with that code, says so, and leaves no file.
ends() {
    local code=$1 text=$2
    shift 2
    rm -f ours*
    "$mpirun" "$mpi" 3 "$@" -o ours >/dev/null 2>log
    [ $? = "$code" ] && [[ $(<log) == *"$text"* ]] && ! compgen -G 'ours*' >/dev/null || fail "$@"
}

printf -v digits '%s' {10001..30000}
printf '%s' "$digits" >a
printf -- '-%s' "${digits:7:70001}" >b
printf '%s' "${digits:0:99999}" >raw_a
head -c 4096 /dev/zero | tr '\0' '\377' >raw_b
head -c 40 /dev/zero >zero_b
same 3 @a @b
same 2 --from decimal --to hex --sqr @a
same 3 --to gmp @a @b
"$bigmul" --to gmp -o g @a @b && same 2 --from gmp --to decimal @g @g
same 3 --from raw --to raw --check @raw_a @raw_b
same 8 --from raw --to raw --sqr @raw_b
same 4 --from raw --to raw --verify @raw_a @zero_b
"$mpirun" "$mpi" 2 --json -o ours @a @b 2>log && [ "$(grep -c seconds log)" = 1 ] &&
    python3 -c 'import json; r = json.load(open("log")); assert r["ranks"] == 2 and 0 < r["seconds"] <= r["end_to_end"]' ||
    fail --json
ends 3 'nothere: No such file' --from raw --to raw @raw_a @nothere
ends 2 'cannot write it' --to raw @a @b
ends 2 'bigmul does the rest' gcd @a @b
ends 4 'exceed the cap' -m 300K --from raw --to raw @raw_a @raw_b
if [[ $mpi == */emulated/* ]]; then
    on=(--device 0)
    same 3 --from raw --to raw @raw_a @raw_b
    same 2 --from hex --to hex -- ff -f00f
    same 2 --from raw --to raw @raw_a @zero_b
    on=(--device 0 --transport mpi)
    same 4 --from raw --to raw --sqr --verify @raw_b
    on=(--device auto)
    same 1 @a @b
    [[ $("$mpirun" "$mpi" 2 --device 0 --explain 6 7 2>&1) == *'2 members on devices'*42* ]] || fail 'on devices'
    ends 2 'cannot work on place 1: there are 1 devices' --device auto @a @b
    ends 2 'NVSHMEM' --device 0 --transport nvshmem @a @b
    ends 2 'the transports between processes are' --device 0 --transport smoke @a @b
else
    ends 2 'cannot work on place 0' --device 0 @a @b
fi
ends 2 'add --device' --transport mpi @a @b
"$mpirun" "$mpi" 2 --from raw --to raw @raw_a @raw_b >ours 2>log && "$bigmul" --from raw --to raw @raw_a @raw_b >theirs &&
    cmp ours theirs 2>>log || fail 'to standard output'
# Catches a link, such as /dev/stdout, that a file takes the place of.
ln -s a link
"$mpirun" "$mpi" 2 --from raw --to raw -o link @raw_a @raw_b 2>log && fail 'onto a link'
[[ $(<log) == *'link: exists and is no regular file'* && -L link ]] || fail 'what has the name stays'
exit $failed
