"""Imports mpmath with this package's integers: import it before mpmath.

mpmath has one way to other integers than int: it imports a module called gmpy2.
"""

from ._core import mpz as _mpz
from ._stand_in import import_with as _import_with

if _import_with("mpmath").libmp.MPZ is not _mpz:
    raise ImportError("mpmath did not take longmul: is MPMATH_NOGMPY set?")
