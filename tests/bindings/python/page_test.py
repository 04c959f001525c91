"""The session of docs/python.md, as the reader types it; mpmath on our integers, as the page says."""

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
