"""The session of docs/python.md, as the reader types it; mpmath and sympy on our integers, as the page
says."""

import doctest
import os
import pathlib
import subprocess
import sys

import pytest

PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"


# Catches a page that promises what the package does not do.
def test_session():
    session = "".join(line.rstrip("`\n") + "\n" for line in PAGE.read_text().splitlines())
    test = doctest.DocTestParser().get_doctest(session, {}, "python.md", str(PAGE), 0)
    assert len(test.examples) == 4
    result = doctest.DocTestRunner().run(test)
    assert result.failed == 0


MPMATH = """
import longmul.mpmath, longmul, mpmath, sys
assert "gmpy2" not in sys.modules and mpmath.libmp.MPZ is longmul.mpz
mpmath.mp.dps = 1000
pi = str(mpmath.pi())
assert pi.startswith("3.1415926535897932384626433832795028841971693993751"), pi
assert mpmath.factorial(50) == 30414093201713378043612608166064768844377641568960512000000000000
assert mpmath.almosteq(mpmath.zeta(2), mpmath.pi**2 / 6)
assert mpmath.nstr(mpmath.findroot(mpmath.cos, 1.5), 20) == mpmath.nstr(mpmath.pi / 2, 20)
"""


# Catches a name that mpmath asks for and the stand-in does not have.
def test_mpmath():
    pytest.importorskip("mpmath")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("MPMATH")}
    subprocess.run([sys.executable, "-c", MPMATH], check=True, env=environment)
    late = subprocess.run([sys.executable, "-c", "import mpmath, longmul.mpmath"],
                          capture_output=True, text=True)
    assert "import longmul.mpmath before mpmath" in late.stderr


SYMPY = """
import longmul.sympy, longmul, sympy, sys
from fractions import Fraction
from sympy.external.gmpy import GROUND_TYPES, MPQ, MPZ
assert "gmpy2" not in sys.modules and GROUND_TYPES == "gmpy" and MPZ is sympy.ZZ.dtype is longmul.mpz
x = sympy.symbols("x")
assert str(sympy.factor(x**6 - 1)) == "(x - 1)*(x + 1)*(x**2 - x + 1)*(x**2 + x + 1)"
assert sympy.factorint(2**64 + 1) == {274177: 1, 67280421310721: 1}
assert sympy.Rational(1, 3) + sympy.Rational(1, 6) == sympy.Rational(1, 2)
assert sympy.integrate(1 / (1 + x**2), (x, 0, 1)) == sympy.pi / 4
assert str(sympy.N(sympy.pi, 30)) == "3.14159265358979323846264338328"
for n in (MPZ(2), 2):  # either may be on either side of a fraction
    for q, f in ((MPQ(7, 3), Fraction(7, 3)), (MPQ(-4, 2), Fraction(-2))):
        values = [q + n, n + q, q - n, n - q, q * n, n * q, q / n, n / q, q // n, n // q, q % n, n % q, q**n, -q, abs(q)]
        exact = [f + 2, 2 + f, f - 2, 2 - f, f * 2, 2 * f, f / 2, 2 / f, f // 2, 2 // f, f % 2, 2 % f, f**2, -f, abs(f)]
        assert values == exact and all(type(v) in (MPQ, MPZ, int) for v in values), values
        assert (q < n, q <= n, q == n, q >= n, q > n) == (f < 2, f <= 2, f == 2, f >= 2, f > 2)
        assert type(q.numerator) is type(q.denominator) is MPZ and hash(q) == hash(f)
R, t = sympy.ring("t", sympy.QQ)
assert str(2 * t**2 + sympy.QQ(1, 2)) == "2*t**2 + 1/2"
"""


# Catches an operator of fractions that loses our integers, and a name that sympy asks for.
def test_sympy():
    pytest.importorskip("sympy")
    hidden = "MPMATH", "SYMPY"
    environment = {k: v for k, v in os.environ.items() if not k.startswith(hidden)}
    subprocess.run([sys.executable, "-c", SYMPY], check=True, env=environment)
