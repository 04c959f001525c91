#!/usr/bin/env bash
# powm_secret_test.sh PROGRAM: powers with secret exponents under valgrind's memory checker, which
# takes the exponent for undefined and reports what branches on it or is addressed by it. The
# windows of bigint_powm, which do so, must be reported: a test that cannot fail says nothing.
# The checker knows no AVX-512, so the variant ifma is not among them (docs/proofs/powm.md, 9).
set -u
program=$1
skip() {
    echo "SKIPPED: $1: nothing was learned of secret exponents"
    exit 0
}
command -v valgrind >/dev/null || skip "no valgrind on this machine"
check() { valgrind -q --error-exitcode=9 "$program" "$@" 2>"$TEST_TMPDIR/log"; }
status=0
for variant in portable avx2; do
    # Rows by schoolbook below and beyond where other products begin.
    for limbs in 1 2 3 8 41; do
        check "$variant" sec "$limbs"
        case $? in
            0) echo "$variant, $limbs limbs: nothing depends on the exponent" ;;
            77) skip "built without valgrind/memcheck.h" ;;
            78) echo "$variant: not on this machine" ;;
            *) echo "$variant, $limbs limbs:" && head -n 40 "$TEST_TMPDIR/log" && status=1 ;;
        esac
    done
    check "$variant" control 8
    case $? in
        9) echo "$variant: the control is reported" ;;
        78) ;;
        *) echo "$variant: the control was not reported" && status=1 ;;
    esac
done
exit $status
