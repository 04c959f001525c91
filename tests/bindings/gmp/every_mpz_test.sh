#!/usr/bin/env bash
# every_mpz_test.sh PROGRAM liblongmul_gmp.so ROUNDS [VARIABLE=VALUE]...: the program with the drop-in
# preloaded. It expects that every mpz function of this GMP is called, except those that only make,
# free, print or convert numbers, take random ones, or are internal.
set -euo pipefail
program=$PWD/$1 library=$PWD/$2 rounds=$3
shift 3
report=${TEST_TMPDIR:-$(mktemp -d)}/statistics
env "$@" LD_PRELOAD="$library" LONGMUL_GMP_STATISTICS="$report" "$program" "$rounds"
cat "$report"
grep -q 'mpn_mul ours [1-9]' "$report"

gmp=$(ldd "$program" | awk '/libgmp.so/ { print $3 }')
left=$(nm -D --defined-only "$gmp" | sed -n 's/.* __gmpz_//p' | sort |
    grep -vxE 'init.*|clears?|inits|array_init|realloc2?|limbs_.*|roinit_n|random.*|[ur]*randomb|urandomm|.*_str.*|.*_raw|dump|export|.*_d|.*_d_2exp|set_[fq]|cmp_si|legendre|aorsmul_1|divexact_.*|lucas_mod|millerrabin|n_pow_ui|oddfac_1|prodlimbs|stronglucas' |
    comm -23 - <("$program" --names | sort -u))
[ -z "$left" ] || {
    printf 'not called: %s\n' $left
    exit 1
}
