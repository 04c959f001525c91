#!/usr/bin/env bash
# Makes Debian packages of what ./dev install unpacks.
# usage: make.sh BIGINT.tar PRIMITIVES.tar SYMBOLS FOLDER [MPI.tar]
#   libbigint0     libbigint.so.0 and liblongmul.so.0
#   libbigint-dev  headers, static libraries, pkg-config and CMake files
#   longmul        programs, the drop-in for GMP, man pages, completions
#   longmul-mpi    with MPI.tar: bigmul-mpi, libbigint_mpi, liblongmul_mpi and their headers
# SYMBOLS lists what the libraries export and since which version. A symbol that is missing from
# either side is an error, and FOLDER/symbols has the list that would agree.
set -euo pipefail
bigint=$(realpath "$1") primitives=$(realpath "$2") symbols=$(realpath "$3")
mpi=${5:+$(realpath "$5")}
mkdir -p "$4" && folder=$(realpath "$4")

work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir all debian
tar -xf "$bigint" -C all
tar -xf "$primitives" -C all
arch=$(dpkg --print-architecture)
libraries=usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null)
version=$(sed -n 's/^Version: //p' all/lib/pkgconfig/longmul.pc)

move() {  # move PACKAGE FOLDER FILE...
    mkdir -p "$1/$2"
    mv "${@:3}" "$1/$2"
}
if [ -n "$mpi" ]; then
    mkdir all-mpi && tar -xf "$mpi" -C all-mpi
    move longmul-mpi "$libraries" all-mpi/lib/*
    move longmul-mpi usr all-mpi/bin all-mpi/include all-mpi/share
    gzip -9n longmul-mpi/usr/share/man/man1/*
fi
move libbigint0 "$libraries" all/lib/libbigint.so.0 all/lib/liblongmul.so.0
move longmul "$libraries" all/lib/liblongmul_gmp.so all/lib/liblongmul_gmp_cuda.so
move longmul usr all/bin all/share
# A folder deeper than under a PREFIX, and where the loader looks anyway.
sed -i -e 's|/\.\./\.\.$|/../../..|' -e 's|^\(libdir=\).*|\1${pcfiledir}/..|' -e 's|-Wl,-rpath,[^ ]* ||' \
    all/lib/pkgconfig/*.pc
move libbigint-dev usr all/include
move libbigint-dev "$libraries" all/lib/*
gzip -9n longmul/usr/share/man/man1/*

summary='exact arithmetic on very long integers'
control() {  # control PACKAGE SECTION DEPENDS SUMMARY
    mkdir -p "$1/DEBIAN"
    cat >"$1/DEBIAN/control" <<END
Package: $1
Version: $version
Architecture: $arch
Maintainer: the longmul developers <longmul@localhost>
Section: $2
Priority: optional
Depends: $3
Description: $summary ($4)
 Products, quotients, roots, powers and text of integers of any length, several times as fast as
 GMP on one core and on NVIDIA GPUs.
END
}
# What a package's files need of the system, as dpkg-shlibdeps finds it.
needs() {  # needs FILE...
    printf 'Source: longmul\n\nPackage: x\nArchitecture: any\n' >debian/control
    dpkg-shlibdeps --ignore-missing-info -O "${@/#/-e}" "-l$work/libbigint0/$libraries" \
        2>/dev/null | sed -n 's/^shlibs:Depends=//p'
}
control libbigint0 libs "$(needs "libbigint0/$libraries"/*.so.0)" "shared libraries"
control libbigint-dev libdevel "libbigint0 (= $version)" "development files"
control longmul math "$(needs longmul/usr/bin/{bigmul,cryptobench})" "programs"
packages=(libbigint0 libbigint-dev longmul)
if [ -n "$mpi" ]; then
    control longmul-mpi math "libbigint0 (= $version), $(needs longmul-mpi/usr/bin/bigmul-mpi)" \
        "on the ranks of an MPI job"
    packages+=(longmul-mpi)
fi

printf 'libbigint 0 libbigint0\nliblongmul 0 libbigint0\n' >libbigint0/DEBIAN/shlibs
printf 'activate-noawait ldconfig\n' >libbigint0/DEBIAN/triggers
dpkg-gensymbols -plibbigint0 -v"$version" -Plibbigint0 -I"$symbols" -O"$folder/symbols" -c4 || {
    printf 'the libraries export other symbols than %s says\n' "$(basename "$symbols")" >&2
    exit 1
}
mv "$folder/symbols" libbigint0/DEBIAN/symbols

for package in "${packages[@]}"; do
    dpkg-deb --root-owner-group --build "$package" "$folder/${package}_${version}_$arch.deb" >/dev/null
done
