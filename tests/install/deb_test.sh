#!/usr/bin/env bash
# Makes the Debian packages, lays them out under one root and uses them from there.
# usage: deb_test.sh make.sh BIGINT.tar PRIMITIVES.tar SYMBOLS PROGRAM.c find_package.sh [MPI.tar]
# Catches a symbol that the committed list lacks or that has gone, a file in no package or in two, a
# pkg-config or CMake file that looks in the wrong folder, programs that miss their library or have it
# in another package.
set -euo pipefail
program=$PWD/$5 find_package=$PWD/$6
parts=("$2" "$3" ${7:+"$7"})
root=$TEST_TMPDIR/root packages=$TEST_TMPDIR/packages
"$1" "$2" "$3" "$4" "$packages" ${7:+"$7"} || {
    sed -n '/bigint\|longmul/p' "$packages/symbols"
    exit 1
}
mkdir "$root"
for package in "$packages"/*.deb; do
    dpkg-deb -x "$package" "$root"
done
libraries=$(dirname "$(find "$root/usr/lib" -name libbigint.so.0)")

failed=0
check() {  # check WHAT COMMAND...: runs COMMAND, says what failed
    "${@:2}" || {
        printf 'FAILED: %s\n' "$1"
        failed=1
    }
}
all_files() {  # what ./dev install has, the packages have, once
    diff <(for part; do tar -tf "$part"; done | grep -v '/$' | sed 's|.*/||' | sort) \
        <(for package in "$packages"/*.deb; do dpkg-deb -c "$package"; done | grep -v '^d' |
            awk '{ print $6 }' | sed 's|.*/||; s|\.1\.gz$|.1|' | sort)
}
pkg_config_build() {
    local options
    read -ra options < <(PKG_CONFIG_PATH=$libraries/pkgconfig pkg-config --cflags --libs longmul)
    cc -o with_pkg_config "$program" "${options[@]}" &&
        LD_LIBRARY_PATH=$libraries ./with_pkg_config
}
bigmul_runs() {
    local product
    product=$(LD_LIBRARY_PATH=$libraries "$root/usr/bin/bigmul" 6 7) && [ "$product" = 42 ]
}
mpi_runs() {  # one process needs no launcher
    local product
    product=$("$root/usr/bin/bigmul-mpi" 6 7) && [ "$product" = 42 ] &&
        dpkg-deb -f "$packages"/longmul-mpi_*.deb Depends | grep -q 'libopenmpi\|mpich'
}
drop_in_found() { "$root/usr/bin/longmul-run" --check "$root/usr/bin/bigmul" 6 7 2>&1 | grep GMP >/dev/null; }
has() {  # has PACKAGE FILE
    dpkg-deb -c "$packages/$1"_*.deb | grep "/$2\$" >/dev/null
}
depends_on_libc() { dpkg-deb -f "$packages"/libbigint0_*.deb Depends | grep -q 'libc6 (>='; }

check "files" all_files "${parts[@]}"
cd "$TEST_TMPDIR"
check "pkg-config" pkg_config_build
check "bigmul 6 7" bigmul_runs
[ -z "${7-}" ] || check "bigmul-mpi 6 7" mpi_runs
check "longmul-run" drop_in_found
# What longmul-run loads, without the development files.
check "the drop-in for a GPU" has longmul liblongmul_gmp_cuda.so
check "dependencies" depends_on_libc
check "find_package" "$find_package" "$root/usr" "$program"
exit $failed
