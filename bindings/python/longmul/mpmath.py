"""Imports mpmath with this package's integers: import it before mpmath.

mpmath has one way to other integers than int: it imports a module called gmpy2. This module stands in
for gmpy2 during that import, and only then.
"""

import math
import sys
import types

from . import _core


def _stand_in():
    module = types.ModuleType("gmpy2", __doc__)
    module.__dict__.update((name, getattr(_core, name)) for name in dir(_core) if name[0] != "_")
    module.version = lambda: "2.0"
    # The library's own factorial replaces this one as soon as it has one.
    module.fac = getattr(_core, "fac", lambda n: _core.mpz(math.factorial(n)))
    return module


if "mpmath" in sys.modules:
    raise ImportError("import longmul.mpmath before mpmath")
_gmpy2 = sys.modules.get("gmpy2")
sys.modules["gmpy2"] = _stand_in()
try:
    import mpmath as _mpmath
finally:
    if _gmpy2 is None:
        del sys.modules["gmpy2"]
    else:
        sys.modules["gmpy2"] = _gmpy2
if _mpmath.libmp.MPZ is not _core.mpz:
    raise ImportError("mpmath did not take longmul: is MPMATH_NOGMPY set?")
