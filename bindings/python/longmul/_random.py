"""Random numbers from Python's generators, by gmpy2's names."""

import random as _random

from ._core import mpz


def random_state(seed=None):
    """random_state(seed=None): a random.Random, a generator for the next three. Not for secrets: pass
    a random.SystemRandom for these."""
    return _random.Random(seed)


def mpz_urandomb(state, bits):
    """mpz_urandomb(state, bits): 0 <= x < 2 ** bits, every number equally likely."""
    return mpz(state.getrandbits(bits))


def mpz_random(state, n):
    """mpz_random(state, n): 0 <= x < n, every number equally likely."""
    return mpz(state.randrange(int(n)))


def mpz_rrandomb(state, bits):
    """mpz_rrandomb(state, bits): 2 ** (bits - 1) <= x < 2 ** bits, 0 for 0 bits, with long runs of ones
    and zeros: for tests, because it makes carries travel far."""
    longest = max(1, bits // state.randint(1, 4))
    runs, left = [], bits
    while left > 0:
        run = min(left, state.randint(1, longest))
        runs.append("10"[len(runs) % 2] * run)
        left -= run
    return mpz("".join(runs) or "0", 2)
