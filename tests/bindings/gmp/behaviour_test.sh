#!/usr/bin/env bash
# behaviour_test.sh liblongmul_gmp.so longmul-run MULTIPLY PRIVATE: what the library does as a whole:
# its symbols, its settings, the wrapper, a privately loaded GMP.
set -uo pipefail
library=$PWD/$1 wrapper=$PWD/$2 multiply=$PWD/$3 private=$PWD/$4
cd "$TEST_TMPDIR" || exit 1
failed=0
check() {  # check WHAT COMMAND...
    "${@:2}" || {
        printf 'FAILED: %s\n' "$1"
        failed=1
    }
}

# Catches a symbol of the library's own that leaks into every program, and one that is lost.
exports() {
    nm -D --defined-only "$library" | awk '$2 == "T" { print $3 }' | sort >have
    sed 's/^mpn/__gmpn/' >want <<'END'
mpn_div_q
mpn_gcd
mpn_gcdext
mpn_get_str
mpn_mul
mpn_mul_n
mpn_mulmod_bnm1
mpn_powm
mpn_sqr
mpn_sqrmod_bnm1
mpn_sqrtrem
mpn_tdiv_qr
longmul_gmp_attach
END
    sort want | diff - have
}
check "the library's symbols" exports

# preloaded VARIABLE=VALUE...: the test program; its messages on stderr are in messages.
preloaded() { env "$@" LD_PRELOAD="$library" "$multiply" >answer 2>messages; }

plain=$("$multiply")
same() { preloaded "$@" && [ "$(cat answer)" = "$plain" ]; }
quiet() { same "$@" && [ ! -s messages ]; }
refused() { same "$@" && [ "$(grep -c "${1%%=*}.*ignored" messages)" = 1 ]; }
counts() { same LONGMUL_GMP_STATISTICS=- "${@:2}" && grep -q "$1" messages; }
check "nothing is said" quiet A=B
check "the library's own settings do not apply" quiet BIGINT_ENGINE=none BIGINT_VARIANT=none BIGINT_BACKEND=none
check "off" counts "mpn_mul ours 0 passed [1-9]" LONGMUL_GMP=off
check "on" counts "mpn_mul ours [1-9][0-9]* passed 0" LONGMUL_GMP=on
check "threads" counts "mpn_mul ours [1-9]" LONGMUL_GMP_THREADS=3
check "checks" counts "mpn_mul ours [1-9]" LONGMUL_GMP_CHECKS=1
check "patching" counts "mpn_mul ours [1-9]" LONGMUL_GMP_PATCH=1
check "no memory" counts "mpn_mul ours 0 passed 0 slow [1-9]" LONGMUL_GMP_MEMORY=1
check "the GMP that was found" counts "libgmp.so.10 version 6.* calls reach us"
check "a device that is not there is reported once" refused LONGMUL_GMP_DEVICE=0 LONGMUL_GMP_THRESHOLD=1
for bad in LONGMUL_GMP=maybe LONGMUL_GMP_CHECKS=2 LONGMUL_GMP_PATCH=yes LONGMUL_GMP_THREADS=0 \
    LONGMUL_GMP_THREADS=x LONGMUL_GMP_MEMORY=-1 LONGMUL_GMP_THRESHOLD=1e3 LONGMUL_GMP_DEVICE=-1; do
    check "$bad is reported once" refused "$bad"
done

# Every limit refuses another allocation: the context, its tables, its workspace, in every function.
# Catches a call that fails, or that loses its operands, where one of them does.
limits() {
    local limit=4096
    while [ "$limit" -lt 4000000 ]; do
        quiet LONGMUL_GMP_THRESHOLD=1 "LONGMUL_GMP_MEMORY=$limit" || {
            echo "with $limit bytes"
            return 1
        }
        limit=$((limit + limit / 8 / 4096 * 4096 + 4096))
    done
}
check "limits of memory" limits

private_gmp() {
    LONGMUL_GMP_STATISTICS=- "$private" "$library" 2>messages && grep -q "mpn_mul ours [1-9]" messages
}
check "a privately loaded GMP" private_gmp
# A GMP that is loaded with RTLD_DEEPBIND calls itself, unless it was preloaded as well.
deep() { LD_PRELOAD=$1 LONGMUL_GMP_STATISTICS=- "$private" --deep 2>messages && grep -q "mpn_mul ours $2" messages; }
check "RTLD_DEEPBIND" deep "$library" 0
check "RTLD_DEEPBIND, with GMP preloaded" deep "$library libgmp.so.10" "[1-9]"

mkdir -p prefix/bin prefix/lib
cp "$wrapper" prefix/bin/longmul-run
cp "$library" prefix/lib
wrapped() { [ "$(prefix/bin/longmul-run "$multiply")" = "$plain" ]; }
checked() {
    [ "$(prefix/bin/longmul-run --check "$multiply" 2>messages)" = "$plain" ] &&
        grep -q 'GMP .*libgmp.so.10 version 6' messages && grep -q 'mpn_mul  *[1-9][0-9]* ours' messages
}
checked_other() { prefix/bin/longmul-run --check true 2>messages && grep -q 'uses no GMP' messages; }
# refuses STATUS LINE ARGUMENT...: longmul-run ends so, and says LINE alone.
refuses() {
    local status=0
    prefix/bin/longmul-run "${@:3}" 2>messages || status=$?
    [ $status = "$1" ] && [ "$(<messages)" = "longmul-run: $2" ]
}
status_kept() {
    local status=0
    prefix/bin/longmul-run bash -c 'exit 7' || status=$?
    [ $status = 7 ]
}
check "longmul-run" wrapped
check "longmul-run --check" checked
check "longmul-run --check of a program without GMP" checked_other
check "longmul-run keeps the status" status_kept
no_program='there-is-none: no such program, or not executable'
check "longmul-run of no program" refuses 127 "$no_program" there-is-none
check "longmul-run --check of no program" refuses 127 "$no_program" --check there-is-none
check "longmul-run with an unknown option" refuses 2 'there is no option -x; --help lists them' -x
cp "$wrapper" alone
cp "$library" prefix/lib/liblongmul_gmp_cuda.so
with_device() {
    LONGMUL_GMP_DEVICE=0 prefix/bin/longmul-run cat /proc/self/maps >maps && grep -q liblongmul_gmp_cuda.so maps &&
        prefix/bin/longmul-run cat /proc/self/maps >maps && ! grep -q liblongmul_gmp_cuda.so maps
}
check "longmul-run takes the library with kernels for a device" with_device

# A program with more rights than its user: nothing happens. Catches a library that is loaded, or
# reads its settings, with another user's rights. Skipped where this user cannot make such a program.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
cp "$multiply" "$folder/plain"
cp "$multiply" "$folder/setuid"
cp "$library" "$folder/library.so"
cp "$(command -v id)" "$folder/id"
chmod 4755 "$folder/setuid" "$folder/id"
as_nobody() {
    setpriv --reuid=65534 --clear-groups env "$@" >answer 2>messages
}
as_nobody_preloaded() {
    as_nobody LD_PRELOAD="$folder/library.so" LONGMUL_GMP_STATISTICS=- "$folder/$1" && [ "$(cat answer)" = "$plain" ]
}
setuid() {
    as_nobody_preloaded plain && grep -q "mpn_mul ours [1-9]" messages &&
        as_nobody_preloaded setuid && ! grep -q "mpn_mul" messages
}
if as_nobody "$folder/id" -u && [ "$(cat answer)" = 0 ]; then
    check "a setuid program" setuid
else
    echo "skipped: a setuid program: $(cat messages answer)"
fi

without_library() { ! ./alone true 2>messages && grep -q liblongmul_gmp.so messages; }
check "longmul-run without the library" without_library
exit $failed
