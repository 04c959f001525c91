#!/usr/bin/env bash
# Unpacks what ./dev install unpacks and uses it as a stranger would: plain cc, pkg-config, no bazel.
# usage: install_test.sh DIST.tar PROGRAM.c PRIMITIVES.tar find_package.sh
# Catches a header that needs another one, a library that lacks a symbol or leaks one, a pkg-config
# file that names the wrong folder, an installed program that does not run.
set -euo pipefail
program=$PWD/$2 find_package=$PWD/$4
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

shared_build() {  # runs without help for the loader. Mutation: no rpath in the pkg-config file
    local options
    read -ra options < <(pkg-config --cflags --libs longmul)
    cc -o shared "$program" "${options[@]}" && ./shared
}
static_build() {
    local options
    read -ra options < <(pkg-config --static --cflags --libs longmul | sed 's/-lbigint/-l:libbigint.a/')
    cc -o static "$program" "${options[@]}" && ./static
}
cryptobench_runs() { "$prefix/bin/cryptobench" --check >checked; }
man_pages() {  # each program has one, with its options
    local name
    for name in $(ls "$prefix/bin"); do
        grep -q '^\.SH SYNOPSIS' "$prefix/share/man/man1/$name.1" || return
    done
    grep -q 'engine' "$prefix/share/man/man1/bigmul.1"
}
# completed WORD...: what bash offers for the last of them.
completed() {
    PATH=$prefix/bin:$PATH bash -c '. "$0/share/bash-completion/completions/bigmul"
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) && _longmul "$1" && printf "%s\n" "${COMPREPLY[@]}"' \
        "$prefix" "$@"
}
completions() {
    [ "$(completed bigmul --eng)" = --engine ] && [ "$(completed bigmul --engine = tile)" = tiled ] &&
        [ "$(completed bigmul --engine = | head -1)" = schoolbook ] &&
        [ "$(completed bigmul -f de)" = decimal ] && touch operand.txt &&
        [ "$(completed bigmul @opera)" = @operand.txt ] &&
        [ "$(completed cryptobench --sche)" = --scheme ]
}
bigmul_runs() {
    local product
    product=$("$prefix/bin/bigmul" 6 7) && [ "$product" = 42 ]
}
# Three forms of the drop-in for GMP: preloaded, linked before GMP, and beside it.
printf '%s\n' '#include <gmp.h>' '#include <stdio.h>' '#ifdef BESIDE' '#include <longmul_mpn.h>' \
    '#undef mpn_sqr' '#define mpn_sqr longmul_mpn_sqr' '#undef mpn_mul' '#define mpn_mul longmul_mpn_mul' '#endif' \
    'static mp_limb_t a[2000], p[4000], q[4000];' \
    'int main(void) { mpn_random(a, 2000); mpn_sqr(p, a, 2000); mpn_mul(q, a, 2000, a, 2000);' \
    'return mpn_cmp(p, q, 4000); }' >gmp.c
counted() { LONGMUL_GMP_STATISTICS=- "$@" 2>&1 | grep -q 'mpn_sqr ours 1'; }
drop_in_preloaded() {
    cc -o plain gmp.c -lgmp && "$prefix/bin/longmul-run" --check ./plain 2>&1 | grep -q 'mpn_sqr  *1 ours'
}
drop_in_linked() {
    cc -o linked gmp.c "-L$prefix/lib" -Wl,--no-as-needed -llongmul_gmp -lgmp &&
        counted env "LD_LIBRARY_PATH=$prefix/lib" ./linked
}
drop_in_beside() {
    cc -DBESIDE -o beside gmp.c "-I$prefix/include" "-L$prefix/lib" -llongmul_mpn -lgmp -lm -lpthread &&
        counted ./beside
}
headers_stand_alone() {  # headers_stand_alone COMPILER OPTIONS...: each of them, in a file of its own
    local header
    for header in bigint/bigint.h $(cd "$prefix/include" && ls bigint/bigint_*.h) longmul_mpn.h; do
        printf '#include "%s"\n' "$header" |
            "$1" "${@:2}" -Wall -Wextra -Wpedantic -Werror "-I$prefix/include" -fsyntax-only - || return
    done
}
cpp_headers_stand_alone() {
    local header
    for header in $(cd "$prefix/include" && ls longmul*.hpp); do
        printf '#include <%s>\n' "$header" |
            c++ "$1" -xc++ -Wall -Wextra -Wpedantic -Wshadow -Werror "-I$prefix/include" -fsyntax-only - || return
    done
    [ -e "$prefix/include/longmul.hpp" ]
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
        "./primitives_$1"
}
cat >primitives.c <<'END'
#include <longmul/fft.h>
#include <longmul/scan.h>
#include <longmul/sort.h>
#include <longmul/tridiagonal.h>

int main(void) {
    const longmul_systems systems = {1, 100, 1, 1, 100};
    longmul_fft plan;
    const char *why = 0;
    return longmul_fft_make(&plan, LONGMUL_REAL_F64, 0, 2, 1, &why) == LONGMUL_REFUSED && why &&
                   longmul_fft_workspace_bytes(&plan) == 0 &&
                   longmul_solve_workspace_bytes(&systems) > 0 &&
                   longmul_scan(LONGMUL_OPERATORS, 0, 0, 0, 1, 1, 0, 0, 0) != LONGMUL_OK &&
                   longmul_sort(LONGMUL_KEYS, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0) == LONGMUL_REFUSED
               ? 0
               : 1;
}
END

check "the shared library with README's program" shared_build
check "the static library with README's program" static_build
check "the headers in C11" headers_stand_alone cc -std=c11 -xc
check "the headers in C++17" headers_stand_alone c++ -std=c++17 -xc++
check "the headers of C++" cpp_headers_stand_alone -std=c++17
check "the headers of C++ in C++20" cpp_headers_stand_alone -std=c++20
check "the header of skeletons" skeletons_alone
check "symbols of the static library" [ -z "$(leaked_symbols bigint_ "$prefix/lib/libbigint.a")" ]
check "symbols of the shared library" [ -z "$(leaked_symbols bigint_ -D "$prefix/lib/libbigint.so")" ]
check "the primitives, shared" primitives_build shared
check "the primitives, static" primitives_build static --static
check "symbols of the primitives, static" [ -z "$(leaked_symbols longmul_ "$prefix/lib/liblongmul.a")" ]
check "symbols of the primitives" [ -z "$(leaked_symbols longmul_ -D "$prefix/lib/liblongmul.so")" ]
check "symbols of the functions beside GMP" [ -z "$(nm "$prefix/lib/liblongmul_mpn.a" --defined-only \
    --extern-only | awk 'NF == 3 && $3 !~ /^longmul_mpn_/')" ]
check "bigmul 6 7" bigmul_runs
check "cryptobench --check" cryptobench_runs
check "man pages" man_pages
check "completions" completions
check "find_package" "$find_package" "$prefix" "$program"
check "the drop-in, preloaded" drop_in_preloaded
check "the drop-in, linked" drop_in_linked
check "the drop-in beside GMP" drop_in_beside
exit $failed
