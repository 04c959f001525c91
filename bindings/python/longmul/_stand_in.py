"""Imports a package that knows gmpy2 with this package's numbers in gmpy2's place."""

import importlib
import sys
import types


def import_with(package, **more):
    """Imports `package`. During that, and only then, a module called gmpy2 is there: it has this
    package's names, and `more`."""
    if package in sys.modules:
        raise ImportError(f"import longmul.{package} before {package}")
    module = types.ModuleType("gmpy2", "longmul in gmpy2's place")
    longmul = sys.modules[__package__]
    module.__dict__.update((name, getattr(longmul, name)) for name in longmul.__all__)
    module.version = lambda: "2.2.0"
    module.__dict__.update(more)
    gmpy2 = sys.modules.get("gmpy2")
    sys.modules["gmpy2"] = module
    try:
        return importlib.import_module(package)
    finally:
        if gmpy2 is None:
            del sys.modules["gmpy2"]
        else:
            sys.modules["gmpy2"] = gmpy2
