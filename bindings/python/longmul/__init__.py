"""Exact arithmetic with very long integers, on processors and NVIDIA GPUs.

>>> from longmul import mpz
>>> mpz(2) ** 127 - 1
mpz(170141183460469231731687303715884105727)
"""

import numbers as _numbers

from . import _core
from ._core import *  # noqa: F401,F403
from ._core import version as _version
from ._random import mpz_random, mpz_urandomb, random_state

__version__ = _version()
__all__ = [name for name in dir(_core) if not name.startswith("_")]
__all__ += ["mpz_random", "mpz_urandomb", "random_state"]

_numbers.Integral.register(_core.mpz)
