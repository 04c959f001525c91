#!/usr/bin/env bash
# Runs a program on ranks of this machine: mpirun.sh PROGRAM RANKS [ARGUMENTS].
# mpirun refuses to run as root, and more ranks than there are processors, unless told otherwise.
set -euo pipefail
program=$1 ranks=$2
shift 2
unset XML_OUTPUT_FILE TEST_PREMATURE_EXIT_FILE # of one process, not of several
options=(-n "$ranks")
if mpirun --version | grep -q 'Open MPI'; then
    options+=(--allow-run-as-root --oversubscribe --bind-to none)
    # Files in a folder of this test's own: their names have process numbers in them, which are the
    # same in every sandbox. Its path must be short, for sockets.
    TMPDIR=$(mktemp -d /tmp/mpi.XXXXXX)
    export TMPDIR
    trap 'rm -rf "$TMPDIR"' EXIT
    options+=(--mca btl 'self,vader' --mca btl_vader_single_copy_mechanism none
        --mca btl_vader_backing_directory "$TMPDIR")
fi
mpirun "${options[@]}" "$program" "$@"
