"""longmul under gmpy2's name, for gmpy2's own tests: those that use a name which longmul does not have
are skipped when they come to it."""

import os

import longmul
import pytest
from longmul import *  # noqa: F401,F403


class _Missing:
    """A name that is not there. It may be passed around; a test that uses it ends."""

    def __init__(self, name):
        self._name = name

    def _use(self):
        if "PYTEST_CURRENT_TEST" in os.environ:
            pytest.skip(f"longmul has no {self._name}")
        return self

    def __call__(self, *args, **keywords):
        return self._use()

    def __getattr__(self, name):
        return self._use()

    def __iter__(self):
        self._use()
        return iter(())

    def __instancecheck__(self, other):
        self._use()
        return False

    __eq__ = __lt__ = __gt__ = __add__ = __radd__ = __mul__ = __rmul__ = __neg__ = __call__
    __hash__ = object.__hash__


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Missing(name)


def get_context():
    return _Missing("mpfr's context")


# gmpy2's conftest.py makes a new context before each test.
def context(*settings):
    return _Missing("mpfr's context")


def set_context(new):
    pass
