"""Random numbers from Python's generators, by gmpy2's names."""

import random as _random

from ._core import mpz


def random_state(seed=None):
    """random_state(seed=None): a random.Random, a generator for the next two. Not for secrets: pass
    a random.SystemRandom for these."""
    return _random.Random(seed)


def mpz_urandomb(state, bits):
    """mpz_urandomb(state, bits): 0 <= x < 2 ** bits, every number equally likely."""
    return mpz(state.getrandbits(bits))


def mpz_random(state, n):
    """mpz_random(state, n): 0 <= x < n, every number equally likely."""
    return mpz(state.randrange(int(n)))
