"""Makes the GMP inside gmpy2, python-flint and other extension modules faster.

Import it after them: it redirects the GMPs that are loaded by then. Call attach() again after further
modules were imported.
"""

import ctypes as _ctypes
import os as _os

_library = _ctypes.CDLL(_os.path.join(_os.path.dirname(__file__), "liblongmul_gmp.so"))
_library.longmul_gmp_attach.restype = _ctypes.c_int
_library.longmul_gmp_attach.argtypes = []


def attach():
    """Redirects all GMPs that are loaded now; returns how many of their calls lead to us."""
    return _library.longmul_gmp_attach()


attached = attach()
