#!/usr/bin/env bash
# Unpacks what ./dev install unpacks and uses it as a stranger would: plain cc, pkg-config, no bazel.
# usage: install_test.sh DIST.tar PROGRAM.c PRIMITIVES.tar
# Catches a header that needs another one, a library that lacks a symbol or leaks one, a pkg-config
# file that names the wrong folder, an installed program that does not run.
set -euo pipefail
program=$PWD/$2
prefix=$TEST_TMPDIR/prefix
mkdir -p "$prefix"
tar -xf "$1" -C "$prefix"
tar -xf "$3" -C "$prefix"
cd "$TEST_TMPDIR"

failed=0
check() {  # check WHAT COMMAND...: runs COMMAND, says what failed
    "${@:2}" || {
        printf 'FAILED: %s\n' "$1"
        failed=1
    }
}

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

shared_build() {
    local options
    read -ra options < <(pkg-config --cflags --libs longmul)
    cc -o shared "$program" "${options[@]}" && LD_LIBRARY_PATH=$prefix/lib ./shared
}
static_build() {
    local options
    read -ra options < <(pkg-config --static --cflags --libs longmul | sed 's/-lbigint/-l:libbigint.a/')
    cc -o static "$program" "${options[@]}" && ./static
}
bigmul_runs() {
    local product
    product=$("$prefix/bin/bigmul" 6 7) && [ "$product" = 42 ]
}
header_stands_alone() {  # header_stands_alone COMPILER OPTIONS...
    printf '#include "bigint/bigint.h"\n#include "bigint/bigint_gmp.h"\n' |
        "$1" "${@:2}" -Wall -Wextra -Wpedantic -Werror "-I$prefix/include" -fsyntax-only -
}
skeletons_alone() {  # the header of templates includes system headers only
    grep -q '^namespace longmul' "$prefix/include/longmul/skeletons.cuh" &&
        ! grep -q '^#include "' "$prefix/include/longmul/skeletons.cuh"
}
leaked_symbols() {  # leaked_symbols PREFIX NM'S...: the symbols that do not begin with PREFIX
    nm "${@:2}" --defined-only --extern-only --no-sort |
        awk -v prefix="^$1" 'NF == 3 && $3 !~ prefix { print $3 }'
}
primitives_build() {  # primitives_build PROGRAM PKG-CONFIG'S...
    local options
    read -ra options < <(pkg-config "${@:2}" --cflags --libs longmul-primitives |
        if [ "$1" = static ]; then sed 's/-llongmul/-l:liblongmul.a/'; else cat; fi)
    cc -std=c11 -Wall -Wextra -Werror -o "primitives_$1" primitives.c "${options[@]}" &&
        LD_LIBRARY_PATH=$prefix/lib "./primitives_$1"
}
cat >primitives.c <<'END'
#include <longmul/scan.h>
#include <longmul/sort.h>
#include <longmul/tridiagonal.h>

int main(void) {
    const longmul_systems systems = {1, 100, 1, 1, 100};
    return longmul_solve_workspace_bytes(&systems) > 0 &&
                   longmul_scan(LONGMUL_OPERATORS, 0, 0, 0, 1, 1, 0, 0, 0) != LONGMUL_OK &&
                   longmul_sort(LONGMUL_KEYS, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0) == LONGMUL_REFUSED
               ? 0
               : 1;
}
END

check "the shared library with README's program" shared_build
check "the static library with README's program" static_build
check "the headers in C11" header_stands_alone cc -std=c11 -xc
check "the headers in C++17" header_stands_alone c++ -std=c++17 -xc++
check "the header of skeletons" skeletons_alone
check "symbols of the static library" [ -z "$(leaked_symbols bigint_ "$prefix/lib/libbigint.a")" ]
check "symbols of the shared library" [ -z "$(leaked_symbols bigint_ -D "$prefix/lib/libbigint.so")" ]
check "the primitives, shared" primitives_build shared
check "the primitives, static" primitives_build static --static
check "symbols of the primitives, static" [ -z "$(leaked_symbols longmul_ "$prefix/lib/liblongmul.a")" ]
check "symbols of the primitives" [ -z "$(leaked_symbols longmul_ -D "$prefix/lib/liblongmul.so")" ]
check "bigmul 6 7" bigmul_runs
exit $failed
