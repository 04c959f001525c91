"""Two releases of GMP in one process, each with powers, quotients and products of its own sizes.

usage: several.py. gmpy2's wheel brings one GMP, the system another, which is called by ctypes. Run with the drop-in
preloaded: what is left to GMP goes to the GMP that asked, because workspace is sized by the caller.
"""

import ctypes
import random

import gmpy2
from gmpy2 import mpz

system = ctypes.CDLL("libgmp.so.10")


class Number(ctypes.Structure):
    _fields_ = [("room", ctypes.c_int), ("size", ctypes.c_int), ("limbs", ctypes.c_void_p)]


def number(value):
    z = Number()
    if system.__gmpz_init_set_str(ctypes.byref(z), b"%x" % value, 16) != 0:
        raise ValueError(value)
    return z


def value(z):
    system.__gmpz_get_str.restype = ctypes.c_void_p
    text = system.__gmpz_get_str(None, 16, ctypes.byref(z))
    return int(ctypes.string_at(text), 16)


def by_system(function, *operands):
    result, numbers = number(0), [number(x) for x in operands]
    getattr(system, function)(ctypes.byref(result), *[ctypes.byref(z) for z in numbers])
    return value(result)


versions = {gmpy2.mp_version().split()[-1], ctypes.c_char_p.in_dll(system, "__gmp_version").value.decode()}
assert len(versions) == 2, versions
random.seed(3)
for bits in list(range(64, 700, 61)) + [2000, 9000, 11000, 40000]:
    for even in (0, 1):
        a, b, m = (random.getrandbits(bits) | 1 << (bits - 1) for _ in range(3))
        e = random.getrandbits(70 if bits > 2000 else bits)
        m = (m | 1) - even
        power = pow(a, e, m)
        assert gmpy2.powmod(mpz(a), e, m) == power, bits
        assert by_system("__gmpz_powm", a, e, m) == power, bits
        square = int(mpz(a) * a)
        assert by_system("__gmpz_mul", a, a) == square
        for quotient in ("__gmpz_tdiv_q", "__gmpz_fdiv_q"):
            assert by_system(quotient, square + b, a) == int((mpz(square) + b) // a), bits
print("two GMPs:", sorted(versions))
