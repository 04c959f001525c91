#!/usr/bin/env bash
# The tests of the Python package, installed by pip into an environment of their own: what
# `./dev python-tests` runs. usage: run.sh DIST [--checkout] [--gmpy2] [PYTEST-OPTION...]
#
# DIST is the tar file of what `./dev install` unpacks; the package is built against that library, so
# it takes seconds. --checkout: as `pip install .`, which compiles the library: about a minute.
# --gmpy2: gmpy2's own tests as well, on the names that are there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
dist=$1
shift
work=${XDG_CACHE_HOME:-$HOME/.cache}/longmul/python-tests

# The versions that the tests were tried with.
gmpy2=2.3.2
packages=(hypothesis==6.122.3 mpmath==1.3.0 numpy==2.2.6 pytest==8.3.4)

checkout=false own_tests=false
while [[ ${1-} == --checkout || ${1-} == --gmpy2 ]]; do
    if [ "$1" = --checkout ]; then checkout=true; else own_tests=true; fi
    shift
done

pip() { "$work/venv/bin/python" -m pip -q --disable-pip-version-check "$@"; }

run_pytest() { "$work/venv/bin/python" -m pytest -q --no-header -p no:cacheprovider "$@"; }

mkdir -p "$work"
[ -x "$work/venv/bin/python" ] || python3 -m venv "$work/venv"
pip install "${packages[@]}"
options=()
if ! $checkout; then
    rm -rf "$work/prefix"
    mkdir "$work/prefix"
    tar -xmf "$dist" -C "$work/prefix"
    options=(-C cmake.define.LONGMUL_PREFIX="$work/prefix")
fi
pip install --force-reinstall --no-deps "${options[@]}" "$root"

cd "$work"  # away from the sources of the package
run_pytest -o python_files='*_test.py' "$@" "$here"
$own_tests || exit 0
if [ ! -d "gmpy2-$gmpy2/test" ]; then
    pip download --no-deps --no-binary :all: -d . "gmpy2==$gmpy2"
    tar -xzf "gmpy2-$gmpy2.tar.gz"
fi
cd "gmpy2-$gmpy2/test"
PYTHONPATH=$here/as_gmpy2 run_pytest -p differences \
    test_mpz.py test_functions.py test_generic.py test_misc.py
