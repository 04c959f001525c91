"""Imports sympy with this package's integers as its ground type, and mpmath: import it before both.

sympy has two ways to other integers than int, and takes rational numbers from the same module. Here they
are fractions.Fraction of our integers.
"""

import fractions as _fractions

from . import mpmath as _mpmath  # noqa: F401
from ._core import mpz as _mpz
from ._stand_in import import_with as _import_with


class mpq(_fractions.Fraction):
    """A rational number with mpz as numerator and denominator."""

    __slots__ = ()
    precedence = 1000  # an atom for sympy's printers, which would take it for a sympy.Rational

    def __new__(cls, *args):
        plain = _fractions.Fraction(*args)
        self = super().__new__(cls)
        self._numerator, self._denominator = _mpz(plain.numerator), _mpz(plain.denominator)
        return self

    __hash__ = _fractions.Fraction.__hash__


def _operator(name):
    operation = getattr(_fractions.Fraction, name)

    def of_mpq(self, other):
        result = operation(self, mpq(other) if type(other) is _mpz else other)
        return mpq(result) if type(result) is _fractions.Fraction else result

    return of_mpq


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow"):
    for _side in ("__", "__r"):
        setattr(mpq, f"{_side}{_name}__", _operator(f"{_side}{_name}__"))
for _name in ("eq", "lt", "le", "gt", "ge"):
    setattr(mpq, f"__{_name}__", _operator(f"__{_name}__"))
for _name in ("neg", "pos", "abs"):
    setattr(mpq, f"__{_name}__",
            lambda self, _operation=getattr(_fractions.Fraction, f"__{_name}__"): mpq(_operation(self)))


def _qdiv(x, y=1):
    q = mpq(x, y)
    return q.numerator if q.denominator == 1 else q


_NAMES = {"mpq": mpq, "qdiv": _qdiv, "numer": lambda x: _mpz(x.numerator),
          "denom": lambda x: _mpz(x.denominator)}

if _import_with("sympy", **_NAMES).external.gmpy.MPZ is not _mpz:
    raise ImportError("sympy did not take longmul: is SYMPY_GROUND_TYPES set?")
