#!/usr/bin/env bash
# The test suites of GMP and of programs that use it, with the drop-in in front of their GMP: what
# `./dev gmp-tests` runs. usage: run.sh OUT [--quick | SUITE...]
#
# OUT is the folder of what Bazel built. A suite passes if it passes by itself and calls were ours,
# so that a silent bypass fails. What is fetched and built stays in ~/.cache/longmul/gmp-tests.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
out=$(cd "$1" && pwd)
shift
library=$out/bindings/gmp/liblongmul_gmp.so
work=${XDG_CACHE_HOME:-$HOME/.cache}/longmul/gmp-tests
logs=$work/logs
mkdir -p "$logs"

# The versions that the suites were tried with.
gmpy2=2.3.2
python_packages=(gmpy2==$gmpy2 mpmath==1.3.0 pytest==8.3.4 hypothesis==6.122.3)
more_python_packages=(python-flint==0.8.0 sympy==1.13.3)

die() {
    printf 'gmp-tests: %s\n' "$*" >&2
    exit 1
}

# under NAME VARIABLE=VALUE... -- COMMAND...: with the drop-in; the calls of all its processes are
# counted in NAME.calls.
under() {
    local name=$1 variables=()
    shift
    while [ "$1" != -- ]; do
        variables+=("$1")
        shift
    done
    env "${variables[@]}" LONGMUL_GMP_STATISTICS="$logs/$name.calls" LD_PRELOAD="$library" "${@:2}"
}

# calls NAME KIND: how many calls of all functions.
calls() {
    { [ ! -f "$logs/$1.calls" ] || tr ';' '\n' <"$logs/$1.calls"; } |
        awk -v kind="$2" '$1 ~ /^mpn_/ { for (i = 2; i < NF; i += 2) if ($i == kind) n += $(i + 1) }
                          END { print n + 0 }'
}

# suite NAME: runs suite_NAME; prints its verdict and keeps its output in NAME.log.
suite() {
    local name=$1 status=0 begin=$SECONDS verdict=passed ours
    rm -f "$logs/$name.calls"
    # A shell of its own, because set -e has no effect on the left of ||.
    bash "$here/run.sh" "$out" --here "$name" >"$logs/$name.log" 2>&1 || status=$?
    ours=$(calls "$name" ours)
    [ $status = 0 ] || verdict="FAILED ($logs/$name.log)"
    [ "$ours" -gt 0 ] || verdict="FAILED: no call was ours"
    printf '%-12s %4d s  %9d calls ours, %9d left to GMP, %d wrong: %s\n' "$name" \
        $((SECONDS - begin)) "$ours" "$(calls "$name" passed)" "$(calls "$name" wrong)" "$verdict"
    [ "$verdict" = passed ] && [ "$(calls "$name" wrong)" = 0 ]
}

# ---- quick --------------------------------------------------------------------------------------

suite_every_mpz() {
    under every_mpz -- "$out/tests/bindings/gmp/every_mpz" 60
    under every_mpz LONGMUL_GMP_THRESHOLD=1 -- "$out/tests/bindings/gmp/every_mpz" 60
}

# python PACKAGES: an environment that has them.
python() {
    [ -x venv/bin/python ] || python3 -m venv venv
    venv/bin/pip install -q --disable-pip-version-check "$@"
}

suite_gmpy2() {
    if [ ! -d "gmpy2-$gmpy2/test" ]; then
        venv/bin/pip download -q --disable-pip-version-check --no-deps --no-binary :all: \
            -d . "gmpy2==$gmpy2"
        tar -xzf "gmpy2-$gmpy2.tar.gz"
    fi
    rm -rf gmpy2-tests && cp -r "gmpy2-$gmpy2/test" gmpy2-tests
    cd gmpy2-tests
    under gmpy2 -- ../venv/bin/python -m pytest -q --no-header -p no:cacheprovider .
    # Two releases of GMP in one process, unless the system's is the wheel's.
    if ../venv/bin/python -c 'import ctypes, gmpy2; exit(gmpy2.mp_version().split()[-1] ==
        ctypes.c_char_p.in_dll(ctypes.CDLL("libgmp.so.10"), "__gmp_version").value.decode())'; then
        under gmpy2 -- ../venv/bin/python "$here/several.py"
        under gmpy2 LONGMUL_GMP_THRESHOLD=1 -- ../venv/bin/python "$here/several.py"
        under gmpy2 LONGMUL_GMP_MEMORY=1 -- ../venv/bin/python "$here/several.py"
    fi
    # The same GMP, redirected after it was loaded. The folder may hold older wheels too.
    local version
    version=$(sed -n 's/^#define BIGINT_VERSION_[MP][A-Z]* //p' \
        "$here/../../../../bigint/bigint.h" | paste -sd .)
    ../venv/bin/pip install -q --disable-pip-version-check --no-deps --force-reinstall \
        "$out/bindings/gmp/python/longmul_gmp-$version"-*.whl
    ../venv/bin/python "$here/attach.py"
}

suite_mpmath() {
    under mpmath -- venv/bin/python -c 'import mpmath; assert mpmath.libmp.BACKEND == "gmpy"; mpmath.runtests()'
    ! grep -q 'tests? failed' "$logs/mpmath.log"
}

# The commands of docs/gmp_drop_in.md as the reader types them, the first one done by hand: it
# installs, which tests/install tests.
suite_page() {
    export HOME=$work/home
    rm -rf "$HOME" && mkdir -p "$HOME/longmul/bin" "$HOME/longmul/lib"
    cp "$here/../../../../bindings/gmp/longmul-run" "$HOME/longmul/bin"
    cp "$library" "$HOME/longmul/lib"
    awk '/^```$/ { inside = 0 } inside; /^```sh$/ && !seen++ { inside = 1 }' \
        "$here/../../../../docs/gmp_drop_in.md" >page.sh
    [ "$(wc -l <page.sh)" = 3 ] && sed -i 1d page.sh
    PATH=$work/venv/bin:$PATH LONGMUL_GMP_STATISTICS=$logs/page.calls bash -e page.sh
}

# ---- full ---------------------------------------------------------------------------------------

# sources PACKAGE: Debian's source package, unpacked in a folder PACKAGE.
sources() {
    [ ! -d "$1" ] || return 0
    local lists=$work/apt archive
    mkdir -p "$lists/partial" "$lists/cache/archives/partial" "$1.unpacking"
    archive=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
    if [ ! -f "$lists/sources.list" ]; then
        local mirror
        mirror=$(apt-cache policy | sed -n 's|.* \(http[^ ]*/debian/*\) .*|\1|p' | head -n 1)
        printf 'deb-src %s %s main\n' "${mirror:-http://deb.debian.org/debian}" "$archive" >"$lists/sources.list"
    fi
    local options=(-o Dir::Etc::SourceList="$lists/sources.list" -o Dir::Etc::SourceParts=/dev/null
        -o Dir::State::Lists="$lists" -o Dir::Cache="$lists/cache")
    [ -f "$lists/updated" ] || { apt-get "${options[@]}" update && touch "$lists/updated"; }
    (
        cd "$1.unpacking"
        apt-get "${options[@]}" source --download-only "$1"
        dpkg-source --no-check -x ./*.dsc source
    )
    mv "$1.unpacking/source" "$1"
    rm -rf "$1.unpacking"
}

# gmp_built: GMP's sources, built as a shared library; the folder is the current one afterwards.
gmp_built() {
    sources gmp
    cd gmp
    [ ! -f built ] || return 0
    autoreconf -fi
    ./configure --disable-fat --disable-static --enable-shared --enable-cxx
    make -j"$(nproc)"
    make -j"$(nproc)" check TESTS=
    touch built
}

# GMP's own programs are built against a GMP of their own and run with the system's, once as shipped
# and once with every call ours.
suite_gmp() {
    gmp_built
    local directory program where failed=0
    where=$(dirname "$(ldconfig -p | awk '/libgmp.so.10 .*x86-64|libgmp.so.10 .*AArch64/ { print $NF; exit }')")
    for directory in tests tests/mpn tests/mpz tests/mpq tests/mpf tests/cxx; do
        for program in "$directory"/.libs/t-* "$directory"/t-*; do
            [ -x "$program" ] && [ -f "$program" ] && head -c 4 "$program" | grep -q ELF || continue
            for threshold in "" 1; do
                under gmp LD_LIBRARY_PATH="$where" ${threshold:+LONGMUL_GMP_THRESHOLD=$threshold} -- \
                    timeout 900 "$program" </dev/null || { echo "FAILED: $program ($?)" && failed=1; }
            done
        done
    done
    return $failed
}

# A GMP linked with -Bsymbolic-functions, as Ubuntu's: longmul-run says that its calls stay inside, and
# patched entries answer.
suite_symbolic() {
    gmp_built
    mkdir -p symbolic
    cc -shared -Wl,-Bsymbolic-functions -Wl,-soname,libgmp.so.10 -o symbolic/libgmp.so.10 .libs/*.o \
        {mpn,mpz,mpq,mpf,printf,scanf,rand}/.libs/*.o
    local program=$out/tests/bindings/gmp/every_mpz report=$logs/symbolic.calls
    under symbolic LD_LIBRARY_PATH="$PWD/symbolic" -- "$program" 10
    grep -q 'calls stay inside' "$report"
    rm "$report"
    under symbolic LD_LIBRARY_PATH="$PWD/symbolic" LONGMUL_GMP_PATCH=1 -- "$program" 60
}

# make_check PACKAGE NAME: a suite whose programs automake runs.
make_check() {
    sources "$1"
    cd "$1"
    if [ ! -f built ]; then
        [ -x configure ] || autoreconf -fi
        ./configure --disable-static
        make -j"$(nproc)"
        make -j"$(nproc)" check TESTS=
        touch built
    fi
    make check TESTS_ENVIRONMENT="env LD_PRELOAD=$library LONGMUL_GMP_STATISTICS=$logs/$2.calls"
}
suite_mpfr() { make_check mpfr4 mpfr; }
suite_mpc() { make_check mpclib3 mpc; }

suite_pari() {
    sources pari
    cd pari
    [ -f built ] || { ./Configure --with-gmp && make -j"$(nproc)" gp && touch built; }
    under pari -- make test-all
    ! grep -q 'BUG' "$logs/pari.log"
}

suite_flint() {
    sources flint
    cd flint
    [ -f built ] || { ./configure --disable-static && make -j"$(nproc)" && touch built; }
    under flint -- make check MOD="mpn_extras fft fmpz"
}

suite_python_flint() {
    python "${more_python_packages[@]}"
    under python_flint -- venv/bin/python -m flint.test --quiet
}

suite_sympy() {
    python "${more_python_packages[@]}"
    under sympy SYMPY_GROUND_TYPES=gmpy -- venv/bin/python -c '
import sys, sympy
answer = sympy.test("ntheory", "core/tests/test_numbers.py", "functions/combinatorial")
sys.exit(not answer if isinstance(answer, bool) else answer)'
}

# -------------------------------------------------------------------------------------------------

quick=(every_mpz page gmpy2 mpmath)
full=("${quick[@]}" gmp symbolic mpfr mpc pari flint python_flint sympy)
case ${1-} in
    --here)  # see suite
        set -e
        cd "$work"
        "suite_$2"
        exit
        ;;
    --quick) chosen=("${quick[@]}") ;;
    '') chosen=("${full[@]}") ;;
    *) chosen=("$@") ;;
esac
for name in "${chosen[@]}"; do
    [[ " ${full[*]} " == *" $name "* ]] || die "no suite is called $name: ${full[*]}"
done
(cd "$work" && python "${python_packages[@]}") >"$logs/python.log" 2>&1 ||
    die "PyPI's packages could not be installed: $logs/python.log"
failed=0 running=()
if [ "${1-}" = --quick ]; then  # at once: each uses one core
    for name in "${chosen[@]}"; do
        suite "$name" &
        running+=($!)
    done
    for process in "${running[@]}"; do
        wait "$process" || failed=1
    done
else
    for name in "${chosen[@]}"; do
        suite "$name" || failed=1
    done
fi
[ $failed = 0 ] || die "a suite failed"
