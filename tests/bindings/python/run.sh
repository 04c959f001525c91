#!/usr/bin/env bash
# The tests of the Python package, installed by pip into an environment of their own: what
# `./dev python-tests` runs. usage: run.sh DIST EMULATED [--checkout] [--gmpy2] [PYTEST-OPTION...]
#
# DIST is the tar file of what `./dev install` unpacks; the package is built against that library, so
# it takes seconds. EMULATED is the library with a device that the host emulates, for the tests of
# devices. --checkout: as `pip install .`, which compiles the library: about a minute. --gmpy2: gmpy2's
# own tests as well, on the names that are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
dist=$1 emulated=$2
shift 2
work=${XDG_CACHE_HOME:-$HOME/.cache}/longmul/python-tests

# The versions that the tests were tried with.
gmpy2=2.3.2
packages=(hypothesis==6.122.3 mpmath==1.3.0 mypy==2.4.1 numpy==2.2.6 pytest==8.3.4 sympy==1.14.0)

checkout=false own_tests=false
while [[ ${1-} == --checkout || ${1-} == --gmpy2 ]]; do
    if [ "$1" = --checkout ]; then checkout=true; else own_tests=true; fi
    shift
done

pip() { "$work/venv/bin/python" -m pip -q --disable-pip-version-check "$@"; }

run_pytest() { "$work/venv/bin/python" -m pytest -q --no-header -p no:cacheprovider "$@"; }

# prefix FOLDER: what was installed, for LONGMUL_PREFIX.
prefix() {
    rm -rf "$work/$1"
    mkdir "$work/$1"
    tar -xmf "$dist" -C "$work/$1"
}

mkdir -p "$work"
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
pip install "${packages[@]}"
options=()
if ! $checkout; then
    prefix prefix
    options=(-C cmake.define.LONGMUL_PREFIX="$work/prefix")
fi
pip install --force-reinstall --no-deps "${options[@]}" "$root"

prefix prefix-emulated
cp -f "$emulated" "$work/prefix-emulated/lib/libbigint.a"
sed -i 's/^Libs.private:.*/& -lstdc++/' "$work/prefix-emulated/lib/pkgconfig/longmul.pc"
rm -rf "$work/emulated"
pip install --no-deps --target "$work/emulated" \
    -C cmake.define.LONGMUL_PREFIX="$work/prefix-emulated" "$root"

cd "$work"  # away from the sources of the package
run_pytest -o python_files='*_test.py' "$@" "$here"
LONGMUL_EMULATED=1 PYTHONPATH=$work/emulated run_pytest "$here/device_test.py"
$own_tests || exit 0
if [ ! -d "gmpy2-$gmpy2/test" ]; then
    pip download --no-deps --no-binary :all: -d . "gmpy2==$gmpy2"
    tar -xzf "gmpy2-$gmpy2.tar.gz"
fi
cd "gmpy2-$gmpy2/test"
PYTHONPATH=$here/as_gmpy2 run_pytest -p differences \
    test_mpz.py test_functions.py test_generic.py test_misc.py
