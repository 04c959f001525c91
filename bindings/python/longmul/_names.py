"""Functions on integers by gmpy2's names, made of the others."""

from operator import index as _index

from ._core import bit_length, f_mod_2exp, mpz, powmod


def integer(x):
    """x as an mpz; TypeError for what is no integer."""
    return x if type(x) is mpz else mpz(_index(x))


def numer(x):
    """numer(x): x, the numerator of an integer."""
    return integer(x)


def denom(x):
    """denom(x): 1, the denominator of an integer."""
    integer(x)
    return mpz(1)


def fma(x, y, z):
    """fma(x, y, z): x * y + z."""
    return integer(x) * integer(y) + integer(z)


def fms(x, y, z):
    """fms(x, y, z): x * y - z."""
    return integer(x) * integer(y) - integer(z)


def fmma(x, y, z, t):
    """fmma(x, y, z, t): x * y + z * t."""
    return integer(x) * integer(y) + integer(z) * integer(t)


def fmms(x, y, z, t):
    """fmms(x, y, z, t): x * y - z * t."""
    return integer(x) * integer(y) - integer(z) * integer(t)


def powmod_base_list(bases, y, m):
    """powmod_base_list(bases, y, m): [powmod(x, y, m) for x in bases]."""
    return [powmod(x, y, m) for x in bases]


def powmod_exp_list(x, exponents, m):
    """powmod_exp_list(x, exponents, m): [powmod(x, y, m) for y in exponents]."""
    return [powmod(x, y, m) for y in exponents]


def _width(n):
    if _index(n) < 1:
        raise ValueError("parts have at least one bit")
    return _index(n)


def pack(parts, n):
    """pack(parts, n): the sum of parts[i] * 2 ** (n * i), for a list of 0 <= parts[i] < 2 ** n."""
    if not isinstance(parts, list):
        raise TypeError("pack() takes a list")
    width = _width(n)
    parts = [integer(x) for x in parts] or [mpz(0)]
    if any(x < 0 or bit_length(x) > width for x in parts):
        raise TypeError(f"pack() takes integers from 0 to 2 ** {width} - 1")
    while len(parts) > 1:  # pairs, so that all shifts together cost O(N log N)
        odd = parts[-1:] if len(parts) % 2 else []
        parts = [low + (high << width) for low, high in zip(parts[::2], parts[1::2])] + odd
        width *= 2
    return parts[0]


def unpack(x, n):
    """unpack(x, n): the list that pack makes x >= 0 of, without zeros at the end; [0] for 0."""
    x, width = integer(x), _width(n)
    if x < 0:
        raise ValueError("unpack() takes x >= 0")
    count = max(1, -(-bit_length(x) // width))
    parts, level = [x], (count - 1).bit_length()
    for half in (width << k for k in reversed(range(level))):
        parts = [y for x in parts for y in (f_mod_2exp(x, half), x >> half)]
    return parts[:count]
