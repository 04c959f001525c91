#!/usr/bin/env bash
# dead_rank_test.sh MPIRUN PROGRAM: a rank that dies ends the job, with an error, within timeout_s.
# Mutation: members that wait for it without end.
set -euo pipefail
fail() { echo "FAILED: $*"; exit 1; }
begin=$SECONDS
said=$("$1" "$2" 3 2>&1) && fail "the job ended well: $said"
[ $((SECONDS - begin)) -le 15 ] || fail "the job took $((SECONDS - begin)) s"
grep -q 'rank 1 dies' <<<"$said" || fail "it did not come to that: $said"
! grep -q 'BIGINT_OK' <<<"$said" || fail "a product without a member: $said"
