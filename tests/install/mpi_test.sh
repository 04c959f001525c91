#!/usr/bin/env bash
# Compiles the MPI program of docs/groups.md against what ./dev install unpacks, and runs it on ranks;
# links its scan over ranks.
# usage: mpi_test.sh DIST.tar DIST_MPI.tar PROGRAM.c MPIRUN DIST_PRIMITIVES.tar SCAN.c
# Catches a library that lacks a symbol, libraries of different builds, an installed program that does
# not run.
set -euo pipefail
program=$PWD/$3 mpirun=$PWD/$4 scan=$PWD/$6 prefix=$TEST_TMPDIR/prefix
mkdir -p "$prefix"
tar -xf "$1" -C "$prefix"
tar -xf "$2" -C "$prefix"
tar -xf "$5" -C "$prefix"
cd "$TEST_TMPDIR"
mpicc -o ours "$program" -I"$prefix/include" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lbigint_mpi -lbigint
for ranks in 1 3; do
    lines=$("$mpirun" "$PWD/ours" "$ranks")
    [ "$lines" = '20000004 bits' ] || {
        printf 'FAILED: on %s ranks: %s\n' "$ranks" "$lines"
        exit 1
    }
done
product=$("$mpirun" "$prefix/bin/bigmul-mpi" 2 6 7)
[ "$product" = 42 ]
mpicc -shared -fPIC -Wall -Werror -o scan.so "$scan" -I"$prefix/include" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" \
    -llongmul_mpi -llongmul -Wl,--no-undefined
