"""Integers that are worth trying, for all tests of this folder."""

import os
import sys

from hypothesis import HealthCheck, settings, strategies as st

# Beyond 4300 digits int() and str() refuse unless told otherwise; the tests compare with them.
sys.set_int_max_str_digits(0)

settings.register_profile("quick", max_examples=60, deadline=None,
                          suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("long", max_examples=2000, deadline=None)
settings.load_profile(os.environ.get("LONGMUL_TESTS", "quick"))

# Powers of two and their neighbours, limbs and their ends, lengths around the ways to compute.
BITS = (1, 2, 31, 62, 63, 64, 65, 127, 128, 129, 512, 1023, 1024, 8192, 16384, 20000)
EDGES = sorted({sign * (2**b + d) for b in BITS for d in (-1, 0, 1) for sign in (1, -1)} | {0})


def patterns(bits):
    """Random digits, and runs of ones and zeros, where carries go far."""
    return st.one_of(
        st.integers(0, 2**bits - 1),
        st.tuples(st.integers(0, bits), st.integers(0, bits)).map(lambda t: abs(2**t[0] - 2**t[1])),
    )


naturals = st.one_of(st.sampled_from([e for e in EDGES if e >= 0]), patterns(64), patterns(700),
                     patterns(30000))
integers = st.one_of(st.sampled_from(EDGES), st.builds(lambda x, s: s * x, naturals,
                                                       st.sampled_from((1, -1))))
