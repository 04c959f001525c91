#!/usr/bin/env bash
# bigmul_mpi_test.sh BIGMUL_MPI BIGMUL MPIRUN: products by ranks of an MPI job against bigmul's, in every
# format. Catches: a rank's range of bytes shifted; a length that counts zero bytes on top; an error
# that leaves a file behind, or another exit code.
set -u
mpi=$PWD/$1 bigmul=$PWD/$2 mpirun=$PWD/$3
cd "$TEST_TMPDIR" || exit 1
failed=0

fail() {
    printf 'FAILED: %s: %s\n' "$*" "$(<log)"
    failed=1
}

# same RANKS OPTION...: both programs write the same product.
same() {
    local ranks=$1
    shift
    rm -f ours theirs
    "$mpirun" "$mpi" "$ranks" -o ours "$@" 2>log && "$bigmul" -o theirs "$@" 2>>log &&
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
ends 3 'nothere: No such file' --from raw --to raw @raw_a @nothere
ends 2 'cannot write it' --to raw @a @b
ends 2 'bigmul does the rest' gcd @a @b
ends 4 'exceed the cap' -m 300K --from raw --to raw @raw_a @raw_b
"$mpirun" "$mpi" 2 --from raw --to raw @raw_a @raw_b >ours 2>log && "$bigmul" --from raw --to raw @raw_a @raw_b >theirs &&
    cmp ours theirs 2>>log || fail 'to standard output'
exit $failed
