#!/usr/bin/env bash
# secret_test.sh PROGRAM: short products of secrets under valgrind's memory checker, which takes the
# operands for undefined and reports what branches on them or is addressed by them. A comparison of
# secrets must be reported: a test that cannot fail says nothing. The checker knows no AVX-512, so
# that the products of that variant are not among them.
set -u
skip() {
    echo "SKIPPED: $1: nothing was learned of secret operands"
    exit 0
}
command -v valgrind >/dev/null || skip "no valgrind on this machine"
status=0
valgrind -q --error-exitcode=9 "$1" products 2>"$TEST_TMPDIR/log" || {
    [ $? != 77 ] || skip "built without valgrind/memcheck.h"
    head -n 40 "$TEST_TMPDIR/log"
    status=1
}
valgrind -q --error-exitcode=9 "$1" control 2>/dev/null
[ $? = 9 ] || { echo "the control was not reported" && status=1; }
exit $status
