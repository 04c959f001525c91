"""Exact arithmetic with very long integers, on processors and NVIDIA GPUs.

>>> from longmul import mpz
>>> mpz(2) ** 127 - 1
mpz(170141183460469231731687303715884105727)
"""

import numbers as _numbers

from . import _core
from ._core import *  # noqa: F401,F403
from ._core import version as _version
from ._names import (denom, fma, fmma, fmms, fms, numer, pack, powmod_base_list, powmod_exp_list,
                     unpack)
from ._primes import (is_bpsw_prp, is_euler_prp, is_extra_strong_lucas_prp, is_fermat_prp,
                      is_fibonacci_prp, is_lucas_prp, is_selfridge_prp, is_strong_bpsw_prp,
                      is_strong_lucas_prp, is_strong_prp, is_strong_selfridge_prp, lucasu, lucasu_mod,
                      lucasv, lucasv_mod)
from ._random import mpz_random, mpz_rrandomb, mpz_urandomb, random_state

__version__ = _version()
__all__ = [name for name in dir() if not name.startswith("_")]

_numbers.Integral.register(_core.mpz)
